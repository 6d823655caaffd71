//! Metrics of a run over its epochs, at two resolutions: recent ones in full, the
//! whole run in spans with their minimum and maximum. A run of a hundred thousand
//! epochs is drawn as fast as a short one.

use std::collections::VecDeque;

/// Number of epochs stored individually.
const RECENT: usize = 1 << 14;
/// Number of spans stored for the whole run; twice as many are merged to this.
const SPANS: usize = 1 << 11;

/// Summary of a range of epochs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// The lowest value.
    pub low: f32,
    /// The highest value.
    pub high: f32,
    /// The last value.
    pub last: f32,
}

impl Span {
    fn of(value: f32) -> Self {
        Self { low: value, high: value, last: value }
    }

    fn joined(self, later: Self) -> Self {
        Self { low: self.low.min(later.low), high: self.high.max(later.high), last: later.last }
    }
}

/// One metric over the epochs. Non-finite values count as missing.
#[derive(Debug, Clone, Default)]
pub struct Series {
    recent: VecDeque<f32>,
    spans: Vec<Option<Span>>,
    /// Epochs per span: a power of two.
    stride: usize,
    count: usize,
}

impl Series {
    /// Appends the value of the next epoch.
    pub fn push(&mut self, value: f32) {
        self.stride = self.stride.max(1);
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(value);
        let found = value.is_finite().then_some(Span::of(value));
        if self.count.is_multiple_of(self.stride) {
            if self.spans.len() == 2 * SPANS {
                self.fold();
            }
            if self.count.is_multiple_of(self.stride) {
                self.spans.push(None);
            }
        }
        if let Some(last) = self.spans.last_mut() {
            *last = joined(*last, found);
        }
        self.count += 1;
    }

    fn fold(&mut self) {
        let pairs = self.spans.chunks(2);
        self.spans = pairs.map(|pair| joined(pair[0], pair.get(1).copied().flatten())).collect();
        self.stride *= 2;
    }

    /// The epochs before a given one; if they are stored in spans, the last span is
    /// kept whole.
    #[must_use]
    pub fn before(&self, epoch: usize) -> Self {
        let count = epoch.min(self.count);
        let first_recent = self.count - self.recent.len();
        let recent = self.recent.iter().take(count.saturating_sub(first_recent)).copied();
        let spans = self.spans.iter().take(count.div_ceil(self.stride.max(1))).copied();
        Self { recent: recent.collect(), spans: spans.collect(), stride: self.stride, count }
    }

    /// Number of epochs.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are no epochs.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The latest value.
    pub fn last(&self) -> Option<f32> {
        self.recent.back().copied().filter(|value| value.is_finite())
    }

    /// The value at an epoch: exact for recent epochs, otherwise the last value of
    /// its span.
    pub fn at(&self, epoch: usize) -> Option<f32> {
        self.between(epoch, epoch + 1).map(|span| span.last)
    }

    /// Summary of the epochs from `from` up to `to`, exclusive.
    pub fn between(&self, from: usize, to: usize) -> Option<Span> {
        let to = to.min(self.count);
        if from >= to {
            return None;
        }
        let first_recent = self.count - self.recent.len();
        if from >= first_recent {
            let range = self.recent.range(from - first_recent..to - first_recent);
            let finite = range.filter(|value| value.is_finite());
            return finite.map(|value| Span::of(*value)).reduce(Span::joined);
        }
        let (first, last) = (from / self.stride, (to - 1) / self.stride);
        self.spans[first..=last].iter().copied().reduce(joined).flatten()
    }
}

fn joined(a: Option<Span>, b: Option<Span>) -> Option<Span> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.joined(b)),
        (one, other) => other.or(one),
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Values are stored unchanged.
mod tests {
    use super::*;

    #[test]
    fn a_long_run_keeps_its_extremes_in_bounded_memory() {
        let mut series = Series::default();
        for epoch in 0..300_000_usize {
            series.push(if epoch == 12_345 { -9.0 } else { epoch as f32 });
        }
        let whole = series.between(0, 300_000).unwrap();
        assert_eq!((whole.low, whole.high, whole.last), (-9.0, 299_999.0, 299_999.0));
        assert!(series.spans.len() <= 2 * SPANS && series.recent.len() == RECENT);
        assert_eq!(series.between(299_990, 299_995).unwrap().high, 299_994.0);
        let around = series.between(12_300, 12_400).unwrap();
        assert_eq!(around.low, -9.0);
        assert!(series.at(12_345).is_some());
    }

    #[test]
    fn a_truncated_series_can_be_extended() {
        let mut series = Series::default();
        (0..100).for_each(|epoch| series.push(epoch as f32));
        let mut part = series.before(40);
        part.push(-1.0);
        assert_eq!(
            (part.len(), part.at(39), part.at(40), part.at(41)),
            (41, Some(39.0), Some(-1.0), None)
        );
    }

    #[test]
    fn missing_values_stay_missing() {
        let mut series = Series::default();
        for value in [1.0, f32::NAN, 3.0] {
            series.push(value);
        }
        assert_eq!(series.at(1), None);
        assert_eq!(series.at(2), Some(3.0));
        assert_eq!(series.at(3), None);
        assert_eq!(series.between(0, 3).unwrap().high, 3.0);
    }
}
