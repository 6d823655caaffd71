//! What is said of a run, in sentences.

use crate::model::settings::Settings;
use crate::train::{Event, Phase, Snapshot};
use crate::tui::run::{Pane, Run};
use crate::tui::session::difference;
use crate::tui::state::State;
use crate::tui::widgets::short;

/// Epochs over which a figure falls or rises.
const TREND: usize = 10;

/// How the training goes.
pub(super) fn epoch_sentence(state: &State) -> String {
    let run = &state.session.run;
    if run.epochs == 0 {
        return "No epoch is done yet.".to_owned();
    }
    let epoch = run.epochs - 1;
    let mut parts = Vec::new();
    if let Some((loss, trend)) = figure(run, Pane::Loss, epoch) {
        parts.push(format!("loss {}, {trend}", short(f64::from(loss))));
    }
    if let Some((score, _)) = figure(run, Pane::Score, epoch) {
        let name = run.score_name();
        let best = run
            .best_score
            .map(|best| format!(", best validation {} at {}", percent(best.value), best.epoch));
        parts.push(format!("held-out {name} {}{}", percent(score), best.unwrap_or_default()));
    }
    let back = if state.session.at < run.epochs {
        format!(" The model stands at epoch {}.", state.session.at)
    } else {
        String::new()
    };
    format!("Epoch {epoch}: {}.{back}", parts.join("; "))
}

fn figure(run: &Run, pane: Pane, epoch: usize) -> Option<(f32, &'static str)> {
    let series = &run.of(pane).next()?.series;
    let now = series.at(epoch)?;
    let before = series.at(epoch.saturating_sub(TREND)).unwrap_or(now);
    let trend = match now - before {
        by if by.abs() <= 0.005 * before.abs() => "steady",
        by if by < 0.0 => "falling",
        _ => "rising",
    };
    Some((now, trend))
}

fn percent(share: f32) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// What the training does now.
pub(super) fn phase_sentence(state: &State, phase: Phase) -> String {
    let session = &state.session;
    match phase {
        Phase::Preparing => "Preparing: the graph is read.".to_owned(),
        Phase::Running => {
            let first = session.ready.as_ref().map_or(0, |ready| ready.filter_stage.epochs());
            let epochs = session.settings.epochs;
            if first == 0 {
                return format!("Training, {epochs} epochs in all.");
            }
            format!("Training, {epochs} epochs in all, the first {first} to learn the filter.")
        }
        Phase::Paused if session.at < session.run.epochs => {
            format!("Gone back to epoch {} of {}.", session.at, session.run.epochs)
        }
        Phase::Paused => format!("Paused at epoch {}. {}", session.at, epoch_sentence(state)),
        Phase::Finished => format!("Done. {}", epoch_sentence(state)),
    }
}

/// Settings that came into force.
pub(super) fn setting_sentences(before: &Settings, events: &[Event]) -> Vec<String> {
    let mut before = before.clone();
    let mut sentences = Vec::new();
    for event in events {
        match event {
            Event::Changed { epoch, settings } => {
                let what = difference(&before, settings).replace('→', " to ");
                sentences.push(format!("From epoch {epoch} on: {what}."));
                before = settings.as_ref().clone();
            }
            Event::Ready(ready) => before = ready.settings.clone(),
            _ => {}
        }
    }
    sentences
}

/// The learned filter.
pub(super) fn filter_sentence(state: &State) -> String {
    let Some(snapshot) = &state.session.snapshot else {
        return "There is no filter yet.".to_owned();
    };
    let curve = &snapshot.curve;
    let at = |s: f32| {
        let place = f32::midpoint(s, 1.0) * (Snapshot::POINTS - 1) as f32;
        curve.get(place.round() as usize).copied().unwrap_or(f32::NAN)
    };
    let points = [-1.0, -0.5, 0.0, 0.5, 1.0];
    let said: Vec<String> = points.iter().map(|s| format!("{:.2} at sigma {s}", at(*s))).collect();
    let (low, high) = (at(1.0).abs(), at(-1.0).abs());
    let kind = match (low, high) {
        (low, high) if low > 2.0 * high => {
            "It lets low frequencies through, where neighbours agree"
        }
        (low, high) if high > 2.0 * low => {
            "It lets high frequencies through, where neighbours differ"
        }
        _ => "It lets both ends through",
    };
    format!("The filter rho is {}. {kind}.", said.join(", "))
}
