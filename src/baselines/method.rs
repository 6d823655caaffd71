//! What a baseline is, and which there are.

use std::sync::Arc;

use super::{
    BaselineError, DeepWalk, Gcn, Lesson, Majority, Metapath, Mmdw, Node2vec, Planetoid,
    Propagation, SpectralMap,
};
use crate::graph::{Graph, LabelKind};
use crate::spectral::Cancel;
use crate::train::Split;
use crate::words::nearest;

/// How a long computation is watched and stopped.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Asks it to stop.
    pub cancel: &'a Cancel,
    /// Hears what is being done.
    pub tell: &'a (dyn Fn(&str) + Sync),
}

impl Watch<'_> {
    /// An error as soon as somebody asked to stop.
    pub fn check(&self) -> Result<(), BaselineError> {
        if self.cancel.is_cancelled() { Err(BaselineError::Cancelled) } else { Ok(()) }
    }
}

/// A way to predict labels from a graph.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::baselines::{Lesson, Majority, Method, Watch};
/// use gesf_tui::{spectral::Cancel, train::Split};
/// # let karate = "sample_graphs/karate".as_ref();
/// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// let watch = Watch { cancel: &Cancel::default(), tell: &|_| {} };
/// let split = Split::of(&graph, &Default::default());
/// let ready = Majority.prepare(&graph, 0, watch)?;
/// let answers = ready.answer(&Lesson::of(&graph, &split, 0), &split, watch)?;
/// // A logit for each class of every node; the majority says the same of all.
/// assert_eq!(answers.len(), 34 * 2);
/// assert_eq!(answers[..2], answers[66..]);
/// # Ok(()) }
/// ```
pub trait Method: Send + Sync {
    /// Its name for `--methods`, which is also the paper's.
    fn name(&self) -> &'static str;

    /// What it does, in a line.
    fn about(&self) -> &'static str;

    /// Whether a graph is of the kind it is made for.
    fn suits(&self, graph: &Graph) -> Result<(), BaselineError> {
        let _ = graph;
        Ok(())
    }

    /// Whether what it prepares depends on the seed.
    fn is_random(&self) -> bool {
        false
    }

    /// Whether it uses all cores by itself.
    fn fills_cores(&self) -> bool {
        false
    }

    /// What does not depend on labels: vectors of the nodes, a matrix.
    fn prepare(
        &self,
        graph: &Arc<Graph>,
        seed: u64,
        watch: Watch<'_>,
    ) -> Result<Box<dyn Ready>, BaselineError>;
}

/// A method made ready for a graph.
pub trait Ready: Send + Sync {
    /// Learns from the labels seen, and answers for every node as a head does:
    /// logits, or a number in its units, row after row. The split says which
    /// nodes are which, for methods that keep score themselves.
    fn answer(
        &self,
        lesson: &Lesson,
        split: &Split,
        watch: Watch<'_>,
    ) -> Result<Vec<f32>, BaselineError>;
}

/// The names of all methods, GESF last, as the paper has them.
pub const NAMES: [&str; 10] = [
    "majority",
    "label-propagation",
    "spectral",
    "deepwalk",
    "node2vec",
    "metapath2vec++",
    "mmdw",
    "planetoid",
    "gcn",
    "gesf",
];

/// Every baseline with its usual settings.
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
        Box::new(Gcn::default()),
    ]
}

/// Refuses numbers, for methods that only tell classes apart.
pub(super) fn classes_only(method: &'static str, graph: &Graph) -> Result<(), BaselineError> {
    if graph.labels().kind() != LabelKind::Numeric {
        return Ok(());
    }
    let (found, expected) = ("numbers to predict".to_owned(), "classes");
    Err(BaselineError::Unsuited { method, found, expected })
}

/// The baselines of some names, `gesf` aside, which needs a ground of its own.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::baselines::named;
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
    fn every_name_but_gesf_is_a_method_in_the_same_order() {
        let found: Vec<&str> = all().iter().map(|method| method.name()).collect();
        assert_eq!(found, NAMES[..NAMES.len() - 1]);
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest() {
        let said = named(&["deepwalk".into(), "node2vek".into()]).err().unwrap().to_string();
        assert!(said.contains("the nearest is `node2vec`"), "{said}");
        assert_eq!(named(&["gcn".into(), "gesf".into()]).unwrap().len(), 1);
    }
}
