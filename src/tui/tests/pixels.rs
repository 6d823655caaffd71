//! Screens at glyph level `pixel`: text stays, drawings become shapes, and dialogs cover
//! them.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{drawn, press, press_and_settle, running};
use crate::tui::glyphs::Glyphs;
use crate::tui::state::State;
use crate::tui::{shot, views};

fn cells(state: &State) -> u32 {
    let runs = state.hits.drawings.list().iter().flat_map(|drawing| &drawing.visible);
    runs.map(|run| u32::from(run.width)).sum()
}

#[test]
fn every_screen_has_the_same_text_and_its_drawings_as_shapes() {
    let is_text = |letter: char| letter.is_alphanumeric() || " .,:%/()".contains(letter);
    for (keys, least) in [("t", 2), ("f", 1), ("m", 1), ("O", 2), ("v enter", 1)] {
        let mut text = Vec::new();
        for glyphs in [Glyphs::Braille, Glyphs::Pixel] {
            let mut state = running(glyphs, 120);
            press_and_settle(&mut state, keys);
            let screen = drawn(&mut state, 140, 44);
            assert!(!screen.contains(|letter: char| letter >= '\u{F0000}'), "a mark is left");
            let count = state.hits.drawings.list().len();
            match glyphs {
                Glyphs::Pixel => assert!(count >= least && cells(&state) > 20, "{keys}: {count}"),
                _ => assert_eq!(count, 0),
            }
            let words: Vec<String> = screen
                .split(|letter: char| !is_text(letter) || letter == ' ')
                .filter(|word| word.len() > 3)
                .map(str::to_owned)
                .collect();
            text.push(words);
        }
        let (braille, pixel) = (&text[0], &text[1]);
        let missing: Vec<&String> = braille.iter().filter(|word| !pixel.contains(word)).collect();
        assert!(missing.is_empty(), "{keys}: {missing:?}");
    }
}

#[test]
fn a_dialog_covers_the_drawings_under_it() {
    let mut state = running(Glyphs::Pixel, 120);
    press(&mut state, "t");
    drawn(&mut state, 120, 40);
    let before = cells(&state);
    press(&mut state, "?");
    drawn(&mut state, 120, 40);
    assert!(cells(&state) * 10 < before * 9, "{} of {before}", cells(&state));
}

#[test]
fn a_copy_of_the_screen_is_characters() {
    let mut state = running(Glyphs::Pixel, 120);
    press(&mut state, "t");
    let page = |state: &State| {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 100, 30));
        views::draw_text(state, &mut buffer);
        shot::text(&buffer)
    };
    let pixel = page(&state);
    state.look.glyphs = Glyphs::Braille;
    let braille = page(&state);
    let dots = |text: &str| text.chars().filter(|own| ('⠁'..='⣿').contains(own)).count();
    assert!(dots(&pixel) * 10 > dots(&braille) * 9, "{pixel}");
}

#[test]
fn a_screenshot_has_lines_cut_to_the_cells_without_text() {
    let mut state = running(Glyphs::Pixel, 120);
    press(&mut state, "t");
    let page = shot::picture(&state, (100, 30), "x.svg".as_ref()).unwrap();
    assert!(page.contains("<clipPath id=\"drawing-1\">") && page.contains("stroke-linejoin"));
    let text = shot::picture(&state, (100, 30), "x.txt".as_ref()).unwrap();
    assert!(text.contains('⠤') || text.contains('⠉') || text.contains('⠒'), "{text}");
}
