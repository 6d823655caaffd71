//! The load report: what was read, merged or unusual.

use std::fmt;

use super::labels::LabelKind;
use super::roles::Roles;
use super::{Fault, Format, Graph, Labels, Reading};

/// The importance of a line of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// What was read.
    Plain,
    /// What was merged: expected, but worth knowing.
    Folded,
    /// A warning.
    Odd,
}

/// One line of the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportLine {
    /// Its importance.
    pub weight: Weight,
    /// Its text.
    pub text: String,
}

/// The report of a loaded graph.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LoadReport {
    /// The lines, in order.
    pub lines: Vec<ReportLine>,
    /// The first few skipped rows, if any.
    pub skipped_examples: Vec<Fault>,
}

impl LoadReport {
    /// The report of a graph and how it was read.
    pub fn of(graph: &Graph, roles: &Roles, format: Format, reading: Reading) -> Self {
        let mut report = Self::default();
        report.what_was_read(graph, roles, format);
        report.what_was_folded(graph);
        report.what_is_odd(graph, &reading);
        report.skipped_examples = reading.examples;
        report
    }

    /// Whether there are warnings.
    pub fn has_oddities(&self) -> bool {
        self.lines.iter().any(|line| line.weight == Weight::Odd)
    }

    fn say(&mut self, weight: Weight, text: String) {
        self.lines.push(ReportLine { weight, text });
    }

    fn say_count(&mut self, weight: Weight, count: usize, one: &str, many: &str) {
        match count {
            0 => {}
            1 => self.say(weight, format!("1 {one}")),
            _ => self.say(weight, format!("{count} {many}")),
        }
    }

    fn what_was_read(&mut self, graph: &Graph, roles: &Roles, format: Format) {
        let rows = graph.folded.rows;
        let weights = if graph.weighted { ", weighted" } else { "" };
        self.say(
            Weight::Plain,
            format!(
                "read as {}: {} nodes, {rows} edge rows{weights}",
                format.title(),
                graph.node_count()
            ),
        );
        let used = |role: &Option<String>, what: &str| {
            role.as_ref().map(|column| format!("{what} from column `{column}`"))
        };
        let parts: Vec<String> = [
            used(&roles.node_type, "node types"),
            used(&roles.label, "labels"),
            used(&roles.target, "numeric labels"),
            used(&roles.name, "names"),
        ]
        .into_iter()
        .flatten()
        .collect();
        if !parts.is_empty() {
            self.say(Weight::Plain, parts.join(", "));
        }
        match graph.splits() {
            [] => {}
            [only] => self.say(Weight::Plain, format!("a split: {}", only.name)),
            [first, .., last] => {
                let count = graph.splits().len();
                let text = format!("{count} splits: {} to {}", first.name, last.name);
                self.say(Weight::Plain, text);
            }
        }
        if let Some(features) = &graph.features {
            self.say(
                Weight::Plain,
                format!("{} attributes, {} entries", features.width(), features.filled()),
            );
        }
    }

    fn what_was_folded(&mut self, graph: &Graph) {
        let counts = graph.folded;
        let folded = Weight::Folded;
        self.say_count(folded, counts.self_loops, "self-loop dropped", "self-loops dropped");
        let both = match counts.reciprocal {
            0 => String::new(),
            1 => "; 1 pair is listed in both directions".to_owned(),
            n => format!("; {n} pairs are listed in both directions"),
        };
        let sum = if graph.weighted { " (weights summed)" } else { "" };
        let one = format!("duplicate row merged into its edge{sum}{both}");
        let many = format!("duplicate rows merged into their edges{sum}{both}");
        self.say_count(folded, counts.duplicates, &one, &many);
        let none = "row with weight 0 ignored";
        self.say_count(folded, counts.weightless, none, "rows with weight 0 ignored");
    }

    fn what_is_odd(&mut self, graph: &Graph, reading: &Reading) {
        let odd = Weight::Odd;
        self.say_count(
            odd,
            reading.skipped,
            "row could not be parsed and was skipped",
            "rows could not be parsed and were skipped",
        );
        if let Some((id, line)) = &reading.unknown_example {
            let at = line.map_or_else(String::new, |line| format!(", line {line}"));
            self.say(
                odd,
                format!(
                    "{} edge rows refer to an unlisted node and were skipped (first: {}{at})",
                    reading.unknown_ends,
                    super::error::quoted(id)
                ),
            );
        }
        let isolated = graph.nodes().filter(|&node| graph.degree(node) == 0).count();
        self.say_count(
            odd,
            isolated,
            "isolated node (no neighbours to reconstruct it)",
            "isolated nodes (no neighbours to reconstruct them)",
        );
        self.odd_labels(graph);
        for note in &reading.notes {
            self.say(odd, note.clone());
        }
    }

    fn odd_labels(&mut self, graph: &Graph) {
        if graph.labels.kind() == LabelKind::None {
            self.say(Weight::Odd, "no labels: only the reconstruction can be trained".into());
            return;
        }
        let labelled_types: Vec<bool> = {
            let mut any = vec![false; graph.types.count()];
            for node in graph.nodes().filter(|&node| graph.labels.is_labelled(node)) {
                any[graph.types.of(node).index()] = true;
            }
            any
        };
        // A type without labelled nodes is simply not classified.
        let unlabelled = graph
            .nodes()
            .filter(|&node| labelled_types[graph.types.of(node).index()])
            .filter(|&node| !graph.labels.is_labelled(node))
            .count();
        self.say_count(Weight::Odd, unlabelled, "unlabelled node", "unlabelled nodes");
        if let Labels::Classes(classes) = &graph.labels {
            let sizes = classes.sizes();
            let lonely: Vec<&str> = classes
                .names()
                .iter()
                .zip(&sizes)
                .filter(|(_, size)| **size == 1)
                .map(|(name, _)| name.as_str())
                .collect();
            let names = lonely.iter().take(3).copied().collect::<Vec<_>>().join(", ");
            let one = format!("class with only one member ({names})");
            let more = if lonely.len() > 3 { ", …" } else { "" };
            let many = format!("classes with only one member ({names}{more})");
            self.say_count(Weight::Odd, lonely.len(), &one, &many);
        }
    }
}

impl fmt::Display for LoadReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            let mark = match line.weight {
                Weight::Plain => ' ',
                Weight::Folded => '~',
                Weight::Odd => '!',
            };
            writeln!(f, "{mark} {}", line.text)?;
        }
        Ok(())
    }
}
