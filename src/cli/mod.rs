//! The command line: one clap definition, one file a subcommand.
//!
//! The definition is the single source of `--help`, the man page and the shell
//! completions.

mod cache;
mod class_table;
mod columns;
mod compare;
mod completions;
mod config;
mod convert;
mod described;
mod evaluate;
mod explain;
mod export;
mod generate;
mod graph_args;
mod ground;
mod info;
mod learn;
mod man;
mod open;
mod output;
mod overwriting;
mod paint;
mod predict;
mod progress;
mod reopen;
mod replay;
mod report;
mod settings;
mod settings_args;
mod shot;
mod spectrum;
mod state;
mod sweep;
mod train;
mod trials_args;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::escape::{harmless, is_harmful};

/// See, train and understand graph embeddings by set functions.
#[derive(Debug, Parser)]
#[command(
    name = "gesf-tui",
    version,
    about,
    args_conflicts_with_subcommands = true,
    after_help = "Start with: gesf-tui sample_graphs/cora"
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    open: Box<open::OpenArgs>,
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
    /// Set GESF and other methods side by side on the same splits
    Compare(Box<compare::CompareArgs>),
    /// Try combinations of settings, judged on a part of the labels seen
    Sweep(Box<sweep::SweepArgs>),
    /// Say which neighbours made the prediction of a node, and how much each
    Explain(explain::ExplainArgs),
    /// List what a run predicts of every node
    Predict(predict::PredictArgs),
    /// Write what a run learned: embeddings, the filter, predictions
    Export(export::ExportArgs),
    /// Write a report of a run: Markdown with figures, and one HTML file
    Report(report::ReportArgs),
    /// Print a run as one line that leads there again: `gesf-tui --state LINE`
    State(state::StateArgs),
    /// Play a recorded session of the explorer on the screen
    Replay(Box<replay::ReplayArgs>),
    /// Draw a screen of the explorer as SVG, HTML or text
    Shot(Box<shot::ShotArgs>),
    /// Take a lesson in the explorer, list them, or check a lesson file
    Learn(Box<learn::LearnArgs>),
    /// List every setting and what it means
    Settings(settings::ListArgs),
    /// Show where the config file is, what is in it, whether it is right
    Config(config::ConfigArgs),
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
        Some(Command::Compare(args)) => compare::run(&args)?,
        Some(Command::Sweep(args)) => sweep::run(&args)?,
        Some(Command::Explain(args)) => explain::run(&args)?,
        Some(Command::Predict(args)) => predict::run(&args)?,
        Some(Command::Export(args)) => export::run(&args)?,
        Some(Command::Report(args)) => report::run(&args)?,
        Some(Command::State(args)) => state::run(&args)?,
        Some(Command::Replay(args)) => return replay::run(&args),
        Some(Command::Shot(args)) => shot::run(&args)?,
        Some(Command::Learn(args)) => return learn::run(&args),
        Some(Command::Config(args)) => config::run(&args)?,
        Some(Command::Settings(args)) => settings::run(&args)?,
        Some(Command::Cache(args)) => cache::run(&args)?,
        Some(Command::Completions(args)) => completions::run(&args, &mut Cli::command()),
        Some(Command::Man) => man::run(Cli::command())?,
        None => return open::run(&cli.open),
    }
    Ok(ExitCode::SUCCESS)
}

/// The command line as it was typed; what is wrong with it is said, and ends
/// the program.
pub fn parse() -> Cli {
    Cli::try_parse().unwrap_or_else(|error| {
        let harmful = |word: std::ffi::OsString| word.to_string_lossy().contains(is_harmful);
        // The usual way has colours; with words that hold sequences of their own it has none.
        if std::env::args_os().any(harmful) {
            eprint!("{}", harmless(&error.render().to_string()));
            std::process::exit(error.exit_code());
        }
        error.exit()
    })
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
        eprintln!("error: {}", harmless(&format!("{error:#}")));
    }
}
