use super::super::{GraphError, RawGraph, Reading};
use std::io;
pub fn read(_text: &str, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    Err(reading.broken(None, "x", "y", "z"))
}
pub fn write(_raw: &RawGraph, _out: &mut dyn io::Write) -> io::Result<()> {
    Ok(())
}
