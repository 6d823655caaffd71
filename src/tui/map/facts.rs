//! What is known of a node, in words.

use crate::graph::{Labels, NodeId};
use crate::train::{Ready, Snapshot, decided, probabilities};
use crate::tui::widgets::short;

/// What is known of a node.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Facts {
    /// Its id.
    pub id: String,
    /// Its name, where it has one beside the id.
    pub name: Option<String>,
    /// Its type, where there are several.
    pub kind: Option<String>,
    /// Its label; `None` where it has none.
    pub label: Option<String>,
    /// What is predicted of it.
    pub prediction: Option<String>,
    /// How sure that is.
    pub confidence: Option<f32>,
    /// Whether that is right, where it can be known.
    pub right: Option<bool>,
    /// How many neighbours it has.
    pub degree: usize,
    /// Whether training sees its label.
    pub seen: bool,
    /// Whether its label validates.
    pub validates: bool,
}

/// Everything known of a node.
pub(in crate::tui) fn facts(ready: &Ready, snapshot: Option<&Snapshot>, node: NodeId) -> Facts {
    let graph = &ready.ground.graph;
    let id = graph.ids().text(node).to_owned();
    let name = Some(graph.name(node).to_owned()).filter(|name| *name != id);
    let types = graph.types();
    let kind = types.names().get(types.of(node).index()).filter(|_| types.count() > 1).cloned();
    let mut facts = Facts {
        id,
        name,
        kind,
        degree: graph.degree(node),
        seen: ready.split.seen.binary_search(&node).is_ok(),
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
