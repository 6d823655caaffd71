//! Settings options shared by all commands that train.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, anyhow};
use clap::Args;

use crate::graph::{Graph, Manifest};
use crate::model::settings::{PRESETS, Settings, TABLE, from_toml, keys, preset, set};

/// Settings options.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Settings")]
pub(super) struct SettingsArgs {
    /// Preset: recommended, paper, or a TOML file
    #[arg(long, value_name = "NAME|FILE")]
    preset: Option<String>,
    /// Change one setting (`gesf-tui settings` lists them)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Random seed of the split and the initialization
    #[arg(long)]
    seed: Option<u64>,
    /// Number of epochs
    #[arg(long, value_name = "N")]
    epochs: Option<usize>,
}

/// The preset used where none is named; the graph's manifest refines it.
const USUAL: &str = "recommended";

impl SettingsArgs {
    /// The settings for a graph: those of the preset, refined by the graph's manifest
    /// (unless a preset is named), then by each option.
    pub(super) fn resolve(&self, graph: &Graph) -> anyhow::Result<Settings> {
        self.resolve_for(graph.manifest(), |_| ())
    }

    /// The same for a graph that is not loaded yet; `own` applies the user's defaults
    /// over the default preset.
    pub(super) fn resolve_for(
        &self,
        manifest: &Manifest,
        own: impl Fn(&mut Settings),
    ) -> anyhow::Result<Settings> {
        let name = self.preset.as_deref().unwrap_or(USUAL);
        let mut settings = match preset(name) {
            Some(settings) => settings,
            None => from_file(name)?,
        };
        if name == USUAL {
            for (key, value) in &manifest.settings {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                set(&mut settings, key, &text).context("the [settings] of the graph's manifest")?;
            }
            own(&mut settings);
        }
        if let Some(split) = &manifest.split {
            set(&mut settings, keys::SPLIT, split)?;
        }
        self.change(&mut settings)?;
        Ok(settings)
    }

    /// The requested number of epochs.
    pub(super) fn epochs(&self) -> Option<usize> {
        self.epochs
    }

    /// Applies the options only.
    pub(super) fn change(&self, settings: &mut Settings) -> anyhow::Result<()> {
        for pair in &self.set {
            let (key, value) = pair.split_once('=').with_context(|| {
                format!("--set: found `{pair}`, expected KEY=VALUE, for example --set epochs=100")
            })?;
            set(settings, key.trim(), value)?;
        }
        if let Some(seed) = self.seed {
            settings.seed = seed;
        }
        if let Some(epochs) = self.epochs {
            set(settings, keys::EPOCHS, &epochs.to_string())?;
        }
        Ok(())
    }
}

fn from_file(name: &str) -> anyhow::Result<Settings> {
    let path = Path::new(name);
    if !path.exists() {
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        return Err(anyhow!(
            "--preset: found `{name}`, expected one of {}, or a TOML file",
            names.join(", ")
        ));
    }
    let text = crate::files::read_small(path).with_context(|| name.to_owned())?;
    from_toml(&text, name).map_err(anyhow::Error::msg)
}

/// All settings as a Markdown table, for the documentation.
pub(super) fn settings_table() -> String {
    let defaults = Settings::default();
    let paper = preset("paper").unwrap_or_default();
    let mut text = String::from(
        "| setting | symbol | values | recommended | paper | a change | meaning |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for setting in TABLE {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} | {} |",
            setting.key,
            setting.symbol,
            setting.range,
            (setting.get)(&defaults),
            (setting.get)(&paper),
            setting.effect,
            setting.meaning
        );
    }
    text
}
