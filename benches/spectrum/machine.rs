//! The limits of the machine, for comparison with the other figures.

use std::time::Instant;

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use rayon::prelude::*;

/// Prints gemm peaks and a STREAM-like triad.
pub(crate) fn report() {
    println!("gemm peak      f32 {:.0} GFLOP/s  f64 {:.0} GFLOP/s", peak::<f32>(), peak::<f64>());
    println!("triad          {:.1} GB/s", triad());
}

/// The shortest of several runs, in seconds, after one warm-up run.
pub(crate) fn best(runs: usize, mut work: impl FnMut()) -> f64 {
    work();
    let time = |_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    (0..runs).map(time).fold(f64::INFINITY, f64::min)
}

/// One square product per thread: no synchronisation, so this is the machine's
/// peak.
fn peak<T: faer::traits::ComplexField + From<f32>>() -> f64 {
    let size = 1024;
    let threads = rayon::current_num_threads();
    let make = || Mat::<T>::from_fn(size, size, |i, j| T::from(((i * 7 + j * 3) % 11) as f32));
    let (a, b) = (make(), make());
    let mut outs: Vec<Mat<T>> = (0..threads).map(|_| make()).collect();
    let one = T::from(1.0);
    let seconds = best(10, || {
        outs.par_iter_mut().for_each(|out| {
            matmul(out, Accum::Replace, &a, &b, one.clone(), Par::Seq);
        });
    });
    (threads * 2 * size.pow(3)) as f64 / seconds / 1e9
}

/// a ← b + 3·c over arrays far larger than any cache: bytes per second.
pub(crate) fn triad() -> f64 {
    let size = 32 << 20;
    let (b, c) = (vec![1.0_f32; size], vec![2.0_f32; size]);
    let mut a = vec![0.0_f32; size];
    let seconds = best(5, || {
        let rows = a.par_chunks_mut(1 << 16).zip(b.par_chunks(1 << 16)).zip(c.par_chunks(1 << 16));
        rows.for_each(|((a, b), c)| {
            a.iter_mut().zip(b).zip(c).for_each(|((a, b), c)| *a = b + 3.0 * c);
        });
    });
    (12 * size) as f64 / seconds / 1e9
}

/// The load average of the machine, if the system reports it.
pub(crate) fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or("unknown").to_owned()
}

/// Processor seconds of this process so far, if the system reports them: on a busy
/// machine they are more reliable than the clock.
pub(crate) fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = text.rsplit(") ").next().unwrap_or_default();
    let ticks: f64 =
        after.split(' ').skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
    ticks / 100.0
}

/// The peak memory of this process in GiB, if the system reports it.
pub(crate) fn peak_memory() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    let kilobytes = line.split_whitespace().nth(1).and_then(|field| field.parse::<f64>().ok());
    kilobytes.unwrap_or(f64::NAN) / 1_048_576.0
}
