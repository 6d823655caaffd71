//! Colours by purpose. A theme is a file of colours; it is reduced to the terminal's
//! colour depth before anything is drawn.

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

use super::colour::{Depth, reduced};

/// The bundled themes.
pub const THEMES: [(&str, &str); 4] = [
    ("dark", include_str!("../../assets/themes/dark.toml")),
    ("light", include_str!("../../assets/themes/light.toml")),
    ("high-contrast", include_str!("../../assets/themes/high-contrast.toml")),
    ("colour-blind", include_str!("../../assets/themes/colour-blind.toml")),
];

/// Number of curve colours.
pub(super) const CURVES: usize = 6;

/// Number of class colours.
pub(super) const CLASSES: usize = 12;

/// The colours of a theme file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Colours {
    background: String,
    text: String,
    faint: String,
    border: String,
    accent: String,
    selection: String,
    shade: String,
    good: String,
    warn: String,
    bad: String,
    ghost: String,
    curves: [String; CURVES],
    classes: [String; CLASSES],
}

/// Styles by purpose.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    /// The name of the theme.
    pub name: String,
    /// Everything without a more specific style.
    pub text: Style,
    /// Secondary text: units, hints, ticks.
    pub faint: Style,
    /// Borders.
    pub border: Style,
    /// Highlights: titles, the current screen.
    pub accent: Style,
    /// The selected row.
    pub selection: Style,
    /// Background of regions that are not measured.
    pub shade: Style,
    /// Success.
    pub good: Style,
    /// Warning.
    pub warn: Style,
    /// Error.
    pub bad: Style,
    /// Earlier states.
    pub ghost: Style,
    /// Curves, in order.
    pub curves: [Style; CURVES],
    /// Classes and node types, in order.
    pub classes: [Style; CLASSES],
    /// The background of the whole screen.
    pub background: Style,
}

impl Theme {
    /// The theme with a name, for a colour depth.
    pub fn named(name: &str, depth: Depth) -> Option<Self> {
        let (name, text) = THEMES.iter().find(|(own, _)| *own == name)?;
        Self::parse(name, text, depth).ok()
    }

    /// Parses a theme file.
    pub fn parse(name: &str, text: &str, depth: Depth) -> Result<Self, String> {
        let colours: Colours = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(0, |span| text[..span.start].matches('\n').count());
            format!("theme {name}, line {}: {}", line + 1, error.message())
        })?;
        if depth == Depth::None {
            return Ok(Self::without_colour(name));
        }
        let colour = |text: &str| -> Result<Color, String> {
            if text == "terminal" {
                return Ok(Color::Reset);
            }
            let exact = text.parse::<Color>().map_err(|_| {
                format!("theme {name}: found `{text}`, expected a colour such as #7aa2f7")
            })?;
            Ok(reduced(exact, depth))
        };
        let background = Style::new().bg(colour(&colours.background)?).fg(colour(&colours.text)?);
        let front = |text: &str| colour(text).map(|colour| Style::new().fg(colour));
        let mut curves = [Style::new(); CURVES];
        for (style, text) in curves.iter_mut().zip(&colours.curves) {
            *style = front(text)?;
        }
        let mut classes = [Style::new(); CLASSES];
        for (style, text) in classes.iter_mut().zip(&colours.classes) {
            *style = front(text)?;
        }
        let strong = Modifier::BOLD;
        Ok(Self {
            name: name.to_owned(),
            text: front(&colours.text)?,
            faint: front(&colours.faint)?,
            border: front(&colours.border)?,
            accent: front(&colours.accent)?.add_modifier(strong),
            selection: Style::new().bg(colour(&colours.selection)?).add_modifier(strong),
            shade: Style::new().bg(colour(&colours.shade)?),
            good: front(&colours.good)?,
            warn: front(&colours.warn)?,
            bad: front(&colours.bad)?.add_modifier(strong),
            ghost: front(&colours.ghost)?,
            curves,
            classes,
            background,
        })
    }

    /// Weight and reversal only.
    pub(super) fn without_colour(name: &str) -> Self {
        let plain = Style::new();
        Self {
            name: name.to_owned(),
            text: plain,
            faint: plain.add_modifier(Modifier::DIM),
            border: plain.add_modifier(Modifier::DIM),
            accent: plain.add_modifier(Modifier::BOLD),
            selection: plain.add_modifier(Modifier::REVERSED),
            shade: plain.add_modifier(Modifier::DIM),
            good: plain,
            warn: plain.add_modifier(Modifier::BOLD),
            bad: plain.add_modifier(Modifier::BOLD),
            ghost: plain.add_modifier(Modifier::DIM),
            curves: [plain; CURVES],
            classes: [plain; CLASSES],
            background: plain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_theme_parses_at_every_depth() {
        for (name, text) in THEMES {
            for depth in [Depth::None, Depth::Sixteen, Depth::Indexed, Depth::True] {
                let theme = Theme::parse(name, text, depth).unwrap();
                let colourful = theme.curves[0].fg.is_some();
                assert_eq!(colourful, depth != Depth::None, "{name}");
            }
        }
        assert!(Theme::named("none", Depth::True).is_none());
    }

    #[test]
    fn no_two_class_colours_of_a_theme_look_alike() {
        for (name, _) in THEMES {
            let theme = Theme::named(name, Depth::True).unwrap();
            let colours = theme.classes.map(|style| style.fg.and_then(super::super::colour::rgb));
            for (at, one) in colours.iter().enumerate() {
                for other in &colours[..at] {
                    let (one, other) = (one.unwrap(), other.unwrap());
                    let apart: i32 =
                        (0..3).map(|n| (i32::from(one[n]) - i32::from(other[n])).pow(2)).sum();
                    assert!(apart >= 40 * 40, "{name}: {one:?} {other:?}");
                }
            }
        }
    }

    /// Contrast of two colours as WCAG defines it, from 1 to 21.
    fn contrast(one: Style, other: Style) -> f64 {
        let bright = |colour: Option<Color>| {
            let linear = |part: u8| {
                let share = f64::from(part) / 255.0;
                if share <= 0.04 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
            };
            let [red, green, blue] =
                super::super::colour::rgb(colour.unwrap()).unwrap().map(linear);
            0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
        };
        let (one, other) = (bright(one.fg), bright(other.bg));
        one.max(other) / one.min(other)
    }

    #[test]
    fn text_and_lines_stand_out_in_every_theme() {
        for (name, _) in THEMES {
            let theme = Theme::named(name, Depth::True).unwrap();
            let single =
                [(theme.text, 7.0), (theme.faint, 4.5), (theme.ghost, 2.8), (theme.border, 1.8)];
            let drawn = theme.curves.iter().chain(&theme.classes).map(|own| (*own, 3.0));
            for (style, least) in single.into_iter().chain(drawn) {
                let found = contrast(style, theme.background);
                assert!(found >= least, "{name}: {:?} {found:.2}, expected {least}", style.fg);
            }
        }
    }

    #[test]
    fn an_error_in_a_theme_names_its_position() {
        let said = Theme::parse("mine", "text = \"#fff\"\ncolor = 1\n", Depth::True).unwrap_err();
        assert!(said.contains("mine, line 2"), "{said}");
        let dark = THEMES[0].1.replace("\"#d", "\"red-ish #d");
        assert!(
            Theme::parse("mine", &dark, Depth::True).unwrap_err().contains("expected a colour")
        );
    }
}
