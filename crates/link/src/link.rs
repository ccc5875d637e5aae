//! One end of one link, from incarnation to incarnation: [`Link`].
//!
//! ```text
//!            handshake                    breaks, nothing kept in flight
//!   Down ────────────────► Up(e) ─────────────────────────────────────► Down
//!                            │ breaks, something kept in flight           ▲
//!                            └──────────► Doubt(e) ───────────────────────┘
//!                                             the other end's statement
//! ```
//!
//! The handshake: the end with the lower id states how its last incarnation ended and offers a new
//! one (`Init`). The other closes that incarnation if it has not, states what it had received
//! itself, and names the next epoch (`Resp`). Whoever has both statements has closed the old
//! incarnation and knows that the other froze in it. The lower end is up on `Resp`; it has closed,
//! and the other has closed before it answered. The higher end is up on the first frame of the new
//! incarnation, which tells that the lower one has closed.
//!
//! Epochs: the lower end opens an epoch at most once, an end that has stated anything about an
//! epoch never opens it afterwards, and no two answers to handshakes name the same epoch. So
//! "nothing received" is a true statement about an epoch that this end never opened.

mod nap;

use core::cmp::Ordering;

use driftlock_core::{LinkRole, NodeId};

use crate::arq::Arq;
use crate::clear::{Clear, Data, Offer, Tell};
use crate::settle::Statement;

/// What an end does.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Act {
    /// Send to the other end.
    Send(Clear),
    /// Report that the link is up.
    Up(u64, LinkRole),
    /// Report that the link is down.
    Down(u64),
    /// Report a message.
    Deliver(Vec<u8>),
    /// Report a kept message that did not arrive.
    Returned(Vec<u8>),
    /// Report a kept message that the other end has forgotten about.
    Lost(Vec<u8>),
}

/// Where an end is in its life.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Life {
    /// Closed. What was received in the last incarnation; none if that is forgotten.
    Down(Option<u64>),
    /// Up as far as this end knows.
    Up(Arq),
    /// Frozen, with kept messages of unknown fate.
    Doubt(Arq),
}

/// One end of one link.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Link {
    /// This end: its id and the name of its memory.
    me: (NodeId, u64),
    /// The other end.
    peer: (NodeId, u64),
    /// The start of this end, and of the other that is heard.
    starts: (u64, u64),
    /// Whether both hear each other.
    heard: bool,
    life: Life,
    /// Of the incarnation that is up or in doubt, or of the last one.
    epoch: u64,
    /// An epoch that the other end knows of, if it has not forgotten everything.
    known: u64,
    /// Which end this is of the incarnation that is up or in doubt.
    role: LinkRole,
    /// Whether the other end is known to be up.
    confirmed: bool,
    /// Began a handshake with this.
    offer: Option<Offer>,
    /// The handshakes between these two starts.
    attempts: u64,
    /// Whether what has to be remembered has changed.
    changed: bool,
    /// Answered a handshake with this, for this epoch.
    pending: Option<(Offer, u64, LinkRole)>,
    /// The last epoch of such an answer.
    offered: u64,
}

impl Link {
    /// A link that never was up. `forgotten` is an epoch up to which this end remembers nothing.
    pub(crate) fn new(me: (NodeId, u64), peer: (NodeId, u64), start: u64, forgotten: u64) -> Self {
        Link {
            me,
            peer,
            starts: (start, 0),
            heard: false,
            life: Life::Down(if forgotten == 0 { Some(0) } else { None }),
            epoch: forgotten,
            known: 0,
            role: LinkRole::Static,
            confirmed: false,
            offer: None,
            attempts: 0,
            changed: false,
            pending: None,
            offered: 0,
        }
    }

    // What HELLOs say.

    /// Both ends hear each other. If the other was started since, the incarnation is over.
    pub(crate) fn on_heard(&mut self, start: u64, out: &mut Vec<Act>) {
        if self.starts.1 != start {
            self.call_off();
            self.break_off(out);
            (self.starts.1, self.attempts) = (start, 0);
        }
        self.heard = true;
    }

    /// They do not any more.
    pub(crate) fn on_silence(&mut self, out: &mut Vec<Act>) {
        self.heard = false;
        self.call_off();
        self.break_off(out);
    }

    /// Forget a handshake that has begun.
    pub(crate) fn call_off(&mut self) {
        self.offer = None;
        self.pending = None;
    }

    /// The other end has forgotten everything, and begun a new memory.
    pub(crate) fn on_oblivion(&mut self, memory: u64, out: &mut Vec<Act>) {
        self.resolve(None, out);
        self.peer.1 = memory;
        self.known = 0;
        self.call_off();
    }

    /// Nobody will ever care what the other end has received.
    pub(crate) fn disown(&mut self, out: &mut Vec<Act>) {
        self.resolve(None, out);
    }

    /// The incarnation is over, as this end sees it.
    pub(crate) fn break_off(&mut self, out: &mut Vec<Act>) {
        let Life::Up(arq) = &mut self.life else { return };
        arq.freeze();
        if arq.kept() > 0 {
            self.life = Life::Doubt(core::mem::take(arq));
        } else {
            self.close(out);
        }
        out.push(Act::Send(self.tell()));
    }

    // What is sent.

    /// Take a message. In doubt, kept ones wait and others are dropped.
    pub(crate) fn send(&mut self, message: &[u8], keep: bool, window: u64, out: &mut Vec<Act>) {
        self.changed |= keep;
        match &mut self.life {
            Life::Down(_) => {}
            Life::Up(arq) => {
                arq.push(message, keep);
                self.push_on(window, out);
            }
            Life::Doubt(arq) if keep => arq.push_late(message),
            Life::Doubt(_) => {}
        }
    }

    /// Send what the window has room for.
    fn push_on(&mut self, window: u64, out: &mut Vec<Act>) {
        let Life::Up(arq) = &mut self.life else { return };
        while let Some(message) = arq.next(window) {
            let (epoch, ack, unsure) = (self.epoch, arq.ack(), !self.confirmed);
            let data = Data { epoch, ack, unsure, message: Some(message) };
            out.push(Act::Send(Clear::Data(data)));
        }
    }

    /// Send the oldest message again, or anything, if the other end is not known to be up.
    pub(crate) fn resend(&mut self, out: &mut Vec<Act>) {
        let Life::Up(arq) = &mut self.life else { return };
        let message = arq.again();
        if message.is_some() || !self.confirmed {
            let (epoch, ack, unsure) = (self.epoch, arq.ack(), !self.confirmed);
            out.push(Act::Send(Clear::Data(Data { epoch, ack, unsure, message })));
        }
    }

    /// Send an acknowledgment alone.
    pub(crate) fn acknowledge(&mut self, out: &mut Vec<Act>) {
        let Life::Up(arq) = &mut self.life else { return };
        let (epoch, ack, unsure) = (self.epoch, arq.ack(), !self.confirmed);
        out.push(Act::Send(Clear::Data(Data { epoch, ack, unsure, message: None })));
    }

    /// Begin or repeat a handshake. The end that does not begin handshakes reminds the other that
    /// the last incarnation is over.
    pub(crate) fn knock(&mut self, moving: bool, links: u32, out: &mut Vec<Act>) {
        if !self.wants_handshake() {
            return;
        }
        if !self.initiates() {
            return self.remind(out);
        }
        if self.offer.is_none() {
            self.attempts += 1;
            let (starts, statement) = (self.starts, self.statement());
            self.offer = Some(Offer { starts, attempt: self.attempts, statement, moving, links });
        }
        out.extend(self.offer.map(|offer| Act::Send(Clear::Init(offer))));
    }

    /// Tell the other end how the last incarnation ended.
    pub(crate) fn remind(&mut self, out: &mut Vec<Act>) {
        if !self.is_up() && self.epoch > 0 {
            out.push(Act::Send(self.tell()));
        }
    }

    // What comes in.

    /// The other end offers a new incarnation.
    pub(crate) fn on_init(&mut self, offer: Offer, moving: bool, links: u32, out: &mut Vec<Act>) {
        let theirs = offer.statement;
        let is_ours = theirs.from_memory == self.peer.1 && theirs.epoch >= self.known;
        let is_old = !self.are_starts_of(offer) || offer.attempt < self.attempts;
        if self.initiates() || !self.heard || !is_ours || is_old {
            return;
        }
        let Some(statement) = self.on_statement(theirs, out) else { return };
        if !matches!(self.life, Life::Down(_)) {
            return;
        }
        if let Some((answer, epoch, _)) = self.pending
            && answer.attempt == offer.attempt
        {
            out.push(Act::Send(Clear::Resp(answer, epoch)));
            return;
        }
        self.offered = self.epoch.max(theirs.epoch).max(self.offered).saturating_add(1);
        self.attempts = offer.attempt;
        let starts = self.starts;
        let answer = Offer { starts, attempt: offer.attempt, statement, moving, links };
        self.pending = Some((answer, self.offered, self.role_beside(answer, offer)));
        out.push(Act::Send(Clear::Resp(answer, self.offered)));
    }

    /// The other end has closed the last incarnation and agrees to a new one.
    pub(crate) fn on_resp(&mut self, answer: Offer, epoch: u64, out: &mut Vec<Act>) {
        let Some(offer) = self.offer else { return };
        let is_old = !self.are_starts_of(answer) || offer.attempt != answer.attempt;
        if is_old || epoch <= self.epoch {
            return;
        }
        if let Life::Doubt(_) = self.life {
            if answer.statement.epoch != self.epoch {
                return;
            }
            self.resolve(answer.statement.received, out);
        }
        self.open(epoch, self.role_beside(offer, answer), out);
        self.acknowledge(out);
    }

    /// A message or an acknowledgment. Returns how many messages are newly acknowledged.
    pub(crate) fn on_data(&mut self, data: Data, window: u64, out: &mut Vec<Act>) -> u64 {
        if let Some((_, epoch, role)) = self.pending
            && epoch == data.epoch
        {
            self.open(epoch, role, out);
        }
        if data.epoch != self.epoch {
            return 0;
        }
        let news = match &mut self.life {
            Life::Up(arq) => {
                self.confirmed = true;
                let news = arq.on_ack(data.ack);
                if data.unsure {
                    arq.owe();
                }
                if let Some((number, message)) = data.message {
                    out.extend(arq.on_message(number, message).into_iter().map(Act::Deliver));
                }
                news
            }
            // The other end goes on: it does not know yet. What it says to have received is true.
            Life::Doubt(arq) => {
                let news = arq.on_ack(data.ack);
                if arq.kept() == 0 {
                    self.close(out);
                }
                out.push(Act::Send(self.tell()));
                news
            }
            Life::Down(_) => {
                out.push(Act::Send(self.tell()));
                0
            }
        };
        self.push_on(window, out);
        news
    }

    /// The other end's statement. If it is about this link as it is now or was last, this end is
    /// closed afterwards; returns what it has to say itself.
    pub(crate) fn on_statement(
        &mut self,
        theirs: Statement,
        out: &mut Vec<Act>,
    ) -> Option<Statement> {
        let has_forgotten = Statement {
            epoch: theirs.epoch,
            received: None,
            from_memory: self.me.1,
            to_memory: theirs.from_memory,
        };
        if theirs.to_memory != self.me.1 && theirs.epoch > 0 {
            return Some(has_forgotten);
        }
        if theirs.from_memory != self.peer.1 && theirs.received.is_some() {
            return None;
        }
        match (theirs.epoch.cmp(&self.epoch), &self.life) {
            (Ordering::Less, Life::Down(None)) => return Some(has_forgotten),
            (Ordering::Less, Life::Down(_)) if self.known == 0 => {}
            (Ordering::Less, _) => return None,
            (Ordering::Equal, _) => self.resolve(theirs.received, out),
            (Ordering::Greater, Life::Down(_)) => self.skip_to(theirs.epoch),
            (Ordering::Greater, _) if theirs.received.is_none() => self.resolve(None, out),
            (Ordering::Greater, _) => return None,
        }
        Some(self.statement())
    }

    // Steps between the states.

    fn open(&mut self, epoch: u64, role: LinkRole, out: &mut Vec<Act>) {
        self.changed = true;
        self.life = Life::Up(Arq::default());
        (self.epoch, self.known, self.role) = (epoch, epoch, role);
        self.confirmed = !self.initiates();
        self.call_off();
        out.push(Act::Up(epoch, role));
    }

    /// The other end has received so much and will never receive more; none if nobody knows.
    fn resolve(&mut self, received: Option<u64>, out: &mut Vec<Act>) {
        let (Life::Up(arq) | Life::Doubt(arq)) = &self.life else { return };
        let kept = arq.kept_after(received.unwrap_or(0)).map(<[u8]>::to_vec);
        match received {
            Some(_) => out.extend(kept.map(Act::Returned)),
            None => out.extend(kept.map(Act::Lost)),
        }
        self.close(out);
    }

    fn close(&mut self, out: &mut Vec<Act>) {
        let (Life::Up(arq) | Life::Doubt(arq)) = &self.life else { return };
        self.life = Life::Down(Some(arq.received()));
        (self.pending, self.changed) = (None, true);
        out.push(Act::Down(self.epoch));
    }

    /// The other end has opened an epoch that this end did not, and now never will.
    fn skip_to(&mut self, epoch: u64) {
        self.life = Life::Down(Some(0));
        (self.epoch, self.known, self.changed) = (epoch, epoch, true);
        self.call_off();
    }

    // Expressions.

    /// Of two ends one is begun with.
    fn initiates(&self) -> bool {
        self.me.0 < self.peer.0
    }

    /// The end that moves, has fewer links, or the greater id.
    fn role_beside(&self, mine: Offer, theirs: Offer) -> LinkRole {
        let rank = |offer: Offer, id| (offer.moving, u32::MAX - offer.links, id);
        match rank(mine, self.me.0) > rank(theirs, self.peer.0) {
            true => LinkRole::Moving,
            false => LinkRole::Static,
        }
    }

    /// What this end says about its last incarnation. Only when that is frozen.
    pub(crate) fn statement(&self) -> Statement {
        let received = match &self.life {
            Life::Down(received) => *received,
            Life::Up(arq) | Life::Doubt(arq) => Some(arq.received()),
        };
        Statement { epoch: self.epoch, received, from_memory: self.me.1, to_memory: self.peer.1 }
    }

    fn tell(&self) -> Clear {
        Clear::Tell(Tell { statement: self.statement(), ask: self.is_in_doubt() })
    }

    /// Whether the link waits for a handshake, or for the other end to begin one.
    pub fn wants_handshake(&self) -> bool {
        self.heard && !self.is_up() && (self.initiates() || self.epoch > 0)
    }

    /// Whether something has to be sent again if nothing comes back.
    pub fn wants_answer(&self) -> bool {
        match &self.life {
            Life::Up(arq) => arq.sent() > arq.acked() || !self.confirmed,
            Life::Down(_) | Life::Doubt(_) => false,
        }
    }

    /// Whether both ends are reported to hear each other.
    pub fn is_heard(&self) -> bool {
        self.heard
    }

    /// Whether the link is up, as far as this end knows.
    pub fn is_up(&self) -> bool {
        matches!(self.life, Life::Up(_))
    }

    /// Whether there was a link and it is down.
    pub fn is_over(&self) -> bool {
        matches!(self.life, Life::Down(_)) && self.epoch > 0
    }

    /// Whether kept messages have an unknown fate.
    pub fn is_in_doubt(&self) -> bool {
        matches!(self.life, Life::Doubt(_))
    }

    /// Whether a handshake was answered and not heard of since.
    pub fn is_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// The messages of the incarnation that is up or in doubt.
    pub fn arq(&self) -> Option<&Arq> {
        match &self.life {
            Life::Up(arq) | Life::Doubt(arq) => Some(arq),
            Life::Down(_) => None,
        }
    }

    /// The greatest epoch that was spoken of.
    pub(crate) fn last_epoch(&self) -> u64 {
        self.epoch.max(self.offered)
    }

    /// Of the incarnation that is up or in doubt, or of the last one.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Which end this is of the incarnation that is up or in doubt.
    pub fn role(&self) -> Option<LinkRole> {
        self.arq().map(|_| self.role)
    }

    /// The name of the other end's memory.
    pub fn peer_memory(&self) -> u64 {
        self.peer.1
    }

    /// The start of the other end that was heard last; 0 if none was.
    pub fn peer_start(&self) -> u64 {
        self.starts.1
    }

    /// Whether this was said since both were started last.
    fn are_starts_of(&self, offer: Offer) -> bool {
        offer.starts == (self.starts.1, self.starts.0)
    }
}
