//! Formats with a row of neighbours for each node: adjacency lists, as networkx
//! writes them, and METIS files. Read only.

use super::super::{GraphError, IdTable, NodeId, RawGraph, Reading};

/// Reads an adjacency list: a node, then its neighbours, separated by spaces.
pub fn read_adjacency(text: &str) -> RawGraph {
    let mut raw = RawGraph::default();
    for row in text.lines() {
        let row = row.split('#').next().unwrap_or_default();
        let mut ids = row.split_whitespace();
        let Some(own) = ids.next().map(|id| raw.ids.intern(id)) else { continue };
        for other in ids {
            let other = raw.ids.intern(other);
            raw.edges.push(own, other);
        }
    }
    raw
}

/// The first row of a METIS file.
struct Head {
    nodes: usize,
    /// Numbers before the neighbours: a size and weights of the node.
    skipped: usize,
    is_weighted: bool,
}

/// Reads a METIS file: `nodes edges [format [weights]]`, then a row of neighbours for
/// each node, numbered from 1.
pub fn read_metis(text: &str, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let mut rows = (1..).zip(text.lines()).filter(|(_, row)| !row.starts_with('%'));
    let head = rows.next().and_then(|(_, row)| Head::of(row)).ok_or_else(|| {
        let advice = "name the right --format";
        reading.broken(Some(1), "no counts", "`nodes edges [format [weights]]`", advice)
    })?;
    let lists: Vec<(u64, &str)> = rows.collect();
    let full = lists.iter().rposition(|(_, row)| !row.trim().is_empty()).map_or(0, |at| at + 1);
    // Rows of isolated nodes at the end may be missing, but not more than the file
    // has characters: a mistaken count must not fill the memory.
    if full > head.nodes || head.nodes > text.len() {
        let (found, expected) = (format!("{full} rows"), format!("{} rows", head.nodes));
        let advice = "the file is damaged or truncated: download or export it again";
        return Err(reading.broken(Some(1), found, expected, advice));
    }
    let mut raw =
        RawGraph { ids: IdTable::from_numbers(1..=head.nodes as u32), ..RawGraph::default() };
    let mut weights = Vec::new();
    for (own, (line, row)) in lists.into_iter().take(full).enumerate() {
        let mut numbers = row.split_whitespace().skip(head.skipped);
        while let Some(word) = numbers.next() {
            let other = word.parse().ok().filter(|other| (1..=head.nodes).contains(other));
            let weight = if head.is_weighted { numbers.next() } else { Some("1") };
            let weight = weight.and_then(|text| text.parse::<f32>().ok());
            let weight = weight.filter(|weight| weight.is_finite() && *weight >= 0.0);
            let (Some(other), Some(weight)) = (other, weight) else {
                let expected = format!("the numbers of nodes from 1 to {}", head.nodes);
                reading.bad_row(
                    line,
                    super::super::error::quoted(word),
                    expected,
                    "fix the row",
                )?;
                break;
            };
            // Every edge is listed from both sides.
            if own < other {
                raw.edges.push(NodeId(own as u32), NodeId(other as u32 - 1));
                weights.push(weight);
            }
        }
    }
    raw.edges.weights = head.is_weighted.then_some(weights);
    Ok(raw)
}

impl Head {
    fn of(row: &str) -> Option<Self> {
        let words: Vec<&str> = row.split_whitespace().collect();
        let nodes = words.first()?.parse().ok().filter(|nodes| *nodes < super::super::MAX_NODES)?;
        let _: usize = words.get(1)?.parse().ok()?;
        let format = words.get(2).map_or("000".to_owned(), |own| format!("{own:0>3}"));
        let flag = |at: usize| format.as_bytes().get(at) == Some(&b'1');
        let of_nodes = words.get(3).map_or(Some(1), |own| own.parse().ok())?;
        let skipped = usize::from(flag(0)).checked_add(if flag(1) { of_nodes } else { 0 })?;
        Some(Self { nodes, skipped, is_weighted: flag(2) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OnBadRow;

    fn metis(text: &str) -> Result<RawGraph, GraphError> {
        read_metis(text, &mut Reading::new("x.graph", OnBadRow::Fail))
    }

    #[test]
    fn an_adjacency_list_has_every_node_and_pair() {
        let text = "# made by hand\na b c\nb c # again\nd\n";
        let raw = read_adjacency(text);
        assert_eq!(raw.ids.iter().collect::<Vec<_>>(), ["a", "b", "c", "d"]);
        assert_eq!(raw.edges.len(), 3);
    }

    #[test]
    fn a_metis_file_lists_each_edge_from_both_sides() {
        let raw = metis("% path with weights\n4 2 001\n2 7\n1 7 3 1.5\n2 1.5\n\n").unwrap();
        assert_eq!((raw.ids.len(), raw.edges.len()), (4, 2));
        assert_eq!(raw.edges.weights, Some(vec![7.0, 1.5]));
        assert_eq!(raw.ids.text(NodeId(0)), "1");
        // A size and two weights stand before the neighbours.
        let sized = metis("2 1 110 2\n5 6 7 2\n5 6 7 1\n").unwrap();
        assert_eq!(sized.edges.len(), 1);
    }

    #[test]
    fn damaged_metis_files_are_named() {
        let said = |text: &str| metis(text).unwrap_err().to_string();
        assert!(said("x y\n").contains("nodes edges"));
        assert!(said("2 1\n2\n1\n1\n").contains("3 rows"));
        assert!(said("900000000 1\n2\n1\n").contains("900000000 rows"));
        assert!(said("2 1\n9\n1\n").contains("from 1 to 2"));
    }
}
