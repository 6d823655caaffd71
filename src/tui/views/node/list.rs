//! The list of nodes. Only rows in sight are put into words, so it is as quick
//! on twenty thousand nodes as on twenty.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use super::super::{HitTarget, Hits};
use super::bars::percent;
use crate::explain::{NodeFacts, PredictFrom, Prediction, Sort};
use crate::graph::{Classes, Graph};
use crate::tui::node::{Listing, NodePane};
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, clipped, short};

/// A column: what it sorts by, its heading, its width.
type Column = (Sort, &'static str, u16);

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let list = &state.graph.node.list;
    let focused = state.graph.node.pane == NodePane::List;
    let (found, all) =
        (list.rows.len(), list.listing.as_ref().map_or(0, |own| own.roster.facts.len()));
    let title =
        if found == all { format!("{all} nodes") } else { format!("{found} of {all} nodes") };
    let inside = card(buffer, area, &title, focused, &state.look);
    hits.add(inside, HitTarget::NodePane(NodePane::List));
    search(state, buffer, inside, hits);
    let Some(listing) = &list.listing else {
        Writer::new(buffer, inside, 2, glyphs).put("loading", theme.faint);
        return;
    };
    let columns = columns(listing, inside.width);
    heading(state, &columns, buffer, Rect { y: inside.y + 1, ..inside }, hits);
    let rows = Rect { y: inside.y + 2, height: inside.height.saturating_sub(2), ..inside };
    if list.rows.is_empty() {
        let text = "no matches: esc clears the search, w changes the filter";
        for (at, line) in
            crate::tui::widgets::wrapped(text, usize::from(rows.width)).iter().enumerate()
        {
            Writer::new(buffer, rows, at as u16, glyphs).put(line, theme.faint);
        }
        return;
    }
    let height = usize::from(rows.height);
    let first = list.at.saturating_sub(height / 2).min(list.rows.len().saturating_sub(height));
    let sight = list.rows.iter().enumerate().skip(first).take(height);
    for (line, (at, &node)) in sight.enumerate() {
        let place = Rect { y: rows.y + line as u16, height: 1, ..rows };
        hits.add(place, HitTarget::NodeRow(at));
        let open = state.graph.chosen_node == Some(node);
        if at == list.at && focused {
            buffer.set_style(place, theme.selection);
        }
        let Some(facts) = listing.facts(node) else { continue };
        let mut writer = Writer::new(buffer, place, 0, glyphs);
        let mark = if open { glyphs.pick(">", "▸") } else { " " };
        writer.put(mark, theme.accent);
        row(state, listing, facts, &columns, &mut writer);
    }
}

/// What is typed and who is shown.
fn search(state: &State, buffer: &mut Buffer, inside: Rect, hits: &mut Hits) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let list = &state.graph.node.list;
    let place = Rect { height: 1, ..inside };
    let filter = list.filter_name();
    let width = (filter.width() + 3) as u16;
    let part = Rect { x: place.right().saturating_sub(width), width, ..place };
    let mut writer = Writer::new(
        buffer,
        Rect { width: place.width - width.min(place.width), ..place },
        0,
        glyphs,
    );
    match &list.typed {
        Some(line) => {
            let (before, after) = line.parts();
            writer.put("/", theme.accent).put(before, theme.text);
            writer.put(glyphs.pick("_", "▏"), theme.accent).put(after, theme.text);
        }
        None if list.query.text.is_empty() => {
            writer.put("/", theme.accent).put(" search", theme.faint);
        }
        None => {
            writer.put("/", theme.accent).put(&list.query.text, theme.accent);
        }
    }
    hits.add(place, HitTarget::Command("search-nodes"));
    hits.add(part, HitTarget::Command("next-filter"));
    let mut writer = Writer::new(buffer, part, 0, glyphs);
    writer.put("w ", theme.accent).put(&filter, theme.text);
}

/// What most ids fit in.
const ID_WIDTH: u16 = 8;

/// The columns there is room for; the first takes what is left.
fn columns(listing: &Listing, width: u16) -> Vec<Column> {
    let labelled = listing.graph().labels().kind() != crate::graph::LabelKind::None;
    let has_names = listing.graph().has_names();
    let named = if has_names { Sort::Name } else { Sort::Id };
    let mut columns: Vec<Column> = Vec::new();
    if labelled {
        let both = width >= 44;
        // Ids are short; where there are no names, classes have the room.
        let left = width.saturating_sub(ID_WIDTH + 11) / if both { 2 } else { 1 };
        let word = if has_names { width / 5 } else { left.saturating_sub(2) }.clamp(8, 18);
        if both {
            columns.push((Sort::Truth, "label", word));
        }
        columns.push((Sort::Prediction, "predicted", word + 1));
        columns.push((Sort::Confidence, "conf.", 6));
    }
    columns.push((Sort::Degree, "deg", 5));
    let used: u16 = columns.iter().map(|column| column.2).sum();
    columns.insert(0, (named, "node", width.saturating_sub(used + 1)));
    columns
}

fn heading(state: &State, columns: &[Column], buffer: &mut Buffer, place: Rect, hits: &mut Hits) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let query = &state.graph.node.list.query;
    let mut x = place.x + 1;
    for (at, &(sort, name, width)) in columns.iter().enumerate() {
        let area =
            Rect { x, width: width.min(place.right().saturating_sub(x)), height: 1, ..place };
        hits.add(area, HitTarget::NodeSort(sort));
        let by_first = at == 0 && matches!(query.sort, Sort::Id | Sort::Name);
        let own = query.sort == sort || by_first;
        let arrow = if query.reversed { glyphs.pick("v", "▾") } else { glyphs.pick("^", "▴") };
        let name = match (at, sort, query.sort) {
            (0, _, Sort::Id) => "id",
            (0, _, Sort::Name) => "name",
            (_, Sort::Prediction, _) if query.from == PredictFrom::R => "from R",
            _ => name,
        };
        let text = if own { format!("{name}{arrow}") } else { name.to_owned() };
        let style = if own { theme.accent } else { theme.faint };
        let text = if matches!(sort, Sort::Confidence | Sort::Degree) {
            format!("{text:>width$}", width = usize::from(width))
        } else {
            text
        };
        Writer::new(buffer, area, 0, glyphs).put(&text, style);
        x += width;
    }
}

fn row(
    state: &State,
    listing: &Listing,
    facts: &NodeFacts,
    columns: &[Column],
    writer: &mut Writer<'_>,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let graph = listing.graph();
    let guess = facts.guess(state.graph.node.list.query.from);
    let start = writer.place();
    let mut x = start;
    for &(sort, _, width) in columns {
        writer.go(x);
        let room = usize::from(width.saturating_sub(1));
        match sort {
            Sort::Truth => {
                let text = listing.context.truth_text(facts.node);
                writer.put(&clipped(&text, room), theme.faint);
            }
            Sort::Prediction => {
                let (sign, style) = match guess {
                    _ if guess.is_wrong() => (glyphs.pick("x", "✕"), theme.bad),
                    Prediction::Class { right: Some(true), .. }
                    | Prediction::Value { right: Some(true), .. } => {
                        (glyphs.pick("=", "✓"), theme.good)
                    }
                    _ => (" ", theme.faint),
                };
                writer.put(sign, style);
                let text = predicted(graph, guess);
                writer.put(&clipped(&text, room.saturating_sub(1)), theme.text);
            }
            Sort::Confidence => {
                let text = match guess {
                    Prediction::Class { confidence, .. } => percent(f64::from(confidence)),
                    Prediction::Value { error: Some(error), .. } => {
                        format!("±{}", short(f64::from(error)))
                    }
                    _ => String::new(),
                };
                writer.put(&format!("{text:>width$}", width = usize::from(width)), theme.text);
            }
            Sort::Degree => {
                let text = facts.degree.to_string();
                writer.put(&format!("{text:>width$}", width = usize::from(width)), theme.faint);
            }
            _ => {
                let (id, name) = (graph.ids().text(facts.node), graph.name(facts.node));
                writer.put(&clipped(id, room), theme.text);
                let left = usize::from((x + width).saturating_sub(writer.place() + 1));
                if graph.has_names() && name != id && left > 3 {
                    writer.put(" ", theme.text).put(&clipped(name, left - 1), theme.faint);
                }
            }
        }
        x += width;
    }
}

fn predicted(graph: &Graph, guess: Prediction) -> String {
    match guess {
        Prediction::None => String::new(),
        Prediction::Class { class, .. } => {
            let names = graph.labels().classes().map(Classes::names).unwrap_or_default();
            names.get(class.index()).cloned().unwrap_or_default()
        }
        Prediction::Value { value, .. } => short(f64::from(value)),
    }
}
