//! Spectrum data for the Filter screen: eigenvalues, their density, and which classes
//! an eigenvector separates.

use std::sync::Arc;

use crate::graph::{Graph, Labels};
use crate::model::PreparedGraph;
use crate::model::settings::FilterShape;
use crate::spectral::{Density, Spectrum};

/// Number of bins of [-1, 1].
pub(super) const BINS: usize = 200;
/// Eigenvalues closer than this fraction of the largest count as equal.
const APART: f64 = 1e-6;
/// Range around an eigenvalue where ρ is considered measured, in s.
const NEAR: f64 = 0.02;
/// In gaps between eigenvalues wider than this, in s, ρ is not measured.
const GAP: f64 = 0.13;
/// Estimated fractions of eigenvalues below this count as zero.
const NOTHING: f64 = 2e-4;

/// Reference filters to compare with.
pub(super) const REFERENCES: [(&str, FilterShape); 9] = [
    ("ρ(s) = s: one hop", FilterShape::OneHop),
    ("ρ(s) = s²: two hops", FilterShape::TwoHops),
    ("heat", FilterShape::Heat),
    ("personalised PageRank", FilterShape::Ppr),
    ("low pass", FilterShape::Low),
    ("high pass", FilterShape::High),
    ("band pass", FilterShape::Band),
    ("band reject", FilterShape::Reject),
    ("comb", FilterShape::Comb),
];

/// ρ at s, between the points of the snapshot's grid.
pub(super) fn rho(curve: &[f32], s: f64) -> f64 {
    let last = curve.len().saturating_sub(1);
    let place = (f64::midpoint(s, 1.0) * last as f64).clamp(0.0, last as f64);
    let (below, share) = (place.floor() as usize, place.fract());
    let at = |n: usize| f64::from(curve[n.min(last)]);
    if curve.is_empty() { 0.0 } else { at(below) + share * (at(below + 1) - at(below)) }
}

/// An eigenvalue and its multiplicity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value {
    /// σ.
    pub sigma: f64,
    /// s = σ / max|σ|.
    pub s: f64,
    /// Multiplicity.
    pub count: usize,
    /// Index of its first eigenvector.
    pub first: usize,
}

/// Facts about a spectrum.
#[derive(Debug, Clone)]
pub struct FilterFacts {
    /// The distinct eigenvalues, lowest first.
    pub values: Vec<Value>,
    /// max|σ|.
    pub scale: f64,
    /// Number of eigenvalues in each bin of [-1, 1].
    pub counts: Vec<f64>,
    /// Whether the counts are estimated.
    pub estimated: bool,
    /// Whether the counts are available.
    pub counted: bool,
    /// Number of computed eigenpairs, and of nodes.
    pub kept: (usize, usize),
}

/// How the eigenvectors of an eigenvalue separate the classes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Separation {
    /// For each class: its name, its share of the squared entries, the mean entry.
    pub classes: Vec<(String, f64, f64)>,
    /// Fraction of the entries' variance between the classes.
    pub between: f64,
}

impl FilterFacts {
    /// The lowest and the highest eigenvalue as s, as far as they are known.
    pub(super) fn range(&self) -> (f32, f32) {
        let is_whole = self.kept.0 == self.kept.1 || !self.counted;
        if let (Some(first), Some(last), true) = (self.values.first(), self.values.last(), is_whole)
        {
            return (first.s as f32, last.s as f32);
        }
        let middle = |bin: usize| 2.0 * (bin as f32 + 0.5) / self.counts.len().max(1) as f32 - 1.0;
        let found = |bin: &usize| self.counts[*bin] > NOTHING * self.counts.iter().sum::<f64>();
        let bins = 0..self.counts.len();
        let lowest = bins.clone().find(found).map_or(-1.0, middle);
        (lowest, bins.rev().find(found).map_or(1.0, middle))
    }

    /// The facts available immediately for a prepared graph.
    pub fn of(prepared: &PreparedGraph, spectrum: Option<&Arc<Spectrum>>) -> Self {
        let nodes = prepared.graph.node_count();
        let Some(spectrum) = spectrum else {
            return Self {
                values: Vec::new(),
                scale: prepared.operator.scale(),
                counts: vec![0.0; BINS],
                estimated: true,
                counted: false,
                kept: (0, nodes),
            };
        };
        let scale = spectrum.scale();
        let mut first = 0;
        let mut values: Vec<Value> = spectrum
            .multiplicities(APART)
            .into_iter()
            .map(|(sigma, count)| {
                let value = Value { sigma, s: sigma / scale, count, first };
                first += count;
                value
            })
            .collect();
        values.reverse();
        let mut counts = vec![0.0; BINS];
        for value in &values {
            counts[bin(value.s)] += value.count as f64;
        }
        let complete = spectrum.count() == nodes;
        let kept = (spectrum.count(), nodes);
        Self { values, scale, counts, estimated: !complete, counted: complete, kept }
    }

    /// Stores a density estimate of all eigenvalues.
    pub fn take(&mut self, density: &Density) {
        let exact = self.scale > 0.0 && (density.scale() / self.scale - 1.0).abs() < 1e-9;
        self.counts = if exact {
            density.histogram(BINS)
        } else {
            let edge =
                |at: usize| (2.0 * at as f64 / BINS as f64 - 1.0) * self.scale / density.scale();
            (0..BINS)
                .map(|at| {
                    (density.count_above(edge(at)) - density.count_above(edge(at + 1))).max(0.0)
                })
                .collect()
        };
        self.counted = true;
    }

    /// Reuses counts that are already known.
    pub fn keep_counts(&mut self, before: &Self) {
        self.counts.clone_from(&before.counts);
        self.counted = before.counted;
    }

    /// Whether there is an eigenvalue around s at which ρ has an effect.
    pub fn is_measured(&self, s: f64, half: f64) -> bool {
        let reach = NEAR.max(half);
        // If not every eigenpair is computed, use the density.
        if self.values.is_empty() || self.kept.0 < self.kept.1 {
            return !self.counted || self.counts[bin(s)] > NOTHING * self.kept.1 as f64;
        }
        let after = self.values.partition_point(|value| value.s < s);
        let below = after.checked_sub(1).and_then(|at| self.values.get(at));
        let above = self.values.get(after);
        let near = |value: Option<&Value>| value.is_some_and(|value| (value.s - s).abs() <= reach);
        let between = below.zip(above).is_some_and(|(below, above)| above.s - below.s <= GAP);
        near(below) || near(above) || between
    }

    /// The distinct eigenvalue nearest to s.
    pub fn nearest(&self, s: f64) -> Option<usize> {
        let far = |at: &usize| (self.values[*at].s - s).abs();
        (0..self.values.len()).min_by(|a, b| far(a).total_cmp(&far(b)))
    }

    /// The range of the real eigenvalues, with a little room around it.
    pub fn fitted(&self) -> (f64, f64) {
        let (low, high) = self.range();
        let (low, high) = (f64::from(low), f64::from(high));
        if high - low < 1e-6 {
            return (-1.0, 1.0);
        }
        let room = 0.03 * (high - low);
        ((low - room).max(-1.0), (high + room).min(1.0))
    }
}

fn bin(s: f64) -> usize {
    ((f64::midpoint(s, 1.0) * BINS as f64) as usize).min(BINS - 1)
}

/// What the eigenvectors of an eigenvalue separate; `None` without classes.
pub(super) fn separation(
    graph: &Graph,
    spectrum: &Arc<Spectrum>,
    value: Value,
) -> Option<Separation> {
    let Labels::Classes(classes) = graph.labels() else { return None };
    let names = classes.names();
    let mut squares = vec![0.0; names.len()];
    let mut sums = vec![0.0; names.len()];
    let mut sizes = vec![0_usize; names.len()];
    let (mut all, mut total) = (0.0, 0.0);
    let count = spectrum.count();
    let rows = spectrum.vectors().chunks(count.max(1));
    let mut labelled = 0.0;
    for (node, row) in graph.nodes().zip(rows) {
        let Some(class) = classes.of(node).first() else { continue };
        labelled += 1.0;
        let entries = &row[value.first..(value.first + value.count).min(count)];
        let square: f64 = entries.iter().map(|entry| f64::from(*entry).powi(2)).sum();
        // Eigenvectors of a repeated eigenvalue can be rotated into each other, so
        // signs are meaningful only for a single one.
        let entry = if value.count == 1 { f64::from(entries[0]) } else { 0.0 };
        squares[class.index()] += square;
        sums[class.index()] += entry;
        sizes[class.index()] += 1;
        all += square;
        total += entry;
    }
    let mean = total / f64::max(labelled, 1.0);
    let spread = all - labelled * mean * mean;
    let between: f64 = (0..names.len())
        .filter(|class| sizes[*class] > 0)
        .map(|class| {
            let size = sizes[class] as f64;
            size * (sums[class] / size - mean).powi(2)
        })
        .sum();
    let classes = names
        .iter()
        .enumerate()
        .map(|(class, name)| {
            let mean = sums[class] / sizes[class].max(1) as f64;
            (name.clone(), if all > 0.0 { squares[class] / all } else { 0.0 }, mean)
        })
        .collect();
    let between = if spread > 1e-12 { (between / spread).clamp(0.0, 1.0) } else { 0.0 };
    Some(Separation { classes, between })
}
