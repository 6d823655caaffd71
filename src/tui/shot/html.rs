//! The screen as an HTML page: one preformatted block.

use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use super::svg::{back_of, escaped, front_of, hex};
use crate::tui::appearance::Appearance;

pub(super) fn html(buffer: &Buffer, look: &Appearance) -> String {
    let area = *buffer.area();
    let background = hex(back_of(Color::Reset, look));
    let front = hex(front_of(Color::Reset, look));
    let mut page = format!(
        "<!doctype html>\n<meta charset=\"utf-8\">\n<title>gesf-tui</title>\n\
         <pre style=\"background:{background};color:{front};font:14px/1.2 monospace;padding:1em;\
         display:inline-block\">"
    );
    for y in area.y..area.bottom() {
        let mut x = area.x;
        while x < area.right() {
            let style = css(&buffer[(x, y)], look);
            let mut run = String::new();
            while x < area.right() && css(&buffer[(x, y)], look) == style {
                run.push_str(buffer[(x, y)].symbol());
                x += 1;
            }
            // Writing to a String cannot fail.
            let _ = write!(page, "<span style=\"{style}\">{}</span>", escaped(&run));
        }
        page.push('\n');
    }
    page.push_str("</pre>\n");
    page
}

fn css(cell: &Cell, look: &Appearance) -> String {
    let (mut front, mut back) = (front_of(cell.fg, look), back_of(cell.bg, look));
    if cell.modifier.contains(Modifier::REVERSED) {
        std::mem::swap(&mut front, &mut back);
    }
    let weight = if cell.modifier.contains(Modifier::BOLD) { ";font-weight:bold" } else { "" };
    let dim = if cell.modifier.contains(Modifier::DIM) { ";opacity:.6" } else { "" };
    format!("color:{};background:{}{weight}{dim}", hex(front), hex(back))
}
