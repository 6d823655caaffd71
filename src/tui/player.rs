//! Playing a recording: when its next action is due. The clock of the recording can
//! be paused, stepped and run at another speed; it waits for training and for a demo.

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use super::launch::Described;
use super::recording::{Action, Recorded};
use super::state::State;

/// The recording to play, and its speed.
#[derive(Debug, Clone)]
pub struct Replay {
    /// The actions after the first graph was opened.
    pub actions: Vec<Recorded>,
    /// The graphs opened later, in order.
    pub graphs: Vec<Described>,
    /// Speed factor.
    pub speed: f64,
}

/// Progress of a replay, for the screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReplayStatus {
    /// Whether it is paused.
    pub paused: bool,
    /// Speed factor.
    pub speed: f64,
    /// Actions played.
    pub played: usize,
    /// Total number of actions.
    pub count: usize,
}

/// Speeds of a replay.
pub const SPEEDS: RangeInclusive<f64> = 1.0 / 16.0..=16.0;

/// A running replay.
#[derive(Debug)]
pub(super) struct Player {
    actions: VecDeque<Recorded>,
    graphs: VecDeque<Described>,
    count: usize,
    speed: f64,
    paused: bool,
    /// Whether the next action is due at once.
    step: bool,
    /// Position of the clock in the recording.
    place: Duration,
    /// When it was at that position.
    since: Instant,
    /// The recorded terminal size.
    size: Option<(u16, u16)>,
    /// Whether skipped mouse events have been reported.
    has_told_of_mouse: bool,
}

impl Player {
    pub(super) fn new(replay: Replay, now: Instant) -> Self {
        Self {
            count: replay.actions.len(),
            actions: replay.actions.into(),
            graphs: replay.graphs.into(),
            speed: replay.speed,
            paused: false,
            step: false,
            place: Duration::ZERO,
            since: now,
            size: None,
            has_told_of_mouse: false,
        }
    }

    /// Whether all actions have been played.
    pub(super) fn is_done(&self) -> bool {
        self.actions.is_empty()
    }

    pub(super) fn status(&self) -> ReplayStatus {
        let played = self.count - self.actions.len();
        ReplayStatus { paused: self.paused, speed: self.speed, played, count: self.count }
    }

    /// When the next action is due, unless it has to wait.
    pub(super) fn next_at(&self) -> Option<Instant> {
        let next = self.actions.front()?;
        if self.step {
            return Some(self.since);
        }
        let left = next.at.saturating_sub(self.place).div_f64(self.speed);
        (!self.paused).then_some(self.since + left)
    }

    /// The next action, once its time has come and training and a demo are as far as
    /// recorded, or cannot continue.
    pub(super) fn due(&mut self, state: &State, now: Instant) -> Option<Recorded> {
        let Recorded { epoch, pressed, .. } = *self.actions.front()?;
        let session = &state.graph.session;
        let trains = session.is_preparing() || (session.is_running() && session.at < epoch);
        if trains || state.learning.is_behind(pressed, state.now) || self.next_at()? > now {
            return None;
        }
        let next = self.actions.pop_front()?;
        // The delay to the next action is that of the recording, however long this
        // one waited.
        (self.place, self.since, self.step) = (next.at, now, false);
        if let Action::Size(columns, rows) = next.action {
            self.size = Some((columns, rows));
        }
        Some(next)
    }

    /// Why a click is skipped: the terminal has another size, or another target is
    /// under the mouse.
    pub(super) fn misses(&self, size: (u16, u16), under: &str, target: &str) -> Option<String> {
        let (recorded, here) = (self.size.unwrap_or(size), size);
        if recorded != here {
            return Some(format!(
                "mouse events skipped: recorded at {} × {}, this terminal is {} × {}",
                recorded.0, recorded.1, here.0, here.1
            ));
        }
        let elsewhere = "mouse events skipped where another item is under the pointer";
        (under != target).then(|| elsewhere.to_owned())
    }

    /// Whether to report that mouse events are skipped: once per replay.
    pub(super) fn tells_of_mouse(&mut self) -> bool {
        !std::mem::replace(&mut self.has_told_of_mouse, true)
    }

    /// The graph opened next.
    pub(super) fn next_graph(&mut self) -> Option<Described> {
        self.graphs.pop_front()
    }

    /// Pauses or resumes.
    pub(super) fn toggle(&mut self, now: Instant) {
        self.rebase(now);
        self.paused = !self.paused;
    }

    /// Pauses, and plays one action.
    pub(super) fn step(&mut self, now: Instant) {
        self.rebase(now);
        (self.paused, self.step) = (true, true);
    }

    /// Changes the speed by a factor.
    pub(super) fn scale_speed(&mut self, by: f64, now: Instant) {
        self.rebase(now);
        self.speed = (self.speed * by).clamp(*SPEEDS.start(), *SPEEDS.end());
    }

    /// Records the current position of the clock.
    fn rebase(&mut self, now: Instant) {
        if !self.paused {
            let gone = now.saturating_duration_since(self.since).mul_f64(self.speed);
            let next = self.actions.front().map_or(self.place, |next| next.at);
            self.place = (self.place + gone).min(next.max(self.place));
        }
        self.since = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::settings::Settings;
    use crate::train::Phase;
    use crate::tui::appearance::Appearance;
    use crate::tui::colour::Depth;
    use crate::tui::glyphs::Glyphs;

    fn player(seconds: &[u64], speed: f64, now: Instant) -> Player {
        let actions = seconds.iter().map(|at| Recorded {
            at: Duration::from_secs(*at),
            epoch: 5,
            pressed: 0,
            action: Action::Key("s".parse().unwrap()),
        });
        Player::new(Replay { actions: actions.collect(), graphs: Vec::new(), speed }, now)
    }

    fn resting() -> State {
        let look = Appearance::new("dark", Glyphs::Ascii, Depth::True);
        let mut state = State::new("karate".to_owned(), Settings::default(), look);
        state.graph.session.phase = Some(Phase::Paused);
        state
    }

    #[test]
    fn actions_come_at_their_time_and_wait_for_training() {
        let start = Instant::now();
        let at = |seconds: f64| start + Duration::from_secs_f64(seconds);
        let mut player = player(&[2, 4], 2.0, start);
        let mut state = resting();
        assert!(player.due(&state, at(0.9)).is_none());
        state.graph.session.phase = Some(Phase::Running);
        assert!(player.due(&state, at(1.1)).is_none(), "5 epochs are not done");
        state.graph.session.at = 5;
        assert!(player.due(&state, at(3.0)).is_some());
        assert!(player.due(&state, at(3.9)).is_none(), "the pause between them stays");
        assert!(player.due(&state, at(4.0)).is_some());
        assert!(player.is_done() && player.next_at().is_none());
    }

    #[test]
    fn a_click_with_another_target_is_skipped_and_reported_once() {
        let now = Instant::now();
        let size =
            Recorded { at: Duration::ZERO, epoch: 0, pressed: 0, action: Action::Size(100, 30) };
        let mut player =
            Player::new(Replay { actions: vec![size], graphs: Vec::new(), speed: 1.0 }, now);
        assert!(player.due(&resting(), now).is_some());
        assert_eq!(player.misses((100, 30), "Plot", "Plot"), None);
        assert!(player.misses((100, 30), "Plot", "Map").unwrap().contains("another item"));
        let said = player.misses((80, 24), "Plot", "Plot").unwrap();
        assert!(said.contains("recorded at 100 × 30, this terminal is 80 × 24"), "{said}");
        assert!(player.tells_of_mouse() && !player.tells_of_mouse());
    }

    #[test]
    fn a_replay_can_be_paused_stepped_and_slowed() {
        let start = Instant::now();
        let at = |seconds: f64| start + Duration::from_secs_f64(seconds);
        let state = resting();
        let mut player = player(&[1, 2, 4, 5], 1.0, start);
        player.toggle(at(0.5));
        assert!(player.due(&state, at(9.0)).is_none());
        player.step(at(9.0));
        assert!(player.due(&state, at(9.0)).is_some());
        assert!(player.due(&state, at(9.9)).is_none(), "one step is one action");
        assert_eq!((player.status().paused, player.status().played), (true, 1));
        player.toggle(at(10.0));
        assert!(player.due(&state, at(11.0)).is_some());
        player.scale_speed(0.5, at(12.0));
        assert!(player.due(&state, at(13.9)).is_none(), "half as fast from half way on");
        assert!(player.due(&state, at(14.0)).is_some());
        player.scale_speed(1e9, at(14.0));
        assert!(player.status().speed <= 16.0);
    }
}
