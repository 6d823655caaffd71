//! Which combinations of settings are tried: all of a grid, or some drawn at random.

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::model::random::{below, stream, unit};
use crate::model::settings::{AppliesAt, SettingError, Settings, find, set};

/// A setting and the values to try.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The name of the setting.
    pub key: &'static str,
    /// The values.
    pub choices: Choices,
}

/// The values of an axis.
#[derive(Debug, Clone, PartialEq)]
pub enum Choices {
    /// These, as they are typed.
    List(Vec<String>),
    /// Numbers between two ends, for random search.
    Range {
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
        /// Whether their logarithms are uniform instead of the numbers.
        logarithmic: bool,
        /// Whether only integers are drawn.
        whole: bool,
    },
}

/// Why a grid is invalid.
#[derive(Debug, thiserror::Error)]
pub enum GridError {
    /// An axis with invalid syntax.
    #[error(
        "--grid: found `{0}`, expected KEY=VALUE,VALUE…, for example --grid lambda=1,10\n  \
         help: write + for a comma inside a value: balance=10+100"
    )]
    Form(String),
    /// A setting that the sweep itself controls.
    #[error("--grid: found `{0}`, expected a setting of the model\n  help: {1}")]
    Reserved(&'static str, &'static str),
    /// A range where values are listed.
    #[error(
        "--grid: found a range for `{0}`, expected a list of values\n  help: draw from ranges \
         with --random N"
    )]
    Range(&'static str),
    /// The same setting twice.
    #[error(
        "--grid: found `{0}` twice, expected each setting once\n  help: list all its values in one --grid"
    )]
    Twice(&'static str),
    /// An unknown setting or an invalid value.
    #[error("--grid: {0}")]
    Setting(#[from] SettingError),
}

impl Axis {
    /// Reads `key=value,value`. Numbers for several node types, which are
    /// written with commas elsewhere, have a + between them here.
    pub fn parse(text: &str) -> Result<Self, GridError> {
        let (name, values) =
            text.split_once('=').ok_or_else(|| GridError::Form(text.to_owned()))?;
        let key = find(name.trim())?.key;
        match key {
            "seed" => return Err(GridError::Reserved(key, "set the number of seeds with --seeds")),
            "labelled" => return Err(GridError::Reserved(key, "list the shares with --labelled")),
            _ => {}
        }
        if let Some(choices) = range(values) {
            let Choices::Range { low, high, logarithmic, .. } = choices else {
                return Err(GridError::Form(text.to_owned()));
            };
            if !(low < high && high.is_finite() && (low > 0.0 || !logarithmic)) {
                return Err(GridError::Form(text.to_owned()));
            }
            for end in [low, high] {
                set(&mut Settings::default(), key, &end.to_string())?;
            }
            return Ok(Self { key, choices });
        }
        let values: Vec<String> = values
            .split(',')
            .map(|value| value.trim().replace('+', ","))
            .filter(|value| !value.is_empty())
            .collect();
        if values.is_empty() {
            return Err(GridError::Form(text.to_owned()));
        }
        for value in &values {
            set(&mut Settings::default(), key, value)?;
        }
        Ok(Self { key, choices: Choices::List(values) })
    }

    /// Whether its values need a new spectrum.
    fn is_slow(&self) -> bool {
        find(self.key).is_ok_and(|setting| setting.effect == AppliesAt::RestartsSpectrum)
    }
}

/// `LOW..HIGH` or `log:LOW..HIGH`; `None` for a list.
fn range(text: &str) -> Option<Choices> {
    let (low, high) = text.split_once("..")?;
    let (low, logarithmic) = match low.trim().strip_prefix("log:") {
        Some(low) => (low.trim(), true),
        None => (low.trim(), false),
    };
    let high = high.trim();
    let whole = low.parse::<u64>().is_ok() && high.parse::<u64>().is_ok();
    // What is no number fails the checks of the ends.
    let number = |text: &str| text.parse::<f64>().unwrap_or(f64::NAN);
    Some(Choices::Range { low: number(low), high: number(high), logarithmic, whole })
}

impl Choices {
    /// One of the values.
    fn draw(&self, random: &mut ChaCha8Rng) -> String {
        match self {
            Self::List(values) => values[below(random, values.len())].clone(),
            &Self::Range { low, high, logarithmic, whole } => {
                let at = unit(random);
                let drawn = if logarithmic {
                    (low.ln() + at * (high.ln() - low.ln())).exp()
                } else if whole {
                    // Both ends are as likely as the others.
                    low + (at * (high - low + 1.0)).floor()
                } else {
                    low + at * (high - low)
                };
                let drawn = if whole { drawn.round() } else { rounded(drawn) };
                drawn.clamp(low, high).to_string()
            }
        }
    }
}

/// Four significant digits: short to read, and the same on every machine.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// All combinations of some axes.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::train::sweep::{Axis, Grid};
///
/// let axes = vec![Axis::parse("lambda=1,10")?, Axis::parse("matrix=sym,sym-loops")?];
/// let grid = Grid::new(axes)?;
/// assert_eq!(grid.keys(), ["balance", "matrix"]);
/// // A new spectrum costs most, so the matrix changes least often.
/// let points = grid.points()?;
/// let matrices: Vec<_> = points.iter().filter_map(|point| point.value("matrix")).collect();
/// assert_eq!(matrices, ["sym", "sym", "sym-loops", "sym-loops"]);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Grid {
    axes: Vec<Axis>,
}

/// One combination.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Point(pub Vec<(String, String)>);

impl Grid {
    /// The grid of some axes.
    pub fn new(axes: Vec<Axis>) -> Result<Self, GridError> {
        for (at, axis) in axes.iter().enumerate() {
            if axes[..at].iter().any(|other| other.key == axis.key) {
                return Err(GridError::Twice(axis.key));
            }
        }
        Ok(Self { axes })
    }

    /// The swept settings, in the given order.
    pub fn keys(&self) -> Vec<&'static str> {
        self.axes.iter().map(|axis| axis.key).collect()
    }

    /// Every combination. Settings that need a new spectrum change least often.
    pub fn points(&self) -> Result<Vec<Point>, GridError> {
        let mut points = vec![Point::default()];
        for axis in self.slow_first() {
            let Choices::List(values) = &axis.choices else {
                return Err(GridError::Range(axis.key));
            };
            points = points
                .iter()
                .flat_map(|point| {
                    values.iter().map(move |value| {
                        let mut longer = point.clone();
                        longer.0.push((axis.key.to_owned(), value.clone()));
                        longer
                    })
                })
                .collect();
        }
        Ok(points)
    }

    /// Different combinations drawn at random; fewer than requested only if there are
    /// no more. Those that share a spectrum follow each other.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use gesf_core::train::sweep::{Axis, Grid};
    ///
    /// let axes = [Axis::parse("lr=log:0.001..0.1")?, Axis::parse("self_term=keep,drop")?];
    /// let grid = Grid::new(axes.into())?;
    /// assert_eq!(grid.random_points(8, 1).len(), 8);
    /// assert_eq!(grid.random_points(8, 1), grid.random_points(8, 1));
    /// # Ok(()) }
    /// ```
    pub fn random_points(&self, count: usize, seed: u64) -> Vec<Point> {
        /// Draws in a row that give nothing new, before there is nothing new.
        const PATIENCE: usize = 1000;
        let mut random = stream(seed, "random search");
        let axes = self.slow_first();
        let mut points: Vec<Point> = Vec::new();
        let mut known = 0;
        while points.len() < count && known < PATIENCE {
            let values = axes.iter().map(|own| (own.key.to_owned(), own.choices.draw(&mut random)));
            let point = Point(values.collect());
            if points.contains(&point) {
                known += 1;
            } else {
                points.push(point);
                known = 0;
            }
        }
        let slow = axes.iter().filter(|axis| axis.is_slow()).count();
        // Stable: otherwise in the order they were drawn.
        points.sort_by(|a, b| a.0[..slow].cmp(&b.0[..slow]));
        points
    }

    fn slow_first(&self) -> Vec<&Axis> {
        let (slow, quick): (Vec<&Axis>, Vec<&Axis>) =
            self.axes.iter().partition(|axis| axis.is_slow());
        [slow, quick].concat()
    }
}

impl Point {
    /// The settings with this combination applied.
    #[must_use]
    pub fn over(&self, settings: &Settings) -> Settings {
        let mut settings = settings.clone();
        for (key, value) in &self.0 {
            // Every value was validated when the axis was parsed.
            let _ = set(&mut settings, key, value);
        }
        settings
    }

    /// The value of a setting.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == key).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(axes: &[&str]) -> Result<Grid, GridError> {
        Grid::new(axes.iter().map(|text| Axis::parse(text)).collect::<Result<_, _>>()?)
    }

    #[test]
    fn every_combination_occurs_once_and_spectra_change_least_often() {
        let grid = grid(&["lambda=1,10", "matrix=sym,sym-loops", "self_term=keep,drop"]).unwrap();
        let points = grid.points().unwrap();
        assert_eq!(points.len(), 8);
        assert_eq!(grid.keys(), ["balance", "matrix", "self_term"]);
        let matrices: Vec<&str> =
            points.iter().map(|point| point.value("matrix").unwrap()).collect();
        assert_eq!(matrices[..4], ["sym"; 4]);
        for (at, point) in points.iter().enumerate() {
            assert!(!points[..at].contains(point));
        }
    }

    #[test]
    fn a_plus_stands_for_the_comma_inside_a_value() {
        let axis = Axis::parse("balance=10+100,5").unwrap();
        assert_eq!(axis.choices, Choices::List(vec!["10,100".into(), "5".into()]));
    }

    #[test]
    fn random_combinations_stay_in_their_ranges_and_differ() {
        let grid = grid(&["lr=log:0.001..0.1", "hidden=8..16", "matrix=sym,sym-loops"]).unwrap();
        let points = grid.random_points(40, 3);
        assert_eq!(points.len(), 40);
        for (at, point) in points.iter().enumerate() {
            let rate: f64 = point.value("learning_rate").unwrap().parse().unwrap();
            let hidden: usize = point.value("hidden").unwrap().parse().unwrap();
            assert!((0.001..=0.1).contains(&rate) && (8..=16).contains(&hidden), "{point:?}");
            assert!(!points[..at].contains(point));
        }
        assert!(points.is_sorted_by_key(|point| point.value("matrix").unwrap().to_owned()));
        assert_ne!(points, grid.random_points(40, 4));
    }

    #[test]
    fn a_small_grid_gives_all_it_has() {
        let grid = grid(&["self_term=keep,drop", "lambda=1,10"]).unwrap();
        assert_eq!(grid.random_points(9, 0).len(), 4);
    }

    #[test]
    fn errors_show_what_to_write_instead() {
        let said = |axes: &[&str]| grid(axes).unwrap_err().to_string();
        assert!(said(&["balance"]).contains("KEY=VALUE"));
        assert!(said(&["balanse=1"]).contains("`balance`"));
        assert!(said(&["matrix=sim"]).contains("`sym`"));
        assert!(said(&["seed=1,2"]).contains("--seeds"));
        assert!(said(&["lambda=1", "balance=2"]).contains("twice"));
        for range in ["lr=0.1..0.001", "lr=a..b", "lr=log:0..1", "hidden=1.."] {
            assert!(said(&[range]).contains("KEY=VALUE"), "{range}");
        }
        let ranges = grid(&["lr=0.001..0.1"]).unwrap();
        assert!(ranges.points().unwrap_err().to_string().contains("--random"));
    }
}
