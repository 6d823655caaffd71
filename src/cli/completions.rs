//! `gesf-tui completions`: shell completions.

use clap::Args;
use clap_complete::Shell;

/// Shell to complete for.
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// Shell to generate completions for
    shell: Shell,
}

pub(super) fn run(args: &CompletionsArgs, command: &mut clap::Command) {
    let name = command.get_name().to_owned();
    clap_complete::generate(args.shell, command, name, &mut std::io::stdout());
}
