//! Runs as users start them: `train`, `evaluate`, `export`, and a run that is
//! killed at any time.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use gesf_tui::graph::{LoadOptions, load};
use gesf_tui::model::settings::Settings;
use gesf_tui::train::Scalars;
use gesf_tui::train::run::{Record, RunFolder, RunLock, metrics};

fn gesf(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gesf-tui"));
    command.args(arguments).env("GESF_CACHE_DIR", cache());
    command
}

fn cache() -> std::path::PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

fn run(arguments: &[&str]) -> Output {
    let output = gesf(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {said}");
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

const LONG: [&str; 6] =
    ["train", "sample_graphs/lesmis", "--epochs", "400", "--set", "dimension=16"];

fn same_files(one: &Path, other: &Path) {
    for file in ["model.safetensors", "metrics.jsonl", "embeddings/character.npy"] {
        let read = |folder: &Path| std::fs::read(folder.join(file)).unwrap();
        assert!(read(one) == read(other), "{file} differs");
    }
}

#[test]
fn the_metrics_of_a_long_run_stay_bounded_and_do_not_depend_on_interruptions() {
    let folder = tempfile::tempdir().unwrap();
    let (graph, _) = load("sample_graphs/karate".as_ref(), &LoadOptions::default()).unwrap();
    let record = Record::of("k".as_ref(), &graph, &LoadOptions::default(), &Settings::default());
    let scalars = |epoch| Scalars { epoch, total: epoch as f32, ..Scalars::default() };
    let path = folder.path().join("run");
    let mut run = RunFolder::create(&path, &record).unwrap();
    for epoch in 0..40_000 {
        run.append(&scalars(epoch)).unwrap();
    }
    run.close();
    let found: Vec<usize> = metrics(&path).unwrap().iter().map(|own| own.epoch).collect();
    assert_eq!(found, (0..40_000).step_by(4).collect::<Vec<_>>());
    assert!(std::fs::metadata(path.join("metrics.jsonl")).unwrap().len() < 8 << 20);
}

#[test]
fn a_run_killed_repeatedly_ends_like_an_uninterrupted_one() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, broken) = (folder.path().join("whole"), folder.path().join("broken"));
    run(&[&LONG[..], &["--out", whole.to_str().unwrap()]].concat());
    let mut first = true;
    for wait in [30, 5, 60, 15, 90, 40] {
        let resume = ["train", "--resume", broken.to_str().unwrap()];
        let begin = [&LONG[..], &["--out", broken.to_str().unwrap()]].concat();
        let arguments: &[&str] = if first { &begin } else { &resume };
        let mut child =
            gesf(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
        // A run killed before its record was written has nothing to resume.
        first = !broken.join("run.toml").exists();
        if first {
            let _ = std::fs::remove_dir_all(&broken);
        }
    }
    if first {
        run(&[&LONG[..], &["--out", broken.to_str().unwrap()]].concat());
    } else {
        run(&["train", "--resume", broken.to_str().unwrap()]);
    }
    same_files(&whole, &broken);
}

#[test]
fn a_run_stopped_half_way_resumes_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, halved) = (folder.path().join("whole"), folder.path().join("halved"));
    // The schedule and the first stage depend on the number of epochs by default.
    let settings = ["--set", "schedule=constant", "--set", "filter_epochs=30"];
    run(&[&LONG[..], &settings, &["--out", whole.to_str().unwrap()]].concat());
    let half = [&LONG[..2], &["--epochs", "123"], &LONG[4..], &settings].concat();
    run(&[&half[..], &["--out", halved.to_str().unwrap()]].concat());
    run(&["train", "--resume", halved.to_str().unwrap(), "--epochs", "400"]);
    // The model file contains the checksum of its record, which differs here.
    let state = |run: &Path| RunFolder::read(run).unwrap().1;
    assert!(state(&whole) == state(&halved));
    let figures = |run: &Path| std::fs::read(run.join("metrics.jsonl")).unwrap();
    assert!(figures(&whole) == figures(&halved));
}

#[test]
fn a_run_has_one_writer_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    run(&["train", "sample_graphs/karate", "--epochs", "5", "--out", out.to_str().unwrap()]);
    assert!(!out.join("in-use").exists(), "a run that ended is left in order");
    let lock = RunLock::take(&out).unwrap();
    let resume = ["train", "--resume", out.to_str().unwrap(), "--epochs", "9"];
    let second = gesf(&resume).output().unwrap();
    let said = text(&second.stderr);
    assert!(!second.status.success() && said.contains("another program"), "{said}");
    drop(lock);
    run(&resume);
    assert_eq!(metrics(&out).unwrap().len(), 9);
}

#[test]
fn settings_changed_on_resume_are_recorded_and_those_that_would_leak_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let path = out.to_str().unwrap();
    run(&["train", "sample_graphs/karate", "--epochs", "5", "--out", path]);
    run(&["train", "--resume", path, "--epochs", "8", "--set", "balance=3"]);
    let (record, state) = RunFolder::read(&out).unwrap();
    assert_eq!(state.unwrap().epoch, 8);
    let change = &record.changes[0];
    assert_eq!((change.epoch, change.settings.epochs), (5, 8));
    assert_eq!(change.settings.balance.of(0).to_string(), "3");
    let before = std::fs::read(out.join("model.safetensors")).unwrap();
    let leak = gesf(&["train", "--resume", path, "--set", "seed=7"]).output().unwrap();
    assert!(!leak.status.success() && text(&leak.stderr).contains("another split"));
    assert!(std::fs::read(out.join("model.safetensors")).unwrap() == before);
}

#[test]
fn a_damaged_model_is_reported_and_not_trained_on() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    run(&["train", "sample_graphs/karate", "--epochs", "5", "--out", out.to_str().unwrap()]);
    let model = out.join("model.safetensors");
    let mut bytes = std::fs::read(&model).unwrap();
    let place = bytes.len() - 100;
    bytes[place] ^= 1;
    std::fs::write(&model, &bytes).unwrap();
    let resume = ["train", "--resume", out.to_str().unwrap(), "--epochs", "9"];
    let output = gesf(&resume).output().unwrap();
    let said = text(&output.stderr);
    assert!(!output.status.success() && said.contains("checksum"), "{said}");
    assert!(std::fs::read(&model).unwrap() == bytes, "it is left as it was");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_run_cleanly_and_saves_all_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let mut child = gesf(&["train", "sample_graphs/karate", "--epochs", "1000000", "--out"])
        .arg(&out)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let metrics = out.join("metrics.jsonl");
    for _ in 0..600 {
        if std::fs::metadata(&metrics).is_ok_and(|file| file.len() > 1000) {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert!(child.wait().unwrap().success());
    let lines = std::fs::read_to_string(&metrics).unwrap().lines().count();
    let bytes = std::fs::read(out.join("model.safetensors")).unwrap();
    let header = String::from_utf8_lossy(&bytes[..2000]).into_owned();
    assert!(header.contains(&format!("epoch {lines} step")), "{lines}: {header}");
}

#[test]
fn json_lines_report_every_epoch_and_the_end() {
    let output = run(&["train", "sample_graphs/karate", "--epochs", "5", "--json"]);
    let lines: Vec<serde_json::Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let epochs: Vec<u64> = lines.iter().map(|line| line["epoch"].as_u64().unwrap()).collect();
    assert_eq!(epochs, [0, 1, 2, 3, 4, 5]);
    assert!(lines[5]["held_x"]["accuracy"].as_f64().unwrap() >= 0.0);
    assert!(lines[0]["withheld_loss"].is_number() && lines[5]["withheld_loss"].is_null());
    let weights: Vec<f64> =
        lines[5]["hop_weights"].as_array().unwrap().iter().map(|w| w.as_f64().unwrap()).collect();
    assert_eq!(weights.len(), 6);
    assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-5);
}

#[test]
fn filters_are_compared_on_the_same_splits_with_their_regret() {
    let arguments = [
        "evaluate",
        "sample_graphs/karate",
        "--labelled",
        "0.5",
        "--seeds",
        "3",
        "--epochs",
        "30",
        "--filters",
        "s,heat,learned",
    ];
    let told = text(&run(&arguments).stdout);
    assert!(told.contains("regret to ") && told.contains("learned"), "{told}");
    let found: serde_json::Value =
        serde_json::from_slice(&run(&[&arguments[..], &["--json"]].concat()).stdout).unwrap();
    let cell = &found[0]["cells"][0];
    let mean = |at: usize| cell["filters"][at]["mean"].as_f64().unwrap();
    let best = mean(0).max(mean(1));
    assert!((cell["regret"]["mean"].as_f64().unwrap() - (best - mean(2))).abs() < 1e-9);
    assert_eq!(cell["filters"][2]["hop_weights"].as_array().unwrap().len(), 6);
    let alone = gesf(&["evaluate", "sample_graphs/karate", "--filters", "s"]).output().unwrap();
    assert!(text(&alone.stderr).contains("learned"), "{}", text(&alone.stderr));
}

#[test]
fn errors_name_what_was_found_and_what_to_do() {
    let said = |arguments: &[&str]| {
        let output = gesf(arguments).output().unwrap();
        assert!(!output.status.success());
        text(&output.stderr)
    };
    let unknown = said(&["train", "sample_graphs/karate", "--set", "epoch=3"]);
    assert!(unknown.contains("`epochs`"), "{unknown}");
    let value = said(&["train", "sample_graphs/karate", "--set", "matrix=sim"]);
    assert!(value.contains("`sym`"), "{value}");
    let preset = said(&["train", "sample_graphs/karate", "--preset", "best"]);
    assert!(preset.contains("recommended"), "{preset}");
    let missing = said(&["train", "--resume", "no/such/run"]);
    assert!(missing.contains("run.toml"), "{missing}");
    let wild =
        said(&["train", "sample_graphs/karate", "--preset", "paper", "--set", "learning_rate=100"]);
    assert!(wild.contains("epoch") && wild.contains("help"), "{wild}");
}

#[test]
fn an_existing_run_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let arguments = ["train", "sample_graphs/karate", "--epochs", "2", "--out", out];
    run(&arguments);
    let again = gesf(&arguments).output().unwrap();
    assert!(!again.status.success());
    assert!(text(&again.stderr).contains("--resume"));
}

#[test]
fn exported_tables_contain_every_node() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let out = out.to_str().unwrap();
    run(&[
        "train",
        "sample_graphs/southern-women",
        "--epochs",
        "20",
        "--set",
        "dimension=8,4",
        "--out",
        out,
    ]);
    let written = text(&run(&["export", out]).stdout);
    let tables = if cfg!(feature = "parquet") { 15 } else { 13 };
    assert_eq!(written.lines().count(), tables, "{written}");
    let read = |name: &str| {
        let path = Path::new(out).join("export").join(name);
        csv::Reader::from_path(path).unwrap().records().map(Result::unwrap).collect::<Vec<_>>()
    };
    let women = read("embeddings-woman.csv");
    assert_eq!((women.len(), women[0].len()), (18, 9));
    assert_eq!(read("embeddings-event.csv")[0].len(), 5);
    assert_eq!(read("predictions.csv").len(), 18, "only women have labels");
    assert_eq!(read("filter-curve.csv").len(), 401);
    let matrix =
        candle_core::Tensor::read_npy(Path::new(out).join("export/embeddings-event.npy")).unwrap();
    assert_eq!(matrix.dims(), [14, 4]);
    let first: f32 = read("embeddings-event.csv")[0][1].parse().unwrap();
    let same = matrix.get(0).unwrap().get(0).unwrap().to_scalar::<f32>().unwrap();
    assert_eq!(first.to_bits(), same.to_bits());
    let rebuilt = Path::new(out).join("export/reconstruction-event.npy");
    let rebuilt = candle_core::Tensor::read_npy(rebuilt).unwrap();
    assert_eq!(rebuilt.dims(), matrix.dims());
}

fn women(folder: &Path) -> String {
    let out = folder.join("run").to_str().unwrap().to_owned();
    let graph = "sample_graphs/southern-women";
    run(&["train", graph, "--epochs", "40", "--set", "dimension=8,4", "--out", &out]);
    out
}

#[test]
fn explain_prints_contributions_that_add_up() {
    let folder = tempfile::tempdir().unwrap();
    let out = women(folder.path());
    let asked = ["explain", &out, "--node", "Brenda Rogers", "--top", "5"];
    let page = text(&run(&asked).stdout);
    let number = |line: &str| {
        let before_bar = line.split(['│', '█', '▐']).next()?;
        before_bar.split_whitespace().last()?.parse::<f64>().ok()
    };
    let table = page.lines().skip_while(|line| !line.contains("contributor")).skip(1);
    let column: Vec<f64> = table.take_while(|line| !line.is_empty()).filter_map(number).collect();
    let (total, parts) = column.split_last().unwrap();
    assert_eq!(parts.len(), 8, "{page}");
    assert!((parts.iter().sum::<f64>() - total).abs() < 1e-9, "{page}");
    assert!(page.contains("by distance") && page.contains("by type"), "{page}");
    let json = [&asked[..], &["--class", "group_2", "--json"]].concat();
    let found: serde_json::Value = serde_json::from_slice(&run(&json).stdout).unwrap();
    let get = |key: &str| found[key].as_f64().unwrap();
    assert!((get("value") - get("baseline") - get("sum")).abs() < 1e-9);
    let lines = found["contributors"].as_array().unwrap();
    let listed: f64 = lines.iter().map(|line| line["adds"].as_f64().unwrap()).sum();
    let others = found["others"]["adds"].as_f64().unwrap();
    assert!((listed + others + get("itself") - get("sum")).abs() < 1e-9);
    assert!(found["errors"]["sum"].as_f64().unwrap() < 1e-5);
    assert!(run(&json).stdout == run(&json).stdout, "the same bits");
    let event = text(&run(&["explain", &out, "--node", "18"]).stdout);
    assert!(event.contains("length of z"), "{event}");
    let said = |arguments: &[&str]| {
        let output = gesf(&[&["explain", &out], arguments].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        text(&output.stderr)
    };
    let node = said(&["--node", "ab"]);
    assert!(node.contains("found `ab`") && node.contains("did you mean"), "{node}");
    let class = said(&["--node", "0", "--class", "group_3"]);
    assert!(class.contains("`group_"), "{class}");
    let event = said(&["--node", "18", "--class", "group_1"]);
    assert!(event.contains("without labels"), "{event}");
}

#[test]
fn predict_lists_every_node_for_people_and_programs() {
    let folder = tempfile::tempdir().unwrap();
    let out = women(folder.path());
    let table = text(&run(&["predict", &out]).stdout);
    assert_eq!(table.lines().count(), 34, "{table}");
    let csv = run(&["predict", &out, "--csv"]).stdout;
    let rows: Vec<csv::StringRecord> =
        csv::Reader::from_reader(&csv[..]).records().map(Result::unwrap).collect();
    assert_eq!((rows.len(), rows[0].len()), (32, 11));
    let json: serde_json::Value =
        serde_json::from_slice(&run(&["predict", &out, "--json"]).stdout).unwrap();
    let json = json.as_array().unwrap();
    assert_eq!(json.len(), 32);
    for (row, object) in rows.iter().zip(json) {
        assert_eq!(&row[0], object["id"].as_str().unwrap());
        assert_eq!(&row[5], object["from_x"]["predicted"].as_str().unwrap());
    }
    assert_eq!(json[31]["part"], "unlabelled");
    run(&["export", &out]);
    let exported = Path::new(&out).join("export/predictions.csv");
    let exported: Vec<csv::StringRecord> =
        csv::Reader::from_path(exported).unwrap().records().map(Result::unwrap).collect();
    for (row, other) in rows.iter().zip(&exported) {
        assert_eq!((&row[0], &row[5], &row[8]), (&other[0], &other[4], &other[5]));
    }
}

#[test]
fn evaluate_gives_mean_and_deviation_of_every_metric() {
    let arguments = [
        "evaluate",
        "sample_graphs/karate",
        "--labelled",
        "0.3,0.6",
        "--seeds",
        "2",
        "--epochs",
        "20",
        "--json",
    ];
    let found: serde_json::Value = serde_json::from_slice(&run(&arguments).stdout).unwrap();
    let cells = found[0]["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 2);
    let runs = cells[0]["runs"].as_array().unwrap();
    let accuracy = |run: &serde_json::Value| run["held_x"]["accuracy"].as_f64().unwrap() * 100.0;
    let mean = f64::midpoint(accuracy(&runs[0]), accuracy(&runs[1]));
    let told = cells[0]["metrics"]["accuracy"]["x"]["mean"].as_f64().unwrap();
    assert!((mean - told).abs() < 1e-3, "{mean} {told}");
    let table = text(&run(&arguments[..arguments.len() - 1]).stdout);
    assert!(table.contains("30 %") && table.contains("macro_f1") && table.contains('±'), "{table}");
}

#[test]
fn evaluate_gives_both_kinds_of_f1_from_x_and_from_r() {
    let arguments = [
        "evaluate",
        "sample_graphs/southern-women",
        "sample_graphs/karate",
        "--labelled",
        "0.5",
        "--seeds",
        "1",
        "--epochs",
        "5",
        "--json",
    ];
    let found: serde_json::Value = serde_json::from_slice(&run(&arguments).stdout).unwrap();
    for graph in found.as_array().unwrap() {
        let metrics = &graph["cells"][0]["metrics"];
        for metric in ["accuracy", "macro_f1", "micro_f1"] {
            for from in ["x", "R"] {
                let mean = metrics[metric][from]["mean"].as_f64().unwrap();
                assert!((0.0..=100.0).contains(&mean), "{metric} of {from}: {mean}");
            }
        }
    }
}

#[test]
fn a_run_keeps_its_split_which_trains_the_same_model_again() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let train = ["train", "sample_graphs/karate", "--epochs", "20", "--set", "validation=0.3"];
    let last = |more: &[&str]| {
        let told = text(&run(&[&train[..], &["--json"], more].concat()).stdout);
        serde_json::from_str::<serde_json::Value>(told.lines().last().unwrap()).unwrap()
    };
    let first = last(&["--out", out.to_str().unwrap()]);
    let split = out.join("split.csv");
    let table = std::fs::read_to_string(&split).unwrap();
    assert!(table.starts_with("node,split\n") && table.contains(",validation\n"), "{table}");
    assert_eq!(table.lines().count(), 1 + 34);
    let again = last(&["--split", split.to_str().unwrap()]);
    assert_eq!(again, first);
    let ranked = |set: &str, key: &str| first[set][key].as_f64().unwrap();
    assert!(ranked("held_x", "roc_auc") > 0.5 && ranked("held_x", "average_precision") > 0.5);
    // Labels of another seed would be another split.
    assert_ne!(last(&["--seed", "5"])["held_x"], first["held_x"]);
}

#[test]
fn train_ends_with_the_scores_of_every_class_and_the_confusion_matrix() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let out = out.to_str().unwrap();
    let arguments = ["train", "sample_graphs/karate", "--epochs", "60", "--out", out, "--json"];
    let told = text(&run(&arguments).stdout);
    let last: serde_json::Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
    assert_eq!(last["epoch"], 60);
    let kept = std::fs::read_to_string(Path::new(out).join("scores.json")).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&kept).unwrap(), last);
    for set in ["seen_x", "held_x", "seen_r", "held_r"] {
        let of = &last["classes"][set];
        let classes = of["classes"].as_array().unwrap();
        let number = |value: &serde_json::Value| value.as_f64().unwrap();
        let f1 = classes.iter().map(|class| number(&class["f1"])).sum::<f64>();
        let macro_f1 = number(&last[set]["macro_f1"]);
        assert!((f1 / classes.len() as f64 - macro_f1).abs() < 1e-5, "{set}");
        let table: Vec<Vec<u64>> = serde_json::from_value(of["confusion"].clone()).unwrap();
        let (mut right, mut all) = (0, 0);
        for (at, row) in table.iter().enumerate() {
            assert_eq!(row.iter().sum::<u64>(), classes[at]["nodes"].as_u64().unwrap());
            right += row[at];
            all += row.iter().sum::<u64>();
        }
        let accuracy = right as f64 / all as f64;
        assert!((accuracy - number(&last[set]["accuracy"])).abs() < 1e-5, "{set}");
    }
    let summary = text(&run(&["train", "sample_graphs/karate", "--epochs", "5"]).stdout);
    assert!(summary.contains("precision") && summary.contains("predicted (column)"), "{summary}");
}

#[test]
fn train_scores_several_labels_per_class_and_numbers_by_their_error() {
    let several =
        text(&run(&["train", "sample_graphs/southern-women", "--epochs", "5", "--json"]).stdout);
    let last: serde_json::Value = serde_json::from_str(several.lines().last().unwrap()).unwrap();
    let held = &last["classes"]["held_x"];
    assert!(held["confusion"].is_null() && held["classes"][0]["hits"].is_u64(), "{held}");

    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("nodes.tsv", "id\ttarget\na\t1.5\nb\t2\nc\t3.25\nd\t1\n");
    write("edges.tsv", "source\ttarget\na\tb\nb\tc\nc\td\n");
    let path = folder.path().to_str().unwrap();
    let numeric =
        text(&run(&["train", path, "--target-column", "target", "--epochs", "5", "--json"]).stdout);
    let last: serde_json::Value = serde_json::from_str(numeric.lines().last().unwrap()).unwrap();
    assert!(last["held_x"]["rmse"].is_f64() && last["held_r"]["r2"].is_f64(), "{last}");
    assert!(last.get("classes").is_none());
}

#[test]
fn evaluate_prints_the_papers_table_beside_ours() {
    let arguments = [
        "evaluate",
        "sample_graphs/email-eu",
        "--labelled",
        "0.1",
        "--seeds",
        "1",
        "--epochs",
        "3",
    ];
    let table = text(&run(&arguments).stdout);
    assert!(table.contains("  paper, ±") && table.contains("65.0"), "{table}");
}

#[test]
fn every_setting_is_listed_with_its_meaning() {
    let listed = text(&run(&["settings"]).stdout);
    for setting in gesf_tui::model::settings::TABLE {
        assert!(listed.contains(setting.key) && listed.contains(setting.meaning));
    }
    let documented = std::fs::read_to_string("docs/SETTINGS.md").unwrap();
    let table = text(&run(&["settings", "--markdown"]).stdout);
    assert!(documented.contains(&table), "docs/SETTINGS.md is old: gesf-tui settings --markdown");
}
