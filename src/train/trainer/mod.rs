//! The trainer: a step is a function of settings, state and seed, and of
//! nothing else. No channel, no clock, no terminal.

mod advance;
mod measure;
mod saved;

use candle_core::{Device, Tensor, Var};

use super::loss::WithheldLabels;
use super::plan::Plan;
use super::{BestEpoch, FilterStage, OptimizerState, Outputs, Scalars, Split, TrainError};
use crate::graph::NodeId;
use crate::model::settings::{Effect, Settings, change_effect};
use crate::model::slices::with_numbers;
use crate::model::{FILTER_PREFIX, Gesf, Ground, Targets, Units, log_shares};

/// A model in training.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::train::Trainer;
/// # let karate = "sample_graphs/karate".as_ref();
/// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_tui::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let ground = gesf_tui::model::Ground::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// let mut one = Trainer::new(ground.clone(), settings.clone())?;
/// let mut other = Trainer::new(ground, settings)?;
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
    ground: Ground,
    device: Device,
    split: Split,
    units: Units,
    /// Share of the graph's labels that is seen.
    share: f64,
    stage: FilterStage,
    /// The models that train side by side: the folds of the first stage, then one.
    folds: Vec<Fold>,
    /// What the optimiser remembers of every parameter.
    memories: Vec<OptimizerState>,
    epoch: usize,
    /// Steps of the stage.
    steps: u64,
    /// The epoch that the validation labels prefer.
    best: Option<BestEpoch>,
}

/// A model, the labels its embeddings follow, and those withheld from them.
struct Fold {
    model: Gesf,
    train: Vec<NodeId>,
    withheld: Option<(Vec<NodeId>, WithheldLabels)>,
    full: Plan,
}

/// An epoch as it was before its step moved anything.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Epoch {
    /// Its figures.
    pub scalars: Scalars,
    /// What the model gave for every node.
    pub predictions: Predictions,
}

/// What the model gives for every node.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Predictions {
    /// From the embeddings, as in the paper.
    pub from_x: Outputs,
    /// From what the neighbours say.
    pub from_r: Outputs,
}

impl Trainer {
    /// A run at its start, on the split that the settings ask for.
    pub fn new(ground: Ground, settings: Settings) -> Result<Self, TrainError> {
        let split = Split::of(&ground.graph, &settings);
        Self::with_split(ground, settings, split)
    }

    /// A run at its start, on a split of one's own.
    pub fn with_split(
        ground: Ground,
        settings: Settings,
        split: Split,
    ) -> Result<Self, TrainError> {
        let device = device()?;
        let labels = ground.graph.labels();
        let units = Units::of(labels, &split.seen);
        let labelled = ground.graph.nodes().filter(|node| labels.is_labelled(*node)).count();
        let share = (split.seen.len() as f64 / labelled.max(1) as f64).max(f64::MIN_POSITIVE);
        let stage = FilterStage::of(&ground.graph, &split.seen, &settings);
        let (folds, memories, epoch, steps) = (Vec::new(), Vec::new(), 0, 0);
        let mut trainer = Self {
            settings,
            ground,
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
        trainer.begin_stage(None)?;
        Ok(trainer)
    }

    /// Models at their start, for the stage that the epoch is in. The filter goes
    /// on where it was.
    fn begin_stage(&mut self, filter: Option<&Gesf>) -> Result<(), TrainError> {
        let first = Gesf::new(&self.ground, &self.settings, &self.device)?;
        if let Some(before) = filter {
            for (name, var) in first.parameters().iter() {
                if filter_parameter(name)
                    && let Some(own) = before.parameters().get(name)
                {
                    var.set(own)?;
                }
            }
        }
        let withheld = self.stage.folds_at(self.epoch);
        let others = (2..=withheld.len()).map(|number| {
            // Each fold starts from random numbers of its own.
            let seed = self.settings.seed.wrapping_add(FOLD_SEED * number as u64);
            let settings = Settings { seed, ..self.settings.clone() };
            first.sharing_filter(&self.ground, &settings, format!("fold{number}."))
        });
        let others: Vec<Gesf> = others.collect::<candle_core::Result<_>>()?;
        let mut folds = Vec::with_capacity(withheld.len().max(1));
        for (at, model) in [first].into_iter().chain(others).enumerate() {
            let nodes = withheld.get(at);
            let kept = |node: &NodeId| nodes.is_none_or(|own| own.binary_search(node).is_err());
            let train: Vec<NodeId> = self.split.seen.iter().copied().filter(kept).collect();
            let labels = self.ground.graph.labels();
            let targets = |nodes: &[NodeId]| Targets::of(labels, nodes, self.units, &self.device);
            let hidden = nodes.map(|nodes| {
                let log_shares = log_shares(labels, &train, &self.device)?;
                let labels = WithheldLabels::of(nodes, model.groups(), targets, log_shares)?;
                Ok::<_, candle_core::Error>((nodes.clone(), labels))
            });
            let withheld = hidden.transpose()?;
            let full = self.planner(&model, &train).full()?;
            folds.push(Fold { model, train, withheld, full });
        }
        self.folds = folds;
        self.memories = vec![OptimizerState::default(); self.parameters().count()];
        (self.steps, self.best) = (0, None);
        Ok(())
    }

    /// Every parameter by its name, those of all folds.
    fn parameters(&self) -> impl Iterator<Item = (&str, &Var)> {
        self.folds.iter().flat_map(|fold| fold.model.parameters().iter())
    }

    /// One epoch: a step over all nodes, or a pass over them in batches. What is
    /// reported is measured before the (first) step moves anything. On an error
    /// the state is that before the epoch.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let karate = "sample_graphs/karate".as_ref();
    /// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
    /// # let graph = std::sync::Arc::new(graph);
    /// # let settings = gesf_tui::model::settings::Settings { epochs: 20, ..Default::default() };
    /// # let ground = gesf_tui::model::Ground::prepare(
    /// #     &graph, &settings, None, &Default::default(), &mut |_| {},
    /// # )?;
    /// # let mut trainer = gesf_tui::train::Trainer::new(ground, settings)?;
    /// let first = trainer.step()?;
    /// // Figures are of the state before the step.
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

    /// The figures and predictions of the state as it is.
    pub fn evaluate(&self) -> Result<Epoch, TrainError> {
        among_workers(|| {
            let plans: Vec<Plan> = self.folds.iter().map(|fold| fold.full.clone()).collect();
            self.measured(self.find(&plans)?)
        })
    }

    /// ρ at each of some points of [-1, 1].
    pub fn filter_at(&self, points: &[f32]) -> Result<Vec<f32>, TrainError> {
        let points = Tensor::from_slice(points, points.len(), &self.device)?;
        let values = self.model().filter().respond(&points)?.to_device(&Device::Cpu)?;
        Ok(with_numbers(&values, <[f32]>::to_vec)?)
    }

    /// Changes settings that do not need a new model. `false`, and no change,
    /// where one of them does.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use gesf_tui::model::settings::Settings;
    /// # let karate = "sample_graphs/karate".as_ref();
    /// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
    /// # let graph = std::sync::Arc::new(graph);
    /// # let settings = gesf_tui::model::settings::Settings { epochs: 20, ..Default::default() };
    /// # let ground = gesf_tui::model::Ground::prepare(
    /// #     &graph, &settings, None, &Default::default(), &mut |_| {},
    /// # )?;
    /// # let mut trainer = gesf_tui::train::Trainer::new(ground, settings)?;
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
            .is_none_or(|effect| matches!(effect, Effect::Now | Effect::NextEpoch));
        if live {
            self.settings = settings.clone();
        }
        live
    }

    /// How many epochs are done.
    pub fn epoch(&self) -> usize {
        self.epoch
    }

    /// Whether all epochs the settings ask for are done, or it stopped early.
    pub fn is_done(&self) -> bool {
        self.epoch >= self.settings.epochs || self.stopped_early()
    }

    /// Whether the validation score has not improved for as long as the settings
    /// have patience.
    pub fn stopped_early(&self) -> bool {
        let patience = self.settings.patience;
        let too_long = |best: BestEpoch| self.epoch > best.epoch + patience;
        patience > 0 && self.best.is_some_and(too_long)
    }

    /// The epoch that the validation labels prefer, in the second stage.
    pub fn best_epoch(&self) -> Option<BestEpoch> {
        self.best
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The model: in the first stage that of the first fold.
    pub fn model(&self) -> &Gesf {
        // A trainer has at least one fold from its start on.
        &self.folds[0].model
    }

    /// How the filter is learned, and when.
    pub fn filter_stage(&self) -> &FilterStage {
        &self.stage
    }

    /// What the model stands on.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// Which labels are seen.
    pub fn split(&self) -> &Split {
        &self.split
    }

    /// The units of numeric targets.
    pub fn units(&self) -> Units {
        self.units
    }
}

/// How far the seeds of two folds are apart.
const FOLD_SEED: u64 = 0x9e37_79b9;

fn filter_parameter(name: &str) -> bool {
    name.starts_with(FILTER_PREFIX)
}

/// Runs work as one of the threads that share it out. From any other thread,
/// each of the many small parallel parts of a step would be handed over and
/// waited for.
fn among_workers<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rayon::scope(|_| work())
}

/// The device that the features of the program offer, the CPU without any.
fn device() -> Result<Device, TrainError> {
    if cfg!(feature = "cuda") {
        return Ok(Device::cuda_if_available(0)?);
    }
    if cfg!(feature = "metal") {
        return Ok(Device::new_metal(0)?);
    }
    Ok(Device::Cpu)
}
