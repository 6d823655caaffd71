#![no_main]

use gesf_graph::formats::linqs::{read_cites_text, read_content_text};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    check::read(bytes, read_content_text, |_| ());
    check::read(bytes, read_cites_text, |_| ());
});
