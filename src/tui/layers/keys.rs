//! Key handling in layers, and what happens on selection.

use ratatui::crossterm::event::{KeyCode, KeyModifiers};

use super::{Layer, LessonList, Offer, Prompt, presets};
use crate::model::settings::to_toml;
use crate::train::TrainingCommand;
use crate::train::run::RunLabel;
use crate::tui::changes::{assign, change};
use crate::tui::commands::{Chord, find, go_to, label};
use crate::tui::jobs::Job;
use crate::tui::message::{Effect, Overwrite};
use crate::tui::outputs::{Output, OutputKind};
use crate::tui::runs::other;
use crate::tui::state::{Focus, Screen, State};
use crate::tui::{learning, node};

/// Sends a key to the topmost layer.
pub(in crate::tui) fn key(state: &mut State, chord: Chord) -> Vec<Effect> {
    let control = chord.modifiers.contains(KeyModifiers::CONTROL);
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
            Some(Layer::Recover(cut)) => vec![Effect::RepairRun(cut.path)],
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
            } else if search.query.press(chord) {
                search.chosen = 0;
            }
        }
        Some(Layer::Prompt(_, line)) => {
            line.press(chord);
        }
        Some(Layer::What(what)) => {
            let step = step + letter_step(chord);
            what.at = what.at.saturating_add_signed(step);
            if matches!(chord.letter(), Some('q' | '\'')) {
                state.layers.pop();
            }
        }
        Some(Layer::Presets(chosen) | Layer::Lessons(LessonList { chosen, .. })) => {
            *chosen = chosen.saturating_add_signed(step + letter_step(chord));
            if chord.letter() == Some('q') {
                state.layers.pop();
            }
        }
        Some(Layer::Recover(_) | Layer::Unsaved(_)) | None => {}
    }
    clamp_choice(state);
    Vec::new()
}

/// In a list without text input, letters move the selection too.
fn letter_step(chord: Chord) -> isize {
    match chord.letter() {
        Some('j') => 1,
        Some('k') => -1,
        _ => 0,
    }
}

/// Keeps the selection within its list.
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
        Layer::Prompt(..) | Layer::Recover(_) | Layer::Unsaved(_) => {}
    }
    state.layers.push(layer);
}

/// Confirms the selection in the topmost layer, which closes.
pub(in crate::tui) fn choose(state: &mut State) -> Vec<Effect> {
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
        Some(Layer::Unsaved(_)) => vec![Effect::Quit],
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
            state.graph.focus = Focus::Settings;
            state.graph.panel.row = row;
            Vec::new()
        }
    }
}

fn answer(state: &mut State, prompt: Prompt, text: &str) -> Vec<Effect> {
    if matches!(prompt, Prompt::RunName | Prompt::RunNote) {
        let chosen = other(&state.graph.session, state.graph.runs.chosen);
        let before = chosen.map_or(&state.graph.session.label, |own| &own.label).clone();
        return label(
            state,
            match prompt {
                Prompt::RunName => RunLabel { name: text.to_owned(), ..before },
                _ => RunLabel { note: text.to_owned(), ..before },
            },
        );
    }
    if text.is_empty() {
        return Vec::new();
    }
    match prompt {
        Prompt::Epochs | Prompt::Epoch => match text.replace('_', "").parse::<usize>() {
            Ok(epoch) if prompt == Prompt::Epoch => go_to(state, epoch),
            Ok(epochs) if epochs > 0 => vec![Effect::Train(TrainingCommand::Run(epochs))],
            _ => {
                state.notices.fail(format!("found `{text}`, expected a number of epochs"));
                Vec::new()
            }
        },
        Prompt::RunName | Prompt::RunNote => Vec::new(),
        Prompt::Answer => learning::answer(state, text),
        Prompt::Join => node::join(state, text),
        Prompt::FindNode => {
            find(state, text);
            Vec::new()
        }
        Prompt::Picture => {
            let (name, overwrite) = Overwrite::of(text);
            vec![Effect::Picture(name.into(), overwrite)]
        }
        Prompt::Output(kind) => write_output(state, kind, text),
        Prompt::PresetName => {
            let (text, overwrite) = Overwrite::of(text);
            let known = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
            if !text.chars().all(known) {
                let said = format!("found `{text}`, expected a name of letters, digits, - and _");
                state.notices.fail(said);
                return Vec::new();
            }
            let there = state.own_presets.iter().any(|(name, _)| name == text);
            if there && overwrite == Overwrite::Never {
                let said = format!("the preset {text} already exists: {text}! overwrites it");
                state.notices.fail(said);
                return Vec::new();
            }
            let settings = to_toml(&state.graph.session.settings);
            state.own_presets.retain(|(name, _)| name != text);
            state.own_presets.push((text.to_owned(), settings.clone()));
            vec![Effect::SavePreset(text.to_owned(), settings)]
        }
    }
}

fn write_output(state: &mut State, kind: OutputKind, text: &str) -> Vec<Effect> {
    let session = &state.graph.session;
    let Some((ready, snapshot)) = session.ready.clone().zip(session.snapshot.clone()) else {
        return Vec::new();
    };
    let (name, overwrite) = Overwrite::of(text);
    let output = Output {
        kind,
        folder: name.into(),
        overwrite,
        ready,
        settings: Box::new(session.settings.clone()),
        snapshot,
        run: session.path.clone(),
    };
    state.notices.say(format!("writing the {}", kind.name()), state.now);
    vec![Effect::Ask(Job::Output(Box::new(output)))]
}
