//! Sentences about a run.

use std::fmt::Write as _;

use crate::explain::{Aim, Contributor};
use crate::graph::Classes;
use crate::lab::lessons::Facts;
use crate::model::settings::Settings;
use crate::train::{Event, Phase};
use crate::tui::filter::{FilterFacts, rho};
use crate::tui::filter_words::{pass, reach};
use crate::tui::run::{PlotPane, Run};
use crate::tui::session::difference;
use crate::tui::state::State;
use crate::tui::widgets::short;

/// Number of epochs over which a trend is computed.
const TREND: usize = 10;

/// How training is going.
pub(super) fn epoch_sentence(state: &State) -> String {
    let run = &state.graph.session.run;
    if run.epochs == 0 {
        return "No epoch is completed yet.".to_owned();
    }
    let epoch = run.epochs - 1;
    let mut parts = Vec::new();
    if let Some((loss, trend)) = figure(run, PlotPane::Loss, epoch) {
        parts.push(format!("loss {}, {trend}", short(f64::from(loss))));
    }
    if let Some((score, _)) = figure(run, PlotPane::Score, epoch) {
        let name = run.score_name();
        let best = run
            .best_score
            .map(|best| format!(", best validation {} at {}", percent(best.value), best.epoch));
        parts.push(format!("test {name} {}{}", percent(score), best.unwrap_or_default()));
    }
    let back = if state.graph.session.at < run.epochs {
        format!(" The model is at epoch {}.", state.graph.session.at)
    } else {
        String::new()
    };
    format!("Epoch {epoch}: {}.{back}", parts.join("; "))
}

fn figure(run: &Run, pane: PlotPane, epoch: usize) -> Option<(f32, &'static str)> {
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

/// The current phase of the training.
pub(super) fn phase_sentence(state: &State, phase: Phase) -> String {
    let session = &state.graph.session;
    match phase {
        Phase::Reading => "Reading the graph.".to_owned(),
        Phase::Preparing => "Graph loaded. Preparing the model.".to_owned(),
        Phase::Running => {
            let first = session.ready.as_ref().map_or(0, |ready| ready.filter_stage.epochs());
            let epochs = session.settings.epochs;
            if first == 0 {
                return format!("Training for {epochs} epochs.");
            }
            format!("Training for {epochs} epochs, the first {first} to learn the filter.")
        }
        Phase::Paused if session.at < session.run.epochs => {
            format!("Back at epoch {} of {}.", session.at, session.run.epochs)
        }
        Phase::Paused => format!("Paused at epoch {}. {}", session.at, epoch_sentence(state)),
        Phase::Finished => format!("Done. {}", epoch_sentence(state)),
    }
}

/// Settings that took effect.
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

/// Number of contributors listed.
const TOLD: usize = 5;

/// The explanation and prediction of the open node.
pub(super) fn node_sentences(state: &State) -> String {
    let Some(explanation) = state.graph.node.known() else {
        return "No node is open: type node and an id or name.".to_owned();
    };
    let (graph, found) = (explanation.context.graph(), &explanation.found);
    let mut said = vec![format!("Node {}.", explanation.shown(explanation.node()))];
    if found.aim != Aim::Length {
        let odds = explanation.odds_of(found);
        let names = graph.labels().classes().map(Classes::names);
        let best = (0..odds.len()).max_by(|&a, &b| odds[a].total_cmp(&odds[b]));
        said.extend(best.map(|best| match names.and_then(|names| names.get(best)) {
            Some(name) => format!("Predicted from R: {name}, {:.0} %.", 100.0 * odds[best]),
            None => format!("Predicted from R: {}.", short(odds[best])),
        }));
    }
    let aim = found.aim.name(graph);
    let part = |line: &Contributor| format!("{} {:+.3}", explanation.shown(line.node), line.score);
    let listed: Vec<String> =
        explanation.rows.iter().take(TOLD).map(|row| part(&row.line)).collect();
    said.push(format!(
        "{aim} is {:.3}: baseline {:.3}, then {} contributors: {}{}.",
        found.value,
        found.baseline,
        explanation.rows.len() + explanation.table.others,
        listed.join(", "),
        if explanation.rows.len() > TOLD { ", and others" } else { "" }
    ));
    said.join(" ")
}

/// The state of the open experiment.
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
    let Some(snapshot) = &state.graph.session.snapshot else {
        return "There is no filter yet.".to_owned();
    };
    let curve = &snapshot.curve;
    let points = [-1.0, -0.5, 0.0, 0.5, 1.0];
    let said: Vec<String> =
        points.iter().map(|s| format!("{:.2} at sigma {s}", rho(curve, *s))).collect();
    let ends = state.graph.facts.as_ref().map_or((-1.0, 1.0), FilterFacts::range);
    let mut text = format!("The filter rho is {}; {}.", said.join(", "), pass(curve, ends));
    if let Some(reach) = reach(&snapshot.scalars.hop_weights) {
        let _ = write!(text, " Hop weights: {reach}.");
    }
    let aggregated = if snapshot.scalars.takes_mean { "averaged" } else { "summed" };
    let _ = write!(text, " Messages are {aggregated}.");
    if let Some(share) = snapshot.scalars.feature_share {
        let _ = write!(text, " Share of a node's own features: {share:.2}.");
    }
    text
}
