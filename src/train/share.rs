//! A run in one line: graph, settings, changes on the way, epoch. Whoever has
//! the graph can stand at the same epoch with the same bits.
//!
//! ```text
//! gesf2 graph=cora#9f3a… epoch=120 balance=3 seed=7 @50 balance=0.5
//! ```
//!
//! Only what differs from the preset `recommended` is written; what follows an
//! `@` came into force at that epoch.

use std::fmt;
use std::str::FromStr;

use super::Change;
use super::run::Record;
use crate::model::settings::{Settings, TABLE, set};

const MARK: &str = "gesf2";
/// What lines of version 0.1 begin with.
const OLD_MARK: &str = "gesf1";

/// A moment of a run, to be shared.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::model::settings::Settings;
/// use gesf_tui::train::{Change, StateLine};
///
/// let settings = Settings { seed: 7, ..Settings::default() };
/// let changed = Settings { learning_rate: 0.5, ..settings.clone() };
/// let line = StateLine {
///     graph: "karate".into(),
///     fingerprint: "9f3a".into(),
///     epoch: 120,
///     settings,
///     changes: vec![Change { epoch: 50, settings: changed }],
/// };
/// let text = "gesf2 graph=karate#9f3a epoch=120 seed=7 @50 learning_rate=0.5";
/// assert_eq!(line.to_string(), text);
/// assert_eq!(text.parse::<StateLine>()?, line);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct StateLine {
    /// The name of the graph.
    pub graph: String,
    /// The fingerprint of the graph.
    pub fingerprint: String,
    /// How many epochs are done.
    pub epoch: usize,
    /// The settings at the start.
    pub settings: Settings,
    /// What was changed on the way.
    pub changes: Vec<Change>,
}

impl StateLine {
    /// The line of a run at an epoch.
    pub fn of(record: &Record, epoch: usize) -> Self {
        let name = record.graph.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let changes = record.changes.iter().filter(|change| change.epoch <= epoch);
        Self {
            graph: name.unwrap_or_else(|| "graph".to_owned()),
            fingerprint: record.fingerprint.clone(),
            epoch,
            settings: record.settings.clone(),
            changes: changes.cloned().collect(),
        }
    }
}

/// What differs, as `key=value` words.
fn differing(from: &Settings, to: &Settings) -> String {
    let words = TABLE.iter().filter_map(|setting| {
        let (old, new) = ((setting.get)(from), (setting.get)(to));
        (old != new).then(|| format!(" {}={}", setting.key, escaped(&new)))
    });
    words.collect()
}

/// Words are parted by blanks, so a blank in one is written otherwise.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace(' ', "%20").replace('#', "%23").replace('@', "%40")
}

fn plain(text: &str) -> String {
    text.replace("%40", "@").replace("%23", "#").replace("%20", " ").replace("%25", "%")
}

impl fmt::Display for StateLine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (graph, settings) = (escaped(&self.graph), &self.settings);
        write!(out, "{MARK} graph={graph}#{} epoch={}", self.fingerprint, self.epoch)?;
        write!(out, "{}", differing(&Settings::default(), settings))?;
        let mut before = settings;
        for change in &self.changes {
            write!(out, " @{}{}", change.epoch, differing(before, &change.settings))?;
            before = &change.settings;
        }
        Ok(())
    }
}

impl FromStr for StateLine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let mark = words.next();
        if mark == Some(OLD_MARK) {
            return Err(format!(
                "found a line of version 0.1, whose settings started elsewhere and whose filter \
                 was learned otherwise; expected one that begins with `{MARK}`: make it again \
                 with this version"
            ));
        }
        if mark != Some(MARK) {
            return Err(format!("expected a line that begins with `{MARK}`, as `state` prints it"));
        }
        let mut line = Self {
            graph: String::new(),
            fingerprint: String::new(),
            epoch: 0,
            settings: Settings::default(),
            changes: Vec::new(),
        };
        for word in words {
            line.take(word)?;
        }
        if line.graph.is_empty() {
            return Err("expected the word `graph=NAME#FINGERPRINT`, found none".to_owned());
        }
        Ok(line)
    }
}

impl StateLine {
    fn take(&mut self, word: &str) -> Result<(), String> {
        let number = |text: &str| {
            text.parse::<usize>().map_err(|_| format!("`{word}`: expected the number of an epoch"))
        };
        if let Some(epoch) = word.strip_prefix('@') {
            let epoch = number(epoch)?;
            if self.changes.last().is_some_and(|last| last.epoch >= epoch) {
                return Err(format!("`{word}`: expected changes in the order of their epochs"));
            }
            let now = self.changes.last().map_or(&self.settings, |last| &last.settings).clone();
            self.changes.push(Change { epoch, settings: now });
            return Ok(());
        }
        let Some((key, value)) = word.split_once('=') else {
            return Err(format!("found `{word}`, expected `key=value`"));
        };
        match key {
            "graph" => {
                let (name, fingerprint) = value.split_once('#').unwrap_or((value, ""));
                (self.graph, self.fingerprint) = (plain(name), fingerprint.to_owned());
            }
            "epoch" => self.epoch = number(value)?,
            _ => {
                let settings = match self.changes.last_mut() {
                    Some(change) => &mut change.settings,
                    None => &mut self.settings,
                };
                set(settings, key, &plain(value)).map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::settings::preset;

    fn with(settings: &Settings, key: &str, value: &str) -> Settings {
        let mut changed = settings.clone();
        set(&mut changed, key, value).unwrap();
        changed
    }

    #[test]
    fn a_line_survives_being_written_and_read() {
        let start = with(&preset("paper").unwrap(), "seed", "7");
        let (first, second) =
            (with(&start, "balance", "0.5"), with(&start, "learning_rate", "0.1"));
        let line = StateLine {
            graph: "my graph #1 @home".to_owned(),
            fingerprint: "00ff".to_owned(),
            epoch: 120,
            settings: start,
            changes: vec![
                Change { epoch: 50, settings: first },
                Change { epoch: 60, settings: second },
            ],
        };
        let text = line.to_string();
        assert_eq!(text.lines().count(), 1);
        assert_eq!(text.parse(), Ok(line));
    }

    #[test]
    fn a_run_of_recommended_settings_is_a_short_line() {
        let line: StateLine = "gesf2 graph=cora#0a epoch=3".parse().unwrap();
        assert_eq!((line.epoch, &line.settings), (3, &Settings::default()));
        assert_eq!(line.to_string(), "gesf2 graph=cora#0a epoch=3");
    }

    #[test]
    fn faults_say_what_was_found() {
        let said = |text: &str| text.parse::<StateLine>().unwrap_err();
        assert!(said("hello").contains("gesf2"));
        assert!(said("gesf1 graph=a epoch=3").contains("version 0.1"));
        assert!(said("gesf2 epoch=3").contains("graph=NAME"));
        assert!(said("gesf2 graph=a epoch=x").contains("number of an epoch"));
        assert!(said("gesf2 graph=a balanse=3").contains("balance"));
        assert!(said("gesf2 graph=a @5 balance=1 @5 balance=2").contains("order"));
    }
}
