//! The loss of a step and its gradient, written out.
//!
//! Differentiating tensor operations finds the same (a test says so) in three
//! times as many passes over memory: every intermediate result and its gradient
//! is a block of N × d numbers that is made, cleared, added to and dropped. Here
//! rows go through φ, the loss and back while they are in cache:
//!
//! ```text
//! x ─ ψ ─▶ H ─ P ─▶ z ─ φ ─▶ R, ‖x − R‖², labels; then back to dz ─ P ─▶ dH ─▶ dψ
//!                             (one share of rows after the other)
//! ```

use candle_core::backprop::GradStore;
use candle_core::{Error, Result, Tensor};

use super::loss::{Found, Terms, Weights};
use super::pass::{Head, Shares};
use super::plan::Plan;
use super::{Outputs, Predictions};
use crate::model::map_rows::MapRows;
use crate::model::settings::NeighbourGradient;
use crate::model::slices::{lend, with_numbers};
use crate::model::{Gesf, Linear};
use crate::spectral::Signal;

/// All terms for the nodes of a plan, and the derivative of their sum by every
/// parameter.
pub(super) fn written_out(model: &Gesf, plan: &Plan, weights: Weights<'_>) -> Result<Found> {
    let (settings, groups, operator) = (weights.settings, model.groups(), model.operator());
    let kinds = groups.count();
    let lent: Vec<_> = (0..kinds).map(|kind| lend(model.embeddings(kind))).collect();
    let x: Vec<&[f32]> = lent.iter().map(|lent| lent.numbers()).collect::<Result<_>>()?;
    let of_kinds = |map: fn(&Gesf, usize) -> Result<MapRows>| {
        (0..kinds).map(|kind| map(model, kind)).collect::<Result<Vec<MapRows>>>()
    };
    let psi = of_kinds(|model, kind| model.psi(kind).rows())?;
    let phi = of_kinds(|model, kind| model.phi(kind).rows())?;

    let (hidden, blocks): (Vec<_>, Vec<_>) =
        psi.iter().zip(&x).map(|(psi, x)| psi.par_forward(x)).unzip();
    let widths: Vec<usize> = psi.iter().map(|psi| psi.widths().2).collect();
    let width = widths.iter().sum();
    let signal = groups.join_rows(blocks, &widths);
    let signal = Signal { values: &signal, width };
    let response = model.response()?;
    let at_points = with_numbers(&response, <[f32]>::to_vec)?;
    let applied = operator.apply(&at_points, signal, settings.self_term).map_err(Error::wrap)?;

    let mut gathered = groups.part_rows(applied.output, width);
    let (mut by_x, mut heads) = (Vec::new(), Vec::new());
    let (mut terms, mut from_x, mut from_r) = (Terms::default(), Vec::new(), Vec::new());
    let mut by_phi = Vec::new();
    for (kind, part) in plan.parts.iter().enumerate() {
        let head = model.head(kind).map(Head::of).transpose()?;
        let shares = Shares {
            map: &phi[kind],
            head: head.as_ref(),
            x: x[kind],
            part,
            distance: weights.distance(kind, part.count),
            label: weights.labels(plan.seen),
        };
        let passed = shares.pass(&mut gathered[kind])?;
        terms.reconstruction.push(passed.distance as f32);
        if part.labelled.is_some() && head.is_some() {
            terms.supervised = Some(terms.supervised.unwrap_or(0.0) + passed.labels as f32);
        }
        from_x.push(head.is_some().then_some(passed.from_x));
        from_r.push(head.is_some().then_some(passed.from_r));
        by_x.push(passed.by_x);
        by_phi.push(passed.by_map);
        heads.push((head, passed.by_head));
    }

    let by_z = groups.merge_rows(gathered, width);
    let by_z = Signal { values: &by_z, width };
    let by = operator
        .differentiate(&at_points, signal, &applied.kept, by_z, settings.self_term)
        .map_err(Error::wrap)?;
    // ρ has few numbers: candle finds its way back from the derivative by them.
    let by_response = Tensor::from_vec(by.response, response.shape(), response.device())?;
    let mut gradients = (&response * by_response)?.sum_all()?.backward()?;
    let by_blocks = groups.split_rows(by.signal, &widths);
    for (kind, by_block) in by_blocks.iter().enumerate() {
        let moved = settings.neighbour_gradient == NeighbourGradient::Joint;
        let room = moved.then_some(by_x[kind].as_mut_slice());
        let by_map = psi[kind].par_backward(x[kind], &hidden[kind], by_block, room);
        model.psi(kind).keep_gradient(&by_map, &mut gradients)?;
        model.phi(kind).keep_gradient(&by_phi[kind], &mut gradients)?;
    }
    for (kind, (head, by_head)) in heads.into_iter().enumerate() {
        if let (Some(head), Some(linear)) = (head, model.head(kind)) {
            let labelled = plan.parts[kind].labelled.is_some();
            let penalty = keep_head(linear, &head, by_head, labelled, weights, &mut gradients)?;
            terms.penalty = terms.penalty.map_or(penalty, |sum| Some(sum + penalty.unwrap_or(0.0)));
        }
    }
    for (kind, by_x) in by_x.into_iter().enumerate() {
        let var = model.embeddings(kind);
        gradients.insert(var, Tensor::from_vec(by_x, var.shape(), var.device())?);
    }
    let width = model.task().outputs;
    let [from_x, from_r] = [from_x, from_r].map(|of_kinds| Outputs::new(width, of_kinds));
    Ok(Found { terms, predictions: Predictions { from_x, from_r }, gradients })
}

/// Keeps the derivative by a head, with that of the penalty on it, if there is
/// one. Returns the penalty.
fn keep_head(
    linear: &Linear,
    head: &Head,
    mut by_head: Vec<f32>,
    labelled: bool,
    weights: Weights<'_>,
    gradients: &mut GradStore,
) -> Result<Option<f32>> {
    let weight = head.weight();
    let penalty = weights.penalty().map(|factor| {
        let double = 2.0 * factor as f32;
        by_head.iter_mut().zip(weight).for_each(|(by, weight)| *by += double * weight);
        let square = |weight: &f32| f64::from(*weight) * f64::from(*weight);
        (factor * weight.iter().map(square).sum::<f64>()) as f32
    });
    // Without labels and penalty nothing depends on it.
    if labelled || penalty.is_some() {
        let (by_weight, by_bias) = by_head.split_at(weight.len());
        for (var, own) in [(linear.weight(), by_weight), (linear.bias(), by_bias)] {
            gradients.insert(var, Tensor::from_slice(own, var.shape(), var.device())?);
        }
    }
    Ok(penalty)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use candle_core::Device;

    use super::super::loss::by_tensors;
    use super::super::plan::Planner;
    use super::*;
    use crate::graph::{LoadOptions, load};
    use crate::model::settings::{
        Balance, Batch, Dimensions, FilterShape, LossScale, MatrixChoice, Optimiser, Settings,
    };
    use crate::model::{Ground, Units};
    use crate::spectral::Cancel;
    use crate::train::Split;

    fn flat(tensor: &Tensor) -> Vec<f32> {
        tensor.flatten_all().unwrap().to_vec1().unwrap()
    }

    fn close(one: &[f32], other: &[f32], what: &str) {
        assert_eq!(one.len(), other.len(), "{what}");
        let size = other.iter().fold(1e-3_f32, |size, value| size.max(value.abs()));
        for (a, b) in one.iter().zip(other) {
            assert!((a - b).abs() < 1e-4 * size, "{what}: {a} {b}");
        }
    }

    fn check(graph: &str, settings: &Settings) {
        let path = format!("sample_graphs/{graph}");
        let graph = Arc::new(load(path.as_ref(), &LoadOptions::default()).unwrap().0);
        let cancel = Cancel::default();
        let ground = Ground::prepare(&graph, settings, None, &cancel, &mut |_| {}).unwrap();
        let model = Gesf::new(&ground, settings, &Device::Cpu).unwrap();
        let seen = Split::of(&graph, settings).seen;
        let units = Units::of(graph.labels(), &seen);
        let (groups, device) = (model.groups(), model.device());
        let planner = Planner { graph: &graph, groups, seen: &seen, units, device };
        let plans = match settings.batch {
            Batch::Full => vec![planner.full().unwrap()],
            Batch::Nodes(_) => planner.batches(settings, 0).unwrap(),
        };
        let weights = Weights { settings, share: 0.5 };
        for plan in plans {
            let ours = written_out(&model, &plan, weights).unwrap();
            let theirs = by_tensors(&model, &plan, weights).unwrap();
            let numbers = |terms: &Terms| -> Vec<f32> {
                let optional = [terms.supervised, terms.penalty].map(|term| term.unwrap_or(-1.0));
                terms.reconstruction.iter().copied().chain(optional).collect()
            };
            close(&numbers(&ours.terms), &numbers(&theirs.terms), &path);
            for node in graph.nodes() {
                let both = [&ours, &theirs].map(|found| &found.predictions);
                for [one, other] in [both.map(|of| &of.from_x), both.map(|of| &of.from_r)] {
                    let [one, other] = [one, other].map(|of| of.row(groups, node));
                    close(one.unwrap_or_default(), other.unwrap_or_default(), &path);
                }
            }
            for (name, var) in model.parameters().iter() {
                let of = |found: &Found| found.gradients.get(var).map(flat);
                // Where one of them has none, the other finds nothing.
                let nothing = vec![0.0; var.elem_count()];
                let [one, other] = [of(&ours), of(&theirs)];
                let (one, other) = (one.unwrap_or(nothing.clone()), other.unwrap_or(nothing));
                close(&one, &other, &format!("{path}: {name}"));
            }
        }
    }

    #[test]
    fn what_is_written_out_is_what_tensors_find() {
        let small = Settings {
            dimension: Dimensions(vec![4]),
            hidden: 5,
            start_size: 0.5,
            ..Settings::default()
        };
        for neighbour_gradient in [NeighbourGradient::Joint, NeighbourGradient::Alternating] {
            for batch in [Batch::Full, Batch::Nodes(20)] {
                let settings = Settings { neighbour_gradient, batch, ..small.clone() };
                check("lesmis", &settings);
                let typed = Settings {
                    matrix: MatrixChoice::Relations,
                    dimension: Dimensions(vec![4, 3]),
                    balance: Balance(vec![2.0, 20.0]),
                    ..settings
                };
                check("southern-women", &typed);
            }
        }
        for loss_scale in [LossScale::Mean, LossScale::Sum, LossScale::Share] {
            check("karate", &Settings { loss_scale, ..small.clone() });
        }
        check("karate", &Settings { optimiser: Optimiser::AdamW, ..small.clone() });
        check("karate", &Settings { filter: FilterShape::Heat, ..small });
    }
}
