//! What the program can say about what a learner did and sees.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How a fact is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactKind {
    /// How often something was done since the step of the lesson began.
    Count,
    /// Whether it was done at all since the step began.
    Done,
    /// A number as it is now.
    Number,
    /// A word as it is now: one of these, or any where there are none.
    Word(&'static [&'static str]),
}

/// A fact that a check can ask for.
#[derive(Debug, Clone, Copy)]
pub struct Fact {
    /// Its name.
    pub name: &'static str,
    /// How it is measured.
    pub kind: FactKind,
    /// What it says.
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
pub const SCREENS: &[&str] = &["train", "filter", "node", "map", "lab", "runs"];

/// The experiments of the lab.
pub const EXPERIMENTS: &[&str] = &["shuffle", "types", "aggregators", "theorem", "filters"];

const YES_NO: &[&str] = &["yes", "no"];
const TARGETS: &[&str] = &["max", "median", "variance", "second-largest", "range", "has-three"];
const PLANTED: &[&str] = &["low", "high", "band", "reject", "comb", "drawn", "every-other"];
const REFERENCES: &[&str] =
    &["none", "identity", "heat", "ppr", "low", "high", "band", "reject", "comb"];

/// Every fact but the settings, which are facts too: `setting.balance` and so on.
pub const FACTS: &[Fact] = &[
    word("screen", SCREENS, "The screen that is open."),
    word("experiment", EXPERIMENTS, "The experiment that is open in the lab."),
    word("graph", &[], "The name of the graph that is open."),
    number("epoch", "Epochs trained so far."),
    count("epochs_run", "Epochs trained since the step began."),
    number("loss", "The loss of the last epoch."),
    number("seen_accuracy", "Share of the training labels that x gets right, from 0 to 1."),
    number("held_accuracy", "Share of the test labels that x gets right, from 0 to 1."),
    number("seen_accuracy_r", "Share of the training labels that R gets right, from 0 to 1."),
    number("held_accuracy_r", "Share of the test labels that R gets right, from 0 to 1."),
    number(
        "accuracy_gap",
        "By how much the training accuracy of x exceeds that on the test labels.",
    ),
    count("settings_changed", "Changes of settings."),
    count("restarts", "New starts of the training."),
    count("pauses", "Times the training was held."),
    number(
        "eigenvalue",
        "The eigenvalue under the cursor of the filter, as a share of the largest.",
    ),
    done("cursor_moved", "The cursor was moved to another eigenvalue."),
    word("reference", REFERENCES, "The known filter drawn beside the learned one."),
    done("axis_switched", "The axis was switched between σ and 1 − σ."),
    done("hops_shown", "The weights by distance were looked at."),
    done("node_opened", "A node was opened."),
    number("node_degree", "How many neighbours the open node has."),
    done("wrong_node_opened", "A node with a wrong prediction was opened."),
    done("top_contributor_chosen", "The neighbour that contributes most was chosen."),
    done("by_hop_shown", "Contributions were looked at by distance."),
    done("neighbour_left_out", "The prediction was looked at without a neighbour."),
    count("shuffles", "Shuffles of the cards."),
    count("swaps", "Swaps of two cards by hand."),
    number("set_difference", "The largest change of the set function seen under shuffles."),
    number("rounded_difference", "The largest change of the sum in f32 seen under shuffles."),
    number("concatenation_difference", "The largest change of the concatenation seen."),
    number("recurrent_difference", "The largest change of the recurrent unit seen."),
    count("swaps_within", "Swaps of two cards of one type."),
    count("swaps_across", "Swaps of two cards of different types."),
    number("strangers", "Cards that lie in the row of another type."),
    number("typed_difference", "By how much the output with types differs from the first."),
    number("merged_difference", "By how much the output without types differs from the first."),
    done("types_ignored", "The types were ignored."),
    count("edits", "Edits of the two neighbourhoods."),
    count("duplicates", "Neighbours that were put there once more."),
    word("sum_separates", YES_NO, "Whether the sum tells the two neighbourhoods apart."),
    word("mean_separates", YES_NO, "Whether the mean does."),
    word("max_separates", YES_NO, "Whether the maximum does."),
    word("psi_separates", YES_NO, "Whether the sum of (x, x²) does."),
    done("sum_fooled", "An edit made two different neighbourhoods with the same sum."),
    done("squares_fooled", "An edit made two that even the sums of (x, x²) do not tell apart."),
    number("set_size", "Numbers in the set."),
    number("power_sums", "Power sums that are looked at."),
    count("set_edits", "Edits of the set of numbers."),
    word("symmetric_target", TARGETS, "What is to be found from the power sums."),
    number("recovered_error", "How far the answer from the power sums is from the truth."),
    count("polynomial_edits", "Edits and swaps of the polynomial's numbers."),
    count("fit_steps", "Steps of the network h(Σ g(x))."),
    number("fit_error", "Its smallest error on sets it never saw: 1 knows nothing, 0 all."),
    word("planted", PLANTED, "The filter that was planted."),
    word("planted_on", &[], "The graph it was planted on."),
    count("strokes", "Points of a filter that were drawn by hand."),
    count("recovery_steps", "Steps of the learners of the planted filter."),
    number("recovery_loss", "The smallest loss of a learner, as a share of the signal."),
    number("recovery_floor", "The least loss any filter can reach there."),
    number("recovery_error", "How far the best learner is off at the eigenvalues."),
    number("recovery_error_between", "How far it is off between them."),
];

/// The kind of a fact; settings are words. `None` where there is no such fact.
pub(super) fn kind_of(name: &str) -> Option<FactKind> {
    if name.starts_with(SETTING) {
        return Some(FactKind::Word(&[]));
    }
    FACTS.iter().find(|fact| fact.name == name).map(|fact| fact.kind)
}

/// What the name of a setting begins with as a fact.
pub(super) const SETTING: &str = "setting.";

/// What is known now, by name. Counts are over the whole session; a check looks
/// at what was added since its step began.
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
    /// A number, or how often something was done in all.
    pub fn number(&mut self, name: &str, value: f64) {
        self.values.insert(name.to_owned(), Value::Number(value));
    }

    /// One more of something.
    pub fn count(&mut self, name: &str) {
        let now = self.as_number(name).unwrap_or(0.0);
        self.number(name, now + 1.0);
    }

    /// A word.
    pub fn word(&mut self, name: &str, value: &str) {
        self.values.insert(name.to_owned(), Value::Word(value.to_owned()));
    }

    /// The value of a setting.
    pub fn setting(&mut self, key: &str, value: &str) {
        self.word(&format!("{SETTING}{key}"), value);
    }

    /// Forgets a fact that no longer holds.
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

    /// The names of the facts that are known.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }
}

/// Every fact as a table in Markdown, for the teachers' document.
pub fn facts_table() -> String {
    let mut text = String::from("| fact | kind | what it says |\n| --- | --- | --- |\n");
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
    text.push_str("| `setting.KEY` | word or number | The value of a setting in force, for every setting of `gesf-tui settings`. |\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::TypeId;
    use crate::lab::filters::{Recovery, RecoveryOptions, Stage, Target};
    use crate::lab::theorem::{FitOptions, Study, Theorem, TwoGroups};
    use crate::lab::{Card, Multisets, Shuffle, Types};

    #[test]
    fn names_are_distinct_and_meanings_are_sentences() {
        for (at, fact) in FACTS.iter().enumerate() {
            assert!(FACTS[at + 1..].iter().all(|other| other.name != fact.name), "{}", fact.name);
            assert!(fact.meaning.ends_with('.'), "{}", fact.name);
        }
    }

    #[test]
    fn experiments_report_only_facts_that_are_listed() {
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
            Recovery::on(Stage::Ring, Target::Low, RecoveryOptions::default()).unwrap();
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
    fn words_of_facts_are_the_names_the_experiments_use() {
        let targets = crate::lab::theorem::Target::ALL.map(crate::lab::theorem::Target::name);
        assert_eq!(targets, TARGETS);
        assert_eq!(Target::all().map(|target| target.name()), PLANTED);
    }

    #[test]
    fn the_teachers_document_lists_every_fact() {
        let document = include_str!("../../../docs/LESSONS.md");
        assert!(document.contains(&facts_table()), "print it with `gesf-tui learn --facts`");
    }
}
