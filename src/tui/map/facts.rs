//! Facts about a node as text.

use crate::graph::{Labels, NodeId};
use crate::train::{PreparedRun, Snapshot, decided, probabilities};
use crate::tui::widgets::short;

/// Facts about a node.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Facts {
    /// Its id.
    pub id: String,
    /// Its name, if different from the id.
    pub name: Option<String>,
    /// Its type, if there are several.
    pub kind: Option<String>,
    /// Its label, if any.
    pub label: Option<String>,
    /// Its predicted label.
    pub prediction: Option<String>,
    /// The confidence of the prediction.
    pub confidence: Option<f32>,
    /// Whether the prediction is right, if known.
    pub right: Option<bool>,
    /// Number of neighbours.
    pub degree: usize,
    /// Whether its label is used for training.
    pub train: bool,
    /// Whether its label is used for validation.
    pub validates: bool,
}

/// Collects the facts about a node.
pub(in crate::tui) fn facts(
    ready: &PreparedRun,
    snapshot: Option<&Snapshot>,
    node: NodeId,
) -> Facts {
    let graph = &ready.prepared.graph;
    let id = graph.ids().text(node).to_owned();
    let name = Some(graph.name(node).to_owned()).filter(|name| *name != id);
    let types = graph.types();
    let kind = types.names().get(types.of(node).index()).filter(|_| types.count() > 1).cloned();
    let mut facts = Facts {
        id,
        name,
        kind,
        degree: graph.degree(node),
        train: ready.split.train.binary_search(&node).is_ok(),
        validates: ready.split.validation.binary_search(&node).is_ok(),
        ..Facts::default()
    };
    let outputs = snapshot.and_then(|own| own.predictions.from_x.row(&ready.groups, node));
    match graph.labels() {
        Labels::None => {}
        Labels::Classes(classes) => {
            let names = |of: &[u16]| {
                let names = of.iter().filter_map(|at| classes.names().get(usize::from(*at)));
                names.map(String::as_str).collect::<Vec<_>>().join(", ")
            };
            let truth: Vec<u16> = classes.of(node).iter().map(|class| class.0).collect();
            facts.label = (!truth.is_empty()).then(|| names(&truth));
            if let Some(outputs) = outputs.filter(|outputs| !outputs.is_empty()) {
                let kind = graph.labels().kind();
                let given = decided(outputs, kind);
                let most = probabilities(outputs, kind).into_iter().fold(0.0, f32::max);
                facts.confidence = Some(most);
                facts.right = (!truth.is_empty()).then(|| given == truth);
                facts.prediction = Some(names(&given));
            }
        }
        Labels::Numeric(values) => {
            let truth = values.get(node.index()).copied().flatten();
            facts.label = truth.map(|value| short(f64::from(value)));
            let given = outputs.and_then(|outputs| outputs.first());
            let given = given.map(|own| own * ready.units.deviation + ready.units.mean);
            facts.prediction = given.map(|value| short(f64::from(value)));
        }
    }
    facts
}
