//! Which columns hold the type, the class, the numeric target and the name of a
//! node: chosen by the user, the manifest, or convention.

use serde::{Deserialize, Serialize};

use super::error::quoted;
use super::{Cell, Column, ColumnKind, LabelKind, RawGraph};

/// Columns chosen by the user; `None` means by convention.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RoleChoice {
    /// The column that holds the class or classes.
    pub label: Option<String>,
    /// The column that holds the number to predict.
    pub target: Option<String>,
    /// The column that holds the node type.
    pub node_type: Option<String>,
    /// The column that holds the name to show.
    pub name: Option<String>,
}

/// The columns that play each role, by their names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Roles {
    /// The class column.
    pub label: Option<String>,
    /// The target column.
    pub target: Option<String>,
    /// The type column.
    pub node_type: Option<String>,
    /// The name column.
    pub name: Option<String>,
}

/// A requested column that the source does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoSuchColumn {
    /// The requested name.
    pub asked: String,
    /// The available names.
    pub available: Vec<String>,
}

const TYPE_NAMES: [&str; 5] = ["type", "node_type", "nodetype", "kind", "bipartite"];
const TARGET_NAMES: [&str; 2] = ["target", "target_value"];
const NAME_NAMES: [&str; 3] = ["name", "title", "label"];
const LABEL_NAMES: [&str; 14] = [
    "labels",
    "class",
    "classes",
    "category",
    "subject",
    "community",
    "club",
    "group",
    "department",
    "modularity_class",
    "modularity class",
    "modularityclass",
    "block",
    "label",
];

impl Roles {
    /// Finds the column for each role.
    pub fn find(raw: &RawGraph, choice: &RoleChoice) -> Result<Self, NoSuchColumn> {
        let label_kind = raw.manifest.as_ref().and_then(|manifest| manifest.label_kind);
        let node_type = role(raw, choice.node_type.as_deref(), &TYPE_NAMES, |_| true)?;
        let mut target = role(raw, choice.target.as_deref(), &TARGET_NAMES, is_numeric)?;
        let mut label = None;
        let numbers_wanted = choice.target.is_some() || label_kind == Some(LabelKind::Numeric);
        if choice.label.is_some() || !numbers_wanted {
            label = role(raw, choice.label.as_deref(), &LABEL_NAMES, is_class_column)?;
        }
        if choice.label.is_some() {
            target = target.filter(|_| choice.target.is_some());
        } else if target.is_some() {
            label = None;
        }
        let taken = label.clone();
        let name = role(raw, choice.name.as_deref(), &NAME_NAMES, |column| {
            taken.as_deref() != Some(column.name.as_str())
        })?;
        Ok(Self { label, target, node_type, name })
    }
}

fn role(
    raw: &RawGraph,
    asked: Option<&str>,
    conventions: &[&str],
    fits: impl Fn(&Column) -> bool,
) -> Result<Option<String>, NoSuchColumn> {
    if let Some(asked) = asked {
        let column = raw.node_column(asked).ok_or_else(|| NoSuchColumn {
            asked: asked.to_owned(),
            available: raw.node_columns.iter().map(|column| column.name.clone()).collect(),
        })?;
        return Ok(Some(column.name.clone()));
    }
    let found = conventions.iter().find_map(|name| raw.node_column(name).filter(|c| fits(c)));
    Ok(found.map(|column| column.name.clone()))
}

fn is_numeric(column: &Column) -> bool {
    matches!(column.kind(), ColumnKind::Integer | ColumnKind::Real)
}

/// Tools write the display name into `label` as often as the class. A class has
/// more than one member; names are all different.
fn is_class_column(column: &Column) -> bool {
    if !column.name.eq_ignore_ascii_case("label") {
        return column.kind() != ColumnKind::Real;
    }
    let mut texts: Vec<String> =
        column.cells.iter().filter(|cell| !cell.is_empty()).map(Cell::to_string).collect();
    let filled = texts.len();
    texts.sort_unstable();
    texts.dedup();
    texts.len() * 2 <= filled
}

impl NoSuchColumn {
    /// The message.
    pub fn found(&self) -> String {
        if self.available.is_empty() {
            format!("no node columns, so none called {}", quoted(&self.asked))
        } else {
            format!("no node column called {}", quoted(&self.asked))
        }
    }

    /// The available columns, as advice.
    pub fn advice(&self) -> String {
        let names: Vec<String> = self.available.iter().map(|name| quoted(name)).collect();
        if names.is_empty() {
            "pass a node table with --labels FILE".to_owned()
        } else {
            format!("the columns are {}", names.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::IdTable;

    fn raw(columns: &[(&str, &[&str])]) -> RawGraph {
        let mut raw = RawGraph { ids: IdTable::from_numbers(0..4), ..RawGraph::default() };
        for (name, cells) in columns {
            raw.set_node_column(name, cells.iter().map(|cell| Cell::parse(cell)).collect());
        }
        raw
    }

    #[test]
    fn a_label_column_of_distinct_texts_is_a_name_and_of_repeated_ones_a_class() {
        let names = raw(&[("label", &["a", "b", "c", "d"])]);
        let roles = Roles::find(&names, &RoleChoice::default()).unwrap();
        assert_eq!((roles.label, roles.name.as_deref()), (None, Some("label")));
        let classes = raw(&[("label", &["a", "b", "a", "b"])]);
        let roles = Roles::find(&classes, &RoleChoice::default()).unwrap();
        assert_eq!((roles.label.as_deref(), roles.name), (Some("label"), None));
    }

    #[test]
    fn a_numeric_target_column_makes_a_regression() {
        let both = raw(&[("target", &["0.5", "1", "2", "3"]), ("group", &["a", "a", "b", "b"])]);
        let roles = Roles::find(&both, &RoleChoice::default()).unwrap();
        assert_eq!((roles.target.as_deref(), roles.label), (Some("target"), None));
        let choice = RoleChoice { label: Some("GROUP".into()), ..RoleChoice::default() };
        let roles = Roles::find(&both, &choice).unwrap();
        assert_eq!((roles.target, roles.label.as_deref()), (None, Some("group")));
    }

    #[test]
    fn a_missing_column_is_reported_with_the_available_ones() {
        let choice = RoleChoice { label: Some("colour".into()), ..RoleChoice::default() };
        let error = Roles::find(&raw(&[("club", &["a"])]), &choice).unwrap_err();
        assert!(error.found().contains("colour") && error.advice().contains("club"));
    }
}
