//! Why there is no layout.

/// Why there is no layout.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// The operator is made of polynomials.
    #[error(
        "spectral layout: found the chebyshev engine, which keeps no eigenvectors, expected some\n  \
         help: set engine to block, or take the force layout"
    )]
    NoVectors,
    /// Nothing to spread nodes by.
    #[error(
        "spectral layout: found {found} eigenpairs of {nodes} nodes, none that tells nodes of a \
         component apart, expected two\n  help: set eigenpairs to more, or take the force layout"
    )]
    TooFewVectors {
        /// How many there are.
        found: usize,
        /// How many nodes.
        nodes: usize,
    },
}
