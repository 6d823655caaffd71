//! What is said of a run, in sentences.

use crate::explain::{Aim, Line};
use crate::graph::Classes;
use crate::lab::lessons::Facts;
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
        Phase::Reading => "Reading the graph.".to_owned(),
        Phase::Preparing => "The graph is read; the model is being prepared.".to_owned(),
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

/// Contributors that are told of one by one.
const TOLD: usize = 5;

/// What the open node is made of, and what is predicted of it.
pub(super) fn node_sentences(state: &State) -> String {
    let Some(account) = state.node.known() else {
        return "No node is open: type node and its id or name.".to_owned();
    };
    let (graph, found) = (account.moment.graph(), &account.found);
    let mut said = vec![format!("Node {}.", account.shown(account.node()))];
    if found.aim != Aim::Length {
        let odds = account.odds_of(found);
        let names = graph.labels().classes().map(Classes::names);
        let best = (0..odds.len()).max_by(|&a, &b| odds[a].total_cmp(&odds[b]));
        said.extend(best.map(|best| match names.and_then(|names| names.get(best)) {
            Some(name) => format!("Predicted from R: {name}, {:.0} %.", 100.0 * odds[best]),
            None => format!("Predicted from R: {}.", short(odds[best])),
        }));
    }
    let aim = found.aim.name(graph);
    let part = |line: &Line| format!("{} {:+.3}", account.shown(line.node), line.score);
    let listed: Vec<String> = account.rows.iter().take(TOLD).map(|row| part(&row.line)).collect();
    said.push(format!(
        "{aim} is {:.3}: {:.3} with nothing said, and of {} contributors {}{}.",
        found.value,
        found.baseline,
        account.rows.len() + account.table.others,
        listed.join(", "),
        if account.rows.len() > TOLD { " and so on" } else { "" }
    ));
    said.join(" ")
}

/// What the open experiment shows.
pub(super) fn lab_sentences(state: &State) -> String {
    let Some(lab) = &state.lab else { return "The lab is not open: type lab-screen.".to_owned() };
    let mut facts = Facts::default();
    lab.report(&mut facts);
    let names: Vec<String> = facts.names().map(str::to_owned).collect();
    let said = names
        .iter()
        .filter_map(|name| Some(format!("{} is {}.", name.replace('_', " "), facts.text(name)?)));
    said.collect::<Vec<_>>().join(" ")
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
