//! How long an epoch takes: k = 1000, d = 64, full batch, `recommended`.
//!
//! `benches/epoch.sh` runs this beside the same maths in PyTorch.

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use gesf_tui::graph::{LoadOptions, load};
use gesf_tui::model::Ground;
use gesf_tui::model::settings::{Eigenpairs, Settings};
use gesf_tui::spectral::{Cache, Cancel, SelfTerm, Signal};
use gesf_tui::train::Trainer;

#[global_allocator]
static ALLOCATOR: gesf_tui::memory::LargePages = gesf_tui::memory::LargePages;

const WARM_UP: usize = 10;
const EPOCHS: usize = 40;

fn main() -> Result<(), Box<dyn Error>> {
    gesf_tui::memory::leave_threads_to_us();
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
    let operator = ground.operator.clone();
    let mut trainer = Trainer::new(ground, settings)?;
    let (median, best) = timed(|| trainer.step().map(|_| ()).map_err(Into::into))?;
    println!("median_ms {median:.2}");
    println!("best_ms {best:.2}");
    let values = vec![0.5_f32; operator.nodes() * 64];
    let response = operator.points().to_vec();
    let signal = Signal { values: &values, width: 64 };
    // Among the workers, as in a step.
    let products = || {
        let kept = operator.apply(&response, signal, SelfTerm::Drop)?.kept;
        operator.differentiate(&response, signal, &kept, signal, SelfTerm::Drop)
    };
    let (median, best) = timed(|| {
        rayon::scope(|_| products())?;
        Ok(())
    })?;
    println!("products_median_ms {median:.2}");
    println!("products_best_ms {best:.2}");
    Ok(())
}

/// Median and best time of a piece of work, in milliseconds.
fn timed(
    mut work: impl FnMut() -> Result<(), Box<dyn Error>>,
) -> Result<(f64, f64), Box<dyn Error>> {
    let mut times = Vec::new();
    for _ in 0..WARM_UP + EPOCHS {
        let start = Instant::now();
        work()?;
        times.push(start.elapsed().as_secs_f64() * 1000.0);
    }
    let mut times = times.split_off(WARM_UP);
    times.sort_by(f64::total_cmp);
    Ok((times[EPOCHS / 2], times[0]))
}
