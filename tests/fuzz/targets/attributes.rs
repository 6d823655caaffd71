#![no_main]

use gesf_tui::graph::{Attributes, NodeId};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let rows: Result<Vec<_>, _> = text.lines().map(Attributes::parse_row).collect();
    if let Ok(rows) = rows {
        let all = Attributes::from_rows(rows);
        let texts = (0..all.nodes()).map(|node| all.row_text(NodeId::from(node)));
        let again: Result<Vec<_>, _> = texts.map(|text| Attributes::parse_row(&text)).collect();
        assert_eq!(again.map(Attributes::from_rows), Ok(all));
    }
});
