//! The names of what can be done in the lab, for a step's list of controls.

/// An action of the lab: the experiments it belongs to, its name, what it does.
pub const ACTIONS: &[(&[&str], &str, &str)] = &[
    (&["shuffle"], "shuffle-cards", "Lays the cards in a new random order."),
    (&["shuffle", "types"], "swap-cards", "Swaps two cards."),
    (&["shuffle", "types"], "reset-cards", "Lays the cards as they were at first."),
    (&["types"], "ignore-types", "Looks at the cards with types, or without."),
    (&["aggregators"], "add-neighbour", "Adds a neighbour."),
    (&["aggregators"], "remove-neighbour", "Takes a neighbour away."),
    (&["aggregators"], "duplicate-neighbour", "Puts a neighbour there once more."),
    (&["aggregators"], "duplicate-all", "Puts every neighbour there once more."),
    (&["aggregators"], "raise-neighbour", "Makes a neighbour larger by one."),
    (&["aggregators"], "lower-neighbour", "Makes a neighbour smaller by one."),
    (&["aggregators"], "next-pair", "Lays out the next pair of the table."),
    (&["theorem"], "add-number", "Adds a number to the set."),
    (&["theorem"], "remove-number", "Takes a number away."),
    (&["theorem"], "raise-number", "Makes a number larger."),
    (&["theorem"], "lower-number", "Makes a number smaller."),
    (&["theorem"], "more-sums", "Looks at one power sum more."),
    (&["theorem"], "fewer-sums", "Looks at one power sum less."),
    (&["theorem"], "next-symmetric", "Asks for the next symmetric function."),
    (&["theorem"], "fit", "Trains the networks h(Σ g(x)), or holds them."),
    (&["theorem"], "swap-numbers", "Swaps two numbers of the polynomial."),
    (&["filters"], "next-planted", "Plants the next filter."),
    (&["filters"], "next-stage", "Takes the next graph."),
    (&["filters"], "raise-point", "Draws a point of the filter higher."),
    (&["filters"], "lower-point", "Draws a point of the filter lower."),
    (&["filters"], "learn", "Lets the learners follow the signals, or holds them."),
    (&["filters"], "forget", "Starts the learners anew."),
];

#[cfg(test)]
mod tests {
    use super::super::{EXPERIMENTS, all};
    use super::*;
    use crate::model::settings::find;

    #[test]
    fn actions_belong_to_experiments_and_have_names_of_their_own() {
        for (at, (experiments, name, what)) in ACTIONS.iter().enumerate() {
            assert!(experiments.iter().all(|own| EXPERIMENTS.contains(own)), "{name}");
            assert!(ACTIONS[at + 1..].iter().all(|(_, other, _)| other != name), "{name}");
            assert!(what.ends_with('.'), "{name}");
        }
    }

    #[test]
    fn lessons_show_only_controls_that_exist() {
        let keys = include_str!("../../../docs/KEYS.md");
        for lesson in all().unwrap() {
            for step in &lesson.steps {
                for control in &step.controls {
                    let of_lab = ACTIONS.iter().find(|(_, name, _)| name == control);
                    let here = of_lab.is_some_and(|(experiments, ..)| {
                        step.experiment.as_deref().is_some_and(|own| experiments.contains(&own))
                    });
                    let known = keys.contains(&format!("\n| {control} |")) || find(control).is_ok();
                    assert!(here || (of_lab.is_none() && known), "{}: {control}", lesson.id);
                }
            }
        }
    }
}
