//! What the explorer says to a person: notices fade, errors stay until read.

use std::time::Duration;

/// How long a notice stays.
const STAYS: Duration = Duration::from_secs(4);

/// Something said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The words.
    pub text: String,
    /// Whether it stays until read.
    pub error: bool,
    until: Duration,
}

/// What was said and is still to be seen.
#[derive(Debug, Default)]
pub struct Notices {
    all: Vec<Notice>,
}

impl Notices {
    /// Says something that fades.
    pub fn say(&mut self, text: impl Into<String>, now: Duration) {
        self.all.retain(|notice| notice.error);
        self.all.push(Notice { text: text.into(), error: false, until: now + STAYS });
    }

    /// Says something that stays until read.
    pub fn fail(&mut self, text: impl Into<String>) {
        let text = text.into();
        self.all.retain(|notice| notice.text != text);
        self.all.push(Notice { text, error: true, until: Duration::MAX });
    }

    /// Lets what has faded go; says whether anything went.
    pub fn pass(&mut self, now: Duration) -> bool {
        let before = self.all.len();
        self.all.retain(|notice| notice.until > now);
        self.all.len() != before
    }

    /// What to show: an error first.
    pub fn shown(&self) -> Option<&Notice> {
        self.all.iter().find(|notice| notice.error).or(self.all.last())
    }

    /// Whether an error waits to be read.
    pub fn has_error(&self) -> bool {
        self.all.iter().any(|notice| notice.error)
    }

    /// Whether something will fade.
    pub fn fades(&self) -> bool {
        self.all.iter().any(|notice| !notice.error)
    }

    /// The error was read.
    pub fn dismiss(&mut self) {
        if let Some(at) = self.all.iter().position(|notice| notice.error) {
            self.all.remove(at);
        }
    }
}
