//! The command line: one clap definition, one file a subcommand.
//!
//! The definition is the single source of `--help`, the man page and the shell
//! completions.

mod cache;
mod columns;
mod completions;
mod convert;
mod evaluate;
mod export;
mod generate;
mod graph_args;
mod info;
mod man;
mod paint;
mod progress;
mod settings;
mod settings_args;
mod spectrum;
mod train;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, Parser, Subcommand};

use graph_args::GraphArgs;

/// See, train and understand graph embeddings by set functions.
#[derive(Debug, Parser)]
#[command(
    name = "gesf-tui",
    version,
    about,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    after_help = "Start with: gesf-tui sample_graphs/cora"
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    open: OpenArgs,
}

/// Opens a graph.
#[derive(Debug, Args)]
struct OpenArgs {
    /// The graph to open: a file, a folder, or - for standard input
    path: Option<PathBuf>,
    #[command(flatten)]
    graph: GraphArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show what is in a graph: counts, classes, degrees, and what is odd
    Info(info::InfoArgs),
    /// Write a graph in another format
    Convert(convert::ConvertArgs),
    /// Make a graph to order, the same for the same seed
    Generate(generate::GenerateArgs),
    /// Show the spectrum of a graph: eigenvalues, density, residuals
    Spectrum(spectrum::SpectrumArgs),
    /// Train a model without a screen
    Train(Box<train::TrainArgs>),
    /// Train over shares of labels and seeds, beside the paper's table
    Evaluate(Box<evaluate::EvaluateArgs>),
    /// Write what a run learned: embeddings, the filter, predictions
    Export(export::ExportArgs),
    /// List every setting and what it means
    Settings(settings::ListArgs),
    /// Show or clear the spectra kept on disk
    Cache(cache::CacheArgs),
    /// Print completions for a shell
    Completions(completions::CompletionsArgs),
    /// Print the manual page (roff)
    Man,
}

/// Runs what the command line asks for.
pub fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Some(Command::Info(args)) => info::run(&args)?,
        Some(Command::Convert(args)) => convert::run(&args)?,
        Some(Command::Generate(args)) => generate::run(&args)?,
        Some(Command::Spectrum(args)) => spectrum::run(&args)?,
        Some(Command::Train(args)) => train::run(&args)?,
        Some(Command::Evaluate(args)) => evaluate::run(&args)?,
        Some(Command::Export(args)) => export::run(&args)?,
        Some(Command::Settings(args)) => settings::run(&args)?,
        Some(Command::Cache(args)) => cache::run(&args)?,
        Some(Command::Completions(args)) => completions::run(&args, &mut Cli::command()),
        Some(Command::Man) => man::run(Cli::command())?,
        None => match cli.open.path {
            Some(path) => info::show(&path, &cli.open.graph)?,
            None => Cli::command().print_help()?,
        },
    }
    Ok(ExitCode::SUCCESS)
}

/// Tells a person why it did not work. A reader that went away (`| head`) is
/// no failure worth a word.
pub fn report(error: &anyhow::Error) {
    let closed = |cause: &(dyn std::error::Error + 'static)| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
    };
    if !error.chain().any(closed) {
        eprintln!("error: {error:#}");
    }
}
