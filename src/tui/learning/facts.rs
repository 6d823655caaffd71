//! What was done and what is seen, as facts that lessons ask for.

use super::Learning;
use crate::explain::Voice;
use crate::graph::NodeId;
use crate::lab::lessons::Facts;
use crate::model::settings::{FilterShape, TABLE};
use crate::tui::commands::{Command, Place};
use crate::tui::filter::REFERENCES;
use crate::tui::node::{NodeView, Pane, Row, Slicing};
use crate::tui::run::{Figure, Part};
use crate::tui::state::{Screen, State};

/// What a person may change by key or by mouse, as it was before an update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tui) struct Glimpse {
    cursor: Option<usize>,
    frequency: bool,
    hops: bool,
    node: Option<NodeId>,
    by_ring: bool,
    edits: usize,
    /// The contributor that is chosen, where it is the one that adds most.
    top: Option<NodeId>,
}

impl Glimpse {
    /// As it is now.
    pub(in crate::tui) fn of(state: &State) -> Self {
        let (filter, view) = (&state.filter, &state.node);
        let on_node = state.screen == Screen::Node;
        Self {
            cursor: filter.cursor,
            frequency: filter.frequency,
            hops: filter.hops && state.screen == Screen::Filter,
            node: state.chosen_node,
            by_ring: on_node && view.slicing == Slicing::Ring,
            edits: view.edits.list().len(),
            top: view.row().filter(|_| on_node && view.pane != Pane::List && is_top(view)),
        }
    }
}

/// Whether the contributor that is chosen is the one that adds most.
fn is_top(view: &NodeView) -> bool {
    let rows = view.known().map(|account| account.rows.iter()).into_iter().flatten();
    let size = |row: &&Row| row.line.score.abs();
    let top = rows.filter(|row| !row.muted).max_by(|a, b| size(a).total_cmp(&size(b)));
    view.row().is_some() && top.map(|row| row.line.node) == view.row()
}

/// Counts what an update did: by what is different, and by the commands that
/// were carried out.
pub(super) fn count(state: &mut State, before: &Glimpse, commands: &[&str]) {
    let now = Glimpse::of(state);
    let counted = &mut state.learning.counted;
    if now.cursor.is_some() && now.cursor != before.cursor {
        counted.count("cursor_moved");
    }
    if now.frequency != before.frequency {
        counted.count("axis_switched");
    }
    if now.hops && !before.hops {
        counted.count("hops_shown");
    }
    if now.by_ring && !before.by_ring {
        counted.count("by_hop_shown");
    }
    let did = |name: &str| commands.contains(&name);
    if did("pause") {
        counted.count("pauses");
    }
    if did("toggle-neighbour") && now.edits > before.edits {
        counted.count("neighbour_left_out");
    }
    let of_node = |name: &&str| Command::named(name).is_some_and(|own| own.place == Place::Node);
    let moved = commands.iter().any(of_node);
    if moved && (now.top.is_some() || before.top.is_some()) {
        counted.count("top_contributor_chosen");
    }
    // The first node is open by itself: that is nobody's doing.
    let other = before.node.is_some() && now.node.is_some() && now.node != before.node;
    if other || did("open-contributor") {
        counted.count("node_opened");
        if is_wrong(state) {
            state.learning.counted.count("wrong_node_opened");
        }
    }
}

/// Whether the prediction for the open node is wrong.
fn is_wrong(state: &State) -> bool {
    let listing = state.node.list.listing.as_ref();
    let facts = state.chosen_node.zip(listing).and_then(|(node, own)| own.facts(node));
    facts.is_some_and(|facts| facts.guess(Voice::X).is_wrong())
}

/// Everything that is known now.
pub(super) fn collect(state: &State) -> Facts {
    let Learning { counted, graph, .. } = &state.learning;
    let mut facts = counted.clone();
    let screen = Screen::ALL.iter().find(|(own, _)| *own == state.screen);
    facts.word("screen", &screen.map_or(String::new(), |(_, name)| name.to_lowercase()));
    facts.word("graph", graph);
    if let Some(lab) = &state.lab {
        lab.report(&mut facts);
    }
    if state.session.ready.is_some() {
        training(state, &mut facts);
        filter(state, &mut facts);
        node(state, &mut facts);
    }
    facts
}

/// The curve that each figure is read from.
const FIGURES: [(&str, Figure); 5] = [
    ("loss", Figure::Total),
    ("seen_accuracy", Figure::Score(Part::TrainX)),
    ("held_accuracy", Figure::Score(Part::TestX)),
    ("seen_accuracy_r", Figure::Score(Part::TrainR)),
    ("held_accuracy_r", Figure::Score(Part::TestR)),
];

fn training(state: &State, facts: &mut Facts) {
    let session = &state.session;
    facts.number("epoch", session.at as f64);
    for setting in TABLE {
        facts.setting(setting.key, &(setting.get)(&session.settings));
    }
    for (fact, figure) in FIGURES {
        let curve = session.run.curve(figure);
        let value = curve.and_then(|curve| curve.series.at(session.at.checked_sub(1)?));
        if let Some(value) = value.filter(|value| value.is_finite()) {
            facts.number(fact, f64::from(value));
        }
    }
    let (seen, held) = (facts.as_number("seen_accuracy"), facts.as_number("held_accuracy"));
    if let (Some(seen), Some(held)) = (seen, held) {
        facts.number("accuracy_gap", seen - held);
    }
}

fn filter(state: &State, facts: &mut Facts) {
    let shape = state.filter.reference.checked_sub(1).and_then(|at| REFERENCES.get(at));
    let name = match shape {
        None => "none",
        Some((_, FilterShape::Heat)) => "heat",
        Some((_, FilterShape::Ppr)) => "ppr",
        Some((_, FilterShape::Low)) => "low",
        Some((_, FilterShape::High)) => "high",
        Some((_, FilterShape::Band)) => "band",
        Some((_, FilterShape::Reject)) => "reject",
        Some((_, FilterShape::Comb)) => "comb",
        // Where a learned filter starts: one step, as it is.
        Some(_) => "identity",
    };
    facts.word("reference", name);
    let value = state.filter.cursor.zip(state.facts.as_ref());
    if let Some(value) = value.and_then(|(at, known)| known.values.get(at)) {
        facts.number("eigenvalue", value.s);
    }
}

fn node(state: &State, facts: &mut Facts) {
    let Some((node, ready)) = state.chosen_node.zip(state.session.ready.as_ref()) else { return };
    let graph = &ready.ground.graph;
    if node.index() < graph.node_count() {
        facts.number("node_degree", graph.degree(node) as f64);
    }
}
