use super::super::{GraphError, RawGraph, Reading};
use std::path::Path;
pub fn read(_path: &Path, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    Err(reading.broken(None, "x", "y", "z"))
}
pub fn read_cites_text(_text: &str, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    Err(reading.broken(None, "x", "y", "z"))
}
