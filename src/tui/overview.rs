//! State of the Overview screen: which box has the focus, and where it leads.

use super::lab;
use super::map::nearest;
use super::message::Effect;
use super::node::{NodePane, Slicing};
use super::state::{Focus, Screen, State};
use crate::graph::NodeId;
use crate::lab::Experiment;

/// The narrowest terminal that has the screen, in columns.
pub(super) const LEAST_COLUMNS: u16 = 120;
/// The layout of larger graphs would take time from training; the Map screen computes
/// it on request.
pub(super) const SMALL_GRAPH: usize = 5_000;
/// Maximum distance to a node under the mouse, in columns.
const NEAR: f64 = 3.0;

/// A box of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OverviewBox {
    /// The map of the graph.
    #[default]
    Graph,
    /// ψ.
    Message,
    /// Hop weights and ρ.
    Filter,
    /// φ.
    Combine,
    /// The scores of all predictions.
    Prediction,
    /// The top contributors of the node.
    Neighbours,
    /// What each distance brings to the node.
    Hops,
    /// The prediction for the node.
    Outcome,
    /// The loss.
    Loss,
    /// The scores over the epochs.
    Score,
}

impl OverviewBox {
    /// Every box, in reading order.
    pub const ALL: [Self; 10] = [
        Self::Graph,
        Self::Message,
        Self::Filter,
        Self::Combine,
        Self::Prediction,
        Self::Neighbours,
        Self::Hops,
        Self::Outcome,
        Self::Loss,
        Self::Score,
    ];

    /// The box a number of places further on, wrapping around.
    #[must_use]
    pub fn rotated(self, by: isize) -> Self {
        let at = Self::ALL.iter().position(|own| *own == self).unwrap_or(0) as isize;
        Self::ALL[(at + by).rem_euclid(Self::ALL.len() as isize) as usize]
    }

    /// The screen that shows it in full.
    fn screen(self) -> Screen {
        match self {
            Self::Graph => Screen::Map,
            Self::Message | Self::Combine => Screen::Lab,
            Self::Filter => Screen::Filter,
            Self::Prediction => Screen::Runs,
            Self::Neighbours | Self::Hops | Self::Outcome => Screen::Node,
            Self::Loss | Self::Score => Screen::Train,
        }
    }
}

/// Opens the screen of a box, at what the box shows.
pub(super) fn open_box(state: &mut State, which: OverviewBox) -> Vec<Effect> {
    state.graph.overview = which;
    state.screen = which.screen();
    let experiment = match which {
        OverviewBox::Message => Some(Experiment::Aggregators),
        OverviewBox::Combine => Some(Experiment::Theorem),
        _ => None,
    };
    lab::settle(state);
    if let Some((lab, open)) = state.lab.as_mut().zip(experiment) {
        lab.open = open;
    }
    let node = &mut state.graph.node;
    match which {
        OverviewBox::Neighbours => {
            (node.pane, node.slicing) = (NodePane::Table, Slicing::Neighbour);
        }
        OverviewBox::Hops => (node.pane, node.slicing) = (NodePane::Table, Slicing::Ring),
        OverviewBox::Outcome => node.pane = NodePane::Facts,
        OverviewBox::Loss | OverviewBox::Score => state.graph.focus = Focus::Plot,
        _ => {}
    }
    Vec::new()
}

/// A click on the small map: follows the node there; elsewhere it opens the map.
pub(super) fn click_map(state: &mut State, column: u16, row: u16) -> Vec<Effect> {
    let near = state.hits.map().and_then(|frame| {
        let places = state.graph.map.places()?;
        nearest(places, &frame, frame.place(column, row), NEAR)
    });
    match near {
        Some(node) => {
            state.graph.chosen_node = Some(node);
            Vec::new()
        }
        None => open_box(state, OverviewBox::Graph),
    }
}

/// Follows the node a number of places further on, wrapping around.
pub(super) fn go_to_node(state: &mut State, by: isize) {
    let Some(ready) = &state.graph.session.ready else { return };
    let count = ready.prepared.graph.node_count() as isize;
    if count > 0 {
        let at = state.graph.chosen_node.map_or(0, |node| node.index() as isize);
        state.graph.chosen_node = Some(NodeId::from((at + by).rem_euclid(count) as usize));
    }
}
