//! What a person changes to see what would be.

use std::sync::Arc;

use super::Slicing;
use super::list::shown;
use crate::explain::{Edit, Edits};
use crate::graph::{ClassId, Classes, Graph, Label, LabelKind, NodeId};
use crate::train::{Command as Order, Ready, Replacement};
use crate::tui::message::Effect;
use crate::tui::session::ToEdit;
use crate::tui::state::State;
use crate::tui::widgets::short;

/// The graph that is looked at.
fn graph(state: &State) -> Option<&Graph> {
    state.node.known().map(|account| account.moment.graph())
}

/// The open node and the contributor that is chosen.
fn pair(state: &State) -> Option<(NodeId, NodeId)> {
    let account = state.node.known()?;
    state.node.row().map(|row| (account.node(), row))
}

fn make(state: &mut State, edit: Edit) -> Vec<Effect> {
    let mut tried = state.node.edits.clone();
    tried.push(edit);
    let refused = graph(state).and_then(|graph| tried.changes(graph).err());
    match refused {
        Some(error) => state.notices.fail(error.to_string()),
        None => state.node.edits = tried,
    }
    Vec::new()
}

/// Mutes the chosen contributor, or lets it speak again.
pub(in crate::tui) fn toggle(state: &mut State) -> Vec<Effect> {
    if state.node.slicing != Slicing::Neighbour {
        state.notices.say("muting needs the list of single contributors", state.now);
        return Vec::new();
    }
    if let Some((_, neighbour)) = pair(state) {
        state.node.edits.toggle(neighbour);
        // It keeps its place under the hand, whatever order comes of it.
        state.node.picked = Some(neighbour);
    }
    Vec::new()
}

/// Cuts the edge to the chosen contributor; where there is none, adds one.
pub(in crate::tui) fn cut(state: &mut State) -> Vec<Effect> {
    let Some((node, neighbour)) = pair(state) else { return Vec::new() };
    let (one, other) = (node.min(neighbour), node.max(neighbour));
    let Some(account) = state.node.known() else { return Vec::new() };
    let there = account.moment.graph().neighbours(one).binary_search(&other.0).is_ok();
    let changed = account.changes.edges.get(&(one, other));
    let joined = changed.map_or(there, Option::is_some);
    let edit = if joined { Edit::Cut(one, other) } else { Edit::Join(one, other) };
    make(state, edit)
}

/// Joins the open node to one that was named.
pub(in crate::tui) fn join(state: &mut State, text: &str) -> Vec<Effect> {
    let Some(node) = state.node.known().map(|account| account.node()) else { return Vec::new() };
    let found = graph(state).and_then(|graph| named(graph, text));
    let Some(other) = found else {
        state.notices.fail(format!("found `{text}`, expected the id or the name of a node"));
        return Vec::new();
    };
    make(state, Edit::Join(node, other))
}

/// A node by its id, or by its name whatever its case, or by a part of the name
/// that no other has.
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

/// Keeps the label of the open node from training.
pub(in crate::tui) fn hide(state: &mut State) -> Vec<Effect> {
    let Some(account) = state.node.known() else { return Vec::new() };
    let node = account.node();
    if account.moment.split().seen.binary_search(&node).is_err() {
        state.notices.say("training does not see this node's label", state.now);
        return Vec::new();
    }
    make(state, Edit::Hide(node))
}

/// Gives the open node the next label.
pub(in crate::tui) fn flip(state: &mut State) -> Vec<Effect> {
    let Some(account) = state.node.known() else { return Vec::new() };
    let (node, labels) = (account.node(), account.moment.graph().labels());
    let changed = account.changes.labels.get(&node).cloned();
    let now = changed.unwrap_or_else(|| labels.of(node));
    let classes = labels.classes().map_or(0, |own| own.names().len());
    let first = if let Label::Classes(own) = &now { own.first().copied() } else { None };
    let next = match labels.kind() {
        LabelKind::None => None,
        LabelKind::Numeric => {
            let (mean, value) = (account.moment.units().mean, &now);
            let turned = |value: f32| Label::Number(2.0 * mean - value);
            Some(if let Label::Number(value) = value { turned(*value) } else { turned(mean) })
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

/// Takes the last change back; on an edited graph without any, goes back to the
/// run before it was edited.
pub(in crate::tui) fn undo(state: &mut State) -> Vec<Effect> {
    if state.node.edits.undo().is_some() || state.session.edits().is_none() {
        return Vec::new();
    }
    let session = &state.session;
    let before = session.others.iter().rev().find_map(|other| {
        let unedited = other.ready.as_ref().is_some_and(|ready| ready.edits.is_none());
        other.line.filter(|_| unedited)
    });
    let Some(line) = before else {
        state.notices.say("no run of the unedited graph is left: open the graph again", state.now);
        return Vec::new();
    };
    state.notices.say("back to the graph as it was", state.now);
    vec![Effect::Train(Order::Switch(line))]
}

/// Starts training anew on the changed graph.
pub(in crate::tui) fn retrain(state: &mut State) -> Vec<Effect> {
    let Some(account) = state.node.known() else { return Vec::new() };
    let moment = &account.moment;
    let changes = match state.node.edits.changes(moment.graph()) {
        Ok(changes) => changes,
        Err(error) => {
            state.notices.fail(error.to_string());
            return Vec::new();
        }
    };
    if !changes.reach_edges() && !changes.reach_labels() {
        let text = "nothing to train on: muting asks about one node and changes no graph";
        state.notices.say(text, state.now);
        return Vec::new();
    }
    let made = Replacement {
        graph: Arc::new(changes.graph(moment.graph())),
        split: changes.split(moment.split()),
        edits: match state.session.edits() {
            Some(before) => format!("{before},{}", state.node.edits.to_text()).into(),
            None => state.node.edits.to_text().into(),
        },
        plan: None,
    };
    state.node.edits = Edits::default();
    state.node.frozen = None;
    state.notices.say("training starts again on the edited graph; u goes back", state.now);
    let replace = Order::Replace(Box::new(made));
    vec![Effect::Train(replace), Effect::Train(Order::Resume)]
}

/// Edits the graph that is ready as a line of a run asks for.
pub(in crate::tui) fn edit_as_described(
    ready: &Ready,
    wanted: ToEdit,
) -> Result<Vec<Effect>, String> {
    let graph = &ready.ground.graph;
    let changes = Edits::parse(&wanted.edits)
        .and_then(|edits| edits.changes(graph).map_err(|error| error.to_string()))
        .map_err(|why| format!("--state: {why}"))?;
    let made = Replacement {
        graph: Arc::new(changes.graph(graph)),
        split: changes.split(&ready.split),
        edits: wanted.edits.into(),
        plan: Some(wanted.plan),
    };
    let replace = Effect::Train(Order::Replace(Box::new(made)));
    let go_on = (!wanted.holds).then_some(Effect::Train(Order::Resume));
    Ok([replace].into_iter().chain(go_on).collect())
}

/// What edits do, in words.
pub(in crate::tui) fn edits_in_words(graph: &Graph, edits: &str) -> String {
    // Whoever wrote them did it by `to_text`; else they are shown as they are.
    let Ok(list) = Edits::parse(edits) else { return edits.to_owned() };
    list.list().iter().map(|edit| in_words(graph, edit)).collect::<Vec<_>>().join("; ")
}

/// What an edit does, in words.
pub(in crate::tui) fn in_words(graph: &Graph, edit: &Edit) -> String {
    let shown = |node| shown(graph, node);
    match edit {
        Edit::Mute(node) => format!("{} is silent", shown(*node)),
        Edit::Unmute(node) => format!("{} speaks again", shown(*node)),
        Edit::Cut(one, other) => format!("no edge {} - {}", shown(*one), shown(*other)),
        Edit::Join(one, other) => format!("an edge {} - {}", shown(*one), shown(*other)),
        Edit::Hide(node) => format!("training does not see the label of {}", shown(*node)),
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
            format!("{} is labelled {text}", shown(*node))
        }
    }
}
