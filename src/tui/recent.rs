//! Recently opened graphs: a list of paths in the cache folder, newest first.

use std::path::{Path, PathBuf};

use crate::files::write_atomically;
use crate::folders;

const MOST: usize = 8;

fn file() -> Option<PathBuf> {
    Some(folders::cache()?.join("recent.txt"))
}

/// The recent graphs that still exist.
pub(super) fn list() -> Vec<PathBuf> {
    let text = file().and_then(|file| crate::files::read_small(&file).ok()).unwrap_or_default();
    text.lines().map(PathBuf::from).filter(|path| path.exists()).take(MOST).collect()
}

/// Adds a graph. Failing to save the list is not an error.
pub(super) fn remember(path: &Path) {
    let (Some(file), Ok(path)) = (file(), path.canonicalize()) else { return };
    let mut all = list();
    all.retain(|own| *own != path);
    all.insert(0, path);
    let lines: Vec<String> = all.iter().take(MOST).map(|path| path.display().to_string()).collect();
    let _ = file.parent().map(std::fs::create_dir_all);
    let _ = write_atomically(&file, |out| out.write_all(lines.join("\n").as_bytes()));
}
