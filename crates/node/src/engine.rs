//! A node without sockets and clock: its links and its locks, joined: [`Engine`].
//!
//! What comes in is a frame, a client's wish, or the time; what comes out is a list of [`Effect`]s.
//! The daemon runs it on real sockets; tests run many of them in one thread, on a radio that they
//! make up.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::SocketAddr;

use driftlock_core::NodeId;
use driftlock_link::{Links, SendError, To};
use driftlock_locks::{Locks, Loss, Recount, Refusal, Request, Step, Ticket, Up};
use driftlock_roster::Council;

use crate::belonging::{LOCKS, about_locks};

use crate::memory::Change;
use crate::meter::Meter;

/// What a node does to the world.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Write this down, before any of the effects that follow. If it cannot be, none of them may
    /// happen.
    Save(Box<Change>),
    /// Put a frame on the air.
    Transmit {
        /// Where to.
        to: To,
        /// The bytes.
        frame: Vec<u8>,
    },
    /// A client's request was granted.
    Granted {
        /// The request.
        ticket: Ticket,
        /// The fence.
        fence: u64,
    },
    /// A client's request was not granted and never will be.
    Refused(Ticket, Refusal),
    /// The work under this grant has to stop.
    Lost(Ticket, Loss),
    /// A step was taken, where steps are written down.
    Step(Box<Step>),
    /// Another node with this node's id is heard.
    Conflict(NodeId, SocketAddr),
    /// Tokens that were lost with nodes that were struck off are made anew.
    Recounted(Recount),
    /// The network has struck off this node. What it has is void; once nobody is inside here, it
    /// can begin anew.
    Struck,
}

/// A token that was on its way to a node that has lost its memory: nobody knows what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The node.
    pub peer: NodeId,
    /// The name of the lock.
    pub lock: String,
}

/// The links and the locks of one node.
pub struct Engine {
    /// The links.
    pub links: Links,
    /// The locks.
    pub locks: Locks,
    /// Who belongs to the network.
    pub council: Council,
    /// What is counted.
    pub meter: Meter,
    /// Tokens whose fate cannot be known.
    pub missing: Vec<Missing>,
    /// Neighbors of another network with the same name.
    pub foreign: BTreeSet<NodeId>,
    /// Links that are up, to whomever.
    pub(crate) up: BTreeMap<NodeId, Up>,
    /// Until when links that were broken to be made anew have time for that.
    pub(crate) renewing: BTreeMap<NodeId, u64>,
    /// Whether what has changed is to be written down.
    remembers: bool,
    pub(crate) from_links: Vec<driftlock_link::Output>,
    pub(crate) from_locks: Vec<driftlock_locks::Output>,
    pub(crate) from_council: Vec<driftlock_roster::Output>,
    pub(crate) upward: VecDeque<driftlock_link::Output>,
}

impl Engine {
    /// A node that has no links yet.
    pub fn new(links: Links, mut locks: Locks, council: Council) -> Engine {
        // Until the council says otherwise. Nobody is there to be told.
        locks.be_sure(0, false, &mut Vec::new());
        Engine {
            links,
            locks,
            council,
            meter: Meter::default(),
            missing: Vec::new(),
            foreign: BTreeSet::new(),
            up: BTreeMap::new(),
            renewing: BTreeMap::new(),
            remembers: false,
            from_links: Vec::new(),
            from_locks: Vec::new(),
            from_council: Vec::new(),
            upward: VecDeque::new(),
        }
    }

    /// Say what has changed from now on ([`Effect::Save`]).
    pub fn remember(&mut self) {
        self.remembers = true;
    }

    /// Go on after a restart, with links and locks that were remembered.
    pub fn wake(&mut self, now: u64, effects: &mut Vec<Effect>) {
        let in_doubt: Vec<_> = self.links.in_doubt().collect();
        let in_doubt = in_doubt.into_iter().map(|(peer, epoch, role)| {
            let memory = self.links.memory_of(peer).unwrap_or_default();
            (peer, Up { epoch, role, memory })
        });
        self.locks.wake(now, in_doubt, &mut self.from_locks);
        self.council.wake(now, &mut self.from_council);
        self.settle(now, effects);
    }

    /// A frame came in.
    pub fn frame(&mut self, now: u64, from: SocketAddr, bytes: &[u8], effects: &mut Vec<Effect>) {
        self.keep_time(now, effects);
        self.links.rx(now, from, bytes, &mut self.from_links);
        self.settle(now, effects);
    }

    /// Time has passed.
    pub fn tick(&mut self, now: u64, effects: &mut Vec<Effect>) {
        if self.links.wake_at() <= now {
            self.links.tick(now, &mut self.from_links);
        }
        self.locks.tick(now, &mut self.from_locks);
        self.council.tick(now, &mut self.from_council);
        self.tick_renewing(now);
        self.settle(now, effects);
    }

    /// When [`Engine::tick`] has something to do next.
    pub fn wake_at(&self) -> u64 {
        let others = self.locks.wake_at().into_iter().chain(self.council.wake_at());
        let others = others.chain(self.renewing.values().copied().min());
        others.fold(self.links.wake_at(), u64::min)
    }

    /// A client asks for a lock.
    pub fn acquire(&mut self, now: u64, request: Request, effects: &mut Vec<Effect>) {
        self.keep_time(now, effects);
        self.locks.acquire(now, request, &mut self.from_locks);
        self.settle(now, effects);
    }

    /// A client has left the critical section. Says whether it was inside.
    pub fn release(&mut self, now: u64, ticket: Ticket, effects: &mut Vec<Effect>) -> bool {
        self.keep_time(now, effects);
        let released = self.locks.release(now, ticket, &mut self.from_locks);
        if released {
            self.meter.released(now, ticket);
        }
        self.settle(now, effects);
        released
    }

    /// Whoever was called too late uses no token before it has heard that.
    fn keep_time(&mut self, now: u64, effects: &mut Vec<Effect>) {
        if self.council.is_overdue(now) {
            self.council.tick(now, &mut self.from_council);
            self.settle(now, effects);
        }
    }

    /// A client does not wait any more. Says whether it did.
    pub fn withdraw(&mut self, ticket: Ticket) -> bool {
        self.locks.withdraw(ticket)
    }

    /// Leave the network; those inside may finish, or have to stop now.
    pub fn leave(&mut self, now: u64, dismiss: bool, effects: &mut Vec<Effect>) {
        self.locks.leave(now, dismiss, &mut self.from_locks);
        self.settle(now, effects);
    }

    /// Say goodbye to all neighbors, once everything is handed on.
    pub fn close(&mut self, now: u64, effects: &mut Vec<Effect>) {
        self.links.close(now, &mut self.from_links);
        self.settle(now, effects);
    }

    /// Whether everything that this node had has arrived elsewhere.
    pub fn is_clear(&self) -> bool {
        let arrived = |peer: driftlock_link::PeerView| peer.unacknowledged + peer.queued == 0;
        self.locks.is_clear() && self.links.peers().all(arrived)
    }

    /// The names of the locks of which a token is in doubt.
    pub fn in_doubt(&self) -> BTreeSet<String> {
        let doubts = self.links.doubts().filter_map(|(_, packet)| about_locks(packet));
        doubts.filter_map(Locks::name_in).collect()
    }

    /// Let links and locks talk until nothing is left, and then see to what has to be written down
    /// first.
    pub(crate) fn settle(&mut self, now: u64, effects: &mut Vec<Effect>) {
        let before = effects.len();
        self.pass_on(now, effects);
        if self.remembers
            && let Some(change) = self.take_change()
        {
            effects.insert(before, Effect::Save(Box::new(change)));
        }
    }

    fn take_change(&mut self) -> Option<Change> {
        let mut links = self.links.take_changed();
        let changed = self.locks.take_change();
        let (locks, heard) = changed.map_or((None, BTreeSet::new()), |(c, heard)| (Some(c), heard));
        for peer in heard {
            if links.iter().all(|(other, _)| *other != peer) {
                links.push((peer, self.links.to_remember(peer)));
            }
        }
        let forgotten = self.links.forgotten();
        let roster = self.council.take_changed();
        let is_change = !links.is_empty() || locks.is_some() || roster.is_some();
        is_change.then_some(Change { links, forgotten, locks, roster })
    }

    /// Pass on what links say to locks and the other way round.
    fn pass_on(&mut self, now: u64, effects: &mut Vec<Effect>) {
        loop {
            self.upward.extend(self.from_links.drain(..));
            self.carry_out(now, effects);
            self.heed_council(now, effects);
            let Some(event) = self.upward.pop_front() else {
                let is_quiet = self.from_links.is_empty() && self.from_locks.is_empty();
                if is_quiet && self.from_council.is_empty() {
                    return;
                }
                continue;
            };
            self.tell_locks(now, event, effects);
        }
    }

    /// What the links say.
    fn tell_locks(&mut self, now: u64, event: driftlock_link::Output, effects: &mut Vec<Effect>) {
        use driftlock_link::Output;
        let (locks, out) = (&mut self.locks, &mut self.from_locks);
        match event {
            Output::Transmit { to, frame } => effects.push(Effect::Transmit { to, frame }),
            Output::LinkUp { peer, epoch, role } => self.on_link_up(now, peer, epoch, role),
            Output::LinkDown { peer, .. } => self.on_link_down(now, peer),
            Output::Deliver { peer, message } => match about_locks(&message) {
                Some(message) => locks.receive(now, peer, message, out),
                None => self.tell_council(now, peer, &message),
            },
            Output::Returned { peer, message } => {
                if let Some(message) = about_locks(&message) {
                    locks.take_back(now, peer, message, out);
                }
            }
            Output::Lost { peer, message } => {
                let lock = about_locks(&message).and_then(Locks::name_in).unwrap_or_default();
                self.missing.push(Missing { peer, lock });
            }
            Output::Conflict { id, address } => effects.push(Effect::Conflict(id, address)),
        }
    }

    /// What the locks want.
    fn carry_out(&mut self, now: u64, effects: &mut Vec<Effect>) {
        use driftlock_locks::Output;
        let mut wishes = core::mem::take(&mut self.from_locks);
        for wish in wishes.drain(..) {
            match wish {
                Output::Send { peer, message, keep } => {
                    self.meter.messages += 1;
                    self.meter.hops += u64::from(keep);
                    self.send(now, peer, &[&[LOCKS], &message[..]].concat(), keep);
                }
                Output::Granted { ticket, fence, waited } => {
                    self.meter.granted(now, ticket, waited);
                    effects.push(Effect::Granted { ticket, fence });
                }
                Output::Refused(ticket, refusal) => {
                    self.meter.refused += 1;
                    effects.push(Effect::Refused(ticket, refusal));
                }
                Output::Lost(ticket, loss) => {
                    self.meter.demoted += 1;
                    effects.push(Effect::Lost(ticket, loss));
                }
                Output::Garbled => self.meter.garbled += 1,
                Output::Step(step) => effects.push(Effect::Step(step)),
            }
        }
        // Keep the larger of the two, for its memory.
        if self.from_locks.is_empty() {
            self.from_locks = wishes;
        }
    }

    pub(crate) fn send(&mut self, now: u64, peer: NodeId, packet: &[u8], keep: bool) {
        match self.links.send(now, peer, packet, keep, &mut self.from_links) {
            Ok(()) => {}
            // The link has gone down, and the locks are about to hear of it.
            Err(SendError::NotUp(_)) => {
                if let Some(message) = about_locks(packet).filter(|_| keep) {
                    self.locks.take_back(now, peer, message, &mut self.from_locks);
                }
            }
            Err(SendError::TooLong { length }) => {
                panic!("messages about locks are short, this one has {length} bytes")
            }
            // What is kept is never refused, and what is not is lost with the link.
            Err(SendError::Full(..)) => {
                self.meter.overflows += 1;
                self.links.give_up(now, peer, &mut self.from_links);
            }
        }
    }
}
