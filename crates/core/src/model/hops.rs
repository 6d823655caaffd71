//! The hop weights of a filter: ρ(s) ≈ Σ α_n sⁿ, so that P ≈ Σ α_n Mⁿ and
//! neighbours at distance n have weight α_n. Fitted by least squares over the
//! actual eigenvalues, with the smallest degree that approximates ρ well.

/// The highest degree tried.
pub const MOST: usize = 8;
/// A fit with a smaller relative residual is good.
pub const GOOD: f64 = 0.02;

/// A polynomial and its distance from the filter.
#[derive(Debug, Clone, PartialEq)]
pub struct Hops {
    /// α_0, α_1, …
    pub weights: Vec<f64>,
    /// The relative residual.
    pub error: f64,
}

impl Hops {
    /// Whether the weights are reliable.
    pub fn is_good(&self) -> bool {
        self.error <= GOOD
    }
}

/// Fits a polynomial to ρ at the given points; `None` without points.
///
/// The basis is orthogonalised over the points while it grows (Arnoldi), which
/// keeps the fit stable where plain powers are nearly dependent.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::model::hops::fit;
///
/// // The filter 1/2 + 3 s² uses the node itself and nodes two steps away.
/// let points: Vec<f64> = (0..40).map(|n| f64::from(n) / 20.0 - 1.0).collect();
/// let response: Vec<f64> = points.iter().map(|s| 0.5 + 3.0 * s * s).collect();
/// let hops = fit(&points, &response).ok_or("no points")?;
/// assert!(hops.is_good() && hops.weights.len() == 3);
/// assert!((hops.weights[2] - 3.0).abs() < 1e-9 && hops.weights[1].abs() < 1e-9);
/// # Ok(()) }
/// ```
pub fn fit(points: &[f64], response: &[f64]) -> Option<Hops> {
    let count = points.len();
    if count == 0 || response.len() != count {
        return None;
    }
    let size = response.iter().map(|value| value * value).sum::<f64>().sqrt();
    let mut rest = response.to_vec();
    let mut weights = vec![0.0; MOST + 1];
    // Each element: its values at the points and its coefficients in powers.
    let mut basis: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
    for degree in 0..=MOST {
        let (mut values, mut powers) = match basis.last() {
            None => (vec![1.0; count], vec![1.0]),
            Some((values, powers)) => {
                let next = values.iter().zip(points).map(|(value, s)| value * s).collect();
                (next, std::iter::once(0.0).chain(powers.iter().copied()).collect())
            }
        };
        let before = norm(&values);
        for _ in 0..2 {
            for (other, own) in &basis {
                let share = dot(&values, other);
                take_away(&mut values, share, other);
                take_away(&mut powers, share, own);
            }
        }
        let length = norm(&values);
        if length <= 1e-10 * before {
            break;
        }
        let scaled =
            |numbers: Vec<f64>| numbers.into_iter().map(|number| number / length).collect();
        let (values, powers): (Vec<f64>, Vec<f64>) = (scaled(values), scaled(powers));
        let share = dot(&rest, &values);
        take_away(&mut rest, share, &values);
        take_away(&mut weights, -share, &powers);
        basis.push((values, powers));
        let error = if size > 0.0 { norm(&rest) / size } else { 0.0 };
        if error <= GOOD || degree == MOST {
            weights.truncate(degree + 1);
            return Some(Hops { weights, error });
        }
    }
    weights.truncate(basis.len());
    let error = if size > 0.0 { norm(&rest) / size } else { 0.0 };
    Some(Hops { weights, error })
}

/// a − share · b, up to the length of b.
fn take_away(a: &mut [f64], share: f64, b: &[f64]) {
    for (a, b) in a.iter_mut().zip(b) {
        *a -= share * b;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points() -> Vec<f64> {
        (0..60).map(|n| f64::from(n) / 30.0 - 1.0).collect()
    }

    #[test]
    fn a_polynomial_is_recovered_with_its_own_degree() {
        let points = points();
        let response: Vec<f64> = points.iter().map(|s| 0.5 - 2.0 * s + 3.0 * s * s * s).collect();
        let hops = fit(&points, &response).unwrap();
        assert!(hops.is_good());
        for (found, exact) in hops.weights.iter().zip([0.5, -2.0, 0.0, 3.0]) {
            assert!((found - exact).abs() < 1e-9, "{hops:?}");
        }
        assert_eq!(hops.weights.len(), 4);
    }

    #[test]
    fn a_poor_polynomial_fit_is_reported() {
        let points = points();
        let jump: Vec<f64> = points.iter().map(|s| if *s > 0.1 { 1.0 } else { -1.0 }).collect();
        let hops = fit(&points, &jump).unwrap();
        assert!(!hops.is_good() && hops.error < 1.0);
    }

    #[test]
    fn few_points_give_few_weights() {
        let hops = fit(&[1.0, 0.9], &[0.4, 0.1]).unwrap();
        assert!(hops.weights.len() <= 2 && hops.is_good());
        assert_eq!(fit(&[], &[]), None);
    }
}
