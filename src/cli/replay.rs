//! `gesf-tui replay`: a recorded session, played on the screen.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;

use super::open;
use crate::tui::Recording;

/// Which recording, and how fast.
#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    /// A file that `gesf-tui PATH --record FILE` wrote
    file: PathBuf,
    /// How many times as fast as it was recorded
    #[arg(long, value_name = "TIMES", default_value_t = 1.0)]
    speed: f64,
    #[command(flatten)]
    view: open::ViewArgs,
}

pub(super) fn run(args: &ReplayArgs) -> anyhow::Result<ExitCode> {
    if !(args.speed.is_finite() && args.speed > 0.0) {
        bail!("--speed: found {}, expected a number above 0, as in --speed 2", args.speed);
    }
    let name = args.file.display().to_string();
    let text = crate::files::read_small(&args.file).with_context(|| name.clone())?;
    let recording = Recording::parse(&text, &name).map_err(anyhow::Error::msg)?;
    open::replay(&args.view, recording, args.speed)
}
