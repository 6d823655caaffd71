//! From places to cells of the terminal and back.

use ratatui::layout::Rect;

use crate::layout::Place;

/// The deepest zoom.
const DEEPEST: f64 = 4000.0;
/// A map is stretched at most by this to fill its room.
const STRETCH: f64 = 1.7;

/// The part of the unit square in view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// What lies in the middle.
    pub middle: [f64; 2],
    /// How many times closer than when everything is seen.
    pub zoom: f64,
}

impl Default for Window {
    fn default() -> Self {
        Self { middle: [0.5, 0.5], zoom: 1.0 }
    }
}

impl Window {
    /// Looks closer by a factor; what is at `around` stays where it is.
    pub fn scale(&mut self, factor: f64, around: [f64; 2]) {
        let zoom = (self.zoom * factor).clamp(1.0, DEEPEST);
        let kept = self.zoom / zoom;
        for (middle, around) in self.middle.iter_mut().zip(around) {
            *middle = around + (*middle - around) * kept;
        }
        self.zoom = zoom;
        self.settle();
    }

    /// Moves by shares of what is in view.
    pub fn pan(&mut self, by: [f64; 2]) {
        for (middle, by) in self.middle.iter_mut().zip(by) {
            *middle += by / self.zoom;
        }
        self.settle();
    }

    /// Moves just as far as it takes to have a place in view.
    pub fn show(&mut self, place: Place) {
        let reach = 0.46 / self.zoom;
        for (middle, at) in self.middle.iter_mut().zip(place.map(f64::from)) {
            *middle = middle.clamp(at - reach, at + reach);
        }
        self.settle();
    }

    /// Looks at a box.
    pub fn fit(&mut self, low: Place, high: Place) {
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

/// Where on the terminal the window is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// The cells.
    pub area: Rect,
    middle: [f64; 2],
    /// Cells a unit, across and up.
    per: [f64; 2],
}

impl Frame {
    /// A window seen through an area of cells, which are twice as high as wide.
    pub fn new(area: Rect, window: Window) -> Self {
        let (across, up) = (f64::from(area.width), 2.0 * f64::from(area.height));
        let least = across.min(up);
        let (across, up) = (across.min(STRETCH * least), up.min(STRETCH * least));
        Self { area, middle: window.middle, per: [window.zoom * across, window.zoom * up / 2.0] }
    }

    /// Columns and rows from the upper left corner of the area to a place.
    pub fn cell(&self, place: Place) -> (f64, f64) {
        let (width, height) = (f64::from(self.area.width), f64::from(self.area.height));
        let across = (f64::from(place[0]) - self.middle[0]) * self.per[0];
        let up = (f64::from(place[1]) - self.middle[1]) * self.per[1];
        (width / 2.0 + across, height / 2.0 - up)
    }

    /// The column and row of a place, if it is in view.
    pub fn seen(&self, place: Place) -> Option<(u16, u16)> {
        let (x, y) = self.cell(place);
        let inside = x >= 0.0
            && y >= 0.0
            && x < f64::from(self.area.width)
            && y < f64::from(self.area.height);
        inside.then_some((x as u16, y as u16))
    }

    /// The place in the middle of a cell of the terminal.
    pub fn place(&self, column: u16, row: u16) -> Place {
        let x = f64::from(column) - f64::from(self.area.x) + 0.5 - f64::from(self.area.width) / 2.0;
        let y = f64::from(row) - f64::from(self.area.y) + 0.5 - f64::from(self.area.height) / 2.0;
        let [across, up] = self.per.map(|per| per.max(1e-12));
        [(self.middle[0] + x / across) as f32, (self.middle[1] - y / up) as f32]
    }

    /// How far two places are apart on the screen, in columns.
    pub fn apart(&self, a: Place, b: Place) -> f64 {
        let [across, up] = self.between(a, b);
        across.hypot(up)
    }

    /// The way from one place to another on the screen, in columns: to the
    /// right, and up.
    pub fn between(&self, from: Place, to: Place) -> [f64; 2] {
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
    fn a_cell_has_a_place_and_the_place_that_cell() {
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
    fn zooming_keeps_what_is_pointed_at_and_never_leaves_the_square() {
        let mut window = Window::default();
        window.scale(4.0, [0.9, 0.1]);
        assert!((window.middle[0] - 0.8).abs() < 1e-9 && (window.middle[1] - 0.2).abs() < 1e-9);
        window.pan([9.0, -9.0]);
        assert_eq!(window.middle, [0.875, 0.125]);
        window.scale(1e-9, [0.0, 0.0]);
        assert_eq!(window, Window::default());
    }
}
