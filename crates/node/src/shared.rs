//! What the tasks of a daemon share: [`Shared`]. All of them run on one thread, and nobody holds on
//! to it while waiting.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::io::ErrorKind;
use std::rc::Rc;

use driftlock_client::frame;
use driftlock_client::wire::{Answer, Code, Done, Event, Granted, Lease, Lost, Reason, Refusal};
use driftlock_core::ResourceId;
use driftlock_locks::{Key, Kind, Loss, Step, Ticket};
use serde::Serialize;
use tokio::net::UnixStream;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::clock::Clock;
use crate::config::Config;
use crate::engine::{Effect, Engine};
use crate::held::{Grant, Held, Owner};
use crate::memory::Change;
use crate::radio::{Radio, is_about_interface};
use crate::recorder::Recorder;
use crate::store::Store;

/// The most bytes that may wait for a program that does not read.
const BACKLOG_MAX: usize = 1 << 20;

/// The most sessions.
pub(crate) const SESSIONS_MAX: usize = 1000;

/// A program that is connected.
pub(crate) struct Session {
    pub(crate) stream: Rc<UnixStream>,
    pub(crate) uid: u32,
    pub(crate) pid: Option<u32>,
    /// The same process, told from later ones with its number.
    pub(crate) owner: Owner,
    /// What could not be written yet.
    pub(crate) backlog: Vec<u8>,
    /// Tells the task of the session that there is a backlog, or that the session is over.
    pub(crate) wake: Rc<Notify>,
    pub(crate) over: bool,
}

/// A request of a program that waits or was granted.
pub(crate) struct Wish {
    pub(crate) session: u64,
    pub(crate) request: u64,
    pub(crate) key: Key,
    pub(crate) group: Option<String>,
    pub(crate) resource: ResourceId,
    pub(crate) wait_ms: Option<u64>,
    pub(crate) lease: Option<Lease>,
    /// The process whose end is the end of the work.
    pub(crate) keeper: Option<u32>,
    pub(crate) granted: bool,
}

/// What the tasks of a daemon share.
pub(crate) struct Shared {
    pub(crate) config: Config,
    pub(crate) engine: Engine,
    pub(crate) radio: Rc<Radio>,
    /// Why frames cannot be sent, if they cannot.
    pub(crate) radio_trouble: Option<String>,
    pub(crate) clock: Clock,
    pub(crate) sessions: BTreeMap<u64, Session>,
    pub(crate) wishes: BTreeMap<Ticket, Wish>,
    pub(crate) moving: bool,
    /// Since when which neighbor is in which state, in milliseconds.
    pub(crate) since: BTreeMap<u32, (driftlock_link::PeerState, u64)>,
    /// Another node with this id, and when it was heard, in milliseconds.
    pub(crate) conflict: Option<(std::net::SocketAddr, u64)>,
    /// Whether it is to be struck off the list of members when it leaves.
    pub(crate) strikes_off: bool,
    /// Until when those who stay may take for that.
    pub(crate) parting: Option<Instant>,
    /// Who wants to know when this node has left.
    pub(crate) farewells: Vec<(u64, u64)>,
    /// What is written down of every step, if anything is.
    pub(crate) recorder: Option<Recorder>,
    /// Where what has to be remembered is written to, if it is.
    pub(crate) store: Option<Store>,
    /// Why that does not work, if it does not. Until it does, nothing happens that follows.
    pub(crate) stuck: Option<String>,
    waiting: VecDeque<Effect>,
    /// Who is inside, in a file.
    pub(crate) held: Option<Held>,
    /// Programs that are inside since before this node was started.
    pub(crate) orphans: BTreeMap<Ticket, (Owner, Key)>,
    /// When the engine is next due, as the main loop knows it.
    pub(crate) armed: u64,
    pub(crate) rearm: Rc<Notify>,
    next: u64,
    effects: Vec<Effect>,
}

pub(crate) type Handle = Rc<RefCell<Shared>>;

impl Shared {
    pub(crate) fn new(config: Config, engine: Engine, radio: Radio) -> Shared {
        Shared {
            moving: config.moving,
            config,
            engine,
            radio: Rc::new(radio),
            radio_trouble: None,
            clock: Clock::start(),
            sessions: BTreeMap::new(),
            wishes: BTreeMap::new(),
            since: BTreeMap::new(),
            conflict: None,
            strikes_off: false,
            parting: None,
            farewells: Vec::new(),
            recorder: None,
            store: None,
            stuck: None,
            waiting: VecDeque::new(),
            held: None,
            orphans: BTreeMap::new(),
            armed: 0,
            rearm: Rc::new(Notify::new()),
            next: 1,
            effects: Vec::new(),
        }
    }

    /// Microseconds since the start.
    pub(crate) fn now(&self) -> u64 {
        self.clock.now()
    }

    /// Some of those who were inside before this node was started are not any more.
    pub(crate) fn bury(&mut self, is_over: impl Fn(Owner, &Key) -> bool) {
        let over = self.orphans.iter().filter(|(_, (owner, key))| is_over(*owner, key));
        let over: Vec<Ticket> = over.map(|(ticket, _)| *ticket).collect();
        for ticket in over {
            self.orphans.remove(&ticket);
            self.give_back(ticket);
        }
    }

    /// Numbers up to this one were given out before.
    pub(crate) fn count_from(&mut self, number: u64) {
        self.next = self.next.max(number.saturating_add(1));
    }

    /// A number that was not given out before.
    pub(crate) fn number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    /// Let the engine do something, and do to the world what comes of it.
    pub(crate) fn act<T>(
        &mut self,
        action: impl FnOnce(&mut Engine, u64, &mut Vec<Effect>) -> T,
    ) -> T {
        let mut effects = core::mem::take(&mut self.effects);
        let now = self.now();
        let answer = action(&mut self.engine, now, &mut effects);
        for effect in effects.drain(..) {
            self.carry_out_in_turn(effect);
        }
        self.effects = effects;
        if self.engine.wake_at() < self.armed {
            self.rearm.notify_one();
        }
        answer
    }

    /// Nothing happens before what has to be written down first.
    fn carry_out_in_turn(&mut self, effect: Effect) {
        match self.stuck {
            Some(_) => self.waiting.push_back(effect),
            None => self.carry_out(effect),
        }
    }

    /// Try again to write down what could not be, and go on with what waits for it.
    pub(crate) fn go_on(&mut self) {
        if self.stuck.take().is_some() {
            for effect in core::mem::take(&mut self.waiting) {
                self.carry_out_in_turn(effect);
            }
            if self.stuck.is_none() {
                tracing::info!("the state can be written again");
            }
        }
    }

    fn save(&mut self, change: Box<Change>) {
        let Some(store) = &mut self.store else { return };
        if let Err(error) = store.save(&change) {
            tracing::error!(%error, "the state cannot be written: the node stands still");
            self.stuck = Some(error.to_string());
            self.waiting.push_front(Effect::Save(change));
        }
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Save(change) => self.save(change),
            Effect::Transmit { to, frame } => {
                if let Err(error) = self.radio.send(to, &frame)
                    && is_about_interface(&error)
                {
                    self.radio_trouble = Some(error.to_string());
                }
            }
            Effect::Granted { ticket, fence } => self.grant(ticket, fence),
            Effect::Refused(ticket, refusal) => {
                if let Some(wish) = self.wishes.remove(&ticket) {
                    let refusal = crate::api::explain(&wish, &refusal);
                    self.answer::<Done>(wish.session, wish.request, Err(refusal));
                }
            }
            Effect::Lost(ticket, loss) => self.lose(ticket, loss),
            Effect::Step(step) => self.write_down(*step),
            Effect::Recounted(recount) => {
                for (lock, tokens) in &recount.made {
                    tracing::warn!(%lock, tokens, "tokens that were lost are made anew");
                }
                for lock in &recount.doubled {
                    tracing::error!(%lock, "there are too many tokens of this lock");
                }
            }
            Effect::Struck if self.parting.is_some() => {
                tracing::info!("this node is off the list of members");
            }
            Effect::Struck => tracing::warn!("the network has forgotten this node"),
            Effect::Conflict(id, address) => {
                let at = self.now() / 1000;
                if self.conflict.is_none() {
                    tracing::error!(%id, %address, "another node has the id of this one");
                }
                self.conflict = Some((address, at));
            }
        }
    }

    /// A step that cannot be written down ends the record: one with a gap would be worth nothing.
    fn write_down(&mut self, step: Step) {
        let at = self.now();
        let Some(recorder) = &mut self.recorder else { return };
        if let Err(error) = recorder.step(at, step) {
            tracing::error!(%error, "the journal ends here");
            self.recorder = None;
        }
    }

    /// See that what was written down is in the file.
    pub(crate) fn flush_record(&mut self) {
        if let Some(recorder) = &mut self.recorder
            && let Err(error) = recorder.flush()
        {
            tracing::error!(%error, "the journal ends here");
            self.recorder = None;
        }
    }

    fn grant(&mut self, ticket: Ticket, fence: u64) {
        let Some(wish) = self.wishes.get_mut(&ticket) else {
            // Whoever asked has gone in the meantime.
            self.give_back(ticket);
            return;
        };
        wish.granted = true;
        let (session, request) = (wish.session, wish.request);
        let is_shared = wish.key.kind != Kind::Local;
        if let Some(held) = &mut self.held {
            let connected = self.sessions.get(&session).map(|session| session.owner);
            let owner = wish.keeper.map(Owner::of).or(connected).unwrap_or(Owner::NOBODY);
            let (key, resource) = (wish.key.clone(), wish.resource);
            let grant = Grant { ticket: ticket.0, key, resource, fence, owner };
            if let Err(error) = held.put(&grant) {
                tracing::error!(%error, "a grant cannot be written down, and is taken back");
                let why = refusal(Code::Unavailable, format!("cannot write to the disk: {error}"));
                self.wishes.remove(&ticket);
                self.answer::<Done>(session, request, Err(why));
                return self.give_back(ticket);
            }
        }
        // Local locks have no tokens that could be made anew.
        let alone = self.config.alone.filter(|_| is_shared);
        let alone_ms = alone.map(|alone| u64::try_from(alone.as_millis()).unwrap_or(u64::MAX));
        self.answer(session, request, Ok(Granted { grant: ticket.0, fence, alone_ms }));
    }

    /// Whoever was inside has left: let the next start of this node know.
    pub(crate) fn strike(&mut self, ticket: Ticket) {
        if let Some(held) = &mut self.held {
            held.remove(ticket);
        }
    }

    /// Whoever was inside has left.
    pub(crate) fn give_back(&mut self, ticket: Ticket) {
        self.strike(ticket);
        self.act(|engine, now, effects| engine.release(now, ticket, effects));
    }

    fn lose(&mut self, ticket: Ticket, loss: Loss) {
        let Some(wish) = self.wishes.get(&ticket) else { return };
        let (reason, message) = match loss {
            Loss::Demoted => {
                (Reason::Demoted, "a neighbor that stood still is in the way".to_owned())
            }
            Loss::Struck => (Reason::Forgotten, "the network has forgotten this node".to_owned()),
            Loss::Alone => (Reason::Alone, "no majority has heard this node lately".to_owned()),
            Loss::Leaving => (Reason::Leaving, "the node is leaving the network".to_owned()),
            Loss::Lease => (Reason::Lease, wish.lease.map_or_else(String::new, end_of)),
        };
        let lost = Event::Lost(Lost { grant: ticket.0, reason, message });
        self.say(wish.session, &lost);
    }

    /// Answer a request.
    pub(crate) fn answer<T: Serialize>(
        &mut self,
        session: u64,
        request: u64,
        result: Result<T, Refusal>,
    ) {
        self.say(session, &Answer { id: request, result });
    }

    /// Send a frame to a program.
    pub(crate) fn say<T: Serialize>(&mut self, session: u64, what: &T) {
        let Some(session) = self.sessions.get_mut(&session) else { return };
        match frame::encode(what) {
            Ok(bytes) => session.write(&bytes),
            Err(too_long) => tracing::debug!(%too_long, "an answer was not sent"),
        }
    }

    /// Write down since when which neighbor is in which state.
    pub(crate) fn note_states(&mut self, now_ms: u64) {
        let mut since = BTreeMap::new();
        for peer in self.engine.links.peers() {
            let same = self.since.get(&peer.id.0).filter(|(state, _)| *state == peer.state);
            since.insert(peer.id.0, (peer.state, same.map_or(now_ms, |&(_, since)| since)));
        }
        self.since = since;
    }

    /// A session is over: everything that it has or waits for goes.
    pub(crate) fn end_session(&mut self, id: u64) {
        self.sessions.remove(&id);
        let of_session = |(ticket, wish): (&Ticket, &Wish)| (wish.session == id).then_some(*ticket);
        let tickets: Vec<Ticket> = self.wishes.iter().filter_map(of_session).collect();
        for ticket in tickets {
            self.wishes.remove(&ticket);
            if !self.engine.withdraw(ticket) {
                self.give_back(ticket);
            }
        }
    }
}

impl Session {
    fn write(&mut self, bytes: &[u8]) {
        // Whoever asks on and on in one go, and does not read, is hung up on after that only.
        if self.over {
            return;
        }
        let mut written = 0;
        if self.backlog.is_empty() {
            written = self.stream.try_write(bytes).unwrap_or(0);
        }
        if written < bytes.len() {
            self.backlog.extend_from_slice(&bytes[written..]);
            self.over |= BACKLOG_MAX < self.backlog.len();
            self.wake.notify_one();
        }
    }

    /// Write what could not be written before.
    pub(crate) fn flush(&mut self) {
        match self.stream.try_write(&self.backlog) {
            Ok(written) => drop(self.backlog.drain(..written)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            // Nobody is left to read it. To try again would fail at once, for ever.
            Err(_) => self.over = true,
        }
    }
}

/// The end of a lease in words.
fn end_of(lease: Lease) -> String {
    let seconds = |ms: u64| ms as f64 / 1000.0;
    let length = seconds(lease.ms);
    match lease.grace_ms {
        0 => format!("its lease of {length} s is over"),
        grace => format!("its lease of {length} s ends in {} s", seconds(grace)),
    }
}

/// A refusal.
pub(crate) fn refusal(code: Code, message: impl Into<String>) -> Refusal {
    Refusal { code, message: message.into() }
}
