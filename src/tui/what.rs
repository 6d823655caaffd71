//! "What is this?": what is in focus, and what there is to say about it and
//! about everything else on the screen.

use super::filter::FilterFacts;
use super::map::{ColourBy, LayoutKind};
use super::node::{Pane as NodePane, Slicing};
use super::run::{Figure, Pane, Part};
use super::state::{Plots, Screen, State};
use crate::explain::Filter as Shown;
use crate::lab::{Experiment, Explanation, Explanations};

/// Explanations of what is on the screen, the thing in focus first.
#[derive(Debug, Clone)]
pub struct What {
    /// What there is to say.
    pub topics: Vec<Explanation>,
    /// Which of them is shown.
    pub at: usize,
}

impl What {
    /// The explanations of what is on the screen now.
    pub fn here(state: &State) -> Self {
        let all = Explanations::built_in();
        let topics = topics(state).iter().filter_map(|key| all.of(key)).collect();
        Self { topics, at: 0 }
    }

    /// The one that is shown.
    pub fn shown(&self) -> Option<&Explanation> {
        self.topics.get(self.at)
    }
}

/// The key of what is in focus.
#[cfg(test)]
pub(super) fn focus_key(state: &State) -> String {
    topics(state).into_iter().next().unwrap_or_default()
}

/// The keys of everything shown, what is in focus first.
pub(super) fn topics(state: &State) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    let mut add = |key: &str| {
        if !keys.iter().any(|own| own == key) {
            keys.push(key.to_owned());
        }
    };
    let nothing = state.session.ready.is_none() && state.screen != Screen::Lab;
    if state.picker.is_some() || nothing {
        add("graph");
        return keys;
    }
    match state.screen {
        Screen::Train if state.in_settings() => {
            add(&format!("setting.{}", state.panel.setting().key));
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

fn train(state: &State, add: &mut dyn FnMut(&str)) {
    let run = &state.session.run;
    let score = match run.score_name() {
        "micro-F1" => "micro-f1",
        "R²" => "r2",
        _ => "accuracy",
    };
    let scored = run.of(Pane::Score).next().is_some();
    if state.curves.plots == Plots::Score && scored {
        add(score);
    }
    add("loss");
    for curve in &run.curves {
        add(match curve.figure {
            Figure::Total => "loss",
            Figure::Reconstruction(_) => "loss.reconstruction",
            Figure::Supervised => "loss.supervised",
            Figure::Penalty => "loss.penalty",
            Figure::WithheldLoss => "loss.withheld",
            Figure::Score(Part::TestX) => "accuracy.test-x",
            Figure::Score(Part::TestR) => "accuracy.test-r",
            Figure::Score(Part::TrainX) => "accuracy.train-x",
            Figure::Score(Part::TrainR) => "accuracy.train-r",
            Figure::Score(Part::WithheldR) => "accuracy.withheld",
            Figure::Score(Part::ValidationX) => "accuracy.validation",
        });
    }
    if scored {
        add(score);
    }
    add("best");
    if !run.marks.is_empty() {
        add("mark");
    }
    if !state.session.others.is_empty() {
        add("ghost");
        add("run");
    }
    if state.session.parting.is_some() {
        add("branch");
    }
    for key in ["loss.log", "smoothing"] {
        add(key);
    }
}

fn filter(state: &State, add: &mut dyn FnMut(&str)) {
    let cursor = state.filter.cursor.zip(state.facts.as_ref());
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
    add(if state.filter.frequency { "frequency" } else { "sigma" });
    if state.filter.reference > 0 {
        add("reference");
    }
    for key in ["dot", "density", "nothing-measured"] {
        add(key);
    }
    if state.filter.hops {
        add("hop-weights");
        add("hop-error");
    }
    for key in ["separation", "ghost", "P"] {
        add(key);
    }
}

fn node(state: &State, add: &mut dyn FnMut(&str)) {
    let view = &state.node;
    match view.pane {
        NodePane::List => {
            if matches!(view.list.query.filter, Shown::Wrong | Shown::ConfidentAndWrong) {
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
    if state.map.cursor.is_some() {
        add("node");
    }
    add(match state.map.layout {
        LayoutKind::Force => "map.force",
        LayoutKind::Spectral => "map.spectral",
        LayoutKind::Embedding => "map.pca",
    });
    add(match state.map.colour {
        ColourBy::Label | ColourBy::Prediction => "label",
        ColourBy::Error => "accuracy",
        ColourBy::Confidence => "confidence",
        ColourBy::Type => "by-type",
        ColourBy::Degree => "degree",
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
