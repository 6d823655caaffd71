//! The `gesf-tui` program: parse, dispatch, exit code.

use std::process::ExitCode;

use gesf_tui::cli;

#[global_allocator]
static ALLOCATOR: gesf_tui::memory::LargePages = gesf_tui::memory::LargePages;

fn main() -> ExitCode {
    gesf_tui::memory::leave_threads_to_us();
    cli::run(cli::parse()).unwrap_or_else(|error| {
        cli::report(&error);
        ExitCode::FAILURE
    })
}
