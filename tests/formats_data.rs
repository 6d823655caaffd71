//! Real files of the data formats, as written by networkx, igraph, pandas, scipy,
//! d3, Gephi, SNAP and LINQS. `fixtures/DATA_FORMATS.md` describes how the files
//! were made.

#![allow(clippy::panic, reason = "helpers of tests fail as tests do")]

use std::path::{Path, PathBuf};

use gesf_tui::graph::{
    Cell, Direction, Format, LabelKind, LoadOptions, NodeId, RawGraph, Reading, SplitPart, load,
    read,
};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn read_with_notes(name: &str) -> (RawGraph, Format, Reading) {
    read(&fixture(name), &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn read_well(name: &str, format: Format) -> RawGraph {
    let (raw, found, reading) = read_with_notes(name);
    assert_eq!(found, format);
    assert_eq!((reading.skipped, reading.unknown_ends), (0, 0));
    assert!(reading.notes.is_empty(), "{:?}", reading.notes);
    raw
}

fn ids(raw: &RawGraph) -> Vec<&str> {
    raw.ids.iter().collect()
}

fn rows(raw: &RawGraph) -> Vec<(&str, &str, f32)> {
    raw.edges.iter().map(|(s, t, weight)| (raw.ids.text(s), raw.ids.text(t), weight)).collect()
}

fn node_cells<'a>(raw: &'a RawGraph, name: &str) -> &'a [Cell] {
    &raw.node_column(name).unwrap_or_else(|| panic!("no column {name}")).cells
}

fn edge_cells<'a>(raw: &'a RawGraph, name: &str) -> &'a [Cell] {
    let column = raw.edges.columns.iter().find(|column| column.name == name);
    &column.unwrap_or_else(|| panic!("no column {name}")).cells
}

const SOCIAL_IDS: [&str; 5] = ["Ada", "Grace Hopper", "Émile", "4", "alone"];
const SOCIAL_ROWS: [(&str, &str, f32); 6] = [
    ("Ada", "Grace Hopper", 2.5),
    ("Ada", "Émile", 0.1),
    ("Ada", "4", 1.0),
    ("Grace Hopper", "Émile", 1e-7),
    ("Émile", "4", 3.0),
    ("4", "4", 7.0),
];

#[test]
fn every_json_form_of_networkx_gives_the_same_graph() {
    for name in ["edges", "links", "adjacency", "cytoscape"] {
        let raw = read_well(&format!("json/networkx_{name}.json"), Format::Json);
        assert_eq!(raw.direction, Direction::Undirected);
        assert_eq!(ids(&raw), SOCIAL_IDS, "{name}");
        assert_eq!(rows(&raw), SOCIAL_ROWS, "{name}");
        assert_eq!(node_cells(&raw, "score")[..2], [Cell::Number(0.1), Cell::Number(-0.0025)]);
        assert_eq!(node_cells(&raw, "member")[0], Cell::Flag(true));
        assert_eq!(node_cells(&raw, "tags")[2], Cell::text("red|blue"));
        assert_eq!(node_cells(&raw, "place")[3], Cell::text(r#"{"x":1,"y":[2,3]}"#));
        assert_eq!(node_cells(&raw, "group")[4], Cell::Empty);
        assert_eq!(edge_cells(&raw, "kind")[..2], [Cell::text("friend"), Cell::Empty]);
    }
}

#[test]
fn a_multigraph_of_tuples_keeps_its_rows_and_keys() {
    let raw = read_well("json/networkx_multi.json", Format::Json);
    let (a, b) = ("[\"a\",1]", "[\"b\",2]");
    assert_eq!(raw.direction, Direction::Directed);
    assert_eq!(rows(&raw), [(a, b, 2.0), (a, b, 3.0), (b, a, 1.0)]);
    assert_eq!(edge_cells(&raw, "key")[1], Cell::Number(1.0));
}

#[test]
fn d3_links_name_nodes_by_id_or_by_position() {
    let by_id = read_well("json/d3_ids.json", Format::Json);
    assert_eq!(rows(&by_id), [("Napoleon", "Myriel", 1.0), ("Valjean", "Myriel", 5.0)]);
    let by_position = read_well("json/d3_positions.json", Format::Json);
    assert_eq!(rows(&by_position), [("1", "0", 1.0), ("2", "0", 5.0)]);
    assert_eq!(node_cells(&by_position, "name")[2], Cell::text("Valjean"));
    let (graph, _) = load(&fixture("json/d3_positions.json"), &LoadOptions::default()).unwrap();
    assert_eq!(graph.labels().kind(), LabelKind::One);
}

#[test]
fn scipy_matrices_keep_their_entries() {
    let pattern = read_well("matrix_market/pattern_general.mtx", Format::MatrixMarket);
    assert_eq!((pattern.ids.len(), pattern.direction), (4, Direction::Directed));
    assert_eq!(rows(&pattern), [("1", "2", 1.0), ("2", "3", 1.0), ("4", "1", 1.0)]);
    assert_eq!(pattern.edges.weights, None);

    let real = read_well("matrix_market/real_symmetric.mtx", Format::MatrixMarket);
    assert_eq!((real.ids.len(), real.edges.len()), (34, 78));
    assert_eq!(real.direction, Direction::Undirected);
    assert_eq!(rows(&real)[..2], [("1", "2", 0.5), ("1", "3", 0.625)]);

    let dense = read_well("matrix_market/dense.mtx", Format::MatrixMarket);
    assert_eq!(rows(&dense), [("2", "1", 2.0), ("1", "2", 0.5)]);

    let bipartite = read_well("matrix_market/bipartite.mtx", Format::MatrixMarket);
    assert_eq!(ids(&bipartite), ["r1", "r2", "c1", "c2", "c3"]);
    assert_eq!(rows(&bipartite), [("r1", "c3", 1.5), ("r2", "c1", 2.0)]);
    assert_eq!(node_cells(&bipartite, "type")[1..3], [Cell::text("row"), Cell::text("column")]);
}

#[test]
fn lost_signs_and_complex_numbers_are_reported() {
    let (skew, _, reading) = read_with_notes("matrix_market/integer_skew.mtx");
    assert_eq!(rows(&skew), [("1", "2", 2.0)]);
    assert_eq!(reading.notes.len(), 1);
    let error = read(&fixture("matrix_market/complex.mtx"), &LoadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("absolute values"), "{error}");
}

#[test]
fn graph6_is_read_with_and_without_header() {
    for (name, nodes, edges) in [
        ("petersen", 10, 15),
        ("karate_no_header", 34, 78),
        ("looks_like_json", 28, 28),
        ("path_70", 70, 69),
    ] {
        let raw = read_well(&format!("graph6/{name}.g6"), Format::Graph6);
        assert_eq!((raw.ids.len(), raw.edges.len()), (nodes, edges), "{name}");
    }
    let cycle = read_well("graph6/looks_like_json.g6", Format::Graph6);
    assert!(rows(&cycle).contains(&("0", "27", 1.0)));
    let options = LoadOptions { format: Some(Format::Graph6), ..LoadOptions::default() };
    let error = read(&fixture("graph6/path.s6"), &options).unwrap_err();
    assert!(error.to_string().contains("sparse6"), "{error}");
}

#[test]
fn a_benchmark_archive_has_its_features_classes_and_ten_splits() {
    let (graph, report) = load(&fixture("npz/texas_4_classes.npz"), &LoadOptions::default())
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((graph.node_count(), graph.edge_count()), (183, 279));
    assert_eq!(graph.labels().classes().map(|classes| classes.names().len()), Some(5));
    // The last of the columns is empty and counts all the same.
    assert_eq!(graph.features().map(gesf_tui::graph::Features::width), Some(1703));
    assert_eq!(graph.splits().len(), 10);
    let split = graph.split_named("0").unwrap_or_else(|| panic!("no split 0"));
    let parts = [SplitPart::Train, SplitPart::Validation, SplitPart::Test];
    assert_eq!(parts.map(|part| split.count(part)), [87, 58, 37]);
    assert!(report.to_string().contains("10 splits: split_0 to split_9"), "{report}");
}

#[test]
fn an_archive_of_sparse_rows_is_read() {
    let raw = read_well("npz/sparse_karate.npz", Format::Npz);
    assert_eq!((raw.ids.len(), raw.edges.len()), (34, 2 * 78));
    assert_eq!(raw.features.as_ref().map(gesf_tui::graph::Features::filled), Some(3));
    assert_eq!(node_cells(&raw, "class")[33], Cell::Number(1.0));
}

#[test]
fn networks_of_networkx_are_read_in_every_format() {
    for (name, format, edges) in [
        ("gexf/karate.gexf", Format::Gexf, 78),
        ("pajek/karate.net", Format::Pajek, 78),
        ("adjacency/karate.adjlist", Format::Adjacency, 78),
        ("metis/karate.graph", Format::Metis, 78),
    ] {
        let raw = read_well(name, format);
        assert_eq!((raw.ids.len(), raw.edges.len()), (34, edges), "{name}");
        let degree = raw.edges.iter().filter(|(s, t, _)| s.0 == 33 || t.0 == 33).count();
        let in_order = matches!(format, Format::Gexf | Format::Metis);
        assert!(degree == 17 || !in_order, "{name}: {degree}");
    }
    let gexf = read_well("gexf/karate.gexf", Format::Gexf);
    assert_eq!(node_cells(&gexf, "club")[33], Cell::text("Officer"));
    assert_eq!(gexf.edges.weights.as_ref().map(Vec::len), Some(78));
    let pajek = read_well("pajek/karate.net", Format::Pajek);
    assert!(ids(&pajek).contains(&"member 33"));
}

#[test]
fn dictionaries_after_edges_become_columns() {
    let raw = read_well("edge_list/networkx_dicts.edgelist", Format::EdgeList);
    assert_eq!(rows(&raw), [("a", "b", 2.5), ("a", "c", 1.0), ("b", "c", 0.5)]);
    let kinds = [Cell::text("it's, so"), Cell::Empty, Cell::text("say \"hi\"")];
    assert_eq!(edge_cells(&raw, "kind"), kinds);
    assert_eq!(edge_cells(&raw, "old")[1], Cell::Flag(true));
    assert_eq!(raw.edges.columns.len(), 2);

    let path = read_well("edge_list/networkx_path.edgelist", Format::EdgeList);
    assert_eq!(rows(&path), [("0", "1", 1.0), ("1", "2", 1.0), ("2", "3", 1.0)]);
    assert_eq!(path.edges.weights, None);
}

#[test]
fn all_edge_lists_of_karate_agree() {
    for (name, total) in [
        ("networkx_karate.edgelist", 231.0),
        ("networkx_weighted.edgelist", 231.0),
        ("igraph.edgelist", 78.0),
        ("igraph.ncol", 828.75),
    ] {
        let raw = read_well(&format!("edge_list/{name}"), Format::EdgeList);
        assert_eq!((raw.ids.len(), raw.edges.len()), (34, 78), "{name}");
        let sum: f32 = raw.edges.iter().map(|(_, _, weight)| weight).sum();
        assert!((sum - total).abs() < 1e-3, "{name}: {sum}");
    }
}

#[test]
fn pandas_tables_are_read_with_and_without_their_index() {
    for name in ["pandas.csv", "pandas_no_index.csv"] {
        let raw = read_well(&format!("edge_list/{name}"), Format::EdgeList);
        assert_eq!(rows(&raw), [("a", "b", 2.5), ("a", "c", 1.0), ("b", "c", 0.5)], "{name}");
        assert_eq!(edge_cells(&raw, "kind")[0], Cell::text("it's, so"));
    }
    let raw = read_well("edge_list/pandas.tsv", Format::EdgeList);
    assert_eq!(rows(&raw), [("a", "b", 1.0), ("b", "c", 1.0)]);
    assert_eq!(edge_cells(&raw, "kind"), [Cell::text("friend"), Cell::Empty]);
}

#[test]
fn gephi_tables_give_direction_weights_names_and_classes() {
    let edges = fixture("edge_list/gephi_edges.csv");
    let labels = Some(fixture("edge_list/gephi_nodes.csv"));
    let options = LoadOptions { labels, ..LoadOptions::default() };
    let (raw, _, _) = read(&edges, &options).unwrap();
    assert_eq!(raw.direction, Direction::Directed);
    assert_eq!(ids(&raw), ["1", "2", "3", "4"]);
    assert_eq!(rows(&raw), [("1", "2", 1.0), ("2", "3", 2.5), ("3", "1", 1.0)]);
    assert_eq!(edge_cells(&raw, "Label")[1], Cell::text("knows, well"));
    assert_eq!(node_cells(&raw, "Label")[0], Cell::text("Ada, Countess"));
    let (graph, _) = load(&edges, &options).unwrap();
    assert_eq!((graph.node_count(), graph.edge_count()), (4, 3));
    assert_eq!(graph.labels().classes().unwrap().sizes(), [2, 2]);
}

#[test]
fn snap_comments_mark_edges_as_directed() {
    let raw = read_well("edge_list/snap.txt", Format::EdgeList);
    assert_eq!(raw.direction, Direction::Directed);
    assert_eq!(ids(&raw), ["30", "1412", "3352", "5254", "54630"]);
    assert_eq!(raw.edges.len(), 6);
    let (graph, _) = load(&fixture("edge_list/snap.txt"), &LoadOptions::default()).unwrap();
    assert_eq!((graph.edge_count(), graph.folded().reciprocal), (5, 1));
}

#[test]
fn a_linqs_pair_gives_words_classes_and_citations() {
    for name in ["linqs/tiny.cites", "linqs/tiny.content", "linqs"] {
        let (raw, format, reading) = read_with_notes(name);
        assert_eq!(format, Format::Linqs);
        assert_eq!(ids(&raw), ["31336", "1061127", "1106406", "13195"]);
        assert_eq!(rows(&raw)[0], ("1061127", "31336", 1.0));
        assert_eq!((raw.edges.len(), reading.unknown_ends), (3, 1));
        assert_eq!(node_cells(&raw, "labels")[0], Cell::text("Neural_Networks"));
        assert_eq!(raw.features.unwrap().row_text(NodeId(0)), "1 4");
    }
}
