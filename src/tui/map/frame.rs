//! Conversion between layout positions and terminal cells.

use ratatui::layout::Rect;

use crate::layout::Position;

/// Maximum zoom.
const DEEPEST: f64 = 4000.0;
/// Maximum factor by which a map is stretched to fill its area.
const STRETCH: f64 = 1.7;

/// The visible part of the unit square.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// The centre.
    pub middle: [f64; 2],
    /// Magnification relative to the full view.
    pub zoom: f64,
}

impl Default for Window {
    fn default() -> Self {
        Self { middle: [0.5, 0.5], zoom: 1.0 }
    }
}

impl Window {
    /// Zooms by a factor; the position `around` stays in place.
    pub fn scale(&mut self, factor: f64, around: [f64; 2]) {
        let zoom = (self.zoom * factor).clamp(1.0, DEEPEST);
        let kept = self.zoom / zoom;
        for (middle, around) in self.middle.iter_mut().zip(around) {
            *middle = around + (*middle - around) * kept;
        }
        self.zoom = zoom;
        self.settle();
    }

    /// Moves by fractions of the view.
    pub fn pan(&mut self, by: [f64; 2]) {
        for (middle, by) in self.middle.iter_mut().zip(by) {
            *middle += by / self.zoom;
        }
        self.settle();
    }

    /// Moves just far enough to show a position.
    pub fn show(&mut self, place: Position) {
        let reach = 0.46 / self.zoom;
        for (middle, at) in self.middle.iter_mut().zip(place.map(f64::from)) {
            *middle = middle.clamp(at - reach, at + reach);
        }
        self.settle();
    }

    /// Fits a box into the view.
    pub fn fit(&mut self, low: Position, high: Position) {
        let widest = f64::from((high[0] - low[0]).max(high[1] - low[1]));
        self.zoom = (0.8 / widest.max(1e-9)).clamp(1.0, DEEPEST.min(60.0));
        self.middle = [0, 1].map(|axis| f64::midpoint(low[axis].into(), high[axis].into()));
        self.settle();
    }

    fn settle(&mut self) {
        let free = 0.5 - 0.5 / self.zoom;
        for middle in &mut self.middle {
            *middle = middle.clamp(0.5 - free, 0.5 + free);
        }
    }
}

/// Maps the window to the terminal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// The cells.
    pub area: Rect,
    middle: [f64; 2],
    /// Cells per unit, horizontally and vertically.
    per: [f64; 2],
}

impl Frame {
    /// A window shown in an area of cells, which are twice as high as wide.
    pub fn new(area: Rect, window: Window) -> Self {
        let (across, up) = (f64::from(area.width), 2.0 * f64::from(area.height));
        let least = across.min(up);
        let (across, up) = (across.min(STRETCH * least), up.min(STRETCH * least));
        Self { area, middle: window.middle, per: [window.zoom * across, window.zoom * up / 2.0] }
    }

    /// Columns and rows from the upper left corner of the area to a position.
    pub fn cell(&self, place: Position) -> (f64, f64) {
        let (width, height) = (f64::from(self.area.width), f64::from(self.area.height));
        let across = (f64::from(place[0]) - self.middle[0]) * self.per[0];
        let up = (f64::from(place[1]) - self.middle[1]) * self.per[1];
        (width / 2.0 + across, height / 2.0 - up)
    }

    /// The column and row of a position, if visible.
    pub fn seen(&self, place: Position) -> Option<(u16, u16)> {
        let (x, y) = self.cell(place);
        let inside = x >= 0.0
            && y >= 0.0
            && x < f64::from(self.area.width)
            && y < f64::from(self.area.height);
        inside.then_some((x as u16, y as u16))
    }

    /// The position at the centre of a terminal cell.
    pub fn place(&self, column: u16, row: u16) -> Position {
        let x = f64::from(column) - f64::from(self.area.x) + 0.5 - f64::from(self.area.width) / 2.0;
        let y = f64::from(row) - f64::from(self.area.y) + 0.5 - f64::from(self.area.height) / 2.0;
        let [across, up] = self.per.map(|per| per.max(1e-12));
        [(self.middle[0] + x / across) as f32, (self.middle[1] - y / up) as f32]
    }

    /// The distance of two positions on the screen, in columns.
    pub fn apart(&self, a: Position, b: Position) -> f64 {
        let [across, up] = self.between(a, b);
        across.hypot(up)
    }

    /// The vector from one position to another on the screen, in columns: right, and
    /// up.
    pub fn between(&self, from: Position, to: Position) -> [f64; 2] {
        let across = f64::from(to[0] - from[0]) * self.per[0];
        let up = f64::from(to[1] - from[1]) * self.per[1] * 2.0;
        [across, up]
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Eighths are exact.
mod tests {
    use super::*;

    #[test]
    fn cells_and_positions_round_trip() {
        let area = Rect::new(3, 2, 80, 30);
        let mut window = Window::default();
        window.scale(7.0, [0.2, 0.7]);
        let frame = Frame::new(area, window);
        for (column, row) in [(3, 2), (82, 31), (40, 17)] {
            let place = frame.place(column, row);
            assert_eq!(frame.seen(place), Some((column - 3, row - 2)));
        }
        assert_eq!(frame.seen([5.0, 0.5]), None);
    }

    #[test]
    fn zooming_keeps_the_target_in_place_and_stays_inside_the_square() {
        let mut window = Window::default();
        window.scale(4.0, [0.9, 0.1]);
        assert!((window.middle[0] - 0.8).abs() < 1e-9 && (window.middle[1] - 0.2).abs() < 1e-9);
        window.pan([9.0, -9.0]);
        assert_eq!(window.middle, [0.875, 0.125]);
        window.scale(1e-9, [0.0, 0.0]);
        assert_eq!(window, Window::default());
    }
}
