//! `graph.toml`: the manifest of a graph folder.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{GraphError, LabelKind, Reading};

/// The manifest of a graph folder. Every entry is optional.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Manifest {
    /// The display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A description in a sentence or two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The source of the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The licence of the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// Whether edge rows have a direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directed: Option<bool>,
    /// The prediction task; derived from the data if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label_kind: Option<LabelKind>,
    /// The node types, in the order of the model; the first one is classified.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub node_types: Vec<String>,
    /// The name of an attribute for display, such as `word`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute_type: Option<String>,
    /// The split to use, if it is not a random one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
    /// Recommended settings for this graph, by key.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, toml::Value>,
}

impl Manifest {
    /// Parses the text of a `graph.toml`.
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
    use crate::OnBadRow;

    #[test]
    fn a_manifest_round_trips() {
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
