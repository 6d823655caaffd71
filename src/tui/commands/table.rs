//! The table itself: the rows of every place, one after the other.

use std::sync::LazyLock;

use super::{
    Command, curves, drafts, everywhere, filter, lab, learning, map, node, past, plots, runs,
    settings, training,
};

/// A row: name, keys, hint, what, place, when, run.
macro_rules! command {
    ($name:literal, [$($key:literal),*], $hint:literal, $what:literal, $place:ident, $when:expr, $run:expr) => {
        Command {
            name: $name,
            keys: &[$($key),*],
            hint: $hint,
            what: $what,
            place: Place::$place,
            when: $when,
            run: $run,
        }
    };
}
pub(super) use command;

/// Rows by place. Where a key stands for several commands, the first that
/// applies is meant: what belongs to a screen comes before what applies anywhere.
const ROWS: &[&[Command]] = &[
    drafts::ROWS,
    settings::ROWS,
    plots::ROWS,
    curves::ROWS,
    filter::ROWS,
    node::ROWS,
    map::ROWS,
    lab::cards::ROWS,
    lab::aggregators::ROWS,
    lab::theorem::ROWS,
    lab::filters::ROWS,
    lab::ROWS,
    runs::ROWS,
    training::ROWS,
    past::ROWS,
    learning::ROWS,
    everywhere::ROWS,
];

/// Every command.
pub(crate) static TABLE: LazyLock<Vec<&'static Command>> =
    LazyLock::new(|| ROWS.iter().copied().flatten().collect());

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::commands::Chord;

    #[test]
    fn names_are_distinct_keys_are_keys_and_sentences_are_sentences() {
        for (at, command) in TABLE.iter().enumerate() {
            assert!(TABLE[at + 1..].iter().all(|other| other.name != command.name));
            assert!(command.what.ends_with('.'), "{}", command.name);
            for key in command.keys {
                assert!(key.parse::<Chord>().is_ok(), "{key}");
            }
        }
    }
}
