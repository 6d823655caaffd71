//! Replays a recording: the viewer's keys control the replay, recorded keys act as
//! they did, except for effects that are not allowed on this machine.

use std::io;
use std::time::Instant;

use ratatui::crossterm::event::{KeyCode, KeyModifiers, MouseEvent, MouseEventKind};

use super::{Display, Explorer};
use crate::tui::commands::Chord;
use crate::tui::jobs::Job;
use crate::tui::message::{Effect, Message};
use crate::tui::mouse::target_name;
use crate::tui::recording::{Action, Recorded};
use crate::tui::state_change::StateChange;
use crate::tui::update::update;

/// Speed factor of one key press.
const FASTER: f64 = 2.0;

impl Explorer {
    /// Handles a key of the viewer during a replay.
    pub(super) fn steer(&mut self, chord: Chord) {
        let now = Instant::now();
        let Some(player) = &mut self.player else { return };
        let ctrl_c = chord.code == KeyCode::Char('c') && chord.modifiers == KeyModifiers::CONTROL;
        match chord.code {
            _ if ctrl_c || chord.letter() == Some('q') => self.code = Some(0),
            KeyCode::Esc if self.state.notices.has_error() => self.change(StateChange::Dismissed),
            KeyCode::F(7) => player.scale_speed(1.0 / FASTER, now),
            KeyCode::F(8) => player.scale_speed(FASTER, now),
            KeyCode::F(9) => player.toggle(now),
            KeyCode::F(10) => player.step(now),
            _ => self.refuse_input(),
        }
        self.show_replay();
    }

    /// Reports that keys and clicks are ignored during a replay.
    pub(super) fn refuse_input(&mut self) {
        let Some(player) = &self.player else { return };
        let said = if player.status().paused {
            "replay paused: f9 resumes, f10 steps, ctrl-c quits"
        } else {
            "replay running: f9 pauses, ctrl-c quits"
        };
        self.change(StateChange::Said(said.to_owned()));
    }

    /// When the next recorded action is due.
    pub(super) fn next_played(&self) -> Option<Instant> {
        self.player.as_ref()?.next_at()
    }

    /// Plays actions that are due; returns whether there were any.
    pub(super) fn play_due(&mut self, display: &mut dyn Display) -> io::Result<bool> {
        let mut any = false;
        while self.code.is_none() {
            let Some(player) = &mut self.player else { break };
            if player.is_done() {
                self.end_replay("replay finished: the keyboard is yours");
                return Ok(true);
            }
            let session = &self.state.graph.session;
            if session.failed.is_some() && session.ready.is_none() {
                self.end_replay("replay stopped: its graph could not be opened");
                return Ok(true);
            }
            let Some(recorded) = player.due(&self.state, Instant::now()) else { break };
            any = true;
            self.message(Message::Tick(self.start.elapsed()), display)?;
            self.play(recorded, display)?;
            self.show_replay();
        }
        Ok(any)
    }

    fn end_replay(&mut self, said: &str) {
        self.player = None;
        self.show_replay();
        self.change(StateChange::Said(said.to_owned()));
    }

    pub(super) fn show_replay(&mut self) {
        self.change(StateChange::Replay(self.player.as_ref().map(super::Player::status)));
    }

    fn play(&mut self, recorded: Recorded, display: &mut dyn Display) -> io::Result<()> {
        match recorded.action {
            Action::Key(chord) => self.replayed(Message::Key(chord), display),
            Action::Paste(text) => self.replayed(Message::Paste(text), display),
            Action::Mouse(event, target) => self.play_mouse(event, &target, display),
            Action::Size(..) | Action::Demo(_) => Ok(()),
            Action::Open(_) => {
                let next = self.player.as_mut().and_then(super::Player::next_graph);
                if let Some(described) = next {
                    self.open_described(&described);
                }
                Ok(())
            }
        }
    }

    /// A click is played on its recorded target, or skipped, which is reported once.
    fn play_mouse(
        &mut self,
        event: MouseEvent,
        target: &str,
        display: &mut dyn Display,
    ) -> io::Result<()> {
        // Targets are known only after drawing.
        self.draw(display)?;
        let Some(player) = &mut self.player else { return Ok(()) };
        let under = target_name(&self.state, event);
        // For mere movement, the target may have moved too.
        let target = if event.kind == MouseEventKind::Moved { &under } else { target };
        match player.misses(self.state.size, &under, target) {
            None => self.replayed(Message::Mouse(event), display),
            Some(why) => {
                if player.tells_of_mouse() {
                    self.change(StateChange::Said(why));
                }
                Ok(())
            }
        }
    }

    /// Performs the allowed effects of a recorded action: graphs are opened by
    /// separate entries, and the session and files belong to the viewer.
    fn replayed(&mut self, message: Message, display: &mut dyn Display) -> io::Result<()> {
        for effect in update(&mut self.state, message) {
            match may_do(&effect) {
                Allowed::Yes => self.act(effect, display)?,
                Allowed::No => {}
                Allowed::NoFiles => {
                    self.change(StateChange::Said("a replay does not write files".to_owned()));
                }
            }
        }
        Ok(())
    }
}

/// Whether a recorded action may have an effect here.
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
        | Effect::RepairRun(_)
        | Effect::SaveProgress(_)
        | Effect::RememberSpeed(_)
        | Effect::Copy(_)
        | Effect::Notify(_)
        | Effect::Relabel(..) => Allowed::No,
        Effect::Picture(..) | Effect::SavePreset(..) | Effect::Ask(Job::Output(_)) => {
            Allowed::NoFiles
        }
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
    fn a_recording_cannot_quit_open_or_write() {
        for effect in [Effect::Quit, Effect::Suspend, Effect::Open("/etc/passwd".into())] {
            assert_eq!(may_do(&effect), Allowed::No);
        }
        let picture = Effect::Picture("/home/ada/.profile".into(), Overwrite::Asked);
        assert_eq!(may_do(&picture), Allowed::NoFiles);
        assert_eq!(may_do(&Effect::SavePreset(String::new(), String::new())), Allowed::NoFiles);
        assert_eq!(may_do(&Effect::Redraw), Allowed::Yes);
    }
}
