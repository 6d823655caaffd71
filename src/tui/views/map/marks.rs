//! The look of a mark: a sign and a style. Colour and shape say the same.

use ratatui::style::{Color, Modifier, Style};

use crate::tui::appearance::Appearance;
use crate::tui::colour::{reduced, rgb};
use crate::tui::glyphs::Shape;
use crate::tui::map::NodeMark;
use crate::tui::theme::CLASSES;

/// Shapes of classes, each from light to heavy, plain and rich.
const SHAPES: [([char; 3], [char; 3]); 8] = [
    (['o', 'o', 'O'], ['∘', '○', '●']),
    (['^', '^', 'A'], ['▵', '△', '▲']),
    (['x', 'x', 'X'], ['×', '×', '✕']),
    (['#', '#', '#'], ['▫', '□', '■']),
    (['*', '*', '*'], ['⋄', '◇', '◆']),
    (['v', 'v', 'V'], ['▿', '▽', '▼']),
    (['+', '+', '+'], ['+', '+', '✚']),
    (['%', '%', '&'], ['⋆', '☆', '★']),
];
/// Pairs of colour and shape before they would repeat: the least number that
/// both counts divide.
const ROUND: usize = 24;
/// Signs of a ramp, from little to much.
const RAMP: ([char; 8], [char; 8]) =
    (['.', ',', ':', 'c', 'o', 'O', '0', '@'], ['·', '∘', '○', '◔', '◑', '◕', '◉', '●']);

/// How much is drawn at a place: what share of the most that is drawn anywhere.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weight {
    step: usize,
    bright: f64,
}

impl Weight {
    /// The weight of so many nodes where the most crowded cell has `most`.
    pub(super) fn of(count: u32, most: u32) -> Self {
        let step = match count {
            0 | 1 => 0,
            2 | 3 => 1,
            _ => 2,
        };
        let share = f64::from(count + 1).ln() / f64::from(most + 1).ln();
        Self { step, bright: (0.7 + 0.3 * share).min(1.0) }
    }

    /// A node by itself.
    pub(super) const FULL: Self = Self { step: 2, bright: 1.0 };
}

/// The sign and style of a mark.
pub(super) fn shown(mark: NodeMark, weight: Weight, look: &Appearance) -> (char, Style) {
    let (theme, glyphs) = (&look.theme, look.glyphs);
    let pick = |(plain, rich): ([char; 3], [char; 3])| glyphs.pick(plain, rich)[weight.step];
    let (sign, style) = match mark {
        NodeMark::Class(at) => {
            let shape = SHAPES[(at + at / ROUND) % SHAPES.len()];
            (pick(shape), theme.classes[at % CLASSES])
        }
        NodeMark::Ramp(at, of) => {
            let signs = glyphs.pick(RAMP.0, RAMP.1);
            let last = of.saturating_sub(1).max(1);
            let place = (2 * at * (signs.len() - 1) + last) / (2 * last);
            (signs[place.min(signs.len() - 1)], ramp(at.min(last), last, look))
        }
        NodeMark::Signed(step) => {
            let size = usize::from(step.unsigned_abs());
            let (plain, rich) = if step < 0 {
                (['.', '-', 'v', 'V'], ['·', '▿', '▽', '▼'])
            } else {
                (['.', '+', '^', 'A'], ['·', '▵', '△', '▲'])
            };
            let colour = if step < 0 { theme.curves[5] } else { theme.curves[3] };
            let style = if size == 0 { theme.ghost } else { colour };
            return (glyphs.pick(plain, rich)[size.min(3)], style);
        }
        NodeMark::Right => (pick((['o', 'o', 'O'], ['∘', '○', '●'])), theme.good),
        NodeMark::Partly => (glyphs.pick('%', '◐'), theme.curves[4]),
        NodeMark::Wrong => (glyphs.pick('x', '×'), theme.warn),
        NodeMark::SurelyWrong => (glyphs.pick('X', '✕'), theme.bad),
        NodeMark::Several => (glyphs.pick('&', '⊕'), theme.text),
        NodeMark::Other => (glyphs.pick(',', '▪'), theme.faint),
        NodeMark::Unknown => (glyphs.pick('.', '·'), theme.ghost),
    };
    (sign, dimmed(style, weight, look))
}

/// The sign of a mark in a picture.
pub(super) fn drawn_sign(mark: NodeMark) -> Shape {
    const CLASSES: [Shape; SHAPES.len()] = [
        Shape::Dot,
        Shape::Triangle,
        Shape::Cross,
        Shape::Square,
        Shape::Diamond,
        Shape::DownTriangle,
        Shape::Plus,
        Shape::Star,
    ];
    match mark {
        NodeMark::Class(at) => CLASSES[(at + at / ROUND) % CLASSES.len()],
        NodeMark::Signed(step) if step > 0 => Shape::Triangle,
        NodeMark::Signed(step) if step < 0 => Shape::DownTriangle,
        NodeMark::Wrong | NodeMark::SurelyWrong => Shape::Cross,
        NodeMark::Several => Shape::Plus,
        NodeMark::Partly => Shape::Ring,
        NodeMark::Other => Shape::EmptySquare,
        _ => Shape::Dot,
    }
}

/// Between the ground and the style by the weight.
fn dimmed(style: Style, weight: Weight, look: &Appearance) -> Style {
    let (front, prepared) = (style.fg.and_then(rgb), look.theme.background.bg.and_then(rgb));
    match (front, prepared) {
        (Some(front), Some(prepared)) => {
            let exact = blended(prepared, front, weight.bright);
            style.fg(reduced(exact, look.depth))
        }
        _ if weight.step == 2 => style.add_modifier(Modifier::BOLD),
        _ => style,
    }
}

/// From what steps back, by way of a cool colour, to a warm one.
fn ramp(at: usize, last: usize, look: &Appearance) -> Style {
    let theme = &look.theme;
    let stops = [theme.ghost, theme.curves[0], theme.curves[4], theme.warn];
    let place = at as f64 / last as f64 * (stops.len() - 1) as f64;
    let (below, share) = (place.floor() as usize, place.fract());
    let above = (below + 1).min(stops.len() - 1);
    match (stops[below].fg.and_then(rgb), stops[above].fg.and_then(rgb)) {
        (Some(from), Some(to)) => Style::new().fg(reduced(blended(from, to, share), look.depth)),
        _ => stops[place.round() as usize],
    }
}

fn blended(from: [u8; 3], to: [u8; 3], share: f64) -> Color {
    let part = |n: usize| {
        let (from, to) = (f64::from(from[n]), f64::from(to[n]));
        (from + share * (to - from)).round() as u8
    };
    Color::Rgb(part(0), part(1), part(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::colour::Depth;
    use crate::tui::glyphs::Glyphs;

    #[test]
    fn as_many_classes_differ_in_colour_or_shape_as_have_their_own_mark() {
        for glyphs in [Glyphs::Ascii, Glyphs::Braille] {
            let look = Appearance::new("dark", glyphs, Depth::True);
            let looks: Vec<(char, Style)> =
                (0..48).map(|at| shown(NodeMark::Class(at), Weight::FULL, &look)).collect();
            for (at, own) in looks.iter().enumerate() {
                assert!(!looks[..at].contains(own), "{at}");
            }
        }
    }

    #[test]
    fn without_colour_steps_and_verdicts_differ_in_shape() {
        let look = Appearance::new("dark", Glyphs::Braille, Depth::None);
        let verdicts = [
            NodeMark::Right,
            NodeMark::Partly,
            NodeMark::Wrong,
            NodeMark::SurelyWrong,
            NodeMark::Unknown,
        ];
        let signs = verdicts.map(|mark| shown(mark, Weight::FULL, &look).0);
        let steps = |of: usize| (0..of).map(move |at| NodeMark::Ramp(at, of));
        let drawn = |mark| shown(mark, Weight::FULL, &look).0;
        let ramps = (1..=8).map(|of| steps(of).map(drawn).collect::<Vec<char>>());
        for list in ramps.chain([signs.to_vec()]) {
            for at in 0..list.len() {
                assert!(!list[..at].contains(&list[at]), "{list:?}");
            }
        }
    }
}
