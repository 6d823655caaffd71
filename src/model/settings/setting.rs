//! What a setting is, and how one is found and set by its name.

use std::fmt;

use super::{Settings, TABLE};
use crate::words::nearest;

/// Which part of the method a setting belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// The matrix and its eigenpairs.
    Spectrum,
    /// The maps and the embeddings.
    Model,
    /// The filter and how it is learned.
    Filter,
    /// What is minimised.
    Loss,
    /// How it is minimised.
    Training,
    /// Which labels are seen.
    Split,
}

/// When a change takes effect, in order of how far it reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// In the step that follows.
    Now,
    /// When the next epoch begins.
    NextEpoch,
    /// Parameters of the model start anew.
    RestartsModel,
    /// The spectrum is computed anew, and the model starts anew.
    RestartsSpectrum,
}

/// A setting and all there is to say about it.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The name, for `--set` and for files.
    pub key: &'static str,
    /// The symbol in the formulas; empty where it has none.
    pub symbol: &'static str,
    /// Which part of the method it belongs to.
    pub group: Group,
    /// What it means, in one sentence.
    pub meaning: &'static str,
    /// What it may be.
    pub range: Range,
    /// When a change takes effect.
    pub effect: Effect,
    /// The value as text.
    pub get: fn(&Settings) -> String,
    pub(super) put: fn(&mut Settings, &str) -> Result<(), String>,
}

/// What a setting may be.
#[derive(Debug, Clone, Copy)]
pub enum Range {
    /// One of these names.
    Names(fn() -> Vec<&'static str>),
    /// A whole number between these.
    Whole(u64, u64),
    /// A number between these.
    Number(f64, f64),
    /// As the words say.
    Words(&'static str),
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Names(names) => f.write_str(&names().join(", ")),
            Self::Whole(low, u64::MAX) => write!(f, "a whole number from {low}"),
            Self::Whole(low, high) => write!(f, "a whole number from {low} to {high}"),
            Self::Number(low, high) => write!(f, "a number from {low} to {high}"),
            Self::Words(words) => f.write_str(words),
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Now => "takes effect now",
            Self::NextEpoch => "takes effect with the next epoch",
            Self::RestartsModel => "restarts the model",
            Self::RestartsSpectrum => "recomputes the spectrum and restarts the model",
        })
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Spectrum => "spectrum",
            Self::Filter => "filter",
            Self::Model => "model",
            Self::Loss => "loss",
            Self::Training => "training",
            Self::Split => "split",
        })
    }
}

/// Why a setting was not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// No setting has this name.
    #[error("no setting is called `{key}`\n  help: the nearest is `{nearest}`")]
    Unknown {
        /// What was asked for.
        key: String,
        /// The name closest to it.
        nearest: &'static str,
    },
    /// The value cannot be.
    #[error("{key}: found `{found}`, expected {expected}\n  help: {advice}")]
    Value {
        /// The setting.
        key: &'static str,
        /// What was asked for.
        found: String,
        /// What it may be.
        expected: String,
        /// The nearest valid value, or the default.
        advice: String,
    },
}

/// Other names of settings, as the formulas have them.
const ALIASES: [(&str, &str); 8] = [
    ("lambda", "balance"),
    ("lambda_w", "weight_penalty"),
    ("lr", "learning_rate"),
    ("rho", "filter"),
    ("k", "eigenpairs"),
    ("d", "dimension"),
    ("gradient", "neighbour_gradient"),
    ("maps", "map_shape"),
];

/// The setting of that name, or of that letter in the formulas.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::model::settings::{Settings, find};
///
/// let balance = find("balance")?;
/// assert_eq!(balance.symbol, "λ");
/// assert_eq!(find("lambda")?.key, "balance");
/// assert_eq!((balance.get)(&Settings::default()), "10");
/// let error = find("ballance").err().ok_or("there is such a setting")?;
/// assert!(error.to_string().contains("the nearest is `balance`"));
/// # Ok(()) }
/// ```
pub fn find(key: &str) -> Result<&'static Setting, SettingError> {
    let key = ALIASES.iter().find(|(alias, _)| *alias == key).map_or(key, |(_, own)| own);
    TABLE.iter().find(|setting| setting.key == key).ok_or_else(|| {
        let keys = TABLE.iter().map(|setting| setting.key);
        SettingError::Unknown { key: key.to_owned(), nearest: nearest(key, keys) }
    })
}

/// Changes one setting, given as text.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::model::settings::{Settings, set};
///
/// let mut settings = Settings::default();
/// set(&mut settings, "labelled", "0.1")?;
/// assert_eq!(settings.labelled, 0.1);
/// // A value that cannot be changes nothing.
/// assert!(set(&mut settings, "labelled", "7").is_err());
/// assert_eq!(settings.labelled, 0.1);
/// # Ok(()) }
/// ```
pub fn set(settings: &mut Settings, key: &str, value: &str) -> Result<(), SettingError> {
    let setting = find(key)?;
    (setting.put)(settings, value.trim()).map_err(|expected| SettingError::Value {
        key: setting.key,
        found: value.to_owned(),
        advice: setting.advice(value),
        expected,
    })
}

/// One setting to be changed, as it travels: never with the others, whose
/// values somebody may have changed meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingChange {
    /// Which.
    pub key: &'static str,
    /// Its new value.
    pub value: String,
}

impl SettingChange {
    /// What is different in other settings.
    ///
    /// ```
    /// use gesf_tui::model::settings::{SettingChange, Settings};
    ///
    /// let from = Settings::default();
    /// let to = Settings { seed: 3, ..from.clone() };
    /// let changes = SettingChange::between(&from, &to);
    /// assert_eq!((changes.len(), changes[0].key), (1, "seed"));
    /// // Whatever else was changed meanwhile stays.
    /// let mut now = Settings { epochs: 9, ..from };
    /// changes.iter().for_each(|change| change.apply(&mut now));
    /// assert_eq!((now.seed, now.epochs), (3, 9));
    /// ```
    pub fn between(from: &Settings, to: &Settings) -> Vec<Self> {
        let changed = TABLE.iter().filter(|setting| (setting.get)(from) != (setting.get)(to));
        changed.map(|setting| Self { key: setting.key, value: (setting.get)(to) }).collect()
    }

    /// Makes the change. A value that a setting told of itself is always taken.
    pub fn apply(&self, settings: &mut Settings) {
        let _ = set(settings, self.key, &self.value);
    }

    /// Whether settings have the new value.
    pub fn is_in(&self, settings: &Settings) -> bool {
        find(self.key).is_ok_and(|setting| (setting.get)(settings) == self.value)
    }
}

impl Setting {
    fn advice(&self, value: &str) -> String {
        match self.range {
            Range::Names(names) => format!("the nearest is `{}`", nearest(value, names())),
            Range::Whole(low, high) => self.clamped(value, low as f64, high as f64),
            Range::Number(low, high) => self.clamped(value, low, high),
            Range::Words(_) => self.default_advice(),
        }
    }

    fn clamped(&self, value: &str, low: f64, high: f64) -> String {
        match value.trim().parse::<f64>() {
            Ok(number) if number.is_finite() && !(low..=high).contains(&number) => {
                format!("the nearest is `{}`", number.clamp(low, high))
            }
            _ => self.default_advice(),
        }
    }

    fn default_advice(&self) -> String {
        format!("the default is `{}`", (self.get)(&Settings::default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_are_no_names_of_settings_and_lead_to_one_everywhere() {
        for (alias, key) in ALIASES {
            assert!(TABLE.iter().all(|setting| setting.key != alias), "{alias}");
            assert_eq!(find(alias).unwrap().key, key);
        }
        let mut settings = Settings::default();
        set(&mut settings, "lambda", "3").unwrap();
        assert_eq!((find("balance").unwrap().get)(&settings), "3");
    }
}
