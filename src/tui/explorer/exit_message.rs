//! The message printed on exit: how to resume.

use std::path::Path;

use crate::train::StateLine;
use crate::train::run::{Record, RunFolder};
use crate::tui::session::Session;

/// How to resume the run and reproduce the current epoch, or why it cannot be
/// reproduced. `None` if nothing was trained. `described` is the state line that was
/// opened, `unsaved` the record of a run that is not saved.
pub(super) fn words(
    session: &Session,
    described: Option<&StateLine>,
    unsaved: Option<&Record>,
) -> Option<String> {
    // If the planned epoch is not reached yet, the message still refers to it.
    let epoch = session.planned.unwrap_or(session.at);
    if epoch == 0 {
        return None;
    }
    let record = session.path.as_deref().map(|run| (run, RunFolder::record(run)));
    if let Some((run, Ok(record))) = record {
        let line = StateLine::of(&record, epoch);
        return Some(format!(
            "Resume this run:        gesf-tui {}\n{}",
            quoted(run),
            reproduce_line(&line)
        ));
    }
    if let Some(line) = described.filter(|_| session.planned.is_some()) {
        return Some(reproduce_line(&line.clone().made_here()));
    }
    if let Some(record) = unsaved {
        let edits = session.edits().unwrap_or_default();
        let line = StateLine { edits: edits.to_owned(), ..StateLine::of(record, epoch) };
        let why = match &session.unsaved {
            Some(why) => format!("The run is not saved: {why}"),
            None if !edits.is_empty() => "Runs on an edited graph are not saved.".to_owned(),
            None => "The run is not saved.".to_owned(),
        };
        return Some(format!("{why}\n{}", reproduce_line(&line)));
    }
    let why = if session.standard_input {
        "the graph came from standard input, where it cannot be read again. Save it to a file and \
         pass its path."
    } else if session.is_practice {
        return None;
    } else {
        "the run could not be saved. Free some disk space or set GESF_DATA_DIR to a folder that \
         can be written to."
    };
    Some(format!("This epoch cannot be reproduced: {why}"))
}

fn reproduce_line(line: &StateLine) -> String {
    format!("Reproduce this epoch:   gesf-tui --state '{line}'")
}

/// A path quoted for a shell.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::LoadOptions;
    use crate::model::settings::Settings;
    use crate::train::{Event, Phase};
    use std::time::Duration;

    const LINE: &str =
        "gesf2 graph=sample:karate#0a epoch=120 seed=7 @50 balance=0.5 @150 balance=2";

    #[test]
    fn a_path_with_spaces_and_quotes_stays_one_argument() {
        assert_eq!(quoted("runs/karate-1".as_ref()), "runs/karate-1");
        assert_eq!(quoted("my runs/it's".as_ref()), r"'my runs/it'\''s'");
    }

    #[test]
    fn an_unfinished_state_line_is_printed_again_with_all_its_changes() {
        let line: StateLine = LINE.parse().unwrap();
        let line = line.made_here();
        let mut session = Session::new("karate".to_owned(), line.settings.clone());
        session.planned = Some(line.epoch);
        // Before the graph is loaded there is no saved run.
        let said = words(&session, Some(&line), None).unwrap();
        assert!(said.contains(&format!("--state '{line}'")), "{said}");
        // Afterwards there is, and the line comes from its record.
        let folder = tempfile::tempdir().unwrap();
        let karate = "sample_graphs/karate".as_ref();
        let load = LoadOptions::default();
        let (graph, _) = crate::graph::load(karate, &load).unwrap();
        let mut record =
            crate::train::run::Record::of(karate, &graph, &load, &line.settings.clone());
        record.changes = line.changes.clone();
        RunFolder::create(&folder.path().join("run"), &record).unwrap().close();
        session.path = Some(folder.path().join("run"));
        session.at = 20;
        let expected = line.to_string().replace("#0a", &format!("#{:016x}", graph.fingerprint()));
        let said = words(&session, Some(&line), None).unwrap();
        assert!(said.contains(&format!("--state '{expected}'")), "{said}");
        // Pausing on the way makes that epoch the current one; later changes stay
        // scheduled.
        session.take(Event::Phase(Phase::Paused), Duration::ZERO);
        let said = words(&session, Some(&line), None).unwrap();
        let expected = expected.replace("epoch=120", "epoch=20");
        assert!(said.contains(&format!("--state '{expected}'")), "{said}");
        assert!(said.contains("@150"), "{said}");
    }

    #[test]
    fn the_reason_an_epoch_cannot_be_reproduced_is_printed() {
        let mut session = Session::new("karate".to_owned(), Settings::default());
        assert_eq!(words(&session, None, None), None, "nothing was trained");
        session.at = 3;
        assert!(words(&session, None, None).unwrap().contains("could not be saved"));
        session.standard_input = true;
        let said = words(&session, None, None).unwrap();
        assert!(said.contains("standard input") && said.contains("pass its path"), "{said}");
        session.standard_input = false;
        session.is_practice = true;
        assert_eq!(words(&session, None, None), None, "a lesson is practice");
    }
}
