//! Options shared by commands that train many times: seeds, training shares, and the
//! labels to score on.

use std::path::Path;

use anyhow::bail;
use clap::Args;

use super::graph_args::GraphArgs;
use super::prepared_graph::SpectraArgs;
use super::settings_args::SettingsArgs;
use super::shards::ShardArgs;
use crate::graph::{Graph, LabelKind};
use crate::model::settings::{Settings, SplitChoice, keys, set};

/// Seeds, output, shards, and how graphs are loaded and trained.
#[derive(Debug, Args)]
pub(super) struct TrialsArgs {
    /// Number of seeds (splits and initializations)
    #[arg(long, value_name = "N", default_value_t = 3)]
    seeds: u64,
    /// First seed
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    first_seed: u64,
    /// Print stable JSON instead of a table
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) shards: ShardArgs,
    #[command(flatten)]
    pub(super) spectra: SpectraArgs,
    #[command(flatten)]
    pub(super) settings: SettingsArgs,
    #[command(flatten)]
    pub(super) graph: GraphArgs,
}

impl TrialsArgs {
    pub(super) fn seed_list(&self) -> Vec<u64> {
        (self.first_seed..).take(self.seeds as usize).collect()
    }
}

/// Reports an invalid share before training starts.
pub(super) fn check_shares(settings: &Settings, shares: &[f64]) -> anyhow::Result<()> {
    let mut tried = settings.clone();
    for share in shares {
        set(&mut tried, keys::LABELLED, &share.to_string())?;
    }
    Ok(())
}

/// The shares to train at: the first alone if a stored split makes them meaningless.
pub(super) fn shares_of(settings: &Settings, asked: &[f64]) -> Vec<f64> {
    let count = if settings.split == SplitChoice::Random { asked.len() } else { 1 };
    asked.iter().copied().take(count).collect()
}

/// The name of the stored split that is used; `None` for a random one.
pub(super) fn split_name(graph: &Graph, settings: &Settings) -> Option<String> {
    match &settings.split {
        SplitChoice::Random => None,
        SplitChoice::All => Some("all splits".to_owned()),
        SplitChoice::Stored(name) => {
            Some(graph.split_named(name).map_or_else(|| name.clone(), |own| own.name.clone()))
        }
    }
}

/// The kind of the labels; an error if there are none.
pub(super) fn labels_to_judge_by(graph: &Graph, path: &Path) -> anyhow::Result<LabelKind> {
    match graph.labels().kind() {
        LabelKind::None => {
            bail!("{}: found no labels, expected some to evaluate on", path.display())
        }
        kind => Ok(kind),
    }
}
