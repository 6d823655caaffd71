//! The explorer in sentences: what it says, and that it takes words.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use assert_cmd::Command;

/// What is said when these lines are typed.
fn said(arguments: &[&str], typed: &str) -> String {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::cargo_bin("gesf-tui").unwrap();
    for name in ["GESF_CACHE_DIR", "GESF_CONFIG_DIR", "GESF_DATA_DIR"] {
        command.env(name, home.path());
    }
    let output = command.args(["--plain"]).args(arguments).write_stdin(typed).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_whole_run_is_told_in_sentences_without_a_word_typed() {
    let said = said(&["sample_graphs/karate", "--set", "epochs=40"], "");
    let training = "Training, 40 epochs in all, the first 13 to learn the filter.";
    assert!(said.contains(training), "{said}");
    let last = said.lines().last().unwrap();
    assert!(last.starts_with("Done. Epoch 39: loss 0."), "{last}");
    assert!(last.contains("held-out accuracy") && !last.contains("best"), "{last}");
    let strange = said.chars().find(|c| !c.is_ascii() && !"ρλσ".contains(*c));
    assert_eq!(strange, None, "no sign that a reader would stumble over: {said}");
}

#[test]
fn words_do_what_keys_do() {
    let typed = "run 12\nbalance 3\nrun 3\ngo to 5\nfilter\nstatus\npuase\nquit\n";
    let said = said(&["sample_graphs/karate", "--paused"], typed);
    assert!(said.contains("From epoch 12 on: λ 10 to 3."), "{said}");
    assert!(said.contains("Gone back to epoch 5 of 15."), "{said}");
    assert!(said.contains("The filter rho is"), "{said}");
    assert!(said.contains("the nearest is pause"), "{said}");
}

#[test]
fn what_restarts_waits_for_a_word() {
    let typed = "dimension 8\nrestart-with-changes\nrun 2\nsettings\nquit\n";
    let said = said(&["sample_graphs/karate", "--paused"], typed);
    assert!(said.contains("waits for a new start"), "{said}");
    assert!(said.contains("dimension is 8."), "{said}");
}

#[test]
fn a_node_the_lab_and_the_filter_can_be_read() {
    let typed = "run 60\nnode Mr. Hi\nnode nobody\nlab screen\nfilter screen\nquit\n";
    let said = said(&["sample_graphs/karate", "--paused"], typed);
    assert!(said.contains("Node 0 Mr. Hi (instructor). Predicted from R: "), "{said}");
    assert!(said.contains(" with nothing said, and of "), "{said}");
    assert!(said.contains("No node has the id or the name nobody."), "{said}");
    assert!(said.contains("experiment is shuffle."), "{said}");
    assert!(said.contains("The filter rho is"), "{said}");
}
