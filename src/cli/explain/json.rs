//! An explanation for other programs.

use serde_json::{Value, json};

use super::{Account, MOST_HOPS};
use crate::explain::{
    Aim, Line, Ring, Slice, Spread, Voice, by_label, by_ring, by_type, from_afar,
};
use crate::graph::{ClassId, Classes};

pub(super) fn document(account: &Account<'_>) -> Value {
    let (moment, found, table) = (account.moment, &account.found, &account.table);
    let graph = moment.graph();
    let node = found.node;
    let slices = |slices: Vec<Slice>| -> Vec<Value> {
        let one = |slice: &Slice| {
            json!({
                "group": slice.group.name(graph),
                "nodes": slice.nodes,
                "adds": slice.score,
                "size": slice.size,
            })
        };
        slices.iter().map(one).collect()
    };
    let line = |line: &Line| line_of(account, line);
    json!({
        "node": graph.ids().text(node),
        "name": graph.name(node),
        "type": graph.types().names()[graph.types().of(node).index()],
        "epoch": moment.snapshot().scalars.epoch,
        "degree": graph.degree(node),
        "truth": moment.truth_text(node),
        "predicted": moment.predicted_text(node, Voice::X),
        "predicted_from_R": moment.predicted_text(node, Voice::R),
        "explained": explained(account),
        "value": found.value,
        "baseline": found.baseline,
        "sum": found.sum(),
        "itself": found.own(),
        "z": found.gathered,
        "outputs_from_R": found.answers,
        "contributors": table.lines.iter().map(line).collect::<Vec<_>>(),
        "others": { "nodes": table.others, "adds": table.rest },
        "by_distance": slices(by_ring(found, &account.rings, MOST_HOPS)),
        "by_walk": slices(account.by_walk.clone()),
        "hop_weights": moment.snapshot().scalars.hop_weights,
        "share_from_afar": from_afar(found, &account.rings),
        "by_type": slices(by_type(moment, found)),
        "by_label": slices(by_label(moment, found)),
        "faithfulness": faithfulness(account),
        "errors": {
            "sum": account.sum_error,
            "completeness": found.completeness_error(),
            "model": found.rounding_error(),
        },
    })
}

fn explained(account: &Account<'_>) -> Value {
    let graph = account.moment.graph();
    let names = graph.labels().classes().map(Classes::names).unwrap_or_default();
    let text = |class: ClassId| names.get(class.index());
    match account.found.aim {
        Aim::Class(class) => json!({ "kind": "logit", "class": text(class) }),
        Aim::Margin { class, rival } => {
            json!({ "kind": "margin", "class": text(class), "against": text(rival) })
        }
        Aim::Value => json!({ "kind": "value" }),
        Aim::Length => json!({ "kind": "length of z" }),
    }
}

fn line_of(account: &Account<'_>, line: &Line) -> Value {
    let graph = account.moment.graph();
    let hops = match line.ring {
        Ring::Own => Some(0),
        Ring::Hops(hops) => Some(hops),
        Ring::Beyond(_) | Ring::Apart => None,
    };
    json!({
        "node": graph.ids().text(line.node),
        "name": graph.name(line.node),
        "type": graph.types().names()[graph.types().of(line.node).index()],
        "truth": account.moment.truth_text(line.node),
        "hops": hops,
        "weight": line.weight,
        "adds": line.score,
        "share": line.share,
        "without": line.left_out,
        "contribution": account.found.contribution(account.moment, line.node),
    })
}

fn faithfulness(account: &Account<'_>) -> Value {
    let curves = &account.faithfulness;
    let means = |spread: &[Spread]| spread.iter().map(|own| own.mean).collect::<Vec<_>>();
    let widths = |spread: &[Spread]| spread.iter().map(|own| own.deviation).collect::<Vec<_>>();
    let both = |spread: &[Spread]| json!({ "mean": means(spread), "deviation": widths(spread) });
    json!({
        "nodes": curves.counts,
        "strongest_removed": curves.removed,
        "strongest_alone": curves.kept,
        "random_removed": both(&curves.removed_random),
        "random_neighbours_removed": both(&curves.removed_neighbours),
        "random_alone": both(&curves.kept_random),
        "lead": curves.lead(),
    })
}
