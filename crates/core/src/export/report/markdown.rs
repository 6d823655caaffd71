//! The report as Markdown.

use std::fmt::Write as _;

use super::{Content, ReportTable};

/// The page; figures are separate files.
pub(super) fn page(content: &Content) -> String {
    let mut page = format!("# {}\n\n", plain(&content.title));
    if let Some(description) = &content.description {
        let _ = writeln!(page, "{}\n", plain(description));
    }
    // Writing to a String cannot fail, here and below.
    let told: Vec<String> =
        content.highlights.iter().map(|(name, value)| format!("**{value}** {name}")).collect();
    let _ = writeln!(page, "{}\n", told.join(" · "));
    if !content.scores.rows.is_empty() {
        let _ = writeln!(page, "## Scores\n\n{}", table(&content.scores));
    }
    page.push_str("## Figures\n\n");
    for figure in &content.figures {
        let title = plain(&figure.title);
        let _ = writeln!(
            page,
            "### {title}\n\n![{title}](figures/{}.svg)\n\n{}\n",
            figure.name, figure.caption
        );
    }
    if let Some(classes) = &content.classes {
        let _ = writeln!(page, "## Classes\n\nOn test labels.\n\n{}", table(classes));
    }
    let _ = writeln!(page, "## Settings\n");
    if content.settings.rows.is_empty() {
        let _ = writeln!(page, "Preset `{}`, unchanged.\n", content.preset);
    } else {
        let _ = writeln!(
            page,
            "Preset `{}`, except for:\n\n{}",
            content.preset,
            table(&content.settings)
        );
    }
    let _ = writeln!(page, "## Data and setup\n\n{}", table(&content.facts));
    let _ = writeln!(page, "## Reproduce\n\n```sh\n{}\n```\n", content.command);
    let _ = writeln!(
        page,
        "## Appendix\n\nIndependent of the machine; the same as `appendix.json`.\n\n{}\n{}",
        table(&content.appendix.facts_table()),
        table(&content.appendix.settings_table())
    );
    page
}

fn table(table: &ReportTable) -> String {
    let columns = table.rows.first().map_or(table.head.len(), Vec::len);
    let head = |at: usize| table.head.get(at).map_or("", String::as_str);
    let mut text = String::new();
    let row = |cells: &mut dyn Iterator<Item = String>| {
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    text.push_str(&row(&mut (0..columns).map(|at| plain(head(at)))));
    let rule = |at: usize| if at < table.words { "---" } else { "---:" }.to_owned();
    text.push_str(&row(&mut (0..columns).map(rule)));
    for cells in &table.rows {
        text.push_str(&row(&mut cells.iter().map(|cell| plain(cell))));
    }
    text
}

/// Text with Markdown characters escaped.
fn plain(text: &str) -> String {
    text.chars()
        .flat_map(|c| match c {
            '|' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '#' | '\\' => vec!['\\', c],
            c if c.is_control() => vec![' '],
            c => vec![c],
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_align_numbers_and_escape_column_separators() {
        let own = ReportTable {
            head: vec!["class".into(), "F1".into()],
            rows: vec![vec!["a|b".into(), "50.0 %".into()]],
            words: 1,
            bars: None,
        };
        assert_eq!(table(&own), "| class | F1 |\n| --- | ---: |\n| a\\|b | 50.0 % |\n");
    }
}
