//! What is left of the environment's budget, and which links are up: [`Environment`].

use driftlock_core::NodeId;

use crate::layout::{Ends, Layout, Links, NODES_MAX};
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
    pub(crate) restarts: u8,
    /// What is left of all of these together.
    pub(crate) events: u8,
    /// Whether a message got lost or doubled, so that tokens need not come out even.
    pub(crate) uneven: bool,
    /// Whether there was a fault after which progress is not promised.
    pub(crate) troubled: bool,
    /// What the ends of links were told, where they are settled.
    pub(crate) told: Told,
}

/// What the ends of links were told. The first to be told is told when the link changes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Told {
    /// Those that have had their `LinkUp` and no `LinkDown` since.
    pub(crate) open: Ends,
    /// Those of them that nothing reaches any more: the other end has taken back what was sent.
    pub(crate) frozen: Ends,
    /// Those that will have a `LinkUp`.
    pub(crate) due: Ends,
    /// Those of them that moved.
    pub(crate) moved: Ends,
    /// The links that come up by themselves.
    pub(crate) coming: Links,
    /// Those that were open when what their node wakes up as was written down.
    pub(crate) noted: Ends,
}

impl Told {
    /// Whether nothing will reach these ends any more.
    pub(crate) fn is_dead(&self, end: Ends) -> bool {
        (self.open & !self.frozen | self.due) & end == 0
    }
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
    /// A link comes up, and its first end is told; whether that one moved.
    Meet(u8, u8, bool),
    /// The other end is told.
    Met(u8, u8),
    /// Nothing sent by the first end will reach the other any more.
    Freeze(u8, u8),
    /// The first end is told that its link is down.
    Part(u8, u8),
    /// This is what a node wakes up as if it is killed.
    Save(u8),
    /// It is no more, for something has happened that has to be written down.
    Outdate(u8),
    /// A node is killed, and wakes up.
    Restart(u8),
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
            restarts: setup.restarts,
            events: setup.events.unwrap_or(u8::MAX),
            uneven: false,
            troubled: false,
            told: if setup.rules.settled { Told::at_first(setup, layout) } else { Told::default() },
        }
    }

    /// What is left after `event`, which there has to be a budget for.
    pub(crate) fn after(&self, event: Event, setup: &Setup, layout: &Layout) -> Self {
        let mut left = self.clone();
        let changes = match event {
            Event::Met(..) | Event::Save(_) | Event::Outdate(_) => false,
            Event::Freeze(i, j) | Event::Part(i, j) => {
                self.links & layout.link(i.into(), j.into()) != 0
            }
            _ => true,
        };
        if setup.events.is_some() && changes {
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
            Event::Meet(..) | Event::Met(..) | Event::Freeze(..) | Event::Part(..) => {
                left.tell(event, changes, layout);
            }
            Event::Save(node) => left.told.noted |= left.told.open & layout.ends_at(node),
            Event::Outdate(node) => left.told.noted &= !layout.ends_at(node),
            Event::Restart(node) => left.restart(node, layout),
        }
        // A local protocol lives with links that break and with nodes that stop.
        let harm = matches!(event, Event::Break(_) | Event::Crash(_)) && !setup.is_local();
        let miscarried = matches!(event, Event::Loss | Event::Duplication);
        let fault = miscarried || (harm && matches!(event, Event::Crash(_)));
        left.uneven |= miscarried || harm;
        left.troubled |= fault && !setup.progress_despite_faults;
        left
    }

    /// All links of a node break, and come up again by themselves. It was told of those that it was
    /// told of when it was written down, and nothing reaches it any more over these.
    fn restart(&mut self, node: u8, layout: &Layout) {
        let (own, far) = (layout.ends_at(node), layout.ends_towards(node));
        let links = layout.links_at(node.into());
        self.restarts -= 1;
        let told = &mut self.told;
        let known = told.noted & own;
        told.coming |= self.links & links;
        self.links &= !links;
        told.open = told.open & !own | known;
        told.frozen = told.frozen & !own | known;
        told.noted &= !own;
        told.due &= !(own | far);
        told.moved &= !(own | far);
    }

    /// An end of a link is told of a change, or the link with it changes.
    fn tell(&mut self, event: Event, changes: bool, layout: &Layout) {
        let (Event::Meet(i, j, _) | Event::Met(i, j) | Event::Freeze(i, j) | Event::Part(i, j)) =
            event
        else {
            return;
        };
        let (end, far) = (layout.end(i, j), layout.end(j, i));
        let link = layout.link(i.into(), j.into());
        let told = &mut self.told;
        let free = matches!(event, Event::Meet(..)) && told.coming & link != 0;
        if changes && !free {
            self.link_changes -= 1;
        }
        match event {
            Event::Meet(_, _, moved) => {
                self.links |= link;
                told.coming &= !link;
                told.open |= end;
                told.due |= far;
                told.moved |= if moved { 0 } else { far };
            }
            Event::Met(..) => told.open |= end,
            _ => {
                self.links &= !link;
                told.due &= !far;
                told.moved &= !far;
            }
        }
        match event {
            Event::Met(..) => {
                told.due &= !end;
                told.moved &= !end;
            }
            Event::Freeze(..) => told.frozen |= told.open & far,
            Event::Part(..) => {
                told.open &= !end;
                told.frozen &= !end;
            }
            _ => {}
        }
    }
}

impl Told {
    /// Everyone knows of the links that are there.
    fn at_first(setup: &Setup, layout: &Layout) -> Self {
        let ends = |(a, b): (u8, u8)| layout.end(a, b) | layout.end(b, a);
        let links = setup.graph.links().map(|(a, b)| (a.0 as u8, b.0 as u8));
        let link = |&(a, b): &(NodeId, NodeId)| layout.link(a.index(), b.index());
        Told {
            open: links.fold(0, |open, link| open | ends(link)),
            coming: setup.coming.iter().fold(0, |coming, pair| coming | link(pair)),
            ..Told::default()
        }
    }
}

/// What is asked of an environment in every state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    pub(crate) links: Links,
    /// The links that both ends count on.
    pub(crate) mutual: Links,
    pub(crate) told: Told,
    /// Nodes that may ask, a bit for each.
    pub(crate) may_ask: u32,
    /// Links that may go down as far as all links that are up tell.
    pub(crate) removable: Links,
    /// Whether anything may happen that the environment does.
    pub(crate) more: bool,
    pub(crate) changes: bool,
    pub(crate) timeouts: bool,
    pub(crate) losses: bool,
    pub(crate) duplications: bool,
    pub(crate) crashes: bool,
    /// How many nodes may still be killed and wake up.
    pub(crate) restarts: u8,
    /// Whether tokens have to come out even.
    pub(crate) even: bool,
    /// Whether everyone who waits has to get in, or everyone with a token in their part.
    pub(crate) progress: bool,
    /// For each node, the nodes of its part of the network, a bit for each.
    pub(crate) parts: [u8; NODES_MAX],
}

impl Facts {
    pub(crate) fn of(
        environment: &Environment,
        layout: &Layout,
        apart: bool,
        settled: bool,
    ) -> Self {
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
        let told = environment.told;
        let both = |&(_, &(a, b)): &(usize, &(u8, u8))| {
            let ends = layout.end(a, b) | layout.end(b, a);
            told.open & ends == ends
        };
        let mutual = layout.pairs.iter().enumerate().filter(both);
        let mutual = mutual.fold(0, |links, (k, _)| links | 1 << k);
        Facts {
            links,
            mutual: if settled { mutual } else { links },
            told,
            may_ask: may_ask.fold(0, |nodes, (node, _)| nodes | 1 << node),
            removable: removable.fold(0, |links, (k, _)| links | 1 << k),
            more,
            changes: more && environment.link_changes > 0,
            timeouts: more && environment.timeouts > 0,
            losses: more && environment.losses > 0,
            duplications: more && environment.duplications > 0,
            crashes: more && environment.crashes > 0,
            restarts: if more { environment.restarts } else { 0 },
            even: !environment.uneven,
            progress: !environment.troubled && (apart || layout.connected(links)),
            parts,
        }
    }
}
