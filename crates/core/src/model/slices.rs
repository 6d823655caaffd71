//! The values of a CPU tensor, without a copy.

use std::sync::{Mutex, PoisonError};

use candle_core::{CpuStorage, InplaceOp1, Layout, Result, Storage, Tensor};

/// The values behind a layout, row-major.
pub(super) fn numbers<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    let (start, end) = layout.contiguous_offsets().ok_or_else(|| {
        candle_core::Error::Msg("rows that are not contiguous in memory".to_owned())
    })?;
    Ok(&storage.as_slice::<f32>()?[start..end])
}

/// Gives access to the values of a CPU tensor, row-major.
pub fn with_numbers<T>(tensor: &Tensor, look: impl FnOnce(&[f32]) -> T) -> Result<T> {
    let tensor = tensor.contiguous()?;
    let (storage, layout) = tensor.storage_and_layout();
    match &*storage {
        Storage::Cpu(storage) => Ok(look(numbers(storage, layout)?)),
        _ => Err(candle_core::Error::Msg("data that is not in main memory".to_owned())),
    }
}

/// Changes the values of a CPU tensor in place.
pub fn change_numbers(tensor: &Tensor, change: impl FnOnce(&mut [f32])) -> Result<()> {
    tensor.inplace_op1(&Change(Mutex::new(Some(change))))
}

struct Change<F>(Mutex<Option<F>>);

impl<F: FnOnce(&mut [f32])> InplaceOp1 for Change<F> {
    fn name(&self) -> &'static str {
        "change"
    }

    fn cpu_fwd(&self, storage: &mut CpuStorage, layout: &Layout) -> Result<()> {
        let change = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (Some(change), Some((start, end)), CpuStorage::F32(values)) =
            (change, layout.contiguous_offsets(), storage)
        else {
            return Err(candle_core::Error::Msg(
                "data that cannot be modified in place".to_owned(),
            ));
        };
        change(&mut values[start..end]);
        Ok(())
    }
}
