//! `gesf-tui config`: where the config file is, what is in it, whether it is
//! right.

use std::io::Write;

use anyhow::bail;
use clap::{Args, Subcommand};

use super::output;
use crate::folders;
use crate::tui::Config;

/// What to do with the config file.
#[derive(Debug, Args)]
pub(super) struct ConfigArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Say where the file is
    Path,
    /// Show the file, or an example where there is none
    Show,
    /// Say whether the file is right
    Check,
}

/// A file to begin with.
const EXAMPLE: &str = include_str!("../../assets/config.toml");

pub(super) fn run(args: &ConfigArgs) -> anyhow::Result<()> {
    let Some(path) = Config::place() else {
        bail!("no folder for a config file\n  help: name one in {}", folders::CONFIG_VARIABLE);
    };
    let mut out = output::stdout();
    match args.action {
        Action::Path => writeln!(out, "{}", path.display())?,
        Action::Show if path.exists() => write!(out, "{}", crate::files::read_small(&path)?)?,
        Action::Show => {
            writeln!(out, "# There is no {} yet; this is one to begin with.", path.display())?;
            write!(out, "{EXAMPLE}")?;
        }
        Action::Check if !path.exists() => writeln!(out, "there is no {}", path.display())?,
        Action::Check => {
            Config::read(&path).map_err(anyhow::Error::msg)?;
            writeln!(out, "{} is right", path.display())?;
        }
    }
    Ok(())
}
