//! Settings that are a number or a word, or a list of numbers.

use std::fmt;
use std::str::FromStr;

use gesf_graph::LabelKind;

/// How many eigenpairs are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EigenpairCount {
    /// All.
    All,
    /// At most this many.
    Count(usize),
}

/// How many folds of withheld labels train side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Folds {
    /// Several if there are few labels, else one.
    Auto,
    /// This many.
    Count(usize),
}

impl Folds {
    /// The number, if it is given.
    pub fn count(self) -> Option<usize> {
        match self {
            Self::Auto => None,
            Self::Count(count) => Some(count),
        }
    }
}

/// Which share of the training labels is withheld from the embeddings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Withheld {
    /// A quarter if few nodes have training labels, else half.
    Auto,
    /// This share.
    Share(f64),
}

impl Withheld {
    /// The share, if it is given.
    pub fn share(self) -> Option<f64> {
        match self {
            Self::Auto => None,
            Self::Share(share) => Some(share),
        }
    }
}

/// The weight penalty on ψ and φ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MapPenalty {
    /// By the kind of the labels: numbers depend on the size of embeddings, which ψ
    /// and φ otherwise learn to amplify; the order of logits does not.
    Auto,
    /// This one.
    Weight(f64),
}

impl MapPenalty {
    const OF_NUMBERS: f64 = 1e-4;

    /// The penalty for labels of a kind.
    pub fn of(self, kind: LabelKind) -> f64 {
        match self {
            Self::Auto if kind == LabelKind::Numeric => Self::OF_NUMBERS,
            Self::Auto => 0.0,
            Self::Weight(weight) => weight,
        }
    }
}

/// Which nodes are for training, validation and test.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum SplitChoice {
    /// Drawn by share and seed.
    #[default]
    Random,
    /// A split that comes with the graph, by name or number.
    Stored(String),
    /// The splits that come with the graph, one for each seed.
    All,
}

impl fmt::Display for SplitChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Random => "random",
            Self::All => "all",
            Self::Stored(name) => name,
        })
    }
}

impl FromStr for SplitChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "" => Err("random, or the name or number of a stored split".to_owned()),
            "random" => Ok(Self::Random),
            "all" => Ok(Self::All),
            name => Ok(Self::Stored(name.to_owned())),
        }
    }
}

/// The batch size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Batch {
    /// All nodes.
    Full,
    /// This many, resampled for each step.
    Nodes(usize),
}

/// d for each node type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dimensions {
    /// By the number of nodes: random initial embeddings of few nodes overlap less in
    /// more dimensions, and only large graphs need the time for something else.
    Auto,
    /// These; the last one applies to all later types.
    Each(Vec<usize>),
}

impl Dimensions {
    /// Graphs with fewer nodes are small.
    const SMALL_GRAPH: usize = 10_000;

    /// d of the n-th type in a graph of so many nodes.
    pub fn of(&self, node_type: usize, nodes: usize) -> usize {
        match self {
            Self::Auto if nodes < Self::SMALL_GRAPH => 128,
            Self::Auto => 64,
            Self::Each(each) => each.get(node_type).or(each.last()).copied().unwrap_or(1),
        }
    }

    /// d of each of so many types.
    pub fn of_types(&self, types: usize, nodes: usize) -> Vec<usize> {
        (0..types).map(|node_type| self.of(node_type, nodes)).collect()
    }

    /// The largest d of any type.
    pub fn largest(&self, nodes: usize) -> usize {
        let given = if let Self::Each(each) = self { each.len() } else { 1 };
        self.of_types(given, nodes).into_iter().max().unwrap_or(1)
    }
}

/// λ for each node type; the last value applies to all later types.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::model::settings::Balance;
///
/// let balance: Balance = "10,100".parse()?;
/// assert_eq!([0, 1, 2].map(|kind| balance.of(kind)), [10.0, 100.0, 100.0]);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Balance(pub Vec<f64>);

impl Balance {
    /// λ of the n-th type.
    pub fn of(&self, node_type: usize) -> f64 {
        self.0.get(node_type).or(self.0.last()).copied().unwrap_or(1.0)
    }
}

/// Parses a count or a given word.
fn counted(text: &str, word: &str) -> Result<Option<usize>, String> {
    match text.parse::<usize>() {
        Ok(0) => Err(format!("1 or more, or `{word}`")),
        Ok(count) => Ok(Some(count)),
        Err(_) if text == word => Ok(None),
        Err(_) => Err(format!("a number, or `{word}`")),
    }
}

impl FromStr for EigenpairCount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        counted(text, "all").map(|count| count.map_or(Self::All, Self::Count))
    }
}

impl FromStr for Folds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let most = |count: usize| {
            if count <= 16 { Ok(Self::Count(count)) } else { Err("1 to 16, or `auto`".to_owned()) }
        };
        counted(text, "auto")?.map_or(Ok(Self::Auto), most)
    }
}

impl FromStr for Withheld {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let share = text.parse().ok().filter(|share| (0.01..=0.9).contains(share));
        share.map(Self::Share).ok_or_else(|| "a number from 0.01 to 0.9, or `auto`".to_owned())
    }
}

impl FromStr for MapPenalty {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let weight = text.parse().ok().filter(|weight| (0.0..=1000.0).contains(weight));
        weight.map(Self::Weight).ok_or_else(|| "a number from 0 to 1000, or `auto`".to_owned())
    }
}

impl FromStr for Batch {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        counted(text, "full").map(|count| count.map_or(Self::Full, Self::Nodes))
    }
}

impl FromStr for Dimensions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let expected = "a whole number from 1 to 4096, one for each node type (`64,16`), or `auto`";
        let number = |part: &str| part.trim().parse().ok().filter(|d| (1..=4096).contains(d));
        let values: Option<Vec<usize>> = text.split(',').map(number).collect();
        values.map(Self::Each).ok_or_else(|| expected.to_owned())
    }
}

impl FromStr for Balance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "a number above 0, or one for each node type: `10,100`";
        let number = |part: &str| part.trim().parse::<f64>().ok();
        let values: Option<Vec<f64>> = text.split(',').map(number).collect();
        values
            .filter(|values| values.iter().all(|value| value.is_finite() && *value > 0.0))
            .map(Self)
            .ok_or_else(|| expected.to_owned())
    }
}

impl fmt::Display for EigenpairCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Count(count) => write!(f, "{count}"),
        }
    }
}

impl fmt::Display for Folds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Count(count) => write!(f, "{count}"),
        }
    }
}

impl fmt::Display for Withheld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Share(share) => write!(f, "{share}"),
        }
    }
}

impl fmt::Display for MapPenalty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Weight(weight) => write!(f, "{weight}"),
        }
    }
}

impl fmt::Display for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => f.write_str("full"),
            Self::Nodes(nodes) => write!(f, "{nodes}"),
        }
    }
}

impl fmt::Display for Dimensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Each(each) => f.write_str(&listed(each)),
        }
    }
}

impl fmt::Display for Balance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&listed(&self.0))
    }
}

fn listed<T: ToString>(values: &[T]) -> String {
    values.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}
