//! Products with a filtered matrix, and their derivatives.

use std::sync::Arc;

use gesf_tui::graph::{Graph, NodeId};
use gesf_tui::spectral::{
    Cancel, Density, EigenOperator, Engine, FilterGradient, Matrix, MatrixKind, Operator, SelfTerm,
    Signal, Which,
};

use super::{matrix_of, polynomial as chebyshev, sample, sampled, solve, wave};

const WANTED: FilterGradient = FilterGradient::Wanted;

fn relative(found: &[f32], expected: &[f32]) -> f64 {
    let norm = |x: &mut dyn Iterator<Item = f64>| x.map(|v| v * v).sum::<f64>().sqrt();
    let off = norm(&mut found.iter().zip(expected).map(|(a, b)| f64::from(a - b)));
    off / norm(&mut expected.iter().map(|&b| f64::from(b)))
}

fn eigen(matrix: &Arc<Matrix>) -> EigenOperator {
    EigenOperator::new(Arc::new(solve(matrix, 0, Which::All, Engine::Dense).unwrap()))
}

/// Compares both engines for a smooth ρ: Z, both gradients, a row.
fn engines_agree(graph: &Graph, degree: usize) {
    let matrix = matrix_of(graph, MatrixKind::SymLoops);
    let (exact, polynomial) = (eigen(&matrix), chebyshev(&matrix, degree, 16));
    let rho = |s: f32| (3.0 * (s - 1.0)).exp();
    let (at_eigen, at_nodes) = (sampled(&exact, rho), sampled(&polynomial, rho));
    let (h, g) = (wave(graph.node_count(), 19, 0.1), wave(graph.node_count(), 19, 0.9));
    let (h, g) = (Signal { values: &h, width: 19 }, Signal { values: &g, width: 19 });
    let one = exact.apply(&at_eigen, h, SelfTerm::Keep, &[]).unwrap();
    let other = polynomial.apply(&at_nodes, h, SelfTerm::Keep, &[]).unwrap();
    assert!(relative(&other.output, &one.output) < 1e-4);
    let by_eigen = exact.differentiate(&at_eigen, h, &one.kept, g, SelfTerm::Keep, WANTED).unwrap();
    let by_nodes =
        polynomial.differentiate(&at_nodes, h, &other.kept, g, SelfTerm::Keep, WANTED).unwrap();
    assert!(relative(&by_nodes.signal, &by_eigen.signal) < 1e-4);
    // The directional derivative along a change of ρ that both can represent.
    let along = |operator: &dyn Operator, by: &[f32]| -> f64 {
        let points = operator.points().iter();
        points.zip(by).map(|(&s, &d)| f64::from(d) * (2.0 * f64::from(s)).sin()).sum()
    };
    let (a, b) = (
        along(&exact, &by_eigen.response.unwrap()),
        along(&polynomial, &by_nodes.response.unwrap()),
    );
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

/// Compares derivatives with finite differences of the loss ½‖Z‖².
fn derivative_is_right(operator: &dyn Operator, rho: fn(f32) -> f32, term: SelfTerm) {
    let width = 3;
    let h = wave(operator.nodes(), width, 0.3);
    let response = sampled(operator, rho);
    let loss = |response: &[f32], h: &[f32]| -> f64 {
        let z = operator.apply(response, Signal { values: h, width }, term, &[]).unwrap().output;
        z.iter().map(|&z| 0.5 * f64::from(z).powi(2)).sum()
    };
    let signal = Signal { values: &h, width };
    let applied = operator.apply(&response, signal, term, &[]).unwrap();
    let dz = Signal { values: &applied.output, width };
    let by = operator.differentiate(&response, signal, &applied.kept, dz, term, WANTED).unwrap();
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
    close(
        dot(&by.response.unwrap(), &way),
        (ends[0] - ends[1]) / f64::from(2.0 * step),
        "response",
    );
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
                let applied = operator.apply(&rho, h, SelfTerm::Drop, &[1, 5]).unwrap();
                let by = operator.differentiate(&rho, h, &applied.kept, g, SelfTerm::Drop, WANTED);
                let by = by.unwrap();
                (applied.output, by.signal, by.response)
            })
        };
        assert!(run(1) == run(3));
    }
}

#[test]
fn a_dropped_self_term_removes_the_nodes_own_signal() {
    let matrix = matrix_of(&sample("karate"), MatrixKind::Sym);
    let operator = eigen(&matrix);
    let rho = sampled(&operator, |s| 1.0 + s);
    let unit: Vec<f32> = (0..34).map(|n| f32::from(u8::from(n == 5))).collect();
    let signal = Signal { values: &unit, width: 1 };
    let kept = operator.apply(&rho, signal, SelfTerm::Keep, &[]).unwrap().output;
    let dropped = operator.apply(&rho, signal, SelfTerm::Drop, &[]).unwrap().output;
    let diagonal = operator.diagonal(&rho).unwrap();
    assert!((kept[5] - diagonal.values[5]).abs() < 1e-6 && dropped[5].abs() < 1e-6);
    assert!((0..34).filter(|&n| n != 5).all(|n| (kept[n] - dropped[n]).abs() < 1e-6));
    assert!(diagonal.error.abs() < f32::EPSILON);
    assert!(relative(&operator.row(&rho, NodeId(5)).unwrap(), &kept) < 1e-6);
}

#[test]
fn a_diagonal_from_walks_equals_that_of_the_rows_and_leaves_no_self_term() {
    for kind in [MatrixKind::SymLoops, MatrixKind::Sym, MatrixKind::Adjacency] {
        let matrix = matrix_of(&sample("email-eu"), kind);
        for degree in [1, 2, 5, 6] {
            let operator = chebyshev(&matrix, degree, 16);
            let rho = sampled(&operator, |s| s * s - 0.2 * s);
            let diagonal = operator.diagonal(&rho).unwrap();
            assert!(diagonal.error.abs() < f32::EPSILON, "exact");
            for node in (0..matrix.size()).step_by(97) {
                let row = operator.row(&rho, NodeId(node as u32)).unwrap();
                let own = operator.diagonal_at(&rho, NodeId(node as u32)).unwrap();
                assert!((row[node] - own).abs() < 1e-5, "{} {own}", row[node]);
                assert!((diagonal.values[node] - own).abs() < 1e-6);
            }
        }
    }
}

/// A hub and its leaves: walks of two steps reach every node from every node.
fn star(leaves: u32) -> Graph {
    let edges: Vec<(u32, u32)> = (1..=leaves).map(|leaf| (0, leaf)).collect();
    super::graph_of(leaves + 1, &edges, None)
}

#[test]
fn a_probed_diagonal_is_within_its_stated_error() {
    let matrix = matrix_of(&star(30_000), MatrixKind::SymLoops);
    let operator = chebyshev(&matrix, 6, 32);
    let rho = sampled(&operator, |s| (2.0 * (s - 1.0)).exp());
    let diagonal = operator.diagonal(&rho).unwrap();
    assert!(diagonal.error > 0.0 && diagonal.error < 0.05, "{}", diagonal.error);
    let leaves = [1, 77, 15_000, 29_999];
    let exact = operator.row(&rho, NodeId(leaves[0])).unwrap()[leaves[0] as usize];
    let off = leaves.map(|leaf| f64::from(diagonal.values[leaf as usize] - exact).powi(2));
    let off = (off.iter().sum::<f64>() / off.len() as f64).sqrt();
    assert!(off <= 4.0 * f64::from(diagonal.error), "{off} {}", diagonal.error);
}

#[test]
fn wrong_sizes_are_errors_not_panics() {
    let matrix = matrix_of(&sample("karate"), MatrixKind::Sym);
    let operators: [Box<dyn Operator>; 2] =
        [Box::new(eigen(&matrix)), Box::new(chebyshev(&matrix, 4, 16))];
    for operator in operators {
        let rho = sampled(&*operator, |s| s);
        let short = Signal { values: &[1.0; 33], width: 1 };
        assert!(operator.apply(&rho, short, SelfTerm::Keep, &[]).is_err());
        let right = Signal { values: &[1.0; 34], width: 1 };
        assert!(operator.apply(&rho[1..], right, SelfTerm::Keep, &[]).is_err());
        assert!(operator.row(&rho, NodeId(34)).is_err());
        assert!(operator.diagonal_at(&rho, NodeId(34)).is_err());
        let none = Signal { values: &[], width: 0 };
        assert!(operator.apply(&rho, none, SelfTerm::Drop, &[]).unwrap().output.is_empty());
    }
}

#[test]
fn a_density_agrees_with_the_eigenvalue_counts() {
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
