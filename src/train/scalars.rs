//! The figures of an epoch.

use serde::{Deserialize, Serialize};

use super::Score;

/// Every figure that is kept of an epoch: the state before its step.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Scalars {
    /// How many epochs were done before.
    pub epoch: usize,
    /// The loss.
    pub total: f32,
    /// Its reconstruction term for each node type.
    pub reconstruction: Vec<f32>,
    /// Its supervised term, if any label is seen.
    pub supervised: Option<f32>,
    /// λ_w‖W‖².
    pub penalty: f32,
    /// The step size.
    pub learning_rate: f32,
    /// In the first stage: the loss at the withheld labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withheld_loss: Option<f32>,
    /// In the first stage: the headline score of R at the withheld labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withheld_score: Option<f32>,
    /// α_1 … α_K, where the filter has hop weights.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hop_weights: Vec<f32>,
    /// Score of x on the labels that are seen.
    pub seen_x: Score,
    /// Score of x on the validation labels.
    #[serde(default, skip_serializing_if = "Score::is_none")]
    pub validation_x: Score,
    /// Score of x on the labels held back.
    pub held_x: Score,
    /// Score of R on the labels that are seen.
    pub seen_r: Score,
    /// Score of R on the labels held back.
    pub held_r: Score,
}
