//! The top: the graph, the screens, and how the training goes.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::{HitTarget, Hits};
use crate::train::Phase;
use crate::tui::state::{Screen, State};
use crate::tui::widgets::{Writer, clipped, short};

/// The name of the graph takes at most this much.
const TITLE: usize = 30;
/// What lies between and around the name, the tabs, the sign and the words.
const GAPS: usize = 7;
/// Below this width the tabs that are not open shrink to a letter, and the name
/// of the graph gives way to them.
const NARROW: u16 = 70;

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let narrow = area.width < NARROW;
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    if state.picker.is_some() {
        writer.put(" ", theme.text).put("gesf-tui", theme.accent);
    } else {
        let tabs: Vec<(Screen, String)> = Screen::ALL
            .iter()
            .filter(|(screen, _)| screen.fits(area.width))
            .map(|(screen, name)| match *screen == state.screen {
                true => (*screen, format!("[{name}]")),
                false if narrow => (*screen, format!(" {}", &name[..1])),
                false => (*screen, format!(" {name} ")),
            })
            .collect();
        let (sign, words, style) = status(state);
        let tabs_width: usize = tabs.iter().map(|(_, text)| text.width()).sum();
        let room = usize::from(area.width).saturating_sub(tabs_width + GAPS);
        let shortest = words.last().map_or(0, |text| text.width());
        let title = room.saturating_sub(shortest).min(TITLE);
        let title =
            if narrow { String::new() } else { clipped(&state.graph.session.heading(), title) };
        let left = room.saturating_sub(title.width());
        let fits = words.iter().find(|text| text.width() <= left).or(words.last());
        writer.put(" ", theme.text);
        if !title.is_empty() {
            writer.put(&title, theme.accent).put("  ", theme.text);
        }
        for (screen, text) in tabs {
            let start = writer.place();
            let style = if screen == state.screen { theme.accent } else { theme.faint };
            writer.put(&text, style);
            let width = writer.place() - start;
            hits.add(Rect { x: start, width, height: 1, ..area }, HitTarget::Screen(screen));
        }
        writer.put(" ", theme.text);
        let said = format!("{sign} {}", fits.map_or("", String::as_str));
        let fits = clipped(said.trim_start(), writer.room().saturating_sub(1));
        writer.right(&format!("{fits} "), style);
    }
    if area.height > 1 {
        let line = about(state);
        Writer::new(buffer, area, 1, glyphs).put(" ", theme.text).put(&line, theme.faint);
    }
}

/// What the training does: a sign, and words from the longest to the shortest.
fn status(state: &State) -> (&'static str, Vec<String>, Style) {
    let (session, theme) = (&state.graph.session, &state.look.theme);
    let glyphs = state.look.glyphs;
    let back = session.at < session.run.epochs;
    let end = if back { session.run.epochs } else { session.settings.epochs };
    let epochs = format!("{}/{end}", session.at);
    let speed = match (state.speed.limit(), session.speed) {
        (Some(limit), _) => format!(" · limit {limit} epochs/s"),
        (None, Some(speed)) => format!(" · {} epochs/s", short(speed)),
        (None, None) => String::new(),
    };
    let (sign, word, style) = match session.phase {
        _ if session.failed.is_some() => (glyphs.pick("!", "✕"), "stopped · ", theme.bad),
        None | Some(Phase::Reading | Phase::Preparing) => {
            return ("", vec!["preparing".to_owned()], theme.warn);
        }
        Some(Phase::Running) => (glyphs.pick(">", "▶"), "", theme.good),
        Some(Phase::Paused | Phase::Finished) if back => {
            let place = format!("{} of {end}", session.at);
            let words = vec![format!("back at epoch {place}"), format!("at {place}"), epochs];
            return (glyphs.pick("<", "◀"), words, theme.warn);
        }
        Some(Phase::Paused) => (glyphs.pick("=", "‖"), "paused · ", theme.warn),
        Some(Phase::Finished) => (glyphs.pick("#", "■"), "done · ", theme.accent),
    };
    let part = session.stage().map(|number| format!("stage {number}/2 · ")).unwrap_or_default();
    let mut words = vec![format!("{word}{part}epoch {epochs}{speed}")];
    if session.phase == Some(Phase::Running)
        && let Some(left) = session.seconds_left()
    {
        words.insert(0, format!("{} · {} left", words[0], time(left)));
    }
    words.push(format!("{word}{part}epoch {epochs}"));
    words.push(format!("{word}epoch {epochs}"));
    words.extend([format!("{word}{epochs}"), format!("epoch {epochs}"), epochs]);
    (sign, words, style)
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
    let Some(ready) = state.graph.session.ready.as_ref().filter(|_| state.picker.is_none()) else {
        return "graph embedding via set functions".to_owned();
    };
    let graph = &ready.prepared.graph;
    let mut parts =
        vec![format!("{} nodes", graph.node_count()), format!("{} edges", graph.edge_count())];
    if graph.types().count() > 1 {
        parts.push(graph.types().names().join(" + "));
    }
    if let Some(classes) = graph.labels().classes() {
        parts.push(format!("{} classes", classes.names().len()));
    }
    let (train, test) = (ready.split.train.len(), ready.split.test.len());
    if train + test > 0 {
        let validation = match ready.split.validation.len() {
            0 => String::new(),
            count => format!("{count} validation, "),
        };
        parts.push(format!("{train} train, {validation}{test} test"));
    }
    parts.push(state.graph.session.operator_line());
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    parts.push(if cfg!(test) { "CPU".to_owned() } else { format!("CPU, {threads} threads") });
    parts.join(" · ")
}
