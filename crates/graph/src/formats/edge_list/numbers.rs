//! The fast parser: rows of two integers and optionally a weight, in parallel. Any
//! other row requires the general parser.

use rayon::prelude::*;

use super::super::super::{EdgeRows, IdTable, NodeId};
use super::layout::{Layout, Separator};

/// Text per task, in bytes.
const STRETCH_BYTES: usize = 1 << 20;

/// Parses the text if all its rows are plain numbers; nodes are numbered in order
/// of appearance.
pub(super) fn read(text: &str, layout: &Layout) -> Option<(IdTable, EdgeRows)> {
    let separator = match layout.separator {
        Separator::Blanks => b' ',
        Separator::Char(c) => u8::try_from(c).ok()?,
    };
    if layout.has_header || layout.dictionaries || !layout.others.is_empty() {
        return None;
    }
    let mut rows = Rows::with_room_for(text.as_bytes(), layout.weight.is_some());
    let stretches = rows.stretches(text.as_bytes());
    let filled: Vec<Filled> =
        stretches.into_par_iter().map(|stretch| stretch.parse(separator)).collect::<Option<_>>()?;
    let mut edges = rows.close_gaps(&filled);
    let largest = filled.iter().map(|own| own.largest).max()?;
    // A table over all possible ids is only worth it if they are not too sparse.
    if edges.is_empty() || largest as usize > edges.len().saturating_mul(8) + (1 << 20) {
        return None;
    }
    let ids = number(&mut edges, largest);
    Some((ids, edges))
}

/// Replaces the ids of the file by node numbers in order of appearance.
///
/// Each share of the rows first lists its ids in order; concatenated without
/// repeats, these lists give the order of the file.
fn number(edges: &mut EdgeRows, largest: u32) -> IdTable {
    const UNSEEN: u32 = u32::MAX;
    let share = edges.len().div_ceil(rayon::current_num_threads().clamp(1, 8)).max(1);
    let ends = edges.sources.par_chunks(share).zip(edges.targets.par_chunks(share));
    let met: Vec<Vec<u32>> =
        ends.map(|(sources, targets)| first_met(sources, targets, largest)).collect();
    let mut node_of = vec![UNSEEN; largest as usize + 1];
    let mut ids: Vec<u32> = Vec::new();
    for id in met.into_iter().flatten() {
        let node = &mut node_of[id as usize];
        if *node == UNSEEN {
            *node = ids.len() as u32;
            ids.push(id);
        }
    }
    let renumber = |ends: &mut Vec<NodeId>| {
        ends.par_iter_mut().with_min_len(1 << 16).for_each(|end| end.0 = node_of[end.index()]);
    };
    let table = || IdTable::from_numbers(ids.into_iter());
    let (ids, _) = rayon::join(table, || {
        rayon::join(|| renumber(&mut edges.sources), || renumber(&mut edges.targets))
    });
    ids
}

/// The distinct ids of some rows, in the order in which they first appear.
fn first_met(sources: &[NodeId], targets: &[NodeId], largest: u32) -> Vec<u32> {
    // One bit per id, so that the table stays in cache.
    let mut seen = vec![0_u64; largest as usize / 64 + 1];
    let mut met = Vec::new();
    for end in sources.iter().zip(targets).flat_map(|(source, target)| [source.0, target.0]) {
        let (word, bit) = (&mut seen[end as usize / 64], 1 << (end % 64));
        if *word & bit == 0 {
            *word |= bit;
            met.push(end);
        }
    }
    met
}

/// The future columns, with space for a row per line.
struct Rows {
    sources: Vec<NodeId>,
    targets: Vec<NodeId>,
    weights: Option<Vec<f32>>,
    /// The number of lines of each chunk of the text.
    lines: Vec<usize>,
}

/// A chunk of the text and the space for its rows.
struct Stretch<'a> {
    text: &'a [u8],
    sources: &'a mut [NodeId],
    targets: &'a mut [NodeId],
    weights: Option<&'a mut [f32]>,
}

/// The result of parsing a chunk.
struct Filled {
    rows: usize,
    largest: u32,
}

impl Rows {
    fn with_room_for(text: &[u8], weighted: bool) -> Self {
        let lines: Vec<usize> = stretches(text)
            .into_par_iter()
            .map(|part| memchr::memchr_iter(b'\n', part).count() + 1)
            .collect();
        let room = lines.iter().sum();
        Self {
            sources: bytemuck::zeroed_vec(room),
            targets: bytemuck::zeroed_vec(room),
            weights: weighted.then(|| bytemuck::zeroed_vec(room)),
            lines,
        }
    }

    fn stretches<'a>(&'a mut self, text: &'a [u8]) -> Vec<Stretch<'a>> {
        let (mut sources, mut targets) = (self.sources.as_mut_slice(), self.targets.as_mut_slice());
        let mut weights = self.weights.as_deref_mut();
        let mut parts = Vec::with_capacity(self.lines.len());
        for (text, &lines) in stretches(text).into_iter().zip(&self.lines) {
            let own_sources = sources.split_off_mut(..lines).unwrap_or_default();
            let own_targets = targets.split_off_mut(..lines).unwrap_or_default();
            let own_weights = weights.as_mut().and_then(|rest| rest.split_off_mut(..lines));
            parts.push(Stretch {
                text,
                sources: own_sources,
                targets: own_targets,
                weights: own_weights,
            });
        }
        parts
    }

    /// Removes the gaps left by blank lines and comments.
    fn close_gaps(mut self, filled: &[Filled]) -> EdgeRows {
        let (mut from, mut to) = (0, 0);
        for (&lines, own) in self.lines.iter().zip(filled) {
            let rows = from..from + own.rows;
            self.sources.copy_within(rows.clone(), to);
            self.targets.copy_within(rows.clone(), to);
            if let Some(weights) = &mut self.weights {
                weights.copy_within(rows, to);
            }
            (from, to) = (from + lines, to + own.rows);
        }
        self.sources.truncate(to);
        self.targets.truncate(to);
        if let Some(weights) = &mut self.weights {
            weights.truncate(to);
        }
        let Self { sources, targets, weights, .. } = self;
        EdgeRows { sources, targets, weights, columns: Vec::new() }
    }
}

/// Divides the text into chunks of whole lines.
fn stretches(mut text: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    while text.len() > STRETCH_BYTES {
        let Some(end) = memchr::memchr(b'\n', &text[STRETCH_BYTES..]) else { break };
        let (part, rest) = text.split_at(STRETCH_BYTES + end + 1);
        parts.push(part);
        text = rest;
    }
    parts.push(text);
    parts
}

impl Stretch<'_> {
    fn parse(mut self, separator: u8) -> Option<Filled> {
        let mut filled = Filled { rows: 0, largest: 0 };
        let mut rest = self.text;
        while !rest.is_empty() {
            rest = skip_blanks(rest);
            match rest.first() {
                None => break,
                Some(b'\n') => {
                    rest = &rest[1..];
                    continue;
                }
                Some(b'#' | b'%') => {
                    let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                    rest = &rest[end..];
                    continue;
                }
                Some(_) => {}
            }
            let (source, after) = whole_number(rest)?;
            let (target, after) = whole_number(skip_separator(after, separator)?)?;
            *self.sources.get_mut(filled.rows)? = NodeId(source);
            *self.targets.get_mut(filled.rows)? = NodeId(target);
            filled.largest = filled.largest.max(source).max(target);
            rest = after;
            if let Some(weights) = &mut self.weights {
                let (weight, after) = weight(skip_separator(rest, separator)?)?;
                *weights.get_mut(filled.rows)? = weight;
                rest = after;
            }
            filled.rows += 1;
            rest = skip_blanks(rest);
            if !matches!(rest.first(), None | Some(b'\n')) {
                return None;
            }
        }
        Some(filled)
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

fn skip_blanks(text: &[u8]) -> &[u8] {
    let mut at = 0;
    while at < text.len() && is_blank(text[at]) {
        at += 1;
    }
    &text[at..]
}

fn skip_separator(text: &[u8], separator: u8) -> Option<&[u8]> {
    if separator == b' ' {
        let (first, rest) = text.split_first()?;
        return is_blank(*first).then(|| skip_blanks(rest));
    }
    let (first, rest) = skip_blanks(text).split_first()?;
    (*first == separator).then(|| skip_blanks(rest))
}

/// An integer in canonical form, so that its text can be restored.
fn whole_number(text: &[u8]) -> Option<(u32, &[u8])> {
    const MOST_DIGITS: usize = 10;
    let mut value: u64 = 0;
    let mut length = 0;
    while length < text.len() {
        let digit = text[length].wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        // Too many digits wrap around, and are refused below.
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        length += 1;
    }
    let canonical = length == 1 || (length > 1 && length <= MOST_DIGITS && text[0] != b'0');
    let value = u32::try_from(value).ok().filter(|_| canonical)?;
    Some((value, &text[length..]))
}

fn weight(text: &[u8]) -> Option<(f32, &[u8])> {
    let end = text
        .iter()
        .position(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b',' | b';' | b'|'))
        .unwrap_or(text.len());
    let value: f32 = std::str::from_utf8(&text[..end]).ok()?.parse().ok()?;
    (value.is_finite() && value >= 0.0).then(|| (value, &text[end..]))
}
