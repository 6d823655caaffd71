//! The stack machine of a pickle: opcodes in, values out.

use std::collections::HashMap;

use super::literal;
use super::value::{Name, Value};

/// A reader of one pickle.
pub(super) struct Machine<'a> {
    rest: &'a [u8],
    values: Vec<Value>,
    stack: Vec<usize>,
    marks: Vec<usize>,
    memo: HashMap<u64, usize>,
    /// How many bytes may still be made from texts.
    room: usize,
}

type Step<T = ()> = Result<T, String>;

impl<'a> Machine<'a> {
    pub(super) fn new(rest: &'a [u8]) -> Self {
        let (values, stack, marks) = (Vec::new(), Vec::new(), Vec::new());
        Self { rest, values, stack, marks, memo: HashMap::new(), room: rest.len() }
    }

    /// Runs to the end; returns all values and the number of the result.
    pub(super) fn run(mut self) -> Step<(Vec<Value>, usize)> {
        loop {
            match self.byte()? {
                b'.' => {
                    let root = self.pop()?;
                    return Ok((self.values, root));
                }
                opcode => self.step(opcode)?,
            }
        }
    }

    fn step(&mut self, opcode: u8) -> Step {
        match opcode {
            // The version of the protocol and the length of a frame add nothing.
            0x80 => drop(self.take(1)?),
            0x95 => drop(self.take(8)?),
            b'(' => self.marks.push(self.stack.len()),
            b'0' => drop(self.pop()?),
            b'1' => drop(self.since_mark()?),
            b'2' => {
                let top = self.pop()?;
                self.stack.extend([top, top]);
            }
            b'N' => self.push(Value::None),
            0x88 => self.push(Value::Flag(true)),
            0x89 => self.push(Value::Flag(false)),
            b'I' | b'L' => {
                let value = literal::integer(self.line()?)?;
                self.push(value);
            }
            b'J' => {
                let value = self.number(4)? as u32 as i32;
                self.push(Value::Int(value.into()));
            }
            b'K' => self.unsigned(1)?,
            b'M' => self.unsigned(2)?,
            0x8a => self.long(1)?,
            0x8b => self.long(4)?,
            b'F' => {
                self.line()?;
                self.push(Value::Real);
            }
            b'G' => {
                self.take(8)?;
                self.push(Value::Real);
            }
            b'S' => {
                let value = literal::string(self.line()?)?;
                self.push(Value::Bytes(value));
            }
            b'V' => {
                let value = literal::unicode(self.line()?)?;
                self.push(Value::Text(value));
            }
            b'U' | b'C' => self.bytes(1)?,
            b'T' | b'B' => self.bytes(4)?,
            0x8e => self.bytes(8)?,
            0x8c => self.text(1)?,
            b'X' => self.text(4)?,
            0x8d => self.text(8)?,
            b'p' | b'q' | b'r' | 0x94 | b'g' | b'h' | b'j' => self.memo(opcode)?,
            _ => self.compose(opcode)?,
        }
        Ok(())
    }

    /// Opcodes that store the top of the stack, or bring back what was stored.
    fn memo(&mut self, opcode: u8) -> Step {
        let key = match opcode {
            b'p' | b'g' => match literal::integer(self.line()?)? {
                Value::Int(key) => key as u64,
                _ => return Err("a memo without a number".to_owned()),
            },
            b'q' | b'h' => self.number(1)?,
            b'r' | b'j' => self.number(4)?,
            _ => self.memo.len() as u64,
        };
        if matches!(opcode, b'g' | b'h' | b'j') {
            let stored = self.memo.get(&key).copied();
            self.stack.push(stored.ok_or_else(|| format!("no memo {key}"))?);
        } else {
            let top = self.top()?;
            self.memo.insert(key, top);
        }
        Ok(())
    }

    /// Opcodes that make a value from others.
    fn compose(&mut self, opcode: u8) -> Step {
        match opcode {
            b')' => self.push(Value::Tuple(Vec::new())),
            b']' => self.push(Value::List(Vec::new())),
            b'}' => self.push(Value::Dict(Vec::new())),
            b't' => {
                let parts = self.since_mark()?;
                self.push(Value::Tuple(parts));
            }
            b'l' => {
                let parts = self.since_mark()?;
                self.push(Value::List(parts));
            }
            b'd' => {
                let items = pairs(&self.since_mark()?)?;
                self.push(Value::Dict(items));
            }
            0x85..=0x87 => {
                let mut parts = Vec::new();
                for _ in 0x84..opcode {
                    parts.insert(0, self.pop()?);
                }
                self.push(Value::Tuple(parts));
            }
            b'a' => {
                let part = self.pop()?;
                self.append(vec![part])?;
            }
            b'e' => {
                let parts = self.since_mark()?;
                self.append(parts)?;
            }
            b's' => {
                let (value, key) = (self.pop()?, self.pop()?);
                self.set(vec![(key, value)])?;
            }
            b'u' => {
                let items = pairs(&self.since_mark()?)?;
                self.set(items)?;
            }
            b'c' => {
                let (module, name) = (self.line()?, self.line()?);
                let (module, name) = (text_of(module)?, text_of(name)?);
                self.name(&module, &name)?;
            }
            0x93 => {
                let (name, module) = (self.pop()?, self.pop()?);
                match (self.values.get(module), self.values.get(name)) {
                    (Some(Value::Text(module)), Some(Value::Text(name))) => {
                        let (module, name) = (module.clone(), name.clone());
                        self.name(&module, &name)?;
                    }
                    _ => return Err("a name that is no text".to_owned()),
                }
            }
            b'R' | 0x81 => self.call()?,
            b'b' => self.build()?,
            other => return Err(format!("the opcode {other:#04x}, which these files do not use")),
        }
        Ok(())
    }

    fn name(&mut self, module: &str, name: &str) -> Step {
        let known = Name::of(module, name).ok_or_else(|| {
            let shown: String = format!("{module}.{name}").escape_debug().take(80).collect();
            format!("the name {shown}, which is never loaded")
        })?;
        self.push(Value::Name(known));
        Ok(())
    }

    /// A known name and its arguments; nothing is called.
    fn call(&mut self) -> Step {
        let (arguments, name) = (self.pop()?, self.pop()?);
        let (Some(Value::Tuple(arguments)), Some(Value::Name(name))) =
            (self.values.get(arguments), self.values.get(name))
        else {
            return Err("a call of what is no name".to_owned());
        };
        let (name, first_at) = (*name, arguments.first().copied());
        let first = first_at.and_then(|at| self.values.get(at));
        let object = |name: Name| Value::Object { name, arguments: Vec::new(), state: None };
        let value = match (name, first) {
            (Name::NewArray, _) => object(Name::Array),
            (Name::NewObject, Some(Value::Name(class))) => object(*class),
            (Name::SparseRows, _) => object(Name::SparseRows),
            (Name::ArrayType, Some(_)) => {
                Value::Object { name, arguments: first_at.into_iter().collect(), state: None }
            }
            (Name::Dictionary, _) => Value::Dict(Vec::new()),
            (Name::Encode, Some(Value::Text(text))) => {
                // A text is encoded once; more often it would fill the memory.
                let left = self.room.checked_sub(text.len());
                let bytes = latin_1(text)?;
                self.room = left.ok_or("a text that is encoded again and again")?;
                Value::Bytes(bytes)
            }
            _ => return Err(format!("a call of {name:?} with other arguments")),
        };
        self.push(value);
        Ok(())
    }

    /// Gives the object on the stack its state.
    fn build(&mut self) -> Step {
        let given = self.pop()?;
        let target = self.top()?;
        match self.values.get_mut(target) {
            Some(Value::Object { state, .. }) => *state = Some(given),
            _ => return Err("a state for what is no object".to_owned()),
        }
        Ok(())
    }

    fn append(&mut self, parts: Vec<usize>) -> Step {
        let target = self.top()?;
        match self.values.get_mut(target) {
            Some(Value::List(own)) => own.extend(parts),
            _ => return Err("an entry for what is no list".to_owned()),
        }
        Ok(())
    }

    fn set(&mut self, items: Vec<(usize, usize)>) -> Step {
        let target = self.top()?;
        match self.values.get_mut(target) {
            Some(Value::Dict(own)) => own.extend(items),
            _ => return Err("an item for what is no dictionary".to_owned()),
        }
        Ok(())
    }

    fn push(&mut self, value: Value) {
        self.stack.push(self.values.len());
        self.values.push(value);
    }

    fn pop(&mut self) -> Step<usize> {
        // What is below the last mark belongs to another value.
        let floor = self.marks.last().copied().unwrap_or(0);
        let top = (self.stack.len() > floor).then(|| self.stack.pop()).flatten();
        top.ok_or_else(|| "an opcode without its values".to_owned())
    }

    fn top(&self) -> Step<usize> {
        self.stack.last().copied().ok_or_else(|| "an opcode without its value".to_owned())
    }

    fn since_mark(&mut self) -> Step<Vec<usize>> {
        let mark = self.marks.pop().ok_or("an opcode without its mark")?;
        Ok(self.stack.split_off(mark.min(self.stack.len())))
    }

    fn byte(&mut self) -> Step<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn take(&mut self, count: usize) -> Step<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or("an incomplete pickle")?;
        self.rest = rest;
        Ok(taken)
    }

    fn line(&mut self) -> Step<&'a [u8]> {
        let end = memchr::memchr(b'\n', self.rest).ok_or("an incomplete pickle")?;
        let line = self.take(end + 1)?;
        let line = &line[..end];
        Ok(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// A number of up to eight bytes, the lowest first.
    fn number(&mut self, size: usize) -> Step<u64> {
        let bytes = self.take(size)?;
        Ok(bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
    }

    fn unsigned(&mut self, size: usize) -> Step {
        let value = self.number(size)? as i64;
        self.push(Value::Int(value));
        Ok(())
    }

    fn counted(&mut self, size: usize) -> Step<&'a [u8]> {
        let count = self.number(size)?;
        self.take(usize::try_from(count).map_err(|_| "an incomplete pickle")?)
    }

    fn long(&mut self, size: usize) -> Step {
        let bytes = self.counted(size)?;
        let value = literal::long(bytes)?;
        self.push(value);
        Ok(())
    }

    fn bytes(&mut self, size: usize) -> Step {
        let bytes = self.counted(size)?.to_vec();
        self.push(Value::Bytes(bytes));
        Ok(())
    }

    fn text(&mut self, size: usize) -> Step {
        let text = text_of(self.counted(size)?)?;
        self.push(Value::Text(text));
        Ok(())
    }
}

fn pairs(parts: &[usize]) -> Step<Vec<(usize, usize)>> {
    let (pairs, rest) = parts.as_chunks::<2>();
    let items = pairs.iter().map(|[key, value]| (*key, *value)).collect();
    if rest.is_empty() { Ok(items) } else { Err("a key without a value".to_owned()) }
}

fn text_of(bytes: &[u8]) -> Step<String> {
    std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| "text that is not UTF-8".to_owned())
}

/// Bytes that Python 3 writes as text for readers of protocol 2.
fn latin_1(text: &str) -> Step<Vec<u8>> {
    let byte = |c: char| u8::try_from(u32::from(c)).map_err(|_| "bytes that are no bytes".into());
    text.chars().map(byte).collect()
}
