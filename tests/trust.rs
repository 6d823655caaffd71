//! Content of untrusted files can neither act on the terminal nor be misread, and
//! existing files are not overwritten unasked.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use gesf_tui::escape::is_harmful;

/// Sequences for the title, clipboard and screen, a C1 sequence and a change of
/// text direction.
const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{1b}]52;c;ZXZpbA==\u{1b}\\\u{1b}[2J\u{9b}8m\u{202e}";

fn gesf(home: &Path) -> Command {
    let mut command = Command::cargo_bin("gesf-tui").unwrap();
    for name in ["GESF_CACHE_DIR", "GESF_CONFIG_DIR", "GESF_DATA_DIR"] {
        command.env(name, home);
    }
    // As on a terminal: escape sequences are not stripped.
    command.env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR");
    command
}

/// The output without the styles of the program.
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
        vec!["explain", run, "--node", &node],
        vec!["spectrum", graph],
        [vec!["evaluate", graph, "--labelled", "0.5"], few.to_vec()].concat(),
        [vec!["compare", graph, "--labelled", "0.5", "--methods", "majority"], few.to_vec()]
            .concat(),
        vec!["--plain", graph, "--epochs", "6"],
        vec!["explain", run, "--node", HOSTILE],
        vec!["info", HOSTILE],
        vec!["info", graph, "--format", HOSTILE],
    ];
    for command in commands {
        let output = gesf(home.path()).args(&command).write_stdin("").output().unwrap();
        let said = printed(&output);
        let found = said.chars().find(|c| is_harmful(*c));
        assert_eq!(found, None, "{}: {said:?}", command[0]);
        assert!(said.contains(r"\u{"), "{} shows what is there: {said}", command[0]);
    }
}

/// The error message of a command that must fail.
fn refused(home: &Path, arguments: &[&str]) -> String {
    let output = gesf(home).args(arguments).write_stdin("").output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
    printed(&output)
}

#[test]
fn nothing_is_overwritten_without_force() {
    let home = tempfile::tempdir().unwrap();
    let place = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let [list, picture, folder] = ["x.graphml", "x.svg", "graph"].map(place);
    let karate = "sample_graphs/karate";
    let commands: [Vec<&str>; 5] = [
        vec!["convert", karate, &list],
        vec!["generate", "ring", &list],
        vec!["shot", karate, &picture, "--epochs", "1"],
        vec!["convert", karate, &folder],
        vec!["generate", "ring", &folder],
    ];
    for file in [&list, &picture] {
        std::fs::write(file, "mine").unwrap();
    }
    std::fs::create_dir(&folder).unwrap();
    let kept = home.path().join("graph/edges.tsv");
    std::fs::write(&kept, "mine").unwrap();
    for command in &commands {
        let said = refused(home.path(), command);
        assert!(said.contains("existing file") || said.contains("files in it"), "{said}");
        assert!(said.contains(command[2]) && said.contains("--force"), "{said}");
    }
    for option in ["--record", "--log"] {
        let said = refused(home.path(), &[karate, option, &list]);
        assert!(said.contains("overwrite it with --force"), "{said}");
    }
    for file in [Path::new(&list), Path::new(&picture), &kept] {
        assert_eq!(std::fs::read_to_string(file).unwrap(), "mine");
    }
    for command in &commands {
        gesf(home.path()).args(command).arg("--force").assert().success();
    }
}

#[test]
fn exports_are_not_overwritten_without_force() {
    let home = tempfile::tempdir().unwrap();
    let run = home.path().join("run").to_str().unwrap().to_owned();
    let train = ["train", "sample_graphs/karate", "--epochs", "4", "--out", &run];
    gesf(home.path()).args(train).assert().success();
    for command in ["export", "report"] {
        gesf(home.path()).args([command, &run]).assert().success();
        assert!(refused(home.path(), &[command, &run]).contains("--force overwrites"));
        gesf(home.path()).args([command, &run, "--force"]).assert().success();
    }
}

#[test]
fn convert_reports_what_the_format_cannot_represent() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("x.txt");
    let karate = ["convert", "sample_graphs/karate", out.to_str().unwrap()];
    let said = printed(&gesf(home.path()).args(karate).output().unwrap());
    assert!(said.contains("an edge list cannot store, and drops"), "{said}");
    assert!(said.contains("node column labels (34 values)"), "{said}");
}

#[test]
fn a_run_names_its_graph_and_reads_no_device() {
    let home = tempfile::tempdir().unwrap();
    let run = home.path().join("run").to_str().unwrap().to_owned();
    let train = ["train", "sample_graphs/karate", "--epochs", "4", "--out", &run];
    gesf(home.path()).args(train).assert().success();
    let said = printed(&gesf(home.path()).args(["predict", &run]).output().unwrap());
    assert!(said.contains("run on graph ") && said.contains("karate"), "{said}");
    let record = Path::new(&run).join("run.toml");
    let text = std::fs::read_to_string(&record).unwrap();
    let graph = text.lines().find(|line| line.starts_with("graph = ")).unwrap();
    std::fs::write(&record, text.replace(graph, "graph = \"/dev/zero\"")).unwrap();
    let said = refused(home.path(), &["predict", &run]);
    assert!(said.contains("run on graph /dev/zero"), "{said}");
    assert!(said.contains("found a device, expected a regular file"), "{said}");
}

#[test]
fn the_two_files_of_a_geom_gcn_graph_are_read_together() {
    let home = tempfile::tempdir().unwrap();
    let place = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let [nodes, edges] = ["out1_node_feature_label.txt", "out1_graph_edges.txt"].map(place);
    std::fs::write(&nodes, "node_id\tfeature\tlabel\n0\t0,1\t1\n1\t1,1\t1\n2\t0,0\t0\n3\t0,0\t0\n")
        .unwrap();
    std::fs::write(&edges, "node_id\tnode_id\n0\t1\n1\t2\n2\t3\n").unwrap();
    let folder = home.path().to_str().unwrap();
    for path in [&nodes, &edges, folder] {
        let output = gesf(home.path()).args(["info", path, "--json"]).output().unwrap();
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((found["nodes"].as_u64(), found["edges"].as_u64()), (Some(4), Some(3)));
        assert_eq!((found["labelled"].as_u64(), found["attributes"].as_u64()), (Some(4), Some(2)));
    }
    std::fs::remove_file(&edges).unwrap();
    assert!(refused(home.path(), &["info", &nodes]).contains("a table of nodes"));
}

#[test]
fn a_recording_cannot_choose_a_local_file_and_a_wrong_graph_is_named() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("session.jsonl");
    let path = file.to_str().unwrap();
    let head = |graph: &str| {
        let line = format!("gesf2 graph={graph} epoch=0");
        serde_json::json!({"ms": 0, "epoch": 0, "open": {"line": line, "paused": true}})
    };
    for name in ["/dev/zero", "../secret.txt", "folder/own.txt"] {
        let old = serde_json::json!({"graph": name, "settings": "", "paused": true});
        for head in [head(&format!("{name}#")), old] {
            std::fs::write(&file, head.to_string()).unwrap();
            let said = refused(home.path(), &["replay", path]);
            assert!(said.contains("without folders") && said.contains("as PATH"), "{said}");
            let said = refused(home.path(), &["replay", path, "sample_graphs/karate"]);
            assert!(said.contains("needs a terminal"), "the place is given: {said}");
        }
    }
    std::fs::write(&file, head("sample:karate#00ff").to_string()).unwrap();
    let said = refused(home.path(), &["replay", path]);
    assert!(said.contains("fingerprint") && said.contains("expected 00ff"), "{said}");
    assert!(said.contains("help: pass the path"), "{said}");
    std::fs::write(&file, head("none.txt#").to_string()).unwrap();
    let said = refused(home.path(), &["replay", path]);
    assert!(said.contains("found no graph called `none.txt`"), "{said}");
    let line = "gesf2 graph=../secret.txt# epoch=3";
    let said = refused(home.path(), &["--plain", "--state", line]);
    assert!(said.contains("--state") && said.contains("without folders"), "{said}");
}
