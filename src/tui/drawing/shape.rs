//! The shapes of a drawing. Positions are columns and rows from the upper left corner
//! of its area, as fractions, so that they suit any resolution.

use ratatui::style::{Color, Modifier, Style};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::tui::colour::shown_rgb;
use crate::tui::glyphs::Shape as Sign;

/// Columns and rows from the upper left corner.
pub(crate) type Point = [f32; 2];

/// Opacity of the band between the lowest and the highest values of a curve.
const BAND: f32 = 0.35;
/// Opacity of columns behind a curve.
const COLUMN: f32 = 0.55;

/// Dash pattern of a line, so that curves differ without colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pattern {
    /// Continuous.
    Solid,
    /// Long dashes.
    Dashed,
    /// Single dots.
    Dotted,
}

impl Pattern {
    /// Lengths of a dash and of the gap after it, in columns; `None` for a solid line.
    pub fn dashes(self) -> Option<[f32; 2]> {
        match self {
            Self::Solid => None,
            Self::Dashed => Some([0.9, 0.7]),
            Self::Dotted => Some([0.02, 0.5]),
        }
    }
}

/// The colour of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ink {
    /// The style of its cells.
    pub style: Style,
    /// Whether it gives way to all other shapes.
    pub behind: bool,
}

impl Ink {
    /// Red, green and blue.
    pub fn rgb(&self) -> [u8; 3] {
        shown_rgb(self.style.fg.unwrap_or(Color::Reset))
    }

    /// Opacity from 0 to 1.
    pub fn opacity(&self) -> f32 {
        if self.style.add_modifier.contains(Modifier::DIM) { 0.6 } else { 1.0 }
    }
}

impl Serialize for Ink {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [red, green, blue] = self.rgb();
        let mut ink = serializer.serialize_struct("Ink", 2)?;
        ink.serialize_field("colour", &format!("#{red:02x}{green:02x}{blue:02x}"))?;
        ink.serialize_field("opacity", &self.opacity())?;
        ink.end()
    }
}

/// A shape.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Shape {
    /// A line of one or more paths, over which its pattern continues.
    Line {
        /// The corners of each path.
        paths: Vec<Vec<Point>>,
        /// The dash pattern.
        pattern: Pattern,
        /// The width in columns.
        width: f32,
        /// The colour.
        ink: Ink,
    },
    /// The ranges of a curve's values.
    Band {
        /// For each position: the column, the row of the lowest and of the highest value.
        spans: Vec<[f32; 3]>,
        /// The width of the curve in columns.
        width: f32,
        /// The colour.
        ink: Ink,
    },
    /// A filled rectangle that stands on its lower edge.
    Column {
        /// The left edge.
        left: f32,
        /// The upper edge.
        top: f32,
        /// The right edge.
        right: f32,
        /// The lower edge.
        bottom: f32,
        /// The colour.
        ink: Ink,
    },
    /// A dashed horizontal line through what is empty, under everything.
    Level {
        /// Its row.
        row: f32,
        /// The colour.
        ink: Ink,
    },
    /// A vertical line through what is empty.
    Upright {
        /// Its column.
        column: f32,
        /// The dash pattern.
        pattern: Pattern,
        /// The width in columns.
        width: f32,
        /// The colour.
        ink: Ink,
    },
    /// A sign at a place.
    Mark {
        /// The place.
        at: Point,
        /// The sign.
        sign: Sign,
        /// Half its width, in columns.
        radius: f32,
        /// The colour.
        ink: Ink,
    },
}

impl Shape {
    /// Its colour.
    pub fn ink(&self) -> &Ink {
        match self {
            Self::Line { ink, .. }
            | Self::Band { ink, .. }
            | Self::Column { ink, .. }
            | Self::Level { ink, .. }
            | Self::Upright { ink, .. }
            | Self::Mark { ink, .. } => ink,
        }
    }

    /// Opacity from 0 to 1.
    pub fn opacity(&self) -> f32 {
        let own = match self {
            Self::Band { .. } => BAND,
            Self::Column { .. } => COLUMN,
            _ => 1.0,
        };
        own * self.ink().opacity()
    }

    /// Its depth: lower ones are drawn first.
    pub fn depth(&self) -> u8 {
        match self {
            Self::Level { .. } | Self::Column { .. } => 0,
            _ if self.ink().behind => 1,
            Self::Mark { .. } => 3,
            _ => 2,
        }
    }
}

/// The outline of a sign of radius 1.
pub(crate) enum Outline {
    /// A circle.
    Circle,
    /// Paths through corners; closed ones end where they start.
    Paths(&'static [&'static [Point]]),
}

/// The outline of a sign, and whether it is filled.
pub(crate) fn outline(sign: Sign) -> (Outline, bool) {
    const TRIANGLE: &[Point] = &[[0.0, -1.05], [1.0, 0.8], [-1.0, 0.8], [0.0, -1.05]];
    const DOWN: &[Point] = &[[0.0, 1.05], [1.0, -0.8], [-1.0, -0.8], [0.0, 1.05]];
    const SQUARE: &[Point] =
        &[[-0.85, -0.85], [0.85, -0.85], [0.85, 0.85], [-0.85, 0.85], [-0.85, -0.85]];
    const DIAMOND: &[Point] = &[[0.0, -1.2], [1.0, 0.0], [0.0, 1.2], [-1.0, 0.0], [0.0, -1.2]];
    const CROSS: &[&[Point]] = &[&[[-0.75, -0.75], [0.75, 0.75]], &[[-0.75, 0.75], [0.75, -0.75]]];
    const PLUS: &[&[Point]] = &[&[[-0.95, 0.0], [0.95, 0.0]], &[[0.0, -0.95], [0.0, 0.95]]];
    const STAR: &[Point] = &[
        [0.0, -1.15],
        [0.27, -0.37],
        [1.09, -0.36],
        [0.44, 0.14],
        [0.68, 0.93],
        [0.0, 0.46],
        [-0.68, 0.93],
        [-0.44, 0.14],
        [-1.09, -0.36],
        [-0.27, -0.37],
        [0.0, -1.15],
    ];
    match sign {
        Sign::Dot => (Outline::Circle, true),
        Sign::Ring => (Outline::Circle, false),
        Sign::Triangle => (Outline::Paths(&[TRIANGLE]), true),
        Sign::EmptyTriangle => (Outline::Paths(&[TRIANGLE]), false),
        Sign::DownTriangle => (Outline::Paths(&[DOWN]), true),
        Sign::Square => (Outline::Paths(&[SQUARE]), true),
        Sign::EmptySquare => (Outline::Paths(&[SQUARE]), false),
        Sign::Diamond => (Outline::Paths(&[DIAMOND]), true),
        Sign::Star => (Outline::Paths(&[STAR]), true),
        Sign::Cross => (Outline::Paths(CROSS), false),
        Sign::Plus => (Outline::Paths(PLUS), false),
    }
}

/// Width of the lines of a sign that is not filled, as a share of its radius.
pub(crate) const SIGN_LINE: f32 = 0.45;
