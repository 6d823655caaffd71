//! A lesson in progress: the current step and the completed parts of its task.

use super::{Answer, Answered, Facts, Lesson, LessonStep, Question};

/// The position of a learner in a lesson.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_lab::lessons::{Facts, Player, LessonStatus, all};
///
/// let lesson = all()?.into_iter().find(|lesson| lesson.id == "shuffle").ok_or("no lesson")?;
/// let mut facts = Facts::default();
/// let mut player = Player::new(lesson, 0, &facts);
/// // The question comes first; then an incomplete step cannot be left.
/// player.answer("1", &facts)?;
/// assert_eq!((player.advance(&facts), player.at()), (LessonStatus::Open, 0));
/// facts.number("shuffles", 5.0);
/// facts.number("concatenation_difference", 0.3);
/// assert_eq!((player.advance(&facts), player.at()), (LessonStatus::Done, 1));
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Player {
    lesson: Lesson,
    at: usize,
    began: Facts,
    finished: bool,
    /// The answer to the question of the step.
    answer: Option<Answer>,
}

/// A line of a check, for a screen to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckLine {
    /// What it requires, as text.
    pub words: String,
    /// The current value.
    pub present: String,
    /// Whether it holds.
    pub is_met: bool,
}

/// The result of evaluating the facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LessonStatus {
    /// The task of the step is not done yet.
    Open,
    /// It is done: the next step can begin.
    Done,
    /// It is done, and it was the last step.
    Finished,
}

impl Player {
    /// Starts a lesson at a step, with the current facts.
    pub fn new(lesson: Lesson, step: usize, facts: &Facts) -> Self {
        let at = step.min(lesson.steps.len().saturating_sub(1));
        Self { lesson, at, began: facts.clone(), finished: false, answer: None }
    }

    /// The lesson.
    pub fn lesson(&self) -> &Lesson {
        &self.lesson
    }

    /// The index of the step.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The step.
    pub fn step(&self) -> Option<&LessonStep> {
        self.lesson.steps.get(self.at)
    }

    /// The question of the step, until it is answered.
    pub fn question(&self) -> Option<&Question> {
        self.step()?.question.as_ref().filter(|_| self.answer.is_none())
    }

    /// Answers the question of the step. Earlier actions no longer count: a
    /// prediction comes first.
    pub fn answer(&mut self, typed: &str, facts: &Facts) -> Result<(), String> {
        let Some(question) = self.question() else { return Ok(()) };
        self.answer = Some(question.read(typed)?);
        self.began = facts.clone();
        Ok(())
    }

    /// The learner's answer as text.
    pub fn given(&self) -> Option<String> {
        let question = self.step()?.question.as_ref()?;
        self.answer.as_ref().map(|answer| question.text_of(answer))
    }

    /// The answer beside what came out, once both are known.
    pub fn answered(&self, facts: &Facts) -> Option<Answered> {
        let question = self.step()?.question.as_ref()?;
        question.compare(self.answer.as_ref()?, facts, self.at + 1)
    }

    /// Which lines of the check hold.
    pub fn is_met(&self, facts: &Facts) -> Vec<bool> {
        let lines = self.step().map(|step| step.check.iter()).into_iter().flatten();
        lines.map(|check| check.holds(facts, &self.began)).collect()
    }

    /// The requirements of the step and their current values.
    pub fn asked(&self, facts: &Facts) -> Vec<CheckLine> {
        let lines = self.step().map(|step| step.check.iter()).into_iter().flatten();
        lines
            .map(|check| CheckLine {
                words: check.words(),
                present: check.present(facts, &self.began),
                is_met: check.holds(facts, &self.began),
            })
            .collect()
    }

    /// Whether the step is done.
    pub fn state(&self, facts: &Facts) -> LessonStatus {
        let is_free = self.step().is_some() && self.question().is_none();
        let done = is_free && self.is_met(facts).into_iter().all(|is_met| is_met);
        match done {
            _ if self.finished => LessonStatus::Finished,
            true if self.at + 1 == self.lesson.steps.len() => LessonStatus::Finished,
            true => LessonStatus::Done,
            false => LessonStatus::Open,
        }
    }

    /// Advances if the step is done and returns the status.
    pub fn advance(&mut self, facts: &Facts) -> LessonStatus {
        let state = self.state(facts);
        match state {
            LessonStatus::Done => self.go_to(self.at + 1, facts),
            LessonStatus::Finished => self.finished = true,
            LessonStatus::Open => {}
        }
        state
    }

    /// Restarts a step: earlier actions no longer count.
    pub fn go_to(&mut self, step: usize, facts: &Facts) {
        self.at = step.min(self.lesson.steps.len().saturating_sub(1));
        self.began = facts.clone();
        self.finished = false;
        self.answer = None;
    }
}
