//! The nodes of each type, and the mapping between graph order and model order, in
//! which each type is a block of rows.

use candle_core::{Device, Result, Tensor};

use gesf_graph::{Graph, NodeId};

/// The nodes by type.
#[derive(Debug, Clone)]
pub struct Groups {
    members: Vec<Vec<u32>>,
    places: Vec<(u16, u32)>,
    /// For several types: the row of each node in the stacked blocks, and the nodes
    /// of each block.
    moves: Option<(Tensor, Vec<Tensor>)>,
}

impl Groups {
    /// The nodes of a graph by type.
    pub fn of(graph: &Graph, device: &Device) -> Result<Self> {
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); graph.types().count()];
        let mut places = Vec::with_capacity(graph.node_count());
        for node in graph.nodes() {
            let kind = graph.types().of(node);
            let block = &mut members[kind.index()];
            places.push((kind.0, block.len() as u32));
            block.push(node.0);
        }
        let moves = if members.len() > 1 {
            let starts: Vec<u32> = members
                .iter()
                .scan(0, |start, block| {
                    let own = *start;
                    *start += block.len() as u32;
                    Some(own)
                })
                .collect();
            let rows: Vec<u32> =
                places.iter().map(|&(kind, row)| starts[kind as usize] + row).collect();
            let rows = Tensor::from_vec(rows, graph.node_count(), device)?;
            let block = |nodes: &Vec<u32>| Tensor::from_slice(nodes, nodes.len(), device);
            Some((rows, members.iter().map(block).collect::<Result<Vec<_>>>()?))
        } else {
            None
        };
        Ok(Self { members, places, moves })
    }

    /// How many types there are: K.
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// The nodes of a type, in the order of the graph.
    pub fn members(&self, kind: usize) -> &[u32] {
        &self.members[kind]
    }

    /// The type of a node, and its row within that type.
    pub fn place(&self, node: NodeId) -> (usize, usize) {
        let (kind, row) = self.places[node.index()];
        (kind as usize, row as usize)
    }

    /// Blocks of rows by type, each in its own columns, as one matrix in graph
    /// order: everything else is 0.
    pub(super) fn join(&self, blocks: &[Tensor]) -> Result<Tensor> {
        let Some((rows, _)) = &self.moves else { return Ok(blocks[0].clone()) };
        let widths: Vec<usize> = blocks.iter().map(|b| b.dim(1)).collect::<Result<_>>()?;
        let whole: usize = widths.iter().sum();
        let mut start = 0;
        let mut padded = Vec::with_capacity(blocks.len());
        for (block, width) in blocks.iter().zip(&widths) {
            padded.push(block.pad_with_zeros(1, start, whole - start - width)?);
            start += width;
        }
        Tensor::cat(&padded, 0)?.index_select(rows, 0)
    }

    /// The rows of each type from a matrix in graph order.
    pub(super) fn part(&self, whole: &Tensor) -> Result<Vec<Tensor>> {
        let Some((_, nodes)) = &self.moves else { return Ok(vec![whole.clone()]) };
        nodes.iter().map(|nodes| whole.index_select(nodes, 0)).collect()
    }
}
