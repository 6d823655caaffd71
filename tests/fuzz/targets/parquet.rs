#![no_main]

use check::consistent;
use gesf_graph::formats::parquet;
use gesf_graph::{OnBadRow, Reading, RoleChoice, build};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut reading = Reading::new("input", OnBadRow::Skip);
    let both = [
        parquet::read_edges(bytes.to_vec(), &mut reading),
        parquet::read_nodes(bytes.to_vec(), &mut reading),
    ];
    for raw in both.into_iter().flatten() {
        consistent(&raw);
        let _ = build(raw, &RoleChoice::default(), &mut reading);
    }
});
