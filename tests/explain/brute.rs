//! Brute force: the whole of P in f64, φ evaluated directly, each neighbour left
//! out in turn.

use std::sync::Arc;

use gesf_tui::explain::{Aim, ExplainContext, Explanation};
use gesf_tui::graph::{ClassId, Graph, LabelKind, NodeId};
use gesf_tui::model::settings::{
    Activation, Aggregation, Dimensions, EngineChoice, FilterShape, MapShape, Settings,
};
use gesf_tui::spectral::{Cancel, Request, SelfTerm, decompose};
use gesf_tui::train::TrainerState;

use crate::graphs::{degrees, sample};
use crate::{context, small};

/// The model computed directly from the formulas.
struct Brute<'a> {
    context: &'a ExplainContext,
    settings: Settings,
    /// P, with the self term of the settings; every row divided by its sum for a mean.
    p: Vec<Vec<f64>>,
    /// Those sums, for a mean.
    sizes: Option<Vec<f64>>,
    /// ψ(x) of every node, with zeros in the columns of other types.
    h: Vec<Vec<f64>>,
}

fn numbers(state: &TrainerState, name: &str) -> Vec<f64> {
    state.values(name).unwrap().iter().map(|&value| f64::from(value)).collect()
}

fn layer(state: &TrainerState, name: &str, x: &[f64]) -> Vec<f64> {
    let weight = numbers(state, &format!("{name}.weight"));
    let bias = numbers(state, &format!("{name}.bias"));
    let outputs = bias.len();
    (0..outputs)
        .map(|to| bias[to] + (0..x.len()).map(|at| x[at] * weight[at * outputs + to]).sum::<f64>())
        .collect()
}

fn map(
    state: &TrainerState,
    settings: &Settings,
    name: &str,
    parts: &[usize],
    x: &[f64],
) -> Vec<f64> {
    let mut hidden = layer(state, &format!("{name}.1"), x);
    for value in &mut hidden {
        *value = match settings.activation {
            Activation::Tanh => value.tanh(),
            Activation::Relu => value.max(0.0),
        };
    }
    let mut out = layer(state, &format!("{name}.2"), &hidden);
    if settings.map_shape == MapShape::Residual {
        let mut start = 0;
        for &width in parts {
            for at in 0..width.min(out.len()) {
                out[at] += x[start + at];
            }
            start += width;
        }
    }
    out
}

impl<'a> Brute<'a> {
    fn of(context: &'a ExplainContext) -> Self {
        let settings = context.settings().clone();
        let prepared = context.prepared();
        let made = |matrix| {
            let (request, cancel) = (Request::default(), Cancel::default());
            Arc::new(decompose(matrix, &request, &cancel, &mut |_| {}).unwrap())
        };
        let spectrum = prepared.spectrum.clone().unwrap_or_else(|| made(&prepared.matrix));
        let (nodes, pairs) = (spectrum.nodes(), spectrum.count());
        // ρ at every eigenvalue, from the hop weights if the model has no spectrum.
        let response: Vec<f32> = if prepared.spectrum.is_some() {
            context.snapshot().response.clone()
        } else {
            let weights = &context.snapshot().scalars.hop_weights;
            let at = |value: &f64| {
                let s = value / prepared.operator.scale();
                let powers = weights.iter().rev();
                powers.fold(0.0, |sum, weight| (sum + f64::from(*weight)) * s) as f32
            };
            spectrum.values().iter().map(at).collect()
        };
        let u = |node: usize, pair: usize| f64::from(spectrum.vectors()[node * pairs + pair]);
        let entry = |a: usize, b: usize| {
            if a == b && settings.self_term == SelfTerm::Drop {
                return 0.0;
            }
            (0..pairs).map(|n| u(a, n) * f64::from(response[n]) * u(b, n)).sum()
        };
        let row = |a: usize| -> Vec<f64> { (0..nodes).map(|b| entry(a, b)).collect() };
        let mut p: Vec<Vec<f64>> = (0..nodes).map(row).collect();
        let sizes = (settings.aggregation == Aggregation::Mean).then(|| {
            let divided = |row: &mut Vec<f64>| {
                let size: f64 = row.iter().sum();
                for own in row {
                    *own /= size;
                }
                size
            };
            p.iter_mut().map(divided).collect()
        });
        let mut brute = Self { context, settings, p, sizes, h: Vec::new() };
        brute.h = (0..nodes).map(|node| brute.message(node)).collect();
        brute
    }

    fn state(&self) -> &TrainerState {
        &self.context.snapshot().state
    }

    fn widths(&self) -> Vec<usize> {
        let graph = self.context.graph();
        self.settings.dimension.of_types(graph.types().count(), graph.node_count())
    }

    fn message(&self, node: usize) -> Vec<f64> {
        let widths = self.widths();
        let (kind, row) = self.context.groups().place(node.into());
        let x = numbers(self.state(), &format!("x.{kind}"));
        let own = &x[row * widths[kind]..][..widths[kind]];
        let name = format!("psi.{kind}");
        let psi = map(self.state(), &self.settings, &name, &[widths[kind]], own);
        let mut message = vec![0.0; widths.iter().sum()];
        let start: usize = widths[..kind].iter().sum();
        message[start..start + widths[kind]].copy_from_slice(&psi);
        message
    }

    /// z of a node, optionally without another node.
    fn gathered(&self, node: usize, without: Option<usize>) -> Vec<f64> {
        let mut z = vec![0.0; self.h[0].len()];
        for other in (0..self.h.len()).filter(|other| Some(*other) != without) {
            for (sum, own) in z.iter_mut().zip(&self.h[other]) {
                *sum += self.p[node][other] * own;
            }
        }
        let others = (0..self.h.len()).filter(|other| Some(*other) != without);
        let weights: f64 = others.map(|other| self.p[node][other]).sum();
        z.extend(self.sizes.as_ref().map(|sizes| sizes[node] * weights));
        z
    }

    fn value(&self, node: usize, aim: Aim, z: &[f64]) -> f64 {
        let (kind, _) = self.context.groups().place(node.into());
        let r = map(self.state(), &self.settings, &format!("phi.{kind}"), &self.widths(), z);
        let mut outputs = layer(self.state(), &format!("head.{kind}"), &r);
        let shrinkage = self.state().values("rho.shrinkage").map_or(1.0, |own| f64::from(own[0]));
        for output in &mut outputs {
            *output *= shrinkage;
        }
        for (output, offset) in
            outputs.iter_mut().zip(self.state().values("rho.offset").unwrap_or(&[]))
        {
            *output += f64::from(*offset);
        }
        let units = self.context.units();
        match aim {
            Aim::Class(class) => outputs[class.index()],
            Aim::Margin { class, rival } => outputs[class.index()] - outputs[rival.index()],
            Aim::Value => outputs[0] * f64::from(units.deviation) + f64::from(units.mean),
            Aim::Length => unreachable!(),
        }
    }

    /// Integrated gradients by a fine sum of differences along the path.
    fn fine_scores(&self, node: usize, aim: Aim) -> Vec<f64> {
        const STEPS: usize = 300;
        let z = self.gathered(node, None);
        let mut gradient = vec![0.0; z.len()];
        for step in 0..STEPS {
            let alpha = (step as f64 + 0.5) / STEPS as f64;
            for (at, sum) in gradient.iter_mut().enumerate() {
                let moved = |h: f64| {
                    let mut z: Vec<f64> = z.iter().map(|value| alpha * value).collect();
                    z[at] += h;
                    self.value(node, aim, &z)
                };
                *sum += (moved(1e-4) - moved(-1e-4)) / (2e-4 * STEPS as f64);
            }
        }
        let along = |other: usize| -> f64 {
            let size = self.sizes.as_ref().map(|sizes| sizes[node]);
            let pairs = self.h[other].iter().chain(&size).zip(&gradient);
            self.p[node][other] * pairs.map(|(h, g)| h * g).sum::<f64>()
        };
        (0..self.h.len()).map(along).collect()
    }
}

fn aims(graph: &Graph) -> Vec<Aim> {
    if graph.labels().kind() == LabelKind::Numeric {
        return vec![Aim::Value];
    }
    let (class, rival) = (ClassId(0), ClassId(1));
    vec![Aim::Class(class), Aim::Class(rival), Aim::Margin { class, rival }]
}

fn agree(graph: &Arc<Graph>, settings: &Settings, what: &str) {
    let context = context(graph, settings);
    let brute = Brute::of(&context);
    let graph = context.graph();
    for node in graph.nodes().step_by(3) {
        if context.outputs(node).is_none() {
            continue;
        }
        for aim in aims(graph) {
            let found = Explanation::of(&context, node, aim).unwrap();
            let own = node.index();
            let z = brute.gathered(own, None);
            let length = z.iter().map(|z| z * z).sum::<f64>().sqrt();
            let far: f64 = z.iter().zip(&found.gathered).map(|(a, b)| (a - b).powi(2)).sum();
            assert!(far.sqrt() <= 1e-5 * length, "{what}: z off by {} of {length}", far.sqrt());
            let value = brute.value(own, aim, &z);
            let size = 1.0 + value.abs();
            assert!((value - found.value).abs() < 2e-5 * size, "{what}: {value} {}", found.value);
            let nothing = brute.value(own, aim, &vec![0.0; z.len()]);
            assert!((nothing - found.baseline).abs() < 1e-9 * size, "{what}");
            assert!(found.completeness_error().abs() < 1e-9 * size, "{what}");
            assert!(found.rounding_error().unwrap() < 1e-4 * size, "{what}");
            let all: Vec<NodeId> = graph.nodes().collect();
            let without = found.left_out(&context, &all).unwrap();
            for (other, found) in without.into_iter().enumerate() {
                let z = brute.gathered(own, Some(other));
                let exact = brute.value(own, aim, &z);
                assert!((exact - found).abs() < 2e-5 * size, "{what}: {exact} {found}");
            }
        }
    }
    let node = graph.nodes().find(|node| context.outputs(*node).is_some()).unwrap();
    let aim = aims(graph)[0];
    let found = Explanation::of(&context, node, aim).unwrap();
    let fine = brute.fine_scores(node.index(), aim);
    let bound = if settings.activation == Activation::Relu { 0.02 } else { 1e-3 };
    for (exact, found) in fine.iter().zip(&found.scores) {
        assert!((exact - found).abs() < bound, "{what}: by a fine sum {exact}, {found}");
    }
}

#[test]
fn brute_force_agrees_for_every_head_map_activation_and_self_term() {
    for (name, graph) in [
        ("one label", sample("karate")),
        ("several labels, two types", sample("southern-women")),
        ("numbers", degrees()),
    ] {
        for map_shape in [MapShape::Plain, MapShape::Residual] {
            for self_term in [SelfTerm::Keep, SelfTerm::Drop] {
                for activation in [Activation::Tanh, Activation::Relu] {
                    let aggregation = Aggregation::Sum;
                    let settings =
                        Settings { map_shape, self_term, activation, aggregation, ..small() };
                    let what = format!("{name} {map_shape:?} {self_term:?} {activation:?}");
                    agree(&graph, &settings, &what);
                    let (aggregation, filter) = (Aggregation::Mean, FilterShape::Hops);
                    agree(&graph, &Settings { aggregation, filter, ..settings }, &what);
                }
            }
        }
    }
}

#[test]
fn brute_force_agrees_for_types_of_different_width() {
    let graph = sample("southern-women");
    for widths in [vec![6, 3], vec![3, 6]] {
        for map_shape in [MapShape::Plain, MapShape::Residual] {
            let dimension = Dimensions::Each(widths.clone());
            let settings = Settings { dimension, map_shape, ..small() };
            agree(&graph, &settings, &format!("{widths:?} {map_shape:?}"));
        }
    }
}

#[test]
fn contributions_add_up_to_the_operators_result_on_both_engines() {
    for engine in [EngineChoice::Dense, EngineChoice::Chebyshev] {
        for self_term in [SelfTerm::Keep, SelfTerm::Drop] {
            let settings = Settings { engine, self_term, ..small() };
            for graph in [sample("karate"), sample("southern-women")] {
                let context = context(&graph, &settings);
                for node in context.graph().nodes() {
                    let aim = context.usual_aim(node);
                    let found = Explanation::of(&context, node, aim).unwrap();
                    let error = found.sum_error(&context).unwrap();
                    assert!(error <= 1e-5, "{engine:?} {self_term:?}: {error}");
                    if let Some(error) = found.rounding_error() {
                        assert!(error < 1e-4 * (1.0 + found.value.abs()), "{engine:?} {error}");
                    }
                }
            }
        }
    }
}
