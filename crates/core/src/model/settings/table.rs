//! The table of settings: name, symbol, meaning, range, effect.

use super::choices::Choice;
use super::setting::{AppliesAt, Group, Range, Setting, Steps};

fn names<T: Choice>() -> Vec<&'static str> {
    T::NAMES.iter().map(|(name, _)| *name).collect()
}

fn choose<T: Choice>(slot: &mut T, text: &str) -> Result<(), String> {
    *slot = T::named(text).ok_or_else(|| format!("one of {}", names::<T>().join(", ")))?;
    Ok(())
}

fn whole(slot: &mut usize, text: &str, low: usize, high: usize) -> Result<(), String> {
    let value = text.parse().ok().filter(|value| (low..=high).contains(value));
    *slot = value.ok_or_else(|| format!("a whole number from {low} to {high}"))?;
    Ok(())
}

fn number(slot: &mut f64, text: &str, low: f64, high: f64) -> Result<(), String> {
    let value = text.parse().ok().filter(|value| (low..=high).contains(value));
    *slot = value.ok_or_else(|| format!("a number from {low} to {high}"))?;
    Ok(())
}

fn flag(slot: &mut bool, text: &str) -> Result<(), String> {
    *slot = text.parse().map_err(|_| "true or false".to_owned())?;
    Ok(())
}

fn parsed<T: std::str::FromStr<Err = String>>(slot: &mut T, text: &str) -> Result<(), String> {
    *slot = text.parse()?;
    Ok(())
}

/// Keys of settings with their own command-line option.
pub mod keys {
    /// The number of epochs.
    pub const EPOCHS: &str = "epochs";
    /// The form of the filter.
    pub const FILTER: &str = "filter";
    /// The share of training labels.
    pub const LABELLED: &str = "labelled";
    /// The matrix of the graph.
    pub const MATRIX: &str = "matrix";
    /// The split of the labelled nodes.
    pub const SPLIT: &str = "split";
}

const fn whole_or(high: f64, word: (&'static str, f64)) -> Steps {
    Steps { whole: true, bounds: (1.0, high), word: Some(word) }
}

const fn each(bounds: (f64, f64)) -> Steps {
    Steps { whole: false, bounds, word: None }
}

/// A row of the table: its form and field, then its description.
macro_rules! setting {
    (choice $field:ident: $type:ty, $($said:tt),+) => {
        setting!(@row $field, $($said),+, Range::Names(names::<$type>),
            |settings| settings.$field.name().to_owned(),
            |settings, text| choose(&mut settings.$field, text))
    };
    (whole $field:ident $low:literal..$high:literal, $($said:tt),+) => {
        setting!(@row $field, $($said),+, Range::Whole($low, $high),
            |settings| settings.$field.to_string(),
            |settings, text| whole(&mut settings.$field, text, $low, $high))
    };
    (number $field:ident $low:literal..$high:literal, $($said:tt),+) => {
        setting!(@row $field, $($said),+, Range::Number($low, $high),
            |settings| settings.$field.to_string(),
            |settings, text| number(&mut settings.$field, text, $low, $high))
    };
    (flag $field:ident, $($said:tt),+) => {
        setting!(@row $field, $($said),+, Range::Names(|| vec!["true", "false"]),
            |settings| settings.$field.to_string(),
            |settings, text| flag(&mut settings.$field, text))
    };
    (words $field:ident $range:literal $steps:expr; $($said:tt),+) => {
        setting!(@row $field, $($said),+, Range::Words($range, $steps),
            |settings| settings.$field.to_string(),
            |settings, text| parsed(&mut settings.$field, text))
    };
    (@row $field:ident, $symbol:literal, $group:ident, $effect:ident, $meaning:literal,
        $range:expr, $get:expr, $put:expr) => {
        Setting {
            key: stringify!($field),
            symbol: $symbol,
            group: Group::$group,
            meaning: $meaning,
            range: $range,
            effect: AppliesAt::$effect,
            get: $get,
            put: $put,
        }
    };
}

use super::choices::{
    Activation, Aggregation, AttributeUse, EngineChoice, FeatureUse, FilterLearning, FilterShape,
    LossScale, MapShape, MatrixChoice, NeighbourGradient, Optimiser, Schedule, Start, TypeUse,
};
use gesf_spectral::{EdgeValues, SelfTerm, Which};

/// Every setting.
pub const TABLE: &[Setting] = &[
    setting!(choice matrix: MatrixChoice, "M", Spectrum, RestartsSpectrum,
        "Graph matrix whose spectrum is filtered."),
    setting!(choice edge_values: EdgeValues, "", Spectrum, RestartsSpectrum,
        "Use the edge weights, or treat every edge as weight 1."),
    setting!(words eigenpairs "a number, or all" whole_or(5000.0, ("all", 1000.0)); "k", Spectrum, RestartsSpectrum,
        "Number of eigenpairs computed."),
    setting!(choice which: Which, "", Spectrum, RestartsSpectrum,
        "End of the spectrum the eigenpairs are taken from."),
    setting!(choice engine: EngineChoice, "", Spectrum, RestartsSpectrum,
        "Solver for the eigenpairs, or polynomials of the matrix instead of eigenpairs."),
    setting!(whole engine_degree 1..512, "", Spectrum, RestartsSpectrum,
        "Degree of the polynomials used instead of eigenpairs."),
    setting!(choice attributes: AttributeUse, "", Spectrum, RestartsSpectrum,
        "Ignore attributes such as words, or add them as nodes of another type."),
    setting!(choice features: FeatureUse, "f", Spectrum, RestartsSpectrum,
        "Ignore node features, or use them: a node's own features join its neighbours (not with attributes as nodes)."),
    setting!(choice node_types: TypeUse, "K", Spectrum, RestartsSpectrum,
        "Separate maps for each node type, or all nodes treated as one type."),
    setting!(flag rarity, "", Spectrum, RestartsSpectrum,
        "Down-weight edges across types that end at high-degree nodes."),
    setting!(words dimension "a number, one for each node type, or auto (128 for fewer than 10,000 nodes, otherwise 64)" whole_or(4096.0, ("auto", 128.0)); "d", Model, RestartsModel,
        "Embedding dimension."),
    setting!(whole hidden 1..4096, "h", Model, RestartsModel,
        "Width of the hidden layer of the maps."),
    setting!(choice map_shape: MapShape, "ψ φ", Model, RestartsModel,
        "Maps as plain networks, or residual: the identity plus a network with small initial weights."),
    setting!(choice activation: Activation, "", Model, RestartsModel,
        "Activation function of the maps."),
    setting!(choice start: Start, "x", Model, RestartsModel,
        "Initial embeddings: random, random and diffused along the edges, or the leading eigenvectors; auto diffuses them if training labels are too few to learn the filter."),
    setting!(number start_size 0.0..10.0, "", Model, RestartsModel,
        "Scale of the random initialization."),
    setting!(choice aggregation: Aggregation, "Σ", Model, RestartsModel,
        "Sum or mean of the messages; auto takes the mean for numeric targets and, with one class per node, what predicts withheld labels better. Filters or edges with negative weights always sum."),
    setting!(choice self_term: SelfTerm, "P_vv", Model, NextEpoch,
        "Keep or drop a node's own term in its reconstruction."),
    setting!(choice neighbour_gradient: NeighbourGradient, "", Model, NextEpoch,
        "Whether the reconstruction loss also updates the neighbours' embeddings."),
    setting!(choice filter: FilterShape, "ρ", Filter, RestartsSpectrum,
        "Filter shape: hop weights, another learned form, or a fixed filter."),
    setting!(whole degree 0..64, "K", Filter, RestartsSpectrum,
        "Degree of a polynomial filter: the maximum number of hops."),
    setting!(choice filter_learning: FilterLearning, "", Filter, RestartsModel,
        "Learn the filter in stage 1 on labels withheld from x, or jointly with the training loss."),
    setting!(whole filter_epochs 0..1_000_000, "", Filter, RestartsModel,
        "Number of epochs of stage 1, which learns the filter: at most a third of all epochs."),
    setting!(words withheld "a number from 0.01 to 0.9, or auto" Steps { whole: false, bounds: (0.01, 0.9), word: Some(("auto", 0.5)) }; "", Filter, RestartsModel,
        "Share of the training labels withheld from x in stage 1."),
    setting!(words folds "a number from 1 to 16, or auto" whole_or(16.0, ("auto", 4.0)); "", Filter, RestartsModel,
        "Number of folds with different withheld labels, trained in parallel in stage 1."),
    setting!(number filter_rate 0.0..10.0, "η_ρ", Filter, Now,
        "Learning rate of the filter in stage 1."),
    setting!(words balance "a number above 0, or one for each node type" each((1e-6, 1e9)); "λ", Loss, Now,
        "Weight of the labels against reconstruction: λ divides the reconstruction loss."),
    setting!(choice loss_scale: LossScale, "", Loss, Now,
        "How the supervised loss is scaled against the reconstruction loss."),
    setting!(number weight_penalty 0.0..1000.0, "λ_w", Loss, Now,
        "Weight penalty (L2) on the classifier."),
    setting!(words map_penalty "a number from 0 to 1000, or auto (0.0001 for numeric targets, otherwise 0)" Steps { whole: false, bounds: (1e-6, 1000.0), word: Some(("auto", 1e-4)) }; "λ_m", Loss, Now,
        "Weight penalty (L2) on ψ and φ."),
    setting!(number feature_penalty 0.0..1000.0, "λ_f", Loss, Now,
        "Weight penalty (L2) on the map of the features."),
    setting!(choice optimiser: Optimiser, "", Training, RestartsModel,
        "Optimizer."),
    setting!(number learning_rate 0.0..100.0, "η", Training, Now,
        "Learning rate."),
    setting!(number momentum 0.0..1.0, "μ", Training, Now,
        "Momentum of gradient descent."),
    setting!(choice schedule: Schedule, "", Training, Now,
        "Learning-rate schedule: constant or cosine decay to 0."),
    setting!(whole epochs 1..10_000_000, "", Training, Now,
        "Number of epochs, both stages together."),
    setting!(whole patience 0..1_000_000, "", Training, Now,
        "Early stopping: epochs without a better validation score before training stops; 0 disables it."),
    setting!(words batch "a number of nodes, or full" whole_or(5000.0, ("full", 512.0)); "", Training, NextEpoch,
        "Batch size in nodes."),
    setting!(words split "random, all, or the name or number of a stored split" Steps { whole: true, bounds: (0.0, 99.0), word: Some(("random", 0.0)) }; "", Split, RestartsModel,
        "Random split, or one that comes with the graph; all: split n for seed n."),
    setting!(number labelled 0.0..1.0, "", Split, RestartsModel,
        "Share of the labelled nodes used for training."),
    setting!(number validation 0.0..0.9, "", Split, RestartsModel,
        "Share of the training labels used for validation: selects the best epoch and early stopping."),
    setting!(flag stratified, "", Split, RestartsModel,
        "Stratify the split by class."),
    Setting {
        key: "seed",
        symbol: "",
        group: Group::Split,
        meaning: "Random seed of the split and the initialization.",
        range: Range::Whole(0, u64::MAX),
        effect: AppliesAt::RestartsModel,
        get: |settings| settings.seed.to_string(),
        put: |settings, text| {
            settings.seed = text.parse().map_err(|_| "a whole number".to_owned())?;
            Ok(())
        },
    },
];

#[cfg(test)]
mod tests {
    use super::super::Settings;
    use super::*;
    use crate::model::settings::{SettingError, set};

    #[test]
    fn keys_of_options_are_in_the_table() {
        for key in [keys::EPOCHS, keys::FILTER, keys::LABELLED, keys::MATRIX, keys::SPLIT] {
            assert!(TABLE.iter().any(|setting| setting.key == key), "{key}");
        }
    }

    #[test]
    fn every_value_round_trips() {
        let mut settings = Settings::default();
        for setting in TABLE {
            let text = (setting.get)(&settings);
            set(&mut settings, setting.key, &text).unwrap();
        }
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn every_named_choice_can_be_set_and_read_back() {
        for setting in TABLE {
            if let Range::Names(names) = setting.range {
                for name in names() {
                    let mut settings = Settings::default();
                    set(&mut settings, setting.key, name).unwrap();
                    assert_eq!((setting.get)(&settings), name);
                }
            }
        }
    }

    #[test]
    fn an_unknown_name_or_value_suggests_the_nearest() {
        let mut settings = Settings::default();
        let said = |result: Result<(), SettingError>| result.unwrap_err().to_string();
        let unknown = said(set(&mut settings, "learing_rate", "1"));
        assert!(unknown.contains("`learning_rate`"), "{unknown}");
        let value = said(set(&mut settings, "matrix", "symloops"));
        assert!(value.contains("did you mean `sym-loops`?"), "{value}");
        let range = said(set(&mut settings, "labelled", "1.5"));
        assert!(range.contains("from 0 to 1") && range.contains("`1`"), "{range}");
        let balance = said(set(&mut settings, "balance", "-3"));
        assert!(balance.contains("the default is `10`"), "{balance}");
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn names_are_distinct_and_meanings_are_sentences() {
        for (at, setting) in TABLE.iter().enumerate() {
            assert!(TABLE[at + 1..].iter().all(|other| other.key != setting.key));
            assert!(setting.meaning.ends_with('.'), "{}", setting.key);
        }
    }

    #[test]
    fn one_balance_applies_to_all_types_without_their_own() {
        let mut settings = Settings::default();
        set(&mut settings, "balance", "10,100").unwrap();
        let found: Vec<f64> = (0..3).map(|t| settings.balance.of(t)).collect();
        assert_eq!(found, [10.0, 100.0, 100.0]);
    }
}
