//! Eigenpairs for display: training does not need them, so they are computed in the
//! background when a screen shows them, and cancelled when it no longer does.

use std::sync::Arc;

use super::filter::FilterFacts;
use super::jobs::Job;
use super::map::{ColourBy, LayoutKind};
use super::message::Effect;
use super::state::{Screen, State};
use crate::lab::Experiment;
use crate::model::request;
use crate::spectral::{Engine, Matrix, Spectrum};

/// The status of the eigenpairs of the open graph.
#[derive(Debug, Clone, Default)]
pub enum Eigenpairs {
    /// Not requested yet.
    #[default]
    Unasked,
    /// Being computed.
    Asked,
    /// Available.
    Found(Arc<Spectrum>),
    /// Could not be computed.
    Refused(String),
}

/// The eigenpairs of the open graph, if available.
pub(super) fn eigenpairs(state: &State) -> Option<&Arc<Spectrum>> {
    let own = state.graph.session.ready.as_ref().and_then(|ready| ready.prepared.spectrum.as_ref());
    own.or(match &state.graph.eigenpairs {
        Eigenpairs::Found(spectrum) => Some(spectrum),
        _ => None,
    })
}

fn is_wanted(state: &State) -> bool {
    match state.screen {
        Screen::Filter => true,
        Screen::Map | Screen::Overview => {
            let map = &state.graph.map;
            map.layout == LayoutKind::Spectral || map.colour == ColourBy::Eigenvector
        }
        Screen::Lab => state.lab.as_ref().is_some_and(|lab| lab.open == Experiment::Filters),
        Screen::Train | Screen::Node | Screen::Runs => false,
    }
}

/// Requests eigenpairs when a screen needs them, and cancels when none does.
pub(super) fn follow(state: &mut State) -> Vec<Effect> {
    let Some(ready) = state.graph.session.ready.clone() else { return Vec::new() };
    match (&state.graph.eigenpairs, is_wanted(state)) {
        (Eigenpairs::Unasked, true) if ready.prepared.spectrum.is_none() => {
            let choice = request(&ready.settings).choice(&ready.prepared.matrix);
            if choice.engine == Engine::Chebyshev {
                state.graph.eigenpairs = Eigenpairs::Refused(choice.reason);
                return Vec::new();
            }
            state.graph.eigenpairs = Eigenpairs::Asked;
            vec![Effect::Ask(Job::Spectrum(ready))]
        }
        (Eigenpairs::Asked, false) => {
            state.graph.eigenpairs = Eigenpairs::Unasked;
            vec![Effect::WithdrawSpectrum]
        }
        _ => Vec::new(),
    }
}

/// Stores requested eigenpairs, unless another graph was opened meanwhile.
pub(super) fn take(state: &mut State, of: &Arc<Matrix>, found: Result<Arc<Spectrum>, String>) {
    let Some(ready) = state.graph.session.ready.clone() else { return };
    if !Arc::ptr_eq(&ready.prepared.matrix, of) {
        return;
    }
    state.graph.eigenpairs = match found {
        Ok(spectrum) => {
            let mut facts = FilterFacts::of(&ready.prepared, Some(&spectrum));
            if let Some(before) = state.graph.facts.as_ref().filter(|_| !facts.counted) {
                facts.keep_counts(before);
            }
            state.graph.facts = Some(facts);
            Eigenpairs::Found(spectrum)
        }
        Err(why) => Eigenpairs::Refused(why),
    };
}
