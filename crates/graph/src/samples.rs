//! Built-in sample graphs, available without any files.

use std::io;
use std::path::{Path, PathBuf};

use crate::files::write_atomically;
use crate::folders;
use crate::suggest::nearest;

/// A built-in graph folder.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// The name of its folder.
    pub name: &'static str,
    files: &'static [(&'static str, &'static str)],
}

macro_rules! sample {
    ($name:literal $(, $more:literal)?) => { sample!(@in "sample_graphs/", $name $(, $more)?) };
    (@in $folder:literal, $name:literal $(, $more:literal)?) => {
        Sample {
            name: $name,
            files: &[
                ("graph.toml", include_str!(concat!("../../../", $folder, $name, "/graph.toml"))),
                ("nodes.tsv", include_str!(concat!("../../../", $folder, $name, "/nodes.tsv"))),
                ("edges.tsv", include_str!(concat!("../../../", $folder, $name, "/edges.tsv"))),
                $(($more, include_str!(concat!("../../../", $folder, $name, "/", $more))),)?
            ],
        }
    };
}

/// Every sample, smallest first.
pub static SAMPLES: [Sample; 8] = [
    sample!("karate"),
    sample!("lesmis"),
    sample!("southern-women"),
    sample!("email-eu"),
    sample!("wikipedia"),
    sample!("cora", "attributes.tsv"),
    sample!("citeseer", "attributes.tsv"),
    sample!("pubmed"),
];

/// Generated graphs that lessons open; they are not offered elsewhere.
static LESSON_GRAPHS: [Sample; 2] = [
    sample!(@in "assets/lessons/graphs/", "friends"),
    sample!(@in "assets/lessons/graphs/", "opposites"),
];

/// Prefix of the path of a sample.
const MARK: &str = "sample:";
/// The sample folder in the source tree.
const FOLDER: &str = "sample_graphs";

impl Sample {
    /// The sample or lesson graph with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        SAMPLES.iter().chain(&LESSON_GRAPHS).find(|sample| sample.name == name)
    }

    /// The sample in a folder: it has the same name and unchanged files.
    pub fn at(folder: &Path) -> Option<&'static Self> {
        let sample = Self::named(folder.file_name()?.to_str()?)?;
        let same = |(name, text): &(&str, &str)| {
            std::fs::read(folder.join(name)).is_ok_and(|there| there == text.as_bytes())
        };
        sample.files.iter().all(same).then_some(sample)
    }

    /// The text of its manifest.
    pub fn manifest(&self) -> &'static str {
        self.files.iter().find(|(name, _)| *name == "graph.toml").map_or("", |(_, text)| text)
    }

    /// The path to open it.
    pub fn path(&self) -> PathBuf {
        PathBuf::from(format!("{MARK}{}", self.name))
    }

    /// Writes it to a folder in `place`; returns the path.
    pub fn unpack(&self, place: &Path) -> io::Result<PathBuf> {
        let folder = place.join(self.name);
        std::fs::create_dir_all(&folder)?;
        for (name, text) in self.files {
            let file = folder.join(name);
            if std::fs::read(&file).is_ok_and(|there| there == text.as_bytes()) {
                continue;
            }
            write_atomically(&file, |out| out.write_all(text.as_bytes()))?;
        }
        Ok(folder)
    }
}

/// The sample given by a path: `sample:cora`, or `sample_graphs/cora` if there is
/// no such folder.
fn meant(path: &Path) -> io::Result<Option<&'static Sample>> {
    let Some(text) = path.to_str() else { return Ok(None) };
    if let Some(name) = text.strip_prefix(MARK) {
        return Sample::named(name).map(Some).ok_or_else(|| unknown(name));
    }
    let in_folder = path.parent().and_then(Path::file_name).is_some_and(|own| own == FOLDER);
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    Ok(Sample::named(name).filter(|_| in_folder && !path.exists()))
}

fn unknown(name: &str) -> io::Error {
    let names: Vec<&str> = SAMPLES.iter().map(|sample| sample.name).collect();
    io::Error::new(
        io::ErrorKind::NotFound,
        format!(
            "found no sample graph `{name}`, expected one of {}; did you mean `{}`?",
            names.join(", "),
            nearest(name, names.iter().copied())
        ),
    )
}

/// The path to read a graph from: a sample is unpacked first, any other path is
/// unchanged.
///
/// ```
/// # fn main() -> std::io::Result<()> {
/// use gesf_graph::locate;
///
/// assert_eq!(locate("my.edgelist".as_ref())?, std::path::Path::new("my.edgelist"));
/// # Ok(()) }
/// ```
pub fn locate(path: &Path) -> io::Result<PathBuf> {
    let Some(sample) = meant(path)? else { return Ok(path.to_owned()) };
    let places = [folders::cache(), Some(std::env::temp_dir().join("gesf-tui"))];
    let mut failed = io::Error::other("no folder to write to");
    for place in places.into_iter().flatten().map(|place| place.join("samples")) {
        match sample.unpack(&place) {
            Ok(folder) => return Ok(folder),
            Err(error) => {
                failed = io::Error::new(error.kind(), format!("{}: {error}", place.display()));
            }
        }
    }
    Err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoadOptions, load};

    const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs");

    #[test]
    fn a_sample_is_unpacked_unchanged() {
        let place = tempfile::tempdir().unwrap();
        for sample in &SAMPLES {
            let source = Path::new(SOURCE).join(sample.name);
            assert_eq!(sample.files.len(), std::fs::read_dir(&source).unwrap().count());
            let folder = sample.unpack(place.path()).unwrap();
            for (name, _) in sample.files {
                let same = std::fs::read(source.join(name)).unwrap();
                assert_eq!(std::fs::read(folder.join(name)).unwrap(), same);
            }
        }
        let (graph, _) = load(&place.path().join("karate"), &LoadOptions::default()).unwrap();
        assert_eq!(graph.node_count(), 34);
    }

    #[test]
    fn an_existing_folder_is_never_taken_for_a_sample() {
        let name = |path: &str| meant(path.as_ref()).unwrap().map(|sample| sample.name);
        assert_eq!(name("sample:cora"), Some("cora"));
        assert_eq!(name("elsewhere/sample_graphs/cora"), Some("cora"));
        assert_eq!(name(&format!("{SOURCE}/cora")), None);
        assert_eq!(name("cora"), None);
        assert_eq!(name("sample_graphs/none"), None);
        let said = meant("sample:corra".as_ref()).unwrap_err().to_string();
        assert!(said.contains("expected one of karate") && said.contains("`cora`"), "{said}");
    }

    #[test]
    fn an_unpacked_sample_is_reused_and_a_modified_one_is_restored() {
        let place = tempfile::tempdir().unwrap();
        let karate = Sample::named("karate").unwrap();
        let edges = karate.unpack(place.path()).unwrap().join("edges.tsv");
        let first = std::fs::metadata(&edges).unwrap().modified().unwrap();
        karate.unpack(place.path()).unwrap();
        assert_eq!(std::fs::metadata(&edges).unwrap().modified().unwrap(), first);
        std::fs::write(&edges, "junk").unwrap();
        karate.unpack(place.path()).unwrap();
        assert_ne!(std::fs::read(&edges).unwrap(), b"junk");
    }
}
