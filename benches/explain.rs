//! Times the explanation of a node: the row of P, ψ, integrated gradients, slices,
//! the neighbourhood graph and the table, k = 1000, d = 64.
//!
//! `cargo bench --bench explain -- sample_graphs/pubmed`

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use gesf_tui::explain::{
    ContributionTable, Directory, Edit, Edits, Ego, EgoLimits, ExplainContext, Explanation,
    Faithfulness, Query, Ranking, Rings, Roster, Sort, Trial, WhatIf, by_label, by_ring, by_type,
};
use gesf_tui::graph::{LoadOptions, NodeId, load};
use gesf_tui::model::PreparedGraph;
use gesf_tui::model::settings::{EigenpairCount, Settings};
use gesf_tui::spectral::{Cache, Cancel};
use gesf_tui::train::{BranchId, PreparedRun, Trainer};

#[global_allocator]
static ALLOCATOR: gesf_tui::memory::LargePages = gesf_tui::memory::LargePages;

const NODES: usize = 200;
const REPEATS: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    gesf_tui::memory::leave_threads_to_us();
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let Some(path) = arguments.next() else {
        println!("explain: give the path of a graph");
        return Ok(());
    };
    let graph = Arc::new(load(path.as_ref(), &LoadOptions::default())?.0);
    let settings = Settings { eigenpairs: EigenpairCount::Count(1000), ..Settings::default() };
    let (cache, cancel) = (Cache::usual(), Cancel::default());
    let prepared = PreparedGraph::prepare(&graph, &settings, cache.as_ref(), &cancel, &mut |_| {})?;
    let mut trainer = Trainer::new(prepared, settings.clone())?;
    for _ in 0..5 {
        trainer.step()?;
    }
    let context = ExplainContext::of_trainer(&trainer)?;
    let ready = Arc::new(PreparedRun::of(BranchId::default(), &trainer));
    let snapshot = context.snapshot().clone();
    let nodes: Vec<NodeId> =
        graph.nodes().step_by((graph.node_count() / NODES).max(1)).take(NODES).collect();
    let whole = |context: &ExplainContext, node: NodeId| -> Result<(), Box<dyn Error>> {
        let found = Explanation::of(context, node, context.usual_aim(node))?;
        let rings = Rings::around(context.graph(), node);
        let table = ContributionTable::of(context, &found, &rings, (Ranking::Size, 50))?;
        let slices =
            [by_ring(&found, &rings, 4), by_type(context, &found), by_label(context, &found)];
        let ego = Ego::around(context.graph(), &found, &rings, EgoLimits::default());
        assert!(!ego.spots.is_empty() && table.lines.len() <= 50 && slices.len() == 3);
        Ok(())
    };
    told("a node, all of it", nodes.iter().map(|&node| timed(|| whole(&context, node))))?;
    told(
        "of that, contributions",
        nodes.iter().map(|&node| {
            timed(|| Ok(Explanation::of(&context, node, context.usual_aim(node)).map(|_| ())?))
        }),
    )?;
    told(
        "a new snapshot: psi of every node",
        (0..REPEATS)
            .map(|_| timed(|| Ok(ExplainContext::of(&ready, &settings, &snapshot).map(|_| ())?))),
    )?;
    told(
        "a new snapshot and a node, all of it",
        nodes
            .iter()
            .take(REPEATS)
            .map(|&node| timed(|| whole(&ExplainContext::of(&ready, &settings, &snapshot)?, node))),
    )?;
    let found = Explanation::of(&context, nodes[1], context.usual_aim(nodes[1]))?;
    told(
        "faithfulness, 64 nodes, 20 draws",
        (0..REPEATS).map(|_| {
            timed(|| Ok(Faithfulness::of(&context, &found, Trial::default(), &cancel).map(|_| ())?))
        }),
    )?;
    let joined = nodes.iter().filter(|node| graph.degree(**node) > 0);
    told(
        "an edge cut",
        joined.take(REPEATS).map(|&node| {
            let mut edits = Edits::default();
            edits.push(Edit::Cut(node, NodeId(graph.neighbours(node)[0])));
            timed(|| {
                let changes = edits.changes(&graph)?;
                let found =
                    WhatIf::ask(&context, (node, context.usual_aim(node)), &changes, &cancel)?;
                if node == nodes[1] {
                    println!("  {:?}", found.means);
                }
                Ok(())
            })
        }),
    )?;
    told(
        "facts of every node",
        (0..REPEATS).map(|_| {
            timed(|| {
                assert_eq!(Roster::of(&context).facts.len(), graph.node_count());
                Ok(())
            })
        }),
    )?;
    let (roster, directory) = (Roster::of(&context), Directory::of(&graph));
    let query = Query { sort: Sort::Confidence, text: "1".to_owned(), ..Query::default() };
    told(
        "the list searched and sorted",
        (0..REPEATS).map(|_| {
            timed(|| {
                assert!(!directory.select(&roster, &query).is_empty());
                Ok(())
            })
        }),
    )?;
    Ok(())
}

fn timed(work: impl FnOnce() -> Result<(), Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64() * 1000.0)
}

/// Prints the median and the maximum of some times.
fn told(
    what: &str,
    times: impl Iterator<Item = Result<f64, Box<dyn Error>>>,
) -> Result<(), Box<dyn Error>> {
    let mut times = times.collect::<Result<Vec<f64>, _>>()?;
    times.sort_by(f64::total_cmp);
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    println!("{what:<40} median {median:8.2} ms  worst {worst:8.2} ms");
    Ok(())
}
