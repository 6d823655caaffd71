//! An explanation on one page: facts, a table whose column adds up, slices of
//! it, and how far it can be relied on.

use super::super::paint::{FAINT, HEADING, TITLE, fitted, grouped, signed_bar, styled};
use super::{Account, MOST_HOPS};
use crate::explain::{
    Aim, Line, Moment, Slice, Spread, Voice, by_label, by_ring, by_type, from_afar,
};
use crate::graph::{Classes, LabelKind, NodeId};
use crate::train::probabilities;

const NAME: usize = 22;
const TYPE: usize = 10;
const BAR: usize = 10;
/// Classes that are told of a node.
const MOST_CLASSES: usize = 6;
/// How many contributors taken away, or left alone, the test is told for.
const TOLD: [usize; 4] = [1, 3, 10, 30];

pub(super) fn lines(account: &Account<'_>) -> Vec<String> {
    let mut lines = facts(account);
    lines.extend(table(account));
    lines.extend(slices(account));
    lines.extend(faithfulness(account));
    lines.extend(checks(account));
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// A number with its sign; what rounds to nothing is +0.
fn signed(value: f64, digits: usize) -> String {
    let text = format!("{value:+.digits$}");
    if text.contains(|c: char| c.is_ascii_digit() && c != '0') {
        text
    } else {
        format!("{:+.digits$}", 0.0)
    }
}

/// A node as a person knows it: its id, and its name where that is another.
fn shown(moment: &Moment, node: NodeId) -> String {
    let (id, name) = (moment.graph().ids().text(node), moment.graph().name(node));
    if id == name { id.to_owned() } else { format!("{id} {name}") }
}

fn facts(account: &Account<'_>) -> Vec<String> {
    let (moment, found) = (account.moment, &account.found);
    let graph = moment.graph();
    let title = graph.manifest().title.clone().unwrap_or_else(|| "graph".to_owned());
    let node = found.node;
    let kind = &graph.types().names()[graph.types().of(node).index()];
    let epoch = moment.snapshot().scalars.epoch;
    let degree = graph.degree(node);
    let mut lines = vec![
        styled(TITLE, format!("{} · {kind} of {title}, epoch {epoch}", shown(moment, node))),
        fact("neighbours", &degree.to_string()),
    ];
    let truth = moment.truth_text(node);
    if !truth.is_empty() {
        let seen = moment.split().seen.binary_search(&node).is_ok();
        let part = if seen { "seen in training" } else { "held back" };
        lines.push(fact("label", &format!("{truth} ({part})")));
    }
    for (name, voice) in [("from x", Voice::X), ("from R", Voice::R)] {
        let text = match graph.labels().kind() {
            LabelKind::One => odds(account, voice),
            _ => format!("{}  {}", moment.predicted_text(node, voice), odds(account, voice)),
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

/// The likeliest classes with their probabilities.
fn odds(account: &Account<'_>, voice: Voice) -> String {
    let moment = account.moment;
    let predictions = &moment.snapshot().predictions;
    let outputs = match voice {
        Voice::X => &predictions.from_x,
        Voice::R => &predictions.from_r,
    };
    let kind = moment.graph().labels().kind();
    let names = moment.graph().labels().classes().map(Classes::names).unwrap_or_default();
    if matches!(kind, LabelKind::Numeric | LabelKind::None) {
        return String::new();
    }
    let row = outputs.row(moment.groups(), account.found.node).unwrap_or_default();
    let odds = probabilities(row, kind);
    let mut order: Vec<usize> = (0..odds.len().min(names.len())).collect();
    order.sort_by(|&a, &b| odds[b].total_cmp(&odds[a]).then(a.cmp(&b)));
    let told = order.iter().take(MOST_CLASSES);
    let told = told.map(|&at| format!("{} {:.1} %", names[at], 100.0 * odds[at]));
    told.collect::<Vec<_>>().join(", ")
}

/// Decimals by which the numbers of a column are told.
fn decimals(size: f64) -> usize {
    match size {
        size if size >= 1000.0 => 1,
        size if size >= 10.0 => 3,
        size if size >= 0.1 || size == 0.0 => 4,
        _ => 6,
    }
}

fn table(account: &Account<'_>) -> Vec<String> {
    let (moment, found, table) = (account.moment, &account.found, &account.table);
    let digits = decimals(found.size().max(found.value.abs()));
    let round = |value: f64| format!("{value:.digits$}").parse::<f64>().unwrap_or(value);
    let most = table.lines.iter().map(|line| line.score.abs()).fold(0.0, f64::max);
    let aim = found.aim.name(moment.graph());
    let title = if found.aim == Aim::Length { aim.clone() } else { format!("{aim}, from R") };
    let types = moment.graph().types();
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
        "without it"
    );
    let mut lines = vec![String::new(), styled(HEADING, title), styled(FAINT, head)];
    let row = |line: &Line| {
        format!(
            "  {} {}{:>8} {:>10.6} {:>11} {} {:>10.digits$}",
            fitted(&shown(moment, line.node), NAME),
            kind(&types.names()[types.of(line.node).index()]),
            line.ring.to_string(),
            line.weight,
            signed(line.score, digits),
            signed_bar(line.score, most, BAR),
            line.left_out,
        )
    };
    lines.extend(table.lines.iter().map(row));
    // Rounded numbers add up only if one of them takes what rounding leaves.
    let told: f64 = table.lines.iter().map(|line| round(line.score)).sum();
    let own = round(table.own.score);
    let rest = round(found.value) - round(found.baseline) - told - own;
    let wide = NAME + kind("").len() + 8 + 10 + 2;
    let total = |name: &str, number: f64| {
        format!("  {} {:>11}", fitted(name, wide), signed(number, digits))
    };
    lines.push(total(&format!("{} others together", grouped(table.others)), rest));
    lines.push(total("the node itself (self term)", own));
    lines.push(total("without any neighbour (z = 0)", found.baseline));
    lines.push(styled(TITLE, total(&format!("= {aim}"), found.value)));
    lines
}

fn slices(account: &Account<'_>) -> Vec<String> {
    let (moment, found) = (account.moment, &account.found);
    let graph = moment.graph();
    let mut lines = Vec::new();
    let by_ring = by_ring(found, &account.rings, MOST_HOPS);
    lines.extend(sliced(account, "by distance", &by_ring));
    let afar = 100.0 * from_afar(found, &account.rings);
    let afar = format!("  {afar:.1} % of what others say comes from nodes that are no neighbours");
    lines.push(styled(FAINT, afar));
    if !account.by_walk.is_empty() {
        lines.extend(sliced(account, "by length of walks, α_n Mⁿ", &account.by_walk));
        let weights = &moment.snapshot().scalars.hop_weights;
        let told: Vec<String> = weights.iter().map(|weight| format!("{weight:.3}")).collect();
        lines.push(styled(FAINT, format!("  hop weights α_1 …: {}", told.join(" "))));
    }
    if graph.types().count() > 1 {
        lines.extend(sliced(account, "by type", &by_type(moment, found)));
    }
    if graph.labels().kind() != LabelKind::None {
        lines.extend(sliced(account, "by label", &by_label(moment, found)));
    }
    lines
}

fn sliced(account: &Account<'_>, title: &str, slices: &[Slice]) -> Vec<String> {
    let digits = decimals(account.found.size());
    let most = slices.iter().map(|slice| slice.score.abs()).fold(0.0, f64::max);
    let mut lines = vec![String::new(), styled(HEADING, title)];
    lines.extend(slices.iter().map(|slice| {
        format!(
            "  {} {:>9} {:>11} {}",
            fitted(&slice.group.name(account.moment.graph()), NAME),
            grouped(slice.nodes),
            signed(slice.score, digits),
            signed_bar(slice.score, most, BAR)
        )
    }));
    lines
}

fn faithfulness(account: &Account<'_>) -> Vec<String> {
    let (curves, found) = (&account.faithfulness, &account.found);
    let digits = decimals(found.size().max(found.value.abs()));
    let mut lines = vec![String::new(), styled(HEADING, "is it they who matter?")];
    let spread = |at: &Spread| format!("{:.digits$} ± {:.digits$}", at.mean, at.deviation);
    let head = format!(
        "  {:>6} {:>12} {:>12}  {:<22} {:<22} {}",
        "nodes", "supporters", "supporters", "at random", "neighbours at random", "at random"
    );
    let second = format!(
        "  {:>6} {:>12} {:>12}  {:<22} {:<22} {}",
        "", "removed", "alone", "removed", "removed", "alone"
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

fn checks(account: &Account<'_>) -> Vec<String> {
    let found = &account.found;
    let mut lines = vec![String::new(), styled(HEADING, "how exact")];
    let mut line = |text: &str, error: f64| {
        lines.push(format!("  {error:>9.1e} {}", styled(FAINT, text)));
    };
    line("of z's length: contributions added up, against z by the model's way", account.sum_error);
    line("what the adding up leaves open (completeness)", found.completeness_error().abs());
    if let Some(error) = found.rounding_error() {
        line("from the number that the model itself gave, in its own precision", error);
    }
    lines
}
