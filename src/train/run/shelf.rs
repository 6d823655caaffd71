//! The shelf where the explorer keeps the runs of a graph: one folder a run, each
//! marked while it is in use. None is ever removed unasked.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{RECORD, RunError};

const LOCK: &str = "in-use";

/// The mark on a run that is in use: a locked file. It goes when the run is left
/// in order; the file of one that crashed stays, and nobody holds it.
#[derive(Debug)]
pub struct RunLock {
    path: PathBuf,
    _held: File,
}

impl RunLock {
    /// Marks a run; an error where another program holds it, or where the mark
    /// is no file of its own.
    pub fn take(run: &Path) -> Result<Self, RunError> {
        let path = run.join(LOCK);
        let fault = |found: &str, expected: &str, advice: &str| RunError::Content {
            path: path.clone(),
            found: found.to_owned(),
            expected: expected.to_owned(),
            advice: advice.to_owned(),
        };
        loop {
            let file = match own_file(&path) {
                Ok(file) => file,
                Err(_) if path.is_symlink() => {
                    let advice = "remove the link: a run marks itself with a file of its own";
                    return Err(fault("a link", "a file or nothing", advice));
                }
                Err(error) => return Err(RunError::Disk { path, error }),
            };
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let advice = "close the other program, or begin a new run";
                    let found = "a run that another program is writing";
                    return Err(fault(found, "one that nobody else writes", advice));
                }
                Err(TryLockError::Error(error)) => return Err(RunError::Disk { path, error }),
            }
            // Whoever released it meanwhile took the file away: lock the new one.
            if is_same(&file, &path) {
                return Ok(Self { path, _held: file });
            }
        }
    }

    /// The run is left in order.
    pub fn release(self) {
        // A mark that stays is taken for a crash, which costs a question.
        let _ = fs::remove_file(&self.path);
    }
}

/// A file at a path, made where there is none, never another one by a link, and
/// with nothing of it lost.
fn own_file(path: &Path) -> std::io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(std::io::Error::other("no plain file")) }
}

/// Whether a path still leads to an open file.
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

/// How a run was left.
pub(super) fn left(run: &Path) -> Left {
    let path = run.join(LOCK);
    let plain = fs::symlink_metadata(&path).is_ok_and(|own| own.is_file());
    let Some(file) = plain.then(|| File::open(path).ok()).flatten() else { return Left::InOrder };
    match file.try_lock() {
        Ok(()) | Err(TryLockError::Error(_)) => Left::Crashed,
        Err(TryLockError::WouldBlock) => Left::InUse,
    }
}

/// Says that a crashed run is known and need not be offered again.
pub fn put_in_order(run: &Path) {
    let _ = fs::remove_file(run.join(LOCK));
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
    fn a_run_that_is_in_use_is_refused_to_a_second_writer() {
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
    fn a_mark_that_is_a_link_is_refused_and_what_it_leads_to_is_left_alone() {
        let shelf = tempfile::tempdir().unwrap();
        let path = run(shelf.path(), "1");
        let precious = shelf.path().join("precious");
        fs::write(&precious, "all my notes").unwrap();
        std::os::unix::fs::symlink(&precious, path.join(LOCK)).unwrap();
        let refused = RunLock::take(&path).unwrap_err().to_string();
        assert!(refused.contains("a link"), "{refused}");
        assert_eq!(fs::read_to_string(&precious).unwrap(), "all my notes");
    }

    #[test]
    fn graphs_of_the_same_name_have_shelves_of_their_own() {
        let [a, b] = ["/x/cora", "/y/cora"].map(|path| shelf_of("/s".as_ref(), path.as_ref()));
        assert_ne!(a, b);
        assert!(a.to_string_lossy().starts_with("/s/cora-"));
    }
}
