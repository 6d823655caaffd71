//! The explorer without a terminal: trains a number of epochs, presses keys, draws
//! once.

use std::path::Path;
use std::time::{Duration, Instant};

use ratatui::crossterm::event::{KeyCode, KeyModifiers};

use crate::lab::lessons::Lesson;
use crate::model::settings::{AppliesAt, change_effect};
use crate::train::{Event, Phase, TrainingCommand, Worker};
use crate::tui::commands::Chord;
use crate::tui::jobs::Job;
use crate::tui::launch::Launch;
use crate::tui::message::{Effect, Message};
use crate::tui::opening::Opening;
use crate::tui::state::State;
use crate::tui::update::update;

/// What to render.
#[derive(Debug, Clone)]
pub struct Shot {
    /// Columns and rows.
    pub size: (u16, u16),
    /// Number of epochs to train first.
    pub epochs: usize,
    /// Keys to press first.
    pub keys: Vec<Chord>,
}

/// Maximum wait for a training event.
const PATIENCE: Duration = Duration::from_secs(3600);

/// Opens a graph, trains, presses the keys, and returns the state to draw.
pub fn headless(launch: &Launch, path: &Path, shot: &Shot) -> Result<State, String> {
    let mut state = launch.state();
    state.screen = launch.first_screen(shot.size.0);
    let mut play = Stage::open(launch, state, launch.open(path)?, shot.size)?;
    if shot.epochs > 0 {
        play.order(TrainingCommand::Run(shot.epochs))?;
    }
    for chord in &shot.keys {
        play.press(*chord)?;
    }
    Ok(play.finish())
}

/// A state and a training thread that is waited for at every step.
pub(in crate::tui) struct Stage<'a> {
    launch: &'a Launch,
    worker: Worker,
    start: Instant,
    /// The state to draw.
    pub(in crate::tui) state: State,
}

impl<'a> Stage<'a> {
    fn open(
        launch: &'a Launch,
        mut state: State,
        opening: Opening,
        size: (u16, u16),
    ) -> Result<Self, String> {
        state.size = size;
        let worker = opening.start(&mut state, launch.begin(true, None), || {})?;
        let mut opened = Self { launch, worker, start: Instant::now(), state };
        // The model pauses at its start.
        opened.until_rest()?;
        Ok(opened)
    }

    /// Opens a lesson.
    pub(in crate::tui) fn of_lesson(launch: &'a Launch, lesson: &Lesson) -> Result<Self, String> {
        let mut state = launch.state();
        crate::tui::learning::begin(&mut state, lesson.clone());
        Self::open(launch, state, launch.open_lesson(&lesson.for_step(0))?, (120, 40))
    }

    /// Presses a key and waits for all its effects.
    pub(in crate::tui) fn press(&mut self, chord: Chord) -> Result<(), String> {
        let effects = update(&mut self.state, Message::Key(chord));
        self.perform(effects)
    }

    /// Lets a demo press the keys of its step.
    #[cfg(test)]
    pub(in crate::tui) fn play_out(&mut self) -> Result<(), String> {
        while self.state.learning.is_playing() {
            let later = self.state.now + Duration::from_secs(60);
            let effects = update(&mut self.state, Message::Tick(later));
            self.perform(effects)?;
        }
        Ok(())
    }

    fn perform(&mut self, effects: Vec<Effect>) -> Result<(), String> {
        for effect in effects {
            match effect {
                Effect::Train(order) => self.order(order)?,
                Effect::Ask(question) => answer(&mut self.state, question),
                Effect::Learn(lesson) => self.learn(&lesson)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn learn(&mut self, lesson: &Lesson) -> Result<(), String> {
        let opening = self.launch.open_lesson(lesson)?;
        let begin = self.launch.begin(true, None);
        let fresh = opening.start(&mut self.state, begin, || {})?;
        std::mem::replace(&mut self.worker, fresh).finish();
        self.until_rest()
    }

    fn order(&mut self, order: TrainingCommand) -> Result<(), String> {
        let trains = matches!(
            order,
            TrainingCommand::Step
                | TrainingCommand::Run(_)
                | TrainingCommand::Resume
                | TrainingCommand::Restart
                | TrainingCommand::Replace(_)
                | TrainingCommand::GoTo(_)
                | TrainingCommand::Switch(_)
        );
        let session = &self.state.graph.session;
        let restarts = matches!(&order, TrainingCommand::Set(_)
            if change_effect(&session.settings, &session.asked) > Some(AppliesAt::NextEpoch));
        self.worker.send(order);
        if trains || restarts { self.until_rest() } else { self.next().map(drop) }
    }

    /// Processes events until training pauses or finishes.
    fn until_rest(&mut self) -> Result<(), String> {
        while !self.next()? {}
        Ok(())
    }

    /// Processes the next event; returns whether training is paused or finished.
    fn next(&mut self) -> Result<bool, String> {
        let Some(event) = self.worker.wait(PATIENCE) else { return Ok(true) };
        if let Event::Failed(why) = &event {
            return Err(why.clone());
        }
        let rests = matches!(&event, Event::Phase(Phase::Paused | Phase::Finished));
        update(&mut self.state, Message::Tick(self.start.elapsed()));
        let snapshot = self.worker.snapshot();
        for effect in update(&mut self.state, Message::News { events: vec![event], snapshot }) {
            if let Effect::Ask(question) = effect {
                answer(&mut self.state, question);
            }
        }
        Ok(rests)
    }

    /// Ends the training and returns the state.
    pub(in crate::tui) fn finish(self) -> State {
        self.worker.finish();
        self.state
    }
}

/// Presses the keys of steps in a lesson, from its start; returns how many steps
/// they complete.
pub fn repeat_lesson(
    launch: &Launch,
    lesson: &Lesson,
    steps: &[(usize, Vec<Chord>)],
) -> Result<usize, String> {
    let mut stage = Stage::of_lesson(launch, lesson)?;
    let go_on = Chord::new(KeyCode::Char('n'), KeyModifiers::CONTROL);
    for (step, keys) in steps {
        // A lesson that was resumed begins at its step without a key.
        let learning = &stage.state.learning;
        let at = learning.step().map(|(at, _)| at + 1);
        if keys.first().is_none_or(|key| *key != go_on) && learning.is_done() && at < Some(*step) {
            stage.press(go_on)?;
        }
        for chord in keys {
            stage.press(*chord)?;
        }
    }
    Ok(stage.finish().learning.progress.of(&lesson.id).done.len())
}

/// Runs a job synchronously, and the jobs that its result requests.
fn answer(state: &mut State, question: Job) {
    for message in question.answers() {
        for effect in update(state, message) {
            if let Effect::Ask(question) = effect {
                answer(state, question);
            }
        }
    }
}
