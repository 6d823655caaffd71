//! Parses lesson files: TOML, with errors that name their line.

use std::ops::Range;
use std::path::{Component, Path};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::facts::{EXPERIMENTS, SCREENS};
use super::{Check, Lesson, LessonStep};
use gesf_core::model::settings::{Settings, set};
use gesf_graph::suggest::nearest;
use gesf_graph::{SAMPLES, Sample};

/// Why a lesson is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}: {what}")]
pub struct LessonError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What was found and what was expected.
    pub what: String,
}

const KEYS: [&str; 9] =
    ["id", "title", "about", "minutes", "graph", "paused", "speed", "settings", "step"];
const STEP_KEYS: [&str; 8] =
    ["title", "text", "screen", "experiment", "controls", "task", "check", "done"];

/// Parses a lesson. `controls` lists the commands a step may show; settings can be
/// shown too, by key. If it is empty, every control is accepted.
pub fn parse(text: &str, file: &str, controls: &[&str]) -> Result<Lesson, LessonError> {
    let source = Source { text, file };
    let document = DeTable::parse(text).map_err(|error| {
        let at = error.span().unwrap_or_default();
        source.fault(at, error.message().replace('\n', "; "))
    })?;
    let whole = document.span();
    let top = Reader { source, table: document.get_ref(), whole, place: "the lesson" };
    top.only(&KEYS)?;
    let id = top.text("id")?;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !id.chars().all(plain) {
        let what = format!("id: found `{id}`, expected lowercase letters, digits and -");
        return Err(top.fault_at("id", what));
    }
    let graph = top.text("graph")?;
    // A name with a dot or a slash is a path; whether it exists is checked when it
    // is opened.
    if !graph.contains(['.', '/', '\\']) && Sample::named(&graph).is_none() {
        let samples: Vec<&str> = SAMPLES.iter().map(|sample| sample.name).collect();
        let what = format!(
            "graph: found `{graph}`, expected a path or one of {}\n  help: did you mean `{}`?",
            samples.join(", "),
            nearest(&graph, samples)
        );
        return Err(top.fault_at("graph", what));
    }
    let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if !Path::new(&graph).components().all(inside) {
        let what = format!(
            "graph: found `{graph}`, expected a path inside the folder of the lesson\n  help: put \
             the graph beside the lesson file"
        );
        return Err(top.fault_at("graph", what));
    }
    let settings = top.settings()?;
    let steps = top.steps(controls)?;
    let minutes = top.optional("minutes").map_or(Ok(5), |value| {
        let whole = value.get_ref().as_integer();
        let whole = whole.and_then(|own| u32::from_str_radix(own.as_str(), own.radix()).ok());
        whole.filter(|own| (1..=600).contains(own)).ok_or_else(|| {
            source.fault(value.span(), "minutes: expected a whole number from 1 to 600".to_owned())
        })
    })?;
    let paused = top.optional("paused").map_or(Ok(true), |value| {
        let flag = value.get_ref().as_bool();
        flag.ok_or_else(|| source.fault(value.span(), "paused: expected true or false".to_owned()))
    })?;
    let speed = top.optional("speed").map(|value| {
        let number = value.get_ref().as_integer().map(toml::de::DeInteger::as_str);
        let number = number.or(value.get_ref().as_float().map(toml::de::DeFloat::as_str));
        let number = number.and_then(|text| text.parse::<f32>().ok());
        number.filter(|own| own.is_finite() && *own > 0.0).ok_or_else(|| {
            source.fault(value.span(), "speed: expected epochs per second, above 0".to_owned())
        })
    });
    Ok(Lesson {
        id,
        title: top.text("title")?,
        about: top.text("about")?,
        minutes,
        graph,
        settings,
        paused,
        speed: speed.transpose()?,
        steps,
    })
}

#[derive(Clone, Copy)]
struct Source<'a> {
    text: &'a str,
    file: &'a str,
}

impl Source<'_> {
    fn fault(&self, at: Range<usize>, what: String) -> LessonError {
        let before = self.text.get(..at.start).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        LessonError { file: self.file.to_owned(), line, what }
    }
}

/// A table of the file, and its position.
struct Reader<'a> {
    source: Source<'a>,
    table: &'a DeTable<'a>,
    whole: Range<usize>,
    place: &'static str,
}

impl<'a> Reader<'a> {
    /// An error for unknown keys.
    fn only(&self, keys: &[&str]) -> Result<(), LessonError> {
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

    fn optional(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        let found = self.table.iter().find(|(own, _)| own.get_ref().as_ref() == key);
        found.map(|(_, value)| value)
    }

    fn needed(&self, key: &str) -> Result<&'a Spanned<DeValue<'a>>, LessonError> {
        self.optional(key).ok_or_else(|| {
            self.source.fault(self.whole.clone(), format!("{} has no `{key}`", self.place))
        })
    }

    fn fault_at(&self, key: &str, what: String) -> LessonError {
        let at = self.optional(key).map_or(self.whole.clone(), Spanned::span);
        self.source.fault(at, what)
    }

    /// A required, non-empty text.
    fn text(&self, key: &str) -> Result<String, LessonError> {
        let value = self.needed(key)?;
        let text = value.get_ref().as_str().map(str::trim).filter(|text| !text.is_empty());
        let found = || format!("{key}: found {}, expected a string", value.get_ref().type_str());
        text.map(str::to_owned).ok_or_else(|| self.source.fault(value.span(), found()))
    }

    /// One of the given words.
    fn word(&self, key: &str, words: &[&str]) -> Result<String, LessonError> {
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
    fn texts(&self, key: &str) -> Result<Vec<(String, Range<usize>)>, LessonError> {
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

    fn settings(&self) -> Result<Vec<(String, String)>, LessonError> {
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

    fn steps(&self, controls: &[&str]) -> Result<Vec<LessonStep>, LessonError> {
        let value = self.needed("step")?;
        let list = value.get_ref().as_array().filter(|list| !list.is_empty());
        let Some(list) = list else {
            let what = "step: expected at least one [[step]] table".to_owned();
            return Err(self.source.fault(value.span(), what));
        };
        let step = |part: &'a Spanned<DeValue<'a>>| {
            let Some(table) = part.get_ref().as_table() else {
                let what = format!("step: found {}, expected [[step]]", part.get_ref().type_str());
                return Err(self.source.fault(part.span(), what));
            };
            let source = self.source;
            Reader { source, table, whole: part.span(), place: "the step" }.step(controls)
        };
        list.iter().map(step).collect()
    }

    fn step(&self, controls: &[&str]) -> Result<LessonStep, LessonError> {
        self.only(&STEP_KEYS)?;
        let screen = self.word("screen", SCREENS)?;
        let experiment = match (self.optional("experiment"), screen.as_str()) {
            (Some(_), "lab") => Some(self.word("experiment", EXPERIMENTS)?),
            (None, "lab") => {
                let what = format!(
                    "the lab screen needs an `experiment`\n  help: use one of {}",
                    EXPERIMENTS.join(", ")
                );
                return Err(self.fault_at("screen", what));
            }
            (Some(_), _) => {
                let what = "`experiment` needs the lab screen\n  help: screen = \"lab\"".to_owned();
                return Err(self.fault_at("experiment", what));
            }
            (None, _) => None,
        };
        let mut shown = Vec::new();
        for (name, at) in self.texts("controls")? {
            let setting = gesf_core::model::settings::find(&name).is_ok();
            if !controls.is_empty() && !setting && !controls.contains(&name.as_str()) {
                let what = format!(
                    "controls: unknown command or setting `{name}`\n  help: did you mean `{}`?",
                    nearest(&name, controls.iter().copied())
                );
                return Err(self.source.fault(at, what));
            }
            shown.push(name);
        }
        let mut check = Vec::new();
        for (text, at) in self.texts("check")? {
            let read = Check::parse(&text);
            check.push(read.map_err(|error| self.source.fault(at, error.to_string()))?);
        }
        if check.is_empty() {
            let what = "the step has no `check`, so it can never be completed\n  help: add \
                        check = [\"shuffles >= 5\"]";
            return Err(self.fault_at("check", what.to_owned()));
        }
        Ok(LessonStep {
            title: self.text("title")?,
            text: self.text("text")?,
            screen,
            experiment,
            controls: shown,
            task: self.text("task")?,
            check,
            done: self.text("done")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GOOD: &str = r#"id = "mine"
title = "Mine"
about = "A lesson."
graph = "karate"
minutes = 3

[settings]
epochs = 50
self_term = "keep"

[[step]]
title = "One"
text = "Read this."
screen = "lab"
experiment = "shuffle"
controls = ["shuffle", "epochs"]
task = "Shuffle."
check = ["shuffles >= 2", "experiment = shuffle"]
done = "Well done."
"#;

    fn said(from: &str, to: &str) -> String {
        assert!(GOOD.contains(from), "{from}");
        let text = GOOD.replacen(from, to, 1);
        parse(&text, "mine.toml", &["shuffle", "swap"]).unwrap_err().to_string()
    }

    #[test]
    fn a_complete_file_is_read() {
        let lesson = parse(GOOD, "mine.toml", &["shuffle"]).unwrap();
        assert_eq!((lesson.id.as_str(), lesson.minutes, lesson.paused), ("mine", 3, true));
        assert_eq!(lesson.speed, None);
        assert_eq!(lesson.settings[0], ("epochs".to_owned(), "50".to_owned()));
        assert_eq!(lesson.steps[0].experiment.as_deref(), Some("shuffle"));
        assert_eq!(lesson.steps[0].check.len(), 2);
    }

    #[test]
    fn errors_name_their_line_and_the_nearest_valid_value() {
        let cases = [
            ("title = \"Mine\"", "titel = \"Mine\"", "mine.toml, line 2: unknown key `titel`"),
            ("title = \"Mine\"", "titel = \"Mine\"", "`title`"),
            ("title = \"Mine\"\n", "", "line 1: the lesson has no `title`"),
            ("\"karate\"", "\"karat\"", "line 4: graph: found `karat`"),
            (
                "\"karate\"",
                "\"../x.gml\"",
                "line 4: graph: found `../x.gml`, expected a path inside",
            ),
            ("\"karate\"", "\"/etc/x.gml\"", "line 4: graph: found `/etc/x.gml`"),
            ("minutes = 3", "minutes = 0", "line 5: minutes"),
            ("minutes = 3", "minutes = \"x\"", "line 5: minutes"),
            ("minutes = 3", "minutes = = 3", "line 5: "),
            ("epochs = 50", "epoch = 50", "line 8: unknown setting `epoch`"),
            ("\"keep\"", "\"kep\"", "line 9: self_term: found `kep`"),
            ("\"lab\"", "\"lap\"", "line 14: screen: found `lap`"),
            ("\"lab\"", "\"map\"", "line 15: `experiment` needs the lab"),
            ("experiment = \"shuffle\"\n", "", "line 14: the lab screen needs"),
            ("experiment = \"shuffle\"\n", "experiment = \"shufle\"\n", "`shuffle`"),
            ("[\"shuffle\", \"epochs\"]", "[\"shuffle\",\n\"swop\"]", "line 17: controls"),
            ("[\"shuffle\", \"epochs\"]", "3", "line 16: controls: found integer"),
            ("shuffles >= 2", "shufles >= 2", "line 18: check"),
            ("shuffles >= 2", "shuffles >= 0", "line 18: check"),
            (
                "check = [\"shuffles >= 2\", \"experiment = shuffle\"]\n",
                "",
                "line 11: the step has no `check`",
            ),
            ("done = \"Well done.\"", "done = \" \"", "line 19: done"),
            ("id = \"mine\"", "id = \"My lesson\"", "line 1: id"),
        ];
        for (from, to, expected) in cases {
            let found = said(from, to);
            assert!(found.contains(expected), "expected {expected:?} in {found:?}");
        }
        let none = parse("id = \"a\"\ntitle=\"b\"\nabout=\"c\"\ngraph=\"d.gml\"\n", "f", &[]);
        assert!(none.unwrap_err().what.contains("no `step`"));
    }

    proptest! {
        #[test]
        fn no_file_makes_the_parser_panic(
            line in 0..20_usize, cut in 0..40_usize, noise in "[ -~é\\n]{0,12}",
        ) {
            let mut lines: Vec<String> = GOOD.lines().map(str::to_owned).collect();
            let line = line % lines.len();
            let cut = cut.min(lines[line].len());
            lines[line].replace_range(cut.., &noise);
            if let Err(error) = parse(&lines.join("\n"), "f", &["shuffle"]) {
                prop_assert!(error.line >= 1 && error.line <= lines.join("\n").matches('\n').count() + 1);
            }
        }
    }
}
