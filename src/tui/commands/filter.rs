//! Commands of the Filter screen.

use std::path::Path;

use super::{Command, CommandScope, Effects, always, command, none};
use crate::tui::filter::REFERENCES;
use crate::tui::jobs::Job;
use crate::tui::label_energy::EnergyOf;
use crate::tui::map::ColourBy;
use crate::tui::message::Effect;
use crate::tui::spectrum::eigenpairs;
use crate::tui::state::{Screen, State};

pub(super) const ROWS: &[Command] = &[
    command!(
        "axis",
        ["x"],
        "σ ↔ 1−σ",
        "Switch between the eigenvalue σ and the frequency 1 − σ.",
        Filter,
        always,
        axis
    ),
    command!(
        "reference",
        ["r"],
        "reference",
        "Show the next reference filter beside the learned one.",
        Filter,
        always,
        reference
    ),
    command!(
        "other-graph",
        ["z"],
        "",
        "Show the filter of the latest saved run of another graph; press again for the next.",
        Filter,
        always,
        other_graph
    ),
    command!(
        "label-energy",
        ["y"],
        "labels",
        "Show where the training labels have energy, the test labels, or neither.",
        Filter,
        always,
        energy
    ),
    command!(
        "map-eigenvector",
        ["enter"],
        "on the map",
        "Colour the map by the eigenvector under the cursor.",
        Filter,
        |state| state.graph.filter.cursor.is_some() && eigenpairs(state).is_some(),
        on_map
    ),
    command!("hops", ["c"], "hops", "Show or hide the hop weights.", Filter, always, hops),
];

fn axis(state: &mut State) -> Effects {
    state.graph.filter.frequency = !state.graph.filter.frequency;
    none()
}

fn reference(state: &mut State) -> Effects {
    state.graph.filter.reference = (state.graph.filter.reference + 1) % (REFERENCES.len() + 1);
    none()
}

fn other_graph(state: &mut State) -> Effects {
    let others = &mut state.graph.filter.other_graphs;
    if others.found.is_some() {
        others.choose_next();
        return none();
    }
    let shelf = state.graph.session.path.as_deref().and_then(Path::parent);
    let Some((shelf, all)) = shelf.and_then(|own| Some((own, own.parent()?))) else {
        state.notices.say("this run is not saved, so there is no folder of runs", state.now);
        return none();
    };
    vec![Effect::Ask(Job::GraphFilters(all.to_owned(), shelf.to_owned()))]
}

fn energy(state: &mut State) -> Effects {
    let energy = &mut state.graph.filter.energy;
    *energy = energy.next();
    let said = match energy {
        EnergyOf::Train => "energy of the training labels",
        EnergyOf::Test => "energy of the test labels: training never uses them",
        EnergyOf::Off => "energy of the labels hidden",
    };
    state.notices.say(said, state.now);
    none()
}

fn on_map(state: &mut State) -> Effects {
    state.graph.map.colour = ColourBy::Eigenvector;
    state.screen = Screen::Map;
    none()
}

fn hops(state: &mut State) -> Effects {
    state.graph.filter.hops = !state.graph.filter.hops;
    none()
}
