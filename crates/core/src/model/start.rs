//! Initial embeddings: small random numbers, alone or added to rows that tell the
//! place of a node in the graph.

use super::random::{normal, stream};
use super::settings::{Settings, Start};
use super::{PreparedGraph, sparse_product};
use gesf_graph::NodeId;
use gesf_spectral::{Matrix, Sparse, Spectrum};

/// Eigenvalues this close to the largest belong to whole components.
const TRIVIAL: f64 = 1e-5;
/// Root mean square of an initialization from the structure of the graph.
const STRUCTURE_SIZE: f64 = 0.25;
/// Nodes with small entries are not scaled up to full size.
const FLOOR: f64 = 0.1;
/// The length of the walks that diffuse random numbers.
const STEPS: usize = 6;
/// Products that bring a positive vector near the leading eigenvector.
const LEADING_STEPS: usize = 100;
/// Random vectors from which the number of dimensions is estimated.
const PROBES: usize = 32;

/// The structure of the graph from which embeddings start.
pub(super) enum Structure<'a> {
    /// None.
    None,
    /// The leading eigenvectors.
    Spectral(&'a Spectrum),
    /// A row of this many numbers for every node.
    Diffused(Vec<f32>, usize),
}

impl<'a> Structure<'a> {
    /// What the settings ask for, for embeddings of at most `width` numbers.
    pub(super) fn of(settings: &Settings, prepared: &'a PreparedGraph, width: usize) -> Self {
        match settings.start {
            Start::Random | Start::Auto => Self::None,
            Start::Spectral => prepared.spectrum.as_deref().map_or(Self::None, Self::Spectral),
            Start::Diffused => {
                Self::Diffused(diffused(&prepared.matrix, settings.seed, width), width)
            }
        }
    }

    /// The rows of some nodes.
    fn rows(&self, nodes: &[u32], width: usize) -> Vec<Vec<f64>> {
        match self {
            Self::None => Vec::new(),
            Self::Spectral(spectrum) => eigenvector_rows(spectrum, nodes, width),
            Self::Diffused(values, widest) => {
                let row = |node: &u32| &values[NodeId(*node).index() * widest..][..width];
                nodes.iter().map(|node| row(node).iter().map(|x| f64::from(*x)).collect()).collect()
            }
        }
    }
}

/// The initial embeddings of some nodes, row-major.
pub(super) fn start(
    settings: &Settings,
    structure: &Structure<'_>,
    (kind, nodes): (usize, &[u32]),
    width: usize,
) -> Vec<f32> {
    let mut random = stream(settings.seed, &format!("x.{kind}"));
    let mut values = normal(&mut random, nodes.len() * width, settings.start_size);
    add_rows(&mut values, &structure.rows(nodes, width), width);
    values
}

/// Adds rows, scaled to the same size.
fn add_rows(values: &mut [f32], rows: &[Vec<f64>], width: usize) {
    let norms: Vec<f64> =
        rows.iter().map(|row| row.iter().map(|x| x * x).sum::<f64>().sqrt()).collect();
    let largest = norms.iter().copied().fold(0.0, f64::max);
    let mut touched: Vec<f64> = norms.iter().copied().filter(|n| *n > 1e-6 * largest).collect();
    touched.sort_by(f64::total_cmp);
    let Some(&median) = touched.get(touched.len() / 2) else { return };
    for ((row, norm), values) in rows.iter().zip(&norms).zip(values.chunks_mut(width.max(1))) {
        let scale = STRUCTURE_SIZE * (width as f64).sqrt() / (norm + FLOOR * median);
        for (value, entry) in values.iter_mut().zip(row) {
            *value += (entry * scale) as f32;
        }
    }
}

/// Rows of the first eigenvectors that are not whole components.
fn eigenvector_rows(spectrum: &Spectrum, nodes: &[u32], width: usize) -> Vec<Vec<f64>> {
    let (values, count) = (spectrum.values(), spectrum.count());
    let bound = values.first().copied().unwrap_or(0.0) - TRIVIAL;
    let pairs: Vec<usize> = (0..count).filter(|&at| values[at] < bound).take(width).collect();
    let row = |&node: &u32| {
        let own = &spectrum.vectors()[NodeId(node).index() * count..][..count];
        pairs.iter().map(|&at| f64::from(own[at]) * values[at].abs()).collect()
    };
    nodes.iter().map(row).collect()
}

/// M^k·G for random G: nodes that many short walks connect have similar rows. The
/// leading eigenvector, which tells only the degree, is removed.
fn diffused(matrix: &Matrix, seed: u64, width: usize) -> Vec<f32> {
    let nodes = matrix.size();
    let scale = matrix.bound().max(f64::MIN_POSITIVE).recip() as f32;
    let scaled = (&matrix.entries().cast(), scale);
    let mut leading = vec![1.0; nodes];
    for _ in 0..LEADING_STEPS {
        leading = times(scaled, &leading, 1);
        let norm = length(&leading).max(f64::MIN_POSITIVE);
        for x in &mut leading {
            *x = (f64::from(*x) / norm) as f32;
        }
    }
    let mut walks = normal(&mut stream(seed, "x.diffused"), nodes * width, 1.0);
    for _ in 0..STEPS {
        walks = times(scaled, &walks, width);
        remove(&mut walks, &leading, width);
    }
    walks
}

/// In how many dimensions diffused numbers vary: an estimate of Σ (σ/max|σ|)^2k
/// without the leading eigenvalue. It is small if the graph has few large clusters.
pub(crate) fn diffused_dimensions(matrix: &Matrix, seed: u64) -> f64 {
    length(&diffused(matrix, seed, PROBES)).powi(2) / PROBES as f64
}

/// M·H over the bound of M, for rows of `width` numbers.
fn times((matrix, scale): (&Sparse<f32>, f32), rows: &[f32], width: usize) -> Vec<f32> {
    let mut product = vec![0.0; rows.len()];
    sparse_product(matrix, rows, width, &mut product);
    for x in &mut product {
        *x *= scale;
    }
    product
}

fn length(vector: &[f32]) -> f64 {
    vector.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt()
}

/// H − v·vᵀH for a vector of length 1.
fn remove(rows: &mut [f32], vector: &[f32], width: usize) {
    let mut sums = vec![0.0_f64; width];
    for (row, &entry) in rows.chunks(width.max(1)).zip(vector) {
        sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += f64::from(entry * x));
    }
    for (row, &entry) in rows.chunks_mut(width.max(1)).zip(vector) {
        row.iter_mut().zip(&sums).for_each(|(x, sum)| *x -= entry * *sum as f32);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use gesf_graph::{Graph, LoadOptions, load};
    use gesf_spectral::{Cancel, EdgeValues, MatrixKind, Request, Which, decompose};

    fn karate(kind: MatrixKind) -> (Graph, Matrix) {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate");
        let (graph, _) = load(path.as_ref(), &LoadOptions::default()).unwrap();
        let matrix = Matrix::of(&graph, kind, EdgeValues::Weighted).unwrap();
        (graph, matrix)
    }

    #[test]
    fn diffused_rows_are_more_similar_within_a_club_than_across() {
        let width = 64;
        for kind in [MatrixKind::SymLoops, MatrixKind::Adjacency] {
            let (graph, matrix) = karate(kind.clone());
            let values = diffused(&matrix, 3, width);
            let rows: Vec<&[f32]> = values.chunks(width).collect();
            let club = |node: usize| graph.labels().of(NodeId(node as u32));
            let (mut within, mut across) = (Vec::new(), Vec::new());
            for a in 0..34 {
                for b in 0..a {
                    let product: f32 = rows[a].iter().zip(rows[b]).map(|(x, y)| x * y).sum();
                    let cosine = f64::from(product) / (length(rows[a]) * length(rows[b]));
                    if club(a) == club(b) { &mut within } else { &mut across }.push(cosine);
                }
            }
            let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len() as f64;
            assert!(mean(&within) > mean(&across) + 0.5, "{kind}");
        }
    }

    #[test]
    fn the_number_of_dimensions_follows_from_the_spectrum() {
        let (_, matrix) = karate(MatrixKind::SymLoops);
        let request = Request { which: Which::All, ..Request::default() };
        let spectrum =
            decompose(&Arc::new(matrix.clone()), &request, &Cancel::default(), &mut |_| {})
                .unwrap();
        let powers = spectrum.values().iter().skip(1).map(|s| s.powi(2 * STEPS as i32));
        let expected: f64 = powers.sum();
        let found = diffused_dimensions(&matrix, 0);
        assert!((found / expected - 1.0).abs() < 0.4, "{found} {expected}");
    }
}
