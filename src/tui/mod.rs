//! The room of the explorer: live training on a terminal.
//!
//! In: a [`Launch`]. Out: an exit code. [`update()`] is the one place where the
//! [`State`] changes; [`draw`] reads it; [`explore`] is the loop between them,
//! the terminal and the training thread.
//!
//! ```text
//! input ─┐                          ┌─▶ draw ─▶ terminal
//! news  ─┼─▶ Message ─▶ update ─▶ State
//! clock ─┘                 └─▶ Effect ─▶ training thread, files, terminal
//! ```

mod changes;
mod colour;
mod commands;
mod config;
mod explorer;
mod filter;
mod glyphs;
mod history;
mod jobs;
mod keyboard;
mod lab;
mod launch;
mod layers;
mod learning;
mod line;
mod look;
mod map;
mod message;
mod mouse;
mod node;
mod notices;
mod opening;
mod panel;
mod picker;
mod plain;
mod player;
mod projector;
mod questions;
mod recent;
mod recorder;
mod recording;
mod run;
mod runs;
mod session;
mod shot;
mod signals;
mod spectrum;
mod state;
mod strand;
mod terminal;
#[cfg(test)]
mod tests;
mod theme;
mod update;
mod views;
mod what;
mod widgets;

pub use colour::Depth;
pub use commands::{Chord, Keymap, command_names, reference};
pub use config::Config;
pub use explorer::explore;
pub use glyphs::Glyphs;
pub use lab::{Chunk, Learned};
pub use launch::{Chooser, Described, Launch, Learn};
pub use look::Look;
pub use message::{Effect, Message};
pub use node::{Account, Inquiry, Listing, NodeView};
pub use picker::manifest_of;
pub use plain::{Typed, narrate};
pub use player::{Replay, ReplayStatus};
pub use questions::Question;
pub use recording::{Action, Opened, Recorded, Recording};
pub use shot::{Shot, headless, picture};
pub use state::{Focus, Screen, State};
pub use theme::THEMES;
pub use update::update;
pub use views::draw;
