//! An explanation on one page: facts, a contribution table that adds up, slices of
//! it, and faithfulness.

use super::super::paint::{FAINT, HEADING, TITLE, fitted, grouped, signed_bar, styled};
use super::{ExplainOutput, MOST_HOPS};
use crate::explain::{
    Aim, Contributor, ExplainContext, MeanAndDeviation, PredictFrom, Slice, by_label, by_ring,
    by_type, from_afar,
};
use crate::graph::{Classes, LabelKind, NodeId};
use crate::train::probabilities;

const NAME: usize = 22;
const TYPE: usize = 10;
const BAR: usize = 10;
/// Number of classes listed.
const MOST_CLASSES: usize = 6;
/// Number of own features listed.
const MOST_FEATURES: usize = 10;
/// Numbers of contributors removed, or kept alone, in the faithfulness test.
const TOLD: [usize; 4] = [1, 3, 10, 30];

pub(super) fn lines(output: &ExplainOutput<'_>) -> Vec<String> {
    let mut lines = facts(output);
    lines.extend(table(output));
    lines.extend(own_features(output));
    lines.extend(slices(output));
    lines.extend(faithfulness(output));
    lines.extend(checks(output));
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// A signed number; values that round to zero are shown as +0.
fn signed(value: f64, digits: usize) -> String {
    let text = format!("{value:+.digits$}");
    if text.contains(|c: char| c.is_ascii_digit() && c != '0') {
        text
    } else {
        format!("{:+.digits$}", 0.0)
    }
}

/// A node for display: its id, and its name if different.
fn shown(context: &ExplainContext, node: NodeId) -> String {
    let (id, name) = (context.graph().ids().text(node), context.graph().name(node));
    if id == name { id.to_owned() } else { format!("{id} {name}") }
}

fn facts(output: &ExplainOutput<'_>) -> Vec<String> {
    let (context, found) = (output.context, &output.found);
    let graph = context.graph();
    let title = graph.manifest().title.clone().unwrap_or_else(|| "graph".to_owned());
    let node = found.node;
    let kind = &graph.types().names()[graph.types().of(node).index()];
    let epoch = context.snapshot().scalars.epoch;
    let degree = graph.degree(node);
    let mut lines = vec![
        styled(TITLE, format!("{} · {kind} of {title}, epoch {epoch}", shown(context, node))),
        fact("neighbours", &degree.to_string()),
    ];
    let truth = context.truth_text(node);
    if !truth.is_empty() {
        let train = context.split().train.binary_search(&node).is_ok();
        let part = if train { "train" } else { "test" };
        lines.push(fact("label", &format!("{truth} ({part})")));
    }
    for (name, predict_from) in [("from x", PredictFrom::X), ("from R", PredictFrom::R)] {
        let text = match graph.labels().kind() {
            LabelKind::One => odds(output, predict_from),
            _ => format!(
                "{}  {}",
                context.predicted_text(node, predict_from),
                odds(output, predict_from)
            ),
        };
        if !text.trim().is_empty() {
            lines.push(fact(name, &text));
        }
    }
    lines
}

fn fact(name: &str, text: &str) -> String {
    format!("  {} {text}", styled(FAINT, fitted(name, 11)))
}

/// The most probable classes with their probabilities.
fn odds(output: &ExplainOutput<'_>, predict_from: PredictFrom) -> String {
    let context = output.context;
    let predictions = &context.snapshot().predictions;
    let outputs = match predict_from {
        PredictFrom::X => &predictions.from_x,
        PredictFrom::R => &predictions.from_r,
    };
    let kind = context.graph().labels().kind();
    let names = context.graph().labels().classes().map(Classes::names).unwrap_or_default();
    if matches!(kind, LabelKind::Numeric | LabelKind::None) {
        return String::new();
    }
    let row = outputs.row(context.groups(), output.found.node).unwrap_or_default();
    let odds = probabilities(row, kind);
    let mut order: Vec<usize> = (0..odds.len().min(names.len())).collect();
    order.sort_by(|&a, &b| odds[b].total_cmp(&odds[a]).then(a.cmp(&b)));
    let told = order.iter().take(MOST_CLASSES);
    let told = told.map(|&at| format!("{} {:.1} %", names[at], 100.0 * odds[at]));
    told.collect::<Vec<_>>().join(", ")
}

/// Decimals for the numbers of a column.
fn decimals(size: f64) -> usize {
    match size {
        size if size >= 1000.0 => 1,
        size if size >= 10.0 => 3,
        size if size >= 0.1 || size == 0.0 => 4,
        _ => 6,
    }
}

fn table(output: &ExplainOutput<'_>) -> Vec<String> {
    let (context, found, table) = (output.context, &output.found, &output.table);
    let digits = decimals(found.size().max(found.value.abs()));
    let round = |value: f64| format!("{value:.digits$}").parse::<f64>().unwrap_or(value);
    let scores = table.lines.iter().map(|line| line.score);
    let scores = scores.chain(table.features.map(|own| own.score));
    let most = scores.map(f64::abs).fold(0.0, f64::max);
    let aim = found.aim.name(context.graph());
    let title = if found.aim == Aim::Length { aim.clone() } else { format!("{aim}, from R") };
    let types = context.graph().types();
    let kind = |text: &str| match types.count() {
        0 | 1 => String::new(),
        _ => format!("{} ", fitted(text, TYPE)),
    };
    let head = format!(
        "  {} {}{:>8} {:>10} {:>11} {} {:>10}",
        fitted("contributor", NAME),
        kind("type"),
        "distance",
        "P_uv",
        "adds",
        " ".repeat(2 * BAR + 1),
        "without"
    );
    let mut lines = vec![String::new(), styled(HEADING, title), styled(FAINT, head)];
    let row = |line: &Contributor| {
        format!(
            "  {} {}{:>8} {:>10.6} {:>11} {} {:>10.digits$}",
            fitted(&shown(context, line.node), NAME),
            kind(&types.names()[types.of(line.node).index()]),
            line.ring.to_string(),
            line.weight,
            signed(line.score, digits),
            signed_bar(line.score, most, BAR),
            line.left_out,
        )
    };
    lines.extend(table.features.map(|own| {
        format!(
            "  {} {}{:>8} {:>10} {:>11} {} {:>10.digits$}",
            fitted("own features", NAME),
            kind(""),
            "itself",
            "",
            signed(own.score, digits),
            signed_bar(own.score, most, BAR),
            own.left_out,
        )
    }));
    lines.extend(table.lines.iter().map(row));
    // Rounded numbers add up only if one of them absorbs the rounding error.
    let told: f64 = table.lines.iter().map(|line| round(line.score)).sum();
    let own = round(table.own.score);
    let features = table.features.map_or(0.0, |own| round(own.score));
    let rest = round(found.value) - round(found.baseline) - told - own - features;
    let wide = NAME + kind("").len() + 8 + 10 + 2;
    let total = |name: &str, number: f64| {
        format!("  {} {:>11}", fitted(name, wide), signed(number, digits))
    };
    lines.push(total(&format!("{} others, total", grouped(table.others)), rest));
    lines.push(total("self term", own));
    lines.push(total("baseline (no neighbours, z = 0)", found.baseline));
    lines.push(styled(TITLE, total(&format!("= {aim}"), found.value)));
    lines
}

/// The features that contribute most, and their share β in z.
fn own_features(output: &ExplainOutput<'_>) -> Vec<String> {
    let found = &output.found;
    let (Some(all), Some(share)) =
        (&found.features, output.context.snapshot().scalars.feature_share)
    else {
        return Vec::new();
    };
    let digits = decimals(found.size());
    let top = found.top_features(MOST_FEATURES);
    let most = top.iter().map(|(_, score)| score.abs()).fold(0.0, f64::max);
    let title = format!("own features, top {} of {}", top.len(), grouped(all.len()));
    let mut lines = vec![String::new(), styled(HEADING, title)];
    lines.extend(top.iter().map(|&(feature, score)| {
        let name = feature_name(output.context, feature);
        let bar = signed_bar(score, most, BAR);
        format!("  {} {:>9} {:>11} {bar}", fitted(&name, NAME), "", signed(score, digits))
    }));
    let share = format!("  share of the features in z, learned on withheld labels: β = {share:.3}");
    lines.push(styled(FAINT, share));
    lines
}

/// The name of a feature, or its number.
pub(super) fn feature_name(context: &ExplainContext, feature: u32) -> String {
    let name = context.graph().features().and_then(|all| all.name(feature));
    name.map_or_else(|| format!("feature {feature}"), str::to_owned)
}

fn slices(output: &ExplainOutput<'_>) -> Vec<String> {
    let (context, found) = (output.context, &output.found);
    let graph = context.graph();
    let mut lines = Vec::new();
    let by_ring = by_ring(found, &output.rings, MOST_HOPS);
    lines.extend(sliced(output, "by distance", &by_ring));
    let afar = 100.0 * from_afar(found, &output.rings);
    let afar = format!("  {afar:.1} % from non-adjacent nodes");
    lines.push(styled(FAINT, afar));
    if !output.by_walk.is_empty() {
        lines.extend(sliced(output, "by walk length, α_n Mⁿ", &output.by_walk));
        let weights = &context.snapshot().scalars.hop_weights;
        let told: Vec<String> = weights.iter().map(|weight| format!("{weight:.3}")).collect();
        lines.push(styled(FAINT, format!("  hop weights α_1 …: {}", told.join(" "))));
    }
    if graph.types().count() > 1 {
        lines.extend(sliced(output, "by type", &by_type(context, found)));
    }
    if graph.labels().kind() != LabelKind::None {
        lines.extend(sliced(output, "by label", &by_label(context, found)));
    }
    lines
}

fn sliced(output: &ExplainOutput<'_>, title: &str, slices: &[Slice]) -> Vec<String> {
    let digits = decimals(output.found.size());
    let most = slices.iter().map(|slice| slice.score.abs()).fold(0.0, f64::max);
    let mut lines = vec![String::new(), styled(HEADING, title)];
    lines.extend(slices.iter().map(|slice| {
        format!(
            "  {} {:>9} {:>11} {}",
            fitted(&slice.group.name(output.context.graph()), NAME),
            grouped(slice.nodes),
            signed(slice.score, digits),
            signed_bar(slice.score, most, BAR)
        )
    }));
    lines
}

fn faithfulness(output: &ExplainOutput<'_>) -> Vec<String> {
    let (curves, found) = (&output.faithfulness, &output.found);
    let digits = decimals(found.size().max(found.value.abs()));
    let mut lines = vec![String::new(), styled(HEADING, "faithfulness")];
    let spread =
        |at: &MeanAndDeviation| format!("{:.digits$} ± {:.digits$}", at.mean, at.deviation);
    let head = format!(
        "  {:>6} {:>12} {:>12}  {:<22} {:<22} {}",
        "nodes", "top", "top", "random", "random neighbours", "random"
    );
    let second = format!(
        "  {:>6} {:>12} {:>12}  {:<22} {:<22} {}",
        "", "removed", "only", "removed", "removed", "only"
    );
    lines.extend([styled(FAINT, head), styled(FAINT, second)]);
    for count in TOLD.into_iter().filter(|count| curves.counts.contains(count)) {
        lines.push(format!(
            "  {count:>6} {:>12.digits$} {:>12.digits$}  {:<22} {:<22} {}",
            curves.removed[count],
            curves.kept[count],
            spread(&curves.removed_random[count]),
            spread(&curves.removed_neighbours[count]),
            spread(&curves.kept_random[count]),
        ));
    }
    lines
}

fn checks(output: &ExplainOutput<'_>) -> Vec<String> {
    let found = &output.found;
    let mut lines = vec![String::new(), styled(HEADING, "numerical error")];
    let mut line = |text: &str, error: f64| {
        lines.push(format!("  {error:>9.1e} {}", styled(FAINT, text)));
    };
    line("sum of contributions against the model's z, relative to its length", output.sum_error);
    line("sum of contributions against the value (completeness)", found.completeness_error().abs());
    if let Some(error) = found.rounding_error() {
        line("rounding error against the model's own output (f32)", error);
    }
    lines
}
