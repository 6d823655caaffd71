//! All forms of ρ learning the same planted filter in one run.

use std::sync::Arc;

use super::{Learner, Misses, Planted, PlantedFilter, SyntheticGraph};
use crate::LabError;
use crate::lessons::Facts;
use gesf_core::model::settings::FilterShape;
use gesf_spectral::Spectrum;

/// The forms that learn side by side.
pub const FORMS: [FilterShape; 5] = [
    FilterShape::Mlp,
    FilterShape::ResidualMlp,
    FilterShape::Monomial,
    FilterShape::Chebyshev,
    FilterShape::Bernstein,
];

/// The options of a recovery.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecoveryOptions {
    /// Hidden units h of the networks; every form has 3h + 1 parameters.
    pub hidden: usize,
    /// Number of signals.
    pub signals: usize,
    /// The initial learning rate.
    pub rate: f64,
    /// Steps until it reaches 0.
    pub steps: usize,
    /// The seed of signals and initializations.
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
/// use gesf_lab::filters::{FORMS, Recovery, RecoveryOptions, SyntheticGraph, PlantedFilter};
///
/// let options = RecoveryOptions { steps: 40, ..RecoveryOptions::default() };
/// let mut run = Recovery::on(SyntheticGraph::Path, PlantedFilter::Low, options)?;
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
    /// A run on one of the synthetic graphs.
    pub fn on(
        stage: SyntheticGraph,
        target: PlantedFilter,
        options: RecoveryOptions,
    ) -> Result<Self, LabError> {
        Self::new(stage.name(), stage.spectrum()?, target, options)
    }

    /// A run on any spectrum.
    pub fn new(
        name: &str,
        spectrum: Arc<Spectrum>,
        target: PlantedFilter,
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

    /// Switches to another graph with the same target; learners restart, and the
    /// counts stay.
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

    /// Plants another target and restarts the learners.
    pub fn plant(&mut self, target: PlantedFilter) -> Result<(), LabError> {
        let RecoveryOptions { signals, seed, .. } = self.options;
        let planted = Planted::new(&self.spectrum, target, signals, seed)?;
        let fresh = learners(self.options)?;
        (self.planted, self.learners) = (planted, fresh);
        Ok(())
    }

    /// Moves a point of the drawn curve; another target is first converted into a
    /// drawn one. Learners restart.
    pub fn draw(&mut self, s: f64, height: f64) -> Result<(), LabError> {
        let mut drawn = match self.planted.target() {
            PlantedFilter::Drawn(drawn) => drawn.clone(),
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
        self.plant(PlantedFilter::Drawn(drawn))
    }

    /// Restarts the learners.
    pub fn restart(&mut self) -> Result<(), LabError> {
        self.learners = learners(self.options)?;
        Ok(())
    }

    /// The name of the graph.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The planted filter.
    pub fn planted(&self) -> &Planted {
        &self.planted
    }

    /// The learners, in the order of [`FORMS`].
    pub fn learners(&self) -> &[Learner] {
        &self.learners
    }

    /// Number of steps the learners have done.
    pub fn steps(&self) -> u64 {
        self.learners.first().map_or(0, Learner::steps)
    }

    /// Whether all steps are done.
    pub fn is_done(&self) -> bool {
        self.learners.iter().all(Learner::is_done)
    }

    /// The error of each learner; `None` if the target is not a curve.
    pub fn misses(&self) -> Result<Vec<Option<Misses>>, LabError> {
        self.learners.iter().map(|learner| learner.misses(&self.planted)).collect()
    }

    /// The form with the smallest error at the eigenvalues, and its error.
    pub fn best(&self) -> Option<(FilterShape, Misses)> {
        let misses = self.misses().ok()?;
        let known = FORMS.into_iter().zip(misses).filter_map(|(form, own)| Some((form, own?)));
        known.min_by(|a, b| a.1.at.total_cmp(&b.1.at))
    }

    /// Reports the facts.
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
    use crate::filters::Drawn;

    fn run(stage: SyntheticGraph, target: PlantedFilter, options: RecoveryOptions) -> Recovery {
        let mut recovery = Recovery::on(stage, target, options).unwrap();
        while !recovery.is_done() {
            recovery.step().unwrap();
        }
        recovery
    }

    #[test]
    fn filters_planted_on_distinct_eigenvalues_are_recovered() {
        let targets = [
            PlantedFilter::Low,
            PlantedFilter::High,
            PlantedFilter::Band,
            PlantedFilter::Reject,
            PlantedFilter::Comb,
        ];
        let runs: Vec<Recovery> = std::thread::scope(|scope| {
            let started: Vec<_> = targets
                .into_iter()
                .map(|target| {
                    scope.spawn(|| run(SyntheticGraph::Path, target, RecoveryOptions::default()))
                })
                .collect();
            started.into_iter().map(|run| run.join().unwrap()).collect()
        });
        for recovery in runs {
            let name = recovery.planted().target().name();
            let off: Vec<f64> =
                recovery.misses().unwrap().into_iter().map(|misses| misses.unwrap().at).collect();
            let [mlp, residual, monomial, chebyshev, bernstein] = off[..] else { panic!() };
            // A comb has a cusp, which no smooth form approximates closely.
            let bars = if name == "comb" { [0.06, 0.02, 0.04] } else { [0.03, 0.001, 0.015] };
            assert!(mlp.max(residual) < bars[0], "{name}: {off:?}");
            assert!(chebyshev < bars[1] && bernstein < bars[2], "{name}: {off:?}");
            // The same functions in a basis of nearly dependent elements learn
            // slowly.
            assert!(monomial > 3.0 * chebyshev, "{name}: {off:?}");
            assert!(recovery.best().unwrap().1.at <= chebyshev);
        }
    }

    #[test]
    fn all_forms_have_the_same_number_of_parameters() {
        let recovery =
            Recovery::on(SyntheticGraph::Ring, PlantedFilter::Low, RecoveryOptions::default())
                .unwrap();
        assert!(recovery.learners().iter().all(|own| own.parameters() == 16));
    }

    #[test]
    fn eigenvectors_that_share_an_eigenvalue_cannot_be_separated() {
        let options = RecoveryOptions { steps: 200, ..RecoveryOptions::default() };
        let ring = run(SyntheticGraph::Ring, PlantedFilter::EveryOther, options);
        let floor = ring.planted().floor();
        assert!(ring.planted().repeated() > 20 && floor > 0.2, "{floor}");
        for learner in ring.learners() {
            assert!(learner.loss() > 0.99 * floor, "{:?} {}", learner.form(), learner.loss());
        }
        let path = Recovery::on(SyntheticGraph::Path, PlantedFilter::EveryOther, options).unwrap();
        assert!(path.planted().repeated() == 0 && path.planted().floor() < 1e-9);
        let low = Recovery::on(SyntheticGraph::Ring, PlantedFilter::Low, options).unwrap();
        assert!(low.planted().floor() < 1e-9, "a true filter gives them the same value");
    }

    #[test]
    fn without_eigenvalues_the_filter_stays_unknown() {
        let options = RecoveryOptions { steps: 400, ..RecoveryOptions::default() };
        let star = run(SyntheticGraph::Star, PlantedFilter::Comb, options);
        assert_eq!(star.planted().gaps().len(), 2);
        let misses = star.best().unwrap().1;
        assert!(misses.at < 0.02 && misses.between > 0.3, "{misses:?}");
    }

    #[test]
    fn filters_that_differ_only_between_eigenvalues_give_the_same_signals() {
        let mut other = Drawn::default();
        other.draw(0.5, -1.0);
        other.draw(-0.5, 1.5);
        let spectrum = SyntheticGraph::Star.spectrum().unwrap();
        let signals = |drawn: Drawn| {
            let planted = Planted::new(&spectrum, PlantedFilter::Drawn(drawn), 4, 1).unwrap();
            planted.wanted.flatten_all().unwrap().to_vec1::<f32>().unwrap()
        };
        let pairs = signals(Drawn::default()).into_iter().zip(signals(other));
        let apart = pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
        assert!(apart < 1e-5, "{apart}");
    }

    #[test]
    fn a_drawn_curve_is_planted_and_learners_restart() {
        let options = RecoveryOptions { steps: 20, ..RecoveryOptions::default() };
        let mut recovery = run(SyntheticGraph::Path, PlantedFilter::Low, options);
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
            let recovery = run(SyntheticGraph::Ring, PlantedFilter::Band, options);
            recovery.learners().iter().map(|own| own.loss().to_bits()).collect::<Vec<_>>()
        };
        assert_eq!(losses(), losses());
    }
}
