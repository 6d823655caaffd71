//! A moment of a model, made ready to be asked: ψ(x) of every node, φ and the
//! heads in f64. It depends on the snapshot alone, so it is made once for each
//! and every node is then a quick question.

use std::sync::Arc;

use candle_core::{Device, Tensor};
use rayon::prelude::*;

use super::aim::Aim;
use super::network::{Layer, map_of};
use super::reading::Reading;
use super::{ExplainError, dot};
use crate::graph::{ClassId, Graph, LabelKind, NodeId};
use crate::model::settings::Settings;
use crate::model::{Filter, Ground, Groups, OFFSET, TwoLayer, Units};
use crate::spectral::SelfTerm;
use crate::train::{LineId, Ready, Snapshot, Split, Trainer};

/// Nodes whose sums one task makes; cut by their number alone, so that no sum
/// depends on the number of threads.
const SHARE: usize = 1024;

/// A moment of a model.
#[derive(Debug)]
pub struct Moment {
    ready: Arc<Ready>,
    snapshot: Arc<Snapshot>,
    settings: Settings,
    widths: Vec<usize>,
    /// ψ(x) of every node, a block of rows for each type.
    messages: Vec<Vec<f32>>,
    combine: Vec<TwoLayer>,
    heads: Vec<Option<Layer>>,
    filter: Filter,
}

impl Moment {
    /// The moment of a snapshot, with the settings that were in force.
    pub fn of(
        ready: &Arc<Ready>,
        settings: &Settings,
        snapshot: &Arc<Snapshot>,
    ) -> Result<Self, ExplainError> {
        let (groups, state) = (&ready.groups, &snapshot.state);
        let kinds = groups.count();
        let widths: Vec<usize> = (0..kinds).map(|kind| settings.dimension.of(kind)).collect();
        let (mut messages, mut combine, mut heads) = (Vec::new(), Vec::new(), Vec::new());
        for (kind, &width) in widths.iter().enumerate() {
            let psi = map_of(state, &format!("psi.{kind}"), &[width], settings)?;
            let x = state.values(&format!("x.{kind}")).unwrap_or_default();
            if x.len() != groups.members(kind).len() * width {
                return Err(ExplainError::fault(
                    format!("the embeddings of node type {kind}"),
                    format!("{} numbers", x.len()),
                    format!("{width} for each of {} nodes", groups.members(kind).len()),
                    "use the graph and the settings the model was trained with",
                ));
            }
            messages.push(psi.par_forward(x).1);
            combine.push(map_of(state, &format!("phi.{kind}"), &widths, settings)?);
            let name = format!("head.{kind}");
            let head = Layer::exists(state, &name).then(|| Layer::of(state, &name, width));
            let mut head = head.transpose()?;
            if let (Some(head), Some(offset)) = (&mut head, state.values(OFFSET)) {
                head.shift(offset);
            }
            heads.push(head);
        }
        let filter = Filter::of_values(settings, |name| state.values(name))?;
        Ok(Self {
            ready: ready.clone(),
            snapshot: snapshot.clone(),
            settings: settings.clone(),
            widths,
            messages,
            combine,
            heads,
            filter,
        })
    }

    /// The moment that a trainer is at.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use gesf_tui::explain::{Aim, Moment};
    /// use gesf_tui::graph::NodeId;
    /// # let karate = "sample_graphs/karate".as_ref();
    /// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
    /// # let graph = std::sync::Arc::new(graph);
    /// # let settings = gesf_tui::model::settings::Settings { epochs: 20, ..Default::default() };
    /// # let ground = gesf_tui::model::Ground::prepare(
    /// #     &graph, &settings, None, &Default::default(), &mut |_| {},
    /// # )?;
    /// # let mut trainer = gesf_tui::train::Trainer::new(ground, settings)?;
    /// let moment = Moment::of_trainer(&trainer)?;
    /// assert_eq!(moment.graph().node_count(), 34);
    /// // Where nobody says what to ask, it is the class the neighbours speak for.
    /// assert!(matches!(moment.usual_aim(NodeId(0)), Aim::Class(_)));
    /// assert_eq!(moment.outputs(NodeId(0)).map(|logits| logits.len()), Some(2));
    /// # Ok(()) }
    /// ```
    pub fn of_trainer(trainer: &Trainer) -> Result<Self, ExplainError> {
        let line = LineId::default();
        let (snapshot, ready) = (Snapshot::of(line, trainer)?, Ready::of(line, trainer));
        Self::of(&Arc::new(ready), trainer.settings(), &Arc::new(snapshot))
    }

    /// The graph the model sees.
    pub fn graph(&self) -> &Graph {
        &self.ready.ground.graph
    }

    /// What the model stands on.
    pub fn ground(&self) -> &Ground {
        &self.ready.ground
    }

    /// The nodes by type.
    pub fn groups(&self) -> &Groups {
        &self.ready.groups
    }

    /// Which labels are seen.
    pub fn split(&self) -> &Split {
        &self.ready.split
    }

    /// The units of numeric targets.
    pub fn units(&self) -> Units {
        self.ready.units
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The snapshot it was made from.
    pub fn snapshot(&self) -> &Arc<Snapshot> {
        &self.snapshot
    }

    /// ρ at some points of [-1, 1].
    pub(super) fn filter_at(&self, points: &[f32]) -> Result<Vec<f32>, ExplainError> {
        let points = Tensor::from_slice(points, points.len(), &Device::Cpu)?;
        Ok(self.filter.respond(&points)?.to_vec1()?)
    }

    /// What a node is asked about where a person names nothing: the class that
    /// its neighbours speak for, its number, or the length of z.
    pub fn usual_aim(&self, node: NodeId) -> Aim {
        let Some(outputs) = self.outputs(node) else { return Aim::Length };
        if self.graph().labels().kind() == LabelKind::Numeric {
            return Aim::Value;
        }
        let largest = (0..outputs.len()).max_by(|&a, &b| outputs[a].total_cmp(&outputs[b]));
        largest.map_or(Aim::Length, |class| Aim::Class(ClassId(class as u16)))
    }

    /// What the model itself gave for a node from R: logits, or a number in
    /// units of its spread.
    pub fn outputs(&self, node: NodeId) -> Option<&[f32]> {
        if node.index() >= self.graph().node_count() {
            return None;
        }
        let row = self.snapshot.predictions.from_r.row(self.groups(), node);
        row.filter(|row| !row.is_empty())
    }

    /// P_uv of one node and every u, with the self term as the model has it.
    pub(super) fn weights(&self, node: NodeId) -> Result<Vec<f32>, ExplainError> {
        self.check(node)?;
        let (operator, response) = (&self.ground().operator, &self.snapshot.response);
        let mut weights = operator.row(response, node)?;
        if self.settings.self_term == SelfTerm::Drop {
            // Where the diagonal is probed, a rest of the self term stays.
            weights[node.index()] -= operator.diagonal_at(response, node)?;
        }
        Ok(weights)
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
            "name a node of this graph",
        ))
    }

    /// The first column of a type's part of z, and ψ(x_u).
    pub(super) fn message(&self, node: NodeId) -> (usize, &[f32]) {
        let (kind, row) = self.groups().place(node);
        let width = self.widths[kind];
        (self.widths[..kind].iter().sum(), &self.messages[kind][row * width..][..width])
    }

    /// z = Σ_u P_uv ψ(x_u), the parts of all types side by side.
    pub(super) fn gather(&self, weights: &[f32]) -> Vec<f64> {
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
        gathered
    }

    /// P_uv ψ(x_u) · g of every node, in the order of the graph.
    pub(super) fn scores(&self, weights: &[f32], gradient: &[f64]) -> Vec<f64> {
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
        scores
    }

    /// Everything a node's head gives for z: logits, or a number in its own unit.
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

    /// How the number that is asked about follows from z.
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
                    "a node type that something is predicted of",
                    "ask without a class: what its z is made of",
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
                "name a class of this graph",
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
                        "a graph whose labels are no numbers",
                        "numeric labels",
                        "ask for a class",
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
