//! Numpy's file format, for matrices of single precision.

use std::io::{self, Write};

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
    const ALIGNMENT: usize = 64;
    const BEFORE_HEADER: usize = 10;
    let rows = values.len() / width.max(1);
    let mut header =
        format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {width}), }}");
    let padding = ALIGNMENT - (BEFORE_HEADER + header.len() + 1) % ALIGNMENT;
    header.push_str(&" ".repeat(padding));
    header.push('\n');
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(header.len() as u16).to_le_bytes())?;
    out.write_all(header.as_bytes())?;
    values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
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
}
