//! One run as the explorer sees it: its curves, its best moments, its marks.

use super::glyphs::Shape;
use super::history::Series;
use super::widgets::Pattern;
use crate::graph::LabelKind;
use crate::train::{SWING_EPOCHS, Scalars, Score, swings};

/// Which plot a curve is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pane {
    /// What is minimised.
    Loss,
    /// How good the predictions are.
    Score,
}

/// What a curve shows of every epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// The loss: the sum of the next four.
    Total,
    /// The reconstruction loss of a node type, divided by λ.
    Reconstruction(usize),
    /// The supervised loss.
    Supervised,
    /// The weight penalty.
    Penalty,
    /// In the first stage: the loss at the withheld labels.
    WithheldLoss,
    /// How good the predictions of a part are.
    Score(Part),
}

/// Labels that predictions are scored on, and what they are predicted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Test labels, from x.
    TestX,
    /// Test labels, from R.
    TestR,
    /// Training labels, from x.
    TrainX,
    /// Training labels, from R.
    TrainR,
    /// Withheld labels, from R.
    WithheldR,
    /// Validation labels, from x: they decide which epoch is best.
    ValidationX,
}

impl Figure {
    /// Which plot it is in.
    pub fn pane(self) -> Pane {
        match self {
            Self::Score(_) => Pane::Score,
            _ => Pane::Loss,
        }
    }

    /// Whether predictions from x are scored.
    pub fn is_from_x(self) -> bool {
        matches!(self, Self::Score(Part::TestX | Part::TrainX | Part::ValidationX))
    }

    /// Its value at an epoch; not a number where there is none.
    fn value(self, scalars: &Scalars, kind: LabelKind) -> f32 {
        let score = |score: Score| score.headline(kind);
        let value = match self {
            Self::Total => Some(scalars.total),
            Self::Reconstruction(of_type) => scalars.reconstruction.get(of_type).copied(),
            Self::Supervised => scalars.supervised,
            // An optimiser that decays weights by itself has no such term.
            Self::Penalty => Some(scalars.penalty).filter(|penalty| *penalty > 0.0),
            Self::WithheldLoss => scalars.withheld_loss,
            Self::Score(Part::TestX) => score(scalars.held_x),
            Self::Score(Part::TestR) => score(scalars.held_r),
            Self::Score(Part::TrainX) => score(scalars.seen_x),
            Self::Score(Part::TrainR) => score(scalars.seen_r),
            Self::Score(Part::WithheldR) => scalars.withheld_score,
            Self::Score(Part::ValidationX) => score(scalars.validation_x),
        };
        value.unwrap_or(f32::NAN)
    }
}

/// A figure over the epochs, and how it is told from others.
#[derive(Debug, Clone)]
pub struct Curve {
    /// What it shows.
    pub figure: Figure,
    /// Its name.
    pub name: String,
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
        if scalars.epoch < self.epochs {
            // A damaged file may tell an epoch twice.
            return;
        }
        if self.curves.is_empty() {
            self.curves = curves(scalars, types);
        }
        let kind = self.kind.unwrap_or(LabelKind::One);
        let epoch = scalars.epoch;
        for curve in &mut self.curves {
            // Epochs that are not on disk are gaps, so that others keep their place.
            (curve.series.len()..epoch).for_each(|_| curve.series.push(f32::NAN));
            curve.series.push(curve.figure.value(scalars, kind));
        }
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
        let validation = Figure::Score(Part::ValidationX).value(scalars, kind);
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
        part.lowest_loss = part.best_of(Figure::Total, |new, best| new < best);
        part.best_score = part.best_of(Figure::Score(Part::ValidationX), |new, best| new > best);
        part
    }

    /// The curve of a figure.
    pub fn curve(&self, figure: Figure) -> Option<&Curve> {
        self.curves.iter().find(|curve| curve.figure == figure)
    }

    fn best_of(&self, figure: Figure, better: impl Fn(f32, f32) -> bool) -> Option<Best> {
        let curve = self.curve(figure)?;
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
            curve.figure.pane() == pane && curve.series.between(0, usize::MAX).is_some()
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
    let curve = |figure, name: &str, shape, pattern, colour| Curve {
        figure,
        name: name.to_owned(),
        shape,
        pattern,
        colour,
        series: Series::default(),
    };
    let score = |part, name, shape, pattern, colour| {
        curve(Figure::Score(part), name, shape, pattern, colour)
    };
    let mut all = vec![curve(Figure::Total, "total", Shape::Dot, Pattern::Solid, 0)];
    for at in 0..scalars.reconstruction.len() {
        let name = match types.get(at) {
            Some(own) if scalars.reconstruction.len() > 1 => format!("reconstruction/λ, {own}"),
            _ => "reconstruction/λ".to_owned(),
        };
        let (pattern, colour) =
            if at.is_multiple_of(2) { (Pattern::Dashed, 1) } else { (Pattern::Dotted, 5) };
        all.push(curve(Figure::Reconstruction(at), &name, Shape::Triangle, pattern, colour));
    }
    all.extend([
        curve(Figure::Supervised, "supervised", Shape::Square, Pattern::Dotted, 2),
        curve(Figure::Penalty, "penalty", Shape::Dot, Pattern::Dotted, 3),
        curve(Figure::WithheldLoss, "withheld", Shape::Cross, Pattern::Solid, 4),
        score(Part::TestX, "test, by x", Shape::Dot, Pattern::Solid, 3),
        score(Part::TestR, "test, by R", Shape::Triangle, Pattern::Dashed, 4),
        score(Part::TrainX, "train, by x", Shape::Square, Pattern::Dotted, 5),
        score(Part::TrainR, "train, by R", Shape::Cross, Pattern::Dotted, 1),
        score(Part::WithheldR, "withheld, by R", Shape::Cross, Pattern::Solid, 2),
        score(Part::ValidationX, "validation, by x", Shape::Square, Pattern::Solid, 0),
    ]);
    all
}
