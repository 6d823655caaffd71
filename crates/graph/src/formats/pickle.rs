//! Pickles of arrays, sparse matrices and dictionaries, read as data.
//!
//! A pickle is a program for a small stack machine. This reader knows the opcodes of
//! protocols 0 to 4 and the few names that pickles of NumPy arrays, SciPy matrices
//! and dictionaries refer to; any other name is an error. Nothing is imported,
//! called or executed: a "call" of a known name only records its arguments.
//!
//! Values are numbers into one table, since a list may be stored first and filled
//! later. Every opcode adds at most one value of the size of its own bytes, so a
//! small file stays small.

mod literal;
mod machine;
mod value;

use super::npz::array::Array;
use super::npz::entries::Entries;
use machine::Machine;
use value::{Name, Value};

/// The values of a pickle.
pub(super) struct Pickle {
    values: Vec<Value>,
    root: usize,
}

/// Reads a pickle; the error says what is wrong.
pub(super) fn parse(bytes: &[u8]) -> Result<Pickle, String> {
    let (values, root) = Machine::new(bytes).run()?;
    Ok(Pickle { values, root })
}

impl Pickle {
    fn value(&self, at: usize) -> &Value {
        self.values.get(at).unwrap_or(&Value::None)
    }

    /// A dictionary of lists of nodes, as (node, neighbour) pairs.
    pub(super) fn neighbours(&self) -> Result<Vec<(i64, i64)>, String> {
        let Value::Dict(items) = self.value(self.root) else {
            return Err("a pickle without a dictionary of neighbours".to_owned());
        };
        // One list may be the value of many keys; a file cannot list more than it has.
        let most = self.values.len();
        let mut pairs = Vec::new();
        for (key, list) in items {
            let (Value::Int(node), Value::List(list)) = (self.value(*key), self.value(*list))
            else {
                return Err("a dictionary that is not from numbers to lists".to_owned());
            };
            if pairs.len() + list.len() > most.saturating_mul(4) {
                return Err("lists of neighbours that repeat".to_owned());
            }
            for other in list {
                let Value::Int(other) = self.value(*other) else {
                    return Err("a neighbour that is not a number".to_owned());
                };
                pairs.push((*node, *other));
            }
        }
        Ok(pairs)
    }

    /// A sparse or dense matrix.
    pub(super) fn matrix(&self) -> Result<Entries, String> {
        match self.value(self.root) {
            Value::Object { name: Name::SparseRows, state: Some(state), .. } => {
                self.sparse_rows(*state)
            }
            _ => self.array(self.root).map(|array| Entries::dense(&array)),
        }
    }

    fn sparse_rows(&self, state: usize) -> Result<Entries, String> {
        let Value::Dict(items) = self.value(state) else {
            return Err("a sparse matrix without its arrays".to_owned());
        };
        let part = |name: &str| {
            let own = items.iter().find(|(key, _)| self.text(*key) == Some(name));
            own.map(|(_, value)| *value).ok_or_else(|| format!("a sparse matrix without {name}"))
        };
        let [starts, columns, values] =
            [part("indptr")?, part("indices")?, part("data")?].map(|at| self.array(at));
        let mut rows = Entries::sparse(&starts?, &columns?, Some(&values?))
            .map_err(|row| format!("a sparse matrix whose row {row} does not fit its indices"))?;
        if let Value::Tuple(shape) = self.value(part("_shape").or_else(|_| part("shape"))?)
            && let [_, width] = shape.as_slice()
            && let Value::Int(width) = self.value(*width)
        {
            rows.columns = u32::try_from(*width).unwrap_or(0) as usize;
        }
        Ok(rows)
    }

    /// A NumPy array: its state is (version, shape, type, by columns, bytes).
    fn array(&self, at: usize) -> Result<Array, String> {
        let broken = || "a value that is no array of numbers".to_owned();
        let Value::Object { name: Name::Array, state: Some(state), .. } = self.value(at) else {
            return Err(broken());
        };
        let Value::Tuple(state) = self.value(*state) else { return Err(broken()) };
        let [_, shape, kind, by_columns, bytes] = state.as_slice() else { return Err(broken()) };
        let Value::Tuple(shape) = self.value(*shape) else { return Err(broken()) };
        let size = |at: &usize| match self.value(*at) {
            Value::Int(size) => usize::try_from(*size).ok(),
            _ => None,
        };
        let shape: Option<Vec<usize>> = shape.iter().map(size).collect();
        let by_columns = matches!(self.value(*by_columns), Value::Flag(true) | Value::Int(1));
        let Value::Bytes(bytes) = self.value(*bytes) else {
            return Err("an array of objects, which are never loaded".to_owned());
        };
        let kind = self.kind(*kind).ok_or_else(broken)?;
        Array::of(bytes.clone(), 0, &kind, &shape.ok_or_else(broken)?, by_columns)
    }

    /// The type of an array, such as `<f4`: the name is an argument, the byte order is
    /// in the state.
    fn kind(&self, at: usize) -> Option<String> {
        let Value::Object { name: Name::ArrayType, arguments, state } = self.value(at) else {
            return None;
        };
        let name = self.text(*arguments.first()?)?;
        let order = match state.map(|state| self.value(state)) {
            Some(Value::Tuple(state)) => self.text(*state.get(1)?)?,
            _ => "",
        };
        Some(format!("{order}{name}"))
    }

    fn text(&self, at: usize) -> Option<&str> {
        match self.value(at) {
            Value::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_outside_the_list_are_refused_and_nothing_is_called() {
        for (pickle, name) in [
            (&b"cos\nsystem\n(S'true'\ntR."[..], "os.system"),
            (b"\x80\x02cbuiltins\neval\nq\x00X\x01\x00\x00\x001\x85R.", "builtins.eval"),
            (b"\x80\x04\x8c\x05posix\x8c\x06system\x93.", "posix.system"),
        ] {
            let said = parse(pickle).err().unwrap();
            assert!(said.contains(name) && said.contains("never"), "{said}");
        }
    }

    #[test]
    fn a_dictionary_of_lists_is_read_in_every_protocol() {
        let text = b"ccollections\ndefaultdict\np0\n(c__builtin__\nlist\np1\ntp2\nRp3\nI0\n(lp4\nI2\naI1\nasI1\n(lp5\nI0\nas.";
        let binary = b"\x80\x02ccollections\ndefaultdict\nq\x00c__builtin__\nlist\nq\x01\x85q\x02Rq\x03(K\x00]q\x04(K\x02K\x01eK\x01]q\x05K\x00au.";
        for pickle in [&text[..], binary] {
            let pairs = parse(pickle).unwrap().neighbours();
            assert_eq!(pairs, Ok(vec![(0, 2), (0, 1), (1, 0)]));
        }
    }

    #[test]
    fn damaged_pickles_are_errors() {
        for pickle in [
            &b""[..],
            b".",
            b"(",
            b"t.",
            b"I1",
            b"g7\n.",
            b"X\xff\xff\xff\xff",
            b"\x8b",
            b"Iabc\n.",
        ] {
            assert!(parse(pickle).is_err(), "{pickle:?}");
        }
        // A list that contains itself ends nowhere, and is no matrix.
        let endless = parse(b"(lp0\ng0\na.").unwrap();
        assert!(endless.matrix().is_err() && endless.neighbours().is_err());
    }

    #[test]
    fn a_text_that_is_encoded_again_and_again_stays_small() {
        let text = [b"\x80\x02X\x00\x04\x00\x00".as_slice(), &[b'a'; 1024], b"q\x000"].concat();
        let encode = b"c_codecs\nencode\nh\x00\x85R0".repeat(100);
        let said = parse(&[text, encode, b"N.".to_vec()].concat()).err().unwrap();
        assert!(said.contains("again"), "{said}");
    }
}
