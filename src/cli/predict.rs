//! `gesf-tui predict`: what a run says of every node.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::output;
use super::paint::{FAINT, HEADING, WARNING, fitted, styled};
use super::reopen::reopen;
use crate::explain::{Facts, Guess, Moment, Roster, Voice};

/// Which run, and for whom.
#[derive(Debug, Args)]
pub(super) struct PredictArgs {
    /// The folder of a run that `train --out` made
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
    let moment = Moment::of_trainer(&trainer)?;
    let roster = Roster::of(&moment);
    if args.csv {
        let mut table = csv::Writer::from_writer(output::data());
        table.write_record(COLUMNS)?;
        for facts in &roster.facts {
            table.write_record(cells(&moment, facts))?;
        }
        table.flush()?;
        return Ok(());
    }
    if args.json {
        let rows: Vec<serde_json::Value> =
            roster.facts.iter().map(|facts| object(&moment, facts)).collect();
        writeln!(std::io::stdout().lock(), "{}", serde_json::to_string_pretty(&rows)?)?;
        return Ok(());
    }
    let mut out = output::stdout();
    let head = row(["node", "type", "degree", "part", "label", "from x", "", "from R", ""]);
    writeln!(out, "{}", styled(FAINT, head))?;
    let mut wrong = [0, 0];
    for facts in &roster.facts {
        let [id, kind, degree, part, truth, x, x_sure, x_right, r, r_sure, r_right] =
            cells(&moment, facts);
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
            ("no", _) => "x is wrong",
            (_, "no") => "R is wrong",
            _ => "",
        };
        writeln!(out, "{} {}", row(cells), styled(WARNING, mark))?;
    }
    let total =
        format!("{} nodes; wrong from x: {}, from R: {}", roster.facts.len(), wrong[0], wrong[1]);
    writeln!(out, "{}", styled(HEADING, total))?;
    Ok(())
}

fn row(cells: [&str; 9]) -> String {
    const WIDTHS: [usize; 9] = [16, 10, 7, 10, 16, 16, 7, 16, 7];
    let fitted: Vec<String> =
        cells.iter().zip(WIDTHS).map(|(cell, width)| fitted(cell, width)).collect();
    fitted.join(" ")
}

/// The cells of a node, in the order of [`COLUMNS`].
fn cells(moment: &Moment, facts: &Facts) -> [String; 11] {
    let graph = moment.graph();
    let sure = |guess: Guess| guess.confidence().map_or(String::new(), |sure| sure.to_string());
    let right = |guess: Guess| {
        let known = known_right(guess);
        known.map_or("", |right| if right { "yes" } else { "no" }).to_owned()
    };
    [
        graph.ids().text(facts.node).to_owned(),
        graph.types().names()[graph.types().of(facts.node).index()].clone(),
        facts.degree.to_string(),
        facts.part.name().to_owned(),
        moment.truth_text(facts.node),
        moment.predicted_text(facts.node, Voice::X),
        sure(facts.from_x),
        right(facts.from_x),
        moment.predicted_text(facts.node, Voice::R),
        sure(facts.from_r),
        right(facts.from_r),
    ]
}

fn known_right(guess: Guess) -> Option<bool> {
    match guess {
        Guess::None => None,
        Guess::Class { right, .. } | Guess::Value { right, .. } => right,
    }
}

fn object(moment: &Moment, facts: &Facts) -> serde_json::Value {
    let graph = moment.graph();
    let guess = |guess: Guess, voice: Voice| {
        let error = if let Guess::Value { error, .. } = guess { error } else { None };
        json!({
            "predicted": moment.predicted_text(facts.node, voice),
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
        "truth": moment.truth_text(facts.node),
        "from_x": guess(facts.from_x, Voice::X),
        "from_R": guess(facts.from_r, Voice::R),
    })
}
