//! How many messages a visitor may send.

use std::time::{Duration, Instant};

/// A bucket that fills steadily: short bursts pass, a flood has to wait.
#[derive(Debug)]
pub(super) struct Rate {
    per_second: f64,
    left: f64,
    at: Instant,
}

impl Rate {
    /// So many messages a second, and twice as many at once.
    pub(super) fn new(per_second: u32, now: Instant) -> Self {
        let per_second = f64::from(per_second.max(1));
        Self { per_second, left: 2.0 * per_second, at: now }
    }

    /// Counts a message; returns how long to wait before the next one is read.
    pub(super) fn count(&mut self, now: Instant) -> Option<Duration> {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.at = now;
        self.left = (self.left + passed * self.per_second).min(2.0 * self.per_second) - 1.0;
        (self.left < 0.0).then(|| Duration::from_secs_f64(-self.left / self.per_second))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_passes_and_a_flood_waits() {
        let start = Instant::now();
        let mut rate = Rate::new(100, start);
        let burst = (0..200).filter(|_| rate.count(start).is_some()).count();
        assert_eq!(burst, 0);
        let wait = rate.count(start).unwrap();
        assert!(wait <= Duration::from_millis(11), "{wait:?}");
        assert_eq!(rate.count(start + Duration::from_secs(1)), None);
    }
}
