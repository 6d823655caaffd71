//! Validation of edge weights, shared by all formats.

use super::super::error::quoted;
use super::super::{Cell, Column, GraphError, Reading};
use super::value::Property;

/// An edge weight: a finite, non-negative number. `None` if the row is skipped.
pub(super) fn checked_weight(
    text: &str,
    line: u64,
    reading: &mut Reading,
) -> Result<Option<f32>, GraphError> {
    match text.trim().parse::<f32>() {
        Ok(weight) if weight.is_finite() && weight >= 0.0 => Ok(Some(weight)),
        parsed => {
            let (expected, advice) = match parsed {
                Ok(weight) if weight < 0.0 => ("a weight of 0 or more", "use non-negative weights"),
                // A number too large for the type parses as infinite.
                Ok(_) if text.trim().parse().is_ok_and(f64::is_finite) => (
                    "a weight of at most 3.4e38, the largest 32-bit number",
                    "divide all weights by the same number",
                ),
                _ => ("a finite number as weight", "fix the weight"),
            };
            reading.bad_row(line, quoted(text), expected, advice)?;
            Ok(None)
        }
    }
}

/// The weight among the properties of an edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Weighing {
    /// Not given.
    Silent,
    /// The weight.
    Stated(f32),
    /// Invalid: the edge is skipped.
    Bad,
}

/// Finds and checks the weight among properties.
pub(super) fn weigh(
    properties: &[Property<'_>],
    line: u64,
    reading: &mut Reading,
) -> Result<Weighing, GraphError> {
    let stated = properties.iter().rev().find(|property| is_weight(&property.name));
    let Some(text) = stated.map(|p| p.value.text.as_ref()).filter(|text| !text.is_empty()) else {
        return Ok(Weighing::Silent);
    };
    Ok(checked_weight(text, line, reading)?.map_or(Weighing::Bad, Weighing::Stated))
}

/// Whether a property with this name is the weight.
pub(super) fn is_weight(name: &str) -> bool {
    name.eq_ignore_ascii_case("weight")
}

/// Takes the weights from a column called `value`, used by older tools. The name
/// may also have another meaning: a column with anything other than valid weights
/// stays a column.
pub(super) fn take_values(columns: &mut Vec<Column>) -> Option<Vec<f32>> {
    let at = columns.iter().position(|column| column.name.eq_ignore_ascii_case("value"))?;
    let weight = |cell: &Cell| match cell {
        Cell::Empty => Some(1.0),
        cell => cell.number().map(|n| n as f32).filter(|w| w.is_finite() && *w >= 0.0),
    };
    let weights = columns[at].cells.iter().map(weight).collect::<Option<Vec<f32>>>()?;
    columns.remove(at);
    Some(weights)
}

#[cfg(test)]
mod tests {
    use super::super::super::OnBadRow;
    use super::*;

    #[test]
    fn a_weight_is_finite_and_not_negative() {
        let mut reading = Reading::new("x", OnBadRow::Skip);
        for (text, weight) in [(" 2.5 ", Some(2.5)), ("0", Some(0.0)), ("1e-7", Some(1e-7))] {
            assert_eq!(checked_weight(text, 1, &mut reading).unwrap(), weight, "{text}");
        }
        for bad in ["-1", "nan", "inf", "1e99", "heavy", ""] {
            assert_eq!(checked_weight(bad, 1, &mut reading).unwrap(), None, "{bad}");
        }
        assert_eq!(reading.skipped, 6);
    }

    #[test]
    fn a_weight_that_is_too_large_is_reported_as_such() {
        let said = |text| {
            let mut reading = Reading::new("x", OnBadRow::Fail);
            checked_weight(text, 1, &mut reading).unwrap_err().to_string()
        };
        assert!(said("1e300").contains("at most 3.4e38, the largest 32-bit"), "{}", said("1e300"));
        assert!(said("inf").contains("a finite number as weight"));
    }

    #[test]
    fn values_are_weights_only_if_all_are_valid() {
        let column = |cells| vec![Column { name: "Value".into(), cells }];
        let mut good = column(vec![Cell::Number(2.0), Cell::Empty]);
        assert_eq!(take_values(&mut good), Some(vec![2.0, 1.0]));
        assert!(good.is_empty());
        let mut other = column(vec![Cell::Number(2.0), Cell::text("high")]);
        assert_eq!(take_values(&mut other), None);
        assert_eq!(other.len(), 1);
    }
}
