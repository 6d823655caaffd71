//! `gesf-tui info`: a summary of a graph, as text or JSON.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::graph_args::{GraphArgs, graph_path};
use super::output;
use super::paint::{BAR, FAINT, HEADING, TITLE, WARNING, bar, fitted, grouped, styled, wrapped};
use crate::graph::{Graph, LabelKind, LoadReport, Statistics, Weight};

/// Show a graph.
#[derive(Debug, Args)]
pub(super) struct InfoArgs {
    /// Graph: a file, a folder, or - for standard input
    #[arg(value_parser = graph_path())]
    path: PathBuf,
    /// Print stable JSON instead of a table
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    graph: GraphArgs,
}

const WIDTH: usize = 78;
const BAR_WIDTH: usize = 28;
const MOST_CLASSES: usize = 20;

pub(super) fn run(args: &InfoArgs) -> anyhow::Result<()> {
    if !args.json {
        return show(&args.path, &args.graph);
    }
    let (graph, _) = args.graph.load(&args.path)?;
    let text = serde_json::to_string_pretty(&Statistics::of(&graph))?;
    writeln!(std::io::stdout().lock(), "{text}")?;
    Ok(())
}

/// Prints the summary as text.
pub(super) fn show(path: &Path, args: &GraphArgs) -> anyhow::Result<()> {
    let (graph, report) = args.load(path)?;
    let fallback = path.file_stem().map_or("graph".into(), |name| name.to_string_lossy());
    let lines = page(&graph, &report, &fallback);
    let mut out = output::stdout();
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn page(graph: &Graph, report: &LoadReport, fallback: &str) -> Vec<String> {
    let statistics = Statistics::of(graph);
    let manifest = graph.manifest();
    let mut lines = vec![styled(TITLE, manifest.title.as_deref().unwrap_or(fallback))];
    lines.extend(wrapped(manifest.description.as_deref().unwrap_or_default(), WIDTH));
    lines.push(String::new());
    lines.extend(counts(&statistics));
    lines.extend(type_lines(&statistics));
    lines.extend(label_lines(&statistics));
    lines.extend(degree_lines(graph));
    lines.extend(report_lines(report));
    let about = [("source", &manifest.source), ("licence", &manifest.licence)];
    for (what, text) in about {
        if let Some(text) = text {
            lines.extend(noted(what, text));
        }
    }
    lines
}

/// The counts in two columns.
fn counts(s: &Statistics) -> Vec<String> {
    let optional = |value: Option<f64>| value.map_or("–".to_owned(), |v| format!("{v:.3}"));
    let labelled = format!("{} of {}", grouped(s.labelled), grouped(s.nodes));
    let task = match s.label_kind {
        LabelKind::None => "no labels".to_owned(),
        LabelKind::One => format!("one of {} classes", s.labels.0.len()),
        LabelKind::Several => format!("several of {} classes", s.labels.0.len()),
        LabelKind::Numeric => "a number".to_owned(),
    };
    let weights = if s.weighted { "weighted" } else { "unweighted" };
    let edges = format!("{} {weights}", grouped(s.edges));
    let adjusted = optional(s.adjusted_homophily);
    let degree = format!("{:.2}", s.mean_degree);
    let informativeness = optional(s.label_informativeness);
    let cells = [
        ("nodes", grouped(s.nodes), "components", grouped(s.components)),
        ("edges", edges, "largest component", grouped(s.largest_component)),
        ("edge rows", grouped(s.edges_raw), "isolated", grouped(s.isolated)),
        ("self-loops", grouped(s.self_loops), "mean degree", degree),
        ("duplicates", grouped(s.duplicates), "max degree", grouped(s.max_degree)),
        ("predict", task, "labelled", labelled),
        ("attributes", grouped(s.attributes), "duplicate nodes", grouped(s.duplicate_nodes)),
        ("homophily", optional(s.homophily), "by chance", optional(s.homophily_by_chance)),
        ("adjusted homophily", adjusted, "label informativeness", informativeness),
    ];
    let row = |(a, b, c, d): &(&str, String, &str, String)| {
        format!(
            "  {} {} {} {d}",
            styled(FAINT, fitted(a, 18)),
            fitted(b, 20),
            styled(FAINT, fitted(c, 21))
        )
    };
    cells.iter().map(row).collect()
}

fn type_lines(s: &Statistics) -> Vec<String> {
    if s.types.0.len() < 2 {
        return Vec::new();
    }
    let mut lines = headed("node types");
    lines.extend(bars(&s.types.0, s.nodes));
    lines.extend(headed("edges between types"));
    lines.extend(bars(&s.edge_types.0, s.edges));
    lines
}

fn label_lines(s: &Statistics) -> Vec<String> {
    if s.labels.0.is_empty() {
        return Vec::new();
    }
    let mut classes = s.labels.0.clone();
    classes.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let hidden: usize = classes.iter().skip(MOST_CLASSES).map(|(_, n)| n).sum();
    let more = classes.len().saturating_sub(MOST_CLASSES);
    classes.truncate(MOST_CLASSES);
    if more > 0 {
        classes.push((format!("({more} more)"), hidden));
    }
    let mut lines = headed("classes");
    lines.extend(bars(&classes, s.labelled));
    lines
}

fn degree_lines(graph: &Graph) -> Vec<String> {
    // Doubling ranges: 0, 1, 2, 3–4, 5–8, …
    let range_of = |degree: usize| {
        if degree == 0 { 0 } else { degree.next_power_of_two().ilog2() as usize + 1 }
    };
    let mut ranges: Vec<usize> = Vec::new();
    for node in graph.nodes() {
        let range = range_of(graph.degree(node));
        ranges.resize(ranges.len().max(range + 1), 0);
        ranges[range] += 1;
    }
    let name = |range: usize| match range {
        0 => "0".to_owned(),
        1 => "1".to_owned(),
        2 => "2".to_owned(),
        _ => format!("{}–{}", (1_usize << (range - 2)) + 1, 1_usize << (range - 1)),
    };
    let filled = ranges.iter().enumerate().filter(|(_, n)| **n > 0);
    let rows: Vec<(String, usize)> = filled.map(|(range, n)| (name(range), *n)).collect();
    let mut lines = headed("degrees");
    lines.extend(bars(&rows, graph.node_count()));
    lines
}

fn report_lines(report: &LoadReport) -> Vec<String> {
    let mut lines = headed("load report");
    for line in &report.lines {
        let mark = match line.weight {
            Weight::Plain => " ".to_owned(),
            Weight::Folded => styled(FAINT, "~"),
            Weight::Odd => styled(WARNING, "!"),
        };
        for (at, part) in wrapped(&line.text, WIDTH - 4).into_iter().enumerate() {
            let lead = if at == 0 { mark.as_str() } else { " " };
            lines.push(format!("  {lead} {part}"));
        }
    }
    for fault in &report.skipped_examples {
        lines.push(format!("    {}", styled(FAINT, fault.to_string().replace('\n', "\n    "))));
    }
    lines
}

fn headed(title: &str) -> Vec<String> {
    vec![String::new(), styled(HEADING, title)]
}

fn noted(what: &str, text: &str) -> Vec<String> {
    let mut lines = headed(what);
    lines.extend(wrapped(text, WIDTH - 2).into_iter().map(|line| format!("  {line}")));
    lines
}

/// Rows with a name, a count, its share of `whole` and a bar.
fn bars(rows: &[(String, usize)], whole: usize) -> Vec<String> {
    let most = rows.iter().map(|(_, n)| *n).max().unwrap_or(0) as f64;
    let row = |(name, n): &(String, usize)| {
        let share = 100.0 * *n as f64 / whole.max(1) as f64;
        format!(
            "  {} {:>10} {share:>5.1} %  {}",
            fitted(name, 24),
            grouped(*n),
            styled(BAR, bar(*n as f64, most, BAR_WIDTH))
        )
    };
    rows.iter().map(row).collect()
}
