//! Facts about what a learner did and sees.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How a fact is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactKind {
    /// How often an action was done since the lesson step began.
    Count,
    /// Whether it was done since the step began.
    Done,
    /// A current number.
    Number,
    /// A current word: one of these, or any if the list is empty.
    Word(&'static [&'static str]),
}

/// A fact that a check can use.
#[derive(Debug, Clone, Copy)]
pub struct Fact {
    /// Its name.
    pub name: &'static str,
    /// How it is measured.
    pub kind: FactKind,
    /// What it means.
    pub meaning: &'static str,
}

const fn count(name: &'static str, meaning: &'static str) -> Fact {
    Fact { name, kind: FactKind::Count, meaning }
}

const fn done(name: &'static str, meaning: &'static str) -> Fact {
    Fact { name, kind: FactKind::Done, meaning }
}

const fn number(name: &'static str, meaning: &'static str) -> Fact {
    Fact { name, kind: FactKind::Number, meaning }
}

const fn word(name: &'static str, words: &'static [&'static str], meaning: &'static str) -> Fact {
    Fact { name, kind: FactKind::Word(words), meaning }
}

/// The screens a step can open.
pub const SCREENS: &[&str] = &["overview", "train", "filter", "node", "map", "lab", "runs"];

/// The experiments of the lab.
pub const EXPERIMENTS: &[&str] = &["shuffle", "types", "aggregators", "theorem", "filters"];

const YES_NO: &[&str] = &["yes", "no"];
const TARGETS: &[&str] = &["max", "median", "variance", "second-largest", "range", "has-three"];
const PLANTED: &[&str] = &["low", "high", "band", "reject", "comb", "drawn", "every-other"];
const REFERENCES: &[&str] =
    &["none", "identity", "heat", "ppr", "low", "high", "band", "reject", "comb"];

/// Names of facts in version 0.1, with their current names.
const RENAMED: [(&str, &str); 4] = [
    ("seen_accuracy", "train_accuracy"),
    ("held_accuracy", "test_accuracy"),
    ("seen_accuracy_r", "train_accuracy_r"),
    ("held_accuracy_r", "test_accuracy_r"),
];

/// The current name of a fact, so that lessons of an older version work.
pub(super) fn current_name(fact: &str) -> &str {
    RENAMED.iter().find(|(old, _)| *old == fact).map_or(fact, |(_, new)| new)
}

/// Every fact except the settings, which are facts too, such as `setting.balance`.
pub const FACTS: &[Fact] = &[
    word("screen", SCREENS, "The open screen."),
    word("experiment", EXPERIMENTS, "The experiment open in the lab."),
    word("graph", &[], "The name of the open graph."),
    number("epoch", "Epochs trained so far."),
    count("epochs_run", "Epochs trained since the step began."),
    number("loss", "The loss of the last epoch."),
    number("train_accuracy", "Train accuracy from x, from 0 to 1."),
    number("test_accuracy", "Test accuracy from x, from 0 to 1."),
    number("train_accuracy_r", "Train accuracy from R, from 0 to 1."),
    number("test_accuracy_r", "Test accuracy from R, from 0 to 1."),
    number("accuracy_gap", "Train accuracy minus test accuracy, from x."),
    count("settings_changed", "Number of setting changes."),
    count("restarts", "Number of training restarts."),
    count("pauses", "Number of times training was paused."),
    number("stage", "Training stage: 1 learns the filter, 2 trains with it fixed."),
    number("hop1_weight", "Hop weight α_1, of direct neighbours."),
    number("far_weight", "Sum of the hop weights beyond hop 1."),
    number("main_hop", "The hop with the largest weight."),
    number("eigenvalue", "The eigenvalue at the filter cursor, as a share of the largest."),
    done("cursor_moved", "The cursor was moved to another eigenvalue."),
    word("reference", REFERENCES, "The reference filter shown with the learned one."),
    done("axis_switched", "The axis was switched between σ and 1 − σ."),
    done("hops_shown", "The hop weights were shown."),
    done("node_opened", "A node was opened."),
    word("node", &[], "The id of the open node."),
    number("node_degree", "Number of neighbours of the open node."),
    done("wrong_node_opened", "A node with a wrong prediction was opened."),
    done("top_contributor_chosen", "The top contributor was selected."),
    done("by_hop_shown", "Contributions were shown by distance."),
    number("far_share", "Share of non-adjacent nodes in the contributions to the open node."),
    done("neighbour_left_out", "The prediction was shown without a neighbour."),
    number("excluded", "Number of nodes excluded from the prediction of the open node."),
    word("prediction_flipped", YES_NO, "Whether the what-if changes the predicted class."),
    count("shuffles", "Number of card shuffles."),
    count("swaps", "Number of manual swaps of two cards."),
    number("set_difference", "Largest change of the set function under shuffling."),
    number("rounded_difference", "Largest change of the f32 sum under shuffling."),
    number("concatenation_difference", "Largest change of the concatenation."),
    number("recurrent_difference", "Largest change of the recurrent unit."),
    count("swaps_within", "Number of swaps within one type."),
    count("swaps_across", "Number of swaps across types."),
    count("swaps_first_row", "Number of swaps within the first row."),
    count("swaps_second_row", "Number of swaps within the second row."),
    number("strangers", "Number of cards in the row of another type."),
    number("typed_difference", "Difference of the output with types from the initial output."),
    number("merged_difference", "Difference of the output without types from the initial output."),
    done("types_ignored", "The types were ignored."),
    count("edits", "Number of edits of the two neighbourhoods."),
    count("duplicates", "Number of duplicated neighbours."),
    number("size_ratio", "Size of the larger neighbourhood divided by that of the smaller."),
    word("sum_separates", YES_NO, "Whether the sum distinguishes the two neighbourhoods."),
    word("mean_separates", YES_NO, "Whether the mean distinguishes them."),
    word("max_separates", YES_NO, "Whether the maximum distinguishes them."),
    word("psi_separates", YES_NO, "Whether the sum of (x, x²) distinguishes them."),
    done("sum_fooled", "An edit produced two different neighbourhoods with the same sum."),
    done("squares_fooled", "An edit produced two with the same sums of (x, x²)."),
    number("set_size", "Size of the set."),
    number("power_sums", "Number of power sums used."),
    number("power_sum_1", "Sum of the numbers."),
    number("power_sum_2", "Sum of their squares."),
    number("power_sum_3", "Sum of their cubes."),
    count("set_edits", "Number of edits of the set."),
    word("symmetric_target", TARGETS, "The symmetric function computed from the power sums."),
    number("recovered_error", "Error of the value computed from the power sums."),
    count("polynomial_edits", "Number of edits and swaps of the polynomial's numbers."),
    count("fit_steps", "Training steps of the network h(Σ g(x))."),
    number("fit_error", "Its lowest error on test sets: 1 is uninformative, 0 is perfect."),
    number("fit_error_first", "Error of the first network of the list."),
    number("fit_error_last", "Error of the last network of the list."),
    word("planted", PLANTED, "The planted filter."),
    word("planted_on", &[], "The graph it is planted on."),
    count("strokes", "Number of filter points drawn by hand."),
    count("recovery_steps", "Training steps of the learners."),
    number("recovery_loss", "Lowest loss of a learner, as a share of the signal."),
    number("recovery_floor", "Lowest loss any filter can reach."),
    number("recovery_error", "Error of the best learner at the eigenvalues."),
    number("recovery_error_between", "Error of the best learner between the eigenvalues."),
];

/// The kind of a fact; settings are words. `None` if it is unknown.
pub(super) fn kind_of(name: &str) -> Option<FactKind> {
    if name.starts_with(SETTING) {
        return Some(FactKind::Word(&[]));
    }
    FACTS.iter().find(|fact| fact.name == name).map(|fact| fact.kind)
}

/// Prefix of the settings among the facts.
pub(super) const SETTING: &str = "setting.";

/// The current facts by name. Counts cover the whole session; a check uses the
/// increase since its step began.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Facts {
    values: BTreeMap<String, Value>,
}

#[derive(Debug, Clone, PartialEq)]
enum Value {
    Number(f64),
    Word(String),
}

impl Facts {
    /// Sets a number, or a total count.
    pub fn number(&mut self, name: &str, value: f64) {
        self.values.insert(name.to_owned(), Value::Number(value));
    }

    /// Increases a count by one.
    pub fn count(&mut self, name: &str) {
        let now = self.as_number(name).unwrap_or(0.0);
        self.number(name, now + 1.0);
    }

    /// Sets a word.
    pub fn word(&mut self, name: &str, value: &str) {
        self.values.insert(name.to_owned(), Value::Word(value.to_owned()));
    }

    /// Sets the value of a setting.
    pub fn setting(&mut self, key: &str, value: &str) {
        self.word(&format!("{SETTING}{key}"), value);
    }

    /// Removes a fact that no longer holds.
    pub fn forget(&mut self, name: &str) {
        self.values.remove(name);
    }

    /// A fact as text.
    pub fn text(&self, name: &str) -> Option<String> {
        Some(match self.values.get(name)? {
            Value::Number(number) => number.to_string(),
            Value::Word(word) => word.clone(),
        })
    }

    /// A fact as a number, if it is one.
    pub fn as_number(&self, name: &str) -> Option<f64> {
        match self.values.get(name)? {
            Value::Number(number) => Some(*number),
            Value::Word(word) => word.parse().ok(),
        }
    }

    /// Replaces `{fact}` in a text by the value of the fact; a dash if it is unknown.
    pub fn fill(&self, text: &str) -> String {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, name, after)) = placeholder(rest) {
            filled.push_str(before);
            match self.values.get(name) {
                Some(Value::Number(number)) => filled.push_str(&figure(*number)),
                Some(Value::Word(word)) => filled.push_str(word),
                None => filled.push('-'),
            }
            rest = after;
        }
        filled.push_str(rest);
        filled
    }

    /// The names of the known facts.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }
}

/// The text before the first `{fact}`, its name, and the text after it.
fn placeholder(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('{')?;
    let (name, after) = rest.split_once('}')?;
    Some((before, name, after))
}

/// The names between braces in a text.
pub(super) fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, name, after) = placeholder(rest)?;
        rest = after;
        Some(name)
    })
}

/// A number with at most three decimals.
pub(super) fn figure(value: f64) -> String {
    if value != 0.0 && value.abs() < 5e-4 {
        return format!("{value:.1e}");
    }
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// All facts as a Markdown table, for the teachers' document.
pub fn facts_table() -> String {
    let mut text = String::from("| fact | kind | meaning |\n| --- | --- | --- |\n");
    for fact in FACTS {
        let kind = match fact.kind {
            FactKind::Count => "count".to_owned(),
            FactKind::Done => "true or false".to_owned(),
            FactKind::Number => "number".to_owned(),
            FactKind::Word([]) => "word".to_owned(),
            FactKind::Word(words) => words.join(", "),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "| `{}` | {kind} | {} |", fact.name, fact.meaning);
    }
    text.push_str("| `setting.KEY` | word or number | The active value of a setting, for every setting of `gesf-tui settings`. |\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filters::{PlantedFilter, Recovery, RecoveryOptions, SyntheticGraph};
    use crate::theorem::{FitOptions, Study, Theorem, TwoGroups};
    use crate::{Card, Multisets, Shuffle, Types};
    use gesf_graph::TypeId;

    #[test]
    fn names_are_distinct_and_meanings_are_sentences() {
        for (at, fact) in FACTS.iter().enumerate() {
            assert!(FACTS[at + 1..].iter().all(|other| other.name != fact.name), "{}", fact.name);
            assert!(fact.meaning.ends_with('.'), "{}", fact.name);
        }
    }

    #[test]
    fn experiments_report_only_listed_facts() {
        let mut facts = Facts::default();
        let card = Card { name: "A".to_owned(), vector: vec![1.0], kind: TypeId(0) };
        Shuffle::new(vec![card.clone()], 1).report(&mut facts);
        Types::new(vec!["node".to_owned()], vec![card], 1).report(&mut facts);
        Multisets::new().report(&mut facts);
        Theorem::default().report(&mut facts);
        TwoGroups::default().report(&mut facts);
        let options = FitOptions { sets: 4, ..FitOptions::default() };
        Study::of_widths(options, &[2]).unwrap().report(&mut facts);
        let mut recovery =
            Recovery::on(SyntheticGraph::Ring, PlantedFilter::Low, RecoveryOptions::default())
                .unwrap();
        recovery.step().unwrap();
        recovery.report(&mut facts);
        for name in facts.names() {
            let kind = kind_of(name).unwrap_or_else(|| panic!("{name} is not listed"));
            let words = matches!(kind, FactKind::Word(_));
            assert_eq!(facts.as_number(name).is_none(), words, "{name}");
            if let FactKind::Word(words @ [_, ..]) = kind {
                assert!(words.contains(&facts.text(name).unwrap().as_str()), "{name}");
            }
        }
        assert!(facts.names().count() >= 35, "{}", facts.names().count());
    }

    #[test]
    fn facts_are_filled_into_a_text() {
        let mut facts = Facts::default();
        facts.number("hop1_weight", 0.097_61);
        facts.word("screen", "filter");
        let text = "α₁ is {hop1_weight} on {screen}, {loss} {";
        assert_eq!(facts.fill(text), "α₁ is 0.098 on filter, - {");
        assert_eq!(placeholders(text).collect::<Vec<_>>(), ["hop1_weight", "screen", "loss"]);
    }

    #[test]
    fn words_of_facts_are_the_names_the_experiments_use() {
        let targets = crate::theorem::SetTarget::ALL.map(crate::theorem::SetTarget::name);
        assert_eq!(targets, TARGETS);
        assert_eq!(PlantedFilter::all().map(|target| target.name()), PLANTED);
    }

    #[test]
    fn the_teachers_document_lists_every_fact() {
        let document = include_str!("../../../../docs/LESSONS.md");
        assert!(document.contains(&facts_table()), "print it with `gesf-tui learn --facts`");
    }
}
