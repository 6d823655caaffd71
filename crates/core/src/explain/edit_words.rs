//! Edits as text in a state line: `cut:0-1,join:2-9,hide:5,label:7=c1`.
//!
//! Nodes and classes are given by number, which is the same wherever the graph is
//! stored: its fingerprint is checked first.

use std::fmt;
use std::str::FromStr;

use super::edits::{Edit, Edits};
use gesf_graph::{ClassId, Label, NodeId};

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mute(node) => write!(f, "mute:{}", node.0),
            Self::Unmute(node) => write!(f, "unmute:{}", node.0),
            Self::Cut(one, other) => write!(f, "cut:{}-{}", one.0, other.0),
            Self::Join(one, other) => write!(f, "join:{}-{}", one.0, other.0),
            Self::Hide(node) => write!(f, "hide:{}", node.0),
            Self::Relabel(node, Label::None) => write!(f, "label:{}=none", node.0),
            Self::Relabel(node, Label::Number(value)) => {
                write!(f, "label:{}={value:?}", node.0)
            }
            Self::Relabel(node, Label::Classes(classes)) => {
                let classes: Vec<String> = classes.iter().map(|own| own.0.to_string()).collect();
                write!(f, "label:{}=c{}", node.0, classes.join("+"))
            }
        }
    }
}

impl FromStr for Edit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fault = || {
            format!(
                "found edit `{text}`, expected for example cut:0-1, join:0-1, hide:5 or label:7=c1"
            )
        };
        let node = |text: &str| text.parse().map(NodeId).map_err(|_| fault());
        let (kind, rest) = text.split_once(':').ok_or_else(fault)?;
        let pair = || {
            let (one, other) = rest.split_once('-').ok_or_else(fault)?;
            Ok::<_, String>((node(one)?, node(other)?))
        };
        match kind {
            "mute" => Ok(Self::Mute(node(rest)?)),
            "unmute" => Ok(Self::Unmute(node(rest)?)),
            "cut" => pair().map(|(one, other)| Self::Cut(one, other)),
            "join" => pair().map(|(one, other)| Self::Join(one, other)),
            "hide" => Ok(Self::Hide(node(rest)?)),
            "label" => {
                let (own, label) = rest.split_once('=').ok_or_else(fault)?;
                let class = |text: &str| text.parse().map(ClassId).map_err(|_| fault());
                let label = match (label, label.strip_prefix('c')) {
                    ("none", _) => Label::None,
                    (_, Some(classes)) => {
                        Label::Classes(classes.split('+').map(class).collect::<Result<_, _>>()?)
                    }
                    (number, None) => Label::Number(number.parse().map_err(|_| fault())?),
                };
                Ok(Self::Relabel(node(own)?, label))
            }
            _ => Err(fault()),
        }
    }
}

impl Edits {
    /// Edits that change the graph, as text; excluding a node only affects one
    /// explanation.
    pub fn to_text(&self) -> String {
        let acts = |edit: &&Edit| !matches!(edit, Edit::Mute(_) | Edit::Unmute(_));
        self.list().iter().filter(acts).map(Edit::to_string).collect::<Vec<_>>().join(",")
    }

    /// Parses edits.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut edits = Self::default();
        for edit in text.split(',').filter(|own| !own.is_empty()) {
            edits.push(edit.parse()?);
        }
        Ok(edits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edit() -> impl Strategy<Value = Edit> {
        let label = prop_oneof![
            Just(Label::None),
            any::<f32>().prop_filter("a number", |x| x.is_finite()).prop_map(Label::Number),
            prop::collection::vec(any::<u16>().prop_map(ClassId), 1..3).prop_map(Label::Classes),
        ];
        prop_oneof![
            (any::<u32>(), any::<u32>()).prop_map(|(a, b)| Edit::Cut(NodeId(a), NodeId(b))),
            (any::<u32>(), any::<u32>()).prop_map(|(a, b)| Edit::Join(NodeId(a), NodeId(b))),
            any::<u32>().prop_map(|a| Edit::Hide(NodeId(a))),
            (any::<u32>(), label).prop_map(|(a, label)| Edit::Relabel(NodeId(a), label)),
        ]
    }

    proptest! {
        #[test]
        fn edits_round_trip_through_text(list in prop::collection::vec(edit(), 0..5)) {
            let mut edits = Edits::default();
            for own in &list {
                edits.push(own.clone());
            }
            let again = Edits::parse(&edits.to_text()).unwrap();
            prop_assert_eq!(again.list(), &list[..]);
        }

        #[test]
        fn any_other_text_is_an_error_and_never_a_panic(text in ".{0,40}") {
            let _ = Edits::parse(&text);
        }
    }
}
