//! The one table of settings: name, symbol, meaning, range, effect.

use super::choices::Choice;
use super::setting::{Effect, Group, Range, Setting};

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

/// A row of the table: its form and field, then what is said of it.
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
    (words $field:ident $range:literal, $($said:tt),+) => {
        setting!(@row $field, $($said),+, Range::Words($range),
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
            effect: Effect::$effect,
            get: $get,
            put: $put,
        }
    };
}

use super::choices::{
    Activation, AttributeUse, EngineChoice, FilterLearning, FilterShape, LossScale, MapShape,
    MatrixChoice, NeighbourGradient, Optimiser, Schedule, Start, TypeUse,
};
use crate::spectral::{EdgeValues, SelfTerm, Which};

/// Every setting.
pub const TABLE: &[Setting] = &[
    setting!(choice matrix: MatrixChoice, "M", Spectrum, RestartsSpectrum,
        "Which matrix of the graph has its frequencies filtered."),
    setting!(choice edge_values: EdgeValues, "", Spectrum, RestartsSpectrum,
        "Whether an edge counts by its weight or just as an edge."),
    setting!(words eigenpairs "a number, or all", "k", Spectrum, RestartsSpectrum,
        "How many eigenpairs of the matrix are kept."),
    setting!(choice which: Which, "", Spectrum, RestartsSpectrum,
        "Which end of the spectrum the kept eigenpairs come from."),
    setting!(choice engine: EngineChoice, "", Spectrum, RestartsSpectrum,
        "Whether eigenpairs are computed, and how, or polynomials stand in for them."),
    setting!(whole engine_degree 1..512, "", Spectrum, RestartsSpectrum,
        "The degree of the polynomials that stand in for eigenpairs."),
    setting!(choice attributes: AttributeUse, "", Spectrum, RestartsSpectrum,
        "Whether attributes such as words become nodes of a further type."),
    setting!(choice node_types: TypeUse, "K", Spectrum, RestartsSpectrum,
        "Whether each node type has maps of its own, or all nodes are of one type."),
    setting!(flag rarity, "", Spectrum, RestartsSpectrum,
        "Whether an edge across types counts less, the more nodes share its end."),
    setting!(words dimension "a number, or one for each node type", "d", Model, RestartsModel,
        "How many numbers the embedding of a node has."),
    setting!(whole hidden 1..4096, "h", Model, RestartsModel,
        "How wide the hidden layer of the maps is."),
    setting!(choice map_shape: MapShape, "ψ φ", Model, RestartsModel,
        "Whether the maps are networks, or the identity plus a network that starts small."),
    setting!(choice activation: Activation, "", Model, RestartsModel,
        "The activation function between the layers of the maps."),
    setting!(choice start: Start, "x", Model, RestartsModel,
        "Whether embeddings start at random or at the leading eigenvectors."),
    setting!(number start_size 0.0..10.0, "", Model, RestartsModel,
        "How large the numbers of a random start are."),
    setting!(choice self_term: SelfTerm, "P_vv", Model, NextEpoch,
        "Whether a node takes part in its own explanation."),
    setting!(choice neighbour_gradient: NeighbourGradient, "", Model, NextEpoch,
        "Whether a step also moves neighbours so that they explain a node better."),
    setting!(choice filter: FilterShape, "ρ", Filter, RestartsSpectrum,
        "The form of the filter: hop weights or another learned form, or a fixed one."),
    setting!(whole degree 0..64, "K", Filter, RestartsSpectrum,
        "The degree of a polynomial filter: how many hops away it looks at most."),
    setting!(choice filter_learning: FilterLearning, "", Filter, RestartsModel,
        "Whether the filter follows labels withheld from x in a first stage, or the training loss."),
    setting!(whole filter_epochs 0..1_000_000, "", Filter, RestartsModel,
        "How many epochs the first stage has, in which the filter is learned: at most a third of all."),
    setting!(words withheld "a number from 0.01 to 0.9, or auto", "", Filter, RestartsModel,
        "The share of the training labels withheld from x in the first stage."),
    setting!(words folds "a number from 1 to 16, or auto", "", Filter, RestartsModel,
        "How many folds with different withheld labels train side by side in the first stage."),
    setting!(number filter_rate 0.0..10.0, "η_ρ", Filter, Now,
        "The step size of the filter in the first stage."),
    setting!(words balance "a number above 0, or one for each node type", "λ", Loss, Now,
        "How little the reconstruction counts beside the labels: larger means less."),
    setting!(choice loss_scale: LossScale, "", Loss, Now,
        "How much the labelled nodes together weigh against the reconstruction."),
    setting!(number weight_penalty 0.0..1000.0, "λ_w", Loss, Now,
        "How strongly the weights of the classifier are held small."),
    setting!(choice optimiser: Optimiser, "", Training, RestartsModel,
        "The rule by which parameters follow their gradients."),
    setting!(number learning_rate 0.0..100.0, "η", Training, Now,
        "How far a step goes."),
    setting!(number momentum 0.0..1.0, "μ", Training, Now,
        "How much of its last step gradient descent keeps."),
    setting!(choice schedule: Schedule, "", Training, Now,
        "Whether the step size stays or falls to 0 over the epochs."),
    setting!(whole epochs 1..10_000_000, "", Training, Now,
        "How many passes over the nodes the training makes, both stages together."),
    setting!(whole patience 0..1_000_000, "", Training, Now,
        "After how many epochs without a better validation score training stops: 0 means never."),
    setting!(words batch "a number of nodes, or full", "", Training, NextEpoch,
        "How many nodes a step looks at."),
    setting!(number labelled 0.0..1.0, "", Split, RestartsModel,
        "The share of the labelled nodes whose labels training sees."),
    setting!(number validation 0.0..0.9, "", Split, RestartsModel,
        "The share of the training labels set aside for validation: it decides the best epoch and early stopping."),
    setting!(flag stratified, "", Split, RestartsModel,
        "Whether that share is taken from each class by itself."),
    Setting {
        key: "seed",
        symbol: "",
        group: Group::Split,
        meaning: "The number that fixes the split and every random start.",
        range: Range::Whole(0, u64::MAX),
        effect: Effect::RestartsModel,
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
    fn every_value_survives_being_written_and_read() {
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
    fn an_unknown_name_or_value_is_answered_with_the_nearest() {
        let mut settings = Settings::default();
        let said = |result: Result<(), SettingError>| result.unwrap_err().to_string();
        let unknown = said(set(&mut settings, "learing_rate", "1"));
        assert!(unknown.contains("`learning_rate`"), "{unknown}");
        let value = said(set(&mut settings, "matrix", "symloops"));
        assert!(value.contains("the nearest is `sym-loops`"), "{value}");
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
    fn one_balance_goes_for_all_types_that_have_none_of_their_own() {
        let mut settings = Settings::default();
        set(&mut settings, "balance", "10,100").unwrap();
        let found: Vec<f64> = (0..3).map(|t| settings.balance.of(t)).collect();
        assert_eq!(found, [10.0, 100.0, 100.0]);
    }
}
