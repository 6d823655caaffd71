//! Files that are not edge lists but would be read as one: node tables, METIS files
//! and adjacency lists. They are identified and refused.

use hashbrown::{HashMap, HashSet};

use super::super::super::error::quoted;
use super::super::super::{GraphError, Reading};
use super::header::plain;
use super::layout::{Layout, PROBE_ROWS, rows};

const NODE_NAMES: [&str; 4] = ["id", "node", "nodeid", "key"];
const FACT_NAMES: [&str; 9] =
    ["feature", "features", "label", "labels", "class", "name", "type", "attributes", "category"];

/// How many rows are compared with all others; more would take too long.
const COMPARED_ROWS: usize = 1000;

/// Advice for adjacency lists.
pub(super) const LISTS_ADVICE: &str = "if it is one, read it with --format adjacency";

/// Refuses a text that is another kind of file.
pub(super) fn refuse_others(
    text: &str,
    layout: &Layout,
    reading: &Reading,
) -> Result<(), GraphError> {
    let Some((line, first)) = rows(text).next() else { return Ok(()) };
    let refused = |found: String, advice: &str| {
        Err(reading.broken(Some(line), found, "a list of edges, two node ids per row", advice))
    };
    if is_node_table(first, layout) {
        let found = format!("a table of nodes, not of edges ({})", quoted(first));
        let advice = "pass the edge file, and this one with --labels";
        return refused(found, advice);
    }
    if is_metis(text) {
        let found = format!("what looks like a METIS file ({}, then neighbours)", quoted(first));
        let advice = "if it is one, read it with --format metis";
        return refused(found, advice);
    }
    if is_adjacency_list(text, layout) {
        let found = format!("what looks like an adjacency list ({})", quoted(first));
        return refused(found, LISTS_ADVICE);
    }
    Ok(())
}

/// Whether the first row names an id and its properties rather than two ends.
fn is_node_table(first: &str, layout: &Layout) -> bool {
    let cells = layout.separator.split(first);
    let names: Vec<String> = cells.iter().map(|cell| plain(cell)).collect();
    let [id, facts @ ..] = names.as_slice() else { return false };
    let known_ends = layout.has_header && !layout.header_guessed;
    !known_ends
        && NODE_NAMES.contains(&id.as_str())
        && facts.iter().any(|name| FACT_NAMES.contains(&name.as_str()))
}

/// METIS: `nodes edges [format [weights]]`, then a row of neighbours for each node,
/// every edge from both sides.
fn is_metis(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.starts_with('%'));
    let head = lines.next().and_then(numbers).unwrap_or_default();
    let (&[nodes, edges] | &[nodes, edges, _] | &[nodes, edges, _, _]) = head.as_slice() else {
        return false;
    };
    let format = head.get(2).copied().unwrap_or(0);
    let flags = [format / 100, format / 10 % 10, format % 10];
    // Lines are counted first: it is cheap, and edge lists rarely match.
    let line_ends = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    if nodes < 2 || edges == 0 || format > 111 || flags.iter().any(|&f| f > 1) || line_ends < nodes
    {
        return false;
    }
    let mut lists: Vec<&str> = lines.collect();
    while lists.len() > nodes && lists.last().is_some_and(|line| line.trim().is_empty()) {
        lists.pop();
    }
    if lists.len() != nodes {
        return false;
    }
    let node_weights = if flags[1] == 1 { head.get(3).copied().unwrap_or(1) } else { 0 };
    let skipped = flags[0].saturating_add(node_weights);
    let neighbours = |line: &str| -> Option<Vec<usize>> {
        let own = numbers(line)?;
        let rest = own.get(skipped..)?;
        let listed: Vec<usize> = rest.iter().copied().step_by(1 + flags[2]).collect();
        let whole = rest.len() % (1 + flags[2]) == 0;
        (whole && listed.iter().all(|n| (1..=nodes).contains(n))).then_some(listed)
    };
    let told: Option<usize> = lists.iter().map(|line| Some(neighbours(line)?.len())).sum();
    let mutual = |(node, line): (usize, &&str)| {
        let back = |other: usize| neighbours(lists[other - 1]).is_some_and(|n| n.contains(&node));
        neighbours(line).is_some_and(|own| own.into_iter().all(back))
    };
    told == edges.checked_mul(2) && (1..).zip(&lists).take(COMPARED_ROWS).all(mutual)
}

fn numbers(line: &str) -> Option<Vec<usize>> {
    line.split_ascii_whitespace().map(|word| word.parse().ok()).collect()
}

/// Neighbour lists of equal length look like columns. They are lists if every row
/// begins with another id and all neighbours name each other.
fn is_adjacency_list(text: &str, layout: &Layout) -> bool {
    if layout.has_header || layout.dictionaries {
        return false;
    }
    let cells = |row| layout.separator.split(row);
    let is_list = |row| {
        let cells = cells(row);
        let different: HashSet<&str> = cells.iter().map(AsRef::as_ref).collect();
        cells.len() > 2 && different.len() == cells.len()
    };
    if rows(text).nth(2).is_none() || !rows(text).take(PROBE_ROWS).all(|(_, row)| is_list(row)) {
        return false;
    }
    let mut list_of = HashMap::new();
    for (_, row) in rows(text) {
        let Some(node) = cells(row).into_iter().next() else { return false };
        if list_of.insert(node, row).is_some() {
            return false;
        }
    }
    rows(text).take(COMPARED_ROWS).all(|(_, row)| {
        let own = cells(row);
        own.iter().skip(1).all(|other| {
            list_of.get(other).is_some_and(|list| cells(list).iter().skip(1).any(|c| *c == own[0]))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::super::OnBadRow;
    use super::super::read;
    use super::*;

    fn refused(text: &str) -> String {
        // Skipping rows must not turn another kind of file into a graph.
        let mut reading = Reading::new("x", OnBadRow::Skip);
        read(text, &mut reading).expect_err(text).to_string()
    }

    #[test]
    fn metis_files_are_identified_and_refused() {
        let triangle_and_tail = "% made by hand\n4 4\n2 3\n1 3\n1 2 4\n3\n";
        let ring = "4 4\n2 4\n1 3\n2 4\n1 3\n";
        let alone = "3 1\n2\n1\n\n";
        let edge_weights = "3 2 1\n2 7\n1 7 3 9\n2 9\n";
        let node_weights = "3 2 10\n5 2\n6 1 3\n7 2\n";
        for text in [triangle_and_tail, ring, alone, edge_weights, node_weights] {
            let said = refused(text);
            assert!(said.contains("METIS") && !said.contains("--on-bad-row"), "{said}");
        }
    }

    #[test]
    fn adjacency_lists_are_identified_and_refused() {
        let square_with_diagonal = "a b c d\nb a c\nc a b d\nd a c\n";
        let ring = "1 2 4\n2 1 3\n3 2 4\n4 3 1\n";
        for text in [square_with_diagonal, ring] {
            let said = refused(text);
            assert!(said.contains("adjacency list") && !said.contains("--on-bad-row"), "{said}");
        }
    }

    #[test]
    fn a_table_of_nodes_is_not_read_as_edges() {
        let said = refused("node_id\tfeature\tlabel\n0\t0,1,0\t3\n1\t1,0,0\t2\n");
        assert!(said.contains("a table of nodes") && said.contains("--labels"), "{said}");
        assert!(refused("id,label\n1,2\n2,1\n").contains("a table of nodes"));
    }

    #[test]
    fn similar_edge_lists_are_read() {
        for text in ["3 2\n1 2\n2 3\n", "1 2 1\n2 3 1\n3 1 1\n", "4 4\n1 2\n2 3\n3 4\n4 1\n"] {
            let mut reading = Reading::new("x", OnBadRow::Fail);
            let edges = read(text, &mut reading).expect(text).edges.len();
            assert_eq!(edges, text.lines().count(), "{text}");
        }
    }
}
