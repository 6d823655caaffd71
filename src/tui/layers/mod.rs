//! Layers over a screen: help, palette, prompts. A key goes to the topmost layer, or
//! to the screen if there is none.

mod keys;

use std::path::PathBuf;

pub(super) use keys::{choose, key};

use super::commands::{Command, TABLE, score};
use super::help_topics::What;
use super::message::Effect;
use super::outputs::OutputKind;
use super::state::State;
use super::text_input::TextInput;
use crate::lab::lessons::Lesson;
use crate::model::settings::{self, PRESETS, Settings, find};

/// A layer.
#[derive(Debug)]
pub enum Layer {
    /// All commands, to search and run.
    Help(Search),
    /// Fuzzy search of commands and settings.
    Palette(Search),
    /// Presets.
    Presets(usize),
    /// A text prompt.
    Prompt(Prompt, TextInput),
    /// Offers to resume an interrupted run.
    Recover(Cut),
    /// Asks whether to quit although the run is not saved, with the reason.
    Unsaved(String),
    /// The list of lessons.
    Lessons(LessonList),
    /// Help topics.
    What(What),
}

/// The lessons and the selected one.
#[derive(Debug)]
pub struct LessonList {
    /// All lessons.
    pub lessons: Vec<Lesson>,
    /// The selected one.
    pub chosen: usize,
}

/// A run interrupted by a crash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Its folder.
    pub path: PathBuf,
    /// The epoch it would resume from.
    pub epoch: usize,
    /// How long ago it was last written, in words.
    pub ago: String,
}

/// Quits the explorer; asks first if that would lose a run.
pub(super) fn quit(state: &mut State) -> Vec<Effect> {
    let asked = matches!(state.layers.last(), Some(Layer::Unsaved(_)));
    match &state.graph.session.unsaved {
        Some(why) if !asked && state.graph.session.run.epochs > 0 => {
            state.layers.push(Layer::Unsaved(why.clone()));
            Vec::new()
        }
        _ => vec![Effect::Quit],
    }
}

/// The purpose of a text prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prompt {
    /// Answer to the question of a lesson.
    Answer,
    /// Number of epochs to run.
    Epochs,
    /// Epoch to go to.
    Epoch,
    /// Name for a preset.
    PresetName,
    /// File for a screenshot.
    Picture,
    /// Folder for a report or an export.
    Output(OutputKind),
    /// Node to connect to the open one.
    Join,
    /// Node to go to.
    FindNode,
    /// Name for a run.
    RunName,
    /// Note about a run.
    RunNote,
}

impl Prompt {
    /// The prompt text.
    pub fn question(self) -> &'static str {
        match self {
            Self::Answer => "your answer",
            Self::Epochs => "epochs to run",
            Self::Epoch => "epoch to go to",
            Self::PresetName => "name of the preset",
            Self::RunName => "name of the run",
            Self::RunNote => "note about the run",
            Self::FindNode => "id or name of a node, or a part of it",
            Self::Picture => "picture file (.svg .html .txt)",
            Self::Output(OutputKind::Report) => "folder for the report",
            Self::Output(OutputKind::Export) => "folder for the export",
            Self::Join => "what-if edge to (id or name)",
        }
    }
}

/// A searchable list.
#[derive(Debug, Default)]
pub struct Search {
    /// The query.
    pub query: TextInput,
    /// The index of the selected match.
    pub chosen: usize,
}

/// An item of the palette.
#[derive(Clone, Copy)]
pub enum Offer {
    /// A command to run.
    Command(&'static Command),
    /// A setting to go to.
    Setting(usize),
}

impl Offer {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Command(command) => command.name,
            Self::Setting(row) => settings::TABLE[row].key,
        }
    }

    /// Its description.
    pub fn what(self) -> &'static str {
        match self {
            Self::Command(command) => command.what,
            Self::Setting(row) => settings::TABLE[row].meaning,
        }
    }
}

impl Search {
    /// The matches of the palette or help, best first.
    pub fn found(&self, state: &State, with_settings: bool) -> Vec<Offer> {
        let query = self.query.text();
        let applying = TABLE.iter().copied().filter(|command| command.applies(state));
        let commands = applying.map(Offer::Command);
        let rows = if with_settings && state.graph.session.ready.is_some() {
            settings::TABLE.len()
        } else {
            0
        };
        let all = commands.chain((0..rows).map(Offer::Setting));
        let word = query.split_whitespace().next().unwrap_or_default();
        let mut found: Vec<(u32, Offer)> = all
            .filter_map(|offer| {
                let by_name = score(query, offer.name()).map(|score| score + 10);
                let by_key = (offer.name() == word).then_some(u32::MAX);
                let by_what = offer.what().to_lowercase().contains(&query.to_lowercase());
                let best = by_name.max(by_key).max(by_what.then_some(0))?;
                Some((best, offer))
            })
            .collect();
        if query.is_empty() {
            found.sort_by_key(|(_, offer)| match offer {
                Offer::Command(command) => command.place.rank(state),
                Offer::Setting(_) => u8::MAX,
            });
        } else {
            found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        }
        found.into_iter().map(|(_, offer)| offer).collect()
    }

    /// `balance 3`: a setting and its value, typed together.
    pub fn assignment(&self) -> Option<(&'static str, &str)> {
        let (key, value) = self.query.text().trim().split_once([' ', '='])?;
        let value = value.trim_start_matches(['=', ' ']);
        let setting = find(key).ok()?;
        (!value.is_empty()).then_some((setting.key, value))
    }
}

/// All presets: name and settings.
pub(super) fn presets(state: &State) -> Vec<(String, Option<Settings>)> {
    let own = state
        .own_presets
        .iter()
        .map(|(name, text)| (name.clone(), settings::from_toml(text, name).ok()));
    let at_start = std::iter::once(("initial settings".to_owned(), Some(state.graph.home.clone())));
    let known =
        PRESETS.iter().map(|preset| (preset.name.to_owned(), settings::preset(preset.name)));
    at_start.chain(known).chain(own).collect()
}
