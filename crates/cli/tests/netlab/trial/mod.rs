//! A schedule of faults, carried out on real daemons with real commands: [`run`].
//!
//! Each program is `driftlock lock NAME -- sh inside.sh ..`, whose command writes to files outside
//! of the system when it begins and when it ends, and whether somebody else was inside
//! (`inside.sh`). What is in these files is judged when all is over (`judge`).

mod daemons;
mod errands;
pub(crate) mod judge;
pub(crate) mod outcome;
pub(crate) mod pool;
mod programs;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use driftlock_faults::{Air, Deed, Event, LOCKS, Schedule, Step};

use self::daemons::Daemons;
use self::errands::Errands;
use self::outcome::Outcome;
use self::programs::Programs;
use crate::lab::Lab;

/// By then everybody is served, once all is well, on a machine that has other things to do, too.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often programs are looked after.
const PAUSE: Duration = Duration::from_millis(5);

/// What a command does that has a lock.
const INSIDE: &str = include_str!("inside.sh");

/// Carry out the schedule of a seed. `None` if somebody wants it to stop before it is over.
pub(crate) fn run(seed: u64, stop: &AtomicBool, is_told: bool) -> Option<Outcome> {
    let schedule = Schedule::draw(seed);
    let lab = Lab::open(schedule.nodes as u32).unwrap_or_else(|why| panic!("no lab: {why}"));
    let folder = lab.folder.path();
    prepare(folder);
    let mut trial = Trial {
        programs: Programs::new(&schedule, folder),
        errands: Errands::new(schedule.stops_alone),
        to_start: BTreeSet::new(),
        daemons: Daemons::start(lab, &schedule),
        air: Air::new(&schedule.links),
        schedule,
        story: String::new(),
        stop,
        is_told,
    };
    let outcome = trial.carry_out();
    if outcome.as_ref().is_some_and(|outcome| !outcome.wrong.is_empty()) {
        trial.daemons.lab.folder.disable_cleanup(true);
    }
    outcome
}

/// What commands need in the folder that they run in.
pub(crate) fn prepare(folder: &Path) {
    fs::write(folder.join("inside.sh"), INSIDE).unwrap();
    for lock in LOCKS {
        fs::write(folder.join(format!("{}.count", lock.name)), "0\n").unwrap();
    }
}

struct Trial<'a> {
    schedule: Schedule,
    // They go first: their nodes are there to the end.
    programs: Programs,
    errands: Errands,
    daemons: Daemons,
    /// Who is started once it is forgotten.
    to_start: BTreeSet<usize>,
    air: Air,
    /// What has happened.
    story: String,
    stop: &'a AtomicBool,
    is_told: bool,
}

impl Trial<'_> {
    fn carry_out(&mut self) -> Option<Outcome> {
        self.tune();
        if self.schedule.forgets() {
            self.await_members()?;
        }
        let start = Instant::now();
        for (at, event) in self.schedule.events.clone() {
            self.go_on_until(start + Duration::from_millis(at), |_| false)?;
            self.tell(&format!("{:>6} ms  {event:?}", start.elapsed().as_millis()));
            self.happen(&event);
        }
        let healed_at = uptime();
        self.errands.spare_the_living(&self.daemons);
        let is_over = |trial: &Trial<'_>| trial.programs.are_over() && trial.errands.is_empty();
        self.go_on_until(Instant::now() + PATIENCE, is_over)?;
        let folder = self.daemons.lab.folder.path().to_owned();
        fs::write(folder.join("story"), &self.story).unwrap();
        let mut outcome = Outcome::of(&self.schedule);
        self.programs.conclude(&mut outcome);
        outcome.forgotten = self.errands.done;
        if !self.errands.is_empty() {
            outcome.wrong.push("somebody is not forgotten".to_owned());
        }
        judge::judge(&folder, &mut outcome);
        outcome.worst_wait_ms = self.programs.worst_wait(&folder, healed_at);
        if outcome.wrong.is_empty() {
            self.daemons.conclude(&self.schedule.lost(), &mut outcome);
        }
        if !outcome.wrong.is_empty() {
            self.daemons.describe();
            outcome.folder = Some(folder.display().to_string());
        }
        Some(outcome)
    }

    /// Look after programs until it is time, or something is the case.
    fn go_on_until(&mut self, until: Instant, is_enough: impl Fn(&Self) -> bool) -> Option<()> {
        loop {
            self.programs.go_on(&mut self.daemons);
            self.errands.go_on(&mut self.daemons);
            let to_start = core::mem::take(&mut self.to_start);
            to_start.into_iter().for_each(|i| self.disturb(i, Deed::Start));
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || is_enough(self) {
                return Some(());
            }
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            std::thread::park_timeout(left.min(PAUSE));
        }
    }

    fn happen(&mut self, event: &Event) {
        match *event {
            Event::Air(ref change) => {
                self.air.change(change);
                self.tune();
            }
            Event::Node(i, deed) => self.disturb(i, deed),
            Event::Program(number, Step::Asks) => {
                self.programs.ask(number);
                self.programs.go_on(&mut self.daemons);
            }
            Event::Program(number, Step::IsKilled) => self.programs.kill(number),
        }
    }

    fn disturb(&mut self, i: usize, deed: Deed) {
        match deed {
            Deed::Forget(node) => self.errands.add(i, node),
            Deed::Start if self.errands.are_about(i) => drop(self.to_start.insert(i)),
            _ => self.daemons.disturb(i, deed),
        }
        match deed {
            Deed::Kill => self.programs.bereave(i),
            Deed::Fail => self.programs.bury(i),
            _ => {}
        }
    }

    /// Nothing happens before everybody is a member.
    fn await_members(&mut self) -> Option<()> {
        let until = Instant::now() + PATIENCE;
        while !self.daemons.are_members() {
            assert!(Instant::now() < until, "not all are members");
            self.go_on_until(Instant::now() + 10 * PAUSE, |_| false)?;
        }
        Some(())
    }

    /// Have the bridge do what the schedule says.
    fn tune(&mut self) {
        let id = |i: usize| i as u32 + 1;
        let near = self.air.hears().into_iter().map(|(from, to)| (id(from), id(to))).collect();
        self.daemons.lab.set_near(&near);
        self.daemons.lab.set_loss(self.air.loss());
    }

    fn tell(&mut self, line: &str) {
        self.story += line;
        self.story.push('\n');
        if self.is_told {
            let mut stderr = std::io::stderr().lock();
            writeln!(stderr, "{line}").unwrap();
        }
    }
}

/// How long the machine has been up, in seconds. Commands write that down.
fn uptime() -> f64 {
    let text = fs::read_to_string("/proc/uptime").unwrap();
    text.split_whitespace().next().unwrap().parse().unwrap()
}
