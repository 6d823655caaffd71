//! The figures of a run.

use super::metrics::{curves, headline};
use crate::export::ExportError;
use crate::export::figure::{
    Figure, Frequencies, Places, confusion, filter, hops, loss, map, scatter, scores,
};
use crate::model::hops::fit;
use crate::model::{ModelError, PreparedGraph};
use crate::train::{Epoch, Snapshot, TrainError, Trainer, confusion as count_confusion};
use gesf_graph::{LabelKind, Labels, NodeId};
use gesf_spectral::{Cancel, Density, principal_components};

/// Number of bins of [-1, 1].
const BINS: usize = 160;
/// Moments of the spectral density if not all eigenvalues are known.
const MOMENTS: usize = 200;
/// Eigenvalues closer than this share of the largest count as equal.
const APART: f64 = 1e-6;

pub(super) fn all(
    trainer: &Trainer,
    last: &Epoch,
    lines: &[String],
    cancel: &Cancel,
) -> Result<Vec<Figure>, ExportError> {
    let graph = &trainer.prepared().graph;
    let kind = graph.labels().kind();
    let [losses, judged] = curves(lines, graph.types().names(), kind);
    let mut figures = Vec::new();
    if !losses.is_empty() {
        figures.push(Figure {
            name: "loss",
            title: "Losses".to_owned(),
            caption: "Total loss per epoch and its terms.".to_owned(),
            drawing: loss(&losses),
        });
    }
    if !judged.is_empty() {
        let name = headline(kind).0;
        figures.push(Figure {
            name: "scores",
            title: "Scores".to_owned(),
            caption: "Score of the predictions on training and test labels.".to_owned(),
            drawing: scores(&judged, name),
        });
    }
    figures.extend(of_filter(trainer, cancel)?);
    figures.extend(of_map(trainer)?);
    figures.extend(of_answers(trainer, last));
    Ok(figures)
}

/// ρ with the spectrum, and the hop weights it implies.
fn of_filter(trainer: &Trainer, cancel: &Cancel) -> Result<Vec<Figure>, ExportError> {
    let frequencies = frequencies(trainer.prepared(), cancel)?;
    let grid = Snapshot::grid();
    let response = trainer.filter_at(&grid)?;
    let curve: Vec<(f64, f64)> =
        grid.iter().zip(&response).map(|(s, rho)| (f64::from(*s), f64::from(*rho))).collect();
    let estimated = if frequencies.estimated { " estimated" } else { "" };
    let first = Figure {
        name: "filter",
        title: "The learned filter ρ".to_owned(),
        caption: format!(
            "Filter response at each frequency of the graph. Dots are the eigenvalues used, \
             larger where several coincide; below is the{estimated} density of all eigenvalues \
             (height ∝ √count)."
        ),
        drawing: filter(&curve, &frequencies),
    };
    let exact = trainer.model().filter().hop_weights(trainer.settings().degree);
    if let Some(weights) = exact.map_err(TrainError::from)? {
        let has_features = trainer.prepared().features.is_some();
        let factor = if has_features { "2(1−β) " } else { "" };
        let mut all = vec![0.0];
        all.extend(weights.iter().map(|weight| f64::from(*weight)));
        let second = Figure {
            name: "hops",
            title: "Hop weights".to_owned(),
            caption: format!("Weight of walks of length n: ρ(s) = {factor}Σ αₙ sⁿ, exactly."),
            drawing: hops(&all),
        };
        return Ok(vec![first, second]);
    }
    let (points, values): (Vec<f64>, Vec<f64>) = if frequencies.kept.is_empty() {
        curve.iter().copied().unzip()
    } else {
        let at: Vec<f32> = frequencies.kept.iter().map(|value| value.0 as f32).collect();
        let found = trainer.filter_at(&at)?;
        at.iter().zip(&found).map(|(s, rho)| (f64::from(*s), f64::from(*rho))).unzip()
    };
    let Some(found) = fit(&points, &values) else { return Ok(vec![first]) };
    let said = if found.is_good() {
        format!("They fit ρ to within {:.1} %.", 100.0 * found.error)
    } else {
        format!("They miss ρ by {:.0} %: no low-degree polynomial fits it.", 100.0 * found.error)
    };
    let second = Figure {
        name: "hops",
        title: "Hop weights".to_owned(),
        caption: format!(
            "Weight of neighbours n hops away: ρ(s) ≈ Σ αₙ sⁿ at the eigenvalues, \
             s = σ / max|σ|. {said}"
        ),
        drawing: hops(&found.weights),
    };
    Ok(vec![first, second])
}

fn frequencies(prepared: &PreparedGraph, cancel: &Cancel) -> Result<Frequencies, ExportError> {
    let scale = prepared.operator.scale();
    let kept: Vec<(f64, usize)> = prepared.spectrum.as_ref().map_or_else(Vec::new, |spectrum| {
        let groups = spectrum.multiplicities(APART).into_iter();
        groups.map(|(sigma, count)| (sigma / scale, count)).collect()
    });
    let known = kept.iter().map(|value| value.1).sum::<usize>();
    if known == prepared.graph.node_count() {
        let mut counts = vec![0.0; BINS];
        for (s, count) in &kept {
            let bin = (f64::midpoint(*s, 1.0) * BINS as f64) as usize;
            counts[bin.min(BINS - 1)] += *count as f64;
        }
        return Ok(Frequencies { kept, scale, counts, estimated: false });
    }
    let density = Density::of(&prepared.matrix, MOMENTS, cancel, &mut |_| ())
        .map_err(|error| TrainError::Model(ModelError::Spectral(error)))?;
    let wide = if density.scale() > 0.0 { scale / density.scale() } else { 1.0 };
    let above = |at: usize| density.count_above((2.0 * at as f64 / BINS as f64 - 1.0) * wide);
    let counts = (0..BINS).map(|at| (above(at) - above(at + 1)).max(0.0)).collect();
    Ok(Frequencies { kept, scale, counts, estimated: true })
}

/// The embeddings of the labelled type, or of the first.
fn of_map(trainer: &Trainer) -> Result<Option<Figure>, ExportError> {
    let graph = &trainer.prepared().graph;
    let labels = graph.labels();
    let labelled = graph.nodes().find(|node| labels.is_labelled(*node));
    let kind = labelled.map_or(0, |node| graph.types().of(node).index());
    let state = trainer.view()?;
    let Some(rows) = state.values(&format!("x.{kind}")) else { return Ok(None) };
    let members = trainer.model().groups().members(kind);
    if members.is_empty() {
        return Ok(None);
    }
    let width = trainer.settings().dimension.of(kind, graph.node_count());
    let (points, shares) = principal_components(rows, width);
    let label = |node: &u32| match labels {
        Labels::Classes(classes) => classes.of(NodeId(*node)).first().map(|own| own.index()),
        Labels::None | Labels::Numeric(_) => None,
    };
    let edges = graph.edges().filter_map(|(a, b, _)| {
        let place = |node: NodeId| members.binary_search(&node.0).ok();
        Some((place(a)?, place(b)?))
    });
    let places = Places {
        points,
        labels: members.iter().map(label).collect(),
        edges: edges.collect(),
        names: labels.classes().map(|own| own.names().to_vec()).unwrap_or_default(),
        shares,
    };
    let what = match labels.kind() {
        LabelKind::One => "coloured and shaped by class",
        LabelKind::Several => "coloured and shaped by first class",
        LabelKind::None | LabelKind::Numeric => "drawn as dots",
    };
    Ok(Some(Figure {
        name: "map",
        title: "Map of the embedding".to_owned(),
        caption: format!("Nodes on the first two principal components of x, {what}."),
        drawing: map(&places),
    }))
}

/// The confusion matrix, or predicted over true numbers.
fn of_answers(trainer: &Trainer, last: &Epoch) -> Option<Figure> {
    let labels = trainer.prepared().graph.labels();
    let (groups, test) = (trainer.model().groups(), &trainer.split().test);
    let outputs = &last.predictions.from_x;
    if test.is_empty() {
        return None;
    }
    match labels {
        Labels::Classes(classes) if labels.kind() == LabelKind::One => Some(Figure {
            name: "confusion",
            title: "Confusion matrix".to_owned(),
            caption: "Test nodes: rows are true classes, columns are predicted classes; shading \
                      is the share of the row."
                .to_owned(),
            drawing: confusion(classes.names(), &count_confusion(classes, outputs, groups, test)),
        }),
        Labels::Numeric(values) => {
            let units = trainer.units();
            let pairs: Vec<(f64, f64)> = test
                .iter()
                .filter_map(|&node| {
                    let truth = values.get(node.index()).copied().flatten()?;
                    let found = *outputs.row(groups, node)?.first()?;
                    let found = found * units.deviation + units.mean;
                    Some((f64::from(truth), f64::from(found)))
                })
                .collect();
            Some(Figure {
                name: "predictions",
                title: "Predicted and true".to_owned(),
                caption: "Test nodes; on the line, both values are equal.".to_owned(),
                drawing: scatter(&pairs),
            })
        }
        Labels::Classes(_) | Labels::None => None,
    }
}
