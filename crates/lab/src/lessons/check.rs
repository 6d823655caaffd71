//! The syntax of checks: `FACT OP VALUE`, joined by `or`.
//!
//! `shuffles >= 5`, `screen = filter`, `planted = low or planted = high`.

use std::fmt;

use super::facts::{FACTS, FactKind, Facts, SETTING, current_name, kind_of};
use gesf_core::model::settings::{Settings, TABLE, set};
use gesf_graph::suggest::nearest;

/// One line of a check: at least one of its clauses must hold.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_lab::lessons::{Check, Facts};
///
/// let check = Check::parse("shuffles >= 2")?;
/// let began = Facts::default();
/// let mut now = began.clone();
/// now.count("shuffles");
/// assert!(!check.holds(&now, &began));
/// now.count("shuffles");
/// assert!(check.holds(&now, &began));
/// assert!(Check::parse("shufles >= 2").is_err());
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    text: String,
    clauses: Vec<Clause>,
}

#[derive(Debug, Clone, PartialEq)]
struct Clause {
    fact: String,
    kind: FactKind,
    relation: Relation,
    value: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    Equal,
    Unequal,
    Below,
    AtMost,
    Above,
    AtLeast,
}

/// Longer operators first, or `<=` would be read as `<`.
const RELATIONS: [(&str, Relation); 6] = [
    (">=", Relation::AtLeast),
    ("<=", Relation::AtMost),
    ("!=", Relation::Unequal),
    (">", Relation::Above),
    ("<", Relation::Below),
    ("=", Relation::Equal),
];

/// Why a check is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// It has no operator.
    #[error("check `{0}`: expected FACT OP VALUE, with one of = != < <= > >=")]
    Form(String),
    /// Unknown fact.
    #[error("check `{check}`: unknown fact `{found}`\n  help: did you mean `{nearest}`?")]
    Fact {
        /// The check.
        check: String,
        /// The fact.
        found: String,
        /// The most similar name.
        nearest: String,
    },
    /// Invalid value.
    #[error("check `{check}`: found `{found}`, expected {expected}")]
    Value {
        /// The check.
        check: String,
        /// The given value.
        found: String,
        /// The valid values.
        expected: String,
    },
    /// An ordering of values that have none.
    #[error("check `{check}`: `{fact}` is a word\n  help: compare words with = or !=")]
    Order {
        /// The check.
        check: String,
        /// The fact.
        fact: String,
    },
    /// It always holds.
    #[error(
        "check `{0}`: true before the step begins\n  help: check something the learner has to \
         do, such as `shuffles >= 1`"
    )]
    Empty(String),
}

impl Check {
    /// Parses a check.
    pub fn parse(text: &str) -> Result<Self, CheckError> {
        let clauses = text.split(" or ").map(|part| Clause::parse(part, text));
        let check =
            Self { clauses: clauses.collect::<Result<_, _>>()?, text: text.trim().to_owned() };
        // With no facts and no actions, no useful check holds.
        let idle = Facts::default();
        if check.holds(&idle, &idle) {
            return Err(CheckError::Empty(text.to_owned()));
        }
        Ok(check)
    }

    /// Whether it holds now, given the facts when the step began.
    pub fn holds(&self, now: &Facts, began: &Facts) -> bool {
        self.clauses.iter().any(|clause| clause.holds(now, began))
    }

    /// The requirement as text: `shuffles ≥ 5`, `node opened`.
    pub fn words(&self) -> String {
        self.clauses.iter().map(Clause::words).collect::<Vec<_>>().join(" or ")
    }

    /// The current value; a dash if it is unknown.
    pub fn present(&self, now: &Facts, began: &Facts) -> String {
        let mut parts: Vec<String> = Vec::new();
        for clause in &self.clauses {
            let part = clause.present(now, began);
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        parts.join(", ")
    }

    /// The names of the facts it uses.
    pub fn facts(&self) -> impl Iterator<Item = &str> {
        self.clauses.iter().map(|clause| clause.fact.as_str())
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl Clause {
    fn parse(part: &str, check: &str) -> Result<Self, CheckError> {
        let check = || check.trim().to_owned();
        let found = RELATIONS
            .iter()
            .filter_map(|(sign, relation)| part.find(sign).map(|at| (at, *sign, *relation)));
        // The first operator in the text; of those at one position, the longest.
        let first = found.min_by_key(|(at, sign, _)| (*at, std::cmp::Reverse(sign.len())));
        let Some((at, sign, relation)) = first else { return Err(CheckError::Form(check())) };
        let (fact, value) = (current_name(part[..at].trim()), part[at + sign.len()..].trim());
        let value = value.trim_matches('"');
        if fact.is_empty() || value.is_empty() {
            return Err(CheckError::Form(check()));
        }
        let unknown = || CheckError::Fact {
            check: check(),
            found: fact.to_owned(),
            nearest: nearest_fact(fact),
        };
        let kind = kind_of(fact).ok_or_else(unknown)?;
        let wrong = |expected: String| CheckError::Value {
            check: check(),
            found: value.to_owned(),
            expected,
        };
        let ordered = !matches!(relation, Relation::Equal | Relation::Unequal);
        let is_number = value.parse::<f64>().is_ok_and(f64::is_finite);
        match kind {
            FactKind::Count | FactKind::Number if !is_number => {
                return Err(wrong("a number".to_owned()));
            }
            FactKind::Done if ordered || !["true", "false"].contains(&value) => {
                return Err(wrong("true or false, with = or !=".to_owned()));
            }
            FactKind::Word(_) if fact.starts_with(SETTING) => {
                let key = &fact[SETTING.len()..];
                if TABLE.iter().all(|setting| setting.key != key) {
                    return Err(unknown());
                }
                if ordered && !is_number {
                    return Err(wrong("a number".to_owned()));
                }
                set(&mut Settings::default(), key, value)
                    .map_err(|error| wrong(error.to_string().replace('\n', "; ")))?;
            }
            FactKind::Word(_) if ordered => {
                return Err(CheckError::Order { check: check(), fact: fact.to_owned() });
            }
            FactKind::Word(words @ [_, ..]) if !words.contains(&value) => {
                return Err(wrong(format!("one of {}", words.join(", "))));
            }
            _ => {}
        }
        Ok(Self { fact: fact.to_owned(), kind, relation, value: value.to_owned() })
    }

    /// A clause on an unknown fact never holds.
    fn holds(&self, now: &Facts, began: &Facts) -> bool {
        let name = self.fact.as_str();
        let since = || now.as_number(name).unwrap_or(0.0) - began.as_number(name).unwrap_or(0.0);
        match self.kind {
            FactKind::Count => self.compare(since()),
            FactKind::Done => {
                let same = (since() > 0.0).to_string() == self.value;
                same == (self.relation == Relation::Equal)
            }
            FactKind::Number => now.as_number(name).is_some_and(|own| self.compare(own)),
            FactKind::Word(_) => {
                let number = self.value.parse::<f64>().ok().zip(now.as_number(name));
                match (number, now.text(name)) {
                    (Some((_, own)), _) => self.compare(own),
                    (None, Some(own)) => (own == self.value) == (self.relation == Relation::Equal),
                    (None, None) => false,
                }
            }
        }
    }

    fn words(&self) -> String {
        let fact = match self.fact.strip_prefix(SETTING) {
            Some(key) => key.to_owned(),
            None => self.fact.replace('_', " "),
        };
        let sign = match self.relation {
            Relation::Equal => "=",
            Relation::Unequal => "not",
            Relation::Below => "<",
            Relation::AtMost => "≤",
            Relation::Above => ">",
            Relation::AtLeast => "≥",
        };
        let wanted = (self.value == "true") == (self.relation == Relation::Equal);
        match self.kind {
            FactKind::Done if wanted => fact,
            FactKind::Done => format!("not {fact}"),
            _ => format!("{fact} {sign} {}", self.value),
        }
    }

    fn present(&self, now: &Facts, began: &Facts) -> String {
        let name = self.fact.as_str();
        let since = || now.as_number(name).unwrap_or(0.0) - began.as_number(name).unwrap_or(0.0);
        match self.kind {
            FactKind::Count => figure(since()),
            FactKind::Done if since() > 0.0 => "done".to_owned(),
            FactKind::Done => "not yet".to_owned(),
            FactKind::Number => now.as_number(name).map_or("-".to_owned(), figure),
            FactKind::Word(_) => now.text(name).unwrap_or_else(|| "-".to_owned()),
        }
    }

    fn compare(&self, own: f64) -> bool {
        let Ok(value) = self.value.parse::<f64>() else { return false };
        match self.relation {
            Relation::Equal => (own - value).abs() <= 1e-9 * value.abs().max(1.0),
            Relation::Unequal => (own - value).abs() > 1e-9 * value.abs().max(1.0),
            Relation::Below => own < value,
            Relation::AtMost => own <= value,
            Relation::Above => own > value,
            Relation::AtLeast => own >= value,
        }
    }
}

/// A number with few digits.
fn figure(value: f64) -> String {
    match value.abs() {
        size if (1e-4..1e6).contains(&size) => {
            let text = format!("{value:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        size if size > 0.0 => format!("{value:.1e}"),
        _ => "0".to_owned(),
    }
}

/// The most similar fact, including settings.
fn nearest_fact(text: &str) -> String {
    let settings = TABLE.iter().map(|setting| format!("{SETTING}{}", setting.key));
    let names = FACTS.iter().map(|fact| fact.name.to_owned()).chain(settings);
    nearest(text, names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn holds(text: &str, now: &Facts, began: &Facts) -> bool {
        Check::parse(text).unwrap().holds(now, began)
    }

    #[test]
    fn counts_start_with_the_step_and_numbers_are_current() {
        let (mut began, mut now) = (Facts::default(), Facts::default());
        began.number("shuffles", 7.0);
        now.number("shuffles", 9.0);
        now.number("test_accuracy", 0.6);
        now.word("screen", "filter");
        now.setting("balance", "0.5");
        now.setting("self_term", "keep");
        now.count("node_opened");
        assert!(holds("shuffles >= 2", &now, &began) && !holds("shuffles >= 3", &now, &began));
        assert!(holds("shuffles = 2", &now, &began) && !holds("shuffles = 9", &now, &began));
        assert!(holds("test_accuracy < 0.7", &now, &began));
        assert!(holds("held_accuracy < 0.7", &now, &began), "its name in version 0.1");
        assert!(!holds("test_accuracy >= 0.61", &now, &began));
        assert!(
            holds("screen = filter", &now, &began) && holds("screen = \"filter\"", &now, &began)
        );
        assert!(holds("screen = map or shuffles > 1", &now, &began));
        assert!(holds("setting.balance <= 0.5", &now, &began));
        assert!(holds("setting.self_term = keep", &now, &began));
        assert!(!holds("setting.self_term != keep", &now, &began));
        assert!(holds("node_opened = true", &now, &began));
        assert!(!holds("node_opened = true", &now, &now), "it was opened before the step");
    }

    #[test]
    fn a_check_shows_its_requirement_and_the_current_value() {
        let (mut began, mut now) = (Facts::default(), Facts::default());
        began.number("shuffles", 7.0);
        now.number("shuffles", 9.0);
        now.number("test_accuracy", 0.612_345);
        now.number("set_difference", 3e-8);
        now.word("reference", "heat");
        now.count("node_opened");
        let said = |text: &str| {
            let check = Check::parse(text).unwrap();
            (check.words(), check.present(&now, &began))
        };
        let pair = |words: &str, present: &str| (words.to_owned(), present.to_owned());
        assert_eq!(said("shuffles >= 5"), pair("shuffles ≥ 5", "2"));
        assert_eq!(said("node_opened = true"), pair("node opened", "done"));
        assert_eq!(said("types_ignored = true"), pair("types ignored", "not yet"));
        assert_eq!(said("test_accuracy < 0.7"), pair("test accuracy < 0.7", "0.6123"));
        assert_eq!(said("set_difference = 0"), pair("set difference = 0", "3.0e-8"));
        assert_eq!(said("loss < 3"), pair("loss < 3", "-"));
        assert_eq!(said("setting.self_term = drop"), pair("self_term = drop", "-"));
        let either = "reference = low or reference = heat";
        assert_eq!(said(either), pair(either, "heat"));
    }

    #[test]
    fn unknown_facts_satisfy_no_check() {
        let none = Facts::default();
        for text in ["loss < 3", "loss > 3", "screen != map", "setting.filter != mlp"] {
            assert!(!holds(text, &none, &none), "{text}");
        }
    }

    #[test]
    fn errors_suggest_valid_values() {
        let said = |text: &str| Check::parse(text).unwrap_err().to_string();
        assert!(said("shufles >= 5").contains("`shuffles`"));
        assert!(said("setting.self_trem = keep").contains("`setting.self_term`"));
        assert!(said("setting.self_term = kep").contains("`keep`"));
        assert!(said("setting.self_term > keep").contains("a number"));
        assert!(said("screen = fliter").contains("train, filter"));
        assert!(said("screen > filter").contains("= or !="));
        assert!(said("shuffles >= many").contains("a number"));
        assert!(said("node_opened = maybe").contains("true or false"));
        assert!(said("shuffles").contains("FACT OP VALUE"));
        assert!(said("= 3").contains("FACT OP VALUE") && said("shuffles =").contains("FACT"));
        assert!(said("shuffles >= nan").contains("a number"));
    }

    #[test]
    fn a_check_that_always_holds_is_refused() {
        for text in
            ["shuffles >= 0", "node_opened = false", "shuffles < 5", "loss > 1 or swaps != 1"]
        {
            assert!(matches!(Check::parse(text), Err(CheckError::Empty(_))), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(text in ".{0,60}") {
            let _ = Check::parse(&text);
        }

        #[test]
        fn a_parsed_check_is_shown_as_written(count in 1..1000_u32) {
            let text = format!("shuffles >= {count}");
            prop_assert_eq!(Check::parse(&text).unwrap().to_string(), text);
        }
    }
}
