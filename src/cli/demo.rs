//! `gesf-tui demo`: plays a demo script in the explorer.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;

use super::learn::{self, Kind};
use super::open::{self, LookArgs};
use super::output;
use super::overwriting::ForceArgs;
use super::paint::{FAINT, HEADING, fitted, styled};
use crate::lab::lessons;
use crate::tui::Learn;

/// Demo and appearance.
#[derive(Debug, Args)]
pub(super) struct DemoArgs {
    /// Demo to play: its name, or a demo file; without one, the demos are
    /// listed
    demo: Option<String>,
    /// Record the session to this file, for `replay`
    #[arg(long, value_name = "FILE", requires = "demo")]
    record: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    look: LookArgs,
}

pub(super) fn run(args: &DemoArgs) -> anyhow::Result<ExitCode> {
    if let Some(name) = &args.demo {
        let demo = learn::chosen(name, Kind::Demo)?;
        if let Some(path) = &args.record {
            if lessons::find_demo(&demo.id).is_err() {
                bail!("--record: found the demo file {name}, expected a built-in demo");
            }
            args.force.file(path)?;
        }
        return open::learn(&args.look, Learn::Lesson(Box::new(demo)), args.record.clone());
    }
    let mut out = output::stdout();
    for demo in lessons::demos()? {
        let minutes = styled(FAINT, format!("{} min", demo.minutes));
        writeln!(out, "{} {} {minutes}", fitted(&demo.id, 18), styled(HEADING, &demo.title))?;
        writeln!(out, "   {}", demo.about)?;
    }
    Ok(ExitCode::SUCCESS)
}
