//! Every built-in lesson played by keys: wrong answers and keys do not complete a
//! step, and what the lesson states is true.

use super::{Learner, launch};
use crate::tui::state::Screen;

#[test]
fn the_lesson_on_neighbourhoods_by_keys() {
    let launch = launch();
    let mut learner = Learner::begin(&launch, "neighbourhood");
    assert_eq!(learner.stage.state.screen, Screen::Map);
    // Other members have fewer neighbours.
    learner.press("enter ctrl-n").press("esc 9 enter").is_kept(0);
    learner.press("right enter").is_kept(0);
    learner.press("m / 3 3 enter enter").goes_on(0);
    assert_eq!(learner.stage.state.screen, Screen::Node);
    learner.press("enter down up").is_kept(1);
    learner.press("esc home").is_kept(1);
    // The twelfth has one.
    learner.press(&"down ".repeat(11)).goes_on(1);
    learner.has_finished("neighbourhood");
}

#[test]
fn the_lesson_on_which_neighbours_count_by_keys() {
    let launch = launch();
    let mut learner = Learner::begin(&launch, "which-neighbours");
    // Without training it does not count.
    learner.press("1 enter enter").is_kept(0);
    learner.press("1 0 0 enter").is_kept(0);
    learner.press("1 0 0 enter").goes_on(0);
    let model = &learner.stage.state.learning.progress.of("which-neighbours").answers[0];
    assert_eq!((model.came_out.as_str(), model.is_right), ("Officer", false));
    learner.press("6 0 enter d u").is_kept(1);
    learner.press("g").goes_on(1);
    let told = learner.stage.state.learning.progress.of("which-neighbours").answers[1].clone();
    assert!(told.is_right && told.given == "0.6", "{told:?}");
    // Excluding an opponent makes the prediction more certain.
    learner.press("1 enter d").is_kept(2);
    // The strongest supporter alone does not decide.
    learner.press("u r home d").is_kept(2);
    learner.press("down d down d").goes_on(2);
    learner.has_finished("which-neighbours");
}

#[test]
fn the_lesson_on_overfitting_by_keys() {
    let launch = launch();
    let mut learner = Learner::begin(&launch, "overfit");
    learner.press("6 0 enter 1 0 0 enter").is_kept(0);
    learner.press("1 0 0 enter").goes_on(0);
    // One loophole is closed, the other is not.
    learner.press("3 enter e right y esc 2 0 0 enter").is_kept(1);
    learner.say("neighbour_gradient alternating").is_kept(1);
    learner.press("ctrl-r").is_kept(1);
    learner.press("2 0 0 enter").goes_on(1);
    learner.has_finished("overfit");
}

#[test]
fn the_lesson_on_shuffling_by_keys() {
    let launch = launch();
    let mut learner = Learner::begin(&launch, "shuffle");
    assert_eq!(learner.stage.state.screen, Screen::Lab);
    // What was done before the answer does not count.
    learner.press("space space space space space 4 enter").is_kept(0);
    // Swapping is not shuffling.
    for _ in 0..6 {
        learner.press("enter right enter");
    }
    learner.is_kept(0);
    learner.press("space space space space").is_kept(0);
    learner.press("space").goes_on(0);
    learner.press("space space space").is_kept(1);
    learner.press("enter right enter enter right enter").is_kept(1);
    learner.press("enter right enter").goes_on(1);
    learner.has_finished("shuffle");
}

#[test]
fn the_lesson_on_types_by_keys() {
    let launch = launch();
    let mut learner = Learner::begin(&launch, "types");
    // Women only.
    learner.press("2 enter enter right enter enter right enter").is_kept(0);
    // Six cards are in each row.
    let row = "right ".repeat(6);
    learner.press(&row).press("enter right enter").goes_on(0);
    // Both women again.
    learner.press("1 enter").at(0).press("enter right enter").is_kept(1);
    let across = format!("enter {row} enter");
    learner.press(&across).goes_on(1);
    // No card is in the wrong row.
    learner.press("1 enter r space").at(0).is_kept(2);
    learner.press(&across).goes_on(2);
    learner.has_finished("types");
}

#[test]
fn the_lesson_on_sum_mean_and_max_by_keys() {
    let launch = launch();
    let mut learner = Learner::begin(&launch, "sum-mean-max");
    // Everything twice is not three times.
    learner.press("1 enter D").is_kept(0);
    // The mean detects one more of a kind.
    learner.at(0).press("d").is_kept(0);
    learner.at(1).press("d").at(2).press("d").goes_on(0);
    // An example pair does not count as the learner's.
    learner.press("p p p").is_kept(1);
    learner.press("r").at(3).press("up").is_kept(1);
    // The same set in another order.
    learner.press("right down").is_kept(1);
    learner.press("down right up").goes_on(1);
    learner.has_finished("sum-mean-max");
}

#[test]
fn the_lesson_on_the_theorem_by_keys() {
    let launch = launch();
    let mut learner = Learner::begin(&launch, "theorem");
    // In the lab a digit opens an experiment, but a question comes first.
    learner.press("3 enter up up right down down").is_kept(0);
    learner.press("right up up").goes_on(0);
    // Three sums are enough for three numbers.
    learner.press("2 enter").is_kept(1);
    learner.press("-").goes_on(1);
    // Four numbers need four sums.
    learner.press("a o =").is_kept(2);
    learner.press("=").goes_on(2);
    assert_eq!(learner.stage.state.lab.as_ref().unwrap().theorem.sums(), 4);
    learner.press("1 enter").is_kept(3);
    learner.press("space").goes_on(3);
    let state = &learner.stage.state;
    assert!(state.learning.progress.of("theorem").answers[2].came_out == "16");
    learner.press("1 enter s S s").is_kept(4);
    learner.press("s").goes_on(4);
    learner.has_finished("theorem");
}

#[test]
fn the_lesson_on_reading_a_filter_by_keys() {
    let launch = launch();
    let mut learner = Learner::begin(&launch, "read-a-filter");
    // The preselected filter and graph do not count.
    learner.press("1 enter space").is_kept(0);
    learner.press("o space").is_kept(0);
    learner.press("g g space").goes_on(0);
    // On the star the operator is another one.
    learner.press("1 enter o o o o o space").is_kept(1);
    learner.press("g g g space").goes_on(1);
    assert_eq!(learner.stage.state.screen, Screen::Filter);
    learner.press("0 . 3 enter 9 9 enter left r r r").is_kept(2);
    learner.press("1 enter").goes_on(2);
    let alpha = &learner.stage.state.learning.progress.of("read-a-filter").answers[2];
    assert!(alpha.came_out.starts_with("0.1") || alpha.came_out.starts_with("0.09"), "{alpha:?}");
    learner.has_finished("read-a-filter");
}

#[test]
fn the_lesson_on_how_far_it_looks_by_keys() {
    let launch = launch();
    let mut learner = Learner::begin(&launch, "how-far");
    let answers = |learner: &Learner<'_>| {
        let answers = learner.stage.state.learning.progress.of("how-far").answers;
        answers.last().map(|own| (own.came_out.clone(), own.is_right)).unwrap()
    };
    learner.press("9 0 enter 1 4 0 enter").is_kept(0);
    learner.press("1 0 enter").goes_on(0);
    assert!(answers(&learner).1, "{:?}", answers(&learner));
    assert_eq!(learner.stage.state.learning.graph, "cora");
    // The statements of the lesson are true.
    let fact = |learner: &Learner<'_>, name: &str| learner.stage.state.learning.fact(name);
    learner.press("3 enter 1 5 0 enter");
    assert!(fact(&learner, "main_hop") >= Some(3.0) && fact(&learner, "far_weight") > Some(0.7));
    learner.goes_on(1);
    learner.press("1 enter 1 5 0 enter");
    assert_eq!(fact(&learner, "main_hop"), Some(2.0));
    learner.goes_on(2);
    learner.press("1 enter 1 5 0 enter");
    assert!(fact(&learner, "hop1_weight") > Some(0.9));
    learner.goes_on(3);
    learner.has_finished("how-far");
}

#[test]
fn the_lesson_on_friends_and_opposites_by_keys() {
    let launch = launch();
    let mut learner = Learner::begin(&launch, "friends-or-opposites");
    learner.press("3 enter 1 5 0 enter").is_kept(0);
    learner.press("home").is_kept(0);
    learner.press("end").goes_on(0);
    learner.press("3 enter 4 5 0 enter end").is_kept(1);
    let fact = |learner: &Learner<'_>, name: &str| learner.stage.state.learning.fact(name);
    assert!(
        fact(&learner, "test_accuracy") > Some(0.95) && fact(&learner, "hop1_weight") > Some(0.9)
    );
    learner.press("home").goes_on(1);
    learner.press("9 7 enter 4 5 0 enter");
    assert!(fact(&learner, "test_accuracy") < Some(0.7));
    learner.goes_on(2);
    learner.has_finished("friends-or-opposites");
}

#[test]
fn the_lesson_on_the_echo_by_keys() {
    let launch = launch();
    let mut learner = Learner::begin(&launch, "echo");
    let fact = |learner: &Learner<'_>, name: &str| learner.stage.state.learning.fact(name).unwrap();
    learner.press("8 0 enter 1 0 0 enter").is_kept(0);
    learner.press("5 0 enter");
    assert!(fact(&learner, "train_accuracy_r") > 0.97 && fact(&learner, "test_accuracy_r") < 0.6);
    learner.goes_on(0);
    learner.press("0 . 7 enter 1 0 0 enter");
    let early = fact(&learner, "test_accuracy_r");
    learner.is_kept(1);
    learner.press("2 0 0 enter");
    let (train, test) = (fact(&learner, "train_accuracy_r"), fact(&learner, "test_accuracy_r"));
    assert!(fact(&learner, "hop1_weight") > 0.7 && early > test && train > test + 0.1);
    learner.goes_on(1);
    learner.press("1 enter 3 0 0 enter");
    assert!(fact(&learner, "train_accuracy_r") < train && fact(&learner, "test_accuracy_r") > test);
    learner.goes_on(2);
    learner.has_finished("echo");
}
