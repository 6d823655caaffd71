//! The report as one HTML file: figures and style are inside, without external
//! resources or scripts.

use std::fmt::Write as _;

use super::{Content, ReportTable};
use crate::export::figure::{Figure, STYLE, escaped};

const PAGE_STYLE: &str = include_str!("../../../../../assets/report/page.css");
/// Figures that take the whole width of the page.
const WIDE: [&str; 1] = ["map"];

pub(super) fn page(content: &Content) -> String {
    let title = escaped(&content.title);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{PAGE_STYLE}{STYLE}</style>\n</head>\n<body>\n<main>\n<header>\n\
         <p class=\"kind\">Graph embedding via set functions</p>\n<h1>{title}</h1>\n"
    );
    // Writing to a String cannot fail, here and below.
    if let Some(description) = &content.description {
        let _ = writeln!(page, "<p class=\"lead\">{}</p>", escaped(description));
    }
    page.push_str("<dl class=\"highlights\">\n");
    for (name, value) in &content.highlights {
        let (name, value) = (escaped(name), escaped(value));
        let _ = writeln!(page, "<div><dd>{value}</dd><dt>{name}</dt></div>");
    }
    page.push_str("</dl>\n</header>\n");
    if !content.scores.rows.is_empty() {
        section(&mut page, "Scores", "", &table(&content.scores));
    }
    let mut shown = String::from("<div class=\"figures\">\n");
    for own in &content.figures {
        shown.push_str(&figure(own));
    }
    shown.push_str("</div>\n");
    section(&mut page, "Figures", "", &shown);
    if let Some(classes) = &content.classes {
        section(&mut page, "Classes", "On test labels.", &table(classes));
    }
    let preset = escaped(content.preset);
    if content.settings.rows.is_empty() {
        section(&mut page, "Settings", &format!("Preset <b>{preset}</b>, unchanged."), "");
    } else {
        let told = format!("Preset <b>{preset}</b>, except for:");
        section(&mut page, "Settings", &told, &table(&content.settings));
    }
    section(&mut page, "Data and setup", "", &table(&content.facts));
    let command = format!("<pre><code>{}</code></pre>\n", escaped(&content.command));
    section(&mut page, "Reproduce", "", &command);
    let appendix = &content.appendix;
    let tables = format!("{}{}", table(&appendix.facts_table()), table(&appendix.settings_table()));
    let told = "Independent of the machine; the same as <code>appendix.json</code>.";
    section(&mut page, "Appendix", told, &tables);
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn section(page: &mut String, title: &str, told: &str, body: &str) {
    let told = if told.is_empty() { String::new() } else { format!("<p>{told}</p>\n") };
    let _ = writeln!(page, "<section>\n<h2>{title}</h2>\n{told}{body}</section>");
}

fn figure(own: &Figure) -> String {
    let class = if WIDE.contains(&own.name) { " class=\"wide\"" } else { "" };
    format!(
        "<figure{class} id=\"{}\">\n<h3>{}</h3>\n{}<figcaption>{}</figcaption>\n</figure>\n",
        own.name,
        escaped(&own.title),
        own.drawing.inline(&own.title),
        escaped(&own.caption)
    )
}

fn table(table: &ReportTable) -> String {
    let class = |at: usize| if at < table.words { "" } else { " class=\"num\"" };
    let mut text = String::from("<div class=\"scroll\"><table>\n");
    if !table.head.is_empty() {
        let cells: Vec<String> = table
            .head
            .iter()
            .enumerate()
            .map(|(at, name)| format!("<th{}>{}</th>", class(at), escaped(name)))
            .collect();
        let _ = writeln!(text, "<thead><tr>{}</tr></thead>", cells.concat());
    }
    text.push_str("<tbody>\n");
    for row in &table.rows {
        let mut cells = String::new();
        for (at, cell) in row.iter().enumerate() {
            let escaped = escaped(cell);
            let share = cell.trim_end_matches([' ', '%']).parse::<f64>().ok();
            let _ = match (at, table.bars, share) {
                (0, ..) => write!(cells, "<th scope=\"row\">{escaped}</th>"),
                (at, Some(bars), Some(share)) if at == bars => write!(
                    cells,
                    "<td class=\"num bar\"><i style=\"width:{:.1}%\"></i><span>{escaped}</span></td>",
                    share.clamp(0.0, 100.0)
                ),
                _ => write!(cells, "<td{}>{escaped}</td>", class(at)),
            };
        }
        let _ = writeln!(text, "<tr>{cells}</tr>");
    }
    text.push_str("</tbody>\n</table></div>\n");
    text
}
