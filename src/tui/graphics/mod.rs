//! Pictures on terminals that display them: kitty's protocol, iTerm2's inline images,
//! sixel. A picture is sent only when it changed, and removed when it is no longer
//! drawn.

mod answers;
mod iterm;
mod kitty;
mod query;
mod sixel;

use std::io::{self, Write};

use ratatui::backend::Backend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::cursor::MoveTo;
use ratatui::crossterm::queue;
use ratatui::crossterm::terminal::window_size;
use ratatui::layout::Rect;
use ratatui::style::Color;

use super::colour::rgb;
use super::drawing::{Drawing, Picture};
pub(super) use kitty::DELETE_ALL;
pub(super) use query::ask;

/// The size of a cell in pixels, where the terminal does not tell.
const USUAL_CELL: (u16, u16) = (10, 20);
/// Pixels of a picture at most; the terminal enlarges a smaller one.
const MOST_PIXELS: u32 = 1_500_000;

/// How a terminal is sent pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// The graphics protocol of kitty.
    Kitty,
    /// Inline images of iTerm2.
    Iterm,
    /// Sixel.
    Sixel,
}

/// When pictures are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GraphicsChoice {
    /// Never.
    #[default]
    Never,
    /// If the terminal reports that it displays them. Multiplexers are not asked.
    Ask,
    /// The same, and multiplexers are asked too.
    Insist,
    /// Always, with this protocol.
    Send(Protocol),
}

impl GraphicsChoice {
    /// The names of glyph levels that select a protocol.
    pub const NAMES: [(&'static str, Self); 4] = [
        ("pixel", Self::Insist),
        ("pixel-kitty", Self::Send(Protocol::Kitty)),
        ("pixel-iterm", Self::Send(Protocol::Iterm)),
        ("pixel-sixel", Self::Send(Protocol::Sixel)),
    ];

    /// The choice that the name of a glyph level makes.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(own, _)| *own == name).map(|(_, choice)| *choice)
    }
}

/// What is known about a terminal that displays pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Graphics {
    /// The protocol.
    pub protocol: Protocol,
    /// The size of a cell in pixels, if the terminal reported it.
    pub cell: Option<(u16, u16)>,
}

/// A picture on the screen: everything it depends on.
#[derive(PartialEq)]
struct Shown {
    drawing: Drawing,
    /// The size of a cell.
    cell: (u16, u16),
    /// The colours behind its cells.
    behind: Vec<Color>,
}

impl Shown {
    fn new(drawing: &Drawing, cell: (u16, u16), buffer: &Buffer) -> Self {
        let (left, top) = (drawing.area.x, drawing.area.y);
        let places = drawing.visible.iter().flat_map(|run| {
            let start = left + run.column;
            (start..start + run.width).map(|x| (x, top + run.row))
        });
        let behind = places.filter_map(|place| buffer.cell(place)).map(|cell| cell.bg).collect();
        Self { drawing: drawing.clone(), cell, behind }
    }
}

/// The pictures on the screen.
pub(super) struct Pictures {
    graphics: Graphics,
    shown: Vec<Shown>,
}

impl Pictures {
    pub(super) fn new(graphics: Graphics) -> Self {
        Self { graphics, shown: Vec::new() }
    }

    /// Brings the pictures on the screen up to date with a frame that was drawn.
    pub(super) fn update<B>(
        &mut self,
        drawings: &[Drawing],
        buffer: &Buffer,
        out: &mut B,
    ) -> io::Result<()>
    where
        B: Backend<Error = io::Error> + Write,
    {
        let cell = self.cell();
        let now: Vec<Shown> = drawings.iter().map(|own| Shown::new(own, cell, buffer)).collect();
        let before = std::mem::take(&mut self.shown);
        for (at, own) in before.iter().enumerate().filter(|(at, own)| now.get(*at) != Some(own)) {
            match self.graphics.protocol {
                Protocol::Kitty if at >= now.len() => kitty::delete(at, out)?,
                Protocol::Kitty => {}
                // Text over a picture removes it.
                _ => rewrite(buffer, own.drawing.area, |_| true, out)?,
            }
        }
        for (at, own) in now.iter().enumerate().filter(|(at, own)| before.get(*at) != Some(own)) {
            self.send(at, &own.drawing, buffer, cell, out)?;
        }
        self.shown = now;
        Ok(())
    }

    /// The screen was cleared: everything must be sent again.
    pub(super) fn forget(&mut self, out: &mut impl Write) -> io::Result<()> {
        if self.graphics.protocol == Protocol::Kitty && !self.shown.is_empty() {
            kitty::delete_all(out)?;
        }
        self.shown.clear();
        Ok(())
    }

    /// The size of a cell in pixels.
    fn cell(&self) -> (u16, u16) {
        let measured = window_size().ok().and_then(|own| {
            let cell = (own.width.checked_div(own.columns)?, own.height.checked_div(own.rows)?);
            (cell.0 >= 4 && cell.1 >= 8).then_some(cell)
        });
        measured.or(self.graphics.cell).unwrap_or(USUAL_CELL)
    }

    fn send<B>(
        &self,
        at: usize,
        drawing: &Drawing,
        buffer: &Buffer,
        cell: (u16, u16),
        out: &mut B,
    ) -> io::Result<()>
    where
        B: Backend<Error = io::Error> + Write,
    {
        let area = drawing.area;
        let cell = match self.graphics.protocol {
            // Sixel cannot be scaled.
            Protocol::Sixel => cell,
            _ => reduced(area, cell),
        };
        let Some(picture) = Picture::of(drawing, cell) else { return Ok(()) };
        if self.graphics.protocol != Protocol::Kitty {
            // Transparent pixels show what was there before.
            rewrite(buffer, area, |_| true, out)?;
        }
        queue!(out, MoveTo(area.x, area.y))?;
        match self.graphics.protocol {
            Protocol::Kitty => kitty::send(at, picture, area, out)?,
            Protocol::Iterm => iterm::send(&picture, area, out)?,
            Protocol::Sixel => sixel::send(picture, background(buffer, area), out)?,
        }
        if self.graphics.protocol != Protocol::Kitty {
            rewrite(buffer, area, |cell| cell.symbol() != " ", out)?;
        }
        Ok(())
    }
}

/// A smaller cell, if the picture would have too many pixels.
fn reduced(area: Rect, (wide, high): (u16, u16)) -> (u16, u16) {
    let pixels = area.area() * u32::from(wide) * u32::from(high);
    let factor = (f64::from(MOST_PIXELS) / f64::from(pixels.max(1))).sqrt().min(1.0);
    let part = |size: u16| ((f64::from(size) * factor) as u16).max(4);
    if factor < 1.0 { (part(wide), part(high)) } else { (wide, high) }
}

/// The colour behind a drawing.
fn background(buffer: &Buffer, area: Rect) -> [u8; 3] {
    let cell = buffer.cell((area.x, area.y)).map_or(Color::Reset, |cell| cell.bg);
    rgb(cell).unwrap_or([0; 3])
}

/// Writes cells again.
fn rewrite<B: Backend<Error = io::Error>>(
    buffer: &Buffer,
    area: Rect,
    which: impl Fn(&Cell) -> bool,
    out: &mut B,
) -> io::Result<()> {
    let area = area.intersection(*buffer.area());
    let cells = area.positions().filter_map(|place| {
        let cell = buffer.cell(place)?;
        which(cell).then_some((place.x, place.y, cell))
    });
    out.draw(cells)
}

#[cfg(test)]
mod tests;
