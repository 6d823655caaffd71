//! Exact contributions of all nodes to a node's embedding and prediction.

use std::cmp::Ordering;

use super::aim::Aim;
use super::reading::{Image, Reading};
use super::{ExplainContext, ExplainError};
use gesf_graph::{LabelKind, NodeId};
use gesf_spectral::{SelfTerm, Signal};

/// Scores below this share of their sum are rounding errors of P.
const NOISE: f64 = 1e-7;

/// The decomposition of a node's prediction from R.
///
/// `value` = `baseline` + Σ `scores`, up to [`Explanation::completeness_error`].
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The node v.
    pub node: NodeId,
    /// The explained value.
    pub aim: Aim,
    /// P_uv of every node u, with the self term of the model.
    pub weights: Vec<f32>,
    /// The signed contribution of every node u to the explained value.
    pub scores: Vec<f64>,
    /// z_v = Σ_u P_uv ψ(x_u), the blocks of all types side by side.
    pub gathered: Vec<f64>,
    /// The value for z = 0: the prediction for a node without neighbours.
    pub baseline: f64,
    /// The explained value.
    pub value: f64,
    /// All outputs of the head on R: logits, or the number.
    pub answers: Vec<f64>,
    /// The same value as computed by the model in its own precision.
    pub given: Option<f64>,
}

/// How contributors are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ranking {
    /// By magnitude.
    #[default]
    Size,
    /// By signed score: supporting contributors first, opposing ones last.
    Support,
}

impl Explanation {
    /// Explains a value of a node. Exact up to rounding, and the same bits for the
    /// same context.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use gesf_core::{explain::{Explanation, ExplainContext}, train::Trainer};
    /// # use gesf_graph::{LoadOptions, NodeId, load};
    /// # use gesf_core::model::{PreparedGraph, settings::Settings};
    /// # use gesf_spectral::Cancel;
    /// let (graph, _) = load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref(), &LoadOptions::default())?;
    /// let (settings, cancel) = (Settings::default(), Cancel::default());
    /// let prepared = PreparedGraph::prepare(&Arc::new(graph), &settings, None, &cancel, &mut |_| {})?;
    /// let context = ExplainContext::of_trainer(&Trainer::new(prepared, settings)?)?;
    /// let node = NodeId(0);
    /// let found = Explanation::of(&context, node, context.usual_aim(node))?;
    /// assert!((found.baseline + found.sum() - found.value).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(context: &ExplainContext, node: NodeId, aim: Aim) -> Result<Self, ExplainError> {
        let weights = context.weights(node)?;
        let mut found = Self::of_weights(context, node, aim, weights)?;
        found.given = found.given_by(context);
        Ok(found)
    }

    /// The same for custom weights instead of those of P.
    pub(super) fn of_weights(
        context: &ExplainContext,
        node: NodeId,
        aim: Aim,
        weights: Vec<f32>,
    ) -> Result<Self, ExplainError> {
        let gathered = context.gather(&weights);
        let reading = context.reading(node, aim, &gathered)?;
        let image = reading.image(0, &gathered);
        let scores = context.scores(&weights, &reading.mean_gradient(&image));
        Ok(Self {
            node,
            aim,
            scores,
            baseline: reading.value(&reading.nothing()),
            value: reading.value(&image),
            answers: context.answers(node, &gathered),
            given: None,
            weights,
            gathered,
        })
    }

    fn given_by(&self, context: &ExplainContext) -> Option<f64> {
        let outputs = context.outputs(self.node)?;
        let at = |place: usize| outputs.get(place).map(|&value| f64::from(value));
        match self.aim {
            Aim::Class(class) => at(class.index()),
            Aim::Margin { class, rival } => Some(at(class.index())? - at(rival.index())?),
            Aim::Value if context.graph().labels().kind() == LabelKind::Numeric => {
                let units = context.units();
                Some(at(0)? * f64::from(units.deviation) + f64::from(units.mean))
            }
            Aim::Value | Aim::Length => None,
        }
    }

    /// Σ scores: how much all nodes (including the node itself) change the value.
    pub fn sum(&self) -> f64 {
        self.scores.iter().sum()
    }

    /// Σ |scores|: the total magnitude of all contributions.
    pub fn size(&self) -> f64 {
        self.scores.iter().map(|score| score.abs()).sum()
    }

    /// The node's contribution to its own value; 0 without self term.
    pub fn own(&self) -> f64 {
        self.scores[self.node.index()]
    }

    /// `value` − `baseline` − Σ scores. Only rounding: the gradients along the path
    /// are integrated in closed form.
    pub fn completeness_error(&self) -> f64 {
        self.value - self.baseline - self.sum()
    }

    /// The difference from the value that the model computed in its own precision.
    pub fn rounding_error(&self) -> Option<f64> {
        self.given.map(|given| (self.value - given).abs())
    }

    /// A smaller score is a rounding error of P, not a contribution.
    pub fn noise(&self) -> f64 {
        NOISE * (self.value.abs() + self.baseline.abs() + self.size()).max(f64::MIN_POSITIVE)
    }

    /// The top contributors, at most `most`, without the node itself and without
    /// rounding errors. Ties go to the lower node.
    pub fn ranked(&self, ranking: Ranking, most: usize) -> Vec<NodeId> {
        let noise = self.noise();
        let audible = |&at: &usize| at != self.node.index() && self.scores[at].abs() > noise;
        let mut order: Vec<usize> = (0..self.scores.len()).filter(audible).collect();
        let key = |at: usize| match ranking {
            Ranking::Size => self.scores[at].abs(),
            Ranking::Support => self.scores[at],
        };
        let by = |a: &usize, b: &usize| -> Ordering { key(*b).total_cmp(&key(*a)).then(a.cmp(b)) };
        if most < order.len() {
            order.select_nth_unstable_by(most, by);
            order.truncate(most);
        }
        order.sort_unstable_by(by);
        order.into_iter().map(NodeId::from).collect()
    }

    /// P_uv ψ(x_u), in the columns of u's type.
    pub fn contribution(&self, context: &ExplainContext, node: NodeId) -> Vec<f64> {
        let (_, message) = context.message(node);
        let weight = f64::from(self.weights[node.index()]);
        message.iter().map(|&value| weight * f64::from(value)).collect()
    }

    /// The value without each of some nodes: φ is evaluated again, exactly.
    pub fn left_out(
        &self,
        context: &ExplainContext,
        nodes: &[NodeId],
    ) -> Result<Vec<f64>, ExplainError> {
        let case = Case::of(context, self)?;
        nodes
            .iter()
            .map(|&node| {
                context.check(node)?;
                let mut image = case.image.clone();
                image.add(-1.0, &case.image_of(node));
                Ok(case.reading.value(&image))
            })
            .collect()
    }

    /// The distance between Σ_u P_uv ψ(x_u) and z as computed by the operator (all
    /// nodes at once, in the model's precision), relative to the length of z. Needs
    /// one product P·H, which is slow on a large graph.
    pub fn sum_error(&self, context: &ExplainContext) -> Result<f64, ExplainError> {
        let nodes = context.graph().node_count();
        let width = self.gathered.len();
        let mut values = vec![0.0_f32; nodes * width];
        for node in context.graph().nodes() {
            let (start, message) = context.message(node);
            values[node.index() * width + start..][..message.len()].copy_from_slice(message);
        }
        let signal = Signal { values: &values, width };
        let response = &context.snapshot().response;
        let term: SelfTerm = context.settings().self_term;
        let applied = context.prepared().operator.apply(response, signal, term, &[])?;
        let z = &applied.output[self.node.index() * width..][..width];
        let square = |sum: f64, (own, z): (&f64, &f32)| sum + (own - f64::from(*z)).powi(2);
        let error = self.gathered.iter().zip(z).fold(0.0, square).sqrt();
        let length = self.gathered.iter().map(|z| z * z).sum::<f64>().sqrt();
        Ok(if length > 0.0 { error / length } else { error })
    }
}

/// An explanation with the function it explains, for jobs that remove parts of z.
pub(super) struct Case<'a> {
    context: &'a ExplainContext,
    weights: &'a [f32],
    pub(super) reading: Reading<'a>,
    pub(super) image: Image,
}

impl<'a> Case<'a> {
    pub(super) fn of(
        context: &'a ExplainContext,
        found: &'a Explanation,
    ) -> Result<Self, ExplainError> {
        let reading = context.reading(found.node, found.aim, &found.gathered)?;
        let image = reading.image(0, &found.gathered);
        Ok(Self { context, weights: &found.weights, reading, image })
    }

    /// The image of one node's contribution.
    pub(super) fn image_of(&self, node: NodeId) -> Image {
        let (start, message) = self.context.message(node);
        let weight = f64::from(self.weights[node.index()]);
        let part: Vec<f64> = message.iter().map(|&value| weight * f64::from(value)).collect();
        self.reading.image(start, &part)
    }
}
