//! The same settings over several seeds: how much a curve varies.

use super::{Scalars, Score, Snapshot, TrainError, Trainer, mean_and_deviation};
use crate::model::PreparedGraph;
use crate::model::settings::Settings;
use gesf_graph::LabelKind;
use gesf_spectral::Cancel;

/// Metrics over the epochs, averaged over seeds.
#[derive(Debug, Clone, PartialEq)]
pub struct Band {
    /// How many seeds were run.
    pub seeds: usize,
    /// The mean of every epoch.
    pub mean: Vec<Scalars>,
    /// One standard deviation below it.
    pub low: Vec<Scalars>,
    /// One standard deviation above it.
    pub high: Vec<Scalars>,
    /// ρ over the grid of a snapshot at the end of each run.
    pub filters: Vec<Vec<f32>>,
}

/// Trains once for each seed, which decides both split and initialization; `None`
/// if it was cancelled before the first run was done. `tell` receives the number of
/// completed runs.
pub fn repeat(
    prepared: &PreparedGraph,
    settings: &Settings,
    seeds: &[u64],
    cancel: &Cancel,
    tell: &mut dyn FnMut(usize),
) -> Result<Option<Band>, TrainError> {
    let kind = prepared.graph.labels().kind();
    let mut runs: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut filters = Vec::new();
    for seed in seeds {
        let own = Settings { seed: *seed, ..settings.clone() };
        let mut trainer = Trainer::new(prepared.clone(), own)?;
        let mut run = Vec::with_capacity(settings.epochs);
        while !trainer.is_done() {
            if cancel.is_cancelled() {
                return Ok(band(&runs, filters, kind));
            }
            let scalars = trainer.step()?.scalars;
            let score = scalars.test_x.headline(kind).unwrap_or(f32::NAN);
            run.push((f64::from(scalars.total), f64::from(score)));
        }
        runs.push(run);
        filters.push(trainer.filter_at(&Snapshot::grid())?);
        tell(runs.len());
    }
    Ok(band(&runs, filters, kind))
}

fn band(runs: &[Vec<(f64, f64)>], filters: Vec<Vec<f32>>, kind: LabelKind) -> Option<Band> {
    let epochs = runs.iter().map(Vec::len).min()?;
    let figures = |epoch: usize, shift: f64| {
        let at = |pick: fn(&(f64, f64)) -> f64| {
            let values: Vec<f64> = runs.iter().map(|run| pick(&run[epoch])).collect();
            let (mean, deviation) = mean_and_deviation(&values);
            (mean + shift * deviation) as f32
        };
        let score = at(|own| own.1);
        Scalars { epoch, total: at(|own| own.0), test_x: scored(kind, score), ..Scalars::default() }
    };
    let line = |shift: f64| (0..epochs).map(|epoch| figures(epoch, shift)).collect();
    Some(Band { seeds: runs.len(), mean: line(0.0), low: line(-1.0), high: line(1.0), filters })
}

fn scored(kind: LabelKind, value: f32) -> Score {
    match kind {
        _ if value.is_nan() => Score::None,
        LabelKind::Numeric => Score::Numeric { rmse: f32::NAN, r2: value },
        _ => Score::Classes { accuracy: value, macro_f1: value, micro_f1: value, ranking: None },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_is_the_mean_plus_and_minus_one_deviation() {
        let runs = vec![vec![(1.0, 0.5), (0.5, 0.7)], vec![(3.0, 0.7), (0.5, 0.9), (9.0, 9.0)]];
        let band = band(&runs, Vec::new(), LabelKind::One).unwrap();
        assert_eq!((band.seeds, band.mean.len()), (2, 2), "as long as the shortest");
        let total = |line: &[Scalars]| line.iter().map(|own| own.total).collect::<Vec<_>>();
        assert_eq!(total(&band.mean), [2.0, 0.5]);
        let root = std::f32::consts::SQRT_2;
        assert_eq!(total(&band.low), [2.0 - root, 0.5]);
        assert_eq!(total(&band.high), [2.0 + root, 0.5]);
        let score = band.mean[1].test_x.headline(LabelKind::One).unwrap();
        assert!((score - 0.8).abs() < 1e-6);
    }
}
