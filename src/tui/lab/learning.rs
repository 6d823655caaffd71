//! Training in the lab: a background job runs a few steps, returns the results, and
//! is requested again.

use std::fmt;

use super::{LabTraining, RecoveryFigures};
use crate::lab::filters::Recovery;
use crate::lab::theorem::{Fit, FitOptions, Study};
use crate::lab::{Lab, LabError};
use crate::spectral::Cancel;
use crate::tui::jobs::Job;
use crate::tui::message::{Effect, Message};
use crate::tui::state::State;

/// Training steps per job.
const STEPS: usize = 10;
/// Set sizes trained side by side.
const SIZES: [usize; 4] = [1, 2, 4, 8];
/// The width of g when the set size varies.
const WIDTH: usize = 4;

/// A model to train for a few steps.
#[derive(Clone)]
pub struct Chunk<T> {
    round: u64,
    subject: Box<T>,
}

impl<T> fmt::Debug for Chunk<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chunk").field("round", &self.round).finish_non_exhaustive()
    }
}

/// The result of a job.
#[derive(Debug, Clone)]
pub enum Learned {
    /// The networks h(Σ g(x)), and their errors.
    Study(Chunk<Study>, Vec<f64>),
    /// The learners of a planted filter, and their results.
    Recovery(Chunk<Recovery>, RecoveryFigures),
    /// Training failed.
    Failed(String),
}

/// Trains the networks for a few steps.
pub(in crate::tui) fn train_study(chunk: Chunk<Study>, cancel: &Cancel) -> Option<Message> {
    let Chunk { round, mut subject } = chunk;
    let trained = steps(cancel, || subject.step()).and_then(|()| subject.errors());
    if cancel.is_cancelled() {
        return None;
    }
    Some(Message::Learned(match trained {
        Ok(errors) => Learned::Study(Chunk { round, subject }, errors),
        Err(error) => Learned::Failed(error.to_string()),
    }))
}

/// Trains the learners of a planted filter for a few steps.
pub(in crate::tui) fn train_recovery(chunk: Chunk<Recovery>, cancel: &Cancel) -> Option<Message> {
    let Chunk { round, mut subject } = chunk;
    let trained = steps(cancel, || subject.step());
    if cancel.is_cancelled() {
        return None;
    }
    let figures = RecoveryFigures::of(&subject);
    Some(Message::Learned(match trained {
        Ok(()) => Learned::Recovery(Chunk { round, subject }, figures),
        Err(error) => Learned::Failed(error.to_string()),
    }))
}

fn steps(cancel: &Cancel, mut step: impl FnMut() -> Result<(), LabError>) -> Result<(), LabError> {
    (0..STEPS).filter(|_| !cancel.is_cancelled()).try_for_each(|_| step())
}

/// Stores a result and requests the next job if training continues.
pub(in crate::tui) fn take(state: &mut State, learned: Learned) -> Vec<Effect> {
    let Some(lab) = &mut state.lab else { return Vec::new() };
    let view = &mut state.lab_view;
    match learned {
        Learned::Study(chunk, errors) if chunk.round == view.study.round => {
            view.study.asked = false;
            view.study_figures.take(&chunk.subject, errors);
            lab.study = *chunk.subject;
            view.study.on &= !lab.study.is_done();
            ask_study(state)
        }
        Learned::Recovery(chunk, figures) if chunk.round == view.recovery.round => {
            view.recovery.asked = false;
            view.recovery_figures = figures;
            lab.recovery = *chunk.subject;
            view.recovery.on &= !lab.recovery.is_done();
            ask_recovery(state)
        }
        // The experiment has changed in the meantime.
        Learned::Study(..) | Learned::Recovery(..) => Vec::new(),
        Learned::Failed(why) => {
            (view.study.on, view.recovery.on) = (false, false);
            (view.study.asked, view.recovery.asked) = (false, false);
            state.notices.fail(why);
            Vec::new()
        }
    }
}

impl LabTraining {
    /// Whether a job should be requested now; if so, marks it as running.
    fn is_due(&mut self) -> bool {
        let due = self.on && !self.asked;
        self.asked |= due;
        due
    }

    /// Discards the results of a running job.
    fn renew(&mut self) {
        self.round += 1;
        self.asked = false;
    }
}

/// Requests the next training job for the networks, if they are training.
pub(in crate::tui) fn ask_study(state: &mut State) -> Vec<Effect> {
    let Some(lab) = state.lab.as_ref().filter(|_| state.lab_view.study.is_due()) else {
        return Vec::new();
    };
    let (round, subject) = (state.lab_view.study.round, Box::new(lab.study.clone()));
    vec![Effect::Ask(Job::Study(Chunk { round, subject }))]
}

/// Requests the next training job for the learners, if they are training.
pub(in crate::tui) fn ask_recovery(state: &mut State) -> Vec<Effect> {
    let Some(lab) = state.lab.as_ref().filter(|_| state.lab_view.recovery.is_due()) else {
        return Vec::new();
    };
    let (round, subject) = (state.lab_view.recovery.round, Box::new(lab.recovery.clone()));
    vec![Effect::Ask(Job::Recovery(Chunk { round, subject }))]
}

/// Starts or pauses the networks; finished ones restart.
pub(in crate::tui) fn toggle_study(state: &mut State) -> Vec<Effect> {
    let done = state.lab.as_ref().is_some_and(|lab| lab.study.is_done());
    state.lab_view.study.on = !state.lab_view.study.on;
    if done && state.lab_view.study.on {
        return renew_study(state);
    }
    ask_study(state)
}

/// Starts or pauses the learners; finished ones restart.
pub(in crate::tui) fn toggle_recovery(state: &mut State) -> Vec<Effect> {
    let done = state.lab.as_ref().is_some_and(|lab| lab.recovery.is_done());
    state.lab_view.recovery.on = !state.lab_view.recovery.on;
    if done && state.lab_view.recovery.on {
        return renew_recovery(state, Recovery::restart);
    }
    ask_recovery(state)
}

/// Restarts the networks with the current target.
pub(in crate::tui) fn renew_study(state: &mut State) -> Vec<Effect> {
    let Some(lab) = &mut state.lab else { return Vec::new() };
    let begun = if state.lab_view.by_size { renew_by_size(lab) } else { lab.renew_study() };
    if let Err(error) = begun {
        state.notices.fail(error.to_string());
        return Vec::new();
    }
    state.lab_view.study.renew();
    state.lab_view.study_figures.begin(&lab.study);
    ask_study(state)
}

fn renew_by_size(lab: &mut Lab) -> Result<(), LabError> {
    let options = lab.study.fits().first().map_or_else(FitOptions::default, Fit::options);
    let options = FitOptions { target: lab.theorem.target(), width: WIDTH, ..options };
    lab.study.replace(Study::of_sizes(options, &SIZES)?);
    Ok(())
}

/// Toggles between error by width of g and error by set size.
pub(in crate::tui) fn by_size(state: &mut State) -> Vec<Effect> {
    state.lab_view.by_size = !state.lab_view.by_size;
    renew_study(state)
}

/// Changes the planted filter or its graph; the learners restart.
pub(in crate::tui) fn renew_recovery(
    state: &mut State,
    change: impl FnOnce(&mut Recovery) -> Result<(), LabError>,
) -> Vec<Effect> {
    let Some(lab) = &mut state.lab else { return Vec::new() };
    if let Err(error) = change(&mut lab.recovery) {
        state.notices.fail(error.to_string());
        return Vec::new();
    }
    state.lab_view.recovery.renew();
    state.lab_view.recovery_figures = RecoveryFigures::of(&lab.recovery);
    ask_recovery(state)
}
