//! Minimises a smooth convex function: L-BFGS (Nocedal 1980) with a monotone line
//! search.

use std::collections::VecDeque;

/// Number of remembered steps.
const MEMORY: usize = 10;
/// The share of the predicted decrease that a step must achieve.
const ENOUGH: f64 = 1e-4;
/// Maximum number of halvings of a step.
const HALVINGS: usize = 30;

/// Minimises from a starting point until the gradient is small or `rounds` are
/// done. `value` returns the function value and fills in its gradient.
pub(super) fn minimise(
    point: &mut [f64],
    rounds: usize,
    tolerance: f64,
    mut value: impl FnMut(&[f64], &mut [f64]) -> f64,
) {
    let mut gradient = vec![0.0; point.len()];
    let mut height = value(point, &mut gradient);
    let first = norm(&gradient);
    let mut past: VecDeque<(Vec<f64>, Vec<f64>, f64)> = VecDeque::new();
    for round in 0..rounds {
        let size = norm(&gradient);
        if !size.is_finite() || size <= tolerance * first.max(1e-12) {
            return;
        }
        let mut direction = downhill(&gradient, &past);
        let mut slope = dot(&direction, &gradient);
        if slope >= 0.0 {
            past.clear();
            direction = gradient.iter().map(|g| -g).collect();
            slope = -size * size;
        }
        let mut step = if round == 0 { 1.0_f64.min(1.0 / size) } else { 1.0 };
        let (mut tried, mut found) = (vec![0.0; point.len()], vec![0.0; point.len()]);
        let mut lower = false;
        for _ in 0..HALVINGS {
            for ((to, from), by) in tried.iter_mut().zip(point.iter()).zip(&direction) {
                *to = from + step * by;
            }
            let reached = value(&tried, &mut found);
            if reached <= height + ENOUGH * step * slope {
                height = reached;
                lower = true;
                break;
            }
            step *= 0.5;
        }
        if !lower {
            return;
        }
        let moved: Vec<f64> = tried.iter().zip(point.iter()).map(|(to, from)| to - from).collect();
        let bent: Vec<f64> = found.iter().zip(&gradient).map(|(to, from)| to - from).collect();
        let curve = dot(&moved, &bent);
        if curve > 1e-12 * norm(&moved) * norm(&bent) {
            past.push_back((moved, bent, curve));
            if past.len() > MEMORY {
                past.pop_front();
            }
        }
        point.copy_from_slice(&tried);
        gradient.copy_from_slice(&found);
    }
}

/// The quasi-Newton direction from the remembered steps.
fn downhill(gradient: &[f64], past: &VecDeque<(Vec<f64>, Vec<f64>, f64)>) -> Vec<f64> {
    let mut direction: Vec<f64> = gradient.iter().map(|g| -g).collect();
    let mut shares = Vec::with_capacity(past.len());
    for (moved, bent, curve) in past.iter().rev() {
        let share = dot(moved, &direction) / curve;
        add(&mut direction, -share, bent);
        shares.push(share);
    }
    if let Some((_, bent, curve)) = past.back() {
        let scale = curve / dot(bent, bent);
        for part in &mut direction {
            *part *= scale;
        }
    }
    for ((moved, bent, curve), share) in past.iter().zip(shares.iter().rev()) {
        let back = dot(bent, &direction) / curve;
        add(&mut direction, share - back, moved);
    }
    direction
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

fn add(a: &mut [f64], share: f64, b: &[f64]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += share * b);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_minimum_of_a_narrow_parabola_is_found() {
        let mut point = vec![3.0; 6];
        minimise(&mut point, 200, 1e-10, |x, gradient| {
            let steep = |n: usize| 10.0_f64.powi(n as i32 - 2);
            let parts = x.iter().enumerate();
            for ((n, x), g) in parts.clone().zip(gradient) {
                *g = steep(n) * (x - n as f64);
            }
            parts.map(|(n, x)| 0.5 * steep(n) * (x - n as f64).powi(2)).sum()
        });
        for (n, x) in point.iter().enumerate() {
            assert!((x - n as f64).abs() < 1e-5, "{point:?}");
        }
    }
}
