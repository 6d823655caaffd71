//! What is known of the spectrum a filter acts on: where its eigenvalues are,
//! how they are spread, and what an eigenvector separates.

use std::sync::Arc;

use crate::graph::{Graph, Labels};
use crate::model::Ground;
use crate::model::settings::FilterShape;
use crate::spectral::{Density, Spectrum};

/// Parts of [-1, 1] that are counted.
pub(super) const BINS: usize = 200;
/// Eigenvalues closer than this share of the largest count as equal.
const APART: f64 = 1e-6;
/// What an eigenvalue measures around itself, in s.
const NEAR: f64 = 0.02;
/// A gap between eigenvalues wider than this, in s, has nothing measured in it.
const GAP: f64 = 0.13;
/// An estimated share of eigenvalues below this is taken for none.
const NOTHING: f64 = 2e-4;

/// Known filters to compare with.
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

/// An eigenvalue and how often it occurs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value {
    /// σ.
    pub sigma: f64,
    /// s = σ / max|σ|.
    pub s: f64,
    /// How often.
    pub count: usize,
    /// The place of its first eigenvector.
    pub first: usize,
}

/// What is known of a spectrum.
#[derive(Debug, Clone)]
pub struct FilterFacts {
    /// The distinct eigenvalues, lowest first.
    pub values: Vec<Value>,
    /// max|σ|.
    pub scale: f64,
    /// How many eigenvalues lie in each part of [-1, 1].
    pub counts: Vec<f64>,
    /// Whether the counts are estimated.
    pub estimated: bool,
    /// Whether the counts are there at all.
    pub counted: bool,
    /// Eigenpairs kept, and nodes.
    pub kept: (usize, usize),
}

/// What the eigenvectors of an eigenvalue say of the classes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Separation {
    /// Each class: its name, its share of the squared entries, the mean entry.
    pub classes: Vec<(String, f64, f64)>,
    /// Share of the entries' variance that lies between the classes.
    pub between: f64,
}

impl FilterFacts {
    /// What is known of a ground at once.
    pub fn of(ground: &Ground, spectrum: Option<&Arc<Spectrum>>) -> Self {
        let nodes = ground.graph.node_count();
        let Some(spectrum) = spectrum else {
            return Self {
                values: Vec::new(),
                scale: ground.operator.scale(),
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

    /// Takes an estimate of the spread of all eigenvalues.
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

    /// Goes on with counts that are known already.
    pub fn keep_counts(&mut self, before: &Self) {
        self.counts.clone_from(&before.counts);
        self.counted = before.counted;
    }

    /// Whether ρ is seen by any eigenvalue around s.
    pub fn is_measured(&self, s: f64, half: f64) -> bool {
        let reach = NEAR.max(half);
        // Where not every eigenpair is kept, the density of all tells.
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

    /// The lowest and highest s that is measured.
    pub fn ends(&self) -> (f64, f64) {
        match (self.values.first(), self.values.last()) {
            (Some(low), Some(high)) if high.s > low.s && self.kept.0 == self.kept.1 => {
                (low.s, high.s)
            }
            _ => (-1.0, 1.0),
        }
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
        // Vectors of one eigenvalue can be turned into each other: only the sign
        // of a single one says something.
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
