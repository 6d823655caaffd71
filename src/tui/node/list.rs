//! The list of all nodes: what is searched, who is shown, by what it is sorted,
//! and where one is in it. Rows are put into words only when they are drawn.

use std::sync::Arc;

use ratatui::crossterm::event::KeyCode;

use super::{Pane, Source, go_in_list};
use crate::explain::{Directory, Facts, Filter, Moment, Part, Query, Roster, Sort};
use crate::graph::{ClassId, Classes, Graph, NodeId, TypeId};
use crate::tui::commands::Chord;
use crate::tui::line::Line;
use crate::tui::message::Effect;
use crate::tui::state::State;

/// Every node at a moment.
#[derive(Debug, Clone)]
pub struct Listing {
    /// The moment.
    pub moment: Arc<Moment>,
    /// Texts to search and ranks to sort by.
    pub directory: Arc<Directory>,
    /// What is known of every node.
    pub roster: Arc<Roster>,
}

impl Listing {
    /// Whether it was made from this.
    pub(super) fn is_of(&self, source: &Source) -> bool {
        Arc::ptr_eq(self.moment.snapshot(), &source.snapshot)
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        self.moment.graph()
    }

    /// What is known of a node.
    pub fn facts(&self, node: NodeId) -> Option<&Facts> {
        self.roster.facts.get(node.index())
    }
}

/// The list as it is looked at.
#[derive(Debug, Default)]
pub struct ListView {
    /// Every node.
    pub listing: Option<Listing>,
    /// What is asked of the list.
    pub query: Query,
    /// What is being typed into the search.
    pub typed: Option<Line>,
    /// The nodes found, in order.
    pub rows: Vec<NodeId>,
    /// Where one is among them.
    pub at: usize,
}

impl ListView {
    /// The directory, if it is of this graph.
    pub(super) fn directory(&self, source: &Source) -> Option<Arc<Directory>> {
        let listing = self.listing.as_ref()?;
        let same = std::ptr::eq(listing.graph(), Arc::as_ptr(&source.ready.ground.graph));
        same.then(|| listing.directory.clone())
    }

    /// Takes a newer list; one stays at the same node where it is still found.
    pub(super) fn take(&mut self, listing: Listing) {
        self.listing = Some(listing);
        self.select();
    }

    /// Finds the nodes anew.
    pub(super) fn select(&mut self) {
        let here = self.rows.get(self.at).copied();
        let Some(listing) = &self.listing else { return };
        self.rows = listing.directory.select(&listing.roster, &self.query);
        self.go_to(here);
    }

    /// Goes to a node, if it is found.
    pub(super) fn go_to(&mut self, node: Option<NodeId>) {
        let place = node.and_then(|node| self.rows.iter().position(|own| *own == node));
        self.at = place.unwrap_or(self.at).min(self.rows.len().saturating_sub(1));
    }

    /// Forgets a graph.
    pub(super) fn forget(&mut self) {
        let query = Query { sort: self.query.sort, ..Query::default() };
        *self = Self { query, ..Self::default() };
    }

    /// Who is shown, in words.
    pub fn filter_name(&self) -> String {
        let graph = self.listing.as_ref().map(Listing::graph);
        let class = |class: ClassId| {
            let names = graph.and_then(|own| own.labels().classes()).map(Classes::names);
            names.and_then(|own| own.get(class.index())).cloned().unwrap_or_default()
        };
        match self.query.filter {
            Filter::All => "all".to_owned(),
            Filter::Wrong => "wrong".to_owned(),
            Filter::ConfidentAndWrong => "confident and wrong".to_owned(),
            Filter::LeastSure => "least sure".to_owned(),
            Filter::Class(own) => format!("label {}", class(own)),
            Filter::Predicted(own) => format!("predicted {}", class(own)),
            Filter::Type(own) => {
                let name = graph.and_then(|graph| graph.types().names().get(own.index()));
                format!("type {}", name.map_or("", String::as_str))
            }
            Filter::Part(part) => part.name().to_owned(),
        }
    }
}

/// A node as a person knows it: its id, and its name where that is another.
pub(super) fn shown(graph: &Graph, node: NodeId) -> String {
    let (id, name) = (graph.ids().text(node), graph.name(node));
    if id == name || name.is_empty() { id.to_owned() } else { format!("{id} {name}") }
}

/// Every filter that this graph has a use for, in order.
fn filters(graph: &Graph) -> Vec<Filter> {
    let mut all = vec![Filter::All];
    let labels = graph.labels();
    if labels.kind() != crate::graph::LabelKind::None {
        all.extend([Filter::Wrong, Filter::ConfidentAndWrong, Filter::LeastSure]);
        all.extend([Part::Unlabelled, Part::Seen, Part::Validation, Part::Held].map(Filter::Part));
    }
    let types = graph.types().count();
    if types > 1 {
        all.extend((0..types).map(|kind| Filter::Type(TypeId(kind as u16))));
    }
    let classes = labels.classes().map_or(0, |own| own.names().len());
    let each = || (0..classes).map(|class| ClassId(class as u16));
    all.extend(each().map(Filter::Class));
    all.extend(each().map(Filter::Predicted));
    all
}

/// Takes another filter.
pub(in crate::tui) fn next_filter(state: &mut State, by: isize) -> Vec<Effect> {
    let Some(listing) = &state.node.list.listing else { return Vec::new() };
    let all = filters(listing.graph());
    let at = all.iter().position(|own| *own == state.node.list.query.filter).unwrap_or(0);
    let next = (at as isize + by).rem_euclid(all.len() as isize) as usize;
    state.node.list.query.filter = all[next];
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
    let sort = state.node.list.query.sort;
    let at = SORTS.iter().position(|own| *own == sort).unwrap_or(0);
    sort_by(state, SORTS[(at + 1) % SORTS.len()])
}

/// Sorts by a column; by the same once more, the other way round.
pub(in crate::tui) fn sort_by(state: &mut State, sort: Sort) -> Vec<Effect> {
    let query = &mut state.node.list.query;
    if query.sort == sort {
        query.reversed = !query.reversed;
    } else {
        // The busiest nodes are what one looks for by degree.
        (query.sort, query.reversed) = (sort, sort == Sort::Degree);
    }
    state.node.list.select();
    Vec::new()
}

/// Another question to the list: the first found is opened unless the open node
/// is among them.
pub(in crate::tui) fn search_again(state: &mut State) -> Vec<Effect> {
    state.node.list.select();
    let list = &mut state.node.list;
    if let Some(node) = state.chosen_node.filter(|node| list.rows.contains(node)) {
        list.go_to(Some(node));
    } else {
        list.at = 0;
        go_in_list(state, 0);
    }
    Vec::new()
}

/// A key while the search is typed.
pub(in crate::tui) fn search_key(state: &mut State, chord: Chord) -> Vec<Effect> {
    match chord.code {
        KeyCode::Esc => {
            state.node.list.typed = None;
            state.node.list.query.text.clear();
            search_again(state)
        }
        KeyCode::Enter => {
            state.node.list.typed = None;
            state.node.pane =
                if state.node.list.rows.len() == 1 { Pane::Table } else { Pane::List };
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
            let Some(line) = &mut state.node.list.typed else { return Vec::new() };
            if !line.press(chord) {
                return Vec::new();
            }
            let text = line.text().to_owned();
            if text == state.node.list.query.text {
                return Vec::new();
            }
            state.node.list.query.text = text;
            state.node.list.select();
            state.node.list.at = 0;
            go_in_list(state, 0);
            Vec::new()
        }
    }
}
