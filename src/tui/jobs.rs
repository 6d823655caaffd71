//! Slow jobs: they run in background threads while the screen stays responsive, or
//! synchronously for screenshots without a terminal.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use super::graph_filters;
use super::job_slot::{JobSlot, Permits, Post, UnderWay};
use super::lab::{Chunk, train_recovery, train_study};
use super::label_energy::LabelEnergy;
use super::map::{How, LayoutResult};
use super::message::Message;
use super::node::Inquiry;
use super::outputs::Output;
use super::runs::{Rival, from_disk};
use crate::baselines::{Contest, MethodResult, all};
use crate::graph::{Graph, LabelKind};
use crate::lab::filters::Recovery;
use crate::lab::theorem::Study;
use crate::layout::{Projection, force, principal, spectral};
use crate::model::request;
use crate::model::settings::Settings;
use crate::spectral::{Cancel, Density, Matrix, Spectrum, decompose_cached};
use crate::train::{PreparedRun, Snapshot, repeat};

/// Moments of an estimated density: finer than a column.
const MOMENTS: usize = 256;

/// A slow job.
#[derive(Debug, Clone)]
pub enum Job {
    /// Density of the eigenvalues of a matrix.
    Density(Arc<Matrix>),
    /// Eigenpairs of the matrix of a run.
    Spectrum(Arc<PreparedRun>),
    /// Energy of the labels of a run by eigenvalue.
    LabelEnergy(Arc<PreparedRun>),
    /// Explanation of a node, and predictions for all.
    Node(Box<Inquiry>),
    /// A few training steps of the lab's networks.
    Study(Chunk<Study>),
    /// A few training steps of the learners of a planted filter.
    Recovery(Chunk<Recovery>),
    /// Force layout of a graph, from an initial state with that seed.
    Force(Arc<Graph>, u64),
    /// Spectral layout of a graph.
    Spectral(Arc<PreparedRun>, Option<Arc<Spectrum>>),
    /// Layout of embeddings, aligned with the previous projection.
    Embedding(Arc<PreparedRun>, Arc<Snapshot>, Option<Arc<Projection>>),
    /// Search for saved runs of the graph.
    RunSearch(RunSearch),
    /// Search for filters learned on other graphs: the folder of all runs, and the one
    /// of the open graph.
    GraphFilters(PathBuf, PathBuf),
    /// Training over several seeds.
    Repeat(Repetition),
    /// Other methods on the split of a run.
    Rivals(Rivals),
    /// A report or an export.
    Output(Box<Output>),
}

/// Other methods to run on a split.
#[derive(Debug, Clone)]
pub struct Rivals {
    /// The graph and split of the run.
    pub ready: Arc<PreparedRun>,
    /// Its settings, which determine the training labels.
    pub settings: Box<Settings>,
}

/// Where to search for runs, and which are known.
#[derive(Debug, Clone)]
pub struct RunSearch {
    /// The folder with all runs of the graph.
    pub folder: PathBuf,
    /// Runs that are already known.
    pub known: Vec<PathBuf>,
    /// The node types of the graph.
    pub types: Vec<String>,
    /// The kind of its labels.
    pub kind: LabelKind,
}

/// Settings to train over several seeds.
#[derive(Debug, Clone)]
pub struct Repetition {
    /// The graph and split of the runs.
    pub ready: Arc<PreparedRun>,
    /// The settings.
    pub settings: Box<Settings>,
    /// The seeds.
    pub seeds: Vec<u64>,
}

/// A newer job replaces a waiting one of the same kind only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Density,
    Spectrum,
    LabelEnergy,
    Node,
    Study,
    Recovery,
    Force,
    Spectral,
    Embedding,
    RunSearch,
    GraphFilters,
    Repeat,
    Rivals,
    Output,
}

impl Kind {
    /// Whether it may take seconds; the others answer what the user is waiting for.
    fn is_long(self) -> bool {
        match self {
            Self::Spectrum
            | Self::Study
            | Self::Recovery
            | Self::Force
            | Self::Spectral
            | Self::Repeat
            | Self::Rivals
            | Self::Output => true,
            Self::Density
            | Self::LabelEnergy
            | Self::Node
            | Self::Embedding
            | Self::GraphFilters
            | Self::RunSearch => false,
        }
    }
}

impl Job {
    fn kind(&self) -> Kind {
        match self {
            Self::Density(_) => Kind::Density,
            Self::Spectrum(_) => Kind::Spectrum,
            Self::LabelEnergy(_) => Kind::LabelEnergy,
            Self::Node(_) => Kind::Node,
            Self::Study(_) => Kind::Study,
            Self::Recovery(_) => Kind::Recovery,
            Self::Force(..) => Kind::Force,
            Self::Spectral(..) => Kind::Spectral,
            Self::Embedding(..) => Kind::Embedding,
            Self::RunSearch(_) => Kind::RunSearch,
            Self::GraphFilters(..) => Kind::GraphFilters,
            Self::Repeat(_) => Kind::Repeat,
            Self::Rivals(_) => Kind::Rivals,
            Self::Output(_) => Kind::Output,
        }
    }

    /// What happens to a running job of the same kind.
    fn under_way(&self) -> UnderWay {
        match self {
            Self::Density(_)
            | Self::Spectrum(_)
            | Self::LabelEnergy(_)
            | Self::Force(..)
            | Self::Spectral(..)
            | Self::Repeat(_)
            | Self::Rivals(_)
            | Self::Study(_)
            | Self::Recovery(_) => UnderWay::Stop,
            // Snapshots may arrive faster than they can be laid out.
            Self::Embedding(..)
            | Self::RunSearch(_)
            | Self::GraphFilters(..)
            | Self::Node(_)
            | Self::Output(_) => UnderWay::LetFinish,
        }
    }

    /// Runs the job synchronously and returns all messages.
    pub(super) fn answers(self) -> Vec<Message> {
        let answers = RefCell::new(Vec::new());
        self.answer(&Cancel::default(), &|message| answers.borrow_mut().push(message));
        answers.into_inner()
    }

    /// Runs the job, sending one message or several.
    pub fn answer(self, cancel: &Cancel, tell: &dyn Fn(Message)) {
        match self {
            Self::Density(matrix) => {
                // It fails only if cancelled, and then nobody waits for it.
                if let Ok(density) = Density::of(&matrix, MOMENTS, cancel, &mut |_| {}) {
                    tell(Message::Density(Arc::new(density)));
                }
            }
            Self::Spectrum(ready) => {
                let (matrix, cache) = (&ready.prepared.matrix, ready.cache.as_ref());
                let wanted = request(&ready.settings);
                let found = decompose_cached(cache, matrix, &wanted, cancel, &mut |_| {});
                let found = found.map(|(spectrum, _)| Arc::new(spectrum));
                let told = found.map_err(|error| error.to_string());
                tell(Message::Spectrum(matrix.clone(), told));
            }
            Self::LabelEnergy(ready) => {
                if let Some(found) = LabelEnergy::of(&ready, cancel) {
                    tell(Message::LabelEnergy(ready, Arc::new(found)));
                }
            }
            Self::Node(inquiry) => inquiry.answer(cancel, tell),
            Self::Study(chunk) => train_study(chunk, cancel).into_iter().for_each(tell),
            Self::Recovery(chunk) => train_recovery(chunk, cancel).into_iter().for_each(tell),
            Self::Force(of, seed) => force(&of, seed, cancel, &mut |refined| {
                tell(Message::LayoutResult(LayoutResult {
                    of: of.clone(),
                    how: How::Force(seed, refined),
                }));
            }),
            Self::Spectral(ready, spectrum) => {
                let prepared = &ready.prepared;
                let kind = prepared.matrix.kind();
                let how = How::Spectral(spectral(&prepared.graph, spectrum.as_deref(), kind));
                tell(Message::LayoutResult(LayoutResult { of: prepared.graph.clone(), how }));
            }
            Self::Embedding(ready, snapshot, before) => {
                let made = principal(&snapshot.state, &ready.groups, before.as_deref());
                let how = How::Embedding(snapshot, made);
                tell(Message::LayoutResult(LayoutResult { of: ready.prepared.graph.clone(), how }));
            }
            Self::RunSearch(RunSearch { folder, known, types, kind }) => {
                tell(Message::SavedRun(from_disk(&folder, &known, &types, kind)));
            }
            Self::GraphFilters(runs_folder, own) => {
                tell(Message::GraphFilters(graph_filters::from_disk(&runs_folder, &own)));
            }
            Self::Output(output) => tell(Message::Written(output.write(cancel))),
            Self::Rivals(Rivals { ready, settings }) => {
                let graph = ready.prepared.graph.clone();
                let methods = all().into_iter().filter(|own| own.suits(&graph).is_ok()).collect();
                let (shares, seeds) = (vec![settings.labelled], vec![settings.seed]);
                let contest = Contest { graph, settings: *settings, shares, seeds, methods };
                let hear = |entry: &MethodResult| {
                    let cell = entry.cells.first();
                    let score = cell.and_then(|cell| cell.scores.first()).copied();
                    let right = cell.and_then(|cell| cell.right.first()).cloned();
                    tell(Message::Rival(Rival {
                        method: entry.method,
                        score: score.unwrap_or_default(),
                        right: right.unwrap_or_default(),
                    }));
                };
                let run = contest.run(cancel, &|_| {}, hear);
                tell(Message::RivalsDone(run.err().map(|error| error.to_string())));
            }
            Self::Repeat(Repetition { ready, settings, seeds }) => {
                let prepared = &ready.prepared;
                let all = seeds.len();
                let band = repeat(prepared, &settings, &seeds, cancel, &mut |done| {
                    tell(Message::Repeating(done, all));
                });
                match band {
                    Ok(Some(band)) => tell(Message::Repeated(Ok(Arc::new(band)))),
                    Ok(None) => {}
                    Err(error) => tell(Message::Repeated(Err(error.to_string()))),
                }
            }
        }
    }
}

/// The job slots; each is opened when first needed.
pub(super) struct Jobs {
    post: Post,
    /// Limits how many long jobs run at the same time.
    permits: Option<Arc<Permits>>,
    open: Vec<(Kind, JobSlot<Job>)>,
}

impl Jobs {
    /// Job slots that post their results there; at most so many long jobs run at the
    /// same time.
    pub(super) fn new(post: Post, most: Option<usize>) -> Self {
        Self { post, permits: most.map(Permits::new), open: Vec::new() }
    }

    /// Cancels the computation of eigenpairs.
    pub(super) fn withdraw_spectrum(&mut self) {
        // Closing a job slot cancels its running job.
        self.open.retain(|(kind, _)| *kind != Kind::Spectrum);
    }

    /// Requests a job in the slot of its kind.
    pub(super) fn ask(&mut self, question: Job) -> std::io::Result<()> {
        let (kind, under_way) = (question.kind(), question.under_way());
        if !self.open.iter().any(|(own, _)| *own == kind) {
            let name = format!("{kind:?}").to_lowercase();
            let permits = self.permits.clone().filter(|_| kind.is_long());
            let answer = move |job: Job, cancel: &Cancel, tell: &dyn Fn(Message)| {
                let _permit = permits.as_ref().map(|own| own.take());
                job.answer(cancel, tell);
            };
            let slot = JobSlot::open(&name, self.post.clone(), answer)?;
            self.open.push((kind, slot));
        }
        if let Some((_, slot)) = self.open.iter().find(|(own, _)| *own == kind) {
            slot.ask(question, under_way);
        }
        Ok(())
    }
}
