//! Labels that the graph says nothing about: predictions fall back to the class shares.

use super::*;

/// A torus whose nodes have one of two classes at random, one in so many the second.
fn unrelated(side: usize, one_in: u64) -> Arc<Graph> {
    let (mut nodes, mut edges) = (String::from("id\tlabels\n"), String::from("source\ttarget\n"));
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    for node in 0..side * side {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let class = if random.is_multiple_of(one_in) { "rare" } else { "frequent" };
        writeln!(nodes, "{node}\t{class}").unwrap();
        let (row, column) = (node / side, node % side);
        writeln!(edges, "{node}\t{}", (row + 1) % side * side + column).unwrap();
        writeln!(edges, "{node}\t{}", row * side + (column + 1) % side).unwrap();
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
