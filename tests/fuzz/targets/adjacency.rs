#![no_main]

use check::Holds;
use gesf_graph::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::format(bytes, Format::Adjacency, Holds::Something));
