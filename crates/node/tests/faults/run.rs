//! One schedule, carried out: [`Run`].

use driftlock_faults::{self as faults, Deed, Event, HELLO_MS, Schedule, Step};
use driftlock_locks::{Key, Kind, Ticket};

use super::say;
use crate::air::Air;

/// A millisecond.
const MS: u64 = 1_000;

/// By then everybody is served, once all is well.
const PATIENCE: u64 = 60_000 * MS;

/// What a daemon does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Daemon {
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
    /// The longest wait once all was well, in milliseconds.
    worst_ms: u64,
}

/// A schedule, and how far it is.
pub(crate) struct Run {
    schedule: Schedule,
    air: Air,
    radio: faults::Air,
    daemons: Vec<Daemon>,
    programs: Vec<Program>,
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
        let mut run = Run {
            air: Air::with_hello(schedule.nodes, seed, HELLO_MS * MS),
            radio: faults::Air::new(&schedule.links),
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
        for (at, event) in self.schedule.events.clone() {
            while self.air.now < at * MS {
                self.go_on();
            }
            self.happen(&event);
        }
        let healed = self.air.now;
        while !self.programs.iter().all(is_done) {
            self.go_on();
            let is_late = PATIENCE < self.air.now - healed;
            assert!(!is_late, "seed {seed}: not served:{}", self.who_waits());
        }
        for (i, node) in self.air.nodes.iter().enumerate() {
            let lost = node.links.counters().lost;
            assert_eq!((lost, &node.missing), (0, &Default::default()), "seed {seed}: node {i}");
        }
        let founders = self.air.nodes.iter().filter(|node| node.locks.is_founder());
        assert_eq!(founders.count(), 1, "seed {seed}");
        let returned = self.air.nodes.iter().map(|node| node.links.counters().returned);
        self.air.returned += returned.sum::<u64>();
        self
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
                let waited = now.saturating_sub(self.schedule.healed_at * MS);
                self.worst = self.worst.max(waited);
            }
            Program::Inside { ticket, until } if daemon != Daemon::IsStopped => {
                let is_told = !ask.is_stubborn && self.air.book.told.contains(&ticket);
                if is_told || until <= now {
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
        let is_inside = self.air.book.inside.contains_key(&ticket);
        match self.daemons[node] {
            Daemon::IsDead if is_inside => drop(self.air.book.leave(ticket)),
            Daemon::IsDead => drop(self.air.book.asked.remove(&ticket)),
            _ if is_inside => self.air.release(ticket),
            _ => self.air.withdraw(ticket),
        }
    }

    fn who_waits(&self) -> String {
        let all = self.programs.iter().zip(&self.schedule.asks).enumerate();
        let waiting = all.filter(|(_, (program, _))| !is_done(program));
        waiting.map(|(k, (program, ask))| format!("\n  {k} is {program:?}: {ask:?}")).collect()
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
        self.worst_ms = self.worst_ms.max(run.worst / MS);
    }
}
