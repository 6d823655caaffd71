//! The table of a node's contributors, and what is left over below it.

use super::rings::{Ring, Rings};
use super::{ExplainError, Explanation, Moment, Ranking};
use crate::graph::NodeId;

/// A contributor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// Who.
    pub node: NodeId,
    /// How far away.
    pub ring: Ring,
    /// P_uv.
    pub weight: f32,
    /// What it adds to the number.
    pub score: f64,
    /// The same as a share of everything that is said, for and against.
    pub share: f64,
    /// The number without this contributor.
    pub left_out: f64,
}

/// The strongest contributors; with `own` and `rest` they add up to the number.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The strongest, in order.
    pub lines: Vec<Line>,
    /// The node itself, where the self term is kept.
    pub own: Line,
    /// What all others add together.
    pub rest: f64,
    /// How many they are.
    pub others: usize,
}

impl Table {
    /// The table of an explanation.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use gesf_tui::explain::{Explanation, Ranking, Rings, Table};
    /// use gesf_tui::graph::NodeId;
    /// # let karate = "sample_graphs/karate".as_ref();
    /// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
    /// # let graph = std::sync::Arc::new(graph);
    /// # let settings = gesf_tui::model::settings::Settings { epochs: 20, ..Default::default() };
    /// # let ground = gesf_tui::model::Ground::prepare(
    /// #     &graph, &settings, None, &Default::default(), &mut |_| {},
    /// # )?;
    /// # let mut trainer = gesf_tui::train::Trainer::new(ground, settings)?;
    /// # for _ in 0..5 { trainer.step()?; }
    /// # let moment = gesf_tui::explain::Moment::of_trainer(&trainer)?;
    /// let node = NodeId(0);
    /// let found = Explanation::of(&moment, node, moment.usual_aim(node))?;
    /// let rings = Rings::around(moment.graph(), node);
    /// let table = Table::of(&moment, &found, &rings, (Ranking::Size, 5))?;
    /// // Lines, the node itself and the rest make up the whole number.
    /// let listed: f64 = table.lines.iter().map(|line| line.score).sum();
    /// let whole = found.baseline + listed + table.own.score + table.rest;
    /// assert_eq!(table.lines.len(), 5);
    /// assert!((whole - found.value).abs() < 1e-9);
    /// # Ok(()) }
    /// ```
    pub fn of(
        moment: &Moment,
        found: &Explanation,
        rings: &Rings,
        (ranking, most): (Ranking, usize),
    ) -> Result<Self, ExplainError> {
        let nodes = found.ranked(ranking, most);
        let with_own: Vec<NodeId> = std::iter::once(found.node).chain(nodes).collect();
        let left_out = found.left_out(moment, &with_own)?;
        let size = found.size();
        let mut lines = with_own.iter().zip(left_out).map(|(&node, left_out)| {
            let score = found.scores[node.index()];
            let share = if size > 0.0 { score / size } else { 0.0 };
            let weight = found.weights[node.index()];
            Line { node, ring: rings.of(node), weight, score, share, left_out }
        });
        let own = lines.next().ok_or_else(|| {
            ExplainError::fault("the table of a node", "no node", "one", "name a node")
        })?;
        let lines: Vec<Line> = lines.collect();
        let listed: f64 = lines.iter().map(|line| line.score).sum();
        let others = found.scores.len() - with_own.len();
        Ok(Self { rest: found.sum() - own.score - listed, lines, own, others })
    }
}
