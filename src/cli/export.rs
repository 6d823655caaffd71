//! `gesf-tui export`: embeddings, filter and predictions for other programs, or the
//! whole model for PyTorch.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};

use super::output;
use super::overwriting::ForceArgs;
use super::reopen::reopen;
use crate::export::{self, Appendix};
use crate::train::run::RunFolder;

/// Run and output folder.
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// Run folder created by `train --out`
    run: PathBuf,
    /// Output folder (default: `export` or `torch` inside the run)
    out: Option<PathBuf>,
    /// What to write
    #[arg(long = "as", value_name = "FORM", value_enum, default_value_t = Form::Tables)]
    form: Form,
    #[command(flatten)]
    force: ForceArgs,
}

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Embeddings (CSV, npy, npz), filter, predictions, and the facts for an appendix
    Tables,
    /// The model as one Python file and a safetensors file, to use in PyTorch
    Torch,
}

impl Form {
    fn folder(self) -> &'static str {
        match self {
            Self::Tables => "export",
            Self::Torch => "torch",
        }
    }
}

pub(super) fn run(args: &ExportArgs) -> anyhow::Result<()> {
    let folder = args.out.clone().unwrap_or_else(|| args.run.join(args.form.folder()));
    args.force.folder(&folder)?;
    let trainer = reopen(&args.run, false)?;
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let written = match args.form {
        Form::Tables => {
            let mut written = export::write_run(&trainer, &folder)?;
            let (record, _) = RunFolder::read(&args.run)?;
            written.push(Appendix::of(&trainer, &record)?.write(&folder)?);
            written
        }
        Form::Torch => export::write_torch(&trainer, &folder)?,
    };
    let mut out = output::stdout();
    written.iter().try_for_each(|path| writeln!(out, "{}", path.display()))?;
    Ok(())
}
