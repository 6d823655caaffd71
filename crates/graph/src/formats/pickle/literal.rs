//! Numbers and strings as they are written in a pickle.

use super::value::Value;

/// A decimal number; in protocol 0, `00` and `01` are false and true, and a long
/// number ends in `L`.
pub(super) fn integer(line: &[u8]) -> Result<Value, String> {
    let text = std::str::from_utf8(line).unwrap_or_default();
    match text {
        "00" => Ok(Value::Flag(false)),
        "01" => Ok(Value::Flag(true)),
        _ => {
            let digits = text.strip_suffix('L').unwrap_or(text);
            let number = digits.parse().map(Value::Int);
            number.map_err(|_| "a number that is none, or too large".to_owned())
        }
    }
}

/// The bytes of a whole number, the lowest first, in two's complement.
pub(super) fn long(bytes: &[u8]) -> Result<Value, String> {
    if bytes.len() > 8 {
        return Err("a number that is too large".to_owned());
    }
    let negative = bytes.last().is_some_and(|last| last & 0x80 != 0);
    let mut wide = [if negative { 0xff } else { 0 }; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    Ok(Value::Int(i64::from_le_bytes(wide)))
}

/// A quoted string with Python's escapes.
pub(super) fn string(line: &[u8]) -> Result<Vec<u8>, String> {
    let broken = || "a string that does not end".to_owned();
    let (first, last) = (line.first(), line.last());
    let quoted = line.len() >= 2 && first == last && matches!(first, Some(b'\'' | b'"'));
    let inner = if quoted { &line[1..line.len() - 1] } else { return Err(broken()) };
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.iter();
    while let Some(&byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next().ok_or_else(broken)? {
            b'n' => bytes.push(b'\n'),
            b't' => bytes.push(b'\t'),
            b'r' => bytes.push(b'\r'),
            b'a' => bytes.push(7),
            b'b' => bytes.push(8),
            b'f' => bytes.push(12),
            b'v' => bytes.push(11),
            b'x' => {
                let digits = [*rest.next().ok_or_else(broken)?, *rest.next().ok_or_else(broken)?];
                bytes.push(hexadecimal(&digits).ok_or_else(broken)? as u8);
            }
            own @ (b'\\' | b'\'' | b'"') => bytes.push(*own),
            other => bytes.extend([b'\\', *other]),
        }
    }
    Ok(bytes)
}

/// Text of protocol 0: Latin-1 with `\u` escapes.
pub(super) fn unicode(line: &[u8]) -> Result<String, String> {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((&byte, after)) = rest.split_first() {
        let escape = match after.first() {
            Some(b'u') if byte == b'\\' => after.get(1..5),
            Some(b'U') if byte == b'\\' => after.get(1..9),
            _ => None,
        };
        if let Some(digits) = escape {
            let read = hexadecimal(digits).and_then(char::from_u32);
            text.push(read.ok_or("an escape that is no character")?);
            rest = &after[1 + digits.len()..];
        } else {
            text.push(char::from(byte));
            rest = after;
        }
    }
    Ok(text)
}

fn hexadecimal(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |sum: u32, digit| {
        char::from(*digit).to_digit(16).map(|value| sum << 4 | value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_have_pythons_escapes() {
        assert_eq!(string(br"'a\x00\xff\n\\\'\q'"), Ok(b"a\0\xff\n\\'\\q".to_vec()));
        assert!(string(b"'a").is_err() && string(br"'\x4'").is_err() && string(b"'").is_err());
        assert_eq!(unicode(b"a\\u00e9\xff"), Ok("aéÿ".to_owned()));
    }

    #[test]
    fn numbers_are_decimal_or_in_twos_complement() {
        assert_eq!(integer(b"-12L"), Ok(Value::Int(-12)));
        assert_eq!(integer(b"01"), Ok(Value::Flag(true)));
        assert_eq!(long(b"\x00\xff"), Ok(Value::Int(-256)));
        assert_eq!(long(b""), Ok(Value::Int(0)));
        assert!(long(&[1; 9]).is_err() && integer(b"1e5").is_err());
    }
}
