#![no_main]

use gesf_graph::{Format, OnBadRow, Reading, decode};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut reading = Reading::new("input", OnBadRow::Fail);
    if let Ok(text) = decode(bytes.to_vec(), &mut reading) {
        assert!(!text.contains('\0'));
        let _ = Format::of_content(&text);
    }
});
