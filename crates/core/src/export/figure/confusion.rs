//! The confusion matrix.

use super::canvas::{Drawing, Frame};

/// Minimum and maximum size of a cell.
const SIDE: (f64, f64) = (9.0, 44.0);
/// Approximate size of all cells together.
const ROOM: f64 = 380.0;
/// Maximum length of a shown name.
const LETTERS: usize = 22;

/// A table of counts: rows are the true classes, columns the predicted ones. Cells
/// are shaded by their share of the row.
///
/// ```
/// use gesf_core::export::figure::confusion;
///
/// let names = ["cats & dogs".to_owned(), "birds".to_owned()];
/// let file = confusion(&names, &[vec![8, 2], vec![1, 9]]).file("Who was taken for whom");
/// assert!(file.starts_with("<svg") && file.contains("cats &amp; dogs"));
/// ```
pub fn confusion(names: &[String], counts: &[Vec<u32>]) -> Drawing {
    let side = (ROOM / names.len().max(1) as f64).clamp(SIDE.0, SIDE.1);
    let letters = names.iter().map(|name| name.chars().count().min(LETTERS)).max().unwrap_or(0);
    let every = (14.0 / side).ceil().max(1.0) as usize;
    let margin = 34.0 + 6.6 * letters as f64;
    let across = side * names.len() as f64;
    let above = 24.0 + 6.6 * letters as f64 * 0.72;
    let mut drawing = Drawing::new(margin + across + above.max(60.0), above + across + 34.0);
    let mut shades = Vec::new();
    for (row, own) in counts.iter().enumerate() {
        let all = own.iter().sum::<u32>().max(1);
        for (column, &count) in own.iter().enumerate() {
            let (left, top) = (margin + side * column as f64, above + side * row as f64);
            let share = f64::from(count) / f64::from(all);
            let cell = Frame {
                left: left + 0.5,
                top: top + 0.5,
                right: left + side - 0.5,
                bottom: top + side - 0.5,
            };
            drawing.rect(cell, "shade", "");
            if count > 0 {
                let opacity = format!(" fill-opacity=\"{:.2}\"", 0.08 + 0.92 * share);
                drawing.rect(cell, "cell", &opacity);
            }
            shades.push((left, top, count, share));
        }
    }
    if side >= 22.0 {
        for (left, top, count, share) in shades.into_iter().filter(|cell| cell.2 > 0) {
            let class = if share > 0.45 { "mid small onheat" } else { "mid small strong" };
            let middle = (left + side / 2.0, top + side / 2.0 + 3.5);
            drawing.text(middle, class, &count.to_string());
        }
    }
    for (at, name) in names.iter().enumerate().filter(|(at, _)| at % every == 0) {
        let middle = side * (at as f64 + 0.5);
        let name = shortened(name, LETTERS);
        drawing.text((margin - 8.0, above + middle + 4.0), "end strong", &name);
        drawing.rotated((margin + middle + 3.0, above - 7.0), -45.0, "strong", &name);
    }
    drawing.rotated((12.0, above + across / 2.0), -90.0, "mid", "true class");
    drawing.text((margin + across / 2.0, above + across + 20.0), "mid", "predicted class");
    drawing
}

/// A name shortened to `most` characters.
pub(super) fn shortened(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return name.to_owned();
    }
    let kept: String = name.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}
