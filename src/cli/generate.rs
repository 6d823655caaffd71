//! `gesf-tui generate`: synthetic graphs.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::convert;
use super::graph_args::format_name;
use super::overwriting::ForceArgs;
use crate::graph::Format;
use crate::graph::generate::{Blocks, PlantedMotifs, Quadrants, Recipe, TypedBlocks};

/// Graph to generate.
#[derive(Debug, Args)]
pub(super) struct GenerateArgs {
    #[command(subcommand)]
    shape: Shape,
}

/// Options of every shape.
#[derive(Debug, Args)]
struct Common {
    /// Random seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Output format, if the extension of OUT does not identify it
    #[arg(long, value_name = "FORMAT", value_parser = format_name())]
    to: Option<Format>,
    #[command(flatten)]
    force: ForceArgs,
    /// Output: a folder, or a file whose extension selects the format
    #[arg(value_name = "OUT")]
    output: PathBuf,
}

/// Parameters of the block model.
#[derive(Debug, Args)]
struct BlockArgs {
    /// Number of nodes
    #[arg(long, default_value_t = 300)]
    nodes: usize,
    /// Number of classes of equal size
    #[arg(long, default_value_t = 3)]
    classes: usize,
    /// Mean degree
    #[arg(long, default_value_t = 8.0)]
    mean_degree: f64,
    /// Share of edges within a class
    #[arg(long, default_value_t = 0.8)]
    inside: f64,
}

impl BlockArgs {
    fn blocks(&self) -> Blocks {
        let Self { nodes, classes, mean_degree, inside } = *self;
        Blocks { nodes, classes, mean_degree, inside }
    }
}

#[derive(Debug, Subcommand)]
enum Shape {
    /// Stochastic block model
    Sbm {
        #[command(flatten)]
        blocks: BlockArgs,
        #[command(flatten)]
        common: Common,
    },
    /// Block model of items and words: two node types
    TypedSbm {
        #[command(flatten)]
        items: BlockArgs,
        /// Number of words
        #[arg(long, default_value_t = 120)]
        words: usize,
        /// Mean number of words per item
        #[arg(long, default_value_t = 6.0)]
        words_each: f64,
        #[command(flatten)]
        common: Common,
    },
    /// Houses (five nodes each) attached to a Barabási–Albert graph, to test explanations;
    /// the column `motif` numbers the houses
    Motif {
        /// Number of nodes that the houses are attached to
        #[arg(long, default_value_t = 300)]
        nodes: usize,
        /// Edges per new node
        #[arg(long, default_value_t = 5)]
        edges_each: usize,
        /// Number of houses
        #[arg(long, default_value_t = 80)]
        motifs: usize,
        /// Random edges, as a share of all nodes
        #[arg(long, default_value_t = 0.1)]
        noise: f64,
        #[command(flatten)]
        common: Common,
    },
    /// Square grid
    Grid {
        /// Maximum number of nodes: the largest square that fits
        #[arg(long, default_value_t = 100)]
        nodes: usize,
        #[command(flatten)]
        common: Common,
    },
    /// Cycle
    Ring {
        /// Number of nodes
        #[arg(long, default_value_t = 24)]
        nodes: usize,
        #[command(flatten)]
        common: Common,
    },
    /// Two complete graphs joined by a path
    Barbell {
        /// Number of nodes, a third of them on the path
        #[arg(long, default_value_t = 30)]
        nodes: usize,
        #[command(flatten)]
        common: Common,
    },
    /// Erdős–Rényi random graph: the same probability for every edge
    ErdosRenyi {
        /// Number of nodes
        #[arg(long, default_value_t = 300)]
        nodes: usize,
        /// Mean degree
        #[arg(long, default_value_t = 6.0)]
        mean_degree: f64,
        #[command(flatten)]
        common: Common,
    },
    /// Barabási–Albert graph: preferential attachment
    BarabasiAlbert {
        /// Number of nodes
        #[arg(long, default_value_t = 300)]
        nodes: usize,
        /// Edges per new node
        #[arg(long, default_value_t = 3)]
        edges_each: usize,
        #[command(flatten)]
        common: Common,
    },
    /// R-MAT (recursive matrix) graph: skewed degrees
    Rmat {
        /// Number of nodes
        #[arg(long, default_value_t = 1024)]
        nodes: usize,
        /// Number of edge rows
        #[arg(long, default_value_t = 10_240)]
        edges: usize,
        #[command(flatten)]
        common: Common,
    },
}

impl Shape {
    fn recipe(&self) -> (Recipe, &Common) {
        match self {
            Self::Sbm { blocks, common } => (Recipe::Blocks(blocks.blocks()), common),
            Self::TypedSbm { items, words, words_each, common } => {
                let items = items.blocks();
                let typed = TypedBlocks { items, words: *words, words_each: *words_each };
                (Recipe::TypedBlocks(typed), common)
            }
            Self::Motif { nodes, edges_each, motifs, noise, common } => {
                let (nodes, edges_each, motifs, noise) = (*nodes, *edges_each, *motifs, *noise);
                (Recipe::Motifs(PlantedMotifs { nodes, edges_each, motifs, noise }), common)
            }
            Self::Grid { nodes, common } => (Recipe::Grid { nodes: *nodes }, common),
            Self::Ring { nodes, common } => (Recipe::Ring { nodes: *nodes }, common),
            Self::Barbell { nodes, common } => (Recipe::Barbell { nodes: *nodes }, common),
            Self::ErdosRenyi { nodes, mean_degree, common } => {
                (Recipe::ErdosRenyi { nodes: *nodes, mean_degree: *mean_degree }, common)
            }
            Self::BarabasiAlbert { nodes, edges_each, common } => {
                (Recipe::BarabasiAlbert { nodes: *nodes, edges_each: *edges_each }, common)
            }
            Self::Rmat { nodes, edges, common } => {
                let quadrants = Quadrants::default();
                (Recipe::Rmat { nodes: *nodes, edges: *edges, quadrants }, common)
            }
        }
    }
}

pub(super) fn run(args: &GenerateArgs) -> anyhow::Result<()> {
    let (recipe, common) = args.shape.recipe();
    let asked = common.to.or_else(|| convert::target_format(&common.output));
    let format = asked.unwrap_or(Format::EdgeList);
    convert::refuse_existing(common.force, format, &common.output)?;
    let raw = recipe.make(common.seed)?;
    convert::write(&raw, format, &common.output)?;
    eprintln!("{} nodes and {} edge rows generated", raw.ids.len(), raw.edges.len());
    Ok(())
}
