//! Why there is no layout.

/// Why a layout could not be computed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// A polynomial operator has no eigenvectors.
    #[error(
        "spectral layout: found the chebyshev engine, which has no eigenvectors, expected some\n  \
         help: set engine to block, or use the force layout"
    )]
    NoVectors,
    /// Too few usable eigenvectors.
    #[error(
        "spectral layout: found {found} eigenpairs of {nodes} nodes, none that separates nodes \
         within a component, expected two\n  help: increase eigenpairs, or use the force layout"
    )]
    TooFewVectors {
        /// How many there are.
        found: usize,
        /// How many nodes.
        nodes: usize,
    },
}
