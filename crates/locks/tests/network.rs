//! Nodes with locks, and links between them that keep the contract of real ones: the ends are told
//! one by one, and what must not get lost comes back when its link breaks.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use driftlock_core::{LinkRole, NodeId, ResourceId};
use driftlock_locks::{
    Key, Kind, Limits, Locks, Loss, Memory, Of, Output, Process, Refusal, Request, Step, Ticket, Up,
};
use driftlock_protocols::gme::{self, Gme};
use driftlock_protocols::krl::{Forwarding, Krl, Settings};
use driftlock_protocols::lme2::{self, Lme2};

/// The processes of the four kinds.
pub(crate) fn make(kind: Kind, me: NodeId, founder: bool) -> Box<dyn Process> {
    let krl = |tokens, forwarding| Of::<Krl>::cold(me, founder, &Settings { tokens, forwarding });
    match kind {
        Kind::Exclusive => krl(1, Forwarding::Never),
        Kind::Permits(k) => krl(k, Forwarding::Adaptive),
        Kind::Group => Of::<Gme>::cold(me, founder, &gme::Config::default()),
        Kind::Local => Of::<Lme2>::cold(me, founder, &lme2::Config::default()),
    }
}

pub(crate) fn key(name: &str, kind: Kind) -> Key {
    Key::new(name, kind).expect("a name")
}

/// One end of a link: whose, and towards whom.
type End = (usize, usize);

/// Somebody who is inside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Inside {
    pub(crate) node: usize,
    pub(crate) key: Key,
    pub(crate) resource: ResourceId,
    pub(crate) fence: u64,
}

pub(crate) struct Network {
    pub(crate) nodes: Vec<Locks>,
    pub(crate) now: u64,
    epochs: BTreeMap<End, u64>,
    /// The links that work, by their ends in order.
    pub(crate) up: BTreeMap<End, u64>,
    /// Ends that have been told that the link is up.
    open: BTreeSet<End>,
    /// Ends that are to be told.
    due: BTreeMap<End, LinkRole>,
    transit: BTreeMap<End, VecDeque<(Vec<u8>, bool)>>,
    tickets: u64,
    pub(crate) wishes: BTreeMap<Ticket, (usize, Key, ResourceId)>,
    pub(crate) inside: BTreeMap<Ticket, Inside>,
    pub(crate) refused: BTreeMap<Ticket, Refusal>,
    /// Grants that have to end.
    pub(crate) lost: Vec<(Ticket, Loss)>,
    /// The greatest fence of each lock so far.
    fences: BTreeMap<Key, u64>,
    pub(crate) sent: usize,
    /// Every step, where nodes say them.
    pub(crate) steps: Vec<(usize, Step)>,
    pub(crate) returned: usize,
    pub(crate) grants: usize,
}

impl Network {
    /// So many nodes without links; the first one is the founder.
    pub(crate) fn new(n: usize) -> Network {
        let node = |i| Locks::new(NodeId::at(i), i == 0, make, Limits::default());
        Network {
            nodes: (0..n).map(node).collect(),
            now: 0,
            epochs: BTreeMap::new(),
            up: BTreeMap::new(),
            open: BTreeSet::new(),
            due: BTreeMap::new(),
            transit: BTreeMap::new(),
            tickets: 0,
            wishes: BTreeMap::new(),
            inside: BTreeMap::new(),
            refused: BTreeMap::new(),
            lost: Vec::new(),
            fences: BTreeMap::new(),
            sent: 0,
            steps: Vec::new(),
            returned: 0,
            grants: 0,
        }
    }

    /// The same, in a line whose links everybody knows of.
    pub(crate) fn line(n: usize) -> Network {
        let mut network = Network::new(n);
        for i in 1..n {
            network.link(i - 1, i);
        }
        network.run();
        network
    }

    pub(crate) fn acquire(&mut self, node: usize, key: &Key, resource: u64) -> Ticket {
        self.acquire_until(node, key, resource, None)
    }

    pub(crate) fn acquire_until(
        &mut self,
        node: usize,
        key: &Key,
        resource: u64,
        deadline: Option<u64>,
    ) -> Ticket {
        self.ask(node, key, resource, deadline, None)
    }

    /// Acquire with a lease.
    pub(crate) fn acquire_for(&mut self, node: usize, key: &Key, lease: u64) -> Ticket {
        self.ask(node, key, 0, None, Some(lease))
    }

    pub(crate) fn ask(
        &mut self,
        node: usize,
        key: &Key,
        resource: u64,
        deadline: Option<u64>,
        lease: Option<u64>,
    ) -> Ticket {
        self.tickets += 1;
        let (ticket, resource) = (Ticket(self.tickets), ResourceId(resource));
        self.wishes.insert(ticket, (node, key.clone(), resource));
        let request = Request { ticket, key: key.clone(), resource, deadline, lease };
        let now = self.now;
        self.at(node, |locks, out| locks.acquire(now, request, out));
        ticket
    }

    pub(crate) fn release(&mut self, ticket: Ticket) {
        let node = self.inside.remove(&ticket).expect("whoever leaves is inside").node;
        self.lost.retain(|(lost, _)| *lost != ticket);
        let now = self.now;
        let released = self.at(node, |locks, out| locks.release(now, ticket, out));
        assert!(released, "{ticket:?} was inside");
    }

    pub(crate) fn withdraw(&mut self, ticket: Ticket) {
        let (node, ..) = self.wishes.remove(&ticket).expect("whoever withdraws has asked");
        assert!(self.nodes[node].withdraw(ticket), "{ticket:?} waited");
    }

    pub(crate) fn at<T>(
        &mut self,
        i: usize,
        action: impl FnOnce(&mut Locks, &mut Vec<Output>) -> T,
    ) -> T {
        let mut out = Vec::new();
        let answer = action(&mut self.nodes[i], &mut out);
        for output in out {
            self.carry_out(i, output);
        }
        answer
    }

    fn carry_out(&mut self, i: usize, output: Output) {
        match output {
            Output::Send { peer, message, keep } => {
                let (j, end) = (peer.index(), (i, peer.index()));
                assert!(self.open.contains(&end), "{i} sends to {j} without a link");
                assert!(message.len() < 200, "lock traffic is small");
                self.sent += 1;
                let closed = !self.open.contains(&(j, i)) && !self.due.contains_key(&(j, i));
                if keep || !closed {
                    self.transit.entry(end).or_default().push_back((message, keep));
                }
            }
            Output::Granted { ticket, fence, .. } => self.let_in(ticket, fence),
            Output::Refused(ticket, refusal) => {
                self.wishes.remove(&ticket);
                self.refused.insert(ticket, refusal);
            }
            Output::Lost(ticket, loss) => self.lost.push((ticket, loss)),
            Output::Step(step) => self.steps.push((i, *step)),
            Output::Garbled => panic!("everything can be read here"),
        }
    }

    /// Somebody is inside: see that nobody is who must not be.
    fn let_in(&mut self, ticket: Ticket, fence: u64) {
        let (node, key, resource) = self.wishes.remove(&ticket).expect("whoever enters has asked");
        self.grants += 1;
        let mut others = self.inside.values().filter(|other| other.key == key);
        match key.kind {
            Kind::Exclusive => assert_eq!(others.next(), None, "two are in {key}"),
            Kind::Permits(k) => assert!(others.count() < k as usize, "too many are in {key}"),
            Kind::Group => assert!(others.all(|o| o.resource == resource), "two groups in {key}"),
            Kind::Local => {
                let met = |j| self.open.contains(&(node, j)) && self.open.contains(&(j, node));
                let near = others.find(|other| met(other.node));
                assert_eq!(near, None, "{node} and a neighbor are in {key}");
            }
        }
        let greatest = self.fences.entry(key.clone()).or_insert(0);
        if key.kind == Kind::Exclusive {
            assert!(*greatest < fence, "fences grow");
        }
        *greatest = fence.max(*greatest);
        self.inside.insert(ticket, Inside { node, key, resource, fence });
    }

    /// A link works; its ends do not know yet.
    pub(crate) fn link(&mut self, still: usize, moving: usize) {
        let pair = (still.min(moving), still.max(moving));
        let epoch = self.epochs.entry(pair).or_insert(0);
        *epoch += 1;
        self.up.insert(pair, *epoch);
        self.due.insert((still, moving), LinkRole::Static);
        self.due.insert((moving, still), LinkRole::Moving);
    }

    /// A link works no more; its ends do not know yet.
    pub(crate) fn cut(&mut self, a: usize, b: usize) {
        self.up.remove(&(a.min(b), a.max(b)));
        for (i, j) in [(a, b), (b, a)] {
            if self.due.remove(&(i, j)).is_some() {
                self.lose_towards((i, j));
            }
        }
    }

    fn lose_towards(&mut self, (i, j): End) {
        if let Some(transit) = self.transit.get_mut(&(j, i)) {
            transit.retain(|(_, keep)| *keep);
        }
    }

    /// Whether both ends of a link that works no more know it.
    pub(crate) fn is_closed(&self, a: usize, b: usize) -> bool {
        let ends = [(a, b), (b, a)];
        ends.iter().all(|end| !self.open.contains(end) && !self.due.contains_key(end))
    }

    /// Whether a node has no links, nothing that it sent or that was sent to it being under way.
    pub(crate) fn is_alone(&self, i: usize) -> bool {
        let mut ends = self.open.iter().chain(self.due.keys()).chain(self.transit.keys());
        ends.all(|&(a, b)| a != i && b != i)
    }

    /// A node that is alone begins again with what it has written down. Whoever waits there is
    /// gone, and whoever is inside is found; says whether that is so.
    pub(crate) fn restart(&mut self, i: usize, memory: &Memory) -> bool {
        self.wishes.retain(|_, (node, ..)| *node != i);
        let awake = Locks::awake(NodeId::at(i), make, Limits::default(), memory);
        self.nodes[i] = awake.expect("what was written down can be read");
        let mut here = self.inside.iter().filter(|(_, inside)| inside.node == i);
        let (node, now) = (&mut self.nodes[i], self.now);
        let are_found = here.all(|(ticket, Inside { key, resource, fence, .. })| {
            node.hold(now, *ticket, key, *resource, *fence)
        });
        self.at(i, |locks, out| locks.wake(now, std::iter::empty(), out));
        are_found
    }

    /// The ends that can be told of something.
    pub(crate) fn news(&self) -> Vec<End> {
        let up = self.due.keys().copied();
        let is_kept = |end| self.transit.get(&end).is_some_and(|t| t.iter().any(|(_, keep)| *keep));
        let down = self.open.iter().copied().filter(|&(i, j)| {
            let other_closed = !self.open.contains(&(j, i)) && !self.due.contains_key(&(j, i));
            // Where both ends are in doubt, neither takes anything in any more.
            let settled = !is_kept((i, j)) || other_closed || is_kept((j, i));
            !self.up.contains_key(&(i.min(j), i.max(j))) && settled
        });
        up.chain(down).collect()
    }

    pub(crate) fn tell(&mut self, (i, j): End) {
        let (now, peer) = (self.now, NodeId::at(j));
        if let Some(role) = self.due.remove(&(i, j)) {
            self.open.insert((i, j));
            let epoch = self.up[&(i.min(j), i.max(j))];
            let up = Up { epoch, role, memory: 100 + j as u64 };
            return self.at(i, |locks, out| {
                locks.link_up(now, peer, up, out);
                locks.open(now, peer, out);
            });
        }
        for (message, keep) in self.transit.remove(&(i, j)).unwrap_or_default() {
            if keep {
                self.returned += 1;
                self.at(i, |locks, out| locks.take_back(now, peer, &message, out));
            }
        }
        self.open.remove(&(i, j));
        self.lose_towards((i, j));
        self.at(i, |locks, out| locks.link_down(now, peer, out));
    }

    /// The links over which something can arrive, from whom to whom.
    pub(crate) fn arriving(&self) -> Vec<End> {
        let arrives = |&(i, j): &End| self.open.contains(&(j, i));
        let some = self.transit.iter().filter(|(_, transit)| !transit.is_empty());
        some.map(|(end, _)| *end).filter(arrives).collect()
    }

    pub(crate) fn deliver(&mut self, (i, j): End) {
        let transit = self.transit.get_mut(&(i, j)).expect("something is in transit");
        let (message, _) = transit.pop_front().expect("something is in transit");
        let (now, from) = (self.now, NodeId::at(i));
        self.at(j, |locks, out| locks.receive(now, from, &message, out));
    }

    /// Deliver and tell until there is nothing left to. Those inside stay.
    pub(crate) fn run(&mut self) {
        assert!(self.runs_out(10_000), "the network does not come to rest");
    }

    /// The same for so many rounds at the most. Returns whether there was nothing left to do.
    pub(crate) fn runs_out(&mut self, rounds: usize) -> bool {
        for _ in 0..rounds {
            let (news, arriving) = (self.news(), self.arriving());
            if news.is_empty() && arriving.is_empty() {
                let Some(due) = self.nodes.iter().filter_map(Locks::wake_at).min() else {
                    return true;
                };
                self.now = self.now.max(due);
            }
            self.now += 1;
            let now = self.now;
            (0..self.nodes.len()).for_each(|i| self.at(i, |locks, out| locks.tick(now, out)));
            news.into_iter().for_each(|end| self.tell(end));
            for end in arriving {
                if self.arriving().contains(&end) {
                    self.deliver(end);
                }
            }
        }
        false
    }

    /// Run, and let whoever is inside leave, until nobody is.
    pub(crate) fn run_out(&mut self) {
        self.run();
        while let Some(&ticket) = self.inside.keys().next() {
            self.release(ticket);
            self.run();
        }
    }
}
