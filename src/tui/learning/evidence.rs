//! What a learner did in a step, saved so that a teacher can repeat it.

use ratatui::crossterm::event::MouseEventKind;

use crate::graph::{GraphReference, LoadOptions, Sample};
use crate::lab::lessons::{CheckLine, DoneStep};
use crate::train::StateLine;
use crate::tui::message::Message;
use crate::tui::state::State;

/// The most keys kept of a step.
const MOST: usize = 2000;
/// Stands for a mouse event among the keys.
const MOUSE: &str = "mouse";

/// The keys since the last completed step.
#[derive(Debug, Default)]
pub(in crate::tui) struct Evidence {
    keys: Vec<String>,
    /// How often the learner tried to continue too early.
    pub(super) refused: usize,
}

impl Evidence {
    /// Records a key, or that the mouse was used: its effect depends on the terminal.
    pub(in crate::tui) fn hear(&mut self, message: &Message) {
        match message {
            Message::Key(chord) => self.add(chord.to_string()),
            Message::Mouse(event) if event.kind != MouseEventKind::Moved => {
                self.add(MOUSE.to_owned());
            }
            _ => {}
        }
    }

    fn add(&mut self, key: String) {
        if self.keys.len() < MOST {
            self.keys.push(key);
        }
    }
}

/// The completed step, from what was recorded since the one before.
pub(super) fn completed(state: &mut State, step: usize, asked: &[CheckLine]) -> DoneStep {
    let run = run_line(state).unwrap_or_default();
    let Evidence { keys, refused } = std::mem::take(&mut state.learning.evidence);
    let found = asked.iter().map(|line| format!("{}: {}", line.words, line.present)).collect();
    DoneStep { step, keys: keys.join(" "), refused, run, found }
}

/// The state line of the run. Runs that changed on the way have none: a line holds
/// one set of settings.
fn run_line(state: &State) -> Option<String> {
    let session = &state.graph.session;
    let ready = session.ready.as_ref()?;
    let is_plain = session.run.marks.is_empty() && session.edits().is_none() && session.at > 0;
    let lesson = state.learning.opened.as_ref().filter(|_| is_plain)?;
    let path =
        Sample::named(&lesson.graph).map_or_else(|| lesson.graph.clone().into(), Sample::path);
    let fingerprint = format!("{:016x}", ready.prepared.graph.fingerprint());
    let line = StateLine {
        graph: GraphReference::of(&path, &fingerprint, &LoadOptions::default()),
        epoch: session.at,
        version: None,
        threads: None,
        edits: String::new(),
        settings: session.settings.clone(),
        changes: Vec::new(),
    };
    Some(line.made_here().to_string())
}
