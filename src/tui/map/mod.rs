//! State of the Map screen: layout, colouring, view, cursor and selection.
//!
//! ```text
//! follow ─▶ Job ─▶ layout ─▶ LayoutResult ─▶ places
//!    └────▶ Paint                    keys, mouse ─▶ window, cursor, selection
//! ```

mod colour_by;
mod facts;
mod frame;
mod mark;
mod paint;
mod pick;
mod selection;

use std::sync::Arc;

pub(super) use colour_by::ColourBy;
pub(super) use facts::{Facts, facts};
pub(super) use frame::{Frame, Window};
pub(super) use mark::NodeMark;
pub(super) use paint::{LegendEntry, Paint};
pub(super) use pick::{Heading, beside, found, nearest};
pub(super) use selection::{Mix, inside, mix};

use super::jobs::Job;
use super::message::Effect;
use super::overview::SMALL_GRAPH;
use super::spectrum::{Eigenpairs, eigenpairs};
use super::state::{Screen, State};
use crate::graph::{Graph, NodeId};
use crate::layout::{LayoutError, Position, Projection, Refined};
use crate::spectral::Spectrum;
use crate::train::{PreparedRun, Snapshot};

/// The layout method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LayoutKind {
    /// Force-directed along the edges.
    #[default]
    Force,
    /// Low-frequency eigenvectors of the graph.
    Spectral,
    /// Projection of the embeddings.
    Embedding,
}

impl LayoutKind {
    /// Every layout with its name.
    pub const ALL: [(Self, &'static str); 3] = [
        (Self::Force, "force layout"),
        (Self::Spectral, "spectral layout"),
        (Self::Embedding, "embeddings"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(own, _)| *own == self).map_or("", |(_, name)| name)
    }

    /// The layout a number of places further on.
    #[must_use]
    pub fn rotated(self, by: isize) -> Self {
        let at = Self::ALL.iter().position(|(own, _)| *own == self).unwrap_or(0) as isize;
        Self::ALL[(at + by).rem_euclid(Self::ALL.len() as isize) as usize].0
    }
}

/// A layout result and its graph.
#[derive(Debug, Clone)]
pub struct LayoutResult {
    /// The graph.
    pub of: Arc<Graph>,
    /// The result.
    pub how: How,
}

/// Result of a layout job.
#[derive(Debug, Clone)]
pub enum How {
    /// An intermediate force layout, and its seed.
    Force(u64, Refined),
    /// A spectral layout, or the error.
    Spectral(Result<Vec<Position>, LayoutError>),
    /// A projection of the embeddings of a snapshot.
    Embedding(Arc<Snapshot>, Projection),
}

/// How the map is displayed.
#[derive(Debug, Default)]
pub struct MapView {
    /// The layout method.
    pub layout: LayoutKind,
    /// What nodes are coloured by.
    pub colour: ColourBy,
    /// The visible part.
    pub window: Window,
    /// The node under the cursor.
    pub cursor: Option<NodeId>,
    /// The node under the mouse.
    pub hover: Option<NodeId>,
    /// The first corner of a selection box being drawn.
    pub corner: Option<Position>,
    /// Its other corner if the mouse draws it; otherwise the cursor is.
    pub reach: Option<Position>,
    /// Where the mouse was pressed, until it is dragged or released.
    pub pressed: Option<Position>,
    /// The selected nodes, in order.
    pub selected: Vec<NodeId>,
    /// The last search text.
    pub sought: String,
    /// Whether edges are hidden.
    pub bare: bool,
    /// Whether classes are drawn as letters instead of shapes.
    pub letters: bool,
    /// The seed of the force layout.
    pub seed: u64,
    /// Node colours and shapes.
    pub paint: Paint,
    force: Option<Refined>,
    spectral: Option<Result<Vec<Position>, LayoutError>>,
    embedding: Option<(Arc<Snapshot>, Arc<Projection>)>,
    /// The run these belong to.
    of: Option<Arc<PreparedRun>>,
    painted: Option<(ColourBy, Option<Arc<Snapshot>>, Option<usize>)>,
    asked: PendingLayouts,
}

/// Requests that are pending, or must not be repeated.
#[derive(Debug, Default)]
struct PendingLayouts {
    force: Option<u64>,
    spectral: bool,
    embedding: Option<Arc<Snapshot>>,
}

impl MapView {
    /// The position of every node; `None` while unknown.
    pub fn places(&self) -> Option<&[Position]> {
        match self.layout {
            LayoutKind::Force => self.force.as_ref().map(|own| own.places.as_slice()),
            LayoutKind::Spectral => self.spectral.as_ref()?.as_deref().ok(),
            LayoutKind::Embedding => self.embedding.as_ref().map(|(_, own)| own.places.as_slice()),
        }
    }

    /// Why no positions can be computed, if so.
    pub fn trouble(&self) -> Option<String> {
        let failed = self.spectral.as_ref().and_then(|own| own.as_ref().err());
        failed.filter(|_| self.layout == LayoutKind::Spectral).map(ToString::to_string)
    }

    /// Layout progress in a few words.
    pub fn progress(&self) -> String {
        match (self.layout, &self.force, &self.embedding) {
            (LayoutKind::Force, Some(own), _) if own.done < own.total => {
                format!("settling {} %", 100 * own.done / own.total.max(1))
            }
            (LayoutKind::Embedding, _, Some((snapshot, own))) => {
                let shares = own.shown.iter().map(|share| format!("{:.0} %", 100.0 * share));
                let shares = shares.collect::<Vec<_>>().join(", ");
                let epoch = snapshot.scalars.epoch;
                let apart = if own.shown.len() > 1 { " · per type" } else { "" };
                format!("epoch {epoch} · PCA shows {shares} of the variance{apart}")
            }
            _ => String::new(),
        }
    }

    /// The node to describe: the one under the mouse, or else under the cursor.
    pub fn shown_node(&self) -> Option<NodeId> {
        self.hover.or(self.cursor)
    }

    /// The two corners of the box being drawn.
    pub fn span(&self) -> Option<(Position, Position)> {
        let from = self.corner?;
        let at = |node: NodeId| self.places()?.get(node.index()).copied();
        Some((from, self.reach.or_else(|| self.cursor.and_then(at))?))
    }

    /// Stores a layout result if it belongs to the current graph.
    pub fn take(&mut self, layout_result: LayoutResult) {
        let own =
            self.of.as_ref().is_some_and(|own| Arc::ptr_eq(&own.prepared.graph, &layout_result.of));
        if !own {
            return;
        }
        match layout_result.how {
            How::Force(seed, refined) if seed == self.seed => self.force = Some(refined),
            How::Force(..) => {}
            How::Spectral(result) => self.spectral = Some(result),
            How::Embedding(snapshot, made) => self.embedding = Some((snapshot, Arc::new(made))),
        }
    }

    /// Turns the box into a selection.
    pub fn close_box(&mut self) {
        if let (Some((from, to)), Some(places)) = (self.span(), self.places()) {
            self.selected = inside(places, from, to);
        }
        (self.corner, self.reach) = (None, None);
    }

    /// Moves the cursor to a node and makes it visible.
    pub fn go_to(&mut self, node: NodeId) {
        self.cursor = Some(node);
        self.hover = None;
        if let Some(place) = self.places().and_then(|places| places.get(node.index())).copied() {
            self.window.show(place);
        }
    }
}

/// Updates the map from the session; returns the jobs to request.
pub(super) fn follow(state: &mut State) -> Vec<Effect> {
    let Some(ready) = state.graph.session.ready.clone() else { return Vec::new() };
    let is_small = ready.prepared.graph.node_count() <= SMALL_GRAPH;
    if state.screen != Screen::Map && state.screen != Screen::Overview {
        return Vec::new();
    }
    let snapshot = state.graph.session.snapshot.clone();
    let spectrum = eigenpairs(state).cloned();
    let computing = matches!(state.graph.eigenpairs, Eigenpairs::Asked);
    let vector = state.graph.filter.cursor.zip(state.graph.facts.as_ref());
    let vector = vector.and_then(|(at, facts)| Some(facts.values.get(at)?.first));
    let chosen =
        state.graph.chosen_node.filter(|own| own.index() < ready.prepared.graph.node_count());
    let map = &mut state.graph.map;
    meet(map, &ready);
    let subject = match map.colour {
        ColourBy::Eigenvector => {
            vector.zip(spectrum.as_deref()).map(|(at, own)| Subject::Vector(own, at))
        }
        ColourBy::Distance => chosen.map(Subject::Node),
        _ => None,
    };
    repaint(map, &ready, snapshot.as_ref(), subject);
    if state.screen == Screen::Overview && !is_small {
        return Vec::new();
    }
    let of = ready.prepared.graph.clone();
    let question = match map.layout {
        LayoutKind::Force if map.asked.force != Some(map.seed) => {
            map.asked.force = Some(map.seed);
            Job::Force(of, map.seed)
        }
        LayoutKind::Spectral if !map.asked.spectral => {
            if spectrum.is_none() && computing {
                return Vec::new();
            }
            map.asked.spectral = true;
            Job::Spectral(ready, spectrum)
        }
        LayoutKind::Embedding => {
            let Some(snapshot) = snapshot else { return Vec::new() };
            if same(map.asked.embedding.as_ref(), Some(&snapshot)) {
                return Vec::new();
            }
            map.asked.embedding = Some(snapshot.clone());
            let before = map.embedding.as_ref().map(|(_, own)| own.clone());
            Job::Embedding(ready, snapshot, before)
        }
        _ => return Vec::new(),
    };
    vec![Effect::Ask(question)]
}

fn same<T>(a: Option<&Arc<T>>, b: Option<&Arc<T>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

/// Discards data that does not belong to the current run: everything of another
/// graph, and the spectral layout of another spectrum.
fn meet(map: &mut MapView, ready: &Arc<PreparedRun>) {
    let before = map.of.replace(ready.clone());
    if same(before.as_ref(), Some(ready)) {
        return;
    }
    let (before, own) = (before.as_ref().map(|before| &before.prepared), &ready.prepared);
    map.painted = None;
    if !same(before.map(|before| &before.graph), Some(&own.graph)) {
        (map.force, map.asked.force) = (None, None);
        (map.embedding, map.asked.embedding) = (None, None);
        (map.cursor, map.hover, map.corner, map.reach) = (None, None, None, None);
        map.selected.clear();
        map.window = Window::default();
        if !map.colour.applies(&own.graph) {
            map.colour = map.colour.rotated(1, &own.graph);
        }
    }
    if !same(before.map(|before| &before.matrix), Some(&own.matrix)) {
        (map.spectral, map.asked.spectral) = (None, false);
    }
}

/// What nodes are coloured by, beside the run: a column of eigenvectors, or a node.
#[derive(Clone, Copy)]
enum Subject<'a> {
    Vector(&'a Spectrum, usize),
    Node(NodeId),
}

fn repaint(
    map: &mut MapView,
    ready: &PreparedRun,
    snapshot: Option<&Arc<Snapshot>>,
    subject: Option<Subject<'_>>,
) {
    let wanted = snapshot.filter(|_| map.colour.learns());
    let key = subject.map(|subject| match subject {
        Subject::Vector(_, column) => column,
        Subject::Node(node) => node.index(),
    });
    let done = map.painted.as_ref().is_some_and(|(colour, from, of)| {
        *colour == map.colour && same(from.as_ref(), wanted) && *of == key
    });
    if !done {
        map.paint = match subject {
            Some(Subject::Vector(spectrum, column)) => Paint::by_eigenvector(spectrum, column),
            Some(Subject::Node(node)) => Paint::by_distance(&ready.prepared.graph, node),
            None => Paint::of(map.colour, ready, wanted.map(Arc::as_ref)),
        };
        map.painted = Some((map.colour, wanted.cloned(), key));
    }
}
