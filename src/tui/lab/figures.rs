//! Results of the lab's learners, computed once where they train and drawn often.

use crate::lab::filters::{Misses, Recovery};
use crate::lab::theorem::Study;

/// Number of points of [-1, 1] at which learned filters are sampled.
pub(crate) const GRID: usize = 241;

/// Results of the learners of a planted filter.
#[derive(Debug, Clone, Default)]
pub struct RecoveryFigures {
    /// ρ over the grid, for each learner.
    pub curves: Vec<Vec<f64>>,
    /// The error of each learner; `None` if no curve was planted.
    pub misses: Vec<Option<Misses>>,
}

impl RecoveryFigures {
    /// The current results.
    pub fn of(recovery: &Recovery) -> Self {
        let grid: Vec<f64> = (0..GRID).map(place).collect();
        let curve = |own: &crate::lab::filters::Learner| own.curve(&grid).unwrap_or_default();
        let curves = recovery.learners().iter().map(curve).collect();
        Self { curves, misses: recovery.misses().unwrap_or_default() }
    }
}

/// The position of a grid point.
fn place(n: usize) -> f64 {
    2.0 * n as f64 / (GRID - 1) as f64 - 1.0
}

/// Errors of the networks h(Σ g(x)) over the steps.
#[derive(Debug, Clone, Default)]
pub struct StudyFigures {
    /// Step numbers, and the error of each network after them.
    pub history: Vec<(u64, Vec<f64>)>,
    /// The latest errors by width, as width and error.
    pub widths: Vec<(usize, f64)>,
    /// The latest errors by set size, as size and error.
    pub sizes: Vec<(usize, f64)>,
}

impl StudyFigures {
    /// Results of networks at their start.
    pub fn of(study: &Study) -> Self {
        let mut figures = Self::default();
        figures.take(study, study.errors().unwrap_or_default());
        figures
    }

    /// Adds errors.
    pub fn take(&mut self, study: &Study, errors: Vec<f64>) {
        let options: Vec<_> = study.fits().iter().map(crate::lab::theorem::Fit::options).collect();
        let differ_in_size = options.windows(2).any(|pair| pair[0].size != pair[1].size);
        let each = options.iter().zip(&errors);
        if differ_in_size {
            self.sizes = each.map(|(own, error)| (own.size, *error)).collect();
        } else {
            self.widths = each.map(|(own, error)| (own.width, *error)).collect();
        }
        self.history.push((study.steps(), errors));
    }

    /// Starts again for another study of the same target.
    pub fn begin(&mut self, study: &Study) {
        self.history.clear();
        self.take(study, study.errors().unwrap_or_default());
    }
}
