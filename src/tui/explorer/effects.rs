//! What the state asks of the world around it.

use std::io;

use super::{Display, Explorer};
use crate::train::run::{RunFolder, repair};
use crate::tui::message::{Effect, Message};
use crate::tui::shot;
use crate::tui::state_change::StateChange;

impl Explorer {
    /// Carries out an effect.
    pub(super) fn act(&mut self, effect: Effect, display: &mut dyn Display) -> io::Result<()> {
        if let Some(message) = self.hand_over_picture(&effect, display) {
            return self.message(message, display);
        }
        if let Some(why) = self.refuses(&effect) {
            self.change(StateChange::Failed(why));
            return Ok(());
        }
        match effect {
            Effect::Train(order) => {
                tracing::info!(?order, "to the training");
                if let Some(worker) = &self.worker {
                    worker.send(order);
                }
            }
            Effect::Interrupt => {
                if let Some(worker) = &self.worker {
                    worker.interrupt();
                }
            }
            Effect::Open(path) => self.open(&path),
            Effect::RepairRun(run) => repair(&run),
            Effect::Learn(lesson) => self.open_lesson(&lesson),
            Effect::SaveProgress(progress) => {
                if let Err(why) = progress.save_to(self.launch.home.progress.as_deref()) {
                    self.change(StateChange::Failed(why.to_string()));
                }
            }
            Effect::Ask(question) => self.jobs.ask(question)?,
            Effect::WithdrawSpectrum => self.jobs.withdraw_spectrum(),
            Effect::Picture(path, overwrite) => {
                let written = shot::write(&self.state, self.state.size, &path, overwrite);
                let result = written.map(|()| path);
                return self.message(Message::Written(result), display);
            }
            Effect::Copy(clip) => self.copy(clip, display)?,
            Effect::Notify(text) => {
                if self.launch.notify {
                    display.notify(&text)?;
                }
            }
            Effect::SavePreset(name, text) => self.save_preset(&name, &text),
            Effect::RememberSpeed(speed) => {
                if self.launch.home.remembers {
                    speed.save();
                }
            }
            Effect::Redraw => display.forget(),
            Effect::Suspend => {
                if !display.suspend()? {
                    let why = "there is no terminal to suspend: close the page instead";
                    self.change(StateChange::Said(why.to_owned()));
                }
            }
            Effect::Relabel(run, label) => {
                if let Err(error) = RunFolder::relabel(&run, label) {
                    self.change(StateChange::Failed(error.to_string()));
                }
            }
            Effect::Quit => self.code = Some(0),
        }
        Ok(())
    }
}
