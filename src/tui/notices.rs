//! Messages to the user: notices fade, errors stay until dismissed.

use std::time::Duration;

/// How long a notice stays.
const STAYS: Duration = Duration::from_secs(4);

/// A message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The text.
    pub text: String,
    /// Whether it stays until dismissed.
    pub error: bool,
    until: Duration,
}

/// The messages still visible.
#[derive(Debug, Default)]
pub struct Notices {
    all: Vec<Notice>,
}

impl Notices {
    /// Shows a notice that fades.
    pub fn say(&mut self, text: impl Into<String>, now: Duration) {
        self.all.retain(|notice| notice.error);
        self.all.push(Notice { text: text.into(), error: false, until: now + STAYS });
    }

    /// Shows an error that stays until dismissed.
    pub fn fail(&mut self, text: impl Into<String>) {
        let text = text.into();
        self.all.retain(|notice| notice.text != text);
        self.all.push(Notice { text, error: true, until: Duration::MAX });
    }

    /// Removes expired notices; returns whether there were any.
    pub fn pass(&mut self, now: Duration) -> bool {
        let before = self.all.len();
        self.all.retain(|notice| notice.until > now);
        self.all.len() != before
    }

    /// The message to show: an error first.
    pub fn shown(&self) -> Option<&Notice> {
        self.all.iter().find(|notice| notice.error).or(self.all.last())
    }

    /// Whether an error is shown.
    pub fn has_error(&self) -> bool {
        self.all.iter().any(|notice| notice.error)
    }

    /// Whether a notice will fade.
    pub fn fades(&self) -> bool {
        self.all.iter().any(|notice| !notice.error)
    }

    /// Dismisses the error.
    pub fn dismiss(&mut self) {
        if let Some(at) = self.all.iter().position(|notice| notice.error) {
            self.all.remove(at);
        }
    }
}
