//! The explorer: live training in a terminal.
//!
//! In: a [`Launch`]. Out: an exit code. Only [`update()`] changes the [`State`],
//! [`draw`] reads it, and [`explore`] is the event loop that connects them with the
//! terminal and the training thread.
//!
//! ```text
//! input ─┐                          ┌─▶ draw ─▶ terminal
//! news  ─┼─▶ Message ─▶ update ─▶ State
//! clock ─┘                 └─▶ Effect ─▶ training thread, files, terminal
//! ```

mod appearance;
mod changes;
mod colour;
mod commands;
mod compared_run;
mod config;
mod drawing;
mod explorer;
mod filter;
mod filter_words;
mod glyphs;
mod graph_filters;
mod graphics;
mod help_topics;
mod history;
mod home;
mod job_slot;
mod jobs;
mod keyboard;
mod lab;
mod label_energy;
mod launch;
mod layers;
mod learning;
mod map;
mod message;
mod mouse;
mod node;
mod notices;
mod opening;
mod osc;
mod outputs;
mod overview;
mod panel;
mod panes;
mod picker;
mod plain;
mod player;
mod projector;
mod recent;
mod recorder;
mod recording;
mod run;
mod runs;
mod session;
mod shot;
mod signals;
mod spectrum;
mod speed;
mod state;
mod state_change;
mod terminal;
#[cfg(test)]
mod tests;
mod text_input;
mod theme;
mod update;
mod views;
mod widgets;

pub use appearance::Appearance;
pub use colour::Depth;
pub use commands::{Chord, Keymap, command_names, reference};
pub use config::Config;
pub use drawing::{Drawing, Drawings, Ink, Pattern, Run as DrawingRun, Shape};
pub use explorer::{
    Display, HostEvent, Mailbox, Remote, Whereabouts, explore, explore_on, mailbox,
};
pub use glyphs::Glyphs;
pub use graphics::{GraphicsChoice, Protocol};
pub use home::{Access, Home, Offered, tables};
pub use jobs::Job;
pub use lab::{Chunk, Learned};
pub use launch::{Chooser, Described, Launch, Learn};
pub use learning::check_keys;
pub use message::{Effect, Message};
pub use node::{Inquiry, Listing, NodeExplanation, NodeView};
pub use picker::manifest_of;
pub use plain::{Typed, narrate};
pub use player::{Replay, ReplayStatus, SPEEDS};
pub use recording::{Action, First, Opened, Recorded, Recording, mouse_kind};
pub use shot::{Shot, headless, picture, repeat_lesson};
pub use speed::Speed;
pub use state::{Focus, Screen, State};
pub use theme::THEMES;
pub use update::update;
pub use views::{Hits, draw, hints};
