//! A snapshot of a model prepared for explanations: ψ(x) of every node, φ and the
//! heads in f64. It depends only on the snapshot, so it is built once and each node
//! is then explained quickly.

use std::sync::Arc;

use candle_core::{Device, Tensor};
use rayon::prelude::*;

use super::aim::Aim;
use super::network::{Layer, map_of};
use super::own_features::{FeatureWeights, OwnFeatures};
use super::reading::Reading;
use super::{ExplainError, dot};
use crate::model::settings::{Aggregation, Settings};
use crate::model::{
    Filter, Groups, Inputs, OFFSET, PreparedGraph, SHRINKAGE, TwoLayer, Units, divide_by_size,
    phi_inputs,
};
use crate::train::{BranchId, PreparedRun, Snapshot, Split, Trainer};
use gesf_graph::{ClassId, Graph, LabelKind, NodeId};
use gesf_spectral::SelfTerm;

/// Nodes summed by one task; a fixed size, so that no sum depends on the number of
/// threads.
const SHARE: usize = 1024;

/// The weights of all messages in z of one node.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// P_uv of every node u, divided by their sum if messages are averaged.
    pub(super) weights: Vec<f32>,
    /// That sum: every message has it as one more column. `None` if messages are
    /// summed.
    pub(super) size: Option<f64>,
}

/// A snapshot of a model, prepared for explanations.
#[derive(Debug)]
pub struct ExplainContext {
    ready: Arc<PreparedRun>,
    snapshot: Arc<Snapshot>,
    settings: Settings,
    widths: Vec<usize>,
    aggregation: Aggregation,
    /// ψ(x) of every node, a block of rows for each type.
    messages: Vec<Vec<f32>>,
    combine: Vec<TwoLayer>,
    heads: Vec<Option<Layer>>,
    filter: Filter,
    features: Option<FeatureWeights>,
}

impl ExplainContext {
    /// The context of a snapshot, with its settings.
    pub fn of(
        ready: &Arc<PreparedRun>,
        settings: &Settings,
        snapshot: &Arc<Snapshot>,
    ) -> Result<Self, ExplainError> {
        let (groups, state) = (&ready.groups, &snapshot.state);
        let kinds = groups.count();
        let widths = settings.dimension.of_types(kinds, ready.prepared.graph.node_count());
        let aggregation = state.aggregation(&widths);
        let inputs = phi_inputs(&widths, aggregation);
        let (mut messages, mut combine, mut heads) = (Vec::new(), Vec::new(), Vec::new());
        for (kind, &width) in widths.iter().enumerate() {
            let psi = map_of(state, &format!("psi.{kind}"), &Inputs::of(&[width]), settings)?;
            let x = state.values(&format!("x.{kind}")).unwrap_or_default();
            if x.len() != groups.members(kind).len() * width {
                return Err(ExplainError::fault(
                    format!("embeddings of node type {kind}"),
                    format!("{} numbers", x.len()),
                    format!("{width} for each of {} nodes", groups.members(kind).len()),
                    "use the graph and the settings the model was trained with",
                ));
            }
            messages.push(psi.par_forward(x).1);
            combine.push(map_of(state, &format!("phi.{kind}"), &inputs, settings)?);
            let name = format!("head.{kind}");
            let head = Layer::exists(state, &name).then(|| Layer::of(state, &name, width));
            let mut head = head.transpose()?;
            if let (Some(head), Some([by])) = (&mut head, state.values(SHRINKAGE)) {
                head.shrink(*by);
            }
            if let (Some(head), Some(offset)) = (&mut head, state.values(OFFSET)) {
                head.shift(offset);
            }
            heads.push(head);
        }
        let filter = Filter::of_values(settings, |name| state.values(name))?;
        let features = ready.prepared.features.as_ref();
        let features = features.map(|own| FeatureWeights::of(own, state, &widths)).transpose()?;
        Ok(Self {
            ready: ready.clone(),
            snapshot: snapshot.clone(),
            settings: settings.clone(),
            widths,
            aggregation,
            messages,
            combine,
            heads,
            filter,
            features,
        })
    }

    /// The context of a trainer's current state.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use gesf_core::explain::{Aim, ExplainContext};
    /// use gesf_graph::NodeId;
    /// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
    /// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
    /// # let graph = std::sync::Arc::new(graph);
    /// # let settings = gesf_core::model::settings::Settings { epochs: 20, ..Default::default() };
    /// # let prepared = gesf_core::model::PreparedGraph::prepare(
    /// #     &graph, &settings, None, &Default::default(), &mut |_| {},
    /// # )?;
    /// # let mut trainer = gesf_core::train::Trainer::new(prepared, settings)?;
    /// let context = ExplainContext::of_trainer(&trainer)?;
    /// assert_eq!(context.graph().node_count(), 34);
    /// // By default it explains the class predicted from R.
    /// assert!(matches!(context.usual_aim(NodeId(0)), Aim::Class(_)));
    /// assert_eq!(context.outputs(NodeId(0)).map(|logits| logits.len()), Some(2));
    /// # Ok(()) }
    /// ```
    pub fn of_trainer(trainer: &Trainer) -> Result<Self, ExplainError> {
        let line = BranchId::default();
        let (snapshot, ready) = (Snapshot::of(line, trainer)?, PreparedRun::of(line, trainer));
        Self::of(&Arc::new(ready), trainer.settings(), &Arc::new(snapshot))
    }

    /// The graph the model sees.
    pub fn graph(&self) -> &Graph {
        &self.ready.prepared.graph
    }

    /// The prepared graph of the model.
    pub fn prepared(&self) -> &PreparedGraph {
        &self.ready.prepared
    }

    /// The nodes by type.
    pub fn groups(&self) -> &Groups {
        &self.ready.groups
    }

    /// The split of the labelled nodes.
    pub fn split(&self) -> &Split {
        &self.ready.split
    }

    /// The units of numeric targets.
    pub fn units(&self) -> Units {
        self.ready.units
    }

    /// The current settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The snapshot it was made from.
    pub fn snapshot(&self) -> &Arc<Snapshot> {
        &self.snapshot
    }

    /// ρ at the given points of [-1, 1], as P uses it.
    pub(super) fn filter_at(&self, points: &[f32]) -> Result<Vec<f32>, ExplainError> {
        let points = Tensor::from_slice(points, points.len(), &Device::Cpu)?;
        let response = self.filter.respond(&points)?.to_vec1::<f32>()?;
        Ok(response.into_iter().map(|own| self.neighbour_weight() * own).collect())
    }

    /// The weight of the neighbours in z: 2(1−β), or 1 without features.
    pub(super) fn neighbour_weight(&self) -> f32 {
        self.features.as_ref().map_or(1.0, |own| own.neighbours)
    }

    /// The own features of a node, if the model uses features.
    pub(super) fn own_features(&self, node: NodeId) -> Option<OwnFeatures> {
        let (kind, row) = self.groups().place(node);
        let start = self.widths[..kind].iter().sum();
        Some(self.features.as_ref()?.of_node(kind, row, (start, self.widths[kind])))
    }

    /// The value explained by default: the logit of the class predicted from R, the
    /// predicted number, or the length of z.
    pub fn usual_aim(&self, node: NodeId) -> Aim {
        let Some(outputs) = self.outputs(node) else { return Aim::Length };
        if self.graph().labels().kind() == LabelKind::Numeric {
            return Aim::Value;
        }
        let largest = (0..outputs.len()).max_by(|&a, &b| outputs[a].total_cmp(&outputs[b]));
        largest.map_or(Aim::Length, |class| Aim::Class(ClassId(class as u16)))
    }

    /// The model's outputs for a node from R: logits, or a number in standard
    /// deviations.
    pub fn outputs(&self, node: NodeId) -> Option<&[f32]> {
        if node.index() >= self.graph().node_count() {
            return None;
        }
        let row = self.snapshot.predictions.from_r.row(self.groups(), node);
        row.filter(|row| !row.is_empty())
    }

    /// The row of one node, with the self term of the model.
    pub(super) fn row(&self, node: NodeId) -> Result<Row, ExplainError> {
        self.check(node)?;
        let (operator, response) = (&self.prepared().operator, &self.snapshot.response);
        let mut weights = operator.row(response, node)?;
        if self.settings.self_term == SelfTerm::Drop {
            // If the diagonal is estimated, part of the self term remains.
            weights[node.index()] -= operator.diagonal_at(response, node)?;
        }
        Ok(self.row_of(weights))
    }

    /// A row of P as the model uses it: as it is, or divided by its sum.
    pub(super) fn row_of(&self, mut weights: Vec<f32>) -> Row {
        let factor = self.neighbour_weight();
        let is_mean = self.aggregation == Aggregation::Mean;
        let size = is_mean.then(|| divide_by_size(&mut weights, factor));
        Row { weights, size }
    }

    /// An error unless the node exists.
    pub(super) fn check(&self, node: NodeId) -> Result<(), ExplainError> {
        let nodes = self.graph().node_count();
        if node.index() < nodes {
            return Ok(());
        }
        Err(ExplainError::fault(
            "a node",
            format!("number {}", node.0),
            format!("a number below {nodes}"),
            "use a node of this graph",
        ))
    }

    /// The first column of a type's block of z, and ψ(x_u).
    pub(super) fn message(&self, node: NodeId) -> (usize, &[f32]) {
        let (kind, row) = self.groups().place(node);
        let width = self.widths[kind];
        (self.widths[..kind].iter().sum(), &self.messages[kind][row * width..][..width])
    }

    /// z = Σ_u P_uv ψ(x_u), the blocks of all types side by side.
    pub(super) fn gather(&self, Row { weights, size }: &Row) -> Vec<f64> {
        let mut gathered = Vec::new();
        for (kind, &width) in self.widths.iter().enumerate() {
            let members = self.groups().members(kind);
            let shares = members.par_chunks(SHARE);
            let rows = self.messages[kind].par_chunks((SHARE * width).max(1));
            let parts: Vec<Vec<f64>> = shares
                .zip(rows)
                .map(|(nodes, rows)| {
                    let mut sum = vec![0.0; width];
                    for (&node, row) in nodes.iter().zip(rows.chunks(width)) {
                        let weight = f64::from(weights[node as usize]);
                        sum.iter_mut().zip(row).for_each(|(s, m)| *s += weight * f64::from(*m));
                    }
                    sum
                })
                .collect();
            let mut sum = vec![0.0; width];
            for part in parts {
                sum.iter_mut().zip(part).for_each(|(sum, own)| *sum += own);
            }
            gathered.extend(sum);
        }
        let total = || weights.iter().map(|&weight| f64::from(weight)).sum::<f64>();
        gathered.extend(size.map(|size| size * total()));
        gathered
    }

    /// P_uv ψ(x_u) · g of every node, in graph order.
    pub(super) fn scores(&self, Row { weights, size }: &Row, gradient: &[f64]) -> Vec<f64> {
        let mut scores = vec![0.0; weights.len()];
        let mut start = 0;
        for (kind, &width) in self.widths.iter().enumerate() {
            let gradient = &gradient[start..start + width];
            start += width;
            let members = self.groups().members(kind);
            let shares = members.par_chunks(SHARE);
            let rows = self.messages[kind].par_chunks((SHARE * width).max(1));
            let found: Vec<Vec<f64>> = shares
                .zip(rows)
                .map(|(nodes, rows)| {
                    let rows = nodes.iter().zip(rows.chunks(width));
                    rows.map(|(&node, row)| f64::from(weights[node as usize]) * dot(row, gradient))
                        .collect()
                })
                .collect();
            for (&node, score) in members.iter().zip(found.into_iter().flatten()) {
                scores[node as usize] = score;
            }
        }
        if let (Some(size), Some(gradient)) = (size, gradient.get(start)) {
            let by_size = scores.iter_mut().zip(weights);
            by_size.for_each(|(score, weight)| *score += f64::from(*weight) * size * gradient);
        }
        scores
    }

    /// All head outputs for z: logits, or a number in its own unit.
    pub(super) fn answers(&self, node: NodeId, gathered: &[f64]) -> Vec<f64> {
        let (kind, _) = self.groups().place(node);
        let Some(head) = &self.heads[kind] else { return Vec::new() };
        let mut answers = head.forward(&self.combine[kind].forward_wide(gathered));
        if self.graph().labels().kind() == LabelKind::Numeric {
            let units = self.units();
            let (mean, deviation) = (f64::from(units.mean), f64::from(units.deviation));
            for value in &mut answers {
                *value = *value * deviation + mean;
            }
        }
        answers
    }

    /// The explained value as a function of z.
    pub(super) fn reading(
        &self,
        node: NodeId,
        aim: Aim,
        gathered: &[f64],
    ) -> Result<Reading<'_>, ExplainError> {
        let (kind, _) = self.groups().place(node);
        let network = &self.combine[kind];
        let classes = self.graph().labels().classes().map_or(0, |own| own.names().len());
        let head = |wanted: &str| {
            self.heads[kind].as_ref().ok_or_else(|| {
                ExplainError::fault(
                    format!("node {}", self.graph().ids().text(node)),
                    format!("{wanted} of a node type without labels"),
                    "a node type with labels",
                    "explain it without a class: its z",
                )
            })
        };
        let known = |class: ClassId| {
            if class.index() < classes {
                return Ok(class.index());
            }
            Err(ExplainError::fault(
                "a class",
                format!("number {}", class.0),
                format!("a number below {classes}"),
                "use a class of this graph",
            ))
        };
        Ok(match aim {
            Aim::Class(class) => {
                Reading::of_head(network, head("a class")?, &[(known(class)?, 1.0)], 0.0)
            }
            Aim::Margin { class, rival } => {
                let factors = [(known(class)?, 1.0), (known(rival)?, -1.0)];
                Reading::of_head(network, head("classes")?, &factors, 0.0)
            }
            Aim::Value => {
                if self.graph().labels().kind() != LabelKind::Numeric {
                    return Err(ExplainError::fault(
                        "the value of a node",
                        "a graph without numeric labels",
                        "numeric labels",
                        "explain a class instead",
                    ));
                }
                let units = self.units();
                let factors = [(0, f64::from(units.deviation))];
                Reading::of_head(network, head("a value")?, &factors, f64::from(units.mean))
            }
            Aim::Length => {
                let length = gathered.iter().map(|z| z * z).sum::<f64>().sqrt();
                let unit = |z: &f64| if length > 0.0 { z / length } else { 0.0 };
                Reading::along(gathered.iter().map(unit).collect())
            }
        })
    }
}
