//! The spectral crate compared with LAPACK, with itself (one engine against
//! another), and with graphs whose spectrum is known analytically.

// Test helpers fail by unwrapping, like the tests.
#![allow(clippy::unwrap_used, clippy::doc_markdown)]

mod engines;
mod lapack;
mod operators;

use std::sync::Arc;

use gesf_tui::graph::{
    Cell, Graph, IdTable, LoadOptions, NodeId, OnBadRow, RawGraph, Reading, RoleChoice, build, load,
};
use gesf_tui::spectral::{
    Cancel, EdgeValues, Engine, Matrix, MatrixKind, Operator, PolynomialOperator,
    PolynomialOptions, RelationWeights, Request, SpectralError, Spectrum, Which, decompose,
};

fn sample(name: &str) -> Graph {
    load(format!("sample_graphs/{name}").as_ref(), &LoadOptions::default()).unwrap().0
}

/// A graph of this many nodes from pairs of them, with a type for each if given.
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
    Arc::new(Matrix::of(graph, kind, EdgeValues::Weighted).unwrap())
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

fn kind_of(name: &str) -> MatrixKind {
    match name {
        "adjacency" => MatrixKind::Adjacency,
        "sym" => MatrixKind::Sym,
        "sym-loops" => MatrixKind::SymLoops,
        _ => MatrixKind::Relations(RelationWeights::default()),
    }
}

fn wave(rows: usize, width: usize, seed: f32) -> Vec<f32> {
    (0..rows * width).map(|n| (n as f32 * 0.37 + seed).sin()).collect()
}

fn sampled(operator: &dyn Operator, rho: fn(f32) -> f32) -> Vec<f32> {
    operator.points().iter().map(|&s| rho(s)).collect()
}

fn polynomial(matrix: &Arc<Matrix>, degree: usize, probes: usize) -> PolynomialOperator {
    let options = PolynomialOptions { degree, probes };
    PolynomialOperator::new(matrix, options, &Cancel::default(), &mut |_| {}).unwrap()
}
