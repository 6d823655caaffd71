//! The command table: the rows of every scope, in order.

use std::sync::LazyLock;

use super::{
    Command, checkpoints, curves, drafts, everywhere, filter, lab, learning, map, node, outputs,
    overview, plots, runs, settings, training,
};

/// A row: name, keys, hint, description, scope, condition, function.
macro_rules! command {
    ($name:literal, [$($key:literal),*], $hint:literal, $what:literal, $place:ident, $when:expr, $run:expr) => {
        Command {
            name: $name,
            keys: &[$($key),*],
            hint: $hint,
            what: $what,
            place: CommandScope::$place,
            when: $when,
            run: $run,
        }
    };
}
pub(super) use command;

/// Rows by scope. If a key is bound to several commands, the first that applies wins:
/// those of a screen come before those that apply everywhere.
const ROWS: &[&[Command]] = &[
    drafts::ROWS,
    settings::ROWS,
    plots::ROWS,
    curves::ROWS,
    filter::ROWS,
    overview::ROWS,
    node::ROWS,
    map::ROWS,
    lab::cards::ROWS,
    lab::aggregators::ROWS,
    lab::theorem::ROWS,
    lab::filters::ROWS,
    lab::ROWS,
    runs::ROWS,
    outputs::ROWS,
    training::ROWS,
    checkpoints::ROWS,
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
    fn names_are_unique_keys_parse_and_descriptions_are_sentences() {
        for (at, command) in TABLE.iter().enumerate() {
            assert!(TABLE[at + 1..].iter().all(|other| other.name != command.name));
            assert!(command.what.ends_with('.'), "{}", command.name);
            for key in command.keys {
                assert!(key.parse::<Chord>().is_ok(), "{key}");
            }
        }
    }
}
