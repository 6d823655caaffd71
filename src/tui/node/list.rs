//! The list of all nodes: search, filter, sort order and position. Rows are formatted
//! only when they are drawn.

use std::sync::Arc;

use ratatui::crossterm::event::KeyCode;

use super::{ExplainSource, NodePane, go_in_list};
use crate::explain::{
    Directory, ExplainContext, LabelUse, NodeFacts, NodeFilter, Query, Roster, Sort,
};
use crate::graph::{ClassId, Classes, Graph, NodeId, TypeId};
use crate::tui::commands::Chord;
use crate::tui::message::Effect;
use crate::tui::state::State;
use crate::tui::text_input::TextInput;

/// Every node, in one context.
#[derive(Debug, Clone)]
pub struct Listing {
    /// The context.
    pub context: Arc<ExplainContext>,
    /// Search texts and sort ranks.
    pub directory: Arc<Directory>,
    /// Facts about every node.
    pub roster: Arc<Roster>,
}

impl Listing {
    /// Whether it was made from this data.
    pub(super) fn is_of(&self, source: &ExplainSource) -> bool {
        Arc::ptr_eq(self.context.snapshot(), &source.snapshot)
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        self.context.graph()
    }

    /// Facts about a node.
    pub fn facts(&self, node: NodeId) -> Option<&NodeFacts> {
        self.roster.facts.get(node.index())
    }
}

/// The list as displayed.
#[derive(Debug, Default)]
pub struct ListView {
    /// Every node.
    pub listing: Option<Listing>,
    /// The query on the list.
    pub query: Query,
    /// The search text being typed.
    pub typed: Option<TextInput>,
    /// The matching nodes, in order.
    pub rows: Vec<NodeId>,
    /// The selected index.
    pub at: usize,
}

impl ListView {
    /// The directory, if it belongs to this graph.
    pub(super) fn directory(&self, source: &ExplainSource) -> Option<Arc<Directory>> {
        let listing = self.listing.as_ref()?;
        let same = std::ptr::eq(listing.graph(), Arc::as_ptr(&source.ready.prepared.graph));
        same.then(|| listing.directory.clone())
    }

    /// Stores a newer list; the selected node stays selected if it still matches.
    pub(super) fn take(&mut self, listing: Listing) {
        self.listing = Some(listing);
        self.select();
    }

    /// Updates the matching nodes.
    pub(super) fn select(&mut self) {
        let here = self.rows.get(self.at).copied();
        let Some(listing) = &self.listing else { return };
        self.rows = listing.directory.select(&listing.roster, &self.query);
        self.go_to(here);
    }

    /// Selects a node, if it matches.
    pub(super) fn go_to(&mut self, node: Option<NodeId>) {
        let place = node.and_then(|node| self.rows.iter().position(|own| *own == node));
        self.at = place.unwrap_or(self.at).min(self.rows.len().saturating_sub(1));
    }

    /// Discards the data of a graph.
    pub(super) fn forget(&mut self) {
        let query = Query { sort: self.query.sort, ..Query::default() };
        *self = Self { query, ..Self::default() };
    }

    /// The active filter in words.
    pub fn filter_name(&self) -> String {
        let graph = self.listing.as_ref().map(Listing::graph);
        let class = |class: ClassId| {
            let names = graph.and_then(|own| own.labels().classes()).map(Classes::names);
            names.and_then(|own| own.get(class.index())).cloned().unwrap_or_default()
        };
        match self.query.filter {
            NodeFilter::All => "all".to_owned(),
            NodeFilter::Wrong => "wrong".to_owned(),
            NodeFilter::ConfidentAndWrong => "confident and wrong".to_owned(),
            NodeFilter::LeastSure => "least confident".to_owned(),
            NodeFilter::Class(own) => format!("label {}", class(own)),
            NodeFilter::Predicted(own) => format!("predicted {}", class(own)),
            NodeFilter::Type(own) => {
                let name = graph.and_then(|graph| graph.types().names().get(own.index()));
                format!("type {}", name.map_or("", String::as_str))
            }
            NodeFilter::LabelUse(part) => part.name().to_owned(),
        }
    }
}

/// A node for display: its id, and its name if different.
pub(super) fn shown(graph: &Graph, node: NodeId) -> String {
    let (id, name) = (graph.ids().text(node), graph.name(node));
    if id == name || name.is_empty() { id.to_owned() } else { format!("{id} {name}") }
}

/// The filters that apply to this graph, in order.
fn filters(graph: &Graph) -> Vec<NodeFilter> {
    let mut all = vec![NodeFilter::All];
    let labels = graph.labels();
    if labels.kind() != crate::graph::LabelKind::None {
        all.extend([NodeFilter::Wrong, NodeFilter::ConfidentAndWrong, NodeFilter::LeastSure]);
        all.extend(
            [LabelUse::Unlabelled, LabelUse::Train, LabelUse::Validation, LabelUse::Test]
                .map(NodeFilter::LabelUse),
        );
    }
    let types = graph.types().count();
    if types > 1 {
        all.extend((0..types).map(|kind| NodeFilter::Type(TypeId(kind as u16))));
    }
    let classes = labels.classes().map_or(0, |own| own.names().len());
    let each = || (0..classes).map(|class| ClassId(class as u16));
    all.extend(each().map(NodeFilter::Class));
    all.extend(each().map(NodeFilter::Predicted));
    all
}

/// Switches to another filter.
pub(in crate::tui) fn next_filter(state: &mut State, by: isize) -> Vec<Effect> {
    let Some(listing) = &state.graph.node.list.listing else { return Vec::new() };
    let all = filters(listing.graph());
    let at = all.iter().position(|own| *own == state.graph.node.list.query.filter).unwrap_or(0);
    let next = (at as isize + by).rem_euclid(all.len() as isize) as usize;
    state.graph.node.list.query.filter = all[next];
    search_again(state)
}

const SORTS: [Sort; 7] = [
    Sort::Node,
    Sort::Id,
    Sort::Name,
    Sort::Truth,
    Sort::Prediction,
    Sort::Confidence,
    Sort::Degree,
];

/// Sorts by the next column.
pub(in crate::tui) fn next_sort(state: &mut State) -> Vec<Effect> {
    let sort = state.graph.node.list.query.sort;
    let at = SORTS.iter().position(|own| *own == sort).unwrap_or(0);
    sort_by(state, SORTS[(at + 1) % SORTS.len()])
}

/// Sorts by a column; again by the same one, in reverse.
pub(in crate::tui) fn sort_by(state: &mut State, sort: Sort) -> Vec<Effect> {
    let query = &mut state.graph.node.list.query;
    if query.sort == sort {
        query.reversed = !query.reversed;
    } else {
        // High degrees are the interesting ones.
        (query.sort, query.reversed) = (sort, sort == Sort::Degree);
    }
    state.graph.node.list.select();
    Vec::new()
}

/// Applies a changed query: opens the first match unless the open node matches.
pub(in crate::tui) fn search_again(state: &mut State) -> Vec<Effect> {
    state.graph.node.list.select();
    let list = &mut state.graph.node.list;
    if let Some(node) = state.graph.chosen_node.filter(|node| list.rows.contains(node)) {
        list.go_to(Some(node));
    } else {
        list.at = 0;
        go_in_list(state, 0);
    }
    Vec::new()
}

/// Handles a key while the search text is typed.
pub(in crate::tui) fn search_key(state: &mut State, chord: Chord) -> Vec<Effect> {
    match chord.code {
        KeyCode::Esc => {
            state.graph.node.list.typed = None;
            state.graph.node.list.query.text.clear();
            search_again(state)
        }
        KeyCode::Enter => {
            state.graph.node.list.typed = None;
            state.graph.node.pane = if state.graph.node.list.rows.len() == 1 {
                NodePane::Table
            } else {
                NodePane::List
            };
            Vec::new()
        }
        KeyCode::Up => {
            go_in_list(state, -1);
            Vec::new()
        }
        KeyCode::Down => {
            go_in_list(state, 1);
            Vec::new()
        }
        _ => {
            let Some(line) = &mut state.graph.node.list.typed else { return Vec::new() };
            if !line.press(chord) {
                return Vec::new();
            }
            let text = line.text().to_owned();
            if text == state.graph.node.list.query.text {
                return Vec::new();
            }
            state.graph.node.list.query.text = text;
            state.graph.node.list.select();
            state.graph.node.list.at = 0;
            go_in_list(state, 0);
            Vec::new()
        }
    }
}
