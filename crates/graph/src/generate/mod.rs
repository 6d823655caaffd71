//! Graph generators, for teaching and for scale. The same kind, sizes and seed give
//! the same graph on every machine.

mod blocks;
mod lattice;
mod motif;
mod random;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::{Cell, Direction, EdgeRows, IdTable, Manifest, NodeId, RawGraph};

pub use blocks::{Blocks, TypedBlocks};
pub use motif::PlantedMotifs;
pub use random::Quadrants;

/// A generator with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub enum Recipe {
    /// A stochastic block model: classes whose members are preferably joined.
    Blocks(Blocks),
    /// A block model over two node types, one of them labelled.
    TypedBlocks(TypedBlocks),
    /// Houses attached to a preferential-attachment graph.
    Motifs(PlantedMotifs),
    /// A square grid, close to the given number of nodes.
    Grid {
        /// Maximum number of nodes.
        nodes: usize,
    },
    /// A cycle.
    Ring {
        /// Nodes.
        nodes: usize,
    },
    /// Two complete graphs joined by a path.
    Barbell {
        /// Total number of nodes; a third of them form the path.
        nodes: usize,
    },
    /// Every pair joined with the same probability.
    ErdosRenyi {
        /// Nodes.
        nodes: usize,
        /// Mean number of neighbours.
        mean_degree: f64,
    },
    /// New nodes are joined to nodes in proportion to their degree.
    BarabasiAlbert {
        /// Nodes.
        nodes: usize,
        /// Edges of each new node.
        edges_each: usize,
    },
    /// A recursive matrix: skewed degrees at any scale.
    Rmat {
        /// Nodes (ids are drawn from the next power of two and folded).
        nodes: usize,
        /// Edge rows.
        edges: usize,
        /// The probabilities of the quadrants of the matrix.
        quadrants: Quadrants,
    },
}

/// Why a recipe is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}: found {found}, expected {expected}")]
pub struct BadRecipe {
    /// The parameter.
    pub what: &'static str,
    /// Its value.
    pub found: String,
    /// What was expected.
    pub expected: String,
}

impl Recipe {
    /// Generates the graph.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use gesf_graph::generate::Recipe;
    ///
    /// let random = Recipe::ErdosRenyi { nodes: 50, mean_degree: 4.0 };
    /// assert_eq!(random.make(7)?, random.make(7)?);
    /// assert_ne!(random.make(7)?, random.make(8)?);
    /// assert_eq!(Recipe::Ring { nodes: 12 }.make(0)?.edges.len(), 12);
    /// assert!(Recipe::Ring { nodes: 2 }.make(0).is_err());
    /// # Ok(()) }
    /// ```
    pub fn make(&self, seed: u64) -> Result<RawGraph, BadRecipe> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let graph = match self {
            Self::Blocks(blocks) => blocks.make(&mut rng)?,
            Self::TypedBlocks(blocks) => blocks.make(&mut rng)?,
            Self::Motifs(motifs) => motifs.make(&mut rng)?,
            Self::Grid { nodes } => lattice::grid(at_least("nodes", *nodes, 1)?),
            Self::Ring { nodes } => lattice::ring(at_least("nodes", *nodes, 3)?),
            Self::Barbell { nodes } => lattice::barbell(at_least("nodes", *nodes, 6)?),
            Self::ErdosRenyi { nodes, mean_degree } => {
                random::erdos_renyi(at_least("nodes", *nodes, 2)?, *mean_degree, &mut rng)?
            }
            Self::BarabasiAlbert { nodes, edges_each } => {
                let edges_each = at_least("edges per new node", *edges_each, 1)?;
                random::barabasi_albert(
                    at_least("nodes", *nodes, edges_each + 1)?,
                    edges_each,
                    &mut rng,
                )
            }
            Self::Rmat { nodes, edges, quadrants } => {
                random::rmat(at_least("nodes", *nodes, 2)?, *edges, quadrants, &mut rng)?
            }
        };
        Ok(graph)
    }
}

fn at_least(what: &'static str, found: usize, least: usize) -> Result<usize, BadRecipe> {
    if (least..=super::MAX_NODES).contains(&found) {
        return Ok(found);
    }
    let expected = format!("{least} to {}", super::MAX_NODES);
    Err(BadRecipe { what, found: found.to_string(), expected })
}

fn share(what: &'static str, found: f64) -> Result<f64, BadRecipe> {
    if (0.0..=1.0).contains(&found) {
        return Ok(found);
    }
    Err(BadRecipe { what, found: found.to_string(), expected: "0 to 1".to_owned() })
}

/// A graph of numbered nodes from its edges, with a title.
fn numbered(nodes: usize, edges: Vec<(usize, usize)>, title: &str) -> RawGraph {
    let (sources, targets) =
        edges.into_iter().map(|(a, b)| (NodeId::from(a), NodeId::from(b))).unzip();
    RawGraph {
        direction: Direction::Undirected,
        ids: IdTable::from_numbers(0..nodes as u32),
        edges: EdgeRows { sources, targets, ..EdgeRows::default() },
        manifest: Some(Manifest {
            title: Some(title.to_owned()),
            source: Some("generated".to_owned()),
            ..Manifest::default()
        }),
        ..RawGraph::default()
    }
}

/// Texts as cells of a column.
fn texts<T: AsRef<str>>(texts: impl Iterator<Item = T>) -> Vec<Cell> {
    texts.map(|text| Cell::text(text.as_ref())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Reading, RoleChoice, Statistics, build};

    fn recipes() -> Vec<Recipe> {
        vec![
            Recipe::Blocks(Blocks::default()),
            Recipe::TypedBlocks(TypedBlocks::default()),
            Recipe::Motifs(PlantedMotifs::default()),
            Recipe::Grid { nodes: 90 },
            Recipe::Ring { nodes: 12 },
            Recipe::Barbell { nodes: 15 },
            Recipe::ErdosRenyi { nodes: 100, mean_degree: 4.0 },
            Recipe::BarabasiAlbert { nodes: 100, edges_each: 2 },
            Recipe::Rmat { nodes: 100, edges: 500, quadrants: Quadrants::default() },
        ]
    }

    fn statistics(recipe: &Recipe) -> Statistics {
        let raw = recipe.make(1).unwrap();
        let (graph, _) = build(raw, &RoleChoice::default(), &mut Reading::default()).unwrap();
        Statistics::of(&graph)
    }

    #[test]
    fn the_same_seed_gives_the_same_graph_and_another_seed_another() {
        for recipe in recipes() {
            assert_eq!(recipe.make(7), recipe.make(7), "{recipe:?}");
        }
        let random = Recipe::ErdosRenyi { nodes: 100, mean_degree: 4.0 };
        assert_ne!(random.make(7), random.make(8));
    }

    #[test]
    fn shapes_have_the_expected_counts() {
        let grid = statistics(&Recipe::Grid { nodes: 90 });
        assert_eq!((grid.nodes, grid.edges, grid.components), (81, 144, 1));
        let ring = statistics(&Recipe::Ring { nodes: 12 });
        assert_eq!((ring.edges, ring.max_degree), (12, 2));
        let barbell = statistics(&Recipe::Barbell { nodes: 15 });
        assert_eq!((barbell.nodes, barbell.edges, barbell.components), (15, 26, 1));
        let grown = statistics(&Recipe::BarabasiAlbert { nodes: 100, edges_each: 2 });
        assert_eq!((grown.nodes, grown.edges, grown.components), (100, 3 + 97 * 2, 1));
    }

    #[test]
    fn blocks_are_homophilous_and_typed_blocks_have_two_types() {
        let blocks = statistics(&Recipe::Blocks(Blocks::default()));
        assert!(blocks.homophily.unwrap() > 2.0 * blocks.homophily_by_chance.unwrap());
        let typed = statistics(&Recipe::TypedBlocks(TypedBlocks::default()));
        assert_eq!(typed.types.0.len(), 2);
        assert!(typed.edge_types.0.len() == 2, "{:?}", typed.edge_types);
    }

    #[test]
    fn planted_houses_are_named_and_closed() {
        let houses = PlantedMotifs { nodes: 20, edges_each: 2, motifs: 3, noise: 0.0 };
        let raw = Recipe::Motifs(houses).make(1).unwrap();
        let motif = raw.node_column("motif").unwrap();
        let of = |node: NodeId| motif.cells[node.index()].clone();
        assert_eq!(raw.ids.len(), 35);
        let inside = raw.edges.iter().filter(|(a, b, _)| a.index() >= 20 && b.index() >= 20);
        let inside: Vec<(NodeId, NodeId, f32)> = inside.collect();
        assert!(inside.iter().all(|(a, b, _)| of(*a) == of(*b)));
        assert_eq!(inside.len(), 3 * 6);
    }

    #[test]
    fn the_mean_degree_is_as_requested() {
        let random = statistics(&Recipe::ErdosRenyi { nodes: 4000, mean_degree: 6.0 });
        assert!((random.mean_degree - 6.0).abs() < 0.3, "{}", random.mean_degree);
    }

    #[test]
    fn an_invalid_parameter_is_named() {
        let error = Recipe::Ring { nodes: 2 }.make(0).unwrap_err();
        assert_eq!(error.to_string(), "nodes: found 2, expected 3 to 2147483647");
    }
}
