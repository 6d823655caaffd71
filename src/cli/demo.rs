//! `gesf-tui demo`: plays a demo script in the explorer.

use std::io::Write as _;
use std::process::ExitCode;

use clap::Args;

use super::learn::{self, Kind};
use super::open::{self, LookArgs};
use super::output;
use super::paint::{FAINT, HEADING, fitted, styled};
use crate::lab::lessons;
use crate::tui::Learn;

/// Demo and appearance.
#[derive(Debug, Args)]
pub(super) struct DemoArgs {
    /// Demo to play: its name, or a demo file; without one, the demos are
    /// listed
    demo: Option<String>,
    #[command(flatten)]
    look: LookArgs,
}

pub(super) fn run(args: &DemoArgs) -> anyhow::Result<ExitCode> {
    if let Some(name) = &args.demo {
        let demo = learn::chosen(name, Kind::Demo)?;
        return open::learn(&args.look, Learn::Lesson(Box::new(demo)));
    }
    let mut out = output::stdout();
    for demo in lessons::demos()? {
        let minutes = styled(FAINT, format!("{} min", demo.minutes));
        writeln!(out, "{} {} {minutes}", fitted(&demo.id, 18), styled(HEADING, &demo.title))?;
        writeln!(out, "   {}", demo.about)?;
    }
    Ok(ExitCode::SUCCESS)
}
