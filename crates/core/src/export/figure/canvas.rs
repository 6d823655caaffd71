//! An SVG drawing.

use std::fmt::Write as _;

use super::scale::Scale;

/// The style of all figures: classes for light and dark.
pub const STYLE: &str = include_str!("../../../../../assets/report/figure.css");

/// Shapes on an area of a given size.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Drawing {
    width: f64,
    height: f64,
    body: String,
}

/// Escapes text for element content and attributes.
pub fn escaped(text: &str) -> String {
    let plain = |c: char| match c {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        // Control characters are not valid in a page.
        c if c.is_control() => " ".to_owned(),
        c => c.to_string(),
    };
    text.chars().map(plain).collect()
}

/// A rectangle of the page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frame {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

/// The style with every CSS variable replaced by its value for paper: programs
/// other than browsers do not support variables and draw black instead.
fn plain_style() -> String {
    let mut lines = STYLE.lines().filter(|line| !line.starts_with("@media"));
    let variables = lines.next().unwrap_or_default();
    let variables = variables.trim_start_matches(".fig{").trim_end_matches('}').split(';');
    let mut style = lines.collect::<Vec<_>>().join("\n");
    for (name, value) in variables.filter_map(|own| own.split_once(':')) {
        style = style.replace(&format!("var({name})"), value);
    }
    style
}

impl Drawing {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Self { width, height, body: String::new() }
    }

    /// For a page that already includes the [`STYLE`].
    pub fn inline(&self, title: &str) -> String {
        let Self { width, height, body } = self;
        let title = escaped(title);
        format!(
            "<svg class=\"fig\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" \
             aria-label=\"{title}\"><title>{title}</title>\n{body}</svg>\n"
        )
    }

    /// As a separate file.
    pub fn file(&self, title: &str) -> String {
        let Self { width, height, body } = self;
        let title = escaped(title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fig\" width=\"{width:.0}\" \
             height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\"><title>{title}</title>\n\
             <style>{}</style>\n\
             <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{body}</svg>\n",
            plain_style()
        )
    }

    // Writing to a String cannot fail, here and below.

    pub(super) fn text(&mut self, (x, y): (f64, f64), class: &str, text: &str) {
        let text = escaped(text);
        let _ =
            writeln!(self.body, "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{text}</text>");
    }

    pub(super) fn rotated(&mut self, (x, y): (f64, f64), angle: f64, class: &str, text: &str) {
        let text = escaped(text);
        let _ = writeln!(
            self.body,
            "<text transform=\"translate({x:.1} {y:.1}) rotate({angle:.0})\" class=\"{class}\">{text}</text>"
        );
    }

    pub(super) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str) {
        let _ = writeln!(
            self.body,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" class=\"{class}\"/>"
        );
    }

    pub(super) fn rect(&mut self, frame: Frame, class: &str, more: &str) {
        let (width, height) = (frame.right - frame.left, frame.bottom - frame.top);
        let _ = writeln!(
            self.body,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" class=\"{class}\"{more}/>",
            frame.left,
            frame.top,
            width.max(0.0),
            height.max(0.0)
        );
    }

    pub(super) fn path(&mut self, data: &str, class: &str) {
        if !data.is_empty() {
            let _ = writeln!(self.body, "<path d=\"{data}\" class=\"{class}\"/>");
        }
    }

    /// A line through points, interrupted at NaN.
    pub(super) fn polyline(&mut self, points: &[(f64, f64)], class: &str) {
        let mut data = String::new();
        let mut drawn = false;
        for (x, y) in points {
            if x.is_finite() && y.is_finite() {
                let _ = write!(data, "{}{x:.1} {y:.1}", if drawn { "L" } else { "M" });
                drawn = true;
            } else {
                drawn = false;
            }
        }
        self.path(&data, class);
    }

    /// The grid, tick labels and names of two axes.
    pub(super) fn axes(&mut self, frame: Frame, (x, y): (&Scale, &Scale), names: (&str, &str)) {
        for (value, text) in y.ticks(5) {
            let at = y.at(value);
            self.line((frame.left, at), (frame.right, at), "grid");
            self.text((frame.left - 8.0, at + 4.0), "end", &text);
        }
        for (value, text) in x.ticks(6) {
            let at = x.at(value);
            self.line((at, frame.bottom), (at, frame.bottom + 4.0), "axis");
            self.text((at, frame.bottom + 18.0), "mid", &text);
        }
        self.line((frame.left, frame.bottom), (frame.right, frame.bottom), "axis");
        self.text((f64::midpoint(frame.left, frame.right), frame.bottom + 36.0), "mid", names.0);
        self.text((frame.left, frame.top - 10.0), "", names.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_break_out_of_its_tag() {
        let mut drawing = Drawing::new(10.0, 10.0);
        drawing.text((0.0, 0.0), "", "</text><script>\"\u{1b}&");
        let page = drawing.file("<&>");
        assert!(!page.contains("<script") && !page.contains('\u{1b}'), "{page}");
        assert!(page.contains("<title>&lt;&amp;&gt;</title>"));
    }

    #[test]
    fn a_line_is_interrupted_at_nan() {
        let mut drawing = Drawing::new(10.0, 10.0);
        drawing.polyline(&[(0.0, 1.0), (1.0, f64::NAN), (2.0, 3.0), (3.0, 3.0)], "line");
        assert!(drawing.body.contains("M0.0 1.0M2.0 3.0L3.0 3.0"), "{}", drawing.body);
    }
}
