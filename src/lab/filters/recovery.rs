//! All forms of ρ learning the same planted filter in one run.

use std::sync::Arc;

use super::{Learner, Misses, Planted, Stage, Target};
use crate::lab::LabError;
use crate::lab::lessons::Facts;
use crate::model::settings::FilterShape;
use crate::spectral::Spectrum;

/// The forms that learn side by side.
pub const FORMS: [FilterShape; 5] = [
    FilterShape::Mlp,
    FilterShape::ResidualMlp,
    FilterShape::Monomial,
    FilterShape::Chebyshev,
    FilterShape::Bernstein,
];

/// How a filter is learned back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecoveryOptions {
    /// Hidden units h of the networks; every form has 3h + 1 parameters.
    pub hidden: usize,
    /// Signals that are shown.
    pub signals: usize,
    /// The step size at the start.
    pub rate: f64,
    /// Steps until it has shrunk to nothing.
    pub steps: usize,
    /// Fixes signals and starts.
    pub seed: u64,
}

impl Default for RecoveryOptions {
    fn default() -> Self {
        Self { hidden: 5, signals: 8, rate: 0.05, steps: 2000, seed: 1 }
    }
}

/// The run.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::lab::filters::{FORMS, Recovery, RecoveryOptions, Stage, Target};
///
/// let options = RecoveryOptions { steps: 40, ..RecoveryOptions::default() };
/// let mut run = Recovery::on(Stage::Path, Target::Low, options)?;
/// run.step()?;
/// let losses = |run: &Recovery| run.learners().iter().map(|own| own.loss()).collect::<Vec<_>>();
/// let before = losses(&run);
/// while !run.is_done() {
///     run.step()?;
/// }
/// assert_eq!(before.len(), FORMS.len());
/// assert!(losses(&run).iter().zip(&before).all(|(now, before)| now < before));
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Recovery {
    name: String,
    spectrum: Arc<Spectrum>,
    options: RecoveryOptions,
    planted: Planted,
    learners: Vec<Learner>,
    strokes: u32,
    total_steps: u64,
}

impl Recovery {
    /// A run on one of the graphs of the experiment.
    pub fn on(stage: Stage, target: Target, options: RecoveryOptions) -> Result<Self, LabError> {
        Self::new(stage.name(), stage.spectrum()?, target, options)
    }

    /// A run on the spectrum of any graph.
    pub fn new(
        name: &str,
        spectrum: Arc<Spectrum>,
        target: Target,
        options: RecoveryOptions,
    ) -> Result<Self, LabError> {
        let options = RecoveryOptions { hidden: options.hidden.clamp(1, 21), ..options };
        let planted = Planted::new(&spectrum, target, options.signals, options.seed)?;
        let learners = learners(options)?;
        let name = name.to_owned();
        Ok(Self { name, spectrum, options, planted, learners, strokes: 0, total_steps: 0 })
    }

    /// One step of every learner.
    pub fn step(&mut self) -> Result<(), LabError> {
        if self.is_done() {
            return Ok(());
        }
        for learner in &mut self.learners {
            learner.step(&self.planted)?;
        }
        self.total_steps += 1;
        Ok(())
    }

    /// Goes to another graph with the same target; learners start anew, and
    /// what was counted stays.
    pub fn move_to(&mut self, name: &str, spectrum: Arc<Spectrum>) -> Result<(), LabError> {
        let before = std::mem::replace(&mut self.spectrum, spectrum);
        let target = self.planted.target().clone();
        if let Err(error) = self.plant(target) {
            self.spectrum = before;
            return Err(error);
        }
        name.clone_into(&mut self.name);
        Ok(())
    }

    /// Plants another target and starts the learners anew.
    pub fn plant(&mut self, target: Target) -> Result<(), LabError> {
        let RecoveryOptions { signals, seed, .. } = self.options;
        let planted = Planted::new(&self.spectrum, target, signals, seed)?;
        let fresh = learners(self.options)?;
        (self.planted, self.learners) = (planted, fresh);
        Ok(())
    }

    /// Moves a point of the curve that is drawn by hand; a target that is not
    /// drawn becomes one, with its own heights. Learners start anew.
    pub fn draw(&mut self, s: f64, height: f64) -> Result<(), LabError> {
        let mut drawn = match self.planted.target() {
            Target::Drawn(drawn) => drawn.clone(),
            other => {
                let mut fresh = super::Drawn::default();
                let places: Vec<f64> = fresh.points().map(|(s, _)| s).collect();
                for s in places {
                    fresh.draw(s, other.at(s).unwrap_or(0.0));
                }
                fresh
            }
        };
        drawn.draw(s, height);
        self.strokes += 1;
        self.plant(Target::Drawn(drawn))
    }

    /// Starts the learners anew.
    pub fn restart(&mut self) -> Result<(), LabError> {
        self.learners = learners(self.options)?;
        Ok(())
    }

    /// The name of the graph.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What was planted.
    pub fn planted(&self) -> &Planted {
        &self.planted
    }

    /// The learners, in the order of [`FORMS`].
    pub fn learners(&self) -> &[Learner] {
        &self.learners
    }

    /// How many steps the learners have made.
    pub fn steps(&self) -> u64 {
        self.learners.first().map_or(0, Learner::steps)
    }

    /// Whether all steps are made.
    pub fn is_done(&self) -> bool {
        self.learners.iter().all(Learner::is_done)
    }

    /// How far each learner is off; `None` where the target is no curve.
    pub fn misses(&self) -> Result<Vec<Option<Misses>>, LabError> {
        self.learners.iter().map(|learner| learner.misses(&self.planted)).collect()
    }

    /// The form that is nearest at the eigenvalues, and how near.
    pub fn best(&self) -> Option<(FilterShape, Misses)> {
        let misses = self.misses().ok()?;
        let known = FORMS.into_iter().zip(misses).filter_map(|(form, own)| Some((form, own?)));
        known.min_by(|a, b| a.1.at.total_cmp(&b.1.at))
    }

    /// Tells what was done and seen.
    pub fn report(&self, facts: &mut Facts) {
        facts.word("experiment", "filters");
        facts.word("planted", self.planted.target().name());
        facts.word("planted_on", &self.name);
        facts.number("recovery_steps", self.total_steps as f64);
        facts.number("strokes", f64::from(self.strokes));
        facts.number("recovery_floor", self.planted.floor());
        let least = self.learners.iter().map(Learner::loss).fold(f64::INFINITY, f64::min);
        if least.is_finite() {
            facts.number("recovery_loss", least);
        }
        if let Some((_, misses)) = self.best() {
            facts.number("recovery_error", misses.at);
            facts.number("recovery_error_between", misses.between);
        }
    }
}

fn learners(options: RecoveryOptions) -> Result<Vec<Learner>, LabError> {
    let RecoveryOptions { hidden, rate, steps, seed, .. } = options;
    FORMS.into_iter().map(|form| Learner::new(form, hidden, (rate, steps), seed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::filters::Drawn;

    fn run(stage: Stage, target: Target, options: RecoveryOptions) -> Recovery {
        let mut recovery = Recovery::on(stage, target, options).unwrap();
        while !recovery.is_done() {
            recovery.step().unwrap();
        }
        recovery
    }

    #[test]
    fn filters_planted_where_eigenvalues_are_distinct_are_found_again() {
        let targets = [Target::Low, Target::High, Target::Band, Target::Reject, Target::Comb];
        let runs: Vec<Recovery> = std::thread::scope(|scope| {
            let started: Vec<_> = targets
                .into_iter()
                .map(|target| scope.spawn(|| run(Stage::Path, target, RecoveryOptions::default())))
                .collect();
            started.into_iter().map(|run| run.join().unwrap()).collect()
        });
        for recovery in runs {
            let name = recovery.planted().target().name();
            let off: Vec<f64> =
                recovery.misses().unwrap().into_iter().map(|misses| misses.unwrap().at).collect();
            let [mlp, residual, monomial, chebyshev, bernstein] = off[..] else { panic!() };
            // A comb has a cusp, which nothing smooth follows closely.
            let bars = if name == "comb" { [0.06, 0.02, 0.04] } else { [0.03, 0.001, 0.015] };
            assert!(mlp.max(residual) < bars[0], "{name}: {off:?}");
            assert!(chebyshev < bars[1] && bernstein < bars[2], "{name}: {off:?}");
            // The same functions in a basis of nearly equal elements learn slowly.
            assert!(monomial > 3.0 * chebyshev, "{name}: {off:?}");
            assert!(recovery.best().unwrap().1.at <= chebyshev);
        }
    }

    #[test]
    fn all_forms_learn_as_many_numbers() {
        let recovery = Recovery::on(Stage::Ring, Target::Low, RecoveryOptions::default()).unwrap();
        assert!(recovery.learners().iter().all(|own| own.parameters() == 16));
    }

    #[test]
    fn eigenvectors_that_share_an_eigenvalue_cannot_be_told_apart() {
        let options = RecoveryOptions { steps: 200, ..RecoveryOptions::default() };
        let ring = run(Stage::Ring, Target::EveryOther, options);
        let floor = ring.planted().floor();
        assert!(ring.planted().repeated() > 20 && floor > 0.2, "{floor}");
        for learner in ring.learners() {
            assert!(learner.loss() > 0.99 * floor, "{:?} {}", learner.form(), learner.loss());
        }
        let path = Recovery::on(Stage::Path, Target::EveryOther, options).unwrap();
        assert!(path.planted().repeated() == 0 && path.planted().floor() < 1e-9);
        let low = Recovery::on(Stage::Ring, Target::Low, options).unwrap();
        assert!(low.planted().floor() < 1e-9, "a true filter gives them the same value");
    }

    #[test]
    fn where_the_graph_has_no_frequency_the_filter_stays_unknown() {
        let options = RecoveryOptions { steps: 400, ..RecoveryOptions::default() };
        let star = run(Stage::Star, Target::Comb, options);
        assert_eq!(star.planted().gaps().len(), 2);
        let misses = star.best().unwrap().1;
        assert!(misses.at < 0.02 && misses.between > 0.3, "{misses:?}");
    }

    #[test]
    fn filters_that_differ_between_the_frequencies_make_the_same_signals() {
        let mut other = Drawn::default();
        other.draw(0.5, -1.0);
        other.draw(-0.5, 1.5);
        let spectrum = Stage::Star.spectrum().unwrap();
        let signals = |drawn: Drawn| {
            let planted = Planted::new(&spectrum, Target::Drawn(drawn), 4, 1).unwrap();
            planted.wanted.flatten_all().unwrap().to_vec1::<f32>().unwrap()
        };
        let pairs = signals(Drawn::default()).into_iter().zip(signals(other));
        let apart = pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
        assert!(apart < 1e-5, "{apart}");
    }

    #[test]
    fn a_curve_drawn_by_hand_is_planted_and_learners_start_anew() {
        let options = RecoveryOptions { steps: 20, ..RecoveryOptions::default() };
        let mut recovery = run(Stage::Path, Target::Low, options);
        assert_eq!(recovery.steps(), 20);
        recovery.draw(0.0, 1.0).unwrap();
        assert_eq!((recovery.steps(), recovery.planted().target().name()), (0, "drawn"));
        assert!((recovery.planted().target().at(0.0).unwrap() - 1.0).abs() < 1e-12);
        assert!((recovery.planted().target().at(1.0).unwrap() - 1.0).abs() < 1e-9);
        let mut facts = Facts::default();
        recovery.report(&mut facts);
        assert_eq!(facts.text("strokes"), Some("1".to_owned()));
    }

    #[test]
    fn the_same_seed_recovers_the_same() {
        let options = RecoveryOptions { steps: 5, ..RecoveryOptions::default() };
        let losses = || {
            let recovery = run(Stage::Ring, Target::Band, options);
            recovery.learners().iter().map(|own| own.loss().to_bits()).collect::<Vec<_>>()
        };
        assert_eq!(losses(), losses());
    }
}
