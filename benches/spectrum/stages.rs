//! The time of each stage of a decomposition, from its progress reports.

use std::time::{Duration, Instant};

use gesf_tui::spectral::{Progress, Stage};

/// Time by stage; the steps of a projection are listed separately.
#[derive(Default)]
pub(crate) struct Stages {
    /// Number of passes.
    pub(crate) passes: usize,
    times: Vec<(String, Duration)>,
    last: Option<(String, Instant)>,
}

impl Stages {
    /// The time since the last report belongs to the stage of that report.
    pub(crate) fn see(&mut self, progress: Progress) {
        self.passes = self.passes.max(progress.pass);
        let name = match (progress.stage, progress.done) {
            (Stage::Project, 0) => "gram matrices".to_owned(),
            (Stage::Project, 1) => "small problem".to_owned(),
            (Stage::Project, 2) => "rotation".to_owned(),
            (Stage::Project, _) => "residuals".to_owned(),
            (stage, _) => stage.to_string(),
        };
        let now = Instant::now();
        if let Some((name, since)) = self.last.replace((name, now)) {
            match self.times.iter_mut().find(|(known, _)| *known == name) {
                Some((_, time)) => *time += now - since,
                None => self.times.push((name, now - since)),
            }
        }
    }

    /// Prints every stage with its seconds on one line.
    pub(crate) fn print(&self) {
        let stage = |(name, time): &(String, Duration)| format!("{name} {:.2}", time.as_secs_f64());
        let all: Vec<String> = self.times.iter().map(stage).collect();
        println!("    {}", all.join(", "));
    }
}
