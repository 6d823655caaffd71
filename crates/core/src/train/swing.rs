//! Detects an oscillating loss, a sign of a learning rate that is too large.

/// Number of recent epochs to check.
pub const SWING_EPOCHS: usize = 20;
/// A loss oscillates if its rises over those epochs add up to this share of it.
const SHARE: f32 = 0.5;
/// Fewer rises are normal: the start of a stage, a change of settings.
const FEWEST_RISES: usize = 4;

/// Whether the losses of successive epochs oscillate instead of falling.
///
/// ```
/// use gesf_core::train::swings;
///
/// let falling: Vec<f32> = (0..20).map(|epoch| 2.0 - 0.05 * epoch as f32).collect();
/// let swinging: Vec<f32> = (0..20).map(|epoch| 1.0 + 0.2 * (epoch % 2) as f32).collect();
/// assert!(!swings(&falling) && swings(&swinging));
/// ```
pub fn swings(losses: &[f32]) -> bool {
    let recent = &losses[losses.len().saturating_sub(SWING_EPOCHS)..];
    let rises = recent.windows(2).map(|pair| pair[1] - pair[0]).filter(|rise| *rise > 0.0);
    let mean = recent.iter().sum::<f32>() / recent.len().max(1) as f32;
    rises.clone().count() >= FEWEST_RISES && rises.sum::<f32>() > SHARE * mean.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jump_or_noise_is_not_an_oscillation() {
        let mut jump = vec![0.1; 10];
        jump.extend([3.0; 10]);
        assert!(!swings(&jump));
        let noise: Vec<f32> = (0..20).map(|epoch| 1.0 + 0.01 * (epoch % 2) as f32).collect();
        assert!(!swings(&noise));
        assert!(!swings(&[]) && !swings(&[f32::NAN; 20]));
    }
}
