//! The spectral room held against LAPACK's numbers, against itself (one engine
//! against another), and against graphs whose spectrum is known by formula.

// Helpers of tests fail by unwrapping, like the tests themselves.
#![allow(clippy::unwrap_used, clippy::doc_markdown)]

use std::f64::consts::PI;
use std::sync::Arc;

use gesf_tui::graph::{
    Cell, Graph, IdTable, LoadOptions, NodeId, OnBadRow, RawGraph, Reading, RoleChoice, build, load,
};
use gesf_tui::spectral::{
    Cancel, ChebyshevOperator, ChebyshevOptions, Density, EdgeValues, EigenOperator, Engine,
    Matrix, MatrixKind, Operator, RelationWeights, Request, SelfTerm, Signal, SpectralError,
    Spectrum, Which, build_operator, decompose,
};

fn sample(name: &str) -> Graph {
    load(format!("sample_graphs/{name}").as_ref(), &LoadOptions::default()).unwrap().0
}

/// A graph of so many nodes from pairs of them, with a type for each if given.
fn graph_of(nodes: u32, edges: &[(u32, u32)], types: Option<Vec<&str>>) -> Graph {
    let mut raw = RawGraph { ids: IdTable::from_numbers(0..nodes), ..RawGraph::default() };
    for &(a, b) in edges {
        raw.edges.push(NodeId(a), NodeId(b));
    }
    if let Some(types) = types {
        raw.set_node_column("type", types.into_iter().map(|t| Cell::Text(t.into())).collect());
    }
    let mut reading = Reading::new("test", OnBadRow::Fail);
    build(raw, &RoleChoice::default(), &mut reading).unwrap().0
}

fn matrix_of(graph: &Graph, kind: MatrixKind) -> Arc<Matrix> {
    // The references count an edge once where the source has no weights.
    let edges = if graph.is_weighted() { EdgeValues::Weighted } else { EdgeValues::Binary };
    Arc::new(Matrix::of(graph, kind, edges).unwrap())
}

fn solve(
    matrix: &Arc<Matrix>,
    count: usize,
    which: Which,
    engine: Engine,
) -> Result<Spectrum, SpectralError> {
    let request = Request { count, which, engine: Some(engine), ..Request::default() };
    decompose(matrix, &request, &Cancel::default(), &mut |_| {})
}

/// The numbers of a one-dimensional f64 array in numpy's format.
fn fixture(name: &str) -> Vec<f64> {
    let bytes = std::fs::read(format!("tests/fixtures/spectra/{name}.npy")).unwrap();
    let header = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    bytes[10 + header..].as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b)).collect()
}

fn kind_of(name: &str) -> MatrixKind {
    match name {
        "adjacency" => MatrixKind::Adjacency,
        "sym" => MatrixKind::Sym,
        "sym-loops" => MatrixKind::SymLoops,
        _ => MatrixKind::Relations(RelationWeights::default()),
    }
}

/// Eigenvalues to 1e-8 of the largest, and the largest group's eigenspace.
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
fn normalised_spectra_stay_within_one_whatever_the_weights_of_relations() {
    let graph = sample("southern-women");
    let (a, b) = (gesf_tui::graph::TypeId(0), gesf_tui::graph::TypeId(1));
    for weights in [(1.0, 1.0), (0.0, 3.0), (5.0, 0.1)] {
        let weights = RelationWeights::default().with(a, a, weights.0).with(b, a, weights.1);
        let matrix = matrix_of(&graph, MatrixKind::Relations(weights));
        let spectrum = solve(&matrix, 0, Which::All, Engine::Dense).unwrap();
        assert!(spectrum.scale() <= 1.0 + 1e-12, "{}", spectrum.scale());
    }
}

// ---- graphs whose spectrum is known ----

fn ring(first: u32, size: u32) -> Vec<(u32, u32)> {
    (0..size).map(|n| (first + n, first + (n + 1) % size)).collect()
}

fn star(first: u32, leaves: u32) -> Vec<(u32, u32)> {
    (1..=leaves).map(|n| (first, first + n)).collect()
}

fn complete(first: u32, size: u32) -> Vec<(u32, u32)> {
    (0..size).flat_map(|a| (0..a).map(move |b| (first + a, first + b))).collect()
}

fn grid(width: u32, height: u32) -> Vec<(u32, u32)> {
    let at = |x: u32, y: u32| y * width + x;
    let across = (0..height).flat_map(|y| (1..width).map(move |x| (at(x - 1, y), at(x, y))));
    let down = (1..height).flat_map(|y| (0..width).map(move |x| (at(x, y - 1), at(x, y))));
    across.chain(down).collect()
}

/// The block engine's answer is the top of the formula's list.
fn block_finds(graph: &Graph, kind: MatrixKind, count: usize, mut known: Vec<f64>) {
    known.sort_by(|a, b| b.total_cmp(a));
    let spectrum = solve(&matrix_of(graph, kind), count, Which::Highest, Engine::Block).unwrap();
    for (n, (found, expected)) in spectrum.values().iter().zip(&known).enumerate() {
        assert!((found - expected).abs() < 1e-5, "value {n}: {found} is not {expected}");
    }
}

#[test]
fn hundreds_of_components_give_hundreds_of_ones() {
    // 120 triangles and 60 single nodes: 180 ones, then 240 zeros, and the
    // count cuts through the group of ones, then through that of zeros.
    let edges: Vec<_> = (0..120).flat_map(|n| ring(3 * n, 3)).collect();
    let graph = graph_of(420, &edges, None);
    let known: Vec<f64> = (0..420).map(|n| f64::from(u8::from(n < 180))).collect();
    for count in [10, 100, 180, 250] {
        block_finds(&graph, MatrixKind::SymLoops, count, known.clone());
    }
}

#[test]
fn stars_converge_though_their_leaves_are_all_alike() {
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
fn a_long_ring_converges_though_its_top_is_crowded() {
    let size = 1500;
    let graph = graph_of(size, &ring(0, size), None);
    let known = (0..size).map(|n| (2.0 * PI * f64::from(n) / f64::from(size)).cos()).collect();
    block_finds(&graph, MatrixKind::Sym, 60, known);
}

#[test]
fn a_grid_has_the_sums_of_two_paths() {
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
fn nearly_all_pairs_can_be_asked_of_the_block_engine_too() {
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
            let polynomial = chebyshev(&matrix, 1, 1);
            let rho = sampled(&polynomial, |s| s);
            assert!(polynomial.apply(&rho, signal, SelfTerm::Drop).is_ok());
        }
    }
}

#[test]
fn no_pairs_at_all_is_an_error_with_advice() {
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

// ---- operators ----

fn wave(rows: usize, width: usize, seed: f32) -> Vec<f32> {
    (0..rows * width).map(|n| (n as f32 * 0.37 + seed).sin()).collect()
}

fn relative(found: &[f32], expected: &[f32]) -> f64 {
    let norm = |x: &mut dyn Iterator<Item = f64>| x.map(|v| v * v).sum::<f64>().sqrt();
    let off = norm(&mut found.iter().zip(expected).map(|(a, b)| f64::from(a - b)));
    off / norm(&mut expected.iter().map(|&b| f64::from(b)))
}

fn sampled(operator: &dyn Operator, rho: fn(f32) -> f32) -> Vec<f32> {
    operator.points().iter().map(|&s| rho(s)).collect()
}

fn chebyshev(matrix: &Arc<Matrix>, degree: usize, probes: usize) -> ChebyshevOperator {
    let options = ChebyshevOptions { degree, probes };
    ChebyshevOperator::new(matrix, options, &Cancel::default(), &mut |_| {}).unwrap()
}

fn eigen(matrix: &Arc<Matrix>) -> EigenOperator {
    EigenOperator::new(Arc::new(solve(matrix, 0, Which::All, Engine::Dense).unwrap()))
}

/// Both engines, for a smooth ρ: Z, both gradients, a row.
fn engines_agree(graph: &Graph, degree: usize) {
    let matrix = matrix_of(graph, MatrixKind::SymLoops);
    let (exact, polynomial) = (eigen(&matrix), chebyshev(&matrix, degree, 16));
    let rho = |s: f32| (3.0 * (s - 1.0)).exp();
    let (at_eigen, at_nodes) = (sampled(&exact, rho), sampled(&polynomial, rho));
    let (h, g) = (wave(graph.node_count(), 19, 0.1), wave(graph.node_count(), 19, 0.9));
    let (h, g) = (Signal { values: &h, width: 19 }, Signal { values: &g, width: 19 });
    let one = exact.apply(&at_eigen, h, SelfTerm::Keep).unwrap();
    let other = polynomial.apply(&at_nodes, h, SelfTerm::Keep).unwrap();
    assert!(relative(&other.output, &one.output) < 1e-4);
    let by_eigen = exact.differentiate(&at_eigen, h, &one.kept, g, SelfTerm::Keep).unwrap();
    let by_nodes = polynomial.differentiate(&at_nodes, h, &other.kept, g, SelfTerm::Keep).unwrap();
    assert!(relative(&by_nodes.signal, &by_eigen.signal) < 1e-4);
    // The directional derivative along a change of ρ both can express.
    let along = |operator: &dyn Operator, by: &[f32]| -> f64 {
        let points = operator.points().iter();
        points.zip(by).map(|(&s, &d)| f64::from(d) * (2.0 * f64::from(s)).sin()).sum()
    };
    let (a, b) = (along(&exact, &by_eigen.response), along(&polynomial, &by_nodes.response));
    assert!((a - b).abs() < 1e-4 * a.abs().max(1.0), "{a} is not {b}");
    let row = exact.row(&at_eigen, NodeId(3)).unwrap();
    assert!(relative(&polynomial.row(&at_nodes, NodeId(3)).unwrap(), &row) < 1e-4);
}

#[test]
fn chebyshev_and_eigenvectors_give_the_same_product_and_derivatives() {
    engines_agree(&sample("lesmis"), 20);
}

#[test]
#[ignore = "minutes without optimisation: cargo test --release -- --ignored"]
fn chebyshev_and_eigenvectors_agree_on_cora() {
    engines_agree(&sample("cora"), 20);
}

/// Derivatives against finite differences of the loss ½‖Z‖².
fn derivative_is_right(operator: &dyn Operator, rho: fn(f32) -> f32, term: SelfTerm) {
    let width = 3;
    let h = wave(operator.nodes(), width, 0.3);
    let response = sampled(operator, rho);
    let loss = |response: &[f32], h: &[f32]| -> f64 {
        let z = operator.apply(response, Signal { values: h, width }, term).unwrap().output;
        z.iter().map(|&z| 0.5 * f64::from(z).powi(2)).sum()
    };
    let signal = Signal { values: &h, width };
    let applied = operator.apply(&response, signal, term).unwrap();
    let dz = Signal { values: &applied.output, width };
    let by = operator.differentiate(&response, signal, &applied.kept, dz, term).unwrap();
    let step = 1e-2_f32;
    let moved = |values: &[f32], way: &[f32], sign: f32| -> Vec<f32> {
        values.iter().zip(way).map(|(v, w)| v + sign * step * w).collect()
    };
    let dot =
        |a: &[f32], b: &[f32]| -> f64 { a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum() };
    let close = |found: f64, difference: f64, what: &str| {
        let off = (found - difference).abs();
        assert!(off <= 2e-3 * difference.abs().max(1.0), "{what} {term:?}: {found} {difference}");
    };
    let way = wave(response.len(), 1, 0.5);
    let ends = [1.0, -1.0].map(|sign| loss(&moved(&response, &way, sign), &h));
    close(dot(&by.response, &way), (ends[0] - ends[1]) / f64::from(2.0 * step), "response");
    let way = wave(operator.nodes(), width, 0.7);
    let ends = [1.0, -1.0].map(|sign| loss(&response, &moved(&h, &way, sign)));
    close(dot(&by.signal, &way), (ends[0] - ends[1]) / f64::from(2.0 * step), "signal");
}

#[test]
fn derivatives_agree_with_finite_differences_in_both_engines_with_and_without_self_term() {
    let matrix = matrix_of(&sample("karate"), MatrixKind::SymLoops);
    for term in [SelfTerm::Keep, SelfTerm::Drop] {
        derivative_is_right(&eigen(&matrix), |s| s * s - 0.3, term);
        derivative_is_right(&chebyshev(&matrix, 9, 32), |s| s * s - 0.3, term);
    }
}

#[test]
fn products_have_the_same_bits_on_one_thread_and_on_many() {
    let matrix = matrix_of(&sample("email-eu"), MatrixKind::SymLoops);
    let operators: [Box<dyn Operator>; 2] = [
        Box::new(EigenOperator::new(Arc::new(
            solve(&matrix, 40, Which::Highest, Engine::Block).unwrap(),
        ))),
        Box::new(chebyshev(&matrix, 8, 32)),
    ];
    let (h, g) = (wave(matrix.size(), 40, 0.1), wave(matrix.size(), 40, 0.8));
    let (h, g) = (Signal { values: &h, width: 40 }, Signal { values: &g, width: 40 });
    for operator in operators {
        let rho = sampled(&*operator, |s| s * s);
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let applied = operator.apply(&rho, h, SelfTerm::Drop).unwrap();
                let by = operator.differentiate(&rho, h, &applied.kept, g, SelfTerm::Drop).unwrap();
                (applied.output, by.signal, by.response)
            })
        };
        assert!(run(1) == run(3));
    }
}

#[test]
fn a_dropped_self_term_leaves_nothing_of_the_node_itself() {
    let matrix = matrix_of(&sample("karate"), MatrixKind::Sym);
    let operator = eigen(&matrix);
    let rho = sampled(&operator, |s| 1.0 + s);
    let unit: Vec<f32> = (0..34).map(|n| f32::from(u8::from(n == 5))).collect();
    let signal = Signal { values: &unit, width: 1 };
    let kept = operator.apply(&rho, signal, SelfTerm::Keep).unwrap().output;
    let dropped = operator.apply(&rho, signal, SelfTerm::Drop).unwrap().output;
    let diagonal = operator.diagonal(&rho).unwrap();
    assert!((kept[5] - diagonal.values[5]).abs() < 1e-6 && dropped[5].abs() < 1e-6);
    assert!((0..34).filter(|&n| n != 5).all(|n| (kept[n] - dropped[n]).abs() < 1e-6));
    assert!(diagonal.error.abs() < f32::EPSILON);
    assert!(relative(&operator.row(&rho, NodeId(5)).unwrap(), &kept) < 1e-6);
}

#[test]
fn a_probed_diagonal_is_as_close_as_it_says() {
    let matrix = matrix_of(&sample("email-eu"), MatrixKind::SymLoops);
    let (polynomial, exact) = (chebyshev(&matrix, 16, 128), chebyshev_rows(&matrix));
    let rho = sampled(&polynomial, |s| (2.0 * (s - 1.0)).exp());
    let diagonal = polynomial.diagonal(&rho).unwrap();
    let off: f64 = exact
        .iter()
        .map(|&(node, value)| f64::from(diagonal.values[node] - value).powi(2))
        .sum::<f64>()
        / exact.len() as f64;
    assert!(off.sqrt() <= 1.5 * f64::from(diagonal.error), "{} {}", off.sqrt(), diagonal.error);
    assert!(diagonal.error < 0.05);
}

/// P_vv of every tenth node, from whole rows of P.
fn chebyshev_rows(matrix: &Arc<Matrix>) -> Vec<(usize, f32)> {
    let operator = chebyshev(matrix, 16, 16);
    let rho = sampled(&operator, |s| (2.0 * (s - 1.0)).exp());
    (0..matrix.size())
        .step_by(10)
        .map(|n| (n, operator.row(&rho, NodeId(n as u32)).unwrap()[n]))
        .collect()
}

#[test]
fn wrong_sizes_are_errors_not_panics() {
    let matrix = matrix_of(&sample("karate"), MatrixKind::Sym);
    let operators: [Box<dyn Operator>; 2] =
        [Box::new(eigen(&matrix)), Box::new(chebyshev(&matrix, 4, 16))];
    for operator in operators {
        let rho = sampled(&*operator, |s| s);
        let short = Signal { values: &[1.0; 33], width: 1 };
        assert!(operator.apply(&rho, short, SelfTerm::Keep).is_err());
        let right = Signal { values: &[1.0; 34], width: 1 };
        assert!(operator.apply(&rho[1..], right, SelfTerm::Keep).is_err());
        assert!(operator.row(&rho, NodeId(34)).is_err());
        let none = Signal { values: &[], width: 0 };
        assert!(operator.apply(&rho, none, SelfTerm::Drop).unwrap().output.is_empty());
    }
}

#[test]
fn a_density_counts_what_the_eigenvalues_count() {
    let matrix = matrix_of(&sample("email-eu"), MatrixKind::SymLoops);
    let density = Density::of(&matrix, 200, &Cancel::default(), &mut |_| {}).unwrap();
    let spectrum = solve(&matrix, 0, Which::All, Engine::Dense).unwrap();
    for s in [-0.2, 0.0, 0.2, 0.4] {
        let above = spectrum.values().iter().filter(|&&v| v > s).count() as f64;
        let about = density.count_above(s / density.scale());
        assert!((about - above).abs() < 40.0, "above {s}: {about:.0} for {above}");
    }
    let total: f64 = density.histogram(50).iter().sum();
    assert!((total - 1005.0).abs() < 10.0, "{total}");
}

#[test]
fn a_cancelled_decomposition_returns_within_a_tenth_of_a_second() {
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
        assert!(waited.as_millis() < 100, "{engine}: {waited:?}");
    }
}

#[test]
fn the_chosen_engine_is_built_and_forcing_eigenpairs_of_chebyshev_is_an_error() {
    let matrix = matrix_of(&sample("karate"), MatrixKind::SymLoops);
    let request = Request { engine: Some(Engine::Chebyshev), ..Request::default() };
    let operator = build_operator(&matrix, &request, &Cancel::default(), &mut |_| {}).unwrap();
    assert_eq!(operator.points().len(), 34);
    let error = decompose(&matrix, &request, &Cancel::default(), &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("help:"), "{error}");
    let chosen = Request::default();
    let operator = build_operator(&matrix, &chosen, &Cancel::default(), &mut |_| {}).unwrap();
    assert_eq!((operator.points().len(), chosen.choice(&matrix).engine), (34, Engine::Dense));
}
