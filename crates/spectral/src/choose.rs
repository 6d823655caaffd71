//! Chooses an engine for a matrix and a request, with the reason.

use std::fmt;
use std::str::FromStr;

use super::block::width_for;
use super::{Matrix, Which};

/// The engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Every eigenpair by a dense decomposition.
    Dense,
    /// Some eigenpairs by filtered subspace iteration.
    Block,
    /// No eigenpairs: polynomials of the sparse matrix.
    Chebyshev,
}

impl Engine {
    /// Every engine.
    pub const EVERY: [Self; 3] = [Self::Dense, Self::Block, Self::Chebyshev];
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Dense => "dense",
            Self::Block => "block",
            Self::Chebyshev => "chebyshev",
        })
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::EVERY
            .into_iter()
            .find(|engine| engine.to_string() == text)
            .ok_or_else(|| format!("found `{text}`, expected one of dense, block, chebyshev"))
    }
}

/// An engine and the reason for it, as text.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The engine.
    pub engine: Engine,
    /// Why.
    pub reason: String,
}

/// A dense decomposition faster than this is always used, in seconds.
const QUICK: f64 = 4.0;
/// Maximum time for computing eigenvectors, in seconds.
const PATIENCE: f64 = 600.0;
/// Memory limit for the eigenvectors and the work on them, in bytes.
const MEMORY: f64 = 4.0e9;

/// Chooses for a matrix, a number of pairs and which they are.
pub fn choose(matrix: &Matrix, count: usize, which: Which) -> Choice {
    choose_by_size(matrix.size(), matrix.entries().stored(), count, which)
}

fn choose_by_size(size: usize, stored: usize, count: usize, which: Which) -> Choice {
    let all = which == Which::All || count >= size;
    let count = if all { size } else { count };
    let dense = dense_seconds(size);
    let block = block_seconds(size, stored, count);
    // The matrix, the eigenvectors and the solver's copies.
    let dense_fits = 40.0 * square(size) < MEMORY;
    let block_fits = (size * (8 * width_for(count, size) + 4 * count)) as f64 <= MEMORY;
    let few = 3 * count <= 2 * size;
    let (engine, reason) = if dense_fits && dense <= QUICK {
        (Engine::Dense, format!("{size} nodes are few enough for the exact, dense decomposition"))
    } else if block_fits && few && block < dense && block <= PATIENCE {
        (
            Engine::Block,
            format!(
                "{count} of {size} eigenpairs: block iteration (about {block:.0} s) is faster \
                 than the dense decomposition (about {dense:.0} s)"
            ),
        )
    } else if dense_fits && dense <= PATIENCE {
        (Engine::Dense, format!("{count} of {size} eigenpairs are too many for block iteration"))
    } else {
        (
            Engine::Chebyshev,
            format!("{count} eigenvectors of {size} nodes would take too much memory or time"),
        )
    };
    Choice { engine, reason }
}

fn square(number: usize) -> f64 {
    (number as f64).powi(2)
}

/// Estimated seconds on two cores of 2020; only the ratios matter.
fn dense_seconds(size: usize) -> f64 {
    1.3e-10 * size as f64 * square(size)
}

/// As [`dense_seconds`]: dense products, small decompositions, sparse products.
fn block_seconds(size: usize, stored: usize, count: usize) -> f64 {
    let width = width_for(count, size);
    let products = 3.0e-10 * size as f64 * square(width);
    let small = 7.0e-10 * width as f64 * square(width);
    let sparse = 1.5e-8 * (stored + size) as f64 * width as f64;
    products + small + sparse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(size: usize, stored: usize, count: usize, which: Which) -> Engine {
        choose_by_size(size, stored, count, which).engine
    }

    #[test]
    fn size_and_count_decide_the_engine() {
        assert_eq!(engine(34, 156, 1000, Which::Highest), Engine::Dense);
        assert_eq!(engine(2_708, 13_264, 1000, Which::Highest), Engine::Dense);
        assert_eq!(engine(19_717, 108_365, 1000, Which::Highest), Engine::Block);
        assert_eq!(engine(5_000, 30_000, 4_900, Which::Highest), Engine::Dense);
        assert_eq!(engine(5_000, 30_000, 10, Which::All), Engine::Dense);
        assert_eq!(engine(1_000_000, 20_000_000, 1000, Which::Highest), Engine::Chebyshev);
        assert_eq!(engine(60_000, 400_000, 10, Which::All), Engine::Chebyshev);
    }

    #[test]
    fn the_reason_names_its_numbers() {
        let choice = choose_by_size(19_717, 108_365, 1000, Which::Highest);
        assert!(choice.reason.contains("1000 of 19717"), "{}", choice.reason);
    }

    #[test]
    fn engine_names_round_trip() {
        for engine in Engine::EVERY {
            assert_eq!(engine.to_string().parse(), Ok(engine));
        }
        assert!("arpack".parse::<Engine>().is_err());
    }
}
