//! The general parser: row by row, any ids, with an error message for every fault.

use super::super::super::error::quoted;
use super::super::super::{Cell, Columns, GraphError, IdTable, NodeId, RawGraph, Reading};
use super::super::python_dict;
use super::super::room::Room;
use super::super::weights::checked_weight;
use super::Ends;
use super::layout::{Layout, is_comment};
use super::widths::Widths;

pub(super) fn read(
    text: &str,
    layout: &Layout,
    raw: &mut RawGraph,
    ends: Ends,
    reading: &mut Reading,
) -> Result<(), GraphError> {
    let columns_are_known = layout.has_header || layout.dictionaries;
    let widths =
        if columns_are_known { None } else { Some(Widths::survey(text, layout, reading)?) };
    let mut rows = Rows { layout, reading, weights: Vec::new(), any_weight: false };
    let mut columns = Columns::default();
    let mut header_ahead = layout.has_header;
    let mut wider = 0;
    let room = Room::of(text);
    for (line, row) in (1..).zip(text.lines()) {
        // With a header, the first cell of a row may be empty.
        let row = if layout.has_header { row.trim_end() } else { row.trim() };
        if row.is_empty() || is_comment(row) {
            continue;
        }
        if std::mem::take(&mut header_ahead) {
            continue;
        }
        if let Some(widths) = widths
            && !widths.check((line, row), layout, rows.reading)?
        {
            continue;
        }
        let parts = layout.separator.split(row);
        let Some((source, target)) = rows.ends(&parts, row, line)? else { continue };
        let extras = if layout.dictionaries { rows.dictionary(row, line)? } else { Some(vec![]) };
        let Some(extras) = extras else { continue };
        let Some(weight) = rows.weight(&parts, &extras, line)? else { continue };
        let Some(source) = rows.node(source, &mut raw.ids, ends, line) else { continue };
        let Some(target) = rows.node(target, &mut raw.ids, ends, line) else { continue };
        let at = raw.edges.len();
        raw.edges.push(source, target);
        rows.weights.push(weight);
        for (column, name) in &layout.others {
            if let Some(part) = parts.get(*column).filter(|part| !part.is_empty()) {
                columns.set(name, at, Cell::parse(part));
            }
        }
        for (name, cell) in extras.into_iter().filter(|(name, _)| name != "weight") {
            columns.set(&name, at, cell);
        }
        room.check(&columns, at + 1, line, rows.reading)?;
        let known = if layout.weight.is_some() { 3 } else { 2 };
        wider += usize::from(!layout.has_header && !layout.dictionaries && parts.len() > known);
    }
    raw.edges.weights = rows.any_weight.then_some(rows.weights);
    raw.edges.columns = columns.finish(raw.edges.len());
    if wider > 0 {
        reading.note(format!("{wider} edge rows have extra columns, which were ignored"));
    }
    Ok(())
}

struct Rows<'a> {
    layout: &'a Layout,
    reading: &'a mut Reading,
    weights: Vec<f32>,
    any_weight: bool,
}

impl Rows<'_> {
    fn ends<'p>(
        &mut self,
        parts: &'p [std::borrow::Cow<'_, str>],
        row: &str,
        line: u64,
    ) -> Result<Option<(&'p str, &'p str)>, GraphError> {
        let part = |at: usize| parts.get(at).map(AsRef::as_ref).filter(|id: &&str| !id.is_empty());
        if let (Some(source), Some(target)) = (part(self.layout.source), part(self.layout.target)) {
            return Ok(Some((source, target)));
        }
        let found = match parts.len() {
            1 => format!("one column ({})", quoted(row)),
            n => format!("an empty id among {n} columns ({})", quoted(row)),
        };
        let advice = "separate the two ids with a space, a tab or a comma";
        self.reading.bad_row(line, found, "two node ids", advice)?;
        Ok(None)
    }

    fn dictionary(
        &mut self,
        row: &str,
        line: u64,
    ) -> Result<Option<Vec<(String, Cell)>>, GraphError> {
        let text = row.find('{').map_or("", |start| &row[start..]);
        let read = python_dict::read(text);
        if read.is_none() {
            let expected = "a dictionary such as {'weight': 3}";
            self.reading.bad_row(line, quoted(text), expected, "fix the row")?;
        }
        Ok(read)
    }

    fn weight(
        &mut self,
        parts: &[std::borrow::Cow<'_, str>],
        extras: &[(String, Cell)],
        line: u64,
    ) -> Result<Option<f32>, GraphError> {
        let listed = self.layout.weight.and_then(|at| parts.get(at)).map(ToString::to_string);
        let extra = extras.iter().find(|(name, _)| name == "weight").map(|(_, c)| c.to_string());
        let Some(text) = listed.or(extra).filter(|text| !text.is_empty()) else {
            return Ok(Some(1.0));
        };
        self.any_weight = true;
        checked_weight(&text, line, self.reading)
    }

    fn node(&mut self, id: &str, ids: &mut IdTable, ends: Ends, line: u64) -> Option<NodeId> {
        match ends {
            Ends::Add => Some(ids.intern(id)),
            Ends::Listed => {
                let node = ids.find(id);
                if node.is_none() {
                    self.reading.unknown_end(id, Some(line));
                }
                node
            }
        }
    }
}
