//! The command that reproduces a run.

use crate::model::settings::{PRESETS, Settings, TABLE, preset, set};
use crate::train::StateLine;
use crate::train::run::Record;
use gesf_graph::{LoadOptions, Manifest};

/// A preset, and the settings of a run that differ from it: name, value of the run,
/// value of the preset, meaning.
pub(super) struct Difference {
    pub(super) preset: &'static str,
    pub(super) settings: Vec<(&'static str, String, String, &'static str)>,
}

/// The preset closest to the settings of a run, and the differences.
pub(super) fn difference(settings: &Settings) -> Difference {
    let all = PRESETS.iter().map(|known| {
        let base = preset(known.name).unwrap_or_default();
        Difference { preset: known.name, settings: differing(settings, &base) }
    });
    let nearest = all.min_by_key(|difference| difference.settings.len());
    nearest.unwrap_or(Difference { preset: "recommended", settings: Vec::new() })
}

fn differing(own: &Settings, base: &Settings) -> Vec<(&'static str, String, String, &'static str)> {
    let changed = TABLE.iter().filter(|setting| (setting.get)(own) != (setting.get)(base));
    changed
        .map(|setting| (setting.key, (setting.get)(own), (setting.get)(base), setting.meaning))
        .collect()
}

/// The command that reproduces a run, from its record and the manifest of the
/// graph: without `--preset`, the settings of the manifest refine the defaults. A
/// run whose settings changed during training is restored at its epoch by a state
/// line instead.
pub fn reproduce(record: &Record, manifest: &Manifest, epoch: usize) -> String {
    if !record.changes.is_empty() {
        return format!("gesf-tui --state {}", quoted(&StateLine::of(record, epoch).to_string()));
    }
    let near = difference(&record.settings).preset;
    let mut base = preset(near).unwrap_or_default();
    if near == "recommended" {
        for (key, value) in &manifest.settings {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            // A graph with invalid settings could not have been trained.
            let _ = set(&mut base, key, &text);
        }
    }
    let mut words = vec!["gesf-tui".to_owned(), "train".to_owned()];
    words.push(record.graph.display().to_string());
    words.extend(reading(&record.load));
    if near != "recommended" {
        words.extend(["--preset".to_owned(), near.to_owned()]);
    }
    for (key, value, ..) in differing(&record.settings, &base) {
        words.extend(["--set".to_owned(), format!("{key}={value}")]);
    }
    words.extend(["--out".to_owned(), "RUN".to_owned()]);
    let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    quoted.join(" ")
}

/// The changes during a run, one by one.
pub(in crate::export) fn changes(record: &Record) -> Vec<String> {
    let mut before = &record.settings;
    let mut told = Vec::new();
    for change in &record.changes {
        let parts: Vec<String> = differing(&change.settings, before)
            .into_iter()
            .map(|(key, now, then, _)| format!("{key} from {then} to {now}"))
            .collect();
        told.push(format!("at epoch {}: {}", change.epoch, parts.join(", ")));
        before = &change.settings;
    }
    told
}

/// The options the graph was loaded with.
fn reading(load: &LoadOptions) -> Vec<String> {
    let words = load.words().into_iter();
    words.flat_map(|(name, value)| [name.to_owned()].into_iter().chain(value)).collect()
}

/// A word, quoted for a shell.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::run::RunLabel;

    fn record(settings: Settings) -> Record {
        Record {
            version: "1".into(),
            threads: None,
            graph: "my graphs/it's.txt".into(),
            fingerprint: "0".into(),
            load: LoadOptions { ignore_weights: true, ..LoadOptions::default() },
            settings,
            changes: Vec::new(),
            label: RunLabel::default(),
        }
    }

    #[test]
    fn the_command_names_differences_and_quotes_special_words() {
        let mut settings = preset("paper").unwrap();
        set(&mut settings, "epochs", "7").unwrap();
        let said = reproduce(&record(settings), &Manifest::default(), 7);
        assert_eq!(
            said,
            "gesf-tui train 'my graphs/it'\\''s.txt' --unweighted --preset paper --set epochs=7 \
             --out RUN"
        );
    }

    #[test]
    fn settings_of_the_manifest_are_not_repeated() {
        let mut manifest = Manifest::default();
        manifest.settings.insert("epochs".into(), toml::Value::Integer(7));
        let mut settings = Settings::default();
        set(&mut settings, "epochs", "7").unwrap();
        assert!(!reproduce(&record(settings.clone()), &manifest, 7).contains("epochs"));
        assert_eq!(difference(&settings).settings.len(), 1);
    }
}
