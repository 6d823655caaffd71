//! Which combinations of settings are tried.

use crate::model::settings::{AppliesAt, SettingError, Settings, find, set};

/// A setting and the values to try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// The name of the setting.
    pub key: &'static str,
    /// The values, as they are typed.
    pub values: Vec<String>,
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
        Ok(Self { key, values })
    }
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
/// let points = grid.points();
/// let matrices: Vec<_> = points.iter().filter_map(|point| point.value("matrix")).collect();
/// assert_eq!(matrices, ["sym", "sym", "sym-loops", "sym-loops"]);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Grid {
    axes: Vec<Axis>,
}

/// One combination.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
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
    pub fn points(&self) -> Vec<Point> {
        let slow = |axis: &&Axis| {
            let effect = find(axis.key).map(|setting| setting.effect);
            effect.is_ok_and(|effect| effect == AppliesAt::RestartsSpectrum)
        };
        let mut order: Vec<&Axis> = self.axes.iter().filter(slow).collect();
        order.extend(self.axes.iter().filter(|axis| !slow(axis)));
        let mut points = vec![Point::default()];
        for axis in order {
            points = points
                .iter()
                .flat_map(|point| {
                    axis.values.iter().map(move |value| {
                        let mut longer = point.clone();
                        longer.0.push((axis.key.to_owned(), value.clone()));
                        longer
                    })
                })
                .collect();
        }
        points
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
        let points = grid.points();
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
        assert_eq!(axis.values, ["10,100", "5"]);
    }

    #[test]
    fn errors_show_what_to_write_instead() {
        let said = |axes: &[&str]| grid(axes).unwrap_err().to_string();
        assert!(said(&["balance"]).contains("KEY=VALUE"));
        assert!(said(&["balanse=1"]).contains("`balance`"));
        assert!(said(&["matrix=sim"]).contains("`sym`"));
        assert!(said(&["seed=1,2"]).contains("--seeds"));
        assert!(said(&["lambda=1", "balance=2"]).contains("twice"));
    }
}
