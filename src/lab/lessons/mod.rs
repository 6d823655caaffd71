//! Lessons: text, a task, and a check of what the learner did.
//!
//! In: lesson files (`assets/lessons/`, or a teacher's own) and [`Facts`] that
//! the program reports. Out: a [`Player`] that says which parts of a task are
//! done, and [`Progress`] that is kept.
//!
//! ```text
//! file ─ parse ─▶ Lesson ─▶ Player ◀─ Facts ─ experiments, explorer
//!                             └─▶ Progress
//! ```

mod check;
mod controls;
mod facts;
mod lesson;
mod parse;
mod player;
mod progress;
mod shelf;

pub use check::{Check, CheckError};
pub use controls::ACTIONS;
pub use facts::{EXPERIMENTS, FACTS, Fact, FactKind, Facts, SCREENS, facts_table};
pub use lesson::{Lesson, Step};
pub use parse::{LessonError, parse};
pub use player::{Asked, Player, State};
pub use progress::{Progress, ProgressError, Standing};
pub use shelf::{Built, LESSONS, all, find};
