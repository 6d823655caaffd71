//! Faithfulness: how the value changes when the top contributors are removed,
//! compared with removing random nodes.

use super::contributions::Case;
use super::reading::Image;
use super::{ExplainContext, ExplainError, Explanation, Ranking};
use crate::model::random::{below, shuffle, stream};
use gesf_graph::NodeId;
use gesf_spectral::Cancel;

/// The options of the test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trial {
    /// How contributors are ranked.
    pub ranking: Ranking,
    /// Maximum number of removed nodes.
    pub most: usize,
    /// Number of random orders to compare with.
    pub draws: usize,
    /// The seed of the random orders.
    pub seed: u64,
}

impl Default for Trial {
    fn default() -> Self {
        Self { ranking: Ranking::Support, most: 64, draws: 20, seed: 0 }
    }
}

/// The mean and deviation of random draws.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MeanAndDeviation {
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation.
    pub deviation: f64,
}

/// The value after removing contributors, and with no others left. The self term
/// always stays.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::explain::{Explanation, Faithfulness, Trial};
/// use gesf_graph::NodeId;
/// use gesf_spectral::Cancel;
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
/// let found = Explanation::of(&context, NodeId(0), context.usual_aim(NodeId(0)))?;
/// let trial = Trial { most: 8, draws: 10, ..Trial::default() };
/// let tested = Faithfulness::of(&context, &found, trial, &Cancel::default())?;
/// // Removing no node changes nothing, and the top contributors matter more than random nodes.
/// assert!((tested.removed[0] - found.value).abs() < 1e-9);
/// assert!(tested.lead().is_some_and(|lead| lead > 0.0));
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Faithfulness {
    /// How many nodes are removed, or kept: 0, 1, 2, …
    pub counts: Vec<usize>,
    /// Without the top contributors.
    pub removed: Vec<f64>,
    /// Without as many random nodes.
    pub removed_random: Vec<MeanAndDeviation>,
    /// Without as many random neighbours; other nodes only if there are too few.
    pub removed_neighbours: Vec<MeanAndDeviation>,
    /// With only the top contributors.
    pub kept: Vec<f64>,
    /// With only as many random nodes.
    pub kept_random: Vec<MeanAndDeviation>,
}

impl Faithfulness {
    /// Computes the curves.
    pub fn of(
        context: &ExplainContext,
        found: &Explanation,
        trial: Trial,
        cancel: &Cancel,
    ) -> Result<Self, ExplainError> {
        let case = Case::of(context, found)?;
        let own = case.own();
        let strongest = found.ranked(trial.ranking, trial.most);
        let others: Vec<NodeId> = context.graph().nodes().filter(|n| *n != found.node).collect();
        let most = trial.most.min(others.len());
        let (removed, kept) = walk(&case, &own, &strongest, most);
        let neighbours = context.graph().neighbours(found.node);
        let mut random = stream(trial.seed, &format!("faithfulness of {}", found.node.0));
        let (mut free, mut near) = (Curves::new(most), Curves::new(most));
        let mut pool = others;
        for _ in 0..trial.draws {
            if cancel.is_cancelled() {
                return Err(ExplainError::Cancelled);
            }
            for at in 0..most {
                let other = at + below(&mut random, pool.len() - at);
                pool.swap(at, other);
            }
            free.add(walk(&case, &own, &pool[..most], most));
            let mut first: Vec<NodeId> = neighbours.iter().map(|&node| NodeId(node)).collect();
            shuffle(&mut random, &mut first);
            let more =
                pool[..most].iter().filter(|node| neighbours.binary_search(&node.0).is_err());
            first.extend(more);
            first.truncate(most);
            near.add(walk(&case, &own, &first, most));
        }
        Ok(Self {
            counts: (0..=most).collect(),
            removed,
            kept,
            removed_random: free.removed(),
            removed_neighbours: near.removed(),
            kept_random: free.kept(),
        })
    }

    /// How much more the value changes by removing the top contributors than by
    /// removing random ones, averaged over the curve and relative to removing all
    /// of them. Above 0: better than chance. `None` if the value does not change.
    pub fn lead(&self) -> Option<f64> {
        let (first, last) = (*self.kept.first()?, *self.removed.first()?);
        let whole = (last - first).abs();
        let steps = self.removed.len().checked_sub(1).filter(|steps| *steps > 0)?;
        let pairs = self.removed.iter().zip(&self.removed_random).skip(1);
        let gap: f64 = pairs.map(|(removed, random)| random.mean - removed).sum();
        let found = gap / (steps as f64 * whole);
        found.is_finite().then_some(found)
    }
}

/// The value after each removal, and after adding nodes to none. When the nodes run
/// out, the curves stay constant.
fn walk(case: &Case<'_>, own: &Image, nodes: &[NodeId], most: usize) -> (Vec<f64>, Vec<f64>) {
    let (mut left, mut alone) = (case.image.clone(), own.clone());
    let value = |image: &Image| case.reading.value(image);
    let (mut removed, mut kept) = (vec![value(&left)], vec![value(&alone)]);
    for at in 0..most {
        if let Some(&node) = nodes.get(at) {
            let image = case.image_of(node);
            left.add(-1.0, &image);
            alone.add(1.0, &image);
        }
        removed.push(value(&left));
        kept.push(value(&alone));
    }
    (removed, kept)
}

/// Curves of many draws.
struct Curves {
    draws: usize,
    /// Σ and Σ of squares about the first draw, for each count.
    removed: Vec<(f64, f64, f64)>,
    kept: Vec<(f64, f64, f64)>,
}

impl Curves {
    fn new(most: usize) -> Self {
        let empty = vec![(0.0, 0.0, 0.0); most + 1];
        Self { draws: 0, removed: empty.clone(), kept: empty }
    }

    fn add(&mut self, (removed, kept): (Vec<f64>, Vec<f64>)) {
        let first = self.draws == 0;
        for (sums, values) in [(&mut self.removed, removed), (&mut self.kept, kept)] {
            for ((start, sum, squares), value) in sums.iter_mut().zip(values) {
                if first {
                    *start = value;
                }
                *sum += value - *start;
                *squares += (value - *start).powi(2);
            }
        }
        self.draws += 1;
    }

    fn removed(&self) -> Vec<MeanAndDeviation> {
        self.spread(&self.removed)
    }

    fn kept(&self) -> Vec<MeanAndDeviation> {
        self.spread(&self.kept)
    }

    fn spread(&self, sums: &[(f64, f64, f64)]) -> Vec<MeanAndDeviation> {
        let count = self.draws.max(1) as f64;
        sums.iter()
            .map(|&(start, sum, squares)| {
                let variance = squares / count - (sum / count).powi(2);
                MeanAndDeviation { mean: start + sum / count, deviation: variance.max(0.0).sqrt() }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_and_deviation_of_draws_are_correct() {
        let mut curves = Curves::new(0);
        for value in [1000.0, 1002.0, 1004.0] {
            curves.add((vec![value], vec![-value]));
        }
        let MeanAndDeviation { mean, deviation } = curves.removed()[0];
        assert!((mean - 1002.0).abs() < 1e-9 && (deviation - (8.0_f64 / 3.0).sqrt()).abs() < 1e-9);
        assert!((curves.kept()[0].mean + 1002.0).abs() < 1e-9);
    }
}
