//! The runs of `evaluate` on one graph.

use std::sync::Arc;

use anyhow::bail;
use serde_json::json;

use super::{GraphPlan, Plan, filters};
use crate::cli::prepared_graph;
use crate::cli::progress::Display;
use crate::graph::Graph;
use crate::model::PreparedGraph;
use crate::model::settings::{Settings, keys, set};
use crate::spectral::{Cache, Cancel};
use crate::train::journal::{FinishedTask, Journal, task_key};
use crate::train::{Scalars, Split, Trainer};

/// A graph and what to do with it.
pub(super) struct Work<'a> {
    pub(super) plan: &'a Plan,
    pub(super) own: &'a GraphPlan,
    pub(super) graph: &'a Arc<Graph>,
    pub(super) settings: &'a Settings,
    /// The part of the training labels to score on, instead of the test labels.
    pub(super) validate: Option<f64>,
    pub(super) cache: Option<&'a Cache>,
    pub(super) cancel: &'a Cancel,
}

impl Work<'_> {
    /// Runs those of some tasks that the journal does not have yet, and returns the
    /// metrics of all of them. The tasks of this graph begin with `first`.
    pub(super) fn run(
        &self,
        tasks: &[usize],
        first: usize,
        journal: &mut Journal,
        display: &mut Display,
    ) -> anyhow::Result<Vec<Scalars>> {
        let GraphPlan { name, split, .. } = self.own;
        let fingerprint = self.graph.fingerprint();
        let mut prepared: Option<(usize, PreparedGraph)> = None;
        let mut runs = Vec::with_capacity(tasks.len());
        for (done, &task) in tasks.iter().enumerate() {
            let (filter, share, seed) = self.task(task - first);
            let settings = self.settings_for(filter, share, seed)?;
            let key = task_key(fingerprint, &settings, self.validate);
            let known = journal.find(&key).cloned();
            if let Some(known) = known.and_then(|known| serde_json::from_value(known).ok()) {
                runs.push(known);
                continue;
            }
            if prepared.as_ref().is_none_or(|(own, _)| *own != filter) {
                // Drop the old one first: two may not fit into memory.
                drop(prepared.take());
                let place = (name.as_str(), &mut *display);
                let own = match self.plan.filters.get(filter) {
                    Some(name) => filters::settings_for(name, self.settings, 0)?,
                    None => self.settings.clone(),
                };
                let (graph, cache) = (self.graph, self.cache);
                let ready = prepared_graph::prepare(graph, &own, cache, self.cancel, place)?;
                prepared = Some((filter, ready));
            }
            let Some((_, prepared)) = &prepared else { continue };
            let at = split.clone().unwrap_or_else(|| format!("{:.0} %", share * 100.0));
            let what = match self.plan.filters.get(filter) {
                Some(filter) => format!("{name}: {filter} at {at}"),
                None => format!("{name} at {at}"),
            };
            display.show(&what, done, tasks.len());
            let scalars = train(prepared, settings, self.validate, self.cancel)?;
            let about = [
                ("graph".to_owned(), json!(name)),
                ("filter".to_owned(), json!(self.plan.filters.get(filter))),
                ("labelled".to_owned(), json!(share)),
                ("seed".to_owned(), json!(seed)),
            ];
            let result = serde_json::to_value(&scalars)?;
            let about = about.into_iter().collect();
            journal.add(FinishedTask { key, task, about, result })?;
            runs.push(scalars);
        }
        Ok(runs)
    }

    /// The filter, the share and the seed of a task.
    fn task(&self, task: usize) -> (usize, f64, u64) {
        let Plan { shares, seeds, .. } = self.plan;
        let filter = task / (seeds.len() * shares.len());
        (filter, shares[task / seeds.len() % shares.len()], seeds[task % seeds.len()])
    }

    fn settings_for(&self, filter: usize, share: f64, seed: u64) -> anyhow::Result<Settings> {
        let mut own = Settings { seed, ..self.settings.clone() };
        set(&mut own, keys::LABELLED, &share.to_string())?;
        let Some(name) = self.plan.filters.get(filter) else { return Ok(own) };
        let stage = filters::first_stage(self.graph, &own)?;
        filters::settings_for(name, &own, stage)
    }
}

/// Trains a complete run and scores it at the end.
fn train(
    prepared: &PreparedGraph,
    settings: Settings,
    validate: Option<f64>,
    cancel: &Cancel,
) -> anyhow::Result<Scalars> {
    let validation = validate.unwrap_or(settings.validation);
    let settings = Settings { validation, ..settings };
    let mut split = Split::of(&prepared.graph, &settings);
    if validate.is_some() {
        split = split.judged_by_validation();
    }
    let mut trainer = Trainer::with_split(prepared.clone(), settings, split)?;
    while !trainer.is_done() {
        if cancel.is_cancelled() {
            bail!("stopped");
        }
        trainer.step()?;
    }
    Ok(trainer.evaluate()?.scalars)
}
