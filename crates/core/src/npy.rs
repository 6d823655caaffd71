//! NumPy's file formats: matrices of single precision, lists of texts, and archives of
//! them.

use std::io::{self, Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Writes a matrix of `width` columns, given row after row.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut bytes = Vec::new();
/// gesf_core::npy::write(&mut bytes, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 3)?;
/// assert!(bytes.starts_with(b"\x93NUMPY"));
/// assert!(String::from_utf8_lossy(&bytes).contains("'shape': (2, 3)"));
/// // The numbers come last, four bytes each, and begin on a multiple of 64.
/// assert_eq!((bytes.len() - 6 * 4) % 64, 0);
/// # Ok(()) }
/// ```
pub fn write(out: &mut dyn Write, values: &[f32], width: usize) -> io::Result<()> {
    let rows = values.len() / width.max(1);
    write_header(out, "<f4", &format!("{rows}, {width}"))?;
    values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}

/// Writes a list of texts, as NumPy stores them: all as wide as the longest, in UTF-32.
pub fn write_texts<'a>(
    out: &mut dyn Write,
    texts: impl Iterator<Item = &'a str> + Clone,
) -> io::Result<()> {
    let widest = texts.clone().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
    write_header(out, &format!("<U{widest}"), &format!("{},", texts.clone().count()))?;
    let mut row = vec![0_u8; 4 * widest];
    for text in texts {
        row.fill(0);
        for (place, letter) in row.chunks_mut(4).zip(text.chars()) {
            place.copy_from_slice(&u32::from(letter).to_le_bytes());
        }
        out.write_all(&row)?;
    }
    Ok(())
}

fn write_header(out: &mut dyn Write, dtype: &str, shape: &str) -> io::Result<()> {
    const ALIGNMENT: usize = 64;
    const BEFORE_HEADER: usize = 10;
    let mut header =
        format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({shape}), }}");
    let padding = ALIGNMENT - (BEFORE_HEADER + header.len() + 1) % ALIGNMENT;
    header.push_str(&" ".repeat(padding));
    header.push('\n');
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(header.len() as u16).to_le_bytes())?;
    out.write_all(header.as_bytes())
}

/// An archive (`.npz`) of arrays, each given by its name and its bytes as a file of its
/// own. The same arrays give the same bytes.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::npy::{archive, write, write_texts};
///
/// let (mut ids, mut x) = (Vec::new(), Vec::new());
/// write_texts(&mut ids, ["a", "bc"].into_iter())?;
/// write(&mut x, &[1.0, 2.0], 1)?;
/// let bytes = archive(&[("id", ids), ("x", x)])?;
/// assert!(bytes.starts_with(b"PK"));
/// # Ok(()) }
/// ```
pub fn archive(arrays: &[(&str, Vec<u8>)]) -> io::Result<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in arrays {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(DateTime::default())
            .large_file(bytes.len() > u32::MAX as usize);
        writer.start_file(format!("{name}.npy"), options).map_err(io::Error::other)?;
        writer.write_all(bytes)?;
    }
    Ok(writer.finish().map_err(io::Error::other)?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_reader_gets_the_same_matrix() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.npy");
        let values = [1.0_f32, -2.5, 3.25, 0.0, 1e-30, f32::MAX];
        let mut bytes = Vec::new();
        write(&mut bytes, &values, 3).unwrap();
        assert_eq!((bytes.len() - 24) % 64, 0, "numbers begin on a multiple of 64");
        std::fs::write(&path, bytes).unwrap();
        let read = candle_core::Tensor::read_npy(&path).unwrap();
        assert_eq!(read.dims(), [2, 3]);
        assert_eq!(read.flatten_all().unwrap().to_vec1::<f32>().unwrap(), values);
    }

    #[test]
    fn an_archive_holds_its_arrays_and_is_the_same_every_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.npz");
        let (mut x, mut ids) = (Vec::new(), Vec::new());
        write(&mut x, &[1.0, 2.0, 3.0, 4.0], 2).unwrap();
        write_texts(&mut ids, ["é", "ab"].into_iter()).unwrap();
        assert!(ids.ends_with(&[0xe9, 0, 0, 0, 0, 0, 0, 0, b'a', 0, 0, 0, b'b', 0, 0, 0]));
        let arrays = [("x", x), ("id", ids)];
        let bytes = archive(&arrays).unwrap();
        assert_eq!(bytes, archive(&arrays).unwrap());
        std::fs::write(&path, bytes).unwrap();
        let read = candle_core::Tensor::read_npz_by_name(&path, &["x"]).unwrap();
        assert_eq!(read[0].to_vec2::<f32>().unwrap(), [[1.0, 2.0], [3.0, 4.0]]);
    }
}
