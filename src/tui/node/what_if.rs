//! What-if edits by the user.

use std::sync::Arc;

use super::Slicing;
use super::list::shown;
use crate::explain::{Edit, Edits};
use crate::graph::{ClassId, Classes, Graph, Label, LabelKind, NodeId};
use crate::train::{PreparedRun, Replacement, TrainingCommand};
use crate::tui::message::Effect;
use crate::tui::session::ToEdit;
use crate::tui::state::State;
use crate::tui::widgets::short;

/// The graph shown.
fn graph(state: &State) -> Option<&Graph> {
    state.graph.node.known().map(|explanation| explanation.context.graph())
}

/// The open node and the selected contributor.
fn pair(state: &State) -> Option<(NodeId, NodeId)> {
    let explanation = state.graph.node.known()?;
    state.graph.node.row().map(|row| (explanation.node(), row))
}

fn make(state: &mut State, edit: Edit) -> Vec<Effect> {
    let mut tried = state.graph.node.edits.clone();
    tried.push(edit);
    let refused = graph(state).and_then(|graph| tried.changes(graph).err());
    match refused {
        Some(error) => state.notices.fail(error.to_string()),
        None => state.graph.node.edits = tried,
    }
    Vec::new()
}

/// Excludes the selected contributor, or includes it again.
pub(in crate::tui) fn toggle(state: &mut State) -> Vec<Effect> {
    if state.graph.node.slicing != Slicing::Neighbour {
        state.notices.say("excluding needs the list by neighbour: press g", state.now);
        return Vec::new();
    }
    if let Some((_, neighbour)) = pair(state) {
        state.graph.node.edits.toggle(neighbour);
        // It stays selected, whatever its new position.
        state.graph.node.picked = Some(neighbour);
    }
    Vec::new()
}

/// Removes the edge to the selected contributor, or adds one if there is none.
pub(in crate::tui) fn cut(state: &mut State) -> Vec<Effect> {
    let Some((node, neighbour)) = pair(state) else { return Vec::new() };
    let (one, other) = (node.min(neighbour), node.max(neighbour));
    let Some(explanation) = state.graph.node.known() else { return Vec::new() };
    let there = explanation.context.graph().neighbours(one).binary_search(&other.0).is_ok();
    let changed = explanation.changes.edges.get(&(one, other));
    let joined = changed.map_or(there, Option::is_some);
    let edit = if joined { Edit::Cut(one, other) } else { Edit::Join(one, other) };
    make(state, edit)
}

/// Connects the open node to a named one.
pub(in crate::tui) fn join(state: &mut State, text: &str) -> Vec<Effect> {
    let Some(node) = state.graph.node.known().map(|explanation| explanation.node()) else {
        return Vec::new();
    };
    let found = graph(state).and_then(|graph| named(graph, text));
    let Some(other) = found else {
        state.notices.fail(format!("found `{text}`, expected the id or the name of a node"));
        return Vec::new();
    };
    make(state, Edit::Join(node, other))
}

/// A node by its id, by its name in any case, or by a unique part of its name.
pub(in crate::tui) fn named(graph: &Graph, text: &str) -> Option<NodeId> {
    let wanted = text.to_lowercase();
    let by_name = || graph.nodes().find(|node| graph.name(*node).to_lowercase() == wanted);
    let by_part = || {
        let mut found =
            graph.nodes().filter(|node| graph.name(*node).to_lowercase().contains(&wanted));
        found.next().filter(|_| found.next().is_none())
    };
    graph.ids().find(text).or_else(by_name).or_else(by_part)
}

/// Removes the label of the open node from training.
pub(in crate::tui) fn hide(state: &mut State) -> Vec<Effect> {
    let Some(explanation) = state.graph.node.known() else { return Vec::new() };
    let node = explanation.node();
    if explanation.context.split().train.binary_search(&node).is_err() {
        state.notices.say("this node's label is not used for training", state.now);
        return Vec::new();
    }
    make(state, Edit::Hide(node))
}

/// Assigns the next label to the open node.
pub(in crate::tui) fn flip(state: &mut State) -> Vec<Effect> {
    let Some(explanation) = state.graph.node.known() else { return Vec::new() };
    let (node, labels) = (explanation.node(), explanation.context.graph().labels());
    let changed = explanation.changes.labels.get(&node).cloned();
    let now = changed.unwrap_or_else(|| labels.of(node));
    let classes = labels.classes().map_or(0, |own| own.names().len());
    let first = if let Label::Classes(own) = &now { own.first().copied() } else { None };
    let next = match labels.kind() {
        LabelKind::None => None,
        LabelKind::Numeric => {
            let (mean, value) = (explanation.context.units().mean, &now);
            let rotated = |value: f32| Label::Number(2.0 * mean - value);
            Some(if let Label::Number(value) = value { rotated(*value) } else { rotated(mean) })
        }
        LabelKind::One | LabelKind::Several => {
            let next = first.map_or(0, |class| class.index() + 1);
            (classes > 0).then(|| Label::Classes(vec![ClassId((next % classes) as u16)]))
        }
    };
    let Some(label) = next else {
        state.notices.say("the graph has no labels", state.now);
        return Vec::new();
    };
    make(state, Edit::Relabel(node, label))
}

/// Undoes the last edit; on an edited graph without pending edits, returns to the run
/// before it was edited.
pub(in crate::tui) fn undo(state: &mut State) -> Vec<Effect> {
    if state.graph.node.edits.undo().is_some() || state.graph.session.edits().is_none() {
        return Vec::new();
    }
    let session = &state.graph.session;
    let before = session.others.iter().rev().find_map(|other| {
        let unedited = other.ready.as_ref().is_some_and(|ready| ready.edits.is_none());
        other.line.filter(|_| unedited)
    });
    let Some(line) = before else {
        state.notices.say("no run of the unedited graph is left: open the graph again", state.now);
        return Vec::new();
    };
    state.notices.say("back to the unedited graph", state.now);
    vec![Effect::Train(TrainingCommand::Switch(line))]
}

/// Restarts training on the edited graph.
pub(in crate::tui) fn retrain(state: &mut State) -> Vec<Effect> {
    let Some(explanation) = state.graph.node.known() else { return Vec::new() };
    let context = &explanation.context;
    let changes = match state.graph.node.edits.changes(context.graph()) {
        Ok(changes) => changes,
        Err(error) => {
            state.notices.fail(error.to_string());
            return Vec::new();
        }
    };
    if !changes.reach_edges() && !changes.reach_labels() {
        let text = "nothing to retrain: excluding a contributor does not edit the graph";
        state.notices.say(text, state.now);
        return Vec::new();
    }
    let made = Replacement {
        graph: Arc::new(changes.graph(context.graph())),
        split: changes.split(context.split()),
        edits: match state.graph.session.edits() {
            Some(before) => format!("{before},{}", state.graph.node.edits.to_text()).into(),
            None => state.graph.node.edits.to_text().into(),
        },
        plan: None,
    };
    state.graph.node.edits = Edits::default();
    state.graph.node.frozen = None;
    state.notices.say("restarting on the edited graph; u goes back", state.now);
    let replace = TrainingCommand::Replace(Box::new(made));
    vec![Effect::Train(replace), Effect::Train(TrainingCommand::Resume)]
}

/// Applies the edits of a state line to the prepared graph.
pub(in crate::tui) fn edit_as_described(
    ready: &PreparedRun,
    wanted: ToEdit,
) -> Result<Vec<Effect>, String> {
    let graph = &ready.prepared.graph;
    let changes = Edits::parse(&wanted.edits)
        .and_then(|edits| edits.changes(graph).map_err(|error| error.to_string()))
        .map_err(|why| format!("--state: {why}"))?;
    let made = Replacement {
        graph: Arc::new(changes.graph(graph)),
        split: changes.split(&ready.split),
        edits: wanted.edits.into(),
        plan: Some(wanted.plan),
    };
    let replace = Effect::Train(TrainingCommand::Replace(Box::new(made)));
    let go_on = (!wanted.holds).then_some(Effect::Train(TrainingCommand::Resume));
    Ok([replace].into_iter().chain(go_on).collect())
}

/// Edits in words.
pub(in crate::tui) fn edits_in_words(graph: &Graph, edits: &str) -> String {
    // Edits written by `to_text` can be parsed; anything else is shown unchanged.
    let Ok(list) = Edits::parse(edits) else { return edits.to_owned() };
    list.list().iter().map(|edit| in_words(graph, edit)).collect::<Vec<_>>().join("; ")
}

/// One edit in words.
pub(in crate::tui) fn in_words(graph: &Graph, edit: &Edit) -> String {
    let shown = |node| shown(graph, node);
    match edit {
        Edit::Mute(node) => format!("{} excluded", shown(*node)),
        Edit::Unmute(node) => format!("{} included again", shown(*node)),
        Edit::Cut(one, other) => format!("edge removed: {} - {}", shown(*one), shown(*other)),
        Edit::Join(one, other) => format!("edge added: {} - {}", shown(*one), shown(*other)),
        Edit::Hide(node) => format!("label of {} excluded from training", shown(*node)),
        Edit::Relabel(node, label) => {
            let names = graph.labels().classes().map(Classes::names);
            let text = match label {
                Label::None => "unlabelled".to_owned(),
                Label::Number(value) => short(f64::from(*value)),
                Label::Classes(own) => {
                    let name = |class: &ClassId| {
                        names.and_then(|all| all.get(class.index())).cloned().unwrap_or_default()
                    };
                    own.iter().map(name).collect::<Vec<_>>().join("|")
                }
            };
            format!("{} labelled {text}", shown(*node))
        }
    }
}
