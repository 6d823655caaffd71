//! The one place where the state changes.

use ratatui::crossterm::event::{KeyCode, KeyModifiers};

use super::changes::{assign, change};
use super::commands::{Chord, find, go_to};
use super::filter::FilterFacts;
use super::layers::{Layer, Offer, Prompt, Shelf, presets};
use super::learning::{self, Glimpse};
use super::line::Line;
use super::message::{Effect, Message};
use super::questions::Question;
use super::runs::banded;
use super::state::{Focus, Screen, State};
use super::{lab, map, mouse, node, picker};
use crate::model::settings::to_toml;
use crate::train::{Command as Order, Event};

/// Takes a message; says what is to be done outside.
pub fn update(state: &mut State, message: Message) -> Vec<Effect> {
    let before = Glimpse::of(state);
    let mut effects = take(state, message);
    lab::settle(state);
    effects.extend(map::follow(state));
    effects.extend(node::refresh(state));
    effects.extend(learning::watch(state, &before));
    effects
}

fn take(state: &mut State, message: Message) -> Vec<Effect> {
    match message {
        Message::Key(chord) => key(state, chord),
        Message::Mouse(event) => mouse::update(state, event),
        Message::Paste(text) => {
            if let Some(line) = typed_line(state) {
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
            state.session.others.extend(found);
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
        Message::Rival(method, score) => {
            state.runs.rivals.push((method, score));
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
            let facts = FilterFacts::of(&ready.ground);
            if facts.estimated {
                effects.push(Effect::Ask(Question::Density(ready.ground.matrix.clone())));
            }
            state.facts = Some(facts);
            state.filter.cursor = None;
            state.curves.window = None;
            state.curves.cursor = None;
        }
        Event::Failed(why) => state.notices.fail(why.clone()),
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

/// The line that is being typed, if any.
fn typed_line(state: &mut State) -> Option<&mut Line> {
    match state.layers.last_mut() {
        Some(Layer::Help(search) | Layer::Palette(search)) => Some(&mut search.query),
        Some(Layer::Prompt(_, line)) => Some(line),
        Some(Layer::Presets(_) | Layer::Recover(_) | Layer::Lessons(_) | Layer::What(_)) => None,
        None => match &mut state.picker {
            Some(picker) => Some(&mut picker.path),
            None if state.node.list.typed.is_some() && state.screen == Screen::Node => {
                state.node.list.typed.as_mut()
            }
            None => state.panel.typed.as_mut(),
        },
    }
}

fn key(state: &mut State, chord: Chord) -> Vec<Effect> {
    let quits = chord.code == KeyCode::Char('c') && chord.held == KeyModifiers::CONTROL;
    if quits {
        return vec![Effect::Quit];
    }
    if !state.layers.is_empty() {
        state.projector.press(chord, None, state.now);
        return layer_key(state, chord);
    }
    if state.picker.is_some() {
        return picker::key(state, chord);
    }
    if state.screen == Screen::Node && state.node.list.typed.is_some() {
        return node::search_key(state, chord);
    }
    if state.panel.typed.is_some() {
        return value_key(state, chord);
    }
    let command = state.keymap.find(chord, state);
    state.projector.press(chord, command.map(|command| command.name), state.now);
    if let Some(command) = command {
        return command.carry_out(state);
    }
    if let Some(digit) = chord.letter().filter(|letter| letter.is_ascii_digit() || *letter == '.')
        && state.session.ready.is_some()
    {
        let line = Line::new(&digit.to_string());
        if state.in_settings() {
            state.panel.typed = Some(line);
        } else if digit.is_ascii_digit() {
            state.layers.push(Layer::Prompt(Prompt::Epochs, line));
        }
    }
    Vec::new()
}

/// Typing on a line; says whether the key was one of those.
pub(super) fn type_key(line: &mut Line, chord: Chord) -> bool {
    let control = chord.held.contains(KeyModifiers::CONTROL);
    match chord.code {
        KeyCode::Char('u') if control => line.clear(),
        KeyCode::Char('w') if control => line.backspace_word(),
        KeyCode::Char('a') if control => line.go_to_end(false),
        KeyCode::Char('e') if control => line.go_to_end(true),
        KeyCode::Backspace => line.backspace(),
        KeyCode::Left => line.go(-1),
        KeyCode::Right => line.go(1),
        KeyCode::Home => line.go_to_end(false),
        KeyCode::End => line.go_to_end(true),
        _ => match chord.letter() {
            Some(letter) => line.insert(&letter.to_string()),
            None => return false,
        },
    }
    true
}

fn value_key(state: &mut State, chord: Chord) -> Vec<Effect> {
    let Some(line) = &mut state.panel.typed else { return Vec::new() };
    match chord.code {
        KeyCode::Esc => state.panel.typed = None,
        KeyCode::Enter => {
            let value = line.text().to_owned();
            let key = state.panel.setting().key;
            state.panel.typed = None;
            return assign(state, key, &value);
        }
        KeyCode::Up => state.panel.go(-1),
        KeyCode::Down => state.panel.go(1),
        _ => {
            type_key(line, chord);
        }
    }
    Vec::new()
}

fn layer_key(state: &mut State, chord: Chord) -> Vec<Effect> {
    let control = chord.held.contains(KeyModifiers::CONTROL);
    let step = match chord.code {
        KeyCode::Up => -1,
        KeyCode::Char('p' | 'k') if control => -1,
        KeyCode::Down | KeyCode::Tab => 1,
        KeyCode::Char('n' | 'j') if control => 1,
        KeyCode::PageUp => -10,
        KeyCode::PageDown => 10,
        _ => 0,
    };
    if chord.code == KeyCode::Esc {
        return match state.layers.pop() {
            Some(Layer::Recover(cut)) => vec![Effect::PutInOrder(cut.path)],
            _ => Vec::new(),
        };
    }
    if chord.code == KeyCode::Enter {
        return choose(state);
    }
    match state.layers.last_mut() {
        Some(Layer::Help(search) | Layer::Palette(search)) => {
            if step != 0 {
                search.chosen = search.chosen.saturating_add_signed(step);
            } else if type_key(&mut search.query, chord) {
                search.chosen = 0;
            }
        }
        Some(Layer::Prompt(_, line)) => {
            type_key(line, chord);
        }
        Some(Layer::What(what)) => {
            let step = step + letter_step(chord);
            what.at = what.at.saturating_add_signed(step);
            if matches!(chord.letter(), Some('q' | '\'')) {
                state.layers.pop();
            }
        }
        Some(Layer::Presets(chosen) | Layer::Lessons(Shelf { chosen, .. })) => {
            *chosen = chosen.saturating_add_signed(step + letter_step(chord));
            if chord.letter() == Some('q') {
                state.layers.pop();
            }
        }
        Some(Layer::Recover(_)) | None => {}
    }
    clamp_choice(state);
    Vec::new()
}

/// In a list without a line to type on, letters step as well.
fn letter_step(chord: Chord) -> isize {
    match chord.letter() {
        Some('j') => 1,
        Some('k') => -1,
        _ => 0,
    }
}

/// A choice never lies beyond the end of its list.
fn clamp_choice(state: &mut State) {
    let Some(mut layer) = state.layers.pop() else { return };
    match &mut layer {
        Layer::Help(search) => {
            let last = search.found(state, false).len().saturating_sub(1);
            search.chosen = search.chosen.min(last);
        }
        Layer::Palette(search) => {
            let last = search.found(state, true).len().saturating_sub(1);
            search.chosen = search.chosen.min(last);
        }
        Layer::Presets(chosen) => *chosen = (*chosen).min(presets(state).len() - 1),
        Layer::Lessons(shelf) => {
            shelf.chosen = shelf.chosen.min(shelf.lessons.len().saturating_sub(1));
        }
        Layer::What(what) => what.at = what.at.min(what.topics.len().saturating_sub(1)),
        Layer::Prompt(..) | Layer::Recover(_) => {}
    }
    state.layers.push(layer);
}

/// Takes what is chosen in the topmost layer, which closes.
pub(super) fn choose(state: &mut State) -> Vec<Effect> {
    match state.layers.pop() {
        Some(Layer::Help(search)) => {
            let offer = search.found(state, false).into_iter().nth(search.chosen);
            offer.map(|offer| run(state, offer)).unwrap_or_default()
        }
        Some(Layer::Palette(search)) => {
            if let Some((key, value)) = search.assignment() {
                return assign(state, key, value);
            }
            let offer = search.found(state, true).into_iter().nth(search.chosen);
            offer.map(|offer| run(state, offer)).unwrap_or_default()
        }
        Some(Layer::Presets(chosen)) => match presets(state).into_iter().nth(chosen) {
            Some((name, Some(settings))) => {
                state.notices.say(format!("settings: {name}"), state.now);
                change(state, settings)
            }
            Some((name, None)) => {
                state.notices.fail(format!("the preset {name} cannot be read"));
                Vec::new()
            }
            None => Vec::new(),
        },
        Some(Layer::Prompt(prompt, line)) => answer(state, prompt, line.text().trim()),
        Some(Layer::Recover(cut)) => vec![Effect::Open(cut.path)],
        Some(Layer::Lessons(mut shelf)) => {
            if shelf.chosen >= shelf.lessons.len() {
                return Vec::new();
            }
            learning::begin(state, shelf.lessons.swap_remove(shelf.chosen))
        }
        Some(Layer::What(what)) => {
            let lesson = what.shown().map(|topic| topic.lesson.clone());
            lesson.map(|id| learning::begin_named(state, &id)).unwrap_or_default()
        }
        None => Vec::new(),
    }
}

fn run(state: &mut State, offer: Offer) -> Vec<Effect> {
    match offer {
        Offer::Command(command) => command.carry_out(state),
        Offer::Setting(row) => {
            state.screen = Screen::Train;
            state.focus = Focus::Settings;
            state.panel.row = row;
            Vec::new()
        }
    }
}

fn answer(state: &mut State, prompt: Prompt, text: &str) -> Vec<Effect> {
    if text.is_empty() {
        return Vec::new();
    }
    match prompt {
        Prompt::Epochs | Prompt::Epoch => match text.replace('_', "").parse::<usize>() {
            Ok(epoch) if prompt == Prompt::Epoch => go_to(state, epoch),
            Ok(epochs) if epochs > 0 => vec![Effect::Train(Order::Run(epochs))],
            _ => {
                state.notices.fail(format!("found `{text}`, expected a number of epochs"));
                Vec::new()
            }
        },
        Prompt::Join => node::join(state, text),
        Prompt::FindNode => {
            find(state, text);
            Vec::new()
        }
        Prompt::Picture => vec![Effect::Picture(text.into())],
        Prompt::PresetName => {
            let known = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
            if !text.chars().all(known) {
                let said = format!("found `{text}`, expected a name of letters, digits, - and _");
                state.notices.fail(said);
                return Vec::new();
            }
            let settings = to_toml(&state.session.settings);
            state.own_presets.retain(|(name, _)| name != text);
            state.own_presets.push((text.to_owned(), settings.clone()));
            vec![Effect::SavePreset(text.to_owned(), settings)]
        }
    }
}
