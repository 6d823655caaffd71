//! Baselines on the same splits: they learn, give the same bits for the same seed,
//! and use no test label.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Write as _;
use std::sync::Arc;

use gesf_tui::baselines::{
    Contest, DeepWalk, ENOUGH_TO_CHOOSE, Majority, Metapath, Method, Mmdw, NetworkMethod,
    Planetoid, Propagation, SpectralMap, TrainingLabels, Watch, all,
};
use gesf_tui::graph::generate::{Blocks, Recipe, TypedBlocks};
use gesf_tui::graph::{ClassId, Graph, Label, LoadOptions, Reading, RoleChoice, build, load};
use gesf_tui::model::settings::Settings;
use gesf_tui::spectral::Cancel;
use gesf_tui::train::{Score, Split};

fn with(mut method: NetworkMethod, change: impl FnOnce(&mut NetworkMethod)) -> NetworkMethod {
    change(&mut method);
    method
}

fn brief(method: NetworkMethod) -> NetworkMethod {
    with(method, |own| own.epochs = 20)
}

fn made(recipe: &Recipe) -> Arc<Graph> {
    let raw = recipe.make(3).unwrap();
    Arc::new(build(raw, &RoleChoice::default(), &mut Reading::default()).unwrap().0)
}

fn from_text(name: &str, text: &str) -> Arc<Graph> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    Arc::new(load(&path, &LoadOptions::default()).unwrap().0)
}

/// Two cliques of five joined by one edge, with one labelled node each.
fn cliques() -> Arc<Graph> {
    let mut text = String::from("graph [\n");
    for node in 0..10 {
        let label = if node < 5 { "left" } else { "right" };
        writeln!(text, "node [ id {node} label \"{node}\" class \"{label}\" ]").unwrap();
    }
    for half in [0, 5] {
        for a in 0..5 {
            for b in a + 1..5 {
                writeln!(text, "edge [ source {} target {} ]", half + a, half + b).unwrap();
            }
        }
    }
    text.push_str("edge [ source 4 target 5 ]\n]\n");
    from_text("cliques.gml", &text)
}

fn answers(method: &dyn Method, graph: &Arc<Graph>, split: &Split, seed: u64) -> Vec<f32> {
    let cancel = Cancel::default();
    let watch = Watch { cancel: &cancel, tell: &|_| () };
    let ready = method.prepare(graph, seed, watch).unwrap();
    ready.answer(&TrainingLabels::of(graph, split, seed), split, watch).unwrap()
}

fn accuracy(method: Box<dyn Method>, graph: &Arc<Graph>, share: f64) -> f32 {
    mean_accuracy(method, graph, share, vec![1])
}

fn mean_accuracy(method: Box<dyn Method>, graph: &Arc<Graph>, share: f64, seeds: Vec<u64>) -> f32 {
    let count = seeds.len() as f32;
    let contest = Contest {
        graph: graph.clone(),
        settings: Settings::default(),
        shares: vec![share],
        seeds,
        methods: vec![method],
    };
    let entries = contest.run(&Cancel::default(), &|_| (), |_| ()).unwrap();
    let accuracies = entries[0].cells[0].scores.iter().map(|score| match score {
        Score::Classes { accuracy, .. } => *accuracy,
        other => panic!("{other:?}"),
    });
    accuracies.sum::<f32>() / count
}

/// Walks short enough for a test.
fn quick_walks() -> DeepWalk {
    let mut method = DeepWalk::default();
    method.tours.walks = 10;
    method
}

#[test]
fn the_majority_baseline_predicts_the_majority() {
    let (graph, _) = load("sample_graphs/lesmis".as_ref(), &LoadOptions::default()).unwrap();
    let graph = Arc::new(graph);
    let split = Split::of(&graph, &Settings::default());
    let classes = graph.labels().classes().unwrap();
    let mut train = vec![0; classes.names().len()];
    split.train.iter().for_each(|node| train[classes.of(*node)[0].index()] += 1);
    let found = answers(&Majority, &graph, &split, 0);
    let most = |row: &[f32]| (0..row.len()).max_by(|&a, &b| row[a].total_cmp(&row[b])).unwrap();
    for row in found.chunks(train.len()) {
        assert_eq!(train[most(row)], *train.iter().max().unwrap());
    }
}

#[test]
fn labels_spread_through_a_clique_but_not_over_the_bridge() {
    let graph = cliques();
    let nodes: Vec<_> = graph.nodes().collect();
    let split =
        Split { train: vec![nodes[0], nodes[9]], test: nodes[1..9].to_vec(), ..Split::default() };
    let found = answers(&Propagation::default(), &graph, &split, 0);
    for (node, row) in found.chunks(2).enumerate() {
        assert_eq!(row[0] > row[1], node < 5, "{node}: {row:?}");
    }
}

/// Every kind of method, with quick walks and no cache on disk.
fn all_with_quick_walks() -> Vec<Box<dyn Method>> {
    vec![
        Box::new(Propagation::default()),
        Box::new(SpectralMap { cached: false, ..SpectralMap::default() }),
        Box::new(quick_walks()),
        Box::new(Mmdw::default()),
        Box::new(Planetoid::default()),
        Box::new(with(NetworkMethod::appnp(), |own| {
            (own.penalties, own.teleports) = (vec![5e-3], vec![0.1]);
        })),
        Box::new(NetworkMethod::gcn()),
    ]
}

/// 150 nodes of three classes with words that tell the class, and two edges in three
/// within a class.
fn words() -> Arc<Graph> {
    let mut text = String::from("graph [\n");
    let noise = |seed: usize| (seed * 2_654_435_761 % 10_007) % 150;
    for node in 0..150 {
        let word = |at: usize| noise(node * 13 + at * 5) / 5 * 3 + node % 3;
        writeln!(
            text,
            "node [ id {node} label \"{node}\" class \"c{}\" attributes \"{} {} {}\" ]",
            node % 3,
            word(1),
            word(2),
            word(3)
        )
        .unwrap();
    }
    for node in 0..150 {
        for edge in 1..4 {
            let other = noise(node * 7 + edge);
            let other = if edge == 1 { other } else { other - other % 3 + node % 3 };
            writeln!(text, "edge [ source {node} target {other} ]").unwrap();
        }
    }
    text.push_str("]\n");
    from_text("words.gml", &text)
}

#[test]
fn networks_learn_from_features_and_do_not_need_them_except_the_mlp() {
    let graph = words();
    assert!(graph.features().is_some());
    let methods: [Box<dyn Method>; 3] = [
        Box::new(NetworkMethod::mlp()),
        Box::new(NetworkMethod::appnp()),
        Box::new(NetworkMethod::gcn()),
    ];
    for method in methods {
        let name = method.name();
        let found = accuracy(method, &graph, 0.5);
        assert!(found > 0.7, "{name}: {found}, where chance gives 0.33");
    }
    let without = Arc::new(graph.without_features());
    let split = Split::of(&graph, &Settings { labelled: 0.2, ..Settings::default() });
    let gcn = NetworkMethod::gcn();
    let found = answers(&gcn, &without, &split, 1);
    assert_ne!(found, answers(&gcn, &graph, &split, 1));
    let said = NetworkMethod::mlp().suits(&without).unwrap_err().to_string();
    assert!(said.contains("expected node features"), "{said}");
}

#[test]
fn networks_on_features_give_the_same_bits_for_any_threads_and_test_labels() {
    let graph = words();
    let split = Split::of(&graph, &Settings { labelled: 0.4, ..Settings::default() });
    let wrong = split.test.iter().map(|&node| (node, Label::Classes(vec![ClassId(0)])));
    let poisoned = Arc::new(graph.with_labels(graph.labels().with(&wrong.collect())));
    assert_ne!(graph.fingerprint(), poisoned.fingerprint());
    let methods: [Box<dyn Method>; 3] = [
        Box::new(brief(NetworkMethod::mlp())),
        Box::new(brief(NetworkMethod::appnp())),
        Box::new(brief(NetworkMethod::gcn())),
    ];
    for method in &methods {
        let on = |threads: usize| -> Vec<u32> {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| answers(method.as_ref(), &graph, &split, 5));
            found.iter().map(|value| value.to_bits()).collect()
        };
        assert_eq!(on(1), on(3), "{}", method.name());
        let found = answers(method.as_ref(), &graph, &split, 5);
        assert_eq!(found, answers(method.as_ref(), &poisoned, &split, 5), "{}", method.name());
    }
}

#[test]
fn every_method_clearly_beats_chance_on_separated_blocks() {
    let graph = made(&Recipe::Blocks(Blocks { mean_degree: 12.0, ..Blocks::default() }));
    for method in all_with_quick_walks() {
        let name = method.name();
        let found = accuracy(method, &graph, 0.2);
        assert!(found > 0.8, "{name}: {found}, where chance gives 0.33");
    }
}

#[test]
fn with_few_labels_every_method_matches_its_default_settings() {
    let (graph, _) = load("sample_graphs/lesmis".as_ref(), &LoadOptions::default()).unwrap();
    let graph = Arc::new(graph);
    for method in all_with_quick_walks() {
        let name = method.name();
        let found = mean_accuracy(method, &graph, 0.2, (0..10).collect());
        assert!(found > 0.62, "{name}: {found}; choosing on 3 of 15 labels gives GCN 0.48");
    }
}

#[test]
fn with_few_labels_the_candidates_do_not_matter() {
    let (graph, _) = load("sample_graphs/lesmis".as_ref(), &LoadOptions::default()).unwrap();
    let graph = Arc::new(graph);
    let split = Split::of(&graph, &Settings { labelled: 0.2, ..Settings::default() });
    assert!(split.train.len() < ENOUGH_TO_CHOOSE);
    let of = |penalties| {
        let method = with(brief(NetworkMethod::gcn()), |own| own.penalties = penalties);
        answers(&method, &graph, &split, 1)
    };
    assert_eq!(of(vec![1.0]), of(vec![5e-3, 5e-5]));
}

#[test]
fn type_paths_help_on_typed_graphs() {
    let graph = made(&Recipe::TypedBlocks(TypedBlocks::default()));
    let mut method = Metapath::default();
    method.tours.walks = 20;
    let found = accuracy(Box::new(method), &graph, 0.3);
    assert!(found > 0.75, "{found}");
    let one = made(&Recipe::Blocks(Blocks::default()));
    let said = Metapath::default().suits(&one).unwrap_err().to_string();
    assert!(said.contains("several node types"), "{said}");
}

#[test]
fn the_same_seed_gives_the_same_bits_on_any_number_of_threads() {
    let graph = made(&Recipe::TypedBlocks(TypedBlocks::default()));
    let split = Split::of(&graph, &Settings { labelled: 0.3, ..Settings::default() });
    let mut path = Metapath::default();
    path.tours.walks = 4;
    let methods: Vec<Box<dyn Method>> = vec![
        Box::new(quick_walks()),
        Box::new(path),
        Box::new(Mmdw::default()),
        Box::new(Planetoid { joint: 4, ..Planetoid::default() }),
        Box::new(brief(NetworkMethod::appnp())),
        Box::new(brief(NetworkMethod::gcn())),
        Box::new(Propagation::default()),
    ];
    for method in &methods {
        let on = |threads: usize| -> Vec<u32> {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| answers(method.as_ref(), &graph, &split, 5));
            found.iter().map(|value| value.to_bits()).collect()
        };
        assert_eq!(on(1), on(3), "{}", method.name());
    }
}

#[test]
fn test_labels_change_no_prediction() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lesmis");
    std::fs::create_dir(&path).unwrap();
    for file in ["edges.tsv", "graph.toml", "nodes.tsv"] {
        std::fs::copy(format!("sample_graphs/lesmis/{file}"), path.join(file)).unwrap();
    }
    let read = || Arc::new(load(&path, &LoadOptions::default()).unwrap().0);
    let graph = read();
    let split = Split::of(&graph, &Settings::default());
    poison(&path.join("nodes.tsv"), &graph, &split);
    let poisoned = read();
    assert_ne!(graph.fingerprint(), poisoned.fingerprint());
    for method in all().iter().filter(|method| method.suits(&graph).is_ok()) {
        let bits = |graph| -> Vec<u32> {
            answers(method.as_ref(), graph, &split, 2).iter().map(|value| value.to_bits()).collect()
        };
        assert_eq!(bits(&graph), bits(&poisoned), "{}", method.name());
    }
}

/// Gives every test node the label of another test node.
fn poison(nodes: &std::path::Path, graph: &Graph, split: &Split) {
    let text = std::fs::read_to_string(nodes).unwrap();
    let mut lines: Vec<Vec<String>> =
        text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect();
    let column = lines[0].iter().position(|name| name == "labels").unwrap();
    let held_out: Vec<usize> = (1..lines.len())
        .filter(|&row| split.test.iter().any(|node| graph.ids().text(*node) == lines[row][0]))
        .collect();
    let labels: Vec<String> = held_out.iter().map(|&row| lines[row][column].clone()).collect();
    for (at, &row) in held_out.iter().enumerate() {
        lines[row][column].clone_from(&labels[(at + 7) % labels.len()]);
    }
    let text: Vec<String> = lines.iter().map(|cells| cells.join("\t")).collect();
    std::fs::write(nodes, text.join("\n") + "\n").unwrap();
}

#[test]
fn unusual_graphs_are_handled_or_refused_but_never_panic() {
    let graphs = [
        // One class, an isolated node, nodes without a label.
        from_text(
            "one.gml",
            "graph [ node [ id 0 class \"a\" ] node [ id 1 class \"a\" ] node [ id 2 ] edge [ source 0 target 1 ] ]",
        ),
        // Several labels per node.
        Arc::new(load("sample_graphs/southern-women".as_ref(), &LoadOptions::default()).unwrap().0),
    ];
    for graph in &graphs {
        for share in [0.0, 0.5, 1.0] {
            let mut methods = all();
            methods.retain(|method| method.suits(graph).is_ok());
            let contest = Contest {
                graph: graph.clone(),
                settings: Settings::default(),
                shares: vec![share],
                seeds: vec![0],
                methods,
            };
            let found = contest.run(&Cancel::default(), &|_| (), |_| ());
            assert!(found.is_ok_and(|entries| entries.len() >= 6), "{share}");
        }
    }
}

#[test]
fn numbers_are_predicted_as_well_as_classes() {
    let mut text = String::from("graph [\n");
    for node in 0..60 {
        writeln!(text, "node [ id {node} value {} ]", f64::from(node) / 7.0).unwrap();
    }
    for node in 0..58 {
        writeln!(text, "edge [ source {node} target {} ]", node + 1).unwrap();
        writeln!(text, "edge [ source {node} target {} ]", node + 2).unwrap();
    }
    text.push(']');
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("line.gml");
    std::fs::write(&path, text).unwrap();
    let roles = RoleChoice { target: Some("value".to_owned()), ..RoleChoice::default() };
    let options = LoadOptions { roles, ..LoadOptions::default() };
    let graph = Arc::new(load(&path, &options).unwrap().0);
    for method in [Box::new(Mmdw::default()) as Box<dyn Method>, Box::new(Planetoid::default())] {
        let said = method.suits(&graph).unwrap_err().to_string();
        assert!(said.contains("found numeric labels, expected classes"), "{said}");
    }
    let methods: Vec<Box<dyn Method>> = vec![Box::new(Majority), Box::new(Propagation::default())];
    let contest = Contest {
        graph,
        settings: Settings::default(),
        shares: vec![0.5],
        seeds: vec![1],
        methods,
    };
    let entries = contest.run(&Cancel::default(), &|_| (), |_| ()).unwrap();
    let r2 = |at: usize| match entries[at].cells[0].scores[0] {
        Score::Numeric { r2, .. } => r2,
        other => panic!("{other:?}"),
    };
    assert!(r2(0).abs() < 0.3 && r2(1) > 0.9, "{} {}", r2(0), r2(1));
}
