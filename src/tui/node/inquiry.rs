//! Background computation for the Node screen: one job covers everything out of date,
//! so a newer one may replace it.

use std::sync::Arc;
use std::time::Duration;

use super::explanation::NodeExplanation;
use super::list::Listing;
use super::{ExplainSource, NodePane, ROOMY, settle};
use crate::explain::{Directory, Edits, ExplainContext, Ranking, Roster};
use crate::graph::{ClassId, NodeId};
use crate::spectral::Cancel;
use crate::tui::jobs::Job;
use crate::tui::message::{Effect, Message};
use crate::tui::speed::UNASKED_RESTS;
use crate::tui::state::{Screen, State};

/// Minimum time between two jobs that are caused by training alone.
const LIVE: Duration = Duration::from_millis(150);

/// A job of the Node screen.
#[derive(Debug, Clone)]
pub struct Inquiry {
    /// The data to explain.
    pub source: ExplainSource,
    /// The node to explain.
    pub node: Option<NodeId>,
    /// The class to explain, if the user chose one.
    pub class: Option<ClassId>,
    /// The order of contributors.
    pub ranking: Ranking,
    /// Number of hops drawn.
    pub hops: u16,
    /// Whether to run the faithfulness test.
    pub faithful: bool,
    /// What-if edits.
    pub edits: Edits,
    /// Whether training is paused, so that slow checks are acceptable.
    pub at_rest: bool,
    /// Whether the list is out of date.
    list: bool,
    directory: Option<Arc<Directory>>,
    context: Option<Arc<ExplainContext>>,
}

/// The request of a job, to detect whether another is needed.
#[derive(Debug)]
pub(super) struct Wanted(Inquiry);

impl Wanted {
    fn covers(&self, other: &Inquiry) -> bool {
        let own = &self.0;
        (own.node, own.class, own.ranking) == (other.node, other.class, other.ranking)
            && (own.hops, own.faithful, own.at_rest) == (other.hops, other.faithful, other.at_rest)
            && own.edits == other.edits
            && (own.list || !other.list)
    }

    fn is_of(&self, source: &ExplainSource) -> bool {
        Arc::ptr_eq(&self.0.source.snapshot, &source.snapshot)
    }
}

/// The data to explain now.
fn source(state: &State) -> Option<ExplainSource> {
    if let Some(frozen) = &state.graph.node.frozen {
        return Some(frozen.clone());
    }
    current(state)
}

/// The current data of the training.
pub(super) fn current(state: &State) -> Option<ExplainSource> {
    let session = &state.graph.session;
    Some(ExplainSource {
        ready: session.ready.clone()?,
        settings: session.settings.clone(),
        snapshot: session.snapshot.clone()?,
    })
}

/// Freezes the context shown, or follows training again.
pub(in crate::tui) fn freeze(state: &mut State) {
    let held = state.graph.node.frozen.take();
    if held.is_none() {
        // The screen may be slightly behind the training.
        let shown = state.graph.node.context.as_ref().map(|context| context.snapshot().clone());
        state.graph.node.frozen = current(state).map(|now| ExplainSource {
            snapshot: shown.unwrap_or_else(|| now.snapshot.clone()),
            ..now
        });
    }
    let text = if state.graph.node.frozen.is_some() { "frozen: z unfreezes" } else { "following" };
    state.notices.say(text, state.now);
}

/// Requests what is out of date, if it is on the screen.
pub(in crate::tui) fn refresh(state: &mut State) -> Option<Effect> {
    let is_overview = state.screen == Screen::Overview;
    if state.screen != Screen::Node && !is_overview {
        return None;
    }
    let source = source(state)?;
    settle(state, &source);
    let view = &state.graph.node;
    let running = state.graph.session.is_running() && view.frozen.is_none();
    let tested = state.size.0 >= ROOMY || view.pane == NodePane::Faithfulness;
    let fresh = view.list.listing.as_ref().is_some_and(|own| own.is_of(&source));
    let inquiry = Inquiry {
        node: state.graph.chosen_node,
        class: view.class,
        ranking: view.ranking,
        hops: view.hops,
        faithful: view.faithfulness && tested && !is_overview,
        edits: view.edits.clone(),
        at_rest: !running,
        list: !fresh && !is_overview,
        directory: view.list.directory(&source),
        context: view.context.clone(),
        source,
    };
    if let Some((wanted, at)) = &view.asked {
        let same = wanted.covers(&inquiry);
        let pause = if is_overview { LIVE.max(view.cost * UNASKED_RESTS) } else { LIVE };
        let soon = running && state.now < *at + pause;
        if same && (wanted.is_of(&inquiry.source) || soon) {
            return None;
        }
    }
    let remembered = Inquiry { directory: None, context: None, ..inquiry.clone() };
    state.graph.node.asked = Some((Wanted(remembered), state.now));
    Some(Effect::Ask(Job::Node(Box::new(inquiry))))
}

impl Inquiry {
    /// Runs the job.
    pub(in crate::tui) fn answer(self, cancel: &Cancel, tell: &dyn Fn(Message)) {
        let ExplainSource { ready, settings, snapshot } = &self.source;
        let made = self.context.clone().filter(|own| Arc::ptr_eq(own.snapshot(), snapshot));
        let context = match made {
            Some(context) => Ok(context),
            None => ExplainContext::of(ready, settings, snapshot).map(Arc::new),
        };
        let context = match context {
            Ok(context) => context,
            Err(error) => return tell(Message::Explained(Err(error.to_string()))),
        };
        if let Some(node) = self.node {
            match NodeExplanation::of(&context, node, &self, cancel) {
                Ok(explanation) => tell(Message::Explained(Ok(Arc::new(explanation)))),
                Err(error) if error.is_cancelled() => {}
                Err(error) => tell(Message::Explained(Err(error.to_string()))),
            }
        }
        if self.list {
            let graph = &ready.prepared.graph;
            let directory =
                self.directory.clone().unwrap_or_else(|| Arc::new(Directory::of(graph)));
            let roster = Roster::of(&context);
            tell(Message::Listed(Listing { context, directory, roster: Arc::new(roster) }));
        }
    }
}
