//! Node features as one more element of the set that makes a node:
//! z_v = 2(1−β) Σ_u P_uv ψ(x_u) + 2β ψ_f(f_v), with a linear ψ_f.
//!
//! The share β says how much a node's own features count beside its neighbours. It
//! starts at ½, where both factors are 1, and is learned like the filter, at labels
//! withheld from x: a share fitted to the training labels would only say which part
//! memorises them more easily.

use std::sync::Arc;

use candle_core::{CpuStorage, CustomOp1, Device, Layout, Result, Shape, Tensor, Var};
use rayon::prelude::*;

use super::slices::{numbers, with_numbers};
use super::{Groups, Parameters};
use gesf_graph::{Features, NodeId};

/// The score of β: β = 1 / (1 + e^−score).
pub(crate) const FEATURE_SHARE: &str = "rho.feature_share";
/// Prefix of the weights of ψ_f.
pub(crate) const FEATURE_MAP: &str = "psi_f.";
/// Rows of a task.
const ROWS: usize = 64;

/// The name of the weights of ψ_f of a type: a row for each feature.
pub(crate) fn map_name(kind: usize) -> String {
    format!("{FEATURE_MAP}{kind}.weight")
}

/// The weights 2(1−β) of the neighbours and 2β of the own features.
pub(crate) fn shares(score: f32) -> (f32, f32) {
    let own = 2.0 / (1.0 + (-score).exp());
    (2.0 - own, own)
}

/// Sparse rows of numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct SparseRows {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f32>,
    width: usize,
}

impl SparseRows {
    /// The features of some nodes, each row scaled to length 1.
    pub(crate) fn of_unit_length(features: &Features, nodes: &[u32]) -> Self {
        let mut all = Self { starts: vec![0], width: features.width(), ..Self::default() };
        for &node in nodes {
            let own = features.row(NodeId(node)).filter(|(_, value)| *value != 0.0);
            let start = all.values.len();
            for (column, value) in own {
                all.columns.push(column);
                all.values.push(value);
            }
            let row = &mut all.values[start..];
            // In f64 and relative to the largest value, so that no square overflows.
            let largest = row.iter().fold(0.0_f64, |most, value| most.max(f64::from(*value).abs()));
            let squares = row.iter().map(|value| (f64::from(*value) / largest).powi(2));
            let length = largest * squares.sum::<f64>().sqrt();
            for value in row.iter_mut() {
                *value = (f64::from(*value) / length) as f32;
            }
            all.starts.push(all.values.len());
        }
        all
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Number of columns.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The columns and values of a row.
    pub(crate) fn row(&self, row: usize) -> (&[u32], &[f32]) {
        let range = self.starts[row]..self.starts[row + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// Rows and columns exchanged.
    pub(crate) fn transposed(&self) -> Self {
        let mut starts = vec![0; self.width + 1];
        for &column in &self.columns {
            starts[column as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let (mut columns, mut values) = (vec![0; self.columns.len()], vec![0.0; self.values.len()]);
        for row in 0..self.rows() {
            let (own, numbers) = self.row(row);
            for (&column, &value) in own.iter().zip(numbers) {
                let place = &mut next[column as usize];
                (columns[*place], values[*place]) = (row as u32, value);
                *place += 1;
            }
        }
        Self { starts, columns, values, width: self.rows() }
    }

    /// Every entry times a factor of its own: dropout.
    pub(crate) fn scaled(&self, mut factor: impl FnMut() -> f32) -> Self {
        let values = self.values.iter().map(|value| value * factor()).collect();
        Self { values, starts: self.starts.clone(), columns: self.columns.clone(), ..*self }
    }

    /// The transposed matrix times a dense one, without transposing this one.
    pub(crate) fn transposed_product(&self, dense: &[f32], wide: usize) -> Vec<f32> {
        let mut output = vec![0.0; self.width * wide];
        for (row, other) in dense.chunks(wide.max(1)).enumerate().take(self.rows()) {
            let (columns, values) = self.row(row);
            for (&column, &value) in columns.iter().zip(values) {
                let sums = &mut output[column as usize * wide..][..wide];
                sums.iter_mut().zip(other).for_each(|(sum, own)| *sum += value * own);
            }
        }
        output
    }

    /// This matrix times a dense one with rows of `wide` numbers. One thread sums
    /// each row in the order of its entries, so the bits do not depend on threads.
    pub(crate) fn product(&self, dense: &[f32], wide: usize) -> Vec<f32> {
        let wide = wide.max(1);
        let mut output = vec![0.0; self.rows() * wide];
        output.par_chunks_mut(ROWS * wide).enumerate().for_each(|(task, rows)| {
            for (at, sums) in rows.chunks_mut(wide).enumerate() {
                let (columns, values) = self.row(task * ROWS + at);
                for (&column, &value) in columns.iter().zip(values) {
                    let other = &dense[column as usize * wide..][..wide];
                    sums.iter_mut().zip(other).for_each(|(sum, own)| *sum += value * own);
                }
            }
        });
        output
    }
}

/// The features of the nodes of one type, as rows and as columns.
#[derive(Debug)]
pub(crate) struct TypeFeatures {
    pub(crate) rows: SparseRows,
    columns: SparseRows,
}

/// The features of every node type; `None` for types without any.
#[derive(Debug)]
pub struct PreparedFeatures {
    by_type: Vec<Option<Arc<TypeFeatures>>>,
}

impl PreparedFeatures {
    /// The features of a graph, by type.
    pub(super) fn of(features: &Features, groups: &Groups) -> Self {
        let of_type = |kind: usize| {
            let rows = SparseRows::of_unit_length(features, groups.members(kind));
            (!rows.values.is_empty()).then(|| {
                let columns = rows.transposed();
                Arc::new(TypeFeatures { rows, columns })
            })
        };
        Self { by_type: (0..groups.count()).map(of_type).collect() }
    }

    /// The features of a type.
    pub(crate) fn of_type(&self, kind: usize) -> Option<&TypeFeatures> {
        self.by_type.get(kind)?.as_deref()
    }
}

/// ψ_f of every type, and β.
#[derive(Debug, Clone)]
pub(crate) struct FeatureMap {
    features: Arc<PreparedFeatures>,
    /// The weights of each type with features: a row for each feature.
    weights: Vec<Option<Var>>,
    share: Var,
}

impl FeatureMap {
    /// β, at ½.
    pub(super) fn share(parameters: &mut Parameters) -> Result<Var> {
        parameters.add(FEATURE_SHARE, vec![0.0], 1)
    }

    /// ψ_f = 0 for embeddings of these widths.
    pub(super) fn new(
        parameters: &mut Parameters,
        features: &Arc<PreparedFeatures>,
        widths: &[usize],
        share: Var,
    ) -> Result<Self> {
        let mut weights = Vec::with_capacity(widths.len());
        for (kind, &embedding_width) in widths.iter().enumerate() {
            let own = features.of_type(kind).map(|own| {
                let sizes = (own.rows.width(), embedding_width);
                parameters.add(&map_name(kind), vec![0.0; sizes.0 * sizes.1], sizes)
            });
            weights.push(own.transpose()?);
        }
        Ok(Self { features: features.clone(), weights, share })
    }

    /// The score of β.
    pub(super) fn score(&self) -> &Var {
        &self.share
    }

    /// The weights of ψ_f, by type.
    pub(crate) fn weights(&self) -> impl Iterator<Item = &Var> {
        self.weights.iter().flatten()
    }

    /// 2(1−β) and 2β, as functions of β.
    pub(super) fn factors(&self) -> Result<(Tensor, Tensor)> {
        let own = (candle_nn::ops::sigmoid(&self.share)? * 2.0)?;
        Ok(((2.0 - &own)?, own))
    }

    /// ψ_f(f) of every node, a block of rows for each type.
    pub(super) fn forward(&self, embeddings: &[Var]) -> Result<Vec<Tensor>> {
        let of_type = |(kind, x): (usize, &Var)| match (&self.weights[kind], self.of_type(kind)) {
            (Some(weights), Some(features)) => {
                let on_cpu = weights.to_device(&Device::Cpu)?.contiguous()?;
                on_cpu.apply_op1(FeatureProduct(features.clone()))?.to_device(x.device())
            }
            _ => x.zeros_like(),
        };
        embeddings.iter().enumerate().map(of_type).collect()
    }

    fn of_type(&self, kind: usize) -> Option<&Arc<TypeFeatures>> {
        self.features.by_type.get(kind)?.as_ref()
    }
}

/// F·W as a function of W.
struct FeatureProduct(Arc<TypeFeatures>);

impl CustomOp1 for FeatureProduct {
    fn name(&self) -> &'static str {
        "features times weights"
    }

    fn cpu_fwd(&self, weights: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (_, wide) = layout.shape().dims2()?;
        let output = self.0.rows.product(numbers(weights, layout)?, wide);
        Ok((CpuStorage::F32(output), Shape::from((self.0.rows.rows(), wide))))
    }

    fn bwd(&self, weights: &Tensor, _output: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let (_, wide) = weights.dims2()?;
        let gradient = gradient.contiguous()?;
        let found = with_numbers(&gradient, |rows| self.0.columns.product(rows, wide))?;
        Ok(Some(Tensor::from_vec(found, weights.shape(), &Device::Cpu)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features() -> Features {
        let rows = vec![
            vec![(0, 3.0), (2, 4.0)],
            vec![],
            vec![(1, -2.0)],
            vec![(0, 1e30), (1, 1e30)],
            vec![(2, 0.0)],
        ];
        Features::from_rows(rows)
    }

    #[test]
    fn rows_have_length_one_or_zero() {
        let rows = SparseRows::of_unit_length(&features(), &[0, 1, 2, 3, 4]);
        assert_eq!((rows.rows(), rows.width()), (5, 3));
        assert_eq!(rows.row(0), (&[0, 2][..], &[0.6, 0.8][..]));
        assert_eq!((rows.row(1).0.len(), rows.row(2).1, rows.row(4).0.len()), (0, &[-1.0][..], 0));
        let root = 0.5_f32.sqrt();
        assert!(rows.row(3).1.iter().all(|value| (value - root).abs() < 1e-6));
    }

    #[test]
    fn the_transposed_matrix_has_the_same_entries() {
        let rows = SparseRows::of_unit_length(&features(), &[3, 0, 2]);
        let columns = rows.transposed();
        assert_eq!((columns.rows(), columns.width()), (3, 3));
        assert_eq!(columns.row(2), (&[1][..], &[0.8][..]));
        assert_eq!(columns.transposed(), rows);
    }

    #[test]
    fn the_gradient_agrees_with_differences() {
        let rows = SparseRows::of_unit_length(&features(), &[0, 1, 2, 3]);
        let columns = rows.transposed();
        let own = Arc::new(TypeFeatures { rows, columns });
        let values: Vec<f32> = (0..6).map(|n| (n as f32 * 0.7).sin()).collect();
        let weights = Tensor::from_vec(values, (3, 2), &Device::Cpu).unwrap();
        let loss = |weights: &Tensor| {
            let output = weights.apply_op1(FeatureProduct(own.clone())).unwrap();
            output.sqr().unwrap().sum_all().unwrap()
        };
        let var = Var::from_tensor(&weights).unwrap();
        let exact = loss(&var).backward().unwrap();
        let exact: Vec<f32> = exact.get(&var).unwrap().flatten_all().unwrap().to_vec1().unwrap();
        for (at, exact) in exact.into_iter().enumerate() {
            let moved = |by: f32| {
                let mut values: Vec<f32> = weights.flatten_all().unwrap().to_vec1().unwrap();
                values[at] += by;
                let moved = Tensor::from_vec(values, (3, 2), &Device::Cpu).unwrap();
                loss(&moved).to_scalar::<f32>().unwrap()
            };
            let difference = (moved(0.05) - moved(-0.05)) / 0.1;
            assert!((difference - exact).abs() < 1e-3, "{difference} {exact}");
        }
    }

    #[test]
    fn both_weights_are_one_at_the_start_and_sum_to_two() {
        assert_eq!(shares(0.0), (1.0, 1.0));
        let (neighbours, own) = shares(3.0);
        assert!(own > 1.9 && (neighbours + own - 2.0).abs() < 1e-6);
    }
}
