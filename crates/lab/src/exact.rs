//! Exact sums that do not depend on the order of addition.
//!
//! A sum of f32 rounds after every addition, so (a + b) + c and a + (b + c) may
//! differ in their last bits. Here every number is added exactly, as an integer
//! multiple of 2⁻¹⁴⁹, into one long integer; integer addition does not depend on
//! the order, and there is a single rounding at the end.

/// 32-bit limbs: 278 bits hold any f32, the rest is space for carries.
const LIMBS: usize = 10;
const LIMB_BITS: i32 = 32;
const LOW: i64 = 0xffff_ffff;
/// The smallest positive f32 is 2 to the power of minus this.
const SMALLEST: i32 = 149;
/// After this many additions a limb could overflow: carries are propagated before.
const CARRY_AFTER: u32 = 1 << 30;

/// A running sum of f32 values, exact until it is read.
///
/// ```
/// use gesf_lab::ExactSum;
///
/// let numbers = [1e8_f32, 1.0, -1e8];
/// assert_eq!(numbers.iter().sum::<f32>(), 0.0);
/// assert_eq!(numbers.into_iter().collect::<ExactSum>().value(), 1.0);
/// ```
#[derive(Debug, Clone, Default)]
pub struct ExactSum {
    limbs: [i64; LIMBS],
    added: u32,
    above: bool,
    below: bool,
    no_number: bool,
}

impl ExactSum {
    /// Adds a number.
    pub fn add(&mut self, value: f32) {
        if !value.is_finite() {
            self.no_number |= value.is_nan();
            self.above |= value > 0.0;
            self.below |= value < 0.0;
            return;
        }
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 23) & 0xff, bits & 0x7f_ffff);
        // A subnormal number has no hidden bit, and the exponent of the next
        // larger.
        let (mantissa, shift) =
            if exponent == 0 { (fraction, 0) } else { (fraction | 0x80_0000, exponent - 1) };
        let wide = i64::from(mantissa) << (shift % 32);
        let sign = if bits >> 31 == 1 { -1 } else { 1 };
        let at = (shift / 32) as usize;
        self.limbs[at] += sign * (wide & LOW);
        self.limbs[at + 1] += sign * (wide >> LIMB_BITS);
        self.added += 1;
        if self.added >= CARRY_AFTER {
            carry(&mut self.limbs);
            self.added = 0;
        }
    }

    /// The sum, rounded once to the nearest f32.
    pub fn value(&self) -> f32 {
        match (self.no_number || (self.above && self.below), self.above, self.below) {
            (true, ..) => return f32::NAN,
            (_, true, _) => return f32::INFINITY,
            (_, _, true) => return f32::NEG_INFINITY,
            _ => {}
        }
        let mut limbs = self.limbs;
        carry(&mut limbs);
        let negative = limbs[LIMBS - 1] < 0;
        if negative {
            limbs = limbs.map(|limb| -limb);
            carry(&mut limbs);
        }
        let Some(highest) = limbs.iter().rposition(|limb| *limb != 0) else { return 0.0 };
        let lowest = highest.saturating_sub(2);
        let top = limbs[lowest..=highest]
            .iter()
            .rev()
            .fold(0_u128, |sum, limb| (sum << LIMB_BITS) | u128::from(limb.unsigned_abs()));
        // The lower bits only decide whether the number is above or below a tie.
        let rest = limbs[..lowest].iter().any(|limb| *limb != 0);
        let rounded = f64::from((top | u128::from(rest)) as f32);
        let size = (rounded * two_to(lowest as i32 * LIMB_BITS - SMALLEST)) as f32;
        if negative { -size } else { size }
    }
}

impl Extend<f32> for ExactSum {
    fn extend<T: IntoIterator<Item = f32>>(&mut self, values: T) {
        values.into_iter().for_each(|value| self.add(value));
    }
}

impl FromIterator<f32> for ExactSum {
    fn from_iter<T: IntoIterator<Item = f32>>(values: T) -> Self {
        let mut sum = Self::default();
        sum.extend(values);
        sum
    }
}

/// Brings every limb but the last into 0 ≤ limb < 2³².
fn carry(limbs: &mut [i64; LIMBS]) {
    for at in 0..LIMBS - 1 {
        limbs[at + 1] += limbs[at] >> LIMB_BITS;
        limbs[at] &= LOW;
    }
}

/// An exact power of two as f64.
fn two_to(power: i32) -> f64 {
    f64::from_bits(((1023 + power) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn exact(values: &[f32]) -> f32 {
        values.iter().copied().collect::<ExactSum>().value()
    }

    #[test]
    fn sums_equal_arithmetic() {
        assert_eq!(exact(&[]).to_bits(), 0.0_f32.to_bits());
        assert_eq!(exact(&[1.0, 2.0, -3.5]).to_bits(), (-0.5_f32).to_bits());
        // Left to right the ones would be lost beside the large number.
        let mut values = vec![1e10_f32];
        values.extend([1.0; 4096]);
        values.push(-1e10);
        assert_eq!(exact(&values).to_bits(), 4096.0_f32.to_bits());
        let ends = [f32::MAX, f32::MIN_POSITIVE, -f32::MAX, f32::from_bits(1)];
        let small = f64::from(f32::MIN_POSITIVE) + f64::from(f32::from_bits(1));
        assert_eq!(exact(&ends).to_bits(), (small as f32).to_bits());
    }

    #[test]
    fn overflow_and_nan_give_the_same_result_in_any_order() {
        assert!(exact(&[f32::MAX, f32::MAX]).is_infinite());
        assert!(exact(&[f32::MAX, f32::MAX, -f32::MAX]).to_bits() == f32::MAX.to_bits());
        assert!(
            exact(&[f32::INFINITY, 1.0]) > f32::MAX && exact(&[-1.0, f32::NEG_INFINITY]) < f32::MIN
        );
        for order in [[f32::INFINITY, f32::NEG_INFINITY], [f32::NEG_INFINITY, f32::INFINITY]] {
            assert!(exact(&order).is_nan());
        }
        assert!(exact(&[f32::NAN, 1.0]).is_nan());
    }

    #[test]
    fn ties_round_to_even() {
        let (one, half) = (1.0_f32, f32::EPSILON / 2.0);
        assert_eq!(exact(&[one, half]).to_bits(), one.to_bits());
        assert_eq!(exact(&[one, half, f32::from_bits(1)]).to_bits(), one.to_bits() + 1);
        assert_eq!(exact(&[one, f32::EPSILON, half]).to_bits(), one.to_bits() + 2);
    }

    proptest! {
        #[test]
        fn any_order_gives_the_same_bits(
            bits in prop::collection::vec(any::<u32>(), 0..40), seed in any::<u64>(),
        ) {
            let values: Vec<f32> = bits.iter().map(|bits| f32::from_bits(*bits)).collect();
            let mut other = values.clone();
            let mut random = gesf_core::model::random::stream(seed, "order");
            gesf_core::model::random::shuffle(&mut random, &mut other);
            let (one, other) = (exact(&values), exact(&other));
            prop_assert!(one.to_bits() == other.to_bits() || (one.is_nan() && other.is_nan()));
        }

        #[test]
        fn sums_that_fit_f64_are_rounded_like_f64(
            values in prop::collection::vec(-1000_i32..1000, 0..50),
        ) {
            let values: Vec<f32> = values.into_iter().map(|n| n as f32 / 64.0).collect();
            let wide: f64 = values.iter().map(|value| f64::from(*value)).sum();
            prop_assert_eq!(exact(&values).to_bits(), (wide as f32 + 0.0).to_bits());
        }
    }
}
