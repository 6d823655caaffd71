//! The lessons that come with the program, in the order they are taken.

use super::{Lesson, LessonError, parse};
use crate::words::nearest;

/// A lesson inside the program.
#[derive(Debug, Clone, Copy)]
pub struct Built {
    /// Its id.
    pub id: &'static str,
    /// Its file.
    pub text: &'static str,
}

macro_rules! lesson {
    ($id:literal) => {
        Built { id: $id, text: include_str!(concat!("../../../assets/lessons/", $id, ".toml")) }
    };
}

/// The lessons, first to last.
pub const LESSONS: [Built; 8] = [
    lesson!("neighbourhood"),
    lesson!("shuffle"),
    lesson!("types"),
    lesson!("sum-mean-max"),
    lesson!("theorem"),
    lesson!("read-a-filter"),
    lesson!("overfit"),
    lesson!("which-neighbours"),
];

/// All lessons.
pub fn all() -> Result<Vec<Lesson>, LessonError> {
    LESSONS.iter().map(|built| parse(built.text, &format!("{}.toml", built.id), &[])).collect()
}

/// The lesson of an id; the nearest id where there is none.
pub fn find(id: &str) -> Result<Built, &'static str> {
    let found = LESSONS.iter().find(|built| built.id == id).copied();
    found.ok_or_else(|| nearest(id, LESSONS.iter().map(|built| built.id)))
}
