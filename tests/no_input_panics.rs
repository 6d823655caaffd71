//! Whatever a file contains, reading it gives a graph or an error that describes
//! what is wrong: never a panic, and never excessive memory.
//!
//! This is the fast version that runs with every test; `tests/fuzz` searches longer
//! and deeper.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use gesf_tui::graph::formats::{linqs, table};
use gesf_tui::graph::{
    Features, Format, Graph, GraphError, LoadOptions, Manifest, OnBadRow, RawGraph, Reading,
    RoleChoice, build, decode, load,
};
use proptest::prelude::*;

const POLICIES: [OnBadRow; 2] = [OnBadRow::Fail, OnBadRow::Skip];

/// Feeds bytes through every parser, writes the result and reads it again.
fn feed(bytes: &[u8]) {
    for policy in POLICIES {
        let mut reading = Reading::new("input", policy);
        let Ok(text) = decode(bytes.to_vec(), &mut reading) else { return };
        for format in Format::ALL {
            feed_format(format, &text, policy);
        }
        let _ = linqs::read_content_text(&text, &mut reading).map(check);
        for repeats in [table::Repeats::Refuse, table::Repeats::AddLabels] {
            let mut raw = RawGraph::default();
            let _ = table::read_nodes(&text, &mut raw, repeats, &mut reading).map(|()| check(raw));
        }
        let _ = Format::of_content(&text);
        let _ = Manifest::parse(&text, &reading);
        let _ = Features::parse_row(&text);
    }
}

fn feed_format(format: Format, text: &str, policy: OnBadRow) {
    let mut reading = Reading::new("input", policy);
    let Ok(raw) = format.read_text(text, &mut reading) else { return };
    if let Some(write) = format.writer() {
        let mut written = Vec::new();
        write(&raw, &mut written).unwrap();
        let written = String::from_utf8(written).unwrap();
        let _ = format.read_text(&written, &mut reading).map(check);
    }
    check(raw);
}

/// Checks the invariants of every reader; then builds the graph.
fn check(raw: RawGraph) {
    let (nodes, rows) = (raw.ids.len(), raw.edges.len());
    assert_eq!(raw.edges.targets.len(), rows);
    assert!(raw.edges.sources.iter().chain(&raw.edges.targets).all(|node| node.index() < nodes));
    assert!(raw.edges.weights.as_ref().is_none_or(|weights| weights.len() == rows));
    assert!(raw.edges.iter().all(|(_, _, weight)| weight.is_finite() && weight >= 0.0));
    assert!(raw.edges.columns.iter().all(|column| column.cells.len() == rows));
    assert!(raw.node_columns.iter().all(|column| column.cells.len() == nodes));
    let _ = build(raw, &RoleChoice::default(), &mut Reading::default());
}

/// Every fixture and sample that is small enough to be mutated many times.
static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    const LARGEST: usize = 16 << 10;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("tests/fixtures"), root.join("sample_graphs")];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let mut seeds: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(file).unwrap()).collect();
    for seed in &mut seeds {
        seed.truncate(LARGEST);
    }
    seeds
});

/// One way of damaging a file. Positions are fractions of its length.
#[derive(Debug, Clone)]
enum Damage {
    Flip(f64, u8),
    CutOut(f64, f64),
    Repeat(f64, f64),
    Splice(f64, usize, f64, f64),
    Insert(f64, &'static [u8]),
}

const TOKENS: [&[u8]; 24] = [
    b"\0",
    b"\"",
    b"'",
    b"\\",
    b"\n",
    b"\r",
    b"\t",
    b",",
    b"|",
    b"{",
    b"}",
    b"[",
    b"]",
    b"<",
    b"&",
    b"-1",
    b"1e999",
    b"NaN",
    b"99999999999999999999",
    b"\xff\xfe",
    b"\xc3\xa9",
    b"\xe2\x80\xa8",
    b"\\ud800",
    b"#",
];

fn damage() -> impl Strategy<Value = Damage> {
    let at = || 0.0..1.0_f64;
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, bits)| Damage::Flip(at, bits)),
        (at(), at()).prop_map(|(from, to)| Damage::CutOut(from, to)),
        (at(), at()).prop_map(|(from, to)| Damage::Repeat(from, to)),
        (at(), any::<usize>(), at(), at())
            .prop_map(|(at, seed, from, to)| Damage::Splice(at, seed, from, to)),
        (at(), proptest::sample::select(&TOKENS[..]))
            .prop_map(|(at, token)| Damage::Insert(at, token)),
    ]
}

impl Damage {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let place = |bytes: &[u8], at: f64| (bytes.len() as f64 * at) as usize;
        let stretch = |bytes: &[u8], from: f64, to: f64| {
            place(bytes, from.min(to))..place(bytes, from.max(to))
        };
        match *self {
            Self::Flip(at, bits) => {
                let at = place(bytes, at);
                bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= bits);
            }
            Self::CutOut(from, to) => drop(bytes.drain(stretch(bytes, from, to))),
            Self::Repeat(from, to) => {
                let range = stretch(bytes, from, to);
                bytes.splice(range.end..range.end, bytes[range.clone()].to_vec());
            }
            Self::Splice(at, seed, from, to) => {
                let other = &SEEDS[seed % SEEDS.len()];
                let at = place(bytes, at);
                bytes.splice(at..at, other[stretch(other, from, to)].iter().copied());
            }
            Self::Insert(at, token) => {
                let at = place(bytes, at);
                bytes.splice(at..at, token.iter().copied());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_make_no_parser_panic(bytes in proptest::collection::vec(any::<u8>(), 0..500)) {
        feed(&bytes);
    }

    #[test]
    fn arbitrary_text_makes_no_parser_panic(text in "[ -~\n\t]{0,200}|\\PC{0,100}|[0-9 .\n-]{0,200}") {
        feed(text.as_bytes());
    }
}

#[test]
fn damaged_fixtures_make_no_parser_panic() {
    assert!(!SEEDS.is_empty());
    let cases = (600 / SEEDS.len()).max(8) as u32;
    for seed in SEEDS.iter() {
        let config = ProptestConfig { cases, failure_persistence: None, ..Default::default() };
        let damages = proptest::collection::vec(damage(), 1..6);
        proptest!(config, |(damages in damages)| {
            let mut bytes = seed.clone();
            for damage in &damages {
                damage.apply(&mut bytes);
            }
            bytes.truncate(64 << 10);
            feed(&bytes);
        });
    }
}

fn file(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn load_bytes(name: &str, bytes: &[u8]) -> Result<Graph, GraphError> {
    let (_folder, path) = file(name, bytes);
    load(&path, &LoadOptions::default()).map(|(graph, _)| graph)
}

fn fault(name: &str, bytes: &[u8]) -> String {
    load_bytes(name, bytes).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn a_truncated_gzip_file_is_reported_as_such() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all("1 2\n2 3\n".repeat(1000).as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    assert_eq!(load_bytes("x.txt.gz", &packed).unwrap().node_count(), 3);
    for length in [2, 3, 9, 10, 11, packed.len() / 2, packed.len() - 1] {
        let said = fault("x.txt.gz", &packed[..length]);
        assert!(said.contains("truncated"), "{length}: {said}");
    }
}

#[test]
fn every_encoding_gives_the_same_graph() {
    let utf16 = |little: bool| -> Vec<u8> {
        let units = "\u{feff}José b\nb c\n".encode_utf16();
        units
            .flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() })
            .collect()
    };
    for bytes in [
        "José b\nb c\n".as_bytes().to_vec(),
        "\u{feff}José b\nb c\n".as_bytes().to_vec(),
        "José b\r\nb c\r\n".as_bytes().to_vec(),
        "José b\rb c\r".as_bytes().to_vec(),
        b"Jos\xe9 b\nb c\n".to_vec(),
        utf16(true),
        utf16(false),
    ] {
        let graph = load_bytes("x.txt", &bytes).unwrap();
        let ids: Vec<&str> = graph.ids().iter().collect();
        assert_eq!((ids.as_slice(), graph.edge_count()), (["José", "b", "c"].as_slice(), 2));
    }
}

#[test]
fn binary_files_are_refused() {
    let junk: Vec<u8> = (0..=255).cycle().take(10_000).collect();
    for bytes in [&b"1 2\n\0\0\0\n"[..], b"\0", b"\x7fELF\x02\x01\x01\0", &junk] {
        for name in ["x.txt", "x.json", "x.graphml", "x.mtx", "x.g6", "x.dot", "x.cites"] {
            assert!(load_bytes(name, bytes).is_err(), "{name}");
        }
    }
}

#[test]
fn an_empty_file_of_any_kind_is_reported_as_empty() {
    for name in
        ["x.txt", "x.json", "x.graphml", "x.gml", "x.mtx", "x.g6", "x.dot", "x.cites", "x.content"]
    {
        for bytes in [&b""[..], b"\n\n", b"\xef\xbb\xbf", b" "] {
            assert!(fault(name, bytes).contains("found"), "{name}");
        }
    }
}

#[test]
fn invalid_weights_are_refused_or_skipped() {
    for weight in ["-1", "NaN", "inf", "-inf", "1e39", "x"] {
        let list = format!("source target weight\na b 1\nb c {weight}\n");
        assert!(fault("x.txt", list.as_bytes()).contains("line 3"), "{weight}");
        let mtx = format!("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 {weight}\n");
        assert!(fault("x.mtx", mtx.as_bytes()).contains("line 3"), "{weight}");
        let (_folder, path) = file("x.txt", list.as_bytes());
        let options = LoadOptions { on_bad_row: OnBadRow::Skip, ..LoadOptions::default() };
        assert_eq!(load(&path, &options).unwrap().0.edge_count(), 1, "{weight}");
    }
}

#[test]
fn duplicate_ids_are_reported() {
    for (name, text) in
        [("x.json", "{\"nodes\": [{\"id\": 1}, {\"id\": 1}]}"), ("x.content", "p 1 A\np 1 A\n")]
    {
        assert!(fault(name, text.as_bytes()).contains("a second time"), "{name}");
    }
}

#[test]
fn endless_nesting_overflows_no_stack() {
    for unit in
        ["[", "{", "{\"nodes\":[", "{\"nodes\":", "<a>", "graph [ ", "subgraph {", "(", "\""]
    {
        let nested = unit.repeat(50_000);
        for format in Format::ALL {
            for before in ["", "graph { ", "graph [ node [ id 1 x ", "{\"nodes\": [{\"x\": "] {
                feed_format(format, &format!("{before}{nested}"), OnBadRow::Skip);
            }
        }
    }
}

fn one_long_line(length: usize) {
    for unit in ["a", "1 2 ", "a,b,", "a\t", "~", "\"", "{'a': 1, ", "<node id=\"1\"/>"] {
        let text = unit.repeat(length / unit.len());
        for format in Format::ALL {
            feed_format(format, &text, OnBadRow::Skip);
        }
    }
}

#[test]
fn a_line_of_megabytes_is_read_in_seconds() {
    one_long_line(8 << 20);
}

#[test]
#[ignore = "takes minutes and gigabytes"]
fn a_line_of_a_gigabyte_is_read() {
    one_long_line(1 << 30);
}

#[cfg(unix)]
#[test]
fn circular_links_are_errors() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("graph");
    std::fs::create_dir(&inside).unwrap();
    symlink(&inside, inside.join("again")).unwrap();
    symlink(inside.join("edges.tsv"), inside.join("edges.tsv")).unwrap();
    symlink(inside.join("b.cites"), inside.join("a.content")).unwrap();
    symlink(inside.join("a.content"), inside.join("b.cites")).unwrap();
    for path in ["", "again/again", "edges.tsv", "a.content"] {
        assert!(load(&inside.join(path), &LoadOptions::default()).is_err(), "{path}");
    }
}
