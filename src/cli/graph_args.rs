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
    /// What to do with a row that cannot be understood: fail unless told
    #[arg(long, value_name = "ACTION")]
    on_bad_row: Option<OnBadRow>,
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
    /// How the graph is read.
    pub(super) fn options(&self) -> LoadOptions {
        let mut options = LoadOptions::default();
        self.refine(&mut options);
        options
    }

    /// Puts what is asked for here over what is there.
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
        options.ignore_weights |= self.unweighted;
        options.count_rows |= self.count_rows;
    }

    /// The table of labels that is asked for.
    pub(super) fn labels(&self) -> Option<&Path> {
        self.labels.as_deref()
    }

    /// Loads the graph.
    pub(super) fn load(&self, path: &Path) -> Result<(Graph, LoadReport), GraphError> {
        load(path, &self.options())
    }
}
