//! Drawing primitives that do not depend on the state.

mod canvas;
mod digits;
mod frame;
mod scale;
mod split;
mod text;

pub(super) use super::drawing::Pattern;
pub(super) use canvas::Canvas;
pub(super) use digits::{Size, figures};
pub(super) use frame::{Plot, card};
pub(super) use scale::{AxisScale, Scale, short};
pub(super) use split::{split_columns, split_rows};
pub(super) use text::{Writer, clipped, wrapped};
