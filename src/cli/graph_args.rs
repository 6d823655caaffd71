//! The options that every command which reads a graph shares.

use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, PossibleValue, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::graph::{
    Format, Graph, GraphError, LoadOptions, LoadReport, OnBadRow, RoleChoice, load, locate,
};

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}

impl ValueEnum for OnBadRow {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Fail, Self::Skip]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Fail => PossibleValue::new("fail").help("stop and say what is wrong"),
            Self::Skip => PossibleValue::new("skip").help("leave the row out and count it"),
        })
    }
}

/// The path of a graph; a sample that comes with the program is written out.
pub(super) fn graph_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| locate(&path))
}

/// How to read the graph.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Reading the graph")]
pub(super) struct GraphArgs {
    /// Read as this format instead of finding it out
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// What to do with a row that cannot be understood
    #[arg(long, value_name = "ACTION", default_value = "fail")]
    on_bad_row: OnBadRow,
    /// A table of node ids and their labels, beside an edge list
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,
    /// The node column that holds the class (several: separated by |)
    #[arg(long, value_name = "COLUMN")]
    label_column: Option<String>,
    /// The node column that holds a number to predict
    #[arg(long, value_name = "COLUMN")]
    target_column: Option<String>,
    /// The node column that holds the node type
    #[arg(long, value_name = "COLUMN")]
    type_column: Option<String>,
    /// The node column that holds the name to show
    #[arg(long, value_name = "COLUMN")]
    name_column: Option<String>,
    /// Take every edge as of weight 1
    #[arg(long)]
    unweighted: bool,
    /// Let an edge weigh as many rows as list it, where there are no weights
    #[arg(long)]
    count_rows: bool,
}

impl GraphArgs {
    /// The same, as the graph room wants it.
    pub(super) fn options(&self) -> LoadOptions {
        LoadOptions {
            format: self.format,
            on_bad_row: self.on_bad_row,
            labels: self.labels.clone(),
            roles: RoleChoice {
                label: self.label_column.clone(),
                target: self.target_column.clone(),
                node_type: self.type_column.clone(),
                name: self.name_column.clone(),
            },
            ignore_weights: self.unweighted,
            count_rows: self.count_rows,
        }
    }

    /// Loads the graph.
    pub(super) fn load(&self, path: &Path) -> Result<(Graph, LoadReport), GraphError> {
        load(path, &self.options())
    }
}
