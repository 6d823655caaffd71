//! Commands shared between machines: merged shards equal one run byte for byte.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::process::{Command, Output};

fn gesf(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gesf-tui"));
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
    command.args(arguments).env("GESF_CACHE_DIR", cache);
    command
}

fn output(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command:?}: {said}");
    output
}

fn run(arguments: &[&str]) -> String {
    String::from_utf8(output(&mut gesf(arguments)).stdout).unwrap()
}

fn failure(arguments: &[&str]) -> String {
    let output = gesf(arguments).output().unwrap();
    assert!(!output.status.success(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Writes the shards of a command into a folder and returns their paths.
fn shards(arguments: &[&str], count: usize, folder: &Path) -> Vec<String> {
    let shard = |at: usize| {
        let path = folder.join(format!("{at}.json"));
        let part = format!("{at}/{count}");
        std::fs::write(&path, run(&[arguments, &["--shard", &part]].concat())).unwrap();
        path.to_str().unwrap().to_owned()
    };
    (1..=count).map(shard).collect()
}

/// Eight shards, merged in another order, give the bytes of one run.
fn merges_to_the_same_bytes(arguments: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let mut paths = shards(arguments, 8, folder.path());
    paths.rotate_left(3);
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    assert_eq!(run(&[&["merge"], &paths[..]].concat()), run(arguments));
    let json = run(&[arguments, &["--json"]].concat());
    assert_eq!(run(&[&["merge", "--json"], &paths[..]].concat()), json);
    assert!(json.len() > 100);
}

const QUICK: [&str; 4] = ["--epochs", "12", "--set", "dimension=8"];

#[test]
fn eight_shards_of_an_evaluation_equal_one_run() {
    let graphs = ["evaluate", "sample_graphs/karate", "sample_graphs/southern-women"];
    let trials = ["--labelled", "0.3,0.6", "--seeds", "3"];
    merges_to_the_same_bytes(&[&graphs[..], &trials, &QUICK].concat());
}

#[test]
fn eight_shards_of_a_comparison_of_filters_equal_one_run() {
    let filters = ["evaluate", "sample_graphs/karate", "--filters", "s,heat,learned"];
    let trials = ["--labelled", "0.3,0.6", "--seeds", "2"];
    merges_to_the_same_bytes(&[&filters[..], &trials, &QUICK].concat());
}

#[test]
fn eight_shards_of_a_sweep_equal_one_run() {
    let grid = ["sweep", "sample_graphs/lesmis", "--grid", "lambda=1,10", "--grid"];
    let more = ["matrix=sym,sym-loops", "--labelled", "0.3,0.6", "--seeds", "2"];
    merges_to_the_same_bytes(&[&grid[..], &more, &QUICK].concat());
}

#[test]
fn shards_of_a_random_search_equal_one_run() {
    let search = ["sweep", "sample_graphs/karate", "--grid", "lr=log:0.001..0.1", "--grid"];
    let more = ["hidden=4..16", "--random", "5", "--seeds", "2"];
    merges_to_the_same_bytes(&[&search[..], &more, &QUICK].concat());
}

#[test]
fn merged_scores_of_compare_equal_those_of_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let methods =
        ["compare", "sample_graphs/karate", "--methods", "majority,label-propagation,gesf"];
    let arguments = [&methods[..], &["--labelled", "0.3,0.6", "--seeds", "2"], &QUICK].concat();
    let paths = shards(&arguments, 4, folder.path());
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let without_times = |text: String| -> serde_json::Value {
        let mut found: serde_json::Value = serde_json::from_str(&text).unwrap();
        for method in found["methods"].as_array_mut().unwrap() {
            method["seconds"] = 0.into();
        }
        found
    };
    let merged = without_times(run(&[&["merge", "--json"], &paths[..]].concat()));
    assert_eq!(merged, without_times(run(&[&arguments[..], &["--json"]].concat())));
    assert!(run(&[&["merge"], &paths[..]].concat()).contains("label-propagation"));
}

#[test]
fn each_listed_command_is_one_task_and_array_jobs_name_theirs() {
    let arguments = ["evaluate", "sample_graphs/karate", "--labelled", "0.5", "--seeds", "2"];
    let arguments = [&arguments[..], &QUICK].concat();
    let listed = run(&[&arguments[..], &["--list-commands"]].concat());
    let program = env!("CARGO_BIN_EXE_gesf-tui");
    let expected = |at: usize| format!("{program} {} --shard {at}/2\n", arguments.join(" "));
    assert_eq!(listed, expected(1) + &expected(2));
    let second = run(&[&arguments[..], &["--shard", "2/2"]].concat());
    let slurm = [("ID", "5"), ("COUNT", "2"), ("MIN", "4"), ("MAX", "5")];
    let mut command = gesf(&[&arguments[..], &["--shard", "slurm"]].concat());
    command.envs(slurm.map(|(name, value)| (format!("SLURM_ARRAY_TASK_{name}"), value)));
    assert_eq!(String::from_utf8(output(&mut command).stdout).unwrap(), second);
    let mut command = gesf(&[&arguments[..], &["--shard", "hq/2"]].concat());
    command.env("HQ_TASK_ID", "2");
    assert_eq!(String::from_utf8(output(&mut command).stdout).unwrap(), second);
}

#[test]
fn missing_and_foreign_shards_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["sweep", "sample_graphs/karate", "--grid", "lambda=1,10", "--seeds", "1"];
    let arguments = [&arguments[..], &QUICK].concat();
    let paths = shards(&arguments, 2, folder.path());
    let said = failure(&["merge", &paths[1]]);
    assert!(said.contains("1 of 2 tasks") && said.contains("M = 1"), "{said}");
    let other = run(&[&arguments[..], &["--first-seed", "4", "--shard", "1/2"]].concat());
    let foreign = folder.path().join("foreign.json");
    std::fs::write(&foreign, other).unwrap();
    let said = failure(&["merge", &paths[0], foreign.to_str().unwrap()]);
    assert!(said.contains("foreign.json") && said.contains("same arguments"), "{said}");
    std::fs::write(&foreign, "{\"command\": 3}\n").unwrap();
    let said = failure(&["merge", foreign.to_str().unwrap()]);
    assert!(said.contains("line 1"), "{said}");
    assert!(failure(&[&arguments[..], &["--shard", "3/2"]].concat()).contains("expected M/N"));
    let halved = [&arguments[..], &["--halving", "2", "--shard", "1/2"]].concat();
    assert!(failure(&halved).contains("--halving"));
}

#[test]
fn an_evaluation_resumes_from_its_journal_with_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("journal");
    let arguments = ["evaluate", "sample_graphs/karate", "--labelled", "0.3,0.6", "--seeds", "3"];
    let arguments = [&arguments[..], &QUICK].concat();
    let expected = run(&arguments);
    let saved = [&arguments[..], &["--out", out.to_str().unwrap()]].concat();
    assert_eq!(run(&saved), expected);
    let journal = out.join("evaluate.jsonl");
    let lines = std::fs::read_to_string(&journal).unwrap();
    assert_eq!(lines.lines().count(), 6);
    // A crash truncated the last line and lost two others.
    std::fs::write(&journal, &lines[..lines.len() * 2 / 3]).unwrap();
    assert_eq!(run(&saved), expected);
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&std::fs::read_to_string(&journal).unwrap()), sorted(&lines));
}

#[test]
fn successive_halving_trains_the_better_combinations_longer_and_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("journal");
    let search = ["sweep", "sample_graphs/lesmis", "--grid", "lambda=0.1,1,10,100", "--json"];
    let more = ["--halving", "2", "--least-epochs", "5", "--epochs", "24", "--seeds", "1"];
    let arguments = [&search[..], &more, &["--out", out.to_str().unwrap()]].concat();
    let first = run(&arguments);
    let found: serde_json::Value = serde_json::from_str(&first).unwrap();
    let standings = found["standings"].as_array().unwrap();
    let epochs: Vec<u64> = standings.iter().map(|own| own["epochs"].as_u64().unwrap()).collect();
    assert_eq!(epochs, [24, 12, 6, 6]);
    let journal = out.join("sweep.jsonl");
    assert_eq!(std::fs::read_to_string(&journal).unwrap().lines().count(), 4 + 2 + 1);
    assert_eq!(run(&arguments), first);
    assert_eq!(std::fs::read_to_string(&journal).unwrap().lines().count(), 7);
}
