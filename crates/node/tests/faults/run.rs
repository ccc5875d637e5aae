//! One schedule, carried out: [`Run`].

use std::collections::BTreeSet;

use driftlock_faults::{self as faults, ALONE_MS, Deed, Event, GRACE_MS, HELLO_MS, Schedule, Step};
use driftlock_locks::{Key, Kind, Ticket};
use driftlock_node::engine::Engine;

use super::errands::Errands;
use super::say;
use crate::air::Air;

/// A millisecond.
const MS: u64 = 1_000;

/// By then everybody is served, once all is well.
const PATIENCE: u64 = 60_000 * MS;

/// What a daemon does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Daemon {
    Runs,
    IsStopped,
    IsDead,
}

/// How far a program is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Program {
    /// It has not asked yet.
    Idle,
    /// It asks as soon as its node serves.
    Asking,
    Waiting(Ticket),
    Inside {
        ticket: Ticket,
        until: u64,
    },
    /// It was inside, and left by itself or because it was told to.
    Served,
    /// It was killed, and its node does not know yet.
    Dying(Ticket),
    Killed,
}

/// What came of many runs.
#[derive(Default, Debug)]
pub(crate) struct Tally {
    runs: u64,
    pub(crate) entries: usize,
    pub(crate) kills: u64,
    pub(crate) stops: u64,
    /// Programs that were killed.
    pub(crate) killed: usize,
    /// How often a program was inside when its node started again.
    pub(crate) outlived: u64,
    /// How often a token came back from a link that broke.
    pub(crate) returned: u64,
    /// Nodes that were forgotten, and names whose tokens were made anew.
    pub(crate) forgotten: usize,
    pub(crate) made: usize,
    /// The longest wait once all was well, in milliseconds.
    worst_ms: u64,
}

/// A schedule, and how far it is.
pub(crate) struct Run {
    schedule: Schedule,
    air: Air,
    radio: faults::Air,
    /// When the schedule began.
    begun: u64,
    daemons: Vec<Daemon>,
    programs: Vec<Program>,
    errands: Errands,
    /// Who is started once it is forgotten.
    to_start: BTreeSet<usize>,
    outlived: u64,
    /// The longest wait once all was well.
    worst: u64,
    is_told: bool,
    is_forgetful: bool,
}

impl Run {
    /// The run of a seed.
    pub(crate) fn of(seed: u64) -> Run {
        let schedule = Schedule::draw(seed);
        let lease = if schedule.stops_alone { ALONE_MS * MS } else { 0 };
        let mut run = Run {
            air: Air::with(schedule.nodes, seed, HELLO_MS * MS, lease),
            radio: faults::Air::new(&schedule.links),
            begun: 0,
            errands: Errands::default(),
            to_start: BTreeSet::new(),
            daemons: vec![Daemon::Runs; schedule.nodes],
            programs: vec![Program::Idle; schedule.asks.len()],
            outlived: 0,
            worst: 0,
            is_told: false,
            is_forgetful: false,
            schedule,
        };
        run.tune();
        run
    }

    /// The same, told as it goes on.
    pub(crate) fn told(self) -> Run {
        Run { is_told: true, ..self }
    }

    /// The same with nodes that have forgotten everything when they are started again.
    pub(crate) fn forgetful(self) -> Run {
        Run { is_forgetful: true, ..self }
    }

    /// Everything happens, and then everybody is served.
    pub(crate) fn carry_out(mut self) -> Run {
        let seed = self.schedule.seed;
        if self.schedule.forgets() {
            self.await_members();
        }
        for (at, event) in self.schedule.events.clone() {
            while self.air.now < self.begun + at * MS {
                self.go_on();
            }
            self.happen(&event);
        }
        let healed = self.air.now;
        // Whoever is heard again need not be forgotten.
        let daemons = &self.daemons;
        self.errands.retain(|errand| daemons[errand.node] == Daemon::IsDead);
        while !self.programs.iter().all(is_done) || self.forgets() {
            self.go_on();
            let is_late = PATIENCE < self.air.now - healed;
            assert!(!is_late, "seed {seed}: not served:{}", self.who_waits());
        }
        for (i, node) in self.left() {
            assert_eq!(node.missing, [], "seed {seed}: node {i}");
            let lost = node.links.counters().lost;
            assert!(lost == 0 || self.schedule.forgets(), "seed {seed}: node {i}: {lost}");
        }
        let founders = self.left().filter(|(_, node)| node.locks.is_founder());
        assert_eq!(founders.count(), 1, "seed {seed}");
        let returned = self.air.nodes.iter().map(|node| node.links.counters().returned);
        self.air.returned += returned.sum::<u64>();
        self
    }

    /// Nothing happens before everybody is a member.
    fn await_members(&mut self) {
        let nodes = 0..self.schedule.nodes;
        while !nodes.clone().all(|i| nodes.clone().all(|by| self.air.is_member(i, by))) {
            self.air.run(MS);
            assert!(self.air.now < PATIENCE, "seed {}: not all are members", self.schedule.seed);
        }
        self.begun = self.air.now;
    }

    /// The nodes that have not failed for good.
    fn left(&self) -> impl Iterator<Item = (usize, &Engine)> {
        let lost = self.schedule.lost();
        self.air.nodes.iter().enumerate().filter(move |(i, _)| !lost.contains(i))
    }

    /// Whether somebody is still to be forgotten, or what it had is to be made anew.
    fn forgets(&self) -> bool {
        !self.errands.is_empty() || self.left().any(|(_, node)| node.council.is_counting())
    }

    fn happen(&mut self, event: &Event) {
        if self.is_told {
            say(&format!("{:>6} ms  {event:?}", self.air.now / MS));
        }
        match *event {
            Event::Air(ref change) => {
                self.radio.change(change);
                self.tune();
            }
            Event::Node(i, deed) => self.disturb(i, deed),
            Event::Program(number, Step::Asks) => {
                self.programs[number] = Program::Asking;
                self.attend(number);
            }
            Event::Program(number, Step::IsKilled) => self.kill(number),
        }
    }

    fn tune(&mut self) {
        self.air.hears = self.radio.hears();
        self.air.loss = self.radio.loss().into();
    }

    fn disturb(&mut self, i: usize, deed: Deed) {
        match deed {
            Deed::Stop => {
                self.daemons[i] = Daemon::IsStopped;
                self.air.clocks.stop(i);
            }
            Deed::Continue => {
                self.daemons[i] = Daemon::Runs;
                self.air.go_on(i);
            }
            Deed::Kill => {
                self.daemons[i] = Daemon::IsDead;
                self.air.clocks.stop(i);
                self.bereave(i);
            }
            Deed::Fail => {
                self.daemons[i] = Daemon::IsDead;
                self.air.clocks.stop(i);
                self.bury(i);
            }
            Deed::Forget(node) => self.errands.add(i, node),
            Deed::Start if self.errands.are_about(i) => drop(self.to_start.insert(i)),
            Deed::Start => {
                self.daemons[i] = Daemon::Runs;
                // Nobody has kept frames for it.
                drop(self.air.clocks.go_on(i));
                let inside = self.air.book.inside.values().filter(|inside| inside.node == i);
                self.outlived += inside.count() as u64;
                if self.is_forgetful {
                    self.air.wipe(i);
                }
                self.air.restart(i, false);
            }
        }
    }

    /// A daemon was killed: its programs are told, and those that waited will ask again.
    fn bereave(&mut self, i: usize) {
        let asks = self.schedule.asks.iter();
        for (ask, program) in asks.zip(&mut self.programs).filter(|(ask, _)| ask.node == i) {
            match *program {
                Program::Waiting(ticket) if self.air.book.inside.contains_key(&ticket) => {
                    *program = Program::Inside { ticket, until: self.air.now + ask.hold * MS };
                    self.air.book.told.insert(ticket);
                }
                Program::Waiting(ticket) => {
                    self.air.book.asked.remove(&ticket);
                    *program = Program::Asking;
                }
                Program::Inside { ticket, .. } => drop(self.air.book.told.insert(ticket)),
                _ => {}
            }
        }
    }

    /// A machine has failed, with all programs that had begun there.
    fn bury(&mut self, i: usize) {
        let asks = self.schedule.asks.iter();
        for (_, program) in asks.zip(&mut self.programs).filter(|(ask, _)| ask.node == i) {
            if let Program::Waiting(ticket)
            | Program::Inside { ticket, .. }
            | Program::Dying(ticket) = *program
                && self.air.book.asked.remove(&ticket).is_none()
            {
                self.air.book.leave(ticket);
            }
            if !matches!(program, Program::Idle | Program::Served) {
                *program = Program::Killed;
            }
        }
    }

    /// A program is killed. Its node notices when it runs.
    fn kill(&mut self, number: usize) {
        let program = &mut self.programs[number];
        match *program {
            Program::Served => {}
            Program::Waiting(ticket) | Program::Inside { ticket, .. } => {
                *program = Program::Dying(ticket);
                self.attend(number);
            }
            _ => *program = Program::Killed,
        }
    }

    /// A millisecond.
    fn go_on(&mut self) {
        self.air.run(MS);
        self.errands.go_on(&mut self.air, &self.daemons);
        let to_start = core::mem::take(&mut self.to_start);
        to_start.into_iter().for_each(|i| self.disturb(i, Deed::Start));
        (0..self.programs.len()).for_each(|number| self.attend(number));
    }

    /// What a program does next.
    fn attend(&mut self, number: usize) {
        let ask = self.schedule.asks[number];
        let daemon = self.daemons[ask.node];
        let now = self.air.now;
        match self.programs[number] {
            Program::Asking if daemon == Daemon::Runs => {
                let ticket = self.air.acquire(ask.node, &key(ask.lock), ask.group.into());
                self.programs[number] = Program::Waiting(ticket);
            }
            Program::Waiting(ticket) if self.air.book.inside.contains_key(&ticket) => {
                let until = now + ask.hold * MS;
                self.programs[number] = Program::Inside { ticket, until };
                let healed_at = self.begun + self.schedule.healed_at * MS;
                self.worst = self.worst.max(now.saturating_sub(healed_at));
            }
            // Its node was forgotten, and it asks again.
            Program::Waiting(ticket) if !self.air.book.asked.contains_key(&ticket) => {
                self.programs[number] = Program::Asking;
            }
            Program::Inside { ticket, until } if daemon != Daemon::IsStopped => {
                let is_told = self.air.book.told.contains(&ticket);
                let until = match is_told && self.schedule.stops_alone {
                    true => until.min(now + GRACE_MS * MS),
                    false => until,
                };
                self.programs[number] = Program::Inside { ticket, until };
                if is_told && !ask.is_stubborn || until <= now {
                    self.leave(ask.node, ticket);
                    self.programs[number] = Program::Served;
                }
            }
            Program::Dying(ticket) if daemon != Daemon::IsStopped => {
                self.leave(ask.node, ticket);
                self.programs[number] = Program::Killed;
            }
            _ => {}
        }
    }

    /// A program leaves, or is dead. A node that is dead as well is not there to hear of it.
    fn leave(&mut self, node: usize, ticket: Ticket) {
        let book = &mut self.air.book;
        match (self.daemons[node], book.inside.contains_key(&ticket)) {
            (Daemon::IsDead, true) => drop(book.leave(ticket)),
            (Daemon::IsDead, false) => drop(book.asked.remove(&ticket)),
            (_, true) => self.air.release(ticket),
            (_, false) if book.asked.contains_key(&ticket) => self.air.withdraw(ticket),
            // Its node was forgotten, and has refused it.
            (_, false) => {}
        }
    }

    fn who_waits(&self) -> String {
        let all = self.programs.iter().zip(&self.schedule.asks).enumerate();
        let waiting = all.filter(|(_, (program, _))| !is_done(program));
        let waiting = waiting.map(|(k, (program, ask))| format!("\n  {k} is {program:?}: {ask:?}"));
        let views = self.left().map(|(i, node)| format!("\n  {i}: {:?}", node.council.view()));
        waiting.chain(views).collect()
    }
}

fn is_done(program: &Program) -> bool {
    matches!(program, Program::Served | Program::Killed)
}

fn key(lock: faults::Lock) -> Key {
    let kind = match lock.kind {
        faults::Kind::Exclusive => Kind::Exclusive,
        faults::Kind::Permits(k) => Kind::Permits(k),
        faults::Kind::Group => Kind::Group,
        faults::Kind::Local => Kind::Local,
    };
    Key::new(lock.name, kind).expect("a name")
}

impl Tally {
    pub(crate) fn add(&mut self, run: &Run) {
        let count = |deed| {
            run.schedule.count(|event| matches!(event, Event::Node(_, done) if *done == deed))
        };
        self.runs += 1;
        self.entries += run.air.book.grants.values().sum::<usize>();
        self.kills += count(Deed::Kill);
        self.stops += count(Deed::Stop);
        let killed = run.programs.iter().filter(|program| **program == Program::Killed);
        self.killed += killed.count();
        self.outlived += run.outlived;
        self.returned += run.air.returned;
        self.forgotten += run.errands.done;
        self.made += run.air.recounts.iter().map(|recount| recount.made.len()).sum::<usize>();
        self.worst_ms = self.worst_ms.max(run.worst / MS);
    }
}
