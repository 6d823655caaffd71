//! `evaluate --filters`: fixed filters and the learned one on the same splits. The
//! regret is the score of the best fixed filter minus that of the learned one: a
//! model that always learns the right filter has none.

use std::fmt::Write as _;

use anyhow::{anyhow, bail};
use serde_json::json;

use super::{GraphPlan, Plan, table};
use crate::cli::paint::{FAINT, HEADING, TITLE, styled};
use crate::graph::{Graph, LabelKind};
use crate::model::settings::{FilterShape, Settings, keys, set};
use crate::train::{FilterStage, Scalars, Split, mean_and_deviation, mean_and_interval};

/// The name for the learned filter.
pub(super) const LEARNED: &str = "learned";

/// The runs of one filter at one training share, by seed.
struct Trial {
    filter: String,
    runs: Vec<Scalars>,
    scores: Vec<f64>,
}

/// All filters at one training share.
struct Share {
    share: f64,
    trials: Vec<Trial>,
}

/// All filters on a graph.
pub(super) struct Comparison<'a> {
    graph: &'a GraphPlan,
    metric: &'static str,
    shares: Vec<Share>,
}

/// The learned filter compared with the best fixed one.
struct Regret<'a> {
    best: &'a Trial,
    mean: f64,
    /// Half-width of the 95 % interval of the paired difference; `None` for one seed.
    half: Option<f64>,
}

/// Settings for a filter by name. A fixed filter trains for as long as the second
/// stage of the learned one.
pub(super) fn settings_for(
    filter: &str,
    settings: &Settings,
    stage: usize,
) -> anyhow::Result<Settings> {
    let mut own = settings.clone();
    if filter == LEARNED {
        if !own.filter.is_learned() {
            own.filter = FilterShape::Hops;
        }
        return Ok(own);
    }
    set(&mut own, keys::FILTER, filter)?;
    if !own.filter.is_learned() {
        own.epochs -= stage;
    }
    Ok(own)
}

/// An error unless there is something to compare the learned filter with.
pub(super) fn check(filters: &[String]) -> anyhow::Result<()> {
    let compares = filters.iter().any(|filter| filter == LEARNED) && filters.len() >= 2;
    if !filters.is_empty() && !compares {
        bail!("--filters: expected `{LEARNED}` and at least one other filter");
    }
    Ok(())
}

/// The length of the first stage of the learned filter.
pub(super) fn first_stage(graph: &Graph, settings: &Settings) -> anyhow::Result<usize> {
    let settings = settings_for(LEARNED, settings, 0)?;
    Ok(FilterStage::of(graph, &Split::of(graph, &settings).train, &settings).epochs())
}

impl<'a> Comparison<'a> {
    /// The comparison on a graph, from its runs in the order of the tasks.
    pub(super) fn of(plan: &Plan, graph: &'a GraphPlan, runs: &[Scalars]) -> anyhow::Result<Self> {
        let metric = match graph.kind {
            LabelKind::Several => "micro_f1",
            LabelKind::Numeric => "r2",
            LabelKind::None | LabelKind::One => "accuracy",
        };
        let mut shares: Vec<Share> =
            plan.shares.iter().map(|&share| Share { share, trials: vec![] }).collect();
        let mut runs = runs.chunks(plan.seeds.len().max(1));
        for filter in &plan.filters {
            for cell in &mut shares {
                let runs = runs.next().unwrap_or_default().to_vec();
                let score = |run: &Scalars| {
                    let score = table::figure(run.test_x, metric);
                    score.ok_or_else(|| anyhow!("{}: no labels to evaluate on", graph.name))
                };
                let scores = runs.iter().map(score).collect::<anyhow::Result<_>>()?;
                cell.trials.push(Trial { filter: filter.clone(), runs, scores });
            }
        }
        Ok(Self { graph, metric, shares })
    }
}

impl Share {
    fn learned(&self) -> Option<&Trial> {
        self.trials.iter().find(|trial| trial.filter == LEARNED)
    }

    /// Regret of the learned filter, on the same splits.
    fn regret(&self) -> Option<Regret<'_>> {
        let learned = self.learned()?;
        let others = self.trials.iter().filter(|trial| trial.filter != LEARNED);
        let mean = |trial: &Trial| mean_and_deviation(&trial.scores).0;
        let best = others.max_by(|a, b| mean(a).total_cmp(&mean(b)))?;
        let pairs = best.scores.iter().zip(&learned.scores);
        let differences: Vec<f64> = pairs.map(|(best, learned)| best - learned).collect();
        let (mean, half) = mean_and_interval(&differences);
        Some(Regret { best, mean, half })
    }
}

impl Trial {
    /// Mean and standard deviation of every hop weight over the seeds.
    fn hop_weights(&self) -> Vec<(f64, f64)> {
        let most = self.runs.iter().map(|run| run.hop_weights.len()).min().unwrap_or(0);
        let of = |n: usize| -> Vec<f64> {
            self.runs.iter().map(|run| f64::from(run.hop_weights[n])).collect()
        };
        (0..most).map(|n| mean_and_deviation(&of(n))).collect()
    }
}

impl Comparison<'_> {
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = vec![styled(TITLE, &self.graph.title)];
        for cell in &self.shares {
            let head = match &self.graph.split {
                Some(split) => format!("{} on {split}", self.metric),
                None => format!("{} at {:.0} % of labels", self.metric, cell.share * 100.0),
            };
            lines.push(styled(HEADING, head));
            for trial in &cell.trials {
                let (mean, deviation) = mean_and_deviation(&trial.scores);
                let spread = if trial.scores.len() > 1 {
                    format!(" ± {deviation:.1}")
                } else {
                    String::new()
                };
                let mut line = format!("  {:<14}{mean:>6.1}{spread:<8}", trial.filter);
                if trial.filter == LEARNED {
                    let weights = trial.hop_weights();
                    if !weights.is_empty() {
                        line.push_str("  α");
                        for (mean, _) in &weights {
                            // Writing to a String cannot fail.
                            let _ = write!(line, " {mean:.2}");
                        }
                    }
                }
                lines.push(line);
            }
            if let Some(Regret { best, mean, half }) = cell.regret() {
                let interval = half.map_or_else(String::new, |half| {
                    format!(", 95 % interval {:+.1} to {:+.1}", mean - half, mean + half)
                });
                lines.push(format!("  regret to {}: {mean:+.1}{interval}", best.filter));
            }
        }
        let note = "± is the standard deviation over seeds; regret is the paired difference, \
                    negative where the learned filter is better";
        lines.push(styled(FAINT, note));
        lines
    }

    pub(super) fn json(&self) -> serde_json::Value {
        let cells: Vec<_> = self
            .shares
            .iter()
            .map(|cell| {
                let trials: Vec<_> = cell
                    .trials
                    .iter()
                    .map(|trial| {
                        let (mean, std) = mean_and_deviation(&trial.scores);
                        let weights: Vec<_> = trial
                            .hop_weights()
                            .iter()
                            .map(|(mean, std)| json!({"mean": mean, "std": std}))
                            .collect();
                        json!({
                            "filter": trial.filter, "mean": mean, "std": std,
                            "scores": trial.scores, "hop_weights": weights,
                        })
                    })
                    .collect();
                let regret = cell.regret().map(|own| {
                    let Regret { best, mean, half } = own;
                    json!({"best": best.filter, "mean": mean, "half_interval": half})
                });
                json!({"labelled": cell.share, "filters": trials, "regret": regret})
            })
            .collect();
        json!({"graph": self.graph.name, "split": self.graph.split, "metric": self.metric, "cells": cells})
    }
}
