//! One run as displayed: its curves, best epochs and marks.

use super::glyphs::Shape;
use super::history::Series;
use super::widgets::Pattern;
use crate::graph::LabelKind;
use crate::train::{SWING_EPOCHS, Scalars, Score, swings};

/// The plot that shows a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlotPane {
    /// Loss terms.
    Loss,
    /// Scores of predictions.
    Score,
}

/// The metric a curve shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurveKind {
    /// The total loss: the sum of the next four.
    Total,
    /// The reconstruction loss of a node type, divided by λ.
    Reconstruction(usize),
    /// The supervised loss.
    Supervised,
    /// The weight penalty.
    Penalty,
    /// In the first stage: the loss at the withheld labels.
    WithheldLoss,
    /// The same with averaged messages, if both are compared.
    WithheldLossOfMean,
    /// The score on a set of labels.
    Score(ScoredOn),
}

/// Curves that are shown or hidden together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurveGroup {
    /// The total loss.
    Total,
    /// The reconstruction loss of every node type.
    Reconstruction,
    /// The supervised loss.
    Supervised,
    /// The weight penalty.
    Penalty,
    /// The loss at the withheld labels.
    Withheld,
    /// Scores of predictions from x.
    ScoreX,
    /// Scores of predictions from R.
    ScoreR,
}

impl CurveGroup {
    /// The command that shows or hides it.
    pub fn command(self) -> &'static str {
        match self {
            Self::Total => "toggle-total",
            Self::Reconstruction => "toggle-reconstruction",
            Self::Supervised => "toggle-supervised",
            Self::Penalty => "toggle-penalty",
            Self::Withheld => "toggle-withheld",
            Self::ScoreX => "toggle-scores-x",
            Self::ScoreR => "toggle-scores-r",
        }
    }
}

/// Labels that predictions are scored on, and what they are predicted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoredOn {
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
    /// Validation labels, from x: they determine the best epoch.
    ValidationX,
}

impl CurveKind {
    /// The plot that shows it.
    pub fn pane(self) -> PlotPane {
        match self {
            Self::Score(_) => PlotPane::Score,
            _ => PlotPane::Loss,
        }
    }

    /// The group it is shown or hidden with.
    pub fn group(self) -> CurveGroup {
        match self {
            Self::Total => CurveGroup::Total,
            Self::Reconstruction(_) => CurveGroup::Reconstruction,
            Self::Supervised => CurveGroup::Supervised,
            Self::Penalty => CurveGroup::Penalty,
            Self::WithheldLoss | Self::WithheldLossOfMean => CurveGroup::Withheld,
            _ if self.is_from_x() => CurveGroup::ScoreX,
            Self::Score(_) => CurveGroup::ScoreR,
        }
    }

    /// Whether predictions from x are scored.
    pub fn is_from_x(self) -> bool {
        matches!(self, Self::Score(ScoredOn::TestX | ScoredOn::TrainX | ScoredOn::ValidationX))
    }

    /// Its value at an epoch; NaN if there is none.
    fn value(self, scalars: &Scalars, kind: LabelKind) -> f32 {
        let score = |score: Score| score.headline(kind);
        let value = match self {
            Self::Total => Some(scalars.total),
            Self::Reconstruction(of_type) => scalars.reconstruction.get(of_type).copied(),
            Self::Supervised => scalars.supervised,
            // With decoupled weight decay there is no penalty term.
            Self::Penalty => Some(scalars.penalty).filter(|penalty| *penalty > 0.0),
            Self::WithheldLoss => scalars.withheld_loss,
            Self::WithheldLossOfMean => scalars.alternative.map(|own| own.withheld_loss),
            Self::Score(ScoredOn::TestX) => score(scalars.test_x),
            Self::Score(ScoredOn::TestR) => score(scalars.test_r),
            Self::Score(ScoredOn::TrainX) => score(scalars.train_x),
            Self::Score(ScoredOn::TrainR) => score(scalars.train_r),
            Self::Score(ScoredOn::WithheldR) => scalars.withheld_score,
            Self::Score(ScoredOn::ValidationX) => score(scalars.validation_x),
        };
        value.unwrap_or(f32::NAN)
    }
}

/// A metric over the epochs, and how it is drawn.
#[derive(Debug, Clone)]
pub struct Curve {
    /// The metric.
    pub figure: CurveKind,
    /// Its name.
    pub name: String,
    /// The marker next to its name.
    pub shape: Shape,
    /// The dash pattern of its line.
    pub pattern: Pattern,
    /// The index of its colour in the theme.
    pub colour: usize,
    /// The values.
    pub series: Series,
}

/// The best value of a metric so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Best {
    /// Its epoch.
    pub epoch: usize,
    /// The value.
    pub value: f32,
}

/// A setting change during a run.
#[derive(Debug, Clone, PartialEq)]
pub struct CurveMark {
    /// The first epoch with the new setting.
    pub epoch: usize,
    /// The change as text.
    pub label: String,
}

/// A run from its first epoch to now.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// Its curves; none before the first epoch.
    pub curves: Vec<Curve>,
    /// The setting changes.
    pub marks: Vec<CurveMark>,
    /// The lowest loss.
    pub lowest_loss: Option<Best>,
    /// The best score on the validation labels.
    pub best_score: Option<Best>,
    /// Epochs done.
    pub epochs: usize,
    /// Whether the loss oscillates.
    pub swings: bool,
    /// The latest metrics.
    pub last: Option<Scalars>,
    /// The first epoch of the second stage, once reached: best values count from here
    /// on.
    pub second_stage: usize,
    /// The hop weights α_1, α_2, … over the epochs, where the filter has them.
    pub hops: Vec<Series>,
    kind: Option<LabelKind>,
}

impl Run {
    /// An empty run for a kind of labels.
    pub fn new(kind: LabelKind) -> Self {
        Self { kind: Some(kind), ..Self::default() }
    }

    /// The name of the score.
    pub fn score_name(&self) -> &'static str {
        match self.kind {
            Some(LabelKind::Several) => "micro-F1",
            Some(LabelKind::Numeric) => "R²",
            _ => "accuracy",
        }
    }

    /// Adds the metrics of the next epoch.
    pub fn push(&mut self, scalars: &Scalars, types: &[String]) {
        if scalars.epoch < self.epochs {
            // A damaged file may contain an epoch twice.
            return;
        }
        if self.curves.is_empty() {
            self.curves = curves(scalars, types);
        }
        let kind = self.kind.unwrap_or(LabelKind::One);
        let epoch = scalars.epoch;
        for curve in &mut self.curves {
            // Epochs missing on disk become gaps, so that others keep their position.
            (curve.series.len()..epoch).for_each(|_| curve.series.push(f32::NAN));
            curve.series.push(curve.figure.value(scalars, kind));
        }
        self.hops.resize_with(scalars.hop_weights.len().max(self.hops.len()), Series::default);
        for (at, series) in self.hops.iter_mut().enumerate() {
            (series.len()..epoch).for_each(|_| series.push(f32::NAN));
            series.push(scalars.hop_weights.get(at).copied().unwrap_or(f32::NAN));
        }
        let before = self.last.as_ref().and_then(|last| last.withheld_loss);
        let was_mean = self.last.as_ref().is_some_and(|last| last.takes_mean);
        if before.is_some() && scalars.withheld_loss.is_none() {
            self.second_stage = epoch;
            (self.lowest_loss, self.best_score) = (None, None);
            let chosen = if scalars.takes_mean && !was_mean { "mean chosen, " } else { "" };
            let label = format!("{chosen}filter frozen, all training labels");
            self.marks.push(CurveMark { epoch, label });
        }
        let lower = self.lowest_loss.is_none_or(|best| scalars.total < best.value);
        if lower && scalars.total.is_finite() {
            self.lowest_loss = Some(Best { epoch, value: scalars.total });
        }
        let validation = CurveKind::Score(ScoredOn::ValidationX).value(scalars, kind);
        // Only validation labels select: test scores are shown, never selected on.
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

    /// The run before an epoch, as shared by a branch.
    #[must_use]
    pub fn before(&self, epoch: usize) -> Self {
        let mut part = Self { kind: self.kind, epochs: self.epochs.min(epoch), ..Self::default() };
        for curve in &self.curves {
            part.curves.push(Curve { series: curve.series.before(epoch), ..curve.clone() });
        }
        part.hops = self.hops.iter().map(|series| series.before(epoch)).collect();
        part.marks = self.marks.iter().filter(|mark| mark.epoch <= epoch).cloned().collect();
        part.second_stage = if epoch > self.second_stage { self.second_stage } else { 0 };
        part.lowest_loss = part.best_of(CurveKind::Total, |new, best| new < best);
        part.best_score =
            part.best_of(CurveKind::Score(ScoredOn::ValidationX), |new, best| new > best);
        part
    }

    /// The curve of a metric.
    pub fn curve(&self, figure: CurveKind) -> Option<&Curve> {
        self.curves.iter().find(|curve| curve.figure == figure)
    }

    fn best_of(&self, figure: CurveKind, better: impl Fn(f32, f32) -> bool) -> Option<Best> {
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
    pub fn of(&self, pane: PlotPane) -> impl Iterator<Item = &Curve> {
        self.curves.iter().filter(move |curve| {
            curve.figure.pane() == pane && curve.series.between(0, usize::MAX).is_some()
        })
    }

    /// The best value to mark in a plot.
    pub fn best(&self, pane: PlotPane) -> Option<Best> {
        match pane {
            PlotPane::Loss => self.lowest_loss,
            PlotPane::Score => self.best_score,
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
        curve(CurveKind::Score(part), name, shape, pattern, colour)
    };
    let mut all = vec![curve(CurveKind::Total, "total", Shape::Dot, Pattern::Solid, 0)];
    for at in 0..scalars.reconstruction.len() {
        let name = match types.get(at) {
            Some(own) if scalars.reconstruction.len() > 1 => format!("reconstruction/λ, {own}"),
            _ => "reconstruction/λ".to_owned(),
        };
        let (shape, pattern, colour) = if at.is_multiple_of(2) {
            (Shape::Triangle, Pattern::Dashed, 1)
        } else {
            (Shape::EmptyTriangle, Pattern::Dotted, 5)
        };
        all.push(curve(CurveKind::Reconstruction(at), &name, shape, pattern, colour));
    }
    all.extend([
        curve(CurveKind::Supervised, "supervised", Shape::Square, Pattern::Dotted, 2),
        curve(CurveKind::Penalty, "penalty", Shape::Ring, Pattern::Dotted, 3),
        curve(CurveKind::WithheldLoss, "withheld", Shape::Cross, Pattern::Solid, 4),
    ]);
    if scalars.alternative.is_some() {
        let shown = (CurveKind::WithheldLossOfMean, "withheld, mean");
        all.push(curve(shown.0, shown.1, Shape::Plus, Pattern::Dashed, 5));
    }
    all.extend([
        score(ScoredOn::TestX, "test (x)", Shape::Dot, Pattern::Solid, 3),
        score(ScoredOn::TestR, "test (R)", Shape::Triangle, Pattern::Dashed, 4),
        score(ScoredOn::TrainX, "train (x)", Shape::Square, Pattern::Dotted, 5),
        score(ScoredOn::TrainR, "train (R)", Shape::Cross, Pattern::Dotted, 1),
        score(ScoredOn::WithheldR, "withheld (R)", Shape::Plus, Pattern::Solid, 2),
        score(ScoredOn::ValidationX, "validation (x)", Shape::EmptySquare, Pattern::Solid, 0),
    ]);
    all
}
