#![no_main]

use gesf_tui::graph::{Features, NodeId};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let rows: Result<Vec<_>, _> = text.lines().map(Features::parse_row).collect();
    if let Ok(rows) = rows {
        let all = Features::from_rows(rows);
        let texts = (0..all.nodes()).map(|node| all.row_text(NodeId::from(node)));
        let again: Result<Vec<_>, _> = texts.map(|text| Features::parse_row(&text)).collect();
        assert_eq!(again.map(Features::from_rows), Ok(all));
    }
});
