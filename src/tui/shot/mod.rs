//! Screenshots: SVG and HTML with colours, or plain text. Drawn like a terminal
//! frame, into a separate buffer.

mod headless;
mod html;
mod svg;
mod vector;

use std::path::Path;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

#[cfg(test)]
pub(super) use headless::Stage;
pub use headless::{Shot, headless, repeat_lesson};

use super::message::Overwrite;
use super::state::State;
use super::views;
use crate::files::write_atomically;

/// The screenshot formats, by file extension.
const ENDINGS: [&str; 3] = ["svg", "html", "txt"];

/// A screenshot in the format of the file's extension.
pub fn picture(state: &State, size: (u16, u16), path: &Path) -> Result<String, String> {
    let mut buffer = Buffer::empty(Rect::new(0, 0, size.0, size.1));
    let hits = views::draw(state, &mut buffer);
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("svg") => Ok(svg::svg(&buffer, hits.drawings.list(), &state.look)),
        Some("html" | "htm") => {
            hits.drawings.as_text(&mut buffer);
            Ok(html::html(&buffer, &state.look))
        }
        Some("txt" | "text") => {
            hits.drawings.as_text(&mut buffer);
            Ok(text(&buffer))
        }
        other => {
            let found = other.map_or("no ending".to_owned(), |own| format!(".{own}"));
            let known = ENDINGS.map(|ending| format!(".{ending}")).join(", ");
            Err(format!("{}: found {found}, expected one of {known}", path.display()))
        }
    }
}

/// Writes a screenshot.
pub(super) fn write(
    state: &State,
    size: (u16, u16),
    path: &Path,
    overwrite: Overwrite,
) -> Result<(), String> {
    if overwrite == Overwrite::Never && path.exists() {
        let shown = path.display();
        return Err(format!("{shown} already exists: {shown}! overwrites it"));
    }
    let picture = picture(state, size, path)?;
    write_atomically(path, |out| out.write_all(picture.as_bytes()))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// The text only.
pub(super) fn text(buffer: &Buffer) -> String {
    let area = *buffer.area();
    let mut text = String::new();
    for y in area.y..area.bottom() {
        let mut line = String::new();
        let mut skip = 0;
        for x in area.x..area.right() {
            if skip > 0 {
                skip -= 1;
                continue;
            }
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            skip = unicode_width::UnicodeWidthStr::width(symbol).saturating_sub(1);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
