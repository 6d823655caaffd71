//! `gesf-tui settings`: every hyperparameter and what it means.

use std::io::Write;

use clap::Args;

use super::output;
use super::paint::{FAINT, HEADING, TITLE, styled};
use super::settings_args::settings_table;
use crate::model::settings::{Group, Settings, TABLE, preset};

/// List settings.
#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// Print a Markdown table
    #[arg(long)]
    markdown: bool,
}

pub(super) fn run(args: &ListArgs) -> anyhow::Result<()> {
    let mut out = output::stdout();
    if args.markdown {
        write!(out, "{}", settings_table())?;
        return Ok(());
    }
    let (usual, paper) = (Settings::default(), preset("paper").unwrap_or_default());
    writeln!(out, "{}", styled(TITLE, "Settings, for --set KEY=VALUE and preset files"))?;
    let mut told: Option<Group> = None;
    for setting in TABLE {
        if told != Some(setting.group) {
            writeln!(out, "\n{}", styled(HEADING, setting.group))?;
            told = Some(setting.group);
        }
        let (own, theirs) = ((setting.get)(&usual), (setting.get)(&paper));
        let theirs = if own == theirs { String::new() } else { format!(", paper: {theirs}") };
        writeln!(out, "  {:<20} {own}{}", setting.key, styled(FAINT, theirs))?;
        writeln!(out, "      {}", setting.meaning)?;
        let facts = format!("{}; a change {}", setting.range, setting.effect);
        writeln!(out, "      {}", styled(FAINT, facts))?;
    }
    Ok(())
}
