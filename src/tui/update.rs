//! The only place where messages change the state.

use std::sync::Arc;

use super::commands::look_for_runs;
use super::compared_run::ComparedRun;
use super::filter::FilterFacts;
use super::jobs::Job;
use super::layers::Layer;
use super::learning::{self, LessonView};
use super::message::{Effect, Message};
use super::runs::banded;
use super::spectrum::{self, Eigenpairs};
use super::state::{Screen, State};
use super::{graph_filters, keyboard, lab, label_energy, map, mouse, node};
use crate::train::{Event, FilterStage, Phase};

/// Processes a message; returns the effects to perform.
pub fn update(state: &mut State, message: Message) -> Vec<Effect> {
    let before = LessonView::of(state);
    state.learning.evidence.hear(&message);
    let mut effects = take(state, message);
    lab::settle(state);
    effects.extend(spectrum::follow(state));
    effects.extend(label_energy::follow(state));
    effects.extend(map::follow(state));
    effects.extend(look_for_runs(state));
    effects.extend(node::refresh(state));
    effects.extend(learning::watch(state, &before));
    effects.extend(learning::play(state));
    effects
}

fn take(state: &mut State, message: Message) -> Vec<Effect> {
    match message {
        Message::Key(chord) => keyboard::update(state, chord),
        Message::Mouse(event) => mouse::update(state, event),
        Message::Paste(text) => {
            if let Some(line) = keyboard::typed_line(state) {
                line.insert(&text);
            }
            Vec::new()
        }
        Message::Resize(columns, rows) => {
            state.size = (columns, rows);
            if !state.screen.fits(columns) {
                state.screen = Screen::Train;
            }
            Vec::new()
        }
        Message::News { events, snapshot } => {
            let effects = events.into_iter().flat_map(|event| news(state, event)).collect();
            if let Some(snapshot) = snapshot {
                state.graph.session.look(snapshot);
            }
            effects
        }
        Message::Density(density) => {
            if let Some(facts) = &mut state.graph.facts {
                facts.take(&density);
            }
            Vec::new()
        }
        Message::Spectrum(of, found) => {
            spectrum::take(state, &of, found);
            Vec::new()
        }
        Message::LabelEnergy(of, found) => {
            label_energy::take(state, &of, found);
            Vec::new()
        }
        Message::Explained(explanation) => {
            state.graph.node.take(explanation, state.now);
            Vec::new()
        }
        Message::Listed(listing) => {
            state.graph.node.take_listing(listing);
            Vec::new()
        }
        Message::Learned(learned) => lab::take(state, learned),
        Message::LayoutResult(layout_result) => {
            state.graph.map.take(layout_result);
            Vec::new()
        }
        Message::SavedRun(found) => {
            take_saved_runs(state, found);
            Vec::new()
        }
        Message::GraphFilters(found) => {
            graph_filters::take(state, found);
            Vec::new()
        }
        Message::Repeating(done, all) => {
            state.graph.runs.repeating = Some((done, all));
            Vec::new()
        }
        Message::Repeated(band) => {
            state.graph.runs.repeating = None;
            match (band, state.graph.session.ready.clone()) {
                (Ok(band), Some(ready)) => {
                    let compared = banded(&band, &ready, &state.graph.session);
                    state.graph.session.others.push(compared);
                }
                (Err(why), _) => state.notices.fail(why),
                (Ok(_), None) => {}
            }
            Vec::new()
        }
        Message::Rival(rival) => {
            state.graph.runs.rivals.push(rival);
            Vec::new()
        }
        Message::RivalsDone(trouble) => {
            state.graph.runs.comparing = false;
            if let Some(why) = trouble {
                state.notices.fail(why);
            }
            Vec::new()
        }
        Message::Written(Ok(path)) => {
            state.notices.say(format!("saved: {}", path.display()), state.now);
            Vec::new()
        }
        Message::Written(Err(why)) => {
            state.notices.fail(why);
            Vec::new()
        }
        Message::CutOff(cut) => {
            state.layers.push(Layer::Recover(cut));
            Vec::new()
        }
        Message::Tick(now) => {
            state.now = now;
            state.notices.pass(now);
            state.projector.pass(now);
            Vec::new()
        }
    }
}

fn take_saved_runs(state: &mut State, found: Vec<Result<ComparedRun, String>>) {
    let (found, broken): (Vec<_>, Vec<_>) = found.into_iter().partition(Result::is_ok);
    state.graph.session.others.extend(found.into_iter().flatten());
    let broken: Vec<String> = broken.into_iter().filter_map(Result::err).collect();
    if let Some(first) = broken.first() {
        let said = format!("{} saved runs cannot be read; {first}", broken.len());
        state.notices.fail(said);
    }
}

fn news(state: &mut State, event: Event) -> Vec<Effect> {
    let mut effects = Vec::new();
    match &event {
        Event::Ready(ready) | Event::Switched(ready) => {
            let before = state.graph.session.ready.as_ref().map(|ready| &ready.prepared.matrix);
            if before.is_none_or(|before| !Arc::ptr_eq(before, &ready.prepared.matrix)) {
                state.graph.eigenpairs = Eigenpairs::default();
                let facts = FilterFacts::of(&ready.prepared, ready.prepared.spectrum.as_ref());
                if facts.estimated {
                    effects.push(Effect::Ask(Job::Density(ready.prepared.matrix.clone())));
                }
                state.graph.facts = Some(facts);
            }
            if let FilterStage::NotLearned(why) = &ready.filter_stage
                && ready.settings.filter.is_learned()
            {
                state.notices.say(why.to_string(), state.now);
            }
            if let Some(wanted) = state.graph.session.to_edit.take() {
                match node::edit_as_described(ready, wanted) {
                    Ok(made) => effects.extend(made),
                    Err(why) => state.notices.fail(why),
                }
            }
            state.graph.filter.cursor = None;
            state.graph.curves.window = None;
            state.graph.curves.cursor = None;
        }
        Event::Phase(Phase::Finished) => {
            let text = state.graph.session.farewell(state.now);
            effects.extend(text.map(Effect::Notify));
        }
        Event::Failed(why) => state.notices.fail(why.clone()),
        Event::Damaged(what) => {
            state.notices.say(what.clone(), state.now);
        }
        Event::NotSaved(why) => {
            state.notices.fail(format!("the run cannot be saved: {why}"));
        }
        _ => {}
    }
    let now = state.now;
    state.learning.hear(&event, state.graph.session.ready.is_some());
    state.graph.session.take(event, now);
    effects
}
