//! A fast tanh.
//!
//! candle calls the math library's tanh for each number; on the hidden layers of a
//! few thousand nodes that takes longer than the products.

/// tanh to within two units in the last place, without a branch, so that loops over
/// it are vectorised with the instruction set of the caller.
///
/// With e = exp(-2|x|) − 1, tanh|x| = −e / (2 + e). The exponential is 2^n times
/// the series of exp on [-½ ln 2, ½ ln 2].
#[allow(clippy::inline_always)]
#[inline(always)]
pub(super) fn tanh(x: f32) -> f32 {
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    /// Adding this rounds a number of moderate size to an integer.
    const ROUNDING: f32 = 12_582_912.0;
    let y = (-2.0 * x.abs()).max(-40.0);
    let whole = y * std::f32::consts::LOG2_E + ROUNDING;
    let power = f32::from_bits((whole.to_bits() << 23).wrapping_add(127 << 23));
    let whole = whole - ROUNDING;
    let r = y - whole * LN_2_HIGH - whole * LN_2_LOW;
    let series = 1.0 / 5040.0;
    let series = series * r + 1.0 / 720.0;
    let series = series * r + 1.0 / 120.0;
    let series = series * r + 1.0 / 24.0;
    let series = series * r + 1.0 / 6.0;
    let series = series * r + 0.5;
    let series = series * r * r + r;
    let e = power * series + (power - 1.0);
    let size = (-e / (2.0 + e)).copysign(x);
    // NaN must stay NaN, or a diverged run would go unnoticed.
    size + 0.0 * x
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tanh_agrees_with_the_library(x in -30.0_f32..30.0) {
            let exact = f64::from(x).tanh();
            prop_assert!((f64::from(tanh(x)) - exact).abs() <= 2.5e-7 * exact.abs().max(1e-30));
        }
    }

    #[test]
    fn infinities_give_one_and_nan_stays_nan() {
        assert!((tanh(1e30) - 1.0).abs() < 1e-6 && (tanh(-1e30) + 1.0).abs() < 1e-6);
        assert!(tanh(0.0).abs() < f32::MIN_POSITIVE);
        assert!(tanh(f32::NAN).is_nan() && tanh(f32::INFINITY).is_nan());
    }
}
