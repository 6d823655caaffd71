//! Parts that draw without knowing what they draw.

mod canvas;
mod digits;
mod frame;
mod scale;
mod text;

pub(super) use canvas::{Canvas, Pattern};
pub(super) use digits::{Size, figures};
pub(super) use frame::{Plot, card};
pub(super) use scale::{Scale, Spread, short};
pub(super) use text::{Writer, clipped, wrapped};
