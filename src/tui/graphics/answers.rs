//! What a terminal answers when it is asked about itself.

use super::{Graphics, Protocol};

/// The answers of a terminal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Answers {
    /// Whether it told its attributes, which every terminal does.
    pub(super) has_attributes: bool,
    /// Whether sixel is one of them.
    pub(super) has_sixel: bool,
    /// Its name.
    pub(super) name: String,
    /// Whether it understands the protocol of kitty.
    pub(super) has_kitty: bool,
    /// The size of a cell in pixels.
    pub(super) cell: Option<(u16, u16)>,
}

impl Answers {
    /// Reads what was answered; everything else is skipped.
    pub(super) fn read(text: &str) -> Self {
        let mut own = Self::default();
        for part in text.split('\x1b') {
            let end = |letter: char, start: &str| {
                let inside = part.strip_prefix(start)?;
                inside.split_once(letter).map(|(inside, _)| inside)
            };
            if let Some(attributes) = end('c', "[?") {
                own.has_attributes = true;
                own.has_sixel |= attributes.split(';').skip(1).any(|own| own == "4");
            } else if let Some(name) = part.strip_prefix("P>|") {
                own.name = name.to_lowercase();
            } else if let Some(answer) = part.strip_prefix("_G") {
                own.has_kitty |= answer.ends_with(";OK");
            } else if let Some(size) = end('t', "[6;") {
                let size = size.split_once(';');
                let size =
                    size.and_then(|(high, wide)| Some((wide.parse().ok()?, high.parse().ok()?)));
                own.cell = size.filter(|(wide, high): &(u16, u16)| {
                    (4..=200).contains(wide) && (8..=400).contains(high)
                });
            }
        }
        own
    }

    /// Adds later answers.
    pub(super) fn and(self, later: Self) -> Self {
        Self {
            has_attributes: self.has_attributes || later.has_attributes,
            has_sixel: self.has_sixel || later.has_sixel,
            name: if later.name.is_empty() { self.name } else { later.name },
            has_kitty: self.has_kitty || later.has_kitty,
            cell: later.cell.or(self.cell),
        }
    }

    /// The best of the protocols that the terminal understands.
    pub(super) fn graphics(&self) -> Option<Graphics> {
        let is_iterm = ["iterm2", "wezterm"].iter().any(|own| self.name.starts_with(own));
        let protocol = match self {
            _ if is_iterm => Protocol::Iterm,
            Self { has_kitty: true, .. } => Protocol::Kitty,
            // Without the size of a cell, a sixel picture would not fit.
            Self { has_sixel: true, cell: Some(_), .. } => Protocol::Sixel,
            _ => return None,
        };
        Some(Graphics { protocol, cell: self.cell })
    }
}
