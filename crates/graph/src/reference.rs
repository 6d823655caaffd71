//! A reference to a graph that works on another machine: a name without folders,
//! the load options, and the fingerprint.

use std::path::{Component, Path, PathBuf};

use super::{Graph, LoadOptions, STANDARD_INPUT, Sample, locate};

/// A graph, independent of its folder.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GraphReference {
    /// `sample:karate` for a sample graph, else the name of the file or folder.
    pub name: String,
    /// The fingerprint of the loaded graph; empty if unknown.
    pub fingerprint: String,
    /// The load options; the labels by file name.
    pub load: LoadOptions,
}

impl GraphReference {
    /// A reference to the graph at a path, loaded with these options.
    pub fn of(path: &Path, fingerprint: &str, load: &LoadOptions) -> Self {
        // If there is no current folder, use the path as given.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let name = match Sample::at(&path) {
            Some(sample) => sample.path().display().to_string(),
            None => file_name(&path).unwrap_or_else(|| "graph".to_owned()),
        };
        let load = load.with_files(|path| file_name(path).unwrap_or_default().into());
        Self { name, fingerprint: fingerprint.to_owned(), load }
    }

    /// The path of the graph: the given one, or its name in one of the folders. A
    /// name that leads elsewhere is refused: its author must not choose which file
    /// of this machine is read.
    pub fn find(&self, given: Option<&Path>, folders: &[PathBuf]) -> Result<PathBuf, String> {
        if given.is_some_and(|path| path == Path::new(STANDARD_INPUT)) {
            return Err("found standard input as the graph, expected a file or a folder, which \
                 can be read again\n  help: save the graph to a file and pass its path"
                .to_owned());
        }
        let failed = |error: std::io::Error| error.to_string();
        if let Some(given) = given {
            return locate(given).map_err(failed);
        }
        if self.name.starts_with("sample:") {
            return locate(Path::new(&self.name)).map_err(failed);
        }
        if !is_plain_name(Path::new(&self.name)) {
            return Err(format!(
                "found the graph `{}`, expected a name without folders\n  help: pass the path of \
                 the graph as PATH",
                self.name
            ));
        }
        let near = folders.iter().map(|folder| folder.join(&self.name)).find(|own| own.exists());
        let sample = || Sample::named(&self.name).map(|sample| locate(&sample.path()));
        match near.map(Ok).or_else(sample) {
            Some(found) => found.map_err(failed),
            None => Err(format!(
                "found no graph called `{}` in {}, expected one\n  help: pass the path of the \
                 graph as PATH",
                self.name,
                names_of(folders)
            )),
        }
    }

    /// The load options for the graph at a path: the files of labels and of a split
    /// are searched beside it and in the folders.
    pub fn options_at(&self, graph: &Path, folders: &[PathBuf]) -> Result<LoadOptions, String> {
        let beside = graph.parent().map(Path::to_owned);
        let places: Vec<PathBuf> =
            [graph.to_owned()].into_iter().chain(beside).chain(folders.iter().cloned()).collect();
        let find =
            |name: &Path| places.iter().map(|place| place.join(name)).find(|own| own.is_file());
        let mut load = self.load.clone();
        if let Some(labels) = &self.load.labels {
            if !is_plain_name(labels) {
                return Err(format!(
                    "found the labels `{}`, expected a name without folders\n  help: pass the path \
                     of the labels as --labels FILE",
                    labels.display()
                ));
            }
            load.labels = Some(find(labels).ok_or_else(|| {
                format!(
                    "found no labels file `{}` beside {}, expected one\n  help: pass its path as \
                     --labels FILE",
                    labels.display(),
                    graph.display()
                )
            })?);
        }
        // A split that is no file beside the graph is the name of a stored one.
        let split = self.load.split.as_deref().map(Path::new);
        if let Some(found) = split.filter(|split| is_plain_name(split)).and_then(find) {
            load.split = Some(found.display().to_string());
        }
        Ok(load)
    }

    /// Checks that a graph is the referenced one; the error says what to do.
    pub fn check(&self, graph: &Graph, path: &Path) -> Result<(), String> {
        let found = format!("{:016x}", graph.fingerprint());
        if self.fingerprint.is_empty() || found == self.fingerprint {
            return Ok(());
        }
        Err(format!(
            "{}: found a graph with fingerprint {found}, expected {}\n  help: pass the path of \
             the original `{}`, and the options it was read with",
            path.display(),
            self.fingerprint,
            self.name
        ))
    }
}

fn file_name(path: &Path) -> Option<String> {
    path.file_name().map(|name| name.to_string_lossy().into_owned())
}

/// Whether a name leads to no other folder, on any platform.
fn is_plain_name(name: &Path) -> bool {
    let mut parts = name.components();
    let one = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
    one && !name.to_string_lossy().contains(['/', '\\', ':', '\0'])
}

fn names_of(folders: &[PathBuf]) -> String {
    let name = |folder: &PathBuf| {
        let here = folder.as_os_str().is_empty() || folder == Path::new(".");
        if here { "the current folder".to_owned() } else { folder.display().to_string() }
    };
    let mut names: Vec<String> = folders.iter().map(name).collect();
    names.dedup();
    names.join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;

    fn named(name: &str) -> GraphReference {
        GraphReference { name: name.to_owned(), ..GraphReference::default() }
    }

    #[test]
    fn a_reference_contains_no_folder_and_is_found_in_another() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for folder in [&from, &to] {
            std::fs::write(folder.path().join("own.txt"), "a b\nb c\n").unwrap();
            std::fs::write(folder.path().join("who.tsv"), "a x\nb y\nc x\n").unwrap();
        }
        let path = from.path().join("own.txt");
        let options =
            LoadOptions { labels: Some(from.path().join("who.tsv")), ..LoadOptions::default() };
        let (graph, _) = load(&path, &options).unwrap();
        let fingerprint = format!("{:016x}", graph.fingerprint());
        let reference = GraphReference::of(&path, &fingerprint, &options);
        assert_eq!(reference.name, "own.txt");
        assert_eq!(reference.load.labels, Some("who.tsv".into()));
        let folders = [to.path().to_owned()];
        let found = reference.find(None, &folders).unwrap();
        assert_eq!(found, to.path().join("own.txt"));
        let options = reference.options_at(&found, &folders).unwrap();
        assert_eq!(options.labels, Some(to.path().join("who.tsv")));
        let (again, _) = load(&found, &options).unwrap();
        assert_eq!(reference.check(&again, &found), Ok(()));
        let (bare, _) = load(&found, &LoadOptions::default()).unwrap();
        let said = reference.check(&bare, &found).unwrap_err();
        assert!(said.contains("own.txt") && said.contains(&fingerprint), "{said}");
    }

    #[test]
    fn an_unchanged_sample_is_referenced_by_name_anywhere() {
        let place = tempfile::tempdir().unwrap();
        let folder = Sample::named("karate").unwrap().unpack(place.path()).unwrap();
        let name = || GraphReference::of(&folder, "", &LoadOptions::default()).name;
        assert_eq!(name(), "sample:karate");
        std::fs::write(folder.join("edges.tsv"), "1\t2\n").unwrap();
        assert_eq!(name(), "karate");
    }

    #[test]
    fn a_name_that_leads_elsewhere_is_refused_and_a_given_path_is_accepted() {
        for name in ["/etc/passwd", "../secret", "a/b", "..", "", "C:\\x", "a\\b"] {
            let said = named(name).find(None, &[PathBuf::from("/")]).unwrap_err();
            assert!(said.contains("without folders") && said.contains("PATH"), "{name}: {said}");
            let given = named(name).find(Some("mine.txt".as_ref()), &[]);
            assert_eq!(given, Ok("mine.txt".into()));
        }
        let mut labels = named("own.txt");
        labels.load.labels = Some("/etc/passwd".into());
        assert!(labels.options_at("own.txt".as_ref(), &[]).unwrap_err().contains("--labels"));
        let said = named("none.txt").find(None, &[".", "."].map(PathBuf::from)).unwrap_err();
        assert!(said.contains("`none.txt` in the current folder, expected"), "{said}");
        let said = named("x").find(Some("-".as_ref()), &[]).unwrap_err();
        assert!(said.contains("save the graph to a file"), "{said}");
    }
}
