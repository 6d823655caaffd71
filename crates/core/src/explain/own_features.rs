//! The part of z that comes from a node's own features: 2β ψ_f(f_v). ψ_f is linear,
//! so it is the sum of one part for each feature.

use std::sync::Arc;

use super::{ExplainError, dot};
use crate::model::{FEATURE_SHARE, PreparedFeatures, map_name, shares};
use crate::train::TrainerState;

/// The weights of ψ_f and β of a snapshot.
#[derive(Debug)]
pub(super) struct FeatureWeights {
    features: Arc<PreparedFeatures>,
    /// W of each type, a row for each feature; empty for types without features.
    weights: Vec<Vec<f32>>,
    /// 2(1−β).
    pub(super) neighbours: f32,
    /// 2β.
    own: f32,
}

impl FeatureWeights {
    /// The weights of a state for embeddings of these widths.
    pub(super) fn of(
        features: &Arc<PreparedFeatures>,
        state: &TrainerState,
        widths: &[usize],
    ) -> Result<Self, ExplainError> {
        let mut weights = Vec::with_capacity(widths.len());
        for (kind, &width) in widths.iter().enumerate() {
            let rows = features.of_type(kind).map_or(0, |own| own.rows.width());
            let own = state.values(&map_name(kind)).unwrap_or_default();
            if own.len() != rows * width {
                return Err(ExplainError::fault(
                    format!("weights of the features of node type {kind}"),
                    format!("{} numbers", own.len()),
                    format!("{width} for each of {rows} features"),
                    "use the graph and the settings the model was trained with",
                ));
            }
            weights.push(own.to_vec());
        }
        let score = state.values(FEATURE_SHARE).and_then(|own| own.first().copied());
        let (neighbours, own) = shares(score.unwrap_or(0.0));
        Ok(Self { features: features.clone(), weights, neighbours, own })
    }

    /// The features of one node, by type and row, whose block of z starts at a column
    /// and has a width.
    pub(super) fn of_node(
        &self,
        kind: usize,
        row: usize,
        (start, width): (usize, usize),
    ) -> OwnFeatures {
        let (columns, values) =
            self.features.of_type(kind).map_or_else(Default::default, |own| own.rows.row(row));
        let parts = columns.iter().zip(values).map(|(&feature, &value)| {
            let weights = &self.weights[kind][feature as usize * width..][..width];
            let factor = f64::from(self.own) * f64::from(value);
            (feature, weights.iter().map(|weight| (factor * f64::from(*weight)) as f32).collect())
        });
        OwnFeatures { start, width, parts: parts.collect() }
    }
}

/// What a node's own features add to z.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OwnFeatures {
    start: usize,
    width: usize,
    /// 2β f_j W_j of each feature j of the node.
    parts: Vec<(u32, Vec<f32>)>,
}

impl OwnFeatures {
    /// The first column in z.
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// 2β ψ_f(f_v).
    pub(super) fn sum(&self) -> Vec<f64> {
        let mut sum = vec![0.0; self.width];
        for (_, part) in &self.parts {
            sum.iter_mut().zip(part).for_each(|(sum, own)| *sum += f64::from(*own));
        }
        sum
    }

    /// The contribution of each feature, given the mean gradient by z.
    pub(super) fn scores(&self, gradient: &[f64]) -> Vec<(u32, f64)> {
        let gradient = &gradient[self.start..self.start + self.width];
        self.parts.iter().map(|(feature, part)| (*feature, dot(part, gradient))).collect()
    }
}
