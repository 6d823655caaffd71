//! What commands that train many times share: which seeds, which shares of the
//! labels, and labels to judge by.

use std::path::Path;

use anyhow::bail;
use clap::Args;

use crate::graph::{Graph, LabelKind};
use crate::model::settings::{Settings, set};

/// Which seeds.
#[derive(Debug, Args)]
pub(super) struct SeedsArgs {
    /// How many seeds: splits and random starts
    #[arg(long, value_name = "N", default_value_t = 3)]
    seeds: u64,
    /// The first seed
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    first_seed: u64,
}

impl SeedsArgs {
    pub(super) fn list(&self) -> Vec<u64> {
        (self.first_seed..).take(self.seeds as usize).collect()
    }
}

/// Says which share is none before anything is trained.
pub(super) fn check_shares(settings: &Settings, shares: &[f64]) -> anyhow::Result<()> {
    let mut tried = settings.clone();
    for share in shares {
        set(&mut tried, "labelled", &share.to_string())?;
    }
    Ok(())
}

/// The kind of the labels, of which there have to be some.
pub(super) fn labels_to_judge_by(graph: &Graph, path: &Path) -> anyhow::Result<LabelKind> {
    match graph.labels().kind() {
        LabelKind::None => {
            bail!("{}: found no labels, expected some to judge by", path.display())
        }
        kind => Ok(kind),
    }
}
