//! The table itself.

use super::acts;
use super::{Command, Place};
use crate::tui::state::State;

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

fn always(_: &State) -> bool {
    true
}

/// Every command. Where a key stands for several, the first that applies is
/// meant; the footer shows them in this order.
pub(crate) const TABLE: &[Command] = &[
    command!(
        "dismiss",
        ["esc"],
        "seen",
        "Takes the message away.",
        Everywhere,
        |state| state.notices.has_error(),
        acts::dismiss
    ),
    command!(
        "restart-with-changes",
        ["y", "ctrl-r"],
        "restart with changes",
        "Starts the training anew with the changes that wait for it.",
        Training,
        |state| state.panel.draft.is_some(),
        acts::apply_draft
    ),
    command!(
        "drop-changes",
        ["n", "esc"],
        "drop them",
        "Drops the changes that wait for a new start.",
        Training,
        |state| state.panel.draft.is_some(),
        acts::drop_draft
    ),
    command!(
        "pause",
        ["space"],
        "pause",
        "Holds the training after the epoch that runs.",
        Training,
        |state| state.session.is_running(),
        acts::pause
    ),
    command!(
        "resume",
        ["space"],
        "go on",
        "Goes on with the training.",
        Training,
        |state| !state.session.is_running(),
        acts::resume
    ),
    command!("step", ["s"], "step", "Trains one epoch, then holds.", Training, always, acts::step),
    command!(
        "run-epochs",
        ["n"],
        "run n",
        "Trains a number of epochs, then holds.",
        Training,
        always,
        acts::ask_epochs
    ),
    command!(
        "more",
        ["right", "l"],
        "more",
        "Steps the chosen setting up to the next round value.",
        Settings,
        always,
        acts::more
    ),
    command!(
        "less",
        ["left", "h"],
        "less",
        "Steps the chosen setting down to the next round value.",
        Settings,
        always,
        acts::less
    ),
    command!(
        "type-value",
        ["enter"],
        "type",
        "Types a value for the chosen setting.",
        Settings,
        always,
        acts::type_value
    ),
    command!(
        "finely-more",
        ["]", "alt-right"],
        "",
        "Steps the chosen setting up a little.",
        Settings,
        always,
        acts::finely_more
    ),
    command!(
        "finely-less",
        ["[", "alt-left"],
        "",
        "Steps the chosen setting down a little.",
        Settings,
        always,
        acts::finely_less
    ),
    command!(
        "far-more",
        ["}", "shift-right", "L"],
        "",
        "Steps the chosen setting up far.",
        Settings,
        always,
        acts::far_more
    ),
    command!(
        "far-less",
        ["{", "shift-left", "H"],
        "",
        "Steps the chosen setting down far.",
        Settings,
        always,
        acts::far_less
    ),
    command!(
        "next-setting",
        ["down", "j"],
        "",
        "Goes to the next setting.",
        Settings,
        always,
        acts::next_setting
    ),
    command!(
        "previous-setting",
        ["up", "k"],
        "",
        "Goes to the setting before.",
        Settings,
        always,
        acts::previous_setting
    ),
    command!(
        "next-settings",
        ["pagedown", "ctrl-d"],
        "",
        "Goes down a page of settings.",
        Settings,
        always,
        acts::next_settings
    ),
    command!(
        "previous-settings",
        ["pageup", "ctrl-u"],
        "",
        "Goes up a page of settings.",
        Settings,
        always,
        acts::previous_settings
    ),
    command!(
        "first-setting",
        ["home", "g"],
        "",
        "Goes to the first setting.",
        Settings,
        always,
        acts::first_setting
    ),
    command!(
        "last-setting",
        ["end", "G"],
        "",
        "Goes to the last setting.",
        Settings,
        always,
        acts::last_setting
    ),
    command!(
        "explain",
        ["i"],
        "explain",
        "Shows what the chosen setting means and the formula it sits in.",
        Settings,
        always,
        acts::explain
    ),
    command!(
        "reset",
        ["r", "delete"],
        "reset",
        "Puts the chosen setting back to where it was at the start.",
        Settings,
        always,
        acts::reset
    ),
    command!(
        "settings",
        ["e", "enter"],
        "settings",
        "Goes to the panel of settings.",
        Training,
        |state| !acts::in_settings(state),
        acts::settings
    ),
    command!(
        "back",
        ["esc", "e"],
        "back",
        "Goes back to the curves.",
        Settings,
        always,
        acts::back
    ),
    command!(
        "reset-all",
        ["R"],
        "",
        "Puts every setting back to where it was at the start.",
        Training,
        always,
        acts::reset_all
    ),
    command!(
        "undo",
        ["u"],
        "undo",
        "Takes back the last change of settings.",
        Training,
        |state| !state.panel.undo.is_empty(),
        acts::undo
    ),
    command!(
        "presets",
        ["p"],
        "presets",
        "Shows sets of settings to choose from.",
        Training,
        always,
        acts::presets
    ),
    command!(
        "save-preset",
        ["P"],
        "",
        "Keeps the settings in force as a preset, under a name.",
        Training,
        always,
        acts::ask_preset_name
    ),
    command!(
        "restart",
        ["ctrl-r"],
        "",
        "Starts the training anew; the curves so far stay as a ghost.",
        Training,
        always,
        acts::restart
    ),
    command!(
        "cursor-right",
        ["right", "l"],
        "",
        "Moves the cursor to the right.",
        Plots,
        always,
        acts::cursor_right
    ),
    command!(
        "cursor-left",
        ["left", "h"],
        "cursor",
        "Moves the cursor to the left.",
        Plots,
        always,
        acts::cursor_left
    ),
    command!(
        "cursor-far-right",
        ["shift-right", "L"],
        "",
        "Moves the cursor far to the right.",
        Plots,
        always,
        acts::cursor_far_right
    ),
    command!(
        "cursor-far-left",
        ["shift-left", "H"],
        "",
        "Moves the cursor far to the left.",
        Plots,
        always,
        acts::cursor_far_left
    ),
    command!(
        "cursor-first",
        ["home", "g"],
        "",
        "Moves the cursor to the left end.",
        Plots,
        always,
        acts::cursor_first
    ),
    command!(
        "cursor-last",
        ["end", "G"],
        "",
        "Moves the cursor to the right end.",
        Plots,
        always,
        acts::cursor_last
    ),
    command!(
        "no-cursor",
        ["esc"],
        "no cursor",
        "Takes the cursor away.",
        Plots,
        acts::has_cursor,
        acts::no_cursor
    ),
    command!(
        "zoom-in",
        ["up", "k", "+", "="],
        "zoom",
        "Looks closer, around the cursor.",
        Plots,
        always,
        acts::zoom_in
    ),
    command!(
        "zoom-out",
        ["down", "j", "-"],
        "",
        "Looks from farther away.",
        Plots,
        always,
        acts::zoom_out
    ),
    command!(
        "pan-left",
        [",", "<"],
        "",
        "Moves the view to the left.",
        Plots,
        always,
        acts::pan_left
    ),
    command!(
        "pan-right",
        [".", ">"],
        "",
        "Moves the view to the right.",
        Plots,
        always,
        acts::pan_right
    ),
    command!(
        "fit",
        ["a"],
        "all",
        "Shows everything; again: only what there is so far.",
        Plots,
        always,
        acts::fit
    ),
    command!(
        "ghosts",
        ["o"],
        "ghosts",
        "Shows or hides what was before.",
        Plots,
        always,
        acts::ghosts
    ),
    command!(
        "log-axis",
        ["y"],
        "log",
        "Switches the loss between a logarithmic and an even axis.",
        Curves,
        always,
        acts::log_axis
    ),
    command!(
        "smooth",
        ["m"],
        "smooth",
        "Smooths the curves: not, a little, more, much.",
        Curves,
        always,
        acts::smooth
    ),
    command!(
        "other-plot",
        ["c"],
        "plots",
        "Shows both plots, the loss alone, or the score alone.",
        Curves,
        always,
        acts::other_plot
    ),
    command!(
        "axis",
        ["x"],
        "σ ↔ 1−σ",
        "Switches between the eigenvalue σ and the frequency 1 − σ.",
        Filter,
        always,
        acts::axis
    ),
    command!(
        "reference",
        ["r"],
        "reference",
        "Draws a known filter beside the learned one: the next one.",
        Filter,
        always,
        acts::reference
    ),
    command!("hops", ["c"], "hops", "Shows or hides the hop weights.", Filter, always, acts::hops),
    command!(
        "train-screen",
        ["t", "f2"],
        "",
        "Goes to the curves and the settings.",
        Everywhere,
        always,
        acts::train_screen
    ),
    command!(
        "filter-screen",
        ["f", "f3"],
        "",
        "Goes to the learned filter.",
        Everywhere,
        always,
        acts::filter_screen
    ),
    command!(
        "next-screen",
        ["tab"],
        "screen",
        "Goes to the next screen.",
        Everywhere,
        always,
        acts::next_screen
    ),
    command!(
        "previous-screen",
        ["shift-tab"],
        "",
        "Goes to the screen before.",
        Everywhere,
        always,
        acts::previous_screen
    ),
    command!(
        "palette",
        [":", "ctrl-p"],
        "commands",
        "Finds a command or a setting by a few letters of it.",
        Everywhere,
        always,
        acts::palette
    ),
    command!(
        "help",
        ["?", "f1"],
        "help",
        "Shows every command that applies here, with its keys.",
        Everywhere,
        always,
        acts::help
    ),
    command!(
        "open-graph",
        ["ctrl-o"],
        "",
        "Opens another graph.",
        Everywhere,
        always,
        acts::open_graph
    ),
    command!("theme", ["ctrl-t"], "", "Takes the next theme.", Everywhere, always, acts::theme),
    command!(
        "glyphs",
        ["ctrl-g"],
        "",
        "Takes the next way to draw curves: ASCII, blocks, braille, octants.",
        Everywhere,
        always,
        acts::glyphs
    ),
    command!(
        "picture",
        ["ctrl-s"],
        "",
        "Writes the screen as a picture: SVG, HTML or text.",
        Everywhere,
        always,
        acts::ask_picture
    ),
    command!("redraw", ["ctrl-l"], "", "Draws everything anew.", Everywhere, always, acts::redraw),
    command!(
        "suspend",
        ["ctrl-z"],
        "",
        "Goes to the background; `fg` brings it back.",
        Everywhere,
        always,
        acts::suspend
    ),
    command!("quit", ["q", "ctrl-c"], "quit", "Ends.", Everywhere, always, acts::quit),
];

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
