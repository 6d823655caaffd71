//! The Lab screen.

use super::{Command, Effects, Place, always, command, none};
use crate::lab::filters::{Drawn, Recovery, Stage, Target};
use crate::lab::theorem::{Swapped, Target as Question};
use crate::lab::{Experiment, Lab, Multisets, PAIRS, Side};
use crate::tui::lab::{
    by_size, count, look_around, other_node, own_stage, renew_recovery, renew_study, slots,
    toggle_recovery, toggle_study,
};
use crate::tui::state::State;

/// How far a point of a drawn filter moves.
const STROKE: f64 = 0.1;
/// How far a number of the set moves.
const NUDGE: f64 = 0.5;

/// What belongs to an experiment comes before what all of them have.
pub(super) const ROWS: &[Command] = &[
    command!(
        "shuffle-cards",
        ["space", "s"],
        "shuffle",
        "Lays the cards in a new random order.",
        Lab,
        shuffle,
        shuffle_cards
    ),
    command!(
        "swap-cards",
        ["enter"],
        "pick up, swap",
        "Picks up the card under the cursor; with one in hand, swaps the two.",
        Lab,
        cards,
        swap_cards
    ),
    command!(
        "put-back",
        ["esc"],
        "put back",
        "Puts the card in hand back to its place.",
        Lab,
        |state| cards(state) && state.lab_view.held.is_some(),
        |state| {
            state.lab_view.held = None;
            none()
        }
    ),
    command!(
        "reset-cards",
        ["r"],
        "as at first",
        "Lays the cards as they were at first.",
        Lab,
        cards,
        reset_cards
    ),
    command!(
        "ignore-types",
        ["space", "i"],
        "ignore types",
        "Looks at the cards with types, or without.",
        Lab,
        types,
        ignore_types
    ),
    command!(
        "around-next",
        [")"],
        "next node",
        "Lays the neighbours of the next node of the graph.",
        Lab,
        |state| cards(state) && state.lab_view.around.is_some(),
        |state| around(state, true)
    ),
    command!(
        "around-previous",
        ["("],
        "",
        "Lays the neighbours of the node before.",
        Lab,
        |state| cards(state) && state.lab_view.around.is_some(),
        |state| around(state, false)
    ),
    command!("add-neighbour", ["a"], "add", "Adds a neighbour.", Lab, aggregators, |state| edit(
        state,
        |sets, side, _| sets.add(side, 1)
    )),
    command!(
        "remove-neighbour",
        ["x", "delete", "backspace"],
        "remove",
        "Takes a neighbour away.",
        Lab,
        aggregators,
        |state| edit_one(state, Multisets::remove)
    ),
    command!(
        "duplicate-neighbour",
        ["d"],
        "duplicate",
        "Puts a neighbour there once more.",
        Lab,
        aggregators,
        |state| edit_one(state, Multisets::duplicate)
    ),
    command!(
        "duplicate-all",
        ["D"],
        "",
        "Puts every neighbour there once more.",
        Lab,
        aggregators,
        |state| edit(state, |sets, side, _| sets.duplicate_all(side))
    ),
    command!(
        "raise-neighbour",
        ["up", "k", "+", "="],
        "change",
        "Makes a neighbour larger by one.",
        Lab,
        aggregators,
        |state| edit_one(state, |sets, side, at| sets.change(side, at, 1))
    ),
    command!(
        "lower-neighbour",
        ["down", "j", "-"],
        "",
        "Makes a neighbour smaller by one.",
        Lab,
        aggregators,
        |state| edit_one(state, |sets, side, at| sets.change(side, at, -1))
    ),
    command!(
        "scale-neighbours",
        ["*"],
        "",
        "Doubles every neighbour, where none grows too large.",
        Lab,
        aggregators,
        |state| edit(state, |sets, side, _| sets.scale(side, 2))
    ),
    command!(
        "next-pair",
        ["p", "space"],
        "next pair",
        "Lays out the next pair of the table.",
        Lab,
        aggregators,
        next_pair
    ),
    command!(
        "reset-neighbours",
        ["r"],
        "",
        "Lays both neighbourhoods as they were at first.",
        Lab,
        aggregators,
        reset_neighbours
    ),
    command!(
        "fit",
        ["space"],
        "learn",
        "Trains the networks h(Σ g(x)), or holds them.",
        Lab,
        theorem,
        toggle_study
    ),
    command!(
        "raise-number",
        ["up", "k"],
        "change",
        "Makes a number larger.",
        Lab,
        theorem,
        |state| change_number(state, true)
    ),
    command!("lower-number", ["down", "j"], "", "Makes a number smaller.", Lab, theorem, |state| {
        change_number(state, false)
    }),
    command!(
        "more-sums",
        ["+", "="],
        "sums",
        "Looks at one power sum more.",
        Lab,
        theorem,
        |state| look_at(state, 1)
    ),
    command!("fewer-sums", ["-"], "", "Looks at one power sum less.", Lab, theorem, |state| {
        look_at(state, -1)
    }),
    command!(
        "next-symmetric",
        ["o"],
        "question",
        "Asks for the next symmetric function.",
        Lab,
        theorem,
        next_symmetric
    ),
    command!("add-number", ["a"], "add", "Adds a number to the set.", Lab, theorem, add_number),
    command!(
        "remove-number",
        ["x", "delete", "backspace"],
        "remove",
        "Takes a number away.",
        Lab,
        theorem,
        remove_number
    ),
    command!(
        "swap-numbers",
        ["s", "enter"],
        "swap",
        "Swaps two numbers of the polynomial.",
        Lab,
        theorem,
        swap_numbers
    ),
    command!(
        "swap-across",
        ["S"],
        "",
        "Swaps a number of one group of the polynomial with one of the other.",
        Lab,
        theorem,
        |state| swap(state, Swapped::Across)
    ),
    command!(
        "against-size",
        ["z"],
        "width, size",
        "Trains networks that differ in the width of g, or in the size of the sets.",
        Lab,
        theorem,
        by_size
    ),
    command!(
        "learn",
        ["space"],
        "learn",
        "Lets the learners follow the signals, or holds them.",
        Lab,
        filters,
        toggle_recovery
    ),
    command!(
        "next-planted",
        ["o"],
        "filter",
        "Plants the next filter.",
        Lab,
        filters,
        next_planted
    ),
    command!("next-stage", ["g"], "graph", "Takes the next graph.", Lab, filters, next_stage),
    command!(
        "raise-point",
        ["up", "k", "+", "="],
        "draw",
        "Draws a point of the filter higher.",
        Lab,
        filters,
        |state| draw_point(state, STROKE)
    ),
    command!(
        "lower-point",
        ["down", "j", "-"],
        "",
        "Draws a point of the filter lower.",
        Lab,
        filters,
        |state| draw_point(state, -STROKE)
    ),
    command!("forget", ["r"], "forget", "Starts the learners anew.", Lab, filters, |state| {
        renew_recovery(state, Recovery::restart)
    }),
    command!(
        "one-learner",
        ["c"],
        "one, all",
        "Draws one learner alone, then the next, then all.",
        Lab,
        filters,
        one_learner
    ),
    command!(
        "lab-left",
        ["left", "h"],
        "",
        "Moves the cursor to the left.",
        Lab,
        always,
        |state| go(state, -1)
    ),
    command!(
        "lab-right",
        ["right", "l"],
        "",
        "Moves the cursor to the right.",
        Lab,
        always,
        |state| go(state, 1)
    ),
    command!(
        "card-above",
        ["up", "k"],
        "",
        "Moves the cursor to the row above.",
        Lab,
        cards,
        |state| go_row(state, false)
    ),
    command!(
        "card-below",
        ["down", "j"],
        "",
        "Moves the cursor to the row below.",
        Lab,
        cards,
        |state| go_row(state, true)
    ),
    command!(
        "lab-shuffle",
        ["1"],
        "",
        "Opens the experiment of the shuffled neighbours.",
        Lab,
        always,
        |state| open(state, Experiment::Shuffle)
    ),
    command!("lab-types", ["2"], "", "Opens the experiment of the types.", Lab, always, |state| {
        open(state, Experiment::Types)
    }),
    command!(
        "lab-aggregators",
        ["3"],
        "",
        "Opens the experiment of sum, mean and max.",
        Lab,
        always,
        |state| open(state, Experiment::Aggregators)
    ),
    command!(
        "lab-theorem",
        ["4"],
        "",
        "Opens the experiment of the theorem.",
        Lab,
        always,
        |state| open(state, Experiment::Theorem)
    ),
    command!(
        "lab-filters",
        ["5"],
        "",
        "Opens the experiment of the planted filters.",
        Lab,
        always,
        |state| open(state, Experiment::Filters)
    ),
    command!(
        "next-experiment",
        [".", ">"],
        "experiment",
        "Opens the next experiment.",
        Lab,
        always,
        |state| turn(state, 1)
    ),
    command!(
        "previous-experiment",
        [",", "<"],
        "",
        "Opens the experiment before.",
        Lab,
        always,
        |state| turn(state, -1)
    ),
];

fn is_open(state: &State, experiment: Experiment) -> bool {
    state.lab.as_ref().is_some_and(|lab| lab.open == experiment)
}

fn shuffle(state: &State) -> bool {
    is_open(state, Experiment::Shuffle)
}

fn types(state: &State) -> bool {
    is_open(state, Experiment::Types)
}

fn cards(state: &State) -> bool {
    shuffle(state) || types(state)
}

fn aggregators(state: &State) -> bool {
    is_open(state, Experiment::Aggregators)
}

fn theorem(state: &State) -> bool {
    is_open(state, Experiment::Theorem)
}

fn filters(state: &State) -> bool {
    is_open(state, Experiment::Filters)
}

/// Opens an experiment; what is held stays behind.
fn open(state: &mut State, experiment: Experiment) -> Effects {
    if let Some(lab) = &mut state.lab {
        lab.open = experiment;
        (state.lab_view.held, state.lab_view.dragged) = (None, false);
    }
    none()
}

fn turn(state: &mut State, by: isize) -> Effects {
    let Some(lab) = &state.lab else { return none() };
    let places = Experiment::ALL.len() as isize;
    let next = (lab.open as isize + by).rem_euclid(places);
    open(state, Experiment::ALL[next as usize])
}

fn go(state: &mut State, by: isize) -> Effects {
    let Some(lab) = &state.lab else { return none() };
    let places = count(lab).max(1) as isize;
    let next = (state.lab_view.cursor(lab) as isize + by).rem_euclid(places);
    state.lab_view.put_cursor(lab, next as usize);
    none()
}

/// Goes to the card of the row above or below, as the rows are drawn.
fn go_row(state: &mut State, down: bool) -> Effects {
    let Some(lab) = &state.lab else { return none() };
    let next = state.hits.card_beyond(state.lab_view.cursor(lab), down);
    state.lab_view.put_cursor(lab, next);
    none()
}

fn around(state: &mut State, forward: bool) -> Effects {
    if let Some(node) = other_node(state, forward) {
        look_around(state, node);
    }
    none()
}

fn shuffle_cards(state: &mut State) -> Effects {
    state.lab_view.held = None;
    if let Some(lab) = &mut state.lab {
        lab.shuffle.shuffle();
    }
    none()
}

fn swap_cards(state: &mut State) -> Effects {
    let Some(lab) = &mut state.lab else { return none() };
    let at = state.lab_view.cursor(lab);
    state.lab_view.dragged = false;
    match state.lab_view.held.take() {
        None => state.lab_view.held = Some(at),
        // Put down where it was.
        Some(held) if held == at => {}
        Some(held) if lab.open == Experiment::Types => {
            lab.types.swap(held, at);
        }
        Some(held) => {
            lab.shuffle.swap(held, at);
        }
    }
    none()
}

fn reset_cards(state: &mut State) -> Effects {
    state.lab_view.held = None;
    match &mut state.lab {
        Some(lab) if lab.open == Experiment::Types => lab.types.reset(),
        Some(lab) => lab.shuffle.reset(),
        None => {}
    }
    none()
}

fn ignore_types(state: &mut State) -> Effects {
    if let Some(lab) = &mut state.lab {
        let ignored = lab.types.are_ignored();
        lab.types.ignore_types(!ignored);
    }
    none()
}

/// Edits the neighbourhood the cursor is in; says so where that cannot be. The
/// cursor stays on its side.
fn edit(
    state: &mut State,
    change: impl FnOnce(&mut Multisets, Side, Option<usize>) -> bool,
) -> Effects {
    let Some(lab) = &mut state.lab else { return none() };
    let places = slots(&lab.multisets);
    let Some(&(side, at)) = places.get(state.lab_view.cursor(lab)) else { return none() };
    let before = lab.multisets.side(side).len();
    if !change(&mut lab.multisets, side, at) {
        let why = "not possible: numbers go from 0 to 9, and there are at most 12 of them";
        state.notices.say(why, state.now);
    }
    let after = lab.multisets.side(side).len();
    let last = after.saturating_sub(1);
    let wanted = if after == before + 1 { last } else { at.unwrap_or(0).min(last) };
    let wanted = (side, (after > 0).then_some(wanted));
    let place = slots(&lab.multisets).iter().position(|own| *own == wanted);
    state.lab_view.put_cursor(lab, place.unwrap_or(0));
    none()
}

/// Edits the neighbour under the cursor.
fn edit_one(
    state: &mut State,
    change: impl FnOnce(&mut Multisets, Side, usize) -> bool,
) -> Effects {
    edit(state, |sets, side, at| at.is_some_and(|at| change(sets, side, at)))
}

fn next_pair(state: &mut State) -> Effects {
    let Some(lab) = &mut state.lab else { return none() };
    let next = state.lab_view.pair.map_or(0, |at| (at + 1) % PAIRS.len());
    lab.multisets.show_pair(next);
    state.lab_view.pair = Some(next);
    state.notices.say(PAIRS[next].0, state.now);
    none()
}

fn reset_neighbours(state: &mut State) -> Effects {
    if let Some(lab) = &mut state.lab {
        lab.multisets.reset();
    }
    none()
}

fn change_number(state: &mut State, up: bool) -> Effects {
    let Some(lab) = &mut state.lab else { return none() };
    let at = state.lab_view.cursor(lab);
    match at.checked_sub(lab.theorem.numbers().len()) {
        Some(of_groups) => {
            state.lab_view.before = None;
            lab.groups.change(of_groups, if up { 1 } else { -1 });
        }
        None => {
            lab.theorem.change(at, if up { NUDGE } else { -NUDGE });
        }
    }
    none()
}

fn look_at(state: &mut State, by: isize) -> Effects {
    if let Some(lab) = &mut state.lab {
        lab.theorem.look_at(lab.theorem.sums().saturating_add_signed(by));
    }
    none()
}

fn next_symmetric(state: &mut State) -> Effects {
    let Some(lab) = &mut state.lab else { return none() };
    let at = Question::ALL.iter().position(|own| *own == lab.theorem.target()).unwrap_or(0);
    lab.theorem.choose(Question::ALL[(at + 1) % Question::ALL.len()]);
    let figures = &mut state.lab_view.study_figures;
    (figures.widths, figures.sizes) = (Vec::new(), Vec::new());
    renew_study(state)
}

fn add_number(state: &mut State) -> Effects {
    let Some(lab) = &mut state.lab else { return none() };
    // A number that is not there yet, so that it comes back with all its digits.
    let fresh = (0..=12).map(|n| if n % 2 == 0 { n / 2 } else { -(n / 2) - 1 }).map(f64::from);
    let there = |value: &f64| lab.theorem.numbers().iter().any(|own| (own - value).abs() < 0.25);
    let value = fresh.clone().find(|value| *value != 0.0 && !there(value)).unwrap_or(0.0);
    if lab.theorem.add(value) {
        let last = lab.theorem.numbers().len() - 1;
        state.lab_view.put_cursor(lab, last);
    } else {
        state.notices.say("the set is full", state.now);
    }
    none()
}

fn remove_number(state: &mut State) -> Effects {
    let Some(lab) = &mut state.lab else { return none() };
    let at = state.lab_view.cursor(lab);
    if lab.theorem.remove(at) {
        state.lab_view.put_cursor(lab, at.min(lab.theorem.numbers().len().saturating_sub(1)));
    }
    none()
}

/// Swaps within the group the cursor is in; the first, where it is in none.
fn swap_numbers(state: &mut State) -> Effects {
    let Some(lab) = &state.lab else { return none() };
    let of_groups = state.lab_view.cursor(lab).checked_sub(lab.theorem.numbers().len());
    swap(state, if of_groups.is_some_and(|at| at > 1) { Swapped::Second } else { Swapped::First })
}

fn swap(state: &mut State, which: Swapped) -> Effects {
    if let Some(lab) = &mut state.lab {
        state.lab_view.before = Some(lab.groups.direct());
        lab.groups.swap(which);
    }
    none()
}

fn next_planted(state: &mut State) -> Effects {
    let Some(now) = state.lab.as_ref().map(|lab| lab.recovery.planted().target().name()) else {
        return none();
    };
    let all = Target::all();
    let at = all.iter().position(|own| own.name() == now).unwrap_or(0);
    let next = all[(at + 1) % all.len()].clone();
    renew_recovery(state, |recovery| recovery.plant(next))
}

/// The graphs of the experiment, then the one that is open.
fn next_stage(state: &mut State) -> Effects {
    let Some(now) = state.lab.as_ref().map(|lab| lab.recovery.name().to_owned()) else {
        return none();
    };
    let at = Stage::ALL.iter().position(|own| own.name() == now);
    let next = at.map_or(0, |at| at + 1);
    match (Stage::ALL.get(next), own_stage(state)) {
        (Some(made), _) => {
            renew_recovery(state, |recovery| recovery.move_to(made.name(), made.spectrum()?))
        }
        (None, Some((name, spectrum))) => {
            renew_recovery(state, |recovery| recovery.move_to(&name, spectrum))
        }
        (None, None) => renew_recovery(state, |recovery| {
            recovery.move_to(Stage::Path.name(), Stage::Path.spectrum()?)
        }),
    }
}

fn draw_point(state: &mut State, by: f64) -> Effects {
    let Some(lab) = &state.lab else { return none() };
    let Some(s) = point(lab, state.lab_view.cursor(lab)) else { return none() };
    let height = lab.recovery.planted().target().at(s).unwrap_or(0.0) + by;
    renew_recovery(state, |recovery| recovery.draw(s, height))
}

/// Where a point of a drawn filter lies.
fn point(lab: &Lab, at: usize) -> Option<f64> {
    match lab.recovery.planted().target() {
        Target::Drawn(drawn) => drawn.points().nth(at),
        _ => Drawn::default().points().nth(at),
    }
    .map(|(s, _)| s)
}

fn one_learner(state: &mut State) -> Effects {
    let learners = state.lab.as_ref().map_or(0, |lab| lab.recovery.learners().len());
    let next = state.lab_view.only.map_or(0, |at| at + 1);
    state.lab_view.only = (next < learners).then_some(next);
    none()
}
