//! Existing files stay unless the user allows overwriting.

use std::path::Path;

use anyhow::bail;
use clap::Args;

/// Overwrite options.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(super) struct ForceArgs {
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
}

impl ForceArgs {
    /// Refuses an existing file. Writing to something that is not a regular file
    /// (such as a terminal) overwrites nothing.
    pub(super) fn file(self, path: &Path) -> anyhow::Result<()> {
        let there = path.symlink_metadata();
        if !self.force && there.is_ok_and(|own| own.is_file() || own.is_symlink()) {
            bail!(
                "{}: found an existing file, expected none\n  help: overwrite it with --force, or \
                 choose another",
                path.display()
            );
        }
        Ok(())
    }

    /// Refuses a folder that is not empty.
    pub(super) fn folder(self, path: &Path) -> anyhow::Result<()> {
        self.file(path)?;
        let mut entries = std::fs::read_dir(path).into_iter().flatten();
        if !self.force && entries.next().is_some() {
            bail!(
                "{}: found a folder with files in it, expected a new or empty one\n  help: \
                 --force overwrites files of the same names, or choose another",
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
    fn existing_files_stay_without_force() {
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
