//! The names of the lab actions, for the controls of a lesson step.

/// An action of the lab: the experiments it belongs to, its name, what it does.
pub const ACTIONS: &[(&[&str], &str, &str)] = &[
    (&["shuffle"], "shuffle-cards", "Shuffle the cards."),
    (&["shuffle", "types"], "swap-cards", "Swap two cards."),
    (&["shuffle", "types"], "reset-cards", "Restore the original order of the cards."),
    (&["types"], "ignore-types", "Switch between using and ignoring types."),
    (&["aggregators"], "add-neighbour", "Add a neighbour."),
    (&["aggregators"], "remove-neighbour", "Remove a neighbour."),
    (&["aggregators"], "duplicate-neighbour", "Duplicate a neighbour."),
    (&["aggregators"], "duplicate-all", "Duplicate all neighbours."),
    (&["aggregators"], "raise-neighbour", "Increase a neighbour by one."),
    (&["aggregators"], "lower-neighbour", "Decrease a neighbour by one."),
    (&["aggregators"], "next-pair", "Show the next pair from the table."),
    (&["theorem"], "add-number", "Add a number to the set."),
    (&["theorem"], "remove-number", "Remove a number."),
    (&["theorem"], "raise-number", "Increase a number."),
    (&["theorem"], "lower-number", "Decrease a number."),
    (&["theorem"], "more-sums", "Use one more power sum."),
    (&["theorem"], "fewer-sums", "Use one power sum fewer."),
    (&["theorem"], "next-symmetric", "Select the next symmetric function."),
    (&["theorem"], "fit", "Train or pause the networks h(Σ g(x))."),
    (&["theorem"], "swap-numbers", "Swap two numbers of the polynomial."),
    (&["filters"], "next-planted", "Plant the next filter."),
    (&["filters"], "next-stage", "Select the next graph."),
    (&["filters"], "raise-point", "Raise a point of the filter."),
    (&["filters"], "lower-point", "Lower a point of the filter."),
    (&["filters"], "learn", "Train or pause the learners."),
    (&["filters"], "forget", "Reset the learners."),
];

#[cfg(test)]
mod tests {
    use super::super::{EXPERIMENTS, all};
    use super::*;
    use gesf_core::model::settings::find;

    #[test]
    fn actions_belong_to_experiments_and_have_unique_names() {
        for (at, (experiments, name, what)) in ACTIONS.iter().enumerate() {
            assert!(experiments.iter().all(|own| EXPERIMENTS.contains(own)), "{name}");
            assert!(ACTIONS[at + 1..].iter().all(|(_, other, _)| other != name), "{name}");
            assert!(what.ends_with('.'), "{name}");
        }
    }

    #[test]
    fn lessons_show_only_controls_that_exist() {
        let keys = include_str!("../../../../docs/KEYS.md");
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
