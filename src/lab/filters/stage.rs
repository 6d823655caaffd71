//! Graphs to plant filters on, each with a spectrum worth seeing.

use std::sync::Arc;

use crate::graph::generate::Recipe;
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
    /// Two bells and a path between them: one eigenvalue many times, and wide
    /// stretches with none.
    Barbell,
}

/// Nodes of a stage.
const NODES: usize = 48;

impl Stage {
    /// All.
    pub const ALL: [Self; 3] = [Self::Path, Self::Ring, Self::Barbell];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Ring => "ring",
            Self::Barbell => "barbell",
        }
    }

    /// Its graph.
    pub fn graph(self) -> Result<Graph, LabError> {
        let raw = match self {
            Self::Path => return path(NODES),
            Self::Ring => Recipe::Ring { nodes: NODES }.make(0)?,
            Self::Barbell => Recipe::Barbell { nodes: NODES }.make(0)?,
        };
        Ok(build(raw, &RoleChoice::default(), &mut Reading::default())?.0)
    }

    /// The whole spectrum of D^-½AD^-½.
    pub fn spectrum(self) -> Result<Arc<Spectrum>, LabError> {
        let matrix = Matrix::of(&self.graph()?, MatrixKind::Sym, EdgeValues::Binary)?;
        let request = Request { which: Which::All, ..Request::default() };
        let found = decompose(&Arc::new(matrix), &request, &Cancel::default(), &mut |_| {})?;
        Ok(Arc::new(found))
    }
}

/// Nodes in a row, each joined to the next.
pub fn path(nodes: usize) -> Result<Graph, LabError> {
    let ids = IdTable::from_numbers(0..nodes as u32);
    let mut raw = RawGraph { ids, ..RawGraph::default() };
    for node in 1..nodes {
        raw.edges.push(NodeId::from(node - 1), NodeId::from(node));
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
        assert!(counts(Stage::Barbell).iter().any(|n| *n > 20));
    }
}
