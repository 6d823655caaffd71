//! Resolves a state line: finds its graph on this machine.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::graph_args::GraphArgs;
use crate::graph::{GraphReference, load};
use crate::train::StateLine;
use crate::tui::Described;

/// Finds the graph of a state line, at the given path or by its name in one of the
/// folders, and verifies its fingerprint. Load options on the command line override
/// those of the line.
pub(super) fn described(
    line: &StateLine,
    given: Option<&Path>,
    folders: &[PathBuf],
    asked: &GraphArgs,
    holds: bool,
) -> anyhow::Result<Described> {
    let mut line = line.clone();
    let path = line.graph.find(given, folders).map_err(anyhow::Error::msg)?;
    asked.refine(&mut line.graph.load);
    let options = match asked.labels() {
        Some(_) => line.graph.load.clone(),
        None => line.graph.options_at(&path, folders).map_err(anyhow::Error::msg)?,
    };
    let (graph, _) = load(&path, &options).context("the graph of the state line")?;
    line.graph.check(&graph, &path).map_err(anyhow::Error::msg)?;
    let fingerprint = format!("{:016x}", graph.fingerprint());
    line.graph = GraphReference::of(&path, &fingerprint, &options);
    Ok(Described { path, options, line, holds })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Asked {
        #[command(flatten)]
        graph: GraphArgs,
    }

    fn asked(words: &[&str]) -> GraphArgs {
        Asked::parse_from([&["gesf-tui"], words].concat()).graph
    }

    #[test]
    fn load_options_of_a_state_line_apply_and_the_command_line_overrides_them() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).unwrap();
        };
        write("own.txt", "a b\nb c\nb c\n");
        write("who.tsv", "a x\nb y\nc x\n");
        write("other.tsv", "a y\nb y\nc x\n");
        let text = "gesf2 graph=own.txt# epoch=3 --labels=who.tsv --count-rows";
        let line: StateLine = text.parse().unwrap();
        let folders = [folder.path().to_owned()];
        let found = described(&line, None, &folders, &asked(&[]), true).unwrap();
        assert!(found.options.count_rows);
        assert_eq!(found.options.labels, Some(folder.path().join("who.tsv")));
        let same = found.line.to_string();
        assert!(same.contains("--labels=who.tsv --count-rows"), "{same}");
        // The state line of what was opened resolves to the same graph, with the same
        // options.
        let again = described(&found.line, None, &folders, &asked(&[]), true).unwrap();
        assert_eq!(again.line, found.line);
        let mut bare = found.line.clone();
        bare.graph.load = crate::graph::LoadOptions::default();
        let said =
            format!("{:#}", described(&bare, None, &folders, &asked(&[]), true).unwrap_err());
        assert!(said.contains("expected") && said.contains("help"), "{said}");
        let other = folder.path().join("other.tsv");
        let other = ["--labels", other.to_str().unwrap()];
        let won = described(&line, None, &folders, &asked(&other), true).unwrap();
        assert_eq!(won.options.labels.unwrap().file_name().unwrap(), "other.tsv");
    }
}
