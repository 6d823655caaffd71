//! Tests that graphs round-trip through each text format, and that no damaged file
//! makes a reader panic.

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use proptest::sample::select;

use super::super::{
    ATTRIBUTE_COLUMN, Cell, Column, Direction, EdgeRows, Features, GraphError, IdTable, NodeId,
    OnBadRow, RawGraph, Reading,
};
use super::value::settle_numbers;
use super::{Format, Writer};

/// Texts that are difficult to parse.
const TRICKY: [&str; 24] = [
    "a b", "\"", "\\", "a\\", "\\n", "\\\"", "<b>", "]]>", "&", "&amp;", "&#65;", " ", "\t", "\n",
    "\r\n", "007", "12", "-0.5", "NaN", "true", "node", "#", "a -- b", "{[;]}",
];

fn text() -> BoxedStrategy<String> {
    let any = "\\PC{1,8}";
    let with_breaks = "[a-z \n\r\t\"'<>&\\\\]{1,8}";
    prop_oneof![any, with_breaks, select(&TRICKY[..]).prop_map(str::to_owned)].boxed()
}

fn cell(flags: bool) -> BoxedStrategy<Cell> {
    let number = prop_oneof![
        proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO,
        (-1000_i32..1000).prop_map(f64::from),
    ];
    let flag =
        if flags { any::<bool>().prop_map(Cell::Flag).boxed() } else { Just(Cell::Empty).boxed() };
    prop_oneof![
        Just(Cell::Empty),
        text().prop_map(|text| Cell::text(&text)),
        number.prop_map(Cell::Number),
        flag
    ]
    .boxed()
}

/// Cells of one kind, or of any.
fn cells(rows: usize, flags: bool) -> BoxedStrategy<Vec<Cell>> {
    prop_oneof![
        vec(cell(flags), rows),
        vec(any::<f64>().prop_map(|n| Cell::Number(if n.is_finite() { n } else { 0.5 })), rows),
        vec((0..9_i32).prop_map(|n| Cell::Number(f64::from(n))), rows),
    ]
    .boxed()
}

fn columns(names: BoxedStrategy<String>, rows: usize, flags: bool) -> BoxedStrategy<Vec<Column>> {
    let taken = ["id", "label", "weight", "value", "source", "target", ATTRIBUTE_COLUMN];
    let free = names
        .prop_map(|name| name.to_ascii_lowercase())
        .prop_filter("has a meaning of its own", move |name| !taken.contains(&name.as_str()));
    let filled = |cells: &Vec<Cell>| cells.iter().any(|cell| !cell.is_empty());
    btree_set(free, 0..4)
        .prop_flat_map(move |names| {
            let names: Vec<String> = names.into_iter().collect();
            vec(cells(rows, flags), names.len()).prop_map(move |all| {
                let titled = names.iter().zip(all).filter(|(_, cells)| filled(cells));
                titled.map(|(name, cells)| Column { name: name.clone(), cells }).collect()
            })
        })
        .boxed()
}

fn attributes(nodes: usize) -> BoxedStrategy<Option<Features>> {
    let value = prop_oneof![Just(1.0_f32), proptest::num::f32::NORMAL];
    let rows = vec(vec((0_u32..50, value), 0..4), nodes);
    let some = rows.prop_map(Features::from_rows).prop_map(|all| (all.filled() > 0).then_some(all));
    prop_oneof![Just(None), some].boxed()
}

/// Any graph with columns of the given names.
fn graph(names: BoxedStrategy<String>, flags: bool) -> impl Strategy<Value = RawGraph> {
    let sizes = (btree_set(text(), 1..8), 0..12_usize);
    sizes.prop_flat_map(move |(ids, rows)| {
        let nodes = ids.len();
        let end = 0..nodes as u32;
        let ends = vec((end.clone(), end), rows);
        let weight =
            prop_oneof![0.0_f32..10.0, (0..5_u16).prop_map(f32::from), Just(1e-30), Just(3e30)];
        let weights = proptest::option::of(vec(weight, rows));
        let columns = (columns(names.clone(), nodes, flags), columns(names.clone(), rows, flags));
        (ends, weights, columns, attributes(nodes), any::<bool>()).prop_map(
            move |(ends, weights, (node_columns, columns), attributes, directed)| RawGraph {
                direction: if directed { Direction::Directed } else { Direction::Undirected },
                ids: IdTable::from_distinct(ids.iter()),
                node_columns,
                edges: EdgeRows {
                    sources: ends.iter().map(|end| NodeId(end.0)).collect(),
                    targets: ends.iter().map(|end| NodeId(end.1)).collect(),
                    weights: weights.filter(|_| !ends.is_empty()),
                    columns,
                },
                features: attributes,
                manifest: None,
            },
        )
    })
}

fn any_name() -> BoxedStrategy<String> {
    text()
}

fn plain_name() -> BoxedStrategy<String> {
    "[A-Za-z][A-Za-z0-9_]{0,6}".boxed()
}

fn written(raw: &RawGraph, writer: Writer) -> String {
    let mut out = Vec::new();
    writer(raw, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn sorted(mut raw: RawGraph) -> RawGraph {
    raw.node_columns.sort_by(|one, other| one.name.cmp(&other.name));
    raw.edges.columns.sort_by(|one, other| one.name.cmp(&other.name));
    raw
}

fn read(format: Format, text: &str, policy: OnBadRow) -> Result<RawGraph, GraphError> {
    format.read_text(text, &mut Reading::new("x", policy))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn graphml_round_trips_every_graph(raw in graph(any_name(), true)) {
        let text = written(&raw, super::graphml::write);
        let back = read(Format::GraphMl, &text, OnBadRow::Fail).unwrap();
        prop_assert_eq!(back, raw, "{}", text);
    }

    #[test]
    fn gml_round_trips_every_graph_without_flags(raw in graph(plain_name(), false)) {
        let text = written(&raw, super::gml::write);
        prop_assert!(text.is_ascii());
        let back = read(Format::Gml, &text, OnBadRow::Fail).unwrap();
        prop_assert_eq!(sorted(back), sorted(raw), "{}", text);
    }

    #[test]
    fn dot_round_trips_every_graph(mut raw in graph(any_name(), true)) {
        let text = written(&raw, super::dot::write);
        settle_numbers(&mut raw.node_columns);
        settle_numbers(&mut raw.edges.columns);
        let back = read(Format::Dot, &text, OnBadRow::Fail).unwrap();
        prop_assert_eq!(sorted(back), sorted(raw), "{}", text);
    }

    #[test]
    fn a_damaged_file_is_an_error_or_a_graph_and_never_a_panic(
        raw in graph(any_name(), true),
        damage in vec((any::<proptest::sample::Index>(), 0..20_usize, select(&TRICKY[..])), 1..6),
    ) {
        let formats: [(Format, Writer); 3] = [
            (Format::GraphMl, super::graphml::write),
            (Format::Gml, super::gml::write),
            (Format::Dot, super::dot::write),
        ];
        for (format, writer) in formats {
            let mut letters: Vec<char> = written(&raw, writer).chars().collect();
            for (at, removed, put) in &damage {
                let at = at.index(letters.len() + 1);
                let end = (at + removed).min(letters.len());
                letters.splice(at..end, put.chars());
            }
            let text: String = letters.into_iter().collect();
            if let Ok(back) = read(format, &text, OnBadRow::Skip) {
                let rows = back.edges.len();
                let nodes = back.ids.len();
                prop_assert!(back.edges.columns.iter().all(|column| column.cells.len() == rows));
                prop_assert!(back.node_columns.iter().all(|column| column.cells.len() == nodes));
                prop_assert!(back.edges.weights.is_none_or(|weights| weights.len() == rows));
                prop_assert!(back.edges.sources.iter().all(|end| end.index() < nodes));
            }
        }
    }
}
