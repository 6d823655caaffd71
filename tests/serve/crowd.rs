//! Many sessions that train at once: time from a key to the frame with its effect,
//! memory and training speed of each.
//!
//! `cargo test --release --test serve crowd -- --ignored --nocapture` measures thirty.

use std::time::{Duration, Instant};

use super::client::{Page, Server, free_port};
use super::home;

/// What was measured.
struct Crowd {
    /// From a key to the frame with its effect.
    waits: Vec<Duration>,
    /// Epochs per second of each session.
    speeds: Vec<f64>,
    /// Memory of the process before the first session and with all, in kB.
    memory: [u64; 2],
}

fn measure(sessions: usize, time: Duration) -> Crowd {
    let home = home();
    let arguments =
        ["sample_graphs/karate", "--invite", "--screen", "train", "--set", "epochs=1000000"];
    let server = Server::start(home.path(), free_port(), &arguments);
    let before = memory(&server);
    let mut pages: Vec<Page> = (0..sessions).map(|_| server.visitor()).collect();
    for page in &mut pages {
        page.wait("training", |page| page.epoch() > Some(0));
    }
    let threads: Vec<_> = pages.into_iter().map(|page| spawn(page, time)).collect();
    // Halfway everybody trains and looks.
    std::thread::sleep(time / 2);
    let memory = [before, memory(&server)];
    let (mut waits, mut speeds) = (Vec::new(), Vec::new());
    for thread in threads {
        let (own, speed) = thread.join().unwrap();
        waits.extend(own);
        speeds.push(speed);
    }
    waits.sort();
    speeds.sort_by(f64::total_cmp);
    Crowd { waits, speeds, memory }
}

/// A visitor who presses a key about twice a second.
fn spawn(mut page: Page, time: Duration) -> std::thread::JoinHandle<(Vec<Duration>, f64)> {
    std::thread::spawn(move || {
        let (start, first) = (Instant::now(), page.epoch().unwrap());
        let mut waits = Vec::new();
        while start.elapsed() < time {
            page.press("?");
            waits.push(page.wait_for("Train one epoch"));
            rest(&mut page);
            page.press("esc");
            let is_gone = |page: &Page| !page.text().contains("Train one epoch");
            waits.push(page.wait("the screen", is_gone));
            rest(&mut page);
        }
        let epochs = page.epoch().unwrap() - first;
        (waits, epochs as f64 / start.elapsed().as_secs_f64())
    })
}

/// Half a second in which frames go on.
fn rest(page: &mut Page) {
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(500) {
        page.read();
    }
}

/// Resident memory of the server in kB.
fn memory(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.process()));
    let line = status.unwrap_or_default();
    let line = line.lines().find_map(|line| line.strip_prefix("VmRSS:").map(str::to_owned));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

fn at(sorted: &[Duration], share: f64) -> Duration {
    sorted[((sorted.len() - 1) as f64 * share) as usize]
}

#[test]
fn every_session_of_a_small_crowd_trains_and_answers() {
    let crowd = measure(4, Duration::from_secs(3));
    assert_eq!(crowd.speeds.len(), 4);
    assert!(crowd.speeds[0] > 0.0, "{:?}", crowd.speeds);
    assert!(at(&crowd.waits, 0.5) < Duration::from_secs(1), "{:?}", crowd.waits);
}

#[test]
#[ignore = "takes a minute and all cores"]
fn crowd_of_thirty() {
    let crowd = measure(30, Duration::from_secs(30));
    let ms = |share| at(&crowd.waits, share).as_secs_f64() * 1000.0;
    let [before, after] = crowd.memory;
    println!(
        "key to frame: p50 {:.0} ms, p99 {:.0} ms, of {} keys",
        ms(0.5),
        ms(0.99),
        crowd.waits.len()
    );
    println!("memory: {before} kB before, {after} kB with 30: {} kB each", (after - before) / 30);
    let all: f64 = crowd.speeds.iter().sum();
    println!(
        "epochs per second: slowest {:.1}, median {:.1}, fastest {:.1}, together {all:.0}",
        crowd.speeds[0], crowd.speeds[15], crowd.speeds[29]
    );
    assert!(ms(0.99) < 2000.0);
}
