//! Plain-text mode: its output, and its commands.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use assert_cmd::Command;

/// The output after typing these lines.
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
fn a_whole_run_is_reported_in_plain_text_without_input() {
    let said = said(&["sample_graphs/karate", "--set", "epochs=40"], "");
    let training = "Training for 40 epochs, the first 13 to learn the filter.";
    assert!(said.contains(training), "{said}");
    let last = said.lines().last().unwrap();
    assert!(last.starts_with("Done. Epoch 39: loss 0."), "{last}");
    assert!(last.contains("test accuracy") && !last.contains("best"), "{last}");
    let strange = said.chars().find(|c| !c.is_ascii() && !"ρλσ".contains(*c));
    assert_eq!(strange, None, "no sign that a reader would stumble over: {said}");
}

#[test]
fn typed_commands_do_what_keys_do() {
    let typed = "run 12\nbalance 3\nrun 3\ngo to 5\nfilter\nstatus\npuase\nquit\n";
    let said = said(&["sample_graphs/karate", "--paused"], typed);
    assert!(said.contains("From epoch 12 on: λ 10 to 3."), "{said}");
    assert!(said.contains("Back at epoch 5 of 15."), "{said}");
    assert!(said.contains("The filter rho is"), "{said}");
    assert!(said.contains("Did you mean pause?"), "{said}");
}

#[test]
fn a_restart_needs_a_command() {
    let typed = "dimension 8\nrestart-with-changes\nrun 2\nsettings\nquit\n";
    let said = said(&["sample_graphs/karate", "--paused"], typed);
    assert!(said.contains("Restart to apply"), "{said}");
    assert!(said.contains("dimension is 8."), "{said}");
}

#[test]
fn a_node_the_lab_and_the_filter_are_shown_as_text() {
    let typed = "run 60\nnode Mr. Hi\nnode nobody\nlab screen\nfilter screen\nquit\n";
    let said = said(&["sample_graphs/karate", "--paused"], typed);
    assert!(said.contains("Node 0 Mr. Hi (instructor). Predicted from R: "), "{said}");
    assert!(said.contains(": baseline "), "{said}");
    assert!(said.contains("No node has the id or name nobody."), "{said}");
    assert!(said.contains("experiment is shuffle."), "{said}");
    assert!(said.contains("The filter rho is"), "{said}");
}
