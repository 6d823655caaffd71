//! `gesf-tui cache`: list or clear the spectrum cache.

use std::io::Write;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};

use super::output;
use super::paint::{FAINT, fitted, grouped, styled};
use crate::folders;
use crate::spectral::Cache;

/// Manage the spectrum cache.
#[derive(Debug, Args)]
pub(super) struct CacheArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the cached spectra and the cache folder
    List,
    /// Delete all cached spectra
    Clear,
}

pub(super) fn run(args: &CacheArgs) -> anyhow::Result<()> {
    let Some(cache) = Cache::usual() else {
        bail!("no cache folder\n  help: set one in {}", folders::CACHE_VARIABLE);
    };
    let place = || format!("the cache in {}", cache.folder().display());
    let mut out = output::stdout();
    match args.action {
        Action::List => {
            let entries = cache.entries().with_context(place)?;
            let total: u64 = entries.iter().map(|entry| entry.size).sum();
            writeln!(out, "{}", cache.folder().display())?;
            for entry in &entries {
                let what = entry.shape.map_or("unreadable".to_owned(), |(nodes, pairs)| {
                    format!("{} nodes, {} pairs", grouped(nodes), grouped(pairs))
                });
                let name = entry.path.file_stem().map(|name| name.to_string_lossy().into_owned());
                let name = styled(FAINT, name.unwrap_or_default());
                writeln!(out, "  {} {:>10}  {name}", fitted(&what, 32), mebibytes(entry.size))?;
            }
            let limit = mebibytes(Cache::DEFAULT_LIMIT);
            writeln!(out, "{} spectra, {} of at most {limit}", entries.len(), mebibytes(total))?;
        }
        Action::Clear => {
            let freed = cache.clear().with_context(place)?;
            writeln!(out, "{} freed", mebibytes(freed))?;
        }
    }
    Ok(())
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}
