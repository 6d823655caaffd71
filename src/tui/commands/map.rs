//! Commands of the Map screen.

use super::{Command, CommandScope, Effects, always, ask, command, none};
use crate::graph::NodeId;
use crate::tui::layers::Prompt;
use crate::tui::map::{ColourBy, Frame, Heading, NodeMark, Paint, Window, beside, found, nearest};
use crate::tui::node::open_node;
use crate::tui::state::{Screen, State};

pub(super) const ROWS: &[Command] = &[
    command!(
        "node-left",
        ["left", "h"],
        "nodes",
        "Move the cursor to the next node on the left.",
        Map,
        has_places,
        |state| step(state, Heading::Left)
    ),
    command!(
        "node-right",
        ["right", "l"],
        "",
        "Move the cursor to the next node on the right.",
        Map,
        has_places,
        |state| step(state, Heading::Right)
    ),
    command!(
        "node-up",
        ["up", "k"],
        "",
        "Move the cursor to the next node above.",
        Map,
        has_places,
        |state| step(state, Heading::Up)
    ),
    command!(
        "node-down",
        ["down", "j"],
        "",
        "Move the cursor to the next node below.",
        Map,
        has_places,
        |state| step(state, Heading::Down)
    ),
    command!(
        "map-layout",
        ["x"],
        "layout",
        "Switch the layout: force-directed, low-frequency eigenvectors, embeddings.",
        Map,
        always,
        |state| layout(state, 1)
    ),
    command!("map-layout-back", ["X"], "", "Use the previous layout.", Map, always, |state| {
        layout(state, -1)
    }),
    command!(
        "map-colour",
        ["c"],
        "colour",
        "Colour by label, prediction, error, confidence, type, degree, the eigenvector under the filter's cursor, or distance from the open node.",
        Map,
        always,
        |state| colour(state, 1)
    ),
    command!("map-colour-back", ["C"], "", "Use the previous colouring.", Map, always, |state| {
        colour(state, -1)
    }),
    command!(
        "map-zoom-in",
        ["+", "="],
        "zoom",
        "Zoom in around the cursor.",
        Map,
        always,
        |state| zoom(state, 1.6)
    ),
    command!("map-zoom-out", ["-"], "", "Zoom out.", Map, always, |state| zoom(state, 1.0 / 1.6)),
    command!(
        "map-fit",
        ["a"],
        "all",
        "Show the whole map; press again to fit the selection.",
        Map,
        always,
        fit
    ),
    command!("map-left", ["shift-left", "H"], "", "Pan left.", Map, always, |state| pan(
        state,
        Heading::Left
    )),
    command!("map-right", ["shift-right", "L"], "", "Pan right.", Map, always, |state| pan(
        state,
        Heading::Right
    )),
    command!("map-up", ["shift-up", "K"], "", "Pan up.", Map, always, |state| pan(
        state,
        Heading::Up
    )),
    command!("map-down", ["shift-down", "J"], "", "Pan down.", Map, always, |state| {
        pan(state, Heading::Down)
    }),
    command!(
        "map-find",
        ["/"],
        "find",
        "Find a node by id or name; repeat the search for the next match.",
        Map,
        has_places,
        |state| {
            let before = state.graph.map.sought.clone();
            ask(state, Prompt::FindNode, &before)
        }
    ),
    command!(
        "map-select",
        ["v"],
        "select",
        "Mark a corner of a box at the cursor; press again to select its contents.",
        Map,
        |state| state.graph.map.cursor.is_some(),
        select
    ),
    command!(
        "map-open",
        ["enter"],
        "open",
        "Open the node under the cursor.",
        Map,
        |state| state.graph.map.cursor.is_some(),
        open
    ),
    command!(
        "map-wrong",
        ["w"],
        "next wrong",
        "Go to the next misclassified node.",
        Map,
        has_places,
        next_wrong
    ),
    command!("map-edges", ["o"], "edges", "Show or hide edges.", Map, always, |state| {
        state.graph.map.bare = !state.graph.map.bare;
        none()
    }),
    command!(
        "map-letters",
        ["i"],
        "letters",
        "Draw classes as letters or as shapes.",
        Map,
        always,
        |state| {
            state.graph.map.letters = !state.graph.map.letters;
            none()
        }
    ),
    command!(
        "map-relayout",
        ["r"],
        "",
        "Compute the layout again from another random initialization.",
        Map,
        always,
        |state| {
            state.graph.map.seed = state.graph.map.seed.wrapping_add(1);
            none()
        }
    ),
    command!(
        "map-clear",
        ["esc"],
        "clear",
        "Clear the box, then the selection, then the cursor.",
        Map,
        |state| {
            let map = &state.graph.map;
            map.corner.is_some() || !map.selected.is_empty() || map.shown_node().is_some()
        },
        clear
    ),
];

fn has_places(state: &State) -> bool {
    state.graph.map.places().is_some_and(|places| !places.is_empty())
}

/// The map frame as last drawn, or a default one.
fn frame(state: &State) -> Frame {
    let usual = ratatui::layout::Rect::new(0, 0, 80, 24);
    let area = state.hits.map().map_or(usual, |frame| frame.area);
    Frame::new(area, state.graph.map.window)
}

fn step(state: &mut State, heading: Heading) -> Effects {
    let frame = frame(state);
    let Some(places) = state.graph.map.places() else { return none() };
    let middle = state.graph.map.window.middle.map(|value| value as f32);
    let next = match state.graph.map.shown_node() {
        Some(node) => beside(places, &frame, node, heading),
        None => nearest(places, &frame, middle, f64::INFINITY),
    };
    if let Some(node) = next {
        state.graph.map.go_to(node);
    }
    none()
}

fn layout(state: &mut State, by: isize) -> Effects {
    let map = &mut state.graph.map;
    map.layout = map.layout.rotated(by);
    (map.corner, map.reach, map.hover) = (None, None, None);
    map.window = Window::default();
    none()
}

fn colour(state: &mut State, by: isize) -> Effects {
    let Some(ready) = state.graph.session.ready.clone() else { return none() };
    let mut next = state.graph.map.colour.rotated(by, &ready.prepared.graph);
    // An eigenvector needs the cursor of the filter, a distance the open node.
    let has_subject = |colour: ColourBy| match colour {
        ColourBy::Eigenvector => state.graph.filter.cursor.is_some(),
        ColourBy::Distance => state.graph.chosen_node.is_some(),
        _ => true,
    };
    while !has_subject(next) {
        next = next.rotated(by, &ready.prepared.graph);
    }
    state.graph.map.colour = next;
    none()
}

fn zoom(state: &mut State, factor: f64) -> Effects {
    let map = &mut state.graph.map;
    let at = map.cursor.and_then(|node| map.places()?.get(node.index()).copied());
    let around = at.map_or(map.window.middle, |place| place.map(f64::from));
    map.window.scale(factor, around);
    none()
}

fn fit(state: &mut State) -> Effects {
    let map = &mut state.graph.map;
    let whole = Window::default();
    if map.window != whole {
        map.window = whole;
        return none();
    }
    let places = map.places().unwrap_or_default();
    let mut chosen = map.selected.iter().filter_map(|node| places.get(node.index())).copied();
    if let Some(first) = chosen.next() {
        let (low, high) = chosen.fold((first, first), |(low, high), place| {
            let low = [low[0].min(place[0]), low[1].min(place[1])];
            (low, [high[0].max(place[0]), high[1].max(place[1])])
        });
        map.window.fit(low, high);
    }
    none()
}

fn pan(state: &mut State, heading: Heading) -> Effects {
    state.graph.map.window.pan(heading.step().map(|step| 0.2 * step));
    none()
}

fn select(state: &mut State) -> Effects {
    let map = &mut state.graph.map;
    if map.corner.is_some() {
        map.close_box();
    } else {
        let at = map.cursor.and_then(|node| map.places()?.get(node.index()).copied());
        (map.corner, map.reach) = (at, None);
    }
    none()
}

fn open(state: &mut State) -> Effects {
    match state.graph.map.cursor {
        Some(node) => open_node(state, node),
        None => none(),
    }
}

fn clear(state: &mut State) -> Effects {
    let map = &mut state.graph.map;
    if map.corner.take().is_some() {
        map.reach = None;
    } else if map.selected.is_empty() {
        (map.cursor, map.hover) = (None, None);
    } else {
        map.selected.clear();
    }
    none()
}

/// The next misclassified node after one, wrapping around, among all or some nodes.
pub(super) fn wrong_after(
    state: &State,
    after: Option<NodeId>,
    among: Option<&[NodeId]>,
) -> Option<NodeId> {
    let ready = state.graph.session.ready.as_ref()?;
    let paint = Paint::of(ColourBy::Error, ready, state.graph.session.snapshot.as_deref());
    let wrong = |node: &NodeId| {
        paint
            .entry(*node)
            .is_some_and(|own| matches!(own.mark, NodeMark::Wrong | NodeMark::SurelyWrong))
    };
    let after = after.map_or(0, |node| node.0 + 1);
    let all: Vec<NodeId> =
        among.map_or_else(|| ready.prepared.graph.nodes().collect(), <[NodeId]>::to_vec);
    let (before, next): (Vec<NodeId>, Vec<NodeId>) = all.iter().partition(|node| node.0 < after);
    next.into_iter().chain(before).find(wrong)
}

fn next_wrong(state: &mut State) -> Effects {
    let selected = &state.graph.map.selected;
    let among = (!selected.is_empty()).then_some(selected.as_slice());
    match wrong_after(state, state.graph.map.cursor, among) {
        Some(node) => state.graph.map.go_to(node),
        None => state.notices.say("no node is misclassified", state.now),
    }
    none()
}

/// Moves to the node a text refers to; if the cursor is already there, to the next
/// match.
pub(in crate::tui) fn find(state: &mut State, text: &str) {
    let Some(ready) = state.graph.session.ready.clone() else { return };
    let all = found(&ready.prepared.graph, text);
    let follows = state.screen == Screen::Overview;
    let here = if follows { state.graph.chosen_node } else { state.graph.map.cursor };
    let map = &mut state.graph.map;
    text.clone_into(&mut map.sought);
    let at = here.and_then(|node| all.iter().position(|own| *own == node));
    let next = at.map_or(0, |at| (at + 1) % all.len());
    match all.get(next) {
        Some(node) => {
            if follows {
                state.graph.chosen_node = Some(*node);
            } else {
                map.go_to(*node);
            }
            if all.len() > 1 {
                let said = format!("{} of {} nodes with `{text}`", next + 1, all.len());
                state.notices.say(said, state.now);
            }
        }
        None => state.notices.fail(format!(
            "no node has `{text}` in its id or name\n  help: a part of the id or name is enough"
        )),
    }
}
