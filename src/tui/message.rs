//! Messages to the explorer, and effects it requests.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ratatui::crossterm::event::MouseEvent;

use super::commands::Chord;
use super::compared_run::ComparedRun;
use super::graph_filters::GraphFilter;
use super::jobs::Job;
use super::lab::Learned;
use super::label_energy::LabelEnergy;
use super::layers::Cut;
use super::map::LayoutResult;
use super::node::{Listing, NodeExplanation};
use super::runs::Rival;
use super::speed::Speed;
use crate::lab::lessons::{Lesson, LessonProgress};
use crate::spectral::{Density, Matrix, Spectrum};
use crate::train::run::RunLabel;
use crate::train::{Band, Event, PreparedRun, Snapshot, TrainingCommand};

/// An incoming message.
#[derive(Debug, Clone)]
pub enum Message {
    /// A key press.
    Key(Chord),
    /// A mouse event.
    Mouse(MouseEvent),
    /// Pasted text.
    Paste(String),
    /// The terminal was resized: columns and rows.
    Resize(u16, u16),
    /// News from the training thread.
    News {
        /// Its events, in order.
        events: Vec<Event>,
        /// Its newest snapshot.
        snapshot: Option<Arc<Snapshot>>,
    },
    /// The density of all eigenvalues, if not all are known.
    Density(Arc<Density>),
    /// The eigenpairs of a matrix, or the error.
    Spectrum(Arc<Matrix>, Result<Arc<Spectrum>, String>),
    /// The energy of the labels of a run by eigenvalue.
    LabelEnergy(Arc<PreparedRun>, Arc<LabelEnergy>),
    /// The explanation of a node, or the error.
    Explained(Result<Arc<NodeExplanation>, String>),
    /// Every node, for the list.
    Listed(Listing),
    /// Progress of a training in the lab.
    Learned(Learned),
    /// Layout positions, or progress towards them.
    LayoutResult(LayoutResult),
    /// The saved runs of the graph.
    SavedRun(Vec<Result<ComparedRun, String>>),
    /// Filters learned on other graphs.
    GraphFilters(Vec<GraphFilter>),
    /// Progress of a repetition: seeds done and total.
    Repeating(usize, usize),
    /// A repetition over seeds is done or has failed.
    Repeated(Result<Arc<Band>, String>),
    /// The score of another method on the split of the run.
    Rival(Rival),
    /// All other methods are done, or the error.
    RivalsDone(Option<String>),
    /// A screenshot, report or export was written, or the error.
    Written(Result<PathBuf, String>),
    /// A run of this graph was interrupted by a crash.
    CutOff(Cut),
    /// Time passed: since the start.
    Tick(Duration),
}

/// An effect outside the state.
#[derive(Debug, Clone)]
pub enum Effect {
    /// Send a command to the training thread.
    Train(TrainingCommand),
    /// Cancel the preparation or replay in the training thread.
    Interrupt,
    /// Request a slow job.
    Ask(Job),
    /// Eigenpairs are no longer needed.
    WithdrawSpectrum,
    /// Open a graph, or a run to resume.
    Open(PathBuf),
    /// Repair the record of an interrupted run, so that it is not offered again.
    RepairRun(PathBuf),
    /// Open the graph of a lesson, with its settings.
    Learn(Box<Lesson>),
    /// Save the progress of the lessons.
    SaveProgress(LessonProgress),
    /// Write a screenshot; overwrite an existing file only if allowed.
    Picture(PathBuf, Overwrite),
    /// Copy to the clipboard.
    Copy(Clip),
    /// Show a desktop notification, where the terminal is known to have any.
    Notify(String),
    /// Save a preset: name and text.
    SavePreset(String, String),
    /// Save the training speed.
    RememberSpeed(Speed),
    /// Redraw everything.
    Redraw,
    /// Suspend to the background.
    Suspend,
    /// Change the label of a saved run that nobody is writing to.
    Relabel(PathBuf, RunLabel),
    /// Quit.
    Quit,
}

/// What is copied to the clipboard.
#[derive(Debug, Clone)]
pub enum Clip {
    /// The state line of the current epoch.
    StateLine,
    /// A text, and what it is.
    Text(&'static str, String),
}

/// Whether an existing file may be overwritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overwrite {
    /// It must not.
    Never,
    /// The user allowed it.
    Asked,
}

impl Overwrite {
    /// Splits typed text from a trailing `!`, which allows overwriting a file or
    /// preset of that name.
    pub(super) fn of(typed: &str) -> (&str, Self) {
        match typed.strip_suffix('!') {
            Some(name) => (name.trim_end(), Self::Asked),
            None => (typed, Self::Never),
        }
    }
}
