//! What lies over a screen: help, palette, questions. A key goes to the topmost
//! layer, and only where there is none to the screen.

mod keys;

use std::path::PathBuf;

pub(super) use keys::{choose, key};

use super::commands::{Command, TABLE, score};
use super::line::Line;
use super::message::Effect;
use super::state::State;
use super::what::What;
use crate::lab::lessons::Lesson;
use crate::model::settings::{self, PRESETS, Settings, find};

/// A layer.
#[derive(Debug)]
pub enum Layer {
    /// Every command, to search and run.
    Help(Search),
    /// Commands and settings by a few letters.
    Palette(Search),
    /// Sets of settings.
    Presets(usize),
    /// A line to be typed.
    Prompt(Prompt, Line),
    /// A run that was cut off: go on with it?
    Recover(Cut),
    /// A run that is not on disk: quit all the same? Says why it is not.
    Unsaved(String),
    /// The lessons, to choose from.
    Lessons(Shelf),
    /// What something is.
    What(What),
}

/// The lessons, and which is chosen.
#[derive(Debug)]
pub struct Shelf {
    /// All of them.
    pub lessons: Vec<Lesson>,
    /// The chosen one.
    pub chosen: usize,
}

/// A run that a crash cut off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Its folder.
    pub path: PathBuf,
    /// The epoch it would go on from.
    pub epoch: usize,
    /// How long ago it was written to last, in words.
    pub ago: String,
}

/// Ends the explorer, after a question where that would lose a run.
pub(super) fn quit(state: &mut State) -> Vec<Effect> {
    let asked = matches!(state.layers.last(), Some(Layer::Unsaved(_)));
    match &state.session.unsaved {
        Some(why) if !asked && state.session.run.epochs > 0 => {
            state.layers.push(Layer::Unsaved(why.clone()));
            Vec::new()
        }
        _ => vec![Effect::Quit],
    }
}

/// What a typed line is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prompt {
    /// How many epochs to run.
    Epochs,
    /// Which epoch to go to.
    Epoch,
    /// What a preset is to be called.
    PresetName,
    /// Where a picture goes.
    Picture,
    /// Which node the open one is joined to.
    Join,
    /// Which node to go to.
    FindNode,
    /// What a run is to be called.
    RunName,
    /// What is to be noted about a run.
    RunNote,
}

impl Prompt {
    /// What is asked.
    pub fn question(self) -> &'static str {
        match self {
            Self::Epochs => "epochs to run",
            Self::Epoch => "epoch to go to",
            Self::PresetName => "name of the preset",
            Self::RunName => "name of the run",
            Self::RunNote => "note about the run",
            Self::FindNode => "id or name of a node, or a part of it",
            Self::Picture => "picture file (.svg .html .txt)",
            Self::Join => "what if there were an edge to (id or name)",
        }
    }
}

/// A list that is searched.
#[derive(Debug, Default)]
pub struct Search {
    /// What is looked for.
    pub query: Line,
    /// Which of the found is chosen.
    pub chosen: usize,
}

/// What a palette can offer.
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

    /// What it does or means.
    pub fn what(self) -> &'static str {
        match self {
            Self::Command(command) => command.what,
            Self::Setting(row) => settings::TABLE[row].meaning,
        }
    }
}

impl Search {
    /// What a palette or help finds, best first.
    pub fn found(&self, state: &State, with_settings: bool) -> Vec<Offer> {
        let query = self.query.text();
        let applying = TABLE.iter().copied().filter(|command| command.applies(state));
        let commands = applying.map(Offer::Command);
        let rows =
            if with_settings && state.session.ready.is_some() { settings::TABLE.len() } else { 0 };
        let all = commands.chain((0..rows).map(Offer::Setting));
        let word = query.split_whitespace().next().unwrap_or_default();
        let mut found: Vec<(i32, Offer)> = all
            .filter_map(|offer| {
                let by_name = score(query, offer.name()).map(|score| score + 10);
                let by_key = (offer.name() == word).then_some(100);
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
            found.sort_by_key(|(score, _)| -score);
        }
        found.into_iter().map(|(_, offer)| offer).collect()
    }

    /// `balance 3`: a setting and its value, typed at once.
    pub fn assignment(&self) -> Option<(&'static str, &str)> {
        let (key, value) = self.query.text().trim().split_once([' ', '='])?;
        let value = value.trim_start_matches(['=', ' ']);
        let setting = find(key).ok()?;
        (!value.is_empty()).then_some((setting.key, value))
    }
}

/// Every preset there is: name and settings.
pub(super) fn presets(state: &State) -> Vec<(String, Option<Settings>)> {
    let own = state
        .own_presets
        .iter()
        .map(|(name, text)| (name.clone(), settings::from_toml(text, name).ok()));
    let at_start = std::iter::once(("as at the start".to_owned(), Some(state.home.clone())));
    let known =
        PRESETS.iter().map(|preset| (preset.name.to_owned(), settings::preset(preset.name)));
    at_start.chain(known).chain(own).collect()
}
