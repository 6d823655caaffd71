//! A two-layer network on the features of each node alone, without the graph: what
//! the features say by themselves.

use std::sync::Arc;

use super::network::{Network, Options, Plan, Spread};
use super::{BaselineError, Method, PreparedMethod, Watch};
use gesf_graph::Graph;

/// Trained like the graph convolutional network: the penalty of the first layer and
/// the number of epochs are chosen on folds.
#[derive(Debug, Clone, PartialEq)]
pub struct Mlp {
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

impl Default for Mlp {
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

const SPREAD: [Spread; 2] = [Spread::Own, Spread::Own];
/// The penalty with few labels.
const USUAL: f32 = 5e-4;

impl Method for Mlp {
    fn name(&self) -> &'static str {
        "mlp"
    }

    fn about(&self) -> &'static str {
        "two-layer network on node features alone"
    }

    fn suits(&self, graph: &Graph) -> Result<(), BaselineError> {
        if graph.features().is_some() {
            return Ok(());
        }
        let found = "a graph without node features, or features = ignore".to_owned();
        Err(BaselineError::Unsuited { method: self.name(), found, expected: "node features" })
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
        let plan = |penalty: f32| Plan { hidden, penalty, epochs, spread: SPREAD };
        let plans = self.penalties.iter().map(|penalty| plan(*penalty)).collect();
        let (name, dropout, rate, usual) = (self.name(), self.dropout, self.rate, plan(USUAL));
        let options = Options { name, dropout, rate, epochs, plans, usual };
        Ok(Box::new(Network::of(graph, options)?))
    }
}
