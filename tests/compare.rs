//! `compare`, `sweep` and `report` as users type them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use gesf_tui::graph::{LoadOptions, load};
use gesf_tui::model::settings::Settings;
use gesf_tui::train::Split;

fn gesf(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gesf-tui"));
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
    command.args(arguments).env("GESF_CACHE_DIR", cache).env("NO_COLOR", "1");
    command
}

fn run(arguments: &[&str]) -> String {
    let output = gesf(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

fn failure(arguments: &[&str]) -> String {
    let output = gesf(arguments).output().unwrap();
    assert!(!output.status.success(), "{arguments:?} should have failed");
    String::from_utf8(output.stderr).unwrap()
}

const QUICK: [&str; 10] = [
    "compare",
    "sample_graphs/karate",
    "--methods",
    "majority,label-propagation,gcn,gesf",
    "--labelled",
    "0.2,0.5",
    "--seeds",
    "2",
    "--epochs",
    "20",
];

#[test]
fn compare_prints_a_row_per_method_and_marks_the_best_of_each_column() {
    let table = run(&QUICK);
    for name in ["majority", "label-propagation", "gcn", "gesf", "20 %", "accuracy", "macro_f1"] {
        assert!(table.contains(name), "{name}: {table}");
    }
    let marks =
        table.lines().filter(|line| !line.contains("best")).map(|line| line.matches('*').count());
    assert!(marks.sum::<usize>() >= 4, "{table}");
    let found: serde_json::Value =
        serde_json::from_str(&run(&[&QUICK[..], &["--json"]].concat())).unwrap();
    assert_eq!(found["methods"].as_array().unwrap().len(), 4);
    let cell = &found["methods"][3]["cells"][1];
    assert_eq!(cell["scores"].as_array().unwrap().len(), 2);
    assert!(cell["metrics"]["accuracy"]["mean"].as_f64().unwrap() > 50.0, "{cell}");
    // Two classes can be ranked.
    for metric in ["roc_auc", "average_precision"] {
        assert!(cell["metrics"][metric]["mean"].as_f64().unwrap() > 50.0, "{metric}: {cell}");
        assert!(table.contains(metric), "{table}");
    }
}

#[test]
fn with_a_stored_split_there_is_one_column_with_its_name() {
    let texas = "tests/fixtures/npz/texas_4_classes.npz";
    let compare = ["compare", texas, "--methods", "majority", "--seeds", "1", "--split"];
    let evaluate = ["evaluate", texas, "--epochs", "3", "--seeds", "1", "--splits"];
    for arguments in [&compare[..], &evaluate] {
        for (split, name) in [("3", "split_3"), ("all", "all splits")] {
            let table = run(&[arguments, &[split]].concat());
            assert!(table.contains(name) && !table.contains('%'), "{table}");
        }
    }
    let found = run(&[&compare[..], &["split_3", "--json"]].concat());
    let found: serde_json::Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found["split"], "split_3");
    assert_eq!(found["methods"][0]["cells"].as_array().unwrap().len(), 1);
}

#[test]
fn compare_is_the_same_every_time_and_agrees_with_evaluate() {
    let json = || -> serde_json::Value {
        serde_json::from_str(&run(&[&QUICK[..], &["--json"]].concat())).unwrap()
    };
    let (one, other) = (json(), json());
    for (a, b) in
        one["methods"].as_array().unwrap().iter().zip(other["methods"].as_array().unwrap())
    {
        assert_eq!(a["cells"], b["cells"]);
    }
    let evaluated = run(&[
        "evaluate",
        "sample_graphs/karate",
        "--labelled",
        "0.2,0.5",
        "--seeds",
        "2",
        "--epochs",
        "20",
        "--json",
    ]);
    let evaluated: serde_json::Value = serde_json::from_str(&evaluated).unwrap();
    for cell in 0..2 {
        let ours = &one["methods"][3]["cells"][cell]["metrics"]["accuracy"]["mean"];
        assert_eq!(*ours, evaluated[0]["cells"][cell]["metrics"]["accuracy"]["x"]["mean"]);
    }
}

#[test]
fn compare_prints_the_papers_rows_below() {
    let table = run(&[
        "compare",
        "sample_graphs/email-eu",
        "--methods",
        "majority",
        "--labelled",
        "0.1",
        "--seeds",
        "1",
    ]);
    assert!(table.contains("paper's deepwalk") && table.contains("61.1 ± 4.7"), "{table}");
}

#[test]
fn compare_lists_the_methods_and_the_graphs_they_support() {
    let unknown = failure(&["compare", "sample_graphs/karate", "--methods", "deepwolk"]);
    assert!(unknown.contains("`deepwalk`"), "{unknown}");
    let unsuited = failure(&["compare", "sample_graphs/karate", "--methods", "metapath2vec++"]);
    assert!(unsuited.contains("several node types"), "{unsuited}");
}

const SWEEP: [&str; 14] = [
    "sweep",
    "sample_graphs/lesmis",
    "--grid",
    "lambda=1,10",
    "--grid",
    "self_term=keep,drop",
    "--grid",
    "matrix=sym,sym-loops",
    "--seeds",
    "2",
    "--epochs",
    "60",
    "--set",
    "dimension=16",
];

#[test]
fn a_killed_sweep_resumes_to_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, broken) = (folder.path().join("whole"), folder.path().join("broken"));
    let expected = run(&[&SWEEP[..], &["--out", whole.to_str().unwrap()]].concat());
    assert!(expected.contains("balance") && expected.lines().count() == 10, "{expected}");
    let arguments = [&SWEEP[..], &["--out", broken.to_str().unwrap()]].concat();
    for wait in [60, 150, 90, 250] {
        let mut child =
            gesf(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(run(&arguments), expected);
    let lines = |folder: &Path| {
        let text = std::fs::read_to_string(folder.join("sweep.jsonl")).unwrap();
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lines(&whole), lines(&broken));
    assert_eq!(lines(&whole).len(), 16);
    // All results are known: nothing is trained, and the table is the same.
    assert_eq!(run(&arguments), expected);
    assert_eq!(lines(&broken).len(), 16);
}

#[test]
fn the_table_of_a_sweep_does_not_depend_on_test_labels() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lesmis");
    std::fs::create_dir(&path).unwrap();
    for file in ["edges.tsv", "graph.toml", "nodes.tsv"] {
        std::fs::copy(format!("sample_graphs/lesmis/{file}"), path.join(file)).unwrap();
    }
    let place = path.to_str().unwrap().to_owned();
    let sweep = || {
        run(&[
            "sweep",
            &place,
            "--grid",
            "balance=1,10",
            "--grid",
            "self_term=keep,drop",
            "--seeds",
            "1",
            "--epochs",
            "40",
            "--json",
        ])
    };
    let before = sweep();
    let (graph, _) = load(&path, &LoadOptions::default()).unwrap();
    let split = Split::of(&graph, &Settings::default());
    let is_test = |id: &str| split.test.iter().any(|node| graph.ids().text(*node) == id);
    let nodes = path.join("nodes.tsv");
    let text = std::fs::read_to_string(&nodes).unwrap();
    let column = text.lines().next().unwrap().split('\t').position(|n| n == "labels").unwrap();
    let cells = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<String>>();
    let mut rows: Vec<Vec<String>> = text.lines().map(cells).collect();
    let own: Vec<usize> = (1..rows.len()).filter(|&row| is_test(&rows[row][0])).collect();
    let labels: Vec<String> = own.iter().map(|&row| rows[row][column].clone()).collect();
    for (at, &row) in own.iter().enumerate() {
        rows[row][column].clone_from(&labels[(at + 5) % labels.len()]);
    }
    let text: Vec<String> = rows.iter().map(|row| row.join("\t")).collect();
    std::fs::write(&nodes, text.join("\n") + "\n").unwrap();
    let (poisoned, _) = load(&path, &LoadOptions::default()).unwrap();
    assert_ne!(poisoned.fingerprint(), graph.fingerprint());
    assert_eq!(sweep(), before);
}

#[test]
fn a_sweep_reports_errors_in_its_grid() {
    let said = |grid: &str| failure(&["sweep", "sample_graphs/karate", "--grid", grid]);
    assert!(said("balance").contains("KEY=VALUE"));
    assert!(said("matrix=sim").contains("`sym`"));
    assert!(said("labelled=0.1,0.2").contains("--labelled"));
}

#[test]
fn a_report_has_figures_tables_and_the_command_that_reproduces_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (first, again, out) = (place("run"), place("again"), place("out"));
    run(&[
        "train",
        "sample_graphs/lesmis",
        "--epochs",
        "30",
        "--set",
        "dimension=16",
        "--set",
        "eigenpairs=40",
        "--out",
        &first,
    ]);
    let written = run(&["report", &first, &out]);
    for name in ["loss", "scores", "filter", "hops", "map", "confusion"] {
        let path = Path::new(&out).join(format!("figures/{name}.svg"));
        assert!(written.contains(path.to_str().unwrap()), "{written}");
        let text = std::fs::read_to_string(&path).unwrap();
        let mut reader = quick_xml::Reader::from_str(&text);
        let mut shapes = 0;
        loop {
            match reader.read_event().unwrap() {
                quick_xml::events::Event::Eof => break,
                quick_xml::events::Event::Empty(_) => shapes += 1,
                _ => {}
            }
        }
        assert!(shapes > 5, "{name}: {shapes}");
    }
    let page = std::fs::read_to_string(Path::new(&out).join("report.html")).unwrap();
    assert_eq!(page.matches("<svg").count(), 6);
    assert!(page.contains("prefers-color-scheme") && !page.contains("<script"));
    assert!(!page.contains("src=") && !page.contains("href="), "it loads nothing");
    let text = std::fs::read_to_string(Path::new(&out).join("report.md")).unwrap();
    for part in ["![Confusion matrix](figures/confusion.svg)", "| dimension | 16 | auto |", "F1"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let command = text.lines().find(|line| line.starts_with("gesf-tui train")).unwrap();
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let words: Vec<&str> =
        words.iter().map(|w| if *w == "RUN" { again.as_str() } else { w }).collect();
    run(&words);
    let model = |run: &str| std::fs::read(Path::new(run).join("model.safetensors")).unwrap();
    assert!(model(&first) == model(&again), "the command makes another model: {command}");
}

#[test]
fn reports_of_several_labels_several_types_and_no_labels_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let edges = folder.path().join("plain.txt");
    std::fs::write(&edges, "a b\nb c\nc a\nc d\n").unwrap();
    for (number, graph) in
        ["sample_graphs/southern-women", edges.to_str().unwrap()].into_iter().enumerate()
    {
        let place = folder.path().join(format!("run{number}"));
        let place = place.to_str().unwrap();
        run(&["train", graph, "--epochs", "5", "--set", "dimension=4", "--out", place]);
        let written = run(&["report", place]);
        assert!(written.contains("report.html") && !written.contains("confusion"), "{written}");
    }
}
