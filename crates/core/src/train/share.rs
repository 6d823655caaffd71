//! A run as one state line: the graph and how it was loaded, settings, changes on
//! the way, epoch. Anyone with the graph can restore the same epoch with the same
//! bits.
//!
//! ```text
//! gesf2 graph=cora.gml#9f3a… epoch=120 version=0.2.0 threads=4 --label-column=topic seed=7 @50 balance=0.5
//! ```
//!
//! Only differences from the preset `recommended` are written; words after an `@`
//! take effect at that epoch, which may be before or after the epoch of the line.

mod words;

use std::fmt;
use std::str::FromStr;

use super::Change;
use super::run::Record;
use crate::model::may_use_eigenpairs;
use crate::model::settings::{Settings, TABLE, set};
use gesf_graph::GraphReference;
use words::{decoded, encoded};

const MARK: &str = "gesf2";
/// The first word of lines written by version 0.1.
const OLD_MARK: &str = "gesf1";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A run at an epoch, as one line of text.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_graph::{GraphReference, LoadOptions};
/// use gesf_core::model::settings::Settings;
/// use gesf_core::train::{Change, StateLine};
///
/// let settings = Settings { seed: 7, ..Settings::default() };
/// let changed = Settings { learning_rate: 0.5, ..settings.clone() };
/// let line = StateLine {
///     graph: GraphReference {
///         name: "friends.txt".into(),
///         fingerprint: "9f3a".into(),
///         load: LoadOptions { count_rows: true, ..LoadOptions::default() },
///     },
///     epoch: 120,
///     version: Some("0.2.0".into()),
///     threads: Some(4),
///     edits: String::new(),
///     settings,
///     changes: vec![Change { epoch: 50, settings: changed }],
/// };
/// let text = "gesf2 graph=friends.txt#9f3a epoch=120 version=0.2.0 threads=4 --count-rows \
///             seed=7 @50 learning_rate=0.5";
/// assert_eq!(line.to_string(), text);
/// assert_eq!(text.parse::<StateLine>()?, line);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct StateLine {
    /// The graph.
    pub graph: GraphReference,
    /// Number of completed epochs.
    pub epoch: usize,
    /// The program version that wrote it, if known.
    pub version: Option<String>,
    /// The number of threads it was trained with, if known.
    pub threads: Option<usize>,
    /// The edits made to the graph before training; empty if there are none.
    pub edits: String,
    /// The initial settings.
    pub settings: Settings,
    /// Changes of settings, before and after the epoch of the line.
    pub changes: Vec<Change>,
}

impl StateLine {
    /// The state line of a run at an epoch.
    pub fn of(record: &Record, epoch: usize) -> Self {
        Self {
            graph: GraphReference::of(&record.graph, &record.fingerprint, &record.load),
            epoch,
            version: Some(record.version.clone()),
            threads: record.threads,
            edits: String::new(),
            settings: record.settings.clone(),
            changes: record.changes.clone(),
        }
    }

    /// The same, as written by this program.
    #[must_use]
    pub fn made_here(self) -> Self {
        let threads = Some(rayon::current_num_threads());
        Self { version: Some(VERSION.to_owned()), threads, ..self }
    }

    /// Why the bits may differ on this machine, if they may: another version or,
    /// where eigenpairs may be computed, another number of threads.
    pub fn made_elsewhere(&self) -> Option<String> {
        let here = rayon::current_num_threads();
        let version = self.version.as_ref().filter(|version| *version != VERSION);
        let counts = may_use_eigenpairs(&self.settings);
        let threads = self.threads.filter(|threads| counts && *threads != here);
        let differs = match (version, threads) {
            (None, None) => return None,
            (Some(version), Some(threads)) => format!(
                "made by version {version} with {threads} threads; this is version {VERSION} with \
                 {here}"
            ),
            (Some(version), None) => {
                format!("made by version {version}; this is version {VERSION}")
            }
            (None, Some(threads)) => {
                format!(
                    "made with {threads} threads, which affect eigenpairs; this machine uses {here}"
                )
            }
        };
        Some(format!("{differs}: results may differ in the last bits"))
    }
}

/// The differences, as `key=value` words.
fn differing(from: &Settings, to: &Settings) -> String {
    let words = TABLE.iter().filter_map(|setting| {
        let (old, new) = ((setting.get)(from), (setting.get)(to));
        (old != new).then(|| format!(" {}={}", setting.key, encoded(&new)))
    });
    words.collect()
}

impl fmt::Display for StateLine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (graph, settings) = (&self.graph, &self.settings);
        write!(out, "{MARK} graph={}#{}", encoded(&graph.name), encoded(&graph.fingerprint))?;
        write!(out, " epoch={}", self.epoch)?;
        if let Some(version) = &self.version {
            write!(out, " version={}", encoded(version))?;
        }
        if let Some(threads) = self.threads {
            write!(out, " threads={threads}")?;
        }
        if !self.edits.is_empty() {
            write!(out, " edits={}", encoded(&self.edits))?;
        }
        for (name, value) in graph.load.words() {
            write!(out, " {name}")?;
            if let Some(value) = value {
                write!(out, "={}", encoded(&value))?;
            }
        }
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
                "found a line of version 0.1, which had other defaults and learned the filter \
                 differently; expected one that begins with `{MARK}`: create it again with this \
                 version"
            ));
        }
        if mark != Some(MARK) {
            return Err(format!(
                "expected a line that begins with `{MARK}`, as printed by `state`"
            ));
        }
        let mut line = Self {
            graph: GraphReference::default(),
            epoch: 0,
            version: None,
            threads: None,
            edits: String::new(),
            settings: Settings::default(),
            changes: Vec::new(),
        };
        for word in words {
            line.take(word)?;
        }
        if line.graph.name.is_empty() {
            return Err("expected `graph=NAME#FINGERPRINT`, found none".to_owned());
        }
        Ok(line)
    }
}

impl StateLine {
    fn take(&mut self, word: &str) -> Result<(), String> {
        let number = |text: &str| {
            text.parse::<usize>().map_err(|_| format!("`{word}`: expected a whole number"))
        };
        if word.starts_with("--") {
            let (name, value) = word.split_once('=').map_or((word, None), |(n, v)| (n, Some(v)));
            return self.graph.load.take_word(name, value.map(decoded).as_deref());
        }
        if let Some(epoch) = word.strip_prefix('@') {
            let epoch = number(epoch)?;
            if self.changes.last().is_some_and(|last| last.epoch >= epoch) {
                return Err(format!("`{word}`: expected changes ordered by epoch"));
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
                (self.graph.name, self.graph.fingerprint) = (decoded(name), decoded(fingerprint));
            }
            "epoch" => self.epoch = number(value)?,
            "version" => self.version = Some(decoded(value)),
            "edits" => self.edits = decoded(value),
            "threads" => self.threads = Some(number(value)?),
            _ => {
                let settings = match self.changes.last_mut() {
                    Some(change) => &mut change.settings,
                    None => &mut self.settings,
                };
                set(settings, key, &decoded(value)).map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
