//! Figures of a run as SVG, written by hand: few shapes, and every colour a
//! class, so that a page or a reader's preference decides light or dark.

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
pub use curves::{Curve, loss, scores};
pub use filter::{Frequencies, filter};
pub use hops::hops;
pub use map::{Places, map};
pub use scatter::scatter;

/// A drawing with what is said of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The name of its file, without ending.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub title: String,
    /// How to read it.
    pub caption: String,
    /// The drawing.
    pub drawing: Drawing,
}
