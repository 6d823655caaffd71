//! Playing a demo: the keys of its steps are pressed one after another, and wait
//! while something trains.

use std::collections::VecDeque;
use std::time::Duration;

use super::{Arrival, LessonsState};
use crate::lab::lessons::{Lesson, LessonError};
use crate::tui::commands::Chord;
use crate::tui::keyboard;
use crate::tui::message::Effect;
use crate::tui::state::State;

/// Time for training to report that it runs, before the next key.
const LEAST_PAUSE: Duration = Duration::from_millis(200);

/// What a demo does next.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cue {
    /// Opens the screen of a step.
    Screen(usize),
    /// Presses a key, and waits.
    Key(Chord, Duration),
}

/// The cues of a demo that are still to come.
#[derive(Debug, Default)]
pub(in crate::tui) struct Cues {
    queue: VecDeque<Cue>,
    /// When the next one is due.
    due: Duration,
    /// Keys pressed in this step.
    pressed: usize,
}

impl Cues {
    /// The cues from one step to another: the earlier ones without pauses.
    pub(super) fn between(lesson: &Lesson, from: usize, to: usize) -> Self {
        let mut queue = VecDeque::new();
        for (at, step) in lesson.steps.iter().enumerate().take(to + 1).skip(from) {
            queue.push_back(Cue::Screen(at));
            let script = step.script.as_ref();
            let seconds = script.map_or(0.0, |script| if at < to { 0.0 } else { script.pause });
            let keys = script.map(|script| script.keys.as_slice()).unwrap_or_default();
            let chords = keys.iter().filter_map(|key| key.parse().ok());
            queue.extend(chords.map(|chord| Cue::Key(chord, Duration::from_secs_f64(seconds))));
        }
        Self { queue, ..Self::default() }
    }

    /// Drops the pauses of what is left.
    pub(super) fn hurry(&mut self) {
        self.due = Duration::ZERO;
        for cue in &mut self.queue {
            if let Cue::Key(_, pause) = cue {
                *pause = Duration::ZERO;
            }
        }
    }
}

impl LessonsState {
    /// Whether a demo is open.
    pub fn is_demo(&self) -> bool {
        self.lesson().is_some_and(|lesson| lesson.is_demo)
    }

    /// Whether keys of a demo are still to come.
    pub fn is_playing(&self) -> bool {
        !self.cues.queue.is_empty()
    }

    /// Whether fewer keys than that were pressed, or training has had no time to report
    /// what the last one did.
    pub(in crate::tui) fn is_behind(&self, pressed: usize, now: Duration) -> bool {
        if self.is_playing() { self.pressed() < pressed } else { self.pauses(now) }
    }

    /// Whether a key was pressed just now.
    pub(in crate::tui) fn pauses(&self, now: Duration) -> bool {
        now < self.cues.due
    }

    /// Keys of the step that were pressed.
    pub fn pressed(&self) -> usize {
        self.cues.pressed
    }
}

/// The first step that trains on the graph and with the settings of a step, with no
/// other in between.
pub(super) fn first_alike(lesson: &Lesson, at: usize) -> usize {
    let own = lesson.for_step(at);
    let alike = |step: &usize| lesson.for_step(*step).opens_as(&own);
    (0..=at).rev().take_while(alike).last().unwrap_or(at)
}

/// Does what is due; keys wait for training and for the lab.
pub(in crate::tui) fn play(state: &mut State) -> Vec<Effect> {
    let session = &state.graph.session;
    let lab = &state.lab_view;
    let busy = session.is_preparing() || session.is_running() || lab.study.on || lab.recovery.on;
    let waits = state.learning.graph_is != Arrival::There || state.learning.pauses(state.now);
    if busy || waits {
        return Vec::new();
    }
    match state.learning.cues.queue.pop_front() {
        None => Vec::new(),
        Some(Cue::Screen(at)) => super::steps::open_screen(state, at),
        Some(Cue::Key(chord, pause)) => {
            let speed = state.replay.map_or(1.0, |replay| replay.speed);
            state.learning.cues.due = state.now + pause.div_f64(speed).max(LEAST_PAUSE);
            state.learning.cues.pressed += 1;
            keyboard::update(state, chord)
        }
    }
}

/// Checks the keys of a demo, which only the program knows.
pub fn check_keys(lesson: &Lesson, file: &str) -> Result<(), LessonError> {
    for script in lesson.steps.iter().filter_map(|step| step.script.as_ref()) {
        for key in &script.keys {
            if let Err(why) = key.parse::<Chord>() {
                let what = format!("keys: {why}");
                return Err(LessonError { file: file.to_owned(), line: script.line, what });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::lessons::demos;
    use crate::model::settings::Settings;
    use crate::train::Phase;
    use crate::tui::appearance::Appearance;
    use crate::tui::colour::Depth;
    use crate::tui::glyphs::Glyphs;
    use crate::tui::player::ReplayStatus;

    #[test]
    fn a_replay_waits_for_the_keys_of_a_demo_whose_pauses_follow_its_speed() {
        let demo = demos().unwrap().into_iter().find(|own| own.id == "set-functions").unwrap();
        let look = Appearance::new("dark", Glyphs::Ascii, Depth::True);
        let mut state = State::new("karate".to_owned(), Settings::default(), look);
        state.graph.session.phase = Some(Phase::Paused);
        state.learning.graph_is = Arrival::There;
        state.replay = Some(ReplayStatus { paused: false, speed: 4.0, played: 0, count: 9 });
        state.learning.cues = Cues::between(&demo, 1, 1);
        let keys = state.learning.cues.queue.len() - 1;
        play(&mut state);
        for pressed in 0..keys {
            assert!(state.learning.is_behind(keys, state.now), "{pressed} of {keys}");
            assert!(!state.learning.is_behind(pressed, state.now), "recorded in between");
            play(&mut state);
            state.now += Duration::from_millis(299);
            assert!(state.learning.pauses(state.now), "1.2 s at speed 4");
            state.now += Duration::from_millis(1);
        }
        assert!(!state.learning.is_behind(keys, state.now));
    }
}
