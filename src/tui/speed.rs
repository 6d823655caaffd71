//! Training speed: unlimited, or limited so that the user can watch.

use std::path::PathBuf;

use crate::files::write_atomically;
use crate::folders;

/// Selectable limits in epochs per second, in ascending order.
const STEPS: [f32; 8] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0];

/// Frames and explanations that nobody asked for may take one part in so many of the
/// time: they take it from training.
pub(super) const UNASKED_RESTS: u32 = 100;

/// A limit in epochs per second; `None` is unlimited.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Speed(Option<f32>);

impl Speed {
    /// Limits training to a number of epochs per second.
    pub fn limited(epochs: f32) -> Self {
        Self(Some(epochs).filter(|epochs| epochs.is_finite() && *epochs > 0.0))
    }

    /// The limit in epochs per second.
    pub fn limit(self) -> Option<f32> {
        self.0
    }

    /// The next slower limit.
    pub(super) fn slower(self) -> Self {
        let below = |step: &&f32| self.0.is_none_or(|now| **step < now);
        Self(Some(STEPS.iter().rev().find(below).copied().unwrap_or(STEPS[0])))
    }

    /// The next faster limit, or unlimited.
    pub(super) fn faster(self) -> Self {
        Self(self.0.and_then(|now| STEPS.iter().find(|step| **step > now).copied()))
    }

    /// The speed chosen last.
    pub fn remembered() -> Self {
        let text = file().and_then(|file| crate::files::read_small(&file).ok());
        text.and_then(|text| text.trim().parse().ok()).map_or(Self::default(), Self::limited)
    }

    /// Saves it for the next start; failing to save is not an error.
    pub(super) fn save(self) {
        let Some(file) = file() else { return };
        let text = self.0.map_or_else(|| "max\n".to_owned(), |epochs| format!("{epochs}\n"));
        let _ = file.parent().map(std::fs::create_dir_all);
        let _ = write_atomically(&file, |out| out.write_all(text.as_bytes()));
    }
}

fn file() -> Option<PathBuf> {
    Some(folders::data()?.join("speed.txt"))
}

impl std::fmt::Display for Speed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            None => f.write_str("full speed"),
            Some(1.0) => f.write_str("at most 1 epoch per second"),
            Some(epochs) => write!(f, "at most {epochs} epochs per second"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_lead_from_one_epoch_a_second_to_full_speed_and_back() {
        let mut speed = Speed::default();
        for expected in STEPS.iter().rev() {
            speed = speed.slower();
            assert_eq!(speed.limit(), Some(*expected));
        }
        assert_eq!(speed.slower(), speed);
        for expected in &STEPS[1..] {
            speed = speed.faster();
            assert_eq!(speed.limit(), Some(*expected));
        }
        assert_eq!(speed.faster(), Speed::default());
        assert_eq!(Speed::limited(7.0).slower().limit(), Some(5.0));
        assert_eq!(Speed::limited(f32::NAN), Speed::default());
    }
}
