//! What users take away from a run: the model for PyTorch, embeddings by id, the facts
//! for an appendix, and measures of its explanations.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use candle_core::{DType, Device, Tensor};
use serde_json::Value;

fn gesf(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gesf-tui"));
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
    command.args(arguments).env("GESF_CACHE_DIR", cache);
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
    assert!(!output.status.success(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// A short run in a folder, and its path.
fn trained(graph: &str, more: &[&str], folder: &Path, name: &str) -> String {
    let out = folder.join(name).to_str().unwrap().to_owned();
    run(&[&["train", graph, "--epochs", "30", "--out", &out], more].concat());
    out
}

/// R of one node type, from the tensors alone, as `gesf.py` computes it.
fn reconstruction(tensors: &HashMap<String, Tensor>) -> Tensor {
    let get = |name: &str| tensors[name].to_dtype(DType::F64).unwrap();
    let nodes = get("x.0").dim(0).unwrap();
    let list = |name: &str| tensors[name].to_dtype(DType::F64).unwrap().to_vec1::<f64>().unwrap();
    let mut matrix = vec![0.0; nodes * nodes];
    let places = list("matrix.rows").into_iter().zip(list("matrix.columns"));
    for ((row, column), value) in places.zip(list("matrix.values")) {
        matrix[row as usize * nodes + column as usize] = value;
    }
    let matrix = Tensor::from_vec(matrix, (nodes, nodes), &Device::Cpu).unwrap();
    let map = |name: &str, rows: &Tensor| {
        let layer = |rows: &Tensor, at: usize| {
            let product = rows.matmul(&get(&format!("{name}.{at}.weight"))).unwrap();
            product.broadcast_add(&get(&format!("{name}.{at}.bias"))).unwrap()
        };
        (layer(&layer(rows, 1).tanh().unwrap(), 2) + rows).unwrap()
    };
    let messages = map("psi.0", &get("x.0"));
    let coefficients = list("filter.coefficients");
    let (mut before, mut now) = (None, messages.clone());
    let mut sum = (&messages * coefficients[0]).unwrap();
    for coefficient in &coefficients[1..] {
        let product = matrix.matmul(&now).unwrap();
        let next = match &before {
            None => product,
            Some(before) => ((product * 2.0).unwrap() - before).unwrap(),
        };
        before = Some(std::mem::replace(&mut now, next));
        sum = (sum + (&now * *coefficient).unwrap()).unwrap();
    }
    let own = messages.broadcast_mul(&get("filter.diagonal").unsqueeze(1).unwrap()).unwrap();
    map("phi.0", &(sum - own).unwrap())
}

#[test]
fn the_exported_tensors_alone_give_the_reconstructions() {
    let folder = tempfile::tempdir().unwrap();
    let trained = trained("sample_graphs/karate", &[], folder.path(), "run");
    let written = run(&["export", &trained, "--as", "torch"]);
    assert_eq!(written.lines().count(), 2, "{written}");
    let torch = Path::new(&trained).join("torch");
    let module = std::fs::read_to_string(torch.join("gesf.py")).unwrap();
    assert!(module.contains("class Gesf(torch.nn.Module)"));
    let file = torch.join("gesf.safetensors");
    let tensors = candle_core::safetensors::load(&file, &Device::Cpu).unwrap();
    assert_eq!(tensors["head.0.weight"].dims(), [128, 2]);
    assert_eq!(tensors["prior"].dims(), [2]);
    assert_eq!(tensors["nodes.0"].dims(), [34]);
    run(&["export", &trained]);
    let expected = Path::new(&trained).join("export").join("reconstruction-member.npy");
    let expected = Tensor::read_npy(expected).unwrap().to_dtype(DType::F64).unwrap();
    let far = (reconstruction(&tensors) - expected).unwrap().abs().unwrap();
    let far = far.flatten_all().unwrap().max(0).unwrap().to_scalar::<f64>().unwrap();
    assert!(far < 1e-5, "{far}");
    let bytes = std::fs::read(&file).unwrap();
    run(&["export", &trained, "--as", "torch", "--force"]);
    assert!(bytes == std::fs::read(&file).unwrap(), "the same run gives the same file");
}

#[test]
fn the_appendix_names_everything_and_does_not_depend_on_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("elsewhere/karate");
    std::fs::create_dir_all(&copy).unwrap();
    for file in std::fs::read_dir("sample_graphs/karate").unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), copy.join(file.file_name())).unwrap();
    }
    let appendix = |graph: &str, name: &str| {
        let trained = trained(graph, &[], folder.path(), name);
        let report = folder.path().join(format!("{name}-report"));
        run(&["report", &trained, report.to_str().unwrap()]);
        let page = std::fs::read_to_string(report.join("report.md")).unwrap();
        assert!(page.contains("## Appendix") && page.contains("split hash"), "{page}");
        std::fs::read_to_string(report.join("appendix.json")).unwrap()
    };
    let first = appendix("sample_graphs/karate", "first");
    assert_eq!(first, appendix(copy.to_str().unwrap(), "second"));
    assert!(!first.contains(folder.path().to_str().unwrap()));
    let found: Value = serde_json::from_str(&first).unwrap();
    let settings = found["settings"].as_object().unwrap();
    assert_eq!(settings.len(), gesf_tui::model::settings::TABLE.len());
    for name in ["program", "graph hash (XXH3)", "split", "split hash (XXH3)", "seed"] {
        assert!(found["run"][name].as_str().is_some_and(|text| !text.is_empty()), "{name}");
    }
    assert!(found["run"]["split"].as_str().unwrap().starts_with("random with the seed"));
}

#[test]
fn explanations_are_measured_beside_random_contributors() {
    let folder = tempfile::tempdir().unwrap();
    let seed = |seed: &str| {
        let settings = ["--seed", seed, "--set", "labelled=0.5"];
        trained("sample_graphs/lesmis", &settings, folder.path(), seed)
    };
    let (first, other) = (seed("1"), seed("2"));
    let arguments = ["explain", &first, &other, "--all", "--top", "3", "--sample", "40"];
    let found: Value = serde_json::from_str(&run(&[&arguments[..], &["--json"]].concat())).unwrap();
    let figure = |part: &str, name: &str| found[part][name].as_f64().unwrap();
    assert!(figure("explained", "unfaithfulness") < figure("random", "unfaithfulness"));
    assert!(figure("explained", "characterisation") > figure("random", "characterisation"));
    assert!(figure("explained", "rank_correlation") > figure("random", "rank_correlation"));
    let nodes = found["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 40);
    assert!(nodes.iter().all(|node| node["mask"].as_array().unwrap().len() <= 3));
    let mean = nodes.iter().map(|node| node["fidelity_plus"].as_f64().unwrap()).sum::<f64>() / 40.0;
    assert!((mean - figure("explained", "fidelity_plus")).abs() < 1e-12);
    let text = run(&arguments);
    assert!(text.contains("fidelity+") && text.contains("with another run"), "{text}");
    let women = trained("sample_graphs/southern-women", &[], folder.path(), "women");
    assert!(failure(&["explain", &women, "--all"]).contains("several classes per node"));
    assert!(failure(&["explain", &first, &women, "--all"]).contains("another graph"));
    assert!(failure(&["explain", &first, &other, "--node", "0"]).contains("--all"));
}

#[test]
fn planted_motifs_are_found_better_than_by_chance() {
    let folder = tempfile::tempdir().unwrap();
    let graph = folder.path().join("houses").to_str().unwrap().to_owned();
    let size = ["--nodes", "60", "--edges-each", "2", "--motifs", "12"];
    run(&[&["generate", "motif", &graph], &size[..]].concat());
    let settings = ["--set", "labelled=0.8"];
    let trained = trained(&graph, &settings, folder.path(), "run");
    let table = Path::new(&graph).join("nodes.tsv");
    let motifs = ["--motifs", table.to_str().unwrap(), "--json"];
    let found = run(&[&["explain", &trained, "--all"], &motifs[..]].concat());
    let found: Value = serde_json::from_str(&found).unwrap();
    let area = |part: &str| found[part]["motif_auc"].as_f64().unwrap();
    assert!(area("explained") > 0.8 && (area("random") - 0.5).abs() < 0.1, "{}", area("explained"));
    let in_houses = found["nodes"].as_array().unwrap().iter();
    assert_eq!(in_houses.filter(|node| node["motif_auc"].is_number()).count(), 60);
    let wrong = folder.path().join("wrong.csv");
    std::fs::write(&wrong, "id,house\n0,1\n").unwrap();
    let said = failure(&["explain", &trained, "--all", "--motifs", wrong.to_str().unwrap()]);
    assert!(said.contains("id, house") && said.contains("`motif`"), "{said}");
}
