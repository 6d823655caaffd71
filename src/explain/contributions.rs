//! Which neighbours made a node's embedding and its prediction, to the last one.

use std::cmp::Ordering;

use super::aim::Aim;
use super::reading::{Image, Reading};
use super::{ExplainError, Moment};
use crate::graph::{LabelKind, NodeId};
use crate::spectral::{SelfTerm, Signal};

/// Scores below this share of what they add up to are the rounding of P.
const NOISE: f64 = 1e-7;

/// What a node's prediction from R is made of.
///
/// `value` = `baseline` + Σ `scores`, up to [`Explanation::completeness_error`].
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The node v.
    pub node: NodeId,
    /// What is explained.
    pub aim: Aim,
    /// P_uv of every node u, with the self term as the model has it.
    pub weights: Vec<f32>,
    /// What every node u adds to the number asked about, its sign with it.
    pub scores: Vec<f64>,
    /// z_v = Σ_u P_uv ψ(x_u), the parts of all types side by side.
    pub gathered: Vec<f64>,
    /// The number for z = 0: what is said of a node without neighbours.
    pub baseline: f64,
    /// The number itself.
    pub value: f64,
    /// Everything the head gives from R: logits, or the value.
    pub answers: Vec<f64>,
    /// The number as the model itself gave it, in its own precision.
    pub given: Option<f64>,
}

/// The order in which contributors are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ranking {
    /// Those that move the number most, either way.
    #[default]
    Size,
    /// Those that speak most for it first, those against it last.
    Support,
}

impl Explanation {
    /// Explains a number of a node. Exact but for rounding, the same bits for
    /// the same moment.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use gesf_tui::{explain::{Explanation, Moment}, graph::{LoadOptions, NodeId, load}};
    /// # use gesf_tui::{model::{Ground, settings::Settings}, spectral::Cancel, train::Trainer};
    /// let (graph, _) = load("sample_graphs/karate".as_ref(), &LoadOptions::default())?;
    /// let (settings, cancel) = (Settings::default(), Cancel::default());
    /// let ground = Ground::prepare(&Arc::new(graph), &settings, None, &cancel, &mut |_| {})?;
    /// let moment = Moment::of_trainer(&Trainer::new(ground, settings)?)?;
    /// let node = NodeId(0);
    /// let found = Explanation::of(&moment, node, moment.usual_aim(node))?;
    /// assert!((found.baseline + found.sum() - found.value).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(moment: &Moment, node: NodeId, aim: Aim) -> Result<Self, ExplainError> {
        let weights = moment.weights(node)?;
        let mut found = Self::of_weights(moment, node, aim, weights)?;
        found.given = found.given_by(moment);
        Ok(found)
    }

    /// The same for weights of one's own in the place of P's.
    pub(super) fn of_weights(
        moment: &Moment,
        node: NodeId,
        aim: Aim,
        weights: Vec<f32>,
    ) -> Result<Self, ExplainError> {
        let gathered = moment.gather(&weights);
        let reading = moment.reading(node, aim, &gathered)?;
        let image = reading.image(0, &gathered);
        let scores = moment.scores(&weights, &reading.mean_gradient(&image));
        Ok(Self {
            node,
            aim,
            scores,
            baseline: reading.value(&reading.nothing()),
            value: reading.value(&image),
            answers: moment.answers(node, &gathered),
            given: None,
            weights,
            gathered,
        })
    }

    fn given_by(&self, moment: &Moment) -> Option<f64> {
        let outputs = moment.outputs(self.node)?;
        let at = |place: usize| outputs.get(place).map(|&value| f64::from(value));
        match self.aim {
            Aim::Class(class) => at(class.index()),
            Aim::Margin { class, rival } => Some(at(class.index())? - at(rival.index())?),
            Aim::Value if moment.graph().labels().kind() == LabelKind::Numeric => {
                let units = moment.units();
                Some(at(0)? * f64::from(units.deviation) + f64::from(units.mean))
            }
            Aim::Value | Aim::Length => None,
        }
    }

    /// Σ scores: how far the neighbours (and the node itself) move the number.
    pub fn sum(&self) -> f64 {
        self.scores.iter().sum()
    }

    /// Σ |scores|: how much is said at all, for and against.
    pub fn size(&self) -> f64 {
        self.scores.iter().map(|score| score.abs()).sum()
    }

    /// What the node adds to its own number; 0 where the self term is dropped.
    pub fn own(&self) -> f64 {
        self.scores[self.node.index()]
    }

    /// `value` − `baseline` − Σ scores. Rounding alone: gradients along the path
    /// are integrated in closed form.
    pub fn completeness_error(&self) -> f64 {
        self.value - self.baseline - self.sum()
    }

    /// How far the number is from what the model gave in its own precision.
    pub fn rounding_error(&self) -> Option<f64> {
        self.given.map(|given| (self.value - given).abs())
    }

    /// Below this a score is the rounding of P, not a contribution.
    pub fn noise(&self) -> f64 {
        NOISE * (self.value.abs() + self.baseline.abs() + self.size()).max(f64::MIN_POSITIVE)
    }

    /// The strongest contributors, at most so many, without the node itself and
    /// without mere rounding. Ties go to the lower node.
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
    pub fn contribution(&self, moment: &Moment, node: NodeId) -> Vec<f64> {
        let (_, message) = moment.message(node);
        let weight = f64::from(self.weights[node.index()]);
        message.iter().map(|&value| weight * f64::from(value)).collect()
    }

    /// The number without each of some nodes: φ computed anew, exactly.
    pub fn left_out(&self, moment: &Moment, nodes: &[NodeId]) -> Result<Vec<f64>, ExplainError> {
        let case = Case::of(moment, self)?;
        nodes
            .iter()
            .map(|&node| {
                moment.check(node)?;
                let mut image = case.image.clone();
                image.add(-1.0, &case.image_of(node));
                Ok(case.reading.value(&image))
            })
            .collect()
    }

    /// How far Σ_u P_uv ψ(x_u) is from z as the operator gives it by its own way
    /// (all nodes at once, in the model's precision), as a share of z's length.
    /// One product P·H: slow beside the rest on a large graph.
    pub fn sum_error(&self, moment: &Moment) -> Result<f64, ExplainError> {
        let nodes = moment.graph().node_count();
        let width = self.gathered.len();
        let mut values = vec![0.0_f32; nodes * width];
        for node in moment.graph().nodes() {
            let (start, message) = moment.message(node);
            values[node.index() * width + start..][..message.len()].copy_from_slice(message);
        }
        let signal = Signal { values: &values, width };
        let response = &moment.snapshot().response;
        let term: SelfTerm = moment.settings().self_term;
        let applied = moment.ground().operator.apply(response, signal, term, &[])?;
        let z = &applied.output[self.node.index() * width..][..width];
        let square = |sum: f64, (own, z): (&f64, &f32)| sum + (own - f64::from(*z)).powi(2);
        let error = self.gathered.iter().zip(z).fold(0.0, square).sqrt();
        let length = self.gathered.iter().map(|z| z * z).sum::<f64>().sqrt();
        Ok(if length > 0.0 { error / length } else { error })
    }
}

/// An explanation with the function it explains, for questions that take parts
/// of z away.
pub(super) struct Case<'a> {
    moment: &'a Moment,
    weights: &'a [f32],
    pub(super) reading: Reading<'a>,
    pub(super) image: Image,
}

impl<'a> Case<'a> {
    pub(super) fn of(moment: &'a Moment, found: &'a Explanation) -> Result<Self, ExplainError> {
        let reading = moment.reading(found.node, found.aim, &found.gathered)?;
        let image = reading.image(0, &found.gathered);
        Ok(Self { moment, weights: &found.weights, reading, image })
    }

    /// The image of what one node brings.
    pub(super) fn image_of(&self, node: NodeId) -> Image {
        let (start, message) = self.moment.message(node);
        let weight = f64::from(self.weights[node.index()]);
        let part: Vec<f64> = message.iter().map(|&value| weight * f64::from(value)).collect();
        self.reading.image(start, &part)
    }
}
