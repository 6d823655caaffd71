//! Every lesson played through with the real experiments and real training, and
//! wrong actions that are not accepted.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use assert_cmd::Command;
use gesf_tui::graph::{Graph, LoadOptions, NodeId, load};
use gesf_tui::lab::filters::{PlantedFilter, Recovery, RecoveryOptions, SyntheticGraph};
use gesf_tui::lab::lessons::{
    DoneStep, Facts, LESSONS, LessonProgress, LessonStatus, Player, all, parse,
};
use gesf_tui::lab::theorem::{FitOptions, Study, Swapped, Theorem, TwoGroups};
use gesf_tui::lab::{Multisets, Shuffle, Side, Types, around, made_up};
use gesf_tui::model::PreparedGraph;
use gesf_tui::model::settings::{Settings, TABLE, set};
use gesf_tui::spectral::Cancel;
use gesf_tui::train::Trainer;

fn graph(name: &str) -> Graph {
    load(format!("sample_graphs/{name}").as_ref(), &LoadOptions::default()).unwrap().0
}

fn player(id: &str, facts: &Facts) -> Player {
    let built = LESSONS.iter().find(|built| built.id == id).unwrap();
    let mut player = Player::new(parse(built.text, id, &[]).unwrap(), 0, facts);
    player.answer("1", facts).unwrap();
    player
}

/// Continues if the step is done, and answers the next question.
fn advance(player: &mut Player, facts: &Facts) -> LessonStatus {
    let status = player.advance(facts);
    player.answer("1", facts).unwrap();
    status
}

/// The facts of a training run with the settings of a lesson.
fn trained(player: &Player, changes: &[(&str, &str)], epochs: usize, facts: &mut Facts) {
    let lesson = player.lesson();
    let graph = Arc::new(graph(&lesson.graph));
    let mut settings = Settings::default();
    let own = graph.manifest().settings.clone();
    for (key, value) in &own {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        set(&mut settings, key, &text).unwrap();
    }
    let pairs = lesson.settings.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    for (key, value) in pairs.chain(changes.iter().copied()) {
        set(&mut settings, key, value).unwrap();
    }
    let prepared =
        PreparedGraph::prepare(&graph, &settings, None, &Cancel::default(), &mut |_| {}).unwrap();
    let kind = graph.labels().kind();
    let mut trainer = Trainer::new(prepared, settings.clone()).unwrap();
    (0..epochs).for_each(|_| drop(trainer.step().unwrap()));
    let scalars = trainer.evaluate().unwrap().scalars;
    let seen = f64::from(scalars.train_x.headline(kind).unwrap());
    let held = f64::from(scalars.test_x.headline(kind).unwrap());
    facts.number("epoch", epochs as f64);
    facts.number("loss", f64::from(scalars.total));
    facts.number("train_accuracy", seen);
    facts.number("test_accuracy", held);
    facts.number("accuracy_gap", seen - held);
    for setting in TABLE {
        facts.setting(setting.key, &(setting.get)(&settings));
    }
}

#[test]
fn no_lesson_step_is_done_before_any_action() {
    for lesson in all().unwrap() {
        let steps = lesson.steps.len();
        let nothing = Facts::default();
        let mut player = Player::new(lesson, 0, &nothing);
        for step in 0..steps {
            player.go_to(step, &nothing);
            assert_eq!(player.advance(&nothing), LessonStatus::Open);
            assert_eq!(player.at(), step);
        }
    }
}

#[test]
fn the_lesson_on_neighbourhoods() {
    let mut facts = Facts::default();
    let mut player = player("neighbourhood", &facts);
    let graph = graph("karate");
    let open = |facts: &mut Facts, degree: &dyn Fn(usize) -> bool| {
        let node = graph.nodes().find(|node| degree(graph.degree(*node))).unwrap();
        facts.count("node_opened");
        facts.number("node_degree", graph.degree(node) as f64);
    };
    open(&mut facts, &|degree| degree == 2);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Open, "two neighbours are not many");
    open(&mut facts, &|degree| degree == 16);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Open, "the instructor has fewer");
    open(&mut facts, &|degree| degree == 17);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Done);
    open(&mut facts, &|degree| degree == 1);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Finished);
}

#[test]
fn the_lesson_on_shuffling() {
    let mut facts = Facts::default();
    let graph = graph("karate");
    let cards = around(&graph, NodeId(0), 1, 12, |node| made_up(1, node));
    let mut shuffle = Shuffle::new(cards, 1);
    let mut player = player("shuffle", &facts);
    for _ in 0..9 {
        shuffle.swap(0, 1);
    }
    shuffle.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Open, "swapping is not shuffling");
    for done in 1..=5 {
        shuffle.shuffle();
        shuffle.report(&mut facts);
        let expected = if done < 5 { LessonStatus::Open } else { LessonStatus::Done };
        assert_eq!(advance(&mut player, &facts), expected);
    }
    assert_eq!(
        advance(&mut player, &facts),
        LessonStatus::Open,
        "swaps of the first step do not count"
    );
    for _ in 0..3 {
        shuffle.swap(2, 4);
    }
    shuffle.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Finished);
}

#[test]
fn the_lesson_on_types() {
    let mut facts = Facts::default();
    let graph = graph("southern-women");
    let cards = around(&graph, NodeId(0), 2, 6, |node| made_up(1, node));
    let mut types = Types::new(graph.types().names().to_vec(), cards, 1);
    let mut player = player("types", &facts);
    types.swap(0, 1);
    types.swap(1, 2);
    types.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Open, "only women");
    types.swap(7, 8);
    types.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Done);
    types.swap(0, 2);
    types.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Open, "two women again");
    types.swap(0, 7);
    types.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Done);
    types.reset();
    types.ignore_types(true);
    types.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Open, "nobody stands in the wrong row");
    types.swap(0, 7);
    types.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Finished);
}

#[test]
fn the_lesson_on_sum_mean_and_max() {
    let mut facts = Facts::default();
    let mut sets = Multisets::new();
    let mut player = player("sum-mean-max", &facts);
    sets.duplicate(Side::Left, 0);
    sets.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Open, "the mean sees it");
    sets.remove(Side::Left, 3);
    sets.duplicate_all(Side::Left);
    sets.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Open, "twice is not three times");
    assert!((0..3).all(|at| sets.duplicate(Side::Left, at)));
    sets.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Done);
    sets.reset();
    sets.show_pair(2);
    sets.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Open, "the pair was not made by hand");
    sets.reset();
    sets.change(Side::Right, 0, 1);
    sets.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Open, "the sum tells");
    sets.change(Side::Right, 1, -1);
    sets.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Open, "2, 1, 3 is the same set again");
    sets.change(Side::Right, 1, -1);
    sets.change(Side::Right, 2, 1);
    sets.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Finished);
}

#[test]
fn the_lesson_on_the_theorem() {
    use gesf_tui::lab::theorem::SetTarget;
    let mut facts = Facts::default();
    let mut theorem = Theorem::default();
    let mut player = player("theorem", &facts);
    theorem.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Open, "another set");
    for (at, by) in [(0, 1.0), (1, -1.0), (2, 1.0)] {
        theorem.change(at, by);
    }
    theorem.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Done);
    assert_eq!(
        advance(&mut player, &facts),
        LessonStatus::Open,
        "three sums are enough for three numbers"
    );
    theorem.look_at(1);
    theorem.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Done);
    theorem.add(-2.0);
    theorem.choose(SetTarget::Median);
    theorem.look_at(3);
    theorem.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Open, "four numbers take four sums");
    theorem.look_at(4);
    theorem.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Done);
    let options = FitOptions { target: SetTarget::Median, sets: 128, ..FitOptions::default() };
    let mut study = Study::of_widths(options, &[1, 16]).unwrap();
    for _ in 0..600 {
        assert_eq!(advance(&mut player, &facts), LessonStatus::Open);
        study.step().unwrap();
    }
    study.report(&mut facts);
    assert_eq!(
        advance(&mut player, &facts),
        LessonStatus::Done,
        "{:?}",
        facts.text("fit_error_last")
    );
    let mut groups = TwoGroups::default();
    groups.swap(Swapped::First);
    groups.swap(Swapped::Across);
    groups.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Open);
    groups.change(0, 1);
    groups.change(3, -2);
    groups.report(&mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Finished);
}

#[test]
fn the_lesson_on_reading_a_filter() {
    let mut facts = Facts::default();
    let mut player = player("read-a-filter", &facts);
    let options = RecoveryOptions::default();
    let mut recovery = Recovery::on(SyntheticGraph::Star, PlantedFilter::Band, options).unwrap();
    let mut learn = |stage: SyntheticGraph, target, steps: usize, facts: &mut Facts| {
        recovery.move_to(stage.name(), stage.spectrum().unwrap()).unwrap();
        recovery.plant(target).unwrap();
        (0..steps).for_each(|_| recovery.step().unwrap());
        recovery.report(facts);
    };
    learn(SyntheticGraph::Path, PlantedFilter::High, 150, &mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Open, "the path is not the star");
    learn(SyntheticGraph::Star, PlantedFilter::High, 300, &mut facts);
    let between = facts.as_number("recovery_error_between").unwrap();
    assert!(between > 0.3, "the closing statement is true: {between}");
    assert_eq!(
        advance(&mut player, &facts),
        LessonStatus::Done,
        "{:?}",
        facts.text("recovery_error")
    );
    learn(SyntheticGraph::Path, PlantedFilter::EveryOther, 100, &mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Open, "on the path nothing is shared");
    learn(SyntheticGraph::Ring, PlantedFilter::EveryOther, 100, &mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Done);
    trained(&player, &[], 100, &mut facts);
    facts.number("stage", 2.0);
    facts.word("reference", "comb");
    facts.count("cursor_moved");
    assert_eq!(advance(&mut player, &facts), LessonStatus::Open, "another reference");
    facts.word("reference", "heat");
    assert_eq!(advance(&mut player, &facts), LessonStatus::Finished);
}

#[test]
fn the_lesson_on_overfitting() {
    let mut facts = Facts::default();
    let mut player = player("overfit", &facts);
    trained(&player, &[], 100, &mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Open, "100 epochs are not 200");
    trained(&player, &[], 200, &mut facts);
    let gap = facts.as_number("accuracy_gap").unwrap();
    let held = facts.as_number("test_accuracy").unwrap();
    assert_eq!(advance(&mut player, &facts), LessonStatus::Done, "{gap} {held}");
    trained(&player, &[("self_term", "drop")], 200, &mut facts);
    facts.count("restarts");
    assert_eq!(advance(&mut player, &facts), LessonStatus::Open, "one loophole is still open");
    let mended = [("self_term", "drop"), ("neighbour_gradient", "alternating")];
    trained(&player, &mended, 200, &mut facts);
    assert_eq!(advance(&mut player, &facts), LessonStatus::Finished);
    // The closing statement of the lesson is true.
    let better = facts.as_number("test_accuracy").unwrap();
    assert!(better > held + 0.03, "{held} before, {better} after");
    assert!(facts.as_number("train_accuracy").unwrap() > 0.9);
}

fn learn(folder: &std::path::Path) -> Command {
    let mut command = Command::cargo_bin("gesf-tui").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("NO_COLOR", "1").arg("learn");
    command.env("GESF_DATA_DIR", folder);
    command
}

#[test]
fn the_list_shows_the_saved_progress() {
    let folder = tempfile::tempdir().unwrap();
    let mut progress = LessonProgress::default();
    progress.note("shuffle", 2, 2);
    progress.note("theorem", 1, 5);
    progress.write(&folder.path().join("lessons.toml")).unwrap();
    for arguments in [&["--list"][..], &[]] {
        let output = learn(folder.path()).args(arguments).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && text.contains("1 of 11 done"), "{text}");
        assert!(text.contains("step 2 of 5") && text.contains("not started"), "{text}");
    }
}

#[test]
fn a_hand_in_is_written_and_a_class_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let class = folder.path().join("class");
    std::fs::create_dir(&class).unwrap();
    let output = learn(folder.path()).arg("--hand-in").arg(class.join("a.toml")).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && text.contains("no lesson was started"), "{text}");
    let mut progress = LessonProgress::default();
    progress.note("types", 1, 3);
    let keys = "2 enter enter right enter down enter right enter".to_owned();
    progress.note_done("types", DoneStep { step: 1, keys, refused: 3, ..DoneStep::default() });
    progress.write(&folder.path().join("lessons.toml")).unwrap();
    let hand_in = |name: &[&str], file: &str| {
        let path = class.join(file);
        let output = learn(folder.path()).arg("--hand-in").arg(path).args(name).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(hand_in(&[], "a.toml").contains("1 lessons, 1 steps, 0 answers"));
    hand_in(&["--name", "Ada"], "b.toml");
    let output = learn(folder.path()).arg("--hand-in").arg(class.join("a.toml")).output().unwrap();
    assert!(!output.status.success(), "an existing file stays");
    let shown = |more: &[&str]| {
        let output = learn(folder.path()).arg("--class").arg(&class).args(more).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let text = shown(&[]);
    let line = |step: &str| text.lines().find(|line| line.contains(step)).unwrap().to_owned();
    let numbers = |step: &str| {
        let line = line(step);
        line.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<u32>>()
    };
    assert!(text.contains("Class of 2") && line("2. Swaps").ends_with("Ada"), "{text}");
    assert_eq!((numbers("1. Swaps"), numbers("2. Swaps")), (vec![2, 0, 6], vec![0, 2, 0]));
    assert!(!line("1. Swaps").contains("Ada"), "{text}");
    assert!(shown(&["--replay"]).contains("1 steps confirmed"));
    std::fs::remove_file(class.join("a.toml")).unwrap();
    progress = LessonProgress::default();
    let keys = "2 enter enter right enter".to_owned();
    progress.note_done("types", DoneStep { step: 1, keys, ..DoneStep::default() });
    progress.write(&folder.path().join("lessons.toml")).unwrap();
    hand_in(&["--name", "Bo"], "a.toml");
    assert!(shown(&["--replay"]).contains("0 of 1 steps confirmed"));
}

#[test]
fn a_teachers_file_is_checked_with_line_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let shipped = std::fs::read_to_string("assets/lessons/shuffle.toml").unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, &shipped).unwrap();
    let output = learn(folder.path()).arg("--check").arg(&path).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("is valid"), "{text}");
    std::fs::write(&path, shipped.replace("\"karate\"", "\"my.gml\"")).unwrap();
    let output = learn(folder.path()).arg("--check").arg(&path).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("no graph at `my.gml`"), "{text}");
    let line = shipped.lines().position(|line| line.contains("shuffles >= 5")).unwrap() + 1;
    std::fs::write(&path, shipped.replace("shuffles >= 5", "shufles >= 5")).unwrap();
    let output = learn(folder.path()).arg("--check").arg(&path).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains(&format!("mine.toml, line {line}:")), "{text}");
    assert!(text.contains("did you mean `shuffles`?"), "{text}");
}
