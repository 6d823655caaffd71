//! Maps numbers to positions on the page, and chooses round tick values.

/// An axis: an interval of numbers and one of the page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    log: bool,
}

impl Scale {
    /// A linear axis. An empty or invalid interval is widened.
    pub(super) fn linear((low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        let (low, high) = match (low, high) {
            (low, high) if !low.is_finite() || !high.is_finite() => (0.0, 1.0),
            (low, high) if high - low <= 1e-12 * low.abs().max(1e-300) => (low - 0.5, low + 0.5),
            ends => ends,
        };
        Self { low, high, from, to, log: false }
    }

    /// A logarithmic axis; linear if a number is not above 0.
    pub(super) fn log((low, high): (f64, f64), place: (f64, f64)) -> Self {
        if !(low > 0.0 && high.is_finite() && low.is_finite()) {
            return Self::linear((low, high), place);
        }
        // Below a factor of two a linear axis is easier to read.
        if high / low < 2.0 {
            return Self::linear((low, high), place);
        }
        Self { low, high, from: place.0, to: place.1, log: true }
    }

    /// The position of a number.
    pub(super) fn at(&self, value: f64) -> f64 {
        let share = if self.log {
            (value.max(f64::MIN_POSITIVE) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.from + share * (self.to - self.from)
    }

    /// About this many round tick values, with their texts.
    pub(super) fn ticks(&self, about: usize) -> Vec<(f64, String)> {
        if self.log { self.log_ticks(about) } else { self.linear_ticks(about) }
    }

    fn linear_ticks(&self, about: usize) -> Vec<(f64, String)> {
        let rough = (self.high - self.low) / about.max(1) as f64;
        let power = 10.0_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|by| by * power);
        let step = step.into_iter().find(|step| *step >= rough * 0.999).unwrap_or(power * 10.0);
        let digits = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
        let first = (self.low / step - 1e-9).ceil();
        (0..=3 * about)
            .map(|n| (first + n as f64) * step)
            .take_while(|value| *value <= self.high + 1e-9 * step)
            .map(|value| {
                let value = if value.abs() < step * 1e-9 { 0.0 } else { value };
                (value, written(value, digits))
            })
            .collect()
    }

    fn log_ticks(&self, about: usize) -> Vec<(f64, String)> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let decades = f64::from(last - first).max(1.0);
        let factors: &[f64] = match decades {
            d if d <= 2.0 => &[1.0, 2.0, 5.0],
            d if d <= 3.0 => &[1.0, 3.0],
            _ => &[1.0],
        };
        let every = (decades / about.max(1) as f64).ceil().max(1.0) as usize;
        (first..=last)
            .step_by(every)
            .flat_map(|power| factors.iter().map(move |by| by * 10.0_f64.powi(power)))
            .filter(|value| (self.low * 0.999..=self.high * 1.001).contains(value))
            .map(|value| {
                (value, written(value, (-value.log10().floor()).clamp(0.0, 12.0) as usize))
            })
            .collect()
    }
}

/// A number with this many decimals; very large and very small ones in scientific
/// notation.
fn written(value: f64, digits: usize) -> String {
    if value != 0.0 && (value.abs() >= 1e6 || digits > 5) {
        return format!("{value:.0e}");
    }
    format!("{value:.digits$}").replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let texts = |scale: Scale| -> Vec<String> {
            scale.ticks(5).into_iter().map(|tick| tick.1).collect()
        };
        assert_eq!(
            texts(Scale::linear((0.0, 1.0), (0.0, 100.0))),
            ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
        );
        assert_eq!(texts(Scale::linear((-1.0, 1.0), (0.0, 100.0)))[0], "−1.0");
        assert_eq!(
            texts(Scale::log((0.01, 10.0), (0.0, 100.0))),
            ["0.01", "0.03", "0.1", "0.3", "1", "3", "10"]
        );
    }

    #[test]
    fn no_interval_gives_an_invalid_position() {
        for ends in [(1.0, 1.0), (f64::NAN, 2.0), (0.0, f64::INFINITY), (0.0, 0.0), (5.0, 1.0)] {
            for scale in [Scale::linear(ends, (0.0, 10.0)), Scale::log(ends, (0.0, 10.0))] {
                assert!(scale.at(1.0).is_finite(), "{ends:?}");
                assert!(scale.ticks(5).iter().all(|tick| tick.0.is_finite()));
            }
        }
    }
}
