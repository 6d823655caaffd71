#![no_main]

use gesf_graph::formats::npz;
use gesf_graph::{OnBadRow, Reading, RoleChoice, build};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut reading = Reading::new("input", OnBadRow::Fail);
    if let Ok(raw) = npz::read_archive(bytes, &mut reading) {
        let _ = build(raw, &RoleChoice::default(), &mut reading);
    }
});
