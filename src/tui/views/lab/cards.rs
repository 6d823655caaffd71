//! Cards on a table: dealt in even rows, as large as there is room for.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::Hits;
use crate::tui::appearance::Appearance;
use crate::tui::views::HitTarget;
use crate::tui::widgets::{Writer, clipped};

/// A card is as wide as this at least, and at most.
const WIDTHS: (u16, u16) = (7, 16);

/// What is on a card.
pub(super) struct Face {
    /// In its first line.
    pub(super) name: String,
    /// Below; the first of them says most.
    pub(super) lines: Vec<String>,
    /// Its colour.
    pub(super) style: Style,
}

/// Which cards stand out.
#[derive(Clone, Copy, Default)]
pub(super) struct Chosen {
    /// The one under the cursor.
    pub(super) cursor: Option<usize>,
    /// The one picked up.
    pub(super) held: Option<usize>,
}

/// A dealt table: cards in a row, and the size of one.
#[derive(Clone, Copy)]
struct Deal {
    columns: usize,
    width: u16,
    lines: usize,
}

impl Deal {
    fn rows(self, count: usize) -> u16 {
        (count.div_ceil(self.columns.max(1)) * (self.lines + 3)) as u16
    }
}

/// The largest cards that fit.
fn deal(count: usize, area: Rect, lines: usize) -> Option<Deal> {
    let most = usize::from(area.width / WIDTHS.0).max(1);
    let columns = count.max(1).div_ceil(count.max(1).div_ceil(most));
    let width = (area.width / columns as u16).min(WIDTHS.1);
    let fits = |lines: &usize| {
        let deal = Deal { columns, width, lines: *lines };
        width >= 5 && deal.rows(count) <= area.height
    };
    let lines = [lines, 1, 0].into_iter().find(fits)?;
    Some(Deal { columns, width, lines })
}

/// The rows that cards take in an area as wide, with all of their lines.
pub(super) fn rows_wanted(count: usize, width: u16, lines: usize) -> u16 {
    let area = Rect { x: 0, y: 0, width, height: u16::MAX };
    deal(count, area, lines).map_or(0, |deal| deal.rows(count))
}

/// Deals cards; the first of them has the number `first`.
pub(super) fn draw(
    look: &Appearance,
    buffer: &mut Buffer,
    area: Rect,
    (faces, first): (&[Face], usize),
    chosen: Chosen,
    hits: &mut Hits,
) {
    let most = faces.iter().map(|face| face.lines.len()).max().unwrap_or(0);
    let Some(deal) = deal(faces.len(), area, most) else {
        chips(look, buffer, area, (faces, first), chosen, hits);
        return;
    };
    let height = deal.lines as u16 + 3;
    for (at, face) in faces.iter().enumerate() {
        let place = Rect {
            x: area.x + (at % deal.columns) as u16 * deal.width,
            y: area.y + (at / deal.columns) as u16 * height,
            width: deal.width,
            height,
        };
        let inside = frame(look, buffer, place, first + at, chosen);
        Writer::new(buffer, inside, 0, look.glyphs).put(&face.name, face.style);
        for (row, line) in face.lines.iter().take(deal.lines).enumerate() {
            Writer::new(buffer, inside, row as u16 + 1, look.glyphs).put(line, face.style);
        }
        hits.add(place, HitTarget::Card(first + at));
    }
}

/// The edge of a card says by its shape whether it is chosen or picked up.
fn frame(look: &Appearance, buffer: &mut Buffer, area: Rect, at: usize, chosen: Chosen) -> Rect {
    let theme = &look.theme;
    let (letters, style) = if chosen.held == Some(at) {
        (look.glyphs.pick("******", "═║╔╗╚╝"), theme.warn)
    } else if chosen.cursor == Some(at) {
        (look.glyphs.pick("######", "━┃┏┓┗┛"), theme.accent)
    } else {
        (look.glyphs.pick("-|++++", "─│╭╮╰╯"), theme.border)
    };
    let letters: Vec<char> = letters.chars().collect();
    let (right, bottom) = (area.right() - 1, area.bottom() - 1);
    for y in area.y..=bottom {
        for x in area.x..=right {
            let letter = match (x == area.x, x == right, y == area.y, y == bottom) {
                (true, _, true, _) => letters[2],
                (_, true, true, _) => letters[3],
                (true, _, _, true) => letters[4],
                (_, true, _, true) => letters[5],
                (_, _, true, _) | (_, _, _, true) => letters[0],
                (true, ..) | (_, true, ..) => letters[1],
                _ => continue,
            };
            if let Some(cell) = buffer.cell_mut((x, y)) {
                cell.set_char(letter).set_style(style);
            }
        }
    }
    Rect { x: area.x + 1, y: area.y + 1, width: area.width - 2, height: area.height - 2 }
}

/// Names alone, one after the other, where there is no room for cards.
fn chips(
    look: &Appearance,
    buffer: &mut Buffer,
    area: Rect,
    (faces, first): (&[Face], usize),
    chosen: Chosen,
    hits: &mut Hits,
) {
    let (mut line, mut x) = (0, area.x);
    for (at, face) in faces.iter().enumerate() {
        let name = look.glyphs.text(&clipped(&face.name, 9));
        let (text, style) = if chosen.held == Some(first + at) {
            (format!("*{name}*"), look.theme.warn)
        } else if chosen.cursor == Some(first + at) {
            (format!("[{name}]"), look.theme.accent)
        } else {
            (format!(" {name} "), face.style)
        };
        let width = text.width() as u16;
        if x + width > area.right() && x > area.x {
            (line, x) = (line + 1, area.x);
        }
        if line >= area.height {
            return;
        }
        Writer::new(buffer, area, line, look.glyphs).go(x).put(&text, style);
        hits.add(Rect { x, y: area.y + line, width, height: 1 }, HitTarget::Card(first + at));
        x += width;
    }
}

/// The numbers of a vector as columns: low ones for what is negative.
pub(super) fn sparks(look: &Appearance, vector: &[f32]) -> String {
    let eighths = |x: f32| (f64::from(x.clamp(-1.0, 1.0)) * 4.0 + 4.0).round() as usize;
    let letters = vector.iter().take(8).map(|x| look.glyphs.column(eighths(*x).max(1)));
    letters.flat_map(|letter| [letter, ' ']).collect::<String>().trim_end().to_owned()
}

/// The same in figures, a line each.
pub(super) fn figures(vector: &[f32]) -> Vec<String> {
    vector.iter().take(4).map(|x| format!("{x:+.2}")).collect()
}

/// Numbers in small boxes, or in brackets where there are no rows for boxes;
/// says how many columns they took.
pub(super) fn numbers(
    look: &Appearance,
    buffer: &mut Buffer,
    area: Rect,
    (values, first): (&[String], usize),
    chosen: Chosen,
    hits: &mut Hits,
) -> u16 {
    let widest = values.iter().map(|value| value.width()).max().unwrap_or(1) as u16;
    let (width, boxed) = (widest + 2, area.height >= 3);
    for (at, value) in values.iter().enumerate() {
        let x = area.x + at as u16 * width;
        if x + width > area.right() || area.height == 0 {
            break;
        }
        let height = if boxed { 3 } else { 1 };
        let place = Rect { x, width, height, ..area };
        let own = chosen.cursor == Some(first + at);
        let style = if own { look.theme.accent } else { look.theme.text };
        if boxed {
            let inside = frame(look, buffer, place, first + at, chosen);
            Writer::new(buffer, inside, 0, look.glyphs).put(value, style);
        } else {
            let text = if own { format!("[{value}]") } else { format!(" {value} ") };
            Writer::new(buffer, place, 0, look.glyphs).put(&text, style);
        }
        hits.add(place, HitTarget::Card(first + at));
    }
    (values.len() as u16 * width).min(area.width)
}
