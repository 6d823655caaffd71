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
pub const LESSONS: [Built; 11] = [
    lesson!("neighbourhood"),
    lesson!("shuffle"),
    lesson!("types"),
    lesson!("sum-mean-max"),
    lesson!("theorem"),
    lesson!("read-a-filter"),
    lesson!("overfit"),
    lesson!("which-neighbours"),
    lesson!("how-far"),
    lesson!("friends-or-opposites"),
    lesson!("echo"),
];

macro_rules! demo {
    ($id:literal) => {
        Built { id: $id, text: include_str!(concat!("../../../../assets/demos/", $id, ".toml")) }
    };
}

/// The demos, in order.
pub const DEMOS: [Built; 2] = [demo!("set-functions"), demo!("learned-filters")];

/// All lessons.
pub fn all() -> Result<Vec<Lesson>, LessonError> {
    parsed(&LESSONS)
}

/// All demos.
pub fn demos() -> Result<Vec<Lesson>, LessonError> {
    parsed(&DEMOS)
}

fn parsed(built: &[Built]) -> Result<Vec<Lesson>, LessonError> {
    built.iter().map(|built| parse(built.text, &format!("{}.toml", built.id), &[])).collect()
}

/// The lesson with an id; the most similar id if it is unknown.
pub fn find(id: &str) -> Result<Built, &'static str> {
    named(&LESSONS, id)
}

/// The demo with an id; the most similar id if it is unknown.
pub fn find_demo(id: &str) -> Result<Built, &'static str> {
    named(&DEMOS, id)
}

fn named(all: &'static [Built], id: &str) -> Result<Built, &'static str> {
    let found = all.iter().find(|built| built.id == id).copied();
    found.ok_or_else(|| nearest(id, all.iter().map(|built| built.id)))
}
