//! The networks among the baselines: a graph convolutional network, APPNP, and an MLP
//! on features alone. They differ in how their layers use the edges.

use std::sync::Arc;

use super::network::{Network, Options, Plan, Spread};
use super::{BaselineError, Method, PreparedMethod, Watch};
use gesf_graph::Graph;

/// A two-layer network. The penalty of the first layer, the number of epochs and, if
/// there are several, the probability of returning to the start are chosen on folds,
/// or are those of its paper with few labels.
#[derive(Debug, Clone)]
pub struct NetworkMethod {
    name: &'static str,
    about: &'static str,
    needs_features: bool,
    spread: fn(f32) -> [Spread; 2],
    /// Width and penalty with few labels.
    usual: (usize, f32),
    /// Width of the hidden layer.
    pub hidden: usize,
    /// Dropout rate of the features and the hidden layer.
    pub dropout: f64,
    /// Learning rate of Adam.
    pub rate: f32,
    /// Maximum number of epochs.
    pub epochs: usize,
    /// Penalties of W₀ to choose from.
    pub penalties: Vec<f32>,
    /// Probabilities of returning to the start to choose from; the first is that of
    /// the paper.
    pub teleports: Vec<f32>,
}

impl NetworkMethod {
    /// The graph convolutional network (Kipf and Welling 2017):
    /// Z = Â relu(Â X W₀ + b₀) W₁ + b₁ with Â = D̃^-½ (A + I) D̃^-½. X holds the node
    /// features, or is the identity without any.
    pub fn gcn() -> Self {
        Self {
            name: "gcn",
            about: "two-layer graph convolutional network, on node features if there are any",
            needs_features: false,
            spread: |_| [Spread::Neighbours, Spread::Neighbours],
            usual: (16, 5e-4),
            hidden: 64,
            dropout: 0.5,
            rate: 0.01,
            epochs: 200,
            penalties: vec![5e-3, 5e-4, 5e-5],
            teleports: vec![0.0],
        }
    }

    /// APPNP (Klicpera, Bojchevski and Günnemann 2019): a network on the features of
    /// each node, or on the identity, predicts, and personalised PageRank in ten steps
    /// spreads the predictions. Edges are not dropped out.
    pub fn appnp() -> Self {
        Self {
            name: "appnp",
            about: "network on node features, predictions spread by personalised PageRank",
            spread: |teleport| [Spread::Own, Spread::PageRank { teleport }],
            usual: (64, 5e-3),
            penalties: vec![5e-3, 5e-4],
            teleports: vec![0.1, 0.5],
            ..Self::gcn()
        }
    }

    /// A network on the features of each node alone, without the graph: what the
    /// features say by themselves.
    pub fn mlp() -> Self {
        Self {
            name: "mlp",
            about: "two-layer network on node features alone",
            needs_features: true,
            spread: |_| [Spread::Own, Spread::Own],
            usual: (64, 5e-4),
            ..Self::gcn()
        }
    }
}

impl Method for NetworkMethod {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn suits(&self, graph: &Graph) -> Result<(), BaselineError> {
        if graph.features().is_some() || !self.needs_features {
            return Ok(());
        }
        let found = "a graph without node features, or features = ignore".to_owned();
        Err(BaselineError::Unsuited { method: self.name, found, expected: "node features" })
    }

    fn fills_cores(&self) -> bool {
        true
    }

    fn prepare(
        &self,
        graph: &Arc<Graph>,
        _seed: u64,
        _watch: Watch<'_>,
    ) -> Result<Box<dyn PreparedMethod>, BaselineError> {
        let Self { name, dropout, rate, epochs, hidden, .. } = *self;
        let plan = |hidden: usize, penalty: f32, teleport: f32| Plan {
            hidden,
            penalty,
            epochs,
            spread: (self.spread)(teleport),
        };
        let pairs = self
            .penalties
            .iter()
            .flat_map(|penalty| self.teleports.iter().map(move |teleport| (*penalty, *teleport)));
        let plans = pairs.map(|(penalty, teleport)| plan(hidden, penalty, teleport)).collect();
        let ((narrow, penalty), teleport) = (self.usual, self.teleports.first());
        let usual = plan(narrow, penalty, teleport.copied().unwrap_or(0.0));
        let options = Options { name, dropout, rate, epochs, plans, usual };
        Ok(Box::new(Network::of(graph, options)?))
    }
}
