//! What comes from files of others can neither act on the terminal nor be
//! misread, and what a person has is not overwritten unasked.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use gesf_tui::escape::is_harmful;

/// A title, the clipboard, the screen, a C1 sequence and a turn of direction.
const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{1b}]52;c;ZXZpbA==\u{1b}\\\u{1b}[2J\u{9b}8m\u{202e}";

fn gesf(home: &Path) -> Command {
    let mut command = Command::cargo_bin("gesf-tui").unwrap();
    for name in ["GESF_CACHE_DIR", "GESF_CONFIG_DIR", "GESF_DATA_DIR"] {
        command.env(name, home);
    }
    // As on a terminal: sequences are not stripped on the way.
    command.env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR");
    command
}

/// What was printed, without the styles of the program.
fn printed(output: &Output) -> String {
    let both = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    let text = String::from_utf8(both).unwrap();
    let styles = ["1", "2", "0", "36", "34", "33", "32", "31"].map(|n| format!("\u{1b}[{n}m"));
    styles.iter().fold(text, |text, style| text.replace(style, ""))
}

/// Two groups of nodes whose ids, names and classes are hostile.
fn hostile_graph(folder: &Path) -> PathBuf {
    let nodes: Vec<serde_json::Value> = (0..12)
        .map(|n| {
            let class = format!("{HOSTILE}{}", n / 6);
            let (id, name) = (format!("{n}{HOSTILE}"), format!("{HOSTILE}{n}"));
            serde_json::json!({"id": id, "name": name, "labels": class})
        })
        .collect();
    let links: Vec<serde_json::Value> = (0..12)
        .flat_map(|n| [(n, n / 6 * 6 + (n + 1) % 6), (n, n / 6 * 6 + (n + 2) % 6)])
        .map(|(a, b)| {
            serde_json::json!({"source": format!("{a}{HOSTILE}"), "target": format!("{b}{HOSTILE}")})
        })
        .collect();
    let path = folder.join("own\u{1b}]0;x\u{7}ed.json");
    let text = serde_json::json!({"nodes": nodes, "links": links}).to_string();
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn no_command_lets_a_file_act_on_the_terminal() {
    let home = tempfile::tempdir().unwrap();
    let graph = hostile_graph(home.path());
    let graph = graph.to_str().unwrap();
    let run = home.path().join("run");
    let run = run.to_str().unwrap();
    let node = format!("0{HOSTILE}");
    let few = ["--epochs", "6", "--seeds", "2"];
    let commands: [Vec<&str>; 11] = [
        vec!["info", graph],
        vec!["train", graph, "--epochs", "6", "--out", run],
        vec!["predict", run],
        vec!["explain", run, &node],
        vec!["spectrum", graph],
        [vec!["evaluate", graph, "--labelled", "0.5"], few.to_vec()].concat(),
        [vec!["compare", graph, "--labelled", "0.5", "--methods", "majority"], few.to_vec()]
            .concat(),
        vec!["--plain", graph, "--epochs", "6"],
        vec!["explain", run, HOSTILE],
        vec!["info", HOSTILE],
        vec!["info", graph, "--format", HOSTILE],
    ];
    for command in commands {
        let output = gesf(home.path()).args(&command).write_stdin("").output().unwrap();
        let said = printed(&output);
        let found = said.chars().find(|c| is_harmful(*c));
        assert_eq!(found, None, "{}: {said:?}", command[0]);
        assert!(said.contains(r"\u{1b}]"), "{} shows what is there: {said}", command[0]);
    }
}
