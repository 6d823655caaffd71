//! Time and memory of turning a plain edge list into a graph.
//!
//! `benches/load.sh` generates the file, runs this and the peer, and prints the
//! ratio.

use std::path::PathBuf;
use std::time::Instant;

use gesf_tui::graph::{LoadOptions, load};

#[global_allocator]
static ALLOCATOR: gesf_tui::memory::LargePages = gesf_tui::memory::LargePages;

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let Some(path) = arguments.next().map(PathBuf::from) else {
        println!("load: give the path of an edge list (see benches/load.sh)");
        return;
    };
    let mut times = Vec::new();
    for _ in 0..5 {
        let start = Instant::now();
        match load(&path, &LoadOptions::default()) {
            Ok((graph, _)) => {
                times.push(start.elapsed().as_secs_f64());
                eprintln!("{} nodes, {} edges", graph.node_count(), graph.edge_count());
            }
            Err(error) => return eprintln!("{error}"),
        }
    }
    times.sort_by(f64::total_cmp);
    println!("median_seconds {:.3}", times[times.len() / 2]);
    println!("best_seconds {:.3}", times[0]);
    if let Some(peak) = peak_memory() {
        println!("peak_mib {peak}");
    }
}

/// The peak memory of this process in MiB, if the system reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib / 1024)
}
