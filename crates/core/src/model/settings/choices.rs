//! Settings with a few values, each with a name.

use std::fmt;

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

choice! {
    /// What a node takes from the messages of the others.
    Aggregation {
        /// The mean for numeric targets, otherwise the sum, or with one class per node
        /// the mean if it predicts withheld labels better.
        Auto = "auto",
        /// z_v = Σ_u P_uv ψ(x_u).
        Sum = "sum",
        /// The same divided by Σ_u P_uv.
        Mean = "mean",
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
