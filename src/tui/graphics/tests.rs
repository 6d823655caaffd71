use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ratatui::backend::CrosstermBackend;
use ratatui::style::Style;

use super::*;
use crate::tui::drawing::{Drawings, Pattern};
use crate::tui::glyphs::Glyphs;
use crate::tui::widgets::Canvas;

const AREA: Rect = Rect { x: 2, y: 1, width: 20, height: 6 };

/// A frame with a line at a height, and perhaps with text over it.
fn frame(up: f64, text: &str) -> (Drawings, Buffer) {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 40, 10));
    let mut drawings = Drawings::default();
    let mut canvas = Canvas::new(AREA, Glyphs::Pixel);
    let (from, to) = (canvas.point(0.0, up), canvas.point(1.0, up));
    let style = Style::new().fg(Color::Rgb(200, 40, 40));
    canvas.line(from, to, style, Pattern::Solid);
    canvas.draw(&mut buffer, &mut drawings);
    buffer.set_string(5, 3, text, Style::new());
    drawings.complete(&mut buffer);
    (drawings, buffer)
}

/// What is sent for a series of frames.
fn sent(protocol: Protocol, frames: &[Option<(f64, &str)>]) -> Vec<String> {
    let mut pictures = Pictures::new(Graphics { protocol, cell: None });
    let each = frames.iter().map(|own| {
        let (drawings, buffer) = match own {
            Some((up, text)) => frame(*up, text),
            None => (Drawings::default(), Buffer::empty(Rect::new(0, 0, 40, 10))),
        };
        let mut bytes = Vec::new();
        let mut out = CrosstermBackend::new(&mut bytes);
        pictures.update(drawings.list(), &buffer, &mut out).unwrap();
        String::from_utf8(bytes).unwrap()
    });
    each.collect()
}

#[test]
fn kitty_replaces_a_picture_only_when_it_changed_and_deletes_it_when_it_is_gone() {
    let frames =
        [Some((0.5, "")), Some((0.5, "")), Some((0.2, "")), Some((0.2, "over")), None, None];
    let sent = sent(Protocol::Kitty, &frames);
    assert!(sent[0].contains("\x1b_Ga=T,f=32,o=z,i=26469,") && sent[0].contains("c=20,r=6,"));
    assert_eq!(sent[1], "");
    assert!(sent[2].contains("a=T") && sent[2].contains("i=26469,"));
    assert_eq!(sent[3], "", "text beside the line changes nothing");
    assert_eq!(sent[4], "\x1b_Ga=d,d=I,i=26469,q=2\x1b\\");
    assert_eq!(sent[5], "");
}

#[test]
fn text_over_a_picture_is_written_again_after_it() {
    for (protocol, start, end) in
        [(Protocol::Iterm, "\x1b]1337;File=", "\x07"), (Protocol::Sixel, "\x1bP0;1;0q", "\x1b\\")]
    {
        let sent = sent(protocol, &[Some((0.5, "over")), Some((0.5, "over")), None]);
        let after = sent[0].split(start).nth(1).unwrap().split_once(end).unwrap().1;
        assert!(after.contains("over"), "{after:?}");
        assert_eq!(sent[1], "");
        assert!(!sent[2].contains(start) && sent[2].len() > 100, "blanks remove it");
    }
}

#[test]
fn an_inline_image_is_a_file_of_the_right_size() {
    let sent = sent(Protocol::Iterm, &[Some((0.5, ""))]);
    let file = sent[0].split("doNotMoveCursor=1:").nth(1).unwrap().split('\x07').next().unwrap();
    let image = tiny_skia::Pixmap::decode_png(&STANDARD.decode(file).unwrap()).unwrap();
    assert_eq!((image.width(), image.height()), (200, 120));
    let red = image.pixels().iter().filter(|pixel| pixel.red() == 200 && pixel.alpha() == 255);
    assert!(red.count() > 150);
    assert!(image.pixels().iter().filter(|pixel| pixel.alpha() == 0).count() > 20_000);
}

#[test]
fn a_large_picture_is_sent_smaller() {
    let (wide, high) = reduced(Rect::new(0, 0, 200, 60), (16, 34));
    assert!(wide < 16 && high < 34);
    assert!(200 * 60 * u32::from(wide) * u32::from(high) <= MOST_PIXELS);
    assert_eq!(reduced(Rect::new(0, 0, 60, 20), (10, 20)), (10, 20));
}
