//! Filters to plant.

use gesf_core::model::fixed;
use gesf_core::model::settings::FilterShape;

/// A filter to recover.
#[derive(Debug, Clone, PartialEq)]
pub enum PlantedFilter {
    /// Low-pass: passes smooth signals.
    Low,
    /// High-pass: passes signals that alternate between neighbours.
    High,
    /// Band-pass.
    Band,
    /// Band-stop.
    Reject,
    /// Alternating pass and stop bands.
    Comb,
    /// Drawn by hand.
    Drawn(Drawn),
    /// Passes every other eigenvector, whatever its eigenvalue: not a filter if two
    /// share one.
    EveryOther,
}

impl PlantedFilter {
    /// The named ones, in order.
    pub fn all() -> [Self; 7] {
        let drawn = Self::Drawn(Drawn::default());
        [Self::Low, Self::High, Self::Band, Self::Reject, Self::Comb, drawn, Self::EveryOther]
    }

    /// What it is called.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::High => "high",
            Self::Band => "band",
            Self::Reject => "reject",
            Self::Comb => "comb",
            Self::Drawn(_) => "drawn",
            Self::EveryOther => "every-other",
        }
    }

    /// The target as a curve over s; `None` if it is not one.
    pub fn at(&self, s: f64) -> Option<f64> {
        let shape = match self {
            Self::Low => FilterShape::Low,
            Self::High => FilterShape::High,
            Self::Band => FilterShape::Band,
            Self::Reject => FilterShape::Reject,
            Self::Comb => FilterShape::Comb,
            Self::Drawn(drawn) => return Some(drawn.at(s)),
            Self::EveryOther => return None,
        };
        Some(fixed(shape)(s))
    }

    /// The target for each of the given eigenpairs.
    pub fn response(&self, points: &[f32]) -> Vec<f32> {
        let by_place = |n: usize| f64::from(u8::from(n.is_multiple_of(2)));
        let each = points.iter().enumerate();
        each.map(|(n, s)| self.at(f64::from(*s)).unwrap_or_else(|| by_place(n)) as f32).collect()
    }
}

/// Heights of a piecewise linear curve at equidistant points from s = −1 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    heights: Vec<f64>,
}

/// Number of movable points.
const POINTS: usize = 9;
/// Maximum and minimum height of a point.
const HIGHEST: f64 = 1.5;

impl Default for Drawn {
    /// An initial hill.
    fn default() -> Self {
        let hill = |n: usize| 1.0 - (2.0 * n as f64 / (POINTS - 1) as f64 - 1.0).abs();
        Self { heights: (0..POINTS).map(hill).collect() }
    }
}

impl Drawn {
    /// The points as (s, height).
    pub fn points(&self) -> impl ExactSizeIterator<Item = (f64, f64)> {
        self.heights.iter().enumerate().map(|(n, height)| (place(n), *height))
    }

    /// Moves the point nearest to s to a height; returns its index.
    pub fn draw(&mut self, s: f64, height: f64) -> usize {
        let nearest = (f64::midpoint(s, 1.0) * (POINTS - 1) as f64).round();
        let at = (nearest.max(0.0) as usize).min(POINTS - 1);
        if height.is_finite() {
            self.heights[at] = height.clamp(-HIGHEST, HIGHEST);
        }
        at
    }

    /// The curve at s.
    pub fn at(&self, s: f64) -> f64 {
        let along = (f64::midpoint(s, 1.0) * (POINTS - 1) as f64).clamp(0.0, (POINTS - 1) as f64);
        let left = (along as usize).min(POINTS - 2);
        let share = along - left as f64;
        (1.0 - share) * self.heights[left] + share * self.heights[left + 1]
    }
}

fn place(n: usize) -> f64 {
    2.0 * n as f64 / (POINTS - 1) as f64 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawn_curve_goes_through_its_points_and_is_straight_between() {
        let mut drawn = Drawn::default();
        assert_eq!((drawn.draw(-1.0, 0.5), drawn.draw(-0.74, 1.0)), (0, 1));
        assert!((drawn.at(-1.0) - 0.5).abs() < 1e-12 && (drawn.at(-0.75) - 1.0).abs() < 1e-12);
        assert!((drawn.at(-0.875) - 0.75).abs() < 1e-12);
        assert_eq!((drawn.draw(9.0, 9.0), drawn.draw(f64::NAN, f64::NAN)), (POINTS - 1, 0));
        assert!((drawn.at(1.0) - HIGHEST).abs() < 1e-12 && drawn.at(f64::NAN).is_nan());
        for (s, height) in drawn.points() {
            assert!((drawn.at(s) - height).abs() < 1e-12);
        }
    }

    #[test]
    fn every_other_is_the_only_target_that_is_not_a_curve() {
        for target in PlantedFilter::all() {
            assert_eq!(target.at(0.3).is_none(), target == PlantedFilter::EveryOther);
            assert!(target.response(&[1.0, 0.5, -1.0]).iter().all(|value| value.is_finite()));
        }
        assert_eq!(PlantedFilter::EveryOther.response(&[1.0, 0.5, -1.0]), [1.0, 0.0, 1.0]);
    }
}
