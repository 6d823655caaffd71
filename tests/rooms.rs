//! The rooms and their one-way doors: nothing imports a room above its own,
//! and only the rooms that face a person know of a terminal or a command line.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

/// Rooms by floor; those of one floor do not know each other.
const FLOORS: [&[&str]; 9] = [
    &["escape", "files", "folders", "memory", "npy", "words"],
    &["graph"],
    &["spectral"],
    &["model"],
    &["train"],
    &["baselines", "explain", "export", "lab", "layout"],
    &["tui"],
    &["cli"],
    &["main", "lib"],
];

const FACING_A_PERSON: [&str; 4] = ["tui", "cli", "main", "lib"];
const TERMINAL_CRATES: [&str; 6] =
    ["ratatui", "crossterm", "clap", "clap_complete", "clap_mangen", "anstream"];

fn floor_of(room: &str) -> Option<usize> {
    FLOORS.iter().position(|rooms| rooms.contains(&room))
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// Every source file with the room it is in.
fn files_by_room() -> Vec<(String, PathBuf)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&source, &mut files);
    files
        .into_iter()
        .map(|path| {
            let first = path.strip_prefix(&source).unwrap().components().next().unwrap();
            let room = first.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned();
            (room, path)
        })
        .collect()
}

/// Rooms that a text imports by `crate::room`.
fn imported_rooms(text: &str) -> Vec<&str> {
    text.match_indices("crate::")
        .filter_map(|(at, mark)| {
            let rest = &text[at + mark.len()..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
            Some(&rest[..end]).filter(|room| floor_of(room).is_some())
        })
        .collect()
}

#[test]
fn every_file_is_in_a_room_that_has_a_floor() {
    for (room, path) in files_by_room() {
        assert!(floor_of(&room).is_some(), "{} is in no known room", path.display());
    }
}

#[test]
fn no_room_imports_one_above_or_beside_it() {
    for (room, path) in files_by_room() {
        let text = std::fs::read_to_string(&path).unwrap();
        let own = floor_of(&room).unwrap();
        for other in imported_rooms(&text) {
            let below = floor_of(other).unwrap() < own;
            assert!(below || other == room, "{} imports {other}", path.display());
        }
    }
}

#[test]
fn only_the_rooms_that_face_a_person_know_a_terminal() {
    for (room, path) in files_by_room() {
        if FACING_A_PERSON.contains(&room.as_str()) {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for name in TERMINAL_CRATES {
            assert!(!text.contains(&format!("{name}::")), "{} uses {name}", path.display());
        }
    }
}
