//! P = Σ c_n T_n(M/scale) without eigenvectors: a three-term recurrence of sparse
//! products. Exact over the whole spectrum for every filter that is a polynomial of
//! at most the operator's degree.
//!
//! T_n(M) is symmetric, so P maps gradients backward as it maps signals forward,
//! and ⟨T_n(M)·H, dZ⟩ = ⟨H, T_n(M)·dZ⟩ gives the gradient by c_n.

use std::sync::Arc;

use gesf_graph::NodeId;

use super::diagonals::Diagonals;
use super::lanes::{par_row_dots, row_dots};
use super::local::LocalRecurrence;
use super::operator::{fit_node, fit_response};
use super::recurrence::{Before, Term};
use super::series::Series;
use super::{
    Applied, Diagonal, FilterGradient, ForwardState, Gradients, Operator, SelfTerm, Signal,
};
use super::{Cancel, Matrix, MatrixKind, Progress, Sparse, SpectralError, bounds, progress};

/// The options of the polynomial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PolynomialOptions {
    /// The degree of the polynomial.
    pub degree: usize,
    /// Random vectors for estimating diag(P) where computing it would take too
    /// long; rounded up to whole panels.
    pub probes: usize,
}

impl Default for PolynomialOptions {
    fn default() -> Self {
        Self { degree: 16, probes: 32 }
    }
}

/// P as a polynomial of the sparse matrix.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_graph::NodeId;
/// use gesf_spectral::{Cancel, Operator, PolynomialOperator, PolynomialOptions};
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let kind = gesf_spectral::MatrixKind::SymLoops;
/// # let matrix = gesf_spectral::Matrix::of(&graph, kind, gesf_spectral::EdgeValues::Weighted)?;
/// # let matrix = std::sync::Arc::new(matrix);
/// let options = PolynomialOptions::default();
/// let cancel = Cancel::default();
/// let operator = PolynomialOperator::new(&matrix, options, &cancel, &mut |_| {})?;
/// // ρ(s) = s is a polynomial, so the row is that of M: 0 without an edge.
/// let row = operator.row(operator.points(), NodeId(0))?;
/// let strangers = graph.nodes().skip(1).filter(|n| !graph.neighbours(NodeId(0)).contains(&n.0));
/// assert!(strangers.map(|node| row[node.index()].abs()).all(|weight| weight < 1e-6));
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct PolynomialOperator {
    matrix: Arc<Matrix>,
    entries: Sparse<f32>,
    scale: f64,
    series: Series,
    diagonals: Diagonals,
}

impl PolynomialOperator {
    /// Finds the scale of the spectrum and the diagonals of T_n(M).
    pub fn new(
        matrix: &Arc<Matrix>,
        options: PolynomialOptions,
        cancel: &Cancel,
        watch: &mut dyn FnMut(Progress),
    ) -> Result<Self, SpectralError> {
        let matrix = matrix.clone();
        progress::supervise(cancel, watch, move |monitor| {
            let scale = match matrix.kind() {
                // The ends are close to the bound of 1: no need to compute them.
                MatrixKind::Sym | MatrixKind::SymLoops => 1.0,
                _ => bounds::spectrum_bounds(&matrix, &monitor)?.magnitude(),
            };
            let scale = if scale > 0.0 { scale } else { 1.0 };
            let PolynomialOptions { degree, probes } = options;
            let diagonals = Diagonals::of(matrix.entries(), scale, degree, probes, &monitor)?;
            let entries = matrix.entries().cast::<f32>();
            Ok(Self { matrix, entries, scale, series: Series::new(degree), diagonals })
        })
    }

    /// The degree of the polynomial.
    pub fn degree(&self) -> usize {
        self.series.degree()
    }

    /// Σ c_n T_n(M)·X, minus the diagonal if it is dropped. Every term is passed to
    /// `see` when it is done, with the inner product of the term and `against`.
    fn recur(
        &self,
        coefficients: &[f64],
        signal: Signal<'_>,
        diagonal: &[f32],
        against: Option<&[f32]>,
        mut see: impl FnMut(usize, &[f32], f64),
    ) -> Vec<f32> {
        let Signal { values, width } = signal;
        let first = coefficients.first().copied().unwrap_or(0.0) as f32;
        let mut own = vec![first; self.nodes()];
        own.iter_mut().zip(diagonal).for_each(|(own, diagonal)| *own -= diagonal);
        let mut sum = vec![0.0; values.len()];
        if coefficients.len() < 2 {
            let rows = sum.chunks_mut(width.max(1)).zip(values.chunks(width.max(1)));
            for ((sum, row), factor) in rows.zip(&own) {
                sum.iter_mut().zip(row).for_each(|(sum, value)| *sum = factor * value);
            }
            return sum;
        }
        let (mut now, mut next) = (Vec::new(), vec![0.0; values.len()]);
        for (n, &coefficient) in coefficients.iter().enumerate().skip(1) {
            let term = Term {
                matrix: &self.entries,
                factor: (if n == 1 { 1.0 } else { 2.0 } / self.scale) as f32,
                x: if n == 1 { values } else { &now },
                width,
                before: match n {
                    1 => Before::Nothing,
                    2 => Before::Rows(values),
                    _ => Before::Output,
                },
                coefficient: coefficient as f32,
                own: (n == 1).then_some(own.as_slice()),
                against,
            };
            let dot = term.compute(&mut next, &mut sum);
            std::mem::swap(&mut now, &mut next);
            see(n, &now, dot);
            if next.is_empty() && coefficients.len() > 2 {
                next = vec![0.0; values.len()];
            }
        }
        sum
    }

    fn dropped(&self, coefficients: &[f64], self_term: SelfTerm) -> Vec<f32> {
        match self_term {
            SelfTerm::Keep => Vec::new(),
            SelfTerm::Drop => self.diagonals.combine(coefficients),
        }
    }
}

impl Operator for PolynomialOperator {
    fn nodes(&self) -> usize {
        self.entries.size()
    }

    fn points(&self) -> &[f32] {
        self.series.points()
    }

    fn scale(&self) -> f64 {
        self.scale
    }

    fn apply(
        &self,
        response: &[f32],
        signal: Signal<'_>,
        self_term: SelfTerm,
        watched: &[u32],
    ) -> Result<Applied, SpectralError> {
        fit_response(response, self.points().len())?;
        signal.fit(self.nodes())?;
        for &node in watched {
            fit_node(NodeId(node), self.nodes())?;
        }
        let coefficients = self.series.coefficients(response);
        let diagonal = self.dropped(&coefficients, self_term);
        let width = signal.width;
        let mut terms = Vec::with_capacity(watched.len() * width * coefficients.len());
        let mut take = |rows: &[f32]| {
            let row = |node: &u32| &rows[*node as usize * width..][..width];
            terms.extend(watched.iter().flat_map(row));
        };
        take(signal.values);
        let see = |_: usize, term: &[f32], _: f64| take(term);
        let output = self.recur(&coefficients, signal, &diagonal, None, see);
        Ok(Applied { output, kept: ForwardState { projected: terms, diagonal } })
    }

    fn differentiate(
        &self,
        response: &[f32],
        signal: Signal<'_>,
        kept: &ForwardState,
        gradient: Signal<'_>,
        self_term: SelfTerm,
        filter: FilterGradient,
    ) -> Result<Gradients, SpectralError> {
        fit_response(response, self.points().len())?;
        signal.fit(self.nodes())?;
        gradient.fit(self.nodes())?;
        let width = signal.width;
        if gradient.width != width {
            let found = gradient.values.len();
            return Err(SpectralError::size("the gradient", found, signal.values.len()));
        }
        let coefficients = self.series.coefficients(response);
        let missing = self_term == SelfTerm::Drop && kept.diagonal.len() != self.nodes();
        let made = if missing { self.dropped(&coefficients, self_term) } else { Vec::new() };
        let diagonal = if missing { &made } else { &kept.diagonal };
        let wanted = filter == FilterGradient::Wanted;
        let mut products = vec![0.0; coefficients.len()];
        let against = wanted.then_some(signal.values);
        let see = |n: usize, _: &[f32], dot: f64| products[n] = dot;
        let by_signal = self.recur(&coefficients, gradient, diagonal, against, see);
        let by_response = wanted.then(|| {
            let mut dots = vec![0.0; self.nodes()];
            par_row_dots(signal.values, gradient.values, width, &mut dots);
            products[0] = dots.iter().map(|&dot| f64::from(dot)).sum();
            if self_term == SelfTerm::Drop {
                let nodes: Vec<u32> = (0..self.nodes() as u32).collect();
                let parts = self.diagonals.inner(&nodes, &dots);
                products.iter_mut().zip(parts).for_each(|(product, part)| *product -= part);
            }
            self.series.transposed(&products)
        });
        Ok(Gradients { signal: by_signal, response: by_response })
    }

    fn differentiate_filter(
        &self,
        watched: &[u32],
        signal: Signal<'_>,
        kept: &ForwardState,
        gradient: &[f32],
        self_term: SelfTerm,
    ) -> Result<Vec<f32>, SpectralError> {
        let (width, size) = (signal.width, gradient.len());
        let degrees = self.degree() + 1;
        if size != watched.len() * width || kept.projected.len() != degrees * size {
            let found = kept.projected.len();
            return Err(SpectralError::size("the state saved by `apply`", found, degrees * size));
        }
        let mut dots = vec![0.0; watched.len()];
        let mut products: Vec<f64> = kept
            .projected
            .chunks(size.max(1))
            .map(|term| {
                row_dots(term, gradient, width, &mut dots);
                dots.iter().map(|&dot| f64::from(dot)).sum()
            })
            .collect();
        products.resize(degrees, 0.0);
        if self_term == SelfTerm::Drop {
            row_dots(kept.projected.get(..size).unwrap_or_default(), gradient, width, &mut dots);
            let parts = self.diagonals.inner(watched, &dots);
            products.iter_mut().zip(parts).for_each(|(product, part)| *product -= part);
        }
        Ok(self.series.transposed(&products))
    }

    fn diagonal(&self, response: &[f32]) -> Result<Diagonal, SpectralError> {
        fit_response(response, self.points().len())?;
        let coefficients = self.series.coefficients(response);
        let error = self.diagonals.error(&coefficients) as f32;
        Ok(Diagonal { values: self.diagonals.combine(&coefficients), error })
    }

    fn diagonal_at(&self, response: &[f32], node: NodeId) -> Result<f32, SpectralError> {
        fit_response(response, self.points().len())?;
        fit_node(node, self.nodes())?;
        let coefficients = self.series.coefficients(response);
        Ok(self.diagonals.combine_at(&coefficients, node.index()) as f32)
    }

    fn coefficients(&self, response: &[f32]) -> Result<Option<Vec<f64>>, SpectralError> {
        fit_response(response, self.points().len())?;
        Ok(Some(self.series.coefficients(response)))
    }

    fn row(&self, response: &[f32], node: NodeId) -> Result<Vec<f32>, SpectralError> {
        self.changed_row(response, &self.matrix, node)
            .map(|row| row.unwrap_or_default().into_iter().map(|value| value as f32).collect())
    }

    fn changed_row(
        &self,
        response: &[f32],
        matrix: &Matrix,
        node: NodeId,
    ) -> Result<Option<Vec<f64>>, SpectralError> {
        fit_response(response, self.points().len())?;
        fit_node(node, matrix.size())?;
        let mut row = vec![0.0; matrix.size()];
        let mut recurrence = LocalRecurrence::new(matrix.entries(), self.scale);
        recurrence.start(node.0);
        for (n, &factor) in self.series.coefficients(response).iter().enumerate() {
            if n > 0 {
                recurrence.advance();
            }
            recurrence.add_to(factor, &mut row);
        }
        Ok(Some(row))
    }
}
