//! Memory settings: an allocator that requests large pages for large blocks and
//! keeps freed memory instead of returning it.
//!
//! Loading ten million edges and training on matrices of hundreds of megabytes
//! touch memory faster than the kernel can provide small pages: large pages saved a
//! third of the loading time, keeping them another quarter (docs/BENCHMARKS.md).
//! Both are only hints, and only used on Linux.

#![allow(unsafe_code)] // An allocator cannot be written without it.

use std::alloc::{GlobalAlloc, Layout, System};

use rayon::prelude::*;

/// Numbers copied by one task.
const SHARE: usize = 1 << 16;

/// A copy made in parallel.
pub(crate) fn copied(numbers: &[f32]) -> Vec<f32> {
    numbers.par_iter().with_min_len(SHARE).copied().collect()
}

/// The system's allocator, with large pages for large blocks.
#[derive(Debug, Default, Clone, Copy)]
pub struct LargePages;

/// Minimum block size for large pages.
#[cfg(target_os = "linux")]
const LARGE: usize = 4 << 20;
/// From this size on, the system's allocator maps and unmaps every block unless
/// configured otherwise.
#[cfg(target_os = "linux")]
const MAPPED: usize = 128 << 10;

// SAFETY: every call is passed on to the system's allocator unchanged, and
// `prefer_large_pages` neither reads, writes nor unmaps the block.
unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`.
        prefer_large_pages(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        prefer_large_pages(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `realloc`.
        prefer_large_pages(unsafe { System.realloc(block, layout, size) }, size)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(block, layout) }
    }
}

#[cfg(target_os = "linux")]
fn prefer_large_pages(block: *mut u8, size: usize) -> *mut u8 {
    const SMALL_PAGE: usize = 4096;
    if size >= MAPPED {
        keep_freed_memory();
    }
    if size >= LARGE && !block.is_null() {
        // Whole pages including the allocator's header before the block: a mapping
        // advised in part would be split and could not grow in place.
        let before = block.addr() % SMALL_PAGE;
        let length = (before + size).next_multiple_of(SMALL_PAGE);
        // SAFETY: the pages hold the block; the advice changes which pages back
        // an address, never what is there. A refusal does no harm.
        unsafe { libc::madvise(block.wrapping_sub(before).cast(), length, libc::MADV_HUGEPAGE) };
    }
    block
}

/// Configures the system's allocator, once, to reuse large blocks rather than to
/// map and unmap them: newly mapped pages have to be cleared.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn keep_freed_memory() {
    use std::sync::atomic::{AtomicBool, Ordering};
    /// Free memory beyond this is returned to the system.
    const MOST_KEPT: libc::c_int = 1 << 30;
    static ASKED: AtomicBool = AtomicBool::new(false);
    if !ASKED.load(Ordering::Relaxed) && !ASKED.swap(true, Ordering::Relaxed) {
        // SAFETY: both calls only set limits of the allocator.
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, MOST_KEPT);
            libc::mallopt(libc::M_TRIM_THRESHOLD, MOST_KEPT);
        }
    }
}

#[cfg(all(target_os = "linux", not(target_env = "gnu")))]
fn keep_freed_memory() {}

#[cfg(not(target_os = "linux"))]
fn prefer_large_pages(block: *mut u8, _size: usize) -> *mut u8 {
    block
}

/// Uses one arena for all threads, so that they can reuse each other's freed blocks
/// instead of unmapping and mapping them.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn share_one_arena() {
    // SAFETY: the call only sets a limit of the allocator.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn share_one_arena() {}

/// Prevents candle from starting its own threads, which would spin while idle and
/// take cores away, and the allocator from using an arena per thread. Call it first
/// in `main`.
pub fn leave_threads_to_us() {
    const THREADS: &str = "CANDLE_NUM_THREADS";
    share_one_arena();
    if std::env::var_os(THREADS).is_none() {
        // SAFETY: the program still has a single thread, so nobody reads the
        // environment while it changes.
        unsafe { std::env::set_var(THREADS, "1") };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_blocks_keep_their_content_when_they_grow() {
        let small = Layout::from_size_align(LARGE / 2, 16).unwrap();
        // SAFETY: the layouts match, and only what was allocated is touched.
        unsafe {
            let block = LargePages.alloc_zeroed(small);
            assert_eq!(*block.add(LARGE / 2 - 1), 0);
            block.write(42);
            let block = LargePages.realloc(block, small, 3 * LARGE);
            assert_eq!(*block, 42);
            block.add(3 * LARGE - 1).write(7);
            LargePages.dealloc(block, Layout::from_size_align(3 * LARGE, 16).unwrap());
        }
    }
}
