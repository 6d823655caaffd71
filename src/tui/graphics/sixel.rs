//! Sixel: bands of six rows, each colour of a band as a row of letters.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::tui::drawing::Picture;

/// Colours at most: what every terminal with sixel has.
const COLOURS: usize = 255;
/// A pixel of less opacity is not drawn.
const FAINTEST: u8 = 24;

/// Sends a picture to the position of the cursor; pixels that are not drawn stay.
pub(super) fn send(picture: Picture, behind: [u8; 3], out: &mut impl Write) -> io::Result<()> {
    let (width, height) = picture.size();
    let pixels = picture.into_rgba();
    let (palette, indices) = coloured(&pixels, behind);
    write!(out, "\x1bP0;1;0q\"1;1;{width};{height}")?;
    for (at, colour) in palette.iter().enumerate() {
        let [red, green, blue] = colour.map(|part| (u32::from(part) * 100 + 127) / 255);
        write!(out, "#{at};2;{red};{green};{blue}")?;
    }
    let width = width as usize;
    for (number, band) in indices.chunks(width * 6).enumerate() {
        if number > 0 {
            out.write_all(b"-")?;
        }
        let mut lines: BTreeMap<u8, Vec<u8>> = BTreeMap::new();
        for (at, colour) in band.iter().enumerate() {
            if let Some(colour) = colour {
                let line = lines.entry(*colour).or_insert_with(|| vec![0; width]);
                line[at % width] |= 1 << (at / width);
            }
        }
        for (at, (colour, line)) in lines.iter().enumerate() {
            let back = if at > 0 { "$" } else { "" };
            write!(out, "{back}#{colour}")?;
            letters(line, out)?;
        }
    }
    out.write_all(b"\x1b\\")
}

/// The letters of a line; repeated ones are counted.
fn letters(line: &[u8], out: &mut impl Write) -> io::Result<()> {
    let end = line.iter().rposition(|bits| *bits != 0).map_or(0, |at| at + 1);
    for run in line[..end].chunk_by(|a, b| a == b) {
        let letter = char::from(63 + run[0]);
        match run.len() {
            count @ 4.. => write!(out, "!{count}{letter}")?,
            count => (0..count).try_for_each(|_| write!(out, "{letter}"))?,
        }
    }
    Ok(())
}

/// The colours in use, and for each pixel its colour; fewer levels of red, green and
/// blue where there would be too many colours.
fn coloured(pixels: &[u8], behind: [u8; 3]) -> (Vec<[u8; 3]>, Vec<Option<u8>>) {
    for lost in [2_u8, 3, 4, 5] {
        if let Some(found) = with_levels(pixels, behind, lost) {
            return found;
        }
    }
    (Vec::new(), vec![None; pixels.len() / 4])
}

fn with_levels(
    pixels: &[u8],
    behind: [u8; 3],
    lost: u8,
) -> Option<(Vec<[u8; 3]>, Vec<Option<u8>>)> {
    let half = 1 << (lost - 1);
    let mut numbers: BTreeMap<[u8; 3], u8> = BTreeMap::new();
    let mut palette = Vec::new();
    let mut indices = Vec::with_capacity(pixels.len() / 4);
    let mut before: Option<([u8; 4], u8)> = None;
    for pixel in pixels.chunks_exact(4) {
        let pixel = [pixel[0], pixel[1], pixel[2], pixel[3]];
        if pixel[3] < FAINTEST {
            indices.push(None);
            continue;
        }
        if let Some((same, number)) = before.filter(|(own, _)| *own == pixel) {
            before = Some((same, number));
            indices.push(Some(number));
            continue;
        }
        let part = |n: usize| {
            let [front, back, share] = [pixel[n], behind[n], pixel[3]].map(u32::from);
            let mixed = front * share + back * (255 - share);
            ((mixed / 255) as u8 >> lost << lost).saturating_add(half)
        };
        let colour = [part(0), part(1), part(2)];
        let number = match numbers.get(&colour) {
            Some(number) => *number,
            None if palette.len() >= COLOURS => return None,
            None => {
                numbers.insert(colour, palette.len() as u8);
                palette.push(colour);
                (palette.len() - 1) as u8
            }
        };
        before = Some((pixel, number));
        indices.push(Some(number));
    }
    Some((palette, indices))
}
