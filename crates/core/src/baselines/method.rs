//! The baseline trait, and the list of baselines.

use std::sync::Arc;

use super::{
    BaselineError, DeepWalk, Majority, Metapath, Mmdw, NetworkMethod, Node2vec, Planetoid,
    Propagation, SpectralMap, TrainingLabels,
};
use crate::train::Split;
use gesf_graph::suggest::nearest;
use gesf_graph::{Graph, LabelKind};
use gesf_spectral::Cancel;

/// Progress and cancellation of a long computation.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Cancels it.
    pub cancel: &'a Cancel,
    /// Receives progress messages.
    pub tell: &'a (dyn Fn(&str) + Sync),
}

impl Watch<'_> {
    /// An error if the computation was cancelled.
    pub fn check(&self) -> Result<(), BaselineError> {
        if self.cancel.is_cancelled() { Err(BaselineError::Cancelled) } else { Ok(()) }
    }
}

/// A way to predict labels from a graph.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::baselines::{TrainingLabels, Majority, Method, Watch};
/// use gesf_core::train::Split;
/// use gesf_spectral::Cancel;
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// let watch = Watch { cancel: &Cancel::default(), tell: &|_| {} };
/// let split = Split::of(&graph, &Default::default());
/// let ready = Majority.prepare(&graph, 0, watch)?;
/// let answers = ready.answer(&TrainingLabels::of(&graph, &split, 0), &split, watch)?;
/// // A logit for each class of every node; the majority is the same for all.
/// assert_eq!(answers.len(), 34 * 2);
/// assert_eq!(answers[..2], answers[66..]);
/// # Ok(()) }
/// ```
pub trait Method: Send + Sync {
    /// Its name for `--methods`, as in the paper.
    fn name(&self) -> &'static str;

    /// What it does, in one line.
    fn about(&self) -> &'static str;

    /// Whether it supports a graph.
    fn suits(&self, graph: &Graph) -> Result<(), BaselineError> {
        let _ = graph;
        Ok(())
    }

    /// Whether its preparation depends on the seed.
    fn is_random(&self) -> bool {
        false
    }

    /// Whether it uses all cores already.
    fn fills_cores(&self) -> bool {
        false
    }

    /// Computes what does not depend on labels: node vectors, a matrix.
    fn prepare(
        &self,
        graph: &Arc<Graph>,
        seed: u64,
        watch: Watch<'_>,
    ) -> Result<Box<dyn PreparedMethod>, BaselineError>;
}

/// A method prepared for a graph.
pub trait PreparedMethod: Send + Sync {
    /// Learns from the training labels and returns outputs for every node in the
    /// form of a head: logits, or a number in its units, row-major. The split gives
    /// the parts to methods that compute scores themselves.
    fn answer(
        &self,
        lesson: &TrainingLabels,
        split: &Split,
        watch: Watch<'_>,
    ) -> Result<Vec<f32>, BaselineError>;
}

/// The names of all methods, GESF last, as in the paper.
pub const NAMES: [&str; 12] = [
    "majority",
    "label-propagation",
    "spectral",
    "deepwalk",
    "node2vec",
    "metapath2vec++",
    "mmdw",
    "planetoid",
    "mlp",
    "appnp",
    "gcn",
    "gesf",
];

/// Every baseline with its default settings.
pub fn all() -> Vec<Box<dyn Method>> {
    vec![
        Box::new(Majority),
        Box::new(Propagation::default()),
        Box::new(SpectralMap::default()),
        Box::new(DeepWalk::default()),
        Box::new(Node2vec::default()),
        Box::new(Metapath::default()),
        Box::new(Mmdw::default()),
        Box::new(Planetoid::default()),
        Box::new(NetworkMethod::mlp()),
        Box::new(NetworkMethod::appnp()),
        Box::new(NetworkMethod::gcn()),
    ]
}

/// Refuses numeric targets, for classification methods.
pub(super) fn classes_only(method: &'static str, graph: &Graph) -> Result<(), BaselineError> {
    if graph.labels().kind() != LabelKind::Numeric {
        return Ok(());
    }
    let (found, expected) = ("numeric labels".to_owned(), "classes");
    Err(BaselineError::Unsuited { method, found, expected })
}

/// The baselines with the given names, without `gesf`, which needs a prepared
/// graph.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::baselines::named;
///
/// let found = named(&["gcn".into(), "majority".into()])?;
/// assert_eq!(found.iter().map(|own| own.name()).collect::<Vec<_>>(), ["majority", "gcn"]);
/// let error = named(&["node2vek".into()]).err().ok_or("there is such a method")?;
/// assert!(error.to_string().contains("`node2vec`"));
/// # Ok(()) }
/// ```
pub fn named(names: &[String]) -> Result<Vec<Box<dyn Method>>, BaselineError> {
    let known = |name: &String| NAMES.contains(&name.as_str());
    if let Some(unknown) = names.iter().find(|name| !known(name)) {
        return Err(BaselineError::Unknown {
            found: unknown.clone(),
            expected: NAMES.join(", "),
            nearest: nearest(unknown, NAMES),
        });
    }
    Ok(all().into_iter().filter(|method| names.iter().any(|name| name == method.name())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_except_gesf_is_a_method_in_the_same_order() {
        let found: Vec<&str> = all().iter().map(|method| method.name()).collect();
        assert_eq!(found, NAMES[..NAMES.len() - 1]);
    }

    #[test]
    fn an_unknown_name_suggests_the_nearest_one() {
        let said = named(&["deepwalk".into(), "node2vek".into()]).err().unwrap().to_string();
        assert!(said.contains("did you mean `node2vec`?"), "{said}");
        assert_eq!(named(&["gcn".into(), "gesf".into()]).unwrap().len(), 1);
    }
}
