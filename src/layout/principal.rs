//! The embeddings of a moment of training, seen from where they spread most:
//! the two first principal components. Each picture is turned towards the one
//! before, so that points move because they learn and not because an axis
//! changed its sign.
//!
//! Node types live in spaces of their own, which share no axis. Each type has
//! its own components, and a part of the square to itself.

use faer::{Mat, Side};

use super::Place;
use super::align::{turn, turned};
use super::square::filled;
use crate::model::Groups;
use crate::train::State;

/// Embeddings as a picture.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Projection {
    /// Where every node is.
    pub places: Vec<Place>,
    /// For each type, the share of its variance that the picture shows.
    pub shown: Vec<f64>,
    /// For each type, its points before they were fitted: what the next picture
    /// is turned towards.
    points: Vec<Vec<[f64; 2]>>,
}

/// Projects the embeddings of a state. Types whose embeddings are not there
/// stay in the middle of their part.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::layout::principal;
/// # let karate = "sample_graphs/karate".as_ref();
/// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_tui::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let ground = gesf_tui::model::Ground::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// # let mut trainer = gesf_tui::train::Trainer::new(ground, settings)?;
/// let groups = trainer.model().groups().clone();
/// let before = principal(&trainer.view()?, &groups, None);
/// trainer.step()?;
/// let after = principal(&trainer.view()?, &groups, Some(&before));
/// assert_eq!(after.places.len(), 34);
/// assert!(after.shown[0] > 0.0 && after.shown[0] <= 1.0);
/// # Ok(()) }
/// ```
pub fn principal(state: &State, groups: &Groups, before: Option<&Projection>) -> Projection {
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
            components(values, width)
        } else {
            (vec![[0.0; 2]; members.len()], 0.0)
        };
        let points = match goal.filter(|goal| goal.len() == points.len()) {
            Some(goal) => turned(&points, turn(&points, goal)),
            None => points,
        };
        if let Some(slot) = inhabited.iter().position(|own| *own == kind) {
            let size = [1.0 / across as f64, 1.0 / rows as f64];
            let (column, row) = (slot % across, slot / across);
            // The first type stands at the top.
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

/// The first two principal components of rows, and the share of the variance
/// they have.
fn components(values: &[f32], width: usize) -> (Vec<[f64; 2]>, f64) {
    let rows = values.len() / width;
    let number = |value: &f32| if value.is_finite() { f64::from(*value) } else { 0.0 };
    let mut mean = vec![0.0; width];
    for row in values.chunks_exact(width) {
        mean.iter_mut().zip(row).for_each(|(sum, value)| *sum += number(value));
    }
    for sum in &mut mean {
        *sum /= rows.max(1) as f64;
    }
    let centred = |row: &[f32], own: &mut [f64]| {
        for ((own, value), mean) in own.iter_mut().zip(row).zip(&mean) {
            *own = number(value) - mean;
        }
    };
    let mut covariance = Mat::<f64>::zeros(width, width);
    let mut own = vec![0.0; width];
    for row in values.chunks_exact(width) {
        centred(row, &mut own);
        for (column, &by) in own.iter().enumerate() {
            let sums = covariance.col_as_slice_mut(column);
            sums[column..]
                .iter_mut()
                .zip(&own[column..])
                .for_each(|(sum, value)| *sum += by * value);
        }
    }
    let total: f64 = (0..width).map(|at| covariance[(at, at)]).sum();
    let Ok(eigen) = covariance.self_adjoint_eigen(Side::Lower) else {
        return (vec![[0.0; 2]; rows], 0.0);
    };
    // faer gives eigenvalues in ascending order.
    let axes: Vec<Vec<f64>> = (0..width.min(2))
        .map(|at| {
            let column = eigen.U().col(width - 1 - at);
            let axis: Vec<f64> = column.iter().copied().collect();
            let most =
                axis.iter().copied().fold(0.0, |a: f64, b| if b.abs() > a.abs() { b } else { a });
            if most < 0.0 { axis.iter().map(|value| -value).collect() } else { axis }
        })
        .collect();
    let seen: f64 = (0..axes.len()).map(|at| eigen.S().column_vector()[width - 1 - at]).sum();
    let along = |axis: &[f64], own: &[f64]| axis.iter().zip(own).map(|(a, b)| a * b).sum::<f64>();
    let points = values
        .chunks_exact(width)
        .map(|row| {
            centred(row, &mut own);
            [0, 1].map(|at| axes.get(at).map_or(0.0, |axis| along(axis, &own)))
        })
        .collect();
    (points, if total > 0.0 { (seen / total).clamp(0.0, 1.0) } else { 0.0 })
}
