//! Slow questions and how they are answered: at a desk of their own while the
//! screen goes on, or at once where a picture is drawn without a terminal.

use std::sync::Arc;

use super::jobs::{Desk, Post, UnderWay};
use super::lab::{Chunk, train_recovery, train_study};
use super::message::Message;
use super::node::Inquiry;
use crate::lab::filters::Recovery;
use crate::lab::theorem::Study;
use crate::spectral::{Cancel, Density, Matrix};

/// Moments of an estimated density: its resolution is finer than a column.
const MOMENTS: usize = 256;

/// A slow question.
#[derive(Debug, Clone)]
pub enum Question {
    /// How the eigenvalues of a matrix are spread.
    Density(Arc<Matrix>),
    /// What a node is made of, and what is predicted of all.
    Node(Box<Inquiry>),
    /// What the networks of the lab learn in a few steps.
    Study(Chunk<Study>),
    /// What the learners of a planted filter learn in a few steps.
    Recovery(Chunk<Recovery>),
}

/// Questions of one kind replace each other; those of different kinds do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Density,
    Node,
    Study,
    Recovery,
}

impl Question {
    fn kind(&self) -> Kind {
        match self {
            Self::Density(_) => Kind::Density,
            Self::Node(_) => Kind::Node,
            Self::Study(_) => Kind::Study,
            Self::Recovery(_) => Kind::Recovery,
        }
    }

    /// What becomes of an older question of its kind that is being answered.
    fn under_way(&self) -> UnderWay {
        match self {
            Self::Density(_) | Self::Study(_) | Self::Recovery(_) => UnderWay::Stop,
            Self::Node(_) => UnderWay::LetFinish,
        }
    }

    /// Answers it here and now, in one message or several.
    pub fn answer(self, cancel: &Cancel, tell: &dyn Fn(Message)) {
        match self {
            Self::Density(matrix) => {
                if let Ok(density) = Density::of(&matrix, MOMENTS, cancel, &mut |_| {}) {
                    tell(Message::Density(Arc::new(density)));
                }
            }
            Self::Node(inquiry) => inquiry.answer(cancel, tell),
            Self::Study(chunk) => train_study(chunk, cancel).into_iter().for_each(tell),
            Self::Recovery(chunk) => train_recovery(chunk, cancel).into_iter().for_each(tell),
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

    /// Asks at the desk of the question's kind.
    pub(super) fn ask(&mut self, question: Question) -> std::io::Result<()> {
        let (kind, under_way) = (question.kind(), question.under_way());
        let place = match self.open.iter().position(|(own, _)| *own == kind) {
            Some(place) => place,
            None => {
                let name = format!("{kind:?}").to_lowercase();
                let desk = Desk::open(&name, self.post.clone(), Question::answer)?;
                self.open.push((kind, desk));
                self.open.len() - 1
            }
        };
        self.open[place].1.ask(question, under_way);
        Ok(())
    }
}
