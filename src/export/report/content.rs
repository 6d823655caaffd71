//! What a report says, before it is Markdown or HTML.

use super::command::{changes, difference, reproduce};
use super::{figures, metrics};
use crate::export::ExportError;
use crate::export::figure::Figure;
use crate::graph::{LabelKind, Labels};
use crate::spectral::Cancel;
use crate::train::run::Record;
use crate::train::{Epoch, Scalars, Score, Trainer, count};

/// Rows of cells under a head. The first column is words, the others numbers
/// unless they are said to be words too.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// The names of the columns.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// How many columns, from the first, hold words.
    pub words: usize,
    /// A column of shares to draw as bars, if any.
    pub bars: Option<usize>,
}

/// Everything in a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Content {
    /// The graph's title.
    pub title: String,
    /// What the graph is, if it says so.
    pub description: Option<String>,
    /// Figures to see first: name and value.
    pub highlights: Vec<(String, String)>,
    /// The run in numbers.
    pub scores: Table,
    /// What each class got, where there are classes.
    pub classes: Option<Table>,
    /// The preset the run is nearest to, and what differs.
    pub preset: &'static str,
    /// The settings that differ.
    pub settings: Table,
    /// What the run was made from.
    pub facts: Table,
    /// The figures.
    pub figures: Vec<Figure>,
    /// The command that makes the run again.
    pub command: String,
}

impl Content {
    /// Gathers it.
    pub fn of(
        trainer: &Trainer,
        record: &Record,
        lines: &[String],
        cancel: &Cancel,
    ) -> Result<Self, ExportError> {
        let graph = &trainer.ground().graph;
        let manifest = graph.manifest();
        let last = trainer.evaluate()?;
        let name = record.graph.file_stem().map(|name| name.to_string_lossy().into_owned());
        let difference = difference(&record.settings);
        let cells = |row: &(&str, String, String, &str)| {
            vec![row.0.to_owned(), row.1.clone(), row.2.clone(), row.3.to_owned()]
        };
        let settings = Table {
            head: ["setting", "this run", "preset", "meaning"].map(String::from).into(),
            rows: difference.settings.iter().map(cells).collect(),
            words: 4,
            bars: None,
        };
        Ok(Self {
            title: manifest.title.clone().or(name).unwrap_or_else(|| "A graph".to_owned()),
            description: manifest.description.clone(),
            highlights: highlights(trainer, &last.scalars),
            scores: scores(&last.scalars),
            classes: classes(trainer, &last),
            preset: difference.preset,
            settings,
            facts: facts(trainer, record),
            figures: figures::all(trainer, &last, lines, cancel)?,
            command: reproduce(record, manifest, trainer.epoch()),
        })
    }
}

fn percent(share: f32) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn highlights(trainer: &Trainer, last: &Scalars) -> Vec<(String, String)> {
    let graph = &trainer.ground().graph;
    let kind = graph.labels().kind();
    let mut found = Vec::new();
    if let Some(score) = last.held_x.headline(kind) {
        let text = if kind == LabelKind::Numeric { format!("{score:.3}") } else { percent(score) };
        found.push((format!("{} on labels held back", metrics::headline(kind).0), text));
    }
    let seen = trainer.split().seen.len();
    if kind != LabelKind::None {
        let all = (seen + trainer.split().held.len()).max(1);
        let share = 100.0 * seen as f64 / all as f64;
        found.push((format!("of {all} labels seen"), format!("{share:.0} %")));
    }
    found.push(("epochs".to_owned(), last.epoch.to_string()));
    found.push(("nodes".to_owned(), graph.node_count().to_string()));
    found.push(("edges".to_owned(), graph.edge_count().to_string()));
    found
}

fn scores(last: &Scalars) -> Table {
    let rows = [
        ("held back, from x", last.held_x),
        ("held back, from R", last.held_r),
        ("seen, from x", last.seen_x),
        ("seen, from R", last.seen_r),
    ];
    let mut table = Table { words: 1, ..Table::default() };
    for (name, score) in rows {
        let (head, figures): (&[&str], Vec<String>) = match score {
            Score::None => continue,
            Score::Classes { accuracy, macro_f1, micro_f1 } => (
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

/// What each class got of the labels held back.
fn classes(trainer: &Trainer, last: &Epoch) -> Option<Table> {
    let labels = trainer.ground().graph.labels();
    let Labels::Classes(classes) = labels else { return None };
    let groups = trainer.model().groups();
    let held = &trainer.split().held;
    let (counts, _) = count(classes, labels.kind(), &last.predictions.from_x, groups, held);
    let rows = classes.names().iter().zip(&counts).map(|(name, own)| {
        let figures = [own.precision(), own.recall(), own.f1()].map(percent);
        [vec![name.clone(), (own.hits + own.misses).to_string()], figures.into()].concat()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let columns = ["class", "nodes", "precision", "recall", "F1"].map(String::from).into();
    (!held.is_empty()).then_some(Table { head: columns, rows, words: 1, bars: Some(4) })
}

fn facts(trainer: &Trainer, record: &Record) -> Table {
    let ground = trainer.ground();
    let graph = &ground.graph;
    let types = graph.types().names();
    let mut rows: Vec<(&str, String)> = vec![
        ("graph", record.graph.display().to_string()),
        ("fingerprint", record.fingerprint.clone()),
    ];
    if let Some(source) = &graph.manifest().source {
        rows.push(("source", source.clone()));
    }
    if let Some(licence) = &graph.manifest().licence {
        rows.push(("terms", licence.clone()));
    }
    if types.len() > 1 {
        rows.push(("node types", types.join(", ")));
    }
    let split = trainer.split();
    let validation = match split.validation.len() {
        0 => String::new(),
        count => format!("{count} for validation, "),
    };
    let (seen, held) = (split.seen.len(), split.held.len());
    rows.push(("labels", format!("{seen} seen, {validation}{held} held back")));
    let pairs = ground.spectrum.as_ref().map_or_else(
        || "sparse products, no eigenpairs".to_owned(),
        |spectrum| format!("{} of {} eigenpairs", spectrum.count(), spectrum.nodes()),
    );
    rows.push(("spectrum", format!("{}, {pairs}", ground.matrix.kind())));
    let weights = trainer.model().filter().hop_weights(trainer.settings().degree);
    if let Some(weights) = weights.ok().flatten() {
        let told: Vec<String> = weights.iter().map(|weight| format!("{weight:.3}")).collect();
        rows.push(("hop weights", told.join(", ")));
    }
    rows.push(("seed", record.settings.seed.to_string()));
    rows.extend(changes(record).into_iter().map(|told| ("changed", told)));
    rows.push(("program", format!("gesf-tui {}", record.version)));
    let rows = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
    Table { head: Vec::new(), rows, words: 2, bars: None }
}
