//! A lesson being taken: which step, and which parts of its task are done.

use super::{Facts, Lesson, Step};

/// Where a learner stands in a lesson.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::lab::lessons::{Facts, Player, State, all};
///
/// let lesson = all()?.into_iter().find(|lesson| lesson.id == "shuffle").ok_or("no lesson")?;
/// let mut facts = Facts::default();
/// let mut player = Player::new(lesson, 0, &facts);
/// // A step that is not done is not left.
/// assert_eq!((player.advance(&facts), player.at()), (State::Open, 0));
/// facts.number("shuffles", 5.0);
/// facts.number("concatenation_difference", 0.3);
/// assert_eq!((player.advance(&facts), player.at()), (State::Done, 1));
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Player {
    lesson: Lesson,
    at: usize,
    began: Facts,
    finished: bool,
}

/// A line of a check, for a screen to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// What is asked for, in words.
    pub words: String,
    /// How things stand.
    pub present: String,
    /// Whether it holds.
    pub held: bool,
}

/// What came of looking at the facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The task of the step is not done yet.
    Open,
    /// It is done: the next step can begin.
    Done,
    /// It is done, and it was the last.
    Finished,
}

impl Player {
    /// A lesson from a step on; the facts are those of now.
    pub fn new(lesson: Lesson, step: usize, facts: &Facts) -> Self {
        let at = step.min(lesson.steps.len().saturating_sub(1));
        Self { lesson, at, began: facts.clone(), finished: false }
    }

    /// The lesson.
    pub fn lesson(&self) -> &Lesson {
        &self.lesson
    }

    /// Which step, from 0 on.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The step.
    pub fn step(&self) -> Option<&Step> {
        self.lesson.steps.get(self.at)
    }

    /// Which lines of the check hold.
    pub fn held(&self, facts: &Facts) -> Vec<bool> {
        let lines = self.step().map(|step| step.check.iter()).into_iter().flatten();
        lines.map(|check| check.holds(facts, &self.began)).collect()
    }

    /// What the step asks for, line by line, and how things stand.
    pub fn asked(&self, facts: &Facts) -> Vec<Asked> {
        let lines = self.step().map(|step| step.check.iter()).into_iter().flatten();
        lines
            .map(|check| Asked {
                words: check.words(),
                present: check.present(facts, &self.began),
                held: check.holds(facts, &self.began),
            })
            .collect()
    }

    /// Whether the step is done.
    pub fn state(&self, facts: &Facts) -> State {
        let done = self.step().is_some() && self.held(facts).into_iter().all(|held| held);
        match done {
            _ if self.finished => State::Finished,
            true if self.at + 1 == self.lesson.steps.len() => State::Finished,
            true => State::Done,
            false => State::Open,
        }
    }

    /// Goes on if the step is done; says how things stand. A step that is not
    /// done is not left.
    pub fn advance(&mut self, facts: &Facts) -> State {
        let state = self.state(facts);
        match state {
            State::Done => {
                self.at += 1;
                self.began = facts.clone();
            }
            State::Finished => self.finished = true,
            State::Open => {}
        }
        state
    }

    /// Begins a step anew: what was done before it no longer counts.
    pub fn go_to(&mut self, step: usize, facts: &Facts) {
        self.at = step.min(self.lesson.steps.len().saturating_sub(1));
        self.began = facts.clone();
        self.finished = false;
    }
}
