//! The Node screen's own state: the list, the node that is open, what is known
//! of it, and what a person changed to see what would be.
//!
//! ```text
//! key, mouse, news ─▶ state ─▶ refresh ─ Inquiry ─▶ desk ─┬─▶ Account
//!                                                         └─▶ Listing
//! ```

mod account;
mod inquiry;
mod list;
mod open;
mod what_if;

pub use account::Account;
pub(super) use account::Row;
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

use crate::explain::{Edits, Moment, Ranking};
use crate::graph::{ClassId, NodeId};
use crate::model::settings::Settings;
use crate::train::{Ready, Snapshot};

/// From this width on the test of an explanation has a place of its own.
pub(super) const ROOMY: u16 = 160;

/// A part of the screen; on a small terminal the one that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// All nodes.
    #[default]
    List,
    /// What is known and predicted of the open node.
    Facts,
    /// Who made it.
    Table,
    /// Its neighbourhood drawn.
    Ego,
    /// Whether those are the ones that matter.
    Faithfulness,
}

impl Pane {
    /// Every pane, from left to right.
    pub const ALL: [Self; 5] =
        [Self::List, Self::Facts, Self::Table, Self::Ego, Self::Faithfulness];

    /// The pane so many places on; the ends stay.
    #[must_use]
    pub fn moved(self, by: isize) -> Self {
        let at = Self::ALL.iter().position(|own| *own == self).unwrap_or(0);
        Self::ALL[at.saturating_add_signed(by).min(Self::ALL.len() - 1)]
    }
}

/// By what contributions are added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Slicing {
    /// Every contributor by itself.
    #[default]
    Neighbour,
    /// By distance.
    Ring,
    /// By the length of walks.
    Walk,
    /// By node type.
    Type,
    /// By true label.
    Label,
}

impl Slicing {
    const ALL: [Self; 5] = [Self::Neighbour, Self::Ring, Self::Walk, Self::Type, Self::Label];

    /// The next one, around the end.
    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|own| *own == self).unwrap_or(0);
        Self::ALL[(at + 1) % Self::ALL.len()]
    }

    /// The word for it.
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

/// What explanations are drawn from.
#[derive(Debug, Clone)]
pub struct Source {
    /// What the run stands on.
    pub ready: Arc<Ready>,
    /// The settings in force.
    pub settings: Settings,
    /// The parameters and predictions.
    pub snapshot: Arc<Snapshot>,
}

/// How nodes are looked at.
#[derive(Debug)]
pub struct NodeView {
    /// All nodes.
    pub list: ListView,
    /// The part that listens, or that is shown alone.
    pub pane: Pane,
    /// By what contributions are added up.
    pub slicing: Slicing,
    /// The order of contributors.
    pub ranking: Ranking,
    /// How far the drawn neighbourhood reaches.
    pub hops: u16,
    /// Whether the test of the explanation is shown.
    pub faithfulness: bool,
    /// The class that is explained, where a person chose one.
    pub class: Option<ClassId>,
    /// The contributor that a person chose.
    pub picked: Option<NodeId>,
    /// The moment everything is held at.
    pub frozen: Option<Source>,
    /// What was changed to see what would be.
    pub edits: Edits,
    /// What is known of the open node, or why nothing is.
    pub account: Option<Result<Arc<Account>, String>>,
    /// Nodes to go back to, the nearest last.
    pub back: Vec<NodeId>,
    /// Nodes to go forward to, the nearest last.
    pub forward: Vec<NodeId>,
    /// The node that the rest was set up for.
    settled: Option<NodeId>,
    /// The moment that was made ready last.
    moment: Option<Arc<Moment>>,
    /// What was asked last, and when.
    asked: Option<(inquiry::Wanted, Duration)>,
}

impl Default for NodeView {
    fn default() -> Self {
        Self {
            list: ListView::default(),
            pane: Pane::default(),
            slicing: Slicing::default(),
            ranking: Ranking::default(),
            hops: 2,
            faithfulness: true,
            class: None,
            picked: None,
            frozen: None,
            edits: Edits::default(),
            account: None,
            back: Vec::new(),
            forward: Vec::new(),
            settled: None,
            moment: None,
            asked: None,
        }
    }
}

impl NodeView {
    /// What is known of the open node.
    pub fn known(&self) -> Option<&Arc<Account>> {
        self.account.as_ref()?.as_ref().ok()
    }

    /// Takes what was found out about a node.
    pub fn take(&mut self, account: Result<Arc<Account>, String>) {
        if let Ok(account) = &account {
            self.moment = Some(account.moment.clone());
        }
        self.account = Some(account);
    }

    /// Takes the list of all nodes.
    pub fn take_listing(&mut self, listing: Listing) {
        self.moment = Some(listing.moment.clone());
        self.list.take(listing);
    }

    /// The contributor that is meant: the one picked, as long as it is listed,
    /// else the strongest.
    pub fn row(&self) -> Option<NodeId> {
        let rows = &self.known()?.rows;
        let picked = self.picked.filter(|node| rows.iter().any(|row| row.line.node == *node));
        picked.or(rows.first().map(|row| row.line.node))
    }

    /// Moves among the contributors.
    pub fn go_in_table(&mut self, by: isize) {
        let here = self.row();
        let Some(Ok(account)) = &self.account else { return };
        let at = account.rows.iter().position(|row| Some(row.line.node) == here);
        let last = account.rows.len().saturating_sub(1);
        let next = at.map_or(0, |at| at.saturating_add_signed(by).min(last));
        self.picked = account.rows.get(next).map(|row| row.line.node);
    }
}
