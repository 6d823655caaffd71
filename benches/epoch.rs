//! How long an epoch takes: k = 1000, d = 64, full batch, `recommended`.
//!
//! `benches/epoch.sh` runs this beside the same maths in PyTorch.

use std::sync::Arc;
use std::time::Instant;

use gesf_tui::graph::{LoadOptions, load};
use gesf_tui::model::Ground;
use gesf_tui::model::settings::{Eigenpairs, Settings};
use gesf_tui::spectral::{Cache, Cancel};
use gesf_tui::train::Trainer;

#[global_allocator]
static ALLOCATOR: gesf_tui::memory::LargePages = gesf_tui::memory::LargePages;

const WARM_UP: usize = 10;
const EPOCHS: usize = 40;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let Some(path) = arguments.next() else {
        println!("epoch: give the path of a graph (see benches/epoch.sh)");
        return Ok(());
    };
    let (graph, _) = load(path.as_ref(), &LoadOptions::default())?;
    let settings = Settings { eigenpairs: Eigenpairs::Count(1000), ..Settings::default() };
    let cache = Cache::usual();
    let graph = Arc::new(graph);
    let cancel = Cancel::default();
    let ground = Ground::prepare(&graph, &settings, cache.as_ref(), &cancel, &mut |_| {})?;
    let mut trainer = Trainer::new(ground, settings)?;
    let mut times = Vec::new();
    for _ in 0..WARM_UP + EPOCHS {
        let start = Instant::now();
        trainer.step()?;
        times.push(start.elapsed().as_secs_f64());
    }
    let mut times = times.split_off(WARM_UP);
    times.sort_by(f64::total_cmp);
    println!("median_ms {:.2}", 1000.0 * times[EPOCHS / 2]);
    println!("best_ms {:.2}", 1000.0 * times[0]);
    Ok(())
}
