//! `gesf-tui explain`: which neighbours contributed to the prediction of a node, and how
//! good such explanations are over many nodes.

mod all;
mod json;
mod page;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{anyhow, bail};
use clap::Args;

use super::output;
use super::reopen::reopen;
use crate::explain::{
    Aim, ContributionTable, ExplainContext, Explanation, Faithfulness, Ranking, Rings, Slice,
    Trial, by_walk,
};
use crate::graph::{ClassId, Classes, Graph, LabelKind, NodeId};
use crate::spectral::Cancel;

/// Explain nodes of a run.
#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// Run folder created by `train --out`; with --all also runs with other seeds, to
    /// measure stability
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Node id or name
    #[arg(long, value_name = "ID", required_unless_present = "all")]
    node: Option<String>,
    /// Class whose logit is explained (default: the predicted class)
    #[arg(long, value_name = "CLASS", requires = "node")]
    class: Option<String>,
    /// Explain the margin over this class instead
    #[arg(long, value_name = "CLASS", requires = "node")]
    against: Option<String>,
    /// Number of contributors to list (default: 20), or of each explanation that --all
    /// measures (default: 10)
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    /// Measure the explanations of all nodes instead: fidelity, characterisation score,
    /// unfaithfulness, sparsity, stability, beside random contributors
    #[arg(long, conflicts_with = "node")]
    all: bool,
    /// Measure only this many random nodes
    #[arg(long, value_name = "N", requires = "all")]
    sample: Option<usize>,
    /// Seed of the sample and of the random contributors
    #[arg(long, default_value_t = 0, requires = "all")]
    seed: u64,
    /// Table with the columns id and motif: measure how well the nodes of a motif are
    /// found (`gesf-tui generate motif` writes one)
    #[arg(long, value_name = "FILE", requires = "all")]
    motifs: Option<PathBuf>,
    /// Print stable JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Everything reported about a node.
struct ExplainOutput<'a> {
    context: &'a ExplainContext,
    found: Explanation,
    rings: Rings,
    table: ContributionTable,
    by_walk: Vec<Slice>,
    faithfulness: Faithfulness,
    sum_error: f64,
}

/// The default number of listed contributors.
const TOP: usize = 20;

/// Rings beyond this many hops are reported as one.
const MOST_HOPS: u16 = 4;

pub(super) fn run(args: &ExplainArgs) -> anyhow::Result<()> {
    let Some(node) = &args.node else { return all::run(args) };
    let [run] = args.runs.as_slice() else {
        bail!(
            "found {} runs, expected one\n  help: several runs are compared with --all",
            args.runs.len()
        );
    };
    let trainer = reopen(run, args.json)?;
    let context = ExplainContext::of_trainer(&trainer)?;
    let node = find_node(context.graph(), node)?;
    let aim = aim(&context, node, args)?;
    let found = Explanation::of(&context, node, aim)?;
    let rings = Rings::around(context.graph(), node);
    let table =
        ContributionTable::of(&context, &found, &rings, (Ranking::Size, args.top.unwrap_or(TOP)))?;
    let faithfulness = Faithfulness::of(&context, &found, Trial::default(), &Cancel::default())?;
    let sum_error = found.sum_error(&context)?;
    let by_walk = by_walk(&context, &found)?;
    let output =
        ExplainOutput { context: &context, found, rings, table, by_walk, faithfulness, sum_error };
    if args.json {
        let text = serde_json::to_string_pretty(&json::document(&output))?;
        writeln!(std::io::stdout().lock(), "{text}")?;
        return Ok(());
    }
    let mut out = output::stdout();
    page::lines(&output).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    Ok(())
}

fn aim(context: &ExplainContext, node: NodeId, args: &ExplainArgs) -> anyhow::Result<Aim> {
    let graph = context.graph();
    let usual = context.usual_aim(node);
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
                "--against: found a node without a predicted class, expected one of a \
                 labelled type\n  help: omit --against"
            ));
        }
    })
}

/// The node with an id or name.
fn find_node(graph: &Graph, text: &str) -> anyhow::Result<NodeId> {
    let by_name = || graph.nodes().find(|node| graph.name(*node).eq_ignore_ascii_case(text));
    graph.ids().find(text).or_else(by_name).ok_or_else(|| {
        let near = nearest(text, graph.ids().iter());
        anyhow!(
            "--node: found `{text}`, expected the id or name of one of {} nodes\n  help: did you \
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
            "--class: found `{text}`, expected none: the graph has no labels\n  help: omit --class"
        ),
        LabelKind::Numeric => anyhow!(
            "--class: found `{text}`, expected none: the labels are numeric\n  \
             help: omit --class"
        ),
        LabelKind::One | LabelKind::Several => anyhow!(
            "--class: found `{text}`, expected one of {} classes\n  help: did you mean `{}`?",
            names.len(),
            nearest(text, names.iter().map(String::as_str))
        ),
    })
}

/// The candidate most similar to a text.
fn nearest<'a>(text: &str, among: impl Iterator<Item = &'a str>) -> &'a str {
    let likeness = |other: &str| strsim::jaro_winkler(text, other);
    among.max_by(|a, b| likeness(a).total_cmp(&likeness(b))).unwrap_or_default()
}
