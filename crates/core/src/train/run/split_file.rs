//! The split of a run as a table of node ids, which `--split` reads again.

use std::io::{self, Write};

use crate::train::Split;
use gesf_graph::{Graph, NodeId};

/// Writes a row for every node that is in a part, in node order.
pub(super) fn write(graph: &Graph, split: &Split, out: &mut dyn Write) -> io::Result<()> {
    let parts = [(&split.train, "train"), (&split.validation, "validation"), (&split.test, "test")];
    let mut rows: Vec<(NodeId, &str)> = parts
        .iter()
        .flat_map(|(nodes, part)| nodes.iter().map(move |node| (*node, *part)))
        .collect();
    rows.sort_unstable();
    // An id that begins with # is quoted, or it would be read as a comment.
    let mut table = csv::WriterBuilder::new().comment(Some(b'#')).from_writer(out);
    table.write_record(["node", "split"])?;
    for (node, part) in rows {
        table.write_record([graph.ids().text(node), part])?;
    }
    table.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::settings::Settings;
    use gesf_graph::{LoadOptions, load};

    #[test]
    fn a_written_split_is_read_again_whatever_the_ids_are() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let ids = ["a,b", "#c", "say \\\"d\\\"", "é f", "5", "6", "\\\"x"];
        let node = |(n, id): (usize, &&str)| format!(r#"{{"id": "{id}", "class": "{}"}}"#, n % 2);
        let nodes: Vec<String> = ids.iter().enumerate().map(node).collect();
        let text = format!(r#"{{"nodes": [{}], "links": []}}"#, nodes.join(", "));
        std::fs::write(place("graph.json"), text).unwrap();
        let path = place("graph.json");
        let (graph, _) = load(&path, &LoadOptions::default()).unwrap();
        assert_eq!(graph.ids().text(NodeId(2)), "say \"d\"");
        let settings = Settings { labelled: 0.7, validation: 0.4, ..Settings::default() };
        let split = Split::of(&graph, &settings);
        assert!(!split.validation.is_empty() && !split.test.is_empty());
        let mut text = Vec::new();
        write(&graph, &split, &mut text).unwrap();
        std::fs::write(place("drawn.csv"), text).unwrap();
        let table = Some(place("drawn.csv").display().to_string());
        let options = LoadOptions { split: table, ..LoadOptions::default() };
        let (again, _) = load(&path, &options).unwrap();
        let stored = Settings { split: "drawn".parse().unwrap(), seed: 9, ..settings };
        assert_eq!(Split::of(&again, &stored), split);
    }
}
