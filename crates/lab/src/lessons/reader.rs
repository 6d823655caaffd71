//! Reads the tables of a lesson file; errors name their line.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::LessonError;
use gesf_core::model::settings::{Settings, set};
use gesf_graph::suggest::nearest;

#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) text: &'a str,
    pub(super) file: &'a str,
}

impl Source<'_> {
    pub(super) fn fault(&self, at: Range<usize>, what: String) -> LessonError {
        let before = self.text.get(..at.start).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        LessonError { file: self.file.to_owned(), line, what }
    }
}

/// A table of the file, and its position.
pub(super) struct Reader<'a> {
    pub(super) source: Source<'a>,
    pub(super) table: &'a DeTable<'a>,
    pub(super) whole: Range<usize>,
    pub(super) place: &'static str,
}

impl<'a> Reader<'a> {
    /// An error for unknown keys.
    pub(super) fn only(&self, keys: &[&str]) -> Result<(), LessonError> {
        for (key, _) in self.table {
            let name = key.get_ref().as_ref();
            if !keys.contains(&name) {
                let what = format!(
                    "unknown key `{name}`\n  help: did you mean `{}`?",
                    nearest(name, keys.iter().copied())
                );
                return Err(self.source.fault(key.span(), what));
            }
        }
        Ok(())
    }

    pub(super) fn optional(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        let found = self.table.iter().find(|(own, _)| own.get_ref().as_ref() == key);
        found.map(|(_, value)| value)
    }

    pub(super) fn needed(&self, key: &str) -> Result<&'a Spanned<DeValue<'a>>, LessonError> {
        self.optional(key).ok_or_else(|| {
            self.source.fault(self.whole.clone(), format!("{} has no `{key}`", self.place))
        })
    }

    pub(super) fn fault_at(&self, key: &str, what: String) -> LessonError {
        let at = self.optional(key).map_or(self.whole.clone(), Spanned::span);
        self.source.fault(at, what)
    }

    /// A required, non-empty text.
    pub(super) fn text(&self, key: &str) -> Result<String, LessonError> {
        let value = self.needed(key)?;
        let text = value.get_ref().as_str().map(str::trim).filter(|text| !text.is_empty());
        let found = || format!("{key}: found {}, expected a string", value.get_ref().type_str());
        text.map(str::to_owned).ok_or_else(|| self.source.fault(value.span(), found()))
    }

    /// One of the given words.
    pub(super) fn word(&self, key: &str, words: &[&str]) -> Result<String, LessonError> {
        let own = self.text(key)?;
        if words.contains(&own.as_str()) {
            return Ok(own);
        }
        let what = format!(
            "{key}: found `{own}`, expected one of {}\n  help: did you mean `{}`?",
            words.join(", "),
            nearest(&own, words.iter().copied())
        );
        Err(self.fault_at(key, what))
    }

    /// A list of texts with their positions.
    pub(super) fn texts(&self, key: &str) -> Result<Vec<(String, Range<usize>)>, LessonError> {
        let Some(value) = self.optional(key) else { return Ok(Vec::new()) };
        let wrong = |at: Range<usize>, found: &str| {
            self.source.fault(at, format!("{key}: found {found}, expected a list of strings"))
        };
        let list = value.get_ref().as_array();
        let list = list.ok_or_else(|| wrong(value.span(), value.get_ref().type_str()))?;
        list.iter()
            .map(|part| match part.get_ref().as_str() {
                Some(text) => Ok((text.to_owned(), part.span())),
                None => Err(wrong(part.span(), part.get_ref().type_str())),
            })
            .collect()
    }

    pub(super) fn settings(&self) -> Result<Vec<(String, String)>, LessonError> {
        let Some(value) = self.optional("settings") else { return Ok(Vec::new()) };
        let Some(table) = value.get_ref().as_table() else {
            let what = "settings: expected a table [settings]".to_owned();
            return Err(self.source.fault(value.span(), what));
        };
        let mut pairs = Vec::new();
        for (key, value) in table {
            let text = match value.get_ref() {
                DeValue::String(text) => text.to_string(),
                DeValue::Integer(number) => number.to_string(),
                DeValue::Float(number) => number.to_string(),
                DeValue::Boolean(flag) => flag.to_string(),
                other => {
                    let what =
                        format!("{}: found {}, expected a value", key.get_ref(), other.type_str());
                    return Err(self.source.fault(value.span(), what));
                }
            };
            set(&mut Settings::default(), key.get_ref(), &text)
                .map_err(|error| self.source.fault(key.span(), error.to_string()))?;
            pairs.push((key.get_ref().to_string(), text));
        }
        Ok(pairs)
    }

    /// A number, whole or not.
    pub(super) fn number(&self, key: &str) -> Result<Option<f64>, LessonError> {
        let Some(value) = self.optional(key) else { return Ok(None) };
        let found = number_in(value.get_ref()).filter(|own| own.is_finite());
        let what = || format!("{key}: found {}, expected a number", value.get_ref().type_str());
        found.map(Some).ok_or_else(|| self.source.fault(value.span(), what()))
    }

    /// True or false, with a default.
    pub(super) fn flag(&self, key: &str, usual: bool) -> Result<bool, LessonError> {
        let Some(value) = self.optional(key) else { return Ok(usual) };
        let flag = value.get_ref().as_bool();
        flag.ok_or_else(|| {
            self.source.fault(value.span(), format!("{key}: expected true or false"))
        })
    }

    /// Rejects keys that do not belong here, with the reason.
    pub(super) fn without(&self, keys: &[&str], why: &str) -> Result<(), LessonError> {
        match keys.iter().find(|key| self.optional(key).is_some()) {
            Some(key) => Err(self.fault_at(key, format!("`{key}` {why}"))),
            None => Ok(()),
        }
    }
}

/// The number of a value, if it is one.
pub(super) fn number_in(value: &DeValue<'_>) -> Option<f64> {
    let text = value.as_integer().map(toml::de::DeInteger::as_str);
    let text = text.or(value.as_float().map(toml::de::DeFloat::as_str));
    text.and_then(|text| text.replace('_', "").parse().ok())
}
