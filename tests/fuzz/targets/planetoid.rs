#![no_main]

use check::consistent;
use gesf_graph::formats::planetoid::{Parts, read_parts};
use gesf_graph::{OnBadRow, Reading, RoleChoice, build};

/// The files of a good graph; the input takes the place of one of them.
fn good() -> Parts {
    macro_rules! part {
        ($name:literal) => {
            include_bytes!(concat!(
                "../../fixtures/planetoid/python2_protocol2/ind.citeseer.",
                $name
            ))
        };
    }
    Parts {
        y: part!("y").to_vec(),
        tx: part!("tx").to_vec(),
        ty: part!("ty").to_vec(),
        allx: part!("allx").to_vec(),
        ally: part!("ally").to_vec(),
        graph: part!("graph").to_vec(),
        test_index: String::from_utf8_lossy(part!("test.index")).into_owned(),
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let replace: [fn(&mut Parts, Vec<u8>); 4] = [
        |parts, own| parts.y = own,
        |parts, own| parts.tx = own,
        |parts, own| parts.allx = own,
        |parts, own| parts.graph = own,
    ];
    for replace in replace {
        let mut parts = good();
        replace(&mut parts, bytes.to_vec());
        let mut reading = Reading::new("input", OnBadRow::Fail);
        if let Ok(raw) = read_parts(&parts, &mut reading) {
            consistent(&raw);
            let _ = build(raw, &RoleChoice::default(), &mut reading);
        }
    }
});
