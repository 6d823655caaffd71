//! Z = P·H as one operation with its own gradient.
//!
//! By default candle would also compute the gradient of the eigenvectors, which is
//! not needed and costs more than everything else together.

use std::sync::{Arc, Mutex, PoisonError};

use candle_core::{CpuStorage, CustomOp1, CustomOp2, Device, Layout, Result, Shape, Tensor};

use super::slices::{numbers, with_numbers};
use gesf_spectral::{
    FilterGradient, ForwardState, Operator, SelfTerm, Signal, SpectralError, Spectrum,
};

/// Z = P·H, or (P − diag P)·H. `response` holds ρ at the operator's points; it gets
/// a gradient if it is differentiable.
///
/// On the CPU the operator computes it, with or without eigenvectors. On other
/// devices eigenvectors are multiplied there by plain operations; a polynomial
/// operator runs on the CPU and its result is moved.
pub fn product(
    operator: &Arc<dyn Operator>,
    on_device: Option<&DeviceVectors>,
    response: &Tensor,
    signal: &Tensor,
    self_term: SelfTerm,
) -> Result<Tensor> {
    if let Some(vectors) = on_device {
        return vectors.product(response, signal, self_term);
    }
    let parts = Parts { operator, self_term };
    Ok(parts.product(response, signal, &Arc::default())?.0)
}

/// [`product`], and also the rows of Z at the watched nodes as a function of only
/// ρ: a loss on these updates only the filter.
pub fn watched_product(
    operator: &Arc<dyn Operator>,
    response: &Tensor,
    signal: &Tensor,
    self_term: SelfTerm,
    watched: &Arc<[u32]>,
) -> Result<(Tensor, Tensor)> {
    let device = signal.device();
    let response = response.to_device(&Device::Cpu)?.contiguous()?;
    let parts = Parts { operator, self_term };
    let (output, kept) = parts.product(&response.detach(), signal, watched)?;
    let nodes = Tensor::new(watched.as_ref(), device)?;
    let rows = output.detach().index_select(&nodes, 0)?.to_device(&Device::Cpu)?;
    let signal = signal.detach().to_device(&Device::Cpu)?.contiguous()?;
    let op = WatchedRows {
        operator: operator.clone(),
        self_term,
        watched: watched.clone(),
        signal,
        kept,
        rows,
    };
    Ok((output, response.apply_op1(op)?.to_device(device)?))
}

type KeptSlot = Arc<Mutex<Option<ForwardState>>>;

struct Parts<'a> {
    operator: &'a Arc<dyn Operator>,
    self_term: SelfTerm,
}

impl Parts<'_> {
    fn product(
        &self,
        response: &Tensor,
        signal: &Tensor,
        watched: &Arc<[u32]>,
    ) -> Result<(Tensor, KeptSlot)> {
        let device = signal.device().clone();
        let kept = KeptSlot::default();
        let op = Product {
            operator: self.operator.clone(),
            self_term: self.self_term,
            watched: watched.clone(),
            kept: kept.clone(),
        };
        let response = response.to_device(&Device::Cpu)?.contiguous()?;
        let signal = signal.to_device(&Device::Cpu)?.contiguous()?;
        Ok((response.apply_op2(&signal, op)?.to_device(&device)?, kept))
    }
}

struct Product {
    operator: Arc<dyn Operator>,
    self_term: SelfTerm,
    watched: Arc<[u32]>,
    /// Stored by the forward pass for the backward pass.
    kept: KeptSlot,
}

fn refused(error: SpectralError) -> candle_core::Error {
    candle_core::Error::wrap(error)
}

fn no_forward_pass() -> candle_core::Error {
    candle_core::Error::Msg("no forward pass".to_owned())
}

impl CustomOp2 for Product {
    fn name(&self) -> &'static str {
        "filtered product"
    }

    fn cpu_fwd(
        &self,
        response: &CpuStorage,
        response_layout: &Layout,
        signal: &CpuStorage,
        signal_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (_, width) = signal_layout.shape().dims2()?;
        let response = numbers(response, response_layout)?;
        let signal = Signal { values: numbers(signal, signal_layout)?, width };
        let applied = self.operator.apply(response, signal, self.self_term, &self.watched);
        let applied = applied.map_err(refused)?;
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(applied.kept);
        Ok((CpuStorage::F32(applied.output), signal_layout.shape().clone()))
    }

    fn bwd(
        &self,
        response: &Tensor,
        signal: &Tensor,
        _output: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.as_ref().ok_or_else(no_forward_pass)?;
        let (_, width) = signal.dims2()?;
        let filter =
            if response.track_op() { FilterGradient::Wanted } else { FilterGradient::Unwanted };
        let gradients = with_numbers(response, |response| {
            with_numbers(signal, |signal| {
                with_numbers(gradient, |gradient| {
                    let signal = Signal { values: signal, width };
                    let gradient = Signal { values: gradient, width };
                    let self_term = self.self_term;
                    self.operator.differentiate(response, signal, kept, gradient, self_term, filter)
                })
            })
        })???;
        let gradients = gradients.map_err(refused)?;
        let by_response = gradients.response.map(|values| {
            let shape = response.shape();
            Tensor::from_vec(values, shape, &Device::Cpu)
        });
        let by_signal = Tensor::from_vec(gradients.signal, signal.shape(), &Device::Cpu)?;
        Ok((by_response.transpose()?, Some(by_signal)))
    }
}

/// Rows of Z as a function of ρ.
struct WatchedRows {
    operator: Arc<dyn Operator>,
    self_term: SelfTerm,
    watched: Arc<[u32]>,
    signal: Tensor,
    kept: KeptSlot,
    rows: Tensor,
}

impl CustomOp1 for WatchedRows {
    fn name(&self) -> &'static str {
        "watched rows"
    }

    fn cpu_fwd(&self, _response: &CpuStorage, _layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let rows = with_numbers(&self.rows, <[f32]>::to_vec)?;
        Ok((CpuStorage::F32(rows), self.rows.shape().clone()))
    }

    fn bwd(
        &self,
        response: &Tensor,
        _output: &Tensor,
        gradient: &Tensor,
    ) -> Result<Option<Tensor>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.as_ref().ok_or_else(no_forward_pass)?;
        let (_, width) = self.signal.dims2()?;
        let found = with_numbers(&self.signal, |signal| {
            with_numbers(gradient, |gradient| {
                let signal = Signal { values: signal, width };
                let (watched, self_term) = (&self.watched, self.self_term);
                self.operator.differentiate_filter(watched, signal, kept, gradient, self_term)
            })
        })??;
        let found = found.map_err(refused)?;
        Ok(Some(Tensor::from_vec(found, response.shape(), &Device::Cpu)?))
    }
}

/// Eigenvectors on a device other than the CPU, for plain operations.
pub struct DeviceVectors {
    vectors: Tensor,
    transposed: Tensor,
    squares: Tensor,
}

impl DeviceVectors {
    /// The eigenvectors of a spectrum on a device.
    pub(super) fn new(spectrum: &Spectrum, device: &Device) -> Result<Self> {
        let shape = (spectrum.nodes(), spectrum.count());
        let vectors = Tensor::from_slice(spectrum.vectors(), shape, device)?;
        let (transposed, squares) = (vectors.t()?.contiguous()?, vectors.sqr()?);
        Ok(Self { vectors, transposed, squares })
    }

    fn product(&self, response: &Tensor, signal: &Tensor, self_term: SelfTerm) -> Result<Tensor> {
        let column = response.unsqueeze(1)?;
        let projected = self.transposed.matmul(signal)?;
        let output = self.vectors.matmul(&projected.broadcast_mul(&column)?)?;
        match self_term {
            SelfTerm::Keep => Ok(output),
            SelfTerm::Drop => output - signal.broadcast_mul(&self.squares.matmul(&column)?)?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Var;
    use gesf_graph::{LoadOptions, load};
    use gesf_spectral::{
        Cancel, EdgeValues, EigenOperator, Matrix, MatrixKind, PolynomialOperator,
        PolynomialOptions, Request, decompose,
    };

    fn karate() -> (Arc<Matrix>, Arc<Spectrum>) {
        let (graph, _) = load(
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref(),
            &LoadOptions::default(),
        )
        .unwrap();
        let matrix = Matrix::of(&graph, MatrixKind::SymLoops, EdgeValues::Weighted).unwrap();
        let matrix = Arc::new(matrix);
        let found = decompose(&matrix, &Request::default(), &Cancel::default(), &mut |_| {});
        (matrix, Arc::new(found.unwrap()))
    }

    fn wave(shape: impl Into<Shape>, pace: f32) -> Var {
        let shape = shape.into();
        let values: Vec<f32> = (0..shape.elem_count()).map(|n| (n as f32 * pace).sin()).collect();
        Var::from_tensor(&Tensor::from_vec(values, shape, &Device::Cpu).unwrap()).unwrap()
    }

    #[test]
    fn plain_operations_give_the_same_product_and_gradients() {
        let (_, spectrum) = karate();
        let operator: Arc<dyn Operator> = Arc::new(EigenOperator::new(spectrum.clone()));
        let vectors = DeviceVectors::new(&spectrum, &Device::Cpu).unwrap();
        let (response, signal) = (wave(34, 0.7), wave((34, 5), 0.3));
        for self_term in [SelfTerm::Keep, SelfTerm::Drop] {
            let results: Vec<Vec<Vec<f32>>> = [None, Some(&vectors)]
                .into_iter()
                .map(|on_device| {
                    let output =
                        product(&operator, on_device, &response, &signal, self_term).unwrap();
                    let weighted = (&output * wave((34, 5), 1.1).as_tensor()).unwrap();
                    let grads = weighted.sum_all().unwrap().backward().unwrap();
                    let flat = |t: &Tensor| t.flatten_all().unwrap().to_vec1::<f32>().unwrap();
                    let of = |var: &Var| flat(grads.get(var).unwrap());
                    vec![flat(&output), of(&response), of(&signal)]
                })
                .collect();
            for (one, other) in results[0].iter().flatten().zip(results[1].iter().flatten()) {
                assert!((one - other).abs() < 1e-4, "{one} {other}");
            }
        }
    }

    #[test]
    fn the_gradient_agrees_with_finite_differences_on_both_engines() {
        let (matrix, spectrum) = karate();
        let options = PolynomialOptions { degree: 6, probes: 64 };
        let polynomial =
            PolynomialOperator::new(&matrix, options, &Cancel::default(), &mut |_| {}).unwrap();
        let engines: [Arc<dyn Operator>; 2] =
            [Arc::new(EigenOperator::new(spectrum)), Arc::new(polynomial)];
        for operator in engines {
            let points = operator.points().len();
            let (response, signal) = (wave(points, 0.7), wave((34, 3), 0.3));
            // Z is linear in both, so a wide difference is exact up to rounding.
            let loss = |response: &Tensor, signal: &Tensor| {
                let out = product(&operator, None, response, signal, SelfTerm::Drop).unwrap();
                (&out * wave((34, 3), 1.1).as_tensor()).unwrap().sum_all().unwrap()
            };
            let grads = loss(&response, &signal).backward().unwrap();
            for var in [&response, &signal] {
                let exact =
                    grads.get(var).unwrap().flatten_all().unwrap().to_vec1::<f32>().unwrap();
                for at in (0..exact.len()).step_by(exact.len() / 5) {
                    let mut moved = [0.5_f32, -0.5].map(|step| {
                        let mut values = var.flatten_all().unwrap().to_vec1::<f32>().unwrap();
                        values[at] += step;
                        let new = Tensor::from_vec(values, var.shape(), &Device::Cpu).unwrap();
                        let by_response = var.id() == response.id();
                        let (a, b) = if by_response {
                            (&new, signal.as_tensor())
                        } else {
                            (response.as_tensor(), &new)
                        };
                        loss(a, b).to_scalar::<f32>().unwrap()
                    });
                    moved[0] -= moved[1];
                    assert!((moved[0] - exact[at]).abs() < 2e-4, "{} {}", moved[0], exact[at]);
                }
            }
        }
    }

    #[test]
    fn watched_rows_give_the_filter_the_gradient_of_the_whole_product() {
        let (matrix, spectrum) = karate();
        let options = PolynomialOptions { degree: 5, probes: 32 };
        let polynomial =
            PolynomialOperator::new(&matrix, options, &Cancel::default(), &mut |_| {}).unwrap();
        let engines: [Arc<dyn Operator>; 2] =
            [Arc::new(EigenOperator::new(spectrum)), Arc::new(polynomial)];
        let watched: Arc<[u32]> = vec![3, 0, 30].into();
        let nodes = Tensor::new(watched.as_ref(), &Device::Cpu).unwrap();
        for operator in engines {
            let (response, signal) = (wave(operator.points().len(), 0.7), wave((34, 3), 0.3));
            for self_term in [SelfTerm::Keep, SelfTerm::Drop] {
                let weights = wave((3, 3), 1.1);
                let loss = |rows: &Tensor| (rows * weights.as_tensor()).unwrap().sum_all().unwrap();
                let (whole, rows) =
                    watched_product(&operator, &response, &signal, self_term, &watched).unwrap();
                let found = loss(&rows).backward().unwrap();
                assert!(found.get(&signal).is_none(), "the signal does not follow");
                let plain = product(&operator, None, &response, &signal, self_term).unwrap();
                let exact = loss(&plain.index_select(&nodes, 0).unwrap()).backward().unwrap();
                let flat = |t: &Tensor| t.flatten_all().unwrap().to_vec1::<f32>().unwrap();
                assert_eq!(flat(&whole), flat(&plain));
                let pair = [&found, &exact].map(|grads| flat(grads.get(&response).unwrap()));
                for (one, other) in pair[0].iter().zip(&pair[1]) {
                    assert!((one - other).abs() < 1e-5, "{one} {other}");
                }
            }
        }
    }
}
