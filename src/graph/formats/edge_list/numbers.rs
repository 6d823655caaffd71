//! The fast path: rows of two whole numbers and perhaps a weight, parsed in
//! parallel. Anything else, and the careful path takes over.

use rayon::prelude::*;

use super::super::super::{EdgeRows, IdTable, NodeId};
use super::layout::{Layout, Separator};

/// What one stretch of the text holds.
#[derive(Default)]
struct Stretch {
    sources: Vec<NodeId>,
    targets: Vec<NodeId>,
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
    let mut stretches: Vec<Stretch> = stretches(text.as_bytes())
        .into_par_iter()
        .map(|part| parse(part, extra_byte, weighted))
        .collect::<Option<_>>()?;
    let rows: usize = stretches.iter().map(|stretch| stretch.sources.len()).sum();
    let largest = stretches.iter().map(|stretch| stretch.largest).max()?;
    // A table over all possible ids pays only if they are not too sparse.
    if rows == 0 || largest as usize > rows.saturating_mul(8) + (1 << 20) {
        return None;
    }
    let ids = number(&mut stretches, largest);
    let mut edges = EdgeRows {
        sources: Vec::with_capacity(rows),
        targets: Vec::with_capacity(rows),
        weights: weighted.then(|| Vec::with_capacity(rows)),
        columns: Vec::new(),
    };
    for stretch in stretches {
        edges.sources.extend(stretch.sources);
        edges.targets.extend(stretch.targets);
        if let Some(weights) = &mut edges.weights {
            weights.extend(stretch.weights);
        }
    }
    Some((ids, edges))
}

/// Replaces the numbers of the file by node numbers in order of appearance.
fn number(stretches: &mut [Stretch], largest: u32) -> IdTable {
    const UNSEEN: u32 = u32::MAX;
    let mut node_of = vec![UNSEEN; largest as usize + 1];
    let mut seen: Vec<u32> = Vec::new();
    for stretch in stretches {
        for (source, target) in stretch.sources.iter_mut().zip(&mut stretch.targets) {
            for end in [source, target] {
                let node = &mut node_of[end.index()];
                if *node == UNSEEN {
                    *node = seen.len() as u32;
                    seen.push(end.0);
                }
                end.0 = *node;
            }
        }
    }
    IdTable::from_numbers(seen.into_iter())
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
    let guess = text.len() / 12;
    stretch.sources.reserve(guess);
    stretch.targets.reserve(guess);
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
        stretch.sources.push(NodeId(source));
        stretch.targets.push(NodeId(target));
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
