//! `gesf-tui convert`: converts a graph to another format without losing data the
//! target can store, and reports what it cannot.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::graph_args::{GraphArgs, format_name, graph_path};
use super::output;
use super::overwriting::ForceArgs;
use crate::escape::harmless_line;
use crate::files;
use crate::graph::formats::{Writer, folder, losses};
use crate::graph::{Format, RawGraph, STANDARD_INPUT, read};

/// Input and output.
#[derive(Debug, Args)]
pub(super) struct ConvertArgs {
    /// Graph to read: a file, a folder, or - for standard input
    #[arg(value_parser = graph_path())]
    input: PathBuf,
    /// Output: the extension selects the format (.gz compresses), a name
    /// without one is a folder, - is standard output
    output: PathBuf,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_parser = format_name())]
    to: Option<Format>,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    graph: GraphArgs,
}

pub(super) fn run(args: &ConvertArgs) -> anyhow::Result<()> {
    let to = args.to.or_else(|| target_format(&args.output));
    let Some(to) = to else {
        bail!(
            "{}: the extension does not identify a format\n  help: set one with --to ({})",
            args.output.display(),
            writable()
        );
    };
    refuse_existing(args.force, to, &args.output)?;
    let (raw, from, reading) = read(&args.input, &args.graph.options())?;
    if raw.ids.is_empty() {
        bail!("{}: found no nodes and no edges, expected a graph", reading.file());
    }
    write(&raw, to, &args.output)?;
    let skipped = reading.skipped + reading.unknown_ends;
    let left_out = if skipped > 0 { format!("; {skipped} rows skipped") } else { String::new() };
    eprintln!(
        "{} nodes and {} edge rows from {} to {}{left_out}",
        raw.ids.len(),
        raw.edges.len(),
        from.title(),
        to.title()
    );
    Ok(())
}

/// Refuses to overwrite existing files.
pub(super) fn refuse_existing(
    force: ForceArgs,
    format: Format,
    output: &Path,
) -> anyhow::Result<()> {
    match format {
        _ if output.as_os_str() == STANDARD_INPUT => Ok(()),
        Format::Folder => force.folder(output),
        _ => force.file(output),
    }
}

/// Writes a graph to the output in the given format and reports data the format
/// cannot store; also used by the generator.
pub(super) fn write(raw: &RawGraph, format: Format, output: &Path) -> anyhow::Result<()> {
    write_as(raw, format, output)?;
    let lost = losses(raw, format);
    if !lost.is_empty() {
        let told = format!("{} cannot store, and drops: {}", format.title(), lost.join("; "));
        eprintln!("{}", harmless_line(&told));
    }
    Ok(())
}

fn write_as(raw: &RawGraph, format: Format, output: &Path) -> anyhow::Result<()> {
    let place = || format!("cannot write {}", output.display());
    if format == Format::Folder {
        return folder::write(raw, output).with_context(place);
    }
    let Some(writer) = format.writer() else {
        bail!("{} can only be read\n  help: write one of {}", format.title(), writable());
    };
    if output.as_os_str() == STANDARD_INPUT {
        let mut out = BufWriter::new(output::data());
        writer(raw, &mut out).and_then(|()| out.flush()).with_context(place)
    } else {
        files::write_atomically(output, |out| compressed(raw, writer, output, out))
            .with_context(place)
    }
}

fn compressed(
    raw: &RawGraph,
    writer: Writer,
    output: &Path,
    out: &mut dyn Write,
) -> io::Result<()> {
    if output.extension().is_none_or(|ending| ending != "gz") {
        return writer(raw, out);
    }
    let mut packed = GzEncoder::new(out, Compression::default());
    writer(raw, &mut packed)?;
    packed.finish()?;
    Ok(())
}

/// The format for an output name: by its extension, or a folder.
pub(super) fn target_format(output: &Path) -> Option<Format> {
    if output.is_dir() || (output.extension().is_none() && output.as_os_str() != STANDARD_INPUT) {
        return Some(Format::Folder);
    }
    Format::of_name(output)
}

fn writable() -> String {
    let names = Format::ALL
        .into_iter()
        .filter(|format| *format == Format::Folder || format.writer().is_some())
        .map(Format::name);
    names.collect::<Vec<_>>().join(", ")
}
