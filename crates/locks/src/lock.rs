//! One lock at one node: [`Lock`]. Its process, who waits for it here, and who has it.
//!
//! **News of links can wait.** A process for which nobody waits is told of link changes only before
//! its next input, so that thousands of idle locks cost nothing when a link comes or goes. To the
//! other processes it is one that is slow to hear of its links, which the contract of links allows.
//! Whoever tells its process of a new link says so to the other end ([`Message::Open`]), where the
//! process is told as well; so a new link is never known at one end only for long.
//!
//! **Fences are a logical clock** (Lamport). It is in every message and grows with every entry.
//! Two entries that exclude each other are connected by messages, so the later one has the greater
//! number, whatever the protocol.
//!
//! **A local lock is first told at the end that moved.** Whoever is inside there has to leave, and
//! the process is told of the link once that has happened; only then does the process at the end
//! that stood still hear of it. Until then nobody is let in at either end: if the process would, it
//! gives up its turn and asks again. So the process itself never has to interrupt anybody, and
//! there are never two neighbors inside who know of each other.

use std::collections::{BTreeMap, VecDeque};

use driftlock_core::{LinkRole, NodeId, ResourceId, Status};

use crate::ceilings::Ceilings;
use crate::key::{Key, Kind};
use crate::ledger::{Amount, Ledger};
use crate::pace::{Late, Pace};
use crate::process::{Answer, Event, Process};
use crate::record::Step;
use crate::wire::Message;
use crate::{Loss, Output, Ticket};

/// A link that is up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Up {
    /// Its incarnation.
    pub epoch: u64,
    /// Which end this is.
    pub role: LinkRole,
    /// The name of the other end's memory.
    pub memory: u64,
}

/// Somebody at this node who waits or is inside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Client {
    /// The number of the request, and of the grant.
    pub ticket: Ticket,
    /// What it asks for: the group, where there are groups.
    pub resource: ResourceId,
    /// Since when it waits or is inside.
    pub since: u64,
    /// The fence of its grant.
    pub fence: u64,
    /// Whether it came later than those with whom it is inside.
    pub(crate) joined: bool,
    /// Whether it was told that it has to leave.
    pub(crate) told: bool,
}

/// One lock at one node.
pub(crate) struct Lock {
    pub(crate) key: Key,
    pub(crate) process: Box<dyn Process>,
    pub(crate) clock: u64,
    pub(crate) ledger: Ledger,
    pub(crate) waiters: VecDeque<Client>,
    pub(crate) holders: Vec<Client>,
    /// The links that the process was told of, with their epochs.
    pub(crate) known: BTreeMap<NodeId, u64>,
    /// Links on which this end, which stood still, has asked the other for its word.
    woken: BTreeMap<NodeId, u64>,
    /// Links on which the other end's word came.
    opened: BTreeMap<NodeId, u64>,
    /// From where something came back, on a link whose end the process is told of next.
    returning: Option<NodeId>,
    /// What the process was asked for last.
    pub(crate) wanted: ResourceId,
    /// The same, as it was written down.
    pub(crate) remembered: (ResourceId, Status),
    /// Whether there is something to write down, and what was received with it.
    pub(crate) changed: bool,
    pub(crate) heard: Vec<NodeId>,
    /// Whether those inside were told to leave.
    dismissed: bool,
    pub(crate) pace: Pace,
    pub(crate) ceilings: Ceilings,
}

/// What a step of a lock needs of its surroundings.
pub(crate) struct Around<'a> {
    pub(crate) now: u64,
    /// Whether this node may use tokens.
    pub(crate) sure: bool,
    pub(crate) links: &'a BTreeMap<NodeId, Up>,
    pub(crate) out: &'a mut Vec<Output>,
}

impl Lock {
    pub(crate) fn new(key: Key, process: Box<dyn Process>) -> Lock {
        Lock {
            key,
            process,
            clock: 0,
            ledger: Ledger::default(),
            waiters: VecDeque::new(),
            holders: Vec::new(),
            known: BTreeMap::new(),
            woken: BTreeMap::new(),
            opened: BTreeMap::new(),
            returning: None,
            wanted: ResourceId(0),
            remembered: (ResourceId(0), Status::Remainder),
            changed: false,
            heard: Vec::new(),
            dismissed: false,
            pace: Pace::default(),
            ceilings: Ceilings::default(),
        }
    }

    /// Whether news of links can wait.
    pub(crate) fn is_idle(&self) -> bool {
        self.waiters.is_empty()
            && self.holders.is_empty()
            && self.returning.is_none()
            && self.process.is_idle()
    }

    /// Whether everything that this lock has here could go elsewhere.
    pub(crate) fn is_free(&self) -> bool {
        self.holders.is_empty() && self.process.is_idle()
    }

    /// Nobody is here for now. Most locks of a node are idle, and take no memory for clients.
    pub(crate) fn rest(&mut self) {
        self.waiters.shrink_to_fit();
        self.holders.shrink_to_fit();
    }

    /// Somebody asks. It is granted or waits; the caller sees to the time.
    pub(crate) fn acquire(&mut self, client: Client, around: &mut Around<'_>) {
        self.waiters.push_back(client);
        self.update(around);
        self.join(around);
    }

    /// Whoever wants the same group as those inside joins them, if nobody else here is before it.
    /// Only as long as one of those is inside whom the process let in: others wait elsewhere.
    fn join(&mut self, around: &mut Around<'_>) {
        if !self.is_open() || !around.sure {
            return;
        }
        while let Some(mut client) = self.waiters.pop_front_if(|c| c.resource == self.wanted) {
            client.joined = true;
            self.let_in(client, self.clock, around);
        }
    }

    /// Whether a group is inside that can be joined.
    fn is_open(&self) -> bool {
        let open = self.key.kind == Kind::Group && !self.dismissed;
        open && self.holders.iter().any(|holder| !holder.joined)
    }

    /// Whether a request would be granted at once.
    pub(crate) fn would_enter(&mut self, resource: ResourceId, around: &mut Around<'_>) -> bool {
        self.update(around);
        self.have_noted(around);
        let joins = self.is_open() && around.sure && resource == self.wanted;
        let enters = self.may_let_in(around) && self.process.would_enter(resource);
        self.waiters.is_empty() && (joins || enters)
    }

    /// Whoever waits with this ticket does not any more. The process may have asked on its behalf;
    /// what comes of it is for the next one, or given back.
    pub(crate) fn withdraw(&mut self, ticket: Ticket) -> bool {
        let before = self.waiters.len();
        self.waiters.retain(|waiter| waiter.ticket != ticket);
        self.waiters.len() < before
    }

    /// Whoever is inside with this ticket has left.
    pub(crate) fn release(&mut self, ticket: Ticket, around: &mut Around<'_>) -> bool {
        let before = self.holders.len();
        self.holders.retain(|holder| holder.ticket != ticket);
        let released = self.holders.len() < before;
        if released {
            self.update(around);
        }
        released
    }

    /// A protocol's message from a neighbor.
    pub(crate) fn receive(
        &mut self,
        from: NodeId,
        clock: u64,
        body: Vec<u8>,
        around: &mut Around<'_>,
    ) {
        self.clock = self.clock.max(clock);
        self.update(around);
        let late = Late { from, epoch: around.links[&from].epoch, body };
        if self.key.kind != Kind::Group {
            // Only groups talk in vain. Who waits for a dead neighbor hears much from others.
            self.take_in(&late, around);
        } else if self.pace.is_slow() && self.process.would_be_missed(&late.body) {
            // Its sender is told that it has arrived. If it waited, it would be lost with its link.
            for before in self.pace.all_from(from) {
                self.take_in(&before, around);
            }
            self.take_in(&late, around);
        } else if let Some(late) = self.pace.admit(around.now, late) {
            self.take_in(&late, around);
        }
        self.go_on(around);
    }

    /// Take in the messages whose turn it is.
    pub(crate) fn go_on(&mut self, around: &mut Around<'_>) {
        while let Some(late) = self.pace.next(around.now) {
            self.update(around);
            self.take_in(&late, around);
        }
    }

    fn take_in(&mut self, late: &Late, around: &mut Around<'_>) {
        if self.known.get(&late.from) == Some(&late.epoch) {
            // What is no message of this protocol changes nothing.
            self.step_on(Event::Recv(late.from, &late.body), late.epoch, around);
            self.update(around);
        }
    }

    /// What this lock sent to a neighbor did not arrive.
    pub(crate) fn take_back(&mut self, to: NodeId, body: &[u8], around: &mut Around<'_>) {
        self.update(around);
        let epoch = self.known.get(&to).copied().unwrap_or(0);
        if let Some(up) = around.links.get(&to) {
            self.ledger.get(up.memory, self.process.amount(body));
        }
        self.returning = Some(to);
        self.step_on(Event::Returned(to, body), epoch, around);
    }

    /// Make anew what was lost with nodes that are gone for good.
    pub(crate) fn regenerate(&mut self, tokens: u32, weight: i64, around: &mut Around<'_>) {
        self.update(around);
        self.ledger.make(Amount { tokens: i64::from(tokens), weight });
        let mut answers = Vec::new();
        self.process.regenerate(tokens, weight, &mut answers);
        self.changed = true;
        self.pace.progress();
        self.carry_out(answers, around);
        self.update(around);
    }

    /// The other end's word about a link.
    pub(crate) fn open(&mut self, peer: NodeId, around: &mut Around<'_>) {
        self.opened.insert(peer, around.links[&peer].epoch);
        self.update(around);
    }

    /// Give all tokens to a neighbor.
    pub(crate) fn hand_on(&mut self, to: NodeId, around: &mut Around<'_>) {
        self.update(around);
        let mut answers = Vec::new();
        self.process.hand_on(to, &mut answers);
        self.changed = true;
        self.carry_out(answers, around);
    }

    /// Bring the process up to date with the links, and go on with what waited for that.
    pub(crate) fn update(&mut self, around: &mut Around<'_>) {
        self.forget_broken(around);
        self.leave_empty(around);
        self.meet(around);
        self.ask(around);
        self.leave_empty(around);
    }

    /// The process is inside, and nobody here is.
    fn leave_empty(&mut self, around: &mut Around<'_>) {
        let inside = self.process.status() == Status::Critical && self.returning.is_none();
        if inside && self.holders.is_empty() {
            self.dismissed = false;
            self.step(Event::Release, around);
        }
    }

    /// The links that are not up any more.
    fn forget_broken(&mut self, around: &mut Around<'_>) {
        let links = around.links;
        let is_up =
            |peer: &NodeId, epoch: &u64| links.get(peer).is_some_and(|up| up.epoch == *epoch);
        self.woken.retain(|peer, epoch| is_up(peer, epoch));
        self.opened.retain(|peer, epoch| is_up(peer, epoch));
        // Whoever comes after somebody who may be dead has a greater fence.
        self.clock = self.clock.max(self.ceilings.part(is_up));
        let known = self.known.iter().map(|(&peer, &epoch)| (peer, epoch));
        let broken: Vec<NodeId> =
            known.filter(|(j, epoch)| !is_up(j, epoch)).map(|(j, _)| j).collect();
        let returning = self.returning.take_if(|peer| broken.contains(peer));
        for peer in returning.into_iter().chain(broken) {
            // A step before may have been told already.
            if let Some(epoch) = self.known.remove(&peer) {
                // What waits is lost, as if it were in transit.
                self.pace.all_from(peer);
                self.step_on(Event::LinkDown(peer), epoch, around);
            }
        }
    }

    /// The links that are new.
    fn meet(&mut self, around: &mut Around<'_>) {
        for (&peer, &up) in around.links {
            if self.known.contains_key(&peer) || !self.may_meet(peer, up, around.out) {
                continue;
            }
            self.woken.remove(&peer);
            self.known.insert(peer, up.epoch);
            if self.opened.get(&peer) != Some(&up.epoch) {
                send(peer, &Message::Open(self.key.clone()), false, around.out);
            }
            self.step_on(Event::LinkUp(peer, up.role), up.epoch, around);
        }
    }

    /// Whether the process can be told of the link; if not, something is done about it.
    fn may_meet(&mut self, peer: NodeId, up: Up, out: &mut Vec<Output>) -> bool {
        if self.key.kind != Kind::Local {
            return true;
        }
        match up.role {
            LinkRole::Moving => {
                if !self.holders.is_empty() && !self.dismissed {
                    self.dismissed = true;
                    self.tell(|_| true, Loss::Demoted, out);
                }
                self.holders.is_empty()
            }
            LinkRole::Static => {
                let opened = self.opened.contains_key(&peer);
                if !opened && self.woken.insert(peer, up.epoch).is_none() {
                    send(peer, &Message::Wake(self.key.clone()), false, out);
                }
                opened
            }
        }
    }

    /// Tell those inside who are meant that they have to leave, unless they know.
    pub(crate) fn tell(
        &mut self,
        is_meant: impl Fn(&Client) -> bool,
        loss: Loss,
        out: &mut Vec<Output>,
    ) {
        for holder in self.holders.iter_mut().filter(|holder| !holder.told && is_meant(holder)) {
            holder.told = true;
            out.push(Output::Lost(holder.ticket, loss));
        }
    }

    /// Ask the process for whoever is first, if it can be asked.
    fn ask(&mut self, around: &mut Around<'_>) {
        if !self.waiters.is_empty() {
            self.have_noted(around);
        }
        while self.may_let_in(around) && self.process.status() == Status::Remainder {
            let Some(first) = self.waiters.front() else { return };
            let resource = first.resource;
            self.wanted = resource;
            self.step(Event::Request(resource), around);
        }
    }

    /// One step of the process that has nothing to do with a link.
    pub(crate) fn step(&mut self, event: Event<'_>, around: &mut Around<'_>) {
        self.step_on(event, 0, around);
    }

    /// One step of the process, and all that follows from it at this node; `epoch` is that of the
    /// link that it happened on.
    fn step_on(&mut self, event: Event<'_>, epoch: u64, around: &mut Around<'_>) {
        let mut answers = Vec::new();
        if let Ok(matters) = self.process.step(event, &mut answers) {
            self.changed |= matters;
            if let (Event::Recv(from, body), true) = (event, matters) {
                self.ledger.get(around.links[&from].memory, self.process.amount(body));
                self.heard.push(from);
            }
            if let Some((event, check)) = self.process.record() {
                let step = Step { key: self.key.clone(), event, epoch, check };
                around.out.push(Output::Step(Box::new(step)));
            }
            self.carry_out(answers, around);
        } else {
            around.out.push(Output::Garbled);
        }
    }

    fn carry_out(&mut self, answers: Vec<Answer>, around: &mut Around<'_>) {
        let mut nobody = false;
        let mut bounced = Vec::new();
        for answer in answers {
            match answer {
                Answer::Send { to, body, keep } => {
                    if keep {
                        self.pace.progress();
                    }
                    if let Some(up) = self.up(to, around) {
                        if keep {
                            self.ledger.give(up.memory, self.process.amount(&body));
                        }
                        let step = Message::Step { key: self.key.clone(), clock: self.clock, body };
                        send(to, &step, keep, around.out);
                    } else if keep {
                        bounced.push((to, body));
                    }
                }
                Answer::Enter => nobody = !(self.may_let_in(around) && self.enter(around)),
            }
        }
        if nobody && self.returning.is_none() {
            self.step(Event::Release, around);
        }
        for (to, body) in bounced {
            self.bounce(to, &body, around);
        }
    }

    /// The link to `peer` that the process knows, if it is still up.
    fn up(&self, peer: NodeId, around: &Around<'_>) -> Option<Up> {
        let known = self.known.get(&peer);
        around.links.get(&peer).copied().filter(|up| Some(&up.epoch) == known)
    }

    /// The process has sent what must not get lost over a link that is down, which it was about to
    /// be told.
    fn bounce(&mut self, to: NodeId, body: &[u8], around: &mut Around<'_>) {
        let epoch = self.known.get(&to).copied().unwrap_or(0);
        self.returning = Some(to);
        self.step_on(Event::Returned(to, body), epoch, around);
        self.returning = None;
        if self.known.remove(&to).is_some() {
            self.step_on(Event::LinkDown(to), epoch, around);
        }
    }

    /// Let in whoever waits for what was asked for. There may be nobody left.
    fn enter(&mut self, around: &mut Around<'_>) -> bool {
        let wanted = self.wanted;
        let mut inside = Vec::new();
        let first_only = self.key.kind != Kind::Group;
        self.waiters.retain(|waiter| {
            let turn = inside.is_empty() || !first_only;
            let enters = turn && waiter.resource == wanted;
            if enters {
                inside.push(*waiter);
            }
            !enters
        });
        if inside.is_empty() {
            return false;
        }
        self.pace.progress();
        self.clock = self.clock.saturating_add(1);
        // Who is found inside after a restart can only be for what is written down, and a process
        // that is written down as waiting does not know that it may let somebody in.
        let (remembered, status) = self.remembered;
        self.changed |= wanted != remembered || status == Status::Waiting;
        for client in inside {
            self.let_in(client, self.clock, around);
        }
        true
    }

    fn let_in(&mut self, mut client: Client, fence: u64, around: &mut Around<'_>) {
        let waited = around.now.saturating_sub(client.since);
        around.out.push(Output::Granted { ticket: client.ticket, fence, waited });
        (client.since, client.fence) = (around.now, fence);
        self.holders.push(client);
    }
}

pub(crate) fn send(peer: NodeId, message: &Message, keep: bool, out: &mut Vec<Output>) {
    out.push(Output::Send { peer, message: message.to_bytes(), keep });
}
