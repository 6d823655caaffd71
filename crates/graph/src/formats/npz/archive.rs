//! The arrays of a NumPy archive, by name.

use std::io::Cursor;

use zip::ZipArchive;

use super::super::super::{GraphError, Reading, input};
use super::array::Array;
use super::entries::{Entries, index};

/// An open archive.
pub(crate) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// Maximum size of an array.
    most: u64,
    reading: &'a Reading,
}

impl<'a> Archive<'a> {
    /// Opens the bytes of an archive.
    pub(crate) fn open(bytes: &'a [u8], reading: &'a Reading) -> Result<Self, GraphError> {
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| {
            let found = format!("data that is not a zip archive ({error})");
            reading.broken(None, found, "a NumPy archive", "save it again with numpy.savez")
        })?;
        let most = input::most_unpacked(bytes.len() as u64);
        Ok(Self { zip, most, reading })
    }

    /// The names of the first few arrays, for a message.
    pub(crate) fn names(&self) -> String {
        let names = self.zip.file_names().filter_map(Result::ok).take(8);
        let names: Vec<String> = names.map(|name| name.escape_debug().to_string()).collect();
        if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
    }

    /// The array of this name, if it is there.
    pub(crate) fn get(&mut self, name: &str) -> Result<Option<Array>, GraphError> {
        let Ok(entry) = self.zip.by_name(&format!("{name}.npy")) else { return Ok(None) };
        let broken = |found: String| {
            let advice = "save it again with numpy.savez";
            self.reading.broken(None, found, "a NumPy array of numbers", advice)
        };
        let bytes = input::read_limited(entry, 0, self.most)
            .map_err(|error| broken(format!("{name}, which cannot be unpacked ({error})")))?
            .ok_or_else(|| broken(format!("{name}, larger than {} MiB", self.most >> 20)))?;
        let array = Array::parse(bytes).map_err(|why| broken(format!("{name}: {why}")))?;
        Ok(Some(array))
    }

    /// A matrix in compressed sparse rows, if it is there.
    pub(crate) fn sparse_rows(&mut self, name: &str) -> Result<Option<Entries>, GraphError> {
        let (Some(columns), Some(starts)) =
            (self.get(&format!("{name}_indices"))?, self.get(&format!("{name}_indptr"))?)
        else {
            return Ok(None);
        };
        let values = self.get(&format!("{name}_data"))?;
        let mut rows = Entries::sparse(&starts, &columns, values.as_ref()).map_err(|row| {
            let found = format!("{name}: row {row} does not fit its indices");
            let advice = "save it again with scipy.sparse";
            self.reading.broken(None, found, "compressed sparse rows", advice)
        })?;
        let shape = self.get(&format!("{name}_shape"))?.and_then(|own| own.at(1, 0));
        rows.columns = shape.and_then(index).unwrap_or(0) as usize;
        Ok(Some(rows))
    }
}
