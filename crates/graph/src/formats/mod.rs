//! The file formats: detection, and one reader and one writer for each.

pub mod dot;
pub mod edge_list;
mod elements;
pub mod folder;
pub mod geom_gcn;
pub mod gexf;
pub mod gml;
pub mod graph6;
pub mod graphml;
pub mod json;
pub mod linqs;
mod losses;
mod masks;
pub mod matrix_market;
pub mod neighbour_lists;
pub mod npz;
pub mod ogb;
pub mod pajek;
pub mod parquet;
mod pickle;
pub mod planetoid;
mod python_dict;
mod room;
#[cfg(test)]
mod round_trip;
pub mod table;
mod value;
mod weights;
mod xml;

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{GraphError, RawGraph, Reading};
pub use losses::losses;

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// A folder with `nodes.tsv`, `edges.tsv`, … and optionally a `graph.toml`.
    Folder,
    /// Rows of two ids, any separator.
    EdgeList,
    /// A `.cites` file with its `.content` file.
    Linqs,
    /// GraphML.
    GraphMl,
    /// GML.
    Gml,
    /// Graphviz DOT.
    Dot,
    /// Node-link JSON.
    Json,
    /// Matrix Market.
    MatrixMarket,
    /// graph6.
    Graph6,
    /// A NumPy archive of a benchmark graph.
    Npz,
    /// GEXF.
    Gexf,
    /// Pajek `.net`.
    Pajek,
    /// METIS.
    Metis,
    /// A node and its neighbours in each row.
    Adjacency,
    /// The two files of a Geom-GCN graph with its splits.
    GeomGcn,
    /// The raw files of an OGB node-property dataset.
    Ogb,
    /// The files `ind.NAME.*` of a Planetoid graph.
    Planetoid,
    /// Parquet tables of nodes and edges.
    Parquet,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 18] = [
        Self::Folder,
        Self::EdgeList,
        Self::Linqs,
        Self::GraphMl,
        Self::Gml,
        Self::Dot,
        Self::Json,
        Self::MatrixMarket,
        Self::Graph6,
        Self::Npz,
        Self::Gexf,
        Self::Pajek,
        Self::Metis,
        Self::Adjacency,
        Self::GeomGcn,
        Self::Ogb,
        Self::Planetoid,
        Self::Parquet,
    ];

    /// The name for `--format`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Folder => "folder",
            Self::EdgeList => "edge-list",
            Self::Linqs => "linqs",
            Self::GraphMl => "graphml",
            Self::Gml => "gml",
            Self::Dot => "dot",
            Self::Json => "json",
            Self::MatrixMarket => "matrix-market",
            Self::Graph6 => "graph6",
            Self::Npz => "npz",
            Self::Gexf => "gexf",
            Self::Pajek => "pajek",
            Self::Metis => "metis",
            Self::Adjacency => "adjacency",
            Self::GeomGcn => "geom-gcn",
            Self::Ogb => "ogb",
            Self::Planetoid => "planetoid",
            Self::Parquet => "parquet",
        }
    }

    /// The display name.
    pub fn title(self) -> &'static str {
        match self {
            Self::Folder => "a graph folder",
            Self::EdgeList => "an edge list",
            Self::Linqs => "LINQS cites and content",
            Self::GraphMl => "GraphML",
            Self::Gml => "GML",
            Self::Dot => "DOT",
            Self::Json => "node-link JSON",
            Self::MatrixMarket => "Matrix Market",
            Self::Graph6 => "graph6",
            Self::Npz => "a NumPy archive",
            Self::Gexf => "GEXF",
            Self::Pajek => "Pajek",
            Self::Metis => "METIS",
            Self::Adjacency => "an adjacency list",
            Self::GeomGcn => "a Geom-GCN graph",
            Self::Ogb => "an OGB dataset",
            Self::Planetoid => "a Planetoid graph",
            Self::Parquet => "Parquet tables",
        }
    }

    /// The format of a file name; the ending `.gz` is ignored. `None` if the name
    /// does not tell.
    pub fn of_name(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        if planetoid::graph_of(name).is_some() {
            return Some(Self::Planetoid);
        }
        let name = name.to_ascii_lowercase();
        if geom_gcn::is_name(&name) {
            return Some(Self::GeomGcn);
        }
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let (_, extension) = name.rsplit_once('.')?;
        Some(match extension {
            "graphml" | "xml" => Self::GraphMl,
            "gml" => Self::Gml,
            "dot" | "gv" => Self::Dot,
            "json" => Self::Json,
            "mtx" | "mm" => Self::MatrixMarket,
            "g6" | "graph6" => Self::Graph6,
            "npz" => Self::Npz,
            "gexf" => Self::Gexf,
            "net" | "paj" => Self::Pajek,
            "graph" | "metis" => Self::Metis,
            "adjlist" => Self::Adjacency,
            "parquet" => Self::Parquet,
            "cites" | "content" => Self::Linqs,
            "txt" | "csv" | "tsv" | "edgelist" | "edges" | "ncol" => Self::EdgeList,
            _ => return None,
        })
    }

    /// The format of a text, if its beginning is unambiguous.
    pub fn of_content(text: &str) -> Option<Self> {
        // Its banner looks like a comment, so it is checked before comments are
        // skipped.
        let banner = text.trim_start().get(..MATRIX_MARKET_BANNER.len());
        if banner.is_some_and(|start| start.eq_ignore_ascii_case(MATRIX_MARKET_BANNER)) {
            return Some(Self::MatrixMarket);
        }
        let head = skip_comments(text);
        let word_end = head.find(|c: char| !c.is_alphanumeric()).unwrap_or(head.len());
        let (word, rest) = head.split_at(word_end);
        let word = word.to_ascii_lowercase();
        let next = rest.trim_start();
        match head.as_bytes().first()? {
            b'{' | b'[' => return Some(Self::Json),
            b'<' if head.get(..2000).unwrap_or(head).contains("<gexf") => return Some(Self::Gexf),
            b'<' => return Some(Self::GraphMl),
            b'*' if head.get(..9).is_some_and(|own| own.eq_ignore_ascii_case("*vertices")) => {
                return Some(Self::Pajek);
            }
            b'>' if head.starts_with(graph6::HEADER) => return Some(Self::Graph6),
            _ => {}
        }
        match word.as_str() {
            "graph" if next.starts_with('[') => Some(Self::Gml),
            "creator" | "version" => Some(Self::Gml),
            "graph" | "digraph" | "strict" if next.get(..200).unwrap_or(next).contains('{') => {
                Some(Self::Dot)
            }
            _ => None,
        }
    }

    /// Reads a text in this format. Formats of several files are read from a path, by
    /// [`folder`], [`linqs`], [`geom_gcn`], [`ogb`], [`planetoid`] and [`parquet`].
    pub fn read_text(self, text: &str, reading: &mut Reading) -> Result<RawGraph, GraphError> {
        match self {
            Self::EdgeList => edge_list::read(text, reading),
            Self::Linqs => linqs::read_cites_text(text, reading),
            Self::GraphMl => graphml::read(text, reading),
            Self::Gml => gml::read(text, reading),
            Self::Dot => dot::read(text, reading),
            Self::Json => json::read(text, reading),
            Self::MatrixMarket => matrix_market::read(text, reading),
            Self::Graph6 => graph6::read(text, reading),
            Self::Npz => npz::read_archive(text.as_bytes(), reading),
            Self::Gexf => gexf::read(text, reading),
            Self::Pajek => pajek::read(text, reading),
            Self::Metis => neighbour_lists::read_metis(text, reading),
            Self::Adjacency => Ok(neighbour_lists::read_adjacency(text)),
            Self::Parquet => parquet::read_edges(text.as_bytes().to_vec(), reading),
            Self::Folder | Self::GeomGcn | Self::Ogb | Self::Planetoid => Err(reading.broken(
                None,
                "a single file",
                format!("{}, which has several files", self.title()),
                "pass the path of the folder, or another --format",
            )),
        }
    }

    /// The writer of this format, for a single file; `None` if the format is a
    /// folder or can only be read.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use gesf_graph::{Format, Reading};
    ///
    /// let mut reading = Reading::default();
    /// let raw = Format::EdgeList.read_text("0 1\n1 2\n", &mut reading)?;
    /// let write = Format::GraphMl.writer().ok_or("GraphML is a single file")?;
    /// let mut bytes = Vec::new();
    /// write(&raw, &mut bytes)?;
    /// let text = String::from_utf8(bytes)?;
    /// assert_eq!(Format::of_content(&text), Some(Format::GraphMl));
    /// assert_eq!(Format::GraphMl.read_text(&text, &mut reading)?.edges, raw.edges);
    /// assert!(Format::Linqs.writer().is_none());
    /// # Ok(()) }
    /// ```
    pub fn writer(self) -> Option<Writer> {
        Some(match self {
            Self::EdgeList => edge_list::write,
            Self::GraphMl => graphml::write,
            Self::Gml => gml::write,
            Self::Dot => dot::write,
            Self::Json => json::write,
            Self::MatrixMarket => matrix_market::write,
            Self::Folder
            | Self::Linqs
            | Self::Graph6
            | Self::Npz
            | Self::Gexf
            | Self::Pajek
            | Self::Metis
            | Self::Adjacency
            | Self::GeomGcn
            | Self::Ogb
            | Self::Planetoid
            | Self::Parquet => return None,
        })
    }
}

/// The start of a Matrix Market file, ignoring case.
const MATRIX_MARKET_BANNER: &str = "%%MatrixMarket";

/// Writes a graph to a stream.
pub type Writer = fn(&RawGraph, &mut dyn io::Write) -> io::Result<()>;

/// The text from its first line that is neither blank nor a comment.
fn skip_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let comment = ["#", "//", "%"].iter().any(|mark| rest.starts_with(mark));
        if rest.starts_with("/*") {
            rest = rest.split_once("*/").map_or("", |(_, after)| after).trim_start();
        } else if comment {
            rest = rest.split_once('\n').map_or("", |(_, after)| after).trim_start();
        } else {
            return rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_identifies_the_format() {
        for (text, format) in [
            ("<?xml version=\"1.0\"?><graphml/>", Some(Format::GraphMl)),
            ("  {\"nodes\": []}", Some(Format::Json)),
            ("%%MatrixMarket matrix coordinate", Some(Format::MatrixMarket)),
            ("Creator \"igraph\"\ngraph\n[", Some(Format::Gml)),
            ("# made by hand\ngraph [ node [", Some(Format::Gml)),
            ("/* x */ strict digraph \"g\" {", Some(Format::Dot)),
            ("graph {", Some(Format::Dot)),
            (">>graph6<<Bw", Some(Format::Graph6)),
            ("<?xml version=\"1.0\"?><gexf/>", Some(Format::Gexf)),
            ("*Vertices 3\n", Some(Format::Pajek)),
            ("# SNAP\n1 2", None),
            ("graph theory", None),
            ("", None),
        ] {
            assert_eq!(Format::of_content(text), format, "{text}");
        }
    }

    #[test]
    fn file_names_identify_the_format_with_and_without_gz() {
        for (name, format) in [
            ("a/b.GraphML.gz", Some(Format::GraphMl)),
            ("x.edgelist", Some(Format::EdgeList)),
            ("cora.cites", Some(Format::Linqs)),
            ("data/ind.cora.graph", Some(Format::Planetoid)),
            ("film/out1_graph_edges.txt", Some(Format::GeomGcn)),
            ("edges.parquet", Some(Format::Parquet)),
            ("README", None),
        ] {
            assert_eq!(Format::of_name(Path::new(name)), format, "{name}");
        }
    }
}
