//! Experiment 5: a planted filter, the curves that learn it, and how far each
//! is off at the eigenvalues and between them.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::Hits;
use crate::lab::Lab;
use crate::lab::filters::{Drawn, Gap, Learner, Planted, PlantedFilter};
use crate::tui::drawing::Drawings;
use crate::tui::glyphs::{Glyphs, Shape};
use crate::tui::lab::GRID;
use crate::tui::state::State;
use crate::tui::widgets::{
    AxisScale, Canvas, Pattern, Plot, Scale, Writer, card, short, split_rows, wrapped,
};

const SHAPES: [Shape; 5] =
    [Shape::Dot, Shape::Triangle, Shape::Square, Shape::Diamond, Shape::Cross];
const PATTERNS: [Pattern; 5] =
    [Pattern::Solid, Pattern::Solid, Pattern::Dotted, Pattern::Dashed, Pattern::Dotted];
/// A floor below this is the rounding of an f32.
const NOTHING: f64 = 1e-6;
/// Rows of the table: a heading, the learners, and the edge.
const TABLE: u16 = 8;

pub(super) fn draw(state: &State, lab: &Lab, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let recovery = &lab.recovery;
    let planted = recovery.planted();
    let small = area.height < 16 || area.width < 56;
    let title = format!("{} planted on {}", planted.target().name(), recovery.name());
    if small {
        let (head, rest) = split_rows(area, 1);
        let text = format!("{title} · {}", status(state, lab, true));
        Writer::new(buffer, head, 0, state.look.glyphs).put(&text, state.look.theme.accent);
        let (plot, below) = split_rows(rest, rest.height.saturating_sub(1));
        response(state, lab, buffer, plot, hits);
        best(state, lab, buffer, below);
        return;
    }
    let notes = notes(planted);
    let words = if area.height >= 30 { 4 } else { 1 };
    let (upper, lower) = split_rows(area, area.height - TABLE - words);
    let title = format!("{title} · {}", status(state, lab, false));
    let inside = card(buffer, upper, &title, true, &state.look);
    let (legend, plot) = split_rows(inside, 1);
    keys(state, lab, buffer, legend);
    response(state, lab, buffer, plot, hits);
    let title = format!(
        "‖P_ρ X − Y‖² / ‖Y‖² · {} parameters each · floor {}",
        recovery.learners().first().map_or(0, Learner::parameters),
        short(if planted.floor() > NOTHING { planted.floor() } else { 0.0 })
    );
    let inside = card(buffer, lower, &title, state.lab_view.recovery.on, &state.look);
    table(state, lab, buffer, inside);
    let (_, below) = split_rows(inside, TABLE - 2);
    let width = usize::from(below.width);
    let lines: Vec<String> = notes.iter().flat_map(|note| wrapped(note, width)).collect();
    for (at, line) in lines.iter().enumerate() {
        let first = at == 0 && notes.len() > 1;
        let style = if first { state.look.theme.warn } else { state.look.theme.faint };
        Writer::new(buffer, below, at as u16, state.look.glyphs).put(line, style);
    }
}

fn status(state: &State, lab: &Lab, brief: bool) -> String {
    let steps = lab.recovery.steps();
    let doing = if state.lab_view.recovery.on {
        "training"
    } else if lab.recovery.is_done() {
        "done"
    } else if steps == 0 && !brief {
        "space starts training"
    } else {
        "paused"
    };
    if brief { format!("{steps} {doing}") } else { format!("step {steps}, {doing}") }
}

/// What is planted and what is learned, by their signs.
fn keys(state: &State, lab: &Lab, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    writer.put(glyphs.pick("- -", "╍╍"), theme.text).put(" planted  ", theme.text);
    writer.put(glyphs.pick("O", "◉"), theme.accent).put(" σ  ", theme.text);
    for (at, learner) in shown(state, lab) {
        writer.put(&format!("{} ", glyphs.shape(SHAPES[at % 5])), colour(state, at));
        writer.put(&format!("{}  ", learner.form()), theme.faint);
    }
}

fn colour(state: &State, at: usize) -> Style {
    state.look.theme.curves[at % state.look.theme.curves.len()]
}

/// The learners that are drawn.
fn shown<'a>(state: &State, lab: &'a Lab) -> impl Iterator<Item = (usize, &'a Learner)> + use<'a> {
    let only = state.lab_view.only;
    let all = lab.recovery.learners().iter().enumerate();
    all.filter(move |(at, _)| only.is_none_or(|own| own == *at))
}

fn response(state: &State, lab: &Lab, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    if area.height < 4 || area.width < 16 {
        return;
    }
    let planted = lab.recovery.planted();
    let across = Scale::new(-1.0, 1.0, AxisScale::Linear);
    let plot = Plot::with_axes(buffer, area, across, range(planted), true, &state.look);
    hits.add_plot(plot, false);
    shade(state, planted, &plot, buffer);
    let mut canvas = Canvas::new(plot.area, glyphs);
    if plot.row(0.0).is_some() {
        canvas.level(plot.up.share(0.0), theme.border);
    }
    for (at, _) in shown(state, lab) {
        let Some(curve) = state.lab_view.recovery_figures.curves.get(at) else { continue };
        let value = |s: f64| between(curve, s);
        line(&mut canvas, &plot, &value, colour(state, at), PATTERNS[at % 5]);
    }
    if let Some(at) = target_curve(planted) {
        line(&mut canvas, &plot, &at, theme.text, Pattern::Dashed);
    }
    let drawings = &mut hits.drawings;
    canvas.draw(buffer, drawings);
    // Signs along the curves tell them apart without colour.
    for (at, _) in shown(state, lab) {
        let Some(curve) = state.lab_view.recovery_figures.curves.get(at) else { continue };
        for x in (plot.area.x + 3 * at as u16 + 2..plot.area.right()).step_by(23) {
            let (s, value) = (plot.value_at(x), between(curve, plot.value_at(x)));
            if plot.row(value).is_some() {
                let sign = (plot.point(s, value), SHAPES[at % 5]);
                drawings.sign(plot.area, sign, colour(state, at), glyphs, buffer);
            }
        }
    }
    dots(state, planted, &plot, (&mut *buffer, &mut *drawings));
    handle(state, lab, &plot, (buffer, drawings));
}

/// The planted filter as a curve, where it is one.
fn target_curve(planted: &Planted) -> Option<impl Fn(f64) -> f64 + '_> {
    let target = planted.target();
    target.at(0.0)?;
    Some(|s| target.at(s).unwrap_or(0.0))
}

fn between(curve: &[f64], s: f64) -> f64 {
    let place = (f64::midpoint(s, 1.0) * (GRID - 1) as f64).clamp(0.0, (GRID - 1) as f64);
    let (below, share) = (place.floor() as usize, place.fract());
    let at = |n: usize| curve.get(n.min(GRID - 1)).copied().unwrap_or(f64::NAN);
    at(below) + share * (at(below + 1) - at(below))
}

/// Room for what is planted and a little to draw beyond it.
fn range(planted: &Planted) -> Scale {
    let grid = (0..=40).map(|n| f64::from(n) / 20.0 - 1.0);
    let values: Vec<f64> = grid.filter_map(|s| planted.target().at(s)).collect();
    let low = values.iter().copied().fold(0.0, f64::min) - 0.25;
    let high = values.iter().copied().fold(1.0, f64::max) + 0.25;
    Scale::new(low, high, AxisScale::Linear)
}

fn line(canvas: &mut Canvas, plot: &Plot, at: &dyn Fn(f64) -> f64, style: Style, pattern: Pattern) {
    let width = canvas.columns();
    canvas.lift();
    let mut before = None;
    for x in 0..width {
        let share = x as f64 / (width - 1).max(1) as f64;
        let s = plot.across.value(share);
        let up = plot.up.share(at(s));
        if !up.is_finite() {
            before = None;
            continue;
        }
        let here = canvas.point(share, up);
        canvas.line(before.unwrap_or(here), here, style, pattern);
        before = Some(here);
    }
}

/// Shade where the graph has no eigenvalue to learn from.
fn shade(state: &State, planted: &Planted, plot: &Plot, buffer: &mut Buffer) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let sign = if theme.shade.bg.is_some() { None } else { Some(glyphs.pick("/", "░")) };
    let gaps = planted.gaps();
    let half = 1.0 / f64::from(plot.area.width.max(1));
    for x in plot.area.x..plot.area.right() {
        let s = plot.value_at(x);
        if !gaps.iter().any(|gap| s > gap.from + half && s < gap.to - half) {
            continue;
        }
        for y in plot.area.y..plot.area.bottom() {
            let cell = &mut buffer[(x, y)];
            cell.set_style(theme.shade);
            if let Some(sign) = sign.filter(|_| glyphs != Glyphs::Ascii || (x + 2 * y) % 4 == 0) {
                cell.set_symbol(sign);
            }
        }
    }
}

/// A dot at each eigenvalue where the planted filter puts it; two where
/// eigenvectors that share one are treated differently.
fn dots(
    state: &State,
    planted: &Planted,
    plot: &Plot,
    (buffer, drawings): (&mut Buffer, &mut Drawings),
) {
    let glyphs = state.look.glyphs;
    let each =
        planted.distinct().iter().flat_map(|(s, count)| std::iter::repeat_n((*s, *count), *count));
    let each: Vec<(f64, usize)> = each.collect();
    let points: Vec<f32> = each.iter().map(|(s, _)| *s as f32).collect();
    let wished = planted.target().response(&points);
    for ((s, count), value) in each.into_iter().zip(wished) {
        let place = plot.column(s).zip(plot.row(f64::from(value)));
        let Some((x, y)) = place else { continue };
        if glyphs == Glyphs::Pixel {
            let sign = (plot.point(s, f64::from(value)), Shape::Dot);
            drawings.sign(plot.area, sign, state.look.theme.accent, glyphs, buffer);
            continue;
        }
        let sign = match count {
            1 => glyphs.pick('o', '•'),
            _ => glyphs.pick('O', '◉'),
        };
        buffer[(x, y)].set_char(sign).set_style(state.look.theme.accent);
    }
}

/// The point that keys would move, and all that can be moved where the curve
/// is drawn by hand.
fn handle(state: &State, lab: &Lab, plot: &Plot, (buffer, drawings): (&mut Buffer, &mut Drawings)) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let target = lab.recovery.planted().target();
    let points: Vec<(f64, f64)> = match target {
        PlantedFilter::Drawn(drawn) => drawn.points().collect(),
        _ => Drawn::default().points().collect(),
    };
    let by_hand = matches!(target, PlantedFilter::Drawn(_));
    for (at, (s, _)) in points.into_iter().enumerate() {
        let own = at == state.lab_view.cursor(lab);
        let height = target.at(s).unwrap_or(0.0);
        let place = plot.column(s).zip(plot.row(height));
        let Some((x, y)) = place.filter(|_| own || by_hand) else { continue };
        let (sign, style) =
            if own { (Shape::Plus, theme.warn) } else { (Shape::Diamond, theme.text) };
        drawings.sign(plot.area, (plot.point(s, height), sign), style, glyphs, buffer);
        if own && glyphs == Glyphs::Ascii {
            buffer[(x, y)].set_char('@');
        }
    }
}

/// The best learner in one line.
fn best(state: &State, lab: &Lab, buffer: &mut Buffer, area: Rect) {
    let theme = &state.look.theme;
    let text = match lab.recovery.best() {
        Some((form, misses)) => {
            format!("{}: error {} at σ, {} between", form, short(misses.at), short(misses.between))
        }
        None => format!("no curve: loss at least {}", short(lab.recovery.planted().floor())),
    };
    Writer::new(buffer, area, 0, state.look.glyphs).put(&text, theme.text);
}

fn table(state: &State, lab: &Lab, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let step = (area.width.saturating_sub(20) / 5).clamp(9, 20);
    let column = |n: u16| area.x + 20 + n * step;
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    writer.put("learner", theme.faint);
    for (n, name) in ["loss", "at σ", "worst", "between", "worst"].into_iter().enumerate() {
        if column(n as u16) + 8 <= area.right() {
            writer.go(column(n as u16)).put(name, theme.faint);
        }
    }
    let nearest = lab.recovery.best().map(|(form, _)| form);
    for (at, learner) in lab.recovery.learners().iter().enumerate() {
        let best = nearest == Some(learner.form()) && lab.recovery.steps() > 0;
        let style = if best { theme.good } else { theme.text };
        let mut writer = Writer::new(buffer, area, at as u16 + 1, glyphs);
        writer.put(&format!("{} ", glyphs.shape(SHAPES[at % 5])), colour(state, at));
        writer.put(&learner.form().to_string(), style).put(if best { " best" } else { "" }, style);
        let loss = learner.loss();
        writer.go(column(0)).put(&short(loss), style);
        let misses = state.lab_view.recovery_figures.misses.get(at).copied().flatten();
        let figures = misses.map(|own| [own.at, own.worst_at, own.between, own.worst_between]);
        let texts = figures.map_or(["-"; 4].map(str::to_owned), |own| own.map(short));
        for (n, text) in texts.iter().enumerate() {
            let x = column(n as u16 + 1);
            if x + 8 <= area.right() {
                writer.go(x).put(text, style);
            }
        }
    }
}

/// What cannot be learned here, and why.
fn notes(planted: &Planted) -> Vec<String> {
    let mut notes = Vec::new();
    let shared = match planted.repeated() {
        1 => "One eigenvalue is shared by several eigenvectors".to_owned(),
        count => format!("{count} eigenvalues are shared by several eigenvectors"),
    };
    if planted.floor() > NOTHING {
        notes.push(format!(
            "{shared}; a filter gives them one value, so the loss stays above the floor."
        ));
    }
    let gaps = planted.gaps();
    if !gaps.is_empty() {
        let stretch = |gap: &Gap| format!("{:.2} to {:.2}", gap.from, gap.to);
        let each: Vec<String> = gaps.iter().take(4).map(stretch).collect();
        notes.push(format!(
            "No eigenvalues from {}: signals do not constrain the curve there.",
            each.join(", ")
        ));
    }
    if planted.floor() <= NOTHING && planted.repeated() > 0 {
        notes.push(format!("{shared}; this filter treats them alike."));
    }
    let seen = "Learners see the input X and the output Y = P X, never the curve.";
    notes.push(seen.to_owned());
    notes
}
