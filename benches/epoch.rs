//! Times an epoch (`recommended`, full batch, both stages) and the time to
//! the first one without a cache.
//!
//! `benches/epoch.sh` also runs the same computation in PyTorch.

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use gesf_tui::graph::{LoadOptions, load};
use gesf_tui::model::PreparedGraph;
use gesf_tui::model::settings::Settings;
use gesf_tui::spectral::{Cancel, SelfTerm, Signal};
use gesf_tui::train::Trainer;

#[global_allocator]
static ALLOCATOR: gesf_tui::memory::LargePages = gesf_tui::memory::LargePages;

const WARM_UP: usize = 10;
const EPOCHS: usize = 40;
const FIRST_STAGE: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    gesf_tui::memory::leave_threads_to_us();
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let Some(path) = arguments.next() else {
        println!("epoch: give the path of a graph (see benches/epoch.sh)");
        return Ok(());
    };
    let (graph, _) = load(path.as_ref(), &LoadOptions::default())?;
    let graph = Arc::new(graph);
    let settings = Settings { filter_epochs: FIRST_STAGE, epochs: 1000, ..Settings::default() };
    let start = Instant::now();
    let cancel = Cancel::default();
    let prepared = PreparedGraph::prepare(&graph, &settings, None, &cancel, &mut |_| {})?;
    let operator = prepared.operator.clone();
    let mut trainer = Trainer::new(prepared, settings)?;
    trainer.step()?;
    println!("first_epoch_ms {:.1}", start.elapsed().as_secs_f64() * 1000.0);
    let mut first_stage = Vec::new();
    while trainer.epoch() < FIRST_STAGE {
        let start = Instant::now();
        trainer.step()?;
        first_stage.push(start.elapsed().as_secs_f64() * 1000.0);
    }
    first_stage.sort_by(f64::total_cmp);
    println!("first_stage_ms {:.2}", first_stage[first_stage.len() / 2]);
    let (median, best) = timed(|| trainer.step().map(|_| ()).map_err(Into::into))?;
    println!("median_ms {median:.2}");
    println!("best_ms {best:.2}");
    let width = trainer.settings().dimension.of(0, operator.nodes());
    let values = vec![0.5_f32; operator.nodes() * width];
    let response = operator.points().to_vec();
    let signal = Signal { values: &values, width };
    // Forward and backward on the worker threads, as in a step.
    let product = || operator.apply(&response, signal, SelfTerm::Drop, &[]);
    let (median, best) = timed(|| {
        rayon::scope(|_| product().and_then(|_| product()))?;
        Ok(())
    })?;
    println!("products_median_ms {median:.2}");
    println!("products_best_ms {best:.2}");
    // One sparse product, by the processor time of all threads.
    let before = processor_seconds();
    let rounds = 100;
    for _ in 0..rounds {
        rayon::scope(|_| product())?;
    }
    let degree = (operator.points().len() / 2 - 1) as f64;
    let spent = processor_seconds() - before;
    println!("product_processor_ms {:.3}", 1000.0 * spent / f64::from(rounds) / degree);
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

/// Processor time of all threads so far, which Linux counts in hundredths.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = text.rsplit(')').next().unwrap_or_default();
    let fields: Vec<f64> =
        after_name.split_whitespace().map(|field| field.parse().unwrap_or(0.0)).collect();
    fields.get(11).zip(fields.get(12)).map_or(0.0, |(user, system)| (user + system) / 100.0)
}
