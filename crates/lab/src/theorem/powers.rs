//! From a set of numbers to its power sums and back.
//!
//! p_k = Σ xᵏ. Newton's identities turn p_1 … p_n into the coefficients of the
//! polynomial Π (t − x_i), and its roots are the numbers: the sums determine the
//! set, except for its order.

use faer::Mat;

/// The first power sums p_1, p_2, … of a set.
pub fn power_sums(numbers: &[f64], count: usize) -> Vec<f64> {
    let power = |k: usize| numbers.iter().map(|x| x.powi(k as i32)).sum();
    (1..=count).map(power).collect()
}

/// What power sums determine about a set.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recovered {
    /// e_1, e_2, …: the polynomial is tⁿ − e_1 tⁿ⁻¹ + e_2 tⁿ⁻² − …
    pub elementary: Vec<f64>,
    /// The real parts of its roots, smallest first: the numbers.
    pub numbers: Vec<f64>,
    /// Their imaginary parts: 0 up to rounding if the sums come from real numbers
    /// and there are enough of them.
    pub imaginary: Vec<f64>,
}

impl Recovered {
    /// The largest imaginary part.
    pub fn farthest_from_real(&self) -> f64 {
        self.imaginary.iter().fold(0.0, |most, own| own.abs().max(most))
    }

    /// The largest distance to the numbers of a set of the same size.
    pub fn error(&self, numbers: &[f64]) -> f64 {
        let mut sorted = numbers.to_vec();
        sorted.sort_by(f64::total_cmp);
        let pairs = sorted.iter().zip(&self.numbers);
        pairs.map(|(one, other)| (one - other).abs()).fold(self.farthest_from_real(), f64::max)
    }
}

/// The set of `size` numbers with these power sums. If there are fewer sums than
/// numbers, the missing coefficients are set to 0.
///
/// ```
/// use gesf_lab::theorem::{power_sums, recover};
///
/// let numbers = [4.0, 1.0, 3.0];
/// let sums = power_sums(&numbers, 3);
/// assert_eq!(sums, [8.0, 26.0, 92.0]);
/// // Three sums determine three numbers, except for their order; two do not.
/// assert!(recover(&sums, 3).error(&numbers) < 1e-9);
/// assert!(recover(&sums[..2], 3).error(&numbers) > 0.1);
/// ```
pub fn recover(sums: &[f64], size: usize) -> Recovered {
    let elementary = elementary(sums, size);
    if size == 0 || elementary.iter().any(|e| !e.is_finite()) {
        return Recovered { elementary, ..Recovered::default() };
    }
    // The eigenvalues of the companion matrix are the roots.
    let companion = Mat::from_fn(size, size, |row, column| match (row, column) {
        (0, column) => {
            if column % 2 == 0 {
                elementary[column]
            } else {
                -elementary[column]
            }
        }
        (row, column) if row == column + 1 => 1.0,
        _ => 0.0,
    });
    // If no roots are found, none are shown.
    let roots = companion.eigenvalues().unwrap_or_default();
    let mut roots: Vec<(f64, f64)> = roots.iter().map(|root| (root.re, root.im)).collect();
    roots.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let (numbers, imaginary) = roots.into_iter().unzip();
    Recovered { elementary, numbers, imaginary }
}

/// Newton's identities: k e_k = Σ_{i=1}^{k} (−1)^{i−1} e_{k−i} p_i.
fn elementary(sums: &[f64], size: usize) -> Vec<f64> {
    let mut e = vec![1.0];
    for k in 1..=size {
        let known = k <= sums.len();
        let term =
            |i: usize| if i % 2 == 1 { e[k - i] * sums[i - 1] } else { -e[k - i] * sums[i - 1] };
        let next = if known { (1..=k).map(term).sum::<f64>() / k as f64 } else { 0.0 };
        e.push(next);
    }
    e.split_off(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn newtons_identities_give_the_polynomial_of_the_numbers() {
        // (t − 1)(t − 3)(t − 4) = t³ − 8 t² + 19 t − 12
        let sums = power_sums(&[1.0, 3.0, 4.0], 3);
        assert_eq!(sums, [8.0, 26.0, 92.0]);
        let found = recover(&sums, 3);
        assert_eq!(found.elementary, [8.0, 19.0, 12.0]);
        assert!(found.error(&[4.0, 1.0, 3.0]) < 1e-12, "{found:?}");
    }

    #[test]
    fn equal_numbers_are_recovered_with_fewer_digits() {
        let numbers = [2.0, 2.0, 2.0, 5.0];
        let error = recover(&power_sums(&numbers, 4), 4).error(&numbers);
        assert!(error < 1e-3, "{error}");
    }

    #[test]
    fn two_sets_with_the_same_first_two_sums_are_indistinguishable_by_them() {
        let (one, other) = ([0.0, 3.0, 5.0, 6.0], [1.0, 2.0, 4.0, 7.0]);
        assert_eq!(power_sums(&one, 2), power_sums(&other, 2));
        assert_eq!(recover(&power_sums(&one, 2), 4), recover(&power_sums(&other, 2), 4));
        assert!(recover(&power_sums(&other, 4), 4).error(&one) > 0.5);
    }

    #[test]
    fn empty_sets_and_nan_give_no_roots() {
        assert!(recover(&[], 0).numbers.is_empty());
        assert!(recover(&[f64::NAN, 1.0], 2).numbers.is_empty());
        assert!(recover(&[1e300, 1e308], 2).numbers.is_empty());
    }

    proptest! {
        #[test]
        fn well_separated_numbers_are_recovered(gaps in prop::collection::vec(0.5_f64..1.5, 1..7)) {
            let numbers: Vec<f64> = gaps
                .iter()
                .scan(-4.0, |at, gap| { *at += gap; Some(*at) })
                .collect();
            let found = recover(&power_sums(&numbers, numbers.len()), numbers.len());
            prop_assert!(found.error(&numbers) < 1e-6, "{:?} {:?}", numbers, found);
        }
    }
}
