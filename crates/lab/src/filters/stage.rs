//! Synthetic graphs for planted filters, each with a characteristic spectrum.

use std::sync::Arc;

use crate::LabError;
use gesf_graph::{Graph, IdTable, NodeId, RawGraph, Reading, RoleChoice, build};
use gesf_spectral::{Cancel, EdgeValues, Matrix, MatrixKind, Request, Spectrum, Which, decompose};

/// A synthetic graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyntheticGraph {
    /// A path: simple eigenvalues over the whole axis.
    Path,
    /// A ring: all eigenvalues except the extreme ones come in pairs.
    Ring,
    /// A star: one node joined to all others. Its only eigenvalues are 1, 0 and −1.
    Star,
}

/// Number of nodes.
const NODES: usize = 48;

impl SyntheticGraph {
    /// All.
    pub const ALL: [Self; 3] = [Self::Path, Self::Ring, Self::Star];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Ring => "ring",
            Self::Star => "star",
        }
    }

    /// Its graph.
    pub fn graph(self) -> Result<Graph, LabError> {
        let next = |node: usize| (node - 1, node);
        match self {
            Self::Path => joined((1..NODES).map(next)),
            Self::Ring => joined((1..NODES).map(next).chain([(NODES - 1, 0)])),
            Self::Star => joined((1..NODES).map(|node| (0, node))),
        }
    }

    /// The full spectrum of D^-½AD^-½.
    pub fn spectrum(self) -> Result<Arc<Spectrum>, LabError> {
        let matrix = Matrix::of(&self.graph()?, MatrixKind::Sym, EdgeValues::Binary)?;
        let request = Request { which: Which::All, ..Request::default() };
        let found = decompose(&Arc::new(matrix), &request, &Cancel::default(), &mut |_| {})?;
        Ok(Arc::new(found))
    }
}

/// The graph with the given edges.
fn joined(edges: impl Iterator<Item = (usize, usize)>) -> Result<Graph, LabError> {
    let ids = IdTable::from_numbers(0..NODES as u32);
    let mut raw = RawGraph { ids, ..RawGraph::default() };
    for (one, other) in edges {
        raw.edges.push(NodeId::from(one), NodeId::from(other));
    }
    Ok(build(raw, &RoleChoice::default(), &mut Reading::default())?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graphs_have_their_characteristic_spectra() {
        let counts = |stage: SyntheticGraph| {
            let spectrum = stage.spectrum().unwrap();
            spectrum.multiplicities(1e-6).into_iter().map(|(_, n)| n).collect::<Vec<_>>()
        };
        assert_eq!(counts(SyntheticGraph::Path), [1; NODES]);
        let ring = counts(SyntheticGraph::Ring);
        assert_eq!(ring.len(), NODES / 2 + 1);
        assert!(ring[1..NODES / 2].iter().all(|n| *n == 2), "{ring:?}");
        assert_eq!(counts(SyntheticGraph::Star), [1, NODES - 2, 1]);
    }
}
