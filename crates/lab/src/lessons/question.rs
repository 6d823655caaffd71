//! Questions of a lesson: the learner answers before the task, and the answer is
//! compared with what came out once the task is done.

use serde::{Deserialize, Serialize};

use super::Facts;
use super::facts::figure;

/// A question before the task of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Its text.
    pub ask: String,
    /// What is compared with the answer.
    pub expected: Expected,
}

/// The right answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Expected {
    /// One of several texts.
    Choice {
        /// All texts, in order.
        choices: Vec<String>,
        /// The index of the right one.
        right: usize,
    },
    /// A number, right within a tolerance.
    Number {
        /// Where the number comes from.
        from: NumberFrom,
        /// The largest difference that counts as right.
        within: f64,
    },
}

/// Where the right number comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum NumberFrom {
    /// The lesson states it.
    Lesson(f64),
    /// A fact, read when the task is done.
    Fact(String),
}

/// What a learner answered.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The index of a choice.
    Choice(usize),
    /// A number.
    Number(f64),
}

/// An answer beside what came out, as saved and handed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    /// The step, from 1.
    pub step: usize,
    /// The question.
    pub ask: String,
    /// The learner's answer.
    pub given: String,
    /// What came out.
    pub came_out: String,
    /// Whether the two agree.
    pub is_right: bool,
    /// How they differ, in words.
    pub comparison: String,
}

impl Question {
    /// The choices; none where a number is asked for.
    pub fn choices(&self) -> &[String] {
        match &self.expected {
            Expected::Choice { choices, .. } => choices,
            Expected::Number { .. } => &[],
        }
    }

    /// Reads what the learner typed: the number of a choice, or a number. `75 %` is
    /// 0.75.
    pub fn read(&self, typed: &str) -> Result<Answer, String> {
        let typed = typed.trim();
        match &self.expected {
            Expected::Choice { choices, .. } => {
                let at = typed.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                let at = at.filter(|at| *at < choices.len());
                at.map(Answer::Choice).ok_or_else(|| {
                    format!("found `{typed}`, expected a number from 1 to {}", choices.len())
                })
            }
            Expected::Number { .. } => {
                let (digits, scale) = match typed.strip_suffix('%') {
                    Some(digits) => (digits.trim_end(), 100.0),
                    None => (typed, 1.0),
                };
                let number = digits.parse::<f64>().ok().filter(|number| number.is_finite());
                let found = || format!("found `{typed}`, expected a number such as 0.75 or 75%");
                number.map(|number| Answer::Number(number / scale)).ok_or_else(found)
            }
        }
    }

    /// An answer as text.
    pub fn text_of(&self, answer: &Answer) -> String {
        match answer {
            Answer::Choice(at) => self.choices().get(*at).cloned().unwrap_or_default(),
            Answer::Number(number) => figure(*number),
        }
    }

    /// Compares an answer with what came out; `None` while that is not known.
    pub fn compare(&self, answer: &Answer, facts: &Facts, step: usize) -> Option<Answered> {
        let (given, came_out, is_right, comparison) = match (&self.expected, answer) {
            (Expected::Choice { choices, right }, Answer::Choice(own)) => {
                let (given, true_one) = (choices.get(*own)?, choices.get(*right)?);
                let is_right = own == right;
                let words = if is_right {
                    format!("You answered “{given}”: right.")
                } else {
                    format!("You answered “{given}”; it is “{true_one}”.")
                };
                (given.clone(), true_one.clone(), is_right, words)
            }
            (Expected::Number { from, within }, Answer::Number(own)) => {
                let value = match from {
                    NumberFrom::Lesson(value) => *value,
                    NumberFrom::Fact(name) => facts.as_number(name)?,
                };
                let own = &as_share(*own, value, from);
                let off = (own - value).abs();
                let is_right = off <= *within;
                let (given, came_out) = (figure(*own), figure(value));
                let words = if is_right {
                    format!("You predicted {given}, it is {came_out}: off by {}.", figure(off))
                } else {
                    let side = if *own > value { "high" } else { "low" };
                    let off = figure(off);
                    format!("You predicted {given}, it is {came_out}: {off} too {side}.")
                };
                (given, came_out, is_right, words)
            }
            _ => return None,
        };
        Some(Answered { step, ask: self.ask.clone(), given, came_out, is_right, comparison })
    }
}

/// A share that was typed as a percentage: 75 where a fact is between 0 and 1.
fn as_share(typed: f64, value: f64, from: &NumberFrom) -> f64 {
    let is_percent = matches!(from, NumberFrom::Fact(_)) && value.abs() <= 1.0;
    if is_percent && typed > 1.0 && typed <= 100.0 { typed / 100.0 } else { typed }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(from: NumberFrom) -> Question {
        let expected = Expected::Number { from, within: 0.05 };
        Question { ask: "How many?".to_owned(), expected }
    }

    #[test]
    fn a_wrong_choice_is_told_the_right_one() {
        let choices = vec!["yes".to_owned(), "no".to_owned()];
        let expected = Expected::Choice { choices, right: 1 };
        let question = Question { ask: "Does it?".to_owned(), expected };
        for typed in ["", "0", "3", "yes", "1.0"] {
            assert!(question.read(typed).is_err(), "{typed}");
        }
        let wrong = question.compare(&question.read("1").unwrap(), &Facts::default(), 2).unwrap();
        assert_eq!((wrong.is_right, wrong.step), (false, 2));
        assert_eq!(wrong.comparison, "You answered “yes”; it is “no”.");
        let right = question.compare(&question.read(" 2 ").unwrap(), &Facts::default(), 2);
        assert!(right.unwrap().is_right);
    }

    #[test]
    fn a_prediction_is_compared_with_the_fact_once_it_is_known() {
        let question = number(NumberFrom::Fact("test_accuracy".to_owned()));
        let answer = question.read("75 %").unwrap();
        assert_eq!(answer, Answer::Number(0.75));
        let mut facts = Facts::default();
        assert_eq!(question.compare(&answer, &facts, 1), None);
        facts.number("test_accuracy", 0.72);
        let near = question.compare(&answer, &facts, 1).unwrap();
        assert!(near.is_right);
        assert_eq!(near.comparison, "You predicted 0.75, it is 0.72: off by 0.03.");
        facts.number("test_accuracy", 0.6);
        let far = question.compare(&answer, &facts, 1).unwrap();
        assert_eq!(far.comparison, "You predicted 0.75, it is 0.6: 0.15 too high.");
        let percent = question.compare(&question.read("75").unwrap(), &facts, 1).unwrap();
        assert_eq!(percent.given, "0.75");
        for typed in ["", "many", "nan", "inf", "%"] {
            assert!(question.read(typed).is_err(), "{typed}");
        }
    }

    #[test]
    fn a_number_of_the_lesson_needs_no_fact() {
        let question = number(NumberFrom::Lesson(3.0));
        let answer = question.read("2").unwrap();
        let told = question.compare(&answer, &Facts::default(), 1).unwrap();
        assert_eq!(told.comparison, "You predicted 2, it is 3: 1 too low.");
    }
}
