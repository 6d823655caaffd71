//! The spectral layout: low-frequency eigenvectors as coordinates. It costs nothing
//! extra, since the eigenvectors are already computed.

use super::square::filled;
use super::start::component_numbers;
use super::{LayoutError, Position};
use gesf_graph::{Graph, NodeId};
use gesf_spectral::{MatrixKind, Spectrum};

/// How many of the leading eigenvectors are considered.
const LOOKED_AT: usize = 1024;
/// Minimum participation ratio of a coordinate: a vector localised on a handful of
/// nodes makes no useful map.
const LIVES_ON: f64 = 0.02;
/// An eigenvector that varies less than this is constant.
const CONSTANT: f64 = 1e-3;
/// The share of the rank in a coordinate; the rest is the compressed value.
const RANKED: f64 = 0.5;

/// Positions from the first two eigenvectors that separate nodes, normalised by
/// degree and compressed. `matrix` is the matrix of the spectrum.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::layout::spectral;
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # use gesf_core::model::settings::{EngineChoice, Settings};
/// # let settings = Settings { engine: EngineChoice::Dense, ..Default::default() };
/// # let prepared = gesf_core::model::PreparedGraph::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// let places = spectral(&graph, prepared.spectrum.as_deref(), prepared.matrix.kind())?;
/// // The first eigenvector separates the clubs of the instructor and the administrator.
/// assert!((places[0][0] < 0.5) != (places[33][0] < 0.5));
/// assert!(spectral(&graph, None, prepared.matrix.kind()).is_err());
/// # Ok(()) }
/// ```
pub fn spectral(
    graph: &Graph,
    spectrum: Option<&Spectrum>,
    matrix: &MatrixKind,
) -> Result<Vec<Position>, LayoutError> {
    let nodes = graph.node_count();
    if nodes < 3 {
        let line = (0..nodes).map(|node| [node as f64, 0.0]).collect::<Vec<_>>();
        return Ok(filled(&line, [0.0; 2], [1.0; 2]));
    }
    let spectrum = spectrum.ok_or(LayoutError::NoVectors)?;
    let roots = roots(graph, matrix);
    let parts = component_numbers(graph);
    let count = spectrum.count();
    let (mut wide, mut narrow) = (Vec::new(), Vec::new());
    for at in 0..count.min(LOOKED_AT) {
        let wave = wave(spectrum, at, &roots);
        let spread = lives_on(&wave, &parts);
        if spread >= LIVES_ON {
            wide.push((spread, wave));
        } else if spread > 0.0 {
            narrow.push((spread, wave));
        }
        if wide.len() == 2 {
            break;
        }
    }
    // If too few qualify, use those with the largest participation ratio.
    narrow.sort_by(|a, b| b.0.total_cmp(&a.0));
    let found = wide.into_iter().chain(narrow);
    let mut waves = found.map(|(_, wave)| softened(&wave));
    let (Some(across), Some(up)) = (waves.next(), waves.next()) else {
        return Err(LayoutError::TooFewVectors { found: count, nodes });
    };
    let points: Vec<[f64; 2]> = across.into_iter().zip(up).map(|(x, y)| [x, y]).collect();
    Ok(filled(&points, [0.0; 2], [1.0; 2]))
}

/// The divisor of a node's entries: √degree if the matrix was normalised by
/// degrees, so that the trivial eigenvector is constant.
fn roots(graph: &Graph, matrix: &MatrixKind) -> Vec<f64> {
    let loops = match matrix {
        MatrixKind::Adjacency => return vec![1.0; graph.node_count()],
        MatrixKind::Sym => 0.0,
        MatrixKind::SymLoops | MatrixKind::Relations(_) => 1.0,
    };
    let strength = |node: NodeId| {
        let sum: f64 = graph.neighbour_weights(node).iter().map(|weight| f64::from(*weight)).sum();
        let root = (sum + loops).abs().sqrt();
        if root > 0.0 && root.is_finite() { root } else { 1.0 }
    };
    graph.nodes().map(strength).collect()
}

/// An eigenvector over √degree, with a positive largest entry so that the solver's
/// sign does not matter.
fn wave(spectrum: &Spectrum, at: usize, roots: &[f64]) -> Vec<f64> {
    let rows = spectrum.vectors().chunks(spectrum.count().max(1));
    let mut wave: Vec<f64> = rows.zip(roots).map(|(row, root)| f64::from(row[at]) / root).collect();
    let largest = wave.iter().copied().fold(0.0, |a: f64, b| if b.abs() > a.abs() { b } else { a });
    if largest < 0.0 {
        for value in &mut wave {
            *value = -*value;
        }
    }
    wave
}

/// The participation ratio of an eigenvector, around the mean of each component. 0
/// if it is constant on every component and thus only separates components.
fn lives_on(wave: &[f64], parts: &[u32]) -> f64 {
    let count = parts.iter().max().map_or(0, |last| *last as usize + 1);
    let mut sums = vec![(0.0, 0.0); count];
    for (value, part) in wave.iter().zip(parts) {
        let own: &mut (f64, f64) = &mut sums[*part as usize];
        *own = (own.0 + value, own.1 + 1.0);
    }
    let moved = wave.iter().zip(parts).map(|(value, part)| {
        let (sum, size) = sums[*part as usize];
        value - sum / size
    });
    let (square, fourth) = moved.fold((0.0, 0.0), |(square, fourth): (f64, f64), value| {
        (square + value.powi(2), fourth + value.powi(4))
    });
    let whole: f64 = wave.iter().map(|value| value * value).sum();
    let constant = square <= CONSTANT * CONSTANT * whole;
    if constant || fourth <= 0.0 { 0.0 } else { square * square / fourth / wave.len() as f64 }
}

/// Values between their rank and their compressed value: crowded ones are spread,
/// outliers stay in view. Equal values stay together.
fn softened(wave: &[f64]) -> Vec<f64> {
    let count = wave.len();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| wave[a].total_cmp(&wave[b]));
    let mut sizes: Vec<f64> = wave.iter().map(|value| value.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    let usual = sizes[count / 2].max(1e-12);
    let soft = |value: f64| (value / usual).asinh();
    let (low, high) = (soft(wave[order[0]]), soft(wave[order[count - 1]]));
    let near = 1e-6 * (wave[order[count - 1]] - wave[order[0]]);
    let mut places = vec![0.0; count];
    let mut from = 0;
    while from < count {
        let mut to = from + 1;
        while to < count && wave[order[to]] - wave[order[to - 1]] <= near {
            to += 1;
        }
        let rank = (from + to - 1) as f64 / 2.0 / (count - 1).max(1) as f64;
        for &node in &order[from..to] {
            let value = (soft(wave[node]) - low) / (high - low).max(1e-12);
            places[node] = RANKED * rank + (1.0 - RANKED) * value;
        }
        from = to;
    }
    places
}
