//! Killed and damaged runs: each resumes to the same bits, or the damage is
//! reported. The exhaustive versions need `--ignored`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use gesf_tui::train::run::{RunFolder, metrics};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const LONG: [&str; 6] =
    ["train", "sample_graphs/lesmis", "--epochs", "3000", "--set", "dimension=16"];

fn gesf(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gesf-tui"));
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn out(arguments: &[&str], folder: &Path) -> Command {
    let mut command = gesf(arguments);
    command.arg("--out").arg(folder);
    command
}

fn read(run: &Path, file: &str) -> Vec<u8> {
    std::fs::read(run.join(file)).unwrap()
}

/// Kills a run at several points in time and resumes it; the result has the bits of
/// an uninterrupted run.
fn killed_at(kills: usize) {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    let start = Instant::now();
    assert!(out(&LONG, &whole).status().unwrap().success());
    let takes = start.elapsed();
    for kill in 0..kills {
        let run = folder.path().join(format!("killed-{kill}"));
        let mut child = out(&LONG, &run).spawn().unwrap();
        std::thread::sleep(takes.mul_f64((kill as f64 + 0.5) / kills as f64));
        child.kill().unwrap();
        child.wait().unwrap();
        let resumed = if run.join("run.toml").exists() {
            let done = RunFolder::checkpoint(&run).unwrap_or(0);
            let lines = metrics(&run).unwrap().len();
            assert!(done <= lines, "kill {kill}: a model of {done} epochs, {lines} figures");
            gesf(&["train", "--resume", run.to_str().unwrap()]).status().unwrap()
        } else {
            out(&LONG, &run).status().unwrap()
        };
        assert!(resumed.success(), "kill {kill}");
        for file in ["model.safetensors", "metrics.jsonl"] {
            assert!(read(&whole, file) == read(&run, file), "kill {kill}: {file} differs");
        }
    }
}

#[test]
fn a_run_killed_at_any_time_resumes_to_the_same_bits() {
    killed_at(3);
}

#[test]
#[ignore = "takes minutes"]
fn a_run_killed_sixty_times_resumes_to_the_same_bits() {
    killed_at(60);
}

/// Damages a file as disks and users do; returns a description.
fn damage(path: &Path, random: &mut ChaCha8Rng) -> String {
    let mut bytes = std::fs::read(path).unwrap();
    let at = random.random_range(0..bytes.len().max(1));
    let how = match random.random_range(0..5) {
        0 => {
            bytes[at] ^= 1 << random.random_range(0..8);
            format!("a bit of byte {at} flipped")
        }
        1 => {
            bytes.truncate(at);
            format!("cut at byte {at}")
        }
        2 => {
            bytes.insert(at, random.random());
            format!("a byte put in at {at}")
        }
        3 => {
            let end = (at + random.random_range(1..512)).min(bytes.len());
            bytes[at..end].fill(0);
            format!("zeros from {at} to {end}")
        }
        _ => {
            bytes.clear();
            "emptied".to_owned()
        }
    };
    std::fs::write(path, bytes).unwrap();
    how
}

fn copied(run: &Path, to: PathBuf) -> PathBuf {
    std::fs::create_dir_all(to.join("embeddings")).unwrap();
    for file in ["run.toml", "metrics.jsonl", "model.safetensors", "scores.json"] {
        std::fs::copy(run.join(file), to.join(file)).unwrap();
    }
    to
}

/// Each damage is reported by an error, or changes nothing that training resumes
/// from.
fn damaged(runs: usize, seed: u64) {
    let folder = tempfile::tempdir().unwrap();
    let sound = folder.path().join("sound");
    assert!(out(&[&LONG[..3], &["120"], &LONG[4..]].concat(), &sound).status().unwrap().success());
    let (record, state) = RunFolder::read(&sound).unwrap();
    let figures = metrics(&sound).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for number in 0..runs {
        let run = copied(&sound, folder.path().join(format!("{number}")));
        let files = ["run.toml", "metrics.jsonl", "model.safetensors", "scores.json"];
        let file = files[random.random_range(0..files.len())];
        let how = format!("{file}, {}", damage(&run.join(file), &mut random));
        match RunFolder::open(&run) {
            Err(error) => {
                let said = error.to_string();
                assert!(said.contains(file), "{how}: {said}");
                assert!(said.contains("expected"), "{how}: {said}");
            }
            Ok((open, found, at)) => {
                assert!(at == state, "{how}: another state is trained on");
                let settings = |own: &gesf_tui::train::run::Record| own.settings_at(120).clone();
                assert!(settings(&found) == settings(&record), "{how}: other settings");
                let left = metrics(&run).unwrap();
                assert!(left.iter().all(|own| figures.contains(own)), "{how}: other figures");
                let missing = figures.len() - left.len();
                assert!(missing >= open.damaged(), "{how}: {missing} missing");
                open.close();
            }
        }
    }
}

#[test]
fn a_damaged_run_is_reported_or_harmless() {
    damaged(40, 1);
}

#[test]
#[ignore = "takes minutes"]
fn two_hundred_damaged_runs_are_each_reported_or_harmless() {
    damaged(200, 2);
}

#[test]
fn settings_edited_under_a_trained_model_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    assert!(out(&[&LONG[..3], &["20"], &LONG[4..]].concat(), &run).status().unwrap().success());
    let text = std::fs::read_to_string(run.join("run.toml")).unwrap();
    std::fs::write(run.join("run.toml"), text.replace("seed = 0", "seed = 8")).unwrap();
    let refused = RunFolder::open(&run).unwrap_err().to_string();
    assert!(refused.contains("other settings than the model was trained with"), "{refused}");
    // The refusal must not leave a lock behind.
    std::fs::write(run.join("run.toml"), text).unwrap();
    assert!(RunFolder::open(&run).is_ok());
}

#[cfg(unix)]
#[test]
fn links_in_a_run_cannot_redirect_writes() {
    let folder = tempfile::tempdir().unwrap();
    let (run, precious) = (folder.path().join("run"), folder.path().join("precious"));
    assert!(out(&[&LONG[..3], &["20"], &LONG[4..]].concat(), &run).status().unwrap().success());
    std::fs::write(&precious, "mine").unwrap();
    let resume = ["train", "--resume", run.to_str().unwrap(), "--epochs", "30"];
    let link = |to: &Path, at: &str| {
        let place = run.join(at);
        let aside = folder.path().join("aside");
        std::fs::rename(&place, &aside).unwrap();
        std::os::unix::fs::symlink(to, &place).unwrap();
        let refused = !gesf(&resume).status().unwrap().success();
        // A regular file of the run may have replaced the link.
        std::fs::remove_file(&place).unwrap();
        std::fs::rename(&aside, &place).unwrap();
        refused
    };
    link(&precious, "metrics.jsonl");
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "mine");
    let elsewhere = folder.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    assert!(link(&elsewhere, "embeddings"));
    assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
    // A new run in a folder with prepared links is safe too.
    let trap = folder.path().join("trap");
    std::fs::create_dir(&trap).unwrap();
    std::os::unix::fs::symlink(&precious, trap.join("metrics.jsonl")).unwrap();
    assert!(!out(&LONG, &trap).status().unwrap().success());
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "mine");
}
