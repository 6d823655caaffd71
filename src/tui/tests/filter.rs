//! The Filter screen: settings beside the filter, the energy of the labels, the map by
//! an eigenvector, and other runs to compare with.

use std::sync::Arc;

use super::{assert_screens, drawn, press, press_and_settle, ready, running, settle};
use crate::graph::LoadOptions;
use crate::spectral::Cancel;
use crate::train::run::{Record, RunFolder, RunLabel};
use crate::train::{Band, Event, Scalars, Snapshot};
use crate::tui::filter::BINS;
use crate::tui::glyphs::Glyphs;
use crate::tui::label_energy::{EnergyOf, LabelEnergy};
use crate::tui::map::{ColourBy, NodeMark};
use crate::tui::message::Message;
use crate::tui::state::Screen;
use crate::tui::tests::scalars;

#[test]
fn the_settings_open_beside_the_filter_and_its_keys_are_in_the_footer() {
    let mut state = running(Glyphs::Braille, 120);
    press_and_settle(&mut state, "f");
    let footer = |text: &str| text.lines().last().unwrap_or_default().to_owned();
    let hints = footer(&drawn(&mut state, 120, 40));
    for hint in ["reference", "labels", "hops", "cursor"] {
        assert!(hints.contains(hint), "{hints}");
    }
    press(&mut state, "e");
    assert_eq!(state.screen, Screen::Filter);
    assert!(state.in_settings());
    assert_screens("filter_settings", &mut state, &[(80, 24), (120, 40)]);
    press(&mut state, "esc");
    assert!(!state.in_settings());
    press(&mut state, "e t");
    assert!(!state.in_settings(), "another screen starts at its plot");
}

#[test]
fn the_legend_stays_when_there_is_a_cursor() {
    let mut state = running(Glyphs::Braille, 120);
    press_and_settle(&mut state, "f left left");
    let text = drawn(&mut state, 120, 40);
    assert!(text.contains("learned ρ") && text.contains("σ 0."), "{text}");
}

#[test]
fn labels_that_neighbours_share_have_their_energy_at_the_smooth_end() {
    let (ready, _) = super::ready();
    let found = LabelEnergy::of(&ready, &Cancel::default()).unwrap();
    for bins in [found.bins(EnergyOf::Train), found.bins(EnergyOf::Test)] {
        assert_eq!(bins.len(), BINS);
        let centre = |at: usize| 2.0 * (at as f64 + 0.5) / BINS as f64 - 1.0;
        let total: f64 = bins.iter().sum();
        let mean: f64 = bins.iter().enumerate().map(|(at, own)| own * centre(at)).sum();
        assert!(mean / total > 0.4, "{}", mean / total);
    }
    assert!(found.bins(EnergyOf::Off).is_empty());
}

#[test]
fn the_energy_of_the_test_labels_is_shown_on_request_and_named() {
    let mut state = running(Glyphs::Braille, 120);
    press_and_settle(&mut state, "f");
    assert!(drawn(&mut state, 120, 40).contains("training labels' energy"));
    press_and_settle(&mut state, "y");
    state.notices.dismiss();
    assert!(drawn(&mut state, 120, 40).contains("test labels (not trained on)"));
    press_and_settle(&mut state, "y");
    assert!(!drawn(&mut state, 120, 40).contains("labels' energy"));
}

#[test]
fn the_map_can_be_coloured_by_the_eigenvector_under_the_cursor_and_by_distance() {
    let mut state = running(Glyphs::Braille, 120);
    press_and_settle(&mut state, "m C");
    assert_ne!(state.graph.map.colour, ColourBy::Eigenvector, "there is no cursor");
    press_and_settle(&mut state, "f left left enter");
    assert_eq!((state.screen, state.graph.map.colour), (Screen::Map, ColourBy::Eigenvector));
    let signed = |mark: NodeMark| matches!(mark, NodeMark::Signed(_));
    assert!(state.graph.map.paint.entries.iter().all(|entry| signed(entry.mark)));
    assert_screens("map_eigenvector", &mut state, &[(120, 40)]);
    press_and_settle(&mut state, "v v m c");
    assert_eq!(state.graph.map.colour, ColourBy::Distance);
    let counts: Vec<usize> = state.graph.map.paint.entries.iter().map(|own| own.count).collect();
    assert_eq!(counts[..2], [1, 16], "the instructor has 16 neighbours");
}

#[test]
fn hop_weights_show_their_way_and_a_repetition_its_band() {
    let mut state = running(Glyphs::Braille, 0);
    let weights = |epoch: usize| {
        let far = epoch as f32 / 240.0;
        vec![0.6 - far, 0.4 + far]
    };
    let events = (0..120)
        .map(|epoch| Event::Epoch(Scalars { hop_weights: weights(epoch), ..scalars(epoch) }));
    let (_, snapshot) = super::ready();
    let own = Scalars { hop_weights: weights(119), ..snapshot.scalars.clone() };
    let snapshot = Snapshot { scalars: own, ..snapshot.as_ref().clone() };
    let news = Message::News { events: events.collect(), snapshot: Some(Arc::new(snapshot)) };
    settle(&mut state, news);
    let line: Vec<Scalars> = (0..120).map(scalars).collect();
    let filter = |slope: f32| Snapshot::grid().iter().map(|s| slope * s).collect::<Vec<f32>>();
    let filters = vec![filter(0.4), filter(0.6)];
    let band = Band { seeds: 2, mean: line.clone(), low: line.clone(), high: line, filters };
    settle(&mut state, Message::Repeated(Ok(Arc::new(band))));
    let other = state.graph.session.others.last().unwrap();
    assert!((other.response(1.0).unwrap() - 0.5).abs() < 1e-6);
    press_and_settle(&mut state, "f");
    assert_screens("filter_history", &mut state, &[(120, 40), (200, 60)]);
}

#[test]
fn the_filter_of_another_graph_is_shown_with_its_hop_weights() {
    let runs = tempfile::tempdir().unwrap();
    let (ready, _) = ready();
    let graph = &ready.prepared.graph;
    for (name, weights) in [("cora", vec![0.1, 0.9]), ("lesmis", vec![0.7, 0.3])] {
        let path = format!("somewhere/{name}");
        let record = Record::of(path.as_ref(), graph, &LoadOptions::default(), &ready.settings);
        let shelf = runs.path().join(format!("{name}-0123"));
        std::fs::create_dir_all(&shelf).unwrap();
        let mut folder = RunFolder::create(&shelf.join("1"), &record).unwrap();
        let last = Scalars { hop_weights: weights, ..scalars(0) };
        folder.append(&last).unwrap();
        folder.close();
    }
    let mut state = running(Glyphs::Braille, 120);
    press_and_settle(&mut state, "f z");
    assert!(drawn(&mut state, 160, 40).contains("this run is not saved"));
    let own = runs.path().join("karate-4567").join("1");
    let saved = Event::Saved(own, RunLabel::default());
    settle(&mut state, Message::News { events: vec![saved], snapshot: None });
    press_and_settle(&mut state, "z");
    let text = drawn(&mut state, 160, 40);
    assert!(text.contains("cora (epoch 1, α 0.10 0.90)"), "{text}");
    let shown = state.graph.filter.other_graphs.shown().unwrap();
    assert!((shown.response(0.5) - (0.1 * 0.5 + 0.9 * 0.25)).abs() < 1e-6);
    press_and_settle(&mut state, "z");
    assert!(drawn(&mut state, 160, 40).contains("lesmis (epoch 1"));
    press_and_settle(&mut state, "z");
    assert_eq!(state.graph.filter.other_graphs.shown(), None);
}
