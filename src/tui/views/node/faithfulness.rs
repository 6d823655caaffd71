//! Whether those named are those that matter: the number as they are taken
//! away, or left alone, against as many at random.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::Hits;
use super::bars::signed;
use crate::explain::{Aim, Faithfulness, MeanAndDeviation};
use crate::tui::node::{NodeExplanation, NodePane};
use crate::tui::state::State;
use crate::tui::widgets::{AxisScale, Canvas, Pattern, Plot, Scale, Writer, card};

/// A curve over k: its name, its values, how it is drawn.
struct Curve {
    name: &'static str,
    values: Vec<f64>,
    style: Style,
    pattern: Pattern,
}

pub(super) fn draw(
    state: &State,
    explanation: &NodeExplanation,
    buffer: &mut Buffer,
    area: Rect,
    hits: &mut Hits,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let focused = state.graph.node.pane == NodePane::Faithfulness;
    let inside = card(buffer, area, "faithfulness", focused, &state.look);
    let Some(found) = &explanation.faithfulness else {
        let text = if state.graph.node.faithfulness { "computing" } else { "press F to test it" };
        Writer::new(buffer, inside, 0, glyphs).put(text, theme.faint);
        return;
    };
    let is_value = matches!(explanation.found.aim, Aim::Value | Aim::Length);
    let name = if is_value { "value" } else { "logit" };
    let verdict = verdict(found, name, inside.width >= 62);
    let good = found.lead().is_some_and(|lead| lead > 0.0);
    let style = if good { theme.good } else { theme.warn };
    Writer::new(buffer, inside, 0, glyphs).put(&verdict, style);
    let room = Rect { y: inside.y + 1, height: inside.height.saturating_sub(1), ..inside };
    let mean = |draws: &[MeanAndDeviation]| draws.iter().map(|own| own.mean).collect::<Vec<f64>>();
    let curve = |name, values, style, pattern| Curve { name, values, style, pattern };
    let taken = [
        curve("random", mean(&found.removed_random), theme.ghost, Pattern::Dotted),
        curve(
            "random neighbours",
            mean(&found.removed_neighbours),
            theme.curves[1],
            Pattern::Dashed,
        ),
        curve("top contributors", found.removed.clone(), theme.curves[0], Pattern::Solid),
    ];
    let kept = [
        curve("random", mean(&found.kept_random), theme.ghost, Pattern::Dotted),
        curve("top contributors", found.kept.clone(), theme.curves[3], Pattern::Solid),
    ];
    if room.width >= 62 {
        let left = Rect { width: room.width / 2, ..room };
        let right = Rect { x: left.right() + 1, width: room.width - left.width - 1, ..room };
        plot(state, "without k:", &taken, buffer, left, hits);
        plot(state, "only k:", &kept, buffer, right, hits);
    } else if room.height >= 14 {
        let upper = Rect { height: room.height / 2, ..room };
        let lower = Rect { y: upper.bottom(), height: room.height - upper.height, ..room };
        plot(state, "without k:", &taken, buffer, upper, hits);
        plot(state, "only k:", &kept, buffer, lower, hits);
    } else {
        plot(state, "without k:", &taken, buffer, room, hits);
    }
}

fn verdict(found: &Faithfulness, name: &str, wide: bool) -> String {
    let ends = found.removed.first().zip(found.removed.last()).zip(found.removed_random.last());
    let Some(((first, last), random)) = ends.filter(|_| found.lead().is_some()) else {
        return "removing contributors changes nothing".to_owned();
    };
    let count = found.removed.len() - 1;
    let (top, random) = (signed(last - first), signed(random.mean - first));
    if wide {
        format!("removing top {count} changes the {name} by {top}, random by {random}")
    } else {
        format!("without top {count}: {top}, random: {random}")
    }
}

fn plot(
    state: &State,
    title: &str,
    curves: &[Curve],
    buffer: &mut Buffer,
    area: Rect,
    hits: &mut Hits,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    if area.height < 5 || area.width < 18 {
        return;
    }
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    writer.put(title, theme.text);
    for curve in curves.iter().rev() {
        let sign = match curve.pattern {
            Pattern::Solid => glyphs.pick("---", "━━"),
            Pattern::Dashed => glyphs.pick("- -", "╍╍"),
            Pattern::Dotted => glyphs.pick("...", "┈┈"),
        };
        writer.put(" ", theme.text).put(sign, curve.style);
        writer.put(" ", theme.text).put(curve.name, theme.faint);
    }
    let room = Rect { y: area.y + 1, height: area.height - 1, ..area };
    let all = || curves.iter().flat_map(|curve| curve.values.iter().copied());
    let finite = || all().filter(|value| value.is_finite());
    let (low, high) =
        (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    if !(high - low).is_finite() {
        return;
    }
    let last = curves.iter().map(|curve| curve.values.len()).max().unwrap_or(0).saturating_sub(1);
    let margin = 0.05 * (high - low);
    let up = Scale::new(low - margin, high + margin, AxisScale::Linear);
    let across = Scale::new(0.0, last.max(1) as f64, AxisScale::Linear);
    let plot = Plot::with_axes(buffer, room, across, up, true, &state.look);
    if plot.area.width == 0 || plot.area.height == 0 {
        return;
    }
    let mut canvas = Canvas::new(plot.area, glyphs);
    for curve in curves {
        canvas.lift();
        let mut before = None;
        for (k, value) in curve.values.iter().enumerate() {
            if !value.is_finite() {
                before = None;
                continue;
            }
            let here = plot.point(k as f64, *value);
            canvas.line(before.unwrap_or(here), here, curve.style, curve.pattern);
            before = Some(here);
        }
    }
    canvas.draw(buffer, &mut hits.drawings);
}
