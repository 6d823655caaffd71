use super::super::super::{Cell, Column, Direction, Features, IdTable, NodeId, OnBadRow};
use super::*;
use proptest::prelude::*;

fn read_with(text: &str, policy: OnBadRow) -> (Result<RawGraph, String>, Reading) {
    let mut reading = Reading::new("x.json", policy);
    let raw = read(text, &mut reading).map_err(|error| error.to_string());
    (raw, reading)
}

fn read_well(text: &str) -> RawGraph {
    read_with(text, OnBadRow::Fail).0.unwrap()
}

fn fault_of(text: &str) -> String {
    read_with(text, OnBadRow::Fail).0.unwrap_err()
}

fn written(raw: &RawGraph) -> String {
    let mut bytes = Vec::new();
    write(raw, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn ends(raw: &RawGraph) -> Vec<(&str, &str)> {
    raw.edges.iter().map(|(s, t, _)| (raw.ids.text(s), raw.ids.text(t))).collect()
}

#[test]
fn ids_are_texts_numbers_or_tuples_and_keep_their_spelling() {
    let raw = read_well(
        r#"{"nodes": [{"id": "a"}, {"id": 7}, {"id": [1, "x y"]}, {"id": 12345678901234567890123},
        {"id": 1.50}], "links": [{"source": [1,"x y"], "target": "7"}]}"#,
    );
    let ids: Vec<&str> = raw.ids.iter().collect();
    assert_eq!(ids, ["a", "7", "[1,\"x y\"]", "12345678901234567890123", "1.50"]);
    assert_eq!(ends(&raw), [("[1,\"x y\"]", "7")]);
}

#[test]
fn links_count_nodes_from_zero_where_these_have_no_id() {
    let raw = read_well(
        r#"{"nodes": [{"name": "Myriel", "group": 1}, {"name": "Napoleon", "group": 2}],
        "links": [{"source": 1, "target": 0, "value": 8}, {"source": "Myriel", "target": 1}]}"#,
    );
    assert_eq!(ends(&raw), [("1", "0"), ("0", "1")]);
    assert_eq!(raw.edges.weights, Some(vec![8.0, 1.0]));
    assert_eq!(raw.node_column("name").unwrap().cells[0], Cell::text("Myriel"));
}

#[test]
fn links_may_count_nodes_whose_ids_are_all_texts() {
    let raw = read_well(
        r#"{"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": 0, "target": 1}]}"#,
    );
    assert_eq!(ends(&raw), [("a", "b")]);
}

#[test]
fn a_value_is_a_weight_only_without_another_weight() {
    let both = r#"{"links": [{"source": 1, "target": 2, "value": 8},
        {"source": 1, "target": 3, "weight": 2}]}"#;
    let raw = read_well(both);
    assert_eq!(raw.edges.weights, Some(vec![1.0, 2.0]));
    assert_eq!(raw.edges.columns[0].cells, [Cell::Number(8.0), Cell::Empty]);
    let by_networkx = r#"{"multigraph": false, "links": [{"source": 1, "target": 2, "value": 8}]}"#;
    assert_eq!(read_well(by_networkx).edges.weights, None);
    let words = r#"{"links": [{"source": 1, "target": 2, "value": "high"}]}"#;
    assert_eq!(read_well(words).edges.columns[0].cells, [Cell::text("high")]);
}

#[test]
fn every_property_becomes_a_column() {
    let raw = read_well(
        r#"{"nodes": [{"id": 1, "n": -2.5e1, "t": "x", "f": true, "z": null, "l": ["a", 2, true],
        "o": {"k": [1, " "]}, "big": 12345678901234567890, "e": []}, {"id": 2}]}"#,
    );
    let first = |name: &str| raw.node_column(name).unwrap().cells[0].clone();
    assert_eq!(first("n"), Cell::Number(-25.0));
    assert_eq!(first("t"), Cell::text("x"));
    assert_eq!(first("f"), Cell::Flag(true));
    assert_eq!(first("l"), Cell::text("a|2|true"));
    assert_eq!(first("o"), Cell::text(r#"{"k":[1," "]}"#));
    assert_eq!(first("big"), Cell::text("12345678901234567890"));
    assert!(raw.node_column("z").is_none() && raw.node_column("e").is_none());
}

#[test]
fn cytoscape_keeps_its_properties_one_level_down() {
    let raw = read_well(
        r#"{"elements": {"nodes": [{"data": {"id": "a"}, "position": {"x": 1}}, {"data": {"id": "b"}}],
        "edges": [{"data": {"id": "ab", "source": "a", "target": "b", "weight": 2}}]}}"#,
    );
    assert_eq!(ends(&raw), [("a", "b")]);
    assert_eq!(raw.edges.weights, Some(vec![2.0]));
    assert_eq!(raw.edges.columns[0].cells, [Cell::text("ab")]);
}

#[test]
fn adjacency_names_an_undirected_edge_twice_and_a_loop_once() {
    let lists = r#""nodes": [{"id": 0}, {"id": 1}, {"id": 2}],
        "adjacency": [[{"id": 1, "weight": 2}, {"id": 0}], [{"id": 0, "weight": 2}], [{"id": 1}]]}"#;
    let raw = read_well(&format!("{{\"directed\": false, {lists}"));
    assert_eq!(ends(&raw), [("0", "1"), ("0", "0"), ("2", "1")]);
    assert_eq!(raw.edges.weights, Some(vec![2.0, 1.0, 1.0]));
    let raw = read_well(&format!("{{\"directed\": true, {lists}"));
    assert_eq!(raw.edges.len(), 4);
}

#[test]
fn faults_name_the_line_and_the_element() {
    let nodes = "{\"nodes\": [{\"id\": 1}, {\"id\": 2}],\n\"links\": [\n";
    for (link, said) in [
        ("{\"source\": 1}", "line 3: found links[0] without `target`"),
        ("{\"source\": 1, \"target\": 2, \"weight\": -1}", "links[0].weight, line 3: found `-1`"),
        ("{\"source\": 1, \"target\": 2, \"weight\": 1e99}", "expected a weight of at most"),
        ("{\"source\": 1, \"target\": null}", "links[0] with `null` for an id"),
        ("17", "line 3: found links[0] that is `17`, expected an object"),
        ("{\"source\": 1, \"target\": 2, \"x\": \"\\ud800\"}", "links[0].x"),
    ] {
        let text = format!("{nodes}{link}]}}");
        assert!(fault_of(&text).contains(said), "{}", fault_of(&text));
        let (raw, reading) = read_with(&text, OnBadRow::Skip);
        assert!(raw.is_ok());
        assert_eq!(reading.skipped, 1, "{link}");
    }
    let twice = fault_of("{\"nodes\": [{\"id\": 1},\n{\"id\": \"1\"}]}");
    assert!(twice.contains("line 2: found nodes[1] with the id `1` a second time"), "{twice}");
    let none = fault_of("{\"nodes\": [{\"id\": 1},\n{\"x\": 1}]}");
    assert!(none.contains("line 2: found nodes[1] without `id`"), "{none}");
}

#[test]
fn invalid_json_is_reported_with_its_line() {
    let cut = fault_of("{\"nodes\": [\n{\"id\": 1},");
    assert!(cut.contains("line 2") && cut.contains("truncated"), "{cut}");
    let nan = fault_of("{\"nodes\": [{\"id\": 1, \"x\": NaN}]}");
    assert!(nan.contains("no NaN"), "{nan}");
    for (text, said) in [
        ("[1, 2]", "found `[1, 2]`"),
        ("", "found nothing"),
        ("{}", "neither `nodes` nor `links`"),
        ("{\"nodes\": {}}", "`nodes` that is `{}`, expected a list"),
        ("{\"elements\": 3}", "line 1"),
    ] {
        assert!(fault_of(text).contains(said), "{}", fault_of(text));
    }
}

#[test]
fn links_to_nodes_that_are_not_listed_are_counted() {
    let text = "{\"nodes\": [1, 2],\n\"links\": [{\"source\": 1, \"target\": 9}]}";
    let (raw, reading) = read_with(text, OnBadRow::Fail);
    assert_eq!((raw.unwrap().edges.len(), reading.unknown_ends), (0, 1));
    assert_eq!(reading.unknown_example, Some(("9".into(), Some(2))));
}

#[test]
fn deep_nesting_is_kept_as_a_value() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let raw = read_well(&format!("{{\"nodes\": [{{\"id\": 1, \"deep\": {deep}}}]}}"));
    assert_eq!(raw.node_columns[0].cells[0].to_string().len(), 200_000);
}

#[test]
fn columns_are_renamed_if_the_form_reserves_their_name() {
    let mut raw = RawGraph { ids: IdTable::from_numbers(0..1), ..RawGraph::default() };
    raw.set_node_column("id", vec![Cell::text("mine")]);
    raw.edges.push(NodeId(0), NodeId(0));
    raw.edges.columns = vec![Column { name: "source".into(), cells: vec![Cell::text("survey")] }];
    let back = read_well(&written(&raw));
    assert_eq!(back.node_columns[0].name, "id_");
    assert_eq!(back.edges.columns[0].name, "source_");
}

fn any_cell() -> impl Strategy<Value = Cell> {
    prop_oneof![
        Just(Cell::Empty),
        any::<bool>().prop_map(Cell::Flag),
        any::<f64>().prop_filter("finite", |n| n.is_finite()).prop_map(Cell::Number),
        any::<i32>().prop_map(|n| Cell::Number(f64::from(n))),
        any::<String>().prop_map(|text| Cell::text(&text)),
        "[0-9]{1,20}".prop_map(|text| Cell::text(&text)),
    ]
}

/// Columns as readers create them: distinct names, none of them empty.
fn any_columns(rows: usize) -> impl Strategy<Value = Vec<Column>> {
    let names = proptest::collection::btree_set("[a-zß\"\\\\ ]{0,6}[0-9]", 0..3);
    let columns = names.prop_flat_map(move |names| {
        let column = |name: String| {
            let cells = proptest::collection::vec(any_cell(), rows);
            cells.prop_map(move |cells| Column { name: name.clone(), cells })
        };
        names.into_iter().map(column).collect::<Vec<_>>()
    });
    columns.prop_map(|mut columns| {
        columns.retain(|column| column.cells.iter().any(|cell| !cell.is_empty()));
        columns
    })
}

fn any_weight() -> impl Strategy<Value = f32> {
    any::<f32>().prop_map(f32::abs).prop_filter("finite", |weight| weight.is_finite())
}

fn any_attributes(nodes: usize) -> impl Strategy<Value = Option<Features>> {
    let value = any::<f32>().prop_filter("finite", |value| value.is_finite());
    let value = prop_oneof![Just(1.0), Just(1.0 - f32::EPSILON / 2.0), value];
    let row = proptest::collection::vec((0_u32..1000, value), 0..4);
    let rows = proptest::option::of(proptest::collection::vec(row, nodes));
    rows.prop_map(|rows| rows.map(Features::from_rows).filter(|all| all.filled() > 0))
}

prop_compose! {
    fn any_graph()(
        ids in proptest::collection::btree_set("\\PC{1,8}|[0-9]{1,4}|\"|\\[1\\]|\n", 1..12),
        rows in 0_usize..20,
    )(
        ends in proptest::collection::vec((0..ids.len(), 0..ids.len()), rows),
        weights in proptest::option::of(proptest::collection::vec(any_weight(), rows)),
        edge_columns in any_columns(rows),
        node_columns in any_columns(ids.len()),
        attributes in any_attributes(ids.len()),
        directed in any::<bool>(),
        ids in Just(ids),
    ) -> RawGraph {
        let mut raw = RawGraph {
            direction: if directed { Direction::Directed } else { Direction::Undirected },
            ids: IdTable::from_distinct(ids.iter()),
            node_columns,
            features: attributes,
            ..RawGraph::default()
        };
        for (source, target) in ends {
            raw.edges.push(NodeId::from(source), NodeId::from(target));
        }
        raw.edges.weights = weights.filter(|weights| !weights.is_empty());
        raw.edges.columns = edge_columns;
        raw
    }
}

/// Columns are read in the order in which rows first fill them.
fn with_sorted_columns(mut raw: RawGraph) -> RawGraph {
    raw.node_columns.sort_by(|a, b| a.name.cmp(&b.name));
    raw.edges.columns.sort_by(|a, b| a.name.cmp(&b.name));
    raw
}

proptest! {
    #[test]
    fn written_graphs_round_trip(raw in any_graph()) {
        let text = written(&raw);
        prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{}", text);
        prop_assert_eq!(with_sorted_columns(read_well(&text)), with_sorted_columns(raw));
    }
}
