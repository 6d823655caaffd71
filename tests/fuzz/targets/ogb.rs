#![no_main]

use gesf_graph::formats::ogb::{self, Texts};
use gesf_graph::{OnBadRow, Reading};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let good = Texts { counts: "34", edges: "0,1\n", labels: None, features: None };
    // The input is one of the tables in turn, and all of them, separated by empty lines.
    check::read(
        bytes,
        |text, reading| ogb::read_texts(&Texts { counts: text, ..good }, reading),
        |_| (),
    );
    check::read(
        bytes,
        |text, reading| ogb::read_texts(&Texts { edges: text, ..good }, reading),
        |_| (),
    );
    let labels = |text: &str, reading: &mut Reading| {
        ogb::read_texts(&Texts { labels: Some(text), ..good }, reading)
    };
    check::read(bytes, labels, |_| ());
    let all = |text: &str, reading: &mut Reading| {
        let mut tables = text.split("\n\n");
        let mut next = || tables.next();
        let (counts, edges) = (next().unwrap_or_default(), next().unwrap_or_default());
        ogb::read_texts(&Texts { counts, edges, labels: next(), features: next() }, reading)
    };
    check::read(bytes, all, |_| ());
    let text = String::from_utf8_lossy(bytes);
    let _ = ogb::read_part(&text, 34, &mut Reading::new("input", OnBadRow::Skip));
});
