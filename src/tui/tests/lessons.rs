//! Lessons played by keys: the real update, the real table of commands, a real
//! training thread that is waited for.

use crate::graph::LoadOptions;
use crate::lab::lessons::{LESSONS, Lesson, parse};
use crate::model::settings::Settings;
use crate::tui::colour::Depth;
use crate::tui::commands::Keymap;
use crate::tui::glyphs::Glyphs;
use crate::tui::launch::Launch;
use crate::tui::layers::Layer;
use crate::tui::look::Look;
use crate::tui::shot::Stage;
use crate::tui::state::Screen;

fn launch() -> Launch {
    Launch {
        path: None,
        options: LoadOptions::default(),
        settings: Box::new(|_| Ok(Settings::default())),
        cache: || None,
        paused: true,
        plan: None,
        screen: Screen::default(),
        look: Look::new("dark", Glyphs::Braille, Depth::True),
        keymap: Keymap::default(),
        presets: None,
        record: None,
        replay: None,
        learn: None,
        projector: false,
    }
}

fn lesson(id: &str) -> Lesson {
    let built = LESSONS.iter().find(|built| built.id == id).unwrap();
    parse(built.text, id, &[]).unwrap()
}

/// A learner at the keys.
struct Learner<'a> {
    stage: Stage<'a>,
}

impl<'a> Learner<'a> {
    fn begin(launch: &'a Launch, id: &str) -> Self {
        Self { stage: Stage::of_lesson(launch, lesson(id)).unwrap() }
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

    /// The task is not done, and one cannot go on.
    #[track_caller]
    fn is_kept(&mut self, step: usize) -> &mut Self {
        assert_eq!(self.step(), Some(step));
        assert!(!self.stage.state.learning.is_done(), "{:?}", self.stage.state.learning.asked());
        self.press("ctrl-n");
        assert_eq!(self.step(), Some(step), "one cannot go on before the task is done");
        self
    }

    /// The task is done, and one goes on.
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
    // The second member knows nine others.
    learner.press("down").is_kept(0);
    learner.press("up").goes_on(0);
    learner.is_kept(1);
    // The twelfth knows one.
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
    learner.press("g g g").is_kept(2);
    learner.press("d").is_kept(2);
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
    learner.press("e right").say("balance 1").press("y 2 0 0 enter").is_kept(1);
    learner.say("neighbour_gradient alternating").is_kept(1);
    learner.press("y").is_kept(1);
    learner.press("2 0 0 enter").goes_on(1);
    learner.has_finished("overfit");
}
