//! "What is this?": help topics for the focused item and everything else on the
//! screen.

use super::filter::FilterFacts;
use super::label_energy::EnergyOf;
use super::map::{ColourBy, LayoutKind};
use super::node::{NodePane, Slicing};
use super::overview::OverviewBox;
use super::run::{CurveKind, PlotPane, ScoredOn};
use super::state::{Plots, Screen, State};
use crate::explain::NodeFilter;
use crate::lab::{Experiment, HelpTopic, HelpTopics};

/// Help topics for the current screen, the focused item first.
#[derive(Debug, Clone)]
pub struct What {
    /// The topics.
    pub topics: Vec<HelpTopic>,
    /// The index of the one shown.
    pub at: usize,
}

impl What {
    /// The topics for the current screen.
    pub fn here(state: &State) -> Self {
        let all = HelpTopics::built_in();
        let topics = topics(state).iter().filter_map(|key| all.of(key)).collect();
        Self { topics, at: 0 }
    }

    /// The topic shown.
    pub fn shown(&self) -> Option<&HelpTopic> {
        self.topics.get(self.at)
    }
}

/// The key of the focused item.
#[cfg(test)]
pub(super) fn focus_key(state: &State) -> String {
    topics(state).into_iter().next().unwrap_or_default()
}

/// The keys of all visible items, the focused one first.
pub(super) fn topics(state: &State) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    let mut add = |key: &str| {
        if !keys.iter().any(|own| own == key) {
            keys.push(key.to_owned());
        }
    };
    let nothing = state.graph.session.ready.is_none() && state.screen != Screen::Lab;
    if state.picker.is_some() || nothing {
        add("graph");
        return keys;
    }
    match state.screen {
        Screen::Overview => overview(state, &mut add),
        _ if state.in_settings() => {
            add(&format!("setting.{}", state.graph.panel.setting().key));
        }
        Screen::Train => train(state, &mut add),
        Screen::Filter => filter(state, &mut add),
        Screen::Node => node(state, &mut add),
        Screen::Lab => lab(state, &mut add),
        Screen::Map => map(state, &mut add),
        Screen::Runs => runs(&mut add),
    }
    if state.learning.lesson().is_some() {
        add("lesson");
    }
    for key in ["epoch", "speed", "split", "seed", "graph"] {
        add(key);
    }
    keys
}

fn overview(state: &State, add: &mut dyn FnMut(&str)) {
    add(match state.graph.overview {
        OverviewBox::Graph => "map",
        OverviewBox::Message => "psi",
        OverviewBox::Filter => "hop-weights",
        OverviewBox::Combine => "phi",
        OverviewBox::Prediction | OverviewBox::Score => "accuracy",
        OverviewBox::Neighbours => "contribution",
        OverviewBox::Hops => "hop-ring",
        OverviewBox::Outcome => "distribution",
        OverviewBox::Loss => "loss",
    });
    let others = ["map", "psi", "hop-weights", "rho", "phi", "x", "R", "label", "contribution"];
    for key in others.into_iter().chain(["hop-ring", "distribution", "loss", "accuracy"]) {
        add(key);
    }
}

fn train(state: &State, add: &mut dyn FnMut(&str)) {
    let run = &state.graph.session.run;
    let score = match run.score_name() {
        "micro-F1" => "micro-f1",
        "R²" => "r2",
        _ => "accuracy",
    };
    let scored = run.of(PlotPane::Score).next().is_some();
    if state.graph.curves.plots == Plots::Score && scored {
        add(score);
    }
    add("loss");
    for curve in &run.curves {
        add(match curve.figure {
            CurveKind::Total => "loss",
            CurveKind::Reconstruction(_) => "loss.reconstruction",
            CurveKind::Supervised => "loss.supervised",
            CurveKind::Penalty => "loss.penalty",
            CurveKind::WithheldLoss => "loss.withheld",
            CurveKind::WithheldLossOfMean => "loss.withheld-mean",
            CurveKind::Score(ScoredOn::TestX) => "accuracy.test-x",
            CurveKind::Score(ScoredOn::TestR) => "accuracy.test-r",
            CurveKind::Score(ScoredOn::TrainX) => "accuracy.train-x",
            CurveKind::Score(ScoredOn::TrainR) => "accuracy.train-r",
            CurveKind::Score(ScoredOn::WithheldR) => "accuracy.withheld",
            CurveKind::Score(ScoredOn::ValidationX) => "accuracy.validation",
        });
    }
    if scored {
        add(score);
    }
    add("best");
    if !run.marks.is_empty() {
        add("mark");
    }
    if !state.graph.session.others.is_empty() {
        add("ghost");
        add("run");
    }
    if state.graph.session.parting.is_some() {
        add("branch");
    }
    for key in ["loss.log", "smoothing"] {
        add(key);
    }
}

fn filter(state: &State, add: &mut dyn FnMut(&str)) {
    let cursor = state.graph.filter.cursor.zip(state.graph.facts.as_ref());
    let value = cursor.and_then(|(at, facts): (usize, &FilterFacts)| facts.values.get(at));
    if let Some(value) = value {
        add("cursor");
        if value.count > 1 {
            add("multiplicity");
        }
        add("separation");
        add("residual");
    }
    add("rho");
    add(if state.graph.filter.frequency { "frequency" } else { "sigma" });
    if state.graph.filter.reference > 0 {
        add("reference");
    }
    if state.graph.filter.energy != EnergyOf::Off {
        add("label-energy");
    }
    for key in ["dot", "density", "nothing-measured"] {
        add(key);
    }
    if state.graph.filter.hops {
        add("hop-weights");
        add("hop-error");
    }
    for key in ["separation", "ghost", "P"] {
        add(key);
    }
}

fn node(state: &State, add: &mut dyn FnMut(&str)) {
    let view = &state.graph.node;
    match view.pane {
        NodePane::List => {
            if matches!(view.list.query.filter, NodeFilter::Wrong | NodeFilter::ConfidentAndWrong) {
                add("wrong-and-confident");
            }
            add("node");
            add("degree");
        }
        NodePane::Facts => add("distribution"),
        NodePane::Table => add(match view.slicing {
            Slicing::Neighbour => "contribution",
            Slicing::Ring => "hop-ring",
            Slicing::Walk => "hop-weights",
            Slicing::Type => "by-type",
            Slicing::Label => "by-class",
        }),
        NodePane::Ego => add("ego"),
        NodePane::Faithfulness => add("faithfulness"),
    }
    for key in ["contribution", "contribution.weight", "leave-one-out", "completeness"] {
        add(key);
    }
    for key in ["distribution", "confidence", "label", "x", "R", "psi", "phi", "ego", "node"] {
        add(key);
    }
    for key in ["wrong-and-confident", "hop-ring", "faithfulness"] {
        add(key);
    }
}

fn lab(state: &State, add: &mut dyn FnMut(&str)) {
    let open = state.lab.as_ref().map_or_else(Experiment::default, |lab| lab.open);
    let numbers = state.lab.as_ref().map_or(0, |lab| lab.theorem.numbers().len());
    let cursor = state.lab.as_ref().map_or(0, |lab| state.lab_view.cursor(lab));
    let keys: &[&str] = match open {
        Experiment::Shuffle => &[
            "lab.set-function",
            "lab.card",
            "lab.exact-sum",
            "lab.rounded-sum",
            "lab.concatenation",
            "lab.recurrent",
            "lab.largest",
        ],
        Experiment::Types => &["lab.types", "lab.merged", "lab.card", "lab.set-function"],
        Experiment::Aggregators => {
            &["lab.sum", "lab.mean", "lab.max", "lab.psi", "lab.one-hot", "psi"]
        }
        // The numbers of the polynomial come after those of the set.
        Experiment::Theorem if cursor >= numbers => &["lab.two-groups", "lab.power-sums"],
        Experiment::Theorem => &[
            "lab.power-sums",
            "lab.newton",
            "lab.recovered-error",
            "lab.fit",
            "lab.fit-error",
            "lab.two-groups",
            "phi",
        ],
        Experiment::Filters => &[
            "lab.planted",
            "lab.learners",
            "lab.error-at",
            "lab.error-between",
            "lab.floor",
            "sigma",
        ],
    };
    for key in keys {
        add(key);
    }
    add("lab");
}

fn map(state: &State, add: &mut dyn FnMut(&str)) {
    if state.graph.map.cursor.is_some() {
        add("node");
    }
    add(match state.graph.map.layout {
        LayoutKind::Force => "map.force",
        LayoutKind::Spectral => "map.spectral",
        LayoutKind::Embedding => "map.pca",
    });
    add(match state.graph.map.colour {
        ColourBy::Label | ColourBy::Prediction => "label",
        ColourBy::Error => "accuracy",
        ColourBy::Confidence => "confidence",
        ColourBy::Type => "by-type",
        ColourBy::Degree => "degree",
        ColourBy::Eigenvector => "cursor",
        ColourBy::Distance => "hop-ring",
    });
    for key in ["map", "homophily", "wrong-and-confident", "x"] {
        add(key);
    }
}

fn runs(add: &mut dyn FnMut(&str)) {
    for key in ["run", "branch", "confusion", "best", "macro-f1", "micro-f1"] {
        add(key);
    }
}
