//! `gesf-tui predict`: the predictions of a run for every node.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::output;
use super::paint::{FAINT, HEADING, WARNING, fitted, styled};
use super::reopen::reopen;
use crate::explain::{ExplainContext, NodeFacts, PredictFrom, Prediction, Roster};

/// List predictions.
#[derive(Debug, Args)]
pub(super) struct PredictArgs {
    /// Run folder created by `train --out`
    run: PathBuf,
    /// Print stable JSON instead of a table
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV instead of a table
    #[arg(long)]
    csv: bool,
}

const COLUMNS: [&str; 11] = [
    "id",
    "type",
    "degree",
    "part",
    "truth",
    "predicted",
    "confidence",
    "right",
    "predicted_from_R",
    "confidence_from_R",
    "right_from_R",
];

pub(super) fn run(args: &PredictArgs) -> anyhow::Result<()> {
    let trainer = reopen(&args.run, args.json || args.csv)?;
    let context = ExplainContext::of_trainer(&trainer)?;
    let roster = Roster::of(&context);
    if args.csv {
        let mut table = csv::Writer::from_writer(output::data());
        table.write_record(COLUMNS)?;
        for facts in &roster.facts {
            table.write_record(cells(&context, facts))?;
        }
        table.flush()?;
        return Ok(());
    }
    if args.json {
        let rows: Vec<serde_json::Value> =
            roster.facts.iter().map(|facts| object(&context, facts)).collect();
        writeln!(std::io::stdout().lock(), "{}", serde_json::to_string_pretty(&rows)?)?;
        return Ok(());
    }
    let mut out = output::stdout();
    let head = row(["node", "type", "degree", "part", "label", "from x", "", "from R", ""]);
    writeln!(out, "{}", styled(FAINT, head))?;
    let mut wrong = [0, 0];
    for facts in &roster.facts {
        let [id, kind, degree, part, truth, x, x_sure, x_right, r, r_sure, r_right] =
            cells(&context, facts);
        let percent = |text: String| {
            text.parse::<f32>().map_or(String::new(), |sure| format!("{:5.1} %", 100.0 * sure))
        };
        let cells =
            [&*id, &kind, &degree, &part, &truth, &x, &percent(x_sure), &r, &percent(r_sure)];
        for (count, right) in wrong.iter_mut().zip([&x_right, &r_right]) {
            *count += usize::from(right == "no");
        }
        let mark = match (x_right.as_str(), r_right.as_str()) {
            ("no", "no") => "wrong",
            ("no", _) => "x wrong",
            (_, "no") => "R wrong",
            _ => "",
        };
        writeln!(out, "{} {}", row(cells), styled(WARNING, mark))?;
    }
    let total = format!(
        "{} nodes; wrong predictions: {} from x, {} from R",
        roster.facts.len(),
        wrong[0],
        wrong[1]
    );
    writeln!(out, "{}", styled(HEADING, total))?;
    Ok(())
}

fn row(cells: [&str; 9]) -> String {
    const WIDTHS: [usize; 9] = [16, 10, 7, 10, 16, 16, 7, 16, 7];
    let fitted: Vec<String> =
        cells.iter().zip(WIDTHS).map(|(cell, width)| fitted(cell, width)).collect();
    fitted.join(" ")
}

/// The cells for a node, in the order of [`COLUMNS`].
fn cells(context: &ExplainContext, facts: &NodeFacts) -> [String; 11] {
    let graph = context.graph();
    let sure =
        |guess: Prediction| guess.confidence().map_or(String::new(), |sure| sure.to_string());
    let right = |guess: Prediction| {
        let known = known_right(guess);
        known.map_or("", |right| if right { "yes" } else { "no" }).to_owned()
    };
    [
        graph.ids().text(facts.node).to_owned(),
        graph.types().names()[graph.types().of(facts.node).index()].clone(),
        facts.degree.to_string(),
        facts.part.name().to_owned(),
        context.truth_text(facts.node),
        context.predicted_text(facts.node, PredictFrom::X),
        sure(facts.from_x),
        right(facts.from_x),
        context.predicted_text(facts.node, PredictFrom::R),
        sure(facts.from_r),
        right(facts.from_r),
    ]
}

fn known_right(guess: Prediction) -> Option<bool> {
    match guess {
        Prediction::None => None,
        Prediction::Class { right, .. } | Prediction::Value { right, .. } => right,
    }
}

fn object(context: &ExplainContext, facts: &NodeFacts) -> serde_json::Value {
    let graph = context.graph();
    let guess = |guess: Prediction, predict_from: PredictFrom| {
        let error = if let Prediction::Value { error, .. } = guess { error } else { None };
        json!({
            "predicted": context.predicted_text(facts.node, predict_from),
            "confidence": guess.confidence(),
            "error": error,
            "right": known_right(guess),
        })
    };
    json!({
        "id": graph.ids().text(facts.node),
        "name": graph.name(facts.node),
        "type": graph.types().names()[graph.types().of(facts.node).index()],
        "degree": facts.degree,
        "part": facts.part.name(),
        "truth": context.truth_text(facts.node),
        "from_x": guess(facts.from_x, PredictFrom::X),
        "from_R": guess(facts.from_r, PredictFrom::R),
    })
}
