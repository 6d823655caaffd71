//! The options by which every command that trains takes its settings.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, anyhow};
use clap::Args;

use crate::graph::{Graph, Manifest};
use crate::model::settings::{PRESETS, Settings, TABLE, from_toml, preset, set};

/// Which settings.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Settings")]
pub(super) struct SettingsArgs {
    /// A set of settings: recommended, paper, or a TOML file
    #[arg(long, value_name = "NAME|FILE")]
    preset: Option<String>,
    /// Change one setting (`gesf-tui settings` lists them)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The seed of the split and of every random start
    #[arg(long)]
    seed: Option<u64>,
    /// How many epochs
    #[arg(long, value_name = "N")]
    epochs: Option<usize>,
}

/// What is used where no preset is named; the graph's own settings refine it.
const USUAL: &str = "recommended";

impl SettingsArgs {
    /// The settings for a graph: those of the preset, refined by what the graph
    /// says of itself (unless another preset is named), then by each option.
    pub(super) fn resolve(&self, graph: &Graph) -> anyhow::Result<Settings> {
        self.resolve_for(graph.manifest(), |_| ())
    }

    /// The same for a graph that is not read yet; `own` puts what a person
    /// always wants over the preset that is used where none is named.
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
        self.change(&mut settings)?;
        Ok(settings)
    }

    /// How many epochs were asked for.
    pub(super) fn epochs(&self) -> Option<usize> {
        self.epochs
    }

    /// Changes settings by the options alone.
    pub(super) fn change(&self, settings: &mut Settings) -> anyhow::Result<()> {
        for pair in &self.set {
            let (key, value) = pair.split_once('=').with_context(|| {
                format!("--set: found `{pair}`, expected KEY=VALUE, as in --set epochs=100")
            })?;
            set(settings, key.trim(), value)?;
        }
        if let Some(seed) = self.seed {
            settings.seed = seed;
        }
        if let Some(epochs) = self.epochs {
            set(settings, "epochs", &epochs.to_string())?;
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

/// Every setting as a table in Markdown, for the documents.
pub(super) fn settings_table() -> String {
    let defaults = Settings::default();
    let paper = preset("paper").unwrap_or_default();
    let mut text = String::from(
        "| setting | symbol | may be | recommended | paper | a change | meaning |\n\
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
