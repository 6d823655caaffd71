//! The trainer: a step is a pure function of settings, state and seed. It uses no
//! channel, clock or terminal.

mod advance;
mod first_stage;
mod measure;
mod saved;

use candle_core::{Device, Tensor, Var};

use super::loss::WithheldLabels;
use super::plan::Plan;
use super::stage::start_of;
use super::{BestEpoch, FilterStage, OptimizerState, Outputs, Scalars, Split, TrainError};
use crate::model::settings::{Aggregation, AppliesAt, Settings, change_effect};
use crate::model::slices::with_numbers;
use crate::model::{FILTER_PREFIX, Gesf, PreparedGraph, Targets, Units, Unseen, log_shares};
use gesf_graph::{LabelKind, NodeId};

/// A model in training.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::train::Trainer;
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_core::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let prepared = gesf_core::model::PreparedGraph::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// let mut one = Trainer::new(prepared.clone(), settings.clone())?;
/// let mut other = Trainer::new(prepared, settings)?;
/// for _ in 0..3 {
///     one.step()?;
///     other.step()?;
/// }
/// // The same settings and seed give the same bits.
/// assert_eq!(one.state()?, other.state()?);
/// # Ok(()) }
/// ```
pub struct Trainer {
    settings: Settings,
    prepared: PreparedGraph,
    device: Device,
    split: Split,
    units: Units,
    /// Share of the labelled nodes used for training.
    share: f64,
    stage: FilterStage,
    /// The models trained side by side: the folds in the first stage, for both ways of
    /// aggregation if they are compared, then a single model.
    folds: Vec<Fold>,
    /// The optimizer state of every parameter.
    memories: Vec<OptimizerState>,
    epoch: usize,
    /// Steps in the current stage.
    steps: u64,
    /// The epoch with the best validation score.
    best: Option<BestEpoch>,
}

/// A model, the labels its embeddings are fitted to, and those withheld from them.
struct Fold {
    model: Gesf,
    train: Vec<NodeId>,
    withheld: Option<(Vec<NodeId>, WithheldLabels)>,
    full: Plan,
}

/// An epoch as measured before its step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Epoch {
    /// Its metrics.
    pub scalars: Scalars,
    /// The model's predictions for every node.
    pub predictions: Predictions,
}

/// The model's predictions for every node.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Predictions {
    /// From the embeddings, as in the paper.
    pub from_x: Outputs,
    /// From the reconstruction R(x).
    pub from_r: Outputs,
}

impl Trainer {
    /// A new run with the split given by the settings.
    pub fn new(prepared: PreparedGraph, settings: Settings) -> Result<Self, TrainError> {
        let split = Split::of(&prepared.graph, &settings);
        Self::with_split(prepared, settings, split)
    }

    /// A new run with a custom split.
    pub fn with_split(
        prepared: PreparedGraph,
        settings: Settings,
        split: Split,
    ) -> Result<Self, TrainError> {
        let device = device()?;
        let labels = prepared.graph.labels();
        let units = Units::of(labels, &split.train);
        let labelled = prepared.graph.nodes().filter(|node| labels.is_labelled(*node)).count();
        let share = (split.train.len() as f64 / labelled.max(1) as f64).max(f64::MIN_POSITIVE);
        let stage = FilterStage::of(&prepared.graph, &split.train, &settings);
        let (folds, memories, epoch, steps) = (Vec::new(), Vec::new(), 0, 0);
        let mut trainer = Self {
            settings,
            prepared,
            device,
            split,
            units,
            share,
            stage,
            folds,
            memories,
            epoch,
            steps,
            best: None,
        };
        let aggregations = trainer.prepared.aggregations(&trainer.settings);
        let compared = if trainer.stage.compares() { aggregations.len() } else { 1 };
        trainer.begin_stage(&aggregations[..compared])?;
        Ok(trainer)
    }

    /// Initializes the models for the stage of the current epoch, with one or two ways
    /// of aggregation.
    fn begin_stage(&mut self, aggregations: &[Aggregation]) -> Result<(), TrainError> {
        let mut folds = Vec::new();
        for (aggregation, prefix) in aggregations.iter().zip(["", ALTERNATIVE]) {
            folds.extend(self.folds_of(*aggregation, prefix)?);
        }
        self.folds = folds;
        self.memories = vec![OptimizerState::default(); self.parameters().count()];
        (self.steps, self.best) = (0, None);
        Ok(())
    }

    /// New models for the stage of the current epoch: one for each fold.
    fn folds_of(&self, aggregation: Aggregation, prefix: &str) -> Result<Vec<Fold>, TrainError> {
        let start = start_of(&self.settings, &self.prepared.matrix, &self.split.train);
        let own = Settings { start, aggregation, ..self.settings.clone() };
        let first = Gesf::prefixed(&self.prepared, &own, &self.device, prefix)?;
        let withheld = self.stage.folds_at(self.epoch);
        let others = (2..=withheld.len()).map(|number| {
            // Each fold has its own random initialization.
            let seed = self.settings.seed.wrapping_add(FOLD_SEED * number as u64);
            let settings = Settings { seed, ..own.clone() };
            first.sharing_filter(&self.prepared, &settings, format!("{prefix}fold{number}."))
        });
        let others: Vec<Gesf> = others.collect::<candle_core::Result<_>>()?;
        let mut folds = Vec::with_capacity(withheld.len().max(1));
        for (at, model) in [first].into_iter().chain(others).enumerate() {
            let nodes = withheld.get(at);
            let kept = |node: &NodeId| nodes.is_none_or(|own| own.binary_search(node).is_err());
            let train: Vec<NodeId> = self.split.train.iter().copied().filter(kept).collect();
            let labels = self.prepared.graph.labels();
            if labels.kind() == LabelKind::Several {
                model.start_at_shares(&log_shares(labels, &train, Unseen::Rare, &self.device)?)?;
            }
            let targets = |nodes: &[NodeId]| Targets::of(labels, nodes, self.units, &self.device);
            let hidden = nodes.map(|nodes| {
                let log_shares = log_shares(labels, &train, Unseen::Rare, &self.device)?;
                let labels = WithheldLabels::of(nodes, model.groups(), targets, log_shares)?;
                Ok::<_, candle_core::Error>((nodes.clone(), labels))
            });
            let withheld = hidden.transpose()?;
            let full = self.planner(&model, &train).full()?;
            folds.push(Fold { model, train, withheld, full });
        }
        Ok(folds)
    }

    /// Every parameter by name, over all folds.
    fn parameters(&self) -> impl Iterator<Item = (&str, &Var)> {
        self.folds.iter().flat_map(|fold| fold.model.parameters().iter())
    }

    /// Trains one epoch: one step over all nodes, or one pass in batches. The
    /// metrics are measured before the (first) step. On an error the state stays as
    /// it was before the epoch.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
    /// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
    /// # let graph = std::sync::Arc::new(graph);
    /// # let settings = gesf_core::model::settings::Settings { epochs: 20, ..Default::default() };
    /// # let prepared = gesf_core::model::PreparedGraph::prepare(
    /// #     &graph, &settings, None, &Default::default(), &mut |_| {},
    /// # )?;
    /// # let mut trainer = gesf_core::train::Trainer::new(prepared, settings)?;
    /// let first = trainer.step()?;
    /// // Metrics describe the state before the step.
    /// assert_eq!((first.scalars.epoch, trainer.epoch()), (0, 1));
    /// while !trainer.is_done() {
    ///     trainer.step()?;
    /// }
    /// assert_eq!(trainer.epoch(), trainer.settings().epochs);
    /// assert!(trainer.evaluate()?.scalars.total < first.scalars.total);
    /// # Ok(()) }
    /// ```
    pub fn step(&mut self) -> Result<Epoch, TrainError> {
        among_workers(|| self.step_once())
    }

    /// The metrics and predictions of the current state.
    pub fn evaluate(&self) -> Result<Epoch, TrainError> {
        among_workers(|| {
            let plans: Vec<Plan> = self.folds.iter().map(|fold| fold.full.clone()).collect();
            self.measured(self.find(&plans)?)
        })
    }

    /// ρ at the given points of [-1, 1], as P uses it.
    pub fn filter_at(&self, points: &[f32]) -> Result<Vec<f32>, TrainError> {
        let points = Tensor::from_slice(points, points.len(), &self.device)?;
        let values = self.model().respond(&points)?.to_device(&Device::Cpu)?;
        Ok(with_numbers(&values, <[f32]>::to_vec)?)
    }

    /// Changes settings that do not require a new model. Returns `false` without
    /// changing anything if one of them does.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use gesf_core::model::settings::Settings;
    /// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
    /// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
    /// # let graph = std::sync::Arc::new(graph);
    /// # let settings = gesf_core::model::settings::Settings { epochs: 20, ..Default::default() };
    /// # let prepared = gesf_core::model::PreparedGraph::prepare(
    /// #     &graph, &settings, None, &Default::default(), &mut |_| {},
    /// # )?;
    /// # let mut trainer = gesf_core::train::Trainer::new(prepared, settings)?;
    /// let slower = Settings { learning_rate: 0.001, ..trainer.settings().clone() };
    /// assert!(trainer.change(&slower));
    /// // Another width needs another model.
    /// let wider = Settings { hidden: 128, ..slower.clone() };
    /// assert!(!trainer.change(&wider));
    /// assert_eq!(trainer.settings(), &slower);
    /// # Ok(()) }
    /// ```
    pub fn change(&mut self, settings: &Settings) -> bool {
        let live = change_effect(&self.settings, settings)
            .is_none_or(|effect| matches!(effect, AppliesAt::Now | AppliesAt::NextEpoch));
        if live {
            self.settings = settings.clone();
        }
        live
    }

    /// Number of completed epochs.
    pub fn epoch(&self) -> usize {
        self.epoch
    }

    /// Whether all epochs of the settings are done, or training stopped early.
    pub fn is_done(&self) -> bool {
        self.epoch >= self.settings.epochs || self.stopped_early()
    }

    /// Whether the validation score has not improved for `patience` epochs.
    pub fn stopped_early(&self) -> bool {
        let patience = self.settings.patience;
        let too_long = |best: BestEpoch| self.epoch > best.epoch + patience;
        patience > 0 && self.best.is_some_and(too_long)
    }

    /// The epoch of the second stage with the best validation score.
    pub fn best_epoch(&self) -> Option<BestEpoch> {
        self.best
    }

    /// The current settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The model; in the first stage that of the first fold.
    pub fn model(&self) -> &Gesf {
        // A trainer always has at least one fold.
        &self.folds[0].model
    }

    /// How the filter is learned, and when.
    pub fn filter_stage(&self) -> &FilterStage {
        &self.stage
    }

    /// The prepared graph of the model.
    pub fn prepared(&self) -> &PreparedGraph {
        &self.prepared
    }

    /// The split of the labelled nodes.
    pub fn split(&self) -> &Split {
        &self.split
    }

    /// The units of numeric targets.
    pub fn units(&self) -> Units {
        self.units
    }
}

/// Distance between the seeds of two folds.
const FOLD_SEED: u64 = 0x9e37_79b9;

/// Prefix of the parameters of the alternative aggregation.
const ALTERNATIVE: &str = "alternative.";

/// The name of a parameter of the filter without the prefix of the alternative.
fn filter_parameter(name: &str) -> Option<&str> {
    let plain = name.strip_prefix(ALTERNATIVE).unwrap_or(name);
    plain.starts_with(FILTER_PREFIX).then_some(plain)
}

/// Runs work on a thread of the pool. From any other thread, each of the many small
/// parallel parts of a step would have to be handed over and waited for.
fn among_workers<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rayon::scope(|_| work())
}

/// The device of the enabled features; the CPU by default.
fn device() -> Result<Device, TrainError> {
    if cfg!(feature = "cuda") {
        return Ok(Device::cuda_if_available(0)?);
    }
    if cfg!(feature = "metal") {
        return Ok(Device::new_metal(0)?);
    }
    Ok(Device::Cpu)
}
