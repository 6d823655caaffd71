//! Training as a whole: gradients, determinism, and data it must never use.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod aggregation;
mod class_shares;
mod numbers;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use gesf_tui::graph::{Graph, LabelKind, Labels, LoadOptions, NodeId, load};
use gesf_tui::model::PreparedGraph;
use gesf_tui::model::settings::{
    Activation, Aggregation, AttributeUse, Balance, Batch, Dimensions, EngineChoice, FeatureUse,
    FilterLearning, FilterShape, Folds, LossScale, MapPenalty, MapShape, MatrixChoice,
    NeighbourGradient, Optimiser, Schedule, Settings, preset,
};
use gesf_tui::spectral::{Cancel, SelfTerm};
use gesf_tui::train::{Score, Split, TrainError, Trainer, TrainerState};

fn sample(name: &str) -> Arc<Graph> {
    let path = Path::new("sample_graphs").join(name);
    Arc::new(load(&path, &LoadOptions::default()).unwrap().0)
}

fn trainer(graph: &Arc<Graph>, settings: &Settings) -> Trainer {
    let cancel = Cancel::default();
    let prepared = PreparedGraph::prepare(graph, settings, None, &cancel, &mut |_| {}).unwrap();
    Trainer::new(prepared, settings.clone()).unwrap()
}

fn small() -> Settings {
    Settings {
        dimension: Dimensions::Each(vec![4]),
        hidden: 5,
        start_size: 0.5,
        learning_rate: 0.01,
        schedule: Schedule::Constant,
        ..Settings::default()
    }
}

/// A sample graph with three features at each node.
fn featured(name: &str) -> Arc<Graph> {
    let folder = tempfile::tempdir().unwrap();
    for file in ["nodes.tsv", "edges.tsv", "graph.toml"] {
        let from = Path::new("sample_graphs").join(name).join(file);
        std::fs::copy(from, folder.path().join(file)).unwrap();
    }
    let mut rows = String::from("id\tindices\n");
    for (at, node) in sample(name).nodes().enumerate() {
        let values = [0.3, 1.0, 2.0].map(|pace: f32| (pace * at as f32).sin() + 1.1);
        let id = sample(name).ids().text(node).to_owned();
        writeln!(rows, "{id}\t0:{} 1:{} {}:{}", values[0], values[1], 2 + at % 3, values[2])
            .unwrap();
    }
    std::fs::write(folder.path().join("attributes.tsv"), rows).unwrap();
    Arc::new(load(folder.path(), &LoadOptions::default()).unwrap().0)
}

/// Checks every parameter's gradient against central differences of the loss. One
/// step of plain gradient descent moves a parameter by its gradient.
fn check_gradients(graph: &Arc<Graph>, settings: &Settings, what: &str) {
    const STEP: f32 = 5e-3;
    let settings = Settings {
        optimiser: Optimiser::Sgd,
        momentum: 0.0,
        learning_rate: 1.0,
        schedule: Schedule::Constant,
        neighbour_gradient: NeighbourGradient::Joint,
        filter_learning: FilterLearning::Joint,
        ..settings.clone()
    };
    let mut trainer = trainer(graph, &settings);
    // Away from the initial state, where residual branches are small and gradients
    // vanish.
    let mut before = trainer.state().unwrap();
    for (at, own) in before.parameters.iter_mut().enumerate() {
        for (n, value) in own.values.iter_mut().enumerate() {
            *value += 0.3 * ((at * 31 + n) as f32 * 0.7).sin();
        }
    }
    trainer.restore(&before).unwrap();
    trainer.step().unwrap();
    let after = trainer.state().unwrap();
    let mut loss = |state: &TrainerState| {
        trainer.restore(state).unwrap();
        f64::from(trainer.evaluate().unwrap().scalars.total)
    };
    for at in 0..before.parameters.len() {
        let size = before.parameters[at].values.len();
        for n in (0..size).step_by((size / 4).max(1)) {
            let gradient =
                f64::from(before.parameters[at].values[n] - after.parameters[at].values[n]);
            let mut moved = [STEP, -STEP].map(|step| {
                let mut state = before.clone();
                state.parameters[at].values[n] += step;
                loss(&state)
            });
            moved[0] -= moved[1];
            let found = moved[0] / (2.0 * f64::from(STEP));
            let error = (found - gradient).abs();
            let name = &before.parameters[at].name;
            assert!(
                error < 2e-3 + 0.02 * gradient.abs(),
                "{what}: {name}[{n}]: {gradient} by differences {found}"
            );
        }
    }
}

/// Checks the gradient of the filter at the withheld labels, and that no other
/// parameter depends on them.
fn check_withheld_gradients(graph: &Arc<Graph>, filter: FilterShape, what: &str) {
    const STEP: f32 = 2e-3;
    let folds = Folds::Count(2);
    let features = FeatureUse::Use;
    let settings = Settings { filter, folds, features, labelled: 0.9, epochs: 300, ..small() };
    let mut trainer = trainer(graph, &settings);
    while trainer.epoch() < trainer.filter_stage().first_move() {
        trainer.step().unwrap();
    }
    let before = trainer.state().unwrap();
    trainer.step().unwrap();
    let after = trainer.state().unwrap();
    let mut withheld = |at: usize, n: usize, step: f32| {
        let mut state = before.clone();
        state.parameters[at].values[n] += step;
        trainer.restore(&state).unwrap();
        f64::from(trainer.evaluate().unwrap().scalars.withheld_loss.unwrap())
    };
    for (at, own) in before.parameters.iter().enumerate() {
        // The weight of the class shares has its own loss.
        if !own.name.starts_with("rho.") || own.name == "rho.share_weight" {
            continue;
        }
        for n in 0..own.values.len() {
            let found = (withheld(at, n, STEP) - withheld(at, n, -STEP)) / f64::from(2.0 * STEP);
            // The first Adam step goes against the sign of the gradient, and its
            // first moment is a tenth of it.
            // Shrinkage is fixed at the end of the stage.
            let told = after.parameters[at].memory.first.get(n).copied().unwrap_or(0.0);
            let told = f64::from(told) * 10.0;
            let name = &own.name;
            assert!(
                (found - told).abs() < 2e-3 + 0.03 * told.abs(),
                "{what}: {name}[{n}]: {told} by differences {found}"
            );
        }
    }
}

#[test]
fn heads_for_several_classes_start_at_the_log_odds_of_the_training_labels() {
    let women = sample("southern-women");
    let settings = Settings { labelled: 0.7, ..small() };
    let trainer = trainer(&women, &settings);
    let Labels::Classes(classes) = women.labels() else { panic!("classes") };
    let train = &trainer.split().train;
    let bias = trainer.model().head(0).unwrap().bias().to_vec1::<f32>().unwrap();
    // The first fold of the first stage does not see the withheld labels.
    let withheld = trainer.filter_stage().folds_at(0).first().cloned().unwrap_or_default();
    let seen: Vec<NodeId> = train.iter().copied().filter(|node| !withheld.contains(node)).collect();
    for (class, bias) in bias.iter().enumerate() {
        let own = |node: &&NodeId| classes.of(**node).iter().any(|own| own.index() == class);
        let with = seen.iter().filter(own).count() as f32;
        let odds = (with + 1.0) / (seen.len() as f32 - with + 1.0);
        assert!((bias - odds.ln()).abs() < 1e-6, "{class}: {bias}, {odds}");
    }
}

fn from_tables(nodes: &str, edges: &str) -> Arc<Graph> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("nodes.tsv"), nodes).unwrap();
    std::fs::write(folder.path().join("edges.tsv"), edges).unwrap();
    Arc::new(load(folder.path(), &LoadOptions::default()).unwrap().0)
}

/// Eight nodes in each of 30 circles, and one label for each circle: every class is rare.
fn rare_classes() -> Arc<Graph> {
    let (mut nodes, mut edges) = (String::from("id\tlabels\n"), String::from("source\ttarget\n"));
    for node in 0..240 {
        let (circle, place) = (node / 8, node % 8);
        // A second label now and then makes it a graph of several labels.
        let second =
            if node % 40 == 0 { format!("|c{}", (circle + 1) % 30) } else { String::new() };
        writeln!(nodes, "{node}\tc{circle}{second}").unwrap();
        for step in [1, 2] {
            writeln!(edges, "{node}\t{}", circle * 8 + (place + step) % 8).unwrap();
        }
    }
    from_tables(&nodes, &edges)
}

#[test]
fn many_rare_classes_are_learned_within_sixty_epochs() {
    let graph = rare_classes();
    assert_eq!(graph.labels().kind(), LabelKind::Several);
    let settings = Settings { filter: FilterShape::OneHop, epochs: 60, ..Settings::default() };
    let mut trainer = trainer(&graph, &settings);
    while !trainer.is_done() {
        trainer.step().unwrap();
    }
    let score = trainer.evaluate().unwrap().scalars.test_x;
    let found = score.headline(graph.labels().kind()).unwrap();
    // With biases that start at random it is 0.12.
    assert!(found > 0.9, "micro F1 {found}");
}

/// A torus of 144 nodes, each with the class of its row and that of its column: half of
/// the neighbours have either.
fn rows_and_columns() -> Arc<Graph> {
    let (mut nodes, mut edges) = (String::from("id\tlabels\n"), String::from("source\ttarget\n"));
    for node in 0..144 {
        let (row, column) = (node / 12, node % 12);
        writeln!(nodes, "{node}\trow{row}|column{column}").unwrap();
        for step in [1, 2, 3] {
            writeln!(edges, "{node}\t{}", (row + step) % 12 * 12 + column).unwrap();
            writeln!(edges, "{node}\t{}", row * 12 + (column + step) % 12).unwrap();
        }
    }
    from_tables(&nodes, &edges)
}

#[test]
fn nodes_get_as_many_classes_as_the_training_labels_have() {
    let graph = rows_and_columns();
    let settings = Settings { seed: 1, epochs: 120, ..Settings::default() };
    let mut trainer = trainer(&graph, &settings);
    while !trainer.is_done() {
        trainer.step().unwrap();
    }
    let test = |trainer: &Trainer| {
        trainer.evaluate().unwrap().scalars.test_x.headline(LabelKind::Several).unwrap()
    };
    let fitted = test(&trainer);
    let mut state = trainer.state().unwrap();
    let offset = state.parameters.iter_mut().find(|own| own.name == "rho.offset").unwrap();
    offset.values.fill(0.0);
    trainer.restore(&state).unwrap();
    let plain = test(&trainer);
    assert!(fitted > plain + 0.02, "micro F1 {plain}, with offsets {fitted}");
}

#[test]
fn every_learned_filter_follows_the_gradient_of_the_withheld_labels() {
    let karate = sample("karate");
    for filter in [
        FilterShape::Hops,
        FilterShape::SignedHops,
        FilterShape::ResidualMlp,
        FilterShape::Monomial,
        FilterShape::Chebyshev,
        FilterShape::Bernstein,
    ] {
        check_withheld_gradients(&karate, filter, &format!("{filter:?}"));
    }
    check_withheld_gradients(&numbers::degrees(), FilterShape::Hops, "numbers");
    check_withheld_gradients(&sample("southern-women"), FilterShape::Hops, "several labels");
    for name in ["karate", "southern-women"] {
        check_withheld_gradients(&featured(name), FilterShape::Hops, "the share of features");
    }
}

#[test]
fn the_second_stage_restarts_with_the_filter_fixed() {
    let graph = sample("karate");
    let settings = Settings { epochs: 60, ..small() };
    let mut own = trainer(&graph, &settings);
    let fresh = own.state().unwrap();
    let first = own.filter_stage().epochs();
    assert_eq!(first, 20);
    while own.epoch() < first {
        let scalars = own.step().unwrap().scalars;
        assert!(scalars.withheld_loss.is_some() && scalars.withheld_score.is_some());
    }
    let settled = own.state().unwrap();
    assert_eq!(settled.values("x.0"), fresh.values("x.0"), "embeddings start again");
    let weights = |state: &TrainerState| state.values("rho.hops").unwrap().to_vec();
    assert_ne!(weights(&settled), weights(&fresh), "the filter does not");
    assert!(settled.parameters.iter().all(|own| !own.name.starts_with("fold")));
    while !own.is_done() {
        assert_eq!(own.step().unwrap().scalars.withheld_loss, None);
    }
    assert_eq!(weights(&own.state().unwrap()), weights(&settled), "and stays");
}

#[test]
fn states_of_either_stage_restore_from_either_stage_to_the_same_bits() {
    let settings = Settings { epochs: 30, ..small() };
    check_restoring(&sample("karate"), &settings, &[3, 9, 10, 11, 25, 4]);
}

/// Checks that a run continues with the same bits from its states at these epochs, one
/// after the other. Returns it at its end.
fn check_restoring(graph: &Arc<Graph>, settings: &Settings, epochs: &[usize]) -> Trainer {
    let mut own = trainer(graph, settings);
    let mut states = Vec::new();
    while !own.is_done() {
        states.push(own.state().unwrap());
        own.step().unwrap();
    }
    let last = own.state().unwrap();
    for &at in epochs {
        own.restore(&states[at]).unwrap();
        assert_eq!(own.state().unwrap(), states[at]);
        while !own.is_done() {
            own.step().unwrap();
        }
        assert_eq!(own.state().unwrap(), last, "from epoch {at}");
    }
    own
}

#[test]
fn gradients_are_correct_for_every_filter() {
    let graph = sample("karate");
    for filter in [
        FilterShape::Hops,
        FilterShape::SignedHops,
        FilterShape::TwoHops,
        FilterShape::Mlp,
        FilterShape::ResidualMlp,
        FilterShape::Monomial,
        FilterShape::Chebyshev,
        FilterShape::Bernstein,
        FilterShape::Heat,
        FilterShape::Ppr,
        FilterShape::Low,
        FilterShape::High,
        FilterShape::Band,
        FilterShape::Reject,
        FilterShape::Comb,
    ] {
        check_gradients(&graph, &Settings { filter, ..small() }, &format!("{filter:?}"));
    }
}

#[test]
fn gradients_are_correct_for_every_map_self_term_engine_and_loss_scale() {
    let graph = sample("karate");
    for map_shape in [MapShape::Plain, MapShape::Residual] {
        for self_term in [SelfTerm::Keep, SelfTerm::Drop] {
            let settings = Settings { map_shape, self_term, ..small() };
            check_gradients(&graph, &settings, &format!("{map_shape:?} {self_term:?}"));
        }
    }
    for loss_scale in [LossScale::Mean, LossScale::Sum, LossScale::Share] {
        let balance = Balance(vec![3.0]);
        let settings = Settings { loss_scale, balance, ..small() };
        check_gradients(&graph, &settings, &format!("{loss_scale:?}"));
    }
    let engine = EngineChoice::Chebyshev;
    let settings = Settings { engine, engine_degree: 5, ..small() };
    check_gradients(&graph, &settings, "chebyshev");
    let settings = Settings { activation: Activation::Relu, ..small() };
    // A kink may lie within the difference; ReLU maps are checked layer by layer.
    let mut trainer = trainer(&graph, &settings);
    assert!(trainer.step().is_ok());
}

#[test]
fn gradients_are_correct_for_every_head() {
    let lesmis = sample("lesmis");
    check_gradients(&lesmis, &small(), "one label");
    let women = sample("southern-women");
    let typed = Settings {
        matrix: MatrixChoice::Relations,
        dimension: Dimensions::Each(vec![4, 3]),
        balance: Balance(vec![2.0, 20.0]),
        ..small()
    };
    check_gradients(&women, &typed, "several labels, two types of other dimensions");
    check_gradients(&numbers::degrees(), &small(), "numbers");
}

#[test]
fn gradients_are_correct_with_features() {
    let features = FeatureUse::Use;
    check_gradients(&featured("karate"), &Settings { features, ..small() }, "features");
    let typed = Settings {
        features,
        matrix: MatrixChoice::Relations,
        dimension: Dimensions::Each(vec![4, 3]),
        feature_penalty: 0.1,
        ..small()
    };
    check_gradients(&featured("southern-women"), &typed, "features of two types");
    let aggregation = Aggregation::Mean;
    let mean = Settings { aggregation, map_penalty: MapPenalty::Weight(0.1), ..typed };
    check_gradients(&featured("southern-women"), &mean, "a mean, features of two types");
}

#[test]
fn features_that_are_ignored_change_no_bit() {
    let settings = Settings { epochs: 12, ..small() };
    let state = |graph: &Arc<Graph>| {
        let mut own = trainer(graph, &settings);
        while !own.is_done() {
            own.step().unwrap();
        }
        own.state().unwrap()
    };
    assert_eq!(state(&featured("karate")), state(&sample("karate")));
}

fn trained(graph: &Arc<Graph>, settings: &Settings) -> (TrainerState, Trainer) {
    let mut trainer = trainer(graph, settings);
    while !trainer.is_done() {
        trainer.step().unwrap();
    }
    (trainer.state().unwrap(), trainer)
}

#[test]
fn the_same_seed_gives_the_same_bits_and_another_does_not() {
    let graph = sample("lesmis");
    for batch in [Batch::Full, Batch::Nodes(20)] {
        let settings = Settings { epochs: 20, batch, ..Settings::default() };
        assert!(trained(&graph, &settings).0 == trained(&graph, &settings).0);
        let other = Settings { seed: 1, ..settings.clone() };
        assert!(trained(&graph, &settings).0 != trained(&graph, &other).0);
    }
}

#[test]
fn thread_counts_agree_within_a_thousandth_after_twenty_epochs() {
    let graph = sample("lesmis");
    let settings = Settings { epochs: 20, ..Settings::default() };
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| trained(&graph, &settings).0)
    };
    let (one, two) = (run(1), run(2));
    for (a, b) in one.parameters.iter().zip(&two.parameters) {
        for (x, y) in a.values.iter().zip(&b.values) {
            assert!((x - y).abs() < 1e-3, "{}: {x} {y}", a.name);
        }
    }
}

#[test]
fn a_restored_state_continues_with_the_same_bits() {
    let graph = sample("karate");
    for optimiser in [Optimiser::Sgd, Optimiser::Adam, Optimiser::AdamW] {
        let settings = Settings { epochs: 30, optimiser, momentum: 0.9, ..small() };
        let (whole, _) = trained(&graph, &settings);
        let mut first = trainer(&graph, &settings);
        for _ in 0..11 {
            first.step().unwrap();
        }
        let half = first.state().unwrap();
        let mut second = trainer(&graph, &settings);
        second.restore(&half).unwrap();
        while !second.is_done() {
            second.step().unwrap();
        }
        assert!(second.state().unwrap() == whole, "{optimiser:?}");
    }
}

#[test]
fn a_state_of_another_model_is_refused_and_nothing_changes() {
    let graph = sample("karate");
    let mut one = trainer(&graph, &small());
    let before = one.state().unwrap();
    let other = Settings { dimension: Dimensions::Each(vec![7]), ..small() };
    let foreign = trainer(&graph, &other).state().unwrap();
    assert!(matches!(one.restore(&foreign), Err(TrainError::State { .. })));
    assert!(one.state().unwrap() == before);
}

/// The graph with the test labels permuted among their nodes.
fn poisoned(name: &str, nodes: &[NodeId]) -> Arc<Graph> {
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new("sample_graphs").join(name);
    std::fs::copy(source.join("edges.tsv"), folder.path().join("edges.tsv")).unwrap();
    std::fs::copy(source.join("graph.toml"), folder.path().join("graph.toml")).unwrap();
    let text = std::fs::read_to_string(source.join("nodes.tsv")).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let class = |line: &String| line.split('\t').nth(2).unwrap().to_owned();
    let classes: Vec<String> = nodes.iter().map(|node| class(&lines[node.index() + 1])).collect();
    // Shifted by a few nodes, so that the set of classes stays the same.
    for (at, node) in nodes.iter().enumerate() {
        let line = &mut lines[node.index() + 1];
        let mut columns: Vec<&str> = line.split('\t').collect();
        columns[2] = &classes[(at + 5) % classes.len()];
        *line = columns.join("\t");
    }
    std::fs::write(folder.path().join("nodes.tsv"), lines.join("\n") + "\n").unwrap();
    Arc::new(load(folder.path(), &LoadOptions::default()).unwrap().0)
}

#[test]
fn test_labels_leave_no_trace_in_training() {
    let graph = sample("lesmis");
    for settings in [Settings { epochs: 45, ..Settings::default() }, {
        Settings { epochs: 15, learning_rate: 1e-6, ..preset("paper").unwrap() }
    }] {
        let split = Split::of(&graph, &settings);
        let poisoned = poisoned("lesmis", &split.test);
        assert_ne!(graph.labels(), poisoned.labels());
        let (clean, one) = trained(&graph, &settings);
        let (dirty, other) = trained(&poisoned, &settings);
        assert!(clean == dirty, "what is trained depends on labels held back");
        let score = |trainer: &Trainer| trainer.evaluate().unwrap().scalars.test_x;
        assert_ne!(score(&one), score(&other), "the scores do see them");
    }
}

#[test]
fn a_nan_stops_the_run_and_keeps_the_last_good_state() {
    let graph = sample("karate");
    for batch in [Batch::Full, Batch::Nodes(10)] {
        let settings = Settings { learning_rate: 100.0, batch, ..preset("paper").unwrap() };
        let mut trainer = trainer(&graph, &settings);
        let error = loop {
            let before = trainer.state().unwrap();
            match trainer.step() {
                Ok(_) => assert!(trainer.epoch() < 1000, "it has to break"),
                Err(error) => {
                    assert!(trainer.state().unwrap() == before);
                    break error;
                }
            }
        };
        let TrainError::Broken { epoch, term, advice, .. } = error else { panic!("{error}") };
        assert_eq!(epoch, trainer.epoch());
        assert!(!term.is_empty() && advice.contains("learning_rate"));
        let finite = |state: TrainerState| {
            state.parameters.iter().all(|p| p.values.iter().all(|v| v.is_finite()))
        };
        assert!(finite(trainer.state().unwrap()));
    }
}

#[test]
fn karate_is_learned_from_half_of_its_labels() {
    let graph = sample("karate");
    let (_, trainer) = trained(&graph, &Settings { epochs: 200, ..Settings::default() });
    let scalars = trainer.evaluate().unwrap().scalars;
    let Score::Classes { accuracy, .. } = scalars.test_x else { panic!("classes") };
    assert!(accuracy > 0.8, "{accuracy}");
}

#[test]
fn a_graph_without_labels_learns_to_reconstruct() {
    let (graph, _) =
        load("sample_graphs/karate/edges.tsv".as_ref(), &LoadOptions::default()).unwrap();
    let graph = Arc::new(graph);
    let settings = Settings { epochs: 60, start_size: 0.5, ..Settings::default() };
    let mut trainer = trainer(&graph, &settings);
    let first = trainer.step().unwrap().scalars;
    while !trainer.is_done() {
        trainer.step().unwrap();
    }
    let last = trainer.evaluate().unwrap().scalars;
    assert!(last.supervised.is_none() && last.test_x == Score::None);
    assert!(last.total < 0.5 * first.total, "{} {}", first.total, last.total);
}

#[test]
fn attributes_become_a_separate_type() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("nodes.tsv", "id\ttype\tlabels\tname\na\tp\tx\tA\nb\tp\ty\tB\nc\tp\tx\tC\n");
    write("edges.tsv", "source\ttarget\na\tb\nb\tc\n");
    write("attributes.tsv", "id\tindices\na\t0 1\nb\t2\nc\t0 2\n");
    let (graph, _) = load(folder.path(), &LoadOptions::default()).unwrap();
    let settings = Settings {
        attributes: AttributeUse::Nodes,
        rarity: true,
        matrix: MatrixChoice::Relations,
        epochs: 5,
        ..small()
    };
    let (_, trainer) = trained(&Arc::new(graph), &settings);
    assert_eq!(trainer.prepared().graph.node_count(), 6);
    assert_eq!(trainer.evaluate().unwrap().scalars.reconstruction.len(), 2);
}
