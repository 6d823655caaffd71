//! Projector mode: fewer and larger items, high contrast, and the keys pressed, so
//! that an audience can follow.

use std::collections::VecDeque;
use std::time::Duration;

use super::appearance::Appearance;
use super::commands::Chord;
use super::state::State;

/// How long a key stays on the screen.
const STAYS: Duration = Duration::from_secs(6);
/// Number of keys shown.
const KEYS: usize = 6;

/// A pressed key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Press {
    /// The key.
    pub(super) chord: Chord,
    /// What it did; `None` if it typed a letter.
    pub(super) name: Option<&'static str>,
    /// When it was pressed.
    pub(super) at: Duration,
}

/// State of the projector mode.
#[derive(Debug, Default)]
pub struct Projector {
    /// Whether it is on.
    pub on: bool,
    /// The appearance to restore.
    look: Option<Appearance>,
    presses: VecDeque<Press>,
}

impl Projector {
    /// Records a key.
    pub(super) fn press(&mut self, chord: Chord, name: Option<&'static str>, at: Duration) {
        if self.on {
            self.presses.push_back(Press { chord, name, at });
            while self.presses.len() > KEYS {
                self.presses.pop_front();
            }
        }
    }

    /// The last keys, oldest first, each with its fade: 0 is fresh.
    pub(super) fn keys(&self, now: Duration) -> impl Iterator<Item = (&Press, f64)> {
        self.presses.iter().filter_map(move |press| {
            let age = now.saturating_sub(press.at);
            (age < STAYS).then(|| (press, age.as_secs_f64() / STAYS.as_secs_f64()))
        })
    }

    /// Whether a key will fade.
    pub(super) fn fades(&self) -> bool {
        self.on && !self.presses.is_empty()
    }

    /// Removes expired keys.
    pub(super) fn pass(&mut self, now: Duration) {
        self.presses.retain(|press| now.saturating_sub(press.at) < STAYS);
    }
}

impl State {
    /// Toggles projector mode.
    pub fn turn_projector(&mut self) {
        let projector = &mut self.projector;
        projector.on = !projector.on;
        if projector.on {
            let (glyphs, has_pixels) = (self.look.glyphs, self.look.has_pixels);
            let strong = Appearance::new("high-contrast", glyphs, self.look.depth);
            let strong = Appearance { has_pixels, ..strong };
            projector.look = Some(std::mem::replace(&mut self.look, strong));
            self.notices.say("projector on; ctrl-f turns it off", self.now);
        } else {
            projector.presses.clear();
            if let Some(look) = projector.look.take() {
                let (glyphs, has_pixels) = (self.look.glyphs, self.look.has_pixels);
                self.look = Appearance { glyphs, has_pixels, ..look };
            }
            self.notices.say("projector off", self.now);
        }
    }
}
