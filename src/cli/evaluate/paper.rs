//! The tables of the paper, kept as data, to set our figures beside.

/// A figure of the paper: a method on a data set at a share of labels.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::cli) struct Figure {
    pub(in crate::cli) method: String,
    pub(in crate::cli) mean: f64,
    pub(in crate::cli) std: f64,
}

const TABLES: [&str; 2] = [
    include_str!("../../../assets/paper/table1.tsv"),
    include_str!("../../../assets/paper/table2.tsv"),
];

/// What the tables call a graph folder, where it is not its own name.
const OTHER_NAMES: [(&str, &str); 1] = [("blogcatalog-words", "blogcatalog-2010")];

/// All figures for a graph, a metric and a share of labels in percent.
pub(in crate::cli) fn figures(graph: &str, metric: &str, percent: u32) -> Vec<Figure> {
    let name = OTHER_NAMES.iter().find(|(own, _)| *own == graph).map_or(graph, |(_, name)| name);
    let row = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [dataset, method, own, share, mean, std] = columns.as_slice() else { return None };
        let wanted = *dataset == name && *own == metric && share.parse() == Ok(percent);
        let (mean, std) = (mean.parse().ok()?, std.parse().ok()?);
        wanted.then(|| Figure { method: (*method).to_owned(), mean, std })
    };
    TABLES.iter().flat_map(|table| table.lines()).filter_map(row).collect()
}

/// The best figure of any method.
pub(in crate::cli) fn best(graph: &str, metric: &str, percent: u32) -> Option<Figure> {
    figures(graph, metric, percent).into_iter().max_by(|a, b| a.mean.total_cmp(&b.mean))
}

/// The figure of the paper's own method.
pub(in crate::cli) fn own(graph: &str, metric: &str, percent: u32) -> Option<Figure> {
    let figures = figures(graph, metric, percent);
    let of = |name: &str| figures.iter().find(|figure| figure.method == name).cloned();
    of("gesf").or_else(|| of("gesf-heterogeneous"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_of_the_tables_is_there() {
        for graph in ["cora", "citeseer", "pubmed", "wikipedia", "email-eu"] {
            for percent in (10..=90).step_by(10) {
                assert!(best(graph, "accuracy", percent).is_some(), "{graph} {percent}");
                assert!(own(graph, "accuracy", percent).is_some(), "{graph} {percent}");
            }
        }
        let ten = best("cora", "accuracy", 10).unwrap();
        assert!(ten.method == "node2vec" && (ten.mean - 75.52).abs() < 1e-9);
        assert!(best("dblp", "macro_f1", 50).is_some());
        assert!(own("blogcatalog-words", "micro_f1", 90).is_some());
        assert!(best("karate", "accuracy", 50).is_none());
    }
}
