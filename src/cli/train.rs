//! `gesf-tui train`: trains without a screen.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::class_table;
use super::graph_args::{GraphArgs, graph_path};
use super::output;
use super::paint::{FAINT, HEADING, TITLE, styled};
use super::prepared_graph::{self, SpectraArgs, cancelled_by_ctrl_c};
use super::progress::Display;
use super::settings_args::SettingsArgs;
use crate::escape::harmless_line;
use crate::graph::{Graph, LabelKind, LoadOptions, STANDARD_INPUT, load};
use crate::model::settings::{Settings, keys, set};
use crate::spectral::Cancel;
use crate::train::run::{Record, RunFolder};
use crate::train::{Change, ClassScores, FilterStage, Ranking, Scalars, Score, Trainer, swings};

/// Training options.
#[derive(Debug, Args)]
pub(super) struct TrainArgs {
    /// Graph: a file, a folder, or - for standard input
    #[arg(required_unless_present = "resume", conflicts_with = "resume", value_parser = graph_path())]
    path: Option<PathBuf>,
    /// Save the run in this folder
    #[arg(long, value_name = "RUN", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Resume the run in this folder
    #[arg(long, value_name = "RUN")]
    resume: Option<PathBuf>,
    /// Share of the labelled nodes used for training
    #[arg(long, value_name = "SHARE")]
    labelled: Option<f64>,
    /// Print a JSON line for each epoch
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    spectra: SpectraArgs,
    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    graph: GraphArgs,
}

/// Number of progress lines per run when there is no terminal.
const LINES: usize = 20;

pub(super) fn run(args: &TrainArgs) -> anyhow::Result<()> {
    let cancel = cancelled_by_ctrl_c()?;
    let (mut trainer, mut folder, planned) = begin(args, &cancel)?;
    let mut display = Telling::new(args.json, &trainer);
    let mut losses: Vec<f32> = Vec::new();
    let mut swung = None;
    while !trainer.is_done() && !cancel.is_cancelled() {
        if let Some(change) = planned.iter().find(|change| change.epoch == trainer.epoch()) {
            trainer.change(&change.settings);
        }
        let epoch = match trainer.step() {
            Ok(epoch) => epoch,
            Err(error) => {
                display.finish();
                keep(folder.as_mut(), &trainer)?;
                return Err(error.into());
            }
        };
        if let Some(folder) = &mut folder {
            folder.epoch(&epoch.scalars, &trainer)?;
        }
        losses.push(epoch.scalars.total);
        if swings(&losses) {
            swung = Some(epoch.scalars.epoch);
        }
        display.epoch(&epoch.scalars)?;
    }
    keep(folder.as_mut(), &trainer)?;
    display.finish();
    let end = trainer.evaluate()?;
    let classes = trainer.class_scores(&end.predictions);
    let last = Last { scalars: &end.scalars, classes: classes.as_ref() };
    if let Some(folder) = &folder {
        folder.keep_scores(&last)?;
    }
    if args.json {
        writeln!(std::io::stdout().lock(), "{}", serde_json::to_string(&last)?)?;
    } else {
        summary(&trainer, &last, folder.as_ref())?;
        if let Some(epoch) = swung {
            let rate = trainer.settings().learning_rate;
            eprintln!("the loss oscillated until epoch {epoch}: lower learning_rate, now {rate}");
        }
    }
    if let Some(folder) = folder {
        folder.close();
    }
    Ok(())
}

/// A finished run.
#[derive(Serialize)]
struct Last<'a> {
    #[serde(flatten)]
    scalars: &'a Scalars,
    #[serde(skip_serializing_if = "Option::is_none")]
    classes: Option<&'a ClassScores>,
}

/// A trainer at its start or at the last save, the folder it is saved in, and its
/// scheduled setting changes.
fn begin(
    args: &TrainArgs,
    cancel: &Cancel,
) -> anyhow::Result<(Trainer, Option<RunFolder>, Vec<Change>)> {
    if let Some(path) = &args.resume {
        let (mut folder, record, state) = RunFolder::open(path)?;
        if folder.damaged() > 0 {
            eprintln!(
                "{}: {} damaged lines of metrics were skipped",
                path.display(),
                folder.damaged()
            );
        }
        let graph = reload(&record, path)?;
        let done = state.as_ref().map_or(0, |state| state.epoch);
        let mut settings = record.settings_at(done).clone();
        args.settings.change(&mut settings)?;
        // The stages and the split depend on the settings the run began with.
        let mut trainer = prepare(&Arc::new(graph), record.settings.clone(), args, cancel)?;
        if let Some(state) = state {
            trainer.restore(&state)?;
        }
        if !trainer.change(&settings) {
            bail!(
                "--resume: found a setting that needs another model or another split, expected \
                 one that can change during a run\n  help: start a new run with it"
            );
        }
        if settings != *record.settings_at(done) {
            folder.describe(|record| {
                record.changes.retain(|change| change.epoch < done);
                record.changes.push(Change { epoch: done, settings });
            })?;
        }
        return Ok((trainer, Some(folder), record.changes));
    }
    let path = args.path.as_deref().unwrap_or(Path::new(STANDARD_INPUT));
    let (graph, _) = args.graph.load(path)?;
    let mut settings = args.settings.resolve(&graph)?;
    if let Some(share) = args.labelled {
        set(&mut settings, keys::LABELLED, &share.to_string())?;
    }
    let graph = Arc::new(graph);
    let folder = args.out.as_deref().map(|out| {
        let record = record(path, &graph, &args.graph.options(), &settings)?;
        Ok::<_, anyhow::Error>(RunFolder::create(out, &record)?)
    });
    let folder = folder.transpose()?;
    Ok((prepare(&graph, settings, args, cancel)?, folder, Vec::new()))
}

fn record(
    path: &Path,
    graph: &Graph,
    load: &LoadOptions,
    settings: &Settings,
) -> anyhow::Result<Record> {
    if path.as_os_str() == STANDARD_INPUT {
        bail!(
            "--out: found a graph from standard input, expected one that can be read again\n  \
             help: save the graph to a file first"
        );
    }
    Ok(Record::of(path, graph, load, settings))
}

/// The graph of a run, verified by its fingerprint.
pub(super) fn reload(record: &Record, run: &Path) -> anyhow::Result<Graph> {
    // A record may name any file; the user should see which before it is read.
    let labels = record.load.labels.as_deref().map(|path| format!(", labels {}", path.display()));
    let told = format!(
        "{}: run on graph {}{}",
        run.display(),
        record.graph.display(),
        labels.unwrap_or_default()
    );
    eprintln!("{}", harmless_line(&told));
    let (graph, _) = load(&record.graph, &record.load)?;
    record.is_of(&graph, run)?;
    Ok(graph)
}

fn prepare(
    graph: &Arc<Graph>,
    settings: Settings,
    args: &TrainArgs,
    cancel: &Cancel,
) -> anyhow::Result<Trainer> {
    let cache = args.spectra.cache();
    let mut display = Display::new(args.json);
    let place = ("", &mut display);
    let prepared = prepared_graph::prepare(graph, &settings, cache.as_ref(), cancel, place)?;
    display.finish();
    Ok(Trainer::new(prepared, settings)?)
}

fn keep(folder: Option<&mut RunFolder>, trainer: &Trainer) -> anyhow::Result<()> {
    if let Some(folder) = folder {
        folder.save(trainer, &trainer.state()?)?;
    }
    Ok(())
}

/// How progress is reported.
enum Telling {
    Json,
    Bar(ProgressBar, LabelKind),
    Lines { every: usize, last: usize, kind: LabelKind },
}

impl Telling {
    fn new(json: bool, trainer: &Trainer) -> Self {
        let (epochs, kind) = (trainer.settings().epochs, trainer.model().task().kind);
        if json {
            return Self::Json;
        }
        if !std::io::stderr().is_terminal() {
            return Self::Lines { every: epochs.div_ceil(LINES).max(1), last: epochs, kind };
        }
        let bar = ProgressBar::new(epochs as u64);
        let style = "{bar:24.cyan/dim} {pos}/{len}  {msg}  {per_sec} eta {eta}";
        let style = ProgressStyle::with_template(style);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_position(trainer.epoch() as u64);
        Self::Bar(bar, kind)
    }

    fn epoch(&mut self, scalars: &Scalars) -> anyhow::Result<()> {
        match self {
            Self::Json => {
                writeln!(std::io::stdout().lock(), "{}", serde_json::to_string(scalars)?)?;
            }
            Self::Bar(bar, kind) => {
                bar.set_position(scalars.epoch as u64 + 1);
                bar.set_message(told(scalars, *kind));
            }
            Self::Lines { every, last, kind } => {
                if scalars.epoch.is_multiple_of(*every) || scalars.epoch + 1 == *last {
                    eprintln!("epoch {:>6}  {}", scalars.epoch, told(scalars, *kind));
                }
            }
        }
        Ok(())
    }

    fn finish(&self) {
        if let Self::Bar(bar, _) = self {
            bar.finish_and_clear();
        }
    }
}

fn told(scalars: &Scalars, kind: LabelKind) -> String {
    let name = match kind {
        LabelKind::Several => "micro-F1",
        LabelKind::Numeric => "R²",
        LabelKind::One | LabelKind::None => "accuracy",
    };
    let part = |score: Score| score.headline(kind).map_or("-".to_owned(), |s| format!("{s:.3}"));
    let (train, test) = (part(scalars.train_x), part(scalars.test_x));
    format!("loss {:<9.4} {name} {train} train, {test} test", scalars.total)
}

fn summary(trainer: &Trainer, end: &Last<'_>, folder: Option<&RunFolder>) -> anyhow::Result<()> {
    let last = end.scalars;
    let mut out = output::stdout();
    let graph = &trainer.prepared().graph;
    let title = graph.manifest().title.clone().unwrap_or_else(|| "graph".to_owned());
    let split = trainer.split();
    writeln!(
        out,
        "{}",
        styled(TITLE, format!("{title} · {} of {} epochs", last.epoch, trainer.settings().epochs))
    )?;
    let validation = match split.validation.len() {
        0 => String::new(),
        count => format!("{count} validation, "),
    };
    let (train, test) = (split.train.len(), split.test.len());
    let labels = format!("labels: {train} train, {validation}{test} test");
    writeln!(out, "  {}", styled(FAINT, labels))?;
    let rows = [
        ("x, train", last.train_x),
        ("x, validation", last.validation_x),
        ("x, test", last.test_x),
        ("R, train", last.train_r),
        ("R, test", last.test_r),
    ];
    for (name, score) in rows {
        let figures = match score {
            Score::None => continue,
            Score::Classes { accuracy, macro_f1, micro_f1, ranking } => {
                let ranked = ranking.map_or_else(String::new, |own| {
                    let Ranking { roc_auc, average_precision } = own;
                    format!("  ROC AUC {roc_auc:.4}  average precision {average_precision:.4}")
                });
                format!(
                    "accuracy {accuracy:.4}  macro-F1 {macro_f1:.4}  micro-F1 {micro_f1:.4}{ranked}"
                )
            }
            Score::Numeric { rmse, r2 } => format!("RMSE {rmse:.4}  R² {r2:.4}"),
        };
        writeln!(out, "  {} {figures}", styled(HEADING, format!("{name:<13}")))?;
    }
    let kinds = graph.types().names();
    let terms: Vec<String> =
        last.reconstruction.iter().zip(kinds).map(|(r, k)| format!("{k} {r:.4}")).collect();
    let label = last.supervised.map_or(String::new(), |s| format!(", supervised {s:.4}"));
    writeln!(
        out,
        "  {} {:.4} (reconstruction {}{label})",
        styled(HEADING, format!("{:<13}", "loss")),
        last.total,
        terms.join(" ")
    )?;
    if let Some(best) = trainer.best_epoch() {
        let why = if trainer.stopped_early() { ", stopped early" } else { "" };
        let name = styled(HEADING, format!("{:<13}", "best epoch"));
        writeln!(out, "  {name} {} on validation, {:.4}{why}", best.epoch, best.score)?;
    }
    if !last.hop_weights.is_empty() {
        let told: Vec<String> = last.hop_weights.iter().map(|w| format!("{w:.3}")).collect();
        let name = styled(HEADING, format!("{:<13}", "hop weights"));
        writeln!(out, "  {name} {} (1 to {} hops)", told.join(" "), told.len())?;
    }
    if trainer.view()?.falls_back(graph.labels().kind()) {
        let name = styled(HEADING, format!("{:<13}", "class priors"));
        writeln!(
            out,
            "  {name} predictions fall back to them: withheld labels were hard to predict"
        )?;
    }
    let aggregation = if last.takes_mean { "mean" } else { "sum" };
    let name = styled(HEADING, format!("{:<13}", "aggregation"));
    writeln!(out, "  {name} {aggregation} of the messages")?;
    if let Some(share) = last.feature_share {
        let name = styled(HEADING, format!("{:<13}", "own features"));
        writeln!(out, "  {name} {share:.3} of z (share β; neighbours {:.3})", 1.0 - share)?;
    }
    if let FilterStage::NotLearned(why) = trainer.filter_stage()
        && trainer.settings().filter.is_learned()
    {
        writeln!(out, "  {} {why}", styled(HEADING, format!("{:<13}", "filter")))?;
    }
    for line in end.classes.map(class_table::lines).unwrap_or_default() {
        writeln!(out, "{line}")?;
    }
    if let Some(folder) = folder {
        writeln!(out, "  {} {}", styled(HEADING, "saved in     "), folder.path().display())?;
    }
    Ok(())
}
