//! The top: the graph, the screens, and how the training goes.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Hits, Target};
use crate::train::Phase;
use crate::tui::state::{Screen, State};
use crate::tui::widgets::{Writer, clipped, short};

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let (status, style) = status(state, area.width < 60);
    let title = if state.picker.is_some() { "gesf-tui" } else { state.session.title.as_str() };
    let narrow = area.width < 70;
    let mut tabs = Vec::new();
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    let room = if narrow { 12 } else { 30 };
    writer.put(" ", theme.text).put(&clipped(title, room), theme.accent).put("  ", theme.text);
    if state.picker.is_none() {
        for (screen, name) in Screen::ALL {
            let start = writer.place();
            let (mark, style) = if screen == state.screen {
                (format!("[{name}]"), theme.accent)
            } else {
                (format!(" {name} "), theme.faint)
            };
            writer.put(&mark, style);
            let width = writer.place() - start;
            tabs.push((Rect { x: start, width, height: 1, ..area }, screen));
        }
        writer.put(" ", theme.text);
        let fits = clipped(&status, writer.room().saturating_sub(1));
        writer.right(&format!("{fits} "), style);
    }
    for (place, screen) in tabs {
        hits.add(place, Target::Screen(screen));
    }
    if area.height > 1 {
        let line = about(state);
        Writer::new(buffer, area, 1, glyphs).put(" ", theme.text).put(&line, theme.faint);
    }
}

/// What the training does, in one line.
fn status(state: &State, brief: bool) -> (String, Style) {
    let (session, theme) = (&state.session, &state.look.theme);
    let glyphs = state.look.glyphs;
    let back = session.at < session.run.epochs;
    let end = if back { session.run.epochs } else { session.settings.epochs };
    let epochs = format!("{}/{end}", session.at);
    let speed = session.speed.map(|speed| format!(" · {} epochs/s", short(speed)));
    let speed = speed.unwrap_or_default();
    if session.failed.is_some() {
        return (format!("{} stopped · epoch {epochs}", glyphs.pick("!", "✕")), theme.bad);
    }
    let sign = match session.phase {
        None | Some(Phase::Preparing) => None,
        Some(Phase::Running) => Some((glyphs.pick(">", "▶"), theme.good)),
        Some(Phase::Paused) => Some((glyphs.pick("=", "‖"), theme.warn)),
        Some(Phase::Finished) => Some((glyphs.pick("#", "■"), theme.accent)),
    };
    if let Some((sign, style)) = sign.filter(|_| brief) {
        return (format!("{sign} {epochs}"), style);
    }
    match session.phase {
        None | Some(Phase::Preparing) => ("preparing".to_owned(), theme.warn),
        Some(Phase::Running) => {
            let left = session.seconds_left().map(|left| format!(" · {} left", time(left)));
            let left = left.unwrap_or_default();
            (format!("{} epoch {epochs}{speed}{left}", glyphs.pick(">", "▶")), theme.good)
        }
        Some(Phase::Paused | Phase::Finished) if back => {
            let sign = glyphs.pick("<", "◀");
            (format!("{sign} gone back to epoch {} of {end}", session.at), theme.warn)
        }
        Some(Phase::Paused) => {
            (format!("{} paused · epoch {epochs}{speed}", glyphs.pick("=", "‖")), theme.warn)
        }
        Some(Phase::Finished) => {
            (format!("{} done · epoch {epochs}{speed}", glyphs.pick("#", "■")), theme.accent)
        }
    }
}

/// A span of time in two parts at most.
pub(super) fn time(seconds: f64) -> String {
    match seconds {
        s if s < 9.95 => format!("{s:.1} s"),
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min {:02.0} s", (s / 60.0).floor(), s % 60.0),
        s => format!("{:.0} h {:02.0} min", (s / 3600.0).floor(), (s % 3600.0) / 60.0),
    }
}

/// What the run stands on.
fn about(state: &State) -> String {
    let Some(ready) = state.session.ready.as_ref().filter(|_| state.picker.is_none()) else {
        return "graph embedding via set functions".to_owned();
    };
    let graph = &ready.ground.graph;
    let mut parts =
        vec![format!("{} nodes", graph.node_count()), format!("{} edges", graph.edge_count())];
    if graph.types().count() > 1 {
        parts.push(graph.types().names().join(" + "));
    }
    if let Some(classes) = graph.labels().classes() {
        parts.push(format!("{} classes", classes.names().len()));
    }
    let (seen, held) = (ready.split.seen.len(), ready.split.held.len());
    if seen + held > 0 {
        parts.push(format!("{seen} train, {held} test"));
    }
    parts.push(state.session.ground_line());
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    parts.push(if cfg!(test) { "CPU".to_owned() } else { format!("CPU, {threads} threads") });
    parts.join(" · ")
}
