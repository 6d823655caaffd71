//! The mouse does what keys do.

use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::{drawn, press, press_and_settle, running};
use crate::train::TrainingCommand;
use crate::tui::glyphs::Glyphs;
use crate::tui::message::{Effect, Message};
use crate::tui::state::{Focus, Screen, State};
use crate::tui::update::update;

fn at(state: &mut State, kind: MouseEventKind, column: u16, row: u16) -> Vec<Effect> {
    let event = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    update(state, Message::Mouse(event))
}

/// Clicks on the first position where a text is drawn.
fn click(state: &mut State, text: &str) -> Vec<Effect> {
    let screen = drawn(state, 120, 40);
    let (row, line) =
        screen.lines().enumerate().find(|(_, line)| line.contains(text)).expect("drawn");
    let column = line[..line.find(text).unwrap()].chars().count();
    at(state, MouseEventKind::Down(MouseButton::Left), column as u16, row as u16)
}

#[test]
fn a_click_on_a_box_of_the_overview_opens_its_screen() {
    let opened = |text: &str| {
        let mut state = running(Glyphs::Braille, 120);
        update(&mut state, Message::Resize(120, 40));
        press_and_settle(&mut state, "O");
        click(&mut state, text);
        state.screen
    };
    assert_eq!(opened("every node v has"), Screen::Map);
    assert_eq!(opened("hop weights"), Screen::Filter);
    assert_eq!(opened("what each distance"), Screen::Node);
    assert_eq!(opened("supervised"), Screen::Train, "the legend of a small plot is no button");
}

#[test]
fn tabs_hints_rows_and_lists_can_be_clicked() {
    let mut state = running(Glyphs::Braille, 120);
    click(&mut state, "Filter");
    assert_eq!(state.screen, Screen::Filter);
    click(&mut state, "Train");
    assert!(matches!(click(&mut state, "s step")[..], [Effect::Train(TrainingCommand::Step)]));
    click(&mut state, "filter rate");
    assert_eq!(
        (state.graph.focus, state.graph.panel.setting().key),
        (Focus::Settings, "filter_rate")
    );
    click(&mut state, "filter rate");
    assert!(state.graph.panel.typed.is_some(), "a second click types");
    press(&mut state, "esc p");
    click(&mut state, "paper");
    assert!(state.graph.panel.draft.is_some() && state.layers.is_empty());
}

#[test]
fn the_plot_cursor_follows_the_mouse_and_the_wheel_zooms() {
    let mut state = running(Glyphs::Braille, 120);
    drawn(&mut state, 120, 40);
    at(&mut state, MouseEventKind::Down(MouseButton::Left), 20, 10);
    assert!(state.graph.curves.cursor.is_some_and(|epoch| (30..80).contains(&epoch)));
    let before = state.in_view();
    at(&mut state, MouseEventKind::ScrollUp, 20, 10);
    let after = state.in_view();
    assert!(after.1 - after.0 < before.1 - before.0);
    at(&mut state, MouseEventKind::Drag(MouseButton::Left), 8, 10);
    assert!(state.graph.curves.cursor.is_some_and(|epoch| epoch < 30));
    press(&mut state, "?");
    drawn(&mut state, 120, 40);
    at(&mut state, MouseEventKind::Down(MouseButton::Left), 0, 0);
    assert!(state.layers.is_empty(), "a click outside closes");
}
