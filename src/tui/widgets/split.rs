//! Splits an area in two with ratatui's layout.

use ratatui::layout::{Constraint, Layout, Rect};

/// The upper part with at most a number of rows, and the rest.
pub(crate) fn split_rows(area: Rect, rows: u16) -> (Rect, Rect) {
    let [upper, lower] =
        Layout::vertical([Constraint::Length(rows.min(area.height)), Constraint::Fill(1)])
            .areas(area);
    (upper, lower)
}

/// The left part with at most a number of columns, and the rest.
pub(crate) fn split_columns(area: Rect, columns: u16) -> (Rect, Rect) {
    let [left, right] =
        Layout::horizontal([Constraint::Length(columns.min(area.width)), Constraint::Fill(1)])
            .areas(area);
    (left, right)
}
