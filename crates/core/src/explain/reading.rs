//! One output (such as a logit) as a function of a node's z.
//!
//! With a = the head's weights for that output, a·φ(z) is c + l·z + Σ_h g_h f(b_h +
//! (W₁ᵀz)_h). A neighbour enters only through the two linear images W₁ᵀz and l·z,
//! so leaving one out takes one subtraction and one pass over the hidden units.
//! Along α·z every hidden unit moves on a line, so integrated gradients have a
//! closed form: the mean slope of each unit between b_h and b_h + (W₁ᵀz)_h. There
//! is no quadrature and no error besides rounding, for tanh and ReLU alike.

use super::network::{Layer, mean_slope};
use crate::model::TwoLayer;

/// An output as a function of z.
#[derive(Debug, Clone)]
pub(super) struct Reading<'a> {
    network: Option<&'a TwoLayer>,
    gains: Vec<f64>,
    straight: Vec<f64>,
    constant: f64,
}

/// The preactivation of a part of z. Images of parts add up.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Image {
    hidden: Vec<f64>,
    straight: f64,
}

impl Image {
    /// Adds `factor` times another.
    pub(super) fn add(&mut self, factor: f64, other: &Self) {
        let pairs = self.hidden.iter_mut().zip(&other.hidden);
        pairs.for_each(|(sum, own)| *sum += factor * own);
        self.straight += factor * other.straight;
    }
}

impl<'a> Reading<'a> {
    /// Σ factor · (output of the head), plus a constant.
    pub(super) fn of_head(
        network: &'a TwoLayer,
        head: &Layer,
        factors: &[(usize, f64)],
        constant: f64,
    ) -> Self {
        let outputs = head.outputs();
        let direction: Vec<f64> = head
            .weight
            .chunks(outputs.max(1))
            .map(|row| factors.iter().map(|&(at, factor)| factor * row[at]).sum())
            .collect();
        let constant =
            constant + factors.iter().map(|&(at, factor)| factor * head.bias[at]).sum::<f64>();
        Self::of_direction(network, &direction, constant)
    }

    /// The component of φ(z) along a direction, plus a constant.
    fn of_direction(network: &'a TwoLayer, direction: &[f64], constant: f64) -> Self {
        let along = |row: &[f32]| -> f64 {
            row.iter().zip(direction).map(|(w, a)| f64::from(*w) * a).sum()
        };
        let width = direction.len().max(1);
        let [_, _, weight, bias] = network.layers();
        let gains = weight.chunks(width).map(along).collect();
        let mut straight = vec![0.0; network.widths().0];
        for columns in network.skips() {
            let pairs = straight[columns].iter_mut().zip(direction);
            pairs.for_each(|(sum, a)| *sum += a);
        }
        let constant = constant + along(bias);
        Self { network: Some(network), gains, straight, constant }
    }

    /// The component of z along a direction.
    pub(super) fn along(direction: Vec<f64>) -> Self {
        Self { network: None, gains: Vec::new(), straight: direction, constant: 0.0 }
    }

    /// The image of z = 0.
    pub(super) fn nothing(&self) -> Image {
        Image { hidden: vec![0.0; self.gains.len()], straight: 0.0 }
    }

    /// The image of some columns of z, starting at `from`.
    pub(super) fn image(&self, from: usize, part: &[f64]) -> Image {
        let mut image = self.nothing();
        if let Some(network) = self.network {
            let rows = network.layers()[0].chunks(image.hidden.len().max(1)).skip(from);
            for (row, factor) in rows.zip(part) {
                let sums = image.hidden.iter_mut().zip(row);
                sums.for_each(|(sum, weight)| *sum += factor * f64::from(*weight));
            }
        }
        let rows = self.straight.iter().skip(from).zip(part);
        image.straight = rows.map(|(l, z)| l * z).sum();
        image
    }

    /// The output, given the image of z.
    pub(super) fn value(&self, image: &Image) -> f64 {
        let activated: f64 = self.network.map_or(0.0, |network| {
            let units = image.hidden.iter().zip(network.layers()[1]).zip(&self.gains);
            let activation = network.activation();
            units.map(|((p, b), gain)| gain * activation.at(f64::from(*b) + p)).sum()
        });
        self.constant + image.straight + activated
    }

    /// ∫₀¹ ∇(α·z) dα: the mean gradient on the path from 0 to z.
    pub(super) fn mean_gradient(&self, image: &Image) -> Vec<f64> {
        let mut gradient = self.straight.clone();
        if let Some(network) = self.network {
            let [weight, bias, _, _] = network.layers();
            let units = image.hidden.iter().zip(bias).zip(&self.gains);
            let slope =
                |start: f32, step: f64| mean_slope(f64::from(start), step, network.activation());
            let slopes: Vec<f64> = units.map(|((p, b), gain)| gain * slope(*b, *p)).collect();
            for (sum, row) in gradient.iter_mut().zip(weight.chunks(slopes.len().max(1))) {
                let terms = row.iter().zip(&slopes).map(|(w, slope)| f64::from(*w) * slope);
                *sum += terms.sum::<f64>();
            }
        }
        gradient
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Inputs;
    use crate::model::settings::{Activation, MapShape};

    fn wave(count: usize, pace: f64) -> Vec<f64> {
        (0..count).map(|n| (n as f64 * pace + pace).sin()).collect()
    }

    fn network(activation: Activation) -> TwoLayer {
        let narrow = |values: Vec<f64>| values.iter().map(|v| *v as f32).collect::<Vec<f32>>();
        let parts = [wave(5 * 4, 0.7), wave(4, 1.3), wave(4 * 3, 0.9), wave(3, 0.4)].map(narrow);
        let packed = [&parts[0][..], &parts[1][..], &parts[2][..], &parts[3][..]];
        TwoLayer::of_parts(&Inputs::of(&[3, 2]), 3, (MapShape::Residual, activation), packed)
            .unwrap()
    }

    #[test]
    fn a_reading_equals_the_head_of_the_map() {
        let network = network(Activation::Tanh);
        let head = Layer { weight: wave(3 * 2, 1.1), bias: wave(2, 2.1) };
        let reading = Reading::of_head(&network, &head, &[(1, 2.0)], 0.5);
        let z = wave(5, 0.31);
        let direct = 2.0 * head.forward(&network.forward_wide(&z))[1] + 0.5;
        assert!((reading.value(&reading.image(0, &z)) - direct).abs() < 1e-12);
        let mut parts = reading.image(0, &z[..2]);
        parts.add(1.0, &reading.image(2, &z[2..]));
        assert!((reading.value(&parts) - direct).abs() < 1e-12);
    }

    #[test]
    fn the_mean_gradient_equals_a_fine_sum_and_is_complete() {
        for activation in [Activation::Tanh, Activation::Relu] {
            let network = network(activation);
            let head = Layer { weight: wave(3 * 2, 1.1), bias: wave(2, 2.1) };
            let reading = Reading::of_head(&network, &head, &[(0, 1.0)], 0.0);
            let z: Vec<f64> = wave(5, 0.31).iter().map(|value| 3.0 * value).collect();
            let image = reading.image(0, &z);
            let gradient = reading.mean_gradient(&image);
            let at = |z: &[f64]| reading.value(&reading.image(0, z));
            for n in 0..5 {
                // Differences along the path, averaged.
                let steps = 4000;
                let sum: f64 = (0..steps)
                    .map(|step| {
                        let alpha = (f64::from(step) + 0.5) / f64::from(steps);
                        let moved = |h: f64| {
                            let mut z: Vec<f64> = z.iter().map(|value| alpha * value).collect();
                            z[n] += h;
                            at(&z)
                        };
                        (moved(1e-5) - moved(-1e-5)) / 2e-5
                    })
                    .sum();
                let found = sum / f64::from(steps);
                assert!((gradient[n] - found).abs() < 2e-3, "{} {found}", gradient[n]);
            }
            let sum: f64 = gradient.iter().zip(&z).map(|(g, z)| g * z).sum();
            assert!((at(&z) - at(&[0.0; 5]) - sum).abs() < 1e-12);
        }
    }

    #[test]
    fn a_reading_along_a_direction_is_linear() {
        let reading = Reading::along(vec![0.6, 0.8]);
        let image = reading.image(0, &[3.0, 4.0]);
        assert!((reading.value(&image) - 5.0).abs() < 1e-12);
        assert_eq!(reading.mean_gradient(&image), [0.6, 0.8]);
    }
}
