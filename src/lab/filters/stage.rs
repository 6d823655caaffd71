//! Graphs to plant filters on, each with a spectrum worth seeing.

use std::sync::Arc;

use crate::graph::{Graph, IdTable, NodeId, RawGraph, Reading, RoleChoice, build};
use crate::lab::LabError;
use crate::spectral::{
    Cancel, EdgeValues, Matrix, MatrixKind, Request, Spectrum, Which, decompose,
};

/// A graph made for the experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// A path: every eigenvalue once, spread over the whole axis.
    Path,
    /// A ring: all but the ends come in pairs.
    Ring,
    /// A star: one node joined to all others. It has three frequencies, 1, 0
    /// and −1, and nothing in between.
    Star,
}

/// Nodes of a stage.
const NODES: usize = 48;

impl Stage {
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

    /// The whole spectrum of D^-½AD^-½.
    pub fn spectrum(self) -> Result<Arc<Spectrum>, LabError> {
        let matrix = Matrix::of(&self.graph()?, MatrixKind::Sym, EdgeValues::Binary)?;
        let request = Request { which: Which::All, ..Request::default() };
        let found = decompose(&Arc::new(matrix), &request, &Cancel::default(), &mut |_| {})?;
        Ok(Arc::new(found))
    }
}

/// The graph of some edges between the nodes of a stage.
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
    fn the_stages_have_the_spectra_they_are_chosen_for() {
        let counts = |stage: Stage| {
            let spectrum = stage.spectrum().unwrap();
            spectrum.multiplicities(1e-6).into_iter().map(|(_, n)| n).collect::<Vec<_>>()
        };
        assert_eq!(counts(Stage::Path), [1; NODES]);
        let ring = counts(Stage::Ring);
        assert_eq!(ring.len(), NODES / 2 + 1);
        assert!(ring[1..NODES / 2].iter().all(|n| *n == 2), "{ring:?}");
        assert_eq!(counts(Stage::Star), [1, NODES - 2, 1]);
    }
}
