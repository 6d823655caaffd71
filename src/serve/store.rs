//! The files of all sessions, which outlive the server: who they belong to, what is
//! open, runs, presets and progress. Folders are named after the digest of the cookie.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::secret::Digest;
use crate::files::{read_small, write_atomically};
use crate::tui::Whereabouts;

/// Most visitors that a store remembers.
const MOST: usize = 2000;

/// Who somebody is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Role {
    /// The owner of the server, whom others may watch.
    Owner,
    /// A visitor.
    Visitor,
}

/// What is saved of a session besides its files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Saved {
    /// Whose it is.
    pub(super) role: Role,
    /// Whether a visitor works alone though there is a lecturer to watch.
    #[serde(default)]
    pub(super) alone: bool,
    /// What is open.
    #[serde(default)]
    pub(super) open: Whereabouts,
}

/// The folder with all sessions.
#[derive(Debug, Clone)]
pub(super) struct Store {
    folder: PathBuf,
}

impl Store {
    /// Opens the folder, which only its owner may read.
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        create_private(folder)?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// The folder of a session.
    pub(super) fn folder(&self, id: &Digest) -> PathBuf {
        self.folder.join(id.name())
    }

    /// What is known of a session; `None` for a cookie that was never given out.
    pub(super) fn find(&self, id: &Digest) -> Option<Saved> {
        let text = read_small(&self.file(id)).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Adds a session.
    pub(super) fn add(&self, id: &Digest, role: Role) -> io::Result<()> {
        if role == Role::Visitor && std::fs::read_dir(&self.folder)?.count() >= MOST {
            return Err(io::Error::other(
                "too many visitors have joined: the owner must delete \
                                         old sessions",
            ));
        }
        create_private(&self.folder(id))?;
        self.save(id, &Saved { role, alone: false, open: Whereabouts::default() })
    }

    /// Saves what is open.
    pub(super) fn save(&self, id: &Digest, saved: &Saved) -> io::Result<()> {
        let text = serde_json::to_string(saved).map_err(io::Error::other)?;
        write_atomically(&self.file(id), |out| out.write_all(text.as_bytes()))
    }

    fn file(&self, id: &Digest) -> PathBuf {
        self.folder(id).join("session.json")
    }
}

/// Creates a folder that only its owner may read.
fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_found_by_its_cookie_and_by_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("sessions")).unwrap();
        let (id, other) = (Digest::of("one"), Digest::of("other"));
        store.add(&id, Role::Visitor).unwrap();
        let mut saved = store.find(&id).unwrap();
        assert_eq!((saved.role, store.find(&other)), (Role::Visitor, None));
        saved.open = Whereabouts { run: Some("runs/karate-1".into()), ..Whereabouts::default() };
        store.save(&id, &saved).unwrap();
        assert_eq!(Store::open(store.folder.as_path()).unwrap().find(&id), Some(saved));
    }
}
