//! Files that are whole or not there: what a crash leaves behind is the old
//! version, never half of the new one. Files are read only where they end.

use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Read, Write};
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

/// No file of settings, lessons or records comes near this.
const SMALL_FILE: u64 = 16 << 20;

/// Opens an ordinary file. A pipe would wait for a writer and a device may
/// never end, so what it is is looked at first.
///
/// ```
/// use gesf_tui::files::open_ordinary;
///
/// assert!(open_ordinary("Cargo.toml".as_ref()).is_ok());
/// let refused = open_ordinary("src".as_ref()).unwrap_err();
/// assert_eq!(refused.to_string(), "found a folder, expected an ordinary file");
/// ```
pub fn open_ordinary(path: &Path) -> io::Result<File> {
    let found = std::fs::metadata(path)?;
    if found.is_file() {
        return File::open(path);
    }
    let kind = kind_of(&found);
    Err(io::Error::other(format!("found {kind}, expected an ordinary file")))
}

/// Opens a file to write at its end, made where there is none; never another one
/// through a link, and nothing but an ordinary file.
pub fn append_to(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    let linked = |error| {
        let said = "found a link, expected a file of its own";
        if path.is_symlink() { io::Error::other(said) } else { error }
    };
    let file = options.open(path).map_err(linked)?;
    let found = file.metadata()?;
    if found.is_file() {
        return Ok(file);
    }
    let kind = kind_of(&found);
    Err(io::Error::other(format!("found {kind}, expected an ordinary file")))
}

/// Reads a small file of text: one that holds settings, a lesson or a record.
pub fn read_small(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open_ordinary(path)?.take(SMALL_FILE + 1).read_to_string(&mut text)?;
    if text.len() as u64 > SMALL_FILE {
        let most = SMALL_FILE >> 20;
        return Err(io::Error::other(format!("found more than {most} MiB, expected a small file")));
    }
    Ok(text)
}

/// What stands at a path, for a sentence.
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
        found if found.is_file() => "an ordinary file",
        _ => "no file",
    }
}

const PREFIX: &str = ".gesf-";
const SUFFIX: &str = ".unfinished";

/// A file that has no name yet, as readable as the umask of the person allows.
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

/// A file that was renamed is there for good once its folder is on disk too.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { std::fs::File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Clears what writes that were cut off left in a folder. Only its keeper may.
pub fn clear_unfinished(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let ours =
            name.to_str().is_some_and(|own| own.starts_with(PREFIX) && own.ends_with(SUFFIX));
        if ours {
            // What cannot be removed is in nobody's way.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_never_ends_is_not_read() {
        let refused = read_small("/dev/zero".as_ref()).unwrap_err();
        assert_eq!(refused.to_string(), "found a device, expected an ordinary file");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large");
        File::create(&path).unwrap().set_len(SMALL_FILE + 1).unwrap();
        assert!(read_small(&path).unwrap_err().to_string().contains("more than 16 MiB"));
    }

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

    #[cfg(unix)]
    #[test]
    fn a_file_is_as_readable_as_any_other_of_the_person() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let [ours, plain] = ["ours", "plain"].map(|name| folder.path().join(name));
        write_atomically(&ours, |out| out.write_all(b"x")).unwrap();
        std::fs::write(&plain, b"x").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }

    #[test]
    fn what_a_crash_left_half_written_is_cleared_and_nothing_else() {
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
