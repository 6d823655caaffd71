//! The metrics of one epoch.

use serde::{Deserialize, Serialize};

use super::Score;

/// The aggregation that is not the usual one, compared at withheld labels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Alternative {
    /// Its loss at the withheld labels.
    pub withheld_loss: f32,
    /// The headline score of its R there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withheld_score: Option<f32>,
    /// The standard error of the difference to the loss of the usual aggregation.
    pub standard_error: f32,
}

impl Alternative {
    /// Whether its loss is lower than the usual one by more than a standard error.
    pub fn is_better(&self, usual_loss: f32) -> bool {
        usual_loss - self.withheld_loss > self.standard_error
    }
}

/// All metrics recorded for an epoch, measured before its step.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Scalars {
    /// Number of completed epochs.
    pub epoch: usize,
    /// The loss.
    pub total: f32,
    /// Its reconstruction term for each node type.
    pub reconstruction: Vec<f32>,
    /// Its supervised term, if there are training labels.
    pub supervised: Option<f32>,
    /// λ_w‖W‖².
    pub penalty: f32,
    /// The learning rate.
    pub learning_rate: f32,
    /// In the first stage: the loss at the withheld labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withheld_loss: Option<f32>,
    /// In the first stage: the headline score of R at the withheld labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withheld_score: Option<f32>,
    /// Whether messages are averaged instead of summed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub takes_mean: bool,
    /// In the first stage: the other aggregation, if both are trained.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternative: Option<Alternative>,
    /// α_1 … α_K, where the filter has hop weights.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hop_weights: Vec<f32>,
    /// β, the share of a node's own features in z, if nodes have features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feature_share: Option<f32>,
    /// Score of x on the training labels.
    #[serde(rename = "seen_x")]
    pub train_x: Score,
    /// Score of x on the validation labels.
    #[serde(default, skip_serializing_if = "Score::is_none")]
    pub validation_x: Score,
    /// Score of x on the test labels.
    #[serde(rename = "held_x")]
    pub test_x: Score,
    /// Score of R on the training labels.
    #[serde(rename = "seen_r")]
    pub train_r: Score,
    /// Score of R on the test labels.
    #[serde(rename = "held_r")]
    pub test_r: Score,
}
