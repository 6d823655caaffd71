//! Inline images of iTerm2, which WezTerm and mintty understand too.

use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ratatui::layout::Rect;

use crate::tui::drawing::Picture;

/// Sends a picture to the position of the cursor.
pub(super) fn send(picture: &Picture, area: Rect, out: &mut impl Write) -> io::Result<()> {
    let Some(file) = picture.png() else { return Ok(()) };
    let (size, columns, rows) = (file.len(), area.width, area.height);
    write!(
        out,
        "\x1b]1337;File=inline=1;size={size};width={columns};height={rows};\
         preserveAspectRatio=0;doNotMoveCursor=1:{}\x07",
        STANDARD.encode(file)
    )
}
