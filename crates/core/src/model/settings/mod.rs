//! All settings, in one place.
//!
//! [`Settings`] holds the values; [`TABLE`] gives for each its name, meaning, range
//! and when a change takes effect. The command line, the explorer and the documents
//! read the table; nothing else knows the names.

mod choices;
mod presets;
mod setting;
mod table;
mod values;

pub use choices::{
    Activation, Aggregation, AttributeUse, EngineChoice, FeatureUse, FilterLearning, FilterShape,
    LossScale, MapShape, MatrixChoice, NeighbourGradient, Optimiser, Schedule, Start, TypeUse,
};
pub use presets::{PRESETS, Preset, from_toml, preset, to_toml};
pub use setting::{
    AppliesAt, Group, Range, Setting, SettingChange, SettingError, Steps, find, set,
};
pub use table::{TABLE, keys};
pub use values::{
    Balance, Batch, Dimensions, EigenpairCount, Folds, MapPenalty, SplitChoice, Withheld,
};

use gesf_spectral::{EdgeValues, SelfTerm, Which};

/// All settings.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::model::settings::{Settings, from_toml, to_toml};
///
/// let settings = Settings { epochs: 50, seed: 7, ..Settings::default() };
/// assert_eq!(from_toml(&to_toml(&settings), "mine.toml")?, settings);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Which matrix of the graph is decomposed.
    pub matrix: MatrixChoice,
    /// Whether edges are weighted.
    pub edge_values: EdgeValues,
    /// How many eigenpairs are used.
    pub eigenpairs: EigenpairCount,
    /// Which of them.
    pub which: Which,
    /// How the filter is computed.
    pub engine: EngineChoice,
    /// Degree of the polynomials used instead of eigenpairs.
    pub engine_degree: usize,
    /// Whether attributes become nodes of a further type.
    pub attributes: AttributeUse,
    /// Whether node features are used.
    pub features: FeatureUse,
    /// Whether node types are used.
    pub node_types: TypeUse,
    /// Whether edges across types are weighted by rarity.
    pub rarity: bool,
    /// d: dimension of the embeddings, for each node type.
    pub dimension: Dimensions,
    /// Hidden width of ψ and φ.
    pub hidden: usize,
    /// The form of ψ and φ.
    pub map_shape: MapShape,
    /// The activation function inside ψ, φ and ρ.
    pub activation: Activation,
    /// The form of ρ.
    pub filter: FilterShape,
    /// Degree of a polynomial ρ: the maximum number of hops.
    pub degree: usize,
    /// Which loss a learned ρ follows.
    pub filter_learning: FilterLearning,
    /// Epochs of the first stage, in which ρ is learned.
    pub filter_epochs: usize,
    /// Share of the training labels withheld from the embeddings in that stage.
    pub withheld: Withheld,
    /// How many folds of withheld labels train side by side in that stage.
    pub folds: Folds,
    /// The learning rate of ρ in that stage.
    pub filter_rate: f64,
    /// Initial embeddings.
    pub start: Start,
    /// Standard deviation of random initial embeddings.
    pub start_size: f64,
    /// Whether messages are summed or averaged.
    pub aggregation: Aggregation,
    /// Whether a node contributes to its own reconstruction.
    pub self_term: SelfTerm,
    /// Whether gradients reach neighbours' embeddings.
    pub neighbour_gradient: NeighbourGradient,
    /// λ, for each node type.
    pub balance: Balance,
    /// Whether losses are means or sums.
    pub loss_scale: LossScale,
    /// λ_w.
    pub weight_penalty: f64,
    /// λ_m.
    pub map_penalty: MapPenalty,
    /// λ_f.
    pub feature_penalty: f64,
    /// The optimizer.
    pub optimiser: Optimiser,
    /// The initial learning rate.
    pub learning_rate: f64,
    /// Momentum of SGD.
    pub momentum: f64,
    /// The learning rate schedule.
    pub schedule: Schedule,
    /// Epochs of both stages together.
    pub epochs: usize,
    /// Epochs without a better validation score before training stops; 0: never.
    pub patience: usize,
    /// The batch size.
    pub batch: Batch,
    /// A random split, or one that comes with the graph.
    pub split: SplitChoice,
    /// Share of the labelled nodes used for training.
    pub labelled: f64,
    /// Share of the training labels set aside for validation.
    pub validation: f64,
    /// Whether the split is stratified by class.
    pub stratified: bool,
    /// The seed of the split and every random initialization.
    pub seed: u64,
}

impl Default for Settings {
    /// The recommended settings.
    fn default() -> Self {
        Self {
            matrix: MatrixChoice::SymLoops,
            edge_values: EdgeValues::Weighted,
            eigenpairs: EigenpairCount::Count(1000),
            which: Which::Highest,
            engine: EngineChoice::Auto,
            engine_degree: 16,
            attributes: AttributeUse::Ignore,
            features: FeatureUse::Ignore,
            node_types: TypeUse::Keep,
            rarity: false,
            dimension: Dimensions::Auto,
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
            start: Start::Auto,
            start_size: 0.05,
            aggregation: Aggregation::Auto,
            self_term: SelfTerm::Drop,
            neighbour_gradient: NeighbourGradient::Alternating,
            balance: Balance(vec![10.0]),
            loss_scale: LossScale::Mean,
            weight_penalty: 1e-3,
            map_penalty: MapPenalty::Auto,
            feature_penalty: 1e-3,
            optimiser: Optimiser::Adam,
            learning_rate: 0.01,
            momentum: 0.0,
            schedule: Schedule::Cosine,
            epochs: 450,
            patience: 0,
            batch: Batch::Full,
            split: SplitChoice::Random,
            labelled: 0.5,
            validation: 0.0,
            stratified: false,
            seed: 0,
        }
    }
}

/// The strongest effect of changing one set of settings into another; `None` if
/// nothing changes.
///
/// ```
/// use gesf_core::model::settings::{AppliesAt, Settings, change_effect};
///
/// let from = Settings::default();
/// let slower = Settings { learning_rate: 0.001, ..from.clone() };
/// assert_eq!(change_effect(&from, &from), None);
/// assert_eq!(change_effect(&from, &slower), Some(AppliesAt::Now));
/// let wider = Settings { hidden: 128, ..slower };
/// assert_eq!(change_effect(&from, &wider), Some(AppliesAt::RestartsModel));
/// ```
pub fn change_effect(from: &Settings, to: &Settings) -> Option<AppliesAt> {
    let changed = TABLE.iter().filter(|setting| (setting.get)(from) != (setting.get)(to));
    changed.map(|setting| setting.effect).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_effect_decides() {
        let from = Settings::default();
        let mut to = from.clone();
        assert_eq!(change_effect(&from, &to), None);
        set(&mut to, "balance", "3").unwrap();
        assert_eq!(change_effect(&from, &to), Some(AppliesAt::Now));
        set(&mut to, "matrix", "sym").unwrap();
        assert_eq!(change_effect(&from, &to), Some(AppliesAt::RestartsSpectrum));
    }
}
