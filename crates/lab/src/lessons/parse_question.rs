//! Parses the question of a lesson step.

use toml::de::DeValue;

use super::LessonError;
use super::facts::{FACTS, FactKind, current_name, kind_of};
use super::question::{Expected, NumberFrom, Question};
use super::reader::{Reader, number_in};
use gesf_graph::suggest::nearest;

/// The keys of a question.
pub(super) const QUESTION_KEYS: [&str; 4] = ["ask", "choices", "answer", "within"];
/// The largest difference that counts as right, unless the lesson says otherwise.
const WITHIN: f64 = 0.05;
/// The most choices: each is one digit, and all must fit the panel.
const MOST: usize = 5;

impl Reader<'_> {
    /// The question of a step, if it has one.
    pub(super) fn question(&self) -> Result<Option<Question>, LessonError> {
        if self.optional("ask").is_none() {
            self.without(&QUESTION_KEYS[1..], "needs a question\n  help: ask = \"…\"")?;
            return Ok(None);
        }
        let ask = self.text("ask")?;
        let expected = if self.optional("choices").is_some() {
            self.without(&["within"], "needs a number as the answer, found `choices`")?;
            self.choice()?
        } else {
            let within = self.number("within")?.unwrap_or(WITHIN);
            if within < 0.0 {
                let what = "within: expected a number of at least 0".to_owned();
                return Err(self.fault_at("within", what));
            }
            Expected::Number { from: self.number_from()?, within }
        };
        Ok(Some(Question { ask, expected }))
    }

    fn choice(&self) -> Result<Expected, LessonError> {
        let choices: Vec<String> = self.texts("choices")?.into_iter().map(|(own, _)| own).collect();
        let repeats = (1..choices.len()).any(|at| choices[..at].contains(&choices[at]));
        if !(2..=MOST).contains(&choices.len()) || repeats {
            let what = format!("choices: expected 2 to {MOST} different strings");
            return Err(self.fault_at("choices", what));
        }
        let right = match self.needed("answer")?.get_ref() {
            DeValue::String(text) => choices.iter().position(|own| own == text).ok_or_else(|| {
                format!(
                    "answer: found `{text}`, expected one of the choices\n  help: did you mean \
                     `{}`?",
                    nearest(text, choices.iter().map(String::as_str))
                )
            }),
            value => {
                let number = number_in(value).filter(|own| own.fract() == 0.0 && *own >= 1.0);
                let at = number.map(|own| own as usize - 1).filter(|at| *at < choices.len());
                at.ok_or_else(|| {
                    format!("answer: expected a choice, as text or from 1 to {}", choices.len())
                })
            }
        };
        let right = right.map_err(|what| self.fault_at("answer", what))?;
        Ok(Expected::Choice { choices, right })
    }

    fn number_from(&self) -> Result<NumberFrom, LessonError> {
        let value = self.needed("answer")?.get_ref();
        let DeValue::String(text) = value else {
            let what = "answer: expected a number or a fact\n  help: or list `choices`".to_owned();
            let number = number_in(value).filter(|own| own.is_finite());
            return number.map(NumberFrom::Lesson).ok_or_else(|| self.fault_at("answer", what));
        };
        let name = current_name(text);
        if kind_of(name) == Some(FactKind::Number) {
            return Ok(NumberFrom::Fact(name.to_owned()));
        }
        let numbers = FACTS.iter().filter(|fact| fact.kind == FactKind::Number);
        let what = format!(
            "answer: found `{text}`, expected a fact that is a number, or `choices`\n  help: did \
             you mean `{}`?",
            nearest(text, numbers.map(|fact| fact.name))
        );
        Err(self.fault_at("answer", what))
    }
}
