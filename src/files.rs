//! Files that are whole or not there: what a crash leaves behind is the old
//! version, never half of the new one.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// Writes a file beside its final place and moves it there when it is whole.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::io;
/// use gesf_tui::files::write_atomically;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("note");
/// write_atomically(&path, |out| out.write_all(b"old"))?;
/// // What fails half way leaves what was there.
/// let cut = write_atomically(&path, |out| {
///     out.write_all(b"half of the")?;
///     Err(io::Error::other("power cut"))
/// });
/// assert!(cut.is_err());
/// assert_eq!(std::fs::read(&path)?, b"old");
/// # Ok(()) }
/// ```
pub fn write_atomically(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut unfinished = NamedTempFile::new_in(folder)?;
    {
        let mut out = BufWriter::new(unfinished.as_file_mut());
        fill(&mut out)?;
        out.flush()?;
    }
    share(&unfinished)?;
    unfinished.as_file().sync_all()?;
    unfinished.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Temporary files are private; what a person asked for should be as readable
/// as any other file of theirs.
#[cfg(unix)]
fn share(file: &NamedTempFile) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn share(_file: &NamedTempFile) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_that_fails_half_way_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("note");
        write_atomically(&path, |out| out.write_all(b"old")).unwrap();
        let failed = write_atomically(&path, |out| {
            out.write_all(b"half of the new")?;
            Err(io::Error::other("power cut"))
        });
        assert!(failed.is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
