//! Presets: settings as readable TOML files, one line per setting.

use std::fmt::Write as _;

use super::{Settings, TABLE, set};

/// A built-in preset.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// The name for `--preset`.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
}

/// The built-in presets.
pub const PRESETS: [Preset; 2] = [
    Preset {
        name: "recommended",
        text: include_str!("../../../../../assets/presets/recommended.toml"),
    },
    Preset { name: "paper", text: include_str!("../../../../../assets/presets/paper.toml") },
];

/// The settings of a preset; `None` if the name is unknown.
///
/// ```
/// use gesf_core::model::settings::{MatrixChoice, PRESETS, Settings, preset};
///
/// assert_eq!(preset("recommended"), Some(Settings::default()));
/// assert!(PRESETS.iter().all(|own| preset(own.name).is_some()));
/// assert_eq!(preset("paper").map(|settings| settings.matrix), Some(MatrixChoice::Adjacency));
/// ```
pub fn preset(name: &str) -> Option<Settings> {
    let preset = PRESETS.iter().find(|preset| preset.name == name)?;
    from_toml(preset.text, "the preset").ok()
}

/// Parses settings from TOML; missing settings keep their default.
pub fn from_toml(text: &str, file: &str) -> Result<Settings, String> {
    let values: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(0, |span| text[..span.start].matches('\n').count());
        format!("{file}, line {}: {}", line + 1, error.message())
    })?;
    let mut settings = Settings::default();
    for (key, value) in &values {
        set(&mut settings, key, &plain(value)).map_err(|error| format!("{file}: {error}"))?;
    }
    Ok(settings)
}

/// A TOML value as the user would type it.
fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(parts) => parts.iter().map(plain).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// Writes settings, each below a comment with its meaning.
pub fn to_toml(settings: &Settings) -> String {
    let mut text = String::new();
    for setting in TABLE {
        let value = (setting.get)(settings);
        let bare = value.parse::<f64>().is_ok() || value.parse::<bool>().is_ok();
        let value = if bare { value } else { toml::Value::String(value).to_string() };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "# {}\n{} = {value}", setting.meaning, setting.key);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_presets_are_read_and_recommended_equals_the_default() {
        assert_eq!(preset("recommended"), Some(Settings::default()));
        assert_ne!(preset("paper"), Some(Settings::default()));
        assert_eq!(preset("none"), None);
    }

    #[test]
    fn presets_name_every_setting() {
        for preset in PRESETS {
            let values: toml::Table = preset.text.parse().unwrap();
            for setting in TABLE {
                assert!(values.contains_key(setting.key), "{}: {}", preset.name, setting.key);
            }
        }
    }

    #[test]
    fn settings_round_trip() {
        let mut settings = preset("paper").unwrap();
        set(&mut settings, "balance", "0.2,200").unwrap();
        assert_eq!(from_toml(&to_toml(&settings), "x"), Ok(settings));
    }

    #[test]
    fn an_error_names_its_line_or_its_setting() {
        assert!(from_toml("epochs = 3\nseed = = 1\n", "my.toml").unwrap_err().contains("line 2"));
        let said = from_toml("epoch = 3\n", "my.toml").unwrap_err();
        assert!(said.contains("my.toml") && said.contains("`epochs`"), "{said}");
    }
}
