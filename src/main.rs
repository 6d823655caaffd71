//! The `gesf-tui` program: parse, dispatch, exit code.

use std::process::ExitCode;

use clap::Parser;
use gesf_tui::cli::{self, Cli};

fn main() -> ExitCode {
    cli::run(Cli::parse()).unwrap_or_else(|error| {
        cli::report(&error);
        ExitCode::FAILURE
    })
}
