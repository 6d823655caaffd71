//! The points of a metric in a plot: one for each column of dots, smoothed on request,
//! and none between the two stages of a run.

use ratatui::style::Style;

use crate::tui::drawing::Point as Place;
use crate::tui::history::Series;
use crate::tui::widgets::{Canvas, Pattern, Plot};

/// Epochs averaged on each side, for each level of smoothing.
const REACH: [usize; 4] = [0, 2, 6, 16];

/// What is drawn for some epochs, in cells from the upper left corner.
#[derive(Debug, Clone, Copy)]
struct Point {
    epoch: usize,
    place: Place,
    /// The rows of the lowest and the highest value.
    span: Option<(f32, f32)>,
}

/// The points of a metric: a run of them for each stage.
#[derive(Debug, Default)]
pub(super) struct Points {
    stages: Vec<Vec<Point>>,
}

impl Points {
    /// A metric over the epochs in view; `restart` is the first epoch of the second
    /// stage, which starts from scratch, or 0.
    pub(super) fn of(plot: &Plot, (series, restart): (&Series, usize), smoothing: usize) -> Self {
        let width = usize::from(plot.area.width) * plot.dots.0;
        let (from, to) = (plot.across.low(), plot.across.high());
        let every = ((to - from) / (width - 1).max(1) as f64).max(1.0);
        let first = from.floor().max(0.0);
        let steps = ((to - first) / every).ceil() as usize + 1;
        let bounds = |step: usize| (first + step as f64 * every).round() as usize;
        let mut stages = Vec::new();
        let (mut spans, mut is_second) = (Vec::new(), false);
        for step in 0..steps {
            let (start, end) = (bounds(step), bounds(step + 1).max(bounds(step) + 1));
            // No dot may hold epochs of both stages.
            for (start, end) in [(start, end.min(restart)), (start.max(restart), end)] {
                let Some(span) = series.between(start, end).filter(|_| start < end) else {
                    continue;
                };
                if restart > 0 && start >= restart && !is_second {
                    is_second = true;
                    stages.push(std::mem::take(&mut spans));
                }
                spans.push((start, span));
            }
        }
        stages.push(spans);
        let drawn = |spans: Vec<(usize, crate::tui::history::Span)>| {
            let last: Vec<f64> = spans.iter().map(|(_, span)| f64::from(span.last)).collect();
            let values = smoothed(&last, REACH[smoothing.min(3)]);
            let points = spans.iter().zip(values).map(|(&(epoch, span), value)| {
                let is_range = smoothing == 0 && span.high > span.low;
                let row = |value: f32| plot.point(epoch as f64, f64::from(value))[1];
                let ends = (row(span.low), row(span.high));
                let place = plot.point(epoch as f64, value);
                Point { epoch, place, span: is_range.then_some(ends) }
            });
            points.collect()
        };
        Self { stages: stages.into_iter().map(drawn).collect() }
    }

    /// Draws the curve, with a gap between the stages.
    pub(super) fn draw(&self, canvas: &mut Canvas, style: Style, pattern: Pattern) {
        for stage in &self.stages {
            if pattern == Pattern::Solid && stage.iter().any(|point| point.span.is_some()) {
                let span = |point: &Point| {
                    let [x, y] = point.place;
                    let (low, high) = point.span.unwrap_or((y, y));
                    [x, low, high]
                };
                canvas.band(stage.iter().map(span).collect(), style);
            }
            canvas.lift();
            let mut before: Option<Place> = None;
            for &Point { place, .. } in stage {
                canvas.line(before.unwrap_or(place), place, style, pattern);
                before = Some(place);
            }
        }
    }

    /// The point of the curve at an epoch, if it is in view.
    pub(super) fn at(&self, plot: &Plot, epoch: usize) -> Option<Place> {
        let before = |point: &&Point| point.epoch <= epoch;
        let point = self.stages.iter().flatten().rev().find(before)?;
        plot.column(epoch as f64)?;
        let [x, y] = point.place;
        let (wide, high) = (f32::from(plot.area.width), f32::from(plot.area.height));
        ((0.0..wide).contains(&x) && (0.0..high).contains(&y)).then_some(point.place)
    }
}

/// A mean over neighbours on both sides, fewer towards the ends.
fn smoothed(values: &[f64], reach: usize) -> Vec<f64> {
    let mean = |at: usize| {
        let reach = reach.min(at).min(values.len() - 1 - at);
        let near = &values[at - reach..=at + reach];
        near.iter().sum::<f64>() / near.len() as f64
    };
    (0..values.len()).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;

    use super::*;
    use crate::tui::drawing::Drawings;
    use crate::tui::widgets::{AxisScale, Scale};

    fn plot(epochs: f64) -> Plot {
        let across = Scale::new(0.0, epochs, AxisScale::Linear);
        let up = Scale::new(0.0, 1.0, AxisScale::Linear);
        Plot { area: Rect::new(3, 1, 20, 10), across, up, dots: (2, 4) }
    }

    fn series(value: impl Fn(usize) -> f32, epochs: usize) -> Series {
        let mut series = Series::default();
        (0..epochs).for_each(|epoch| series.push(value(epoch)));
        series
    }

    #[test]
    fn a_restart_leaves_a_gap_and_smoothing_does_not_reach_across_it() {
        let restarted = series(|epoch| if epoch < 50 { 0.9 } else { 0.1 }, 100);
        for smoothing in 0..4 {
            let points = Points::of(&plot(100.0), (&restarted, 50), smoothing);
            assert_eq!(points.stages.len(), 2);
            for (stage, y) in points.stages.iter().zip([4, 35]) {
                let row = |point: &Point| (point.place[1] * 4.0) as usize;
                assert!(stage.iter().all(|point| row(point) == y && point.span.is_none()));
            }
        }
    }

    #[test]
    fn the_marker_is_in_a_cell_of_the_curve_whatever_the_smoothing() {
        let noisy = series(|epoch| 0.5 + 0.4 * ((epoch * 7 % 11) as f32 / 11.0 - 0.5), 700);
        for smoothing in 0..4 {
            for epoch in [0, 1, 333, 699] {
                let plot = plot(700.0);
                let points = Points::of(&plot, (&noisy, 0), smoothing);
                let [x, y] = points.at(&plot, epoch).unwrap().map(|own| own as u16);
                let (x, y) = (plot.area.x + x, plot.area.y + y);
                let mut canvas = Canvas::new(plot.area, crate::tui::glyphs::Glyphs::Braille);
                points.draw(&mut canvas, Style::new(), Pattern::Solid);
                let mut buffer = ratatui::buffer::Buffer::empty(Rect::new(0, 0, 30, 12));
                canvas.draw(&mut buffer, &mut Drawings::default());
                assert_ne!(buffer[(x, y)].symbol(), " ", "{smoothing} {epoch}");
            }
        }
    }
}
