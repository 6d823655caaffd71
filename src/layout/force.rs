//! The force layout: nodes push each other away, edges pull their ends
//! together, and everything is drawn a little to the middle. fjadra moves the
//! particles; here is what they start from and how long they move.

use std::time::{Duration, Instant};

use fjadra::{Link, ManyBody, Node, PositionX, PositionY, Simulation, SimulationBuilder};

use super::square::fitted;
use super::{Place, start};
use crate::graph::Graph;
use crate::spectral::Cancel;

/// Steps of a graph that is not large.
const STEPS: usize = 300;
/// From so many nodes on there are fewer steps, in proportion.
const LARGE: usize = 40_000;
/// But never fewer than these.
const LEAST_STEPS: usize = 40;
/// How hot the particles are at the end; they start at 1.
const COLD: f64 = 0.001;
/// How strongly everything is drawn to the middle.
const GRAVITY: f64 = 0.06;
/// The least time between two tellings.
const PAUSE: Duration = Duration::from_millis(150);

/// A layout on its way.
#[derive(Debug, Clone, PartialEq)]
pub struct Refined {
    /// Where every node is.
    pub places: Vec<Place>,
    /// Steps done.
    pub done: usize,
    /// Steps in all.
    pub total: usize,
}

/// Lays a graph out, telling places as they refine; the last telling is the
/// layout itself. When to tell depends on the clock, what is told at a step and
/// the end do not. Cancelled, it ends without a last telling.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::{layout::force, spectral::Cancel};
/// # let karate = "sample_graphs/karate".as_ref();
/// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
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
