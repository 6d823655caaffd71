//! What is taken out of the explorer: clipboard, report, export, notifications; and
//! panes that can be made wider.

use std::time::Duration;

use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::{drawn, press, press_and_settle, running, settle};
use crate::train::{Event, Phase};
use crate::tui::glyphs::Glyphs;
use crate::tui::message::{Clip, Effect, Message};
use crate::tui::panes::Pane;
use crate::tui::update::update;

#[test]
fn contributors_and_screen_are_copied_as_text() {
    let mut state = running(Glyphs::Braille, 120);
    press_and_settle(&mut state, "v enter");
    let copied = |effects: &[Effect]| match effects {
        [Effect::Copy(Clip::Text(_, text))] => text.clone(),
        other => panic!("{other:?}"),
    };
    let table = copied(&press(&mut state, "Y"));
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("id\tname\tdistance"));
    assert!(lines.len() > 16 && lines.iter().all(|line| line.matches('\t').count() == 5));
    assert!(copied(&press(&mut state, "alt-y")).contains("karate club"));
    assert!(matches!(press(&mut state, "alt-s")[..], [Effect::Copy(Clip::StateLine)]));
}

#[test]
fn an_export_is_written_once_and_overwrites_nothing_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("tables");
    let mut state = running(Glyphs::Braille, 120);
    let write = |state: &mut crate::tui::state::State, typed: &str| {
        press(state, "alt-e ctrl-u");
        update(state, Message::Paste(typed.to_owned()));
        press_and_settle(state, "enter");
        let said = state.notices.shown().map(|own| own.text.clone()).unwrap_or_default();
        state.notices.dismiss();
        said
    };
    let path = place.to_str().unwrap();
    let said = write(&mut state, path);
    assert!(said.starts_with("saved: "), "{said}");
    let files = std::fs::read_dir(&place).unwrap().count();
    assert!(files >= 3, "{files}");
    let said = write(&mut state, path);
    assert!(said.contains("has files in it"), "{said}");
    let said = write(&mut state, &format!("{path}!"));
    assert!(said.starts_with("saved: "), "{said}");
}

#[test]
fn only_the_end_of_a_long_run_is_notified() {
    for (seconds, is_told) in [(3, false), (30, true)] {
        let mut state = running(Glyphs::Braille, 20);
        let phase = |phase| Message::News { events: vec![Event::Phase(phase)], snapshot: None };
        settle(&mut state, phase(Phase::Running));
        let later = state.now + Duration::from_secs(seconds);
        settle(&mut state, Message::Tick(later));
        let effects = update(&mut state, phase(Phase::Finished));
        let told = effects.iter().any(|effect| matches!(effect, Effect::Notify(_)));
        assert_eq!(told, is_told, "{seconds} s");
    }
}

#[test]
fn an_edge_can_be_dragged_and_keys_do_the_same() {
    let mut state = running(Glyphs::Braille, 120);
    drawn(&mut state, 120, 40);
    let (area, before) = state.hits.edge(Pane::Settings).unwrap();
    let edge = area.right() - before;
    let mouse = |state: &mut crate::tui::state::State, kind, column| {
        let event = MouseEvent { kind, column, row: 10, modifiers: KeyModifiers::NONE };
        update(state, Message::Mouse(event));
    };
    mouse(&mut state, MouseEventKind::Down(MouseButton::Left), edge);
    mouse(&mut state, MouseEventKind::Drag(MouseButton::Left), edge - 10);
    mouse(&mut state, MouseEventKind::Up(MouseButton::Left), edge - 10);
    drawn(&mut state, 120, 40);
    assert_eq!(state.hits.edge(Pane::Settings).unwrap().1, before + 10);
    mouse(&mut state, MouseEventKind::Drag(MouseButton::Left), edge - 20);
    drawn(&mut state, 120, 40);
    assert_eq!(state.hits.edge(Pane::Settings).unwrap().1, before + 10, "it was let go");
    press(&mut state, "ctrl-left");
    drawn(&mut state, 120, 40);
    assert_eq!(state.hits.edge(Pane::Settings).unwrap().1, before + 6);
    for size in [(80, 24), (76, 20), (300, 60)] {
        drawn(&mut state, size.0, size.1);
    }
}
