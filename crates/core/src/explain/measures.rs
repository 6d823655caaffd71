//! Standard measures of explanations over many nodes, each beside random contributors.
//!
//! The explanation of a node is a mask: its top supporting contributors. Definitions as
//! in PyG (`torch_geometric.explain.metric`), for explanations of the model: fidelity+
//! is how often the prediction changes without the mask, fidelity− how often it changes
//! with only the mask, the characterisation score is the harmonic mean of fidelity+ and
//! 1 − fidelity−, and unfaithfulness is 1 − exp(−KL) between the class probabilities
//! with only the mask and with everything. Sparsity is the share of the contributors
//! outside the mask. The self term, if the model has one, always stays.

use rayon::prelude::*;

use super::{Aim, ExplainContext, ExplainError, Explanation, Ranking};
use crate::model::random::{below, shuffle, stream};
use crate::train::{self, rank_correlation};
use gesf_graph::{LabelKind, NodeId};
use gesf_spectral::Cancel;

/// The options of the measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeasureOptions {
    /// The most nodes of a mask.
    pub top: usize,
    /// Random masks to compare with, for each node.
    pub draws: usize,
    /// The seed of the random masks.
    pub seed: u64,
}

impl Default for MeasureOptions {
    fn default() -> Self {
        Self { top: 10, draws: 20, seed: 0 }
    }
}

/// What a mask does to the prediction of a node.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MaskEffect {
    /// 1 if the prediction changes without the mask, else 0; a mean over random masks.
    pub fidelity_plus: f64,
    /// The same with only the mask.
    pub fidelity_minus: f64,
    /// 1 − exp(−KL) between the probabilities with only the mask and with everything.
    pub unfaithfulness: f64,
}

/// The measures of one node.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeMeasures {
    /// The node.
    pub node: NodeId,
    /// Its predicted class, which is explained.
    pub class: usize,
    /// The mask: the top supporting contributors.
    pub mask: Vec<NodeId>,
    /// How many contributors there are.
    pub contributors: usize,
    /// The effect of the mask.
    pub explained: MaskEffect,
    /// The mean effect of as many random contributors.
    pub random: MaskEffect,
    /// Agreement with the same node in other runs, if any are given.
    pub stability: Option<Agreement>,
    /// The same with the contributors of the other runs shuffled.
    pub random_stability: Option<Agreement>,
    /// How well the contributions find the other nodes of its motif, if it is in one.
    pub motif_auc: Option<f64>,
    /// The same with shuffled contributions.
    pub random_motif_auc: Option<f64>,
}

/// The agreement of two explanations of a node.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Agreement {
    /// Rank correlation of the contributions, over the contributors of either.
    pub correlation: f64,
    /// Nodes in both masks as a share of those in either.
    pub overlap: f64,
}

/// The measures over many nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measures {
    /// The mean effect of the masks.
    pub effect: MaskEffect,
    /// The harmonic mean of fidelity+ and 1 − fidelity−.
    pub characterisation: f64,
    /// Mean agreement between runs.
    pub stability: Option<Agreement>,
    /// Mean area under the ROC curve of the motif's nodes.
    pub motif_auc: Option<f64>,
}

/// The motif that each node belongs to, in graph order: known from outside the model.
pub type Motifs = [Option<u32>];

impl NodeMeasures {
    /// The share of the contributors outside the mask.
    pub fn sparsity(&self) -> f64 {
        1.0 - self.mask.len() as f64 / self.contributors.max(1) as f64
    }

    /// Measures a node; `None` if it has no prediction or no contributors.
    pub fn of(
        context: &ExplainContext,
        others: &[ExplainContext],
        motifs: Option<&Motifs>,
        node: NodeId,
        options: MeasureOptions,
    ) -> Result<Option<Self>, ExplainError> {
        let aim @ Aim::Class(class) = context.usual_aim(node) else { return Ok(None) };
        let found = Explanation::of(context, node, aim)?;
        let contributors = found.ranked(Ranking::Size, usize::MAX);
        if contributors.is_empty() {
            return Ok(None);
        }
        let mask = mask_of(&found, options.top);
        let masked = Masked::new(context, &found);
        let explained = masked.effect(&mask);
        let mut random = stream(options.seed, &format!("measures of {}", node.0));
        let (mut pool, mut sum) = (contributors.clone(), MaskEffect::default());
        for _ in 0..options.draws {
            for at in 0..mask.len() {
                let other = at + below(&mut random, pool.len() - at);
                pool.swap(at, other);
            }
            sum.add(masked.effect(&pool[..mask.len()]));
        }
        let mut own = Self {
            node,
            class: class.index(),
            mask,
            contributors: contributors.len(),
            explained,
            random: sum.scaled(1.0 / options.draws.max(1) as f64),
            stability: None,
            random_stability: None,
            motif_auc: None,
            random_motif_auc: None,
        };
        for other in others {
            let theirs = Explanation::of(other, node, aim)?;
            let (agreement, by_chance) =
                agreement(&found, &theirs, &own.mask, options.top, |list| {
                    shuffle(&mut random, list);
                });
            let mean = 1.0 / others.len() as f64;
            own.stability.get_or_insert_default().add_times(mean, agreement);
            own.random_stability.get_or_insert_default().add_times(mean, by_chance);
        }
        if let Some(motifs) = motifs {
            let own_motif = motifs.get(node.index()).copied().flatten();
            let is_in = |other: &NodeId| {
                own_motif.is_some() && motifs.get(other.index()).copied().flatten() == own_motif
            };
            let positive: Vec<bool> = contributors.iter().map(is_in).collect();
            let size = |other: &NodeId| found.scores[other.index()].abs();
            let mut sizes: Vec<f64> = contributors.iter().map(size).collect();
            let auc = |sizes: &[f64]| {
                let ranked = sizes.iter().zip(&positive).map(|(size, own)| (*size as f32, *own));
                train::Ranking::of(ranked.collect()).map(|own| f64::from(own.roc_auc))
            };
            own.motif_auc = auc(&sizes);
            shuffle(&mut random, &mut sizes);
            own.random_motif_auc = auc(&sizes);
        }
        Ok(Some(own))
    }

    /// Measures many nodes, in parallel; those without contributors are left out.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use gesf_core::explain::{MeasureOptions, Measures, NodeMeasures};
    /// use gesf_spectral::Cancel;
    /// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
    /// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
    /// # let graph = std::sync::Arc::new(graph);
    /// # let settings = gesf_core::model::settings::Settings { epochs: 20, ..Default::default() };
    /// # let prepared = gesf_core::model::PreparedGraph::prepare(
    /// #     &graph, &settings, None, &Default::default(), &mut |_| {},
    /// # )?;
    /// # let mut trainer = gesf_core::train::Trainer::new(prepared, settings)?;
    /// # for _ in 0..20 { trainer.step()?; }
    /// # let context = gesf_core::explain::ExplainContext::of_trainer(&trainer)?;
    /// let nodes: Vec<_> = graph.nodes().collect();
    /// let options = MeasureOptions { top: 5, ..MeasureOptions::default() };
    /// let cancel = Cancel::default();
    /// let found = NodeMeasures::of_nodes(&context, &[], None, &nodes, options, &cancel)?;
    /// assert_eq!(found.len(), 34);
    /// // Five nodes say more about a prediction than five random contributors.
    /// let (explained, random) = (Measures::explained(&found), Measures::random(&found));
    /// assert!(explained.effect.unfaithfulness < random.effect.unfaithfulness);
    /// # Ok(()) }
    /// ```
    pub fn of_nodes(
        context: &ExplainContext,
        others: &[ExplainContext],
        motifs: Option<&Motifs>,
        nodes: &[NodeId],
        options: MeasureOptions,
        cancel: &Cancel,
    ) -> Result<Vec<Self>, ExplainError> {
        let kind = context.graph().labels().kind();
        if kind != LabelKind::One {
            return Err(ExplainError::fault(
                "measures of explanations",
                match kind {
                    LabelKind::Numeric => "numeric labels",
                    LabelKind::Several => "several classes per node",
                    LabelKind::None | LabelKind::One => "no labels",
                },
                "one class per node: fidelity compares predicted classes",
                "explain single nodes with --node",
            ));
        }
        let measured = nodes.par_iter().map(|&node| {
            if cancel.is_cancelled() {
                return Err(ExplainError::Cancelled);
            }
            Self::of(context, others, motifs, node, options)
        });
        let measured: Vec<Option<Self>> = measured.collect::<Result<_, _>>()?;
        Ok(measured.into_iter().flatten().collect())
    }
}

impl Measures {
    /// The means for the explanations.
    pub fn explained(nodes: &[NodeMeasures]) -> Self {
        Self::over(nodes, |own| own.explained, |own| own.stability, |own| own.motif_auc)
    }

    /// The means for random contributors.
    pub fn random(nodes: &[NodeMeasures]) -> Self {
        let (stability, auc) =
            (|own: &NodeMeasures| own.random_stability, |own: &NodeMeasures| own.random_motif_auc);
        Self::over(nodes, |own| own.random, stability, auc)
    }

    fn over(
        nodes: &[NodeMeasures],
        effect: impl Fn(&NodeMeasures) -> MaskEffect,
        stability: impl Fn(&NodeMeasures) -> Option<Agreement>,
        auc: impl Fn(&NodeMeasures) -> Option<f64>,
    ) -> Self {
        let mut sum = MaskEffect::default();
        for own in nodes {
            sum.add(effect(own));
        }
        let effect = sum.scaled(1.0 / nodes.len().max(1) as f64);
        let agreements: Vec<Agreement> = nodes.iter().filter_map(stability).collect();
        let mut agreement = Agreement::default();
        let share = 1.0 / agreements.len().max(1) as f64;
        for own in &agreements {
            agreement.add_times(share, *own);
        }
        let areas: Vec<f64> = nodes.iter().filter_map(auc).collect();
        let area = areas.iter().sum::<f64>() / areas.len().max(1) as f64;
        Self {
            effect,
            characterisation: characterisation(effect.fidelity_plus, effect.fidelity_minus),
            stability: (!agreements.is_empty()).then_some(agreement),
            motif_auc: (!areas.is_empty()).then_some(area),
        }
    }
}

/// The harmonic mean of fidelity+ and 1 − fidelity−; 0 if one of them is 0.
///
/// ```
/// use gesf_core::explain::characterisation;
///
/// assert!((characterisation(0.5, 0.5) - 0.5).abs() < 1e-12);
/// assert_eq!(characterisation(0.0, 0.2), 0.0);
/// ```
pub fn characterisation(fidelity_plus: f64, fidelity_minus: f64) -> f64 {
    let kept = 1.0 - fidelity_minus;
    let sum = fidelity_plus + kept;
    if sum > 0.0 { 2.0 * fidelity_plus * kept / sum } else { 0.0 }
}

/// 1 − exp(−KL(with the mask ‖ with everything)), from logits.
fn unfaithfulness(all: &[f64], masked: &[f64]) -> f64 {
    let (all, masked) = (log_softmax(all), log_softmax(masked));
    let divergence: f64 =
        all.iter().zip(&masked).map(|(all, masked)| masked.exp() * (masked - all)).sum();
    -(-divergence).exp_m1()
}

fn log_softmax(logits: &[f64]) -> Vec<f64> {
    let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logits.iter().map(|logit| (logit - most).exp()).sum();
    logits.iter().map(|logit| logit - most - sum.ln()).collect()
}

fn largest(values: &[f64]) -> Option<usize> {
    (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]))
}

/// The top contributors that support the explained class.
fn mask_of(found: &Explanation, top: usize) -> Vec<NodeId> {
    let mut mask = found.ranked(Ranking::Support, top);
    mask.retain(|node| found.scores[node.index()] > 0.0);
    mask
}

/// A node's prediction with and without some of its contributors.
struct Masked<'a> {
    context: &'a ExplainContext,
    found: &'a Explanation,
    predicted: Option<usize>,
}

impl<'a> Masked<'a> {
    fn new(context: &'a ExplainContext, found: &'a Explanation) -> Self {
        Self { context, found, predicted: largest(&found.answers) }
    }

    fn effect(&self, mask: &[NodeId]) -> MaskEffect {
        let Explanation { node, gathered, answers, .. } = self.found;
        let (mut alone, mut without) = (vec![0.0; gathered.len()], gathered.clone());
        self.add_to(&mut alone, 1.0, *node);
        for &other in mask {
            self.add_to(&mut alone, 1.0, other);
            self.add_to(&mut without, -1.0, other);
        }
        let alone = self.context.answers(*node, &alone);
        let without = self.context.answers(*node, &without);
        let changes = |answers: &[f64]| f64::from(u8::from(largest(answers) != self.predicted));
        MaskEffect {
            fidelity_plus: changes(&without),
            fidelity_minus: changes(&alone),
            unfaithfulness: unfaithfulness(answers, &alone),
        }
    }

    fn add_to(&self, gathered: &mut [f64], factor: f64, node: NodeId) {
        for (start, part) in self.found.parts(self.context, node) {
            let columns = gathered[start..].iter_mut().zip(part);
            columns.for_each(|(sum, value)| *sum += factor * value);
        }
    }
}

/// The agreement of two explanations, and that with the other's scores shuffled.
fn agreement(
    ours: &Explanation,
    theirs: &Explanation,
    our_mask: &[NodeId],
    top: usize,
    mut shuffle: impl FnMut(&mut Vec<f64>),
) -> (Agreement, Agreement) {
    let is_contributor = |own: &Explanation, at: usize| own.scores[at].abs() > own.noise();
    let either: Vec<usize> = (0..ours.scores.len().min(theirs.scores.len()))
        .filter(|&at| at != ours.node.index())
        .filter(|&at| is_contributor(ours, at) || is_contributor(theirs, at))
        .collect();
    let of = |own: &Explanation| -> Vec<f64> { either.iter().map(|&at| own.scores[at]).collect() };
    let (a, mut b) = (of(ours), of(theirs));
    let correlation = rank_correlation(&a, &b).unwrap_or(0.0);
    let overlap = overlap(our_mask, &mask_of(theirs, top));
    shuffle(&mut b);
    let by_chance = rank_correlation(&a, &b).unwrap_or(0.0);
    let mut order: Vec<usize> = (0..b.len()).collect();
    order.sort_by(|&a, &c| b[c].total_cmp(&b[a]));
    let drawn: Vec<NodeId> = order.iter().take(top).map(|&at| NodeId::from(either[at])).collect();
    (
        Agreement { correlation, overlap },
        Agreement { correlation: by_chance, overlap: self::overlap(our_mask, &drawn) },
    )
}

/// Nodes in both lists as a share of those in either; 1 if both are empty.
fn overlap(a: &[NodeId], b: &[NodeId]) -> f64 {
    let both = a.iter().filter(|node| b.contains(node)).count();
    let either = a.len() + b.len() - both;
    if either == 0 { 1.0 } else { both as f64 / either as f64 }
}

impl MaskEffect {
    fn add(&mut self, other: Self) {
        self.fidelity_plus += other.fidelity_plus;
        self.fidelity_minus += other.fidelity_minus;
        self.unfaithfulness += other.unfaithfulness;
    }

    fn scaled(self, factor: f64) -> Self {
        Self {
            fidelity_plus: factor * self.fidelity_plus,
            fidelity_minus: factor * self.fidelity_minus,
            unfaithfulness: factor * self.unfaithfulness,
        }
    }
}

impl Agreement {
    fn add_times(&mut self, factor: f64, other: Self) {
        self.correlation += factor * other.correlation;
        self.overlap += factor * other.overlap;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfaithfulness_is_zero_for_the_same_logits_and_ignores_a_constant() {
        let logits = [0.3, -1.0, 2.0];
        let moved: Vec<f64> = logits.iter().map(|logit| logit + 100.0).collect();
        assert!(unfaithfulness(&logits, &moved).abs() < 1e-12);
        // KL((½, ½) ‖ (¾, ¼)) = ln(2/√3).
        let found = unfaithfulness(&[3.0_f64.ln(), 0.0], &[0.0, 0.0]);
        assert!((found - (1.0 - 3.0_f64.sqrt() / 2.0)).abs() < 1e-12, "{found}");
    }

    #[test]
    fn the_overlap_is_a_share_of_the_union() {
        let nodes = |list: &[u32]| list.iter().map(|&node| NodeId(node)).collect::<Vec<_>>();
        assert!((overlap(&nodes(&[1, 2, 3]), &nodes(&[2, 3, 4])) - 0.5).abs() < 1e-12);
        assert!((overlap(&[], &[]) - 1.0).abs() < 1e-12);
    }
}
