//! The commands as users type them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use assert_cmd::Command;

fn gesf() -> Command {
    let mut command = Command::cargo_bin("gesf-tui").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("NO_COLOR", "1").env("COLUMNS", "100");
    // Tests must not change the user's cache.
    command.env("GESF_CACHE_DIR", env!("CARGO_TARGET_TMPDIR"));
    command
}

fn stdout(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn failure(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "it should have failed");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn help_lists_every_command() {
    insta::assert_snapshot!(stdout(gesf().arg("--help")));
}

#[test]
fn info_shows_a_small_graph_on_one_page() {
    insta::assert_snapshot!(stdout(gesf().args(["info", "sample_graphs/lesmis"])));
}

#[test]
fn the_explorer_needs_a_terminal_and_names_commands_that_do_not() {
    let said = failure(gesf().arg("sample_graphs/karate"));
    assert!(said.contains("needs a terminal"), "{said}");
    assert!(said.contains("`gesf-tui info sample_graphs/karate`"), "{said}");
}

#[test]
fn a_screen_is_drawn_without_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    for (ending, mark) in [("svg", "<svg"), ("html", "<pre"), ("txt", "Zachary's karate club")] {
        let out = folder.path().join(format!("shot.{ending}"));
        let size = ["--size", "100x30", "--epochs", "20", "--screen", "filter"];
        stdout(gesf().args(["shot", "sample_graphs/karate"]).arg(&out).args(size));
        let drawn = std::fs::read_to_string(&out).unwrap();
        assert!(drawn.contains(mark) && drawn.contains("hop weights"), "{drawn}");
    }
    let out = folder.path().join("shot.png");
    let said = failure(gesf().args(["shot", "sample_graphs/karate", "--epochs", "1"]).arg(&out));
    assert!(said.contains("expected one of .svg, .html, .txt"), "{said}");
}

#[test]
fn the_config_file_is_found_shown_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    let run = |action: &str| {
        let mut command = gesf();
        command.args(["config", action]).env("GESF_CONFIG_DIR", folder.path());
        command
    };
    assert_eq!(stdout(&mut run("path")).trim(), file.display().to_string());
    std::fs::write(&file, stdout(&mut run("show"))).unwrap();
    assert!(stdout(&mut run("check")).contains("is valid"), "the example is a valid file");
    std::fs::write(&file, "theme = \"dark\"\n[keys]\nstpe = [\"s\"]\n").unwrap();
    let said = failure(&mut run("check"));
    assert!(said.contains("line 3") && said.contains("`step`"), "{said}");
}

#[test]
fn a_graph_can_come_from_standard_input() {
    let list = "# a triangle\n1,2\n2,3\n3,1\n";
    let shown = stdout(gesf().args(["info", "--json", "-"]).write_stdin(list));
    let info: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!((&info["nodes"], &info["edges"]), (&3.into(), &3.into()));
}

#[test]
fn a_wrong_path_is_reported_with_advice() {
    let said = failure(gesf().args(["info", "no/such/graph"]));
    assert!(said.starts_with("error: no/such/graph: No such file"), "{said}");
    assert!(said.contains("help: check the spelling"), "{said}");
    assert_eq!(said.matches("No such file").count(), 1, "{said}");
}

#[test]
fn a_bad_row_is_reported_with_its_line_and_can_be_skipped() {
    let list = "a b\nc\nb c\n";
    let said = failure(gesf().args(["info", "-"]).write_stdin(list));
    insta::assert_snapshot!(said, @r"
    error: standard input, line 2: found one column (`c`), expected two node ids
      help: separate the two ids with a space, a tab or a comma; or skip such rows with --on-bad-row skip
    ");
    let shown = stdout(gesf().args(["info", "--on-bad-row", "skip", "-"]).write_stdin(list));
    assert!(shown.contains("! 1 row could not be parsed and was skipped"), "{shown}");
}

#[test]
fn a_missing_column_is_reported_with_the_available_ones() {
    let said = failure(gesf().args(["info", "sample_graphs/karate", "--label-column", "colour"]));
    assert!(said.contains("no node column called `colour`"), "{said}");
    assert!(said.contains("`type`, `labels`, `name`"), "{said}");
}

#[test]
fn generating_twice_with_one_seed_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let make = |name: &str, seed: &str| {
        let path = folder.path().join(name);
        gesf().args(["generate", "sbm", "--seed", seed]).arg(&path).assert().success();
        std::fs::read(path).unwrap()
    };
    let first = make("a.graphml", "1");
    assert_eq!(first, make("b.graphml", "1"));
    assert_ne!(first, make("c.graphml", "2"));
}

#[test]
fn every_generator_makes_a_graph_that_info_reads() {
    let folder = tempfile::tempdir().unwrap();
    for shape in
        ["sbm", "typed-sbm", "grid", "ring", "barbell", "erdos-renyi", "barabasi-albert", "rmat"]
    {
        let path = folder.path().join(shape);
        gesf().args(["generate", shape, "--nodes", "100"]).arg(&path).assert().success();
        let shown = stdout(gesf().arg("info").arg(&path));
        assert!(shown.contains("read as a graph folder"), "{shape}: {shown}");
    }
}

#[test]
fn a_graph_round_trips_through_every_writable_format() {
    let folder = tempfile::tempdir().unwrap();
    let statistics = |path: &Path| {
        let shown = stdout(gesf().args(["info", "--json"]).arg(path));
        serde_json::from_str::<serde_json::Value>(&shown).unwrap()
    };
    for sample in ["sample_graphs/lesmis", "sample_graphs/southern-women", "sample_graphs/cora"] {
        let original = statistics(Path::new(sample));
        for name in ["copy", "copy.graphml", "copy.gml.gz", "copy.dot", "copy.json"] {
            let copy = folder.path().join(name);
            gesf().args(["convert", sample, "--force"]).arg(&copy).assert().success();
            let mut found = statistics(&copy);
            // Only a folder's manifest fixes the order of types and declares that a
            // graph with one label per node may have several.
            for key in ["types", "edge_types", "label_kind"] {
                if name != "copy" {
                    found[key] = original[key].clone();
                }
            }
            assert_eq!(found, original, "{sample} as {name}");
        }
        for name in ["copy.txt", "copy.mtx"] {
            let copy = folder.path().join(name);
            gesf().args(["convert", sample, "--force"]).arg(&copy).assert().success();
            let found = statistics(&copy);
            for key in ["nodes", "edges_raw", "edges", "duplicates", "max_degree", "weighted"] {
                assert_eq!(found[key], original[key], "{sample} as {name}: {key}");
            }
        }
        std::fs::remove_dir_all(folder.path().join("copy")).unwrap();
    }
}

#[test]
fn converting_to_a_format_that_can_only_be_read_names_the_others() {
    let said = failure(gesf().args(["convert", "sample_graphs/karate", "karate.g6"]));
    assert!(said.contains("graph6 can only be read"), "{said}");
    assert!(said.contains("graphml, gml, dot"), "{said}");
}

#[test]
fn completions_and_the_manual_come_from_the_same_definition() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stdout(gesf().args(["completions", shell]));
        assert!(script.contains("typed-sbm"), "{shell}");
    }
    let manual = stdout(gesf().arg("man"));
    for part in [".TH gesf-tui 1", "gesf\\-tui\\-info", "\\-\\-on\\-bad\\-row"] {
        assert!(manual.contains(part), "{part} is not in the manual");
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("gesf-tui"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["convert", "sample_graphs/pubmed", "-", "--to", "graphml"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_spectrum_of_karate_is_known_and_drawn() {
    let shown = stdout(gesf().args(["spectrum", "sample_graphs/karate", "--no-cache"]));
    // Rounding errors depend on the instruction set.
    let unsteady =
        |line: &&str| ["time  ", "residuals  ", "orthogonal  "].map(|n| line.contains(n));
    let steady: Vec<&str> = shown.lines().filter(|line| !unsteady(line).contains(&true)).collect();
    for name in ["residuals", "orthogonal"] {
        let line = shown.lines().find(|line| line.contains(name)).unwrap();
        let error: f64 = line.split_whitespace().last().unwrap().parse().unwrap();
        assert!(error < 1e-6, "{line}");
    }
    insta::assert_snapshot!(steady.join("\n"));
}

#[test]
fn a_spectrum_as_json_has_every_eigenvalue_and_its_accuracy() {
    let arguments =
        ["spectrum", "sample_graphs/lesmis", "-k", "5", "--which", "both-ends", "--json"];
    let shown = stdout(gesf().args(arguments).args(["--matrix", "adjacency", "--no-cache"]));
    let found: serde_json::Value = serde_json::from_str(&shown).unwrap();
    let pairs = &found["pairs"];
    let values: Vec<f64> =
        pairs["eigenvalues"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
    assert_eq!(values.len(), 5);
    assert!(values[2] > 0.0 && values[3] < 0.0, "{values:?}");
    assert!(pairs["max_residual"].as_f64().unwrap() < 1e-4);
    assert_eq!((&found["engine"], &found["nodes"]), (&"dense".into(), &77.into()));
    assert_eq!(found["density"]["exact"], false);
}

#[test]
fn a_spectrum_is_cached_until_the_cache_is_cleared() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        |arguments: &[&str]| stdout(gesf().args(arguments).env("GESF_CACHE_DIR", folder.path()));
    let spectrum = ["spectrum", "sample_graphs/karate", "-k", "all"];
    assert!(run(&spectrum).contains("s, computed"));
    assert!(run(&spectrum).contains("s, from the cache"));
    assert!(run(&["cache", "list"]).contains("34 nodes, 34 pairs"));
    assert!(run(&["cache", "clear"]).contains("freed"));
    assert!(run(&["cache", "list"]).contains("0 spectra"));
    assert!(run(&spectrum).contains("s, computed"));
}

#[test]
fn every_engine_and_matrix_can_be_asked_for_by_name() {
    for engine in ["dense", "block", "chebyshev"] {
        for matrix in ["adjacency", "sym", "sym-loops", "relations"] {
            let arguments = ["spectrum", "sample_graphs/southern-women", "-k", "4", "--no-cache"];
            let shown =
                stdout(gesf().args(arguments).args(["--engine", engine, "--matrix", matrix]));
            assert!(shown.contains(&format!("{engine}: requested")), "{shown}");
        }
    }
}
