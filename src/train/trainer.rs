//! The trainer: a step is a function of settings, state and seed, and of
//! nothing else. No channel, no clock, no terminal.

use candle_core::{Device, Tensor, Var};

use super::gradient::written_out;
use super::loss::{Found, Terms, Weights, by_tensors};
use super::optimiser::{Step, learning_rate, unusable};
use super::plan::{Plan, Planner};
use super::score::score;
use super::state::copied;
use super::{Memory, Outputs, SavedParameter, Scalars, Split, State, TrainError};
use crate::model::settings::{Batch, Effect, Optimiser, Settings, change_effect};
use crate::model::slices::{change_numbers, with_numbers};
use crate::model::{Gesf, Ground, Units};
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
    model: Gesf,
    split: Split,
    units: Units,
    /// Share of the graph's labels that is seen.
    share: f64,
    full: Plan,
    memories: Vec<Memory>,
    epoch: usize,
    steps: u64,
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
        let model = Gesf::new(&ground, &settings, &device)?;
        let labels = ground.graph.labels();
        let units = Units::of(labels, &split.seen);
        let labelled = ground.graph.nodes().filter(|node| labels.is_labelled(*node)).count();
        let share = (split.seen.len() as f64 / labelled.max(1) as f64).max(f64::MIN_POSITIVE);
        let (graph, groups) = (ground.graph.as_ref(), model.groups().as_ref());
        let planner = Planner { graph, groups, seen: &split.seen, units, device: &device };
        let full = planner.full()?;
        let memories = vec![Memory::default(); model.parameters().iter().len()];
        let (epoch, steps) = (0, 0);
        Ok(Self { settings, ground, model, split, units, share, full, memories, epoch, steps })
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
        if self.settings.batch == Batch::Full {
            let plan = self.full.clone();
            return self.advance(&plan).inspect(|_| self.epoch += 1);
        }
        let before = self.state()?;
        let plans = self.planner().batches(&self.settings, self.epoch)?;
        let mut reported: Option<Epoch> = None;
        for plan in plans {
            match self.advance(&plan) {
                Ok(epoch) => reported = reported.or(Some(epoch)),
                Err(error) => {
                    self.restore(&before)?;
                    return Err(error);
                }
            }
        }
        self.epoch += 1;
        Ok(reported.unwrap_or_default())
    }

    fn planner(&self) -> Planner<'_> {
        Planner {
            graph: &self.ground.graph,
            groups: self.model.groups(),
            seen: &self.split.seen,
            units: self.units,
            device: self.model.device(),
        }
    }

    /// One step of the optimiser.
    fn advance(&mut self, plan: &Plan) -> Result<Epoch, TrainError> {
        let Found { terms, predictions, gradients } = self.find(plan)?;
        let measured = self.measured(terms, predictions)?;
        let rate = learning_rate(&self.settings, self.epoch);
        let number = self.steps + 1;
        let mut moves = Vec::with_capacity(self.memories.len());
        for (name, var) in self.model.parameters().iter() {
            // A fixed filter, say, has parameters that nothing depends on.
            let gradient = gradients.get(var).map(|own| own.to_device(&Device::Cpu)).transpose()?;
            if let Some(gradient) = &gradient
                && let Some(found) = with_numbers(gradient, unusable)?
            {
                return Err(self.broken(format!("the gradient of {name}"), found));
            }
            moves.push(gradient);
        }
        // Only now that every step is known to be one does anything change.
        let parameters = self.model.parameters().iter().zip(&mut self.memories);
        for (((name, var), memory), gradient) in parameters.zip(moves) {
            let Some(gradient) = gradient else { continue };
            let decays = self.settings.optimiser == Optimiser::AdamW
                && name.starts_with("head")
                && name.ends_with("weight");
            let decay = if decays { 2.0 * self.settings.weight_penalty } else { 0.0 };
            let step = Step { settings: &self.settings, rate, number, decay };
            with_numbers(&gradient, |gradient| {
                changed(var, |values| step.take(values, gradient, memory))
            })??;
        }
        self.steps = number;
        Ok(measured)
    }

    /// The loss of a plan and where it moves the model.
    fn find(&self, plan: &Plan) -> candle_core::Result<Found> {
        let weights = Weights { settings: &self.settings, share: self.share };
        if self.model.device().is_cpu() {
            written_out(&self.model, plan, weights)
        } else {
            by_tensors(&self.model, plan, weights)
        }
    }

    /// The terms of a loss, checked, with the scores of the state they were
    /// computed in.
    fn measured(&self, terms: Terms, predictions: Predictions) -> Result<Epoch, TrainError> {
        let checked = |value: f32, name: &dyn Fn() -> String| {
            if value.is_finite() { Ok(value) } else { Err(self.broken(name(), value)) }
        };
        let kinds = self.ground.graph.types().names();
        for (&value, kind) in terms.reconstruction.iter().zip(kinds) {
            checked(value, &|| format!("the reconstruction of type {kind}"))?;
        }
        let total = terms.total();
        let named = [
            (terms.supervised, "the supervised loss"),
            (terms.penalty, "the penalty of the weights"),
            (Some(total), "the loss"),
        ];
        for (value, name) in named {
            checked(value.unwrap_or(0.0), &|| name.to_owned())?;
        }
        let mut scalars = Scalars {
            epoch: self.epoch,
            supervised: terms.supervised,
            penalty: terms.penalty.unwrap_or(0.0),
            total,
            reconstruction: terms.reconstruction,
            learning_rate: learning_rate(&self.settings, self.epoch) as f32,
            ..Scalars::default()
        };
        self.fill_scores(&mut scalars, &predictions);
        Ok(Epoch { scalars, predictions })
    }

    fn fill_scores(&self, scalars: &mut Scalars, predictions: &Predictions) {
        let labels = self.ground.graph.labels();
        let rate = |outputs| {
            let on = |nodes: &[_]| score(labels, outputs, self.model.groups(), nodes, self.units);
            (on(&self.split.seen), on(&self.split.held))
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
            let found = self.find(&self.full)?;
            self.measured(found.terms, found.predictions)
        })
    }

    /// Everything needed to go on from here.
    pub fn state(&self) -> Result<State, TrainError> {
        self.taken(Memory::copied)
    }

    /// The same without what the optimiser remembers: to look at, not to go on.
    pub fn view(&self) -> Result<State, TrainError> {
        self.taken(|_| Memory::default())
    }

    fn taken(&self, remembered: impl Fn(&Memory) -> Memory) -> Result<State, TrainError> {
        let parameters = self
            .model
            .parameters()
            .iter()
            .zip(&self.memories)
            .map(|((name, var), memory)| saved(name, var, remembered(memory)))
            .collect::<candle_core::Result<_>>()?;
        Ok(State { epoch: self.epoch, steps: self.steps, parameters })
    }

    /// ρ at each of some points of [-1, 1].
    pub fn filter_at(&self, points: &[f32]) -> Result<Vec<f32>, TrainError> {
        let points = Tensor::from_slice(points, points.len(), self.model.device())?;
        let values = self.model.filter().respond(&points)?.to_device(&Device::Cpu)?;
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
        let own: Vec<(&str, &[usize])> =
            self.model.parameters().iter().map(|(name, var)| (name, var.dims())).collect();
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
        for ((_, var), saved) in self.model.parameters().iter().zip(&state.parameters) {
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

    /// The model.
    pub fn model(&self) -> &Gesf {
        &self.model
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

fn saved(name: &str, var: &Tensor, memory: Memory) -> candle_core::Result<SavedParameter> {
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
