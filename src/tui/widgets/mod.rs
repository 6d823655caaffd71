//! Parts that draw without knowing what they draw.

mod canvas;
mod frame;
mod scale;
mod text;

pub use canvas::{Canvas, Pattern};
pub use frame::{Plot, card};
pub use scale::{Scale, Spread, short};
pub use text::{Writer, clipped, wrapped};
