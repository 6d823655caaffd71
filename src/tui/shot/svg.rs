//! The screen as SVG. Dots, bars and lines become shapes, so that the image looks the
//! same with every font; only words are text.

use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use super::vector;
use crate::tui::appearance::Appearance;
use crate::tui::colour::rgb;
use crate::tui::drawing::Drawing;

/// The size of a cell.
pub(super) const WIDE: f64 = 8.4;
pub(super) const HIGH: f64 = 18.0;
const FONT: &str = "DejaVu Sans Mono, Menlo, Consolas, monospace";

pub(super) fn front_of(colour: Color, look: &Appearance) -> [u8; 3] {
    rgb(colour).or(look.theme.background.fg.and_then(rgb)).unwrap_or([220, 223, 228])
}

pub(super) fn back_of(colour: Color, look: &Appearance) -> [u8; 3] {
    rgb(colour).or(look.theme.background.bg.and_then(rgb)).unwrap_or([18, 21, 28])
}

pub(super) fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

pub(super) fn svg(buffer: &Buffer, drawings: &[Drawing], look: &Appearance) -> String {
    let area = *buffer.area();
    let margin = 10.0;
    let width = f64::from(area.width) * WIDE + 2.0 * margin;
    let height = f64::from(area.height) * HIGH + 2.0 * margin;
    let background = hex(back_of(Color::Reset, look));
    let mut page = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.1} {height:.1}\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{background}\"/>\n\
         <g transform=\"translate({margin} {margin})\" font-family=\"{FONT}\" font-size=\"13.5\" \
         xml:space=\"preserve\">\n"
    );
    for y in 0..area.height {
        backgrounds(buffer, y, look, &mut page);
        let mut x = 0;
        while x < area.width {
            let cell = &buffer[(x, y)];
            let place = (f64::from(x) * WIDE, f64::from(y) * HIGH);
            if is_braille(cell) {
                let colour = colours(cell, look).0;
                let same = |x: u16| {
                    let other = &buffer[(x, y)];
                    is_braille(other) && colours(other, look).0 == colour
                };
                let end = (x..area.width).find(|x| !same(*x)).unwrap_or(area.width);
                let dots: String = (x..end)
                    .map(|x| braille(buffer[(x, y)].symbol(), f64::from(x) * WIDE, place.1))
                    .collect();
                let _ = writeln!(
                    page,
                    "<path d=\"{dots}\" stroke=\"{colour}\" stroke-width=\"2.7\" \
                     stroke-linecap=\"round\"/>"
                );
                x = end;
                continue;
            }
            if let Some(shape) = shape(cell.symbol(), place, &colours(cell, look).0) {
                page.push_str(&shape);
                x += 1;
                continue;
            }
            let start = x;
            let mut run = String::new();
            while x < area.width && is_word(&buffer[(x, y)], cell) {
                run.push_str(buffer[(x, y)].symbol());
                x += 1;
            }
            if x == start {
                run.push_str(cell.symbol());
                x += 1;
            }
            words(&run, start, x, y, cell, look, &mut page);
        }
    }
    for (number, drawing) in drawings.iter().enumerate() {
        vector::shapes(drawing, number, &mut page);
    }
    page.push_str("</g>\n</svg>\n");
    page
}

/// Consecutive letters of the same style form one text element.
fn is_word(cell: &Cell, first: &Cell) -> bool {
    let same = cell.fg == first.fg && cell.modifier == first.modifier && cell.bg == first.bg;
    same && cell.symbol().is_ascii()
}

fn colours(cell: &Cell, look: &Appearance) -> (String, String) {
    let (front, back) = (hex(front_of(cell.fg, look)), hex(back_of(cell.bg, look)));
    if cell.modifier.contains(Modifier::REVERSED) { (back, front) } else { (front, back) }
}

fn backgrounds(buffer: &Buffer, y: u16, look: &Appearance, page: &mut String) {
    let usual = hex(back_of(Color::Reset, look));
    let width = buffer.area().width;
    let mut x = 0;
    while x < width {
        let back = colours(&buffer[(x, y)], look).1;
        let start = x;
        while x < width && colours(&buffer[(x, y)], look).1 == back {
            x += 1;
        }
        if back != usual {
            let (left, top) = (f64::from(start) * WIDE, f64::from(y) * HIGH);
            let wide = f64::from(x - start) * WIDE;
            // Writing to a String cannot fail, here and below.
            let _ = writeln!(
                page,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{HIGH}\" fill=\"{back}\" shape-rendering=\"crispEdges\"/>"
            );
        }
    }
}

fn words(
    run: &str,
    start: u16,
    end: u16,
    y: u16,
    cell: &Cell,
    look: &Appearance,
    page: &mut String,
) {
    let blank = run.len() - run.trim_start().len();
    let text = run.trim();
    if text.is_empty() {
        return;
    }
    let left = (f64::from(start) + blank as f64) * WIDE;
    let base = f64::from(y) * HIGH + 13.2;
    let front = colours(cell, look).0;
    let weight = if cell.modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
    let dim = if cell.modifier.contains(Modifier::DIM) { " opacity=\"0.6\"" } else { "" };
    let length = if text.is_ascii() { text.len() as f64 } else { f64::from(end - start) } * WIDE;
    let exact = if text.chars().count() > 1 {
        format!(" textLength=\"{length:.1}\"")
    } else {
        String::new()
    };
    let _ = writeln!(
        page,
        "<text x=\"{left:.1}\" y=\"{base:.1}\" fill=\"{front}\"{weight}{dim}{exact}>{}</text>",
        escaped(text)
    );
}

/// Characters drawn as shapes; `None` for letters.
fn shape(symbol: &str, (x, y): (f64, f64), colour: &str) -> Option<String> {
    let sign = symbol.chars().next()?;
    let (middle, centre) = (x + WIDE / 2.0, y + HIGH / 2.0);
    let rect = |left: f64, top: f64, wide: f64, high: f64, opacity: f64| {
        let faint = if opacity < 1.0 { format!(" opacity=\"{opacity}\"") } else { String::new() };
        format!(
            "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{:.2}\" fill=\"{colour}\" shape-rendering=\"crispEdges\"{faint}/>\n",
            x + left,
            y + top,
            wide,
            high
        )
    };
    let path = |data: String| {
        format!("<path d=\"{data}\" stroke=\"{colour}\" fill=\"none\" stroke-width=\"1.1\"/>\n")
    };
    let (right, bottom) = (x + WIDE, y + HIGH);
    Some(match sign {
        '▁'..='█' => {
            let eighths = f64::from(sign as u32 - '▁' as u32 + 1);
            let high = HIGH * eighths / 8.0;
            rect(0.0, HIGH - high, WIDE + 0.2, high, 1.0)
        }
        '░' => rect(0.0, 0.0, WIDE + 0.2, HIGH + 0.2, 0.35),
        '▏' => rect(0.0, 1.0, 1.6, HIGH - 2.0, 1.0),
        '─' => path(format!("M{x:.1} {centre:.1}H{right:.1}")),
        '━' => rect(0.0, HIGH / 2.0 - 1.2, WIDE + 0.2, 2.4, 1.0),
        '╌' | '┈' | '╍' => path(format!("M{:.1} {centre:.1}H{:.1}", x + 1.0, x + 5.0)),
        '│' => path(format!("M{middle:.1} {y:.1}V{bottom:.1}")),
        '┊' => path(format!("M{middle:.1} {:.1}v4m0 4v4", y + 2.0)),
        '┤' => path(format!("M{middle:.1} {y:.1}V{bottom:.1}M{x:.1} {centre:.1}H{middle:.1}")),
        '╭' => {
            path(format!("M{right:.1} {centre:.1}Q{middle:.1} {centre:.1} {middle:.1} {bottom:.1}"))
        }
        '╮' => {
            path(format!("M{x:.1} {centre:.1}Q{middle:.1} {centre:.1} {middle:.1} {bottom:.1}"))
        }
        '╰' => {
            path(format!("M{right:.1} {centre:.1}Q{middle:.1} {centre:.1} {middle:.1} {y:.1}"))
        }
        '╯' => path(format!("M{x:.1} {centre:.1}Q{middle:.1} {centre:.1} {middle:.1} {y:.1}")),
        '∙' | '•' | '●' | '◉' => {
            let radius = match sign {
                '∙' => 1.7,
                '•' => 2.6,
                _ => 3.7,
            };
            format!(
                "<circle cx=\"{middle:.1}\" cy=\"{centre:.1}\" r=\"{radius}\" fill=\"{colour}\"/>\n"
            )
        }
        '▲' | '◆' | '■' | '▸' | '▶' => {
            let points: &[(f64, f64)] = match sign {
                '▲' => &[(0.0, -3.8), (3.8, 3.2), (-3.8, 3.2)],
                '◆' => &[(0.0, -4.6), (4.0, 0.0), (0.0, 4.6), (-4.0, 0.0)],
                '■' => &[(-3.2, -3.2), (3.2, -3.2), (3.2, 3.2), (-3.2, 3.2)],
                _ => &[(-3.0, -4.0), (3.8, 0.0), (-3.0, 4.0)],
            };
            let points: Vec<String> = points
                .iter()
                .map(|(a, b)| format!("{:.1},{:.1}", middle + a, centre + b))
                .collect();
            format!("<polygon points=\"{}\" fill=\"{colour}\"/>\n", points.join(" "))
        }
        _ => return None,
    })
}

fn is_braille(cell: &Cell) -> bool {
    cell.symbol().starts_with(|sign| ('\u{2800}'..='\u{28ff}').contains(&sign))
}

/// The dots of a braille character as path data: round ends of lines without a length.
fn braille(symbol: &str, x: f64, y: f64) -> String {
    const PLACES: [(u32, f64, f64); 8] = [
        (0x01, 0.0, 0.0),
        (0x02, 0.0, 1.0),
        (0x04, 0.0, 2.0),
        (0x40, 0.0, 3.0),
        (0x08, 1.0, 0.0),
        (0x10, 1.0, 1.0),
        (0x20, 1.0, 2.0),
        (0x80, 1.0, 3.0),
    ];
    let dots = symbol.chars().next().map_or(0, |sign| sign as u32);
    let mut data = String::new();
    for (bit, across, down) in PLACES {
        if dots & bit != 0 {
            let (cx, cy) = (x + WIDE * (0.25 + 0.5 * across), y + HIGH * (0.125 + 0.25 * down));
            let _ = write!(data, "M{cx:.1} {cy:.1}h0");
        }
    }
    data
}
