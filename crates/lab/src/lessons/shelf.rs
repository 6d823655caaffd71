//! The built-in lessons, in order.

use super::{Lesson, LessonError, parse};
use gesf_graph::suggest::nearest;

/// A built-in lesson.
#[derive(Debug, Clone, Copy)]
pub struct Built {
    /// Its id.
    pub id: &'static str,
    /// Its file.
    pub text: &'static str,
}

macro_rules! lesson {
    ($id:literal) => {
        Built { id: $id, text: include_str!(concat!("../../../../assets/lessons/", $id, ".toml")) }
    };
}

/// The lessons, in order.
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

/// The lesson with an id; the most similar id if it is unknown.
pub fn find(id: &str) -> Result<Built, &'static str> {
    let found = LESSONS.iter().find(|built| built.id == id).copied();
    found.ok_or_else(|| nearest(id, LESSONS.iter().map(|built| built.id)))
}
