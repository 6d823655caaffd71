//! Every run of the graph: a list with spark lines above or beside, and what is
//! to be known of the chosen one.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};

use super::legend::figure;
use super::{HitTarget, Hits, confusion};
use crate::graph::LabelKind;
use crate::train::{PreparedRun, Verdict};
use crate::tui::node::edits_in_words;
use crate::tui::run::{PlotPane, Run};
use crate::tui::runs::{
    ClassTable, Detail, class_table, compared_alike, disagreement, leads, len, other,
};
use crate::tui::session::difference;
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, clipped, short, split_columns, split_rows, wrapped};

/// Columns of a spark line.
const SPARK: usize = 16;

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let beside = area.width >= 130;
    let (list_area, detail_area) = if beside {
        split_columns(area, area.width / 2)
    } else {
        let rivals =
            state.graph.runs.rivals.len() + usize::from(!state.graph.runs.rivals.is_empty());
        let rows =
            ((len(&state.graph.session) + rivals) as u16 + 3).clamp(5, (area.height / 2).max(5));
        split_rows(area, rows)
    };
    list(state, buffer, list_area, hits);
    // Where there is room for all, nothing has to be turned to.
    let whole = detail_area.height >= 26 && state.graph.runs.detail == Detail::Classes;
    if whole {
        let third = Constraint::Length(detail_area.height / 3);
        let parts: [Rect; 3] =
            Layout::vertical([third, third, Constraint::Fill(1)]).areas(detail_area);
        let all = [Detail::Classes, Detail::Confusion, Detail::Difference];
        for (shown, part) in all.into_iter().zip(parts) {
            detail(state, shown, buffer, part);
        }
    } else if detail_area.height >= 4 {
        detail(state, state.graph.runs.detail, buffer, detail_area);
    }
}

fn list(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let (theme, glyphs, session) = (&state.look.theme, state.look.glyphs, &state.graph.session);
    let title = match state.graph.runs.repeating {
        Some((done, all)) => format!("runs · repeating, {done} of {all} seeds"),
        None if state.graph.runs.comparing => "runs · running other methods".to_owned(),
        None => "runs".to_owned(),
    };
    let inside = card(buffer, area, &title, true, &state.look);
    let wide = inside.width >= 70;
    let mut head = Writer::new(buffer, inside, 0, glyphs);
    head.put("   run", theme.faint).go(inside.x + 20);
    head.put("epochs", theme.faint).go(inside.x + 28);
    head.put("loss", theme.faint).go(inside.x + 37);
    head.put(session.run.score_name(), theme.faint);
    if wide {
        head.go(inside.x + 48).put("best", theme.faint).go(inside.x + 50 + SPARK as u16);
    }
    let rows = Rect { y: inside.y + 1, height: inside.height.saturating_sub(1), ..inside };
    let taken = (len(session) as u16).min(rows.height);
    let below = Rect { y: rows.y + taken, height: rows.height - taken, ..rows };
    rivals(state, buffer, below);
    let height = usize::from(rows.height).max(1);
    let first = state.graph.runs.chosen.saturating_sub(height / 2);
    let first = first.min(len(session).saturating_sub(height));
    for (line, row) in (first..len(session)).take(height).enumerate() {
        let place = Rect { y: rows.y + line as u16, height: 1, ..rows };
        hits.add(place, HitTarget::Run(row));
        if row == state.graph.runs.chosen {
            buffer.set_style(place, theme.selection);
        }
        let other = other(session, row);
        let (name, run) =
            other.map_or((session.name(), &session.run), |own| (own.name(), &own.run));
        let mark = match other {
            None => glyphs.pick(">", "▶"),
            Some(own) if own.shown => glyphs.pick("o", "●"),
            Some(_) => glyphs.pick(".", "○"),
        };
        let pointer = if row == state.graph.runs.chosen { glyphs.pick(">", "▸") } else { " " };
        let mut writer = Writer::new(buffer, place, 0, glyphs);
        writer.put(pointer, theme.accent).put(mark, theme.accent).put(" ", theme.text);
        writer.put(&clipped(&name, 15), theme.text).go(place.x + 20);
        writer.put(&run.epochs.to_string(), theme.text).go(place.x + 28);
        let newest = |pane| run.of(pane).next().and_then(|own| own.series.last());
        let loss = newest(PlotPane::Loss).map_or("-".to_owned(), |own| short(f64::from(own)));
        writer.put(&loss, theme.text).go(place.x + 37);
        let score =
            newest(PlotPane::Score).map_or("-".to_owned(), |own| figure(PlotPane::Score, own));
        let band = other.and_then(|own| own.band.as_ref());
        let high = band.and_then(|[_, high]| high.of(PlotPane::Score).next()?.series.last());
        let score = match newest(PlotPane::Score).zip(high) {
            Some((mean, high)) => format!("{:.1}±{:.1}%", 100.0 * mean, 100.0 * (high - mean)),
            None => score,
        };
        writer.put(&score, theme.text);
        if wide {
            let best = run.best_score.map(|best| figure(PlotPane::Score, best.value));
            writer.go(place.x + 48).put(&best.unwrap_or_default(), theme.good);
            writer.go(place.x + 57).put(&spark(run, glyphs), theme.faint);
            let differs = other.map(|own| difference(&session.settings, &own.settings));
            let room = writer.room().saturating_sub(2);
            writer.put("  ", theme.text);
            writer.put(&clipped(&differs.unwrap_or_default(), room), theme.warn);
        }
    }
}

/// Other methods on the same split, below the runs.
fn rivals(state: &State, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    if state.graph.runs.rivals.is_empty() || area.height < 2 {
        return;
    }
    let kind = state.graph.session.ready.as_ref().map(|ready| ready.prepared.graph.labels().kind());
    let kind = kind.unwrap_or(LabelKind::One);
    let mut head = Writer::new(buffer, area, 0, glyphs);
    let alike = compared_alike(&state.graph.session, &state.graph.runs);
    let title =
        if alike { "   other methods, same split" } else { "   other methods, different split" };
    head.put(title, theme.faint);
    if alike && area.width >= 70 {
        head.go(area.x + 48).put("this run minus it, 95 % interval", theme.faint);
    }
    let rivals = &state.graph.runs.rivals;
    let leads = leads(&state.graph.session, &state.graph.runs);
    for (at, (rival, lead)) in rivals.iter().zip(leads).enumerate() {
        let line = at as u16 + 1;
        if line >= area.height {
            break;
        }
        let mut writer = Writer::new(buffer, area, line, glyphs);
        writer.put("   ", theme.text).put(&clipped(rival.method, 30), theme.text);
        writer.go(area.x + 37);
        let score = rival.score.headline(kind);
        writer.put(&score.map_or("-".to_owned(), |own| figure(PlotPane::Score, own)), theme.text);
        if let Some(lead) = lead.filter(|_| area.width >= 70) {
            let style = match lead.verdict() {
                Verdict::Ahead => theme.good,
                Verdict::Behind => theme.bad,
                Verdict::Open => theme.faint,
            };
            let half = lead.half.map_or_else(String::new, |half| format!(" ± {half:.1}"));
            let text = format!("{:+.1}{half}", lead.mean);
            writer.go(area.x + 48).put(&text, style);
        }
    }
}

/// The score over the run in a few columns.
fn spark(run: &Run, glyphs: crate::tui::glyphs::Glyphs) -> String {
    let curve = run.of(PlotPane::Score).next().or_else(|| run.of(PlotPane::Loss).next());
    let Some(series) = curve.map(|curve| &curve.series) else { return String::new() };
    let whole = series.between(0, usize::MAX);
    let Some(whole) = whole.filter(|own| own.high > own.low) else { return String::new() };
    let columns = SPARK.min(series.len());
    let value = |column: usize| {
        let (from, to) = (column * series.len() / columns, (column + 1) * series.len() / columns);
        series
            .between(from, to)
            .map_or(0.0, |span| (span.last - whole.low) / (whole.high - whole.low))
    };
    (0..columns).map(|column| glyphs.column(1 + (value(column) * 7.0).round() as usize)).collect()
}

fn detail(state: &State, shown: Detail, buffer: &mut Buffer, area: Rect) {
    let row = state.graph.runs.chosen;
    let table = class_table(&state.graph.session, row);
    let title = match shown {
        Detail::Classes => "classes, on test labels",
        Detail::Confusion => "confusion matrix: true rows, predicted columns",
        Detail::Difference => "difference from the current run",
    };
    let inside = card(buffer, area, title, false, &state.look);
    match (shown, table) {
        (Detail::Difference, _) => differing(state, row, buffer, inside),
        (_, None) => {
            let why = "Predictions of this run are not loaded: press enter to switch to it.";
            paragraph(state, buffer, inside, why);
        }
        (Detail::Classes, Some(table)) => classes(state, &table, buffer, inside),
        (Detail::Confusion, Some(table)) if table.confusion.is_empty() => {
            let why = "Nodes of this graph have several labels; a confusion matrix needs one each.";
            paragraph(state, buffer, inside, why);
        }
        (Detail::Confusion, Some(table)) => confusion::draw(state, &table, buffer, inside),
    }
}

fn paragraph(state: &State, buffer: &mut Buffer, area: Rect, text: &str) {
    for (at, line) in wrapped(text, usize::from(area.width)).iter().enumerate() {
        Writer::new(buffer, area, at as u16, state.look.glyphs).put(line, state.look.theme.faint);
    }
}

fn classes(state: &State, table: &ClassTable, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let name = (area.width / 3).clamp(8, 24);
    let columns: [u16; 4] = [1, 8, 15, 22].map(|by| area.x + name + by);
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    writer.put("class", theme.faint);
    for (column, title) in columns.iter().zip(["prec.", "recall", "F1", "nodes"]) {
        writer.go(*column).put(title, theme.faint);
    }
    let bar = area.width.saturating_sub(name + 30);
    for (at, (class, counts)) in table.names.iter().zip(&table.counts).enumerate() {
        let line = at as u16 + 1;
        if line >= area.height {
            break;
        }
        let mut writer = Writer::new(buffer, area, line, glyphs);
        writer.put(&clipped(class, usize::from(name) - 1), theme.text);
        let figures = [counts.precision(), counts.recall(), counts.f1()];
        for (column, value) in columns.iter().zip(figures) {
            writer.go(*column).put(&format!("{:.1}", 100.0 * value), theme.text);
        }
        writer.go(columns[3]).put(&(counts.hits + counts.misses).to_string(), theme.faint);
        let filled = (counts.f1() * f32::from(bar)).round() as usize;
        writer.go(columns[3] + 7).put(&glyphs.pick("=", "━").repeat(filled), theme.good);
    }
}

/// How the graph of a run was edited, if it was.
fn edited(ready: &PreparedRun) -> Option<String> {
    let edits = edits_in_words(&ready.prepared.graph, ready.edits.as_deref()?);
    Some(format!("trained on an edited graph: {edits}"))
}

fn differing(state: &State, row: usize, buffer: &mut Buffer, area: Rect) {
    let session = &state.graph.session;
    let Some(other) = other(session, row) else {
        let mut lines = vec!["This is the current run: choose another to compare.".to_owned()];
        if !session.label.note.is_empty() {
            lines.push(format!("note: {}", session.label.note));
        }
        lines.extend(session.ready.as_deref().and_then(edited));
        return paragraph(state, buffer, area, &lines.join("\n"));
    };
    let mut lines = Vec::new();
    if !other.label.note.is_empty() {
        lines.push(format!("note: {}", other.label.note));
    }
    lines.extend(other.ready.as_deref().and_then(edited));
    if let Some(parting) = &other.parting {
        lines.push(format!("branches from {} at epoch {}", parting.from, parting.epoch));
    }
    let differs = difference(&session.settings, &other.settings);
    lines.push(if differs.is_empty() {
        "same settings".to_owned()
    } else {
        format!("settings, from the current run to this: {differs}")
    });
    match disagreement(session, row) {
        Some(found) => {
            let share = 100.0 * found.differ as f64 / found.nodes.max(1) as f64;
            lines.push(format!(
                "{} of {} test nodes are predicted differently ({share:.1} %)",
                found.differ, found.nodes
            ));
            lines.push(format!("only the current run is right on {}", found.only_current));
            lines.push(format!("only this run is right on {}", found.only_other));
            let (mean, half) = found.accuracy_difference();
            lines.push(format!(
                "accuracy, current run minus this: {mean:+.1} % (95 % interval {:+.1} to {:+.1})",
                mean - half,
                mean + half
            ));
        }
        None => lines.push(
            "Predictions cannot be compared: not loaded, or from different splits.".to_owned(),
        ),
    }
    paragraph(state, buffer, area, &lines.join("\n"));
}
