//! The folder with the saved runs of a graph: one folder per run, locked while in
//! use. No run is ever removed unasked.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{RECORD, RunError};
use gesf_graph::files::open_own;

const LOCK: &str = "in-use";

/// The lock file of a run in use. It is removed when the run is closed cleanly;
/// after a crash the file remains but is not locked.
#[derive(Debug)]
pub struct RunLock {
    path: PathBuf,
    /// Whether a crash left the lock file behind.
    pub(super) after_crash: bool,
    _held: File,
}

impl RunLock {
    /// Locks a run; an error if another process holds it, or if the lock path is
    /// not a regular file.
    pub fn take(run: &Path) -> Result<Self, RunError> {
        let path = run.join(LOCK);
        let after_crash = left(run) == Left::Crashed;
        let fault = |found: &str, expected: &str, advice: &str| RunError::Content {
            path: path.clone(),
            found: found.to_owned(),
            expected: expected.to_owned(),
            advice: advice.to_owned(),
        };
        loop {
            let mut options = File::options();
            let options = options.read(true).write(true).truncate(false);
            let file = match open_own(&path, options) {
                Ok(file) => file,
                Err(_) if path.is_symlink() => {
                    let advice = "remove the link: the lock of a run is a regular file";
                    return Err(fault("a symbolic link", "a regular file or none", advice));
                }
                Err(error) => return Err(RunError::Disk { path, error }),
            };
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let advice = "close the other program, or start a new run";
                    let found = "a run that another program is writing";
                    return Err(fault(found, "a run that is not in use", advice));
                }
                Err(TryLockError::Error(error)) => return Err(RunError::Disk { path, error }),
            }
            // If its owner removed the file meanwhile, lock the new one.
            if is_same(&file, &path) {
                return Ok(Self { path, after_crash, _held: file });
            }
        }
    }

    /// Releases the lock without changing the run: a lock file left by a crash
    /// stays until the run is resumed.
    pub(super) fn leave(self) {
        if !self.after_crash {
            self.release();
        }
    }

    /// Closes the run cleanly.
    pub fn release(self) {
        // A remaining lock file only makes the next start ask about a crash.
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether a path still refers to an open file.
fn is_same(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place = |own: fs::Metadata| (own.dev(), own.ino());
        let (open, there) = (file.metadata().map(place), fs::symlink_metadata(path).map(place));
        matches!((open, there), (Ok(open), Ok(there)) if open == there)
    }
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        true
    }
}

/// How a saved run was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// Cleanly.
    InOrder,
    /// It is still in use.
    InUse,
    /// Not closed: the program or the machine crashed.
    Crashed,
}

/// A saved run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedRun {
    /// Its folder.
    pub path: PathBuf,
    /// When it was last modified.
    pub at: SystemTime,
    /// How it was closed.
    pub left: Left,
}

/// The saved runs in a folder, newest first.
pub fn saved_runs(shelf: &Path) -> Vec<SavedRun> {
    let mut found: Vec<SavedRun> = paths_in(shelf)
        .filter(|path| path.join(RECORD).exists())
        .map(|path| SavedRun { at: touched(&path), left: left(&path), path })
        .collect();
    found.sort_by(|a, b| (b.at, &b.path).cmp(&(a.at, &a.path)));
    found
}

fn touched(run: &Path) -> SystemTime {
    let files = fs::read_dir(run).into_iter().flatten().flatten();
    let times = files.filter_map(|file| file.metadata().ok()?.modified().ok());
    times.max().unwrap_or(UNIX_EPOCH)
}

fn left(run: &Path) -> Left {
    let path = run.join(LOCK);
    let plain = fs::symlink_metadata(&path).is_ok_and(|own| own.is_file());
    let Some(file) = plain.then(|| File::open(path).ok()).flatten() else { return Left::InOrder };
    match file.try_lock() {
        Ok(()) | Err(TryLockError::Error(_)) => Left::Crashed,
        Err(TryLockError::WouldBlock) => Left::InUse,
    }
}

/// Marks a crashed run as handled, so that it is not offered again.
pub fn repair(run: &Path) {
    let _ = fs::remove_file(run.join(LOCK));
}

/// How many runs a folder holds in the folders of its graphs.
pub fn run_count(runs: &Path) -> usize {
    paths_in(runs).flat_map(|graph| paths_in(&graph)).filter(|path| path.is_dir()).count()
}

/// What a folder holds; nothing if it cannot be read.
fn paths_in(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// An unused folder name, based on the time.
pub fn fresh_folder(shelf: &Path) -> PathBuf {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let mut number = since.as_millis();
    loop {
        let path = shelf.join(number.to_string());
        if !path.exists() {
            return path;
        }
        number += 1;
    }
}

/// The folder for the runs of a graph, by the path of the graph.
pub fn folder_of_graph(runs_folder: &Path, graph: &Path) -> PathBuf {
    let place = std::path::absolute(graph).unwrap_or_else(|_| graph.to_owned());
    let stem = graph.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let key = xxhash_rust::xxh3::xxh3_64(place.as_os_str().as_encoded_bytes());
    runs_folder.join(format!("{}-{key:016x}", super::file_name(&stem.unwrap_or_default())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(shelf: &Path, name: &str) -> PathBuf {
        let path = shelf.join(name);
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join(RECORD), "").unwrap();
        path
    }

    #[test]
    fn the_state_of_a_run_shows_how_it_was_closed() {
        let shelf = tempfile::tempdir().unwrap();
        let path = run(shelf.path(), "1");
        let how = || saved_runs(shelf.path())[0].left;
        assert_eq!(how(), Left::InOrder);
        let lock = RunLock::take(&path).unwrap();
        assert_eq!(how(), Left::InUse);
        drop(lock);
        assert_eq!(how(), Left::Crashed, "dropped without being released");
        RunLock::take(&path).unwrap().release();
        assert_eq!(how(), Left::InOrder);
    }

    #[test]
    fn a_run_in_use_refuses_a_second_writer() {
        let shelf = tempfile::tempdir().unwrap();
        let path = run(shelf.path(), "1");
        let first = RunLock::take(&path).unwrap();
        let refused = RunLock::take(&path).unwrap_err().to_string();
        assert!(refused.contains("another program"), "{refused}");
        first.release();
        RunLock::take(&path).unwrap().release();
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_that_is_a_link_is_refused_and_its_target_is_unchanged() {
        let shelf = tempfile::tempdir().unwrap();
        let path = run(shelf.path(), "1");
        let precious = shelf.path().join("precious");
        fs::write(&precious, "all my notes").unwrap();
        std::os::unix::fs::symlink(&precious, path.join(LOCK)).unwrap();
        let refused = RunLock::take(&path).unwrap_err().to_string();
        assert!(refused.contains("a symbolic link"), "{refused}");
        assert_eq!(fs::read_to_string(&precious).unwrap(), "all my notes");
    }

    #[test]
    fn graphs_with_the_same_name_have_separate_folders() {
        let [a, b] =
            ["/x/cora", "/y/cora"].map(|path| folder_of_graph("/s".as_ref(), path.as_ref()));
        assert_ne!(a, b);
        assert!(a.to_string_lossy().starts_with("/s/cora-"));
    }
}
