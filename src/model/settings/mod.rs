//! Every choice a person has, in one place.
//!
//! [`Settings`] holds the values, [`TABLE`] says of each what it is called,
//! what it means, what it may be and when a change takes effect. The command
//! line, the explorer and the documents read the table; nothing else knows the
//! names.

mod choices;
mod presets;
mod table;

pub use choices::{
    Activation, AttributeUse, Balance, Batch, Eigenpairs, FilterShape, LossScale, MapShape,
    MatrixChoice, NeighbourGradient, Optimiser, Schedule,
};
pub use presets::{PRESETS, Preset, from_toml, preset, to_toml};
pub use table::{Effect, Group, Setting, SettingError, TABLE, find, set};

use crate::spectral::{EdgeValues, SelfTerm, Which};

/// A full set of choices.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Which matrix of the graph is decomposed.
    pub matrix: MatrixChoice,
    /// Whether edges count by weight.
    pub edge_values: EdgeValues,
    /// How many eigenpairs are kept.
    pub eigenpairs: Eigenpairs,
    /// Which of them.
    pub which: Which,
    /// Whether attributes become nodes of a further type.
    pub attributes: AttributeUse,
    /// d: numbers in an embedding.
    pub dimension: usize,
    /// Hidden width of ψ and φ.
    pub hidden: usize,
    /// The form of ψ and φ.
    pub map_shape: MapShape,
    /// The bend inside ψ, φ and ρ.
    pub activation: Activation,
    /// The form of ρ.
    pub filter: FilterShape,
    /// Whether a node takes part in its own explanation.
    pub self_term: SelfTerm,
    /// Whether gradients reach neighbours' embeddings.
    pub neighbour_gradient: NeighbourGradient,
    /// λ, for each node type.
    pub balance: Balance,
    /// Whether losses are means or sums.
    pub loss_scale: LossScale,
    /// λ_w.
    pub weight_penalty: f64,
    /// The optimiser.
    pub optimiser: Optimiser,
    /// The step size at the start.
    pub learning_rate: f64,
    /// Momentum of SGD.
    pub momentum: f64,
    /// How the step size changes.
    pub schedule: Schedule,
    /// Passes over the nodes.
    pub epochs: usize,
    /// How many nodes a step looks at.
    pub batch: Batch,
    /// Share of the labelled nodes that training sees.
    pub labelled: f64,
    /// Whether that share is taken from each class.
    pub stratified: bool,
    /// Fixes the split and every random start.
    pub seed: u64,
}

impl Default for Settings {
    /// What we recommend where nothing else is known.
    fn default() -> Self {
        Self {
            matrix: MatrixChoice::SymLoops,
            edge_values: EdgeValues::Weighted,
            eigenpairs: Eigenpairs::Count(1000),
            which: Which::Highest,
            attributes: AttributeUse::Ignore,
            dimension: 64,
            hidden: 64,
            map_shape: MapShape::Residual,
            activation: Activation::Tanh,
            filter: FilterShape::ResidualMlp,
            self_term: SelfTerm::Drop,
            neighbour_gradient: NeighbourGradient::Alternating,
            balance: Balance(vec![10.0]),
            loss_scale: LossScale::Mean,
            weight_penalty: 1e-3,
            optimiser: Optimiser::Adam,
            learning_rate: 0.02,
            momentum: 0.0,
            schedule: Schedule::Cosine,
            epochs: 300,
            batch: Batch::Full,
            labelled: 0.5,
            stratified: false,
            seed: 0,
        }
    }
}
