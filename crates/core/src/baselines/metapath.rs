//! metapath2vec++ (Dong et al. 2017) for graphs with several node types: walks
//! follow a path of types there and back, and negative samples have the type of the
//! node they replace.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::noise::Noise;
use super::skip_gram::SkipGram;
use super::walks::{Tours, Walking, visits};
use super::{BaselineError, Method, PreparedMethod, Watch};
use crate::model::random::below;
use gesf_graph::{Graph, NodeId, TypeId};

/// metapath2vec++.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Metapath {
    /// The walks, from each node of the labelled type.
    pub tours: Tours,
    /// How vectors are learned from them.
    pub skip_gram: SkipGram,
}

/// The neighbours of every node by their type.
struct ByType {
    /// A list of neighbours per type; row `node` is between two starts.
    lists: Vec<(Vec<usize>, Vec<u32>)>,
}

impl ByType {
    fn of(graph: &Graph) -> Self {
        let types = graph.types();
        let lists = (0..types.count())
            .map(|kind| {
                let (mut starts, mut list) = (vec![0], Vec::new());
                for node in graph.nodes() {
                    let own = graph.neighbours(node).iter().copied();
                    list.extend(own.filter(|&other| types.of(NodeId(other)).index() == kind));
                    starts.push(list.len());
                }
                (starts, list)
            })
            .collect();
        Self { lists }
    }

    fn neighbours(&self, node: u32, kind: TypeId) -> &[u32] {
        let (starts, list) = &self.lists[kind.index()];
        &list[starts[node as usize]..starts[node as usize + 1]]
    }
}

/// The labelled type, or the first.
fn labelled_type(graph: &Graph) -> TypeId {
    let labelled = graph.nodes().find(|node| graph.labels().is_labelled(*node));
    labelled.map_or(TypeId::default(), |node| graph.types().of(node))
}

/// The paths of types to follow, each the start of a cycle: from the labelled type
/// by the shortest way to each type and back, and within the labelled type.
fn schemes(graph: &Graph, from: TypeId) -> Vec<Vec<TypeId>> {
    let count = graph.types().count();
    let mut joined = vec![vec![false; count]; count];
    for (a, b, _) in graph.edges() {
        let (a, b) = (graph.types().of(a).index(), graph.types().of(b).index());
        (joined[a][b], joined[b][a]) = (true, true);
    }
    let mut ways: Vec<Option<Vec<TypeId>>> = vec![None; count];
    ways[from.index()] = Some(vec![from]);
    let mut queue = std::collections::VecDeque::from([from.index()]);
    while let Some(here) = queue.pop_front() {
        for next in 0..count {
            if joined[here][next] && ways[next].is_none() {
                let mut way = ways[here].clone().unwrap_or_default();
                way.push(TypeId(next as u16));
                ways[next] = Some(way);
                queue.push_back(next);
            }
        }
    }
    let mut found: Vec<Vec<TypeId>> = Vec::new();
    if joined[from.index()][from.index()] {
        found.push(vec![from]);
    }
    for way in ways.into_iter().flatten().filter(|way| way.len() > 1) {
        // There and back, without the end that begins the next cycle.
        let back = way[1..way.len() - 1].iter().rev().copied().collect::<Vec<_>>();
        found.push([way, back].concat());
    }
    found
}

impl Metapath {
    fn walk(
        &self,
        start: u32,
        scheme: &[TypeId],
        graph: &ByType,
        random: &mut ChaCha8Rng,
    ) -> Vec<u32> {
        let mut walk = vec![start];
        while walk.len() < self.tours.length {
            let kind = scheme[walk.len() % scheme.len()];
            let here = walk.last().copied().unwrap_or(start);
            let neighbours = graph.neighbours(here, kind);
            if neighbours.is_empty() {
                break;
            }
            walk.push(neighbours[below(random, neighbours.len())]);
        }
        walk
    }
}

impl Method for Metapath {
    fn name(&self) -> &'static str {
        "metapath2vec++"
    }

    fn about(&self) -> &'static str {
        "skip-gram over metapath walks, then logistic regression"
    }

    fn suits(&self, graph: &Graph) -> Result<(), BaselineError> {
        if graph.types().count() > 1 {
            return Ok(());
        }
        let (found, expected) = ("one node type".to_owned(), "several node types");
        Err(BaselineError::Unsuited { method: self.name(), found, expected })
    }

    fn prepare(
        &self,
        graph: &Arc<Graph>,
        seed: u64,
        watch: Watch<'_>,
    ) -> Result<Box<dyn PreparedMethod>, BaselineError> {
        let own = labelled_type(graph);
        let schemes = schemes(graph, own);
        let by_type = ByType::of(graph);
        let types: Vec<u16> = graph.nodes().map(|node| graph.types().of(node).0).collect();
        let starts =
            graph.nodes().filter(|node| graph.types().of(*node) == own).map(|n| n.0).collect();
        let noise = Noise::by_kind(&visits(graph), types);
        let (rounds, skip_gram) = (self.tours.walks, self.skip_gram);
        let walking = Walking { graph, starts, noise, rounds, skip_gram };
        let vectors = walking.vectors(seed, watch, |number, node, random| {
            // If a node cannot start a path, the next one is used.
            let paths = (0..schemes.len()).map(|by| &schemes[(number + by) % schemes.len()]);
            let mut walks = paths.map(|path| self.walk(node, path, &by_type, random));
            walks.find(|walk| walk.len() > 1).unwrap_or_else(|| vec![node])
        })?;
        Ok(Box::new(vectors))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::random::stream;
    use gesf_graph::generate::{Recipe, TypedBlocks};
    use gesf_graph::{Reading, RoleChoice, build};

    #[test]
    fn walks_follow_the_types_there_and_back() {
        let raw = Recipe::TypedBlocks(TypedBlocks::default()).make(1).unwrap();
        let (graph, _) = build(raw, &RoleChoice::default(), &mut Reading::default()).unwrap();
        let own = labelled_type(&graph);
        let schemes = schemes(&graph, own);
        let other = TypeId(1 - own.0);
        assert_eq!(schemes, [vec![own], vec![own, other]]);
        let by_type = ByType::of(&graph);
        let walk = Metapath::default().walk(0, &schemes[1], &by_type, &mut stream(1, "test"));
        assert_eq!(walk.len(), 40);
        for (at, &node) in walk.iter().enumerate() {
            assert_eq!(graph.types().of(NodeId(node)), schemes[1][at % 2]);
        }
    }
}
