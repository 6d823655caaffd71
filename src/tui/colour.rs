//! Colour depth of a terminal, and the nearest available colour.

use ratatui::style::Color;

/// Number of colours available.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// None: only weight and shape.
    None,
    /// The 16 ANSI colours.
    Sixteen,
    /// The 256-colour palette.
    Indexed,
    /// 24-bit colour.
    True,
}

impl Depth {
    /// Detects the colour depth from environment variables.
    pub fn of_terminal(variable: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let terminal = set("TERM").unwrap_or_default();
        let colour = set("COLORTERM").unwrap_or_default();
        if set("NO_COLOR").is_some() || terminal == "dumb" {
            return Self::None;
        }
        if colour == "truecolor" || colour == "24bit" || terminal.contains("direct") {
            return Self::True;
        }
        let many = ["256", "kitty", "alacritty", "ghostty", "wezterm", "foot"];
        if many.iter().any(|mark| terminal.contains(mark)) { Self::Indexed } else { Self::Sixteen }
    }
}

/// The nearest colour at a depth.
pub(super) fn reduced(colour: Color, depth: Depth) -> Color {
    let Color::Rgb(red, green, blue) = colour else { return colour };
    match depth {
        Depth::None => Color::Reset,
        Depth::True => colour,
        Depth::Indexed => indexed([red, green, blue]),
        Depth::Sixteen => sixteen([red, green, blue]),
    }
}

fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    // The eye is most sensitive to green and least to blue.
    let weights = [3, 6, 2];
    let parts = a.iter().zip(b).zip(weights);
    parts.map(|((a, b), weight)| weight * u32::from(a.abs_diff(b)).pow(2)).sum()
}

/// The nearest colour of the 6 × 6 × 6 cube and the grey ramp.
fn indexed(colour: [u8; 3]) -> Color {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let cube = (0..216_u8).map(|at| {
        let part = |n: u8| STEPS[usize::from(n % 6)];
        (16 + at, [part(at / 36), part(at / 6), part(at)])
    });
    let greys = (0..24_u8).map(|at| (232 + at, [8 + 10 * at; 3]));
    let nearest = cube.chain(greys).min_by_key(|(_, other)| distance(colour, *other));
    nearest.map_or(Color::Reset, |(index, _)| Color::Indexed(index))
}

/// The 16 ANSI colours, as many terminals show them.
const NAMED: [(Color, [u8; 3]); 16] = [
    (Color::Black, [0, 0, 0]),
    (Color::Red, [205, 49, 49]),
    (Color::Green, [13, 188, 121]),
    (Color::Yellow, [200, 180, 20]),
    (Color::Blue, [36, 114, 200]),
    (Color::Magenta, [188, 63, 188]),
    (Color::Cyan, [17, 168, 205]),
    (Color::Gray, [200, 200, 200]),
    (Color::DarkGray, [102, 102, 102]),
    (Color::LightRed, [241, 76, 76]),
    (Color::LightGreen, [35, 209, 139]),
    (Color::LightYellow, [245, 245, 67]),
    (Color::LightBlue, [59, 142, 234]),
    (Color::LightMagenta, [214, 112, 214]),
    (Color::LightCyan, [41, 184, 219]),
    (Color::White, [255, 255, 255]),
];

fn sixteen(colour: [u8; 3]) -> Color {
    let nearest = NAMED.iter().min_by_key(|(_, other)| distance(colour, *other));
    nearest.map_or(Color::Reset, |(named, _)| *named)
}

/// Red, green and blue of a colour, as most terminals show it; `None` for the
/// terminal's default.
pub(super) fn rgb(colour: Color) -> Option<[u8; 3]> {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match colour {
        Color::Rgb(red, green, blue) => Some([red, green, blue]),
        Color::Indexed(at @ 16..=231) => {
            let part = |n: u8| STEPS[usize::from(n % 6)];
            let at = at - 16;
            Some([part(at / 36), part(at / 6), part(at)])
        }
        Color::Indexed(at @ 232..) => Some([8 + 10 * (at - 232); 3]),
        _ => None,
    }
}

/// The same for a picture: the terminal's default is a grey that is seen on dark and
/// on light.
pub(super) fn shown_rgb(colour: Color) -> [u8; 3] {
    let named = || NAMED.iter().find(|(own, _)| *own == colour).map(|(_, rgb)| *rgb);
    rgb(colour).or_else(named).unwrap_or([140; 3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_map_to_their_nearest_match() {
        assert_eq!(reduced(Color::Rgb(255, 0, 0), Depth::Indexed), Color::Indexed(196));
        assert_eq!(reduced(Color::Rgb(128, 128, 128), Depth::Indexed), Color::Indexed(244));
        assert_eq!(reduced(Color::Rgb(250, 250, 250), Depth::Sixteen), Color::White);
        assert_eq!(rgb(Color::Indexed(196)), Some([255, 0, 0]));
    }

    #[test]
    fn the_environment_determines_the_colour_depth() {
        let depth = |pairs: &'static [(&str, &str)]| {
            Depth::of_terminal(|name| {
                pairs.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(depth(&[("TERM", "xterm"), ("COLORTERM", "truecolor")]), Depth::True);
        assert_eq!(depth(&[("TERM", "xterm-256color")]), Depth::Indexed);
        assert_eq!(depth(&[("TERM", "xterm")]), Depth::Sixteen);
        assert_eq!(depth(&[("COLORTERM", "truecolor"), ("NO_COLOR", "1")]), Depth::None);
    }
}
