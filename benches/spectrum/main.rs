//! Times of the spectral crate, compared with the limits of the machine.
//!
//! `cargo bench --bench spectrum -- [machine] [pairs] [apply] [scale]` (all of them
//! by default; `headline` is the one that `benches/spectrum.sh` compares with
//! `SciPy`). Graphs are read from the folder in `GESF_GRAPHS`, or from
//! `sample_graphs`; with `GESF_STAGES` set, the time of every stage of a
//! decomposition is printed too.

mod machine;
mod scale;
mod stages;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use gesf_tui::graph::{Graph, LoadOptions, load};
use gesf_tui::spectral::{
    Cancel, EdgeValues, EigenOperator, Engine, FilterGradient, Matrix, MatrixKind, Operator,
    Request, SelfTerm, Signal, Spectrum, Which, decompose,
};

use stages::Stages;

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let parts: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let wanted = |part: &str| parts.is_empty() || parts.iter().any(|name| name == part);
    println!("{} threads, load {}", rayon::current_num_threads(), machine::load());
    if wanted("machine") || wanted("apply") {
        machine::report();
    }
    if parts.iter().any(|name| name == "headline") {
        timed("pubmed", MatrixKind::SymLoops, 1000, Which::Highest, Engine::Block)?;
    }
    if wanted("pairs") {
        pairs()?;
    }
    if wanted("apply") {
        apply("cora")?;
        apply("pubmed")?;
    }
    if wanted("scale") {
        scale::report()?;
    }
    Ok(())
}

fn graph(name: &str) -> Outcome<Graph> {
    let folder = std::env::var_os("GESF_GRAPHS").map_or("sample_graphs".into(), PathBuf::from);
    Ok(load(&folder.join(name), &LoadOptions::default())?.0)
}

fn timed(
    name: &str,
    kind: MatrixKind,
    count: usize,
    which: Which,
    engine: Engine,
) -> Outcome<Spectrum> {
    let matrix = Arc::new(Matrix::of(&graph(name)?, kind, EdgeValues::Weighted)?);
    let request = Request { count, which, engine: Some(engine), ..Request::default() };
    let (start, cpu) = (Instant::now(), machine::cpu_seconds());
    let mut stages = Stages::default();
    let spectrum =
        decompose(&matrix, &request, &Cancel::default(), &mut |progress| stages.see(progress))?;
    let passes = stages.passes;
    println!(
        "{name:<14} {:<10} {which:<18} k={count:<5} {engine:<6} {:7.2} s (cpu {:6.2} s)  passes {passes:<2} residual {:.1e}  orthogonality {:.1e}",
        matrix.kind(),
        start.elapsed().as_secs_f64(),
        machine::cpu_seconds() - cpu,
        spectrum.quality().worst_residual(),
        spectrum.quality().orthogonality,
    );
    if parts_wanted() {
        stages.print();
    }
    Ok(spectrum)
}

/// Whether the time of every stage is requested.
fn parts_wanted() -> bool {
    std::env::var_os("GESF_STAGES").is_some()
}

fn pairs() -> Outcome {
    use Engine::{Block, Dense};
    use MatrixKind::{Adjacency, Sym, SymLoops};
    timed("cora", SymLoops, 2708, Which::All, Dense)?;
    timed("cora", SymLoops, 1000, Which::Highest, Block)?;
    timed("citeseer", SymLoops, 1000, Which::Highest, Block)?;
    timed("pubmed", SymLoops, 1000, Which::Highest, Block)?;
    timed("pubmed", Adjacency, 1000, Which::Highest, Block)?;
    timed("pubmed", Sym, 500, Which::LargestMagnitude, Block)?;
    timed("pubmed", Sym, 500, Which::BothEnds, Block)?;
    timed("blogcatalog3", SymLoops, 500, Which::Highest, Block)?;
    Ok(())
}

/// The product P·H and its derivative at k = 1000, d = 64.
fn apply(name: &str) -> Outcome {
    let spectrum = timed(name, MatrixKind::SymLoops, 1000, Which::Highest, Engine::Block)?;
    let operator = EigenOperator::new(Arc::new(spectrum));
    let (nodes, width, count) = (operator.nodes(), 64, operator.points().len());
    let block = |seed: usize| -> Vec<f32> {
        (0..nodes * width).map(|n| ((n * 31 + seed) % 101) as f32 / 50.0 - 1.0).collect()
    };
    let (h, g) = (block(1), block(2));
    let (h, g) = (Signal { values: &h, width }, Signal { values: &g, width });
    let rho: Vec<f32> = operator.points().iter().map(|s| s * s).collect();
    let flops = 4.0 * (nodes * width * count) as f64;
    for term in [SelfTerm::Keep, SelfTerm::Drop] {
        let kept = operator.apply(&rho, h, term, &[])?.kept;
        let forward = machine::best(20, || drop(operator.apply(&rho, h, term, &[])));
        let wanted = FilterGradient::Wanted;
        let backward = machine::best(20, || {
            drop(operator.differentiate(&rho, h, &kept, g, term, wanted));
        });
        println!(
            "{name:<14} N={nodes} {term:?}: forward {:6.2} ms ({:5.0} GFLOP/s)  backward {:6.2} ms ({:5.0} GFLOP/s)",
            forward * 1e3,
            flops / forward / 1e9,
            backward * 1e3,
            flops / backward / 1e9,
        );
    }
    let row = machine::best(20, || drop(operator.row(&rho, 0_usize.into())));
    println!("{name:<14} one row of P: {:.2} ms", row * 1e3);
    Ok(())
}
