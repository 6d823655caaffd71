//! Lessons played by keys: the real update, the real command table, and a real
//! training thread that is waited for.

use super::{SIZES, assert_screens, drawn, fresh, press, tell};
use crate::graph::LoadOptions;
use crate::lab::lessons::{LESSONS, Lesson, parse};
use crate::model::settings::Settings;
use crate::tui::appearance::Appearance;
use crate::tui::colour::Depth;
use crate::tui::commands::Keymap;
use crate::tui::glyphs::Glyphs;
use crate::tui::launch::Launch;
use crate::tui::layers::Layer;
use crate::tui::learning::{begin, shelf};
use crate::tui::message::Effect;
use crate::tui::shot::Stage;
use crate::tui::state::{Screen, State};

fn launch() -> Launch {
    Launch {
        path: None,
        options: LoadOptions::default(),
        settings: Box::new(|_| Ok(Settings::default())),
        cache: || None,
        paused: true,
        described: None,
        screen: None,
        notify: false,
        look: Appearance::new("dark", Glyphs::Braille, Depth::True),
        keymap: Keymap::default(),
        speed: None,
        presets: None,
        record: None,
        replay: None,
        learn: None,
        projector: false,
        notice: None,
        hint: None,
    }
}

fn lesson(id: &str) -> Lesson {
    let built = LESSONS.iter().find(|built| built.id == id).unwrap();
    parse(built.text, id, &[]).unwrap()
}

/// A learner at the keyboard.
struct Learner<'a> {
    stage: Stage<'a>,
}

impl<'a> Learner<'a> {
    fn begin(launch: &'a Launch, id: &str) -> Self {
        Self { stage: Stage::of_lesson(launch, &lesson(id)).unwrap() }
    }

    fn press(&mut self, keys: &str) -> &mut Self {
        for key in keys.split_whitespace() {
            self.stage.press(key.parse().unwrap()).unwrap();
        }
        self
    }

    /// Types a line into the palette.
    fn say(&mut self, line: &str) -> &mut Self {
        self.press(":");
        for letter in line.chars() {
            let key = if letter == ' ' { "space".to_owned() } else { letter.to_string() };
            self.press(&key);
        }
        self.press("enter")
    }

    fn step(&self) -> Option<usize> {
        self.stage.state.learning.step().map(|(at, _)| at)
    }

    /// The task is not done, so the learner cannot continue.
    #[track_caller]
    fn is_kept(&mut self, step: usize) -> &mut Self {
        assert_eq!(self.step(), Some(step));
        assert!(!self.stage.state.learning.is_done(), "{:?}", self.stage.state.learning.asked());
        self.press("ctrl-n");
        assert_eq!(self.step(), Some(step), "one cannot go on before the task is done");
        self
    }

    /// The task is done, and the learner continues.
    #[track_caller]
    fn goes_on(&mut self, step: usize) -> &mut Self {
        assert_eq!(self.step(), Some(step));
        assert!(self.stage.state.learning.is_done(), "{:?}", self.stage.state.learning.asked());
        self.press("ctrl-n");
        assert_ne!(self.step(), Some(step));
        self
    }

    #[track_caller]
    fn has_finished(self, id: &str) {
        let state = self.stage.finish();
        assert!(state.learning.lesson().is_none());
        assert!(state.learning.progress.of(id).finished);
        assert!(matches!(state.layers.last(), Some(Layer::Lessons(_))), "the next is offered");
    }
}

#[test]
fn the_lesson_on_neighbourhoods_by_keys() {
    let launch = launch();
    let mut learner = Learner::begin(&launch, "neighbourhood");
    assert_eq!(learner.stage.state.screen, Screen::Node);
    learner.is_kept(0);
    // The second member has nine neighbours.
    learner.press("down").is_kept(0);
    learner.press("up").goes_on(0);
    learner.is_kept(1);
    // The twelfth has one.
    learner.press("down down down").is_kept(1);
    learner.press("down down down down down down down down").goes_on(1);
    learner.has_finished("neighbourhood");
}

#[test]
fn the_lesson_on_which_neighbours_count_by_keys() {
    let launch = launch();
    let mut learner = Learner::begin(&launch, "which-neighbours");
    // Without training it does not count.
    learner.press("down enter").is_kept(0);
    learner.press("1 0 0 enter").goes_on(0);
    learner.press("d").is_kept(1);
    learner.press("g").goes_on(1);
    learner.is_kept(2);
    learner.press("g g g g").is_kept(2);
    learner.press("d").goes_on(2);
    learner.has_finished("which-neighbours");
}

#[test]
fn the_lesson_on_overfitting_by_keys() {
    let launch = launch();
    let mut learner = Learner::begin(&launch, "overfit");
    learner.press("1 0 0 enter").is_kept(0);
    learner.press("1 0 0 enter").goes_on(0);
    // One loophole is closed, the other is not.
    learner.press("e right y esc 2 0 0 enter").is_kept(1);
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
    learner.press("enter right enter").is_kept(0);
    learner.press("enter right enter").goes_on(0);
    // Both women again.
    learner.press("enter right enter").is_kept(1);
    let across = "enter right right right right right right enter";
    learner.press(across).goes_on(1);
    // No card is in the wrong row.
    learner.press("r space").is_kept(2);
    learner.press(across).goes_on(2);
    learner.has_finished("types");
}

#[test]
fn the_lesson_on_sum_mean_and_max_by_keys() {
    let launch = launch();
    let mut learner = Learner::begin(&launch, "sum-mean-max");
    // The mean detects one more of a kind.
    learner.press("d").is_kept(0);
    learner.press("x D").goes_on(0);
    // An example pair does not count as the learner's.
    learner.press("p p p").is_kept(1);
    learner.press("r right up").is_kept(1);
    // The same set in another order.
    learner.press("right down").is_kept(1);
    learner.press("down right up").goes_on(1);
    learner.has_finished("sum-mean-max");
}

#[test]
fn the_lesson_on_the_theorem_by_keys() {
    let launch = launch();
    let mut learner = Learner::begin(&launch, "theorem");
    // Three sums are enough for three numbers.
    learner.is_kept(0);
    learner.press("- -").goes_on(0);
    // Four numbers need four sums.
    learner.press("a o = =").is_kept(1);
    learner.press("=").goes_on(1);
    learner.is_kept(2);
    learner.press("space").goes_on(2);
    learner.press("s S s").is_kept(3);
    learner.press("s").goes_on(3);
    learner.has_finished("theorem");
}

#[test]
fn the_lesson_on_reading_a_filter_by_keys() {
    let launch = launch();
    let mut learner = Learner::begin(&launch, "read-a-filter");
    // The ring is not the path.
    learner.press("g space").is_kept(0);
    learner.press("g g g").is_kept(0);
    learner.press("space").goes_on(0);
    // On the path no eigenvalue is repeated.
    learner.press("o o o o o o space").is_kept(1);
    learner.press("g space").goes_on(1);
    assert_eq!(learner.stage.state.screen, Screen::Filter);
    learner.press("5 0 enter left").is_kept(2);
    // One hop and two hops are other references.
    learner.press("r").is_kept(2);
    learner.press("r").is_kept(2);
    learner.press("r").goes_on(2);
    learner.has_finished("read-a-filter");
}

/// A lesson that asks for a choice, then for a number.
const ASKING: &str = r#"
id = "asking"
title = "Asking"
about = "Asks first."
graph = "karate"
[settings]
epochs = 20
[[step]]
title = "Choice"
text = "Text."
screen = "train"
ask = "Will the loss fall?"
choices = ["It rises", "It falls"]
answer = "It falls"
task = "Train for 10 epochs."
check = ["epochs_run >= 10"]
done = "Done."
[[step]]
title = "Number"
text = "Text."
screen = "train"
settings = { labelled = 0.2 }
ask = "How many epochs are trained?"
answer = "epoch"
within = 2
task = "Train for 10 epochs."
check = ["epoch >= 10"]
done = "Done."
"#;

#[test]
fn a_question_comes_before_the_task_and_the_answer_is_compared() {
    let launch = launch();
    let lesson = parse(ASKING, "asking.toml", &[]).unwrap();
    let mut learner = Learner { stage: Stage::of_lesson(&launch, &lesson).unwrap() };
    let asks = |learner: &Learner<'_>| learner.stage.state.learning.question().is_some();
    assert!(drawn(&mut learner.stage.state, 80, 24).contains("Will the loss fall?"));
    // Neither an empty answer, nor one that is no choice, nor leaving the prompt counts.
    for keys in ["ctrl-n enter", "9 enter", "1 esc", "ctrl-n ctrl-n", "enter", "space space"] {
        learner.press(keys);
        learner.stage.press("esc".parse().unwrap()).unwrap();
        assert!(asks(&learner) && learner.step() == Some(0), "{keys}");
        assert!(!learner.stage.state.learning.is_done(), "{keys}");
    }
    learner.press("1");
    assert!(drawn(&mut learner.stage.state, 80, 24).contains("It rises"));
    learner.press("enter").is_kept(0);
    learner.press("ctrl-r 1 0 enter");
    let text = drawn(&mut learner.stage.state, 120, 40);
    assert!(text.contains("You answered") && text.contains("it is"), "{text}");
    learner.goes_on(0);
    // The second step has a run of its own.
    assert_eq!(learner.stage.state.graph.session.at, 0);
    assert!((learner.stage.state.graph.session.settings.labelled - 0.2).abs() < 1e-9);
    learner.press("7 enter").is_kept(1);
    learner.press("1 0 enter");
    let told = learner.stage.state.learning.answered().unwrap().comparison.clone();
    assert_eq!(told, "You predicted 7, it is 10: 3 too low.");
    learner.goes_on(1);
    let standing = learner.stage.state.learning.progress.of("asking");
    let right: Vec<bool> = standing.answers.iter().map(|own| own.is_right).collect();
    assert_eq!(right, [false, false]);
    assert_eq!(standing.done.len(), 2);
    assert!(standing.done[1].keys.contains("7 enter ctrl-n 1 0 enter"), "{standing:?}");
    assert_eq!((standing.done[0].refused, standing.done[1].refused), (1, 1));
    assert!(standing.done[1].run.starts_with("gesf2 graph=sample:karate#"), "{standing:?}");
}

#[test]
fn stepping_back_restarts_the_step_and_a_left_lesson_resumes() {
    let launch = launch();
    let mut learner = Learner::begin(&launch, "shuffle");
    learner.press("space space space space space").goes_on(0);
    learner.press("ctrl-b");
    assert_eq!(learner.step(), Some(0));
    learner.is_kept(0);
    learner.press("ctrl-x");
    assert_eq!(learner.step(), None);
    // The list resumes it at the step after the completed one.
    learner.press("f8 down enter");
    assert_eq!(learner.step(), Some(1));
    learner.is_kept(1);
}

/// A synthetic run inside a lesson.
fn taking(id: &str, glyphs: Glyphs, epochs: usize) -> State {
    let mut state = fresh(glyphs);
    begin(&mut state, lesson(id));
    tell(&mut state, epochs);
    state
}

#[test]
fn the_lesson_panel() {
    let mut state = taking("overfit", Glyphs::Braille, 20);
    assert_screens("lesson_open", &mut state, &SIZES);
    // Commands the lesson does not need are not in the footer, but work.
    let text = drawn(&mut state, 120, 40);
    assert!(text.contains("ctrl-r restart") && !text.contains("presets"), "{text}");
    press(&mut state, "p");
    assert!(matches!(state.layers.last(), Some(Layer::Presets(_))));
    let mut state = taking("which-neighbours", Glyphs::Braille, 120);
    press(&mut state, "g ;");
    assert_screens("lesson_hidden", &mut state, &SIZES[..2]);
    let mut state = taking("read-a-filter", Glyphs::Braille, 20);
    assert_screens("lesson_in_the_lab", &mut state, &SIZES[..3]);
    let mut state = taking("shuffle", Glyphs::Braille, 20);
    let kept = press(&mut state, "space space space space space");
    assert!(kept.iter().any(|effect| matches!(effect, Effect::SaveProgress(_))));
    assert_screens("lesson_done", &mut state, &SIZES[..3]);
}

#[test]
fn the_lesson_list() {
    let mut state = fresh(Glyphs::Braille);
    tell(&mut state, 20);
    state.learning.progress.note("neighbourhood", 2, 2);
    state.learning.progress.note("theorem", 1, 4);
    shelf(&mut state, None);
    assert_screens("lessons", &mut state, &SIZES);
    let effects = press(&mut state, "down down down enter");
    assert!(matches!(&effects[..], [Effect::Learn(own), ..] if own.id == "theorem"));
    assert_eq!(state.learning.step().map(|(at, _)| at), Some(1));
}

#[test]
fn the_text_scrolls_within_its_limits() {
    let mut state = taking("overfit", Glyphs::Braille, 20);
    drawn(&mut state, 80, 24);
    press(&mut state, &"alt-down ".repeat(30));
    let end = state.learning.scroll;
    assert!(end > 0 && end < 30, "{end}");
    press(&mut state, &"alt-up ".repeat(30));
    assert_eq!(state.learning.scroll, 0);
}

#[test]
fn every_lesson_is_drawn_in_ascii_without_panicking() {
    for built in LESSONS {
        let mut state = taking(built.id, Glyphs::Ascii, 20);
        for (width, height) in [(40, 12), (80, 24), (120, 40), (41, 13), (116, 12), (300, 100)] {
            assert!(drawn(&mut state, width, height).is_ascii(), "{} {width}", built.id);
        }
    }
    let mut state = taking("overfit", Glyphs::Ascii, 20);
    shelf(&mut state, None);
    assert!(drawn(&mut state, 80, 24).is_ascii() && drawn(&mut state, 40, 12).is_ascii());
}

#[test]
fn lesson_keys_conflict_with_no_others() {
    use crate::tui::commands::{CommandScope, TABLE};
    let own = |name: &str, place| {
        place == CommandScope::Lesson || ["what-is-this", "projector"].contains(&name)
    };
    for command in TABLE.iter().filter(|command| own(command.name, command.place)) {
        for other in TABLE.iter().filter(|other| !own(other.name, other.place)) {
            let shared = command.keys.iter().find(|key| other.keys.contains(key));
            assert_eq!(shared, None, "{} and {}", command.name, other.name);
        }
    }
}
