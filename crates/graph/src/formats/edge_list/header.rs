//! Detects whether the first row of an edge list is a header, and which columns
//! hold the ends of an edge.

use std::borrow::Cow;

use super::layout::{Separator, rows};

/// Names of an end, without case, `_`, `-`, `.` and blanks.
const SOURCE_NAMES: [&str; 13] = [
    "source",
    "sourceid",
    "src",
    "from",
    "fromid",
    "fromnode",
    "fromnodeid",
    "node1",
    "nodeid1",
    "id1",
    "cited",
    "srcid",
    "node1id",
];
const TARGET_NAMES: [&str; 15] = [
    "target", "targetid", "dst", "dest", "to", "toid", "tonode", "tonodeid", "node2", "nodeid2",
    "id2", "citing", "dstid", "node2id", "destid",
];
/// Pairs of words that could also be ids: a header only if they do not occur again.
const PAIRS: [(&str, &str); 12] = [
    ("u", "v"),
    ("i", "j"),
    ("head", "tail"),
    ("user", "item"),
    ("userid", "itemid"),
    ("subject", "object"),
    ("start", "end"),
    ("parent", "child"),
    ("follower", "followee"),
    ("row", "column"),
    ("row", "col"),
    ("node", "neighbor"),
];

/// The columns of the two ends, if the first row names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) source: usize,
    pub(super) target: usize,
    /// Whether the names are unknown and only recognised because numbers follow.
    pub(super) guessed: bool,
}

impl Header {
    /// Checks the first row, and the others if that is not conclusive.
    pub(super) fn of(text: &str, probe: &[&str], separator: Separator) -> Option<Self> {
        let (first, others) = probe.split_first()?;
        let first = separator.split(first);
        let names: Vec<String> = first.iter().map(|name| plain(name)).collect();
        let position = |known: &[&str]| names.iter().position(|n| known.contains(&n.as_str()));
        if let Some((source, target)) = named_ends(&names) {
            return Some(Self { source, target, guessed: false });
        }
        let comes_again = |at: usize| {
            let mut cells = others.iter().flat_map(|row| separator.split(row));
            cells.any(|cell| cell == first[at])
        };
        let pair = PAIRS.iter().find_map(|(source, target)| {
            Some((position(&[*source])?, position(&[*target])?))
                .filter(|&(source, target)| !comes_again(source) && !comes_again(target))
        });
        if let Some((source, target)) = pair.filter(|_| !others.is_empty()) {
            return Some(Self { source, target, guessed: false });
        }
        let are_words = first.len() > 1 && first.iter().take(2).all(|cell| is_word(cell));
        let guessed = are_words
            && !others.is_empty()
            && others.iter().all(|row| begins_with_numbers(row, separator, first.len()))
            // What holds for the first rows must hold for all of them.
            && rows(text).skip(1).all(|(_, row)| begins_with_numbers(row, separator, first.len()));
        guessed.then_some(Self { source: 0, target: 1, guessed })
    }
}

/// The columns of the two ends, if their names tell.
pub(super) fn named_ends(names: &[impl AsRef<str>]) -> Option<(usize, usize)> {
    let position = |known: &[&str]| {
        names.iter().position(|name| known.contains(&plain(name.as_ref()).as_str()))
    };
    position(&SOURCE_NAMES).zip(position(&TARGET_NAMES))
}

/// A name in normalised form.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' ')).collect::<String>().to_lowercase()
}

fn is_word(cell: &str) -> bool {
    cell.contains(char::is_alphabetic) && cell.parse::<f64>().is_err()
}

fn begins_with_numbers(row: &str, separator: Separator, width: usize) -> bool {
    let number =
        |cell: &Cow<'_, str>| !cell.is_empty() && cell.bytes().all(|byte| byte.is_ascii_digit());
    let cells = separator.split(row);
    cells.len() == width && cells.iter().take(2).all(number)
}

#[cfg(test)]
mod tests {
    use super::super::layout::Layout;

    fn ends(text: &str) -> Option<(usize, usize)> {
        let layout = Layout::detect(text);
        layout.has_header.then_some((layout.source, layout.target))
    }

    #[test]
    fn a_first_row_of_words_above_numbers_names_the_columns() {
        for names in ["node_1,node_2", "id_1,id_2", "head,tail", "user,item", "person,place"] {
            assert_eq!(ends(&format!("{names}\n1,2\n2,3\n")), Some((0, 1)), "{names}");
        }
        assert_eq!(ends("node_id\tnode_id\n0\t4\n4\t2\n"), Some((0, 1)));
        assert_eq!(ends("head,relation,tail\nAda,knows,Grace\n"), Some((0, 2)));
    }

    #[test]
    fn words_that_occur_again_or_above_words_are_ids() {
        for text in ["user,item\nitem,shop\n", "u v\nv w\n", "Ada,Grace\nGrace,Alan\n", "a b\n"] {
            assert_eq!(ends(text), None, "{text}");
        }
        let late = format!("Ada,Grace\n{}Ada,3\n", "1,2\n".repeat(100));
        assert_eq!(ends(&late), None);
    }
}
