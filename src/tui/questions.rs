//! Slow questions and how they are answered: at a desk of their own while the
//! screen goes on, or at once where a picture is drawn without a terminal.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use super::jobs::{Desk, Post, UnderWay};
use super::lab::{Chunk, train_recovery, train_study};
use super::map::{How, Laid};
use super::message::Message;
use super::node::Inquiry;
use super::runs::{Rival, from_disk};
use crate::baselines::{Contest, Entry, all};
use crate::graph::{Graph, LabelKind};
use crate::lab::filters::Recovery;
use crate::lab::theorem::Study;
use crate::layout::{Projection, force, principal, spectral};
use crate::model::request;
use crate::model::settings::Settings;
use crate::spectral::{Cancel, Density, Matrix, Spectrum, decompose_cached};
use crate::train::{Ready, Snapshot, repeat};

/// Moments of an estimated density: its resolution is finer than a column.
const MOMENTS: usize = 256;

/// A slow question.
#[derive(Debug, Clone)]
pub enum Question {
    /// How the eigenvalues of a matrix are spread.
    Density(Arc<Matrix>),
    /// The eigenpairs of the matrix of a run.
    Spectrum(Arc<Ready>),
    /// What a node is made of, and what is predicted of all.
    Node(Box<Inquiry>),
    /// What the networks of the lab learn in a few steps.
    Study(Chunk<Study>),
    /// What the learners of a planted filter learn in a few steps.
    Recovery(Chunk<Recovery>),
    /// Where forces bring the nodes of a graph, from the start of that seed.
    Force(Arc<Graph>, u64),
    /// Where the eigenvectors of a graph put its nodes.
    Spectral(Arc<Ready>, Option<Arc<Spectrum>>),
    /// Where embeddings put nodes, seen as in the picture before.
    Embedding(Arc<Ready>, Arc<Snapshot>, Option<Arc<Projection>>),
    /// Which runs of the graph are on disk.
    Shelf(Shelf),
    /// How settings do over several seeds.
    Repeat(Repetition),
    /// How other methods do on the split of a run.
    Rivals(Rivals),
}

/// Other methods to be run on a split.
#[derive(Debug, Clone)]
pub struct Rivals {
    /// What the run stands on.
    pub ready: Arc<Ready>,
    /// Its settings: which labels are seen.
    pub settings: Box<Settings>,
}

/// Where runs are looked for, and what is known of them.
#[derive(Debug, Clone)]
pub struct Shelf {
    /// The folder of all runs of the graph.
    pub folder: PathBuf,
    /// Runs that are known already.
    pub known: Vec<PathBuf>,
    /// The node types of the graph.
    pub types: Vec<String>,
    /// The kind of its labels.
    pub kind: LabelKind,
}

/// Settings to be trained over several seeds.
#[derive(Debug, Clone)]
pub struct Repetition {
    /// What the runs stand on.
    pub ready: Arc<Ready>,
    /// The settings.
    pub settings: Box<Settings>,
    /// The seeds.
    pub seeds: Vec<u64>,
}

/// Questions of one kind replace each other; those of different kinds do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Density,
    Spectrum,
    Node,
    Study,
    Recovery,
    Force,
    Spectral,
    Embedding,
    Shelf,
    Repeat,
    Rivals,
}

impl Question {
    fn kind(&self) -> Kind {
        match self {
            Self::Density(_) => Kind::Density,
            Self::Spectrum(_) => Kind::Spectrum,
            Self::Node(_) => Kind::Node,
            Self::Study(_) => Kind::Study,
            Self::Recovery(_) => Kind::Recovery,
            Self::Force(..) => Kind::Force,
            Self::Spectral(..) => Kind::Spectral,
            Self::Embedding(..) => Kind::Embedding,
            Self::Shelf(_) => Kind::Shelf,
            Self::Repeat(_) => Kind::Repeat,
            Self::Rivals(_) => Kind::Rivals,
        }
    }

    /// What becomes of an older question of its kind that is being answered.
    fn under_way(&self) -> UnderWay {
        match self {
            Self::Density(_)
            | Self::Spectrum(_)
            | Self::Force(..)
            | Self::Spectral(..)
            | Self::Repeat(_)
            | Self::Rivals(_)
            | Self::Study(_)
            | Self::Recovery(_) => UnderWay::Stop,
            // Snapshots may come faster than pictures of them.
            Self::Embedding(..) | Self::Shelf(_) | Self::Node(_) => UnderWay::LetFinish,
        }
    }

    /// All answers, here and now.
    pub(super) fn answers(self) -> Vec<Message> {
        let answers = RefCell::new(Vec::new());
        self.answer(&Cancel::default(), &|message| answers.borrow_mut().push(message));
        answers.into_inner()
    }

    /// Answers it here and now, in one message or several.
    pub fn answer(self, cancel: &Cancel, tell: &dyn Fn(Message)) {
        match self {
            Self::Density(matrix) => {
                // It fails only where it is cancelled: nobody waits for it then.
                if let Ok(density) = Density::of(&matrix, MOMENTS, cancel, &mut |_| {}) {
                    tell(Message::Density(Arc::new(density)));
                }
            }
            Self::Spectrum(ready) => {
                let (matrix, cache) = (&ready.ground.matrix, ready.cache.as_ref());
                let wanted = request(&ready.settings);
                let found = decompose_cached(cache, matrix, &wanted, cancel, &mut |_| {});
                let found = found.map(|(spectrum, _)| Arc::new(spectrum));
                let told = found.map_err(|error| error.to_string());
                tell(Message::Spectrum(matrix.clone(), told));
            }
            Self::Node(inquiry) => inquiry.answer(cancel, tell),
            Self::Study(chunk) => train_study(chunk, cancel).into_iter().for_each(tell),
            Self::Recovery(chunk) => train_recovery(chunk, cancel).into_iter().for_each(tell),
            Self::Force(of, seed) => force(&of, seed, cancel, &mut |refined| {
                tell(Message::Laid(Laid { of: of.clone(), how: How::Force(seed, refined) }));
            }),
            Self::Spectral(ready, spectrum) => {
                let ground = &ready.ground;
                let kind = ground.matrix.kind();
                let how = How::Spectral(spectral(&ground.graph, spectrum.as_deref(), kind));
                tell(Message::Laid(Laid { of: ground.graph.clone(), how }));
            }
            Self::Embedding(ready, snapshot, before) => {
                let made = principal(&snapshot.state, &ready.groups, before.as_deref());
                let how = How::Embedding(snapshot, made);
                tell(Message::Laid(Laid { of: ready.ground.graph.clone(), how }));
            }
            Self::Shelf(Shelf { folder, known, types, kind }) => {
                tell(Message::Shelved(from_disk(&folder, &known, &types, kind)));
            }
            Self::Rivals(Rivals { ready, settings }) => {
                let graph = ready.ground.graph.clone();
                let methods = all().into_iter().filter(|own| own.suits(&graph).is_ok()).collect();
                let (shares, seeds) = (vec![settings.labelled], vec![settings.seed]);
                let contest = Contest { graph, settings: *settings, shares, seeds, methods };
                let hear = |entry: &Entry| {
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
                let ground = &ready.ground;
                let all = seeds.len();
                let band = repeat(ground, &settings, &seeds, cancel, &mut |done| {
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

/// Who answers slow questions; a desk is opened when it is first needed.
pub(super) struct Desks {
    post: Post,
    open: Vec<(Kind, Desk<Question>)>,
}

impl Desks {
    /// Desks that post their answers there.
    pub(super) fn new(post: Post) -> Self {
        Self { post, open: Vec::new() }
    }

    /// Eigenpairs are no longer wanted: what computes them stops.
    pub(super) fn withdraw_spectrum(&mut self) {
        // Closing a desk stops what is under way there.
        self.open.retain(|(kind, _)| *kind != Kind::Spectrum);
    }

    /// Asks at the desk of the question's kind.
    pub(super) fn ask(&mut self, question: Question) -> std::io::Result<()> {
        let (kind, under_way) = (question.kind(), question.under_way());
        if !self.open.iter().any(|(own, _)| *own == kind) {
            let name = format!("{kind:?}").to_lowercase();
            let desk = Desk::open(&name, self.post.clone(), Question::answer)?;
            self.open.push((kind, desk));
        }
        if let Some((_, desk)) = self.open.iter().find(|(own, _)| *own == kind) {
            desk.ask(question, under_way);
        }
        Ok(())
    }
}
