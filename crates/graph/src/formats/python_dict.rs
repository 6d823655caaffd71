//! The one-line Python dictionaries that networkx appends to its edges: `{'weight':
//! 3, 'kind': 'friend'}`.

use super::super::Cell;

/// Parses a dictionary of plain values; `None` for any other text.
pub(super) fn read(text: &str) -> Option<Vec<(String, Cell)>> {
    let mut rest = text.trim().strip_prefix('{')?.trim_start();
    let mut entries = Vec::new();
    loop {
        if let Some(after) = rest.strip_prefix('}') {
            return after.trim().is_empty().then_some(entries);
        }
        let (key, after) = quoted_text(rest)?;
        let (value, after) = value(after.trim_start().strip_prefix(':')?.trim_start())?;
        entries.push((key, value));
        rest = after.trim_start();
        rest = match rest.strip_prefix(',') {
            Some(after) => after.trim_start(),
            None if rest.starts_with('}') => rest,
            None => return None,
        };
    }
}

fn value(text: &str) -> Option<(Cell, &str)> {
    if text.starts_with(['\'', '"']) {
        let (value, rest) = quoted_text(text)?;
        return Some((Cell::text(&value), rest));
    }
    let end = text.find([',', '}'])?;
    let (word, rest) = text.split_at(end);
    let cell = match word.trim() {
        "" => return None,
        "None" => Cell::Empty,
        "True" => Cell::Flag(true),
        "False" => Cell::Flag(false),
        word => Cell::parse(word),
    };
    Some((cell, rest))
}

fn quoted_text(text: &str) -> Option<(String, &str)> {
    let mark = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let mut value = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => value.push(chars.next()?.1),
            c if c == mark => return Some((value, &text[at + 1..])),
            c => value.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networkx_dictionaries_are_read() {
        assert_eq!(read("{}"), Some(vec![]));
        let entries = read("{'weight': 2.5, 'kind': \"it's\", 'old': True}").unwrap();
        assert_eq!(entries[0], ("weight".into(), Cell::Number(2.5)));
        assert_eq!(entries[1], ("kind".into(), Cell::text("it's")));
        assert_eq!(entries[2], ("old".into(), Cell::Flag(true)));
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "{", "{'a'}", "{'a': }", "{'a': 1", "{a: 1}", "{'a': 'b}", "{'a': 1} x"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
