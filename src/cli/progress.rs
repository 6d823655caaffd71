//! How long work is shown while it runs: a bar on a terminal, a plain line for
//! each step where the output goes to a file or a pipe.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

use crate::escape::harmless_line;

/// A display of steps on standard error, each with a part done and a whole.
pub(super) enum Display {
    /// Nothing is shown.
    Quiet,
    /// A line a step.
    Lines {
        /// The step told last.
        told: String,
    },
    /// A bar that moves.
    Bar(ProgressBar),
}

impl Display {
    /// What suits the place that standard error goes to.
    pub(super) fn new(quiet: bool) -> Self {
        if quiet {
            return Self::Quiet;
        }
        if !std::io::stderr().is_terminal() {
            return Self::Lines { told: String::new() };
        }
        let bar = ProgressBar::new(0);
        let style = ProgressStyle::with_template("{msg:36} {bar:30.cyan/dim} {elapsed}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self::Bar(bar)
    }

    /// The step that runs now, and how far it is; a whole of 0 is not known.
    pub(super) fn show(&mut self, step: &str, done: usize, whole: usize) {
        let step = &*harmless_line(step);
        match self {
            Self::Quiet => {}
            Self::Lines { told } if told == step => {}
            Self::Lines { told } => {
                eprintln!("{step} …");
                step.clone_into(told);
            }
            Self::Bar(bar) => {
                bar.set_length(whole as u64);
                bar.set_position(done as u64);
                bar.set_message(step.to_owned());
            }
        }
    }

    /// Takes a bar off the screen.
    pub(super) fn finish(self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
