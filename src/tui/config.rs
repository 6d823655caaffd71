//! `config.toml`: the user's appearance, key bindings and defaults. Errors name the
//! file and the line.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use terminal_colorsaurus::{QueryOptions, ThemeMode, theme_mode};

use super::appearance::Appearance;
use super::colour::Depth;
use super::commands::{Chord, Keymap, renamed};
use super::glyphs::Glyphs;
use super::graphics::GraphicsChoice;
use super::state::Screen;
use super::theme::THEMES;
use crate::folders;
use crate::model::settings::{Settings, set};

/// The contents of a config file. Every entry is optional.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The theme: `auto`, or a name.
    pub theme: Option<String>,
    /// The glyph level: `auto`, or a name.
    pub glyphs: Option<String>,
    /// The initial screen.
    pub screen: Option<String>,
    /// Whether training starts paused.
    pub paused: bool,
    /// Whether the terminal is asked to notify the end of a long run; yes by default.
    pub notify: Option<bool>,
    /// Key bindings by command name.
    pub keys: BTreeMap<String, Vec<String>>,
    /// Model settings by name, applied to all graphs.
    pub settings: BTreeMap<String, toml::Value>,
}

impl Config {
    /// The path of the file; `None` if the platform has no config folder.
    pub fn place() -> Option<PathBuf> {
        Some(folders::config()?.join("config.toml"))
    }

    /// Reads the config file; all defaults if there is none.
    pub fn load() -> Result<Self, String> {
        match Self::place() {
            Some(path) if path.exists() => Self::read(&path),
            _ => Ok(Self::default()),
        }
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let name = path.display().to_string();
        let text = crate::files::read_small(path).map_err(|error| format!("{name}: {error}"))?;
        Self::parse(&text, &name)
    }

    /// Parses a file and validates everything it names.
    pub fn parse(text: &str, name: &str) -> Result<Self, String> {
        let config: Self = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(0, |span| text[..span.start].matches('\n').count());
            format!("{name}, line {}: {}", line + 1, error.message().replace('\n', "; "))
        })?;
        let fault = |word: &str, why: String| {
            let line = text.lines().position(|line| line.contains(word)).map_or(1, |at| at + 1);
            format!("{name}, line {line}: {why}")
        };
        let one_of = |key: &str, value: &Option<String>, names: &[&str]| match value {
            Some(own) if !names.contains(&own.as_str()) => Err(fault(
                key,
                format!("{key}: found `{own}`, expected one of {}", names.join(", ")),
            )),
            _ => Ok(()),
        };
        let themes: Vec<&str> = ["auto"].into_iter().chain(THEMES.map(|(name, _)| name)).collect();
        one_of("theme", &config.theme, &themes)?;
        one_of("glyphs", &config.glyphs, &Self::glyph_names())?;
        let screens: Vec<String> =
            Screen::ALL.iter().map(|(_, name)| name.to_lowercase()).collect();
        let screens: Vec<&str> = screens.iter().map(String::as_str).collect();
        one_of("screen", &config.screen, &screens)?;
        config.bind().map_err(|(word, why)| fault(&word, why))?;
        config.refine(&mut Settings::default()).map_err(|(word, why)| fault(&word, why))?;
        Ok(config)
    }

    fn bind(&self) -> Result<Keymap, (String, String)> {
        let mut keymap = Keymap::default();
        for (name, keys) in &self.keys {
            let chords: Result<Vec<Chord>, String> = keys.iter().map(|key| key.parse()).collect();
            let bound = chords.and_then(|chords| keymap.bind(name, chords));
            bound.map_err(|why| (name.clone(), why))?;
        }
        Ok(keymap)
    }

    /// Deprecation notes: entries that still work but should be changed.
    pub fn notes(&self) -> Vec<String> {
        let note = |old: &String| {
            renamed(old).map(|new| format!("[keys]: `{old}` is called `{new}` now; both work"))
        };
        self.keys.keys().filter_map(note).collect()
    }

    fn refine(&self, settings: &mut Settings) -> Result<(), (String, String)> {
        for (key, value) in &self.settings {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            set(settings, key, &text).map_err(|error| (key.clone(), error.to_string()))?;
        }
        Ok(())
    }

    /// The key bindings, validated when the file was read.
    pub fn keymap(&self) -> Keymap {
        self.bind().unwrap_or_default()
    }

    /// Overrides settings with the user's.
    pub fn refine_settings(&self, settings: &mut Settings) {
        // They were validated when the file was read.
        let _ = self.refine(settings);
    }

    /// The appearance: as requested, else from the file, else detected.
    pub fn look(&self, theme: Option<&str>, glyphs: Option<&str>, depth: Depth) -> Appearance {
        let variable = |name: &str| std::env::var(name).ok();
        let theme = theme.or(self.theme.as_deref()).filter(|name| *name != "auto");
        let theme = theme.map_or_else(|| suiting_theme(variable).to_owned(), str::to_owned);
        let wanted = glyphs.or(self.glyphs.as_deref());
        let pixel = wanted.and_then(GraphicsChoice::named).map(|_| Glyphs::Pixel);
        let rung = pixel.or_else(|| wanted.and_then(Glyphs::named));
        Appearance::new(&theme, rung.unwrap_or_else(|| Glyphs::guess(variable)), depth)
    }

    /// When pictures are sent: as requested, else from the file, else if the terminal
    /// displays more than ASCII and reports that it displays them.
    pub fn graphics(&self, glyphs: Option<&str>, look: &Appearance) -> GraphicsChoice {
        let wanted = glyphs.or(self.glyphs.as_deref()).filter(|name| *name != "auto");
        match wanted {
            Some(name) => GraphicsChoice::named(name).unwrap_or_default(),
            None if look.glyphs == Glyphs::Ascii => GraphicsChoice::Never,
            None => GraphicsChoice::Ask,
        }
    }

    /// The names of glyph levels.
    pub fn glyph_names() -> Vec<&'static str> {
        let levels = Glyphs::NAMES.into_iter().map(|(name, _)| name);
        let protocols = GraphicsChoice::NAMES.into_iter().map(|(name, _)| name).skip(1);
        ["auto"].into_iter().chain(levels).chain(protocols).collect()
    }
}

/// How long to wait for the terminal to report its colours; a local one answers
/// within a millisecond or two.
const PATIENCE: Duration = Duration::from_millis(60);

/// Light or dark: from the environment, else as the terminal reports.
fn suiting_theme(variable: impl Fn(&str) -> Option<String>) -> &'static str {
    let background =
        variable("COLORFGBG").and_then(|both| both.rsplit(';').next()?.parse::<u8>().ok());
    let light = match background {
        Some(background) => background == 7 || background == 15,
        None => answers_light(),
    };
    if light { "light" } else { "dark" }
}

fn answers_light() -> bool {
    if !(std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
        return false;
    }
    let mut options = QueryOptions::default();
    options.timeout = PATIENCE;
    theme_mode(options).is_ok_and(|mode| mode == ThemeMode::Light)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complete_file_is_read() {
        let text = "theme = \"light\"\nglyphs = \"ascii\"\npaused = true\n[keys]\npause = [\"x\", \"ctrl-x\"]\n[settings]\nepochs = 50\n";
        let config = Config::parse(text, "config.toml").unwrap();
        let look = config.look(None, None, Depth::True);
        assert_eq!((look.theme.name.as_str(), look.glyphs), ("light", Glyphs::Ascii));
        let mut settings = Settings::default();
        config.refine_settings(&mut settings);
        assert_eq!(settings.epochs, 50);
    }

    #[test]
    fn errors_name_their_line_and_suggest_a_fix() {
        let said = |text: &str| Config::parse(text, "config.toml").unwrap_err();
        assert!(
            said("\ntheme = \"drak\"\n").starts_with("config.toml, line 2: theme: found `drak`")
        );
        assert!(said("theme = 3\n").contains("line 1"));
        assert!(said("colour = 3\n").contains("line 1: unknown field"));
        let keys = said("[keys]\n\npuase = [\"x\"]\n");
        assert!(keys.contains("line 3") && keys.contains("`pause`"), "{keys}");
        assert!(said("[keys]\npause = [\"hyper-x\"]\n").contains("expected a key"));
        assert!(said("[settings]\nepoch = 3\n").contains("`epochs`"));
    }
}
