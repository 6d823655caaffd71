//! `graph.toml`: what a graph folder says about itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{GraphError, LabelKind, Reading};

/// The manifest of a graph folder. Every entry is optional.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Manifest {
    /// The name to show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the graph is about, in a sentence or two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Where the data come from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// On what terms the data may be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// Whether edge rows have a direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directed: Option<bool>,
    /// Which task the labels make; derived from the data where it is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label_kind: Option<LabelKind>,
    /// The node types, in the order the model numbers them; the first is the
    /// one to be classified.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub node_types: Vec<String>,
    /// What an attribute is, for the reader: `word`, say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute_type: Option<String>,
    /// Settings that suit this graph, by the names of the model's settings.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, toml::Value>,
}

impl Manifest {
    /// Reads a manifest from the text of a `graph.toml`.
    pub fn parse(text: &str, reading: &Reading) -> Result<Self, GraphError> {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| text[..span.start].matches('\n').count());
            reading.broken(
                line.map(|line| line as u64 + 1),
                error.message().replace('\n', "; "),
                "a graph manifest",
                "see docs/FORMATS.md for the entries a graph.toml can have",
            )
        })
    }

    /// The manifest as the text of a `graph.toml`.
    pub fn to_text(&self) -> String {
        // Plain strings, flags and tables always serialise.
        toml::to_string_pretty(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::OnBadRow;

    #[test]
    fn a_manifest_survives_being_written_and_read() {
        let manifest = Manifest {
            title: Some("Karate".into()),
            label_kind: Some(LabelKind::One),
            node_types: vec!["member".into()],
            settings: BTreeMap::from([("epochs".into(), toml::Value::Integer(300))]),
            ..Manifest::default()
        };
        let reading = Reading::new("graph.toml", OnBadRow::Fail);
        assert_eq!(Manifest::parse(&manifest.to_text(), &reading).unwrap(), manifest);
    }

    #[test]
    fn an_unknown_entry_is_named_with_its_line() {
        let reading = Reading::new("graph.toml", OnBadRow::Fail);
        let error = Manifest::parse("title = \"x\"\nlicense = \"MIT\"\n", &reading).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("graph.toml, line 2") && text.contains("licence"), "{text}");
    }
}
