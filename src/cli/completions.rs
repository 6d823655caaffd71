//! `gesf-tui completions`: for the shells people use.

use clap::Args;
use clap_complete::Shell;

/// Which shell.
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell to complete for
    shell: Shell,
}

pub(super) fn run(args: &CompletionsArgs, command: &mut clap::Command) {
    let name = command.get_name().to_owned();
    clap_complete::generate(args.shell, command, name, &mut std::io::stdout());
}
