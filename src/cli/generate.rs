//! `gesf-tui generate`: graphs made to order.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::convert;
use super::overwriting::ForceArgs;
use crate::graph::Format;
use crate::graph::generate::{Blocks, Quadrants, Recipe, TypedBlocks};

/// What to make.
#[derive(Debug, Args)]
pub(super) struct GenerateArgs {
    #[command(subcommand)]
    shape: Shape,
}

/// What every shape takes.
#[derive(Debug, Args)]
struct Common {
    /// The same seed gives the same graph
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The format to write, where the ending of OUT does not tell it
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    #[command(flatten)]
    force: ForceArgs,
    /// Where to write: a folder, or a file whose ending tells the format
    #[arg(value_name = "OUT")]
    output: PathBuf,
}

/// The block model's ingredients.
#[derive(Debug, Args)]
struct BlockArgs {
    /// Nodes
    #[arg(long, default_value_t = 300)]
    nodes: usize,
    /// Classes of equal size
    #[arg(long, default_value_t = 3)]
    classes: usize,
    /// Neighbours of a node on average
    #[arg(long, default_value_t = 8.0)]
    mean_degree: f64,
    /// Share of edges that stay inside a class
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
    /// A stochastic block model: classes whose members prefer each other
    Sbm {
        #[command(flatten)]
        blocks: BlockArgs,
        #[command(flatten)]
        common: Common,
    },
    /// A block model of items and words: two node types
    TypedSbm {
        #[command(flatten)]
        items: BlockArgs,
        /// Words
        #[arg(long, default_value_t = 120)]
        words: usize,
        /// Words of an item on average
        #[arg(long, default_value_t = 6.0)]
        words_each: f64,
        #[command(flatten)]
        common: Common,
    },
    /// A square grid
    Grid {
        /// Nodes at most: the largest square that fits is made
        #[arg(long, default_value_t = 100)]
        nodes: usize,
        #[command(flatten)]
        common: Common,
    },
    /// A cycle
    Ring {
        /// Nodes
        #[arg(long, default_value_t = 24)]
        nodes: usize,
        #[command(flatten)]
        common: Common,
    },
    /// Two complete graphs joined by a path
    Barbell {
        /// Nodes, a third of them on the path
        #[arg(long, default_value_t = 30)]
        nodes: usize,
        #[command(flatten)]
        common: Common,
    },
    /// Every pair joined with the same probability
    ErdosRenyi {
        /// Nodes
        #[arg(long, default_value_t = 300)]
        nodes: usize,
        /// Neighbours of a node on average
        #[arg(long, default_value_t = 6.0)]
        mean_degree: f64,
        #[command(flatten)]
        common: Common,
    },
    /// Newcomers join nodes in proportion to their degree
    BarabasiAlbert {
        /// Nodes
        #[arg(long, default_value_t = 300)]
        nodes: usize,
        /// Edges each newcomer brings
        #[arg(long, default_value_t = 3)]
        edges_each: usize,
        #[command(flatten)]
        common: Common,
    },
    /// A recursive matrix: skewed degrees at any scale
    Rmat {
        /// Nodes
        #[arg(long, default_value_t = 1024)]
        nodes: usize,
        /// Edge rows
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
    eprintln!("{} nodes and {} edge rows made", raw.ids.len(), raw.edges.len());
    Ok(())
}
