//! One NumPy array: its header, and its numbers as they are asked for.

/// The first bytes of an array.
const MAGIC: &[u8] = b"\x93NUMPY";

/// The number types that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Flag,
    Signed(usize),
    Unsigned(usize),
    Real(usize),
}

/// An array of one or two dimensions; a vector is one column.
pub(crate) struct Array {
    bytes: Vec<u8>,
    start: usize,
    kind: Kind,
    rows: usize,
    columns: usize,
    by_columns: bool,
}

impl Array {
    /// Parses the bytes of an `.npy` file; the error says what is wrong.
    pub(crate) fn parse(bytes: Vec<u8>) -> Result<Self, String> {
        let number = |at: usize, size: usize| -> Option<usize> {
            let digits = bytes.get(at..at + size)?;
            Some(digits.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte)))
        };
        let version = bytes.get(MAGIC.len()).filter(|_| bytes.starts_with(MAGIC));
        let size = if *version.ok_or("no NumPy header")? == 1 { 2 } else { 4 };
        let before = MAGIC.len() + 2 + size;
        let length = number(MAGIC.len() + 2, size).ok_or("an incomplete header")?;
        let start = before + length;
        let header = bytes.get(before..start).ok_or("an incomplete header")?;
        let header = std::str::from_utf8(header).map_err(|_| "a header that is not text")?;
        let descr = entry(header, "descr").ok_or("no descr in the header")?;
        let quote = descr.chars().next().filter(|first| "'\"".contains(*first));
        let quote = quote.ok_or("an array of records, expected numbers")?;
        let descr = descr[1..].split(quote).next().unwrap_or_default().to_owned();
        let by_columns = entry(header, "fortran_order").is_some_and(|own| own.starts_with("True"));
        let shape = shape(entry(header, "shape").ok_or("no shape in the header")?)?;
        Self::of(bytes, start, &descr, &shape, by_columns)
    }

    /// An array over bytes that begin at `start`, of a NumPy type such as `<f4`.
    pub(crate) fn of(
        bytes: Vec<u8>,
        start: usize,
        descr: &str,
        shape: &[usize],
        by_columns: bool,
    ) -> Result<Self, String> {
        let kind = kind(descr)?;
        let (rows, columns) = match shape {
            [] => (1, 1),
            [rows] => (*rows, 1),
            [rows, columns] => (*rows, *columns),
            more => return Err(format!("an array of {} dimensions", more.len())),
        };
        // Without numbers there are no rows, whatever the shape says.
        let (rows, columns) = if columns == 0 { (0, 0) } else { (rows, columns) };
        let needed = rows.checked_mul(columns).and_then(|all| all.checked_mul(kind.size()));
        if needed.is_none_or(|needed| needed > bytes.len().saturating_sub(start)) {
            return Err(format!("fewer numbers than its shape of {rows} × {columns} says"));
        }
        Ok(Self { bytes, start, kind, rows, columns, by_columns })
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// A number of the array; `None` beyond its shape.
    pub(crate) fn at(&self, row: usize, column: usize) -> Option<f64> {
        if row >= self.rows || column >= self.columns {
            return None;
        }
        let at =
            if self.by_columns { column * self.rows + row } else { row * self.columns + column };
        let size = self.kind.size();
        let bytes = self.bytes.get(self.start + at * size..)?.get(..size)?;
        self.kind.number(bytes)
    }
}

impl Kind {
    fn size(self) -> usize {
        match self {
            Self::Flag => 1,
            Self::Signed(size) | Self::Unsigned(size) | Self::Real(size) => size,
        }
    }

    fn number(self, bytes: &[u8]) -> Option<f64> {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let unsigned = u64::from_le_bytes(wide);
        Some(match self {
            Self::Flag | Self::Unsigned(_) => unsigned as f64,
            Self::Signed(size) => {
                let unused = 64 - 8 * size as u32;
                ((unsigned << unused) as i64 >> unused) as f64
            }
            Self::Real(4) => f64::from(f32::from_le_bytes(bytes.try_into().ok()?)),
            Self::Real(_) => f64::from_le_bytes(bytes.try_into().ok()?),
        })
    }
}

/// The text after a key of the header, which is a Python dictionary.
fn entry<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let quoted = [format!("'{key}'"), format!("\"{key}\"")];
    let after = quoted.iter().find_map(|own| header.split_once(own.as_str()))?.1;
    Some(after.trim_start().strip_prefix(':')?.trim_start())
}

fn kind(descr: &str) -> Result<Kind, String> {
    Ok(match descr.trim_start_matches(['<', '|', '=']) {
        "b1" => Kind::Flag,
        "i1" => Kind::Signed(1),
        "i2" => Kind::Signed(2),
        "i4" => Kind::Signed(4),
        "i8" => Kind::Signed(8),
        "u1" => Kind::Unsigned(1),
        "u2" => Kind::Unsigned(2),
        "u4" => Kind::Unsigned(4),
        "u8" => Kind::Unsigned(8),
        "f4" => Kind::Real(4),
        "f8" => Kind::Real(8),
        "O" => return Err("pickled objects, which are never loaded".to_owned()),
        other => return Err(format!("numbers of type {other}, expected b1, i, u, f4 or f8")),
    })
}

fn shape(text: &str) -> Result<Vec<usize>, String> {
    let inner = text.strip_prefix('(').and_then(|own| own.split_once(')'));
    let (inner, _) = inner.ok_or("no shape in the header")?;
    let sizes = inner.split(',').map(str::trim).filter(|own| !own.is_empty());
    sizes.map(|own| own.parse().map_err(|_| format!("a shape of {own}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(descr: &str, order: &str, shape: &str, numbers: &[u8]) -> Result<Array, String> {
        let header =
            format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1, 0]);
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(numbers);
        Array::parse(bytes)
    }

    #[test]
    fn numbers_of_every_type_and_order_are_read() {
        let signed = array("<i2", "False", "(2, 2)", &[1, 0, 255, 255, 3, 0, 4, 0]).unwrap();
        assert_eq!((signed.at(0, 1), signed.at(1, 0)), (Some(-1.0), Some(3.0)));
        assert_eq!((signed.at(2, 0), signed.at(0, 2)), (None, None));
        let by_columns = array("|u1", "True", "(2, 3)", &[1, 2, 3, 4, 5, 6]).unwrap();
        assert_eq!((by_columns.at(0, 1), by_columns.at(1, 2)), (Some(3.0), Some(6.0)));
        let flags = array("|b1", "False", "(2,)", &[0, 1]).unwrap();
        assert_eq!((flags.columns(), flags.at(1, 0)), (1, Some(1.0)));
        let real = array("<f4", "False", "(1,)", &1.5_f32.to_le_bytes()).unwrap();
        assert_eq!(real.at(0, 0), Some(1.5));
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let said = |result: Result<Array, String>| result.err().unwrap();
        assert!(said(array("<i8", "False", "(2,)", &[0; 8])).contains("fewer numbers"));
        let huge = "(18446744073709551615, 9)";
        assert!(said(array("<i8", "False", huge, &[])).contains("fewer numbers"));
        assert!(said(array("|O", "False", "(1,)", &[])).contains("never loaded"));
        assert!(said(array("<i8", "False", "(1, 1, 1)", &[0; 8])).contains("3 dimensions"));
        assert!(said(array("<c16", "False", "(1,)", &[0; 16])).contains("type c16"));
        assert!(said(Array::parse(b"PK".to_vec())).contains("no NumPy header"));
        assert!(said(Array::parse(b"\x93NUMPY\x01\x00\xff\xff{".to_vec())).contains("incomplete"));
    }
}
