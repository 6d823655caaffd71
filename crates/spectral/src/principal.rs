//! Principal components.

use faer::{Mat, Side};

/// The first two principal components: each row projected on them, and the share of
/// the variance of each. NaN counts as 0, and the sign of a component is fixed by
/// its largest entry.
///
/// ```
/// use gesf_spectral::principal_components;
///
/// let (points, shares) = principal_components(&[0.0, 1.0, 3.0, 1.0, 6.0, 1.0], 2);
/// assert_eq!(points[2][0] - points[0][0], 6.0);
/// assert_eq!(shares, [1.0, 0.0]);
/// ```
pub fn principal_components(values: &[f32], width: usize) -> (Vec<[f64; 2]>, [f64; 2]) {
    let width = width.max(1);
    let rows = values.len() / width;
    let number = |value: &f32| if value.is_finite() { f64::from(*value) } else { 0.0 };
    let mut mean = vec![0.0; width];
    for row in values.chunks_exact(width) {
        mean.iter_mut().zip(row).for_each(|(sum, value)| *sum += number(value));
    }
    for sum in &mut mean {
        *sum /= rows.max(1) as f64;
    }
    let centred = |row: &[f32], own: &mut [f64]| {
        for ((own, value), mean) in own.iter_mut().zip(row).zip(&mean) {
            *own = number(value) - mean;
        }
    };
    let mut covariance = Mat::<f64>::zeros(width, width);
    let mut own = vec![0.0; width];
    for row in values.chunks_exact(width) {
        centred(row, &mut own);
        for (column, &by) in own.iter().enumerate() {
            let sums = covariance.col_as_slice_mut(column);
            sums[column..]
                .iter_mut()
                .zip(&own[column..])
                .for_each(|(sum, value)| *sum += by * value);
        }
    }
    let total: f64 = (0..width).map(|at| covariance[(at, at)]).sum();
    let Ok(eigen) = covariance.self_adjoint_eigen(Side::Lower) else {
        return (vec![[0.0; 2]; rows], [0.0; 2]);
    };
    // faer gives eigenvalues in ascending order.
    let axes: Vec<Vec<f64>> = (0..width.min(2))
        .map(|at| {
            let column = eigen.U().col(width - 1 - at);
            let axis: Vec<f64> = column.iter().copied().collect();
            let most =
                axis.iter().copied().fold(0.0, |a: f64, b| if b.abs() > a.abs() { b } else { a });
            if most < 0.0 { axis.iter().map(|value| -value).collect() } else { axis }
        })
        .collect();
    let share = |at: usize| match width.checked_sub(at + 1) {
        Some(column) if total > 0.0 => eigen.S().column_vector()[column] / total,
        _ => 0.0,
    };
    let along = |axis: &[f64], own: &[f64]| axis.iter().zip(own).map(|(a, b)| a * b).sum::<f64>();
    let points = values
        .chunks_exact(width)
        .map(|row| {
            centred(row, &mut own);
            [0, 1].map(|at| axes.get(at).map_or(0.0, |axis| along(axis, &own)))
        })
        .collect();
    (points, [0, 1].map(share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_component_is_found_with_its_share() {
        let rows: Vec<f32> = (0..50).flat_map(|n| [n as f32, 0.5 * (n % 2) as f32, 7.0]).collect();
        let (points, [one, two]) = principal_components(&rows, 3);
        assert!(one > 0.99 && two < 0.01 && one + two <= 1.0 + 1e-9);
        assert!((points[49][0] - points[0][0] - 49.0).abs() < 0.1, "{points:?}");
    }

    #[test]
    fn no_rows_no_width_and_one_number_per_row_do_not_panic() {
        assert!(principal_components(&[], 4).0.is_empty());
        assert_eq!(principal_components(&[1.0, 2.0], 1).0.len(), 2);
        assert_eq!(principal_components(&[1.0, f32::NAN], 0).0.len(), 2);
    }
}
