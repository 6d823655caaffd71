//! State of the Node screen: the list, the open node, its explanation, and the user's
//! what-if edits.
//!
//! ```text
//! key, mouse, news ─▶ state ─▶ refresh ─ Inquiry ─▶ slot ─┬─▶ NodeExplanation
//!                                                         └─▶ Listing
//! ```

mod explanation;
mod inquiry;
mod list;
mod open;
mod what_if;

pub use explanation::NodeExplanation;
pub(super) use explanation::Row;
pub use inquiry::Inquiry;
pub(super) use inquiry::{freeze, refresh};
pub use list::Listing;
pub(super) use list::{ListView, next_filter, next_sort, search_again, search_key, sort_by};
pub(super) use open::{go_back, go_forward, go_in_list, open_node, settle};
pub(super) use what_if::{
    cut, edit_as_described, edits_in_words, flip, hide, in_words, join, named, retrain, toggle,
    undo,
};

use std::sync::Arc;
use std::time::Duration;

use crate::explain::{Edits, ExplainContext, Ranking};
use crate::graph::{ClassId, NodeId};
use crate::model::settings::Settings;
use crate::train::{PreparedRun, Snapshot};

/// From this width on the faithfulness test has a separate pane.
pub(super) const ROOMY: u16 = 160;

/// A pane of the screen; on a small terminal only one is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NodePane {
    /// All nodes.
    #[default]
    List,
    /// Facts and prediction of the open node.
    Facts,
    /// Its contributors.
    Table,
    /// The drawing of its neighbourhood.
    Ego,
    /// The faithfulness test.
    Faithfulness,
}

impl NodePane {
    /// Every pane, from left to right.
    pub const ALL: [Self; 5] =
        [Self::List, Self::Facts, Self::Table, Self::Ego, Self::Faithfulness];

    /// The pane a number of places further on, stopping at the ends.
    #[must_use]
    pub fn moved(self, by: isize) -> Self {
        let at = Self::ALL.iter().position(|own| *own == self).unwrap_or(0);
        Self::ALL[at.saturating_add_signed(by).min(Self::ALL.len() - 1)]
    }
}

/// How contributions are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Slicing {
    /// Each contributor separately.
    #[default]
    Neighbour,
    /// By distance.
    Ring,
    /// By walk length.
    Walk,
    /// By node type.
    Type,
    /// By true label.
    Label,
}

impl Slicing {
    const ALL: [Self; 5] = [Self::Neighbour, Self::Ring, Self::Walk, Self::Type, Self::Label];

    /// The next grouping, wrapping around.
    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|own| *own == self).unwrap_or(0);
        Self::ALL[(at + 1) % Self::ALL.len()]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Neighbour => "neighbour",
            Self::Ring => "distance",
            Self::Walk => "walk",
            Self::Type => "type",
            Self::Label => "label",
        }
    }
}

/// The data that explanations are computed from.
#[derive(Debug, Clone)]
pub struct ExplainSource {
    /// The graph and split of the run.
    pub ready: Arc<PreparedRun>,
    /// The settings in effect.
    pub settings: Settings,
    /// The parameters and predictions.
    pub snapshot: Arc<Snapshot>,
}

/// How nodes are displayed.
#[derive(Debug)]
pub struct NodeView {
    /// All nodes.
    pub list: ListView,
    /// The focused pane, or the only one shown.
    pub pane: NodePane,
    /// How contributions are grouped.
    pub slicing: Slicing,
    /// The order of contributors.
    pub ranking: Ranking,
    /// Number of hops drawn.
    pub hops: u16,
    /// Whether the faithfulness test is shown.
    pub faithfulness: bool,
    /// The class to explain, if the user chose one.
    pub class: Option<ClassId>,
    /// The contributor the user selected.
    pub picked: Option<NodeId>,
    /// The data everything is frozen at.
    pub frozen: Option<ExplainSource>,
    /// What-if edits.
    pub edits: Edits,
    /// The explanation of the open node, or the error.
    pub explanation: Option<Result<Arc<NodeExplanation>, String>>,
    /// Nodes to go back to, the latest last.
    pub back: Vec<NodeId>,
    /// Nodes to go forward to, the latest last.
    pub forward: Vec<NodeId>,
    /// The node the state was initialised for.
    settled: Option<NodeId>,
    /// The context prepared last.
    context: Option<Arc<ExplainContext>>,
    /// The last request and its time.
    asked: Option<(inquiry::Wanted, Duration)>,
    /// How long the last explanation took.
    cost: Duration,
}

impl Default for NodeView {
    fn default() -> Self {
        Self {
            list: ListView::default(),
            pane: NodePane::default(),
            slicing: Slicing::default(),
            ranking: Ranking::default(),
            hops: 2,
            faithfulness: true,
            class: None,
            picked: None,
            frozen: None,
            edits: Edits::default(),
            explanation: None,
            back: Vec::new(),
            forward: Vec::new(),
            settled: None,
            context: None,
            asked: None,
            cost: Duration::ZERO,
        }
    }
}

impl NodeView {
    /// The explanation of the open node.
    pub fn known(&self) -> Option<&Arc<NodeExplanation>> {
        self.explanation.as_ref()?.as_ref().ok()
    }

    /// Stores an explanation.
    pub fn take(&mut self, explanation: Result<Arc<NodeExplanation>, String>, now: Duration) {
        self.cost = self.asked.as_ref().map_or(Duration::ZERO, |(_, at)| now.saturating_sub(*at));
        if let Ok(explanation) = &explanation {
            self.context = Some(explanation.context.clone());
        }
        self.explanation = Some(explanation);
    }

    /// Stores the list of all nodes.
    pub fn take_listing(&mut self, listing: Listing) {
        self.context = Some(listing.context.clone());
        self.list.take(listing);
    }

    /// The selected contributor, if it is listed, or else the top one.
    pub fn row(&self) -> Option<NodeId> {
        let rows = &self.known()?.rows;
        let picked = self.picked.filter(|node| rows.iter().any(|row| row.line.node == *node));
        picked.or(rows.first().map(|row| row.line.node))
    }

    /// Moves the selection among the contributors.
    pub fn go_in_table(&mut self, by: isize) {
        let here = self.row();
        let Some(Ok(explanation)) = &self.explanation else { return };
        let at = explanation.rows.iter().position(|row| Some(row.line.node) == here);
        let last = explanation.rows.len().saturating_sub(1);
        let next = at.map_or(0, |at| at.saturating_add_signed(by).min(last));
        self.picked = explanation.rows.get(next).map(|row| row.line.node);
    }
}
