//! Options shared by all commands that read a graph.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::graph::{
    Format, Graph, GraphError, LoadOptions, LoadReport, OnBadRow, RoleChoice, load, locate,
};

/// Parses a format name.
pub(super) fn format_name() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name)).try_map(|name| {
        Format::ALL.into_iter().find(|format| format.name() == name).ok_or("unknown format")
    })
}

fn on_bad_row() -> impl TypedValueParser<Value = OnBadRow> {
    let actions = [
        PossibleValue::new("fail").help("stop and report the error"),
        PossibleValue::new("skip").help("skip the row and count it"),
    ];
    PossibleValuesParser::new(actions)
        .map(|name| if name == "skip" { OnBadRow::Skip } else { OnBadRow::Fail })
}

/// Parses a graph path; a bundled sample is extracted.
pub(super) fn graph_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| locate(&path))
}

/// Graph input options.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Graph input")]
pub(super) struct GraphArgs {
    /// Input format (default: detected)
    #[arg(long, value_name = "FORMAT", value_parser = format_name())]
    format: Option<Format>,
    /// What to do with a row that cannot be parsed (default: fail)
    #[arg(long, value_name = "ACTION", value_parser = on_bad_row())]
    on_bad_row: Option<OnBadRow>,
    /// Table of node ids and labels, for an edge list
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,
    /// Split to use: the name or number of one that comes with the graph, all of them
    /// (one for each seed), or a table of node ids with train, validation or test
    #[arg(long, alias = "splits", value_name = "NAME|FILE")]
    split: Option<String>,
    /// Node column with the class (several: separated by |)
    #[arg(long, value_name = "COLUMN")]
    label_column: Option<String>,
    /// Node column with a number to predict
    #[arg(long, value_name = "COLUMN")]
    target_column: Option<String>,
    /// Node column with the node type
    #[arg(long, value_name = "COLUMN")]
    type_column: Option<String>,
    /// Node column with the display name
    #[arg(long, value_name = "COLUMN")]
    name_column: Option<String>,
    /// Ignore edge weights: every edge has weight 1
    #[arg(long)]
    unweighted: bool,
    /// Without weights, weight each edge by the number of its rows
    #[arg(long)]
    count_rows: bool,
}

impl GraphArgs {
    /// The load options.
    pub(super) fn options(&self) -> LoadOptions {
        let mut options = LoadOptions::default();
        self.refine(&mut options);
        options
    }

    /// Overrides load options with those given here.
    pub(super) fn refine(&self, options: &mut LoadOptions) {
        let RoleChoice { label, target, node_type, name } = &mut options.roles;
        let columns = [
            (label, &self.label_column),
            (target, &self.target_column),
            (node_type, &self.type_column),
            (name, &self.name_column),
        ];
        for (column, asked) in columns {
            if asked.is_some() {
                column.clone_from(asked);
            }
        }
        options.format = self.format.or(options.format);
        options.on_bad_row = self.on_bad_row.unwrap_or(options.on_bad_row);
        options.labels = self.labels.clone().or(options.labels.take());
        options.split = self.split.clone().or(options.split.take());
        options.ignore_weights |= self.unweighted;
        options.count_rows |= self.count_rows;
    }

    /// The label table, if requested.
    pub(super) fn labels(&self) -> Option<&Path> {
        self.labels.as_deref()
    }

    /// Loads the graph.
    pub(super) fn load(&self, path: &Path) -> Result<(Graph, LoadReport), GraphError> {
        load(path, &self.options())
    }
}
