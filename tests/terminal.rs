//! The explorer in a real pseudo-terminal: it starts, handles input, and always
//! restores the terminal.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

const PATIENCE: Duration = Duration::from_secs(20);
const SIZE: (u16, u16) = (100, 30);

/// The program in its own pseudo-terminal.
struct Session {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    screen: Arc<Mutex<vt100::Parser>>,
    child: Box<dyn Child + Send + Sync>,
    home: Arc<tempfile::TempDir>,
}

impl Session {
    fn run(command: CommandBuilder) -> Self {
        Self::run_at(Arc::new(tempfile::tempdir().unwrap()), command)
    }

    /// Runs a command with its cache, settings and runs in a folder.
    fn run_at(home: Arc<tempfile::TempDir>, mut command: CommandBuilder) -> Self {
        let (cols, rows) = SIZE;
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        command.cwd(env!("CARGO_MANIFEST_DIR"));
        for (name, value) in [("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("LC_ALL", "")] {
            command.env(name, value);
        }
        command.env("GESF_CACHE_DIR", home.path());
        command.env("GESF_CONFIG_DIR", home.path());
        command.env("GESF_DATA_DIR", home.path());
        // No terminal answers the query for the background colour.
        command.env("COLORFGBG", "15;0");
        command.env("GESF_BREAK_ON_F12", "1");
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let screen = Arc::new(Mutex::new(vt100::Parser::new(rows, cols, 0)));
        let mut reader = pair.master.try_clone_reader().unwrap();
        let shared = screen.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                shared.lock().unwrap().process(&bytes[..count]);
            }
        });
        let writer = pair.master.take_writer().unwrap();
        Self { master: pair.master, writer, screen, child, home }
    }

    /// Starts the explorer.
    fn explorer(arguments: &[&str]) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_gesf-tui"));
        command.args(arguments);
        Self::run(command)
    }

    /// Starts the explorer again with the same folder.
    fn again(&self, arguments: &[&str]) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_gesf-tui"));
        command.args(arguments);
        Self::run_at(self.home.clone(), command)
    }

    /// The saved runs: the epochs of each, and whether it was closed cleanly.
    fn kept(&self) -> Vec<(usize, bool)> {
        let runs_folder = std::fs::read_dir(self.home.path().join("runs")).into_iter().flatten();
        let runs = runs_folder.flatten().flat_map(|shelf| std::fs::read_dir(shelf.path()).unwrap());
        let mut found: Vec<(usize, bool)> = runs
            .map(|run| {
                let run = run.unwrap().path();
                let lines = std::fs::read_to_string(run.join("metrics.jsonl")).unwrap();
                (lines.lines().count(), !run.join("in-use").exists())
            })
            .collect();
        found.sort_unstable();
        found
    }

    /// A shell with job control, to suspend the explorer in.
    fn shell() -> Self {
        let mut command = CommandBuilder::new("bash");
        command.args(["--norc", "--noprofile", "-i"]);
        command.env("PS1", "ready> ");
        Self::run(command)
    }

    fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    fn send(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    fn until(&self, what: &str, holds: impl Fn(&vt100::Screen) -> bool) {
        let start = Instant::now();
        while !holds(self.screen.lock().unwrap().screen()) {
            assert!(start.elapsed() < PATIENCE, "{what}:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn until_shown(&self, text: &str) {
        self.until(text, |screen| screen.contents().contains(text));
    }

    fn signal(&self, name: &str) {
        let id = self.child.process_id().unwrap().to_string();
        let sent = std::process::Command::new("kill").args([name, &id]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits for the end; returns the exit code.
    fn ended(&mut self) -> u32 {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(start.elapsed() < PATIENCE, "it does not end:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Asserts that the terminal was restored.
    fn is_given_back(&self) {
        self.until("the usual screen", |screen| {
            !screen.alternate_screen()
                && !screen.hide_cursor()
                && !screen.bracketed_paste()
                && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
        });
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

#[test]
fn it_trains_handles_keys_and_restores_the_terminal() {
    let mut session = Session::explorer(&["sample_graphs/karate", "--paused"]);
    session.until_shown("paused");
    session.send("25\r");
    session.until_shown("epoch 25/450");
    session.send("s");
    session.until_shown("epoch 26/450");
    session.send("f");
    session.until_shown("hop weights");
    session.send(":theme");
    session.until_shown("Switch to the next theme");
    session.send("\r");
    session.until_shown("theme: light");
    session.send("q");
    assert_eq!(session.ended(), 0);
    session.is_given_back();
    session.until_shown("--state 'gesf2 graph=sample:karate#");
}

/// The state line printed on exit.
fn state_line(session: &Session) -> String {
    session.until_shown("--state '");
    // The terminal wraps a long line; the state line has no line breaks.
    let said = session.text().split("--state '").nth(1).unwrap().replace('\n', "");
    said.split('\'').next().unwrap().to_owned()
}

#[test]
fn a_state_line_does_not_change_with_the_number_of_sessions() {
    let mut session = Session::explorer(&["sample_graphs/karate", "--paused"]);
    session.until_shown("paused");
    session.send("6\r");
    session.until_shown("epoch 6/450");
    session.send(":balance 3\r4\r");
    session.until_shown("epoch 10/450");
    session.send("q");
    assert_eq!(session.ended(), 0);
    let line = state_line(&session);
    assert!(line.contains("epoch=10") && line.ends_with("@6 balance=3"), "{line}");
    // Quit after the replay arrives, and quit at once.
    for arrives in [true, false] {
        let mut again = session.again(&["--state", &line]);
        if arrives {
            again.until_shown("epoch 10/450");
        }
        again.send("q");
        assert_eq!(again.ended(), 0);
        assert_eq!(state_line(&again), line);
    }
    let later = line.replace("epoch=10", "epoch=4").replace("@6", "@400");
    let later = later.replace("version=", "version=0.0.0-");
    let mut again = session.again(&["--state", &later]);
    again.until_shown("made by version 0.0.0-");
    again.send("\x1b");
    again.until_shown("epoch 4/450");
    again.send("q");
    assert_eq!(again.ended(), 0);
    assert_eq!(state_line(&again), later.replace("0.0.0-", ""));
}

#[test]
fn a_node_is_searched_opened_and_closed() {
    let mut session = Session::explorer(&["sample_graphs/karate", "--paused"]);
    session.until_shown("paused");
    session.send("25\r");
    session.until_shown("epoch 25/450");
    session.send("v");
    session.until_shown("34 nodes");
    session.send("/33");
    session.until_shown("1 of 34 nodes");
    session.send("\r");
    session.until_shown("= logit of");
    session.send("d");
    session.until_shown("not retrained");
    session.send("u\r");
    session.until_shown("backspace back");
    session.send("\x7f");
    session.until("the node before", |screen| !screen.contents().contains("backspace back"));
    session.send("q");
    assert_eq!(session.ended(), 0);
    session.is_given_back();
}

#[test]
fn without_a_path_the_user_chooses_a_graph() {
    let mut session = Session::explorer(&[]);
    session.until_shown("open a graph");
    session.send("les mis\r");
    session.until_shown("77 nodes");
    session.send("\x03");
    assert_eq!(session.ended(), 0);
    session.is_given_back();
}

#[test]
fn rapid_resizing_is_handled() {
    let mut session = Session::explorer(&["sample_graphs/karate"]);
    session.until_shown("epoch");
    for step in 0..120_u16 {
        let (cols, rows) = (20 + step * 7 % 180, 5 + step * 5 % 60);
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        session.master.resize(size).unwrap();
        session.screen.lock().unwrap().screen_mut().set_size(rows, cols);
    }
    let size = PtySize { rows: 30, cols: 100, pixel_width: 0, pixel_height: 0 };
    session.screen.lock().unwrap().screen_mut().set_size(30, 100);
    session.master.resize(size).unwrap();
    session.until_shown("epoch 450/450");
    // The emulator resizes before the program is notified, so output in between may
    // be lost: ctrl-l draws everything again.
    session.send("\x0c");
    session.until_shown("q quit");
    session.send("q");
    assert_eq!(session.ended(), 0);
}

#[test]
fn signals_give_their_exit_code_and_restore_the_terminal() {
    for (name, code) in [("-TERM", 143), ("-HUP", 129), ("-INT", 130), ("-QUIT", 131)] {
        let mut session = Session::explorer(&["sample_graphs/karate"]);
        session.until_shown("epoch");
        session.signal(name);
        assert_eq!(session.ended(), code, "{name}");
        session.is_given_back();
    }
}

#[test]
fn a_panic_restores_the_terminal_and_is_reported() {
    let mut session = Session::explorer(&["sample_graphs/karate", "--paused"]);
    session.until_shown("paused");
    session.send("\x1b[24~");
    assert_eq!(session.ended(), 101);
    session.is_given_back();
    session.until_shown("broken for a test");
}

#[test]
fn ctrl_z_suspends_it_and_fg_resumes_it() {
    let mut session = Session::shell();
    session.until_shown("ready>");
    let program = env!("CARGO_BIN_EXE_gesf-tui");
    session.send(&format!("{program} sample_graphs/karate --paused; echo left with $?\n"));
    session.until("the explorer", |screen| {
        screen.alternate_screen() && screen.contents().contains("paused")
    });
    session.send("\x1a");
    session.until_shown("Stopped");
    // The shell enables bracketed paste too.
    session.until("the usual screen", |screen| {
        !screen.alternate_screen()
            && !screen.hide_cursor()
            && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
    });
    session.send("fg\n");
    session.until("the explorer again", |screen| {
        screen.alternate_screen() && screen.contents().contains("paused")
    });
    session.send("s");
    session.until_shown("epoch 1/450");
    session.send("q");
    // Prompts at the start, of `fg`, and after the program ended.
    session.until("the shell again", |screen| {
        !screen.alternate_screen() && screen.contents().matches("ready>").count() >= 3
    });
    session.send("stty -a | grep -o ' icanon\\| echo ' | tr -d '\\n'; echo ' is back'\n");
    session.until_shown("icanon echo  is back");
}

#[test]
fn without_a_terminal_it_names_commands_that_work() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_gesf-tui"))
        .arg("sample_graphs/karate")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said.contains("needs a terminal") && said.contains("gesf-tui train sample_graphs/karate")
    );
}

#[test]
fn the_screen_shows_the_final_state_of_the_training() {
    let mut session = Session::explorer(&["sample_graphs/southern-women"]);
    session.until_shown("done");
    session.send("f");
    session.until_shown("· epoch 450");
    session.send("q");
    assert_eq!(session.ended(), 0);
}

#[test]
fn a_run_is_saved_when_the_explorer_quits_or_is_terminated() {
    let mut session = Session::explorer(&["sample_graphs/karate", "--paused"]);
    session.until_shown("paused");
    session.send("7\r");
    session.until_shown("epoch 7/450");
    session.send("q");
    assert_eq!(session.ended(), 0);
    assert_eq!(session.kept(), [(7, true)]);
    let mut session = session.again(&["sample_graphs/karate", "--paused"]);
    session.until_shown("paused");
    session.send("9\r");
    session.until_shown("epoch 9/450");
    session.signal("-TERM");
    assert_eq!(session.ended(), 143);
    assert_eq!(session.kept(), [(7, true), (9, true)]);
}

#[test]
fn a_killed_run_is_offered_and_resumed() {
    let mut session = Session::explorer(&["sample_graphs/karate", "--paused"]);
    session.until_shown("paused");
    session.send("30\r");
    session.until_shown("epoch 30/450");
    session.until("the state on disk", |_| {
        let folder = session.home.path().join("runs");
        let found = std::process::Command::new("find").arg(&folder).output().unwrap();
        String::from_utf8_lossy(&found.stdout).contains("model.safetensors")
    });
    session.signal("-KILL");
    session.ended();
    let mut again = session.again(&["sample_graphs/karate", "--paused"]);
    again.until_shown("interrupted run");
    again.until_shown("saved at epoch 30");
    again.send("\r");
    again.until_shown("epoch 30/450");
    again.send("s");
    again.until_shown("epoch 31/450");
    again.send("[");
    again.until_shown("back at epoch 30 of 31");
    again.send("q");
    assert_eq!(again.ended(), 0);
    assert!(again.kept().contains(&(31, true)), "{:?}", again.kept());
}

#[test]
fn a_state_line_restores_a_run_on_an_edited_graph() {
    let mut session = Session::explorer(&["sample_graphs/karate", "--paused"]);
    session.until_shown("paused");
    session.send("5\r");
    session.until_shown("epoch 5/450");
    session.send("v/33");
    session.until_shown("1 of 34 nodes");
    session.send("\r");
    session.until_shown("= logit of");
    session.send("-");
    session.until_shown("not retrained");
    session.send("T");
    session.until_shown("epoch 450/450");
    session.send("q");
    assert_eq!(session.ended(), 0);
    session.until_shown("Runs on an edited graph");
    let line = state_line(&session);
    assert!(line.contains(" edits=cut:"), "{line}");
    let mut again = session.again(&["--state", &line]);
    again.until_shown("edited: ");
    again.until_shown("epoch 450/450");
    again.until_shown("77 edges");
    again.send("q");
    assert_eq!(again.ended(), 0);
    again.until_shown("Runs on an edited graph");
    assert_eq!(state_line(&again), line);
}

const F8: &str = "\x1b[19~";
const F9: &str = "\x1b[20~";

/// Copies the karate club to a folder under a name that is not a sample.
fn own_graph(place: &std::path::Path) -> std::path::PathBuf {
    let own = place.join("club");
    std::fs::create_dir_all(&own).unwrap();
    for file in std::fs::read_dir("sample_graphs/karate").unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), own.join(file.file_name())).unwrap();
    }
    own
}

/// Clicks on a word of the screen.
fn click(session: &mut Session, word: &str) {
    session.until_shown(word);
    let text = session.text();
    let row = text.lines().position(|line| line.contains(word)).unwrap();
    let line = text.lines().nth(row).unwrap();
    let column = line[..line.find(word).unwrap()].chars().count();
    let place = format!("{};{}", column + 2, row + 1);
    session.send(&format!("\x1b[<0;{place}M\x1b[<0;{place}m"));
}

#[test]
fn a_recording_is_replayed_elsewhere_with_mouse_and_second_graph() {
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (own, file) = (own_graph(from.path()), from.path().join("session.jsonl"));
    let arguments = [own.to_str().unwrap(), "--paused", "--record", file.to_str().unwrap()];
    let mut session = Session::explorer(&arguments);
    session.until_shown("paused");
    session.send("3\r");
    session.until_shown("epoch 3/450");
    click(&mut session, " Filter ");
    session.until_shown("hop weights");
    session.send("\x0f");
    session.until_shown("open a graph");
    session.send("les mis\r");
    session.until_shown("77 nodes");
    session.until_shown("paused");
    session.send("2\r");
    session.until_shown("epoch 2/450");
    session.send("q");
    assert_eq!(session.ended(), 0);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains(from.path().to_str().unwrap()), "no path of this machine: {text}");
    assert!(text.contains("graph=club#") && text.contains("graph=sample:lesmis#"), "{text}");
    assert!(text.contains("down-left"), "{text}");
    // On another machine, with the graph in the same folder.
    own_graph(to.path());
    let moved = to.path().join("session.jsonl");
    std::fs::copy(&file, &moved).unwrap();
    std::fs::remove_dir_all(from.path()).unwrap();
    let mut replay = Session::explorer(&["replay", moved.to_str().unwrap(), "--speed", "0.1"]);
    replay.until_shown("34 nodes");
    replay.send(F9);
    replay.until_shown("replay paused");
    replay.send("s");
    replay.until_shown("replay paused: f9 resumes");
    replay.send(&[F8, F8, F8, F8, F8, F8, F9].concat());
    replay.until_shown("77 nodes");
    // It ends in the same state, and stays open although the recording quits.
    replay.until_shown("replay finished: the keyboard is yours");
    replay.until_shown("epoch 2/450");
    replay.until_shown("[Filter]");
    replay.send("s");
    replay.until_shown("epoch 3/450");
    replay.send("q");
    assert_eq!(replay.ended(), 0);
    replay.is_given_back();
}

#[cfg(target_os = "linux")]
#[test]
fn an_unwritable_recording_is_reported_and_the_session_continues() {
    let arguments = ["sample_graphs/karate", "--paused", "--record", "/dev/full"];
    let mut session = Session::explorer(&arguments);
    session.until_shown("recording stopped");
    session.until_shown("paused");
    session.send("\x1b");
    session.until_shown("q quit");
    session.send("4\r");
    session.until_shown("epoch 4/450");
    session.send("q");
    assert_eq!(session.ended(), 0);
}

#[test]
fn an_unsaved_run_asks_before_quitting_and_prints_a_state_line() {
    let home = Arc::new(tempfile::tempdir().unwrap());
    // A file in place of the folder makes saving fail.
    std::fs::write(home.path().join("runs"), "").unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_gesf-tui"));
    command.args(["sample_graphs/karate", "--paused"]);
    let mut session = Session::run_at(home, command);
    session.until_shown("cannot be saved");
    session.send("\x1b");
    session.until("no message", |screen| !screen.contents().contains("cannot be saved"));
    session.send("7\r");
    session.until_shown("epoch 7/450");
    session.send("q");
    session.until_shown("This run is not saved");
    session.send("\r");
    assert_eq!(session.ended(), 0);
    session.until_shown("The run is not saved");
    session.until("a line", |screen| {
        screen.contents().replace('\n', "").contains("--state 'gesf2 graph=sample:karate#")
    });
}

/// Kills the explorer at several points of a run, and resumes as its dialog offers.
fn explorer_killed_at(kills: u32) {
    let arguments = ["sample_graphs/lesmis", "--set", "epochs=3000", "--set", "dimension=16"];
    let run_of = |session: &Session| {
        let shelf = std::fs::read_dir(session.home.path().join("runs")).unwrap().next();
        let runs = std::fs::read_dir(shelf.unwrap().unwrap().path()).unwrap();
        runs.map(|run| run.unwrap().path()).find(|run| run.join("model.safetensors").exists())
    };
    let mut whole = Session::explorer(&arguments);
    let start = Instant::now();
    whole.until_shown("epoch 3000/3000");
    let takes = start.elapsed();
    whole.send("q");
    assert_eq!(whole.ended(), 0);
    let expected = std::fs::read(run_of(&whole).unwrap().join("model.safetensors")).unwrap();
    for kill in 0..kills {
        let mut session = Session::explorer(&arguments);
        session.until_shown("epoch");
        std::thread::sleep(takes * (2 * kill + 1) / (2 * kills));
        session.signal("-KILL");
        session.ended();
        let Some(run) = run_of(&session) else { continue };
        let saved = gesf_tui::train::run::RunFolder::checkpoint(&run).unwrap();
        let mut again = session.again(&[&arguments[..], &["--paused"]].concat());
        again.until_shown(&format!("saved at epoch {saved}"));
        again.send("\r");
        again.until_shown(&format!("epoch {saved}/3000"));
        if saved < 3000 {
            again.send(" ");
        }
        again.until_shown("epoch 3000/3000");
        again.send("q");
        assert_eq!(again.ended(), 0);
        let found = std::fs::read(run.join("model.safetensors")).unwrap();
        assert!(found == expected, "kill {kill}: killed at epoch {saved}");
    }
}

#[test]
fn the_killed_explorer_resumes_where_its_dialog_says() {
    explorer_killed_at(1);
}

#[test]
#[ignore = "takes minutes"]
fn the_explorer_killed_sixty_times_resumes_to_the_same_bits() {
    explorer_killed_at(60);
}
