//! The definition of a setting, and access by name.

use std::fmt;

use super::{Settings, TABLE};
use gesf_graph::suggest::nearest;

/// Which part of the method a setting belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// The matrix and its eigenpairs.
    Spectrum,
    /// The maps and the embeddings.
    Model,
    /// The filter and how it is learned.
    Filter,
    /// The loss.
    Loss,
    /// The optimization.
    Training,
    /// The split of the labelled nodes.
    Split,
}

/// When a change takes effect, weakest effect first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AppliesAt {
    /// With the next step.
    Now,
    /// With the next epoch.
    NextEpoch,
    /// The model restarts.
    RestartsModel,
    /// The spectrum is computed again, and the model restarts.
    RestartsSpectrum,
}

/// A setting and its description.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The name, for `--set` and for files.
    pub key: &'static str,
    /// The symbol in the formulas; empty if there is none.
    pub symbol: &'static str,
    /// Which part of the method it belongs to.
    pub group: Group,
    /// What it means, in one sentence.
    pub meaning: &'static str,
    /// Its valid values.
    pub range: Range,
    /// When a change takes effect.
    pub effect: AppliesAt,
    /// The value as text.
    pub get: fn(&Settings) -> String,
    pub(super) put: fn(&mut Settings, &str) -> Result<(), String>,
}

/// The valid values of a setting.
#[derive(Debug, Clone, Copy)]
pub enum Range {
    /// One of these names.
    Names(fn() -> Vec<&'static str>),
    /// A whole number between these.
    Whole(u64, u64),
    /// A number between these.
    Number(f64, f64),
    /// As described; the screen changes it in these steps.
    Words(&'static str, Steps),
}

/// Steps of a value that is not a single number: each number of a list separately,
/// and a word beyond the highest number.
#[derive(Debug, Clone, Copy)]
pub struct Steps {
    /// Whether only whole numbers are valid.
    pub whole: bool,
    /// The lowest and the highest number.
    pub bounds: (f64, f64),
    /// The word above them, and the number it replaces.
    pub word: Option<(&'static str, f64)>,
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Names(names) => f.write_str(&names().join(", ")),
            Self::Whole(low, u64::MAX) => write!(f, "a whole number from {low}"),
            Self::Whole(low, high) => write!(f, "a whole number from {low} to {high}"),
            Self::Number(low, high) => write!(f, "a number from {low} to {high}"),
            Self::Words(words, _) => f.write_str(words),
        }
    }
}

impl fmt::Display for AppliesAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Now => "applies immediately",
            Self::NextEpoch => "applies from the next epoch",
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
    /// Unknown setting.
    #[error("unknown setting `{key}`\n  help: did you mean `{nearest}`?")]
    Unknown {
        /// The given name.
        key: String,
        /// The most similar name.
        nearest: &'static str,
    },
    /// Invalid value.
    #[error("{key}: found `{found}`, expected {expected}\n  help: {advice}")]
    Value {
        /// The setting.
        key: &'static str,
        /// The given value.
        found: String,
        /// The valid values.
        expected: String,
        /// The nearest valid value, or the default.
        advice: String,
    },
}

/// Aliases of settings, as in the formulas.
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

/// The setting with this name or symbol.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::model::settings::{Settings, find};
///
/// let balance = find("balance")?;
/// assert_eq!(balance.symbol, "λ");
/// assert_eq!(find("lambda")?.key, "balance");
/// assert_eq!((balance.get)(&Settings::default()), "10");
/// let error = find("ballance").err().ok_or("there is such a setting")?;
/// assert!(error.to_string().contains("did you mean `balance`?"));
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
/// use gesf_core::model::settings::{Settings, set};
///
/// let mut settings = Settings::default();
/// set(&mut settings, "labelled", "0.1")?;
/// assert_eq!(settings.labelled, 0.1);
/// // An invalid value changes nothing.
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

/// A change of one setting. It does not carry the other settings, which may change
/// in the meantime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingChange {
    /// The setting.
    pub key: &'static str,
    /// Its new value.
    pub value: String,
}

impl SettingChange {
    /// The differences from one set of settings to another.
    ///
    /// ```
    /// use gesf_core::model::settings::{SettingChange, Settings};
    ///
    /// let from = Settings::default();
    /// let to = Settings { seed: 3, ..from.clone() };
    /// let changes = SettingChange::between(&from, &to);
    /// assert_eq!((changes.len(), changes[0].key), (1, "seed"));
    /// // Other changes made in the meantime stay.
    /// let mut now = Settings { epochs: 9, ..from };
    /// changes.iter().for_each(|change| change.apply(&mut now));
    /// assert_eq!((now.seed, now.epochs), (3, 9));
    /// ```
    pub fn between(from: &Settings, to: &Settings) -> Vec<Self> {
        let changed = TABLE.iter().filter(|setting| (setting.get)(from) != (setting.get)(to));
        changed.map(|setting| Self { key: setting.key, value: (setting.get)(to) }).collect()
    }

    /// Applies the change. A value written by the setting itself is always valid.
    pub fn apply(&self, settings: &mut Settings) {
        let _ = set(settings, self.key, &self.value);
    }

    /// Whether the settings have the new value.
    pub fn is_in(&self, settings: &Settings) -> bool {
        find(self.key).is_ok_and(|setting| (setting.get)(settings) == self.value)
    }
}

impl Setting {
    fn advice(&self, value: &str) -> String {
        match self.range {
            Range::Names(names) => format!("did you mean `{}`?", nearest(value, names())),
            Range::Whole(low, high) => self.clamped(value, low as f64, high as f64),
            Range::Number(low, high) => self.clamped(value, low, high),
            Range::Words(..) => self.default_advice(),
        }
    }

    fn clamped(&self, value: &str, low: f64, high: f64) -> String {
        match value.trim().parse::<f64>() {
            Ok(number) if number.is_finite() && !(low..=high).contains(&number) => {
                format!("the nearest valid value is `{}`", number.clamp(low, high))
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
    fn aliases_are_not_setting_names_and_resolve_everywhere() {
        for (alias, key) in ALIASES {
            assert!(TABLE.iter().all(|setting| setting.key != alias), "{alias}");
            assert_eq!(find(alias).unwrap().key, key);
        }
        let mut settings = Settings::default();
        set(&mut settings, "lambda", "3").unwrap();
        assert_eq!((find("balance").unwrap().get)(&settings), "3");
    }
}
