//! Networks h(Σ g(x)) that learn the question by themselves: their errors over
//! the steps, against the width of g and against the size of the sets.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Hits;
use super::theorem::plain;
use crate::lab::Lab;
use crate::tui::drawing::Point;
use crate::tui::glyphs::Shape;
use crate::tui::state::State;
use crate::tui::widgets::{
    AxisScale, Canvas, Pattern, Plot, Scale, Writer, card, short, split_rows,
};

const SHAPES: [Shape; 4] = [Shape::Dot, Shape::Triangle, Shape::Square, Shape::Diamond];
const PATTERNS: [Pattern; 4] = [Pattern::Dotted, Pattern::Dashed, Pattern::Solid, Pattern::Solid];

/// How the learning stands, in a few words.
fn status(state: &State, lab: &Lab) -> String {
    let (steps, all) =
        (lab.study.steps(), lab.study.fits().first().map_or(0, |f| f.options().steps));
    let doing = if state.lab_view.study.on {
        "training"
    } else if lab.study.is_done() {
        "done"
    } else if steps == 0 {
        "space starts training"
    } else {
        "paused"
    };
    format!("step {steps}/{all}, {doing}")
}

pub(super) fn brief(state: &State, lab: &Lab, buffer: &mut Buffer, area: Rect) {
    let theme = &state.look.theme;
    let text = format!("h(Σ g(x)): {}", status(state, lab));
    Writer::new(buffer, area, 0, state.look.glyphs).put(&text, theme.accent);
    table(state, "width", &state.lab_view.study_figures.widths, buffer, split_rows(area, 1).1);
}

pub(super) fn draw(state: &State, lab: &Lab, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let title = format!("h(Σ g(x)) learns {}", lab.theorem.target().name());
    let inside = card(buffer, area, &title, state.lab_view.study.on, &state.look);
    Writer::new(buffer, inside, 0, glyphs).put(&status(state, lab), theme.accent);
    let figures = &state.lab_view.study_figures;
    let tall = inside.height >= 18;
    let tables = if tall { 13 } else { 2 };
    let (_, rest) = split_rows(inside, 1);
    let (plot, below) = split_rows(rest, rest.height.saturating_sub(tables));
    errors(state, lab, buffer, plot, hits);
    if tall {
        says(state, lab, buffer, below);
        let (upper, lower) = split_rows(split_rows(below, 2).1, 5);
        bars(state, "error by width of g, sets of 4", "width", &figures.widths, buffer, upper);
        let (_, lower) = split_rows(lower, 1);
        let heading = "error by set size, width of g: 4";
        bars(state, heading, "size", &figures.sizes, buffer, lower);
    } else {
        table(state, "width", &figures.widths, buffer, below);
        table(state, "size", &figures.sizes, buffer, split_rows(below, 1).1);
    }
}

/// The error over the steps, one curve a network.
fn errors(state: &State, lab: &Lab, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    if area.height < 4 || area.width < 16 {
        return;
    }
    let all = lab.study.fits().first().map_or(1, |fit| fit.options().steps);
    let history = &state.lab_view.study_figures.history;
    let highest = history.iter().flat_map(|(_, errors)| errors).copied().fold(1.0, f64::max);
    let up = Scale::new(0.0, highest.min(1.5), AxisScale::Linear);
    let across = Scale::new(0.0, all as f64, AxisScale::Linear);
    let plot = Plot::with_axes(buffer, area, across, up, true, &state.look);
    if let Some(row) = plot.row(1.0) {
        for x in plot.area.x..plot.area.right() {
            buffer[(x, row)].set_symbol(glyphs.pick("-", "╌")).set_style(theme.border);
        }
        let text = " 1: same as predicting the mean ";
        let room = Rect { x: plot.area.x + 1, y: row, height: 1, width: plot.area.width - 1 };
        if usize::from(room.width) > text.len() {
            Writer::new(buffer, room, 0, glyphs).put(text, theme.faint);
        }
    }
    let mut canvas = Canvas::new(plot.area, glyphs);
    let dot = |canvas: &Canvas, steps: u64, error: f64| {
        canvas.point(plot.across.share(steps as f64), plot.up.share(error).clamp(0.0, 1.2))
    };
    let networks = lab.study.fits().len();
    for own in 0..networks {
        let style = theme.curves[own % theme.curves.len()];
        canvas.lift();
        let points: Vec<Point> = history
            .iter()
            .filter_map(|(steps, errors)| Some(dot(&canvas, *steps, *errors.get(own)?)))
            .collect();
        for pair in points.windows(2) {
            canvas.line(pair[0], pair[1], style, PATTERNS[own % PATTERNS.len()]);
        }
    }
    let drawings = &mut hits.drawings;
    canvas.draw(buffer, drawings);
    let Some((steps, last)) = history.last() else { return };
    for (own, error) in last.iter().enumerate() {
        let (steps, error) = (*steps as f64, error.min(plot.up.high()));
        if plot.column(steps).is_some() && plot.row(error).is_some() {
            let sign = (plot.point(steps, error), SHAPES[own % SHAPES.len()]);
            let style = theme.curves[own % theme.curves.len()];
            drawings.sign(plot.area, sign, style, glyphs, buffer);
        }
    }
}

/// Errors in one line.
fn table(state: &State, name: &str, errors: &[(usize, f64)], buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    writer.put(&format!("{name:<5} "), theme.faint);
    if errors.is_empty() {
        writer.put("z, then space", theme.faint);
    }
    for (at, (value, error)) in errors.iter().enumerate() {
        let style = theme.curves[at % theme.curves.len()];
        writer.put(&format!("{}{value} ", glyphs.shape(SHAPES[at % SHAPES.len()])), style);
        writer.put(&format!("{error:.2} "), theme.text);
    }
}

/// Errors as bars, one below the other.
fn bars(
    state: &State,
    heading: &str,
    name: &str,
    errors: &[(usize, f64)],
    buffer: &mut Buffer,
    area: Rect,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    Writer::new(buffer, area, 0, glyphs).put(heading, theme.accent);
    if errors.is_empty() {
        Writer::new(buffer, area, 1, glyphs)
            .put("z selects these networks, space trains them", theme.faint);
    }
    let room = f64::from(area.width.saturating_sub(20));
    for (at, (value, error)) in errors.iter().enumerate() {
        let style = theme.curves[at % theme.curves.len()];
        let mut writer = Writer::new(buffer, area, at as u16 + 1, glyphs);
        let sign = glyphs.shape(SHAPES[at % SHAPES.len()]);
        writer.put(&format!("{sign} {name} {value:<3} "), style);
        writer.go(area.x + 12).put(&format!("{error:.3} "), theme.text);
        let length = (error.min(1.0) * room).round() as usize;
        writer.put(&glyphs.pick("#", "█").repeat(length), style);
    }
}

/// What the widest network says of the set above, where it is as large.
fn says(state: &State, lab: &Lab, buffer: &mut Buffer, area: Rect) {
    let theme = &state.look.theme;
    let numbers = lab.theorem.numbers();
    let fit = lab.study.fits().iter().rev().find(|fit| fit.options().size == numbers.len());
    let text = match fit.map(|fit| (fit.options().width, fit.says(numbers))) {
        Some((width, Ok(Some(said)))) => {
            let truth = lab.theorem.truth().map_or("-".to_owned(), plain);
            format!("your set: width {width} predicts {}, true value {truth}", short(said))
        }
        _ => "trained on sets of 4: add numbers to test your own".to_owned(),
    };
    Writer::new(buffer, area, 0, state.look.glyphs).put(&text, theme.faint);
}
