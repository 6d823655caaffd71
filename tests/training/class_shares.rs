//! Labels that the graph says little or nothing about: whether predictions fall back to
//! the class shares.

use super::*;

/// Numbers without a pattern.
fn noise() -> impl Iterator<Item = u64> {
    std::iter::successors(Some(0x2545_f491_4f6c_dd1d_u64), |last| {
        let first = last ^ (last << 13);
        let second = first ^ (first >> 7);
        Some(second ^ (second << 17))
    })
    .skip(1)
}

/// A torus whose nodes have one of two classes at random, one in so many the second.
fn unrelated(side: usize, one_in: u64) -> Arc<Graph> {
    let (mut nodes, mut edges) = (String::from("id\tlabels\n"), String::from("source\ttarget\n"));
    for (node, random) in (0..side * side).zip(noise()) {
        let class = if random.is_multiple_of(one_in) { "rare" } else { "frequent" };
        writeln!(nodes, "{node}\t{class}").unwrap();
        let (row, column) = (node / side, node % side);
        writeln!(edges, "{node}\t{}", (row + 1) % side * side + column).unwrap();
        writeln!(edges, "{node}\t{}", row * side + (column + 1) % side).unwrap();
    }
    from_tables(&nodes, &edges)
}

/// A graph of two classes, one node in five of the second, in which two fifths of the edges
/// that would join both are missing.
fn hardly_related(count: usize) -> Arc<Graph> {
    let (mut nodes, mut edges) = (String::from("id\tlabels\n"), String::from("source\ttarget\n"));
    let mut noise = noise();
    let is_rare: Vec<bool> = noise.by_ref().map(|own| own.is_multiple_of(5)).take(count).collect();
    for (node, is_rare) in is_rare.iter().enumerate() {
        writeln!(nodes, "{node}\t{}", if *is_rare { "rare" } else { "frequent" }).unwrap();
    }
    for _ in 0..4 * count {
        let mut end = || (noise.next().unwrap() >> 20) as usize % count;
        let (one, other) = (end(), end());
        let stays = is_rare[one] == is_rare[other] || end() < 3 * count / 5;
        if one != other && stays {
            writeln!(edges, "{one}\t{other}").unwrap();
        }
    }
    from_tables(&nodes, &edges)
}

/// The share of the most frequent class among the test labels.
fn largest_share(graph: &Graph, test: &[NodeId]) -> f32 {
    let Labels::Classes(classes) = graph.labels() else { panic!("classes expected") };
    let rare = test.iter().filter(|node| classes.of(**node)[0] != classes.of(test[0])[0]).count();
    let share = rare as f32 / test.len() as f32;
    share.max(1.0 - share)
}

#[test]
fn labels_unrelated_to_the_graph_are_predicted_by_the_most_frequent_class_to_the_last_epoch() {
    let graph = unrelated(28, 5);
    let settings = Settings { labelled: 0.8, ..Settings::default() };
    let mut trainer = trainer(&graph, &settings);
    while !trainer.is_done() {
        trainer.step().unwrap();
    }
    let share = largest_share(&graph, &trainer.split().test);
    let accuracy = |trainer: &Trainer| {
        trainer.evaluate().unwrap().scalars.test_x.headline(LabelKind::One).unwrap()
    };
    assert!((accuracy(&trainer) - share).abs() < 1e-6, "{} of {share}", accuracy(&trainer));
    let mut state = trainer.state().unwrap();
    assert_eq!(state.values("rho.shrinkage"), Some(&[0.1][..]));
    assert!(state.falls_back(LabelKind::One));
    // The logits alone have learned the training labels by heart.
    for own in state.parameters.iter_mut().filter(|own| own.name == "rho.offset") {
        own.values.fill(0.0);
    }
    assert!(!state.falls_back(LabelKind::One));
    trainer.restore(&state).unwrap();
    assert!(accuracy(&trainer) < share - 0.05, "{} of {share}", accuracy(&trainer));
}

#[test]
fn a_state_with_classes_of_an_earlier_version_continues_in_either_stage() {
    let graph = unrelated(14, 5);
    let settings = Settings { epochs: 12, filter_epochs: 4, labelled: 0.8, ..small() };
    for epochs in [2, 7] {
        let mut own = trainer(&graph, &settings);
        (0..epochs).for_each(|_| drop(own.step().unwrap()));
        let whole = own.state().unwrap();
        let mut old = whole.clone();
        old.parameters.retain(|own| !own.name.ends_with("rho.shrinkage"));
        assert!(old.parameters.len() < whole.parameters.len());
        let mut other = trainer(&graph, &settings);
        other.restore(&old).unwrap();
        assert_eq!(other.state().unwrap(), whole, "epoch {epochs}");
    }
}

#[test]
fn logits_that_say_nothing_about_labels_shrink_even_if_they_beat_the_majority_by_chance() {
    let graph = unrelated(28, 2);
    let settings = Settings { labelled: 0.8, seed: 12, ..Settings::default() };
    let mut trainer = trainer(&graph, &settings);
    let mut score = 0.0;
    while let Some(own) = trainer.step().unwrap().scalars.withheld_score {
        score = own;
    }
    let share = largest_share(&graph, &trainer.split().train);
    let standard_error = 0.02;
    assert!(score > share + standard_error, "{score} of {share}");
    assert_eq!(trainer.state().unwrap().values("rho.shrinkage"), Some(&[0.1][..]));
}

#[test]
fn logits_that_say_a_little_about_labels_are_kept_whole_even_if_they_do_not_beat_the_majority() {
    let graph = hardly_related(800);
    let settings = Settings { labelled: 0.8, ..Settings::default() };
    let mut trainer = trainer(&graph, &settings);
    let mut score = 1.0;
    while let Some(own) = trainer.step().unwrap().scalars.withheld_score {
        score = own;
    }
    let share = largest_share(&graph, &trainer.split().train);
    let standard_error = 0.015;
    assert!(score < share + standard_error, "{score} of {share}");
    assert_eq!(trainer.state().unwrap().values("rho.shrinkage"), Some(&[1.0][..]));
}
