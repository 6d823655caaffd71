//! Which nodes of the list are shown, and in which order.

use std::cmp::Ordering;
use std::sync::Arc;

use super::roster::{LabelUse, NodeFacts, PredictFrom, Roster};
use gesf_graph::{ClassId, Classes, Graph, Label, NodeId, TypeId, natural_order};

/// Predictions with at least this confidence count as confident.
pub const CONFIDENT: f32 = 0.8;
/// The least confident are one in this many predicted nodes.
const LEAST: usize = 10;

/// Which nodes are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NodeFilter {
    /// All.
    #[default]
    All,
    /// Those predicted wrongly.
    Wrong,
    /// Those predicted wrongly with confidence; for numbers, all that are wrong.
    ConfidentAndWrong,
    /// The least confident tenth; for numbers, those with the largest error.
    LeastSure,
    /// Those of a class.
    Class(ClassId),
    /// Those predicted to be of a class.
    Predicted(ClassId),
    /// Those of a node type.
    Type(TypeId),
    /// Those with this use of their label.
    LabelUse(LabelUse),
}

/// The sort key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// Graph order.
    #[default]
    Node,
    /// By id, in natural order.
    Id,
    /// By name, in natural order.
    Name,
    /// By true label.
    Truth,
    /// By prediction.
    Prediction,
    /// By confidence; for numbers, the largest error first.
    Confidence,
    /// By number of neighbours.
    Degree,
}

/// A query on the node list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    /// Text that occurs in id, name or label, ignoring case.
    pub text: String,
    /// Which nodes are shown.
    pub filter: NodeFilter,
    /// Which prediction is used.
    pub from: PredictFrom,
    /// The sort key.
    pub sort: Sort,
    /// Whether the order is reversed.
    pub reversed: bool,
}

/// An index of a graph for the node list: texts to search, ranks to sort by. Built
/// once for each graph.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::explain::{Directory, Query, Roster, Sort};
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_core::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let prepared = gesf_core::model::PreparedGraph::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// # let mut trainer = gesf_core::train::Trainer::new(prepared, settings)?;
/// # for _ in 0..5 { trainer.step()?; }
/// # let context = gesf_core::explain::ExplainContext::of_trainer(&trainer)?;
/// let (directory, roster) = (Directory::of(&graph), Roster::of(&context));
/// let named = Query { text: "instructor".into(), ..Query::default() };
/// assert_eq!(directory.select(&roster, &named).len(), 1);
/// let sorted = Query { sort: Sort::Degree, ..Query::default() };
/// let degrees: Vec<_> =
///     directory.select(&roster, &sorted).into_iter().map(|node| graph.degree(node)).collect();
/// assert_eq!(degrees.len(), 34);
/// assert!(degrees.is_sorted());
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Directory {
    graph: Arc<Graph>,
    texts: Vec<Box<str>>,
    by_id: Vec<u32>,
    by_name: Vec<u32>,
}

impl Directory {
    /// The directory of a graph.
    pub fn of(graph: &Arc<Graph>) -> Self {
        let classes = graph.labels().classes();
        let names = classes.map(Classes::names).unwrap_or_default();
        let text = |node: NodeId| {
            let mut text = graph.ids().text(node).to_lowercase();
            if graph.has_names() {
                text.push('\n');
                text.push_str(&graph.name(node).to_lowercase());
            }
            for class in classes.map(|classes| classes.of(node)).unwrap_or_default() {
                text.push('\n');
                text.push_str(
                    &names.get(class.index()).map_or(String::new(), |n| n.to_lowercase()),
                );
            }
            text.into_boxed_str()
        };
        let texts = graph.nodes().map(text).collect();
        let by_id = ranks(graph, |node| graph.ids().text(node));
        let by_name =
            if graph.has_names() { ranks(graph, |node| graph.name(node)) } else { by_id.clone() };
        Self { graph: graph.clone(), texts, by_id, by_name }
    }

    /// The nodes selected by a query, in its order.
    pub fn select(&self, roster: &Roster, query: &Query) -> Vec<NodeId> {
        let wanted = query.text.trim().to_lowercase();
        let has_text = |facts: &&NodeFacts| {
            wanted.is_empty()
                || self.texts.get(facts.node.index()).is_some_and(|text| text.contains(&wanted))
        };
        let mut found: Vec<&NodeFacts> = roster
            .facts
            .iter()
            .filter(|facts| self.passes(facts, query.filter, query.from))
            .filter(has_text)
            .collect();
        if query.filter == NodeFilter::LeastSure {
            found.sort_by(|a, b| sureness(a, query.from).total_cmp(&sureness(b, query.from)));
            found.truncate(found.len().div_ceil(LEAST));
            if query.sort != Sort::Node {
                found.sort_by_key(|facts| facts.node);
            }
        }
        if query.sort != Sort::Node {
            found.sort_by(|a, b| self.order(a, b, query).then(a.node.cmp(&b.node)));
        }
        if query.reversed {
            found.reverse();
        }
        found.into_iter().map(|facts| facts.node).collect()
    }

    fn passes(&self, facts: &NodeFacts, filter: NodeFilter, from: PredictFrom) -> bool {
        let guess = facts.guess(from);
        match filter {
            NodeFilter::All => true,
            NodeFilter::Wrong => guess.is_wrong(),
            NodeFilter::ConfidentAndWrong => {
                guess.is_wrong() && guess.confidence().is_none_or(|sure| sure >= CONFIDENT)
            }
            NodeFilter::LeastSure => sureness(facts, from).is_finite(),
            NodeFilter::Class(class) => {
                let labels = self.graph.labels().classes();
                labels.is_some_and(|labels| labels.of(facts.node).contains(&class))
            }
            NodeFilter::Predicted(class) => guess.class() == Some(class),
            NodeFilter::Type(kind) => self.graph.types().of(facts.node) == kind,
            NodeFilter::LabelUse(part) => facts.part == part,
        }
    }

    fn order(&self, a: &NodeFacts, b: &NodeFacts, query: &Query) -> Ordering {
        let rank = |ranks: &[u32], facts: &NodeFacts| ranks.get(facts.node.index()).copied();
        match query.sort {
            Sort::Node => a.node.cmp(&b.node),
            Sort::Id => rank(&self.by_id, a).cmp(&rank(&self.by_id, b)),
            Sort::Name => rank(&self.by_name, a).cmp(&rank(&self.by_name, b)),
            Sort::Truth => self.truth(a).total_cmp(&self.truth(b)),
            Sort::Prediction => predicted(a, query.from).total_cmp(&predicted(b, query.from)),
            Sort::Confidence => sureness(a, query.from).total_cmp(&sureness(b, query.from)),
            Sort::Degree => a.degree.cmp(&b.degree),
        }
    }

    /// A number to sort by; nodes without a label come last.
    fn truth(&self, facts: &NodeFacts) -> f64 {
        match self.graph.labels().of(facts.node) {
            Label::None => f64::INFINITY,
            Label::Number(value) => f64::from(value),
            Label::Classes(own) => own.first().map_or(f64::INFINITY, |class| f64::from(class.0)),
        }
    }
}

/// The rank of each node in the natural order of a text; equal texts keep graph
/// order.
fn ranks<'a>(graph: &'a Graph, text: impl Fn(NodeId) -> &'a str) -> Vec<u32> {
    let mut order: Vec<NodeId> = graph.nodes().collect();
    order.sort_by(|&a, &b| natural_order(text(a), text(b)).then(a.cmp(&b)));
    let mut ranks = vec![0; order.len()];
    for (rank, node) in order.into_iter().enumerate() {
        ranks[node.index()] = rank as u32;
    }
    ranks
}

/// Confidence as a sort key: for numbers, lower the larger the error. Infinite
/// where it is undefined.
fn sureness(facts: &NodeFacts, from: PredictFrom) -> f32 {
    match facts.guess(from) {
        super::Prediction::Class { confidence, .. } => confidence,
        super::Prediction::Value { error: Some(error), .. } => -error,
        super::Prediction::Value { error: None, .. } | super::Prediction::None => f32::INFINITY,
    }
}

fn predicted(facts: &NodeFacts, from: PredictFrom) -> f64 {
    match facts.guess(from) {
        super::Prediction::Class { class, .. } => f64::from(class.0),
        super::Prediction::Value { value, .. } => f64::from(value),
        super::Prediction::None => f64::INFINITY,
    }
}
