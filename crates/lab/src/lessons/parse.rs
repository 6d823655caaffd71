//! Parses lesson files: TOML, with errors that name their line.

use std::path::{Component, Path};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::facts::{EXPERIMENTS, FACTS, SCREENS, kind_of, placeholders};
use super::lesson::Script;
use super::parse_question::QUESTION_KEYS;
use super::reader::{Reader, Source};
use super::{Check, Lesson, LessonStep};
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

const KEYS: [&str; 10] =
    ["id", "title", "about", "minutes", "graph", "paused", "speed", "demo", "settings", "step"];
const STEP_KEYS: [&str; 18] = [
    "title",
    "text",
    "screen",
    "experiment",
    "node",
    "controls",
    "graph",
    "settings",
    "ask",
    "choices",
    "answer",
    "within",
    "task",
    "check",
    "done",
    "notes",
    "keys",
    "pause",
];
/// Keys of a step that only lessons have, and those that only demos have.
const LESSON_KEYS: [&str; 4] = ["text", "task", "check", "done"];
const DEMO_KEYS: [&str; 3] = ["notes", "keys", "pause"];
/// Seconds between two keys of a demo.
const PAUSE: f64 = 0.7;

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
    let graph = top.graph()?;
    let settings = top.settings()?;
    let is_demo = top.flag("demo", false)?;
    let steps = top.steps(controls, is_demo)?;
    let minutes = top.optional("minutes").map_or(Ok(5), |value| {
        let whole = value.get_ref().as_integer();
        let whole = whole.and_then(|own| u32::from_str_radix(own.as_str(), own.radix()).ok());
        whole.filter(|own| (1..=600).contains(own)).ok_or_else(|| {
            source.fault(value.span(), "minutes: expected a whole number from 1 to 600".to_owned())
        })
    })?;
    let speed = top.number("speed")?.map(|speed| speed as f32);
    if speed.is_some_and(|speed| speed <= 0.0) {
        return Err(top.fault_at("speed", "speed: expected epochs per second, above 0".to_owned()));
    }
    Ok(Lesson {
        id,
        title: top.text("title")?,
        about: top.text("about")?,
        minutes,
        graph,
        settings,
        paused: top.flag("paused", true)?,
        speed,
        is_demo,
        steps,
    })
}

impl<'a> Reader<'a> {
    fn steps(&self, controls: &[&str], is_demo: bool) -> Result<Vec<LessonStep>, LessonError> {
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
            Reader { source, table, whole: part.span(), place: "the step" }.step(controls, is_demo)
        };
        list.iter().map(step).collect()
    }

    fn step(&self, controls: &[&str], is_demo: bool) -> Result<LessonStep, LessonError> {
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
        let graph = self.optional("graph").map(|_| self.graph()).transpose()?;
        let common = LessonStep {
            title: self.text("title")?,
            text: String::new(),
            screen,
            experiment,
            node: self.optional("node").map(|_| self.text("node")).transpose()?,
            controls: shown,
            graph,
            settings: self.settings()?,
            question: None,
            task: String::new(),
            check: Vec::new(),
            done: String::new(),
            script: None,
        };
        if is_demo {
            self.without(&LESSON_KEYS, "is not used in a demo\n  help: use `notes` and `keys`")?;
            self.without(&QUESTION_KEYS, "is not used in a demo\n  help: ask it in `notes`")?;
            let script = Some(self.script()?);
            return Ok(LessonStep { text: self.text("notes")?, script, ..common });
        }
        self.without(&DEMO_KEYS, "is used in demos only\n  help: demo = true in the first lines")?;
        Ok(LessonStep {
            text: self.text("text")?,
            question: self.question()?,
            task: self.text("task")?,
            check: self.checks()?,
            done: self.filled("done")?,
            ..common
        })
    }

    /// A text in which `{fact}` stands for the value of a fact.
    fn filled(&self, key: &str) -> Result<String, LessonError> {
        let text = self.text(key)?;
        let unknown = placeholders(&text).find(|name| kind_of(name).is_none());
        if let Some(name) = unknown {
            let nearest = nearest(name, FACTS.iter().map(|fact| fact.name));
            let help = format!("did you mean `{{{nearest}}}`?");
            let what = format!("{key}: unknown fact `{{{name}}}`\n  help: {help}");
            return Err(self.fault_at(key, what));
        }
        Ok(text)
    }

    fn checks(&self) -> Result<Vec<Check>, LessonError> {
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
        Ok(check)
    }

    /// The keys a demo presses, and the seconds between two of them.
    fn script(&self) -> Result<Script, LessonError> {
        let keys = self.optional("keys").map(|_| self.text("keys")).transpose()?;
        let keys = keys.unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        let pause = self.number("pause")?.unwrap_or(PAUSE);
        if !(0.0..=60.0).contains(&pause) {
            let what = "pause: expected seconds between two keys, from 0 to 60".to_owned();
            return Err(self.fault_at("pause", what));
        }
        let line = self.fault_at("keys", String::new()).line;
        Ok(Script { keys, pause, line })
    }

    /// The graph: a sample, or a path inside the folder of the lesson.
    fn graph(&self) -> Result<String, LessonError> {
        let graph = self.text("graph")?;
        // A name with a dot or a slash is a path; whether it exists is checked when it
        // is opened.
        if !graph.contains(['.', '/', '\\']) && Sample::named(&graph).is_none() {
            let samples: Vec<&str> = SAMPLES.iter().map(|sample| sample.name).collect();
            let what = format!(
                "graph: found `{graph}`, expected a path or one of {}\n  help: did you mean `{}`?",
                samples.join(", "),
                nearest(&graph, samples)
            );
            return Err(self.fault_at("graph", what));
        }
        let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if !Path::new(&graph).components().all(inside) {
            let what = format!(
                "graph: found `{graph}`, expected a path inside the folder of the lesson\n  help: put \
                 the graph beside the lesson file"
            );
            return Err(self.fault_at("graph", what));
        }
        Ok(graph)
    }
}

#[cfg(test)]
mod tests;
