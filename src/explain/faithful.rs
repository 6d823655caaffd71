//! Whether the contributors named are those that matter: take the strongest away
//! and watch the number, against taking away as many at random.

use super::contributions::Case;
use super::reading::Image;
use super::{ExplainError, Explanation, Moment, Ranking};
use crate::graph::NodeId;
use crate::model::random::{below, shuffle, stream};
use crate::spectral::Cancel;

/// How the test is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trial {
    /// The order in which contributors are taken.
    pub ranking: Ranking,
    /// At most so many are taken away.
    pub most: usize,
    /// Random orders to compare with.
    pub draws: usize,
    /// Fixes them.
    pub seed: u64,
}

impl Default for Trial {
    fn default() -> Self {
        Self { ranking: Ranking::Support, most: 64, draws: 20, seed: 0 }
    }
}

/// A mean over random draws, and how far they spread.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spread {
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation.
    pub deviation: f64,
}

/// The number after taking contributors away, and with no others left. The
/// self term stays throughout.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::explain::{Explanation, Faithfulness, Trial};
/// use gesf_tui::{graph::NodeId, spectral::Cancel};
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
/// let found = Explanation::of(&moment, NodeId(0), moment.usual_aim(NodeId(0)))?;
/// let trial = Trial { most: 8, draws: 10, ..Trial::default() };
/// let tested = Faithfulness::of(&moment, &found, trial, &Cancel::default())?;
/// // With nobody taken away the number is as it was, and those who were named
/// // matter more than nodes at random.
/// assert!((tested.removed[0] - found.value).abs() < 1e-9);
/// assert!(tested.lead().is_some_and(|lead| lead > 0.0));
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Faithfulness {
    /// How many are taken away, or kept: 0, 1, 2, …
    pub counts: Vec<usize>,
    /// Without the strongest.
    pub removed: Vec<f64>,
    /// Without as many of all nodes, at random.
    pub removed_random: Vec<Spread>,
    /// Without as many neighbours at random; others only where those run out.
    pub removed_neighbours: Vec<Spread>,
    /// With the strongest alone.
    pub kept: Vec<f64>,
    /// With as many of all nodes alone, at random.
    pub kept_random: Vec<Spread>,
}

impl Faithfulness {
    /// Measures the curves.
    pub fn of(
        moment: &Moment,
        found: &Explanation,
        trial: Trial,
        cancel: &Cancel,
    ) -> Result<Self, ExplainError> {
        let case = Case::of(moment, found)?;
        let own = case.image_of(found.node);
        let strongest = found.ranked(trial.ranking, trial.most);
        let others: Vec<NodeId> = moment.graph().nodes().filter(|n| *n != found.node).collect();
        let most = trial.most.min(others.len());
        let (removed, kept) = walk(&case, &own, &strongest, most);
        let neighbours = moment.graph().neighbours(found.node);
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

    /// By how much taking the strongest away moves the number further than taking
    /// random ones does, on average over the curve, as a share of how far all of
    /// them moved it. Above 0: better than chance. `None` where nothing moves.
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

/// The number after each step of taking nodes away, and of adding them to none.
/// Where the nodes run out, the curves stay.
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

    fn removed(&self) -> Vec<Spread> {
        self.spread(&self.removed)
    }

    fn kept(&self) -> Vec<Spread> {
        self.spread(&self.kept)
    }

    fn spread(&self, sums: &[(f64, f64, f64)]) -> Vec<Spread> {
        let count = self.draws.max(1) as f64;
        sums.iter()
            .map(|&(start, sum, squares)| {
                let variance = squares / count - (sum / count).powi(2);
                Spread { mean: start + sum / count, deviation: variance.max(0.0).sqrt() }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_the_mean_and_the_deviation_of_its_draws() {
        let mut curves = Curves::new(0);
        for value in [1000.0, 1002.0, 1004.0] {
            curves.add((vec![value], vec![-value]));
        }
        let Spread { mean, deviation } = curves.removed()[0];
        assert!((mean - 1002.0).abs() < 1e-9 && (deviation - (8.0_f64 / 3.0).sqrt()).abs() < 1e-9);
        assert!((curves.kept()[0].mean + 1002.0).abs() < 1e-9);
    }
}
