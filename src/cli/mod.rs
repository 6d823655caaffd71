//! The command line: one clap definition, one file per subcommand.
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
mod demo;
mod described;
mod evaluate;
mod explain;
mod export;
mod generate;
mod graph_args;
mod hand_in;
mod info;
mod learn;
mod man;
mod merge;
mod open;
mod output;
mod overwriting;
mod paint;
mod predict;
mod prepared_graph;
mod progress;
mod reopen;
mod replay;
mod report;
mod serve;
mod settings;
mod settings_args;
mod shards;
mod shot;
mod spectrum;
mod state;
mod sweep;
mod train;
mod trials_args;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::escape::{harmless, is_harmful};

/// Train, explore and explain graph embeddings via set functions (GESF).
#[derive(Debug, Parser)]
#[command(
    name = "gesf-tui",
    version,
    about,
    args_conflicts_with_subcommands = true,
    after_help = "Get started: gesf-tui sample_graphs/cora"
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<CliCommand>,
    #[command(flatten)]
    open: Box<open::OpenArgs>,
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    /// Show a summary of a graph: counts, classes, degrees, warnings
    Info(info::InfoArgs),
    /// Convert a graph to another format
    Convert(convert::ConvertArgs),
    /// Generate a synthetic graph from a seed
    Generate(generate::GenerateArgs),
    /// Show the spectrum of a graph: eigenvalues, density, residuals
    Spectrum(spectrum::SpectrumArgs),
    /// Train a model without the explorer
    Train(Box<train::TrainArgs>),
    /// Evaluate over training shares and seeds, next to the paper's results
    Evaluate(Box<evaluate::EvaluateArgs>),
    /// Compare GESF with other methods on the same splits
    Compare(Box<compare::CompareArgs>),
    /// Search over settings, scored on validation labels
    Sweep(Box<sweep::SweepArgs>),
    /// Merge the shards of evaluate, compare or sweep from several machines
    Merge(merge::MergeArgs),
    /// Explain a prediction: the contribution of each neighbour
    Explain(explain::ExplainArgs),
    /// List the predictions of a run for every node
    Predict(predict::PredictArgs),
    /// Export a run: embeddings, filter and predictions, or the model for PyTorch
    Export(export::ExportArgs),
    /// Write a report of a run: Markdown with figures, and one HTML file
    Report(report::ReportArgs),
    /// Print a run as one line, to reopen it with `gesf-tui --state LINE`
    State(state::StateArgs),
    /// Replay a recorded session of the explorer
    Replay(Box<replay::ReplayArgs>),
    /// Render a screen of the explorer as SVG, HTML or text
    Shot(Box<shot::ShotArgs>),
    /// Open a lesson, list the lessons, or check a lesson file
    Learn(Box<learn::LearnArgs>),
    /// Serve the explorer to browsers: for classes, or without a terminal
    Serve(Box<serve::ServeArgs>),
    /// Play a demo: screens, keys and speaker notes, step by step
    Demo(Box<demo::DemoArgs>),
    /// List all settings and their meaning
    Settings(settings::ListArgs),
    /// Locate, show or validate the config file
    Config(config::ConfigArgs),
    /// List or clear the cached spectra
    Cache(cache::CacheArgs),
    /// Print shell completions
    Completions(completions::CompletionsArgs),
    /// Print the manual page (roff)
    Man,
}

/// Runs the requested command.
pub fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Some(CliCommand::Info(args)) => info::run(&args)?,
        Some(CliCommand::Convert(args)) => convert::run(&args)?,
        Some(CliCommand::Generate(args)) => generate::run(&args)?,
        Some(CliCommand::Spectrum(args)) => spectrum::run(&args)?,
        Some(CliCommand::Train(args)) => train::run(&args)?,
        Some(CliCommand::Evaluate(args)) => evaluate::run(&args)?,
        Some(CliCommand::Compare(args)) => compare::run(&args)?,
        Some(CliCommand::Sweep(args)) => sweep::run(&args)?,
        Some(CliCommand::Merge(args)) => merge::run(&args)?,
        Some(CliCommand::Explain(args)) => explain::run(&args)?,
        Some(CliCommand::Predict(args)) => predict::run(&args)?,
        Some(CliCommand::Export(args)) => export::run(&args)?,
        Some(CliCommand::Report(args)) => report::run(&args)?,
        Some(CliCommand::State(args)) => state::run(&args)?,
        Some(CliCommand::Replay(args)) => return replay::run(&args),
        Some(CliCommand::Shot(args)) => shot::run(&args)?,
        Some(CliCommand::Learn(args)) => return learn::run(&args),
        Some(CliCommand::Serve(args)) => serve::run(&args)?,
        Some(CliCommand::Demo(args)) => return demo::run(&args),
        Some(CliCommand::Config(args)) => config::run(&args)?,
        Some(CliCommand::Settings(args)) => settings::run(&args)?,
        Some(CliCommand::Cache(args)) => cache::run(&args)?,
        Some(CliCommand::Completions(args)) => completions::run(&args, &mut Cli::command()),
        Some(CliCommand::Man) => man::run(Cli::command())?,
        None => return open::run(&cli.open),
    }
    Ok(ExitCode::SUCCESS)
}

/// Parses the command line; errors are printed and end the program.
pub fn parse() -> Cli {
    Cli::try_parse().unwrap_or_else(|error| {
        let harmful = |word: std::ffi::OsString| word.to_string_lossy().contains(is_harmful);
        // Clap's error output is coloured; with escape sequences in arguments it is
        // printed plain.
        if std::env::args_os().any(harmful) {
            eprint!("{}", harmless(&error.render().to_string()));
            std::process::exit(error.exit_code());
        }
        error.exit()
    })
}

/// Prints an error for the user. A closed pipe (`| head`) is not reported.
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
