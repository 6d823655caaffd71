use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use super::*;

const AREA: Rect = Rect { x: 2, y: 1, width: 30, height: 12 };
const CELL: (u16, u16) = (8, 16);

fn ink() -> Ink {
    Ink { style: Style::new().fg(Color::Rgb(250, 120, 10)), behind: false }
}

fn line(points: Vec<Point>) -> Shape {
    Shape::Line { paths: vec![points], pattern: Pattern::Solid, width: LINE, ink: ink() }
}

fn page() -> Buffer {
    Buffer::empty(Rect::new(0, 0, 40, 16))
}

/// The cells with a character, and the opacity of the picture in each cell.
fn both(shapes: &[Shape]) -> (Vec<bool>, Vec<u32>) {
    let (mut text, mut empty) = (page(), page());
    Drawings::default().add(AREA, shapes.to_vec(), Glyphs::Braille, &mut text);
    let mut drawings = Drawings::default();
    drawings.add(AREA, shapes.to_vec(), Glyphs::Pixel, &mut empty);
    drawings.complete(&mut empty);
    let picture = Picture::of(&drawings.list()[0], CELL).unwrap();
    let width = picture.size().0 as usize;
    let mut opacity = vec![0; usize::from(AREA.width) * usize::from(AREA.height)];
    for (at, pixel) in picture.into_rgba().chunks(4).enumerate() {
        let (x, y) = (at % width / usize::from(CELL.0), at / width / usize::from(CELL.1));
        opacity[y * usize::from(AREA.width) + x] += u32::from(pixel[3]);
    }
    let dotted = AREA.positions().map(|place| text[place].symbol() != " ").collect();
    (dotted, opacity)
}

proptest! {
    #[test]
    fn characters_and_pixels_cover_the_same_cells(
        points in prop::collection::vec((-40.0_f32..70.0, -20.0_f32..32.0), 2..12)
    ) {
        let points: Vec<Point> = points.into_iter().map(|(x, y)| [x, y]).collect();
        let (dotted, opacity) = both(&[line(points)]);
        let width = usize::from(AREA.width) as i64;
        let near = |cell: i64, holds: &dyn Fn(usize) -> bool| {
            [-1, 0, 1].iter().any(|down| [-1, 0, 1].iter().any(|across| {
                let (x, y) = (cell % width + across, cell / width + down);
                let inside = (0..width).contains(&x) && (0..i64::from(AREA.height)).contains(&y);
                // What is outside cannot be seen.
                !inside || holds((y * width + x) as usize)
            }))
        };
        for cell in 0..dotted.len() {
            // More than a smoothed edge of a neighbour.
            if opacity[cell] > 4 * 255 {
                prop_assert!(near(cell as i64, &|own| dotted[own]), "pixels only in {cell}");
            }
            if dotted[cell] {
                prop_assert!(near(cell as i64, &|own| opacity[own] > 0), "dots only in {cell}");
            }
        }
    }

    #[test]
    fn characters_and_pixels_cover_as_many_cells(
        points in prop::collection::vec((0.1_f32..29.9, 0.1_f32..11.9), 2..12)
    ) {
        let points: Vec<Point> = points.into_iter().map(|(x, y)| [x, y]).collect();
        let (from, to) = (points[0], points[1]);
        prop_assume!((to[0] - from[0]).abs() > 1.0, "a speck has no whole pixel in any cell");
        let (dotted, opacity) = both(&[line(points)]);
        let cells = dotted.iter().filter(|own| **own).count();
        let inked = opacity.iter().filter(|own| **own > 255).count();
        // A line along the edge of cells touches those of the other side.
        let similar = |one: usize, other: usize| one <= 2 * other;
        prop_assert!(similar(cells, inked) && similar(inked, cells), "{cells} {inked}");
    }

    #[test]
    fn no_shape_makes_drawing_panic(x in any::<f32>(), y in any::<f32>(), to in any::<f32>()) {
        let mark = Shape::Mark { at: [x, y], sign: Sign::Star, radius: 0.4, ink: ink() };
        let band = Shape::Band { spans: vec![[x, y, to], [to, x, y]], width: LINE, ink: ink() };
        let column = Shape::Column { left: x, top: y, right: to, bottom: 12.0, ink: ink() };
        let level = Shape::Level { row: y, ink: ink() };
        let upright =
            Shape::Upright { column: x, pattern: Pattern::Dotted, width: LINE, ink: ink() };
        for shape in [line(vec![[x, y], [to, y]]), mark, band, column, level, upright] {
            both(&[shape]);
        }
    }
}

#[test]
fn a_line_that_leaves_the_area_keeps_its_slope() {
    let towards = |far: f32| line(vec![[3.0, 2.0], [3.0 + far, 2.0 + 0.3 * far]]);
    let near = both(&[towards(40.0)]);
    for far in [1e3, 1e5, 1e7, 1e9, 1e20] {
        let (dotted, opacity) = both(&[towards(far)]);
        assert_eq!(dotted, near.0, "{far}");
        let same = |(one, other): (&u32, &u32)| one.abs_diff(*other) < 255;
        assert!(opacity.iter().zip(&near.1).all(same), "{far}");
    }
    let cut = [line(vec![[-1e6, -1e6], [1e6, 1e6]]), line(vec![[-1e6, 5.0], [9.0, 1e6]])];
    let found = cut.map(|own| clip::clip(own, AREA));
    let [Some(Shape::Line { paths, .. }), None] = found else { panic!("{found:?}") };
    assert_eq!(paths, [[[-2.0, -2.0], [14.0, 14.0]]]);
}

#[test]
fn a_band_that_leaves_the_area_keeps_its_edges() {
    let spans = vec![[0.0, 6.0, 4.0], [10.0, 6.0, -996.0], [20.0, 6.0, 4.0], [9e9, 6.0, 4.0]];
    let band = Shape::Band { spans, width: LINE, ink: ink() };
    let Some(Shape::Band { spans, .. }) = clip::clip(band, AREA) else { panic!() };
    let (up, down) = ([0.06, 6.0, -2.0], [19.94, 6.0, -2.0]);
    let expected =
        [[0.0, 6.0, 4.0], up, [10.0, 6.0, -2.0], down, [20.0, 6.0, 4.0], [32.0, 6.0, 4.0]];
    let close = |(own, other): (&[f32; 3], &[f32; 3])| {
        own.iter().zip(other).all(|(own, other)| (own - other).abs() < 1e-3)
    };
    assert_eq!(spans.len(), expected.len(), "{spans:?}");
    assert!(spans.iter().zip(&expected).all(close), "{spans:?}");
}

#[test]
fn text_and_dialogs_take_their_cells_from_a_drawing() {
    let mut buffer = page();
    let mut drawings = Drawings::default();
    let across = vec![[0.0, 5.5], [30.0, 5.5]];
    drawings.add(AREA, vec![line(across)], Glyphs::Pixel, &mut buffer);
    buffer.set_string(12, 6, "text", Style::new());
    buffer.set_string(20, 6, "      ", Style::new());
    drawings.complete(&mut buffer);
    let visible: Vec<(u16, u16)> =
        drawings.list()[0].visible.iter().map(|run| (run.column, run.width)).collect();
    assert_eq!(visible, [(0, 10), (14, 4), (24, 6)]);
    let picture = Picture::of(&drawings.list()[0], CELL).unwrap();
    let pixels = picture.into_rgba();
    let row = &pixels[(5 * 16 + 8) * 30 * 8 * 4..][..30 * 8 * 4];
    let opaque: Vec<usize> = (0..30).filter(|cell| row[cell * 32 + 16 + 3] > 0).collect();
    let expected: Vec<usize> = (0..10).chain(14..18).chain(24..30).collect();
    assert_eq!(opaque, expected);
    assert!(buffer.content.iter().all(|cell| cell.symbol() < "\u{F0000}"), "no mark is left");
}

#[test]
fn a_drawing_is_written_as_json() {
    let mut drawings = Drawings::default();
    let mut buffer = page();
    drawings.add(AREA, vec![line(vec![[0.5, 1.0], [2.0, 1.0]])], Glyphs::Pixel, &mut buffer);
    drawings.complete(&mut buffer);
    let json = serde_json::to_value(&drawings).unwrap();
    assert_eq!(json[0]["area"], serde_json::json!([2, 1, 30, 12]));
    let shape = &json[0]["shapes"][0];
    assert_eq!(shape["kind"], "line");
    assert_eq!(shape["pattern"], "solid");
    assert_eq!(shape["ink"], serde_json::json!({"colour": "#fa780a", "opacity": 1.0}));
    assert_eq!(shape["paths"], serde_json::json!([[[0.5, 1.0], [2.0, 1.0]]]));
}

#[test]
fn the_widest_drawing_does_not_panic() {
    let area = Rect { x: 0, y: 0, width: 5000, height: 2 };
    let shapes = vec![line(vec![[-1e9, 1.0], [1e9, 1.0]])];
    let mut buffer = Buffer::empty(area);
    let mut drawings = Drawings::default();
    drawings.add(area, shapes, Glyphs::Pixel, &mut buffer);
    drawings.complete(&mut buffer);
    let picture = Picture::of(&drawings.list()[0], (20, 4)).unwrap();
    assert_eq!(picture.size(), (100_000, 8));
    let last = picture.into_rgba().chunks(4).skip(4 * 100_000 - 1).map(|own| own[3]).next();
    assert!(last > Some(0), "drawn to its end");
}
