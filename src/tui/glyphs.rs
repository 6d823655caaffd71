//! Glyph levels: how finely a terminal cell is divided, and which characters are used
//! for shapes.

use ratatui::symbols::pixel::OCTANTS;
use serde::Serialize;

/// Characters the terminal font supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Glyphs {
    /// ASCII only.
    Ascii,
    /// Quarter blocks.
    Block,
    /// Braille dots.
    #[default]
    Braille,
    /// Eighths of a cell (Unicode 16).
    Octant,
    /// Pictures, on terminals that display them; other shapes as with braille.
    Pixel,
}

/// Marker shapes that distinguish curves without colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// A round dot.
    Dot,
    /// A triangle.
    Triangle,
    /// A square.
    Square,
    /// A diamond.
    Diamond,
    /// A cross.
    Cross,
    /// A ring.
    Ring,
    /// An empty triangle.
    EmptyTriangle,
    /// An empty square.
    EmptySquare,
    /// A plus sign.
    Plus,
    /// A triangle that points down.
    DownTriangle,
    /// A star.
    Star,
}

impl Glyphs {
    /// Every level with its name.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("ascii", Self::Ascii),
        ("block", Self::Block),
        ("braille", Self::Braille),
        ("octant", Self::Octant),
        ("pixel", Self::Pixel),
    ];

    /// The level with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(own, _)| *own == name).map(|(_, rung)| *rung)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, rung)| *rung == self).map_or("", |(name, _)| name)
    }

    /// Detects the level from the environment: ASCII if the locale is not UTF-8 or
    /// the terminal is limited, otherwise braille, which nearly every font has.
    pub fn guess(variable: impl Fn(&str) -> Option<String>) -> Self {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .iter()
            .find_map(|name| variable(name).filter(|value| !value.is_empty()))
            .unwrap_or_default()
            .to_lowercase();
        let terminal = variable("TERM").unwrap_or_default();
        let plain = matches!(terminal.as_str(), "dumb" | "vt100" | "vt220" | "ansi" | "linux");
        let utf8 = locale.contains("utf-8") || locale.contains("utf8") || cfg!(windows);
        let named = !locale.is_empty();
        if plain || (named && !utf8) { Self::Ascii } else { Self::Braille }
    }

    /// Dots per cell, horizontally and vertically.
    pub fn dots(self) -> (usize, usize) {
        match self {
            Self::Ascii => (1, 2),
            Self::Block => (2, 2),
            Self::Braille | Self::Octant | Self::Pixel => (2, 4),
        }
    }

    /// The character for a cell whose dots are given row by row, lowest bit at the
    /// top left.
    pub fn cell(self, dots: u8) -> char {
        match self {
            Self::Ascii => [' ', '\'', '.', ':'][usize::from(dots & 3)],
            Self::Block => {
                const QUARTERS: [char; 16] = [
                    ' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█',
                ];
                QUARTERS[usize::from(dots & 15)]
            }
            Self::Braille | Self::Pixel => braille(dots),
            Self::Octant => OCTANTS[usize::from(dots)],
        }
    }

    /// Bars of 0 to 8 eighths, from empty to full.
    pub fn column(self, eighths: usize) -> char {
        match self {
            Self::Ascii => [' ', '.', '.', ':', ':', '|', '|', '#', '#'][eighths.min(8)],
            _ => [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'][eighths.min(8)],
        }
    }

    /// The character for a shape.
    pub fn shape(self, shape: Shape) -> char {
        let (plain, rich) = match shape {
            Shape::Dot => ('o', '●'),
            Shape::Triangle => ('^', '▲'),
            Shape::Square => ('#', '■'),
            Shape::Diamond => ('*', '◆'),
            Shape::Cross => ('x', '✕'),
            Shape::Ring => ('0', '○'),
            Shape::EmptyTriangle => ('A', '△'),
            Shape::EmptySquare => ('=', '□'),
            Shape::Plus => ('+', '✚'),
            Shape::DownTriangle => ('v', '▼'),
            Shape::Star => ('%', '★'),
        };
        self.pick(plain, rich)
    }

    /// Selects the plain or the rich variant.
    pub fn pick<T>(self, plain: T, rich: T) -> T {
        if self == Self::Ascii { plain } else { rich }
    }

    /// Text this level can display: formula letters are spelled out.
    pub fn text(self, text: &str) -> String {
        if self != Self::Ascii {
            return text.to_owned();
        }
        let mut plain = String::with_capacity(text.len());
        for letter in text.chars() {
            match letter {
                'ρ' => plain.push_str("rho"),
                'σ' => plain.push('s'),
                'λ' => plain.push_str("lambda"),
                'ψ' => plain.push_str("psi"),
                'φ' => plain.push_str("phi"),
                'α' => plain.push('a'),
                'η' => plain.push_str("eta"),
                'μ' => plain.push_str("mu"),
                'Σ' => plain.push_str("sum "),
                '‖' => plain.push('|'),
                '→' => plain.push_str("->"),
                '↔' => plain.push_str("<->"),
                '←' => plain.push_str("<-"),
                '…' => plain.push_str("..."),
                '−' | '–' | '·' => plain.push('-'),
                '×' | '✕' => plain.push('x'),
                '±' => plain.push_str("+-"),
                '²' => plain.push_str("^2"),
                '³' => plain.push_str("^3"),
                '⁴' => plain.push_str("^4"),
                'ᵏ' => plain.push_str("^k"),
                '₁' | '¹' => plain.push('1'),
                '₂' => plain.push('2'),
                '✓' => plain.push('+'),
                '≠' => plain.push_str("!="),
                'ᵤ' => plain.push_str("_u"),
                'ᵥ' => plain.push_str("_v"),
                '≤' => plain.push_str("<="),
                '≈' => plain.push('~'),
                '√' => plain.push_str("sqrt "),
                '≥' => plain.push_str(">="),
                'θ' => plain.push_str("theta"),
                'π' => plain.push_str("pi"),
                'ℓ' => plain.push('l'),
                'ᵀ' => plain.push_str("^T"),
                'ᵈ' => plain.push_str("^d"),
                'ⁿ' => plain.push_str("^n"),
                'ᵢ' => plain.push_str("_i"),
                '⁻' => plain.push_str("^-"),
                'ŷ' | 'ȳ' => plain.push('y'),
                '∇' => plain.push_str("grad "),
                '∂' => plain.push('d'),
                'ℝ' => plain.push('R'),
                '∈' => plain.push_str("in"),
                '∪' => plain.push_str("and"),
                'é' => plain.push('e'),
                own if own.is_ascii() => plain.push(own),
                _ => plain.push('?'),
            }
        }
        plain
    }
}

/// Unicode numbers braille dots by columns, not by rows.
fn braille(dots: u8) -> char {
    const ORDER: [u32; 8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80];
    let raised = (0..8).filter(|bit| dots & (1 << bit) != 0).map(|bit| ORDER[bit]);
    char::from_u32(0x2800 + raised.sum::<u32>()).unwrap_or(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_cell_is_full_at_every_level() {
        let full = Glyphs::NAMES.map(|(_, rung)| rung.cell(255));
        assert_eq!(full, [':', '█', '⣿', '█', '⣿']);
    }

    #[test]
    fn detection_uses_the_locale_and_the_terminal() {
        let with = |lang: &'static str, term: &'static str| {
            Glyphs::guess(move |name| match name {
                "LANG" => Some(lang.to_owned()),
                "TERM" => Some(term.to_owned()),
                _ => None,
            })
        };
        assert_eq!(with("en_GB.UTF-8", "xterm-256color"), Glyphs::Braille);
        assert_eq!(with("C", "xterm"), Glyphs::Ascii);
        assert_eq!(with("de_DE.UTF-8", "linux"), Glyphs::Ascii);
    }

    #[test]
    fn plain_text_is_ascii() {
        assert_eq!(Glyphs::Ascii.text("ρ(σ) ≤ λ²"), "rho(s) <= lambda^2");
        assert!(Glyphs::Ascii.text("‖x − R‖ → Ω").is_ascii());
    }
}
