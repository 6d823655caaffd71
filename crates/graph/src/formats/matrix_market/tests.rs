use super::super::super::OnBadRow;
use super::*;
use proptest::prelude::*;

fn read_with(text: &str, policy: OnBadRow) -> (Result<RawGraph, String>, Reading) {
    let mut reading = Reading::new("x.mtx", policy);
    let raw = read(text, &mut reading).map_err(|error| error.to_string());
    (raw, reading)
}

fn read_well(text: &str) -> RawGraph {
    read_with(text, OnBadRow::Fail).0.unwrap()
}

fn rows(raw: &RawGraph) -> Vec<(&str, &str, f32)> {
    raw.edges.iter().map(|(s, t, weight)| (raw.ids.text(s), raw.ids.text(t), weight)).collect()
}

#[test]
fn a_general_matrix_is_a_directed_graph() {
    let raw = read_well(
        "%%matrixmarket MATRIX Coordinate Real General\n% by hand\n\n3 3 2\n1 3 0.5\n3 1 2e1\n",
    );
    assert_eq!(raw.direction, Direction::Directed);
    assert_eq!(raw.ids.len(), 3);
    assert_eq!(rows(&raw), [("1", "3", 0.5), ("3", "1", 20.0)]);
}

#[test]
fn a_symmetric_matrix_is_an_undirected_graph() {
    let raw = read_well("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n");
    assert_eq!(raw.direction, Direction::Undirected);
    assert_eq!(raw.edges.weights, None);
    assert_eq!(rows(&raw), [("1", "2", 1.0), ("3", "3", 1.0)]);
}

#[test]
fn a_skew_symmetric_matrix_loses_its_signs_with_a_note() {
    let (raw, reading) = read_with(
        "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 -3\n",
        OnBadRow::Fail,
    );
    assert_eq!(rows(&raw.unwrap()), [("1", "2", 3.0)]);
    assert!(reading.notes[0].contains("1 negative entries"), "{:?}", reading.notes);
}

#[test]
fn a_matrix_that_is_not_square_has_two_types_of_nodes() {
    let raw = read_well("%%MatrixMarket matrix coordinate pattern general\n2 1 1\n2 1\n");
    assert_eq!(raw.ids.iter().collect::<Vec<_>>(), ["r1", "r2", "c1"]);
    let types = &raw.node_column("type").unwrap().cells;
    assert_eq!(*types, [Cell::text("row"), Cell::text("row"), Cell::text("column")]);
    assert_eq!(rows(&raw), [("r2", "c1", 1.0)]);
}

#[test]
fn a_dense_matrix_lists_its_columns_one_after_the_other() {
    let full = read_well("%%MatrixMarket matrix array real general\n2 2\n0\n7\n0.5\n0\n");
    assert_eq!(rows(&full), [("2", "1", 7.0), ("1", "2", 0.5)]);
    let half = read_well("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n7\n0\n");
    assert_eq!(rows(&half), [("1", "1", 1.0), ("1", "2", 7.0)]);
    let skew = read_well("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n-2\n3\n");
    assert_eq!(rows(&skew), [("1", "2", 1.0), ("1", "3", 2.0), ("2", "3", 3.0)]);
}

#[test]
fn invalid_entries_are_named_or_skipped() {
    let head = "%%MatrixMarket matrix coordinate real general\n2 2 1\n";
    for (entries, said) in [
        ("0 1 1\n", "line 3: found row `0`, expected a row from 1 to 2"),
        ("1 3 1\n", "found column `3`"),
        ("1 2 -1\n", "expected a weight of 0 or more"),
        ("1 2 nan\n", "expected a finite number"),
        ("1 2\n", "expected row, column and value"),
        ("1 2 3 4\n", "expected row, column and value"),
        ("1 2 1\n2 1 1\n", "line 4: found entry 2 (`2 1 1`), expected 1 entries, as stated"),
        ("", "line 2: found 0 entries up to the end"),
    ] {
        let text = format!("{head}{entries}");
        let error = read_with(&text, OnBadRow::Fail).0.unwrap_err();
        assert!(error.contains(said), "{error}");
        let (raw, reading) = read_with(&text, OnBadRow::Skip);
        assert!(raw.is_ok());
        assert_eq!(reading.skipped, 1, "{entries}");
    }
}

#[test]
fn files_that_are_not_graphs_are_refused_with_advice() {
    for (text, said) in [
        ("", "found nothing"),
        ("1 2\n", "add the Matrix Market header line"),
        ("%%MatrixMarket vector coordinate real general\n", "add the Matrix Market header line"),
        ("%%MatrixMarket matrix coordinate complex general\n1 1 0\n", "edge weights are real"),
        ("%%MatrixMarket matrix array pattern general\n1 1\n", "an array matrix has values"),
        ("%%MatrixMarket matrix coordinate real\n1 1 0\n", "`general` or `symmetric`"),
        ("%%MatrixMarket matrix coordinate real general\n% x\n", "found only comments"),
        ("%%MatrixMarket matrix coordinate real general\n1 1\n", "rows, columns and entries"),
        ("%%MatrixMarket matrix coordinate real general\n1 -1 0\n", "line 2: found `1 -1 0`"),
        ("%%MatrixMarket matrix coordinate real symmetric\n1 2 0\n", "as many rows as columns"),
    ] {
        let error = read_with(text, OnBadRow::Skip).0.unwrap_err();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn an_absurd_size_is_refused_before_anything_is_allocated() {
    for sizes in [
        "4000000000 4000000000 1",
        "2000000000 2000000000 1",
        "2000000000 2000000000 18446744073709551615",
        "18446744073709551615 18446744073709551615 1",
        "18446744073709551615 1 1",
        "2000000000 3 0",
    ] {
        let text = format!("%%MatrixMarket matrix coordinate pattern general\n{sizes}\n1 1\n");
        let error = read_with(&text, OnBadRow::Skip).0.unwrap_err();
        assert!(error.contains("line 2: found a matrix of"), "{error}");
    }
    let text = "%%MatrixMarket matrix array real general\n3000000 3000000\n1\n";
    assert!(read_with(text, OnBadRow::Skip).0.unwrap_err().contains("check the size line"));
}

prop_compose! {
    fn any_graph()(nodes in 1_usize..20, rows in 0_usize..30)(
        ends in proptest::collection::vec((0..nodes, 0..nodes), rows),
        weights in proptest::option::of(proptest::collection::vec(any::<f32>(), rows)),
        directed in any::<bool>(),
        nodes in Just(nodes),
    ) -> RawGraph {
        let mut raw = RawGraph {
            direction: if directed { Direction::Directed } else { Direction::Undirected },
            ids: IdTable::from_numbers(1..=nodes as u32),
            ..RawGraph::default()
        };
        for (a, b) in ends {
            // The order of the ends of an undirected edge is not preserved.
            let (a, b) = if directed { (a, b) } else { (a.min(b), a.max(b)) };
            raw.edges.push(NodeId::from(a), NodeId::from(b));
        }
        let usable = |weight: f32| if weight.is_finite() { weight.abs() } else { 0.0 };
        raw.edges.weights = weights.map(|weights| weights.into_iter().map(usable).collect());
        raw
    }
}

proptest! {
    #[test]
    fn written_graphs_round_trip(raw in any_graph()) {
        let mut bytes = Vec::new();
        write(&raw, &mut bytes).unwrap();
        prop_assert_eq!(read_well(std::str::from_utf8(&bytes).unwrap()), raw);
    }
}
