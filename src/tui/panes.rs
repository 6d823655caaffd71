//! Panes whose width the user can change, by dragging their edge or by keys.

use super::state::{Screen, State};

/// The narrowest pane, and the narrowest rest beside it.
const LEAST: (u16, u16) = (18, 30);

/// A pane beside the main part of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pane {
    /// The settings of the Train screen, at the right.
    Settings,
    /// The cards of the Filter screen, at the right.
    FilterCards,
    /// The cards of the Map screen, at the right.
    MapCards,
    /// The list of the Node screen, at the left.
    NodeList,
}

impl Pane {
    /// The pane of a screen, if it has one.
    pub fn of(screen: Screen) -> Option<Self> {
        match screen {
            Screen::Train => Some(Self::Settings),
            Screen::Filter => Some(Self::FilterCards),
            Screen::Map => Some(Self::MapCards),
            Screen::Node => Some(Self::NodeList),
            Screen::Overview | Screen::Lab | Screen::Runs => None,
        }
    }
}

/// The widths the user chose, and the edge being dragged.
#[derive(Debug, Default)]
pub struct Panes {
    widths: Vec<(Pane, u16)>,
    /// The pane whose edge is being dragged.
    pub dragged: Option<Pane>,
}

impl Panes {
    /// The width of a pane in an area: as the user chose, or else the usual one.
    pub fn width(&self, pane: Pane, usual: u16, area: u16) -> u16 {
        let chosen = self.widths.iter().find(|(own, _)| *own == pane).map(|(_, width)| *width);
        let Some(width) = chosen else { return usual };
        let most = area.saturating_sub(LEAST.1);
        width.clamp(LEAST.0.min(most), most.max(LEAST.0).min(area))
    }

    fn set(&mut self, pane: Pane, width: u16) {
        self.widths.retain(|(own, _)| *own != pane);
        self.widths.push((pane, width));
    }
}

/// Moves the edge of the dragged pane to a column.
pub(super) fn drag(state: &mut State, column: u16) {
    let Some(pane) = state.panes.dragged else { return };
    let Some((area, _)) = state.hits.edge(pane) else { return };
    let width = match pane {
        Pane::NodeList => column.saturating_sub(area.x) + 1,
        Pane::Settings | Pane::FilterCards | Pane::MapCards => area.right().saturating_sub(column),
    };
    state.panes.set(pane, width.clamp(LEAST.0, area.width.saturating_sub(LEAST.1).max(LEAST.0)));
}

/// Makes the pane of the screen wider or narrower by some columns.
pub(super) fn widen(state: &mut State, by: i16) {
    let Some(pane) = Pane::of(state.screen) else { return };
    let Some((area, drawn)) = state.hits.edge(pane) else { return };
    // Several keys may come before the next frame.
    let width = state.panes.width(pane, drawn, area.width);
    let most = area.width.saturating_sub(LEAST.1).max(LEAST.0);
    state.panes.set(pane, width.saturating_add_signed(by).clamp(LEAST.0, most));
}
