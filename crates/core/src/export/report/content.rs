//! The content of a report, before it is rendered as Markdown or HTML.

use super::command::{changes, difference, reproduce};
use super::{figures, metrics};
use crate::export::figure::Figure;
use crate::export::{Appendix, ExportError};
use crate::train::run::Record;
use crate::train::{Epoch, Scalars, Score, Trainer, count};
use gesf_graph::{LabelKind, Labels};
use gesf_spectral::Cancel;

/// A table with a header. The first column is text, the others are numbers unless
/// declared as text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReportTable {
    /// The column names.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// How many columns, from the first, hold text.
    pub words: usize,
    /// A column of shares to draw as bars, if any.
    pub bars: Option<usize>,
}

/// Everything in a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Content {
    /// The graph's title.
    pub title: String,
    /// The description of the graph, if it has one.
    pub description: Option<String>,
    /// The main figures: name and value.
    pub highlights: Vec<(String, String)>,
    /// The metrics of the run.
    pub scores: ReportTable,
    /// The scores of each class, if there are classes.
    pub classes: Option<ReportTable>,
    /// The preset closest to the run's settings.
    pub preset: &'static str,
    /// The settings that differ.
    pub settings: ReportTable,
    /// The inputs of the run.
    pub facts: ReportTable,
    /// The figures.
    pub figures: Vec<Figure>,
    /// What a paper's appendix needs.
    pub appendix: Appendix,
    /// The command that reproduces the run.
    pub command: String,
}

impl Content {
    /// Collects the content.
    pub fn of(
        trainer: &Trainer,
        record: &Record,
        lines: &[String],
        cancel: &Cancel,
    ) -> Result<Self, ExportError> {
        let graph = &trainer.prepared().graph;
        let manifest = graph.manifest();
        let last = trainer.evaluate()?;
        let name = record.graph.file_stem().map(|name| name.to_string_lossy().into_owned());
        let difference = difference(&record.settings);
        let cells = |row: &(&str, String, String, &str)| {
            vec![row.0.to_owned(), row.1.clone(), row.2.clone(), row.3.to_owned()]
        };
        let settings = ReportTable {
            head: ["setting", "this run", "preset", "meaning"].map(String::from).into(),
            rows: difference.settings.iter().map(cells).collect(),
            words: 4,
            bars: None,
        };
        Ok(Self {
            title: manifest.title.clone().or(name).unwrap_or_else(|| "Graph".to_owned()),
            description: manifest.description.clone(),
            highlights: highlights(trainer, &last.scalars),
            scores: scores(&last.scalars),
            classes: classes(trainer, &last),
            preset: difference.preset,
            settings,
            facts: facts(trainer, record),
            figures: figures::all(trainer, &last, lines, cancel)?,
            appendix: Appendix::of(trainer, record)?,
            command: reproduce(record, manifest, trainer.epoch()),
        })
    }
}

impl Appendix {
    /// The facts of the run as a table.
    pub(super) fn facts_table(&self) -> ReportTable {
        let changes = self.changes.iter().map(|change| ("changed", change.clone()));
        table_of(self.facts.iter().cloned().chain(changes))
    }

    /// All settings as a table.
    pub(super) fn settings_table(&self) -> ReportTable {
        table_of(self.settings.iter().cloned())
    }
}

fn table_of(rows: impl Iterator<Item = (&'static str, String)>) -> ReportTable {
    let rows = rows.map(|(name, value)| vec![name.to_owned(), value]).collect();
    ReportTable { head: Vec::new(), rows, words: 2, bars: None }
}

fn percent(share: f32) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn highlights(trainer: &Trainer, last: &Scalars) -> Vec<(String, String)> {
    let graph = &trainer.prepared().graph;
    let kind = graph.labels().kind();
    let mut found = Vec::new();
    if let Some(score) = last.test_x.headline(kind) {
        let text = if kind == LabelKind::Numeric { format!("{score:.3}") } else { percent(score) };
        found.push((format!("{} on test labels", metrics::headline(kind).0), text));
    }
    let train = trainer.split().train.len();
    if kind != LabelKind::None {
        let all = (train + trainer.split().test.len()).max(1);
        let share = 100.0 * train as f64 / all as f64;
        found.push((format!("of {all} labels used for training"), format!("{share:.0} %")));
    }
    found.push(("epochs".to_owned(), last.epoch.to_string()));
    found.push(("nodes".to_owned(), graph.node_count().to_string()));
    found.push(("edges".to_owned(), graph.edge_count().to_string()));
    found
}

fn scores(last: &Scalars) -> ReportTable {
    let rows = [
        ("test, from x", last.test_x),
        ("test, from R", last.test_r),
        ("train, from x", last.train_x),
        ("train, from R", last.train_r),
    ];
    let mut table = ReportTable { words: 1, ..ReportTable::default() };
    let has_ranking = |score: &Score| matches!(score, Score::Classes { ranking: Some(_), .. });
    let is_ranked = rows.iter().any(|(_, score)| has_ranking(score));
    for (name, score) in rows {
        let (head, figures): (&[&str], Vec<String>) = match score {
            Score::None => continue,
            Score::Classes { accuracy, macro_f1, micro_f1, ranking } if is_ranked => {
                // A part with one class alone has no ranking.
                let ranked = ranking.map(|own| [own.roc_auc, own.average_precision].map(percent));
                let ranked = ranked.unwrap_or_else(|| ["–", "–"].map(str::to_owned));
                let figures = [accuracy, macro_f1, micro_f1].map(percent);
                let head =
                    &["labels", "accuracy", "macro-F1", "micro-F1", "ROC AUC", "average precision"];
                (head, [&figures[..], &ranked].concat())
            }
            Score::Classes { accuracy, macro_f1, micro_f1, .. } => (
                &["labels", "accuracy", "macro-F1", "micro-F1"],
                [accuracy, macro_f1, micro_f1].map(percent).into(),
            ),
            Score::Numeric { rmse, r2 } => {
                (&["labels", "RMSE", "R²"], [rmse, r2].map(|value| format!("{value:.4}")).into())
            }
        };
        table.head = head.iter().map(|text| (*text).to_owned()).collect();
        table.rows.push([vec![name.to_owned()], figures].concat());
    }
    table
}

/// Scores of each class on the test labels.
fn classes(trainer: &Trainer, last: &Epoch) -> Option<ReportTable> {
    let labels = trainer.prepared().graph.labels();
    let Labels::Classes(classes) = labels else { return None };
    let groups = trainer.model().groups();
    let test = &trainer.split().test;
    let (counts, _) = count(classes, labels.kind(), &last.predictions.from_x, groups, test);
    let rows = classes.names().iter().zip(&counts).map(|(name, own)| {
        let figures = [own.precision(), own.recall(), own.f1()].map(percent);
        [vec![name.clone(), (own.hits + own.misses).to_string()], figures.into()].concat()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let columns = ["class", "nodes", "precision", "recall", "F1"].map(String::from).into();
    (!test.is_empty()).then_some(ReportTable { head: columns, rows, words: 1, bars: Some(4) })
}

fn facts(trainer: &Trainer, record: &Record) -> ReportTable {
    let prepared = trainer.prepared();
    let graph = &prepared.graph;
    let types = graph.types().names();
    let mut rows: Vec<(&str, String)> = vec![
        ("graph", record.graph.display().to_string()),
        ("fingerprint", record.fingerprint.clone()),
    ];
    if let Some(source) = &graph.manifest().source {
        rows.push(("source", source.clone()));
    }
    if let Some(licence) = &graph.manifest().licence {
        rows.push(("licence", licence.clone()));
    }
    if types.len() > 1 {
        rows.push(("node types", types.join(", ")));
    }
    let split = trainer.split();
    let validation = match split.validation.len() {
        0 => String::new(),
        count => format!("{count} validation, "),
    };
    let (train, test) = (split.train.len(), split.test.len());
    rows.push(("labels", format!("{train} train, {validation}{test} test")));
    let pairs = prepared.spectrum.as_ref().map_or_else(
        || "sparse products, no eigenpairs".to_owned(),
        |spectrum| format!("{} of {} eigenpairs", spectrum.count(), spectrum.nodes()),
    );
    rows.push(("spectrum", format!("{}, {pairs}", prepared.matrix.kind())));
    let weights = trainer.model().filter().hop_weights(trainer.settings().degree);
    if let Some(weights) = weights.ok().flatten() {
        let told: Vec<String> = weights.iter().map(|weight| format!("{weight:.3}")).collect();
        rows.push(("hop weights", told.join(", ")));
    }
    if let Some(share) = trainer.model().feature_share().ok().flatten() {
        rows.push(("share of own features", format!("{share:.3}")));
    }
    rows.push(("seed", record.settings.seed.to_string()));
    rows.extend(changes(record).into_iter().map(|told| ("changed", told)));
    rows.push(("program", format!("gesf-tui {}", record.version)));
    table_of(rows.into_iter())
}
