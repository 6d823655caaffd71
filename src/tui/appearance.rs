//! Appearance: the colours and glyphs that every view needs.

use super::colour::Depth;
use super::glyphs::Glyphs;
use super::theme::{THEMES, Theme};

/// Colours and glyphs.
#[derive(Debug, Clone, PartialEq)]
pub struct Appearance {
    /// The colours.
    pub theme: Theme,
    /// The glyphs.
    pub glyphs: Glyphs,
    /// Colour depth of the terminal.
    pub depth: Depth,
}

impl Appearance {
    /// The appearance with a named theme; the first theme if the name is unknown.
    pub fn new(theme: &str, glyphs: Glyphs, depth: Depth) -> Self {
        let theme = Theme::named(theme, depth)
            .or_else(|| Theme::named(THEMES[0].0, depth))
            .unwrap_or_else(|| Theme::without_colour(theme));
        Self { theme, glyphs, depth }
    }

    /// The same with the next theme.
    #[must_use]
    pub fn with_next_theme(&self) -> Self {
        let at = THEMES.iter().position(|(name, _)| *name == self.theme.name).unwrap_or(0);
        Self::new(THEMES[(at + 1) % THEMES.len()].0, self.glyphs, self.depth)
    }

    /// The same with the next glyph level.
    #[must_use]
    pub fn with_next_glyphs(&self) -> Self {
        let at = Glyphs::NAMES.iter().position(|(_, rung)| *rung == self.glyphs).unwrap_or(0);
        let glyphs = Glyphs::NAMES[(at + 1) % Glyphs::NAMES.len()].1;
        Self { glyphs, ..self.clone() }
    }
}
