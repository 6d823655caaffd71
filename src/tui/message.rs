//! What comes to the explorer, and what it wants done.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ratatui::crossterm::event::MouseEvent;

use super::commands::Chord;
use super::lab::Learned;
use super::layers::Cut;
use super::map::Laid;
use super::node::{Account, Listing};
use super::questions::Question;
use super::runs::Rival;
use super::strand::Strand;
use crate::lab::lessons::{Lesson, Progress};
use crate::spectral::{Density, Matrix, Spectrum};
use crate::train::run::RunLabel;
use crate::train::{Band, Command as Order, Event, Snapshot};

/// What comes in.
#[derive(Debug, Clone)]
pub enum Message {
    /// A key.
    Key(Chord),
    /// The mouse.
    Mouse(MouseEvent),
    /// Text pasted at once.
    Paste(String),
    /// The terminal has another size: columns and rows.
    Resize(u16, u16),
    /// The training thread told something.
    News {
        /// Everything it told, in order.
        events: Vec<Event>,
        /// Its newest snapshot.
        snapshot: Option<Arc<Snapshot>>,
    },
    /// The spread of all eigenvalues, where not all are known.
    Density(Arc<Density>),
    /// The eigenpairs of a matrix, or why they cannot be had.
    Spectrum(Arc<Matrix>, Result<Arc<Spectrum>, String>),
    /// What a node is made of, or why that cannot be said.
    Explained(Result<Arc<Account>, String>),
    /// Every node, for the list.
    Listed(Listing),
    /// Something in the lab has learned a little.
    Learned(Learned),
    /// Where nodes are, or how far the finding of it is.
    Laid(Laid),
    /// The runs of the graph that were found on disk.
    Shelved(Vec<Result<Strand, String>>),
    /// So many seeds of a repetition are done, of so many.
    Repeating(usize, usize),
    /// A repetition over seeds is done, or why not.
    Repeated(Result<Arc<Band>, String>),
    /// How well another method did on the split of the run.
    Rival(Rival),
    /// All other methods are done, or why they are not.
    RivalsDone(Option<String>),
    /// A picture was written, or why not.
    Pictured(Result<PathBuf, String>),
    /// A run of this graph was cut off by a crash.
    CutOff(Cut),
    /// Time goes by: since the start.
    Tick(Duration),
}

/// What is to be done outside.
#[derive(Debug, Clone)]
pub enum Effect {
    /// Tell the training thread.
    Train(Order),
    /// Cancel what the training thread prepares or goes back to.
    Interrupt,
    /// Answer a slow question.
    Ask(Question),
    /// Eigenpairs are no longer wanted.
    WithdrawSpectrum,
    /// Open a graph, or a run to go on with.
    Open(PathBuf),
    /// A run that was cut off is known and need not be offered again.
    PutInOrder(PathBuf),
    /// Open the graph of a lesson, with its settings.
    Learn(Box<Lesson>),
    /// Keep how far the lessons have come.
    KeepProgress(Progress),
    /// Write the screen as a picture, over one that is there only if that was said.
    Picture(PathBuf, Overwrite),
    /// Keep settings under a name: their text.
    SavePreset(String, String),
    /// Draw everything anew.
    Redraw,
    /// Go to the background.
    Suspend,
    /// Give a run on disk that nobody writes to another label.
    Relabel(PathBuf, RunLabel),
    /// End.
    Quit,
}

/// Whether what is there already may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overwrite {
    /// It stays.
    Never,
    /// It was said that it may.
    Asked,
}

impl Overwrite {
    /// What is typed, and whether it ends in `!`, which says that a file or a
    /// preset of that name may be overwritten.
    pub(super) fn of(typed: &str) -> (&str, Self) {
        match typed.strip_suffix('!') {
            Some(name) => (name.trim_end(), Self::Asked),
            None => (typed, Self::Never),
        }
    }
}
