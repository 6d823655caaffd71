//! Polynomials on [-1, 1], in three bases.

/// A basis of the polynomials of a degree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// 1, s, s², …: coefficients are hop weights.
    Monomial,
    /// T_0, T_1, T_2, …
    Chebyshev,
    /// The Bernstein basis over [-1, 1]: coefficients are heights along the axis.
    Bernstein,
}

impl Basis {
    /// Every element of the basis at one point.
    pub fn values(self, s: f64, degree: usize) -> Vec<f32> {
        let mut values = vec![0.0; degree + 1];
        match self {
            Self::Monomial => {
                values.iter_mut().fold(1.0, |power, value| {
                    *value = power;
                    power * s
                });
            }
            Self::Chebyshev => {
                values.iter_mut().fold((1.0, s), |(now, next), value| {
                    *value = now;
                    (next, 2.0 * s * next - now)
                });
            }
            Self::Bernstein => {
                let right = f64::midpoint(1.0, s).clamp(0.0, 1.0);
                // Built up degree by degree: no large binomials.
                values[0] = 1.0;
                for grown in 1..=degree {
                    for at in (0..=grown).rev() {
                        let below = if at > 0 { values[at - 1] } else { 0.0 };
                        let own = if at < grown { values[at] } else { 0.0 };
                        values[at] = (1.0 - right) * own + right * below;
                    }
                }
            }
        }
        values.into_iter().map(|value| value as f32).collect()
    }

    /// The coefficients of ρ(s) = s, or of 1 where the degree is 0.
    pub fn identity(self, degree: usize) -> Vec<f32> {
        let one_at = |place: usize| (0..=degree).map(|n| f32::from(u8::from(n == place))).collect();
        match self {
            _ if degree == 0 => vec![1.0],
            Self::Monomial | Self::Chebyshev => one_at(1),
            Self::Bernstein => (0..=degree).map(|n| 2.0 * n as f32 / degree as f32 - 1.0).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_identity_is_the_identity_in_every_basis(s in -1.0_f64..1.0, degree in 1..20_usize) {
            for basis in [Basis::Monomial, Basis::Chebyshev, Basis::Bernstein] {
                let terms = basis.values(s, degree).into_iter().zip(basis.identity(degree));
                let sum: f32 = terms.map(|(value, factor)| value * factor).sum();
                prop_assert!((f64::from(sum) - s).abs() < 1e-5, "{basis:?} {sum}");
            }
        }

        #[test]
        fn the_bernstein_basis_sums_to_one(s in -1.0_f64..1.0, degree in 0..30_usize) {
            let sum: f32 = Basis::Bernstein.values(s, degree).iter().sum();
            prop_assert!((sum - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn chebyshev_polynomials_are_cosines() {
        let values = Basis::Chebyshev.values(0.3, 8);
        for (n, value) in values.iter().enumerate() {
            let exact = (n as f64 * 0.3_f64.acos()).cos();
            assert!((f64::from(*value) - exact).abs() < 1e-6);
        }
    }
}
