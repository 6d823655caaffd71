//! What the Map screen knows: where nodes are, how they are coloured, what is
//! in view, under the cursor and selected.
//!
//! ```text
//! follow ─▶ Question ─▶ layout ─▶ Laid ─▶ places
//!    └────▶ Paint                    keys, mouse ─▶ window, cursor, selection
//! ```

mod facts;
mod frame;
mod paint;
mod pick;
mod selection;

use std::sync::Arc;

pub(super) use facts::{Facts, facts};
pub(super) use frame::{Frame, Window};
pub(super) use paint::{ColourBy, Entry, Mark, Paint};
pub(super) use pick::{Heading, beside, found, nearest};
pub(super) use selection::{Mix, inside, mix};

use super::message::Effect;
use super::questions::Question;
use super::spectrum::{Eigenpairs, eigenpairs};
use super::state::{Screen, State};
use crate::graph::{Graph, NodeId};
use crate::layout::{LayoutError, Place, Projection, Refined};
use crate::train::{Ready, Snapshot};

/// What decides where nodes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LayoutKind {
    /// Forces along the edges.
    #[default]
    Force,
    /// The slowest waves of the graph.
    Spectral,
    /// What was learned.
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

    /// The one so many places on.
    #[must_use]
    pub fn turned(self, by: isize) -> Self {
        let at = Self::ALL.iter().position(|(own, _)| *own == self).unwrap_or(0) as isize;
        Self::ALL[(at + by).rem_euclid(Self::ALL.len() as isize) as usize].0
    }
}

/// An answer about a layout, with the graph it is of.
#[derive(Debug, Clone)]
pub struct Laid {
    /// The graph.
    pub of: Arc<Graph>,
    /// The answer.
    pub how: How,
}

/// What came of a layout.
#[derive(Debug, Clone)]
pub enum How {
    /// A force layout on its way, begun with that seed.
    Force(u64, Refined),
    /// A spectral one, or why not.
    Spectral(Result<Vec<Place>, LayoutError>),
    /// Embeddings at a moment.
    Embedding(Arc<Snapshot>, Projection),
}

/// How the map is looked at.
#[derive(Debug, Default)]
pub struct MapView {
    /// What decides where nodes are.
    pub layout: LayoutKind,
    /// What decides how they are drawn.
    pub colour: ColourBy,
    /// The part in view.
    pub window: Window,
    /// The node under the cursor.
    pub cursor: Option<NodeId>,
    /// The node under the mouse.
    pub hover: Option<NodeId>,
    /// A box that is being spanned: its first corner.
    pub corner: Option<Place>,
    /// Its other corner where the mouse spans it; else the cursor is.
    pub reach: Option<Place>,
    /// Where the mouse was pressed, until it is dragged or let go.
    pub pressed: Option<Place>,
    /// The selected nodes, in order.
    pub selected: Vec<NodeId>,
    /// What was looked for last.
    pub sought: String,
    /// Whether edges are left out.
    pub bare: bool,
    /// The seed of the force layout.
    pub seed: u64,
    /// How nodes are drawn.
    pub paint: Paint,
    force: Option<Refined>,
    spectral: Option<Result<Vec<Place>, LayoutError>>,
    embedding: Option<(Arc<Snapshot>, Arc<Projection>)>,
    /// The run these are of.
    of: Option<Arc<Ready>>,
    painted: Option<(ColourBy, Option<Arc<Snapshot>>)>,
    asked: Asked,
}

/// What was asked and not answered yet, or never to be asked again.
#[derive(Debug, Default)]
struct Asked {
    force: Option<u64>,
    spectral: bool,
    embedding: Option<Arc<Snapshot>>,
}

impl MapView {
    /// Where every node is; `None` while nobody knows yet.
    pub fn places(&self) -> Option<&[Place]> {
        match self.layout {
            LayoutKind::Force => self.force.as_ref().map(|own| own.places.as_slice()),
            LayoutKind::Spectral => self.spectral.as_ref()?.as_deref().ok(),
            LayoutKind::Embedding => self.embedding.as_ref().map(|(_, own)| own.places.as_slice()),
        }
    }

    /// Why there are no places, where there never will be.
    pub fn trouble(&self) -> Option<String> {
        let failed = self.spectral.as_ref().and_then(|own| own.as_ref().err());
        failed.filter(|_| self.layout == LayoutKind::Spectral).map(ToString::to_string)
    }

    /// How the layout goes, in a few words.
    pub fn progress(&self) -> String {
        match (self.layout, &self.force, &self.embedding) {
            (LayoutKind::Force, Some(own), _) if own.done < own.total => {
                format!("settling {} %", 100 * own.done / own.total.max(1))
            }
            (LayoutKind::Embedding, _, Some((snapshot, own))) => {
                let shares = own.shown.iter().map(|share| format!("{:.0} %", 100.0 * share));
                let shares = shares.collect::<Vec<_>>().join(", ");
                let epoch = snapshot.scalars.epoch;
                let apart = if own.shown.len() > 1 { " · each type by itself" } else { "" };
                format!("epoch {epoch} · PCA shows {shares} of the variance{apart}")
            }
            _ => String::new(),
        }
    }

    /// The node to tell of: the one under the mouse, else under the cursor.
    pub fn shown_node(&self) -> Option<NodeId> {
        self.hover.or(self.cursor)
    }

    /// The two corners of the box that is being spanned.
    pub fn span(&self) -> Option<(Place, Place)> {
        let from = self.corner?;
        let at = |node: NodeId| self.places()?.get(node.index()).copied();
        Some((from, self.reach.or_else(|| self.cursor.and_then(at))?))
    }

    /// Takes an answer, if it is about the graph in hand.
    pub fn take(&mut self, laid: Laid) {
        let own = self.of.as_ref().is_some_and(|own| Arc::ptr_eq(&own.ground.graph, &laid.of));
        if !own {
            return;
        }
        match laid.how {
            How::Force(seed, refined) if seed == self.seed => self.force = Some(refined),
            How::Force(..) => {}
            How::Spectral(result) => self.spectral = Some(result),
            How::Embedding(snapshot, made) => self.embedding = Some((snapshot, Arc::new(made))),
        }
    }

    /// Fixes the box as a selection.
    pub fn close_box(&mut self) {
        if let (Some((from, to)), Some(places)) = (self.span(), self.places()) {
            self.selected = inside(places, from, to);
        }
        (self.corner, self.reach) = (None, None);
    }

    /// Puts the cursor on a node and sees to it that it is in view.
    pub fn go_to(&mut self, node: NodeId) {
        self.cursor = Some(node);
        self.hover = None;
        if let Some(place) = self.places().and_then(|places| places.get(node.index())).copied() {
            self.window.show(place);
        }
    }
}

/// Keeps what the map shows in step with the session; says what is to be asked.
pub(super) fn follow(state: &mut State) -> Vec<Effect> {
    let (Screen::Map, Some(ready)) = (state.screen, state.session.ready.clone()) else {
        return Vec::new();
    };
    let snapshot = state.session.snapshot.clone();
    let spectrum = eigenpairs(state).cloned();
    let computing = matches!(state.eigenpairs, Eigenpairs::Asked);
    let map = &mut state.map;
    meet(map, &ready);
    repaint(map, &ready, snapshot.as_ref());
    let of = ready.ground.graph.clone();
    let question = match map.layout {
        LayoutKind::Force if map.asked.force != Some(map.seed) => {
            map.asked.force = Some(map.seed);
            Question::Force(of, map.seed)
        }
        LayoutKind::Spectral if !map.asked.spectral => {
            if spectrum.is_none() && computing {
                return Vec::new();
            }
            map.asked.spectral = true;
            Question::Spectral(ready, spectrum)
        }
        LayoutKind::Embedding => {
            let Some(snapshot) = snapshot else { return Vec::new() };
            if same(map.asked.embedding.as_ref(), Some(&snapshot)) {
                return Vec::new();
            }
            map.asked.embedding = Some(snapshot.clone());
            let before = map.embedding.as_ref().map(|(_, own)| own.clone());
            Question::Embedding(ready, snapshot, before)
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

/// Forgets what is not of the run in hand: all of another graph, the waves of
/// another spectrum.
fn meet(map: &mut MapView, ready: &Arc<Ready>) {
    let before = map.of.replace(ready.clone());
    if same(before.as_ref(), Some(ready)) {
        return;
    }
    let (before, own) = (before.as_ref().map(|before| &before.ground), &ready.ground);
    map.painted = None;
    if !same(before.map(|before| &before.graph), Some(&own.graph)) {
        (map.force, map.asked.force) = (None, None);
        (map.embedding, map.asked.embedding) = (None, None);
        (map.cursor, map.hover, map.corner, map.reach) = (None, None, None, None);
        map.selected.clear();
        map.window = Window::default();
        if !map.colour.applies(&own.graph) {
            map.colour = map.colour.turned(1, &own.graph);
        }
    }
    if !same(before.map(|before| &before.matrix), Some(&own.matrix)) {
        (map.spectral, map.asked.spectral) = (None, false);
    }
}

fn repaint(map: &mut MapView, ready: &Ready, snapshot: Option<&Arc<Snapshot>>) {
    let wanted = snapshot.filter(|_| map.colour.learns());
    let done = map
        .painted
        .as_ref()
        .is_some_and(|(colour, from)| *colour == map.colour && same(from.as_ref(), wanted));
    if !done {
        map.paint = Paint::of(map.colour, ready, wanted.map(Arc::as_ref));
        map.painted = Some((map.colour, wanted.cloned()));
    }
}
