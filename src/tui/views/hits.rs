//! What the mouse can hit, recorded while drawing.

use ratatui::layout::{Position, Rect};

use crate::explain::Sort;
use crate::graph::NodeId;
use crate::tui::drawing::Drawings;
use crate::tui::map::Frame;
use crate::tui::node::NodePane;
use crate::tui::overview::OverviewBox;
use crate::tui::panes::Pane;
use crate::tui::state::Screen;
use crate::tui::widgets::Plot;

/// What is under the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitTarget {
    /// A command by its name.
    Command(&'static str),
    /// A screen.
    Screen(Screen),
    /// A row of the settings.
    Setting(usize),
    /// A row of the runs.
    Run(usize),
    /// A plot.
    Plot,
    /// A row of the list of nodes.
    NodeRow(usize),
    /// A column of the list of nodes.
    NodeSort(Sort),
    /// A contributor of the open node.
    Contributor(NodeId),
    /// A part of the Node screen.
    NodePane(NodePane),
    /// A card or a number of the lab.
    Card(usize),
    /// The edge of a pane.
    Edge(Pane),
    /// A box of the overview.
    Overview(OverviewBox),
    /// The map.
    Map,
    /// An entry of the topmost list.
    Choice(usize),
    /// The text of a lesson.
    Lesson,
    /// Something that swallows clicks.
    Nothing,
}

/// Everything that can be hit.
#[derive(Debug, Default)]
pub struct Hits {
    areas: Vec<(Rect, HitTarget)>,
    plot: Option<Plot>,
    mirrored: bool,
    most_scroll: usize,
    map: Option<Frame>,
    edges: Vec<(Pane, Rect, u16)>,
    /// What was drawn as shapes.
    pub drawings: Drawings,
}

impl Hits {
    /// Records an area; later ones lie over earlier ones.
    pub fn add(&mut self, area: Rect, target: HitTarget) {
        self.areas.push((area, target));
    }

    /// Records a plot; `mirrored` where its axis shows 1 − σ.
    pub fn add_plot(&mut self, plot: Plot, mirrored: bool) {
        self.areas.push((plot.area, HitTarget::Plot));
        self.plot = Some(plot);
        self.mirrored = mirrored;
    }

    /// Records how far the text of the lesson can be scrolled.
    pub fn scrolls(&mut self, most: usize) {
        self.most_scroll = most;
    }

    /// How far the text of the lesson can be scrolled.
    pub fn most_scroll(&self) -> usize {
        self.most_scroll
    }

    /// Records the edge of a pane of an area: the borders on both sides of a column.
    pub fn add_edge(&mut self, pane: Pane, area: Rect, column: u16, width: u16) {
        let borders = Rect { x: column.saturating_sub(1), width: 2, ..area };
        self.areas.push((borders, HitTarget::Edge(pane)));
        self.edges.push((pane, area, width));
    }

    /// The area that a pane is a part of, and its width.
    pub fn edge(&self, pane: Pane) -> Option<(Rect, u16)> {
        let own = self.edges.iter().find(|(own, ..)| *own == pane);
        own.map(|(_, area, width)| (*area, *width))
    }

    /// Records the map.
    pub fn add_map(&mut self, frame: Frame) {
        self.areas.push((frame.area, HitTarget::Map));
        self.map = Some(frame);
    }

    /// The map.
    pub fn map(&self) -> Option<Frame> {
        self.map
    }

    /// A layer comes over everything so far.
    pub fn cover(&mut self) {
        self.areas.clear();
    }

    /// The card of the row above or below that lies nearest under a card; the
    /// card itself where there is none.
    pub fn card_beyond(&self, card: usize, down: bool) -> usize {
        let cards = self.areas.iter().filter_map(|(area, target)| match target {
            HitTarget::Card(at) => Some((*at, *area)),
            _ => None,
        });
        let Some((_, from)) = cards.clone().find(|(at, _)| *at == card) else { return card };
        let beyond = cards.filter(|(_, area)| if down { area.y > from.y } else { area.y < from.y });
        let far = |area: &Rect| (area.y.abs_diff(from.y), area.x.abs_diff(from.x));
        beyond.min_by_key(|(_, area)| far(area)).map_or(card, |(at, _)| at)
    }

    /// What is at a place.
    pub fn at(&self, place: Position) -> Option<HitTarget> {
        let hit = self.areas.iter().rev().find(|(area, _)| area.contains(place));
        hit.map(|(_, target)| *target)
    }

    /// The value of the plot's upright axis beside a row.
    pub fn height(&self, row: u16) -> Option<f64> {
        let plot = self.plot?;
        let last = f64::from(plot.area.height.saturating_sub(1).max(1));
        let down =
            f64::from(row.clamp(plot.area.y, plot.area.bottom().saturating_sub(1)) - plot.area.y);
        Some(plot.up.value(1.0 - down / last))
    }

    /// The value of the plot's lower axis under a column.
    pub fn value(&self, column: u16) -> Option<f64> {
        let plot = self.plot?;
        let value = plot.value_at(column.clamp(plot.area.x, plot.area.right().saturating_sub(1)));
        Some(if self.mirrored { plot.across.low() + plot.across.high() - value } else { value })
    }
}
