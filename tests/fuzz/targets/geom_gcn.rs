#![no_main]

use gesf_graph::formats::geom_gcn;
use gesf_graph::{OnBadRow, Reading};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    check::read(bytes, |text, reading| geom_gcn::read_nodes(text, reading), |_| ());
    let _ = geom_gcn::read_split(bytes, 34, &Reading::new("input", OnBadRow::Fail));
});
