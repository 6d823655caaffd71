//! The trainer: a step is a function of settings, state and seed, and of
//! nothing else. No channel, no clock, no terminal.

use candle_core::{Device, Tensor, Var};

use super::loss::{LossAndGrads, Weights, WithheldLabels, loss_and_grads};
use super::optimiser::{Step, learning_rate, unusable};
use super::plan::{Plan, Planner};
use super::score::score;
use super::state::copied;
use super::{
    FilterStage, OptimizerState, Outputs, SavedParameter, Scalars, Split, State, TrainError,
};
use crate::graph::NodeId;
use crate::model::settings::{Batch, Effect, Optimiser, Settings, change_effect};
use crate::model::slices::{change_numbers, with_numbers};
use crate::model::{FILTER_PREFIX, Gesf, Ground, Targets, Units};
use crate::spectral::SelfTerm;

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
                if let Some(own) = filter_parameter(name).then(|| before.parameters().get(name)) {
                    var.set(own.unwrap_or(var))?;
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
                let labels = WithheldLabels::of(nodes, model.groups(), targets)?;
                Ok::<_, candle_core::Error>((nodes.clone(), labels))
            });
            let withheld = hidden.transpose()?;
            let full = self.planner(&model, &train).full()?;
            folds.push(Fold { model, train, withheld, full });
        }
        self.folds = folds;
        self.memories = vec![OptimizerState::default(); self.parameters().count()];
        self.steps = 0;
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

    fn step_once(&mut self) -> Result<Epoch, TrainError> {
        let batches = match self.settings.batch {
            Batch::Full => Vec::new(),
            Batch::Nodes(_) => {
                let plans = |fold: &Fold| {
                    self.planner(&fold.model, &fold.train).batches(&self.settings, self.epoch)
                };
                self.folds.iter().map(plans).collect::<candle_core::Result<Vec<_>>>()?
            }
        };
        let Some(steps) = batches.first().map(Vec::len) else {
            let plans: Vec<Plan> = self.folds.iter().map(|fold| fold.full.clone()).collect();
            let epoch = self.advance(&plans)?;
            self.end_epoch()?;
            return Ok(epoch);
        };
        let before = self.state()?;
        let mut reported: Option<Epoch> = None;
        for step in 0..steps {
            let plans: Vec<Plan> = batches.iter().map(|plans| plans[step].clone()).collect();
            match self.advance(&plans) {
                Ok(epoch) => reported = reported.or(Some(epoch)),
                Err(error) => {
                    self.restore(&before)?;
                    return Err(error);
                }
            }
        }
        self.end_epoch()?;
        Ok(reported.unwrap_or_default())
    }

    /// Counts an epoch; after the last of the first stage, training begins again
    /// with the filter settled and all training labels.
    fn end_epoch(&mut self) -> Result<(), TrainError> {
        self.epoch += 1;
        if self.epoch == self.stage.epochs() {
            let before = self.folds.swap_remove(0).model;
            self.begin_stage(Some(&before))?;
        }
        Ok(())
    }

    fn planner<'a>(&'a self, model: &'a Gesf, train: &'a [NodeId]) -> Planner<'a> {
        Planner {
            graph: &self.ground.graph,
            groups: model.groups(),
            seen: train,
            units: self.units,
            device: &self.device,
        }
    }

    /// The step size of this epoch.
    fn rate(&self) -> f64 {
        let first = self.stage.epochs();
        if self.epoch < first {
            return learning_rate(&self.settings, self.epoch, first);
        }
        let epochs = self.settings.epochs.saturating_sub(first);
        learning_rate(&self.settings, self.epoch - first, epochs)
    }

    /// One step of the optimiser, of all folds.
    fn advance(&mut self, plans: &[Plan]) -> Result<Epoch, TrainError> {
        let found = self.find(plans)?;
        let number = self.steps + 1;
        let settling = self.stage.first_move() as u64;
        let learns = self.epoch >= self.stage.first_move();
        let mut moves = Vec::with_capacity(self.memories.len());
        for (at, fold) in self.folds.iter().enumerate() {
            for (name, var) in fold.model.parameters().iter() {
                // A fixed filter, say, has parameters that nothing depends on.
                let gradient = if filter_parameter(name) && fold.withheld.is_some() {
                    if learns { filter_gradient(&found, var)? } else { None }
                } else {
                    found[at].gradients.get(var).map(|own| own.to_device(&Device::Cpu)).transpose()?
                };
                if let Some(gradient) = &gradient
                    && let Some(found) = with_numbers(gradient, unusable)?
                {
                    return Err(self.broken(format!("the gradient of {name}"), found));
                }
                moves.push(gradient);
            }
        }
        let measured = self.measured(found)?;
        // Only now that every step is known to be one does anything change.
        let (rate, settings) = (self.rate(), &self.settings);
        let folds = &self.folds;
        let parameters = folds.iter().flat_map(|fold| {
            let first_stage = fold.withheld.is_some();
            fold.model.parameters().iter().map(move |(name, var)| (name, var, first_stage))
        });
        for (((name, var, first_stage), memory), gradient) in
            parameters.zip(&mut self.memories).zip(moves)
        {
            let Some(gradient) = gradient else { continue };
            let decays = settings.optimiser == Optimiser::AdamW
                && name.starts_with("head")
                && name.ends_with("weight");
            let decay = if decays { 2.0 * settings.weight_penalty } else { 0.0 };
            let step = if first_stage && filter_parameter(name) {
                // Whatever moves the embeddings, Adam moves the filter.
                Step { rate: settings.filter_rate, number: number - settling.min(number - 1), decay, rule: Optimiser::Adam, momentum: 0.0 }
            } else {
                Step { rate, number, decay, rule: settings.optimiser, momentum: settings.momentum }
            };
            with_numbers(&gradient, |gradient| {
                changed(var, |values| step.take(values, gradient, memory))
            })??;
        }
        self.steps = number;
        Ok(measured)
    }

    /// The losses of plans, one a fold, and where they move the models.
    fn find(&self, plans: &[Plan]) -> candle_core::Result<Vec<LossAndGrads>> {
        let weights = Weights { settings: &self.settings, share: self.share };
        let folds = self.folds.iter().zip(plans);
        folds
            .map(|(fold, plan)| {
                let withheld = fold.withheld.as_ref().map(|(_, labels)| labels);
                loss_and_grads(&fold.model, plan, weights, withheld)
            })
            .collect()
    }

    /// The terms of a loss, checked, with the scores of the state they were
    /// computed in: those of the first fold, and of all withheld labels.
    fn measured(&self, found: Vec<LossAndGrads>) -> Result<Epoch, TrainError> {
        let checked = |value: f32, name: &dyn Fn() -> String| {
            if value.is_finite() { Ok(value) } else { Err(self.broken(name(), value)) }
        };
        let kinds = self.ground.graph.types().names();
        for terms in found.iter().map(|found| &found.terms) {
            for (&value, kind) in terms.reconstruction.iter().zip(kinds) {
                checked(value, &|| format!("the reconstruction of type {kind}"))?;
            }
            let named = [
                (terms.supervised, "the supervised loss"),
                (terms.penalty, "the penalty of the weights"),
                (Some(terms.total()), "the loss"),
            ];
            for (value, name) in named {
                checked(value.unwrap_or(0.0), &|| name.to_owned())?;
            }
        }
        let withheld_loss = self.mean_of_folds(|at| found[at].withheld.as_ref().map(|own| own.0));
        checked(withheld_loss.unwrap_or(0.0), &|| "the loss at withheld labels".to_owned())?;
        let labels = self.ground.graph.labels();
        let withheld_score = self.mean_of_folds(|at| {
            let fold = &self.folds[at];
            let (nodes, _) = fold.withheld.as_ref()?;
            let (outputs, groups) = (&found[at].predictions.from_r, fold.model.groups());
            score(labels, outputs, groups, nodes, self.units).headline(labels.kind())
        });
        let degree = self.settings.degree;
        let hop_weights = self.model().filter().hop_weights(degree)?.unwrap_or_default();
        let Some(LossAndGrads { terms, predictions, .. }) = found.into_iter().next() else {
            return Ok(Epoch::default());
        };
        let mut scalars = Scalars {
            epoch: self.epoch,
            supervised: terms.supervised,
            penalty: terms.penalty.unwrap_or(0.0),
            total: terms.total(),
            reconstruction: terms.reconstruction,
            learning_rate: self.rate() as f32,
            withheld_loss,
            withheld_score,
            hop_weights,
            ..Scalars::default()
        };
        self.fill_scores(&mut scalars, &predictions);
        Ok(Epoch { scalars, predictions })
    }

    /// The mean of a figure over the folds, by how many labels each withholds.
    fn mean_of_folds(&self, of: impl Fn(usize) -> Option<f32>) -> Option<f32> {
        let (mut sum, mut count) = (0.0, 0);
        for (at, fold) in self.folds.iter().enumerate() {
            let (nodes, _) = fold.withheld.as_ref()?;
            sum += f64::from(of(at)?) * nodes.len() as f64;
            count += nodes.len();
        }
        (count > 0).then(|| (sum / count as f64) as f32)
    }

    fn fill_scores(&self, scalars: &mut Scalars, predictions: &Predictions) {
        let labels = self.ground.graph.labels();
        let seen = self.folds.first().map_or(self.split.seen.as_slice(), |fold| &fold.train);
        let rate = |outputs| {
            let on = |nodes: &[_]| score(labels, outputs, self.model().groups(), nodes, self.units);
            (on(seen), on(&self.split.held))
        };
        let (from_x, from_r) =
            rayon::join(|| rate(&predictions.from_x), || rate(&predictions.from_r));
        (scalars.seen_x, scalars.held_x) = from_x;
        (scalars.seen_r, scalars.held_r) = from_r;
    }

    fn broken(&self, term: String, found: f32) -> TrainError {
        let advice = match self.settings.self_term {
            _ if self.settings.learning_rate > 0.05 => "lower learning_rate, by ten times at first",
            SelfTerm::Keep => "lower learning_rate, or set self_term to drop",
            SelfTerm::Drop => "lower learning_rate, or raise balance",
        };
        TrainError::Broken { epoch: self.epoch, term, found, advice: advice.to_owned() }
    }

    /// The figures and predictions of the state as it is.
    pub fn evaluate(&self) -> Result<Epoch, TrainError> {
        among_workers(|| {
            let plans: Vec<Plan> = self.folds.iter().map(|fold| fold.full.clone()).collect();
            self.measured(self.find(&plans)?)
        })
    }

    /// Everything needed to go on from here.
    pub fn state(&self) -> Result<State, TrainError> {
        self.taken(OptimizerState::copied)
    }

    /// The same without what the optimiser remembers: to look at, not to go on.
    pub fn view(&self) -> Result<State, TrainError> {
        self.taken(|_| OptimizerState::default())
    }

    fn taken(&self, remembered: impl Fn(&OptimizerState) -> OptimizerState) -> Result<State, TrainError> {
        let parameters = self
            .parameters()
            .zip(&self.memories)
            .map(|((name, var), memory)| saved(name, var, remembered(memory)))
            .collect::<candle_core::Result<_>>()?;
        Ok(State { epoch: self.epoch, steps: self.steps, parameters })
    }

    /// ρ at each of some points of [-1, 1].
    pub fn filter_at(&self, points: &[f32]) -> Result<Vec<f32>, TrainError> {
        let points = Tensor::from_slice(points, points.len(), &self.device)?;
        let values = self.model().filter().respond(&points)?.to_device(&Device::Cpu)?;
        Ok(with_numbers(&values, <[f32]>::to_vec)?)
    }

    /// Goes to a state of this model; an error leaves the state as it was.
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
    /// trainer.step()?;
    /// let kept = trainer.state()?;
    /// let once = trainer.step()?;
    /// trainer.restore(&kept)?;
    /// assert_eq!(trainer.step()?, once);
    /// # Ok(()) }
    /// ```
    pub fn restore(&mut self, state: &State) -> Result<(), TrainError> {
        let (epoch, steps) = (self.epoch, self.steps);
        let is_first = |epoch: usize| epoch < self.stage.epochs();
        let elsewhere = is_first(epoch) != is_first(state.epoch);
        let kept = elsewhere.then(|| self.state()).transpose()?;
        if elsewhere {
            self.epoch = state.epoch;
            self.begin_stage(None)?;
        }
        if let Err(error) = self.take(state) {
            if let Some(kept) = kept {
                self.epoch = epoch;
                self.begin_stage(None)?;
                self.take(&kept)?;
            }
            self.steps = steps;
            return Err(error);
        }
        Ok(())
    }

    /// Takes the numbers of a state of the same stage.
    fn take(&mut self, state: &State) -> Result<(), TrainError> {
        let own: Vec<(&str, &[usize])> =
            self.parameters().map(|(name, var)| (name, var.dims())).collect();
        let saved: Vec<(&str, &[usize])> =
            state.parameters.iter().map(|own| (own.name.as_str(), own.shape.as_slice())).collect();
        let whole = state.parameters.iter().all(|own| {
            let size = own.shape.iter().product::<usize>();
            let fits = |memory: &Vec<f32>| memory.is_empty() || memory.len() == size;
            own.values.len() == size && fits(&own.memory.first) && fits(&own.memory.second)
        });
        if own != saved || !whole {
            return Err(TrainError::State {
                found: format!("{} parameters of other names or shapes", saved.len()),
                expected: format!("the {} parameters of this model", own.len()),
                advice: "use the graph and the settings the state was saved with".to_owned(),
            });
        }
        for ((_, var), saved) in self.parameters().zip(&state.parameters) {
            var.set(&Tensor::from_slice(&saved.values, var.shape(), var.device())?)?;
        }
        self.memories = state.parameters.iter().map(|saved| saved.memory.clone()).collect();
        (self.epoch, self.steps) = (state.epoch, state.steps);
        Ok(())
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

    /// Whether all epochs the settings ask for are done.
    pub fn is_done(&self) -> bool {
        self.epoch >= self.settings.epochs
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

/// The gradient of the filter: the mean over the folds.
fn filter_gradient(
    found: &[LossAndGrads],
    var: &Var,
) -> candle_core::Result<Option<Tensor>> {
    let mut sum: Option<Tensor> = None;
    for (_, gradients) in found.iter().filter_map(|found| found.withheld.as_ref()) {
        if let Some(own) = gradients.get(var) {
            sum = Some(sum.map_or(Ok(own.clone()), |sum| sum + own)?);
        }
    }
    sum.map(|sum| (sum / found.len() as f64)?.to_device(&Device::Cpu)).transpose()
}

/// Runs work as one of the threads that share it out. From any other thread,
/// each of the many small parallel parts of a step would be handed over and
/// waited for.
fn among_workers<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rayon::scope(|_| work())
}

/// Changes the numbers of a parameter, wherever it lives.
fn changed(var: &Var, change: impl FnOnce(&mut [f32])) -> candle_core::Result<()> {
    if var.device().is_cpu() {
        return change_numbers(var, change);
    }
    let mut values = with_numbers(&var.to_device(&Device::Cpu)?, <[f32]>::to_vec)?;
    change(&mut values);
    var.set(&Tensor::from_vec(values, var.shape(), var.device())?)
}

fn saved(name: &str, var: &Tensor, memory: OptimizerState) -> candle_core::Result<SavedParameter> {
    let values = with_numbers(&var.to_device(&Device::Cpu)?, copied)?;
    Ok(SavedParameter { name: name.to_owned(), shape: var.dims().to_vec(), values, memory })
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
