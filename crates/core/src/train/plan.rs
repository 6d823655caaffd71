//! Which nodes contribute to the loss of a step: all of them, or a batch.

use candle_core::{Device, Result, Tensor};

use crate::model::random::{shuffle, stream};
use crate::model::settings::{Batch, Settings};
use crate::model::{Groups, Targets, Units};
use gesf_graph::{Graph, NodeId};

/// The nodes of one type that contribute to the loss.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// Their rows among the nodes of the type; `None` for all.
    pub(super) rows: Option<Tensor>,
    pub(super) count: usize,
    /// Rows with training labels, and their targets.
    pub(super) labelled: Option<(Tensor, Targets)>,
}

/// The nodes of a step, by type.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) parts: Vec<Part>,
    /// Number of training labels in the step.
    pub(super) train: usize,
}

/// What plans are built from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Planner<'a> {
    pub(super) graph: &'a Graph,
    pub(super) groups: &'a Groups,
    pub(super) train: &'a [NodeId],
    pub(super) units: Units,
    pub(super) device: &'a Device,
}

impl Planner<'_> {
    /// A step over all nodes.
    pub(super) fn full(&self) -> Result<Plan> {
        let part = |kind: usize| {
            let count = self.groups.members(kind).len();
            Ok(Part { rows: None, count, labelled: self.labelled(kind, self.train)? })
        };
        let parts = (0..self.groups.count()).map(part).collect::<Result<_>>()?;
        Ok(Plan { parts, train: self.train.len() })
    }

    /// The steps of an epoch in batches: every node once, in an order that depends
    /// only on the seed and the epoch.
    pub(super) fn batches(&self, settings: &Settings, epoch: usize) -> Result<Vec<Plan>> {
        let Batch::Nodes(size) = settings.batch else { return Ok(Vec::new()) };
        let mut order: Vec<NodeId> = self.graph.nodes().collect();
        shuffle(&mut stream(settings.seed, &format!("batches of epoch {epoch}")), &mut order);
        order.chunks_mut(size.max(1)).map(|batch| self.batch(batch)).collect()
    }

    fn batch(&self, batch: &mut [NodeId]) -> Result<Plan> {
        batch.sort_unstable();
        let train: Vec<NodeId> =
            batch.iter().copied().filter(|node| self.train.binary_search(node).is_ok()).collect();
        let part = |kind: usize| {
            let places = batch.iter().map(|node| self.groups.place(*node));
            let rows: Vec<u32> =
                places.filter(|place| place.0 == kind).map(|place| place.1 as u32).collect();
            let count = rows.len();
            let rows = Some(Tensor::from_vec(rows, count, self.device)?);
            Ok(Part { rows, count, labelled: self.labelled(kind, &train)? })
        };
        let parts = (0..self.groups.count()).map(part).collect::<Result<_>>()?;
        Ok(Plan { parts, train: train.len() })
    }

    fn labelled(&self, kind: usize, train: &[NodeId]) -> Result<Option<(Tensor, Targets)>> {
        let of_kind = |node: &NodeId| self.groups.place(*node).0 == kind;
        let own: Vec<NodeId> = train.iter().copied().filter(of_kind).collect();
        if own.is_empty() {
            return Ok(None);
        }
        let rows: Vec<u32> = own.iter().map(|node| self.groups.place(*node).1 as u32).collect();
        let rows = Tensor::from_vec(rows, own.len(), self.device)?;
        let targets = Targets::of(self.graph.labels(), &own, self.units, self.device)?;
        Ok(targets.map(|targets| (rows, targets)))
    }
}
