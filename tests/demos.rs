//! The recorded demos play to their end.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::Read;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use gesf_tui::lab::lessons::demos;
use gesf_tui::tui::{Action, First, Recording};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};

fn recording(id: &str) -> String {
    format!("{}/assets/demos/{id}.jsonl", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_demo_has_a_recording_that_goes_through_all_its_steps() {
    for demo in demos().unwrap() {
        let file = recording(&demo.id);
        let found = Recording::parse(&std::fs::read_to_string(&file).unwrap(), &file).unwrap();
        assert_eq!(found.first, First::Demo(demo.id.clone()));
        let next = "ctrl-n".parse().unwrap();
        let is_next = |action: &&Action| **action == Action::Key(next);
        let steps = found.actions.iter().map(|own| &own.action).filter(is_next).count();
        assert!(steps + 1 >= demo.steps.len(), "{}: {steps} steps forward", demo.id);
    }
}

/// Plays the recording of a demo as fast as possible; every step must be seen.
fn plays(id: &str, patience: Duration) {
    let home = tempfile::tempdir().unwrap();
    let size = PtySize { rows: 40, cols: 120, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_gesf-tui"));
    command.args(["replay", &recording(id), "--speed", "16", "--glyphs", "braille"]);
    let usual = [("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("COLORFGBG", "15;0")];
    for (name, value) in usual {
        command.env(name, value);
    }
    for name in ["GESF_CACHE_DIR", "GESF_CONFIG_DIR", "GESF_DATA_DIR"] {
        command.env(name, home.path());
    }
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let screen = Arc::new(Mutex::new(vt100::Parser::new(40, 120, 0)));
    let (shared, mut reader) = (screen.clone(), pair.master.try_clone_reader().unwrap());
    std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = reader.read(&mut bytes) {
            shared.lock().unwrap().process(&bytes[..count]);
        }
    });
    let demo = demos().unwrap().into_iter().find(|own| own.id == id).unwrap();
    let (start, mut seen) = (Instant::now(), 0);
    loop {
        let text = screen.lock().unwrap().screen().contents();
        assert!(!text.contains("replay stopped"), "{text}");
        seen += usize::from(demo.steps.get(seen).is_some_and(|step| text.contains(&step.title)));
        if text.contains("replay finished") {
            break;
        }
        assert!(start.elapsed() < patience, "{id} does not end:\n{text}");
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    assert_eq!(seen, demo.steps.len(), "{id} loses a step");
}

#[test]
fn the_recording_on_set_functions_plays() {
    plays("set-functions", Duration::from_secs(120));
}

#[test]
#[ignore = "trains for a minute"]
fn the_recording_on_learned_filters_plays() {
    plays("learned-filters", Duration::from_secs(300));
}
