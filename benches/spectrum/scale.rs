//! The polynomial operator on a million nodes and ten million edges.

use std::sync::Arc;
use std::time::Instant;

use gesf_tui::graph::{
    Graph, GraphError, IdTable, NodeId, OnBadRow, RawGraph, Reading, RoleChoice, build,
};
use gesf_tui::spectral::{
    Cancel, EdgeValues, FilterGradient, Matrix, MatrixKind, Operator, PolynomialOperator,
    PolynomialOptions, SelfTerm, Signal,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Outcome, machine};

const SCALE: u32 = 20;
const EDGES: usize = 10_000_000;
const WIDTH: usize = 64;
const DEGREE: usize = 16;

/// Prints times, memory, and the memory traffic compared with the triad.
pub(crate) fn report() -> Outcome {
    let matrix = {
        let graph = rmat()?;
        println!("rmat           {} nodes, {} edges", graph.node_count(), graph.edge_count());
        Arc::new(Matrix::of(&graph, MatrixKind::SymLoops, EdgeValues::Binary)?)
    };
    let (nodes, stored) = (matrix.size(), matrix.entries().stored());
    let start = Instant::now();
    let options = PolynomialOptions { degree: DEGREE, probes: 16 };
    let operator = PolynomialOperator::new(&matrix, options, &Cancel::default(), &mut |_| {})?;
    drop(matrix);
    println!("set up         {:.1} s (diagonals)", start.elapsed().as_secs_f64());
    let h: Vec<f32> = (0..nodes * WIDTH).map(|n| (n % 17) as f32 / 8.0 - 1.0).collect();
    let signal = Signal { values: &h, width: WIDTH };
    let rho: Vec<f32> = operator.points().iter().map(|s| (s - 1.0).exp()).collect();
    let forward = machine::best(2, || drop(operator.apply(&rho, signal, SelfTerm::Keep, &[])));
    let kept = operator.apply(&rho, signal, SelfTerm::Drop, &[])?.kept;
    let backward = machine::best(1, || {
        let wanted = FilterGradient::Wanted;
        drop(operator.differentiate(&rho, signal, &kept, signal, SelfTerm::Drop, wanted));
    });
    // Memory traffic of one product if every gathered row comes from memory, and if
    // none does: the actual value lies between.
    let rows = (nodes * WIDTH * 4) as f64;
    let pattern = (stored * 8 * WIDTH.div_ceil(16)) as f64;
    let gathered = (stored * WIDTH * 4) as f64;
    let (least, most) = (5.0 * rows + pattern, 4.0 * rows + pattern + gathered);
    let products = DEGREE as f64;
    println!(
        "P·H            d={WIDTH} degree {DEGREE}: forward {forward:.2} s, backward {backward:.2} s, {:.1} GFLOP/s",
        products * 2.0 * (stored * WIDTH) as f64 / forward / 1e9
    );
    println!(
        "traffic        {:.1} GB/s streamed, {:.1} GB/s with gathered rows; triad {:.1} GB/s",
        products * least / forward / 1e9,
        products * most / forward / 1e9,
        machine::triad()
    );
    println!("memory         {:.2} GiB at most", machine::peak_memory());
    Ok(())
}

/// R-MAT with the usual corner probabilities 0.57, 0.19, 0.19, 0.05.
fn rmat() -> Result<Graph, GraphError> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut raw = RawGraph { ids: IdTable::from_numbers(0..1 << SCALE), ..RawGraph::default() };
    for _ in 0..EDGES {
        let (mut source, mut target) = (0, 0);
        for _ in 0..SCALE {
            let draw = f64::from(random.next_u32()) / f64::from(u32::MAX);
            let (down, right) = (draw >= 0.76, (0.57..0.76).contains(&draw) || draw >= 0.95);
            source = source << 1 | u32::from(down);
            target = target << 1 | u32::from(right);
        }
        raw.edges.push(NodeId(source), NodeId(target));
    }
    let mut reading = Reading::new("rmat", OnBadRow::Fail);
    Ok(build(raw, &RoleChoice::default(), &mut reading)?.0)
}
