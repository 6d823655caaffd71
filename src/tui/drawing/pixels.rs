//! A drawing as pixels with smooth edges.

use ratatui::layout::Rect;
use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, PathBuilder, Pixmap, Stroke, StrokeDash, Transform,
};

use super::{Drawing, FINE, Outline, Pattern, Point, SIGN_LINE, Shape, outline};

/// The thinnest line, in pixels.
const THINNEST: f32 = 1.0;

/// The pixels of a drawing; transparent where nothing is drawn.
pub(crate) struct Picture {
    pixmap: Pixmap,
}

impl Picture {
    /// Draws at a size of a cell in pixels; `None` if that is no picture.
    pub(crate) fn of(drawing: &Drawing, cell: (u16, u16)) -> Option<Self> {
        let Rect { width, height, .. } = drawing.area;
        let size = (u32::from(width) * u32::from(cell.0), u32::from(height) * u32::from(cell.1));
        let scale = (f32::from(cell.0), f32::from(cell.1));
        let mut easel = Easel { pixmap: Pixmap::new(size.0, size.1)?, scale, width: size.0 as f32 };
        drawing.shapes.iter().for_each(|shape| easel.draw(shape));
        let mut own = Self { pixmap: easel.pixmap };
        own.hide(drawing, cell);
        Some(own)
    }

    /// Clears the cells that have text.
    fn hide(&mut self, drawing: &Drawing, (across, down): (u16, u16)) {
        let (columns, row_pixels) = (usize::from(drawing.area.width), usize::from(across) * 4);
        let mut shown = vec![false; columns * usize::from(drawing.area.height)];
        for run in &drawing.visible {
            let start = usize::from(run.row) * columns + usize::from(run.column);
            let end = (start + usize::from(run.width)).min(shown.len());
            shown[start.min(end)..end].fill(true);
        }
        for (line, bytes) in self.pixmap.data_mut().chunks_mut(columns * row_pixels).enumerate() {
            let row = line / usize::from(down) * columns;
            for (cell, bytes) in bytes.chunks_mut(row_pixels).enumerate() {
                if !shown[row + cell] {
                    bytes.fill(0);
                }
            }
        }
    }

    /// Width and height in pixels.
    pub(crate) fn size(&self) -> (u32, u32) {
        (self.pixmap.width(), self.pixmap.height())
    }

    /// Red, green, blue and opacity of every pixel, row by row.
    pub(crate) fn into_rgba(self) -> Vec<u8> {
        self.pixmap.take_demultiplied()
    }

    /// The picture as a PNG file.
    pub(crate) fn png(&self) -> Option<Vec<u8>> {
        self.pixmap.encode_png().ok()
    }
}

/// A picture in the making.
struct Easel {
    pixmap: Pixmap,
    /// Pixels per cell.
    scale: (f32, f32),
    width: f32,
}

impl Easel {
    fn draw(&mut self, shape: &Shape) {
        let [red, green, blue] = shape.ink().rgb();
        let mut paint = Paint::default();
        paint.set_color_rgba8(red, green, blue, (255.0 * shape.opacity()).round() as u8);
        match shape {
            Shape::Line { paths, pattern, width, .. } => {
                let mut builder = PathBuilder::new();
                for path in paths {
                    self.path(&mut builder, path);
                }
                self.stroke(builder, *width, *pattern, &paint);
            }
            Shape::Band { spans, .. } => {
                let mut builder = PathBuilder::new();
                let low = spans.iter().map(|[x, low, _]| [*x, *low]);
                let high = spans.iter().rev().map(|[x, _, high]| [*x, *high]);
                let around: Vec<Point> = low.chain(high).collect();
                self.path(&mut builder, &around);
                self.fill(builder, &paint);
            }
            Shape::Column { left, top, right, bottom, .. } => {
                let mut builder = PathBuilder::new();
                let corners = [[*left, *top], [*right, *top], [*right, *bottom], [*left, *bottom]];
                // Neighbouring columns must not show a seam.
                paint.anti_alias = false;
                self.path(&mut builder, &corners);
                self.fill(builder, &paint);
            }
            Shape::Level { row, .. } => {
                let mut builder = PathBuilder::new();
                let (_, y) = self.place([0.0, *row]);
                builder.move_to(0.0, y);
                builder.line_to(self.width, y);
                self.stroke(builder, FINE, Pattern::Dashed, &paint);
            }
            Shape::Upright { column, pattern, width, .. } => {
                let mut builder = PathBuilder::new();
                let (x, _) = self.place([*column, 0.0]);
                builder.move_to(x, 0.0);
                builder.line_to(x, self.pixmap.height() as f32);
                self.stroke(builder, *width, *pattern, &paint);
            }
            Shape::Mark { at, sign, radius, .. } => {
                let (x, y) = self.place(*at);
                let radius = (radius * self.scale.0).max(THINNEST);
                let (outline, filled) = outline(*sign);
                let mut builder = PathBuilder::new();
                match outline {
                    Outline::Circle => builder.push_circle(x, y, radius),
                    Outline::Paths(paths) => paths.iter().for_each(|path| {
                        let corners = path.iter().map(|[a, b]| (x + a * radius, y + b * radius));
                        lines(&mut builder, corners);
                    }),
                }
                if filled {
                    self.fill(builder, &paint);
                } else {
                    let width = SIGN_LINE * radius / self.scale.0;
                    self.stroke(builder, width, Pattern::Solid, &paint);
                }
            }
        }
    }

    /// A point in pixels.
    fn place(&self, [x, y]: Point) -> (f32, f32) {
        (x * self.scale.0, y * self.scale.1)
    }

    fn path(&self, builder: &mut PathBuilder, points: &[Point]) {
        let pixels = points.iter().map(|point| self.place(*point));
        lines(builder, pixels);
        // A single point is a dot.
        if let [[x, y]] = points {
            builder.line_to(x * self.scale.0 + 0.01, y * self.scale.1);
        }
    }

    fn stroke(&mut self, builder: PathBuilder, width: f32, pattern: Pattern, paint: &Paint) {
        let Some(path) = builder.finish() else { return };
        let dashes = pattern.dashes().map(|own| own.map(|part| part * self.scale.0));
        let stroke = Stroke {
            width: (width * self.scale.0).max(THINNEST),
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            dash: dashes.and_then(|own| StrokeDash::new(own.to_vec(), 0.0)),
            ..Stroke::default()
        };
        self.pixmap.stroke_path(&path, paint, &stroke, Transform::identity(), None);
    }

    fn fill(&mut self, builder: PathBuilder, paint: &Paint) {
        if let Some(path) = builder.finish() {
            self.pixmap.fill_path(&path, paint, FillRule::Winding, Transform::identity(), None);
        }
    }
}

fn lines(builder: &mut PathBuilder, mut corners: impl Iterator<Item = (f32, f32)>) {
    if let Some((x, y)) = corners.next() {
        builder.move_to(x, y);
    }
    corners.for_each(|(x, y)| builder.line_to(x, y));
}
