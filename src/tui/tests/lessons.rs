//! Lessons played by keys: the real update, the real command table, and a real
//! training thread that is waited for.

mod played;

use super::{SIZES, assert_screens, drawn, fresh, press, tell};
use crate::graph::LoadOptions;
use crate::lab::lessons::{Built, DEMOS, LESSONS, Lesson, parse};
use crate::model::settings::Settings;
use crate::tui::appearance::Appearance;
use crate::tui::colour::Depth;
use crate::tui::commands::Keymap;
use crate::tui::glyphs::Glyphs;
use crate::tui::graphics::GraphicsChoice;
use crate::tui::home::Home;
use crate::tui::launch::Launch;
use crate::tui::layers::Layer;
use crate::tui::learning::{begin, enter_step, shelf};
use crate::tui::message::Effect;
use crate::tui::shot::Stage;
use crate::tui::state::State;

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
        graphics: GraphicsChoice::Never,
        keymap: Keymap::default(),
        speed: None,
        presets: None,
        home: Home::of_user(),
        jobs: None,
        record: None,
        replay: None,
        learn: None,
        projector: false,
        notice: None,
        hint: None,
    }
}

fn lesson(id: &str) -> Lesson {
    lesson_of(LESSONS.iter().find(|built| built.id == id).unwrap())
}

fn lesson_of(built: &Built) -> Lesson {
    parse(built.text, built.id, &[]).unwrap()
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

    /// Puts the cursor of the lab somewhere.
    fn at(&mut self, place: usize) -> &mut Self {
        let state = &mut self.stage.state;
        if let Some(lab) = &state.lab {
            state.lab_view.put_cursor(lab, place);
        }
        self
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
fn no_step_is_done_when_it_is_entered_or_after_one_key() {
    let launch = launch();
    let keys = ["enter", "space", "D", "g"];
    for built in LESSONS.iter().filter(|built| !["how-far", "echo"].contains(&built.id)) {
        for key in keys {
            let mut learner = Learner::begin(&launch, built.id);
            assert!(!learner.stage.state.learning.is_done(), "{}", built.id);
            learner.press(key);
            assert!(!learner.stage.state.learning.is_done(), "{} {key}", built.id);
        }
    }
}

#[test]
fn demos_press_their_keys_go_on_and_go_back() {
    let launch = launch();
    for built in DEMOS {
        let demo = parse(built.text, built.id, &[]).unwrap();
        let mut learner = Learner { stage: Stage::of_lesson(&launch, &demo).unwrap() };
        for at in 0..demo.steps.len() {
            learner.stage.play_out().unwrap();
            assert_eq!(learner.step(), Some(at), "{}", built.id);
            assert!(learner.stage.state.layers.is_empty(), "{} {at}", built.id);
            let text = drawn(&mut learner.stage.state, 80, 24);
            assert!(text.contains(&demo.steps[at].title), "{text}");
            learner.press("ctrl-n");
        }
        assert_eq!(learner.step(), None, "{}", built.id);
    }
    let demo = parse(DEMOS[0].text, DEMOS[0].id, &[]).unwrap();
    let mut learner = Learner { stage: Stage::of_lesson(&launch, &demo).unwrap() };
    let shuffles =
        |learner: &Learner<'_>| learner.stage.state.lab.as_ref().unwrap().shuffle.shuffles();
    learner.stage.play_out().unwrap();
    learner.press("ctrl-n").stage.play_out().unwrap();
    assert_eq!(shuffles(&learner), 5);
    learner.press("ctrl-n").stage.play_out().unwrap();
    learner.press("ctrl-b").stage.play_out().unwrap();
    // The step was played once, from the start.
    assert_eq!((learner.step(), shuffles(&learner)), (Some(1), 5));
    assert!(learner.stage.state.learning.progress.of("set-functions").done.is_empty());
}

#[test]
fn every_question_and_task_fits_80_by_24() {
    let launch = launch();
    for built in LESSONS.iter().chain(&DEMOS) {
        let lesson = lesson_of(built);
        let mut learner = Learner { stage: Stage::of_lesson(&launch, &lesson).unwrap() };
        for (at, step) in lesson.steps.iter().enumerate() {
            enter_step(&mut learner.stage.state, at);
            let last = |text: &str| text.split_whitespace().last().unwrap_or_default().to_owned();
            if let Some(question) = &step.question {
                let shown = drawn(&mut learner.stage.state, 80, 24);
                assert!(shown.contains(&last(&question.ask)), "{} {at}\n{shown}", built.id);
                assert!(shown.contains("then enter"), "{} {at}\n{shown}", built.id);
                learner.press("1 enter");
            }
            let shown = drawn(&mut learner.stage.state, 80, 24);
            for line in learner.stage.state.learning.asked() {
                let start: String = line.words.chars().take(24).collect();
                assert!(shown.contains(&start), "{} {at} {start}\n{shown}", built.id);
            }
        }
    }
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
    learner.press("1 enter space space space space space").goes_on(0);
    learner.press("ctrl-b");
    assert_eq!(learner.step(), Some(0));
    assert!(learner.stage.state.learning.question().is_some(), "it is asked again");
    learner.press("2 enter").is_kept(0);
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
    assert_screens("lesson_question", &mut state, &SIZES);
    press(&mut state, "6 0 enter");
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
    press(&mut state, "2 enter");
    assert_screens("lesson_in_the_lab", &mut state, &SIZES[..3]);
    let mut state = taking("shuffle", Glyphs::Braille, 20);
    let kept = press(&mut state, "2 enter space space space space space");
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
