//! Choosing a graph: bundled samples, recent graphs, or any path.

use std::path::{Path, PathBuf};

use ratatui::crossterm::event::KeyCode;

use super::commands::{Chord, open, score};
use super::home::{Access, Offered};
use super::message::Effect;
use super::state::State;
use super::text_input::TextInput;
use crate::graph::{Manifest, OnBadRow, Reading, SAMPLES};

/// Graphs listed from the folders a server offers.
const MOST_OFFERED: usize = 100;

/// A graph to choose from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphChoice {
    /// Its name.
    pub title: String,
    /// Its description.
    pub about: String,
    /// Its location, as shown.
    pub place: String,
    /// Its path; a bundled sample by its name.
    pub path: PathBuf,
}

/// State of the picker.
#[derive(Debug, Default)]
pub struct Picker {
    /// The typed text.
    pub path: TextInput,
    /// The available graphs.
    pub entries: Vec<GraphChoice>,
    /// The index of the selected match.
    pub chosen: usize,
    /// Why the last choice could not be opened.
    pub trouble: Option<String>,
}

impl Picker {
    /// All graphs that may be opened.
    pub fn find(access: &Access) -> Self {
        let mut entries = match access.offered() {
            Some(offered) => offered_graphs(offered),
            None => graphs_of_machine(),
        };
        for sample in &SAMPLES {
            let known = entries.iter().any(|entry| name_of(&entry.path) == sample.name);
            let manifest = parsed(sample.manifest());
            if let Some(manifest) = manifest.filter(|_| !known) {
                entries.push(GraphChoice {
                    title: manifest.title.unwrap_or_else(|| sample.name.to_owned()),
                    about: manifest.description.unwrap_or_default(),
                    place: "built-in sample".to_owned(),
                    path: sample.path(),
                });
            }
        }
        Self { entries, ..Self::default() }
    }

    /// The graphs that match the typed text.
    pub fn found(&self) -> Vec<&GraphChoice> {
        let typed = self.path.text();
        let mut found: Vec<(u32, &GraphChoice)> = self
            .entries
            .iter()
            .filter_map(|entry| {
                let by_title = score(typed, &entry.title);
                let by_place = score(typed, &entry.place);
                by_title.max(by_place).map(|score| (score, entry))
            })
            .collect();
        if !typed.is_empty() {
            found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        }
        found.into_iter().map(|(_, entry)| entry).collect()
    }
}

/// Recent graphs, and those in the folder of samples.
fn graphs_of_machine() -> Vec<GraphChoice> {
    let mut entries: Vec<GraphChoice> = super::recent::list()
        .into_iter()
        .map(|path| GraphChoice {
            title: name_of(&path),
            about: manifest_of(&path).and_then(|own| own.description).unwrap_or_default(),
            place: format!("recent · {}", path.display()),
            path,
        })
        .collect();
    for path in listed(Path::new("sample_graphs")) {
        let Some(manifest) = manifest_of(&path) else { continue };
        entries.push(GraphChoice {
            title: manifest.title.unwrap_or_else(|| name_of(&path)),
            about: manifest.description.unwrap_or_default(),
            place: path.display().to_string(),
            path,
        });
    }
    entries
}

/// The graphs that a server offers, without the folders they are in.
fn offered_graphs(offered: &Offered) -> Vec<GraphChoice> {
    let below = offered.folders.iter().flat_map(|folder| listed(folder));
    let below = below.filter(|path| manifest_of(path).is_some()).take(MOST_OFFERED);
    let graphs = offered.graphs.iter().cloned().chain(below);
    let choice = |path: PathBuf| {
        let manifest = manifest_of(&path).unwrap_or_default();
        GraphChoice {
            title: manifest.title.unwrap_or_else(|| name_of(&path)),
            about: manifest.description.unwrap_or_default(),
            place: "offered here".to_owned(),
            path,
        }
    };
    graphs.map(choice).collect()
}

/// The entries of a folder, by name.
fn listed(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn parsed(text: &str) -> Option<Manifest> {
    Manifest::parse(text, &Reading::new("graph.toml", OnBadRow::Fail)).ok()
}

/// The manifest of a graph folder, if it has one.
pub fn manifest_of(path: &Path) -> Option<Manifest> {
    parsed(&crate::files::read_small(&path.join("graph.toml")).ok()?)
}

/// Handles a key.
pub(super) fn key(state: &mut State, chord: Chord) -> Vec<Effect> {
    let Some(picker) = &mut state.picker else { return Vec::new() };
    match chord.code {
        KeyCode::Esc if state.graph.session.phase.is_some() => state.picker = None,
        KeyCode::Esc => return vec![Effect::Quit],
        KeyCode::Up => picker.chosen = picker.chosen.saturating_sub(1),
        KeyCode::Down => {
            picker.chosen = (picker.chosen + 1).min(picker.found().len().saturating_sub(1));
        }
        KeyCode::Tab => {
            let full = completed(picker.path.text(), &state.access);
            picker.path = TextInput::new(&full);
        }
        KeyCode::Enter => {
            let typed = Path::new(picker.path.text().trim()).to_owned();
            let refused = state.access.refuses_to_open(&typed);
            if !typed.as_os_str().is_empty() && refused.is_none() && typed.exists() {
                return open(typed);
            }
            if let Some(entry) = picker.found().get(picker.chosen) {
                return open(entry.path.clone());
            }
            let missing = || format!("no such file or folder: {}", typed.display());
            picker.trouble = Some(refused.unwrap_or_else(missing));
        }
        _ => {
            picker.trouble = None;
            if picker.path.press(chord) {
                picker.chosen = 0;
            } else if let Some(command) = state.keymap.find(chord, state) {
                return command.carry_out(state);
            }
        }
    }
    Vec::new()
}

/// Handles a click on an entry.
pub(super) fn click(state: &State, at: usize) -> Vec<Effect> {
    let Some(picker) = &state.picker else { return Vec::new() };
    picker.found().get(at).map(|entry| open(entry.path.clone())).unwrap_or_default()
}

/// Completes a path as far as it is unambiguous.
fn completed(text: &str, access: &Access) -> String {
    let (folder, start) =
        text.rsplit_once('/').map_or(("", text), |(folder, start)| (folder, start));
    let place = match (folder, text.starts_with('/')) {
        ("", true) => "/",
        ("", false) => ".",
        (folder, _) => folder,
    };
    if access.refuses_to_list(place.as_ref()) {
        return text.to_owned();
    }
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| {
            let slash = if entry.path().is_dir() { "/" } else { "" };
            format!("{}{slash}", entry.file_name().to_string_lossy())
        })
        .filter(|name| {
            name.starts_with(start) && (!name.starts_with('.') || start.starts_with('.'))
        })
        .collect();
    names.sort();
    let Some(first) = names.first() else { return text.to_owned() };
    let common = names.iter().skip(1).fold(first.clone(), |common, name| {
        let same = common.chars().zip(name.chars()).take_while(|(a, b)| a == b);
        same.map(|(a, _)| a).collect()
    });
    let kept = &text[..text.len() - start.len()];
    format!("{kept}{common}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_completed_as_far_as_it_is_unambiguous() {
        assert_eq!(completed("sample_gr", &Access::All), "sample_graphs/");
        assert_eq!(completed("sample_graphs/kar", &Access::All), "sample_graphs/karate/");
        assert_eq!(completed("no/such/pla", &Access::All), "no/such/pla");
    }

    #[test]
    fn samples_are_listed_and_found_by_fuzzy_search() {
        let mut picker = Picker::find(&Access::All);
        assert!(picker.entries.len() >= SAMPLES.len());
        picker.path = TextInput::new("karat");
        assert!(picker.found()[0].title.to_lowercase().contains("karate"));
    }

    #[test]
    fn a_visitor_sees_no_folder_of_the_machine() {
        let access = Access::Limited(std::sync::Arc::default());
        let picker = Picker::find(&access);
        assert_eq!(picker.entries.len(), SAMPLES.len());
        assert_eq!(completed("/et", &access), "/et");
        assert_eq!(completed("sample_gr", &access), "sample_gr");
    }
}
