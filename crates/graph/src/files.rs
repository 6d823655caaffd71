//! Atomic writes: a crash leaves the old version of a file, never half of the new
//! one. Only regular files are read.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// Writes a temporary file and renames it to its final path when it is complete.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::io;
/// use gesf_graph::files::write_atomically;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("note");
/// write_atomically(&path, |out| out.write_all(b"old"))?;
/// // A failed write leaves the old file.
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
    let mut unfinished = beside(folder)?;
    {
        let mut out = BufWriter::new(unfinished.as_file_mut());
        fill(&mut out)?;
        out.flush()?;
    }
    unfinished.as_file().sync_all()?;
    unfinished.persist(path).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Maximum size of settings, lesson and record files.
const SMALL_FILE: u64 = 16 << 20;

/// Opens a regular file. The kind is checked first, since a pipe would block and a
/// device may never end.
///
/// ```
/// use gesf_graph::files::open_ordinary;
///
/// assert!(open_ordinary("Cargo.toml".as_ref()).is_ok());
/// let refused = open_ordinary("src".as_ref()).unwrap_err();
/// assert_eq!(refused.to_string(), "found a folder, expected a regular file");
/// ```
pub fn open_ordinary(path: &Path) -> io::Result<File> {
    ordinary(&std::fs::metadata(path)?)?;
    File::open(path)
}

/// Opens one of the program's own files for writing and creates it if necessary;
/// refuses links and anything but a regular file.
pub fn open_own(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    options.create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    let linked = |error| {
        let said = "found a symbolic link, expected a regular file";
        if path.is_symlink() { io::Error::other(said) } else { error }
    };
    let file = options.open(path).map_err(linked)?;
    ordinary(&file.metadata()?)?;
    Ok(file)
}

/// An error unless this is a regular file.
fn ordinary(found: &Metadata) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    let kind = kind_of(found);
    Err(io::Error::other(format!("found {kind}, expected a regular file")))
}

/// Reads a small text file: settings, a lesson or a record.
pub fn read_small(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open_ordinary(path)?.take(SMALL_FILE + 1).read_to_string(&mut text)?;
    if text.len() as u64 > SMALL_FILE {
        let most = SMALL_FILE >> 20;
        return Err(io::Error::other(format!("found more than {most} MiB, expected a small file")));
    }
    Ok(text)
}

/// The kind of a file, for a message.
pub fn kind_of(found: &Metadata) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = found.file_type();
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
        if kind.is_socket() {
            return "a socket";
        }
    }
    match found {
        found if found.is_dir() => "a folder",
        found if found.is_file() => "a regular file",
        _ => "no file",
    }
}

const PREFIX: &str = ".gesf-";
const SUFFIX: &str = ".unfinished";

/// A temporary file, with the permissions of the user's umask.
fn beside(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// A rename is durable once its folder is on disk too.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { std::fs::File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Removes the temporary files of interrupted writes in a folder. Only its owner
/// may call this.
pub fn clear_unfinished(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let ours =
            name.to_str().is_some_and(|own| own.starts_with(PREFIX) && own.ends_with(SUFFIX));
        if ours {
            // A file that cannot be removed does no harm.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn endless_files_are_not_read() {
        let refused = read_small("/dev/zero".as_ref()).unwrap_err();
        assert_eq!(refused.to_string(), "found a device, expected a regular file");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large");
        File::create(&path).unwrap().set_len(SMALL_FILE + 1).unwrap();
        assert!(read_small(&path).unwrap_err().to_string().contains("more than 16 MiB"));
    }

    #[test]
    fn a_failed_write_leaves_the_old_file() {
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

    #[cfg(unix)]
    #[test]
    fn a_file_gets_the_default_permissions_of_the_user() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let [ours, plain] = ["ours", "plain"].map(|name| folder.path().join(name));
        write_atomically(&ours, |out| out.write_all(b"x")).unwrap();
        std::fs::write(&plain, b"x").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }

    #[test]
    fn only_unfinished_files_of_a_crash_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        for name in [".gesf-x1y2.unfinished", ".gesf-notes", "mine.unfinished"] {
            std::fs::write(folder.path().join(name), b"").unwrap();
        }
        clear_unfinished(folder.path());
        let entries = std::fs::read_dir(folder.path()).unwrap();
        let mut left: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".gesf-notes", "mine.unfinished"]);
    }
}
