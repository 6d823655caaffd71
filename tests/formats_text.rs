//! GraphML, GML and DOT files as written by other tools, read to the last cell, and
//! the errors of invalid files.

// Weights in these files are exact.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use std::path::{Path, PathBuf};

use gesf_tui::graph::{
    Cell, Column, Direction, Format, GraphError, LoadOptions, OnBadRow, RawGraph, Reading, load,
    read,
};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn read_fixture(name: &str) -> (RawGraph, Reading) {
    let (raw, _, reading) = read(&fixture(name), &LoadOptions::default()).unwrap();
    (raw, reading)
}

fn read_text(format: Format, text: &str) -> Result<RawGraph, GraphError> {
    format.read_text(text, &mut Reading::new("file", OnBadRow::Fail))
}

fn read_skipping(format: Format, text: &str) -> (RawGraph, Reading) {
    let mut reading = Reading::new("file", OnBadRow::Skip);
    (format.read_text(text, &mut reading).unwrap(), reading)
}

fn ids(raw: &RawGraph) -> Vec<&str> {
    raw.ids.iter().collect()
}

fn edges(raw: &RawGraph) -> Vec<(&str, &str, f32)> {
    raw.edges.iter().map(|(s, t, w)| (raw.ids.text(s), raw.ids.text(t), w)).collect()
}

/// The columns with their cells as text.
fn shown(columns: &[Column]) -> Vec<(&str, String)> {
    let cells = |column: &Column| column.cells.iter().map(Cell::to_string).collect::<Vec<_>>();
    columns.iter().map(|column| (column.name.as_str(), cells(column).join("|"))).collect()
}

fn column<'r>(columns: &'r [Column], name: &str) -> &'r [Cell] {
    &columns.iter().find(|column| column.name == name).unwrap().cells
}

const ODD_NAMES: [&str; 4] = ["Zoë", "a \"quoted\" <name> & more", "李雷", "42"];
const ODD_EDGES: [(&str, &str, f32); 5] = [
    ("Zoë", "李雷", 0.5),
    ("Zoë", "李雷", 1.25),
    ("a \"quoted\" <name> & more", "42", 0.0),
    ("李雷", "Zoë", 1e-5),
    ("42", "42", 3.0),
];

#[test]
fn the_karate_club_of_networkx_is_equal_in_every_format() {
    for name in
        ["graphml/networkx_karate.graphml", "gml/networkx_karate.gml", "dot/networkx_karate.dot"]
    {
        let (raw, reading) = read_fixture(name);
        assert_eq!((raw.ids.len(), raw.edges.len()), (34, 78), "{name}");
        assert_eq!(raw.direction, Direction::Undirected, "{name}");
        assert_eq!(raw.node_columns.len(), 1, "{name}");
        let clubs = column(&raw.node_columns, "club");
        let hi = clubs.iter().filter(|club| **club == Cell::text("Mr. Hi")).count();
        let officer = clubs.iter().filter(|club| **club == Cell::text("Officer")).count();
        assert_eq!((hi, officer), (17, 17), "{name}");
        assert_eq!(raw.edges.weights.as_ref().unwrap().iter().sum::<f32>(), 231.0, "{name}");
        assert!(raw.edges.columns.is_empty() && reading.notes.is_empty(), "{name}");
        let (graph, report) = load(&fixture(name), &LoadOptions::default()).unwrap();
        assert_eq!((graph.node_count(), graph.edge_count()), (34, 78), "{name}");
        assert!(!report.has_oddities(), "{name}");
    }
}

#[test]
fn the_unusual_graph_of_networkx_is_complete_in_graphml() {
    let (raw, _) = read_fixture("graphml/networkx_odd.graphml");
    assert_eq!(raw.direction, Direction::Directed);
    assert_eq!(ids(&raw), ODD_NAMES);
    assert_eq!(edges(&raw), ODD_EDGES);
    let flags = [Cell::Flag(true), Cell::Flag(false), Cell::Empty, Cell::Empty];
    assert_eq!(column(&raw.node_columns, "member"), flags);
    let scores = [Cell::Number(0.1), Cell::Number(1e-300), Cell::Empty, Cell::Number(2.5)];
    assert_eq!(column(&raw.node_columns, "score"), scores);
    assert_eq!(column(&raw.node_columns, "age")[1], Cell::Number(-7.0));
    let names: Vec<&str> = raw.edges.columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["sure", "kind", "id"]);
}

#[test]
fn the_unusual_graph_of_networkx_is_complete_in_gml() {
    let (raw, _) = read_fixture("gml/networkx_odd.gml");
    assert_eq!(raw.direction, Direction::Directed);
    assert_eq!(ids(&raw), ODD_NAMES);
    assert_eq!(edges(&raw), ODD_EDGES);
    let expected =
        [("age", "41|-7||"), ("score", &format!("0.1|{}||2.5", 1e-300)), ("member", "1|0||")];
    assert_eq!(shown(&raw.node_columns), expected.map(|(name, cells)| (name, cells.to_owned())));
    let expected = [("key", "0|1|0|0|0"), ("kind", "friend|co-author|||"), ("sure", "|1|0||")];
    assert_eq!(shown(&raw.edges.columns), expected.map(|(name, cells)| (name, cells.to_owned())));
}

#[test]
fn the_unusual_graph_of_networkx_is_complete_in_dot() {
    let (raw, _) = read_fixture("dot/networkx_odd.dot");
    assert_eq!(raw.direction, Direction::Directed);
    assert_eq!(ids(&raw), ODD_NAMES);
    assert_eq!(edges(&raw), ODD_EDGES);
    let ages = [Cell::Number(41.0), Cell::Number(-7.0), Cell::Empty, Cell::Empty];
    assert_eq!(column(&raw.node_columns, "age"), ages);
    assert_eq!(column(&raw.node_columns, "score")[1], Cell::Number(1e-300));
    assert_eq!(column(&raw.node_columns, "member")[1], Cell::Flag(false));
    assert_eq!(column(&raw.edges.columns, "kind")[0], Cell::text("friend"));
}

#[test]
fn igraph_ids_and_names_stay_separate_in_every_format() {
    for (name, first) in [
        ("graphml/igraph_odd.graphml", "n0"),
        ("gml/igraph_odd.gml", "0"),
        ("dot/igraph_odd.dot", "0"),
    ] {
        let (raw, reading) = read_fixture(name);
        assert_eq!(raw.ids.len(), 4, "{name}");
        assert_eq!(ids(&raw)[0], first, "{name}");
        assert_eq!(raw.direction, Direction::Directed, "{name}");
        let names: Vec<String> =
            column(&raw.node_columns, "name").iter().map(Cell::to_string).collect();
        assert_eq!(names, ODD_NAMES, "{name}");
        let ages = [Cell::Number(41.0), Cell::Number(-7.0), Cell::Empty, Cell::Empty];
        assert_eq!(column(&raw.node_columns, "age"), ages, "{name}");
        let scores = [Cell::Number(0.1), Cell::Number(1e-300), Cell::Empty, Cell::Number(2.5)];
        assert_eq!(column(&raw.node_columns, "score"), scores, "{name}");
        assert_eq!(raw.edges.weights, Some(vec![0.5, 1.25, 1e-5, 3.0, 0.0]), "{name}");
        let kinds = ["friend", "co-author", "", "", "line\nbreak"].map(Cell::text);
        assert_eq!(column(&raw.edges.columns, "kind"), kinds, "{name}");
        assert!(reading.notes.is_empty(), "{name}");
    }
}

#[test]
fn gephi_files_are_read_with_colours_positions_and_classes() {
    let (raw, reading) = read_fixture("graphml/gephi_style.graphml");
    assert_eq!(ids(&raw), ["n1", "n2", "n3"]);
    assert_eq!(edges(&raw), [("n1", "n2", 2.0), ("n2", "n3", 1.0)]);
    let names: Vec<&str> = raw.node_columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["label", "r", "g", "b", "x", "y", "size", "Modularity Class"]);
    assert_eq!(column(&raw.node_columns, "y")[0], Cell::Number(1e-4));
    assert_eq!(
        shown(&raw.edges.columns),
        [("Edge Label", "|wrote to".to_owned()), ("Edge Id", "0|1".to_owned())]
    );
    assert!(reading.notes[0].contains("1 edges are directed"), "{:?}", reading.notes);

    let (raw, _) = read_fixture("gml/gephi_style.gml");
    assert_eq!(ids(&raw), ["n1", "n2"], "labels that repeat are no ids");
    assert_eq!(edges(&raw), [("n1", "n2", 2.0), ("n2", "n2", 0.5)]);
    assert_eq!(column(&raw.node_columns, "graphics.x")[0], Cell::Number(-122.54));
    assert_eq!(column(&raw.node_columns, "ModularityClass")[1], Cell::text("1"));
    assert_eq!(shown(&raw.edges.columns), [("id", "0|1".to_owned())]);

    let (raw, _) = read_fixture("dot/gephi_style.dot");
    assert_eq!(edges(&raw), [("n1", "n2", 2.5), ("n2", "n3", 1.0)]);
    assert_eq!(
        shown(&raw.node_columns)[..3],
        [
            ("shape", "circle|circle|circle".to_owned()),
            ("color", "#c000ff|#000000|#c000ff".to_owned()),
            ("label", "Ada|Blaise|".to_owned()),
        ]
    );
}

#[test]
fn yed_files_are_read_as_one_graph_with_labels() {
    let (raw, reading) = read_fixture("graphml/yed_style.graphml");
    assert_eq!(ids(&raw), ["n0", "n1", "n1::n0"]);
    assert_eq!(edges(&raw), [("n1::n0", "n0", 1.0), ("n0", "n1", 1.0)]);
    assert_eq!(
        shown(&raw.node_columns),
        [
            ("url", "https://example.org/?a=1&b=2||".to_owned()),
            ("label", "Start & go||Inside".to_owned()),
            ("rank", "1|7|1".to_owned()),
        ]
    );
    assert_eq!(
        shown(&raw.edges.columns),
        [("label", "|then".to_owned()), ("id", "n1::e0|e0".to_owned())]
    );
    let notes = reading.notes.join("\n");
    for word in ["nested graphs", "1 edges of more than two", "ports"] {
        assert!(notes.contains(word), "{notes}");
    }
}

#[test]
fn every_dot_construct_is_read() {
    let (raw, reading) = read_fixture("dot/by_hand.gv");
    assert_eq!(raw.direction, Direction::Undirected);
    let nodes = [
        "a",
        "b",
        "c",
        "d",
        "e",
        "f",
        "g",
        "h",
        "quoted \"id\"",
        "-7",
        "3.25",
        "Füße",
        "back\\slash",
    ];
    assert_eq!(ids(&raw), nodes);
    // a-b-c, two to h, two nodes times five; `b -- a` is the first edge again.
    assert_eq!(raw.edges.len(), 2 + 2 + 10 + 2);
    assert_eq!(edges(&raw)[0], ("a", "b", 2.0));
    assert_eq!(edges(&raw)[4], ("a", "d", 0.5));
    let kinds: Vec<String> =
        column(&raw.node_columns, "kind").iter().map(Cell::to_string).collect();
    assert_eq!(
        kinds[..8],
        ["person", "person", "person", "animal", "animal", "animal", "animal", "animal"]
    );
    assert_eq!(kinds[8], "person", "a default ends with its braces");
    assert_eq!(column(&raw.node_columns, "tall")[0], Cell::Flag(true));
    assert_eq!(column(&raw.node_columns, "html")[8], Cell::text("a <b>bold</b> word"));
    assert_eq!(column(&raw.node_columns, "second")[8], Cell::Number(-1.5));
    assert_eq!(column(&raw.edges.columns, "note")[1], Cell::text("two parts"));
    assert_eq!(column(&raw.edges.columns, "since")[0], Cell::Number(1999.0));
    assert_eq!(column(&raw.edges.columns, "line")[15], Cell::text("one\ntwo"));
    assert_eq!(column(&raw.edges.columns, "joined")[15], Cell::text("no break"));
    assert!(reading.notes[0].contains("only the first graph"), "{:?}", reading.notes);
}

#[test]
fn an_error_names_the_line_and_what_to_do() {
    let graphml = |inside: &str| format!("<graphml>\n<graph>\n{inside}\n</graph></graphml>");
    for (format, text, line, word) in [
        (Format::GraphMl, graphml("<node id='a'/><node id='a'/>"), 3, "second time"),
        (Format::GraphMl, graphml("<node/>"), 3, "without an id"),
        (Format::GraphMl, graphml("<edge source='a'/>"), 3, "source and target"),
        (Format::GraphMl, graphml("<node id='&foo;'/>"), 3, "&amp;"),
        (Format::GraphMl, graphml("<node id='a'><data key='k'>&foo;</data></node>"), 3, "&foo;"),
        (Format::GraphMl, graphml("</node>"), 3, "well-formed"),
        (Format::GraphMl, "<gexf/>".to_owned(), 1, "--format"),
        (Format::Gml, "graph [\nnode [ id 1 ]\nnode [ id 1 ]\n]".to_owned(), 3, "second time"),
        (Format::Gml, "graph [\n node [ id 1 label ] ]".to_owned(), 2, "`label` with no value"),
        (Format::Gml, "graph [\n node [ id 1\n".to_owned(), 3, "2 lists open"),
        (Format::Gml, "graph [\n ]\n]".to_owned(), 3, "a key"),
        (Format::Gml, "graph [\n edge [ source 1 target 1 weight -2 ]\n]".to_owned(), 2, "-2"),
        (Format::Dot, "graph {\n a -- b [weight=heavy] }".to_owned(), 2, "finite"),
        (Format::Dot, "graph {\n a -- ;\n}".to_owned(), 2, "a node or a subgraph"),
        (Format::Dot, "graph {\n a -- b\n".to_owned(), 3, "`{` of line 1"),
        (Format::Dot, "graph {\n a [b=\n\"c }".to_owned(), 3, "unterminated"),
        (Format::Dot, "graf {}".to_owned(), 1, "`digraph`"),
        (Format::Dot, "graph { node -- b }".to_owned(), 1, "double quotes"),
        (Format::Dot, "graph {\n a -- b%c }".to_owned(), 2, "double quotes"),
    ] {
        let error = read_text(format, &text).unwrap_err().to_string();
        assert!(error.starts_with(&format!("file, line {line}: ")), "{text}\n{error}");
        assert!(error.contains(word) && error.contains("help: "), "{text}\n{error}");
    }
}

#[test]
fn bad_rows_are_skipped_on_request_and_the_rest_is_read() {
    let graphml = "<graphml><graph><node id='a'/><node id='a'/><node/><node id='b'/>
        <edge source='a' target='b'><data key='weight'>NaN</data></edge>
        <edge source='a'/><edge source='a' target='b'><data key='weight'>2</data></edge>
        </graph></graphml>";
    let gml = "graph [ node [ id 1 ] node [ id 1 ] node [ label 3 ] node [ id 2 ]
        edge [ source 1 target 2 weight NAN ] edge [ source 1 ] edge [ source 1 target 2 weight 2 ] ]";
    for (format, text, skipped) in [(Format::GraphMl, graphml, 4), (Format::Gml, gml, 4)] {
        let (raw, reading) = read_skipping(format, text);
        assert_eq!((raw.ids.len(), reading.skipped), (2, skipped));
        assert_eq!(raw.edges.weights, Some(vec![2.0]));
    }
    let (raw, reading) =
        read_skipping(Format::Dot, "graph { a--b--c [weight=-1]; a--c [weight=3] }");
    assert_eq!((raw.ids.len(), raw.edges.len(), reading.skipped), (3, 1, 1));
}

#[test]
fn edges_to_unlisted_nodes_are_skipped_with_their_cells() {
    let graphml = "<graphml><graph><edge source='b' target='x'><data key='k'>1</data></edge>
        <edge source='b' target='a'><data key='k'>2</data></edge>
        <node id='a'/><node id='b'/></graph></graphml>";
    let gml = "graph [ edge [ source b target x k 1 ] edge [ source b target a k 2 ]
        node [ id a ] node [ id b ] ]";
    for (format, text) in [(Format::GraphMl, graphml), (Format::Gml, gml)] {
        let (raw, reading) = read_skipping(format, text);
        assert_eq!(ids(&raw), ["a", "b"], "nodes stand in the order they are listed");
        assert_eq!(edges(&raw), [("b", "a", 1.0)]);
        assert_eq!(shown(&raw.edges.columns), [("k", "2".to_owned())]);
        assert_eq!(reading.unknown_ends, 1);
        assert_eq!(reading.unknown_example, Some(("x".to_owned(), Some(1))));
    }
}

#[test]
fn several_values_of_one_gml_key_become_several_labels() {
    let text = "graph [ node [ id 0 tags \"_networkx_list_start\" tags \"x\" ]
        node [ id 1 tags \"x\" tags \"y\" tags 3 ] ]";
    let raw = read_text(Format::Gml, text).unwrap();
    assert_eq!(shown(&raw.node_columns), [("tags", "x|x|y|3".to_owned())]);
    assert_eq!(column(&raw.node_columns, "tags")[1], Cell::text("x|y|3"));
}

#[test]
fn gml_ids_beside_repeated_labels_round_trip() {
    let text = "graph [ node [ id 5 label \"x\" ] node [ id 9 label \"x\" ]
        edge [ source 9 target 5 ] ]";
    let raw = read_text(Format::Gml, text).unwrap();
    assert_eq!(ids(&raw), ["5", "9"]);
    let mut out = Vec::new();
    Format::Gml.writer().unwrap()(&raw, &mut out).unwrap();
    assert_eq!(read_text(Format::Gml, std::str::from_utf8(&out).unwrap()).unwrap(), raw);
}

#[test]
fn characters_invalid_in_xml_leave_ids_distinct() {
    let mut raw = RawGraph::default();
    for id in ["a\u{1}", "a\u{2}", "a\u{fffd}"] {
        raw.ids.intern(id);
    }
    let mut out = Vec::new();
    Format::GraphMl.writer().unwrap()(&raw, &mut out).unwrap();
    let back = read_text(Format::GraphMl, std::str::from_utf8(&out).unwrap()).unwrap();
    assert_eq!(back.ids.len(), 3);
    assert_eq!(back.ids.text(2.into()), "a\u{fffd}");
}

#[test]
fn small_files_that_describe_huge_graphs_are_refused() {
    let list = |n: u32, item: &dyn Fn(u32) -> String| (0..n).map(item).collect::<Vec<_>>().concat();
    let many = |n: u32| list(n, &|i| format!("n{i} "));
    let product = format!("graph {{ {{{}}} -- {{{}}} }}", many(5000), many(5000));
    let again =
        format!("graph {{ subgraph s {{{}}} {} }}", many(20_000), "subgraph s; ".repeat(20_000));
    let attributes = list(20_000, &|i| format!("a{i}=1 "));
    let defaults = format!("graph {{ node [{attributes}] {} }}", many(20_000));
    let long = format!("graph {{ node [a=\"{}\"] {} }}", "x".repeat(100_000), many(20_000));
    let nested = format!("graph {}", "{".repeat(100_000));
    for text in [product, again, defaults, long, nested] {
        let error = read_text(Format::Dot, &text).unwrap_err().to_string();
        assert!(error.contains("multiply") || error.contains("deep"), "{error}");
    }
    let keys = list(20_000, &|i| format!("node [ id {i} k{i} 1 ]\n"));
    let deep = format!("graph [ {}", "a [ ".repeat(100_000));
    for text in [format!("graph [ {keys} ]"), deep] {
        let error = read_text(Format::Gml, &text).unwrap_err().to_string();
        assert!(error.contains("multiply") || error.contains("deep"), "{error}");
    }
    let nodes = list(20_000, &|i| format!("<node id='{i}'/>"));
    let default = "x".repeat(100_000);
    let text = format!(
        "<graphml><key id='k' for='node'><default>{default}</default></key><graph>{nodes}</graph></graphml>"
    );
    let error = read_text(Format::GraphMl, &text).unwrap_err().to_string();
    assert!(error.contains("multiply"), "{error}");
}

#[test]
fn declared_entities_are_not_expanded() {
    let text = "<!DOCTYPE g [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>
        <graphml><graph><node id='x'><data key='k'>&b;</data></node></graph></graphml>";
    let error = read_text(Format::GraphMl, text).unwrap_err().to_string();
    assert!(error.contains("&b;") && error.contains("line 2"), "{error}");
}
