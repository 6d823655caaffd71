//! Facts that lessons check: what the user did and what is on the screen.

use super::LessonsState;
use crate::explain::PredictFrom;
use crate::graph::NodeId;
use crate::lab::lessons::Facts;
use crate::model::settings::{FilterShape, TABLE};
use crate::tui::commands::{Command, CommandScope};
use crate::tui::filter::REFERENCES;
use crate::tui::node::{NodePane, NodeView, Row, Slicing};
use crate::tui::run::{CurveKind, ScoredOn};
use crate::tui::state::{Screen, State};

/// State that keys or the mouse may change, as of before an update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tui) struct LessonView {
    cursor: Option<usize>,
    frequency: bool,
    hops: bool,
    node: Option<NodeId>,
    by_ring: bool,
    edits: usize,
    /// The selected contributor, if it is the top one.
    top: Option<NodeId>,
}

impl LessonView {
    /// The current state.
    pub(in crate::tui) fn of(state: &State) -> Self {
        let (filter, view) = (&state.graph.filter, &state.graph.node);
        let on_node = state.screen == Screen::Node;
        Self {
            cursor: filter.cursor,
            frequency: filter.frequency,
            hops: filter.hops && state.screen == Screen::Filter,
            node: state.graph.chosen_node,
            by_ring: on_node && view.slicing == Slicing::Ring,
            edits: view.edits.list().len(),
            top: view.row().filter(|_| on_node && view.pane != NodePane::List && is_top(view)),
        }
    }
}

/// Whether the selected contributor is the top one.
fn is_top(view: &NodeView) -> bool {
    let rows = view.known().map(|explanation| explanation.rows.iter()).into_iter().flatten();
    let size = |row: &&Row| row.line.score.abs();
    let top = rows.filter(|row| !row.muted).max_by(|a, b| size(a).total_cmp(&size(b)));
    view.row().is_some() && top.map(|row| row.line.node) == view.row()
}

/// Counts what an update did: from the differences and the commands that ran.
pub(super) fn count(state: &mut State, before: &LessonView, commands: &[&str]) {
    let now = LessonView::of(state);
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
    let of_node =
        |name: &&str| Command::named(name).is_some_and(|own| own.place == CommandScope::Node);
    let moved = commands.iter().any(of_node);
    if moved && (now.top.is_some() || before.top.is_some()) {
        counted.count("top_contributor_chosen");
    }
    // The first node is opened automatically, so it does not count.
    let other = before.node.is_some() && now.node.is_some() && now.node != before.node;
    if other || did("open-contributor") || did("map-open") {
        counted.count("node_opened");
        if is_wrong(state) {
            state.learning.counted.count("wrong_node_opened");
        }
    }
}

/// Whether the prediction for the open node is wrong.
fn is_wrong(state: &State) -> bool {
    let listing = state.graph.node.list.listing.as_ref();
    let facts = state.graph.chosen_node.zip(listing).and_then(|(node, own)| own.facts(node));
    facts.is_some_and(|facts| facts.guess(PredictFrom::X).is_wrong())
}

/// All current facts.
pub(super) fn collect(state: &State) -> Facts {
    let LessonsState { counted, graph, .. } = &state.learning;
    let mut facts = counted.clone();
    let screen = Screen::ALL.iter().find(|(own, _)| *own == state.screen);
    facts.word("screen", &screen.map_or(String::new(), |(_, name)| name.to_lowercase()));
    facts.word("graph", graph);
    if let Some(lab) = &state.lab {
        lab.report(&mut facts);
    }
    if state.graph.session.ready.is_some() {
        training(state, &mut facts);
        filter(state, &mut facts);
        node(state, &mut facts);
    }
    facts
}

/// The curve behind each metric.
const FIGURES: [(&str, CurveKind); 5] = [
    ("loss", CurveKind::Total),
    ("train_accuracy", CurveKind::Score(ScoredOn::TrainX)),
    ("test_accuracy", CurveKind::Score(ScoredOn::TestX)),
    ("train_accuracy_r", CurveKind::Score(ScoredOn::TrainR)),
    ("test_accuracy_r", CurveKind::Score(ScoredOn::TestR)),
];

fn training(state: &State, facts: &mut Facts) {
    let session = &state.graph.session;
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
    if let Some(stage) = session.stage() {
        facts.number("stage", stage as f64);
    }
    hop_weights(state, facts);
    let (train, test) = (facts.as_number("train_accuracy"), facts.as_number("test_accuracy"));
    if let (Some(train), Some(test)) = (train, test) {
        facts.number("accuracy_gap", train - test);
    }
}

fn hop_weights(state: &State, facts: &mut Facts) {
    let session = &state.graph.session;
    let Some(epoch) = session.at.checked_sub(1) else { return };
    let weights = session.run.hops.iter().filter_map(|series| series.at(epoch));
    let weights: Vec<f64> = weights.filter(|own| own.is_finite()).map(f64::from).collect();
    let Some(first) = weights.first() else { return };
    facts.number("hop1_weight", *first);
    facts.number("far_weight", weights[1..].iter().sum());
    let size = |at: &usize| weights[*at].abs();
    let main = (0..weights.len()).max_by(|a, b| size(a).total_cmp(&size(b)));
    facts.number("main_hop", main.map_or(0.0, |at| at as f64 + 1.0));
}

fn filter(state: &State, facts: &mut Facts) {
    let shape = state.graph.filter.reference.checked_sub(1).and_then(|at| REFERENCES.get(at));
    let name = match shape {
        None => "none",
        Some((_, FilterShape::Heat)) => "heat",
        Some((_, FilterShape::Ppr)) => "ppr",
        Some((_, FilterShape::Low)) => "low",
        Some((_, FilterShape::High)) => "high",
        Some((_, FilterShape::Band)) => "band",
        Some((_, FilterShape::Reject)) => "reject",
        Some((_, FilterShape::Comb)) => "comb",
        // The initial value of a learned filter: one hop, unchanged.
        Some(_) => "identity",
    };
    facts.word("reference", name);
    let value = state.graph.filter.cursor.zip(state.graph.facts.as_ref());
    if let Some(value) = value.and_then(|(at, known)| known.values.get(at)) {
        facts.number("eigenvalue", value.s);
    }
}

fn node(state: &State, facts: &mut Facts) {
    let Some((node, ready)) = state.graph.chosen_node.zip(state.graph.session.ready.as_ref())
    else {
        return;
    };
    let graph = &ready.prepared.graph;
    if node.index() < graph.node_count() {
        facts.word("node", graph.ids().text(node));
        facts.number("node_degree", graph.degree(node) as f64);
    }
    let Some(explanation) = state.graph.node.known() else { return };
    facts.number("far_share", explanation.afar);
    facts.number("excluded", explanation.changes.muted.len() as f64);
    if let Some(before) = &explanation.before {
        let likeliest =
            |odds: Vec<f64>| (0..odds.len()).max_by(|&a, &b| odds[a].total_cmp(&odds[b]));
        let (was, is) = (explanation.odds_of(before), explanation.odds_of(&explanation.found));
        let flips = likeliest(was) != likeliest(is);
        facts.word("prediction_flipped", if flips { "yes" } else { "no" });
    }
}
