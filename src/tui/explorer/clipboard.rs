//! Copies results to the clipboard.

use std::io;

use super::{Display, Explorer};
use crate::train::StateLine;
use crate::train::run::RunFolder;
use crate::tui::message::Clip;
use crate::tui::state_change::StateChange;

impl Explorer {
    /// Puts a text into the clipboard of the user.
    pub(super) fn copy(&mut self, clip: Clip, display: &mut dyn Display) -> io::Result<()> {
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
        let copied = match text {
            Ok((what, text)) => display.copy(what, &text)?,
            Err(why) => Err(why),
        };
        self.change(match copied {
            Ok(said) => StateChange::Said(said),
            Err(why) => StateChange::Failed(why),
        });
        Ok(())
    }
}
