//! Eigenpairs as evidence: training does not need them, so they are computed
//! beside it when a screen shows them, and given up when it no longer does.

use std::sync::Arc;

use super::filter::FilterFacts;
use super::map::LayoutKind;
use super::message::Effect;
use super::questions::Question;
use super::state::{Screen, State};
use crate::lab::Experiment;
use crate::model::request;
use crate::spectral::{Engine, Matrix, Spectrum};

/// What is known of the eigenpairs of the graph that is open.
#[derive(Debug, Clone, Default)]
pub enum Eigenpairs {
    /// Nobody wanted them yet.
    #[default]
    Unasked,
    /// They are being computed.
    Asked,
    /// They are there.
    Found(Arc<Spectrum>),
    /// They cannot be had.
    Refused(String),
}

/// The eigenpairs of the graph that is open, where they are known.
pub(super) fn eigenpairs(state: &State) -> Option<&Arc<Spectrum>> {
    let own = state.session.ready.as_ref().and_then(|ready| ready.ground.spectrum.as_ref());
    own.or(match &state.eigenpairs {
        Eigenpairs::Found(spectrum) => Some(spectrum),
        _ => None,
    })
}

fn is_wanted(state: &State) -> bool {
    match state.screen {
        Screen::Filter => true,
        Screen::Map => state.map.layout == LayoutKind::Spectral,
        Screen::Lab => state.lab.as_ref().is_some_and(|lab| lab.open == Experiment::Filters),
        Screen::Train | Screen::Node | Screen::Runs => false,
    }
}

/// Asks for eigenpairs when a screen wants them, and gives them up when none
/// does.
pub(super) fn follow(state: &mut State) -> Vec<Effect> {
    let Some(ready) = state.session.ready.clone() else { return Vec::new() };
    match (&state.eigenpairs, is_wanted(state)) {
        (Eigenpairs::Unasked, true) if ready.ground.spectrum.is_none() => {
            let choice = request(&ready.settings).choice(&ready.ground.matrix);
            if choice.engine == Engine::Chebyshev {
                state.eigenpairs = Eigenpairs::Refused(choice.reason);
                return Vec::new();
            }
            state.eigenpairs = Eigenpairs::Asked;
            vec![Effect::Ask(Question::Spectrum(ready))]
        }
        (Eigenpairs::Asked, false) => {
            state.eigenpairs = Eigenpairs::Unasked;
            vec![Effect::WithdrawSpectrum]
        }
        _ => Vec::new(),
    }
}

/// Takes eigenpairs that were asked for, unless another graph came meanwhile.
pub(super) fn take(state: &mut State, of: &Arc<Matrix>, found: Result<Arc<Spectrum>, String>) {
    let Some(ready) = state.session.ready.clone() else { return };
    if !Arc::ptr_eq(&ready.ground.matrix, of) {
        return;
    }
    state.eigenpairs = match found {
        Ok(spectrum) => {
            let mut facts = FilterFacts::of(&ready.ground, Some(&spectrum));
            if let Some(before) = state.facts.as_ref().filter(|_| !facts.counted) {
                facts.keep_counts(before);
            }
            state.facts = Some(facts);
            Eigenpairs::Found(spectrum)
        }
        Err(why) => Eigenpairs::Refused(why),
    };
}
