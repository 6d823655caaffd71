//! Every choice a person has, in one place.
//!
//! [`Settings`] holds the values, [`TABLE`] says of each what it is called,
//! what it means, what it may be and when a change takes effect. The command
//! line, the explorer and the documents read the table; nothing else knows the
//! names.

mod choices;
mod presets;
mod setting;
mod table;

pub use choices::{
    Activation, AttributeUse, Balance, Batch, Dimensions, Eigenpairs, EngineChoice, FilterLearning,
    FilterShape, Folds, LossScale, MapShape, MatrixChoice, NeighbourGradient, Optimiser, Schedule,
    Start, TypeUse, Withheld,
};
pub use presets::{PRESETS, Preset, from_toml, preset, to_toml};
pub use setting::{Effect, Group, Range, Setting, SettingChange, SettingError, find, set};
pub use table::TABLE;

use crate::spectral::{EdgeValues, SelfTerm, Which};

/// A full set of choices.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::model::settings::{Settings, from_toml, to_toml};
///
/// let settings = Settings { epochs: 50, seed: 7, ..Settings::default() };
/// assert_eq!(from_toml(&to_toml(&settings), "mine.toml")?, settings);
/// # Ok(()) }
/// ```
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
    /// How the matrix is worked with.
    pub engine: EngineChoice,
    /// Degree of the polynomials that stand in for eigenpairs.
    pub engine_degree: usize,
    /// Whether attributes become nodes of a further type.
    pub attributes: AttributeUse,
    /// Whether node types are told apart.
    pub node_types: TypeUse,
    /// Whether edges across types count less, the more their end is joined to.
    pub rarity: bool,
    /// d: numbers in an embedding, for each node type.
    pub dimension: Dimensions,
    /// Hidden width of ψ and φ.
    pub hidden: usize,
    /// The form of ψ and φ.
    pub map_shape: MapShape,
    /// The activation function inside ψ, φ and ρ.
    pub activation: Activation,
    /// The form of ρ.
    pub filter: FilterShape,
    /// Degree of a polynomial ρ: the most hops.
    pub degree: usize,
    /// Which loss a learned ρ follows.
    pub filter_learning: FilterLearning,
    /// Epochs of the stage in which ρ is learned.
    pub filter_epochs: usize,
    /// Share of the training labels withheld from the embeddings in that stage.
    pub withheld: Withheld,
    /// How many folds of withheld labels train side by side in that stage.
    pub folds: Folds,
    /// The step size of ρ in that stage.
    pub filter_rate: f64,
    /// Where embeddings start.
    pub start: Start,
    /// Deviation of a random start.
    pub start_size: f64,
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
    /// Passes over the nodes, both stages together.
    pub epochs: usize,
    /// Epochs without a better validation score before training stops; 0: never.
    pub patience: usize,
    /// How many nodes a step looks at.
    pub batch: Batch,
    /// Share of the labelled nodes that training sees.
    pub labelled: f64,
    /// Share of the training labels set aside for validation.
    pub validation: f64,
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
            engine: EngineChoice::Auto,
            engine_degree: 16,
            attributes: AttributeUse::Ignore,
            node_types: TypeUse::Keep,
            rarity: false,
            dimension: Dimensions(vec![64]),
            hidden: 64,
            map_shape: MapShape::Residual,
            activation: Activation::Tanh,
            filter: FilterShape::Hops,
            degree: 6,
            filter_learning: FilterLearning::Withheld,
            filter_epochs: 150,
            withheld: Withheld::Auto,
            folds: Folds::Auto,
            filter_rate: 0.05,
            start: Start::Random,
            start_size: 0.05,
            self_term: SelfTerm::Drop,
            neighbour_gradient: NeighbourGradient::Alternating,
            balance: Balance(vec![10.0]),
            loss_scale: LossScale::Mean,
            weight_penalty: 1e-3,
            optimiser: Optimiser::Adam,
            learning_rate: 0.01,
            momentum: 0.0,
            schedule: Schedule::Cosine,
            epochs: 450,
            patience: 0,
            batch: Batch::Full,
            labelled: 0.5,
            validation: 0.0,
            stratified: false,
            seed: 0,
        }
    }
}

/// The farthest-reaching effect of going from one set of settings to another;
/// `None` where nothing changes.
///
/// ```
/// use gesf_tui::model::settings::{Effect, Settings, change_effect};
///
/// let from = Settings::default();
/// let slower = Settings { learning_rate: 0.001, ..from.clone() };
/// assert_eq!(change_effect(&from, &from), None);
/// assert_eq!(change_effect(&from, &slower), Some(Effect::Now));
/// let wider = Settings { hidden: 128, ..slower };
/// assert_eq!(change_effect(&from, &wider), Some(Effect::RestartsModel));
/// ```
pub fn change_effect(from: &Settings, to: &Settings) -> Option<Effect> {
    let changed = TABLE.iter().filter(|setting| (setting.get)(from) != (setting.get)(to));
    changed.map(|setting| setting.effect).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_farthest_reaching_change_decides() {
        let from = Settings::default();
        let mut to = from.clone();
        assert_eq!(change_effect(&from, &to), None);
        set(&mut to, "balance", "3").unwrap();
        assert_eq!(change_effect(&from, &to), Some(Effect::Now));
        set(&mut to, "matrix", "sym").unwrap();
        assert_eq!(change_effect(&from, &to), Some(Effect::RestartsSpectrum));
    }
}
