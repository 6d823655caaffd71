//! Everything the explorer knows and shows. Changed by `update` alone, read by
//! the views.

use std::time::Duration;

use super::commands::Keymap;
use super::filter::FilterFacts;
use super::lab::LabView;
use super::layers::Layer;
use super::learning::Learning;
use super::look::Look;
use super::map::MapView;
use super::node::NodeView;
use super::notices::Notices;
use super::panel::Panel;
use super::picker::Picker;
use super::player::ReplayStatus;
use super::projector::Projector;
use super::run::{Curve, Figure, Pane, Run};
use super::runs::RunsView;
use super::session::Session;
use super::spectrum::Eigenpairs;
use super::views::Hits;
use super::widgets::Spread;
use crate::graph::NodeId;
use crate::lab::Lab;
use crate::model::settings::Settings;

/// The screens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Screen {
    /// Curves and settings.
    #[default]
    Train,
    /// The learned filter.
    Filter,
    /// One node, and who made it.
    Node,
    /// Where nodes are.
    Map,
    /// The set-function experiments.
    Lab,
    /// Every run of the graph.
    Runs,
}

impl Screen {
    /// Every screen with its name.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Train, "Train"),
        (Self::Filter, "Filter"),
        (Self::Node, "Node"),
        (Self::Map, "Map"),
        (Self::Lab, "Lab"),
        (Self::Runs, "Runs"),
    ];

    /// The screen of that name, in any case.
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, own)| own.eq_ignore_ascii_case(name));
        found.map(|(screen, _)| *screen)
    }

    /// The screen so many places on, around the end.
    #[must_use]
    pub fn turned(self, by: isize) -> Self {
        let at = Self::ALL.iter().position(|(screen, _)| *screen == self).unwrap_or(0);
        let count = Self::ALL.len() as isize;
        Self::ALL[(at as isize + by).rem_euclid(count) as usize].0
    }
}

/// Which part of the Train screen listens to keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Focus {
    /// The curves.
    #[default]
    Plot,
    /// The panel of settings.
    Settings,
}

/// What a plot shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlotKind {
    /// Figures over the epochs.
    Curves,
    /// ρ over σ.
    Filter,
}

/// Which plots are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Plots {
    /// Both, where there is room.
    #[default]
    Both,
    /// What is minimised.
    Loss,
    /// How good predictions are.
    Score,
}

/// How the curves are looked at.
#[derive(Debug, Clone)]
pub struct CurvesView {
    /// How the loss is spread.
    pub spread: Spread,
    /// How strongly curves are smoothed: 0 to 3.
    pub smoothing: usize,
    /// The epochs in view; all where there is none.
    pub window: Option<(f64, f64)>,
    /// Whether "all" means the epochs so far, not those to come.
    pub so_far: bool,
    /// The epoch under the cursor.
    pub cursor: Option<usize>,
    /// Which plots are shown.
    pub plots: Plots,
    /// Whether the run before is shown.
    pub ghosts: bool,
}

impl Default for CurvesView {
    fn default() -> Self {
        Self {
            spread: Spread::Log,
            smoothing: 0,
            window: None,
            so_far: false,
            cursor: None,
            plots: Plots::Both,
            ghosts: true,
        }
    }
}

/// How the filter is looked at.
#[derive(Debug, Clone)]
pub struct FilterView {
    /// Whether the axis shows the frequency 1 − σ instead of σ.
    pub frequency: bool,
    /// Which known filter is drawn beside the learned one; 0 is none.
    pub reference: usize,
    /// The part of [-1, 1] in view.
    pub window: (f64, f64),
    /// The distinct eigenvalue under the cursor.
    pub cursor: Option<usize>,
    /// Whether earlier epochs are shown.
    pub ghosts: bool,
    /// Whether the hop weights are shown.
    pub hops: bool,
}

impl Default for FilterView {
    fn default() -> Self {
        Self {
            frequency: false,
            reference: 0,
            window: (-1.0, 1.0),
            cursor: None,
            ghosts: true,
            hops: true,
        }
    }
}

/// Everything.
pub struct State {
    /// What is known of the training.
    pub session: Session,
    /// What is known of the spectrum.
    pub facts: Option<FilterFacts>,
    /// The eigenpairs of the graph, computed when a screen shows them.
    pub eigenpairs: Eigenpairs,
    /// The screen one is on.
    pub screen: Screen,
    /// Which part of it listens.
    pub focus: Focus,
    /// How the curves are looked at.
    pub curves: CurvesView,
    /// How the filter is looked at.
    pub filter: FilterView,
    /// How nodes are looked at.
    pub node: NodeView,
    /// How the map is looked at.
    pub map: MapView,
    /// The node that was opened last.
    pub chosen_node: Option<NodeId>,
    /// The experiments, once they were looked at.
    pub lab: Option<Lab>,
    /// How they are looked at.
    pub lab_view: LabView,
    /// How the runs are looked at.
    pub runs: RunsView,
    /// The panel of settings.
    pub panel: Panel,
    /// What lies over the screen, the topmost last.
    pub layers: Vec<Layer>,
    /// What was said lately.
    pub notices: Notices,
    /// Colours and glyphs.
    pub look: Look,
    /// Which keys do what.
    pub keymap: Keymap,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// Since the start.
    pub now: Duration,
    /// The settings at the start, to which things are reset.
    pub home: Settings,
    /// Choosing a graph, where none is open.
    pub picker: Option<Picker>,
    /// Presets of the person: name and text.
    pub own_presets: Vec<(String, String)>,
    /// The lesson that is taken.
    pub learning: Learning,
    /// Larger things for a room.
    pub projector: Projector,
    /// How far a replay is, while one is under way.
    pub replay: Option<ReplayStatus>,
    /// What the mouse can hit, as drawn last.
    pub hits: Hits,
}

impl State {
    /// A state before anything is known.
    pub fn new(title: String, settings: Settings, look: Look) -> Self {
        Self {
            session: Session::new(title, settings.clone()),
            facts: None,
            eigenpairs: Eigenpairs::default(),
            screen: Screen::default(),
            focus: Focus::default(),
            curves: CurvesView::default(),
            filter: FilterView::default(),
            node: NodeView::default(),
            map: MapView::default(),
            chosen_node: None,
            lab: None,
            lab_view: LabView::default(),
            runs: RunsView::default(),
            panel: Panel::default(),
            layers: Vec::new(),
            notices: Notices::default(),
            look,
            keymap: Keymap::default(),
            size: (80, 24),
            now: Duration::ZERO,
            home: settings,
            picker: None,
            own_presets: Vec::new(),
            learning: Learning::default(),
            projector: Projector::default(),
            replay: None,
            hits: Hits::default(),
        }
    }

    /// The curves of a plot that are shown: for a room, no more than it can read.
    pub fn curves_of<'a>(&self, run: &'a Run, pane: Pane) -> Vec<&'a Curve> {
        let by_x = |curve: &&Curve| match pane {
            Pane::Loss => curve.figure == Figure::Total,
            Pane::Score => curve.figure.is_from_x(),
        };
        run.of(pane).filter(|curve| !self.projector.on || by_x(curve)).collect()
    }

    /// The plot of the screen one is on, if it has one.
    pub fn plot(&self) -> Option<PlotKind> {
        match self.screen {
            Screen::Train => Some(PlotKind::Curves),
            Screen::Filter => Some(PlotKind::Filter),
            Screen::Node | Screen::Map | Screen::Lab | Screen::Runs => None,
        }
    }

    /// Whether keys go to the panel of settings.
    pub fn in_settings(&self) -> bool {
        self.screen == Screen::Train && self.focus == Focus::Settings
    }

    /// Whether something moves by itself and wants the clock.
    pub fn moves(&self) -> bool {
        self.notices.fades()
            || self.projector.fades()
            || (self.picker.is_none() && self.session.is_preparing())
    }

    /// The settings as the panel shows them: those in force, or the draft.
    pub fn shown_settings(&self) -> &Settings {
        self.panel.draft.as_ref().unwrap_or(&self.session.asked)
    }

    /// The epoch whose figures are read out: the cursor's, or the one gone back
    /// to; none where it is the newest.
    pub fn read_out(&self) -> Option<usize> {
        let back = self.session.at < self.session.run.epochs;
        self.curves.cursor.or(back.then_some(self.session.at))
    }

    /// The epochs that all of the curves cover.
    pub fn whole(&self) -> (f64, f64) {
        let run = &self.session.run;
        let ghosts = self.session.shown().filter(|_| self.curves.ghosts);
        let longest = ghosts.map(|ghost| ghost.run.epochs.min(2 * run.epochs.max(50))).max();
        let seen = run.epochs.max(longest.unwrap_or(0));
        let end = if self.curves.so_far { seen } else { seen.max(self.session.settings.epochs) };
        (0.0, end.max(10) as f64)
    }

    /// The epochs in view.
    pub fn in_view(&self) -> (f64, f64) {
        self.curves.window.unwrap_or_else(|| self.whole())
    }
}
