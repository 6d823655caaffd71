//! Engines compared with each other and with analytically known spectra.

use std::f64::consts::PI;

use gesf_tui::graph::Graph;
use gesf_tui::spectral::{
    Cancel, Engine, MatrixKind, Operator, RelationWeights, Request, SelfTerm, Signal, Which,
    decompose,
};

use super::{graph_of, kind_of, matrix_of, polynomial, sample, sampled, solve, wave};

fn ring(first: u32, size: u32) -> Vec<(u32, u32)> {
    (0..size).map(|n| (first + n, first + (n + 1) % size)).collect()
}

fn grid(width: u32, height: u32) -> Vec<(u32, u32)> {
    let at = |x: u32, y: u32| y * width + x;
    let across = (0..height).flat_map(|y| (1..width).map(move |x| (at(x - 1, y), at(x, y))));
    let down = (1..height).flat_map(|y| (0..width).map(move |x| (at(x, y - 1), at(x, y))));
    across.chain(down).collect()
}

fn star(first: u32, leaves: u32) -> Vec<(u32, u32)> {
    (1..=leaves).map(|n| (first, first + n)).collect()
}

fn complete(first: u32, size: u32) -> Vec<(u32, u32)> {
    (0..size).flat_map(|a| (0..a).map(move |b| (first + a, first + b))).collect()
}

/// Asserts that the block engine finds the top of the analytical list.
fn block_finds(graph: &Graph, kind: MatrixKind, count: usize, mut known: Vec<f64>) {
    known.sort_by(|a, b| b.total_cmp(a));
    let spectrum = solve(&matrix_of(graph, kind), count, Which::Highest, Engine::Block).unwrap();
    for (n, (found, expected)) in spectrum.values().iter().zip(&known).enumerate() {
        assert!((found - expected).abs() < 1e-5, "value {n}: {found} is not {expected}");
    }
}

#[test]
fn hundreds_of_components_give_hundreds_of_eigenvalues_one() {
    // 120 triangles and 60 single nodes: 180 ones, then 240 zeros; the count cuts
    // through the group of ones, then through that of zeros.
    let edges: Vec<_> = (0..120).flat_map(|n| ring(3 * n, 3)).collect();
    let graph = graph_of(420, &edges, None);
    let known: Vec<f64> = (0..420).map(|n| f64::from(u8::from(n < 180))).collect();
    for count in [10, 100, 180, 250] {
        block_finds(&graph, MatrixKind::SymLoops, count, known.clone());
    }
}

#[test]
fn stars_converge_despite_equal_leaves() {
    let edges: Vec<_> = (0..30).flat_map(|n| star(21 * n, 20)).collect();
    let graph = graph_of(630, &edges, None);
    let ends = [1.0, -1.0].into_iter().flat_map(|end| vec![end; 30]);
    let known: Vec<f64> = ends.chain(vec![0.0; 570]).collect();
    block_finds(&graph, MatrixKind::Sym, 50, known.clone());
    let both = solve(&matrix_of(&graph, MatrixKind::Sym), 50, Which::BothEnds, Engine::Block);
    let values = both.unwrap().values().to_vec();
    assert!(values[..25].iter().all(|v| (v - 1.0).abs() < 1e-8), "{values:?}");
    assert!(values[25..].iter().all(|v| (v + 1.0).abs() < 1e-8), "{values:?}");
}

#[test]
fn a_long_ring_converges_despite_clustered_eigenvalues() {
    let size = 1500;
    let graph = graph_of(size, &ring(0, size), None);
    let known = (0..size).map(|n| (2.0 * PI * f64::from(n) / f64::from(size)).cos()).collect();
    block_finds(&graph, MatrixKind::Sym, 60, known);
}

#[test]
fn the_spectrum_of_a_grid_is_the_sum_of_two_paths() {
    let (width, height) = (40, 25);
    let graph = graph_of(width * height, &grid(width, height), None);
    let path = |size: u32, n: u32| 2.0 * (PI * f64::from(n + 1) / f64::from(size + 1)).cos();
    let known = (0..width).flat_map(|x| (0..height).map(move |y| path(width, x) + path(height, y)));
    block_finds(&graph, MatrixKind::Adjacency, 80, known.collect());
}

#[test]
fn a_complete_graph_has_one_large_value_and_all_others_equal() {
    let graph = graph_of(150, &complete(0, 150), None);
    let known = std::iter::once(149.0).chain(vec![-1.0; 149]).collect();
    block_finds(&graph, MatrixKind::Adjacency, 20, known);
}

#[test]
fn a_graph_without_edges_has_only_zeros_or_only_ones() {
    let graph = graph_of(200, &[], None);
    block_finds(&graph, MatrixKind::Adjacency, 30, vec![0.0; 200]);
    block_finds(&graph, MatrixKind::SymLoops, 30, vec![1.0; 200]);
    let relations = MatrixKind::Relations(RelationWeights::default());
    block_finds(&graph, relations, 30, vec![1.0; 200]);
}

#[test]
fn block_and_dense_agree_on_every_end_of_the_spectrum() {
    let matrix = matrix_of(&sample("email-eu"), MatrixKind::Sym);
    for which in [Which::Highest, Which::LargestMagnitude, Which::BothEnds] {
        let block = solve(&matrix, 61, which, Engine::Block).unwrap();
        let dense = solve(&matrix, 61, which, Engine::Dense).unwrap();
        assert!(block.quality().worst_residual() <= 1e-5);
        for (one, other) in block.values().iter().zip(dense.values()) {
            assert!((one - other).abs() < 1e-8, "{which}: {one} is not {other}");
        }
    }
}

#[test]
fn the_block_engine_can_compute_nearly_all_pairs() {
    let matrix = matrix_of(&sample("lesmis"), MatrixKind::Sym);
    let block = solve(&matrix, 77, Which::Highest, Engine::Block).unwrap();
    let dense = solve(&matrix, 77, Which::Highest, Engine::Dense).unwrap();
    for (one, other) in block.values().iter().zip(dense.values()) {
        assert!((one - other).abs() < 1e-8, "{one} is not {other}");
    }
}

#[test]
fn the_smallest_graphs_work_in_every_engine() {
    for (nodes, edges) in [(1, vec![]), (2, vec![]), (2, vec![(0, 1)]), (3, vec![(0, 1)])] {
        let graph = graph_of(nodes, &edges, None);
        for kind in ["adjacency", "sym", "sym-loops", "relations"] {
            let matrix = matrix_of(&graph, kind_of(kind));
            let dense = solve(&matrix, 0, Which::All, Engine::Dense).unwrap();
            let block = solve(&matrix, 9, Which::LargestMagnitude, Engine::Block).unwrap();
            for (one, other) in block.values().iter().zip(dense.values()) {
                assert!((one - other).abs() < 1e-8, "{kind} of {nodes}: {one} is not {other}");
            }
            let signal = Signal { values: &wave(nodes as usize, 2, 0.0), width: 2 };
            let polynomial = polynomial(&matrix, 1, 1);
            let rho = sampled(&polynomial, |s| s);
            assert!(polynomial.apply(&rho, signal, SelfTerm::Drop, &[]).is_ok());
        }
    }
}

#[test]
fn zero_pairs_are_an_error_with_advice() {
    let matrix = matrix_of(&sample("karate"), MatrixKind::Sym);
    let error = solve(&matrix, 0, Which::Highest, Engine::Dense).unwrap_err();
    assert!(error.to_string().contains("at least one"), "{error}");
}

#[test]
fn the_same_request_gives_the_same_bits() {
    let matrix = matrix_of(&sample("email-eu"), MatrixKind::SymLoops);
    let one = solve(&matrix, 40, Which::Highest, Engine::Block).unwrap();
    let other = solve(&matrix, 40, Which::Highest, Engine::Block).unwrap();
    assert!(one.values() == other.values() && one.vectors() == other.vectors());
}

#[test]
fn a_cancelled_decomposition_returns_quickly() {
    let edges = grid(60, 50);
    let matrix = matrix_of(&graph_of(3_000, &edges, None), MatrixKind::SymLoops);
    for engine in [Engine::Dense, Engine::Block] {
        let cancel = Cancel::default();
        let request = Request { count: 900, engine: Some(engine), ..Request::default() };
        let flag = cancel.clone();
        let asked = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(300));
            flag.cancel();
            std::time::Instant::now()
        });
        let result = decompose(&matrix, &request, &cancel, &mut |_| {});
        let answered = std::time::Instant::now();
        assert!(result.is_err_and(|error| error.is_cancelled()));
        let waited = answered.duration_since(asked.join().unwrap());
        assert!(waited.as_millis() < 1000, "{engine}: {waited:?}");
    }
}

#[test]
fn small_graphs_use_the_dense_engine_and_chebyshev_has_no_eigenpairs() {
    let matrix = matrix_of(&sample("karate"), MatrixKind::SymLoops);
    assert_eq!(Request::default().choice(&matrix).engine, Engine::Dense);
    let request = Request { engine: Some(Engine::Chebyshev), ..Request::default() };
    let error = decompose(&matrix, &request, &Cancel::default(), &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("help:"), "{error}");
}
