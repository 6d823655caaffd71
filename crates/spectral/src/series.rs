//! Chebyshev series: from ρ at the nodes to the coefficients of its polynomial and,
//! transposed, from the gradient by the coefficients back to that by ρ.

use std::f64::consts::PI;

/// The linear map from ρ at Q Chebyshev nodes to c_0 … c_m.
#[derive(Debug, Clone)]
pub(super) struct Series {
    points: Vec<f32>,
    /// (m + 1) × Q, row-major.
    table: Vec<f64>,
}

impl Series {
    /// A polynomial of this degree, fitted at twice as many nodes as it has
    /// coefficients, so that higher degrees hardly alias into it.
    pub(super) fn new(degree: usize) -> Self {
        let count = 2 * (degree + 1);
        let angle = |node: usize| PI * (node as f64 + 0.5) / count as f64;
        let points = (0..count).map(|node| angle(node).cos() as f32).collect();
        let mut table = Vec::with_capacity((degree + 1) * count);
        for n in 0..=degree {
            let weight = if n == 0 { 1.0 } else { 2.0 } / count as f64;
            table.extend((0..count).map(|node| weight * (n as f64 * angle(node)).cos()));
        }
        Self { points, table }
    }

    pub(super) fn points(&self) -> &[f32] {
        &self.points
    }

    pub(super) fn degree(&self) -> usize {
        self.table.len() / self.points.len() - 1
    }

    /// c_n = (2 − [n = 0]) / Q · Σ_j ρ_j cos(n θ_j).
    pub(super) fn coefficients(&self, response: &[f32]) -> Vec<f64> {
        let rows = self.table.chunks(self.points.len());
        rows.map(|row| row.iter().zip(response).map(|(t, &r)| t * f64::from(r)).sum()).collect()
    }

    /// The gradient by ρ at the nodes, from that by the coefficients.
    pub(super) fn transposed(&self, by_coefficient: &[f64]) -> Vec<f32> {
        let mut sums = vec![0.0; self.points.len()];
        for (row, factor) in self.table.chunks(self.points.len()).zip(by_coefficient) {
            sums.iter_mut().zip(row).for_each(|(sum, t)| *sum += factor * t);
        }
        sums.into_iter().map(|sum| sum as f32).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(coefficients: &[f64], s: f64) -> f64 {
        let angle = s.acos();
        coefficients.iter().enumerate().map(|(n, c)| c * (n as f64 * angle).cos()).sum()
    }

    #[test]
    fn a_polynomial_of_the_degree_is_recovered() {
        let series = Series::new(5);
        let rho = |s: f64| 0.3 - s + 2.0 * s.powi(3) - 0.5 * s.powi(5);
        let response: Vec<f32> =
            series.points().iter().map(|&s| rho(f64::from(s)) as f32).collect();
        let coefficients = series.coefficients(&response);
        for s in [-1.0, -0.4, 0.0, 0.7, 1.0] {
            assert!((value(&coefficients, s) - rho(s)).abs() < 1e-6);
        }
    }

    #[test]
    fn the_transpose_is_the_adjoint() {
        let series = Series::new(7);
        let response: Vec<f32> = (0..16).map(|n| ((n * 5) % 7) as f32).collect();
        let by: Vec<f64> = (0..8).map(|n| f64::from((n * 3) % 5)).collect();
        let left: f64 = series.coefficients(&response).iter().zip(&by).map(|(a, b)| a * b).sum();
        let back = series.transposed(&by);
        let right: f64 = response.iter().zip(&back).map(|(a, b)| f64::from(a * b)).sum();
        assert!((left - right).abs() < 1e-4);
    }
}
