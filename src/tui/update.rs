//! The one place where the state changes.

use std::sync::Arc;

use super::commands::look_for_runs;
use super::filter::FilterFacts;
use super::layers::Layer;
use super::learning::{self, Glimpse};
use super::message::{Effect, Message};
use super::questions::Question;
use super::runs::banded;
use super::spectrum::{self, Eigenpairs};
use super::state::State;
use super::{keyboard, lab, map, mouse, node};
use crate::train::{Event, FilterStage};

/// Takes a message; says what is to be done outside.
pub fn update(state: &mut State, message: Message) -> Vec<Effect> {
    let before = Glimpse::of(state);
    let mut effects = take(state, message);
    lab::settle(state);
    effects.extend(spectrum::follow(state));
    effects.extend(map::follow(state));
    effects.extend(look_for_runs(state));
    effects.extend(node::refresh(state));
    effects.extend(learning::watch(state, &before));
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
            Vec::new()
        }
        Message::News { events, snapshot } => {
            let effects = events.into_iter().flat_map(|event| news(state, event)).collect();
            if let Some(snapshot) = snapshot {
                state.session.look(snapshot);
            }
            effects
        }
        Message::Density(density) => {
            if let Some(facts) = &mut state.facts {
                facts.take(&density);
            }
            Vec::new()
        }
        Message::Spectrum(of, found) => {
            spectrum::take(state, &of, found);
            Vec::new()
        }
        Message::Explained(account) => {
            state.node.take(account);
            Vec::new()
        }
        Message::Listed(listing) => {
            state.node.take_listing(listing);
            Vec::new()
        }
        Message::Learned(learned) => lab::take(state, learned),
        Message::Laid(laid) => {
            state.map.take(laid);
            Vec::new()
        }
        Message::Shelved(found) => {
            let (found, broken): (Vec<_>, Vec<_>) = found.into_iter().partition(Result::is_ok);
            state.session.others.extend(found.into_iter().flatten());
            let broken: Vec<String> = broken.into_iter().filter_map(Result::err).collect();
            if let Some(first) = broken.first() {
                let said = format!("{} saved runs cannot be read; {first}", broken.len());
                state.notices.fail(said);
            }
            Vec::new()
        }
        Message::Repeating(done, all) => {
            state.runs.repeating = Some((done, all));
            Vec::new()
        }
        Message::Repeated(band) => {
            state.runs.repeating = None;
            match (band, state.session.ready.clone()) {
                (Ok(band), Some(ready)) => {
                    let strand = banded(&band, &ready, &state.session);
                    state.session.others.push(strand);
                }
                (Err(why), _) => state.notices.fail(why),
                (Ok(_), None) => {}
            }
            Vec::new()
        }
        Message::Rival(rival) => {
            state.runs.rivals.push(rival);
            Vec::new()
        }
        Message::RivalsDone(trouble) => {
            state.runs.comparing = false;
            if let Some(why) = trouble {
                state.notices.fail(why);
            }
            Vec::new()
        }
        Message::Pictured(Ok(path)) => {
            state.notices.say(format!("written: {}", path.display()), state.now);
            Vec::new()
        }
        Message::Pictured(Err(why)) => {
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

fn news(state: &mut State, event: Event) -> Vec<Effect> {
    let mut effects = Vec::new();
    match &event {
        Event::Ready(ready) | Event::Switched(ready) => {
            let before = state.session.ready.as_ref().map(|ready| &ready.ground.matrix);
            if before.is_none_or(|before| !Arc::ptr_eq(before, &ready.ground.matrix)) {
                state.eigenpairs = Eigenpairs::default();
                let facts = FilterFacts::of(&ready.ground, ready.ground.spectrum.as_ref());
                if facts.estimated {
                    effects.push(Effect::Ask(Question::Density(ready.ground.matrix.clone())));
                }
                state.facts = Some(facts);
            }
            if let FilterStage::Kept(why) = &ready.filter_stage
                && ready.settings.filter.is_learned()
            {
                state.notices.say(why.to_string(), state.now);
            }
            if let Some(wanted) = state.session.to_edit.take() {
                match node::edit_as_described(ready, wanted) {
                    Ok(made) => effects.extend(made),
                    Err(why) => state.notices.fail(why),
                }
            }
            state.filter.cursor = None;
            state.curves.window = None;
            state.curves.cursor = None;
        }
        Event::Failed(why) => state.notices.fail(why.clone()),
        Event::Damaged(what) => {
            state.notices.say(what.clone(), state.now);
        }
        Event::Unkept(why) => {
            state.notices.fail(format!("the run cannot be kept on disk: {why}"));
        }
        _ => {}
    }
    let now = state.now;
    state.learning.hear(&event, state.session.ready.is_some());
    state.session.take(event, now);
    effects
}
