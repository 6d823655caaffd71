//! Help topics: a plain paragraph, a formula and a lesson for everything on the
//! screen. The texts are in `assets/explanations.toml`; the meaning of a setting
//! comes from the table of settings.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use gesf_core::model::settings::TABLE;

/// A help topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelpTopic {
    /// Its title.
    pub title: String,
    /// One plain paragraph.
    pub text: String,
    /// Its formula; empty if there is none.
    pub formula: String,
    /// The lesson about it; empty if there is none.
    pub lesson: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    title: String,
    text: String,
    #[serde(default)]
    formula: String,
    #[serde(default)]
    lesson: String,
}

/// A setting has its meaning in the table: only formula and lesson are added.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingEntry {
    formula: String,
    #[serde(default)]
    more: String,
    #[serde(default)]
    lesson: String,
}

/// All help topics, by key.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HelpTopics {
    shown: BTreeMap<String, Entry>,
    setting: BTreeMap<String, SettingEntry>,
}

const TEXT: &str = include_str!("../../../assets/explanations.toml");

/// Prefix of the keys of settings.
const SETTING: &str = "setting.";

impl HelpTopics {
    /// The built-in help topics; a test parses them all.
    pub fn built_in() -> &'static Self {
        static ALL: LazyLock<HelpTopics> =
            LazyLock::new(|| HelpTopics::parse(TEXT, "explanations.toml").unwrap_or_default());
        &ALL
    }

    /// Parses help topics from the text of a file.
    pub fn parse(text: &str, file: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(0, |span| text[..span.start].matches('\n').count());
            format!("{file}, line {}: {}", line + 1, error.message().replace('\n', "; "))
        })
    }

    /// The topic of a key: `rho`, `setting.balance`.
    pub fn of(&self, key: &str) -> Option<HelpTopic> {
        if let Some(name) = key.strip_prefix(SETTING) {
            return self.of_setting(name);
        }
        let entry = self.shown.get(key)?;
        Some(HelpTopic {
            title: entry.title.clone(),
            text: joined(&entry.text),
            formula: entry.formula.clone(),
            lesson: entry.lesson.clone(),
        })
    }

    fn of_setting(&self, name: &str) -> Option<HelpTopic> {
        let setting = TABLE.iter().find(|setting| setting.key == name)?;
        let entry = self.setting.get(name);
        let more = entry.map(|entry| joined(&entry.more)).filter(|more| !more.is_empty());
        let mut text = setting.meaning.to_owned();
        if let Some(more) = more {
            text = format!("{text} {more}");
        }
        text = format!("{text} Values: {}; a change {}.", setting.range, setting.effect);
        let symbol = if setting.symbol.is_empty() { "" } else { " " };
        Some(HelpTopic {
            title: format!("{name}{symbol}{}", setting.symbol),
            text,
            formula: entry.map(|entry| entry.formula.clone()).unwrap_or_default(),
            lesson: entry.map(|entry| entry.lesson.clone()).unwrap_or_default(),
        })
    }

    /// Every key, settings last.
    pub fn keys(&self) -> impl Iterator<Item = String> + '_ {
        let settings = TABLE.iter().map(|setting| format!("{SETTING}{}", setting.key));
        self.shown.keys().cloned().chain(settings)
    }
}

/// Joins a paragraph into one line.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::lessons::LESSONS;
    use super::*;

    #[test]
    fn every_topic_has_a_text_and_names_an_existing_lesson() {
        let all = HelpTopics::built_in();
        for key in all.keys() {
            let found = all.of(&key).unwrap();
            assert!(found.text.ends_with('.') && found.text.len() > 40, "{key}");
            assert!(found.text.len() < 520, "{key}: one paragraph, not {}", found.text.len());
            let known = LESSONS.iter().any(|built| built.id == found.lesson);
            assert!(found.lesson.is_empty() || known, "{key}: {}", found.lesson);
        }
        assert!(all.keys().count() > 90, "{}", all.keys().count());
    }

    #[test]
    fn every_setting_has_a_formula_and_no_topic_names_a_removed_setting() {
        let all = HelpTopics::built_in();
        for setting in TABLE {
            let found = all.of(&format!("setting.{}", setting.key)).unwrap();
            assert!(found.text.starts_with(setting.meaning), "{}", setting.key);
            assert!(!found.formula.is_empty(), "{}", setting.key);
        }
        for name in all.setting.keys() {
            assert!(TABLE.iter().any(|setting| setting.key == name), "{name}");
        }
    }

    #[test]
    fn unknown_keys_have_no_topic_and_errors_name_their_line() {
        let all = HelpTopics::built_in();
        assert_eq!((all.of("nothing"), all.of("setting.nothing")), (None, None));
        let said = HelpTopics::parse("[setting]\n[shown.a]\ntitel = 3\n", "x.toml").unwrap_err();
        assert!(said.starts_with("x.toml, line 3"), "{said}");
    }
}
