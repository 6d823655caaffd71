//! GESF itself as one of the methods, so that all stand in the same table.

use std::sync::Arc;

use super::{BaselineError, Lesson, Method, Ready, Watch};
use crate::graph::Graph;
use crate::model::Ground;
use crate::model::settings::Settings;
use crate::train::{Split, Trainer};

/// GESF on a ground that is ready. The graph of the contest is that of the
/// ground.
#[derive(Clone)]
pub struct GesfMethod {
    /// What it stands on.
    pub ground: Ground,
    /// Every choice.
    pub settings: Settings,
}

impl Method for GesfMethod {
    fn name(&self) -> &'static str {
        "gesf"
    }

    fn about(&self) -> &'static str {
        "graph embedding by set functions, predicted from x"
    }

    fn fills_cores(&self) -> bool {
        true
    }

    fn prepare(
        &self,
        _graph: &Arc<Graph>,
        _seed: u64,
        _watch: Watch<'_>,
    ) -> Result<Box<dyn Ready>, BaselineError> {
        Ok(Box::new(self.clone()))
    }
}

impl Ready for GesfMethod {
    fn answer(
        &self,
        lesson: &Lesson,
        split: &Split,
        watch: Watch<'_>,
    ) -> Result<Vec<f32>, BaselineError> {
        let settings = Settings { seed: lesson.seed, ..self.settings.clone() };
        let mut trainer = Trainer::with_split(self.ground.clone(), settings, split.clone())?;
        while !trainer.is_done() {
            watch.check()?;
            trainer.step()?;
        }
        let found = trainer.evaluate()?.predictions.from_x;
        let groups = trainer.model().groups();
        let nothing = vec![0.0; lesson.task.outputs];
        let row = |node| found.row(groups, node).unwrap_or(&nothing).to_vec();
        Ok(self.ground.graph.nodes().flat_map(row).collect())
    }
}
