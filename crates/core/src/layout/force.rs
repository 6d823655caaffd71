//! The force layout: nodes repel each other, edges attract their ends, and a weak
//! force pulls everything to the centre. fjadra moves the particles; this module
//! sets their start and the number of steps.

use std::time::{Duration, Instant};

use fjadra::{Link, ManyBody, Node, PositionX, PositionY, Simulation, SimulationBuilder};

use super::square::fitted;
use super::{Position, start};
use gesf_graph::Graph;
use gesf_spectral::Cancel;

/// Steps for a graph that is not large.
const STEPS: usize = 300;
/// From this many nodes on there are fewer steps, in proportion.
const LARGE: usize = 40_000;
/// Minimum number of steps.
const LEAST_STEPS: usize = 40;
/// The final temperature; the initial one is 1.
const COLD: f64 = 0.001;
/// Strength of the force to the centre.
const GRAVITY: f64 = 0.06;
/// Minimum time between two updates.
const PAUSE: Duration = Duration::from_millis(150);

/// A layout in progress.
#[derive(Debug, Clone, PartialEq)]
pub struct Refined {
    /// The position of every node.
    pub places: Vec<Position>,
    /// Steps done.
    pub done: usize,
    /// Total number of steps.
    pub total: usize,
}

/// Lays out a graph and reports positions as they refine; the last update is the
/// final layout. Which steps are reported depends on the clock, the positions do
/// not. A cancelled layout sends no last update.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::layout::force;
/// use gesf_spectral::Cancel;
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// let mut last = None;
/// force(&graph, 7, &Cancel::default(), &mut |refined| last = Some(refined));
/// let last = last.ok_or("nothing was told")?;
/// assert_eq!((last.places.len(), last.done), (34, last.total));
/// assert!(last.places.iter().flatten().all(|at| (0.0..=1.0).contains(at)));
/// # Ok(()) }
/// ```
pub fn force(graph: &Graph, seed: u64, cancel: &Cancel, tell: &mut dyn FnMut(Refined)) {
    let points = start::start(graph, seed);
    let total = steps(points.len());
    if points.len() < 2 {
        return tell(Refined { places: fitted(&points), done: total, total });
    }
    tell(Refined { places: fitted(&points), done: 0, total });
    let mut simulation = simulation(graph, points, total);
    let mut told = Instant::now();
    for done in 1..=total {
        if cancel.is_cancelled() {
            return;
        }
        simulation.tick(1);
        if done == total || told.elapsed() >= PAUSE {
            let points: Vec<[f64; 2]> = simulation.positions().collect();
            tell(Refined { places: fitted(&points), done, total });
            told = Instant::now();
        }
    }
}

fn steps(nodes: usize) -> usize {
    if nodes <= LARGE { STEPS } else { (STEPS * LARGE / nodes).max(LEAST_STEPS) }
}

fn simulation(graph: &Graph, points: Vec<[f64; 2]>, steps: usize) -> Simulation {
    let links: Vec<(usize, usize)> =
        graph.edges().map(|(from, to, _)| (from.index(), to.index())).collect();
    SimulationBuilder::new()
        .with_alpha_min(COLD)
        .with_alpha_decay(1.0 - COLD.powf(1.0 / steps as f64))
        .build(points.into_iter().map(Node::from))
        .add_force("edges", Link::new(links))
        .add_force("nodes", ManyBody::new())
        .add_force("middle x", PositionX::new().strength(GRAVITY))
        .add_force("middle y", PositionY::new().strength(GRAVITY))
}
