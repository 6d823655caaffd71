//! The responsiveness of the explorer in a real pseudo-terminal: time to the first
//! frame, latency of a key while it trains at full speed, the cost of the screen
//! during training, and the cost while paused.
//!
//! `cargo bench --bench feel -- [GRAPH] [SECONDS] [frames|cost] [GLYPHS]`: Pubmed by
//! default; all measurements unless only frames, only the cost or `all` is requested.
//! GLYPHS is a glyph level, braille by default: `pixel-kitty` measures with pictures.

#[cfg(unix)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    unix::run()
}

#[cfg(not(unix))]
fn main() {
    println!("feel: pseudo-terminals are measured on Unix only");
}

#[cfg(unix)]
mod unix {
    use std::error::Error;
    use std::io::{BufRead, BufReader, Read, Write};
    use std::path::Path;
    use std::process::{Command, Stdio};
    use std::sync::{Arc, Condvar, Mutex, PoisonError};
    use std::time::{Duration, Instant};

    use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

    type Outcome<T> = Result<T, Box<dyn Error>>;

    const BINARY: &str = env!("CARGO_BIN_EXE_gesf-tui");
    const PATIENCE: Duration = Duration::from_secs(180);
    const KEYS: usize = 400;
    const TURNS: usize = 9;

    /// The terminal content, with a notification for every change.
    type Screen = Arc<(Mutex<vt100::Parser>, Condvar)>;

    struct Session {
        writer: Box<dyn Write + Send>,
        screen: Screen,
        child: Box<dyn Child + Send + Sync>,
        _master: Box<dyn MasterPty + Send>,
        start: Instant,
    }

    impl Session {
        fn open(home: &Path, glyphs: &str, arguments: &[&str]) -> Outcome<Self> {
            // The next start would offer to resume a run that a measurement
            // interrupted.
            let _ = std::fs::remove_dir_all(home.join("runs"));
            let size = PtySize { rows: 40, cols: 120, pixel_width: 1200, pixel_height: 800 };
            let pair = native_pty_system().openpty(size)?;
            let mut command = CommandBuilder::new(BINARY);
            command.args(arguments);
            command.args(["--glyphs", glyphs]);
            command.cwd(env!("CARGO_MANIFEST_DIR"));
            for (name, value) in [("TERM", "xterm-256color"), ("LANG", "C.UTF-8")] {
                command.env(name, value);
            }
            // No terminal answers the query for the background colour.
            command.env("COLORFGBG", "15;0");
            for name in ["GESF_CACHE_DIR", "GESF_CONFIG_DIR", "GESF_DATA_DIR"] {
                command.env(name, home);
            }
            let start = Instant::now();
            let child = pair.slave.spawn_command(command)?;
            drop(pair.slave);
            let screen: Screen =
                Arc::new((Mutex::new(vt100::Parser::new(40, 120, 0)), Condvar::new()));
            let (mut reader, shared) = (pair.master.try_clone_reader()?, screen.clone());
            std::thread::spawn(move || {
                let mut bytes = vec![0; 1 << 16];
                while let Ok(count @ 1..) = reader.read(&mut bytes) {
                    let mut parser = shared.0.lock().unwrap_or_else(PoisonError::into_inner);
                    parser.process(&bytes[..count]);
                    shared.1.notify_all();
                }
            });
            let writer = pair.master.take_writer()?;
            Ok(Self { writer, screen, child, _master: pair.master, start })
        }

        /// Waits until the screen matches; returns the time.
        fn until(&self, holds: impl Fn(&str) -> bool) -> Outcome<Instant> {
            let (lock, bell) = &*self.screen;
            let begun = Instant::now();
            let mut parser = lock.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                if holds(&parser.screen().contents()) {
                    return Ok(Instant::now());
                }
                if begun.elapsed() > PATIENCE {
                    return Err(format!("waited in vain:\n{}", parser.screen().contents()).into());
                }
                let wait = Duration::from_millis(200);
                parser = bell.wait_timeout(parser, wait).unwrap_or_else(PoisonError::into_inner).0;
            }
        }

        fn send(&mut self, keys: &str) -> Outcome<Instant> {
            let now = Instant::now();
            self.writer.write_all(keys.as_bytes())?;
            self.writer.flush()?;
            Ok(now)
        }

        /// The epoch in the top line.
        fn epoch(&self) -> Option<usize> {
            let (lock, _) = &*self.screen;
            let parser = lock.lock().unwrap_or_else(PoisonError::into_inner);
            let text = parser.screen().contents();
            let after = text.split("epoch ").nth(1)?;
            after.split('/').next()?.trim().parse().ok()
        }

        /// Processor seconds used so far.
        fn processor(&self) -> Outcome<f64> {
            let id = self.child.process_id().ok_or("no process")?;
            let stat = std::fs::read_to_string(format!("/proc/{id}/stat"))?;
            let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or("").split(' ').collect();
            let ticks: f64 = fields[11].parse::<f64>()? + fields[12].parse::<f64>()?;
            Ok(ticks / 100.0)
        }
    }

    impl Drop for Session {
        fn drop(&mut self) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    fn at(sorted: &[f64], share: f64) -> f64 {
        let place = (share * (sorted.len() - 1) as f64).round() as usize;
        sorted.get(place).copied().unwrap_or(f64::NAN)
    }

    pub(super) fn run() -> Outcome<()> {
        let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
        let graph = arguments.next().unwrap_or_else(|| "sample_graphs/pubmed".to_owned());
        let seconds: u64 = arguments.next().map_or(Ok(15), |own| own.parse())?;
        let home = std::env::temp_dir().join("gesf-tui-feel");
        std::fs::create_dir_all(&home)?;
        let part = arguments.next();
        let wanted = |name: &str| part.as_deref().is_none_or(|part| part == name || part == "all");
        let glyphs = arguments.next().unwrap_or_else(|| "braille".to_owned());
        if wanted("frames") {
            first_frames(&home, &glyphs)?;
            while_training(&home, &glyphs, &graph)?;
        }
        if wanted("cost") {
            cost_of_the_screen(&home, &glyphs, &graph, Duration::from_secs(seconds))?;
        }
        Ok(())
    }

    fn first_frames(home: &Path, glyphs: &str) -> Outcome<()> {
        let (mut frames, mut graphs) = (Vec::new(), Vec::new());
        for _ in 0..11 {
            let session = Session::open(home, glyphs, &["sample_graphs/cora"])?;
            let frame = session.until(|text| text.contains("Train"))?;
            let graph = session.until(|text| text.contains("loss") && text.contains("epoch"))?;
            frames.push((frame - session.start).as_secs_f64() * 1e3);
            graphs.push((graph - session.start).as_secs_f64() * 1e3);
        }
        // The first of them may include the decomposition of the graph.
        for (name, times) in
            [("first frame", &mut frames), ("cora trains, spectrum kept", &mut graphs)]
        {
            times.remove(0);
            times.sort_by(f64::total_cmp);
            println!("{name}: median {:.0} ms, slowest {:.0} ms", at(times, 0.5), at(times, 1.0));
        }
        Ok(())
    }

    fn while_training(home: &Path, glyphs: &str, graph: &str) -> Outcome<()> {
        let mut session = Session::open(home, glyphs, &[graph, "--set", "epochs=1000000"])?;
        session.until(|text| text.contains("epochs/s"))?;
        for screen in ["t", "f"] {
            session.send(screen)?;
            std::thread::sleep(Duration::from_millis(500));
            let mut times = Vec::new();
            for number in 0..KEYS {
                // Irregular pauses, so that keys arrive at any point of an epoch
                // and a frame.
                std::thread::sleep(Duration::from_millis(15 + (number * 37 % 61) as u64));
                let opens = number % 2 == 0;
                let sent = session.send(if opens { "?" } else { "\u{1b}" })?;
                let shown = session.until(|text| text.contains("type to search") == opens)?;
                times.push((shown - sent).as_secs_f64() * 1e3);
            }
            times.sort_by(f64::total_cmp);
            let name = if screen == "t" { "Train" } else { "Filter" };
            println!(
                "key to frame while training, {name}: p50 {:.1} ms, p99 {:.1} ms, slowest {:.1} ms ({KEYS} keys)",
                at(&times, 0.5),
                at(&times, 0.99),
                at(&times, 1.0)
            );
        }
        session.send(" ")?;
        session.until(|text| text.contains("paused"))?;
        std::thread::sleep(Duration::from_secs(2));
        let (before, begun) = (session.processor()?, Instant::now());
        std::thread::sleep(Duration::from_secs(10));
        let used = session.processor()? - before;
        println!("paused: {:.2} % of one core", 100.0 * used / begun.elapsed().as_secs_f64());
        Ok(())
    }

    /// Epochs per second with and without the screen, alternately; the order
    /// changes, so that a machine that slows down favours neither.
    fn cost_of_the_screen(home: &Path, glyphs: &str, graph: &str, span: Duration) -> Outcome<()> {
        let mut ratios = Vec::new();
        for turn in 0..TURNS {
            let (with, without) = if turn % 2 == 0 {
                let with = on_screen(home, glyphs, graph, span)?;
                (with, headless(home, graph, span)?)
            } else {
                let without = headless(home, graph, span)?;
                (on_screen(home, glyphs, graph, span)?, without)
            };
            println!("epochs a second: {with:.2} with the screen, {without:.2} without");
            ratios.push(with / without);
        }
        ratios.sort_by(f64::total_cmp);
        println!(
            "with the screen against without: median {:.3} of {TURNS} turns, {:.3} to {:.3}",
            at(&ratios, 0.5),
            at(&ratios, 0.0),
            at(&ratios, 1.0)
        );
        Ok(())
    }

    fn on_screen(home: &Path, glyphs: &str, graph: &str, span: Duration) -> Outcome<f64> {
        let session = Session::open(home, glyphs, &[graph, "--set", "epochs=1000000"])?;
        session.until(|text| text.contains("epochs/s"))?;
        std::thread::sleep(Duration::from_secs(1));
        let (first, begun) = (session.epoch().ok_or("no epoch shown")?, Instant::now());
        std::thread::sleep(span);
        let (last, took) = (session.epoch().ok_or("no epoch shown")?, begun.elapsed());
        Ok((last - first) as f64 / took.as_secs_f64())
    }

    fn headless(home: &Path, graph: &str, span: Duration) -> Outcome<f64> {
        let mut child = Command::new(BINARY)
            .args(["train", graph, "--set", "epochs=1000000", "--json"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("GESF_CACHE_DIR", home)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let lines = BufReader::new(child.stdout.take().ok_or("no output")?).lines();
        let mut begun: Option<Instant> = None;
        let mut count = 0;
        for (number, line) in lines.enumerate() {
            line?;
            if number < 8 {
                continue;
            }
            let start = *begun.get_or_insert_with(Instant::now);
            if start.elapsed() >= span {
                break;
            }
            count += 1;
        }
        let took = begun.map_or(f64::NAN, |start| start.elapsed().as_secs_f64());
        let _ = child.kill();
        let _ = child.wait();
        Ok(f64::from(count) / took)
    }
}
