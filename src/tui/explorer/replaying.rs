//! A recording is played: the viewer's keys steer the replay, the recorded ones
//! do what they did, except for what is not theirs to do on this machine.

use std::io;
use std::time::Instant;

use ratatui::crossterm::event::{KeyCode, KeyModifiers, MouseEvent, MouseEventKind};

use super::Explorer;
use crate::tui::commands::Chord;
use crate::tui::message::{Effect, Message};
use crate::tui::mouse::target_name;
use crate::tui::recording::{Action, Recorded};
use crate::tui::terminal::Held;
use crate::tui::update::update;

/// How much slower or faster one key makes a replay.
const FASTER: f64 = 2.0;

impl Explorer {
    /// Takes a key of the viewer while a replay is under way.
    pub(super) fn steer(&mut self, chord: Chord) {
        let now = Instant::now();
        let Some(player) = &mut self.player else { return };
        let ctrl_c = chord.code == KeyCode::Char('c') && chord.held == KeyModifiers::CONTROL;
        match chord.code {
            _ if ctrl_c || chord.letter() == Some('q') => self.code = Some(0),
            KeyCode::Esc if self.state.notices.has_error() => self.state.notices.dismiss(),
            KeyCode::F(7) => player.scale_speed(1.0 / FASTER, now),
            KeyCode::F(8) => player.scale_speed(FASTER, now),
            KeyCode::F(9) => player.toggle(now),
            KeyCode::F(10) => player.step(now),
            _ => self.refuse_input(),
        }
        self.show_replay();
    }

    /// Says that keys and clicks are not the viewer's yet.
    pub(super) fn refuse_input(&mut self) {
        let Some(player) = &self.player else { return };
        let said = if player.status().paused {
            "the replay is paused: f9 plays on, f10 steps, ctrl-c quits"
        } else {
            "a replay is playing: f9 pauses it, ctrl-c quits"
        };
        self.state.notices.say(said, self.state.now);
    }

    /// When the next recorded action is to be played.
    pub(super) fn next_played(&self) -> Option<Instant> {
        self.player.as_ref()?.next_at()
    }

    /// Plays what is due; says whether anything was.
    pub(super) fn play_due(&mut self, terminal: &mut Held) -> io::Result<bool> {
        let mut any = false;
        while self.code.is_none() {
            let Some(player) = &mut self.player else { break };
            if player.is_done() {
                self.end_replay("replay finished: the keys are yours");
                return Ok(true);
            }
            let session = &self.state.session;
            if session.failed.is_some() && session.ready.is_none() {
                self.end_replay("replay stopped: its graph could not be opened");
                return Ok(true);
            }
            let Some(recorded) = player.due(session, Instant::now()) else { break };
            any = true;
            self.message(Message::Tick(self.start.elapsed()), terminal)?;
            self.play(recorded, terminal)?;
            self.show_replay();
        }
        Ok(any)
    }

    fn end_replay(&mut self, said: &str) {
        self.player = None;
        self.show_replay();
        self.state.notices.say(said, self.state.now);
    }

    pub(super) fn show_replay(&mut self) {
        self.state.replay = self.player.as_ref().map(super::Player::status);
    }

    fn play(&mut self, recorded: Recorded, terminal: &mut Held) -> io::Result<()> {
        match recorded.action {
            Action::Key(chord) => self.replayed(Message::Key(chord), terminal),
            Action::Paste(text) => self.replayed(Message::Paste(text), terminal),
            Action::Mouse(event, target) => self.play_mouse(event, &target, terminal),
            Action::Size(..) => Ok(()),
            Action::Open(_) => {
                let next = self.player.as_mut().and_then(super::Player::next_graph);
                if let Some(described) = next {
                    self.open_described(&described);
                }
                Ok(())
            }
        }
    }

    /// A click lands where it did, or is left out, which is said once.
    fn play_mouse(&mut self, event: MouseEvent, target: &str, held: &mut Held) -> io::Result<()> {
        // What can be hit is known once it is drawn.
        self.draw(held)?;
        let Some(player) = &mut self.player else { return Ok(()) };
        let under = target_name(&self.state, event);
        // Where the mouse only moves, what is under it may move as well.
        let target = if event.kind == MouseEventKind::Moved { &under } else { target };
        match player.misses(self.state.size, &under, target) {
            None => self.replayed(Message::Mouse(event), held),
            Some(why) => {
                if player.tells_of_mouse() {
                    self.state.notices.say(why, self.state.now);
                }
                Ok(())
            }
        }
    }

    /// Does what a recorded action did, as far as that is its to do: graphs are
    /// opened by lines of their own, the session and the files are the viewer's.
    fn replayed(&mut self, message: Message, terminal: &mut Held) -> io::Result<()> {
        for effect in update(&mut self.state, message) {
            match may_do(&effect) {
                Allowed::Yes => self.act(effect, terminal)?,
                Allowed::No => {}
                Allowed::NoFiles => {
                    self.state.notices.say("a replay writes no files", self.state.now);
                }
            }
        }
        Ok(())
    }
}

/// Whether a recorded action may do something here.
#[derive(Debug, PartialEq, Eq)]
enum Allowed {
    Yes,
    No,
    NoFiles,
}

fn may_do(effect: &Effect) -> Allowed {
    match effect {
        Effect::Open(_)
        | Effect::Quit
        | Effect::Suspend
        | Effect::PutInOrder(_)
        | Effect::KeepProgress(_)
        | Effect::Relabel(..) => Allowed::No,
        Effect::Picture(..) | Effect::SavePreset(..) => Allowed::NoFiles,
        Effect::Train(_)
        | Effect::Interrupt
        | Effect::Ask(_)
        | Effect::WithdrawSpectrum
        | Effect::Learn(_)
        | Effect::Redraw => Allowed::Yes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::message::Overwrite;

    #[test]
    fn a_recording_neither_quits_nor_opens_nor_writes() {
        for effect in [Effect::Quit, Effect::Suspend, Effect::Open("/etc/passwd".into())] {
            assert_eq!(may_do(&effect), Allowed::No);
        }
        let picture = Effect::Picture("/home/ada/.profile".into(), Overwrite::Asked);
        assert_eq!(may_do(&picture), Allowed::NoFiles);
        assert_eq!(may_do(&Effect::SavePreset(String::new(), String::new())), Allowed::NoFiles);
        assert_eq!(may_do(&Effect::Redraw), Allowed::Yes);
    }
}
