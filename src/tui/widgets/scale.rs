//! Axes: conversion between values and positions, and ticks at round numbers.

/// Axis scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AxisScale {
    /// Linear.
    #[default]
    Linear,
    /// Logarithmic.
    Log,
}

/// A range of values along an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    spread: AxisScale,
}

impl Scale {
    /// From the lowest to the highest value; an empty range is widened.
    pub fn new(low: f64, high: f64, spread: AxisScale) -> Self {
        let floor = if spread == AxisScale::Log { 1e-12 } else { f64::MIN };
        let (low, high) = (low.max(floor), high.max(floor));
        let (low, high) = if high > low {
            (low, high)
        } else {
            let room = if low == 0.0 { 1.0 } else { low.abs() * 0.5 };
            (low - room, high + room)
        };
        Self { low, high, spread }
    }

    /// The lowest value.
    pub fn low(&self) -> f64 {
        self.low
    }

    /// The highest value.
    pub fn high(&self) -> f64 {
        self.high
    }

    /// The position of a value: 0 at the low end, 1 at the high one.
    pub fn share(&self, value: f64) -> f64 {
        match self.spread {
            AxisScale::Linear => (value - self.low) / (self.high - self.low),
            AxisScale::Log => {
                let value = value.max(self.low * 1e-3);
                (value / self.low).ln() / (self.high / self.low).ln()
            }
        }
    }

    /// The value at a position.
    pub fn value(&self, share: f64) -> f64 {
        match self.spread {
            AxisScale::Linear => self.low + share * (self.high - self.low),
            AxisScale::Log => self.low * (self.high / self.low).powf(share),
        }
    }

    /// Round values inside the range, at most about `most`.
    pub fn ticks(&self, most: usize) -> Vec<f64> {
        let most = most.max(2);
        if self.spread == AxisScale::Log {
            let (first, last) = (self.low.log10(), self.high.log10());
            let decades = (last.floor() - first.ceil() + 1.0).max(0.0) as usize;
            if decades >= 2 {
                let every = decades.div_ceil(most);
                return (0..decades)
                    .step_by(every)
                    .map(|n| 10_f64.powi(first.ceil() as i32 + n as i32))
                    .collect();
            }
            let marks = (first.floor() as i32..=last.ceil() as i32)
                .flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power)));
            let inside: Vec<f64> =
                marks.filter(|mark| (self.low..=self.high).contains(mark)).collect();
            if inside.len() >= 2 {
                let every = inside.len().div_ceil(most);
                return inside.into_iter().step_by(every).collect();
            }
        }
        let step = round_step((self.high - self.low) / most as f64);
        let first = (self.low / step - 1e-9).ceil();
        (0..=2 * most)
            .map(|n| (first + n as f64) * step)
            .take_while(|tick| *tick <= self.high + step * 1e-9)
            .map(|tick| if tick.abs() < step * 1e-9 { 0.0 } else { tick })
            .collect()
    }
}

/// The smallest of 1, 2, 5 · 10ⁿ that is not below `least`.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.abs().max(1e-300).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
    step.into_iter().find(|step| *step >= least * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

/// A number in few characters: 0.00123, 12.3, 4.5e-7, 120k.
pub(crate) fn short(value: f64) -> String {
    let size = value.abs();
    let trimmed = |text: String| {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        }
    };
    match size {
        _ if !value.is_finite() => "-".to_owned(),
        _ if size == 0.0 => "0".to_owned(),
        _ if size < 1e-3 => {
            let text = format!("{value:.1e}");
            text.replace(".0e", "e")
        }
        _ if size < 1.0 => trimmed(format!("{value:.3}")),
        _ if size < 10.0 => trimmed(format!("{value:.2}")),
        _ if size < 100.0 => trimmed(format!("{value:.1}")),
        _ if size < 1e4 => format!("{value:.0}"),
        _ if size < 1e6 => format!("{}k", trimmed(format!("{:.1}", value / 1e3))),
        _ if size < 1e9 => format!("{}M", trimmed(format!("{:.1}", value / 1e6))),
        _ => format!("{value:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside_the_range() {
        assert_eq!(
            Scale::new(0.0, 300.0, AxisScale::Linear).ticks(6),
            [0.0, 50.0, 100.0, 150.0, 200.0, 250.0, 300.0]
        );
        assert_eq!(Scale::new(0.004, 30.0, AxisScale::Log).ticks(6), [0.01, 0.1, 1.0, 10.0]);
        assert_eq!(
            Scale::new(0.3, 0.8, AxisScale::Log).ticks(4).len(),
            2.max(Scale::new(0.3, 0.8, AxisScale::Log).ticks(4).len())
        );
        let flat = Scale::new(2.0, 2.0, AxisScale::Linear);
        assert!(!flat.ticks(4).is_empty());
    }

    #[test]
    fn values_and_positions_round_trip() {
        for spread in [AxisScale::Linear, AxisScale::Log] {
            let scale = Scale::new(0.01, 100.0, spread);
            for value in [0.01, 0.5, 3.0, 100.0] {
                assert!((scale.value(scale.share(value)) - value).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 0.000_45, 0.0125, 3.0, 12.34, 250.0, 120_000.0, 3.2e6].map(short);
        assert_eq!(shown, ["0", "4.5e-4", "0.013", "3", "12.3", "250", "120k", "3.2M"]);
    }
}
