//! State changes by the program instead of a message: a graph was opened, a file was
//! written, a frame was drawn. Unlike [`update`], they return no effects.
//!
//! [`update`]: super::update::update

use super::appearance::Appearance;
use super::learning;
use super::picker::Picker;
use super::player::ReplayStatus;
use super::speed::Speed;
use super::state::{GraphState, Screen, State};
use super::views::Hits;
use crate::lab::lessons::LessonProgress;

/// A change by the program.
pub(super) enum StateChange {
    /// A graph was opened; the state of the previous one is dropped.
    Opened {
        /// Its state.
        graph: Box<GraphState>,
        /// Its name, as lessons call it.
        name: String,
    },
    /// The run of the open graph belongs to a lesson and is not saved.
    Practice,
    /// No graph could be opened, and why.
    NotOpened(String),
    /// Shows the picker.
    Choosing,
    /// The lesson was left.
    LessonClosed,
    /// Progress of all lessons.
    Lessons(LessonProgress),
    /// A message that fades.
    Said(String),
    /// An error that stays until it is dismissed.
    Failed(String),
    /// The message was dismissed.
    Dismissed,
    /// Progress of a replay, while one is running.
    Replay(Option<ReplayStatus>),
    /// The run cannot be saved, and why.
    Unsaved(String),
    /// The training speed.
    Speed(Speed),
    /// The first screen.
    Screen(Screen),
    /// Other colours and glyphs.
    Look(Box<Appearance>),
    /// A frame was drawn: its size and mouse targets.
    Drawn((u16, u16), Hits),
}

impl StateChange {
    /// Applies the change.
    pub(super) fn apply(self, state: &mut State) {
        match self {
            Self::Opened { graph, name } => {
                state.graph = *graph;
                state.picker = None;
                state.learning.graph = name;
            }
            Self::Practice => state.graph.session.is_practice = true,
            Self::NotOpened(why) => {
                let access = &state.access;
                state.picker.get_or_insert_with(|| Picker::find(access)).trouble = Some(why);
            }
            Self::Choosing => state.picker = Some(Picker::find(&state.access)),
            Self::LessonClosed => learning::close(state),
            Self::Lessons(progress) => state.learning.progress = progress,
            Self::Said(text) => state.notices.say(text, state.now),
            Self::Failed(text) => state.notices.fail(text),
            Self::Dismissed => state.notices.dismiss(),
            Self::Replay(status) => state.replay = status,
            Self::Unsaved(why) => state.graph.session.unsaved = Some(why),
            Self::Speed(speed) => state.speed = speed,
            Self::Screen(screen) => state.screen = screen,
            Self::Look(look) => state.look = *look,
            Self::Drawn(size, hits) => (state.size, state.hits) = (size, hits),
        }
    }
}
