use super::super::{GraphError, RawGraph, Reading};
pub const HEADER: &str = ">>graph6<<";
pub fn read(_text: &str, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    Err(reading.broken(None, "x", "y", "z"))
}
