#![no_main]

use gesf_graph::RawGraph;
use gesf_graph::formats::table::{Repeats, read_nodes};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for repeats in [Repeats::Refuse, Repeats::AddLabels] {
        let parse = |text: &str, reading: &mut _| {
            let mut raw = RawGraph::default();
            read_nodes(text, &mut raw, repeats, reading)?;
            Ok(raw)
        };
        check::read(bytes, parse, |_| ());
    }
});
