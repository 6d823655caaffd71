//! Settings that are not plain numbers, with a name for every value.

use std::fmt;
use std::str::FromStr;

use gesf_spectral::{EdgeValues, SelfTerm, Which};

/// A type with a few named values.
pub(super) trait Choice: Copy + PartialEq + 'static {
    /// Every value with its name.
    const NAMES: &'static [(&'static str, Self)];

    /// The name of a value.
    fn name(self) -> &'static str {
        let named = Self::NAMES.iter().find(|(_, value)| *value == self);
        named.map_or("", |(name, _)| name)
    }

    /// The value with a name.
    fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
    }
}

macro_rules! choice {
    ($(#[$about:meta])* $type:ident { $($(#[$doc:meta])* $value:ident = $name:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $type { $($(#[$doc])* $value),+ }

        impl Choice for $type {
            const NAMES: &'static [(&'static str, Self)] = &[$(($name, Self::$value)),+];
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

choice! {
    /// Which matrix of the graph is decomposed.
    MatrixChoice {
        /// A.
        Adjacency = "adjacency",
        /// D^-½ A D^-½.
        Sym = "sym",
        /// The same with A + I.
        SymLoops = "sym-loops",
        /// Each pair of node types normalised separately.
        Relations = "relations",
    }
}

choice! {
    /// How attributes are used.
    AttributeUse {
        /// They are ignored.
        Ignore = "ignore",
        /// Each is a node of a further type, joined to the nodes that have it.
        Nodes = "nodes",
    }
}

choice! {
    /// How node features are used.
    FeatureUse {
        /// They are ignored.
        Ignore = "ignore",
        /// Each node's own features are one more element of its set.
        Use = "use",
    }
}

choice! {
    /// How node types are used.
    TypeUse {
        /// Each has its own maps.
        Keep = "keep",
        /// All nodes have one type.
        Merge = "merge",
    }
}

choice! {
    /// The form of ψ and φ.
    MapShape {
        /// Two layers.
        Plain = "plain",
        /// The identity plus two layers with small initial weights.
        Residual = "residual",
    }
}

choice! {
    /// The activation function inside the networks.
    Activation {
        /// tanh.
        Tanh = "tanh",
        /// max(0, ·).
        Relu = "relu",
    }
}

impl Activation {
    /// Its value.
    pub fn at(self, x: f64) -> f64 {
        match self {
            Self::Tanh => x.tanh(),
            Self::Relu => x.max(0.0),
        }
    }
}

choice! {
    /// The form of ρ.
    FilterShape {
        /// Σ α_n sⁿ with α on the simplex: hop weights.
        Hops = "hops",
        /// Σ α_n sⁿ with Σ |α_n| = 1: hop weights that may subtract.
        SignedHops = "signed-hops",
        /// ρ(s) = s: only direct neighbours.
        OneHop = "s",
        /// ρ(s) = s².
        TwoHops = "s2",
        /// ρ(s) = s³.
        ThreeHops = "s3",
        /// A 1-3-1 network.
        Mlp = "mlp",
        /// s plus a 1-3-1 network with small initial weights.
        ResidualMlp = "residual-mlp",
        /// Σ α_n sⁿ.
        Monomial = "monomial",
        /// Σ c_n T_n(s).
        Chebyshev = "chebyshev",
        /// Σ b_n of Bernstein's basis.
        Bernstein = "bernstein",
        /// exp(t (s − 1)).
        Heat = "heat",
        /// Personalised `PageRank`.
        Ppr = "ppr",
        /// Low-pass.
        Low = "low",
        /// High-pass.
        High = "high",
        /// Band-pass.
        Band = "band",
        /// Band-stop.
        Reject = "reject",
        /// Every second band passes.
        Comb = "comb",
    }
}

choice! {
    /// Which loss a learned filter follows.
    FilterLearning {
        /// That of labels withheld from the embeddings, in the first stage.
        Withheld = "withheld",
        /// That of training itself, as in Eq. 5.
        Joint = "joint",
    }
}

choice! {
    /// Whether gradients reach the neighbours' embeddings through R.
    NeighbourGradient {
        /// They do: the full gradient of Eq. 5.
        Joint = "joint",
        /// They do not: neighbours are constant within a step.
        Alternating = "alternating",
    }
}

choice! {
    /// How the labels are weighted against the reconstruction.
    LossScale {
        /// By the mean of their losses, as in Eq. 5.
        Mean = "mean",
        /// By the sum of their losses, as in the experiments of the paper.
        Sum = "sum",
        /// By the mean, with λ times the share of training labels: the weight of a
        /// labelled node then does not depend on how few there are.
        Share = "share",
    }
}

choice! {
    /// How the filter is computed.
    EngineChoice {
        /// Chosen by graph size.
        Auto = "auto",
        /// Every eigenpair by a dense decomposition.
        Dense = "dense",
        /// Some eigenpairs by iteration.
        Block = "block",
        /// Polynomials of the matrix, without eigenpairs.
        Chebyshev = "chebyshev",
    }
}

choice! {
    /// Initial embeddings.
    Start {
        /// Diffused with few training labels, else random.
        Auto = "auto",
        /// Small random numbers.
        Random = "random",
        /// Random numbers diffused along the edges.
        Diffused = "diffused",
        /// The leading eigenvectors.
        Spectral = "spectral",
    }
}

choice! {
    /// The optimizer.
    Optimiser {
        /// Gradient descent, optionally with momentum.
        Sgd = "sgd",
        /// Adam.
        Adam = "adam",
        /// Adam with decoupled weight decay.
        AdamW = "adamw",
    }
}

choice! {
    /// How the learning rate changes over the epochs.
    Schedule {
        /// It is constant.
        Constant = "constant",
        /// It falls to 0 along half a cosine.
        Cosine = "cosine",
    }
}

impl Choice for EdgeValues {
    const NAMES: &'static [(&'static str, Self)] =
        &[("weighted", Self::Weighted), ("binary", Self::Binary)];
}

impl Choice for SelfTerm {
    const NAMES: &'static [(&'static str, Self)] = &[("keep", Self::Keep), ("drop", Self::Drop)];
}

impl Choice for Which {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("highest", Self::Highest),
        ("largest-magnitude", Self::LargestMagnitude),
        ("both-ends", Self::BothEnds),
        ("all", Self::All),
    ];
}

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
