//! Progress of long operations: a bar on a terminal, a plain line per step where the
//! output goes to a file or a pipe.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

use crate::escape::harmless_line;

/// Progress on standard error: steps with a count done and a total.
pub(super) enum Display {
    /// No output.
    Quiet,
    /// One line per step.
    Lines {
        /// The step printed last.
        told: String,
    },
    /// A progress bar.
    Bar(ProgressBar),
}

impl Display {
    /// The display that suits standard error.
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

    /// Shows the current step and its progress; a total of 0 means unknown.
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

    /// Removes the bar from the screen.
    pub(super) fn finish(self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
