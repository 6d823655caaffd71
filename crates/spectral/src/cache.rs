//! Spectra cached on disk, so that a graph opened again trains at once.
//!
//! One file per spectrum, named by a hash of everything it depends on. A file is
//! written to a temporary file and renamed, so a reader sees all of it or nothing,
//! even with concurrent writers. A truncated, damaged or foreign file and one of
//! another version are treated as missing.

mod file;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use xxhash_rust::xxh3::Xxh3;

use super::{Cancel, Matrix, Progress, Request, SpectralError, Spectrum, decompose};
use std::sync::Arc;

/// The cache key of a spectrum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key(u128);

impl Key {
    /// A hash of everything the spectrum depends on: all matrix entries and the
    /// request.
    pub fn of(matrix: &Matrix, request: &Request) -> Self {
        let mut hash = Xxh3::new();
        let count = request.count_for(matrix.size());
        let engine = request.engine.map_or_else(String::new, |engine| engine.to_string());
        let wish = format!(
            "v{} {} {count} {} {engine} {:e}",
            file::VERSION,
            matrix.size(),
            request.which,
            request.tolerance
        );
        hash.update(wish.as_bytes());
        for row in 0..matrix.size() {
            let (columns, values) = matrix.entries().row(row);
            hash.update(&(columns.len() as u64).to_le_bytes());
            hash.update(bytemuck::cast_slice(columns));
            hash.update(bytemuck::cast_slice(values));
        }
        Self(hash.digest128())
    }
}

/// A folder of spectra with a size limit.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    limit: u64,
}

/// One stored spectrum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedSpectrum {
    /// The file.
    pub path: PathBuf,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last used.
    pub used: SystemTime,
    /// Number of nodes and pairs; `None` if the file cannot be read.
    pub shape: Option<(usize, usize)>,
}

/// Where a spectrum came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// It was read from disk.
    Cache,
    /// It was computed.
    Computed,
}

const ENDING: &str = "spectrum";

impl Cache {
    /// The default size limit.
    pub const DEFAULT_LIMIT: u64 = 4 << 30;

    /// The cache in its default folder; `None` if the platform has none.
    pub fn usual() -> Option<Self> {
        Some(Self::at(gesf_graph::folders::cache()?.join("spectra"), Self::DEFAULT_LIMIT))
    }

    /// A cache in a folder, which may not exist yet.
    pub fn at(folder: PathBuf, limit: u64) -> Self {
        Self { folder, limit }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The stored spectrum, if it exists and is complete.
    pub fn load(&self, key: Key) -> Option<Spectrum> {
        let path = self.path(key);
        let spectrum = file::read(&path)?;
        // The modification time records the last use; a failure only makes it look
        // older.
        let _ = File::options()
            .append(true)
            .open(&path)
            .and_then(|file| file.set_modified(SystemTime::now()));
        Some(spectrum)
    }

    /// Stores a spectrum, dropping the oldest ones if necessary.
    pub fn store(&self, key: Key, spectrum: &Spectrum) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let size = file::length_of(spectrum);
        if size > self.limit {
            return Ok(());
        }
        self.shrink_to(self.limit - size)?;
        gesf_graph::files::write_atomically(&self.path(key), |out| file::write(spectrum, out))
    }

    /// The stored spectra, most recently used first.
    pub fn entries(&self) -> io::Result<Vec<CachedSpectrum>> {
        let folder = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other?,
        };
        let mut entries = Vec::new();
        for path in folder.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
            // Another process may have removed it since the folder was listed.
            let Ok(about) = path.metadata() else { continue };
            if path.extension().is_some_and(|ending| ending == ENDING) && about.is_file() {
                let used = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                let shape = file::shape(&path);
                entries.push(CachedSpectrum { path, size: about.len(), used, shape });
            }
        }
        entries.sort_by(|a, b| b.used.cmp(&a.used).then_with(|| a.path.cmp(&b.path)));
        Ok(entries)
    }

    /// Removes everything; returns the number of bytes.
    pub fn clear(&self) -> io::Result<u64> {
        self.shrink_to(0)
    }

    fn shrink_to(&self, limit: u64) -> io::Result<u64> {
        let entries = self.entries()?;
        let mut held: u64 = entries.iter().map(|entry| entry.size).sum();
        let mut freed = 0;
        for oldest in entries.iter().rev() {
            if held <= limit {
                break;
            }
            match fs::remove_file(&oldest.path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            held -= oldest.size;
            freed += oldest.size;
        }
        Ok(freed)
    }

    fn path(&self, key: Key) -> PathBuf {
        self.folder.join(format!("{:032x}.{ENDING}", key.0))
    }
}

/// A spectrum from the cache, or computed and stored there. Write errors of the
/// cache are ignored.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_spectral::{Cache, Cancel, Origin, Request, decompose_cached};
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let kind = gesf_spectral::MatrixKind::SymLoops;
/// # let matrix = gesf_spectral::Matrix::of(&graph, kind, gesf_spectral::EdgeValues::Weighted)?;
/// # let matrix = std::sync::Arc::new(matrix);
/// let folder = tempfile::tempdir()?;
/// let cache = Cache::at(folder.path().join("spectra"), Cache::DEFAULT_LIMIT);
/// let (request, cancel) = (Request::default(), Cancel::default());
/// let ask = || decompose_cached(Some(&cache), &matrix, &request, &cancel, &mut |_| {});
/// let (computed, origin) = ask()?;
/// assert_eq!(origin, Origin::Computed);
/// let (stored, origin) = ask()?;
/// assert_eq!(origin, Origin::Cache);
/// assert_eq!(stored.vectors(), computed.vectors());
/// # Ok(()) }
/// ```
pub fn decompose_cached(
    cache: Option<&Cache>,
    matrix: &Arc<Matrix>,
    request: &Request,
    cancel: &Cancel,
    watch: &mut dyn FnMut(Progress),
) -> Result<(Spectrum, Origin), SpectralError> {
    let Some(cache) = cache else {
        return Ok((decompose(matrix, request, cancel, watch)?, Origin::Computed));
    };
    let key = Key::of(matrix, request);
    if let Some(spectrum) = cache.load(key).filter(|found| found.nodes() == matrix.size()) {
        return Ok((spectrum, Origin::Cache));
    }
    let spectrum = decompose(matrix, request, cancel, watch)?;
    // A spectrum that cannot be stored only costs time at the next start.
    let _ = cache.store(key, &spectrum);
    Ok((spectrum, Origin::Computed))
}
