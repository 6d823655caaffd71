//! The table of a node's top contributors, and the rest.

use super::rings::{Ring, Rings};
use super::{ExplainContext, ExplainError, Explanation, Ranking};
use gesf_graph::NodeId;

/// A contributor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contributor {
    /// The node.
    pub node: NodeId,
    /// Its distance.
    pub ring: Ring,
    /// P_uv.
    pub weight: f32,
    /// Its contribution to the explained value.
    pub score: f64,
    /// Its share of the total magnitude of all contributions.
    pub share: f64,
    /// The value without this contributor.
    pub left_out: f64,
}

/// What a node's own features contribute.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FeatureContribution {
    /// Their contribution to the explained value.
    pub score: f64,
    /// Their share of the total magnitude of all contributions.
    pub share: f64,
    /// The value without them.
    pub left_out: f64,
}

/// The top contributors; with `own`, `features` and `rest` they add up to the value.
#[derive(Debug, Clone, PartialEq)]
pub struct ContributionTable {
    /// The top contributors, in order.
    pub lines: Vec<Contributor>,
    /// The node itself, if the self term is kept.
    pub own: Contributor,
    /// The node's own features, if the model uses features.
    pub features: Option<FeatureContribution>,
    /// The contribution of all others together.
    pub rest: f64,
    /// Number of others.
    pub others: usize,
}

impl ContributionTable {
    /// The table of an explanation.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use gesf_core::explain::{Explanation, Ranking, Rings, ContributionTable};
    /// use gesf_graph::NodeId;
    /// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
    /// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
    /// # let graph = std::sync::Arc::new(graph);
    /// # let settings = gesf_core::model::settings::Settings { epochs: 20, ..Default::default() };
    /// # let prepared = gesf_core::model::PreparedGraph::prepare(
    /// #     &graph, &settings, None, &Default::default(), &mut |_| {},
    /// # )?;
    /// # let mut trainer = gesf_core::train::Trainer::new(prepared, settings)?;
    /// # for _ in 0..5 { trainer.step()?; }
    /// # let context = gesf_core::explain::ExplainContext::of_trainer(&trainer)?;
    /// let node = NodeId(0);
    /// let found = Explanation::of(&context, node, context.usual_aim(node))?;
    /// let rings = Rings::around(context.graph(), node);
    /// let table = ContributionTable::of(&context, &found, &rings, (Ranking::Size, 5))?;
    /// // Lines, the node itself and the rest add up to the value.
    /// let listed: f64 = table.lines.iter().map(|line| line.score).sum();
    /// let whole = found.baseline + listed + table.own.score + table.rest;
    /// assert_eq!(table.lines.len(), 5);
    /// assert!((whole - found.value).abs() < 1e-9);
    /// # Ok(()) }
    /// ```
    pub fn of(
        context: &ExplainContext,
        found: &Explanation,
        rings: &Rings,
        (ranking, most): (Ranking, usize),
    ) -> Result<Self, ExplainError> {
        let nodes = found.ranked(ranking, most);
        let with_own: Vec<NodeId> = std::iter::once(found.node).chain(nodes).collect();
        let left_out = found.left_out(context, &with_own)?;
        let size = found.size();
        let mut lines = with_own.iter().zip(left_out).map(|(&node, left_out)| {
            let score = found.scores[node.index()];
            let share = if size > 0.0 { score / size } else { 0.0 };
            let weight = found.weights[node.index()];
            Contributor { node, ring: rings.of(node), weight, score, share, left_out }
        });
        let own = lines.next().ok_or_else(|| {
            ExplainError::fault("contribution table", "no node", "one", "choose a node")
        })?;
        let lines: Vec<Contributor> = lines.collect();
        let listed: f64 = lines.iter().map(|line| line.score).sum();
        let others = found.scores.len() - with_own.len();
        let features = found.without_features(context)?.map(|left_out| {
            let score = found.own_features();
            let share = if size > 0.0 { score / size } else { 0.0 };
            FeatureContribution { score, share, left_out }
        });
        let rest = found.sum() - own.score - found.own_features() - listed;
        Ok(Self { lines, own, features, rest, others })
    }
}
