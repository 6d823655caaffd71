//! Comparison with LAPACK.

/// The numbers of a one-dimensional f64 array in numpy's format.
use gesf_tui::graph::{Cell, Graph, IdTable, OnBadRow, RawGraph, Reading, RoleChoice, build};
use gesf_tui::spectral::{Engine, MatrixKind, RelationWeights, Spectrum, Which};

use super::{kind_of, matrix_of, sample, solve};

fn fixture(name: &str) -> Vec<f64> {
    let bytes = std::fs::read(format!("tests/fixtures/spectra/{name}.npy")).unwrap();
    let header = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    bytes[10 + header..].as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b)).collect()
}

/// Compares eigenvalues to 1e-8 of the largest, and the eigenspace of the largest
/// group.
fn agrees_with_lapack(name: &str, kind: &str, graph: &Graph) {
    let matrix = matrix_of(graph, kind_of(kind));
    let spectrum = solve(&matrix, 0, Which::All, Engine::Dense).unwrap();
    let expected = fixture(&format!("{name}-{kind}.values"));
    assert_eq!(spectrum.count(), expected.len());
    for (found, expected) in spectrum.values().iter().zip(&expected) {
        let off = (found - expected).abs();
        assert!(off <= 1e-8 * spectrum.scale(), "{name} {kind}: {found} is not {expected}");
    }
    let group = fixture(&format!("{name}-{kind}.group"));
    let inside = |value: &f64| (value - group[0]).abs() <= 1e-9 * spectrum.scale();
    let columns: Vec<usize> =
        (0..spectrum.count()).filter(|&n| inside(&spectrum.values()[n])).collect();
    assert_eq!(columns.len(), group[1] as usize, "{name} {kind}: multiplicity at {}", group[0]);
    let projected = project(&spectrum, &columns);
    for (found, expected) in projected.iter().zip(&group[2..]) {
        assert!((found - expected).abs() < 1e-5, "{name} {kind}: {found} is not {expected}");
    }
}

/// The projection of sin(1), sin(2), … on some eigenvectors.
fn project(spectrum: &Spectrum, columns: &[usize]) -> Vec<f64> {
    let row = |node: usize| &spectrum.vectors()[node * spectrum.count()..][..spectrum.count()];
    let mut out = vec![0.0; spectrum.nodes()];
    for &column in columns {
        let at = |node: usize| f64::from(row(node)[column]);
        let share: f64 = (0..out.len()).map(|n| at(n) * (n as f64 + 1.0).sin()).sum();
        out.iter_mut().enumerate().for_each(|(n, sum)| *sum += share * at(n));
    }
    out
}

#[test]
fn small_spectra_agree_with_lapack_for_every_matrix() {
    for name in ["karate", "lesmis"] {
        for kind in ["adjacency", "sym", "sym-loops"] {
            agrees_with_lapack(name, kind, &sample(name));
        }
    }
}

#[test]
fn email_eu_agrees_with_lapack() {
    agrees_with_lapack("email-eu", "sym-loops", &sample("email-eu"));
}

#[test]
#[ignore = "minutes without optimisation: cargo test --release -- --ignored"]
fn every_sample_agrees_with_lapack_for_every_matrix() {
    for name in ["email-eu", "wikipedia", "cora"] {
        for kind in ["adjacency", "sym", "sym-loops"] {
            agrees_with_lapack(name, kind, &sample(name));
        }
    }
}

#[test]
fn relations_of_two_types_agree_with_lapack() {
    agrees_with_lapack("southern-women", "relations", &sample("southern-women"));
    let lesmis = sample("lesmis");
    let mut raw = RawGraph {
        ids: IdTable::from_numbers(0..lesmis.node_count() as u32),
        ..RawGraph::default()
    };
    let mut weights = Vec::new();
    for (a, b, weight) in lesmis.edges() {
        raw.edges.push(a, b);
        weights.push(weight);
    }
    raw.edges.weights = Some(weights);
    let parity = |n: usize| Cell::Text(["0", "1"][n % 2].into());
    raw.set_node_column("type", (0..lesmis.node_count()).map(parity).collect());
    let mut reading = Reading::new("test", OnBadRow::Fail);
    let typed = build(raw, &RoleChoice::default(), &mut reading).unwrap().0;
    assert_eq!(typed.types().count(), 2);
    agrees_with_lapack("lesmis", "relations", &typed);
}

#[test]
fn normalised_spectra_stay_within_one_for_any_relation_weights() {
    let graph = sample("southern-women");
    let (a, b) = (gesf_tui::graph::TypeId(0), gesf_tui::graph::TypeId(1));
    for weights in [(1.0, 1.0), (0.0, 3.0), (5.0, 0.1)] {
        let weights = RelationWeights::default().with(a, a, weights.0).with(b, a, weights.1);
        let matrix = matrix_of(&graph, MatrixKind::Relations(weights));
        let spectrum = solve(&matrix, 0, Which::All, Engine::Dense).unwrap();
        assert!(spectrum.scale() <= 1.0 + 1e-12, "{}", spectrum.scale());
    }
}
