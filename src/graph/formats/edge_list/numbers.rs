//! The fast path: rows of two whole numbers and perhaps a weight, parsed in
//! parallel. Anything else, and the careful path takes over.

use rayon::prelude::*;

use super::super::super::{EdgeRows, IdTable, NodeId};
use super::layout::{Layout, Separator};

/// What one stretch of the text holds.
#[derive(Default)]
struct Stretch {
    ends: Vec<(u32, u32)>,
    weights: Vec<f32>,
    largest: u32,
}

/// How much text one task takes.
const STRETCH_BYTES: usize = 1 << 20;

/// Reads the text if all its rows are plain numbers; nodes are numbered in the
/// order in which their ids first appear.
pub(super) fn read(text: &str, layout: &Layout) -> Option<(IdTable, EdgeRows)> {
    let extra_byte = match layout.separator {
        Separator::Blanks => b' ',
        Separator::Char(c) => u8::try_from(c).ok()?,
    };
    if layout.has_header || layout.dictionaries || !layout.others.is_empty() {
        return None;
    }
    let weighted = layout.weight.is_some();
    let stretches: Vec<Stretch> = stretches(text.as_bytes())
        .into_par_iter()
        .map(|part| parse(part, extra_byte, weighted))
        .collect::<Option<_>>()?;
    let rows: usize = stretches.iter().map(|stretch| stretch.ends.len()).sum();
    let largest = stretches.iter().map(|stretch| stretch.largest).max()?;
    // A table over all possible ids pays only if they are not too sparse.
    if rows == 0 || largest as usize > rows.saturating_mul(8) + (1 << 20) {
        return None;
    }
    let mut edges = EdgeRows {
        sources: Vec::with_capacity(rows),
        targets: Vec::with_capacity(rows),
        weights: weighted.then(|| Vec::with_capacity(rows)),
        columns: Vec::new(),
    };
    let mut numbering = Numbering::up_to(largest);
    for stretch in stretches {
        edges.extend(&stretch, &mut numbering);
    }
    Some((IdTable::from_numbers(numbering.ids.into_iter()), edges))
}

/// Gives out node numbers in order of appearance.
struct Numbering {
    node_of: Vec<u32>,
    ids: Vec<u32>,
}

impl Numbering {
    const UNSEEN: u32 = u32::MAX;

    fn up_to(largest: u32) -> Self {
        Self { node_of: vec![Self::UNSEEN; largest as usize + 1], ids: Vec::new() }
    }

    fn node(&mut self, id: u32) -> NodeId {
        let node = &mut self.node_of[id as usize];
        if *node == Self::UNSEEN {
            *node = self.ids.len() as u32;
            self.ids.push(id);
        }
        NodeId(*node)
    }
}

impl EdgeRows {
    fn extend(&mut self, stretch: &Stretch, numbering: &mut Numbering) {
        for &(source, target) in &stretch.ends {
            self.sources.push(numbering.node(source));
            self.targets.push(numbering.node(target));
        }
        if let Some(weights) = &mut self.weights {
            weights.extend(&stretch.weights);
        }
    }
}

/// Cuts the text into stretches of whole lines.
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

fn parse(text: &[u8], separator: u8, weighted: bool) -> Option<Stretch> {
    let mut stretch = Stretch::default();
    stretch.ends.reserve(text.len() / 12);
    let mut rest = text;
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
        stretch.ends.push((source, target));
        stretch.largest = stretch.largest.max(source).max(target);
        rest = after;
        if weighted {
            let (weight, after) = weight(skip_separator(rest, separator)?)?;
            stretch.weights.push(weight);
            rest = after;
        }
        rest = skip_blanks(rest);
        if !matches!(rest.first(), None | Some(b'\n')) {
            return None;
        }
    }
    Some(stretch)
}

fn skip_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count();
    &text[blanks..]
}

fn skip_separator(text: &[u8], separator: u8) -> Option<&[u8]> {
    let after = skip_blanks(text);
    if separator == b' ' {
        return (after.len() < text.len()).then_some(after);
    }
    (after.first() == Some(&separator)).then(|| skip_blanks(&after[1..]))
}

/// A whole number written the one usual way, so that its text can be restored.
fn whole_number(text: &[u8]) -> Option<(u32, &[u8])> {
    let mut value: u32 = 0;
    let mut length = 0;
    for &byte in text {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        value = value.checked_mul(10)?.checked_add(u32::from(digit))?;
        length += 1;
    }
    let canonical = length == 1 || (length > 1 && text[0] != b'0');
    canonical.then(|| (value, &text[length..]))
}

fn weight(text: &[u8]) -> Option<(f32, &[u8])> {
    let end = text
        .iter()
        .position(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b',' | b';' | b'|'))
        .unwrap_or(text.len());
    let value: f32 = std::str::from_utf8(&text[..end]).ok()?.parse().ok()?;
    (value.is_finite() && value >= 0.0).then(|| (value, &text[end..]))
}
