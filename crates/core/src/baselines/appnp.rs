//! APPNP (Klicpera, Bojchevski and Günnemann 2019): a network on the features of each
//! node predicts, and personalised PageRank in ten steps spreads the predictions.
//! Without features the network reads the identity. Edges are not dropped out.

use std::sync::Arc;

use super::network::{Network, Options, Plan, Spread};
use super::{BaselineError, Method, PreparedMethod, Watch};
use gesf_graph::Graph;

/// Width, dropout, learning rate and the first of the penalties and probabilities
/// are those of the paper; penalty, probability and epochs are chosen on folds.
#[derive(Debug, Clone, PartialEq)]
pub struct Appnp {
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
    /// Probabilities of returning to the start to choose from.
    pub teleports: Vec<f32>,
}

impl Default for Appnp {
    fn default() -> Self {
        Self {
            hidden: 64,
            dropout: 0.5,
            rate: 0.01,
            epochs: 200,
            penalties: vec![5e-3, 5e-4],
            teleports: vec![0.1, 0.5],
        }
    }
}

fn spread(teleport: f32) -> [Spread; 2] {
    [Spread::Own, Spread::PageRank { teleport }]
}

impl Method for Appnp {
    fn name(&self) -> &'static str {
        "appnp"
    }

    fn about(&self) -> &'static str {
        "network on node features, predictions spread by personalised PageRank"
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
        let plan = |penalty: f32, teleport: f32| {
            let spread = spread(teleport);
            Plan { hidden, penalty, epochs, spread }
        };
        let pairs = self
            .penalties
            .iter()
            .flat_map(|penalty| self.teleports.iter().map(move |teleport| (*penalty, *teleport)));
        let plans = pairs.map(|(penalty, teleport)| plan(penalty, teleport)).collect();
        let (name, dropout, rate, usual) = (self.name(), self.dropout, self.rate, plan(5e-3, 0.1));
        let options = Options { name, dropout, rate, epochs, plans, usual };
        Ok(Box::new(Network::of(graph, options)?))
    }
}
