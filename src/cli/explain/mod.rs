//! `gesf-tui explain`: which neighbours made the prediction of a node.

mod json;
mod page;

use std::io::Write;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;

use super::output;
use super::reopen::reopen;
use crate::explain::{
    Aim, Explanation, Faithfulness, Moment, Ranking, Rings, Slice, Table, Trial, by_walk,
};
use crate::graph::{ClassId, Classes, Graph, LabelKind, NodeId};
use crate::spectral::Cancel;

/// Which node of which run, and what of it.
#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// The folder of a run that `train --out` made
    run: PathBuf,
    /// The node, by its id or its name
    #[arg(long, value_name = "ID")]
    node: String,
    /// The class whose logit is explained; the one predicted if not named
    #[arg(long, value_name = "CLASS")]
    class: Option<String>,
    /// Explain by how much the class is ahead of this one
    #[arg(long, value_name = "CLASS")]
    against: Option<String>,
    /// How many contributors are listed
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Print stable JSON instead of a page
    #[arg(long)]
    json: bool,
}

/// Everything that is told of a node.
struct Account<'a> {
    moment: &'a Moment,
    found: Explanation,
    rings: Rings,
    table: Table,
    by_walk: Vec<Slice>,
    faithfulness: Faithfulness,
    sum_error: f64,
}

/// Rings beyond this many hops are told as one.
const MOST_HOPS: u16 = 4;

pub(super) fn run(args: &ExplainArgs) -> anyhow::Result<()> {
    let trainer = reopen(&args.run, args.json)?;
    let moment = Moment::of_trainer(&trainer)?;
    let node = find_node(moment.graph(), &args.node)?;
    let aim = aim(&moment, node, args)?;
    let found = Explanation::of(&moment, node, aim)?;
    let rings = Rings::around(moment.graph(), node);
    let table = Table::of(&moment, &found, &rings, (Ranking::Size, args.top))?;
    let faithfulness = Faithfulness::of(&moment, &found, Trial::default(), &Cancel::default())?;
    let sum_error = found.sum_error(&moment)?;
    let by_walk = by_walk(&moment, &found)?;
    let account =
        Account { moment: &moment, found, rings, table, by_walk, faithfulness, sum_error };
    if args.json {
        let text = serde_json::to_string_pretty(&json::document(&account))?;
        writeln!(std::io::stdout().lock(), "{text}")?;
        return Ok(());
    }
    let mut out = output::stdout();
    page::lines(&account).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    Ok(())
}

fn aim(moment: &Moment, node: NodeId, args: &ExplainArgs) -> anyhow::Result<Aim> {
    let graph = moment.graph();
    let usual = moment.usual_aim(node);
    let class = args.class.as_deref().map(|name| find_class(graph, name)).transpose()?;
    let rival = args.against.as_deref().map(|name| find_class(graph, name)).transpose()?;
    Ok(match (class, rival, usual) {
        (None, None, usual) => usual,
        (Some(class), None, _) => Aim::Class(class),
        (Some(class), Some(rival), _) | (None, Some(rival), Aim::Class(class)) => {
            Aim::Margin { class, rival }
        }
        (None, Some(_), _) => {
            return Err(anyhow!(
                "--against: found a node that no class is predicted of, expected one of a labelled \
                 type\n  help: leave it out"
            ));
        }
    })
}

/// The node of an id, or of a name.
fn find_node(graph: &Graph, text: &str) -> anyhow::Result<NodeId> {
    let by_name = || graph.nodes().find(|node| graph.name(*node).eq_ignore_ascii_case(text));
    graph.ids().find(text).or_else(by_name).ok_or_else(|| {
        let near = nearest(text, graph.ids().iter());
        anyhow!(
            "--node: found `{text}`, expected the id or the name of one of {} nodes\n  help: did you \
             mean `{near}`? `gesf-tui predict RUN` lists them all",
            graph.node_count()
        )
    })
}

fn find_class(graph: &Graph, text: &str) -> anyhow::Result<ClassId> {
    let names = graph.labels().classes().map(Classes::names).unwrap_or_default();
    let exact = names.iter().position(|name| name == text);
    let found = exact.or_else(|| names.iter().position(|name| name.eq_ignore_ascii_case(text)));
    if let Some(found) = found {
        return Ok(ClassId(found as u16));
    }
    Err(match graph.labels().kind() {
        LabelKind::None => anyhow!(
            "--class: found `{text}`, expected nothing: the graph has no labels\n  help: leave it out"
        ),
        LabelKind::Numeric => anyhow!(
            "--class: found `{text}`, expected nothing: numbers are predicted here, not classes\n  \
             help: leave it out"
        ),
        LabelKind::One | LabelKind::Several => anyhow!(
            "--class: found `{text}`, expected one of {} classes\n  help: did you mean `{}`?",
            names.len(),
            nearest(text, names.iter().map(String::as_str))
        ),
    })
}

/// The text that is most like another.
fn nearest<'a>(text: &str, among: impl Iterator<Item = &'a str>) -> &'a str {
    let likeness = |other: &str| strsim::jaro_winkler(text, other);
    among.max_by(|a, b| likeness(a).total_cmp(&likeness(b))).unwrap_or_default()
}
