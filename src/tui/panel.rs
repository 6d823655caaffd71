//! The settings panel: selected row, typed value, changes that need a restart, and
//! undo.

use super::text_input::TextInput;
use crate::model::settings::{
    Range, Setting, SettingChange, SettingError, Settings, Steps, TABLE, set,
};

/// Step size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stride {
    /// A small step.
    Fine,
    /// To the next round value.
    Usual,
    /// A large step.
    Coarse,
}

/// The state of the panel.
#[derive(Debug, Default)]
pub struct Panel {
    /// The selected row of the table.
    pub row: usize,
    /// The value being typed.
    pub typed: Option<TextInput>,
    /// Settings that need a restart to apply.
    pub draft: Option<Settings>,
    /// Whether the description and the formula are shown.
    pub explained: bool,
    /// The inverse of each change, newest last.
    pub undo: Vec<Vec<SettingChange>>,
}

impl Panel {
    /// The selected setting.
    pub fn setting(&self) -> &'static Setting {
        &TABLE[self.row.min(TABLE.len() - 1)]
    }

    /// Moves the selection within the table.
    pub fn go(&mut self, by: isize) {
        self.typed = None;
        self.row = self.row.saturating_add_signed(by).min(TABLE.len() - 1);
    }
}

/// The settings with one value stepped up or down.
pub(super) fn stepped(
    settings: &Settings,
    setting: &Setting,
    up: bool,
    stride: Stride,
) -> Result<Settings, SettingError> {
    let text = (setting.get)(settings);
    let mut changed = settings.clone();
    set(&mut changed, setting.key, &next_text(setting, &text, up, stride))?;
    Ok(changed)
}

fn next_text(setting: &Setting, text: &str, up: bool, stride: Stride) -> String {
    match setting.range {
        Range::Names(names) => {
            let names = names();
            let at = names.iter().position(|name| *name == text).unwrap_or(0);
            let next = if up { at + 1 } else { at + names.len() - 1 };
            names[next % names.len()].to_owned()
        }
        Range::Whole(low, high) => {
            let value = text.parse().unwrap_or(low);
            next_whole(value, low, high, up, stride).to_string()
        }
        Range::Number(low, high) => {
            let value = text.parse().unwrap_or(low);
            next_number(value, low, high, up, stride).to_string()
        }
        Range::Words(_, steps) => next_words(steps, text, up, stride),
    }
}

/// Lists of numbers step together; words such as `all` come after every number.
fn next_words(steps: Steps, text: &str, up: bool, stride: Stride) -> String {
    let Steps { whole, bounds: (low, high), word } = steps;
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    match (numbers, word) {
        (Ok(numbers), Some((word, _))) if up && numbers.iter().any(|number| *number >= high) => {
            word.to_owned()
        }
        (Ok(numbers), _) => {
            let next = |number: f64| {
                if whole {
                    next_whole(number as u64, low as u64, high as u64, up, stride).to_string()
                } else {
                    next_number(number, low, high, up, stride).to_string()
                }
            };
            numbers.into_iter().map(next).collect::<Vec<_>>().join(",")
        }
        (Err(_), Some((_, below))) if !up => below.to_string(),
        _ => text.to_owned(),
    }
}

fn next_whole(value: u64, low: u64, high: u64, up: bool, stride: Stride) -> u64 {
    let add = |step: u64| if up { value.saturating_add(step) } else { value.saturating_sub(step) };
    let small = high <= 512 || high == u64::MAX;
    let next = match stride {
        Stride::Fine => add((value / 20).max(1)),
        Stride::Usual if small || value < 5 => add(1),
        Stride::Usual => next_round(value as f64, up).round() as u64,
        Stride::Coarse if small => add(8),
        Stride::Coarse => (if up { value.saturating_mul(10) } else { value / 10 }).max(1),
    };
    next.clamp(low, high)
}

fn next_number(value: f64, low: f64, high: f64, up: bool, stride: Stride) -> f64 {
    let sign = if up { 1.0 } else { -1.0 };
    let next = if high <= 1.0 {
        let step = match stride {
            Stride::Fine => 0.01,
            Stride::Usual => 0.1,
            Stride::Coarse => 0.3,
        };
        value + sign * step
    } else if value == 0.0 {
        if up { 1e-4 } else { 0.0 }
    } else {
        match stride {
            Stride::Fine => value * (1.0 + sign * 0.1),
            Stride::Usual => next_round(value, up),
            Stride::Coarse => value * 10_f64.powf(sign),
        }
    };
    let next = if next < 1e-7 { 0.0 } else { tidy(next) };
    next.clamp(low, high)
}

/// The next of 1, 2, 5 · 10ⁿ.
fn next_round(value: f64, up: bool) -> f64 {
    let power = value.log10().floor();
    let ladder = (-1..=1).flat_map(|shift| {
        [1.0, 2.0, 5.0].map(|digit| tidy(digit * 10_f64.powf(power + f64::from(shift))))
    });
    let ladder: Vec<f64> = ladder.collect();
    let next = if up {
        ladder.iter().find(|rung| **rung > value * 1.000_001)
    } else {
        ladder.iter().rev().find(|rung| **rung < value * 0.999_999)
    };
    next.copied().unwrap_or(value)
}

/// Rounds to six digits, to avoid 0.30000000000000004.
fn tidy(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::settings::find;

    fn walk(key: &str, up: bool, stride: Stride, times: usize) -> String {
        let setting = find(key).unwrap();
        let mut settings = Settings::default();
        for _ in 0..times {
            settings = stepped(&settings, setting, up, stride).unwrap();
        }
        (setting.get)(&settings)
    }

    #[test]
    fn steps_go_to_round_values_and_stay_in_range() {
        assert_eq!(walk("learning_rate", true, Stride::Usual, 2), "0.05");
        assert_eq!(walk("learning_rate", false, Stride::Usual, 1), "0.005");
        assert_eq!(walk("balance", false, Stride::Coarse, 1), "1");
        assert_eq!(walk("labelled", true, Stride::Usual, 20), "1");
        assert_eq!(walk("labelled", true, Stride::Fine, 3), "0.53");
        assert_eq!(walk("eigenpairs", true, Stride::Usual, 3), "all");
        assert_eq!(walk("eigenpairs", true, Stride::Usual, 4), "all");
        assert_eq!(walk("epochs", true, Stride::Usual, 1), "500");
        assert_eq!(walk("batch", false, Stride::Usual, 1), "512");
        assert_eq!(walk("filter", true, Stride::Usual, 1), "signed-hops");
    }

    #[test]
    fn every_setting_can_be_stepped_both_ways_repeatedly() {
        for setting in TABLE {
            for stride in [Stride::Fine, Stride::Usual, Stride::Coarse] {
                for up in [true, false] {
                    walk(setting.key, up, stride, 60);
                }
            }
        }
    }
}
