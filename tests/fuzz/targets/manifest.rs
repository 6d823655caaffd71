#![no_main]

use gesf_graph::{Manifest, OnBadRow, Reading};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let reading = Reading::new("graph.toml", OnBadRow::Fail);
    if let Ok(manifest) = Manifest::parse(text, &reading) {
        let again = Manifest::parse(&manifest.to_text(), &reading);
        assert!(again.is_ok(), "{}", manifest.to_text());
    }
});
