//! graph6: the upper half of an adjacency matrix, six bits per character.
//!
//! The first characters give the number of nodes; then one bit for each pair (0,1),
//! (0,2), (1,2), (0,3), …. Nodes are numbered from 0, as in nauty and networkx. A
//! file has one graph per line; only the first is read.

use super::super::error::quoted;
use super::super::{GraphError, IdTable, NodeId, RawGraph, Reading};

/// The optional header of a file.
pub const HEADER: &str = ">>graph6<<";

/// Characters encode 0 to 63 by their offset from this one.
const ZERO: u8 = b'?';

/// Instead of the node count: a longer count follows.
const LONGER: u8 = b'~';

const BITS: usize = 6;

/// Reads the first graph of a graph6 file.
pub fn read(text: &str, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let mut lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| {
        // The header may be on a separate line.
        !line.is_empty() && *line != HEADER
    });
    let Some((line, first)) = lines.next() else {
        let advice = "check that this is the right file";
        return Err(reading.broken(Some(1), "nothing", "a graph in graph6", advice));
    };
    let graph = first.strip_prefix(HEADER).unwrap_or(first);
    refuse_relatives(graph, line, reading)?;
    if let Some(stranger) = graph.chars().find(|c| !('?'..='~').contains(c)) {
        let found = format!("{} in {}", quoted(&stranger.to_string()), quoted(graph));
        let expected = "the characters from `?` to `~` only";
        return Err(reading.broken(Some(line), found, expected, "name the right --format"));
    }
    let sixes: Vec<u8> = graph.bytes().map(|byte| byte - ZERO).collect();
    let Some((nodes, bits)) = node_count(&sixes) else {
        let found = quoted(graph);
        let advice = "the file is truncated: download or export it again";
        return Err(reading.broken(Some(line), found, "a whole number of nodes", advice));
    };
    let pairs = u128::from(nodes) * u128::from(nodes.saturating_sub(1)) / 2;
    let wanted = pairs.div_ceil(BITS as u128);
    if wanted != bits.len() as u128 {
        let found = format!("{} characters of edges", bits.len());
        let expected = format!("{wanted} for {nodes} nodes");
        let advice = "the file is damaged or truncated: download or export it again";
        return Err(reading.broken(Some(line), found, expected, advice));
    }
    let more = lines.count();
    if more > 0 {
        reading.note(format!("the file holds {} graphs; the first was read", more + 1));
    }
    Ok(from_bits(nodes as u32, bits))
}

/// Refuses the two similar formats (sparse6 and digraph6).
fn refuse_relatives(graph: &str, line: u64, reading: &Reading) -> Result<(), GraphError> {
    let is = |mark: char, header: &str| graph.starts_with(mark) || graph.starts_with(header);
    let name = if is(':', ">>sparse6<<") || graph.starts_with(';') {
        "sparse6"
    } else if is('&', ">>digraph6<<") {
        "digraph6"
    } else {
        return Ok(());
    };
    let advice = "write it as GraphML or an edge list first, with networkx or nauty's showg";
    Err(reading.broken(Some(line), format!("a graph in {name}"), "a graph in graph6", advice))
}

/// The number of nodes, and the remaining characters.
fn node_count(sixes: &[u8]) -> Option<(u64, &[u8])> {
    let longer = LONGER - ZERO;
    let (start, length) = match sixes {
        [a, b, ..] if [*a, *b] == [longer; 2] => (2, 6),
        [a, ..] if *a == longer => (1, 3),
        _ => (0, 1),
    };
    let digits = sixes.get(start..start + length)?;
    let count = digits.iter().fold(0, |count, &digit| count << BITS | u64::from(digit));
    Some((count, &sixes[start + length..]))
}

/// The edges; the number of nodes has been checked against the bits.
fn from_bits(nodes: u32, sixes: &[u8]) -> RawGraph {
    let mut raw = RawGraph { ids: IdTable::from_numbers(0..nodes), ..RawGraph::default() };
    let mut bit = 0;
    for later in 1..nodes {
        for earlier in 0..later {
            if sixes[bit / BITS] >> (BITS - 1 - bit % BITS) & 1 == 1 {
                raw.edges.push(NodeId(earlier), NodeId(later));
            }
            bit += 1;
        }
    }
    raw
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OnBadRow;

    fn read_one(text: &str) -> (Result<RawGraph, String>, Vec<String>) {
        let mut reading = Reading::new("x.g6", OnBadRow::Fail);
        let raw = read(text, &mut reading).map_err(|error| error.to_string());
        (raw, reading.notes)
    }

    fn ends(raw: &RawGraph) -> Vec<(u32, u32)> {
        raw.edges.iter().map(|(source, target, _)| (source.0, target.0)).collect()
    }

    #[test]
    fn the_example_in_the_specification_is_read() {
        let raw = read_one("DQc\n").0.unwrap();
        assert_eq!(raw.ids.len(), 5);
        assert_eq!(ends(&raw), [(0, 2), (1, 3), (0, 4), (3, 4)]);
    }

    #[test]
    fn the_header_may_be_on_the_same_or_a_separate_line() {
        for text in [">>graph6<<Bw\n", ">>graph6<<\nBw", "Bw"] {
            assert_eq!(ends(&read_one(text).0.unwrap()), [(0, 1), (0, 2), (1, 2)], "{text}");
        }
    }

    #[test]
    fn only_the_first_of_several_graphs_is_read_with_a_note() {
        let (raw, notes) = read_one("A_\nBw\nDQc\n");
        assert_eq!(ends(&raw.unwrap()), [(0, 1)]);
        assert_eq!(notes, ["the file holds 3 graphs; the first was read"]);
    }

    #[test]
    fn a_longer_count_is_read() {
        let edges = "?".repeat((63_usize * 62 / 2).div_ceil(6));
        assert_eq!(read_one(&format!("~??~{edges}")).0.unwrap().ids.len(), 63);
        assert_eq!(read_one(&format!("~~?????~{edges}")).0.unwrap().ids.len(), 63);
    }

    #[test]
    fn a_count_beyond_the_text_is_refused_without_allocating() {
        let error = read_one("~~~~~~~~").0.unwrap_err();
        assert!(error.contains("line 1: found 0 characters of edges"), "{error}");
        assert!(read_one("~~~").0.is_err() && read_one("~").0.is_err());
    }

    #[test]
    fn similar_formats_are_identified() {
        for (text, name) in [
            (":Fa@x^", "sparse6"),
            (">>sparse6<<:Fa@x^", "sparse6"),
            ("&B_", "digraph6"),
            (">>digraph6<<&B_", "digraph6"),
        ] {
            let error = read_one(text).0.unwrap_err();
            assert!(error.contains(name), "{error}");
        }
        assert!(read_one("hello world").0.unwrap_err().contains("` ` in `hello world`"));
    }
}
