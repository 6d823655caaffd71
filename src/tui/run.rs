//! One run as the explorer sees it: its curves, its best moments, its marks.

use super::glyphs::Shape;
use super::history::Series;
use super::widgets::Pattern;
use crate::graph::LabelKind;
use crate::train::{SWING_EPOCHS, Scalars, Score, swings};

/// The curve that decides which epoch is best.
const VALIDATION: &str = "validation, by x";

/// Which plot a curve is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pane {
    /// What is minimised.
    Loss,
    /// How good the predictions are.
    Score,
}

/// A figure over the epochs, and how it is told from others.
#[derive(Debug, Clone)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Which plot it is in.
    pub pane: Pane,
    /// The sign beside its name.
    pub shape: Shape,
    /// How its line is broken up.
    pub pattern: Pattern,
    /// Which colour of the theme.
    pub colour: usize,
    /// The values.
    pub series: Series,
}

/// The best value of a figure so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Best {
    /// When.
    pub epoch: usize,
    /// How good.
    pub value: f32,
}

/// A change of settings in the middle of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// From which epoch on.
    pub epoch: usize,
    /// What changed.
    pub label: String,
}

/// A run from its first epoch to now.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// Its curves; none before the first epoch.
    pub curves: Vec<Curve>,
    /// The changes of settings.
    pub marks: Vec<Mark>,
    /// The lowest loss.
    pub lowest_loss: Option<Best>,
    /// The best score on the validation labels.
    pub best_score: Option<Best>,
    /// Epochs done.
    pub epochs: usize,
    /// Whether the loss swings.
    pub swings: bool,
    /// The newest figures.
    pub last: Option<Scalars>,
    /// The first epoch with the filter settled, once it is there: the best
    /// moments are those from here on.
    pub second_stage: usize,
    kind: Option<LabelKind>,
}

impl Run {
    /// An empty run over labels of that kind.
    pub fn new(kind: LabelKind) -> Self {
        Self { kind: Some(kind), ..Self::default() }
    }

    /// What the score is called.
    pub fn score_name(&self) -> &'static str {
        match self.kind {
            Some(LabelKind::Several) => "micro-F1",
            Some(LabelKind::Numeric) => "R²",
            _ => "accuracy",
        }
    }

    /// Takes the figures of the next epoch.
    pub fn push(&mut self, scalars: &Scalars, types: &[String]) {
        if self.curves.is_empty() {
            self.curves = curves(scalars, types);
        }
        let kind = self.kind.unwrap_or(LabelKind::One);
        let score = |score: Score| score.headline(kind).unwrap_or(f32::NAN);
        let mut values = vec![scalars.total];
        values.extend(&scalars.reconstruction);
        values.push(scalars.supervised.unwrap_or(f32::NAN));
        let validation = score(scalars.validation_x);
        values.push(scalars.withheld_loss.unwrap_or(f32::NAN));
        values.extend([score(scalars.held_x), score(scalars.held_r)]);
        values.extend([score(scalars.seen_x), score(scalars.seen_r)]);
        values.extend([scalars.withheld_score.unwrap_or(f32::NAN), validation]);
        for (curve, value) in self.curves.iter_mut().zip(values) {
            curve.series.push(value);
        }
        let epoch = scalars.epoch;
        let before = self.last.as_ref().and_then(|last| last.withheld_loss);
        if before.is_some() && scalars.withheld_loss.is_none() {
            self.second_stage = epoch;
            (self.lowest_loss, self.best_score) = (None, None);
            self.marks.push(Mark { epoch, label: "filter settled, all training labels".into() });
        }
        let lower = self.lowest_loss.is_none_or(|best| scalars.total < best.value);
        if lower && scalars.total.is_finite() {
            self.lowest_loss = Some(Best { epoch, value: scalars.total });
        }
        // Only validation labels choose: test scores are shown, never chosen on.
        if validation.is_finite() && self.best_score.is_none_or(|best| validation > best.value) {
            self.best_score = Some(Best { epoch, value: validation });
        }
        let first = self.second_stage.max((epoch + 1).saturating_sub(SWING_EPOCHS));
        let losses = self.curves.first().map(|own| &own.series);
        let recent = |series: &Series| (first..=epoch).filter_map(|at| series.at(at)).collect();
        self.swings = swings(&losses.map_or_else(Vec::new, recent));
        self.epochs = epoch + 1;
        self.last = Some(scalars.clone());
    }

    /// The run before an epoch, as a branch shares it.
    #[must_use]
    pub fn before(&self, epoch: usize) -> Self {
        let mut part = Self { kind: self.kind, epochs: self.epochs.min(epoch), ..Self::default() };
        for curve in &self.curves {
            part.curves.push(Curve { series: curve.series.before(epoch), ..curve.clone() });
        }
        part.marks = self.marks.iter().filter(|mark| mark.epoch <= epoch).cloned().collect();
        part.second_stage = if epoch > self.second_stage { self.second_stage } else { 0 };
        part.lowest_loss = part.best_of("total", |new, best| new < best);
        part.best_score = part.best_of(VALIDATION, |new, best| new > best);
        part
    }

    fn best_of(&self, name: &str, better: impl Fn(f32, f32) -> bool) -> Option<Best> {
        let curve = self.curves.iter().find(|curve| curve.name == name)?;
        let mut best: Option<Best> = None;
        for epoch in self.second_stage..curve.series.len() {
            if let Some(value) = curve.series.at(epoch)
                && best.is_none_or(|best| better(value, best.value))
            {
                best = Some(Best { epoch, value });
            }
        }
        best
    }

    /// The curves of a plot that have any value.
    pub fn of(&self, pane: Pane) -> impl Iterator<Item = &Curve> {
        self.curves.iter().filter(move |curve| {
            curve.pane == pane && curve.series.between(0, usize::MAX).is_some()
        })
    }

    /// The best value to mark in a plot.
    pub fn best(&self, pane: Pane) -> Option<Best> {
        match pane {
            Pane::Loss => self.lowest_loss,
            Pane::Score => self.best_score,
        }
    }
}

fn curves(scalars: &Scalars, types: &[String]) -> Vec<Curve> {
    let curve = |name: &str, pane, shape, pattern, colour| Curve {
        name: name.to_owned(),
        pane,
        shape,
        pattern,
        colour,
        series: Series::default(),
    };
    let mut all = vec![curve("total", Pane::Loss, Shape::Dot, Pattern::Solid, 0)];
    for (at, _) in scalars.reconstruction.iter().enumerate() {
        let name = match types.get(at) {
            Some(own) if scalars.reconstruction.len() > 1 => format!("rebuild {own}"),
            _ => "reconstruction".to_owned(),
        };
        let (pattern, colour) =
            if at.is_multiple_of(2) { (Pattern::Dashed, 1) } else { (Pattern::Dotted, 5) };
        all.push(curve(&name, Pane::Loss, Shape::Triangle, pattern, colour));
    }
    all.push(curve("supervised", Pane::Loss, Shape::Square, Pattern::Dotted, 2));
    all.push(curve("withheld", Pane::Loss, Shape::Cross, Pattern::Solid, 4));
    all.push(curve("test, by x", Pane::Score, Shape::Dot, Pattern::Solid, 3));
    all.push(curve("test, by R", Pane::Score, Shape::Triangle, Pattern::Dashed, 4));
    all.push(curve("train, by x", Pane::Score, Shape::Square, Pattern::Dotted, 5));
    all.push(curve("train, by R", Pane::Score, Shape::Cross, Pattern::Dotted, 1));
    all.push(curve("withheld, by R", Pane::Score, Shape::Cross, Pattern::Solid, 2));
    all.push(curve(VALIDATION, Pane::Score, Shape::Square, Pattern::Solid, 0));
    all
}
