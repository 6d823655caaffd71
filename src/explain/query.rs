//! Which nodes of the list are shown, and in which order.

use std::cmp::Ordering;
use std::sync::Arc;

use super::roster::{Facts, Part, Roster, Voice};
use crate::graph::{ClassId, Classes, Graph, Label, NodeId, TypeId, natural_order};

/// From this confidence on a prediction counts as confident.
pub const CONFIDENT: f32 = 0.8;
/// The least sure are this share of all that something is predicted of.
const LEAST: usize = 10;

/// Who is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Filter {
    /// Everybody.
    #[default]
    All,
    /// Those predicted wrongly.
    Wrong,
    /// Those predicted wrongly with confidence; for numbers, all that are wrong.
    ConfidentAndWrong,
    /// The tenth whose prediction is least sure; for numbers, farthest off.
    LeastSure,
    /// Those of a class.
    Class(ClassId),
    /// Those predicted to be of a class.
    Predicted(ClassId),
    /// Those of a node type.
    Type(TypeId),
    /// Those whose label was seen, held back, or does not exist.
    Part(Part),
}

/// By what they are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// As the graph has them.
    #[default]
    Node,
    /// By id, as people sort.
    Id,
    /// By name, as people sort.
    Name,
    /// By true label.
    Truth,
    /// By prediction.
    Prediction,
    /// By confidence; for numbers, the farthest off first.
    Confidence,
    /// By number of neighbours.
    Degree,
}

/// What a person asks of the list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    /// Letters that id, name or label have in them, whatever their case.
    pub text: String,
    /// Who is shown.
    pub filter: Filter,
    /// Which prediction counts.
    pub from: Voice,
    /// By what they are sorted.
    pub sort: Sort,
    /// The other way round.
    pub reversed: bool,
}

/// What the list needs to know of a graph: texts to search, ranks to sort by.
/// Made once for each graph.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::explain::{Directory, Query, Roster, Sort};
/// # let karate = "sample_graphs/karate".as_ref();
/// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_tui::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let ground = gesf_tui::model::Ground::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// # let mut trainer = gesf_tui::train::Trainer::new(ground, settings)?;
/// # for _ in 0..5 { trainer.step()?; }
/// # let moment = gesf_tui::explain::Moment::of_trainer(&trainer)?;
/// let (directory, roster) = (Directory::of(&graph), Roster::of(&moment));
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

    /// The nodes that a query asks for, in its order.
    pub fn select(&self, roster: &Roster, query: &Query) -> Vec<NodeId> {
        let wanted = query.text.trim().to_lowercase();
        let has_text = |facts: &&Facts| {
            wanted.is_empty()
                || self.texts.get(facts.node.index()).is_some_and(|text| text.contains(&wanted))
        };
        let mut found: Vec<&Facts> = roster
            .facts
            .iter()
            .filter(|facts| self.passes(facts, query.filter, query.from))
            .filter(has_text)
            .collect();
        if query.filter == Filter::LeastSure {
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

    fn passes(&self, facts: &Facts, filter: Filter, from: Voice) -> bool {
        let guess = facts.guess(from);
        match filter {
            Filter::All => true,
            Filter::Wrong => guess.is_wrong(),
            Filter::ConfidentAndWrong => {
                guess.is_wrong() && guess.confidence().is_none_or(|sure| sure >= CONFIDENT)
            }
            Filter::LeastSure => sureness(facts, from).is_finite(),
            Filter::Class(class) => {
                let labels = self.graph.labels().classes();
                labels.is_some_and(|labels| labels.of(facts.node).contains(&class))
            }
            Filter::Predicted(class) => guess.class() == Some(class),
            Filter::Type(kind) => self.graph.types().of(facts.node) == kind,
            Filter::Part(part) => facts.part == part,
        }
    }

    fn order(&self, a: &Facts, b: &Facts, query: &Query) -> Ordering {
        let rank = |ranks: &[u32], facts: &Facts| ranks.get(facts.node.index()).copied();
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
    fn truth(&self, facts: &Facts) -> f64 {
        match self.graph.labels().of(facts.node) {
            Label::None => f64::INFINITY,
            Label::Number(value) => f64::from(value),
            Label::Classes(own) => own.first().map_or(f64::INFINITY, |class| f64::from(class.0)),
        }
    }
}

/// The rank of each node in the natural order of a text; equal texts keep the
/// order of the graph.
fn ranks<'a>(graph: &'a Graph, text: impl Fn(NodeId) -> &'a str) -> Vec<u32> {
    let mut order: Vec<NodeId> = graph.nodes().collect();
    order.sort_by(|&a, &b| natural_order(text(a), text(b)).then(a.cmp(&b)));
    let mut ranks = vec![0; order.len()];
    for (rank, node) in order.into_iter().enumerate() {
        ranks[node.index()] = rank as u32;
    }
    ranks
}

/// How sure a prediction is, to sort by: for numbers, less the farther off.
/// Infinite where nothing can be said.
fn sureness(facts: &Facts, from: Voice) -> f32 {
    match facts.guess(from) {
        super::Guess::Class { confidence, .. } => confidence,
        super::Guess::Value { error: Some(error), .. } => -error,
        super::Guess::Value { error: None, .. } | super::Guess::None => f32::INFINITY,
    }
}

fn predicted(facts: &Facts, from: Voice) -> f64 {
    match facts.guess(from) {
        super::Guess::Class { class, .. } => f64::from(class.0),
        super::Guess::Value { value, .. } => f64::from(value),
        super::Guess::None => f64::INFINITY,
    }
}
