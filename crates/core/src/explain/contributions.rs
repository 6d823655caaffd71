//! Exact contributions of all nodes to a node's embedding and prediction.

use std::cmp::Ordering;

use super::aim::Aim;
use super::context::Row;
use super::reading::{Image, Reading};
use super::{ExplainContext, ExplainError};
use gesf_graph::{LabelKind, NodeId};
use gesf_spectral::{SelfTerm, Signal};

/// Scores below this share of their sum are rounding errors of P.
const NOISE: f64 = 1e-7;

/// The decomposition of a node's prediction from R.
///
/// `value` = `baseline` + Σ `scores` + Σ `features`, up to [`Explanation::completeness_error`].
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The node v.
    pub node: NodeId,
    /// The explained value.
    pub aim: Aim,
    /// P_uv of every node u, with the self term of the model; divided by Σ_u P_uv if
    /// messages are averaged.
    pub weights: Vec<f32>,
    /// Σ_u P_uv, if messages are averaged: one more column of every message.
    pub size: Option<f64>,
    /// The signed contribution of every node u to the explained value.
    pub scores: Vec<f64>,
    /// The signed contribution of each of the node's own features, in the order of
    /// the features; `None` if the model uses no features.
    pub features: Option<Vec<(u32, f64)>>,
    /// z_v = Σ_u P_uv ψ(x_u), the blocks of all types side by side; with features,
    /// plus the own ones; with a mean, the size at the end.
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
        let mut found = Self::of_row(context, node, aim, context.row(node)?)?;
        found.given = found.given_by(context);
        Ok(found)
    }

    /// The same for another row instead of that of the model.
    pub(super) fn of_row(
        context: &ExplainContext,
        node: NodeId,
        aim: Aim,
        row: Row,
    ) -> Result<Self, ExplainError> {
        let mut gathered = context.gather(&row);
        let features = context.own_features(node);
        if let Some(own) = &features {
            let columns = gathered.iter_mut().skip(own.start());
            columns.zip(own.sum()).for_each(|(z, own)| *z += own);
        }
        let reading = context.reading(node, aim, &gathered)?;
        let image = reading.image(0, &gathered);
        let gradient = reading.mean_gradient(&image);
        let scores = context.scores(&row, &gradient);
        let features = features.map(|own| own.scores(&gradient));
        Ok(Self {
            node,
            aim,
            scores,
            features,
            baseline: reading.value(&reading.nothing()),
            value: reading.value(&image),
            answers: context.answers(node, &gathered),
            given: None,
            weights: row.weights,
            size: row.size,
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

    /// Σ scores: how much all nodes (including the node itself) and the node's own
    /// features change the value.
    pub fn sum(&self) -> f64 {
        self.scores.iter().sum::<f64>() + self.own_features()
    }

    /// Σ |scores|: the total magnitude of all contributions, with the own features
    /// as one.
    pub fn size(&self) -> f64 {
        self.scores.iter().map(|score| score.abs()).sum::<f64>() + self.own_features().abs()
    }

    /// The contribution of the node's own features together; 0 without features.
    pub fn own_features(&self) -> f64 {
        self.features.iter().flatten().map(|(_, score)| score).sum()
    }

    /// The own features with the largest contributions, at most `most`.
    pub fn top_features(&self, most: usize) -> Vec<(u32, f64)> {
        let mut order = self.features.clone().unwrap_or_default();
        order.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
        order.truncate(most);
        order
    }

    /// The node's contribution to its own value; 0 without self term.
    pub fn own(&self) -> f64 {
        self.scores[self.node.index()]
    }

    /// `value` − `baseline` − Σ scores − Σ features. Only rounding: the gradients along the path
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

    /// What a node adds to z: its message and, with a mean, to the size; each with its
    /// first column.
    pub(super) fn parts(
        &self,
        context: &ExplainContext,
        node: NodeId,
    ) -> impl Iterator<Item = (usize, Vec<f64>)> {
        let weight = f64::from(self.weights[node.index()]);
        let last = self.gathered.len().saturating_sub(1);
        let size = self.size.map(|size| (last, vec![weight * size]));
        let (start, _) = context.message(node);
        [(start, self.contribution(context, node))].into_iter().chain(size)
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

    /// The value without the node's own features; `None` if there are none.
    pub fn without_features(&self, context: &ExplainContext) -> Result<Option<f64>, ExplainError> {
        let case = Case::of(context, self)?;
        Ok(case.features().map(|features| {
            let mut image = case.image.clone();
            image.add(-1.0, &features);
            case.reading.value(&image)
        }))
    }

    /// The distance between Σ_u P_uv ψ(x_u) (plus the own features) and z as computed by the operator (all
    /// nodes at once, in the model's precision), relative to the length of z. Needs
    /// one product P·H, which is slow on a large graph.
    pub fn sum_error(&self, context: &ExplainContext) -> Result<f64, ExplainError> {
        let nodes = context.graph().node_count();
        let width = self.gathered.len();
        let mut values = vec![0.0_f32; nodes * width];
        for node in context.graph().nodes() {
            let (start, message) = context.message(node);
            let row = &mut values[node.index() * width..][..width];
            row[start..][..message.len()].copy_from_slice(message);
            if let (Some(_), Some(last)) = (self.size, row.last_mut()) {
                *last = 1.0;
            }
        }
        let signal = Signal { values: &values, width };
        let response = &context.snapshot().response;
        let term: SelfTerm = context.settings().self_term;
        let applied = context.prepared().operator.apply(response, signal, term, &[])?;
        let mut z = applied.output[self.node.index() * width..][..width].to_vec();
        if let (Some(size), Some((_, means))) = (self.size, z.split_last_mut()) {
            for sum in means {
                *sum = if size > 0.0 { *sum / size as f32 } else { 0.0 };
            }
        }
        if let Some(own) = context.own_features(self.node) {
            let columns = z.iter_mut().skip(own.start());
            columns.zip(own.sum()).for_each(|(z, own)| *z += own as f32);
        }
        let square = |sum: f64, (own, z): (&f64, &f32)| sum + (own - f64::from(*z)).powi(2);
        let error = self.gathered.iter().zip(&z).fold(0.0, square).sqrt();
        let length = self.gathered.iter().map(|z| z * z).sum::<f64>().sqrt();
        Ok(if length > 0.0 { error / length } else { error })
    }
}

/// An explanation with the function it explains, for jobs that remove parts of z.
pub(super) struct Case<'a> {
    context: &'a ExplainContext,
    found: &'a Explanation,
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
        Ok(Self { context, found, reading, image })
    }

    /// The image of what does not come from other nodes: the self term and the own
    /// features.
    pub(super) fn own(&self) -> Image {
        let mut own = self.image_of(self.found.node);
        if let Some(features) = self.features() {
            own.add(1.0, &features);
        }
        own
    }

    /// The image of the own features.
    pub(super) fn features(&self) -> Option<Image> {
        let own = self.context.own_features(self.found.node)?;
        Some(self.reading.image(own.start(), &own.sum()))
    }

    /// The image of one node's contribution.
    pub(super) fn image_of(&self, node: NodeId) -> Image {
        let mut image = self.reading.nothing();
        for (start, part) in self.found.parts(self.context, node) {
            image.add(1.0, &self.reading.image(start, &part));
        }
        image
    }
}
