//! The numbers of a tensor in main memory, without a copy.

use candle_core::{CpuStorage, Layout, Result, Storage, Tensor};

/// The numbers behind a layout, row after row.
pub(super) fn numbers<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    let (start, end) = layout.contiguous_offsets().ok_or_else(|| {
        candle_core::Error::Msg("rows that do not follow each other in memory".to_owned())
    })?;
    Ok(&storage.as_slice::<f32>()?[start..end])
}

/// Lends the numbers of a tensor on the CPU, row after row.
pub(crate) fn with_numbers<T>(tensor: &Tensor, look: impl FnOnce(&[f32]) -> T) -> Result<T> {
    let tensor = tensor.contiguous()?;
    let (storage, layout) = tensor.storage_and_layout();
    match &*storage {
        Storage::Cpu(storage) => Ok(look(numbers(storage, layout)?)),
        _ => Err(candle_core::Error::Msg("numbers that are not in main memory".to_owned())),
    }
}
