//! States of a run: saving and restoring them in either stage.

use std::borrow::Cow;

use candle_core::{Device, Tensor};

use super::{ALTERNATIVE, Trainer, filter_parameter};
use crate::memory::copied;
use crate::model::NEUTRAL;
use crate::model::settings::Aggregation;
use crate::model::slices::with_numbers;
use crate::train::{OptimizerState, SavedParameter, TrainError, TrainerState};

impl Trainer {
    /// Everything needed to resume from here.
    pub fn state(&self) -> Result<TrainerState, TrainError> {
        self.taken(OptimizerState::copied)
    }

    /// The same without optimizer state, for display only.
    pub fn view(&self) -> Result<TrainerState, TrainError> {
        self.taken(|_| OptimizerState::default())
    }

    pub(super) fn taken(
        &self,
        remembered: impl Fn(&OptimizerState) -> OptimizerState,
    ) -> Result<TrainerState, TrainError> {
        let parameters = self
            .parameters()
            .zip(&self.memories)
            .map(|((name, var), memory)| saved(name, var, remembered(memory)))
            .collect::<candle_core::Result<_>>()?;
        Ok(TrainerState { epoch: self.epoch, steps: self.steps, best: self.best, parameters })
    }

    /// Restores a state of this model; on an error the current state stays as it
    /// was.
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
    /// trainer.step()?;
    /// let kept = trainer.state()?;
    /// let once = trainer.step()?;
    /// trainer.restore(&kept)?;
    /// assert_eq!(trainer.step()?, once);
    /// # Ok(()) }
    /// ```
    pub fn restore(&mut self, state: &TrainerState) -> Result<(), TrainError> {
        let (epoch, steps, best) = (self.epoch, self.steps, self.best);
        let is_first = |epoch: usize| epoch < self.stage.epochs();
        let aggregations = self.aggregations();
        let other_models =
            is_first(epoch) != is_first(state.epoch) || aggregations != self.aggregations_of(state);
        let kept = other_models.then(|| self.state()).transpose()?;
        if other_models {
            self.epoch = state.epoch;
            self.begin_stage(&self.aggregations_of(state))?;
        }
        if let Err(error) = self.take(state) {
            if let Some(kept) = kept {
                self.epoch = epoch;
                self.begin_stage(&aggregations)?;
                self.take(&kept)?;
            }
            (self.steps, self.best) = (steps, best);
            return Err(error);
        }
        Ok(())
    }

    /// How the models aggregate messages: one or two ways.
    fn aggregations(&self) -> Vec<Aggregation> {
        let mut own: Vec<_> = self.folds.iter().map(|fold| fold.model.aggregation()).collect();
        own.dedup();
        own
    }

    /// The same in a state.
    fn aggregations_of(&self, state: &TrainerState) -> Vec<Aggregation> {
        let kinds = self.model().groups().count();
        let nodes = self.prepared.graph.node_count();
        let first = state.aggregation(&self.settings.dimension.of_types(kinds, nodes));
        let other = if first == Aggregation::Mean { Aggregation::Sum } else { Aggregation::Mean };
        let has_other = state.parameters.iter().any(|own| own.name.starts_with(ALTERNATIVE));
        [first].into_iter().chain(has_other.then_some(other)).collect()
    }

    /// A state with the parameters that it lacks because an earlier version saved it.
    fn completed<'a>(&self, state: &'a TrainerState) -> Cow<'a, TrainerState> {
        let is_lacking = |name: &str| state.values(name).is_none();
        let mut completed = Cow::Borrowed(state);
        for (at, (name, _)) in self.parameters().enumerate() {
            let plain = filter_parameter(name);
            if let Some((_, value)) = NEUTRAL.iter().find(|own| Some(own.0) == plain)
                && is_lacking(name)
                && at <= completed.parameters.len()
            {
                let (name, memory) = (name.to_owned(), OptimizerState::default());
                let neutral = SavedParameter { name, shape: vec![1], values: vec![*value], memory };
                completed.to_mut().parameters.insert(at, neutral);
            }
        }
        completed
    }

    /// Copies the values of a state of the same stage.
    pub(super) fn take(&mut self, state: &TrainerState) -> Result<(), TrainError> {
        let state = &self.completed(state);
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
                found: format!("{} parameters with other names or shapes", saved.len()),
                expected: format!("the {} parameters of this model", own.len()),
                advice: "use the graph and the settings the state was saved with".to_owned(),
            });
        }
        for ((_, var), saved) in self.parameters().zip(&state.parameters) {
            var.set(&Tensor::from_slice(&saved.values, var.shape(), var.device())?)?;
        }
        self.memories = state.parameters.iter().map(|saved| saved.memory.clone()).collect();
        (self.epoch, self.steps, self.best) = (state.epoch, state.steps, state.best);
        Ok(())
    }
}

fn saved(name: &str, var: &Tensor, memory: OptimizerState) -> candle_core::Result<SavedParameter> {
    let values = with_numbers(&var.to_device(&Device::Cpu)?, copied)?;
    Ok(SavedParameter { name: name.to_owned(), shape: var.dims().to_vec(), values, memory })
}
