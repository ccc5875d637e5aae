//! LME-2, local mutual exclusion with the best failure locality there can be: no two neighbors at
//! once, and a node that stops holds up nobody who is more than two links away.
//!
//! H. Attiya, A. Kogan, J. L. Welch: *Efficient and Robust Local Mutual Exclusion in Mobile Ad Hoc
//! Networks*. ICDCS 2008, section 5. The paper describes this algorithm in two paragraphs; its
//! pseudocode was not published there, so there are no line numbers.
//!
//! # Idea
//!
//! There is a fork for each link, and who has all its forks eats. Neighbors have priorities over
//! each other. A hungry node first asks the neighbors with higher priority, and gives away any
//! fork it is asked for; once it has all forks from above, it asks for the rest, and keeps what it
//! has from those below. A fork that is given to a node above is wanted back, which the message
//! says. Who has eaten lowers its priority below all its neighbors; so does a thinking node that
//! hears that a node below it has become hungry, lest it becomes hungry too and goes first.
//!
//! # Model
//!
//! Links are bidirectional and FIFO. Both ends learn at the same time that a link comes up or goes
//! down, one of them as the end that stood still, and what is in transit on a link that goes down
//! is lost with its fork. The network may fall apart. Nodes may stop for good, and nobody is told.
//!
//! # Names
//!
//! | paper | here |
//! |---|---|
//! | thinking, hungry, eating | `Remainder`, `Waiting`, `Critical` |
//! | `N` | the peers of `link` |
//! | `higher[j]` | `link[j].is_higher(..)` |
//! | `at[j]`, `j ∈ S` (of Algorithm 1) | `link[j].at`, `link[j].suspended` |
//! | notification | `Msg::Notify` |
//!
//! # Reading of the published text
//!
//! The fork collection is that of Algorithm 1 (section 4.1) with `higher` in the place of colors,
//! without doorways. As there, a new link's fork is with the end that stood still, which has
//! priority; the end that moved stops eating, and lowers its priority below all its neighbors.
//! Initially forks and priorities are with the end that has the smaller identifier.
//!
//! Flags have two ends. In [`Variant::Published`], who lowers its priority says so, by
//! [`Msg::Switch`], to those that it had priority over, and these drop their flags on receipt.
//!
//! # Where this departs from the paper
//!
//! * **D1.** Priorities are numbers, the smaller going first, and equal ones are told apart by
//!   their identifiers. Who lowers its priority takes a number above all that it knows of, and
//!   tells all neighbors; nobody's number ever decreases, so there is one order of all nodes, and
//!   what is not known yet errs towards giving way. In the paper there is a flag for each link,
//!   and the end that lowers itself while it thinks need not have the fork: it can do so while the
//!   other end's notice is still in transit, and a triangle has three nodes with priority over
//!   each other in a circle.

mod cold;
mod initial;
mod outside;

use driftlock_core::{Input, LinkRole, NoTimer, NodeId, Out, PeerMap, Protocol, Status};

pub use self::initial::Config;
use crate::Variant;

/// The messages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Msg {
    /// The sender has become hungry.
    Notify,
    /// The sender's priority is this now (D1).
    Prio(i64),
    /// The same, as the first message from the end of a new link that stood still (D1).
    Info(i64),
    /// The sender wants the fork.
    Req,
    /// The fork; and whether the sender wants it back.
    Fork(bool),
    /// The sender's priority is lower than the receiver's now (published only).
    Switch,
}

/// What is known of a neighbor's priority.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Rank {
    /// Its number.
    Known,
    /// It goes first. Repaired, that is so until its number is known.
    Higher,
    /// It does not go first. Repaired, that is so until its number is known.
    Lower,
}

/// What a node keeps of the link to a neighbor `j`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Link {
    /// The number of `j` as far as known; 0 if it is not.
    c: i64,
    rank: Rank,
    /// Whether the fork is here.
    at: bool,
    /// Whether the fork is here and `j` wants it.
    suspended: bool,
    /// Whether the fork is not here and `j` knows that it is wanted, or will know.
    asked: bool,
}

impl Link {
    /// A link of which no number is known, and nothing was asked.
    fn new(rank: Rank, at: bool) -> Self {
        Link { c: 0, rank, at, suspended: false, asked: false }
    }

    /// `higher[j]`, where `j` is the neighbor this is the link to.
    #[inline]
    fn is_higher(&self, j: NodeId, mine: (i64, NodeId)) -> bool {
        match self.rank {
            Rank::Known => (self.c, j) < mine,
            Rank::Higher => true,
            Rank::Lower => false,
        }
    }
}

/// The process of one node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Lme2 {
    i: NodeId,
    variant: Variant,
    notifies: bool,
    status: Status,
    /// The number that is the priority of this node (D1).
    c: i64,
    link: PeerMap<Link>,
}

impl Protocol for Lme2 {
    type Msg = Msg;
    type Timer = NoTimer;

    fn step(&mut self, input: Input<Msg>, out: &mut Out<Msg>) {
        match input {
            Input::RequestCs(_) => self.on_request_cs(out),
            Input::ReleaseCs => self.on_release_cs(out),
            Input::Recv { from: j, msg: Msg::Notify } => self.on_notify(j, out),
            Input::Recv { from: j, msg: Msg::Prio(c) } => self.on_prio(j, c),
            Input::Recv { from: j, msg: Msg::Info(c) } => self.on_info(j, c, out),
            Input::Recv { from: j, msg: Msg::Switch } => self.link[j].rank = Rank::Lower,
            Input::Recv { from: j, msg: Msg::Req } => self.on_req(j),
            Input::Recv { from: j, msg: Msg::Fork(flag) } => self.on_fork(j, flag),
            Input::LinkUp { peer: j, role: LinkRole::Static } => self.on_link_up_static(j, out),
            Input::LinkUp { peer: j, role: LinkRole::Moving } => self.on_link_up_moving(j, out),
            Input::LinkDown { peer: j } => drop(self.link.remove(j)),
            Input::Timer(never) => match never {},
            Input::Returned { .. } => panic!("nothing here carries a token or weight"),
        }
        self.proceed(out);
    }

    fn status(&self) -> Status {
        self.status
    }
}

/// The events; `proceed` follows each of them.
impl Lme2 {
    fn on_request_cs(&mut self, out: &mut Out<Msg>) {
        assert_eq!(self.status, Status::Remainder, "RequestCs only in the remainder section");
        self.status = Status::Waiting;
        if self.notifies {
            self.link.keys().for_each(|j| out.send(j, Msg::Notify));
        }
    }

    fn on_release_cs(&mut self, out: &mut Out<Msg>) {
        assert_eq!(self.status, Status::Critical, "ReleaseCs only in the critical section");
        self.status = Status::Remainder;
        self.lower(out);
    }

    /// `j` is hungry: a thinking node gives up its priority, lest it comes in the way later.
    fn on_notify(&mut self, j: NodeId, out: &mut Out<Msg>) {
        if self.status == Status::Remainder && !self.link[j].is_higher(j, self.mine()) {
            self.lower(out);
        }
    }

    fn on_prio(&mut self, j: NodeId, c: i64) {
        let link = &mut self.link[j];
        (link.c, link.rank) = (c, Rank::Known);
    }

    /// The end that stood still has said what its priority is: it goes first, and is told so.
    fn on_info(&mut self, j: NodeId, c: i64, out: &mut Out<Msg>) {
        self.on_prio(j, c);
        if !self.lower(out) {
            out.send(j, Msg::Prio(self.c));
        }
    }

    /// A request that has crossed with the fork is void.
    fn on_req(&mut self, j: NodeId) {
        let link = &mut self.link[j];
        link.suspended = link.at;
    }

    fn on_fork(&mut self, j: NodeId, flag: bool) {
        let link = &mut self.link[j];
        (link.at, link.asked, link.suspended) = (true, false, flag);
    }

    fn on_link_up_static(&mut self, j: NodeId, out: &mut Out<Msg>) {
        self.link.insert(j, Link::new(Rank::Lower, true));
        if self.variant == Variant::Repaired {
            out.send(j, Msg::Info(self.c)); // D1
        }
    }

    fn on_link_up_moving(&mut self, j: NodeId, out: &mut Out<Msg>) {
        if self.variant == Variant::Published {
            self.lower(out);
        }
        self.link.insert(j, Link::new(Rank::Higher, false));
        if self.status == Status::Critical {
            self.status = Status::Waiting;
            out.demote();
        }
        if self.status == Status::Waiting && self.notifies {
            out.send(j, Msg::Notify);
        }
    }
}

/// The procedures.
impl Lme2 {
    /// What follows from the state of this node: a thinking node gives away what it is asked for,
    /// an eating node nothing, and a hungry node eats, or gives way and asks.
    fn proceed(&mut self, out: &mut Out<Msg>) {
        match self.status {
            Status::Remainder => self.send_forks(|_| true, out),
            Status::Critical => {}
            Status::Waiting if self.has_all_forks() => {
                self.status = Status::Critical;
                out.enter_cs();
            }
            Status::Waiting => {
                self.send_forks(|is_higher| is_higher, out);
                if !self.has_higher_forks() {
                    self.send_forks(|_| true, out);
                }
                self.ask(out);
            }
        }
    }

    /// Send those forks that are wanted by neighbors that `may` have them. What a hungry node sends
    /// to a neighbor with higher priority it wants back.
    fn send_forks(&mut self, may: impl Fn(bool) -> bool, out: &mut Out<Msg>) {
        let (mine, is_hungry) = (self.mine(), self.status == Status::Waiting);
        for (j, link) in self.link.iter_mut().filter(|(_, link)| link.suspended) {
            let is_higher = link.is_higher(j, mine);
            if may(is_higher) {
                let flag = is_hungry && is_higher;
                (link.at, link.suspended, link.asked) = (false, false, flag);
                out.send(j, Msg::Fork(flag));
            }
        }
    }

    /// Ask for the forks from above; if these are all here, for the others.
    fn ask(&mut self, out: &mut Out<Msg>) {
        let (mine, all) = (self.mine(), self.has_higher_forks());
        for (j, link) in self.link.iter_mut().filter(|(_, link)| !link.at && !link.asked) {
            if all || link.is_higher(j, mine) {
                link.asked = true;
                out.send(j, Msg::Req);
            }
        }
    }

    /// Lower the priority of this node below that of all its neighbors, and say so. Returns false
    /// if there is nothing to do.
    fn lower(&mut self, out: &mut Out<Msg>) -> bool {
        match self.variant {
            Variant::Published => self.raise_flags(out),
            Variant::Repaired => self.raise_number(out), // D1
        }
    }

    /// `higher[j] := true` for all `j`.
    fn raise_flags(&mut self, out: &mut Out<Msg>) -> bool {
        let mut lowered = false;
        for (j, link) in self.link.iter_mut().filter(|(_, link)| link.rank == Rank::Lower) {
            link.rank = Rank::Higher;
            out.send(j, Msg::Switch);
            lowered = true;
        }
        lowered
    }

    /// Take a number above all that are known, unless these go first anyway. Everyone is told: who
    /// goes by an old number later would put itself in the wrong place.
    fn raise_number(&mut self, out: &mut Out<Msg>) -> bool {
        let known = self.link.iter().filter(|(_, link)| link.rank == Rank::Known);
        let Some(last) = known.map(|(j, link)| (link.c, j)).max() else { return false };
        if last < self.mine() {
            return false;
        }
        self.c = last.0 + 1;
        self.link.keys().for_each(|j| out.send(j, Msg::Prio(self.c)));
        true
    }
}

/// The expressions.
impl Lme2 {
    /// The place of this node in the order of all nodes.
    #[inline]
    fn mine(&self) -> (i64, NodeId) {
        (self.c, self.i)
    }

    #[inline]
    fn has_all_forks(&self) -> bool {
        self.link.iter().all(|(_, link)| link.at)
    }

    /// Whether all forks are here that are shared with neighbors with higher priority.
    #[inline]
    fn has_higher_forks(&self) -> bool {
        let mine = self.mine();
        self.link.iter().all(|(j, link)| link.at || !link.is_higher(j, mine))
    }
}
