//! The spectrum cache: files are complete or missing, even with concurrent writers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gesf_tui::graph::{LoadOptions, load};
use gesf_tui::spectral::{
    Cache, Cancel, EdgeValues, Key, Matrix, MatrixKind, Origin, Request, Spectrum, Which,
    decompose_cached,
};

fn matrix(kind: MatrixKind) -> Arc<Matrix> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_graphs/lesmis");
    let (graph, _) = load(&path, &LoadOptions::default()).unwrap();
    Arc::new(Matrix::of(&graph, kind, EdgeValues::Weighted).unwrap())
}

fn request(count: usize) -> Request {
    Request { count, ..Request::default() }
}

fn get(cache: &Cache, matrix: &Arc<Matrix>, request: &Request) -> (Spectrum, Origin) {
    decompose_cached(Some(cache), matrix, request, &Cancel::default(), &mut |_| {}).unwrap()
}

fn only_file(cache: &Cache) -> PathBuf {
    let entries = cache.entries().unwrap();
    assert_eq!(entries.len(), 1);
    entries[0].path.clone()
}

#[test]
fn a_cached_spectrum_is_bit_identical() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().join("new"), Cache::DEFAULT_LIMIT);
    let matrix = matrix(MatrixKind::SymLoops);
    let (first, origin) = get(&cache, &matrix, &request(10));
    assert_eq!(origin, Origin::Computed);
    let (again, origin) = get(&cache, &matrix, &request(10));
    assert_eq!(origin, Origin::Cache);
    assert_eq!(first.values(), again.values());
    assert_eq!(first.vectors(), again.vectors());
    assert_eq!(first.quality(), again.quality());
    assert_eq!(first.engine(), again.engine());
    assert_eq!(cache.entries().unwrap()[0].shape, Some((77, 10)));
}

#[test]
fn the_key_covers_everything_a_spectrum_depends_on() {
    let (loops, plain) = (matrix(MatrixKind::SymLoops), matrix(MatrixKind::Adjacency));
    let base = Key::of(&loops, &request(10));
    assert_eq!(base, Key::of(&matrix(MatrixKind::SymLoops), &request(10)));
    assert_ne!(base, Key::of(&plain, &request(10)));
    assert_ne!(base, Key::of(&loops, &request(11)));
    assert_ne!(base, Key::of(&loops, &Request { which: Which::BothEnds, ..request(10) }));
    assert_ne!(base, Key::of(&loops, &Request { tolerance: 1e-7, ..request(10) }));
}

#[test]
fn a_damaged_file_is_ignored_and_rewritten() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().to_owned(), Cache::DEFAULT_LIMIT);
    let matrix = matrix(MatrixKind::Sym);
    let (good, _) = get(&cache, &matrix, &request(8));
    let path = only_file(&cache);
    let whole = std::fs::read(&path).unwrap();
    let mut older = whole.clone();
    older[8] = 0;
    let mut flipped = whole.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let mut huge = whole.clone();
    huge[16..32].fill(0xff);
    let damaged = [
        whole[..whole.len() - 1].to_vec(),
        whole[..40].to_vec(),
        Vec::new(),
        b"something else entirely, of some length, that was never ours to begin with".to_vec(),
        older,
        flipped,
        huge,
    ];
    for bytes in damaged {
        std::fs::write(&path, &bytes).unwrap();
        let (again, origin) = get(&cache, &matrix, &request(8));
        assert_eq!(origin, Origin::Computed, "{} bytes", bytes.len());
        assert_eq!(again.values(), good.values());
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }
}

#[test]
fn a_full_cache_drops_the_oldest_spectrum() {
    let folder = tempfile::tempdir().unwrap();
    let matrix = matrix(MatrixKind::SymLoops);
    let one = 64 + 16 * 10 + 4 * 77 * 10;
    let cache = Cache::at(folder.path().to_owned(), 2 * one + 100);
    for count in [10, 9] {
        get(&cache, &matrix, &request(count));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    // Using the first makes the second the oldest.
    assert_eq!(get(&cache, &matrix, &request(10)).1, Origin::Cache);
    std::thread::sleep(std::time::Duration::from_millis(20));
    get(&cache, &matrix, &request(8));
    assert_eq!(get(&cache, &matrix, &request(10)).1, Origin::Cache);
    assert_eq!(get(&cache, &matrix, &request(9)).1, Origin::Computed);
    assert!(cache.clear().unwrap() > 0);
    assert!(cache.entries().unwrap().is_empty());
}

#[test]
fn concurrent_writers_do_not_interfere() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().to_owned(), Cache::DEFAULT_LIMIT);
    let matrix = matrix(MatrixKind::SymLoops);
    let (expected, _) = get(&cache, &matrix, &request(12));
    std::thread::scope(|scope| {
        for turn in 0..8 {
            let (cache, matrix, expected) = (&cache, &matrix, &expected);
            scope.spawn(move || {
                for round in 0..20 {
                    if (turn + round) % 5 == 0 {
                        let _ = cache.clear();
                    }
                    let (found, _) = get(cache, matrix, &request(12));
                    assert_eq!(found.vectors(), expected.vectors());
                }
            });
        }
    });
}

#[test]
fn an_unwritable_cache_is_not_an_error() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let cache = Cache::at(file.path().join("below/a/file"), Cache::DEFAULT_LIMIT);
    let (_, origin) = get(&cache, &matrix(MatrixKind::Sym), &request(5));
    assert_eq!(origin, Origin::Computed);
}
