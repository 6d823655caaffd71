//! Rows of one type on their way through φ, the loss and back, a share of them
//! at a time: what a share needs stays in cache from one end to the other.

use candle_core::Result;
use rayon::prelude::*;

use super::plan::Part;
use crate::model::map_rows::MapRows;
use crate::model::rows::{SHARE, add_all, add_times, affine, differ, gather, turned};
use crate::model::slices::with_numbers;
use crate::model::{Linear, Targets};

/// A head as plain numbers.
pub(super) struct Head {
    weight: Vec<f32>,
    bias: Vec<f32>,
    turned: Vec<f32>,
}

impl Head {
    /// A head as it is now.
    pub(super) fn of(linear: &Linear) -> Result<Self> {
        let weight = with_numbers(linear.weight(), <[f32]>::to_vec)?;
        let bias = with_numbers(linear.bias(), <[f32]>::to_vec)?;
        let turned = turned(&weight, bias.len());
        Ok(Self { weight, bias, turned })
    }

    /// W, row after row.
    pub(super) fn weight(&self) -> &[f32] {
        &self.weight
    }
}

/// The rows of one type, and what is asked of them.
pub(super) struct Shares<'a> {
    /// φ.
    pub(super) map: &'a MapRows,
    pub(super) head: Option<&'a Head>,
    pub(super) x: &'a [f32],
    /// Which rows are in the loss.
    pub(super) part: &'a Part,
    /// What a squared distance is multiplied by.
    pub(super) distance: f64,
    /// What the loss of a label is multiplied by.
    pub(super) label: f64,
}

/// What came of the rows of a type.
#[derive(Default)]
pub(super) struct Passed {
    /// The reconstruction term.
    pub(super) distance: f64,
    /// The part of the supervised term.
    pub(super) labels: f64,
    pub(super) by_x: Vec<f32>,
    /// The derivative by φ's packed parameters.
    pub(super) by_map: Vec<f32>,
    /// The derivative by the head's weight and bias.
    pub(super) by_head: Vec<f32>,
    /// What the head gives for x and for R.
    pub(super) from_x: Vec<f32>,
    pub(super) from_r: Vec<f32>,
}

/// One share: where it begins, and its rows of everything that has rows.
struct Share<'a> {
    first: usize,
    x: &'a [f32],
    /// z; the derivative by it afterwards.
    gathered: &'a mut [f32],
    by_x: &'a mut [f32],
    from_x: &'a mut [f32],
    from_r: &'a mut [f32],
}

/// What a share adds to sums over all rows.
struct Sums {
    distance: f64,
    labels: f64,
    by_map: Vec<f32>,
    by_head: Vec<f32>,
}

/// Rows that a share of a type's labels belongs to.
struct Labelled<'a> {
    rows: Vec<u32>,
    targets: &'a Targets,
}

impl Shares<'_> {
    /// Takes all rows through. `gathered` is z and becomes the derivative by it.
    pub(super) fn pass(&self, gathered: &mut [f32]) -> Result<Passed> {
        let (inputs, _, width) = self.map.widths();
        let rows = self.x.len() / width.max(1);
        let outputs = self.head.map_or(0, |head| head.bias.len());
        let in_loss = self.part.rows.as_ref().map(|own| {
            let mut in_loss = vec![false; rows];
            own.to_vec1::<u32>()?.iter().for_each(|row| in_loss[*row as usize] = true);
            Ok::<_, candle_core::Error>(in_loss)
        });
        let in_loss = in_loss.transpose()?;
        let labelled = self.part.labelled.as_ref().map(|(rows, targets)| {
            Ok::<_, candle_core::Error>(Labelled { rows: rows.to_vec1()?, targets })
        });
        let labelled = labelled.transpose()?;
        let mut by_x = vec![0.0; self.x.len()];
        let (mut from_x, mut from_r) = (vec![0.0; rows * outputs], vec![0.0; rows * outputs]);
        let count = rows.div_ceil(SHARE);
        let shares = cut(gathered, inputs, count)
            .into_iter()
            .zip(cut(&mut by_x, width, count))
            .zip(cut(&mut from_x, outputs, count).into_iter().zip(cut(&mut from_r, outputs, count)))
            .zip(self.x.chunks((SHARE * width).max(1)))
            .enumerate()
            .map(|(n, (((gathered, by_x), (from_x, from_r)), x))| Share {
                first: n * SHARE,
                x,
                gathered,
                by_x,
                from_x,
                from_r,
            });
        let shares: Vec<Share<'_>> = shares.collect();
        let sums: Vec<Sums> = shares
            .into_par_iter()
            .map(|share| self.take(share, in_loss.as_deref(), labelled.as_ref()))
            .collect();
        let by_head = vec![0.0; self.head.map_or(0, |head| head.weight.len() + head.bias.len())];
        let by_map = self.map.no_derivative();
        let mut passed = Passed { by_x, by_map, by_head, from_x, from_r, ..Passed::default() };
        for own in &sums {
            passed.distance += own.distance;
            passed.labels += own.labels;
            add_all(&mut passed.by_map, &own.by_map);
            add_all(&mut passed.by_head, &own.by_head);
        }
        passed.distance *= self.distance;
        passed.labels *= self.label;
        Ok(passed)
    }

    fn take(
        &self,
        share: Share<'_>,
        in_loss: Option<&[bool]>,
        labelled: Option<&Labelled<'_>>,
    ) -> Sums {
        let Share { first, x, gathered, by_x, from_x, from_r } = share;
        let (_, middle, width) = self.map.widths();
        let rows = x.len() / width.max(1);
        let mut hidden = vec![0.0; rows * middle];
        let mut found = vec![0.0; rows * width];
        self.map.forward(gathered, &mut hidden, &mut found);
        if let Some(head) = self.head {
            affine(x, width, &head.weight, &head.bias, from_x);
            affine(&found, width, &head.weight, &head.bias, from_r);
        }
        // What was found becomes the derivative by it.
        let distance = match in_loss {
            None => differ(&mut found, x, by_x, self.distance as f32),
            Some(in_loss) => {
                let rows = found.chunks_mut(width).zip(x.chunks(width)).zip(by_x.chunks_mut(width));
                let rows = rows.zip(&in_loss[first..]);
                rows.map(|(((found, x), by_x), &counts)| {
                    let factor = if counts { self.distance as f32 } else { 0.0 };
                    let distance = differ(found, x, by_x, factor);
                    if counts { distance } else { 0.0 }
                })
                .sum()
            }
        };
        let (mut by_map, mut by_z) = (self.map.no_derivative(), vec![0.0; gathered.len()]);
        self.map.backward(gathered, &hidden, &found, &mut by_map, Some(&mut by_z));
        gathered.copy_from_slice(&by_z);
        let (labels, by_head) = match (self.head, labelled) {
            (Some(head), Some(labelled)) => self.label(head, labelled, first, (x, from_x), by_x),
            _ => (0.0, Vec::new()),
        };
        Sums { distance, labels, by_map, by_head }
    }

    /// The loss of the labels of a share, and its derivative by the head; that
    /// by x is added to what is there.
    fn label(
        &self,
        head: &Head,
        labelled: &Labelled<'_>,
        first: usize,
        (x, from_x): (&[f32], &[f32]),
        by_x: &mut [f32],
    ) -> (f64, Vec<f32>) {
        let (outputs, width) = (head.bias.len(), self.map.widths().2);
        let mut gradient = vec![0.0; from_x.len()];
        let mut loss = 0.0;
        let begin = labelled.rows.partition_point(|row| (*row as usize) < first);
        for (at, row) in labelled.rows.iter().enumerate().skip(begin) {
            let start = (*row as usize - first) * outputs;
            let Some(own) = gradient.get_mut(start..start + outputs) else { break };
            own.copy_from_slice(&from_x[start..start + outputs]);
            loss += labelled.targets.differentiate(at, own);
            for by in own.iter_mut() {
                *by *= self.label as f32;
            }
        }
        let mut by_head = vec![0.0; head.weight.len() + outputs];
        gather(x, width, &gradient, outputs, by_head.split_at_mut(head.weight.len()));
        add_times(&gradient, outputs, &head.turned, width, by_x);
        (loss, by_head)
    }
}

/// The rows of each of so many shares; none where rows have no numbers.
fn cut(values: &mut [f32], width: usize, count: usize) -> Vec<&mut [f32]> {
    let mut shares: Vec<&mut [f32]> = values.chunks_mut((SHARE * width).max(1)).collect();
    shares.resize_with(count, Default::default);
    shares
}
