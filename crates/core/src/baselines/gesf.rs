//! GESF as one of the methods, so that all appear in the same table.

use std::sync::Arc;

use super::{BaselineError, Method, PreparedMethod, TrainingLabels, Watch};
use crate::model::PreparedGraph;
use crate::model::settings::Settings;
use crate::train::{Split, Trainer};
use gesf_graph::Graph;

/// GESF on a prepared graph. The graph of the comparison is the prepared one.
#[derive(Clone)]
pub struct GesfMethod {
    /// The prepared graph.
    pub prepared: PreparedGraph,
    /// The settings.
    pub settings: Settings,
}

impl Method for GesfMethod {
    fn name(&self) -> &'static str {
        "gesf"
    }

    fn about(&self) -> &'static str {
        "graph embedding via set functions, predicted from x"
    }

    fn fills_cores(&self) -> bool {
        true
    }

    fn prepare(
        &self,
        _graph: &Arc<Graph>,
        _seed: u64,
        _watch: Watch<'_>,
    ) -> Result<Box<dyn PreparedMethod>, BaselineError> {
        Ok(Box::new(self.clone()))
    }
}

impl PreparedMethod for GesfMethod {
    fn answer(
        &self,
        lesson: &TrainingLabels,
        split: &Split,
        watch: Watch<'_>,
    ) -> Result<Vec<f32>, BaselineError> {
        let settings = Settings { seed: lesson.seed, ..self.settings.clone() };
        let mut split = split.clone();
        if settings.patience == 0 {
            // Without early stopping nothing is chosen on the validation labels, and
            // the other methods train on them too.
            split.train.append(&mut split.validation);
            split.train.sort_unstable();
        }
        let mut trainer = Trainer::with_split(self.prepared.clone(), settings, split)?;
        while !trainer.is_done() {
            watch.check()?;
            trainer.step()?;
        }
        let found = trainer.evaluate()?.predictions.from_x;
        let groups = trainer.model().groups();
        let nothing = vec![0.0; lesson.task.outputs];
        let row = |node| found.row(groups, node).unwrap_or(&nothing).to_vec();
        Ok(self.prepared.graph.nodes().flat_map(row).collect())
    }
}
