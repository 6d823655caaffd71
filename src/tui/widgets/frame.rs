//! Boxes with titles, and plots with axes.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::symbols::border;
use ratatui::widgets::{Block, Widget};

use super::canvas::position;
use super::{Scale, Writer, short};
use crate::tui::appearance::Appearance;
use crate::tui::drawing::{Drawings, Ink, LINE, Pattern, Point, Shape};
use crate::tui::glyphs::Glyphs;

/// Draws a box with a title and returns the area inside it.
pub(crate) fn card(
    buffer: &mut Buffer,
    area: Rect,
    title: &str,
    focused: bool,
    look: &Appearance,
) -> Rect {
    let area = area.intersection(*buffer.area());
    if area.width < 2 || area.height < 2 {
        return Rect { width: 0, height: 0, ..area };
    }
    let style = if focused { look.theme.accent } else { look.theme.border };
    let set = look.glyphs.pick(ASCII, border::ROUNDED);
    let block = Block::bordered().border_set(set).border_style(style);
    let inside = block.inner(area);
    block.render(area, buffer);
    if !title.is_empty() && area.width > 6 {
        // Written manually, so that control characters are escaped.
        let room = Rect { x: area.x + 2, width: area.width - 4, height: 1, ..area };
        let title_style = if focused { look.theme.accent } else { look.theme.text };
        Writer::new(buffer, room, 0, look.glyphs).put(&format!(" {title} "), title_style);
    }
    inside
}

/// Borders for ASCII-only terminals.
const ASCII: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// A plot: the area of the curves and the two scales.
#[derive(Debug, Clone, Copy)]
pub struct Plot {
    /// The area of the curves.
    pub area: Rect,
    /// Horizontal scale.
    pub across: Scale,
    /// Vertical scale.
    pub up: Scale,
    /// Dots per cell, horizontally and vertically.
    pub dots: (usize, usize),
}

/// Columns for the labels of the vertical axis.
const NUMBERS: u16 = 7;

/// The cell that contains a curve's dot at a fraction of the range, for a number of
/// cells and dots: markers must match the curve.
fn cell(share: f64, cells: u16, dots: usize) -> u16 {
    position(share.clamp(0.0, 1.0), cells, dots) as u16
}

impl Plot {
    /// Splits an area into axes and curves, and draws the axes.
    pub fn with_axes(
        buffer: &mut Buffer,
        area: Rect,
        across: Scale,
        up: Scale,
        numbers_below: bool,
        look: &Appearance,
    ) -> Self {
        let below = u16::from(numbers_below);
        let room = Rect {
            x: area.x + NUMBERS.min(area.width),
            y: area.y,
            width: area.width.saturating_sub(NUMBERS),
            height: area.height.saturating_sub(below),
        };
        let plot = Self { area: room, across, up, dots: look.glyphs.dots() };
        if room.width == 0 || room.height == 0 {
            return plot;
        }
        plot.upright(buffer, area, look);
        if numbers_below {
            plot.along(buffer, look);
        }
        plot
    }

    fn upright(&self, buffer: &mut Buffer, area: Rect, look: &Appearance) {
        let line = look.glyphs.pick("|", "│");
        let mark = look.glyphs.pick("+", "┤");
        let edge = self.area.x - 1;
        for y in self.area.y..self.area.bottom() {
            buffer[(edge, y)].set_symbol(line).set_style(look.theme.border);
        }
        for tick in self.up.ticks(usize::from(self.area.height / 3).clamp(2, 8)) {
            let Some(y) = self.row(tick) else { continue };
            buffer[(edge, y)].set_symbol(mark).set_style(look.theme.border);
            let text = short(tick);
            let width = usize::from(edge - area.x);
            let room = Rect { y, height: 1, width: width as u16, ..area };
            let text = format!("{text:>width$}", width = width.saturating_sub(1));
            Writer::new(buffer, room, 0, look.glyphs).put(&text, look.theme.faint);
        }
    }

    fn along(&self, buffer: &mut Buffer, look: &Appearance) {
        let y = self.area.bottom();
        let mut free = self.area.x.saturating_sub(1);
        for tick in self.across.ticks(usize::from(self.area.width / 10).clamp(2, 12)) {
            let Some(x) = self.column(tick) else { continue };
            let text = short(tick);
            let half = (text.len() / 2) as u16;
            let start =
                x.saturating_sub(half).min(self.area.right().saturating_sub(text.len() as u16));
            if start < free {
                continue;
            }
            buffer.set_string(start, y, &text, look.theme.faint);
            free = start + text.len() as u16 + 2;
        }
    }

    /// The column at a value of the horizontal axis.
    pub fn column(&self, value: f64) -> Option<u16> {
        let share = self.across.share(value);
        let within = (-1e-9..=1.0 + 1e-9).contains(&share);
        within.then(|| self.area.x + cell(share, self.area.width, self.dots.0))
    }

    /// The row at a value of the vertical axis.
    pub fn row(&self, value: f64) -> Option<u16> {
        let share = self.up.share(value);
        let within = (-1e-9..=1.0 + 1e-9).contains(&share);
        within.then(|| self.area.y + cell(1.0 - share, self.area.height, self.dots.1))
    }

    /// The value at a column.
    pub fn value_at(&self, column: u16) -> f64 {
        let last = f64::from(self.area.width.saturating_sub(1).max(1));
        self.across.value(f64::from(column.saturating_sub(self.area.x)) / last)
    }

    /// The place of a pair of values on the drawing of the plot, in view or not.
    pub(crate) fn point(&self, across: f64, up: f64) -> Point {
        [
            position(self.across.share(across), self.area.width, self.dots.0),
            position(1.0 - self.up.share(up), self.area.height, self.dots.1),
        ]
    }

    /// A vertical line at a value through what is empty on the drawing of the plot.
    pub(crate) fn upright_line(
        &self,
        value: f64,
        (pattern, style): (Pattern, Style),
        glyphs: Glyphs,
        buffer: &mut Buffer,
        drawings: &mut Drawings,
    ) {
        let column = self.point(value, self.up.low())[0];
        let ink = Ink { style, behind: false };
        let line = Shape::Upright { column, pattern, width: LINE, ink };
        drawings.over(self.area, line, glyphs, buffer);
    }
}
