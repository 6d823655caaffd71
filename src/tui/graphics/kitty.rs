//! The graphics protocol of kitty, which Ghostty, WezTerm and Konsole understand too.

use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use ratatui::layout::Rect;

use crate::tui::drawing::Picture;

/// The number of the first picture.
const FIRST: usize = 0x6765;
/// Letters of a part at most, by the protocol.
const PART: usize = 4096;

/// Sends a picture to the position of the cursor, beneath the text; it replaces the one
/// before.
pub(super) fn send(
    at: usize,
    picture: Picture,
    area: Rect,
    out: &mut impl Write,
) -> io::Result<()> {
    let (width, height) = picture.size();
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&picture.into_rgba())?;
    let text = STANDARD.encode(encoder.finish()?);
    let number = FIRST + at;
    let (columns, rows) = (area.width, area.height);
    let parts: Vec<&[u8]> = text.as_bytes().chunks(PART).collect();
    for (part, letters) in parts.iter().enumerate() {
        let more = u8::from(part + 1 < parts.len());
        if part == 0 {
            write!(
                out,
                "\x1b_Ga=T,f=32,o=z,i={number},p=1,s={width},v={height},c={columns},r={rows},\
                 z=-1,C=1,q=2,m={more};"
            )?;
        } else {
            write!(out, "\x1b_Gm={more},q=2;")?;
        }
        out.write_all(letters)?;
        out.write_all(b"\x1b\\")?;
    }
    Ok(())
}

/// Deletes a picture.
pub(super) fn delete(at: usize, out: &mut impl Write) -> io::Result<()> {
    write!(out, "\x1b_Ga=d,d=I,i={},q=2\x1b\\", FIRST + at)
}

/// Deletes every picture on the screen.
pub(crate) const DELETE_ALL: &str = "\x1b_Ga=d,d=A,q=2\x1b\\";

/// Deletes every picture on the screen.
pub(super) fn delete_all(out: &mut impl Write) -> io::Result<()> {
    out.write_all(DELETE_ALL.as_bytes())
}
