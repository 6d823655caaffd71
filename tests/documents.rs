//! The commands in the documents: every one is accepted, runs on a small graph, and
//! does what the documents say.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use clap::Parser;
use gesf_tui::cli::Cli;

/// The user documents.
fn pages() -> Vec<(PathBuf, String)> {
    let docs = std::fs::read_dir("docs").unwrap().map(|entry| entry.unwrap().path());
    let pages = docs.chain(["README.md".into(), "CONTRIBUTING.md".into()]);
    let pages = pages.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    pages.map(|path| (path.clone(), std::fs::read_to_string(&path).unwrap())).collect()
}

/// Commands in backticks and code blocks, with continued lines joined.
fn commands(page: &str) -> Vec<String> {
    let joined = page.replace("\\\n", " ");
    let between = joined.split('`').skip(1).step_by(2);
    let between = between.filter(|text| text.starts_with("gesf-tui ") && !text.contains('\n'));
    let lines = joined.lines().map(str::trim).filter(|line| line.starts_with("gesf-tui "));
    let run = joined.lines().filter_map(|line| line.trim().strip_prefix("cargo run --release -- "));
    let run = run.map(|rest| format!("gesf-tui {rest}"));
    let all = between.chain(lines).map(str::to_owned).chain(run);
    all.map(|text| text.split(['#', '>']).next().unwrap_or("").trim().to_owned()).collect()
}

/// The words a user would type: placeholders are filled in, optional parts are left
/// out.
fn words(command: &str) -> Vec<String> {
    let mut depth = 0;
    let kept: String = command
        .chars()
        .filter(|&c| {
            depth += i32::from(c == '[');
            let kept = depth == 0;
            depth -= i32::from(c == ']');
            kept && c != '…'
        })
        .collect();
    let filled = |word: &str| match word {
        "SHAPE" => "ring".to_owned(),
        "SHELL" => "bash".to_owned(),
        "ID" => "0".to_owned(),
        "LINE" => "gesf2 graph=karate epoch=0".to_owned(),
        // A sample would be unpacked into the cache of the user who runs the test.
        other => other.replace("sample:", "sample_graphs/"),
    };
    kept.split_whitespace().map(filled).collect()
}

#[test]
fn every_command_in_the_documents_is_accepted() {
    let mut seen = 0;
    for (path, page) in pages() {
        for command in commands(&page) {
            let words = words(&command);
            let mut typed = words.clone();
            // A page may mention a command without all its arguments.
            let complete = |words: &[String]| Cli::try_parse_from(words).map(|_| ());
            let result = complete(&typed).or_else(|_| {
                typed.push("--help".to_owned());
                match complete(&typed) {
                    Err(error) if error.kind() == clap::error::ErrorKind::DisplayHelp => Ok(()),
                    other => other,
                }
            });
            assert!(result.is_ok(), "{}: `{command}`: {}", path.display(), result.unwrap_err());
            seen += 1;
        }
    }
    assert!(seen >= 30, "only {seen} commands were found");
}

/// The program with its own folders, isolated from the user's files.
fn program(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("gesf-tui").unwrap();
    for name in ["GESF_CACHE_DIR", "GESF_CONFIG_DIR", "GESF_DATA_DIR"] {
        command.env(name, folder);
    }
    command.current_dir(folder);
    command
}

/// A small graph, a run and other files under the names used in the documents.
fn small_things(folder: &Path) {
    let karate = Path::new("sample_graphs/karate").canonicalize().unwrap();
    let nodes = std::fs::read_to_string(karate.join("nodes.tsv")).unwrap();
    let ids = nodes.lines().skip(1).filter_map(|line| line.split('\t').next());
    let labels: Vec<String> = ids.map(|id| format!("{id} a")).collect();
    std::fs::write(folder.join("my.labels"), labels.join("\n")).unwrap();
    let head = serde_json::json!({"line": "gesf2 graph=sample:karate# epoch=0", "paused": true});
    let recording = serde_json::json!({"ms": 0, "epoch": 0, "open": head});
    std::fs::write(folder.join("session.jsonl"), recording.to_string()).unwrap();
    std::fs::copy("assets/lessons/shuffle.toml", folder.join("my-lesson.toml")).unwrap();
    std::fs::write(folder.join("lessons.toml"), "[lessons.types]\nsteps = 1\n").unwrap();
    std::fs::create_dir(folder.join("FOLDER")).unwrap();
    std::fs::write(folder.join("FOLDER/a.toml"), "[lessons.types]\nsteps = 1\n").unwrap();
    for line in ["convert KARATE my.edgelist", "train KARATE --epochs 3 --out RUN"] {
        let line = line.replace("KARATE", karate.to_str().unwrap());
        program(folder).args(line.split(' ')).assert().success();
    }
    let line = "evaluate KARATE --labelled 0.5 --seeds 1 --epochs 2 --shard 1/1";
    let line = line.replace("KARATE", karate.to_str().unwrap());
    let shard = program(folder).args(line.split(' ')).output().unwrap().stdout;
    std::fs::write(folder.join("SHARD"), shard).unwrap();
}

#[test]
fn every_command_in_the_documents_runs_on_a_small_graph() {
    let folder = tempfile::tempdir().unwrap();
    small_things(folder.path());
    let karate = Path::new("sample_graphs/karate").canonicalize().unwrap();
    let small = |word: &String| match word.as_str() {
        "PATH" | "IN" => karate.to_str().unwrap().to_owned(),
        "OUT" => "out.graphml".to_owned(),
        word if word.starts_with("sample_graphs/") => karate.to_str().unwrap().to_owned(),
        word => word.to_owned(),
    };
    let (mut ran, mut wanted_a_screen) = (0, 0);
    let mut all: Vec<String> = pages().iter().flat_map(|(_, page)| commands(page)).collect();
    all.sort();
    all.dedup();
    for command in all {
        let mut words: Vec<String> = words(&command).iter().map(small).collect();
        // A page may mention a command without all its arguments.
        if Cli::try_parse_from(&words).is_err() {
            continue;
        }
        // A server runs until it is stopped; `tests/serve/` starts some.
        if words.get(1).is_some_and(|word| word == "serve") {
            continue;
        }
        let quick: &[&str] = match words.get(1).map(String::as_str) {
            Some("evaluate" | "compare" | "sweep") => &["--seeds", "1", "--epochs", "2"],
            Some("train") => &["--epochs", "2"],
            Some("shot") => &["--epochs", "2", "--force"],
            Some("convert" | "generate" | "export" | "report") => &["--force"],
            _ => &[],
        };
        for option in quick.chunks(2) {
            match words.iter().position(|word| word == option[0]) {
                // A page may give a number of its own.
                Some(at) if option.len() == 2 => words[at + 1] = option[1].to_owned(),
                _ => words.extend(option.iter().map(|&word| word.to_owned())),
            }
        }
        let output = program(folder.path()).args(&words[1..]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        // A command that needs a terminal reports it and names an alternative.
        let needs_a_screen = said.contains("needs a terminal");
        assert!(output.status.success() || needs_a_screen, "`{command}`: {said}");
        ran += usize::from(output.status.success());
        wanted_a_screen += usize::from(needs_a_screen);
    }
    assert!(ran >= 18 && wanted_a_screen >= 3, "{ran} ran, {wanted_a_screen} want a screen");
}

#[test]
fn the_readme_commands_do_what_they_say_on_a_small_graph() {
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| {
        let karate = Path::new("sample_graphs/karate").canonicalize().unwrap();
        let line = line.replace("PATH", karate.to_str().unwrap());
        let output = program(folder.path()).args(line.split(' ')).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        text
    };
    assert!(run("info PATH").contains("34"));
    assert!(run("info sample:southern-women").contains("32"));
    assert!(run("info sample_graphs/lesmis").contains("77"));
    run("convert PATH karate.graphml");
    run("generate ring ring.edgelist");
    assert!(run("spectrum PATH").contains("eigen"));
    assert!(run("train PATH --epochs 12 --out RUN").contains("accuracy"));
    assert!(run("train --resume RUN --epochs 15").contains("15 of 15"));
    assert!(run("evaluate PATH --labelled 0.5 --seeds 2 --epochs 5").contains("50 %"));
    assert!(
        run("compare PATH --methods majority,label-propagation --seeds 2").contains("majority")
    );
    assert!(run("sweep PATH --grid lambda=1,10 --epochs 3 --seeds 1").contains("10"));
    assert!(run("explain RUN --node 0").contains("logit"));
    assert_eq!(run("predict RUN --csv").lines().count(), 35);
    run("export RUN");
    run("report RUN report");
    assert!(folder.path().join("report/report.html").exists());
    assert!(run("state RUN").starts_with("gesf2 graph=sample:karate#"));
    run("shot PATH OUT.svg --epochs 3");
    assert!(run("learn --list").contains("shuffle"));
    assert!(run("settings").contains("balance"));
    assert!(run("config path").contains("config.toml"));
    run("cache list");
    assert!(run("completions bash").contains("gesf-tui"));
    assert!(run("man").contains(".TH"));
}

#[test]
fn every_linked_picture_page_and_file_exists() {
    for (path, page) in pages() {
        let folder = path.parent().unwrap();
        for target in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if target.contains("://") || target.starts_with('#') {
                continue;
            }
            assert!(folder.join(target).exists(), "{}: {target} is missing", path.display());
        }
        let named = page.split('`').skip(1).step_by(2);
        let places = ["assets/", "benches/", "docs/", "sample_graphs/", "src/", "tests/"];
        let is_place = |text: &&str| places.iter().any(|place| text.starts_with(place));
        for file in named.filter(is_place).filter(|text| !text.contains([' ', '*', '\n'])) {
            assert!(Path::new(file).exists(), "{}: {file} is missing", path.display());
        }
    }
}
