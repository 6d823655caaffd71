//! A column chart in text, with a resolution of an eighth of a line.

/// Lines of text, from the top, in which column n is as high as value n.
pub(super) fn draw(values: &[f64], rows: usize) -> Vec<String> {
    const PARTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = values.iter().copied().fold(0.0, f64::max);
    let eighths: Vec<usize> = values
        .iter()
        .map(|&value| {
            let share = if most > 0.0 { (value / most).clamp(0.0, 1.0) } else { 0.0 };
            let height = (share * (rows * 8) as f64).round() as usize;
            // Non-zero values stay visible.
            if value > 0.5 { height.max(1) } else { height }
        })
        .collect();
    (0..rows)
        .rev()
        .map(|row| eighths.iter().map(|&e| PARTS[e.saturating_sub(8 * row).min(8)]).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_value_fills_its_column_and_zero_leaves_it_empty() {
        assert_eq!(draw(&[2.0, 1.0, 0.0], 2), ["█  ", "██ "]);
        assert_eq!(draw(&[100.0, 0.6], 1), ["█▁"]);
        assert_eq!(draw(&[0.0], 1), [" "]);
    }
}
