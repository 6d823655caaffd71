//! The LINQS format of Cora, CiteSeer and `WebKB`: two files with the same stem.
//!
//! `x.content` has one paper per row: id, a number for each word of the vocabulary,
//! class. `x.cites` has one citation per row, the cited paper first, so the edge
//! runs from the second id to the first. Either file may be missing, and each may
//! be `.gz`. Columns are separated by tabs or blanks. The format can only be read.

use std::path::{Path, PathBuf};

use super::super::error::quoted;
use super::super::{Cell, Direction, Features, GraphError, RawGraph, Reading, input};
use super::edge_list::{self, Ends};

const CITES: &str = "cites";
const CONTENT: &str = "content";
const LABELS: &str = "labels";

/// Reads the pair of files, given one of them.
pub fn read(path: &Path, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let (cites, content) = pair(path);
    let mut raw = RawGraph::default();
    if let Some(content) = &content {
        reading.enter(content.display().to_string());
        raw = read_content_text(&input::read_text(content, reading)?, reading)?;
    }
    match (&cites, &content) {
        (Some(cites), _) => {
            reading.enter(cites.display().to_string());
            let text = input::read_text(cites, reading)?;
            let ends = if content.is_some() { Ends::Listed } else { Ends::Add };
            read_cites(&text, &mut raw, ends, reading)?;
            if content.is_none() {
                reading.note("there is no .content file; the papers were taken from the citations");
            }
        }
        (None, _) => reading.note("there is no .cites file; all papers are isolated"),
    }
    reading.enter(path.display().to_string());
    Ok(raw)
}

/// Reads only citations, as from standard input.
pub fn read_cites_text(text: &str, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let mut raw = RawGraph::default();
    read_cites(text, &mut raw, Ends::Add, reading)?;
    Ok(raw)
}

fn read_cites(
    text: &str,
    raw: &mut RawGraph,
    ends: Ends,
    reading: &mut Reading,
) -> Result<(), GraphError> {
    edge_list::read_rows(text, raw, ends, reading)?;
    raw.direction = Direction::Directed;
    std::mem::swap(&mut raw.edges.sources, &mut raw.edges.targets);
    Ok(())
}

/// Reads only papers: words as attributes, classes as the column `labels`.
pub fn read_content_text(text: &str, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let mut raw = RawGraph { direction: Direction::Directed, ..RawGraph::default() };
    let mut attributes = Features::new();
    let mut labels = Vec::new();
    let mut width = None;
    for (line, row) in (1..).zip(text.lines()) {
        let row = row.trim_end();
        if row.trim_start().is_empty() {
            continue;
        }
        let fields = fields(row);
        let [id, words @ .., label] = fields.as_slice() else {
            let expected = "an id, the words and a class";
            reading.bad_row(line, format!("one column ({})", quoted(row)), expected, "")?;
            continue;
        };
        let first_width = *width.get_or_insert(words.len());
        if words.len() != first_width || id.is_empty() {
            let found = format!("{} words ({})", words.len(), quoted(row));
            let expected = format!("an id, {first_width} words as in the first row, and a class");
            reading.bad_row(line, found, expected, "fix the row")?;
            continue;
        }
        let Some(words) = words_of(words, line, reading)? else { continue };
        if raw.ids.insert(id).is_err() {
            let found = format!("the id {} a second time", quoted(id));
            reading.bad_row(line, found, "each id once", "remove or rename one of the two")?;
            continue;
        }
        attributes.push(words);
        labels.push(Cell::parse(label));
    }
    raw.features = (attributes.filled() > 0).then_some(attributes);
    if labels.iter().any(|label| !label.is_empty()) {
        raw.set_node_column(LABELS, labels);
    }
    Ok(raw)
}

/// Classes may contain blanks if columns are separated by tabs.
fn fields(row: &str) -> Vec<&str> {
    if row.contains('\t') {
        row.split('\t').map(str::trim).collect()
    } else {
        row.split_ascii_whitespace().collect()
    }
}

/// The words of a paper; `None` if the row is skipped.
fn words_of(
    fields: &[&str],
    line: u64,
    reading: &mut Reading,
) -> Result<Option<Vec<(u32, f32)>>, GraphError> {
    let mut words = Vec::new();
    for (number, field) in fields.iter().enumerate() {
        match field.parse::<f32>() {
            Ok(value) if value.is_finite() => {
                if value != 0.0 {
                    words.push((number as u32, value));
                }
            }
            _ => {
                let found = format!("{} for word {}", quoted(field), number + 1);
                reading.bad_row(line, found, "0, 1 or another number", "fix the row")?;
                return Ok(None);
            }
        }
    }
    Ok(Some(words))
}

/// The matching citation and paper files, if they exist.
fn pair(path: &Path) -> (Option<PathBuf>, Option<PathBuf>) {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let plain = strip_ending(&name, "gz").unwrap_or(&name);
    let sibling = |stem: &str, kind: &str| {
        [format!("{stem}.{kind}"), format!("{stem}.{kind}.gz")]
            .into_iter()
            .map(|name| path.with_file_name(name))
            .find(|path| path.is_file())
    };
    if let Some(stem) = strip_ending(plain, CONTENT) {
        return (sibling(stem, CITES), Some(path.to_owned()));
    }
    let stem = strip_ending(plain, CITES);
    (Some(path.to_owned()), stem.and_then(|stem| sibling(stem, CONTENT)))
}

fn strip_ending<'a>(name: &'a str, ending: &str) -> Option<&'a str> {
    let (stem, own) = name.rsplit_once('.')?;
    own.eq_ignore_ascii_case(ending).then_some(stem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NodeId, OnBadRow};
    use std::io::Write as _;

    const PAPERS: &str = "p1\t0\t1\t1\tTheory\np2\t1\t0\t0.5\tRule Learning\np3\t0\t0\t0\tTheory\n";

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            if strip_ending(name, "gz").is_some() {
                let file = std::fs::File::create(path).unwrap();
                let mut packed = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
                packed.write_all(text.as_bytes()).unwrap();
                packed.finish().unwrap();
            } else {
                std::fs::write(path, text).unwrap();
            }
        }
        folder
    }

    fn read_in(folder: &tempfile::TempDir, name: &str) -> (RawGraph, Reading) {
        let mut reading = Reading::new(name, OnBadRow::Fail);
        let raw = read(&folder.path().join(name), &mut reading).unwrap();
        (raw, reading)
    }

    #[test]
    fn either_file_finds_the_other_compressed_or_not() {
        for (cites, content) in
            [("x.cites", "x.content"), ("x.cites.gz", "x.content"), ("x.cites", "x.content.gz")]
        {
            let folder = folder(&[(cites, "p1\tp2\np3\tp1\n"), (content, PAPERS)]);
            for name in [cites, content] {
                let (raw, reading) = read_in(&folder, name);
                assert_eq!(raw.ids.iter().collect::<Vec<_>>(), ["p1", "p2", "p3"]);
                assert_eq!(raw.edges.sources, [NodeId(1), NodeId(0)]);
                assert_eq!(raw.edges.targets, [NodeId(0), NodeId(2)]);
                assert_eq!(raw.direction, Direction::Directed);
                assert_eq!(
                    raw.node_column("labels").unwrap().cells[1],
                    Cell::text("Rule Learning")
                );
                let attributes = raw.features.unwrap();
                assert_eq!(attributes.row_text(NodeId(0)), "1 2");
                assert_eq!(attributes.row_text(NodeId(1)), "0 2:0.5");
                assert!(reading.notes.is_empty(), "{:?}", reading.notes);
            }
        }
    }

    #[test]
    fn citations_of_unknown_papers_are_counted() {
        let folder = folder(&[("x.cites", "p1 p2\np9 p1\n"), ("x.content", PAPERS)]);
        let (raw, reading) = read_in(&folder, "x.cites");
        assert_eq!((raw.edges.len(), reading.unknown_ends), (1, 1));
        assert_eq!(reading.unknown_example, Some(("p9".into(), Some(2))));
    }

    #[test]
    fn one_file_alone_is_read_with_a_note() {
        let alone = folder(&[("x.cites", "p1 p2\n")]);
        let (raw, reading) = read_in(&alone, "x.cites");
        assert_eq!((raw.ids.len(), raw.edges.len()), (2, 1));
        assert!(reading.notes[0].contains("no .content"));
        let alone = folder(&[("x.content", PAPERS)]);
        let (raw, reading) = read_in(&alone, "x.content");
        assert_eq!((raw.ids.len(), raw.edges.len()), (3, 0));
        assert!(reading.notes[0].contains("no .cites"));
    }

    #[test]
    fn invalid_papers_are_named_or_skipped() {
        for (text, said) in [
            ("p1 0 1 A\np2 0 A\n", "line 2: found 1 words"),
            ("p1 0 x A\n", "line 1: found `x` for word 2"),
            ("p1 0 inf A\n", "`inf` for word 2"),
            ("p1 0 1 A\np1 0 1 A\n", "line 2: found the id `p1` a second time"),
            ("p1\n", "found one column"),
        ] {
            let error = read_content_text(text, &mut Reading::new("x", OnBadRow::Fail));
            let error = error.unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
            let mut reading = Reading::new("x", OnBadRow::Skip);
            assert!(read_content_text(text, &mut reading).is_ok());
            assert_eq!(reading.skipped, 1);
        }
    }
}
