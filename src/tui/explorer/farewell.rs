//! What is said once the screen is gone: how to come back.

use std::path::Path;

use crate::train::StateLine;
use crate::train::run::RunFolder;
use crate::tui::session::Session;

/// How the run goes on, and how anybody comes to this moment of it. Nothing
/// where nothing was trained or kept.
pub(super) fn words(session: &Session) -> Option<String> {
    let run = session.path.as_deref().filter(|_| session.at > 0)?;
    let record = RunFolder::record(run).ok()?;
    let line = StateLine::of(&record, session.at);
    Some(format!(
        "The run goes on with:   gesf-tui {}\nThis moment, anywhere:  gesf-tui --state '{line}'",
        quoted(run)
    ))
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_blanks_and_quotes_stays_one_word() {
        assert_eq!(quoted("runs/karate-1".as_ref()), "runs/karate-1");
        assert_eq!(quoted("my runs/it's".as_ref()), r"'my runs/it'\''s'");
    }
}
