//! A stored spectrum: a fixed header, then eigenvalues, residuals and U, with all
//! numbers in native byte order.
//!
//! ```text
//! magic  version  nodes  pairs  engine  orthogonality  checksum      64 bytes
//! σ (f64 × k)   residuals (f64 × k)   U (f32 × N·k, row-major)
//! ```

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use bytemuck::{Pod, Zeroable};
use memmap2::Mmap;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::super::{Engine, Quality, Spectrum, Vectors};

/// Files of another version are not read.
pub(super) const VERSION: u64 = 1;

/// `GESFspec` as a number: another byte order gives another number.
const MAGIC: u64 = u64::from_be_bytes(*b"GESFspec");

#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Head {
    magic: u64,
    version: u64,
    nodes: u64,
    pairs: u64,
    engine: u64,
    orthogonality: f64,
    checksum: u64,
    reserved: u64,
}

const HEAD: usize = size_of::<Head>();

impl Head {
    /// The ends of the sections; `None` if the sizes are invalid.
    fn parts(&self) -> Option<[usize; 3]> {
        let (nodes, pairs) = (usize::try_from(self.nodes).ok()?, usize::try_from(self.pairs).ok()?);
        let residuals = HEAD.checked_add(pairs.checked_mul(8)?)?;
        let vectors = residuals.checked_add(pairs.checked_mul(8)?)?;
        let end = vectors.checked_add(nodes.checked_mul(pairs)?.checked_mul(4)?)?;
        Some([residuals, vectors, end])
    }

    fn is_ours(&self) -> bool {
        self.magic == MAGIC && self.version == VERSION
    }
}

/// The size of a stored spectrum, in bytes.
pub(super) fn length_of(spectrum: &Spectrum) -> u64 {
    (HEAD + 16 * spectrum.count() + 4 * spectrum.vectors().len()) as u64
}

pub(super) fn write(spectrum: &Spectrum, out: &mut dyn Write) -> io::Result<()> {
    let quality = spectrum.quality();
    let body: [&[u8]; 3] = [
        bytemuck::cast_slice(spectrum.values()),
        bytemuck::cast_slice(&quality.residuals),
        bytemuck::cast_slice(spectrum.vectors()),
    ];
    let mut hash = Xxh3::new();
    for part in body {
        hash.update(part);
    }
    let engine = Engine::EVERY.iter().position(|engine| *engine == spectrum.engine());
    let head = Head {
        magic: MAGIC,
        version: VERSION,
        nodes: spectrum.nodes() as u64,
        pairs: spectrum.count() as u64,
        engine: engine.unwrap_or(0) as u64,
        orthogonality: quality.orthogonality,
        checksum: hash.digest(),
        reserved: 0,
    };
    out.write_all(bytemuck::bytes_of(&head))?;
    body.iter().try_for_each(|part| out.write_all(part))
}

/// The spectrum of a file; `None` if it is invalid or incomplete.
pub(super) fn read(path: &Path) -> Option<Spectrum> {
    let map = map(&File::open(path).ok()?).ok()?;
    let head: Head = *bytemuck::try_from_bytes(map.get(..HEAD)?).ok()?;
    let [residuals, vectors, end] = head.parts().filter(|_| head.is_ours())?;
    let whole = map.len() == end && xxh3_64(&map[HEAD..]) == head.checksum;
    let engine = *Engine::EVERY.get(usize::try_from(head.engine).ok()?)?;
    if !whole {
        return None;
    }
    let numbers = |from: usize, to: usize| bytemuck::pod_collect_to_vec(&map[from..to]);
    let quality =
        Quality { residuals: numbers(residuals, vectors), orthogonality: head.orthogonality };
    let values = numbers(HEAD, residuals);
    let nodes = usize::try_from(head.nodes).ok()?;
    let mapped = Mapped { map, start: vectors };
    Spectrum::from_parts(nodes, values, Vectors::new(mapped), quality, engine)
}

/// Nodes and pairs from the header alone; `None` if the file has another format or
/// length.
pub(super) fn shape(path: &Path) -> Option<(usize, usize)> {
    let mut file = File::open(path).ok()?;
    let mut bytes = [0; HEAD];
    file.read_exact(&mut bytes).ok()?;
    let head: Head = bytemuck::pod_read_unaligned(&bytes);
    let [.., end] = head.parts().filter(|_| head.is_ours())?;
    let whole = file.metadata().ok()?.len() == end as u64;
    whole.then_some((head.nodes as usize, head.pairs as usize))
}

/// U inside a mapped file.
struct Mapped {
    map: Mmap,
    start: usize,
}

impl AsRef<[f32]> for Mapped {
    fn as_ref(&self) -> &[f32] {
        // The map begins at a page and U at a multiple of 8, so the cast is
        // aligned.
        bytemuck::try_cast_slice(&self.map[self.start..]).unwrap_or_default()
    }
}

#[allow(unsafe_code)]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: cache files are written to a temporary file and renamed; no process
    // of this program changes or shortens one in place, and a removed file stays
    // mapped.
    unsafe { Mmap::map(file) }
}
