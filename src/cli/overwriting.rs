//! What is there already stays, unless a person says that it may go.

use std::path::Path;

use anyhow::bail;
use clap::Args;

/// Whether files may be overwritten.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(super) struct ForceArgs {
    /// Overwrite what is there already
    #[arg(long)]
    force: bool,
}

impl ForceArgs {
    /// Refuses a file that is there. What is no file (a terminal, say) is not
    /// overwritten by writing to it.
    pub(super) fn file(self, path: &Path) -> anyhow::Result<()> {
        let there = path.symlink_metadata();
        if !self.force && there.is_ok_and(|own| own.is_file() || own.is_symlink()) {
            bail!(
                "{}: found a file there already, expected none\n  help: --force overwrites it, or \
                 name another",
                path.display()
            );
        }
        Ok(())
    }

    /// Refuses a folder that has something in it.
    pub(super) fn folder(self, path: &Path) -> anyhow::Result<()> {
        self.file(path)?;
        let mut entries = std::fs::read_dir(path).into_iter().flatten();
        if !self.force && entries.next().is_some() {
            bail!(
                "{}: found a folder with files in it, expected a new or an empty one\n  help: \
                 --force overwrites the files of the same names, or name another",
                path.display()
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_stays_unless_force_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x");
        let (asked, forced) = (ForceArgs::default(), ForceArgs { force: true });
        assert!(asked.file(&file).is_ok() && asked.folder(folder.path()).is_ok());
        std::fs::write(&file, "mine").unwrap();
        let said = asked.file(&file).unwrap_err().to_string();
        assert!(said.contains(file.to_str().unwrap()) && said.contains("--force"), "{said}");
        assert!(asked.folder(folder.path()).unwrap_err().to_string().contains("--force"));
        assert!(forced.file(&file).is_ok() && forced.folder(folder.path()).is_ok());
    }
}
