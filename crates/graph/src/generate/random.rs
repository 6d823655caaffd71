//! Random graphs without classes.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{BadRecipe, RawGraph, numbered, share};

/// The probabilities of the quadrants of a recursive matrix; the last quadrant gets
/// the rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quadrants {
    /// Both ends in the first half.
    pub a: f64,
    /// Source in the first half, target in the second.
    pub b: f64,
    /// Source in the second half, target in the first.
    pub c: f64,
}

impl Default for Quadrants {
    /// The values of the Graph 500 benchmark.
    fn default() -> Self {
        Self { a: 0.57, b: 0.19, c: 0.19 }
    }
}

/// The probability of a pair for a mean number of neighbours among `others`.
pub(super) fn pair_probability(
    what: &'static str,
    degree: f64,
    others: f64,
) -> Result<f64, BadRecipe> {
    if degree.is_finite() && degree >= 0.0 && degree <= others.max(0.0) {
        return Ok(if others > 0.0 { degree / others } else { 0.0 });
    }
    Err(BadRecipe { what, found: degree.to_string(), expected: format!("0 to {others}") })
}

/// Draws every pair with the same probability, in time proportional to the pairs
/// drawn: the gap to the next one is geometric.
pub(super) fn pairs_with_probability(
    nodes: usize,
    probability: f64,
    rng: &mut ChaCha8Rng,
) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    if probability <= 0.0 {
        return pairs;
    }
    let log_miss = (1.0 - probability).ln();
    let (mut high, mut low) = (1_usize, -1_i64);
    while high < nodes {
        let gap = if probability >= 1.0 {
            1.0
        } else {
            1.0 + ((1.0 - rng.random::<f64>()).ln() / log_miss).floor()
        };
        // A gap beyond all pairs ends the loop; it must not overflow first.
        low = low.saturating_add(gap.min(1e18) as i64);
        while high < nodes && low >= high as i64 {
            low -= high as i64;
            high += 1;
        }
        if high < nodes {
            pairs.push((low as usize, high));
        }
    }
    pairs
}

pub(super) fn erdos_renyi(
    nodes: usize,
    mean_degree: f64,
    rng: &mut ChaCha8Rng,
) -> Result<RawGraph, BadRecipe> {
    let probability = pair_probability("mean degree", mean_degree, nodes as f64 - 1.0)?;
    let edges = pairs_with_probability(nodes, probability, rng);
    Ok(numbered(nodes, edges, &format!("random graph of {nodes}")))
}

pub(super) fn barabasi_albert(nodes: usize, each: usize, rng: &mut ChaCha8Rng) -> RawGraph {
    let edges = preferential_edges(nodes, each, rng);
    numbered(nodes, edges, &format!("preferential-attachment graph of {nodes}"))
}

/// The edges of preferential attachment.
pub(super) fn preferential_edges(
    nodes: usize,
    each: usize,
    rng: &mut ChaCha8Rng,
) -> Vec<(usize, usize)> {
    let mut edges: Vec<(usize, usize)> =
        (0..=each).flat_map(|a| (a + 1..=each).map(move |b| (a, b))).collect();
    // A node is in this list once for each of its edges, so a draw from it is
    // proportional to degree.
    let mut ends: Vec<usize> = edges.iter().flat_map(|&(a, b)| [a, b]).collect();
    for newcomer in each + 1..nodes {
        let mut chosen: Vec<usize> = Vec::with_capacity(each);
        while chosen.len() < each {
            let candidate = ends[rng.random_range(0..ends.len())];
            if !chosen.contains(&candidate) {
                chosen.push(candidate);
            }
        }
        for other in chosen {
            edges.push((other, newcomer));
            ends.extend([other, newcomer]);
        }
    }
    edges
}

pub(super) fn rmat(
    nodes: usize,
    edges: usize,
    quadrants: &Quadrants,
    rng: &mut ChaCha8Rng,
) -> Result<RawGraph, BadRecipe> {
    let Quadrants { a, b, c } = *quadrants;
    for part in [a, b, c, a + b + c] {
        share("share of a quadrant", part)?;
    }
    let levels = usize::BITS - (nodes - 1).leading_zeros();
    let draw = |rng: &mut ChaCha8Rng| {
        let (mut source, mut target) = (0_usize, 0_usize);
        for _ in 0..levels {
            let quarter: f64 = rng.random();
            source = source << 1 | usize::from(quarter >= a + b);
            target = target << 1
                | usize::from((quarter >= a && quarter < a + b) || quarter >= a + b + c);
        }
        (source % nodes, target % nodes)
    };
    let list = (0..edges).map(|_| draw(rng)).collect();
    Ok(numbered(nodes, list, &format!("R-MAT graph of {nodes}")))
}
