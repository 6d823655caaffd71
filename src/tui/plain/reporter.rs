//! What is worth a sentence: news of the training, notices, and another screen.

use std::time::{Duration, Instant};

use super::sentences::{
    epoch_sentence, filter_sentence, lab_sentences, node_sentences, phase_sentence,
    setting_sentences,
};
use crate::train::{Event, Phase};
use crate::tui::state::{Screen, State};

/// Minimum time between two sentences about epochs.
pub(super) const PAUSE: Duration = Duration::from_secs(2);

/// What was heard before the state took it in.
pub(in crate::tui) struct Heard {
    changes: Vec<String>,
    phases: Vec<Phase>,
    epochs: bool,
}

impl Heard {
    /// The news in events that the state does not know yet.
    pub(in crate::tui) fn of(state: &State, events: &[Event]) -> Self {
        let phase = |event: &Event| if let Event::Phase(own) = event { Some(*own) } else { None };
        Self {
            changes: setting_sentences(&state.graph.session.settings, events),
            phases: events.iter().filter_map(phase).collect(),
            epochs: events.iter().any(|event| matches!(event, Event::Epoch(_))),
        }
    }
}

/// Whether training waits in a phase.
pub(super) fn is_resting(phase: Phase) -> bool {
    matches!(phase, Phase::Paused | Phase::Finished)
}

/// Says everything once.
#[derive(Debug)]
pub(in crate::tui) struct Reporter {
    pause: Duration,
    /// When an epoch was last reported.
    told: Option<Instant>,
    /// The notice reported last.
    said: String,
    /// The screen described last.
    screen: Screen,
    /// The step of a lesson described last.
    step: Option<(String, usize)>,
}

impl Reporter {
    /// A reporter that pauses between two sentences about epochs.
    pub(in crate::tui) fn new(pause: Duration) -> Self {
        Self { pause, told: None, said: String::new(), screen: Screen::default(), step: None }
    }

    /// What to say about news after the state took it in.
    pub(in crate::tui) fn news(&mut self, state: &State, heard: Heard) -> Vec<String> {
        let Heard { changes: mut said, phases, epochs } = heard;
        // A short run starts and ends within one batch of events: both are worth saying.
        let started = phases.iter().copied().filter(|phase| !is_resting(*phase));
        said.extend(started.map(|phase| phase_sentence(state, phase)));
        if epochs && self.told.is_none_or(|told| told.elapsed() >= self.pause) {
            self.told = Some(Instant::now());
            said.push(epoch_sentence(state));
        }
        let last = phases.last().copied().filter(|phase| is_resting(*phase));
        said.extend(last.map(|phase| phase_sentence(state, phase)));
        said
    }

    /// The notice shown, unless it was reported.
    pub(in crate::tui) fn notice(&mut self, state: &State) -> Option<String> {
        let notice = state.notices.shown().map(|notice| notice.text.clone());
        let notice = notice.unwrap_or_default();
        let news = (!notice.is_empty() && notice != self.said).then(|| notice.clone());
        self.said = notice;
        news
    }

    /// The screen, unless it was described.
    pub(in crate::tui) fn screen(&mut self, state: &State) -> Option<String> {
        if self.screen == state.screen {
            return None;
        }
        self.screen = state.screen;
        Some(match self.screen {
            Screen::Filter => filter_sentence(state),
            Screen::Node => node_sentences(state),
            Screen::Lab => lab_sentences(state),
            Screen::Overview | Screen::Train | Screen::Map | Screen::Runs => epoch_sentence(state),
        })
    }

    /// The screen was described otherwise.
    pub(super) fn has_described(&mut self, screen: Screen) {
        self.screen = screen;
    }

    /// The step of a lesson, unless it was read.
    pub(in crate::tui) fn step(&mut self, state: &State) -> Option<String> {
        let lesson = state.learning.lesson().map(|own| own.id.clone());
        let step = lesson.zip(state.learning.step().map(|(at, _)| at));
        if step == self.step {
            return None;
        }
        self.step.clone_from(&step);
        let (_, own) = state.learning.step()?;
        let text = own.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (_, at) = step?;
        Some(format!("Step {}. {text}", at + 1))
    }
}
