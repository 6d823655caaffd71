//! Figures of a run as SVG with few shapes; every colour is a class, so that the
//! page or the reader's preference decides between light and dark.

mod canvas;
mod confusion;
mod curves;
mod filter;
mod hops;
mod map;
mod marks;
mod scale;
mod scatter;

pub use canvas::{Drawing, STYLE, escaped};
pub use confusion::confusion;
pub use curves::{FigureCurve, loss, scores};
pub use filter::{Frequencies, filter};
pub use hops::hops;
pub use map::{Places, map};
pub use scatter::scatter;

/// A drawing with its texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Its file name, without extension.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub title: String,
    /// How to read it.
    pub caption: String,
    /// The drawing.
    pub drawing: Drawing,
}
