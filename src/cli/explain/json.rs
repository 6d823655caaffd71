//! An explanation as JSON.

use serde_json::{Value, json};

use super::page::feature_name;
use super::{ExplainOutput, MOST_HOPS};
use crate::explain::{
    Aim, Contributor, MeanAndDeviation, PredictFrom, Ring, Slice, by_label, by_ring, by_type,
    from_afar,
};
use crate::graph::{ClassId, Classes};

pub(super) fn document(output: &ExplainOutput<'_>) -> Value {
    let (context, found, table) = (output.context, &output.found, &output.table);
    let graph = context.graph();
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
    let line = |line: &Contributor| line_of(output, line);
    let mut document = json!({
        "node": graph.ids().text(node),
        "name": graph.name(node),
        "type": graph.types().names()[graph.types().of(node).index()],
        "epoch": context.snapshot().scalars.epoch,
        "degree": graph.degree(node),
        "truth": context.truth_text(node),
        "predicted": context.predicted_text(node, PredictFrom::X),
        "predicted_from_R": context.predicted_text(node, PredictFrom::R),
        "explained": explained(output),
        "value": found.value,
        "baseline": found.baseline,
        "sum": found.sum(),
        "itself": found.own(),
        "z": found.gathered,
        "outputs_from_R": found.answers,
        "contributors": table.lines.iter().map(line).collect::<Vec<_>>(),
        "others": { "nodes": table.others, "adds": table.rest },
        "by_distance": slices(by_ring(found, &output.rings, MOST_HOPS)),
        "by_walk": slices(output.by_walk.clone()),
        "hop_weights": context.snapshot().scalars.hop_weights,
        "share_from_afar": from_afar(found, &output.rings),
        "by_type": slices(by_type(context, found)),
        "by_label": slices(by_label(context, found)),
        "faithfulness": faithfulness(output),
        "errors": {
            "sum": output.sum_error,
            "completeness": found.completeness_error(),
            "model": found.rounding_error(),
        },
    });
    if let Some(features) = features(output) {
        document["features"] = features;
    }
    document
}

/// The node's own features together and one by one, if the model uses features.
fn features(output: &ExplainOutput<'_>) -> Option<Value> {
    let own = output.table.features?;
    let all = output.found.top_features(usize::MAX);
    let one = |&(feature, score): &(u32, f64)| {
        let name = feature_name(output.context, feature);
        json!({ "feature": feature, "name": name, "adds": score })
    };
    Some(json!({
        "share_in_z": output.context.snapshot().scalars.feature_share,
        "adds": own.score,
        "share": own.share,
        "without": own.left_out,
        "features": all.iter().map(one).collect::<Vec<_>>(),
    }))
}

fn explained(output: &ExplainOutput<'_>) -> Value {
    let graph = output.context.graph();
    let names = graph.labels().classes().map(Classes::names).unwrap_or_default();
    let text = |class: ClassId| names.get(class.index());
    match output.found.aim {
        Aim::Class(class) => json!({ "kind": "logit", "class": text(class) }),
        Aim::Margin { class, rival } => {
            json!({ "kind": "margin", "class": text(class), "against": text(rival) })
        }
        Aim::Value => json!({ "kind": "value" }),
        Aim::Length => json!({ "kind": "length of z" }),
    }
}

fn line_of(output: &ExplainOutput<'_>, line: &Contributor) -> Value {
    let graph = output.context.graph();
    let hops = match line.ring {
        Ring::Own => Some(0),
        Ring::Hops(hops) => Some(hops),
        Ring::Beyond(_) | Ring::Apart => None,
    };
    json!({
        "node": graph.ids().text(line.node),
        "name": graph.name(line.node),
        "type": graph.types().names()[graph.types().of(line.node).index()],
        "truth": output.context.truth_text(line.node),
        "hops": hops,
        "weight": line.weight,
        "adds": line.score,
        "share": line.share,
        "without": line.left_out,
        "contribution": output.found.contribution(output.context, line.node),
    })
}

fn faithfulness(output: &ExplainOutput<'_>) -> Value {
    let curves = &output.faithfulness;
    let means = |spread: &[MeanAndDeviation]| spread.iter().map(|own| own.mean).collect::<Vec<_>>();
    let widths =
        |spread: &[MeanAndDeviation]| spread.iter().map(|own| own.deviation).collect::<Vec<_>>();
    let both =
        |spread: &[MeanAndDeviation]| json!({ "mean": means(spread), "deviation": widths(spread) });
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
