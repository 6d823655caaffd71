//! What the screen wants to know, asked away from it: one question holds all
//! that is out of date, so a newer one may take its place.

use std::sync::Arc;
use std::time::Duration;

use super::account::Account;
use super::list::Listing;
use super::{Pane, ROOMY, Source, settle};
use crate::explain::{Directory, Edits, Moment, Ranking, Roster};
use crate::graph::{ClassId, NodeId};
use crate::spectral::Cancel;
use crate::tui::message::{Effect, Message};
use crate::tui::questions::Question;
use crate::tui::state::{Screen, State};

/// The least time between two questions that only training gives rise to.
const LIVE: Duration = Duration::from_millis(150);

/// What is to be found out.
#[derive(Debug, Clone)]
pub struct Inquiry {
    /// Drawn from this.
    pub source: Source,
    /// About this node.
    pub node: Option<NodeId>,
    /// The class explained, where a person chose one.
    pub class: Option<ClassId>,
    /// The order of contributors.
    pub ranking: Ranking,
    /// How far the picture reaches.
    pub hops: u16,
    /// Whether the explanation is tested.
    pub faithful: bool,
    /// What was changed.
    pub edits: Edits,
    /// Whether training rests, so that slow checks are welcome.
    pub at_rest: bool,
    /// Whether the list is out of date.
    list: bool,
    directory: Option<Arc<Directory>>,
    moment: Option<Arc<Moment>>,
}

/// What a question was about, to know whether another is needed.
#[derive(Debug)]
pub(super) struct Wanted(Inquiry);

impl Wanted {
    fn covers(&self, other: &Inquiry) -> bool {
        let own = &self.0;
        (own.node, own.class, own.ranking) == (other.node, other.class, other.ranking)
            && (own.hops, own.faithful, own.at_rest) == (other.hops, other.faithful, other.at_rest)
            && own.edits == other.edits
    }

    fn is_of(&self, source: &Source) -> bool {
        Arc::ptr_eq(&self.0.source.snapshot, &source.snapshot)
    }
}

/// What everything is drawn from now.
fn source(state: &State) -> Option<Source> {
    if let Some(frozen) = &state.node.frozen {
        return Some(frozen.clone());
    }
    current(state)
}

/// What training is at.
pub(super) fn current(state: &State) -> Option<Source> {
    let session = &state.session;
    Some(Source {
        ready: session.ready.clone()?,
        settings: session.settings.clone(),
        snapshot: session.snapshot.clone()?,
    })
}

/// Holds the moment that is shown, or follows training again.
pub(in crate::tui) fn freeze(state: &mut State) {
    let held = state.node.frozen.take();
    if held.is_none() {
        // What is shown may be a little behind what training is at.
        let shown = state.node.moment.as_ref().map(|moment| moment.snapshot().clone());
        state.node.frozen = current(state)
            .map(|now| Source { snapshot: shown.unwrap_or_else(|| now.snapshot.clone()), ..now });
    }
    let text = if state.node.frozen.is_some() { "held: z follows again" } else { "following" };
    state.notices.say(text, state.now);
}

/// Asks for what is out of date, if one looks at it.
pub(in crate::tui) fn refresh(state: &mut State) -> Option<Effect> {
    if state.screen != Screen::Node {
        return None;
    }
    let source = source(state)?;
    settle(state, &source);
    let view = &state.node;
    let running = state.session.is_running() && view.frozen.is_none();
    let tested = state.size.0 >= ROOMY || view.pane == Pane::Faithfulness;
    let fresh = view.list.listing.as_ref().is_some_and(|own| own.is_of(&source));
    let inquiry = Inquiry {
        node: state.chosen_node,
        class: view.class,
        ranking: view.ranking,
        hops: view.hops,
        faithful: view.faithfulness && tested,
        edits: view.edits.clone(),
        at_rest: !running,
        list: !fresh,
        directory: view.list.directory(&source),
        moment: view.moment.clone(),
        source,
    };
    if let Some((wanted, at)) = &view.asked {
        let same = wanted.covers(&inquiry);
        let soon = running && state.now < *at + LIVE;
        if same && (wanted.is_of(&inquiry.source) || soon) {
            return None;
        }
    }
    let remembered = Inquiry { directory: None, moment: None, ..inquiry.clone() };
    state.node.asked = Some((Wanted(remembered), state.now));
    Some(Effect::Ask(Question::Node(Box::new(inquiry))))
}

impl Inquiry {
    /// Finds it out.
    pub(in crate::tui) fn answer(self, cancel: &Cancel, tell: &dyn Fn(Message)) {
        let Source { ready, settings, snapshot } = &self.source;
        let made = self.moment.clone().filter(|own| Arc::ptr_eq(own.snapshot(), snapshot));
        let moment = match made {
            Some(moment) => Ok(moment),
            None => Moment::of(ready, settings, snapshot).map(Arc::new),
        };
        let moment = match moment {
            Ok(moment) => moment,
            Err(error) => return tell(Message::Explained(Err(error.to_string()))),
        };
        if let Some(node) = self.node {
            match Account::of(&moment, node, &self, cancel) {
                Ok(account) => tell(Message::Explained(Ok(Arc::new(account)))),
                Err(error) if error.is_cancelled() => {}
                Err(error) => tell(Message::Explained(Err(error.to_string()))),
            }
        }
        if self.list {
            let graph = &ready.ground.graph;
            let directory =
                self.directory.clone().unwrap_or_else(|| Arc::new(Directory::of(graph)));
            let roster = Roster::of(&moment);
            tell(Message::Listed(Listing { moment, directory, roster: Arc::new(roster) }));
        }
    }
}
