//! A graph convolutional network (Kipf and Welling 2017): two layers,
//! Z = Â relu(Â X W₀ + b₀) W₁ + b₁ with Â = D̃^-½ (A + I) D̃^-½. X holds the node
//! features, or is the identity without any.

use std::sync::Arc;

use super::network::{Network, Options, Plan, Spread};
use super::{BaselineError, Method, PreparedMethod, Watch};
use gesf_graph::Graph;

/// The penalty of the first layer and the number of epochs are chosen on folds, or
/// are those of Kipf and Welling with few labels.
#[derive(Debug, Clone, PartialEq)]
pub struct Gcn {
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
}

impl Default for Gcn {
    fn default() -> Self {
        Self {
            hidden: 64,
            dropout: 0.5,
            rate: 0.01,
            epochs: 200,
            penalties: vec![5e-3, 5e-4, 5e-5],
        }
    }
}

const SPREAD: [Spread; 2] = [Spread::Neighbours, Spread::Neighbours];
/// Kipf and Welling's width and penalty, the defaults with few labels.
const USUAL: Plan = Plan { hidden: 16, penalty: 5e-4, epochs: usize::MAX, spread: SPREAD };

impl Method for Gcn {
    fn name(&self) -> &'static str {
        "gcn"
    }

    fn about(&self) -> &'static str {
        "two-layer graph convolutional network, on node features if there are any"
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
        let (hidden, epochs) = (self.hidden, self.epochs);
        let plan = |&penalty: &f32| Plan { hidden, penalty, epochs, spread: SPREAD };
        let plans = self.penalties.iter().map(plan).collect();
        let (name, dropout, rate) = (self.name(), self.dropout, self.rate);
        let options = Options { name, dropout, rate, epochs, plans, usual: USUAL };
        Ok(Box::new(Network::of(graph, options)?))
    }
}
