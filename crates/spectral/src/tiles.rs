//! Products of rows with a narrow block, in register tiles.
//!
//! A general product first packs both sides, each time again. The blocks here are
//! narrow enough to be read directly: a tile is as wide as the block, so each
//! number on the left is read once, and the right side stays in cache. No memory
//! besides the matrices is used.

// Loops with constant bounds, written like this, stay in registers.
#![allow(clippy::needless_range_loop)]

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

/// A row-major matrix.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    /// The values, row-major.
    pub values: &'a [f32],
    /// The number of columns.
    pub width: usize,
}

/// Rows of a tile. With four vectors of columns and the multiplied values they take
/// 30 of 32 registers, with two of them 15 of 16.
pub const TILE: usize = 6;
/// Rows multiplied at once for sums down the rows: those of the right side stay in
/// L1 cache while the columns of the left side pass.
pub const BLOCK: usize = 64;
/// Columns of the left side multiplied at once for sums along the rows: the rows of
/// the right side stay in L2 cache.
const DEPTH: usize = 512;

/// out += left · right.
pub fn add_product(left: Rows<'_>, right: Rows<'_>, out: &mut [f32]) {
    if left.width > 0 && right.width > 0 {
        Arch::new().dispatch(Product { left, right, out });
    }
}

/// out += (some columns of left)ᵀ · right.
pub fn add_transposed_product(
    left: Rows<'_>,
    columns: Range<usize>,
    right: Rows<'_>,
    out: &mut [f32],
) {
    if left.width > 0 && right.width > 0 {
        Arch::new().dispatch(TransposedProduct { left, columns, right, out });
    }
}

/// The left side of a tile: `R` numbers for each step of its sums.
trait Left<const R: usize>: Copy {
    fn at(self, step: usize) -> [f32; R];
}

/// Rows of the left side, for sums along them.
#[derive(Clone, Copy)]
struct Along<'a, const R: usize>([&'a [f32]; R]);

// Inlining passes the instruction set on to the loops: see pulp.
#[allow(clippy::inline_always)]
impl<const R: usize> Left<R> for Along<'_, R> {
    #[inline(always)]
    fn at(self, step: usize) -> [f32; R] {
        let mut numbers = [0.0; R];
        for row in 0..R {
            numbers[row] = self.0[row][step];
        }
        numbers
    }
}

/// Columns of the left side starting at one, for sums down them.
#[derive(Clone, Copy)]
struct Down<'a> {
    left: Rows<'a>,
    column: usize,
}

// As above.
#[allow(clippy::inline_always)]
impl<const R: usize> Left<R> for Down<'_> {
    #[inline(always)]
    fn at(self, step: usize) -> [f32; R] {
        let from = &self.left.values[step * self.left.width + self.column..][..R];
        let mut numbers = [0.0; R];
        numbers.copy_from_slice(from);
        numbers
    }
}

/// Loads a range of numbers as vectors: `C` whole ones, or a partial one.
#[allow(clippy::inline_always)]
#[inline(always)]
fn load<S: Simd, const C: usize>(simd: S, from: &[f32]) -> [S::f32s; C] {
    let mut vectors = [simd.splat_f32s(0.0); C];
    let (whole, rest) = S::as_simd_f32s(from);
    if C == 1 && whole.is_empty() {
        vectors[0] = simd.partial_load_f32s(rest);
    } else {
        vectors.copy_from_slice(&whole[..C]);
    }
    vectors
}

/// out_rc += Σ_step left_r(step) · right_c(step), in columns that form `C` whole
/// vectors or a partial one.
#[allow(clippy::inline_always)]
#[inline(always)]
fn tile<S: Simd, const R: usize, const C: usize>(
    simd: S,
    left: impl Left<R>,
    right: Rows<'_>,
    columns: Range<usize>,
    out: &mut [f32],
) {
    let mut sums = [[simd.splat_f32s(0.0); C]; R];
    for (step, right) in right.values.chunks_exact(right.width).enumerate() {
        let right = load::<S, C>(simd, &right[columns.clone()]);
        let left = left.at(step);
        for row in 0..R {
            let factor = simd.splat_f32s(left[row]);
            for vector in 0..C {
                sums[row][vector] = simd.mul_add_e_f32s(factor, right[vector], sums[row][vector]);
            }
        }
    }
    for (out, sums) in out.chunks_exact_mut(right.width).zip(&sums) {
        let (whole, rest) = S::as_mut_simd_f32s(&mut out[columns.clone()]);
        for (to, sum) in whole.iter_mut().zip(sums) {
            *to = simd.add_f32s(*to, *sum);
        }
        if !rest.is_empty() {
            let sum = simd.add_f32s(simd.partial_load_f32s(rest), sums[C - 1]);
            simd.partial_store_f32s(rest, sum);
        }
    }
}

/// The adjacent tiles that form `R` rows of the product.
#[allow(clippy::inline_always)]
#[inline(always)]
fn tiles<S: Simd, const R: usize>(simd: S, left: impl Left<R>, right: Rows<'_>, out: &mut [f32]) {
    let many = S::REGISTER_COUNT >= 32;
    let wide = S::F32_LANES * if many { 4 } else { 2 };
    let mut column = 0;
    while column < right.width {
        if column + wide > right.width {
            let end = (column + S::F32_LANES).min(right.width);
            tile::<S, R, 1>(simd, left, right, column..end, out);
            column = end;
            continue;
        }
        if many {
            tile::<S, R, 4>(simd, left, right, column..column + wide, out);
        } else {
            tile::<S, R, 2>(simd, left, right, column..column + wide, out);
        }
        column += wide;
    }
}

struct Product<'a> {
    left: Rows<'a>,
    right: Rows<'a>,
    out: &'a mut [f32],
}

// As above.
#[allow(clippy::inline_always)]
impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { left, right, out } = self;
        for (piece, values) in right.values.chunks(DEPTH * right.width).enumerate() {
            let right = Rows { values, width: right.width };
            let steps = piece * DEPTH..piece * DEPTH + values.len() / right.width;
            let rows = left.values.chunks(TILE * left.width);
            for (rows, out) in rows.zip(out.chunks_mut(TILE * right.width)) {
                if rows.len() == TILE * left.width {
                    let mut own: [&[f32]; TILE] = [&[]; TILE];
                    for row in 0..TILE {
                        own[row] = &rows[row * left.width..][steps.clone()];
                    }
                    tiles(simd, Along(own), right, out);
                    continue;
                }
                let rows = rows.chunks_exact(left.width);
                for (row, out) in rows.zip(out.chunks_mut(right.width)) {
                    tiles(simd, Along([&row[steps.clone()]]), right, out);
                }
            }
        }
    }
}

struct TransposedProduct<'a> {
    left: Rows<'a>,
    columns: Range<usize>,
    right: Rows<'a>,
    out: &'a mut [f32],
}

// As above.
#[allow(clippy::inline_always)]
impl WithSimd for TransposedProduct<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { left, columns, right, out } = self;
        let blocks = left.values.chunks(BLOCK * left.width);
        for (values, block) in blocks.zip(right.values.chunks(BLOCK * right.width)) {
            let left = Rows { values, width: left.width };
            let right = Rows { values: block, width: right.width };
            let mut column = columns.start;
            for out in out.chunks_mut(TILE * right.width) {
                if out.len() == TILE * right.width {
                    tiles::<S, TILE>(simd, Down { left, column }, right, out);
                    column += TILE;
                    continue;
                }
                for out in out.chunks_mut(right.width) {
                    tiles::<S, 1>(simd, Down { left, column }, right, out);
                    column += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(size: usize, pace: f32) -> Vec<f32> {
        (0..size).map(|n| (n as f32 * pace).sin()).collect()
    }

    fn close(found: f32, exact: f64, what: &str) {
        assert!((f64::from(found) - exact).abs() < 1e-4, "{what}: {found} {exact}");
    }

    #[test]
    fn products_of_every_shape_equal_the_formula() {
        for (rows, depth) in [(1, 1), (5, 7), (6, 12), (13, 3), (131, 600)] {
            for width in [1, 3, 8, 16, 17, 40, 64, 100] {
                let what = format!("{rows} by {depth} by {width}");
                let (left, right) = (wave(rows * depth, 0.7), wave(depth * width, 0.3));
                let mut out = vec![1.0; rows * width];
                let left_rows = Rows { values: &left, width: depth };
                add_product(left_rows, Rows { values: &right, width }, &mut out);
                for at in [0, rows * width / 2, rows * width - 1] {
                    let (row, column) = (at / width, at % width);
                    let term = |k| left[row * depth + k] * right[k * width + column];
                    let exact = 1.0 + (0..depth).map(|k| f64::from(term(k))).sum::<f64>();
                    close(out[at], exact, &what);
                }
            }
        }
    }

    #[test]
    fn transposed_products_use_the_requested_columns() {
        for (rows, depth, columns) in [(1, 1, 0..1), (7, 20, 3..17), (130, 9, 0..9)] {
            for width in [1, 8, 16, 33, 64] {
                let what = format!("{rows} by {columns:?} by {width}");
                let (left, right) = (wave(rows * depth, 0.7), wave(rows * width, 0.3));
                let mut out = vec![1.0; columns.len() * width];
                let left_rows = Rows { values: &left, width: depth };
                let right_rows = Rows { values: &right, width };
                add_transposed_product(left_rows, columns.clone(), right_rows, &mut out);
                for at in 0..out.len() {
                    let (own, column) = (columns.start + at / width, at % width);
                    let term = |row| left[row * depth + own] * right[row * width + column];
                    let exact = 1.0 + (0..rows).map(|row| f64::from(term(row))).sum::<f64>();
                    close(out[at], exact, &what);
                }
            }
        }
    }

    #[test]
    fn empty_matrices_add_nothing() {
        let none = Rows { values: &[], width: 0 };
        add_product(none, none, &mut []);
        add_transposed_product(none, 0..0, none, &mut []);
    }
}
