//! Reads input as text: files, `.gz`, standard input, and all common encodings of
//! graph files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use flate2::read::MultiGzDecoder;

use super::error::quoted;
use super::{GraphError, Reading};
use crate::files;

/// The name of standard input, as a path and in messages.
pub const STANDARD_INPUT: &str = "-";

/// Maximum size of a file: far above any graph that fits in memory.
const MOST_OF_A_FILE: u64 = 8 << 30;

/// Maximum size of standard input, which may never end.
const MOST_OF_A_STREAM: u64 = 2 << 30;

/// Maximum compression ratio, and the size that is always allowed; data that
/// unpacks to more is treated as a decompression bomb.
const TIMES_UNPACKED: u64 = 50;
const LEAST_UNPACKED: u64 = 256 << 20;
const MOST_UNPACKED: u64 = 4 << 30;

/// How much of the input is checked to distinguish text from binary.
const PROBE: usize = 64 << 10;

/// Reads a whole input as text: decompressed, decoded, without a byte-order mark,
/// lines ending in `\n` (or `\r\n`).
pub(super) fn read_text(path: &Path, reading: &mut Reading) -> Result<String, GraphError> {
    let bytes = read_bytes(path, reading)?;
    decode(bytes, reading)
}

/// Reads a whole input, decompressed.
pub(super) fn read_bytes(path: &Path, reading: &Reading) -> Result<Vec<u8>, GraphError> {
    let bytes = if path.as_os_str() == STANDARD_INPUT {
        let bytes = read_limited(io::stdin().lock(), 0, MOST_OF_A_STREAM)
            .map_err(|error| GraphError::io(reading.file(), error))?;
        bytes.ok_or_else(|| too_long(reading, MOST_OF_A_STREAM))?
    } else {
        read_file(path, reading)?
    };
    if bytes.starts_with(&[0x1f, 0x8b]) { unpacked(&bytes, reading) } else { Ok(bytes) }
}

fn read_file(path: &Path, reading: &Reading) -> Result<Vec<u8>, GraphError> {
    let failed = |error| GraphError::io(reading.file(), error);
    let found = std::fs::metadata(path).map_err(failed)?;
    if !found.is_file() {
        return Err(reading.broken(
            None,
            files::kind_of(&found),
            "a regular file, a folder, or - for standard input",
            "write it to a file first, or pipe it to standard input: `… | gesf-tui info -`",
        ));
    }
    let size = found.len();
    if size > MOST_OF_A_FILE {
        return Err(too_long(reading, MOST_OF_A_FILE));
    }
    let file = files::open_ordinary(path).map_err(failed)?;
    if let Some(bytes) = read_in_parallel(&file, size) {
        return Ok(bytes);
    }
    let bytes = read_limited(file, size, MOST_OF_A_FILE).map_err(failed)?;
    bytes.ok_or_else(|| too_long(reading, MOST_OF_A_FILE))
}

/// The most that compressed data of this size may unpack to.
pub(super) fn most_unpacked(size: u64) -> u64 {
    size.saturating_mul(TIMES_UNPACKED).clamp(LEAST_UNPACKED, MOST_UNPACKED)
}

fn unpacked(packed: &[u8], reading: &Reading) -> Result<Vec<u8>, GraphError> {
    let size = packed.len() as u64;
    let most = most_unpacked(size);
    let bytes = read_limited(MultiGzDecoder::new(packed), size * 3, most).map_err(|error| {
        reading.broken(
            None,
            format!("gzip data that cannot be unpacked ({error})"),
            "a complete .gz file",
            "the file is damaged or truncated: download it again, or try `gzip -t` on it",
        )
    })?;
    bytes.ok_or_else(|| {
        reading.broken(
            None,
            format!("{} KiB of gzip data that unpack to more than {} MiB", size >> 10, most >> 20),
            "the text of a graph",
            "if it is one, unpack it with `gunzip` first and give the plain file",
        )
    })
}

fn too_long(reading: &Reading, most: u64) -> GraphError {
    let found = format!("more than {} GiB", most >> 30);
    reading.broken(None, found, "a graph that fits in memory", "reduce the input first")
}

/// Reads a source completely; `None` if it exceeds the limit.
pub(super) fn read_limited(
    source: impl Read,
    known_size: u64,
    most: u64,
) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    // Only a hint: a failed reservation must not end the program.
    let _ = bytes.try_reserve_exact(known_size.min(most) as usize + 1);
    source.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// Reads a large regular file with all threads; `None` if that is not possible, or
/// if the file changes while it is read.
#[cfg(unix)]
fn read_in_parallel(file: &File, size: u64) -> Option<Vec<u8>> {
    use std::os::unix::fs::FileExt;

    use rayon::prelude::*;
    const PIECE: usize = 4 << 20;
    if size < 4 * PIECE as u64 || size > MOST_OF_A_FILE {
        return None;
    }
    let mut bytes = bytemuck::zeroed_vec(size as usize);
    bytes
        .par_chunks_mut(PIECE)
        .enumerate()
        .try_for_each(|(n, piece)| file.read_exact_at(piece, (n * PIECE) as u64))
        .ok()?;
    let unchanged = file.read_at(&mut [0], size).is_ok_and(|more| more == 0);
    unchanged.then_some(bytes)
}

#[cfg(not(unix))]
fn read_in_parallel(_file: &File, _size: u64) -> Option<Vec<u8>> {
    None
}

/// Decodes the bytes of an input into text.
pub fn decode(bytes: Vec<u8>, reading: &mut Reading) -> Result<String, GraphError> {
    let text = match Encoding::for_bom(&bytes) {
        Some((encoding, _)) if encoding == UTF_16LE || encoding == UTF_16BE => {
            reading.note(format!("{} was read as {}", reading.file(), encoding.name()));
            decode_as(encoding, &bytes, reading)?
        }
        Some((encoding, skip)) if encoding == UTF_8 => from_utf8(bytes[skip..].to_vec(), reading)?,
        _ => from_utf8(bytes, reading)?,
    };
    refuse_binary(&text, reading)?;
    let only_carriage_returns =
        memchr::memchr(b'\n', text.as_bytes()).is_none() && text.contains('\r');
    Ok(if only_carriage_returns { text.replace('\r', "\n") } else { text })
}

fn from_utf8(bytes: Vec<u8>, reading: &mut Reading) -> Result<String, GraphError> {
    String::from_utf8(bytes).or_else(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = line_of(error.as_bytes(), good);
        let text = decode_as(WINDOWS_1252, error.as_bytes(), reading)?;
        refuse_binary(&text, reading)?;
        reading.note(format!(
            "{} is not UTF-8 (first at line {line}); it was read as Latin-1",
            reading.file()
        ));
        Ok(text)
    })
}

fn decode_as(
    encoding: &'static Encoding,
    bytes: &[u8],
    reading: &Reading,
) -> Result<String, GraphError> {
    let (text, _, had_errors) = encoding.decode(bytes);
    if had_errors {
        return Err(reading.broken(
            None,
            format!("bytes that are not {}", encoding.name()),
            "text in UTF-8, UTF-16 or Latin-1",
            "convert the file to UTF-8 first (for example with `iconv`)",
        ));
    }
    Ok(text.into_owned())
}

/// Graph files are text; control characters indicate another kind of file.
fn refuse_binary(text: &str, reading: &Reading) -> Result<(), GraphError> {
    let bytes = text.as_bytes();
    let is_control = |b: &&u8| **b < 0x20 && !b"\t\n\r\x0c".contains(*b) || **b == 0x7f;
    let probe = &bytes[..bytes.len().min(PROBE)];
    let controls = probe.iter().filter(is_control).count();
    let nul = memchr::memchr(0, bytes);
    let offender =
        if controls * 50 > probe.len() { probe.iter().position(|b| is_control(&b)) } else { nul };
    let Some(at) = offender else { return Ok(()) };
    let start = text[..at].char_indices().rev().nth(10).map_or(0, |(i, _)| i);
    let around: String = text[start..].chars().take(20).collect();
    Err(reading.broken(
        Some(line_of(bytes, at)),
        format!("binary data ({})", quoted(&around)),
        "a text file that describes a graph",
        "give one of the formats listed under --format",
    ))
}

fn line_of(bytes: &[u8], at: usize) -> u64 {
    memchr::memchr_iter(b'\n', &bytes[..at]).count() as u64 + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OnBadRow;

    fn decoded(bytes: &[u8]) -> (Result<String, String>, Vec<String>) {
        let mut reading = Reading::new("input", OnBadRow::Fail);
        let text = decode(bytes.to_vec(), &mut reading).map_err(|e| e.to_string());
        (text, reading.notes)
    }

    #[test]
    fn a_byte_order_mark_is_not_part_of_the_first_id() {
        assert_eq!(decoded(b"\xef\xbb\xbfa b\n").0.unwrap(), "a b\n");
    }

    #[test]
    fn utf_16_of_either_byte_order_is_read_and_reported() {
        for (bytes, name) in
            [(&b"\xff\xfea\0 \0b\0"[..], "UTF-16LE"), (&b"\xfe\xff\0a\0 \0b"[..], "UTF-16BE")]
        {
            let (text, notes) = decoded(bytes);
            assert_eq!(text.unwrap(), "a b");
            assert!(notes[0].contains(name));
        }
    }

    #[test]
    fn latin_1_is_read_and_reported_with_the_line() {
        let (text, notes) = decoded(b"a b\nJos\xe9 b\n");
        assert_eq!(text.unwrap(), "a b\nJosé b\n");
        assert!(notes[0].contains("line 2"), "{notes:?}");
    }

    #[test]
    fn binary_data_is_refused_with_its_line() {
        let error = decoded(b"a b\nc d\ne\0f\n").0.unwrap_err();
        assert!(error.contains("line 3: found binary data"), "{error}");
        assert!(decoded(b"\x7fELF\x02\x01\x01\0\0\0").0.is_err());
    }

    #[test]
    fn a_gzip_bomb_is_refused_before_it_fills_the_memory() {
        use std::io::Write;
        let mut part = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        part.write_all(&vec![b'1'; 32 << 20]).unwrap();
        let part = part.finish().unwrap();
        // Concatenated members are one file, of 10 GiB when unpacked.
        let bomb = part.repeat(320);
        assert!(bomb.len() < 16 << 20);
        let said = unpacked(&bomb, &Reading::new("x.gz", OnBadRow::Skip)).unwrap_err().to_string();
        assert!(said.contains("unpack to more than") && said.contains("gunzip"), "{said}");
    }

    #[cfg(unix)]
    #[test]
    fn special_files_are_refused_before_they_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe.txt");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for (path, kind) in [(Path::new("/dev/zero"), "a device"), (&pipe, "a pipe")] {
            let mut reading = Reading::new("x", OnBadRow::Fail);
            let said = read_text(path, &mut reading).unwrap_err().to_string();
            assert!(said.contains(&format!("found {kind}, expected a regular file")), "{said}");
        }
    }

    #[test]
    fn an_endless_input_is_cut_off() {
        assert_eq!(read_limited(io::repeat(b'a'), 0, 1 << 20).unwrap(), None);
        assert_eq!(read_limited(&b"ab"[..], 2, 2).unwrap(), Some(b"ab".to_vec()));
    }

    #[test]
    fn lone_carriage_returns_end_lines() {
        assert_eq!(decoded(b"a b\rc d").0.unwrap(), "a b\nc d");
    }
}
