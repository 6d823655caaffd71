//! The first two principal components of the embeddings. Each projection is rotated
//! towards the previous one, so that points move because they learn and not because
//! an axis changed its sign.
//!
//! Node types have separate embedding spaces without common axes. Each type has its
//! own components and its own part of the square.

use super::Position;
use super::align::{rotated, turn};
use super::square::filled;
use crate::model::Groups;
use crate::train::TrainerState;
use gesf_spectral::principal_components;

/// A projection of the embeddings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Projection {
    /// The position of every node.
    pub places: Vec<Position>,
    /// For each type, the share of its variance that is shown.
    pub shown: Vec<f64>,
    /// For each type, its points before scaling: the next projection is rotated
    /// towards them.
    points: Vec<Vec<[f64; 2]>>,
}

/// Projects the embeddings of a state. Types without embeddings stay in the centre
/// of their part.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::layout::principal;
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_core::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let prepared = gesf_core::model::PreparedGraph::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// # let mut trainer = gesf_core::train::Trainer::new(prepared, settings)?;
/// let groups = trainer.model().groups().clone();
/// let before = principal(&trainer.view()?, &groups, None);
/// trainer.step()?;
/// let after = principal(&trainer.view()?, &groups, Some(&before));
/// assert_eq!(after.places.len(), 34);
/// assert!(after.shown[0] > 0.0 && after.shown[0] <= 1.0);
/// # Ok(()) }
/// ```
pub fn principal(state: &TrainerState, groups: &Groups, before: Option<&Projection>) -> Projection {
    let kinds = groups.count();
    let nodes = (0..kinds).map(|kind| groups.members(kind).len()).sum();
    let mut made = Projection { places: vec![[0.5; 2]; nodes], ..Projection::default() };
    let inhabited: Vec<usize> = (0..kinds).filter(|&k| !groups.members(k).is_empty()).collect();
    let across = (inhabited.len().max(1) as f64).sqrt().ceil() as usize;
    let rows = inhabited.len().max(1).div_ceil(across);
    for kind in 0..kinds {
        let members = groups.members(kind);
        let values = state.values(&format!("x.{kind}")).unwrap_or_default();
        let width = values.len() / members.len().max(1);
        let goal = before.and_then(|before| before.points.get(kind));
        let (points, shown) = if width * members.len() == values.len() && width > 0 {
            let (points, shares) = principal_components(values, width);
            (points, shares.iter().sum::<f64>().clamp(0.0, 1.0))
        } else {
            (vec![[0.0; 2]; members.len()], 0.0)
        };
        let points = match goal.filter(|goal| goal.len() == points.len()) {
            Some(goal) => rotated(&points, turn(&points, goal)),
            None => points,
        };
        if let Some(slot) = inhabited.iter().position(|own| *own == kind) {
            let size = [1.0 / across as f64, 1.0 / rows as f64];
            let (column, row) = (slot % across, slot / across);
            // The first type is at the top.
            let corner = [column as f64 * size[0], 1.0 - (row + 1) as f64 * size[1]];
            for (&node, place) in members.iter().zip(filled(&points, corner, size)) {
                if let Some(own) = made.places.get_mut(node as usize) {
                    *own = place;
                }
            }
        }
        made.points.push(points);
        made.shown.push(shown);
    }
    made
}
