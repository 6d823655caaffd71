//! The metrics of a run, as curves.

use serde_json::Value;

use crate::export::figure::FigureCurve;
use gesf_graph::LabelKind;

/// The name of the headline score, and its key in the metrics.
pub(super) fn headline(kind: LabelKind) -> (&'static str, &'static str) {
    match kind {
        LabelKind::Several => ("micro-F1", "micro_f1"),
        LabelKind::Numeric => ("R²", "r2"),
        LabelKind::One | LabelKind::None => ("accuracy", "accuracy"),
    }
}

/// The curves of the losses and the scores; empty curves are left out.
pub(super) fn curves(lines: &[String], types: &[String], kind: LabelKind) -> [Vec<FigureCurve>; 2] {
    let epochs: Vec<Value> =
        lines.iter().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let curve = |name: &str, dashed: bool, value: &dyn Fn(&Value) -> Option<f64>| {
        let point = |epoch: &Value| Some((epoch.get("epoch")?.as_f64()?, value(epoch)?));
        let points: Vec<(f64, f64)> = epochs.iter().filter_map(point).collect();
        (points.len() > 1).then(|| FigureCurve { name: name.to_owned(), points, dashed })
    };
    let mut losses = vec![curve("total", false, &|epoch| epoch.get("total")?.as_f64())];
    for (at, name) in types.iter().enumerate() {
        let name = if types.len() > 1 {
            format!("reconstruction / λ, {name}")
        } else {
            "reconstruction / λ".to_owned()
        };
        let part = |epoch: &Value| epoch.get("reconstruction")?.get(at)?.as_f64();
        losses.push(curve(&name, false, &part));
    }
    losses.push(curve("supervised", false, &|epoch| epoch.get("supervised")?.as_f64()));
    let penalty = |epoch: &Value| epoch.get("penalty")?.as_f64().filter(|own| *own > 0.0);
    losses.push(curve("weight penalty", false, &penalty));
    let key = headline(kind).1;
    let score = |name: &str, field: &'static str, dashed: bool| {
        curve(name, dashed, &|epoch| epoch.get(field)?.get(key)?.as_f64())
    };
    let scores = vec![
        score("test, from x", "held_x", false),
        score("train, from x", "seen_x", true),
        score("test, from R", "held_r", false),
    ];
    [losses, scores].map(|curves| curves.into_iter().flatten().collect())
}
