//! `model.safetensors`: a state as tensors, with the epoch in its header.

use std::collections::HashMap;

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use xxhash_rust::xxh3::Xxh3;

use crate::train::{BestEpoch, OptimizerState, SavedParameter, TrainerState};

const FIRST: &str = "optimiser.first.";
const SECOND: &str = "optimiser.second.";
/// The only entry of the header: epochs, steps and the order of the parameters,
/// which the format does not preserve. A single entry makes the file deterministic.
const FACTS: &str = "state";

/// The bytes of a state, with the checksum of the record it belongs to.
pub(super) fn to_bytes(state: &TrainerState, record: u64) -> Result<Vec<u8>, String> {
    let mut tensors: Vec<(String, TensorView<'_>)> = Vec::new();
    for own in &state.parameters {
        let parts = [("", &own.values), (FIRST, &own.memory.first), (SECOND, &own.memory.second)];
        for (prefix, values) in parts.into_iter().filter(|(_, values)| !values.is_empty()) {
            let view = TensorView::new(Dtype::F32, own.shape.clone(), bytemuck::cast_slice(values))
                .map_err(|error| error.to_string())?;
            tensors.push((format!("{prefix}{}", own.name), view));
        }
    }
    let names: Vec<&str> = state.parameters.iter().map(|own| own.name.as_str()).collect();
    // The score as bits: a decimal number might not round-trip.
    let best = |best: BestEpoch| format!("best {} score {} ", best.epoch, best.score.to_bits());
    let best = state.best.map(best).unwrap_or_default();
    let facts = format!("epoch {} step {} {best}record {record} ", state.epoch, state.steps);
    let sum = checksum(&facts, &state.parameters);
    let facts = format!("{facts}sum {sum} of {}", names.join(" "));
    let header = HashMap::from([(FACTS.to_owned(), facts)]);
    safetensors::serialize(tensors, Some(header)).map_err(|error| error.to_string())
}

/// A checksum over the header entry and all values of a state.
fn checksum(facts: &str, parameters: &[SavedParameter]) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(facts.as_bytes());
    for own in parameters {
        hash.update(own.name.as_bytes());
        for values in [&own.values, &own.memory.first, &own.memory.second] {
            hash.update(&(values.len() as u64).to_le_bytes());
            hash.update(bytemuck::cast_slice(values));
        }
    }
    hash.digest()
}

/// The epoch in the header of a file.
pub(super) fn epoch(header: &[u8]) -> Option<usize> {
    let text: serde_json::Value = serde_json::from_slice(header.get(8..)?).ok()?;
    let facts = text.get("__metadata__")?.get(FACTS)?.as_str()?;
    facts.strip_prefix("epoch ")?.split_whitespace().next()?.parse().ok()
}

/// The state in the bytes of a file and the checksum of its record, if there is
/// one; the error describes what was found instead.
pub(super) fn parse(bytes: &[u8]) -> Result<(TrainerState, Option<u64>), String> {
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| error.to_string())?;
    let tensors = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
    let facts = header.metadata().as_ref().and_then(|facts| facts.get(FACTS));
    let facts = facts.ok_or("no epoch")?;
    let (numbers_said, names) = facts.split_once("of ").ok_or("no parameters")?;
    let summed = numbers_said.split_once("sum ").map_or("", |(summed, _)| summed);
    let words: Vec<&str> = numbers_said.split_whitespace().collect();
    let number_after = |word: &str| {
        let place = words.iter().position(|own| *own == word);
        let number = place.and_then(|place| words.get(place + 1));
        number.and_then(|number| number.parse::<u64>().ok())
    };
    let needed = |word: &str| number_after(word).ok_or_else(|| format!("no {word}"));
    let (epoch, steps) = (needed("epoch")? as usize, needed("step")?);
    let best = number_after("best").zip(number_after("score")).map(|(epoch, bits)| BestEpoch {
        epoch: epoch as usize,
        score: f32::from_bits(bits as u32),
    });
    let numbers = |name: &str| -> Option<Vec<f32>> {
        let view = tensors.tensor(name).ok()?;
        let own = view.data().chunks_exact(4);
        let number = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
        (view.dtype() == Dtype::F32).then(|| own.map(number).collect())
    };
    let parameters: Vec<SavedParameter> = names
        .split_whitespace()
        .map(|name| {
            let values = numbers(name).ok_or_else(|| format!("no parameter {name}"))?;
            let shape = tensors.tensor(name).map_err(|error| error.to_string())?.shape().to_vec();
            let memory = |prefix: &str| numbers(&format!("{prefix}{name}")).unwrap_or_default();
            let memory = OptimizerState { first: memory(FIRST), second: memory(SECOND) };
            Ok(SavedParameter { name: name.to_owned(), shape, values, memory })
        })
        .collect::<Result<_, String>>()?;
    if number_after("sum").is_some_and(|sum| sum != checksum(summed, &parameters)) {
        return Err("damaged numbers: their checksum does not match the header".to_owned());
    }
    Ok((TrainerState { epoch, steps, best, parameters }, number_after("record")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn state() -> TrainerState {
        let one = SavedParameter {
            name: "x.0".into(),
            shape: vec![2, 2],
            values: vec![1.0, -0.0, f32::MIN_POSITIVE, 3.5],
            memory: OptimizerState { first: vec![0.1; 4], second: vec![0.2; 4] },
        };
        let other = SavedParameter {
            name: "rho.1.weight".into(),
            shape: vec![1],
            values: vec![9.0],
            ..SavedParameter::default()
        };
        let best = Some(BestEpoch { epoch: 9, score: 0.1 });
        TrainerState { epoch: 12, steps: 34, best, parameters: vec![one, other] }
    }

    #[test]
    fn a_state_round_trips_bit_for_bit() {
        assert_eq!(parse(&to_bytes(&state(), 7).unwrap()), Ok((state(), Some(7))));
    }

    proptest! {
        #[test]
        fn a_damaged_file_is_an_error_and_never_a_panic(cut in 0..400_usize, at in 0..400_usize, byte: u8) {
            let mut bytes = to_bytes(&state(), 7).unwrap();
            let length = bytes.len();
            bytes[at % length] = byte;
            bytes.truncate(cut % (length + 1));
            let parsed = parse(&bytes);
            prop_assert!(parsed.is_err() || parsed == Ok((state(), Some(7))), "{parsed:?}");
        }
    }
}
