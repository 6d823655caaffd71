//! Moving between the steps of a lesson.

use super::demo::{Cues, first_alike};
use super::evidence::completed;
use super::facts::{collect, count};
use super::{Arrival, LessonView, LessonsState};
use crate::lab::Experiment;
use crate::lab::lessons::{self, Facts, Lesson, LessonStatus, Player};
use crate::model::settings::TABLE as SETTINGS;
use crate::tui::commands::go_to_screen;
use crate::tui::lab;
use crate::tui::layers::{Layer, LessonList};
use crate::tui::message::Effect;
use crate::tui::node::{NodePane, Slicing};
use crate::tui::state::{Focus, Screen, State};

/// Starts a lesson where it was left and opens its graph.
pub(in crate::tui) fn begin(state: &mut State, lesson: Lesson) -> Vec<Effect> {
    let standing = state.learning.progress.of(&lesson.id);
    let again = standing.finished || standing.steps >= lesson.steps.len();
    let step = if again { 0 } else { standing.steps };
    let nothing = Facts::default();
    let opened = lesson.for_step(step);
    state.learning = LessonsState {
        player: Some(Player::new(lesson, step, &nothing)),
        opened: Some(opened.clone()),
        progress: std::mem::take(&mut state.learning.progress),
        graph_is: Arrival::Awaited,
        ..LessonsState::default()
    };
    state.layers.clear();
    // Edits of an earlier lesson would complete a step.
    state.lab = None;
    // The screen setup waits until the graph is loaded.
    open_step(state);
    vec![Effect::Learn(Box::new(opened))]
}

/// Starts a bundled lesson by its id; if it is already open, shows its panel.
pub(in crate::tui) fn begin_named(state: &mut State, id: &str) -> Vec<Effect> {
    if state.learning.lesson().is_some_and(|own| own.id == id) {
        state.learning.shown = true;
        return Vec::new();
    }
    let built = lessons::find(id);
    match built.map(|built| lessons::parse(built.text, built.id, &[])) {
        Ok(Ok(lesson)) => begin(state, lesson),
        Ok(Err(error)) => {
            state.notices.fail(error.to_string());
            Vec::new()
        }
        Err(_) => Vec::new(),
    }
}

/// Enters a step: earlier actions do not count in it.
pub(in crate::tui) fn enter(state: &mut State, at: usize) -> Vec<Effect> {
    let Some(player) = &mut state.learning.player else { return Vec::new() };
    player.go_to(at, &state.learning.facts);
    let wanted = player.lesson().for_step(at);
    let mut effects = open_step(state);
    let learning = &mut state.learning;
    if learning.opened.as_ref().is_none_or(|own| !own.opens_as(&wanted)) {
        // The step is entered again once its graph is loaded.
        (learning.opened, learning.graph_is) = (Some(wanted.clone()), Arrival::Awaited);
        effects.push(Effect::Learn(Box::new(wanted)));
        return effects;
    }
    if state.learning.is_demo() {
        return effects;
    }
    // Facts may depend on what the step has opened.
    let facts = collect(state);
    if let Some(player) = &mut state.learning.player {
        player.go_to(at, &facts);
    }
    state.learning.facts = facts;
    effects
}

/// Shows what the step is about.
fn open_step(state: &mut State) -> Vec<Effect> {
    let learning = &mut state.learning;
    (learning.shown, learning.scroll, learning.done) = (true, 0, false);
    learning.answered = None;
    let Some((at, _)) = learning.step() else { return Vec::new() };
    if let Some(lesson) = learning.lesson().filter(|own| own.is_demo) {
        let cues = Cues::between(lesson, at, at);
        learning.cues = cues;
    }
    open_screen(state, at)
}

/// Opens the screen of a step, and what it is about.
pub(super) fn open_screen(state: &mut State, at: usize) -> Vec<Effect> {
    let steps = state.learning.lesson().map(|lesson| lesson.steps.as_slice());
    let Some(step) = steps.and_then(|steps| steps.get(at)) else { return Vec::new() };
    let (name, first) = (step.screen.clone(), step.controls.clone());
    let node = step.node.clone();
    let experiment = step.experiment.as_deref().and_then(Experiment::named);
    let effects = if let Some(screen) = Screen::named(&name) {
        go_to_screen(state, screen)
    } else {
        state.notices.say(format!("unknown screen: {name}"), state.now);
        Vec::new()
    };
    lab::settle(state);
    if let Some((lab, open)) = state.lab.as_mut().zip(experiment) {
        lab.open = open;
        state.lab_view.held = None;
        // The cursor starts at the numbers the step is about.
        if first.iter().any(|own| own == "swap-numbers") {
            state.lab_view.put_cursor(lab, lab.theorem.numbers().len());
        }
    }
    // A step about the same node goes on where the last one was.
    state.graph.node.slicing = Slicing::default();
    let ready = state.graph.session.ready.as_ref();
    let node = node.zip(ready).and_then(|(id, ready)| ready.prepared.graph.ids().find(&id));
    if node.is_none() || node != state.graph.chosen_node {
        state.graph.node.pane = NodePane::List;
        state.graph.chosen_node = node.or(state.graph.chosen_node);
    }
    state.graph.focus = Focus::Plot;
    let row = SETTINGS.iter().position(|setting| first.iter().any(|own| own == setting.key));
    state.graph.panel.row = row.unwrap_or(state.graph.panel.row);
    effects
}

/// Moves to the next step if the task is done; after the last, to the list.
pub(in crate::tui) fn go_on(state: &mut State) -> Vec<Effect> {
    let learning = &mut state.learning;
    let Some(player) = &learning.player else { return Vec::new() };
    if !learning.done {
        let open = player.asked(&learning.facts).into_iter().find(|line| !line.is_met);
        let missing = open.map_or(String::new(), |line| {
            format!("not done yet: {} (now {})", line.words, line.present)
        });
        learning.evidence.refused += 1;
        state.notices.say(missing, state.now);
        return Vec::new();
    }
    if learning.is_playing() {
        learning.cues.hurry();
        return Vec::new();
    }
    let (next, is_demo) = (player.at() + 1, player.lesson().is_demo);
    if next < player.lesson().steps.len() {
        return enter(state, next);
    }
    let title = player.lesson().title.clone();
    let id = player.lesson().id.clone();
    learning.player = None;
    if is_demo {
        state.notices.say(format!("end of the demo: {title}"), state.now);
        return Vec::new();
    }
    state.notices.say(format!("lesson completed: {title}"), state.now);
    shelf(state, Some(&id))
}

/// Returns to the previous step, which restarts.
pub(in crate::tui) fn go_back(state: &mut State) -> Vec<Effect> {
    let Some((at, _)) = state.learning.step() else { return Vec::new() };
    if let Some(before) = at.checked_sub(1) {
        if state.learning.is_demo() {
            // What the keys did is undone by starting again.
            (state.learning.opened, state.lab) = (None, None);
        }
        return enter(state, before);
    }
    state.notices.say("this is the first step", state.now);
    Vec::new()
}

/// Leaves the lesson; the graph stays open.
pub(in crate::tui) fn leave(state: &mut State) -> Vec<Effect> {
    state.learning.player = None;
    state.notices.say("left the lesson; f8 lists the lessons", state.now);
    Vec::new()
}

/// Closes the lesson without a message.
pub(in crate::tui) fn close(state: &mut State) {
    state.learning.player = None;
}

/// Shows the lessons; selects the one after `done`, or else the first unfinished one.
pub(in crate::tui) fn shelf(state: &mut State, done: Option<&str>) -> Vec<Effect> {
    let lessons = match lessons::all() {
        Ok(lessons) => lessons,
        Err(error) => {
            state.notices.fail(error.to_string());
            return Vec::new();
        }
    };
    let after = done.and_then(|id| lessons.iter().position(|own| own.id == id));
    let after = after.map(|at| (at + 1).min(lessons.len() - 1));
    let progress = &state.learning.progress;
    let open = lessons.iter().position(|own| !progress.of(&own.id).finished);
    let chosen = after.or(open).unwrap_or(0);
    state.layers.push(Layer::Lessons(LessonList { lessons, chosen }));
    Vec::new()
}

/// Checks the effects of an update.
pub(in crate::tui) fn watch(state: &mut State, before: &LessonView) -> Vec<Effect> {
    let commands = std::mem::take(&mut state.learning.commands);
    if state.learning.player.is_none() {
        return Vec::new();
    }
    count(state, before, &commands);
    let mut effects = Vec::new();
    if state.learning.graph_is == Arrival::New {
        state.learning.graph_is = Arrival::There;
        let at = state.learning.step().map_or(0, |(at, _)| at);
        effects = enter(state, at);
        if let Some(lesson) = state.learning.lesson().filter(|own| own.is_demo) {
            let cues = Cues::between(lesson, first_alike(lesson, at), at);
            state.learning.cues = cues;
        }
    }
    let facts = collect(state);
    let learning = &mut state.learning;
    let Some(player) = &mut learning.player else { return Vec::new() };
    let there = learning.graph_is == Arrival::There;
    let done = there && player.state(&facts) != LessonStatus::Open;
    let news = done && !learning.done;
    let (id, at, of) = (player.lesson().id.clone(), player.at() + 1, player.lesson().steps.len());
    learning.facts = facts;
    if !news {
        return effects;
    }
    if player.lesson().is_demo {
        learning.done = true;
        return effects;
    }
    (learning.done, learning.scroll) = (true, 0);
    learning.answered = player.answered(&learning.facts);
    learning.done_text =
        player.step().map(|step| learning.facts.fill(&step.done)).unwrap_or_default();
    let asked = player.asked(&learning.facts);
    learning.progress.note(&id, at, of);
    let completed = completed(state, at, &asked);
    let learning = &mut state.learning;
    learning.progress.note_done(&id, completed);
    if let Some(answered) = learning.answered.clone() {
        learning.progress.note_answer(&id, answered);
    }
    effects.push(Effect::SaveProgress(learning.progress.clone()));
    effects
}
