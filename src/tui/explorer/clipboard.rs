//! Copies results to the clipboard of the terminal.

use std::io;

use super::Explorer;
use crate::train::StateLine;
use crate::train::run::RunFolder;
use crate::tui::message::Clip;
use crate::tui::osc;
use crate::tui::state_change::StateChange;
use crate::tui::terminal::TerminalGuard;

impl Explorer {
    /// Puts a text into the clipboard of the terminal.
    pub(super) fn copy(&mut self, clip: Clip, terminal: &mut TerminalGuard) -> io::Result<()> {
        let text = match clip {
            Clip::StateLine => {
                let session = &self.state.graph.session;
                let record = session.path.as_deref().map(RunFolder::record).transpose();
                record.map_err(|error| error.to_string()).and_then(|record| {
                    let record = record.ok_or("the run is not saved, so it has no state line")?;
                    Ok(("state line", StateLine::of(&record, session.at).to_string()))
                })
            }
            Clip::Text(what, text) => Ok((what, text)),
        };
        let sent = text.and_then(|(what, text)| match osc::copy(&text) {
            Some(sequence) => Ok((what, sequence)),
            None => Err(format!("the {what} is too long for the clipboard of a terminal")),
        });
        match sent {
            Ok((what, sequence)) => {
                terminal.send(&sequence)?;
                self.change(StateChange::Said(format!(
                    "copied: {what} (if the terminal allows it)"
                )));
            }
            Err(why) => self.change(StateChange::Failed(why)),
        }
        Ok(())
    }
}
