//! What a paper's appendix needs about a run: program, graph, split, seed and all
//! settings, with hashes, and nothing that depends on the machine.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use xxhash_rust::xxh3::Xxh3;

use super::ExportError;
use crate::model::settings::{Settings, SplitChoice, TABLE};
use crate::train::run::Record;
use crate::train::{Split, Trainer, TrainerState};
use gesf_graph::files::write_atomically;
use gesf_graph::{Graph, Labels};

/// The name of the file.
const FILE: &str = "appendix.json";

/// The facts of a run, as pairs of name and value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appendix {
    /// Program, graph, split, seed and hashes.
    pub facts: Vec<(&'static str, String)>,
    /// Every setting at the start of the run: key and value.
    pub settings: Vec<(&'static str, String)>,
    /// Changes of settings during the run.
    pub changes: Vec<String>,
}

impl Appendix {
    /// The facts of a run at its current epoch.
    pub fn of(trainer: &Trainer, record: &Record) -> Result<Self, ExportError> {
        let (graph, split) = (&trainer.prepared().graph, trainer.split());
        let manifest = graph.manifest();
        let mut facts: Vec<(&'static str, String)> = Vec::new();
        facts.push(("program", format!("gesf-tui {}", record.version)));
        let title = manifest
            .title
            .clone()
            .or_else(|| record.graph.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        facts.push(("graph", title.unwrap_or_default()));
        for (name, value) in [("source", &manifest.source), ("licence", &manifest.licence)] {
            facts.extend(value.clone().map(|value| (name, value)));
        }
        facts.push(("graph hash (XXH3)", record.fingerprint.clone()));
        let options: Vec<String> = record
            .load
            .words()
            .into_iter()
            .map(|(name, value)| match value {
                Some(value) => format!("{name} {}", file_name(&value)),
                None => name.to_owned(),
            })
            .collect();
        if !options.is_empty() {
            facts.push(("loaded with", options.join(" ")));
        }
        let kinds = graph.types();
        let sizes = kinds.names().iter().zip(kinds.sizes());
        let nodes: Vec<String> = sizes.map(|(name, size)| format!("{size} {name}")).collect();
        facts.push(("nodes", nodes.join(", ")));
        facts.push(("edges", graph.edge_count().to_string()));
        facts.push(("matrix", trainer.prepared().matrix.kind().to_string()));
        if !matches!(graph.labels(), Labels::None) {
            facts.push(("split", made(graph, &record.settings)));
            let Split { train, validation, test } = split;
            let sizes = [(train, "train"), (validation, "validation"), (test, "test")];
            let sizes = sizes.map(|(nodes, name)| format!("{} {name}", nodes.len()));
            facts.push(("labels", sizes.join(", ")));
            facts.push(("split hash (XXH3)", split_hash(graph, split)));
        }
        facts.push(("seed", record.settings.seed.to_string()));
        facts.push(("epochs trained", trainer.epoch().to_string()));
        if let Some(best) = trainer.best_epoch() {
            facts.push(("best validation epoch", best.epoch.to_string()));
        }
        facts.push(("parameters", trainer.model().parameters().count().to_string()));
        facts.push(("model hash (XXH3)", model_hash(&trainer.view()?)));
        let settings = TABLE.iter().map(|own| (own.key, (own.get)(&record.settings))).collect();
        let changes = super::report::changes(record);
        Ok(Self { facts, settings, changes })
    }

    /// The same as JSON.
    pub fn json(&self) -> Value {
        let object = |pairs: &[(&str, String)]| -> Value {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect()
        };
        json!({
            "run": object(&self.facts),
            "settings": object(&self.settings),
            "changes": self.changes,
        })
    }

    /// Writes `appendix.json` into a folder.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, ExportError> {
        let path = folder.join(FILE);
        let write = || {
            let text = serde_json::to_string_pretty(&self.json()).map_err(io::Error::from)?;
            write_atomically(&path, |out| writeln!(out, "{text}"))
        };
        write().map_err(|error| ExportError::Disk { path: path.clone(), error })?;
        Ok(path)
    }
}

/// A path without its folders, which differ between machines.
fn file_name(value: &str) -> String {
    let path = Path::new(value);
    path.file_name().map_or_else(|| value.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// How the split was made.
fn made(graph: &Graph, settings: &Settings) -> String {
    let stored = |name: &str| format!("stored with the graph: {name}");
    let parts = match &settings.split {
        SplitChoice::Stored(name) => stored(name),
        SplitChoice::All => {
            let at = settings.seed as usize % graph.splits().len().max(1);
            stored(graph.splits().get(at).map_or("", |own| own.name.as_str()))
        }
        SplitChoice::Random => format!(
            "random with the seed: {} of the labelled nodes for training{}, the others for test",
            settings.labelled,
            if settings.stratified { ", stratified by class" } else { "" }
        ),
    };
    if settings.validation > 0.0 {
        let share = settings.validation;
        return format!("{parts}; {share} of the training nodes for validation if it has none");
    }
    parts
}

/// A hash of the ids in each part, in the order of the graph.
fn split_hash(graph: &Graph, split: &Split) -> String {
    let mut hash = Xxh3::new();
    for (part, nodes) in [&split.train, &split.validation, &split.test].into_iter().enumerate() {
        for node in nodes {
            hash.update(&[part as u8]);
            hash.update(graph.ids().text(*node).as_bytes());
            hash.update(&[0]);
        }
    }
    format!("{:016x}", hash.digest())
}

/// A hash of the values of all parameters.
fn model_hash(state: &TrainerState) -> String {
    let mut hash = Xxh3::new();
    for own in &state.parameters {
        hash.update(own.name.as_bytes());
        own.values.iter().for_each(|value| hash.update(&value.to_le_bytes()));
    }
    format!("{:016x}", hash.digest())
}
