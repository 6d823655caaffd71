//! `gesf-tui explain --all`: standard measures of the explanations of many nodes, each
//! beside random contributors.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::ExplainArgs;
use crate::cli::output;
use crate::cli::paint::{FAINT, HEADING, TITLE, styled};
use crate::cli::prepared_graph::cancelled_by_ctrl_c;
use crate::cli::reopen::reopen;
use crate::explain::{ExplainContext, MaskEffect, MeasureOptions, Measures, NodeMeasures};
use crate::graph::{Classes, Graph, NodeId};
use crate::model::random::{shuffle, stream};

/// The default size of a mask.
const TOP: usize = 10;

/// The measures of a run.
struct Measured<'a> {
    context: &'a ExplainContext,
    options: MeasureOptions,
    /// How many other runs it is compared with.
    others: usize,
    nodes: Vec<NodeMeasures>,
}

pub(super) fn run(args: &ExplainArgs) -> anyhow::Result<()> {
    let mut contexts = Vec::with_capacity(args.runs.len());
    for run in &args.runs {
        contexts.push(ExplainContext::of_trainer(&reopen(run, args.json)?)?);
    }
    let Some((context, others)) = contexts.split_first() else { return Ok(()) };
    let fingerprint = context.graph().fingerprint();
    for (other, run) in others.iter().zip(&args.runs[1..]) {
        if other.graph().fingerprint() != fingerprint {
            bail!(
                "{}: found a run on another graph, expected the graph of {}\n  help: compare runs \
                 that differ in their seed only",
                run.display(),
                args.runs[0].display()
            );
        }
    }
    let motifs = args.motifs.as_deref().map(|path| motifs(path, context.graph())).transpose()?;
    let nodes = sample(context, args.sample, args.seed);
    let options = MeasureOptions {
        top: args.top.unwrap_or(TOP),
        seed: args.seed,
        ..MeasureOptions::default()
    };
    let cancel = cancelled_by_ctrl_c()?;
    let motifs = motifs.as_deref();
    let nodes = NodeMeasures::of_nodes(context, others, motifs, &nodes, options, &cancel)?;
    if nodes.is_empty() {
        bail!("found no node with a prediction and contributors, expected some");
    }
    let measured = Measured { context, options, others: others.len(), nodes };
    if args.json {
        let text = serde_json::to_string_pretty(&measured.json())?;
        writeln!(std::io::stdout().lock(), "{text}")?;
        return Ok(());
    }
    let mut out = output::stdout();
    measured.lines().iter().try_for_each(|line| writeln!(out, "{line}"))?;
    Ok(())
}

/// The nodes with a prediction, or so many of them, in graph order.
fn sample(context: &ExplainContext, count: Option<usize>, seed: u64) -> Vec<NodeId> {
    let has_prediction = |node: &NodeId| context.outputs(*node).is_some();
    let mut nodes: Vec<NodeId> = context.graph().nodes().filter(has_prediction).collect();
    if let Some(count) = count {
        shuffle(&mut stream(seed, "explained nodes"), &mut nodes);
        nodes.truncate(count);
        nodes.sort_unstable();
    }
    nodes
}

/// The motif of each node, from a table with the columns `id` and `motif`.
fn motifs(path: &Path, graph: &Graph) -> anyhow::Result<Vec<Option<u32>>> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| name.to_string())?;
    let is_tabbed = text.lines().next().is_some_and(|head| head.contains('\t'));
    let delimiter = if is_tabbed { b'\t' } else { b',' };
    let mut table = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(text.as_bytes());
    let head = table.headers().with_context(|| name.to_string())?.clone();
    let column = |wanted: &str| {
        head.iter().position(|own| own.trim() == wanted).with_context(|| {
            let found: Vec<&str> = head.iter().collect();
            format!(
                "{name}: found the columns {}, expected `{wanted}` among them",
                found.join(", ")
            )
        })
    };
    let (id, motif) = (column("id")?, column("motif")?);
    let mut names: Vec<String> = Vec::new();
    let mut motifs = vec![None; graph.node_count()];
    for row in table.records() {
        let row = row.with_context(|| name.to_string())?;
        let (id, motif) = (row.get(id).unwrap_or_default(), row.get(motif).unwrap_or_default());
        if motif.is_empty() {
            continue;
        }
        let node = graph.ids().find(id).with_context(|| {
            format!("{name}: found the node `{id}`, expected a node of the run's graph")
        })?;
        let known = names.iter().position(|own| own == motif);
        let number = known.unwrap_or_else(|| {
            names.push(motif.to_owned());
            names.len() - 1
        });
        motifs[node.index()] = Some(number as u32);
    }
    Ok(motifs)
}

impl Measured<'_> {
    fn sparsity(&self) -> f64 {
        let sum: f64 = self.nodes.iter().map(NodeMeasures::sparsity).sum();
        sum / self.nodes.len().max(1) as f64
    }

    fn lines(&self) -> Vec<String> {
        let graph = self.context.graph();
        let title = graph.manifest().title.clone().unwrap_or_else(|| "graph".to_owned());
        let how = format!(
            "{} nodes, predictions from R, top {} supporting contributors each",
            self.nodes.len(),
            self.options.top
        );
        let (ours, random) = (Measures::explained(&self.nodes), Measures::random(&self.nodes));
        let row = |name: &str, pair: (f64, f64), meaning: &str| {
            let figures = format!("  {name:<18}{:>10.3}{:>10.3}", pair.0, pair.1);
            format!("{figures}  {}", styled(FAINT, meaning))
        };
        let pair = |of: fn(&MaskEffect) -> f64| (of(&ours.effect), of(&random.effect));
        let head = format!("  {:<18}{:>10}{:>10}", "", "explained", "random");
        let mut lines = vec![
            format!("{} {}", styled(TITLE, title), styled(FAINT, how)),
            styled(HEADING, head),
            row(
                "fidelity+",
                pair(|own| own.fidelity_plus),
                "prediction changes without them (more is better)",
            ),
            row(
                "fidelity−",
                pair(|own| own.fidelity_minus),
                "prediction changes with only them (less is better)",
            ),
            row(
                "characterisation",
                (ours.characterisation, random.characterisation),
                "harmonic mean of fidelity+ and 1 − fidelity− (more is better)",
            ),
            row(
                "unfaithfulness",
                pair(|own| own.unfaithfulness),
                "1 − exp(−KL) of the probabilities with only them (less is better)",
            ),
            row(
                "sparsity",
                (self.sparsity(), self.sparsity()),
                "share of the contributors left out",
            ),
        ];
        if let (Some(own), Some(random)) = (ours.stability, random.stability) {
            let runs = match self.others {
                1 => "with another run".to_owned(),
                count => format!("with {count} other runs"),
            };
            let told = format!("of the contributions, {runs}");
            lines.push(row("rank correlation", (own.correlation, random.correlation), &told));
            let told = format!("of the top {}, {runs}", self.options.top);
            lines.push(row("overlap", (own.overlap, random.overlap), &told));
        }
        if let (Some(own), Some(random)) = (ours.motif_auc, random.motif_auc) {
            let count = self.nodes.iter().filter(|own| own.motif_auc.is_some()).count();
            let told = format!("of the nodes of the same motif, over {count} nodes");
            lines.push(row("motif ROC AUC", (own, random), &told));
        }
        lines
    }

    fn json(&self) -> Value {
        let means = |own: &Measures| {
            json!({
                "fidelity_plus": own.effect.fidelity_plus,
                "fidelity_minus": own.effect.fidelity_minus,
                "characterisation": own.characterisation,
                "unfaithfulness": own.effect.unfaithfulness,
                "sparsity": self.sparsity(),
                "rank_correlation": own.stability.map(|own| own.correlation),
                "overlap": own.stability.map(|own| own.overlap),
                "motif_auc": own.motif_auc,
            })
        };
        let graph = self.context.graph();
        let classes = graph.labels().classes().map(Classes::names).unwrap_or_default();
        let id = |node: &NodeId| graph.ids().text(*node).to_owned();
        let nodes: Vec<Value> = self
            .nodes
            .iter()
            .map(|own| {
                json!({
                    "id": id(&own.node),
                    "class": classes.get(own.class),
                    "mask": own.mask.iter().map(id).collect::<Vec<_>>(),
                    "contributors": own.contributors,
                    "fidelity_plus": own.explained.fidelity_plus,
                    "fidelity_minus": own.explained.fidelity_minus,
                    "unfaithfulness": own.explained.unfaithfulness,
                    "sparsity": own.sparsity(),
                    "rank_correlation": own.stability.map(|own| own.correlation),
                    "motif_auc": own.motif_auc,
                })
            })
            .collect();
        json!({
            "top": self.options.top,
            "draws": self.options.draws,
            "seed": self.options.seed,
            "other_runs": self.others,
            "explained": means(&Measures::explained(&self.nodes)),
            "random": means(&Measures::random(&self.nodes)),
            "nodes": nodes,
        })
    }
}
