//! Spectral computations: a graph's matrix M, its eigenpairs or its polynomials,
//! and the product of the model, P = f(M) times a block.
//!
//! In: a [`Graph`](gesf_graph::Graph), which [`Matrix`] of it, how many eigenpairs
//! and which. Out: a [`Spectrum`] with measured residuals, the [`Density`] of a
//! spectrum without decomposition, and an [`Operator`].
//!
//! ```text
//!            ┌─ dense ─┐
//! Matrix ──▶ │  block  │ ──▶ Spectrum ──▶ EigenOperator ─────┐
//!   │        └─────────┘     (checked)                       ├──▶ Operator: P·H, its
//!   ├─ polynomial ─────────────────────▶ PolynomialOperator ─┘    derivative, diag P, rows
//!   └─ density ──▶ Density
//! ```
//!
//! Every long call takes a [`Cancel`] flag and a callback for [`Progress`].

// Formulas use the paper's symbols: ρ(σ), T_n(M), UᵀH are not code.
#![allow(clippy::doc_markdown)]

mod block;
mod bounds;
mod cache;
mod choose;
mod damping;
mod decompose;
mod dense;
mod density;
mod diagonals;
mod eigen;
mod error;
mod lanes;
mod local;
mod matrix;
mod operator;
mod order;
mod panels;
mod plan;
mod polynomial;
mod principal;
mod progress;
mod quality;
mod random;
mod recurrence;
mod relations;
mod series;
mod sparse;
mod spectrum;
mod subspace;
pub mod tiles;
mod which;

pub use cache::{Cache, CachedSpectrum, Key, Origin, decompose_cached};
pub use choose::{Choice, Engine, choose};
pub use decompose::{Request, decompose};
pub use density::Density;
pub use eigen::EigenOperator;
pub use error::SpectralError;
pub use matrix::{EdgeValues, Matrix, MatrixKind};
pub use operator::{
    Applied, Diagonal, FilterGradient, ForwardState, Gradients, Operator, SelfTerm, Signal,
};
pub use polynomial::{PolynomialOperator, PolynomialOptions};
pub use principal::principal_components;
pub use progress::{Cancel, Progress, Stage};
pub use quality::Quality;
pub use relations::RelationWeights;
pub use sparse::{Scalar, Sparse};
pub use spectrum::{Spectrum, Vectors};
pub use which::Which;
