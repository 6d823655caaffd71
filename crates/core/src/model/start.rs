//! Initial embeddings: small random numbers, or the leading eigenvectors.

use super::random::{normal, stream};
use super::settings::{Settings, Start};
use gesf_graph::NodeId;
use gesf_spectral::Spectrum;

/// With `auto`, eigenvectors are used if the last of them has an eigenvalue below
/// this share of the largest: where more frequencies crowd near the top, the
/// leading ones are localised on small parts of the graph.
const TELLING: f64 = 0.9;
/// Eigenvalues this close to the largest belong to whole components.
const TRIVIAL: f64 = 1e-5;
/// Root mean square of a spectral initialization.
const SPECTRAL_SIZE: f64 = 0.3;
/// Nodes with small entries are not scaled up to full size.
const FLOOR: f64 = 0.1;

/// The initial embeddings of some nodes, row-major.
pub(super) fn start(
    settings: &Settings,
    spectrum: Option<&Spectrum>,
    several_types: bool,
    (kind, nodes): (usize, &[u32]),
    width: usize,
) -> Vec<f32> {
    let mut random = stream(settings.seed, &format!("x.{kind}"));
    let mut values = normal(&mut random, nodes.len() * width, settings.start_size);
    let pairs = spectrum.map(|spectrum| leading(spectrum, width)).unwrap_or_default();
    let spectral = match (settings.start, spectrum) {
        (Start::Random, _) | (_, None) => None,
        (Start::Spectral, Some(spectrum)) => Some(spectrum),
        (Start::Auto, Some(spectrum)) => {
            let last = pairs.get(width.saturating_sub(1));
            let telling =
                last.is_some_and(|&at| spectrum.values()[at] < TELLING * spectrum.scale());
            (telling && !several_types).then_some(spectrum)
        }
    };
    if let Some(spectrum) = spectral {
        add_eigenvectors(&mut values, spectrum, &pairs, nodes, width);
    }
    values
}

/// The first eigenpairs that are not whole components, at most `most`.
fn leading(spectrum: &Spectrum, most: usize) -> Vec<usize> {
    let bound = spectrum.values().first().copied().unwrap_or(0.0) - TRIVIAL;
    (0..spectrum.count()).filter(|&at| spectrum.values()[at] < bound).take(most).collect()
}

fn add_eigenvectors(
    values: &mut [f32],
    spectrum: &Spectrum,
    pairs: &[usize],
    nodes: &[u32],
    width: usize,
) {
    let count = spectrum.count();
    let row = |node: u32| -> Vec<f64> {
        let own = &spectrum.vectors()[NodeId(node).index() * count..][..count];
        pairs.iter().map(|&at| f64::from(own[at]) * spectrum.values()[at].abs()).collect()
    };
    let rows: Vec<Vec<f64>> = nodes.iter().map(|&node| row(node)).collect();
    let norms: Vec<f64> =
        rows.iter().map(|row| row.iter().map(|x| x * x).sum::<f64>().sqrt()).collect();
    let largest = norms.iter().copied().fold(0.0, f64::max);
    let mut touched: Vec<f64> = norms.iter().copied().filter(|n| *n > 1e-6 * largest).collect();
    touched.sort_by(f64::total_cmp);
    let Some(&median) = touched.get(touched.len() / 2) else { return };
    for ((row, norm), values) in rows.iter().zip(&norms).zip(values.chunks_mut(width.max(1))) {
        let scale = SPECTRAL_SIZE * (width as f64).sqrt() / (norm + FLOOR * median);
        for (value, entry) in values.iter_mut().zip(row) {
            *value += (entry * scale) as f32;
        }
    }
}
