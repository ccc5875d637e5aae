//! What is left of the environment's budget, and which links are up: [`Environment`].

use crate::layout::{Layout, Links, NODES_MAX};
use crate::setup::Setup;

/// The first number of a row.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Environment {
    /// The links that are up.
    pub(crate) links: Links,
    /// Requests left to each node.
    pub(crate) requests: Vec<u8>,
    pub(crate) link_changes: u8,
    pub(crate) timeouts: u8,
    pub(crate) losses: u8,
    pub(crate) duplications: u8,
    pub(crate) crashes: u8,
    /// What is left of all of these together.
    pub(crate) events: u8,
    /// Whether a message got lost or doubled, so that tokens need not come out even.
    pub(crate) uneven: bool,
    /// Whether there was a fault after which progress is not promised.
    pub(crate) troubled: bool,
}

/// What the environment does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Event {
    Request(u8),
    /// A link changes.
    Toggle(u8),
    /// A link goes down with messages in transit.
    Break(u8),
    Timeout,
    Loss,
    Duplication,
    Crash(u8),
}

impl Environment {
    pub(crate) fn new(setup: &Setup, layout: &Layout) -> Self {
        Environment {
            links: layout.links_of(&setup.graph),
            requests: setup.requests.clone(),
            link_changes: setup.link_changes,
            timeouts: setup.timeouts,
            losses: setup.losses,
            duplications: setup.duplications,
            crashes: setup.crashes,
            events: setup.events.unwrap_or(u8::MAX),
            uneven: false,
            troubled: false,
        }
    }

    /// What is left after `event`, which there has to be a budget for.
    pub(crate) fn after(&self, event: Event, setup: &Setup, layout: &Layout) -> Self {
        let mut left = self.clone();
        if setup.events.is_some() {
            left.events -= 1;
        }
        match event {
            Event::Request(node) => left.requests[usize::from(node)] -= 1,
            Event::Toggle(pair) | Event::Break(pair) => {
                left.link_changes -= 1;
                left.links ^= 1 << pair;
            }
            Event::Timeout => left.timeouts -= 1,
            Event::Loss => left.losses -= 1,
            Event::Duplication => left.duplications -= 1,
            Event::Crash(node) => {
                left.crashes -= 1;
                if setup.cuts_off() {
                    left.links &= !layout.links_at(node.into());
                }
            }
        }
        // A local protocol lives with links that break and with nodes that stop.
        let harm = matches!(event, Event::Break(_) | Event::Crash(_)) && !setup.is_local();
        let miscarried = matches!(event, Event::Loss | Event::Duplication);
        let fault = miscarried || (harm && matches!(event, Event::Crash(_)));
        left.uneven |= miscarried || harm;
        left.troubled |= fault && !setup.progress_despite_faults;
        left
    }
}

/// What is asked of an environment in every state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    pub(crate) links: Links,
    /// Nodes that may ask, a bit for each.
    pub(crate) may_ask: u32,
    /// Links that may go down as far as all links that are up tell.
    pub(crate) removable: Links,
    pub(crate) changes: bool,
    pub(crate) timeouts: bool,
    pub(crate) losses: bool,
    pub(crate) duplications: bool,
    pub(crate) crashes: bool,
    /// Whether tokens have to come out even.
    pub(crate) even: bool,
    /// Whether everyone who waits has to get in, or everyone with a token in their part.
    pub(crate) progress: bool,
    /// For each node, the nodes of its part of the network, a bit for each.
    pub(crate) parts: [u8; NODES_MAX],
}

impl Facts {
    pub(crate) fn of(environment: &Environment, layout: &Layout, apart: bool) -> Self {
        let Environment { links, ref requests, .. } = *environment;
        let more = environment.events > 0;
        let removable = layout.pairs.iter().enumerate().filter(|(k, (a, b))| {
            let link = 1 << k;
            links & link != 0 && layout.joined(links & !link, usize::from(*a), usize::from(*b))
        });
        let mut parts = [0; NODES_MAX];
        for (i, part) in parts.iter_mut().enumerate().take(layout.n) {
            *part = layout.reached(links, i) as u8;
        }
        let may_ask = requests.iter().enumerate().filter(|(_, left)| more && **left > 0);
        Facts {
            links,
            may_ask: may_ask.fold(0, |nodes, (node, _)| nodes | 1 << node),
            removable: removable.fold(0, |links, (k, _)| links | 1 << k),
            changes: more && environment.link_changes > 0,
            timeouts: more && environment.timeouts > 0,
            losses: more && environment.losses > 0,
            duplications: more && environment.duplications > 0,
            crashes: more && environment.crashes > 0,
            even: !environment.uneven,
            progress: !environment.troubled && (apart || layout.connected(links)),
            parts,
        }
    }
}
