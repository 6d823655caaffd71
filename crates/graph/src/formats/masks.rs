//! Splits that a source gives as a set of nodes for each part.

use super::super::Cell;

/// The parts of a split, as node columns name them.
pub(super) const PARTS: [&str; 3] = ["train", "validation", "test"];

/// Whether each node is in a part, and the part.
pub(super) type Mask = (Vec<bool>, &'static str);

/// The node column of a split; a node of several parts belongs to the first.
pub(super) fn cells(masks: &[Mask], nodes: usize) -> Vec<Cell> {
    let part = |node: usize| {
        let own = masks.iter().find(|(mask, _)| mask.get(node).copied().unwrap_or(false));
        own.map_or(Cell::Empty, |(_, part)| Cell::Text((*part).into()))
    };
    (0..nodes).map(part).collect()
}
