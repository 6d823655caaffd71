//! What the commands do to the state.

use std::path::PathBuf;

use crate::model::settings::{SettingError, Settings, set};
use crate::train::Command as Order;
use crate::tui::changes::change;
use crate::tui::filter::{FilterFacts, REFERENCES};
use crate::tui::layers::{Layer, Prompt, Search};
use crate::tui::line::Line;
use crate::tui::message::Effect;
use crate::tui::panel::{Stride, stepped};
use crate::tui::picker::Picker;
use crate::tui::state::{Focus, Plots, Screen, State};
use crate::tui::widgets::Spread;

type Effects = Vec<Effect>;

fn none() -> Effects {
    Vec::new()
}

fn train(order: Order) -> Effects {
    vec![Effect::Train(order)]
}

pub(super) fn in_settings(state: &State) -> bool {
    state.screen == Screen::Train && state.focus == Focus::Settings
}

pub(super) fn pause(_: &mut State) -> Effects {
    train(Order::Pause)
}

pub(super) fn resume(state: &mut State) -> Effects {
    if state.session.run.epochs >= state.session.settings.epochs {
        let text = "all epochs are done: raise `epochs`, or run more with n";
        state.notices.say(text, state.now);
        return none();
    }
    train(Order::Resume)
}

pub(super) fn step(_: &mut State) -> Effects {
    train(Order::Step)
}

pub(super) fn restart(state: &mut State) -> Effects {
    state.notices.say("starting anew", state.now);
    train(Order::Restart)
}

pub(super) fn ask_epochs(state: &mut State) -> Effects {
    state.layers.push(Layer::Prompt(Prompt::Epochs, Line::default()));
    none()
}

pub(super) fn ask_preset_name(state: &mut State) -> Effects {
    state.layers.push(Layer::Prompt(Prompt::PresetName, Line::default()));
    none()
}

pub(super) fn ask_picture(state: &mut State) -> Effects {
    let name = state.session.title.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "-");
    let screen = Screen::ALL.iter().find(|(own, _)| *own == state.screen).map_or("", |(_, n)| n);
    let line = Line::new(&format!("{name}-{}.svg", screen.to_lowercase()));
    state.layers.push(Layer::Prompt(Prompt::Picture, line));
    none()
}

fn step_setting(state: &mut State, up: bool, stride: Stride) -> Effects {
    let setting = state.panel.setting();
    let stepped = stepped(state.shown_settings(), setting, up, stride);
    take(state, stepped)
}

fn take(state: &mut State, settings: Result<Settings, SettingError>) -> Effects {
    match settings {
        Ok(settings) => change(state, settings),
        Err(error) => {
            state.notices.fail(error.to_string());
            none()
        }
    }
}

pub(super) fn more(state: &mut State) -> Effects {
    step_setting(state, true, Stride::Usual)
}

pub(super) fn less(state: &mut State) -> Effects {
    step_setting(state, false, Stride::Usual)
}

pub(super) fn finely_more(state: &mut State) -> Effects {
    step_setting(state, true, Stride::Fine)
}

pub(super) fn finely_less(state: &mut State) -> Effects {
    step_setting(state, false, Stride::Fine)
}

pub(super) fn far_more(state: &mut State) -> Effects {
    step_setting(state, true, Stride::Coarse)
}

pub(super) fn far_less(state: &mut State) -> Effects {
    step_setting(state, false, Stride::Coarse)
}

pub(super) fn type_value(state: &mut State) -> Effects {
    let value = (state.panel.setting().get)(state.shown_settings());
    state.panel.typed = Some(Line::new(&value));
    none()
}

fn go_setting(state: &mut State, by: isize) -> Effects {
    state.panel.go(by);
    none()
}

pub(super) fn next_setting(state: &mut State) -> Effects {
    go_setting(state, 1)
}

pub(super) fn previous_setting(state: &mut State) -> Effects {
    go_setting(state, -1)
}

pub(super) fn next_settings(state: &mut State) -> Effects {
    go_setting(state, 8)
}

pub(super) fn previous_settings(state: &mut State) -> Effects {
    go_setting(state, -8)
}

pub(super) fn first_setting(state: &mut State) -> Effects {
    go_setting(state, -1000)
}

pub(super) fn last_setting(state: &mut State) -> Effects {
    go_setting(state, 1000)
}

pub(super) fn explain(state: &mut State) -> Effects {
    state.panel.explained = !state.panel.explained;
    none()
}

pub(super) fn reset(state: &mut State) -> Effects {
    let setting = state.panel.setting();
    let mut settings = state.shown_settings().clone();
    let result = set(&mut settings, setting.key, &(setting.get)(&state.home));
    take(state, result.map(|()| settings))
}

pub(super) fn reset_all(state: &mut State) -> Effects {
    change(state, state.home.clone())
}

pub(super) fn undo(state: &mut State) -> Effects {
    let Some(settings) = state.panel.undo.pop() else { return none() };
    let kept = state.panel.undo.len();
    let effects = change(state, settings);
    state.panel.undo.truncate(kept);
    effects
}

pub(super) fn apply_draft(state: &mut State) -> Effects {
    let Some(draft) = state.panel.draft.take() else { return none() };
    state.panel.undo.push(state.session.settings.clone());
    train(Order::Set(Box::new(draft)))
}

pub(super) fn drop_draft(state: &mut State) -> Effects {
    state.panel.draft = None;
    state.panel.typed = None;
    none()
}

pub(super) fn presets(state: &mut State) -> Effects {
    state.layers.push(Layer::Presets(0));
    none()
}

pub(super) fn settings(state: &mut State) -> Effects {
    state.screen = Screen::Train;
    state.focus = Focus::Settings;
    none()
}

pub(super) fn back(state: &mut State) -> Effects {
    state.focus = Focus::Plot;
    none()
}

pub(super) fn has_cursor(state: &State) -> bool {
    match state.screen {
        Screen::Train => state.curves.cursor.is_some(),
        Screen::Filter => state.filter.cursor.is_some(),
    }
}

pub(super) fn no_cursor(state: &mut State) -> Effects {
    match state.screen {
        Screen::Train => state.curves.cursor = None,
        Screen::Filter => state.filter.cursor = None,
    }
    none()
}

/// Moves the cursor by shares of the view, at least by one step.
fn move_cursor(state: &mut State, right: bool, share: f64) -> Effects {
    match state.screen {
        Screen::Train => {
            let (from, to) = state.in_view();
            let last = state.session.run.epochs.saturating_sub(1);
            let by = ((to - from) * share).round().max(1.0) as isize;
            let start = state.curves.cursor.unwrap_or(last);
            let moved = start.saturating_add_signed(if right { by } else { -by });
            state.curves.cursor = Some(moved.min(last));
        }
        Screen::Filter => {
            let Some(facts) = &state.facts else { return none() };
            let last = facts.values.len().saturating_sub(1);
            let by = (((last + 1) as f64) * share).round().max(1.0) as isize;
            // On the axis of frequencies, right is towards lower σ.
            let up = right != state.filter.frequency;
            let start = state.filter.cursor.unwrap_or(last);
            let moved = start.saturating_add_signed(if up { by } else { -by });
            state.filter.cursor = (!facts.values.is_empty()).then_some(moved.min(last));
        }
    }
    none()
}

pub(super) fn cursor_right(state: &mut State) -> Effects {
    let share = if state.screen == Screen::Train { 0.01 } else { 0.0 };
    move_cursor(state, true, share)
}

pub(super) fn cursor_left(state: &mut State) -> Effects {
    let share = if state.screen == Screen::Train { 0.01 } else { 0.0 };
    move_cursor(state, false, share)
}

pub(super) fn cursor_far_right(state: &mut State) -> Effects {
    move_cursor(state, true, 0.1)
}

pub(super) fn cursor_far_left(state: &mut State) -> Effects {
    move_cursor(state, false, 0.1)
}

pub(super) fn cursor_first(state: &mut State) -> Effects {
    move_cursor(state, false, 1e6)
}

pub(super) fn cursor_last(state: &mut State) -> Effects {
    move_cursor(state, true, 1e6)
}

/// Narrows or widens the view around a value; the cursor's, or the middle.
pub(in crate::tui) fn zoom(state: &mut State, factor: f64, around: Option<f64>) {
    let scaled = |(from, to): (f64, f64), around: f64, whole: (f64, f64), least: f64| {
        let width = ((to - from) * factor).max(least);
        let share = ((around - from) / (to - from)).clamp(0.0, 1.0);
        let width = width.min(whole.1 - whole.0);
        let start = (around - share * width).clamp(whole.0, whole.1 - width);
        (start, start + width)
    };
    match state.screen {
        Screen::Train => {
            let (view, whole) = (state.in_view(), state.whole());
            let cursor = state.curves.cursor.map(|epoch| epoch as f64);
            let around = around.or(cursor).unwrap_or(f64::midpoint(view.0, view.1));
            let next = scaled(view, around, whole, 8.0);
            state.curves.window = (next.1 - next.0 < whole.1 - whole.0 - 0.5).then_some(next);
        }
        Screen::Filter => {
            let view = state.filter.window;
            let cursor = state.filter.cursor.zip(state.facts.as_ref());
            let cursor = cursor.and_then(|(at, facts)| Some(facts.values.get(at)?.s));
            let around = around.or(cursor).unwrap_or(f64::midpoint(view.0, view.1));
            state.filter.window = scaled(view, around, (-1.0, 1.0), 0.002);
        }
    }
}

pub(super) fn zoom_in(state: &mut State) -> Effects {
    zoom(state, 0.6, None);
    none()
}

pub(super) fn zoom_out(state: &mut State) -> Effects {
    zoom(state, 1.0 / 0.6, None);
    none()
}

fn pan(state: &mut State, right: bool) -> Effects {
    let moved = |(from, to): (f64, f64), whole: (f64, f64), right: bool| {
        let by = (to - from) * if right { 0.25 } else { -0.25 };
        let start = (from + by).clamp(whole.0, (whole.1 - (to - from)).max(whole.0));
        (start, start + to - from)
    };
    match state.screen {
        Screen::Train => {
            let whole = state.whole();
            state.curves.window = state.curves.window.map(|view| moved(view, whole, right));
        }
        Screen::Filter => {
            let right = right != state.filter.frequency;
            state.filter.window = moved(state.filter.window, (-1.0, 1.0), right);
        }
    }
    none()
}

pub(super) fn pan_left(state: &mut State) -> Effects {
    pan(state, false)
}

pub(super) fn pan_right(state: &mut State) -> Effects {
    pan(state, true)
}

pub(super) fn fit(state: &mut State) -> Effects {
    match state.screen {
        Screen::Train => {
            if state.curves.window.take().is_none() {
                state.curves.so_far = !state.curves.so_far;
            }
        }
        Screen::Filter => {
            let ends = state.facts.as_ref().map_or((-1.0, 1.0), FilterFacts::ends);
            let room = 0.03 * (ends.1 - ends.0);
            let tight = ((ends.0 - room).max(-1.0), (ends.1 + room).min(1.0));
            let whole = (-1.0, 1.0);
            state.filter.window = if state.filter.window == whole { tight } else { whole };
        }
    }
    none()
}

pub(super) fn ghosts(state: &mut State) -> Effects {
    let ghosts = match state.screen {
        Screen::Train => &mut state.curves.ghosts,
        Screen::Filter => &mut state.filter.ghosts,
    };
    *ghosts = !*ghosts;
    none()
}

pub(super) fn log_axis(state: &mut State) -> Effects {
    let spread = &mut state.curves.spread;
    *spread = if *spread == Spread::Log { Spread::Linear } else { Spread::Log };
    none()
}

pub(super) fn smooth(state: &mut State) -> Effects {
    state.curves.smoothing = (state.curves.smoothing + 1) % 4;
    let how = ["not", "a little", "more", "much"][state.curves.smoothing];
    state.notices.say(format!("smoothed: {how}"), state.now);
    none()
}

pub(super) fn other_plot(state: &mut State) -> Effects {
    state.curves.plots = match state.curves.plots {
        Plots::Both => Plots::Loss,
        Plots::Loss => Plots::Score,
        Plots::Score => Plots::Both,
    };
    none()
}

pub(super) fn axis(state: &mut State) -> Effects {
    state.filter.frequency = !state.filter.frequency;
    none()
}

pub(super) fn reference(state: &mut State) -> Effects {
    state.filter.reference = (state.filter.reference + 1) % (REFERENCES.len() + 1);
    none()
}

pub(super) fn hops(state: &mut State) -> Effects {
    state.filter.hops = !state.filter.hops;
    none()
}

pub(super) fn train_screen(state: &mut State) -> Effects {
    state.screen = Screen::Train;
    none()
}

pub(super) fn filter_screen(state: &mut State) -> Effects {
    state.screen = Screen::Filter;
    none()
}

pub(super) fn next_screen(state: &mut State) -> Effects {
    state.screen = state.screen.turned(1);
    none()
}

pub(super) fn previous_screen(state: &mut State) -> Effects {
    state.screen = state.screen.turned(-1);
    none()
}

pub(super) fn palette(state: &mut State) -> Effects {
    state.layers.push(Layer::Palette(Search::default()));
    none()
}

pub(super) fn help(state: &mut State) -> Effects {
    state.layers.push(Layer::Help(Search::default()));
    none()
}

pub(super) fn open_graph(state: &mut State) -> Effects {
    state.picker = Some(Picker::find());
    none()
}

pub(super) fn theme(state: &mut State) -> Effects {
    state.look = state.look.with_next_theme();
    state.notices.say(format!("theme: {}", state.look.theme.name), state.now);
    none()
}

pub(super) fn glyphs(state: &mut State) -> Effects {
    state.look = state.look.with_next_glyphs();
    state.notices.say(format!("glyphs: {}", state.look.glyphs.name()), state.now);
    none()
}

pub(super) fn dismiss(state: &mut State) -> Effects {
    state.notices.dismiss();
    none()
}

pub(super) fn redraw(_: &mut State) -> Effects {
    vec![Effect::Redraw]
}

pub(super) fn suspend(_: &mut State) -> Effects {
    vec![Effect::Suspend]
}

pub(super) fn quit(_: &mut State) -> Effects {
    vec![Effect::Quit]
}

/// Opens a graph that was chosen.
pub(in crate::tui) fn open(path: PathBuf) -> Effects {
    vec![Effect::Open(path)]
}
