//! Graphs that come inside the program, so that it has something to show
//! wherever it is.

use std::io;
use std::path::{Path, PathBuf};

use crate::files::write_atomically;

/// A graph folder inside the program.
pub(super) struct Sample {
    /// The name of its folder.
    pub name: &'static str,
    files: &'static [(&'static str, &'static str)],
}

macro_rules! sample {
    ($name:literal) => {
        Sample {
            name: $name,
            files: &[
                ("graph.toml", include_str!(concat!("../../sample_graphs/", $name, "/graph.toml"))),
                ("nodes.tsv", include_str!(concat!("../../sample_graphs/", $name, "/nodes.tsv"))),
                ("edges.tsv", include_str!(concat!("../../sample_graphs/", $name, "/edges.tsv"))),
            ],
        }
    };
}

/// Every sample.
pub(super) const ALL: [Sample; 3] =
    [sample!("karate"), sample!("lesmis"), sample!("southern-women")];

/// What the path of a sample begins with.
const MARK: &str = "sample:";

impl Sample {
    /// The text of its manifest.
    pub(super) fn manifest(&self) -> &'static str {
        self.files.iter().find(|(name, _)| *name == "graph.toml").map_or("", |(_, text)| text)
    }

    /// The path it is opened by.
    pub(super) fn path(&self) -> PathBuf {
        PathBuf::from(format!("{MARK}{}", self.name))
    }
}

/// The folder of a sample, written out under `place`; any other path as it is.
pub(super) fn unpacked(path: &Path, place: &Path) -> io::Result<PathBuf> {
    let name = path.to_str().and_then(|text| text.strip_prefix(MARK));
    let Some(sample) = name.and_then(|name| ALL.iter().find(|sample| sample.name == name)) else {
        return Ok(path.to_owned());
    };
    let folder = place.join(sample.name);
    std::fs::create_dir_all(&folder)?;
    for (name, text) in sample.files {
        write_atomically(&folder.join(name), |out| out.write_all(text.as_bytes()))?;
    }
    Ok(folder)
}

/// Where samples are written out.
pub(super) fn place() -> PathBuf {
    crate::folders::cache().unwrap_or_else(std::env::temp_dir).join("samples")
}

/// The folder of the sample of that name, written out, if there is one.
pub fn sample_path(name: &str) -> Option<PathBuf> {
    let sample = ALL.iter().find(|sample| sample.name == name)?;
    unpacked(&sample.path(), &place()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{LoadOptions, load};

    #[test]
    fn every_sample_is_unpacked_and_loaded() {
        let place = tempfile::tempdir().unwrap();
        for sample in ALL {
            let folder = unpacked(&sample.path(), place.path()).unwrap();
            let (graph, _) = load(&folder, &LoadOptions::default()).unwrap();
            assert!(graph.node_count() > 30);
        }
        assert_eq!(unpacked("other".as_ref(), place.path()).unwrap(), Path::new("other"));
    }
}
