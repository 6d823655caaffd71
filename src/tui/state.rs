//! The state of the explorer. Changed by `update` only, read by the views.

use std::time::Duration;

use super::appearance::Appearance;
use super::commands::Keymap;
use super::filter::FilterFacts;
use super::graph_filters::GraphFilters;
use super::home::Access;
use super::lab::LabView;
use super::label_energy::{EnergyOf, LabelEnergyState};
use super::layers::Layer;
use super::learning::LessonsState;
use super::map::MapView;
use super::node::NodeView;
use super::notices::Notices;
use super::overview::{LEAST_COLUMNS, OverviewBox};
use super::panel::Panel;
use super::panes::Panes;
use super::picker::Picker;
use super::player::ReplayStatus;
use super::projector::Projector;
use super::run::{Curve, CurveGroup, CurveKind, PlotPane, Run};
use super::runs::RunsView;
use super::session::Session;
use super::spectrum::Eigenpairs;
use super::speed::Speed;
use super::views::Hits;
use super::widgets::AxisScale;
use crate::graph::NodeId;
use crate::lab::Lab;
use crate::model::settings::Settings;

/// The screens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Screen {
    /// The whole model, and one node followed through it.
    Overview,
    /// Curves and settings.
    #[default]
    Train,
    /// The learned filter.
    Filter,
    /// One node and its contributors.
    Node,
    /// The node layout.
    Map,
    /// The set-function experiments.
    Lab,
    /// All runs of the graph.
    Runs,
}

impl Screen {
    /// Every screen with its name.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Overview, "Overview"),
        (Self::Train, "Train"),
        (Self::Filter, "Filter"),
        (Self::Node, "Node"),
        (Self::Map, "Map"),
        (Self::Lab, "Lab"),
        (Self::Runs, "Runs"),
    ];

    /// The screen with a name, in any case.
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, own)| own.eq_ignore_ascii_case(name));
        found.map(|(screen, _)| *screen)
    }

    /// Whether a terminal with a number of columns has room for it.
    pub fn fits(self, columns: u16) -> bool {
        self != Self::Overview || columns >= LEAST_COLUMNS
    }

    /// The screen a number of places further on, wrapping around.
    #[must_use]
    pub fn rotated(self, by: isize) -> Self {
        let at = Self::ALL.iter().position(|(screen, _)| *screen == self).unwrap_or(0);
        let count = Self::ALL.len() as isize;
        Self::ALL[(at as isize + by).rem_euclid(count) as usize].0
    }
}

/// The focused part of the Train or Filter screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Focus {
    /// The plots.
    #[default]
    Plot,
    /// The settings panel.
    Settings,
}

/// What a plot shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlotKind {
    /// Metrics over the epochs.
    Curves,
    /// ρ over σ.
    Filter,
}

/// Which plots are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Plots {
    /// Both, if there is space.
    #[default]
    Both,
    /// The loss.
    Loss,
    /// The scores.
    Score,
}

/// How the curves are displayed.
#[derive(Debug, Clone)]
pub struct CurvesView {
    /// The axis scale of the loss.
    pub spread: AxisScale,
    /// Smoothing level: 0 to 3.
    pub smoothing: usize,
    /// The visible epochs; all if `None`.
    pub window: Option<(f64, f64)>,
    /// Whether "all" means the epochs so far, without those to come.
    pub so_far: bool,
    /// The epoch under the cursor.
    pub cursor: Option<usize>,
    /// Which plots are shown.
    pub plots: Plots,
    /// Whether the previous run is shown.
    pub ghosts: bool,
    /// The curves that are hidden.
    pub hidden: Vec<CurveGroup>,
}

impl CurvesView {
    /// Whether a curve is shown.
    pub fn shows(&self, curve: &Curve) -> bool {
        !self.hidden.contains(&curve.figure.group())
    }
}

impl Default for CurvesView {
    fn default() -> Self {
        Self {
            spread: AxisScale::Log,
            smoothing: 0,
            window: None,
            so_far: false,
            cursor: None,
            plots: Plots::Both,
            ghosts: true,
            hidden: Vec::new(),
        }
    }
}

/// How the filter is displayed.
#[derive(Debug, Clone)]
pub struct FilterView {
    /// Whether the axis shows the frequency 1 − σ instead of σ.
    pub frequency: bool,
    /// The reference filter drawn next to the learned one; 0 is none.
    pub reference: usize,
    /// The visible part of [-1, 1]; the real eigenvalues if `None`.
    pub window: Option<(f64, f64)>,
    /// The distinct eigenvalue under the cursor.
    pub cursor: Option<usize>,
    /// Whether earlier epochs are shown.
    pub ghosts: bool,
    /// Whether the hop weights are shown.
    pub hops: bool,
    /// The labels whose energy is shown.
    pub energy: EnergyOf,
    /// Filters learned on other graphs.
    pub other_graphs: GraphFilters,
}

impl Default for FilterView {
    fn default() -> Self {
        Self {
            frequency: false,
            reference: 0,
            window: None,
            cursor: None,
            ghosts: true,
            hops: true,
            energy: EnergyOf::default(),
            other_graphs: GraphFilters::default(),
        }
    }
}

/// State of the open graph: replaced when another graph is opened.
pub struct GraphState {
    /// State of the training.
    pub session: Session,
    /// Facts about the spectrum.
    pub facts: Option<FilterFacts>,
    /// The eigenpairs of the graph, computed when a screen shows them.
    pub eigenpairs: Eigenpairs,
    /// The energy of the labels by eigenvalue.
    pub label_energy: LabelEnergyState,
    /// The focused part of the screen.
    pub focus: Focus,
    /// How the curves are shown.
    pub curves: CurvesView,
    /// How the filter is shown.
    pub filter: FilterView,
    /// How nodes are shown.
    pub node: NodeView,
    /// How the map is shown.
    pub map: MapView,
    /// The node opened last.
    pub chosen_node: Option<NodeId>,
    /// The focused box of the overview.
    pub overview: OverviewBox,
    /// How the runs are shown.
    pub runs: RunsView,
    /// The settings panel.
    pub panel: Panel,
    /// The initial settings, used by reset.
    pub home: Settings,
}

impl GraphState {
    /// A graph of which only the title is known.
    pub fn new(title: String, settings: Settings) -> Self {
        Self {
            session: Session::new(title, settings.clone()),
            facts: None,
            eigenpairs: Eigenpairs::default(),
            label_energy: LabelEnergyState::default(),
            focus: Focus::default(),
            curves: CurvesView::default(),
            filter: FilterView::default(),
            node: NodeView::default(),
            map: MapView::default(),
            chosen_node: None,
            overview: OverviewBox::default(),
            runs: RunsView::default(),
            panel: Panel::default(),
            home: settings,
        }
    }
}

/// The whole state.
pub struct State {
    /// What belongs to the open graph.
    pub graph: GraphState,
    /// The open screen.
    pub screen: Screen,
    /// The experiments, once opened.
    pub lab: Option<Lab>,
    /// How they are displayed.
    pub lab_view: LabView,
    /// Layers over the screen, the topmost last.
    pub layers: Vec<Layer>,
    /// Recent messages.
    pub notices: Notices,
    /// Colours and glyphs.
    pub look: Appearance,
    /// The key bindings.
    pub keymap: Keymap,
    /// The training speed.
    pub speed: Speed,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// Time since the start.
    pub now: Duration,
    /// The picker, if no graph is open.
    pub picker: Option<Picker>,
    /// The user's presets: name and text.
    pub own_presets: Vec<(String, String)>,
    /// State of the lessons.
    pub learning: LessonsState,
    /// Projector mode.
    pub projector: Projector,
    /// Widths of panes, as the user chose them.
    pub panes: Panes,
    /// Progress of a replay, while one is running.
    pub replay: Option<ReplayStatus>,
    /// Mouse targets, as last drawn.
    pub hits: Hits,
    /// Which files may be opened, listed and written.
    pub access: Access,
}

impl State {
    /// A state before anything is known.
    pub fn new(title: String, settings: Settings, look: Appearance) -> Self {
        Self {
            graph: GraphState::new(title, settings),
            screen: Screen::default(),
            lab: None,
            lab_view: LabView::default(),
            layers: Vec::new(),
            notices: Notices::default(),
            look,
            keymap: Keymap::default(),
            speed: Speed::default(),
            size: (80, 24),
            now: Duration::ZERO,
            picker: None,
            own_presets: Vec::new(),
            learning: LessonsState::default(),
            projector: Projector::default(),
            panes: Panes::default(),
            replay: None,
            hits: Hits::default(),
            access: Access::All,
        }
    }

    /// The visible curves of a plot.
    pub fn curves_of<'a>(&self, run: &'a Run, pane: PlotPane) -> Vec<&'a Curve> {
        let mut curves = self.listed_curves(run, pane);
        curves.retain(|curve| self.graph.curves.shows(curve));
        curves
    }

    /// The curves in the legend of a plot, hidden or not: fewer in projector mode.
    pub fn listed_curves<'a>(&self, run: &'a Run, pane: PlotPane) -> Vec<&'a Curve> {
        let is_from_x = |curve: &&Curve| match pane {
            PlotPane::Loss => curve.figure == CurveKind::Total,
            PlotPane::Score => curve.figure.is_from_x(),
        };
        run.of(pane).filter(|curve| !self.projector.on || is_from_x(curve)).collect()
    }

    /// The plot of the current screen, if it has one.
    pub fn plot(&self) -> Option<PlotKind> {
        match self.screen {
            Screen::Train => Some(PlotKind::Curves),
            Screen::Filter => Some(PlotKind::Filter),
            Screen::Overview | Screen::Node | Screen::Map | Screen::Lab | Screen::Runs => None,
        }
    }

    /// Whether keys go to the settings panel.
    pub fn in_settings(&self) -> bool {
        let has_panel = matches!(self.screen, Screen::Train | Screen::Filter);
        has_panel && self.graph.focus == Focus::Settings
    }

    /// Whether an animation needs the timer.
    pub fn moves(&self) -> bool {
        self.notices.fades()
            || self.projector.fades()
            || self.learning.is_playing()
            || self.learning.pauses(self.now)
            || (self.picker.is_none() && self.graph.session.is_preparing())
    }

    /// The settings shown in the panel: those in effect, or the draft.
    pub fn shown_settings(&self) -> &Settings {
        self.graph.panel.draft.as_ref().unwrap_or(&self.graph.session.asked)
    }

    /// The epoch whose values are shown: the cursor's, or the one gone back to;
    /// `None` for the latest.
    pub fn read_out(&self) -> Option<usize> {
        let back = self.graph.session.at < self.graph.session.run.epochs;
        self.graph.curves.cursor.or(back.then_some(self.graph.session.at))
    }

    /// The range of epochs of the curves.
    pub fn whole(&self) -> (f64, f64) {
        let run = &self.graph.session.run;
        let ghosts = self.graph.session.shown().filter(|_| self.graph.curves.ghosts);
        let longest = ghosts.map(|ghost| ghost.run.epochs.min(2 * run.epochs.max(50))).max();
        let seen = run.epochs.max(longest.unwrap_or(0));
        let end = if self.graph.curves.so_far {
            seen
        } else {
            seen.max(self.graph.session.settings.epochs)
        };
        (0.0, end.max(10) as f64)
    }

    /// The visible part of the spectrum, as s: the real eigenvalues, or as zoomed.
    pub fn filter_window(&self) -> (f64, f64) {
        let fitted = || self.graph.facts.as_ref().map_or((-1.0, 1.0), FilterFacts::fitted);
        self.graph.filter.window.unwrap_or_else(fitted)
    }

    /// The visible epochs.
    pub fn in_view(&self) -> (f64, f64) {
        self.graph.curves.window.unwrap_or_else(|| self.whole())
    }
}
