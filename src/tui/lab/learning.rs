//! What learns in the lab: a few steps at a desk, the figures back, and on.

use std::fmt;

use super::{Learning, RecoveryFigures};
use crate::lab::filters::Recovery;
use crate::lab::theorem::{Fit, FitOptions, Study};
use crate::lab::{Lab, LabError};
use crate::spectral::Cancel;
use crate::tui::message::{Effect, Message};
use crate::tui::questions::Question;
use crate::tui::state::State;

/// Steps between two looks at what was learned.
const STEPS: usize = 10;
/// Sizes of sets that are learned side by side.
const SIZES: [usize; 4] = [1, 2, 4, 8];
/// The width of g where the size of sets differs.
const WIDTH: usize = 4;

/// Something to be trained for a few steps.
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

/// What came of it.
#[derive(Debug, Clone)]
pub enum Learned {
    /// The networks h(Σ g(x)), and their errors.
    Study(Chunk<Study>, Vec<f64>),
    /// The learners of a planted filter, and what they have come to.
    Recovery(Chunk<Recovery>, RecoveryFigures),
    /// It could not go on.
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

/// Takes what was learned, and asks for more where it goes on.
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
        // The question has changed meanwhile.
        Learned::Study(..) | Learned::Recovery(..) => Vec::new(),
        Learned::Failed(why) => {
            (view.study.on, view.recovery.on) = (false, false);
            (view.study.asked, view.recovery.asked) = (false, false);
            state.notices.fail(why);
            Vec::new()
        }
    }
}

impl Learning {
    /// Whether a stretch is to be asked for now; from then on it is under way.
    fn is_due(&mut self) -> bool {
        let due = self.on && !self.asked;
        self.asked |= due;
        due
    }

    /// Something else is learned from now on.
    fn renew(&mut self) {
        self.round += 1;
        self.asked = false;
    }
}

/// Asks for a stretch of the networks' training, where they learn.
pub(in crate::tui) fn ask_study(state: &mut State) -> Vec<Effect> {
    let Some(lab) = state.lab.as_ref().filter(|_| state.lab_view.study.is_due()) else {
        return Vec::new();
    };
    let (round, subject) = (state.lab_view.study.round, Box::new(lab.study.clone()));
    vec![Effect::Ask(Question::Study(Chunk { round, subject }))]
}

/// Asks for a stretch of the learners' training, where they learn.
pub(in crate::tui) fn ask_recovery(state: &mut State) -> Vec<Effect> {
    let Some(lab) = state.lab.as_ref().filter(|_| state.lab_view.recovery.is_due()) else {
        return Vec::new();
    };
    let (round, subject) = (state.lab_view.recovery.round, Box::new(lab.recovery.clone()));
    vec![Effect::Ask(Question::Recovery(Chunk { round, subject }))]
}

/// Lets the networks learn, or holds them; those that are done begin anew.
pub(in crate::tui) fn toggle_study(state: &mut State) -> Vec<Effect> {
    let done = state.lab.as_ref().is_some_and(|lab| lab.study.is_done());
    state.lab_view.study.on = !state.lab_view.study.on;
    if done && state.lab_view.study.on {
        return renew_study(state);
    }
    ask_study(state)
}

/// Lets the learners follow the signals, or holds them; those that are done
/// begin anew.
pub(in crate::tui) fn toggle_recovery(state: &mut State) -> Vec<Effect> {
    let done = state.lab.as_ref().is_some_and(|lab| lab.recovery.is_done());
    state.lab_view.recovery.on = !state.lab_view.recovery.on;
    if done && state.lab_view.recovery.on {
        return renew_recovery(state, Recovery::restart);
    }
    ask_recovery(state)
}

/// Begins the networks anew, with the question that is asked now.
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

/// Looks at the error against the width of g, or against the size of sets.
pub(in crate::tui) fn by_size(state: &mut State) -> Vec<Effect> {
    state.lab_view.by_size = !state.lab_view.by_size;
    renew_study(state)
}

/// Changes what is planted, or where; the learners begin anew.
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
