//! Where a session keeps its files, and what it may touch besides them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::folders;
use crate::graph::{LoadOptions, SAMPLES, STANDARD_INPUT, Sample, locate};
use crate::lab::lessons::LessonProgress;
use crate::model::may_use_eigenpairs;
use crate::model::settings::{EigenpairCount, Settings};
use crate::train::CHECKPOINT_MEMORY;

/// The files of a session and its limits.
#[derive(Debug, Clone)]
pub struct Home {
    /// The folder with the runs of all graphs.
    pub runs: Option<PathBuf>,
    /// Most runs that are saved.
    pub most_runs: Option<usize>,
    /// The file with the progress of the lessons.
    pub progress: Option<PathBuf>,
    /// Whether recent graphs and the speed are saved for the next start.
    pub remembers: bool,
    /// Memory limit for checkpoints, in bytes.
    pub checkpoint_memory: usize,
    /// What it may touch besides its own files.
    pub access: Access,
}

impl Home {
    /// That of the user of this machine.
    pub fn of_user() -> Self {
        Self {
            runs: folders::runs(),
            most_runs: None,
            progress: LessonProgress::place(),
            remembers: true,
            checkpoint_memory: CHECKPOINT_MEMORY,
            access: Access::All,
        }
    }
}

/// Which files of the machine a session may open, list and write, and how much memory
/// its model may need.
#[derive(Debug, Clone, Default)]
pub enum Access {
    /// All that the user of the machine may.
    #[default]
    All,
    /// Only what a server offers its visitors.
    Limited(Arc<Offered>),
}

/// What a server offers its visitors besides the bundled samples.
#[derive(Debug, Clone, Default)]
pub struct Offered {
    /// Graphs that may be opened.
    pub graphs: Vec<PathBuf>,
    /// Files that belong to them, such as a table of labels.
    pub tables: Vec<PathBuf>,
    /// Folders below which files may be opened, listed and written.
    pub folders: Vec<PathBuf>,
    /// The folder of the session, below which its runs may be opened.
    pub own: Option<PathBuf>,
    /// Memory limit of a model, in bytes.
    pub memory: usize,
}

impl Access {
    /// What is offered; `None` if everything may be touched.
    pub fn offered(&self) -> Option<&Offered> {
        match self {
            Self::All => None,
            Self::Limited(offered) => Some(offered),
        }
    }

    /// Why a graph or a run may not be opened. Whether it exists is not told.
    pub fn refuses_to_open(&self, path: &Path) -> Option<String> {
        let offered = self.offered()?;
        let is_sample = SAMPLES.iter().any(|sample| is_sample(sample, path));
        let mut own = offered.own.iter().chain(&offered.folders);
        let may = is_sample
            || offered.graphs.iter().chain(&offered.tables).any(|own| same_file(own, path))
            || own.any(|folder| is_below(path, folder));
        (!may || path == Path::new(STANDARD_INPUT)).then(|| {
            "this server does not open files of its machine: choose a graph of the list".to_owned()
        })
    }

    /// Why a graph may not be read with these options, which can name more files.
    pub fn refuses_options(&self, options: &LoadOptions) -> Option<String> {
        self.offered()?;
        tables(options).find_map(|file| self.refuses_to_open(&file))
    }

    /// Why a file or folder may not be written.
    pub fn refuses_to_write(&self, path: &Path) -> Option<String> {
        let offered = self.offered()?;
        // What is to be written need not exist: its nearest folder that does decides.
        let there = path.ancestors().find(|own| own.exists()).filter(|_| !climbs(path));
        let may = there.is_some_and(|own| offered.folders.iter().any(|f| is_below(own, f)));
        (!may).then(|| {
            "this server does not write files for its visitors: alt-y copies the screen, alt-s \
             the state line"
                .to_owned()
        })
    }

    /// Why a folder may not be listed.
    pub fn refuses_to_list(&self, folder: &Path) -> bool {
        let offered = self.offered();
        offered.is_some_and(|own| !own.folders.iter().any(|other| is_below(folder, other)))
    }

    /// Why a model with these settings may not be trained on so many nodes.
    pub fn refuses_settings(&self, settings: &Settings, nodes: usize) -> Option<String> {
        let most = self.offered()?.memory;
        let needed = training_bytes(settings, nodes);
        (needed > most as f64).then(|| {
            format!(
                "these settings need about {:.0} MiB, and this server allows {:.0} MiB a session: \
                 lower dimension, hidden, folds or eigenpairs",
                needed / f64::from(1 << 20),
                most as f64 / f64::from(1 << 20)
            )
        })
    }
}

/// The files that load options name.
pub fn tables(options: &LoadOptions) -> impl Iterator<Item = PathBuf> {
    let split = options.split.iter().map(PathBuf::from).filter(|own| own.exists());
    options.labels.iter().cloned().chain(split)
}

/// About how many bytes training needs: embeddings and hidden layers with gradients and
/// the optimizer's moments, for every fold, and the eigenpairs.
fn training_bytes(settings: &Settings, nodes: usize) -> f64 {
    let dimension = settings.dimension.largest(nodes) as f64;
    let nodes = nodes as f64;
    let hidden = settings.hidden as f64;
    let folds = settings.folds.count().unwrap_or(4).max(1) as f64;
    let model =
        folds * 4.0 * (nodes * (8.0 * dimension + 6.0 * hidden) + 10.0 * dimension * hidden);
    let pairs = match settings.eigenpairs {
        _ if !may_use_eigenpairs(settings) => 0.0,
        EigenpairCount::All => nodes,
        EigenpairCount::Count(count) => nodes.min(count as f64),
    };
    model + 3.0 * 8.0 * nodes * pairs
}

/// Whether a path is a bundled sample: by its name, or where it is unpacked.
fn is_sample(sample: &Sample, path: &Path) -> bool {
    let named = path.file_name().is_some_and(|name| name == sample.name);
    path == sample.path() || named && locate(&sample.path()).is_ok_and(|own| same_file(&own, path))
}

fn same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Whether an existing path is in a folder, links followed.
fn is_below(path: &Path, folder: &Path) -> bool {
    match (path.canonicalize(), folder.canonicalize()) {
        (Ok(path), Ok(folder)) => path.starts_with(folder),
        _ => false,
    }
}

/// Whether a path goes up somewhere.
fn climbs(path: &Path) -> bool {
    path.components().any(|part| part == std::path::Component::ParentDir)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::settings::set;

    fn limited(folders: &[&Path]) -> Access {
        let folders = folders.iter().map(|own| (*own).to_owned()).collect();
        Access::Limited(Arc::new(Offered { folders, memory: 256 << 20, ..Offered::default() }))
    }

    #[test]
    fn a_visitor_opens_samples_and_nothing_else() {
        let access = limited(&[]);
        assert_eq!(access.refuses_to_open("sample:karate".as_ref()), None);
        let unpacked = locate("sample:karate".as_ref()).unwrap();
        assert_eq!(access.refuses_to_open(&unpacked), None, "a saved run names it like this");
        for path in ["/etc/passwd", "/no/such/file", "-", "Cargo.toml", "sample:karate/../x"] {
            let said = access.refuses_to_open(path.as_ref()).unwrap();
            assert!(said.contains("choose a graph of the list"), "{path}");
        }
        assert!(access.refuses_to_write("report".as_ref()).is_some());
        assert!(access.refuses_to_list(".".as_ref()));
        assert_eq!(Access::All.refuses_to_open("/etc/passwd".as_ref()), None);
    }

    #[test]
    fn only_the_tables_of_the_server_are_read_with_a_graph() {
        let folder = tempfile::tempdir().unwrap();
        let (own, other) = (folder.path().join("own.tsv"), folder.path().join("other.tsv"));
        std::fs::write(&own, "a x\n").unwrap();
        std::fs::write(&other, "a y\n").unwrap();
        let offered = Offered { tables: vec![own.clone()], ..Offered::default() };
        let access = Access::Limited(Arc::new(offered));
        let with = |labels: &Path| LoadOptions {
            labels: Some(labels.to_owned()),
            ..LoadOptions::default()
        };
        assert_eq!(access.refuses_options(&with(&own)), None);
        assert!(access.refuses_options(&with(&other)).is_some());
        assert_eq!(access.refuses_options(&LoadOptions::default()), None);
    }

    #[test]
    fn an_allowed_folder_is_open_but_no_way_leads_out_of_it() {
        let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(inside.path().join("a.txt"), "a b\n").unwrap();
        std::fs::write(outside.path().join("b.txt"), "a b\n").unwrap();
        let access = limited(&[inside.path()]);
        assert_eq!(access.refuses_to_open(&inside.path().join("a.txt")), None);
        assert_eq!(access.refuses_to_write(&inside.path().join("new/report")), None);
        assert!(!access.refuses_to_list(inside.path()));
        let up = inside.path().join("..").join(outside.path().file_name().unwrap()).join("b.txt");
        assert!(up.exists() && access.refuses_to_open(&up).is_some());
        assert!(access.refuses_to_write(&inside.path().join("new/../../x")).is_some());
        #[cfg(unix)]
        {
            let link = inside.path().join("link");
            std::os::unix::fs::symlink(outside.path(), &link).unwrap();
            assert!(access.refuses_to_open(&link.join("b.txt")).is_some());
            assert!(access.refuses_to_write(&link.join("report")).is_some());
        }
    }

    #[test]
    fn a_model_that_needs_more_memory_than_a_session_has_is_refused() {
        let access = limited(&[]);
        let mut settings = Settings::default();
        assert_eq!(access.refuses_settings(&settings, 2708), None);
        set(&mut settings, "dimension", "4096").unwrap();
        set(&mut settings, "hidden", "4096").unwrap();
        let said = access.refuses_settings(&settings, 2708).unwrap();
        assert!(said.contains("256 MiB a session") && said.contains("dimension"), "{said}");
    }
}
