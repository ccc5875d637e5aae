//! Who holds what.

use std::collections::{BTreeMap, VecDeque};
use std::io::Write;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;

use serde::Serialize;

use super::frame;
use crate::wire::{
    Acquire, Answer, Code, Done, Event, Granted, Holder, Kind, Lease, LinkRole, LinkState,
    LockState, LockView, Locks, Lost, Member, Members, Metrics, Neighbor, Neighbors, Op, Queue,
    Reason, Refusal, Request, Status, Waiter,
};

/// A lock of this name is lost as soon as it is granted.
pub const LOST: &str = "fake-lost";

/// Who asks for this name is hung up on.
pub const HANG_UP: &str = "fake-hang-up";

/// How many locks fit into an answer.
pub const PAGE: usize = 3;

#[derive(Debug)]
pub(super) struct Books {
    pub(super) api: u32,
    pub(super) refusal: Option<Refusal>,
    pub(super) is_over: bool,
    sessions: BTreeMap<u64, UnixStream>,
    locks: BTreeMap<String, FakeLock>,
    /// What was not said, while nothing is said.
    unsaid: Option<Vec<(u64, Vec<u8>)>>,
    /// Leases that have begun, and nobody watches yet.
    begun: Vec<(u64, Lease)>,
    moving: bool,
    leaving: bool,
    next: u64,
}

#[derive(Debug)]
struct FakeLock {
    kind: Kind,
    fence: u64,
    holders: Vec<Held>,
    queue: VecDeque<Waiting>,
}

#[derive(Debug)]
struct Held {
    session: u64,
    granted: Granted,
    kind: Kind,
    lease: Option<Lease>,
}

#[derive(Debug)]
struct Waiting {
    session: u64,
    id: u64,
    kind: Kind,
    lease: Option<Lease>,
}

impl FakeLock {
    fn lets_in(&self, kind: &Kind) -> bool {
        match kind {
            Kind::Exclusive | Kind::Local => self.holders.is_empty(),
            Kind::Permits(permits) => self.holders.len() < *permits as usize,
            Kind::Group(_) => self.holders.iter().all(|held| held.kind == *kind),
        }
    }

    fn is_of(&self, kind: &Kind) -> bool {
        self.kind == *kind || (self.kind.name() == kind.name() && matches!(kind, Kind::Group(_)))
    }
}

impl Books {
    pub(super) fn new(api: u32) -> Self {
        Books {
            api,
            refusal: None,
            is_over: false,
            sessions: BTreeMap::new(),
            locks: BTreeMap::new(),
            unsaid: None,
            begun: Vec::new(),
            moving: false,
            leaving: false,
            next: 1,
        }
    }

    pub(super) fn begin(&mut self, stream: UnixStream) -> u64 {
        let session = self.number();
        self.sessions.insert(session, stream);
        session
    }

    pub(super) fn end(&mut self, session: u64) {
        self.close(session);
        self.sessions.remove(&session);
        for lock in self.locks.values_mut() {
            lock.holders.retain(|held| held.session != session);
            lock.queue.retain(|waiting| waiting.session != session);
        }
        self.let_in();
    }

    pub(super) fn held(&self) -> Vec<u64> {
        let holders = self.locks.values().flat_map(|lock| &lock.holders);
        let mut held: Vec<u64> = holders.map(|held| held.granted.grant).collect();
        held.sort_unstable();
        held
    }

    pub(super) fn waiting(&self) -> usize {
        self.locks.values().map(|lock| lock.queue.len()).sum()
    }

    pub(super) fn is_queued(&self, session: u64, id: u64) -> bool {
        let mut queued = self.locks.values().flat_map(|lock| &lock.queue);
        queued.any(|waiting| (waiting.session, waiting.id) == (session, id))
    }

    pub(super) fn serve(&mut self, session: u64, Request { id, op }: Request) {
        match op {
            Op::Acquire(acquire) => self.acquire(session, id, acquire),
            Op::Cancel(request) => {
                let message = "it was withdrawn".into();
                self.withdraw(session, request, Refusal { code: Code::Cancelled, message });
                self.answer(session, id, Done {});
            }
            Op::Release(grant) => self.release(session, id, grant),
            Op::Status => self.answer(session, id, self.status()),
            Op::Neighbors => self.answer(session, id, neighbors()),
            Op::Locks(after) => self.answer(session, id, self.page(after)),
            Op::Queue(name) => self.answer(session, id, self.queue(name)),
            Op::Metrics => {
                let text = format!("driftlock_held {}\n", self.held().len());
                self.answer(session, id, Metrics { text });
            }
            Op::Moving(on) => {
                self.moving = on;
                self.answer(session, id, Done {});
            }
            Op::Members => {
                let member =
                    Member { node: self.status().node, alone_ms: None, memory: "1".to_owned() };
                let members = vec![member];
                let list = Members {
                    version: 1,
                    belongs: true,
                    sure: true,
                    members,
                    ..Members::default()
                };
                self.answer(session, id, list);
            }
            Op::Forget { node, .. } => {
                let what = format!("node {node} is not a member");
                self.refuse_as(session, id, Code::BadRequest, &what);
            }
            Op::Leave => {
                self.leaving = true;
                self.answer(session, id, Done {});
            }
        }
    }

    fn acquire(&mut self, session: u64, id: u64, asked: Acquire) {
        let Acquire { name, kind, wait_ms, lease, .. } = asked;
        if name == HANG_UP {
            return self.close(session);
        }
        if self.leaving {
            return self.refuse_as(session, id, Code::Leaving, "the node is leaving");
        }
        let plain = || FakeLock {
            kind: kind.clone(),
            fence: 0,
            holders: Vec::new(),
            queue: VecDeque::new(),
        };
        let lock = self.locks.entry(name).or_insert_with(plain);
        if !lock.is_of(&kind) {
            return self.refuse_as(session, id, Code::Kind, "it is a lock of another kind");
        }
        if wait_ms == Some(0) && !(lock.queue.is_empty() && lock.lets_in(&kind)) {
            return self.refuse_as(session, id, Code::Busy, "it is not free");
        }
        lock.queue.push_back(Waiting { session, id, kind, lease });
        self.let_in();
    }

    /// Grant what can be granted.
    fn let_in(&mut self) {
        let (mut answers, mut lost) = (Vec::new(), Vec::new());
        for (name, lock) in &mut self.locks {
            while lock.queue.front().is_some_and(|waiting| lock.lets_in(&waiting.kind)) {
                let Some(waiting) = lock.queue.pop_front() else { break };
                let Waiting { session, id, kind, lease } = waiting;
                lock.fence += 1;
                let granted = Granted { grant: self.next, fence: lock.fence, alone_ms: None };
                self.next += 1;
                lock.holders.push(Held { session, granted, kind, lease });
                self.begun.extend(lease.map(|lease| (granted.grant, lease)));
                answers.push((session, id, granted));
                lost.extend((name == LOST).then_some(granted.grant));
            }
        }
        for (session, id, granted) in answers {
            self.answer(session, id, granted);
        }
        for grant in lost {
            self.lose(grant, Reason::Demoted);
        }
    }

    fn release(&mut self, session: u64, id: u64, grant: u64) {
        let before = self.held().len();
        let is_it = |held: &Held| (held.session, held.granted.grant) == (session, grant);
        self.locks.values_mut().for_each(|lock| lock.holders.retain(|held| !is_it(held)));
        if self.held().len() == before {
            return self.refuse_as(session, id, Code::NotHeld, "this session does not hold it");
        }
        self.answer(session, id, Done {});
        self.let_in();
    }

    /// Take a request back, if it waits.
    pub(super) fn withdraw(&mut self, session: u64, id: u64, why: Refusal) {
        if self.is_queued(session, id) {
            let is_it = |waiting: &Waiting| (waiting.session, waiting.id) == (session, id);
            self.locks.values_mut().for_each(|lock| lock.queue.retain(|other| !is_it(other)));
            self.refuse(session, id, why);
            self.let_in();
        }
    }

    pub(super) fn lose(&mut self, grant: u64, reason: Reason) {
        let mut holders = self.locks.values().flat_map(|lock| &lock.holders);
        if let Some(session) =
            holders.find(|held| held.granted.grant == grant).map(|held| held.session)
        {
            let message = match reason {
                Reason::Lease => "its lease ends",
                Reason::Leaving => "the node is leaving the network",
                _ => "a neighbor has this lock",
            };
            let message = message.into();
            self.say(session, &frame(&Event::Lost(Lost { grant, reason, message })));
        }
    }

    /// Leases that have begun since this was asked for last.
    pub(super) fn begun(&mut self) -> Vec<(u64, Lease)> {
        std::mem::take(&mut self.begun)
    }

    pub(super) fn freeze(&mut self) {
        self.unsaid.get_or_insert_default();
    }

    pub(super) fn thaw(&mut self) {
        for (session, bytes) in self.unsaid.take().unwrap_or_default() {
            self.say(session, &bytes);
        }
    }

    pub(super) fn babble(&mut self, bytes: &[u8]) {
        let sessions: Vec<u64> = self.sessions.keys().copied().collect();
        sessions.iter().for_each(|session| self.say(*session, bytes));
    }

    pub(super) fn hang_up(&mut self) {
        self.sessions.keys().for_each(|session| self.close(*session));
    }

    pub(super) fn refuse(&mut self, session: u64, id: u64, refusal: Refusal) {
        self.say(session, &frame(&Answer::<Done> { id, result: Err(refusal) }));
    }

    pub(super) fn say(&mut self, session: u64, bytes: &[u8]) {
        if let Some(unsaid) = &mut self.unsaid {
            unsaid.push((session, bytes.into()));
        } else if let Some(stream) = self.sessions.get_mut(&session) {
            // Whoever has gone hears nothing.
            let _ = stream.write_all(bytes);
        }
    }

    fn refuse_as(&mut self, session: u64, id: u64, code: Code, message: &str) {
        self.refuse(session, id, Refusal { code, message: message.into() });
    }

    fn answer(&mut self, session: u64, id: u64, ok: impl Serialize) {
        self.say(session, &frame(&Answer { id, result: Ok(ok) }));
    }

    fn close(&self, session: u64) {
        let stream = self.sessions.get(&session);
        stream.into_iter().for_each(|stream| drop(stream.shutdown(Shutdown::Both)));
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    fn status(&self) -> Status {
        Status {
            node: 3,
            network: "fleet".into(),
            founder: true,
            moving: self.moving,
            leaving: self.leaving,
            uptime_ms: 90_000,
            links: 1,
            locks: self.locks.len() as u64,
            ..Status::default()
        }
    }

    fn page(&self, after: Option<String>) -> Locks {
        let rest =
            |(name, _): &(&String, &FakeLock)| after.as_ref().is_none_or(|after| *name > after);
        let mut rest = self.locks.iter().filter(rest);
        let locks = rest.by_ref().take(PAGE).map(|(name, lock)| view(name, lock)).collect();
        Locks { locks, more: rest.next().is_some() }
    }

    fn queue(&self, name: String) -> Queue {
        let Some(lock) = self.locks.get(&name) else { return Queue { name, ..Queue::default() } };
        let waiter = |waiting: &Waiting| Waiter {
            pid: Some(77),
            uid: 1000,
            since_ms: 60_000,
            group: group(&waiting.kind),
        };
        let here: Vec<Waiter> = lock.queue.iter().map(waiter).collect();
        let waiters = here.len() as u64;
        Queue { name, kind: lock.kind.name(), waiters, here, neighbors: vec![5] }
    }
}

fn view(name: &str, lock: &FakeLock) -> LockView {
    let holder = |held: &Held| Holder {
        grant: held.granted.grant,
        pid: Some(76),
        uid: 1000,
        since_ms: 30_000,
        group: group(&held.kind),
        fence: held.granted.fence,
        until_ms: held.lease.map(|lease| 30_000 + lease.ms),
    };
    let state = match (lock.holders.is_empty(), lock.queue.is_empty()) {
        (false, _) => LockState::Held,
        (true, false) => LockState::Waiting,
        (true, true) => LockState::Idle,
    };
    LockView {
        name: name.into(),
        kind: lock.kind.name(),
        permits: if let Kind::Permits(permits) = lock.kind { Some(permits) } else { None },
        state,
        tokens: 1,
        fence: lock.fence,
        waiters: lock.queue.len() as u64,
        held: lock.holders.len() as u64,
        holders: lock.holders.iter().map(holder).collect(),
    }
}

fn group(kind: &Kind) -> Option<String> {
    if let Kind::Group(group) = kind { Some(group.clone()) } else { None }
}

fn neighbors() -> Neighbors {
    let up = Neighbor {
        node: 5,
        state: LinkState::Up,
        address: Some("[fe80::5%2]:7400".into()),
        epoch: 4,
        role: Some(LinkRole::Static),
        rtt_us: Some(850),
        since_ms: 61_000,
        queued: 0,
        unacknowledged: 2,
    };
    let heard = Neighbor { node: 9, since_ms: 88_000, ..Neighbor::default() };
    Neighbors { neighbors: vec![up, heard] }
}
