//! P = Σ c_n T_n(M/scale) without eigenvectors: a three-term recurrence on the
//! sparse matrix, a panel of columns at a time.
//!
//! Memory is four panels beside the blocks that come in and go out, whatever
//! the degree: since T_n(M) is symmetric, ⟨T_n(M)·H, dZ⟩ = ⟨H, T_n(M)·dZ⟩, and
//! the one recurrence that carries dZ back gives the coefficients' gradient too.

use std::sync::Arc;

use rayon::prelude::*;

use crate::graph::NodeId;

use super::lanes::{par_row_dots, par_subtract_scaled};
use super::operator::{fit_node, fit_response};
use super::order::by_neighbourhood;
use super::panels::{Gather, Step, par_gather};
use super::probe::Diagonals;
use super::series::Series;
use super::{Applied, Diagonal, Gradients, Kept, Operator, SelfTerm, Signal};
use super::{Cancel, Matrix, MatrixKind, Progress, Sparse, SpectralError, bounds, progress};

/// Columns that go through the recurrence together: two cache lines a row, so
/// that the pattern is read half as often as with one.
pub(super) const PANEL: usize = 32;

type Panel = Vec<[f32; PANEL]>;

/// How the polynomial is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChebyshevOptions {
    /// The degree of the polynomial.
    pub degree: usize,
    /// Random vectors that estimate diag(P); rounded up to whole panels.
    pub probes: usize,
}

impl Default for ChebyshevOptions {
    fn default() -> Self {
        Self { degree: 16, probes: 64 }
    }
}

/// P as a polynomial of the sparse matrix.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::graph::NodeId;
/// use gesf_tui::spectral::{Cancel, ChebyshevOperator, ChebyshevOptions, Operator};
/// # let karate = "sample_graphs/karate".as_ref();
/// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_tui::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let ground = gesf_tui::model::Ground::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// let options = ChebyshevOptions::default();
/// let cancel = Cancel::default();
/// let operator = ChebyshevOperator::new(&ground.matrix, options, &cancel, &mut |_| {})?;
/// // ρ(s) = s is a polynomial, so the row is that of M: 0 where no edge is.
/// let row = operator.row(operator.points(), NodeId(0))?;
/// let strangers = graph.nodes().skip(1).filter(|n| !graph.neighbours(NodeId(0)).contains(&n.0));
/// assert!(strangers.map(|node| row[node.index()].abs()).all(|weight| weight < 1e-5));
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct ChebyshevOperator {
    matrix: Sparse<f32>,
    /// Node `order[n]` of the graph is row n of the matrix.
    order: Vec<u32>,
    /// Row `place[v]` of the matrix is node v of the graph.
    place: Vec<u32>,
    scale: f64,
    series: Series,
    diagonals: Diagonals,
}

impl ChebyshevOperator {
    /// Finds the scale of the spectrum and probes the diagonals of T_n(M).
    pub fn new(
        matrix: &Arc<Matrix>,
        options: ChebyshevOptions,
        cancel: &Cancel,
        watch: &mut dyn FnMut(Progress),
    ) -> Result<Self, SpectralError> {
        let matrix = matrix.clone();
        progress::supervise(cancel, watch, move |monitor| {
            let scale = match matrix.kind() {
                // The ends are close to the bound of 1: no need to look.
                MatrixKind::Sym | MatrixKind::SymLoops => 1.0,
                _ => bounds::spectrum_bounds(&matrix, &monitor)?.magnitude(),
            };
            let scale = if scale > 0.0 { scale } else { 1.0 };
            let order = by_neighbourhood(matrix.entries());
            let mut place = vec![0; order.len()];
            for (row, &node) in order.iter().enumerate() {
                place[node as usize] = row as u32;
            }
            let entries = matrix.entries().permuted(&order).cast::<f32>();
            let series = Series::new(options.degree);
            let diagonals = Diagonals::probe(&entries, scale, options, &monitor)?;
            Ok(Self { matrix: entries, order, place, scale, series, diagonals })
        })
    }

    /// The degree of the polynomial.
    pub fn degree(&self) -> usize {
        self.series.degree()
    }

    /// The columns from `first` on, in the matrix's order, zeros past the last.
    fn load(&self, signal: Signal<'_>, first: usize) -> Panel {
        let wide = PANEL.min(signal.width - first);
        let row = |&node: &u32| {
            let from = &signal.values[node as usize * signal.width + first..][..wide];
            std::array::from_fn(|lane| from.get(lane).copied().unwrap_or(0.0))
        };
        self.order.par_iter().map(row).collect()
    }

    fn store(&self, panel: &Panel, out: &mut [f32], width: usize, first: usize) {
        let wide = PANEL.min(width - first);
        out.par_chunks_mut(width).zip(&self.place).for_each(|(row, &place)| {
            row[first..first + wide].copy_from_slice(&panel[place as usize][..wide]);
        });
    }

    /// Σ c_n T_n(M)·X for one panel; with `against`, also every ⟨T_n(M)·X, against⟩.
    fn recur(
        &self,
        coefficients: &[f64],
        x: Panel,
        against: Option<&Panel>,
        products: &mut [f64],
    ) -> Panel {
        let against = against.map(Vec::as_slice);
        let mut sum = vec![[0.0; PANEL]; x.len()];
        let (mut now, mut before) = (x, vec![[0.0; PANEL]; sum.len()]);
        for (n, (&factor, product)) in coefficients.iter().zip(products).enumerate() {
            let gather = Gather { factor, sum: &mut sum, against };
            if n == 0 {
                *product += par_gather(&now, gather);
                continue;
            }
            let twice = if n == 1 { 1.0 } else { 2.0 };
            let keep = if n == 1 { 0.0 } else { -1.0 };
            let step = Step { product: twice / self.scale, shift: 0.0, keep };
            *product += self.matrix.par_step_gathered(step, &now, &mut before, gather);
            std::mem::swap(&mut now, &mut before);
        }
        sum
    }

    /// diag(P) in the graph's order.
    fn diagonal_of(&self, coefficients: &[f64]) -> Vec<f32> {
        let by_row = self.diagonals.combine(coefficients);
        self.place.iter().map(|&row| by_row[row as usize]).collect()
    }
}

impl Operator for ChebyshevOperator {
    fn nodes(&self) -> usize {
        self.order.len()
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
    ) -> Result<Applied, SpectralError> {
        fit_response(response, self.points().len())?;
        signal.fit(self.nodes())?;
        let coefficients = self.series.coefficients(response);
        let mut output = vec![0.0; signal.values.len()];
        let mut products = vec![0.0; coefficients.len()];
        for first in (0..signal.width).step_by(PANEL) {
            let panel = self.load(signal, first);
            let sum = self.recur(&coefficients, panel, None, &mut products);
            self.store(&sum, &mut output, signal.width, first);
        }
        let mut kept = Kept::default();
        if self_term == SelfTerm::Drop {
            kept.diagonal = self.diagonal_of(&coefficients);
            par_subtract_scaled(&mut output, &kept.diagonal, signal.values, signal.width);
        }
        Ok(Applied { output, kept })
    }

    fn differentiate(
        &self,
        response: &[f32],
        signal: Signal<'_>,
        kept: &Kept,
        gradient: Signal<'_>,
        self_term: SelfTerm,
    ) -> Result<Gradients, SpectralError> {
        fit_response(response, self.points().len())?;
        signal.fit(self.nodes())?;
        gradient.fit(self.nodes())?;
        let width = signal.width;
        if gradient.width != width {
            return Err(SpectralError::size(
                "the gradient",
                gradient.values.len(),
                signal.values.len(),
            ));
        }
        let coefficients = self.series.coefficients(response);
        let mut by_signal = vec![0.0; signal.values.len()];
        let mut products = vec![0.0; coefficients.len()];
        for first in (0..width).step_by(PANEL) {
            let (own, panel) = (self.load(signal, first), self.load(gradient, first));
            let sum = self.recur(&coefficients, panel, Some(&own), &mut products);
            self.store(&sum, &mut by_signal, width, first);
        }
        if self_term == SelfTerm::Drop {
            let mut dots = vec![0.0; self.nodes()];
            par_row_dots(signal.values, gradient.values, width, &mut dots);
            let by_row: Vec<f32> = self.order.iter().map(|&node| dots[node as usize]).collect();
            let parts = self.diagonals.inner(&by_row);
            products.iter_mut().zip(parts).for_each(|(product, part)| *product -= part);
            let missing = || self.diagonal_of(&coefficients);
            let fits = kept.diagonal.len() == self.nodes();
            let diagonal = if fits { kept.diagonal.clone() } else { missing() };
            par_subtract_scaled(&mut by_signal, &diagonal, gradient.values, width);
        }
        Ok(Gradients { signal: by_signal, response: self.series.transposed(&products) })
    }

    fn diagonal(&self, response: &[f32]) -> Result<Diagonal, SpectralError> {
        fit_response(response, self.points().len())?;
        let coefficients = self.series.coefficients(response);
        let error = self.diagonals.error(&coefficients) as f32;
        Ok(Diagonal { values: self.diagonal_of(&coefficients), error })
    }

    fn row(&self, response: &[f32], node: NodeId) -> Result<Vec<f32>, SpectralError> {
        fit_response(response, self.points().len())?;
        fit_node(node, self.nodes())?;
        let coefficients = self.series.coefficients(response);
        let mut unit = vec![[0.0_f32; 1]; self.nodes()];
        unit[self.place[node.index()] as usize] = [1.0];
        let (mut now, mut before) = (unit, vec![[0.0; 1]; self.nodes()]);
        let mut sum = vec![[0.0; 1]; self.nodes()];
        for (n, &factor) in coefficients.iter().enumerate() {
            let gather = Gather { factor, sum: &mut sum, against: None };
            if n == 0 {
                par_gather(&now, gather);
                continue;
            }
            let (twice, keep) = if n == 1 { (1.0, 0.0) } else { (2.0, -1.0) };
            let step = Step { product: twice / self.scale, shift: 0.0, keep };
            self.matrix.par_step_gathered(step, &now, &mut before, gather);
            std::mem::swap(&mut now, &mut before);
        }
        Ok(self.place.iter().map(|&row| sum[row as usize][0]).collect())
    }
}
