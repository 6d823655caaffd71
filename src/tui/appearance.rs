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
    /// Whether the terminal displays pictures.
    pub has_pixels: bool,
}

impl Appearance {
    /// The appearance with a named theme; the first theme if the name is unknown.
    pub fn new(theme: &str, glyphs: Glyphs, depth: Depth) -> Self {
        let theme = Theme::named(theme, depth)
            .or_else(|| Theme::named(THEMES[0].0, depth))
            .unwrap_or_else(|| Theme::without_colour(theme));
        Self { theme, glyphs, depth, has_pixels: false }
    }

    /// Draws pixels if the terminal displays them, and characters if it does not.
    pub fn show_pixels(&mut self, has_pixels: bool) {
        self.has_pixels = has_pixels;
        self.glyphs = match self.glyphs {
            _ if has_pixels => Glyphs::Pixel,
            Glyphs::Pixel => Glyphs::Braille,
            other => other,
        };
    }

    /// The same with the next theme.
    #[must_use]
    pub fn with_next_theme(&self) -> Self {
        let at = THEMES.iter().position(|(name, _)| *name == self.theme.name).unwrap_or(0);
        let next = Self::new(THEMES[(at + 1) % THEMES.len()].0, self.glyphs, self.depth);
        Self { has_pixels: self.has_pixels, ..next }
    }

    /// The same with the next glyph level.
    #[must_use]
    pub fn with_next_glyphs(&self) -> Self {
        let levels: Vec<Glyphs> = Glyphs::NAMES
            .iter()
            .map(|(_, level)| *level)
            .filter(|level| *level != Glyphs::Pixel || self.has_pixels)
            .collect();
        let at = levels.iter().position(|level| *level == self.glyphs).unwrap_or(0);
        Self { glyphs: levels[(at + 1) % levels.len()], ..self.clone() }
    }
}
