//! The drawings of a screen as vector shapes of an SVG.

use std::fmt::Write as _;

use super::svg::{HIGH, WIDE, hex};
use crate::tui::drawing::{Drawing, FINE, Outline, Pattern, Point, SIGN_LINE, Shape, outline};

/// The shapes of a drawing, cut to the cells that show it. Writing to a String cannot
/// fail, here and below.
pub(super) fn shapes(drawing: &Drawing, number: usize, page: &mut String) {
    let (left, top) = (f64::from(drawing.area.x) * WIDE, f64::from(drawing.area.y) * HIGH);
    let _ = write!(page, "<clipPath id=\"drawing-{number}\"><path d=\"");
    for run in &drawing.visible {
        let (x, y) = (f64::from(run.column) * WIDE, f64::from(run.row) * HIGH);
        let width = f64::from(run.width) * WIDE;
        let _ = write!(page, "M{x:.1} {y:.1}h{width:.1}v{HIGH}h-{width:.1}z");
    }
    let _ = writeln!(
        page,
        "\"/></clipPath>\n<g transform=\"translate({left:.1} {top:.1})\" \
         clip-path=\"url(#drawing-{number})\" fill=\"none\" stroke-linecap=\"round\" \
         stroke-linejoin=\"round\">"
    );
    for shape in &drawing.shapes {
        draw(shape, drawing, page);
    }
    page.push_str("</g>\n");
}

fn draw(shape: &Shape, drawing: &Drawing, page: &mut String) {
    let (colour, opacity) = (hex(shape.ink().rgb()), shape.opacity());
    let faint = if opacity < 1.0 { format!(" opacity=\"{opacity:.2}\"") } else { String::new() };
    let _ = match shape {
        Shape::Line { paths, pattern, width, .. } => {
            let data: String = paths.iter().map(|points| path(points)).collect();
            let pen = pen(*width, *pattern);
            writeln!(page, "<path d=\"{data}\" stroke=\"{colour}\"{pen}{faint}/>")
        }
        Shape::Band { spans, .. } => {
            let low = spans.iter().map(|[x, low, _]| [*x, *low]);
            let high = spans.iter().rev().map(|[x, _, high]| [*x, *high]);
            let around: Vec<Point> = low.chain(high).collect();
            writeln!(page, "<path d=\"{}z\" fill=\"{colour}\"{faint}/>", path(&around))
        }
        Shape::Column { left, top, right, bottom, .. } => {
            let ([x, y], [to, base]) = (place([*left, *top]), place([*right, *bottom]));
            let data = format!("M{x:.1} {y:.1}H{to:.1}V{base:.1}H{x:.1}z");
            let crisp = "shape-rendering=\"crispEdges\"";
            writeln!(page, "<path d=\"{data}\" fill=\"{colour}\" {crisp}{faint}/>")
        }
        Shape::Level { row, .. } => {
            let data = path(&[[0.0, *row], [f32::from(drawing.area.width), *row]]);
            let pen = pen(FINE, Pattern::Dashed);
            writeln!(page, "<path d=\"{data}\" stroke=\"{colour}\"{pen}{faint}/>")
        }
        Shape::Upright { column, pattern, width, .. } => {
            let data = path(&[[*column, 0.0], [*column, f32::from(drawing.area.height)]]);
            let pen = pen(*width, *pattern);
            writeln!(page, "<path d=\"{data}\" stroke=\"{colour}\"{pen}{faint}/>")
        }
        Shape::Mark { at, sign, radius, .. } => {
            let ([x, y], radius) = (place(*at), f64::from(*radius) * WIDE);
            let (outline, filled) = outline(*sign);
            let paint = if filled {
                format!("fill=\"{colour}\"")
            } else {
                let width = f64::from(SIGN_LINE) * radius;
                format!("stroke=\"{colour}\" stroke-width=\"{width:.1}\"")
            };
            match outline {
                Outline::Circle => writeln!(
                    page,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" {paint}{faint}/>"
                ),
                Outline::Paths(paths) => {
                    let corner =
                        |[a, b]: &Point| [x + f64::from(*a) * radius, y + f64::from(*b) * radius];
                    let data: String =
                        paths.iter().map(|points| through(points.iter().map(corner))).collect();
                    writeln!(page, "<path d=\"{data}\" {paint}{faint}/>")
                }
            }
        }
    };
}

fn place([x, y]: Point) -> [f64; 2] {
    [f64::from(x) * WIDE, f64::from(y) * HIGH]
}

fn pen(width: f32, pattern: Pattern) -> String {
    let width = (f64::from(width) * WIDE).max(0.9);
    let dashes = pattern.dashes().map(|own| own.map(|part| f64::from(part) * WIDE));
    let dashes = dashes.map(|[on, off]| format!(" stroke-dasharray=\"{on:.1} {off:.1}\""));
    format!(" stroke-width=\"{width:.1}\"{}", dashes.unwrap_or_default())
}

fn path(points: &[Point]) -> String {
    let dot = if points.len() == 1 { "h0" } else { "" };
    through(points.iter().copied().map(place)) + dot
}

fn through(points: impl Iterator<Item = [f64; 2]>) -> String {
    let mut data = String::new();
    for (at, [x, y]) in points.enumerate() {
        let verb = if at == 0 { "M" } else { "L" };
        let _ = write!(data, "{verb}{x:.1} {y:.1}");
    }
    data
}
