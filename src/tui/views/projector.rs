//! The screen for a room: one plot, its figures in large digits, the keys that
//! are pressed.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::Hits;
use crate::explain::PredictFrom;
use crate::graph::Classes;
use crate::lab::Experiment;
use crate::lab::lessons::Facts;
use crate::train::Phase;
use crate::tui::filter::rho;
use crate::tui::run::PlotPane;
use crate::tui::state::{Screen, State};
use crate::tui::widgets::{Size, Writer, clipped, figures, short};

/// A figure that is to be seen from afar: its name and its digits.
type Headline = (String, String);

/// Rows that the figures take of a body of that height, with their names.
fn size(body: Rect) -> Option<Size> {
    match (body.width, body.height) {
        (90.., 28..) => Some(Size::Large),
        (44.., 16..) => Some(Size::Small),
        _ => None,
    }
}

/// Draws the figures of the screen; gives the room that is left.
pub(super) fn headlines(state: &State, buffer: &mut Buffer, area: Rect) -> Rect {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let all = match state.screen {
        Screen::Overview => Vec::new(),
        Screen::Train | Screen::Map | Screen::Runs => of_training(state),
        Screen::Filter => of_filter(state),
        Screen::Node => of_node(state),
        Screen::Lab => of_lab(state),
    };
    if all.is_empty() {
        return area;
    }
    let Some(size) = size(area) else {
        let mut writer = Writer::new(buffer, area, 0, glyphs);
        for (name, digits) in &all {
            let strong = theme.accent.add_modifier(Modifier::BOLD);
            writer.put(&format!(" {name} "), theme.text).put(&format!("{digits} "), strong);
        }
        return Rect { y: area.y + 1, height: area.height - 1, ..area };
    };
    let rows = size.rows(glyphs);
    let mut x = area.x + 2;
    for (name, digits) in &all {
        let wide = size.columns(digits).max(name.chars().count() as u16 + 1);
        if x + wide > area.right() {
            break;
        }
        let place = Rect { x, y: area.y, width: wide, height: rows };
        figures(buffer, place, digits, size, theme.accent, glyphs);
        let below = Rect { y: area.y + rows, height: 1, ..place };
        Writer::new(buffer, below, 0, glyphs).put(name, theme.text);
        x += wide + if size == Size::Large { 6 } else { 3 };
    }
    let taken = rows + 1 + u16::from(size == Size::Large);
    Rect { y: area.y + taken, height: area.height - taken, ..area }
}

fn of_training(state: &State) -> Vec<Headline> {
    let run = &state.graph.session.run;
    let epoch = state.read_out().unwrap_or(state.graph.session.at);
    let mut all = vec![("epoch".to_owned(), epoch.to_string())];
    let shown: Vec<_> = state.curves_of(run, PlotPane::Score);
    for curve in &shown {
        let value = match state.read_out() {
            Some(epoch) => curve.series.at(epoch),
            None => curve.series.last(),
        };
        let part = curve.name.split(" (").next().unwrap_or_default();
        let Some(value) = value.filter(|value| value.is_finite()) else { continue };
        let share = run.score_name() != "R²";
        let digits = if share { format!("{:.0}%", 100.0 * value) } else { format!("{value:.2}") };
        all.push((format!("{part} {}", run.score_name()), digits));
    }
    if shown.is_empty()
        && let Some(value) = run.curves.first().and_then(|curve| curve.series.last())
    {
        all.push(("loss".to_owned(), short(f64::from(value))));
    }
    all
}

fn of_filter(state: &State) -> Vec<Headline> {
    let (Some(facts), Some(snapshot)) = (&state.graph.facts, &state.graph.session.snapshot) else {
        return Vec::new();
    };
    match state.graph.filter.cursor.and_then(|at| facts.values.get(at)) {
        Some(value) => {
            let rho = rho(&snapshot.curve, value.s);
            vec![
                ("eigenvalue σ".to_owned(), format!("{:.2}", value.sigma)),
                ("response ρ".to_owned(), format!("{rho:.2}")),
            ]
        }
        None => vec![("epoch".to_owned(), state.graph.session.at.to_string())],
    }
}

/// What is predicted of the open node: how surely, or which number.
fn of_node(state: &State) -> Vec<Headline> {
    let Some(explanation) = state.graph.node.known() else { return Vec::new() };
    let graph = explanation.context.graph();
    let (from_x, from_r) = (explanation.odds(PredictFrom::X), explanation.odds(PredictFrom::R));
    let classes = graph.labels().classes().map(Classes::names).unwrap_or_default();
    let best =
        (0..classes.len().min(from_x.len())).max_by(|a, b| from_x[*a].total_cmp(&from_x[*b]));
    let mut all = match (best, from_x.first(), from_r.first()) {
        (Some(class), ..) => {
            let share = |odds: &[f64]| odds.get(class).map_or(0.0, |share| 100.0 * share);
            vec![
                (classes[class].clone(), format!("{:.0}%", share(&from_x))),
                ("predicted from R".to_owned(), format!("{:.0}%", share(&from_r))),
            ]
        }
        (None, Some(x), Some(r)) => {
            vec![("from x".to_owned(), digits(*x)), ("from R".to_owned(), digits(*r))]
        }
        _ => Vec::new(),
    };
    all.push(("neighbours".to_owned(), graph.degree(explanation.node()).to_string()));
    all
}

/// What the open experiment found, where that is a number.
fn of_lab(state: &State) -> Vec<Headline> {
    let Some(lab) = &state.lab else { return Vec::new() };
    let mut facts = Facts::default();
    lab.report(&mut facts);
    let told: &[(&str, &str)] = match lab.open {
        Experiment::Shuffle => &[
            ("shuffles", "shuffles"),
            ("set function change", "set_difference"),
            ("concatenation change", "concatenation_difference"),
        ],
        Experiment::Types => {
            &[("change with types", "typed_difference"), ("without types", "merged_difference")]
        }
        Experiment::Aggregators => &[("edits", "edits")],
        Experiment::Theorem => {
            &[("numbers", "set_size"), ("power sums", "power_sums"), ("error", "recovered_error")]
        }
        Experiment::Filters => &[("steps", "recovery_steps"), ("error", "recovery_error")],
    };
    let found = |(name, fact): &(&str, &str)| {
        let value = facts.as_number(fact).filter(|value| value.is_finite())?;
        Some(((*name).to_owned(), digits(value)))
    };
    told.iter().filter_map(found).collect()
}

/// A number that can be drawn large: whole ones without a point.
fn digits(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

/// The top line: what is looked at and whether it runs.
pub(super) fn header(state: &State, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let name = Screen::ALL.iter().find(|(own, _)| *own == state.screen).map_or("", |(_, n)| n);
    let running = match state.graph.session.phase {
        Some(Phase::Running) => (glyphs.pick("> training", "▶ training"), theme.good),
        Some(Phase::Paused) => (glyphs.pick("= paused", "‖ paused"), theme.warn),
        Some(Phase::Finished) => (glyphs.pick("# done", "■ done"), theme.accent),
        _ => ("preparing", theme.warn),
    };
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    let title = clipped(&state.graph.session.heading(), writer.room().saturating_sub(24));
    writer.put(&format!(" {title}"), theme.accent.add_modifier(Modifier::BOLD));
    writer.put(&format!("  {name}"), theme.text);
    if state.picker.is_none() {
        writer.right(&format!("{} ", running.0), running.1);
    }
}

/// The keys pressed lately, the newest last; says whether there were any.
pub(super) fn keys(state: &State, buffer: &mut Buffer, area: Rect, _hits: &mut Hits) -> bool {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let mut any = false;
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    for (press, faded) in state.projector.keys(state.now) {
        any = true;
        let (key, name) = match faded {
            f if f < 0.4 => (theme.selection, theme.accent),
            f if f < 0.7 => (theme.text, theme.text),
            _ => (theme.faint, theme.faint),
        };
        writer.put(" ", theme.text).put(&format!(" {} ", press.chord), key);
        if let Some(own) = press.name {
            writer.put(&format!(" {}", own.replace('-', " ")), name);
        }
        writer.put(" ", theme.text);
    }
    any
}
