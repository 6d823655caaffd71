//! `gesf-tui config`: locate, show or validate the config file.

use std::io::Write;

use anyhow::bail;
use clap::{Args, Subcommand};

use super::output;
use crate::folders;
use crate::tui::Config;

/// Manage the config file.
#[derive(Debug, Args)]
pub(super) struct ConfigArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print the path of the file
    Path,
    /// Print the file, or an example if there is none
    Show,
    /// Validate the file
    Check,
}

/// Example file to start from.
const EXAMPLE: &str = include_str!("../../assets/config.toml");

pub(super) fn run(args: &ConfigArgs) -> anyhow::Result<()> {
    let Some(path) = Config::place() else {
        bail!("no config folder\n  help: set one in {}", folders::CONFIG_VARIABLE);
    };
    let mut out = output::stdout();
    match args.action {
        Action::Path => writeln!(out, "{}", path.display())?,
        Action::Show if path.exists() => write!(out, "{}", crate::files::read_small(&path)?)?,
        Action::Show => {
            writeln!(out, "# {} does not exist yet; this is an example.", path.display())?;
            write!(out, "{EXAMPLE}")?;
        }
        Action::Check if !path.exists() => writeln!(out, "{} does not exist", path.display())?,
        Action::Check => {
            let config = Config::read(&path).map_err(anyhow::Error::msg)?;
            writeln!(out, "{} is valid", path.display())?;
            config.notes().iter().try_for_each(|note| writeln!(out, "note: {note}"))?;
        }
    }
    Ok(())
}
