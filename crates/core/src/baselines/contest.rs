//! All methods on the same splits: the paper's table for any graph.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use candle_core::Device;
use rayon::prelude::*;

use super::{BaselineError, Method, PreparedMethod, TrainingLabels, Watch};
use crate::model::settings::Settings;
use crate::model::{Groups, Task, Units};
use crate::train::{Outputs, Score, Split, right, score};
use gesf_graph::{Graph, LabelKind};
use gesf_spectral::Cancel;

/// A comparison of methods.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::baselines::{Contest, Majority, Propagation};
/// use gesf_core::model::settings::Settings;
/// use gesf_graph::LabelKind;
/// use gesf_spectral::Cancel;
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// let contest = Contest {
///     graph,
///     settings: Settings::default(),
///     shares: vec![0.5],
///     seeds: vec![1, 2],
///     methods: vec![Box::new(Majority), Box::new(Propagation::default())],
/// };
/// let table = contest.run(&Cancel::default(), &|_| {}, |_| {})?;
/// assert_eq!(table.len(), 2);
/// // Neighbours predict better than the larger club.
/// let of = |row: usize| table[row].cells[0].scores[0].headline(LabelKind::One);
/// assert!(of(1) > of(0));
/// # Ok(()) }
/// ```
pub struct Contest {
    /// The graph, as the model sees it.
    pub graph: Arc<Graph>,
    /// The settings of the splits; share and seed come from the two lists.
    pub settings: Settings,
    /// Shares of the labelled nodes used for training.
    pub shares: Vec<f64>,
    /// Seeds of splits and random initialization.
    pub seeds: Vec<u64>,
    /// The methods.
    pub methods: Vec<Box<dyn Method>>,
}

/// The row of a method.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodResult {
    /// Which method.
    pub method: &'static str,
    /// One cell per share.
    pub cells: Vec<MethodCell>,
    /// Its total running time.
    pub time: Duration,
}

/// The scores at one share of labels, by seed.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodCell {
    /// The share.
    pub share: f64,
    /// The scores on the test labels.
    pub scores: Vec<Score>,
    /// Whether each test node was predicted right, for every seed.
    pub right: Vec<Vec<bool>>,
}

/// The progress of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct News {
    /// Which method.
    pub method: &'static str,
    /// The current step.
    pub step: String,
    /// Completed runs, of all methods.
    pub done: usize,
    /// All runs.
    pub whole: usize,
}

/// A method at one seed, and the run counters of a comparison.
struct Seat<'a> {
    contest: &'a Contest,
    method: &'a dyn Method,
    groups: &'a Groups,
    done: &'a AtomicUsize,
    cancel: &'a Cancel,
    tell: &'a (dyn Fn(News) + Sync),
}

impl Contest {
    /// How many runs there are.
    pub fn runs(&self) -> usize {
        self.methods.len() * self.shares.len() * self.seeds.len()
    }

    /// Runs every method, one after the other; the seeds of a method run in
    /// parallel if it does not use all cores already. `hear` receives each row when
    /// it is finished.
    pub fn run(
        &self,
        cancel: &Cancel,
        tell: &(dyn Fn(News) + Sync),
        mut hear: impl FnMut(&MethodResult),
    ) -> Result<Vec<MethodResult>, BaselineError> {
        for method in &self.methods {
            method.suits(&self.graph)?;
        }
        let groups = Groups::of(&self.graph, &Device::Cpu)?;
        let done = AtomicUsize::new(0);
        let mut entries = Vec::with_capacity(self.methods.len());
        for method in &self.methods {
            let method = method.as_ref();
            let seat = Seat { contest: self, method, groups: &groups, done: &done, cancel, tell };
            let entry = seat.entry(&self.seeds)?;
            hear(&entry);
            entries.push(entry);
        }
        Ok(entries)
    }

    /// One method with one seed: the row that [`Contest::run`] gives for that seed.
    pub fn run_one(
        &self,
        method: &dyn Method,
        seed: u64,
        cancel: &Cancel,
        tell: &(dyn Fn(News) + Sync),
    ) -> Result<MethodResult, BaselineError> {
        method.suits(&self.graph)?;
        let groups = Groups::of(&self.graph, &Device::Cpu)?;
        let done = AtomicUsize::new(0);
        Seat { contest: self, method, groups: &groups, done: &done, cancel, tell }.entry(&[seed])
    }
}

impl Seat<'_> {
    fn entry(&self, seeds: &[u64]) -> Result<MethodResult, BaselineError> {
        let start = Instant::now();
        let shared = if self.method.is_random() { None } else { Some(self.prepare(0)?) };
        let column = |seed: &u64| -> Result<Vec<(Score, Vec<bool>)>, BaselineError> {
            let own = if shared.is_none() { Some(self.prepare(*seed)?) } else { None };
            let Some(ready) = own.as_deref().or(shared.as_deref()) else { return Ok(Vec::new()) };
            self.contest.shares.iter().map(|share| self.run(ready, *share, *seed)).collect()
        };
        let columns: Vec<Vec<(Score, Vec<bool>)>> = if self.method.fills_cores() {
            seeds.iter().map(column).collect::<Result<_, _>>()?
        } else {
            seeds.par_iter().map(column).collect::<Result<_, _>>()?
        };
        let cells = self.contest.shares.iter().enumerate().map(|(at, &share)| {
            let scores = columns.iter().map(|column| column[at].0).collect();
            let right = columns.iter().map(|column| column[at].1.clone()).collect();
            MethodCell { share, scores, right }
        });
        Ok(MethodResult {
            method: self.method.name(),
            cells: cells.collect(),
            time: start.elapsed(),
        })
    }

    fn say(&self, step: String) {
        let done = self.done.load(Ordering::Relaxed);
        let whole = self.contest.runs();
        (self.tell)(News { method: self.method.name(), step, done, whole });
    }

    fn prepare(&self, seed: u64) -> Result<Box<dyn PreparedMethod>, BaselineError> {
        let tell = |step: &str| self.say(step.to_owned());
        let watch = Watch { cancel: self.cancel, tell: &tell };
        watch.check()?;
        self.method.prepare(&self.contest.graph, seed, watch)
    }

    fn run(
        &self,
        ready: &dyn PreparedMethod,
        share: f64,
        seed: u64,
    ) -> Result<(Score, Vec<bool>), BaselineError> {
        self.say(format!("at {:.0} %", share * 100.0));
        let tell = |_: &str| ();
        let watch = Watch { cancel: self.cancel, tell: &tell };
        watch.check()?;
        let graph = &self.contest.graph;
        let settings = Settings { labelled: share, seed, ..self.contest.settings.clone() };
        let split = Split::of(graph, &settings);
        let lesson = TrainingLabels::of(graph, &split, seed);
        let answers = if lesson.task.kind == LabelKind::None {
            Vec::new()
        } else {
            ready.answer(&lesson, &split, watch)?
        };
        let outputs = Outputs::from_rows(self.groups, Task::of(graph).outputs, &answers);
        let units = Units::of(graph.labels(), &split.train);
        let found = score(graph.labels(), &outputs, self.groups, &split.test, units);
        let right = right(graph.labels(), &outputs, self.groups, &split.test);
        self.done.fetch_add(1, Ordering::Relaxed);
        Ok((found, right))
    }
}
