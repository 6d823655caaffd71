//! Lessons: text, a task, and a check of what the learner did.
//!
//! In: lesson files (`assets/lessons/`, or a teacher's own) and [`Facts`] reported
//! by the program. Out: a [`Player`] that evaluates the tasks, and
//! [`LessonProgress`], which is saved.
//!
//! ```text
//! file ─ parse ─▶ Lesson ─▶ Player ◀─ Facts ─ experiments, explorer
//!                             └─▶ LessonProgress
//! ```

mod check;
mod controls;
mod facts;
mod hand_in;
mod lesson;
mod parse;
mod parse_question;
mod player;
mod progress;
mod question;
mod reader;
mod shelf;

pub use check::{Check, CheckError};
pub use controls::ACTIONS;
pub use facts::{EXPERIMENTS, FACTS, Fact, FactKind, Facts, SCREENS, facts_table};
pub use hand_in::{ClassStep, HandIn, HandInError, class_steps};
pub use lesson::{Lesson, LessonStep, Script};
pub use parse::{LessonError, parse};
pub use player::{CheckLine, LessonStatus, Player};
pub use progress::{DoneStep, LessonProgress, LessonStanding, ProgressError};
pub use question::{Answer, Answered, Expected, NumberFrom, Question};
pub use shelf::{Built, DEMOS, LESSONS, all, demos, find, find_demo};
