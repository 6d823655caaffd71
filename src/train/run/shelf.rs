//! The shelf where the explorer keeps the runs of a graph: one folder a run,
//! bounded in number, each marked while it is in use.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::RECORD;

const LOCK: &str = "in-use";

/// The mark on a run that is in use. It goes when the run is left in order; the
/// file of one that crashed stays, and nobody holds it.
#[derive(Debug)]
pub struct RunLock {
    path: PathBuf,
    _held: File,
}

impl RunLock {
    /// Marks a run; none where the disk or another program refuses.
    pub fn take(run: &Path) -> Option<Self> {
        let path = run.join(LOCK);
        let file = File::create(&path).ok()?;
        file.try_lock().ok()?;
        Some(Self { path, _held: file })
    }

    /// The run is left in order.
    pub fn release(self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// How a run on the shelf was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// In order.
    InOrder,
    /// Somebody is still at it.
    InUse,
    /// Without being closed: the program or the machine broke.
    Crashed,
}

/// A run on the shelf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelved {
    /// Its folder.
    pub path: PathBuf,
    /// When it was last written to.
    pub at: SystemTime,
    /// How it was left.
    pub left: Left,
}

/// The runs on a shelf, the newest first.
pub fn shelved(shelf: &Path) -> Vec<Shelved> {
    let entries = fs::read_dir(shelf).into_iter().flatten().flatten();
    let mut found: Vec<Shelved> = entries
        .map(|entry| entry.path())
        .filter(|path| path.join(RECORD).exists())
        .map(|path| Shelved { at: touched(&path), left: left(&path), path })
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
    let Ok(file) = File::open(run.join(LOCK)) else { return Left::InOrder };
    match file.try_lock() {
        Ok(()) | Err(TryLockError::Error(_)) => Left::Crashed,
        Err(TryLockError::WouldBlock) => Left::InUse,
    }
}

/// Says that a crashed run is known and need not be offered again.
pub fn put_in_order(run: &Path) {
    let _ = fs::remove_file(run.join(LOCK));
}

/// Makes room: of the runs that nobody uses, the oldest beyond a number go.
pub fn forget_oldest(shelf: &Path, most: usize) {
    let old = shelved(shelf).into_iter().skip(most.saturating_sub(1));
    for run in old.filter(|run| run.left == Left::InOrder) {
        let _ = fs::remove_dir_all(&run.path);
    }
}

/// A folder on the shelf that does not exist yet, named by the time.
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

/// The shelf of a graph among all shelves, by its place.
pub fn shelf_of(shelves: &Path, graph: &Path) -> PathBuf {
    let place = std::path::absolute(graph).unwrap_or_else(|_| graph.to_owned());
    let stem = graph.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let key = xxhash_rust::xxh3::xxh3_64(place.as_os_str().as_encoded_bytes());
    shelves.join(format!("{}-{key:016x}", super::file_name(&stem.unwrap_or_default())))
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
    fn a_run_tells_how_it_was_left() {
        let shelf = tempfile::tempdir().unwrap();
        let path = run(shelf.path(), "1");
        let how = || shelved(shelf.path())[0].left;
        assert_eq!(how(), Left::InOrder);
        let lock = RunLock::take(&path).unwrap();
        assert_eq!(how(), Left::InUse);
        drop(lock);
        assert_eq!(how(), Left::Crashed, "dropped without being released");
        RunLock::take(&path).unwrap().release();
        assert_eq!(how(), Left::InOrder);
    }

    #[test]
    fn the_oldest_that_nobody_uses_go_first() {
        let shelf = tempfile::tempdir().unwrap();
        for name in ["1", "2", "3", "4"] {
            let path = run(shelf.path(), name);
            let at = UNIX_EPOCH + Duration::from_secs(name.parse().unwrap());
            File::open(path.join(RECORD)).unwrap().set_modified(at).unwrap();
        }
        let held = shelf.path().join("1");
        let lock = RunLock::take(&held).unwrap();
        File::open(held.join(LOCK)).unwrap().set_modified(UNIX_EPOCH).unwrap();
        forget_oldest(shelf.path(), 3);
        let mut left: Vec<_> = shelved(shelf.path()).into_iter().map(|run| run.path).collect();
        left.sort();
        assert_eq!(left, ["1", "3", "4"].map(|name| shelf.path().join(name)));
        drop(lock);
    }

    #[test]
    fn graphs_of_the_same_name_have_shelves_of_their_own() {
        let [a, b] = ["/x/cora", "/y/cora"].map(|path| shelf_of("/s".as_ref(), path.as_ref()));
        assert_ne!(a, b);
        assert!(a.to_string_lossy().starts_with("/s/cora-"));
    }
}
