//! The Overview screen: what it shows, where it leads, and where it does not fit.

use super::{assert_screens, drawn, press, press_and_settle, running, settle};
use crate::graph::NodeId;
use crate::tui::glyphs::Glyphs;
use crate::tui::message::Message;
use crate::tui::overview::OverviewBox;
use crate::tui::state::{Screen, State};
use std::sync::Arc;

/// A state on the Overview screen of a terminal.
fn overview(glyphs: Glyphs, (columns, rows): (u16, u16)) -> State {
    let mut state = running(glyphs, 120);
    settle(&mut state, Message::Resize(columns, rows));
    press_and_settle(&mut state, "O");
    state
}

#[test]
fn the_overview_screen() {
    for (name, glyphs) in [("braille", Glyphs::Braille), ("ascii", Glyphs::Ascii)] {
        for size in [(120, 24), (120, 40), (200, 60)] {
            let mut state = overview(glyphs, size);
            assert_screens(&format!("overview_{name}"), &mut state, &[size]);
            let is_ascii = drawn(&mut state, size.0, size.1).is_ascii();
            assert_eq!(is_ascii, glyphs == Glyphs::Ascii);
        }
    }
}

#[test]
fn every_box_opens_its_screen() {
    let screens = [
        Screen::Map,
        Screen::Lab,
        Screen::Filter,
        Screen::Lab,
        Screen::Runs,
        Screen::Node,
        Screen::Node,
        Screen::Node,
        Screen::Train,
        Screen::Train,
    ];
    for (steps, screen) in screens.into_iter().enumerate() {
        let mut state = overview(Glyphs::Braille, (120, 40));
        press(&mut state, &"right ".repeat(steps));
        assert_eq!(state.graph.overview, OverviewBox::ALL[steps]);
        press(&mut state, "enter");
        assert_eq!(state.screen, screen);
    }
}

#[test]
fn the_node_in_focus_is_explained_and_can_be_changed() {
    let mut state = overview(Glyphs::Braille, (120, 40));
    assert!(drawn(&mut state, 120, 40).contains("Mr. Hi"));
    press_and_settle(&mut state, "up");
    assert_eq!(state.graph.chosen_node, Some(NodeId(33)));
    assert!(drawn(&mut state, 120, 40).contains("John A."));
    press_and_settle(&mut state, "/ M r . enter");
    assert_eq!(state.graph.chosen_node, Some(NodeId(0)));
    press_and_settle(&mut state, "v");
    assert!(state.graph.node.list.listing.is_some(), "the list of the Node screen is loaded");
}

#[test]
fn the_prediction_box_says_that_predictions_fall_back_to_class_priors() {
    let mut state = overview(Glyphs::Braille, (120, 40));
    assert!(!drawn(&mut state, 120, 40).contains("priors"));
    let mut snapshot = state.graph.session.snapshot.as_deref().unwrap().clone();
    let offset = snapshot.state.parameters.iter_mut().find(|own| own.name == "rho.offset");
    offset.unwrap().values.fill(-1.0);
    state.graph.session.snapshot = Some(Arc::new(snapshot));
    assert!(drawn(&mut state, 120, 40).contains("priors"));
}

#[test]
fn below_120_columns_the_overview_folds_into_the_train_screen() {
    let mut state = overview(Glyphs::Braille, (120, 40));
    assert_eq!(state.screen, Screen::Overview);
    settle(&mut state, Message::Resize(119, 40));
    assert_eq!(state.screen, Screen::Train);
    press(&mut state, "O");
    assert_eq!(state.screen, Screen::Train);
    assert!(drawn(&mut state, 119, 40).contains("the overview needs 120 columns"));
    press(&mut state, "shift-tab");
    assert_eq!(state.screen, Screen::Runs, "the previous screen skips it");
}

#[test]
fn no_size_panics_even_where_it_is_too_narrow() {
    let mut state = overview(Glyphs::Braille, (120, 40));
    for width in [1, 39, 40, 41, 60, 80, 119, 120, 150, 169, 170, 300] {
        for height in [1, 11, 12, 13, 17, 18, 21, 24, 31, 35, 100] {
            drawn(&mut state, width, height);
        }
    }
}
