//! The loop: [`World`].
//!
//! What the loop does with an event is in the files beside this one: `application`, `messages`,
//! `packets`, `mobility`, `traced` and `crashes`; `ahead` makes large networks fast; what comes
//! before all events is in `setup`.

mod ahead;
mod application;
mod crashes;
mod journal;
mod messages;
mod mobility;
mod packets;
mod setup;
mod traced;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::ops::ControlFlow;

use driftlock_core::{
    Initial, Input, Inspect, NodeId, Out, Output, Protocol, ResourceId, Ticks, Tokens,
};
use driftlock_journal::{End, Event as Recorded, Footer};
use driftlock_spec::progress::Calm;
use driftlock_spec::{Monitor, Rules, Violation};
use serde::Serialize;
use serde::de::DeserializeOwned;

use self::ahead::LARGE;
use self::journal::Journal;
use self::traced::Walk;
use crate::agenda::Agenda;
use crate::changes::{Change, Changes};
use crate::dice::{Dice, Sequence};
use crate::links::{Links, Transit};
use crate::metrics::{Meter, Metrics, Trouble};
use crate::motion::Movers;
use crate::routes::Routes;
use crate::scenario::{Moment, Scenario};
use crate::span::{Length, units};

/// What a protocol has to offer to be simulated, watched and written down.
pub trait Simulated:
    Initial + Inspect + Tokens<Msg: Serialize, Timer: Serialize + DeserializeOwned>
{
}

impl<P> Simulated for P where
    P: Initial + Inspect + Tokens<Msg: Serialize, Timer: Serialize + DeserializeOwned>
{
}

/// What is on the agenda.
#[derive(Clone, Debug)]
enum Event<M, T> {
    /// A message arrives at the other end of a link.
    Arrive(Transit, M),
    /// A routed packet arrives at the other end of a link.
    Hop(Transit, u32),
    /// A routed packet has no way to go on.
    Gone(u32),
    /// A node asks, for this or for what is drawn.
    Request(NodeId, Option<ResourceId>),
    /// A node leaves the critical section, if it is still the visit it was when this was planned.
    Release(NodeId, u32),
    /// The next random link change is due.
    Change,
    /// The next change of the script is due.
    ScriptedChange(Change),
    /// The next change of the trace is due.
    Traced,
    /// A node sets out, or has gone on for a while.
    Move(NodeId),
    /// The next message of this kind is lost.
    Lose(usize),
    /// A node stops for good, now or at the first such moment.
    Crash(NodeId, Option<Moment>),
    /// A timer goes off, unless it was set anew or unset since.
    Timer(NodeId, T, u64),
}

impl<M, T> Event<M, T> {
    /// Whether this happens only in the storm.
    #[inline]
    fn is_stormy(&self) -> bool {
        use Event::{Change, Crash, Lose, Move, Request, ScriptedChange, Traced};
        let changes = matches!(self, Change | ScriptedChange(_) | Traced | Move(_));
        changes || matches!(self, Request(..) | Lose(_) | Crash(..))
    }
}

/// A node: its process and its application. It begins a cache line, so that it is in as few as can
/// be.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Site<P> {
    process: P,
    /// When the application asked last, or was sent back to waiting.
    asked_at: u64,
    /// How often it asked.
    asked: u32,
    /// How often it got in.
    visits: u32,
    /// What it asked for last.
    wanted: ResourceId,
    /// Whether the node was the moving end of a new link since then.
    moved: bool,
}

/// Where a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Nodes ask and links change.
    Storm,
    /// Both have ceased.
    Calm,
}

/// A run.
pub struct World<'w, P: Simulated> {
    dice: Dice,
    delays: Sequence,
    delay: Length,
    stay: Length,
    /// How long nodes think, unless they never ask by themselves.
    pause: Option<Length>,
    now: u64,
    phase: Phase,
    /// When the storm or the calm has to be over.
    deadline: u64,
    agenda: Agenda<Event<P::Msg, P::Timer>>,
    sites: Vec<Site<P>>,
    /// Requests that came while the node waited or was inside.
    backlog: BTreeMap<NodeId, VecDeque<Option<ResourceId>>>,
    /// Those who have stopped for good.
    crashed: BTreeSet<NodeId>,
    /// For each node, whether most of all nodes are with it in the calm, once that is asked.
    quorum: Option<Vec<bool>>,
    /// Those who stop at the next such moment.
    doomed: Vec<(NodeId, Moment)>,
    /// The kinds of messages of which the next one is lost.
    cursed: Vec<usize>,
    links: Links,
    routes: Option<Routes<P::Msg>>,
    /// Which messages are lost.
    losses: Sequence,
    changes: Option<Changes>,
    /// Which end of a new link moved, where that is drawn.
    roles: Sequence,
    movers: Option<Movers>,
    walk: Option<Walk>,
    /// What changes because a node has moved: memory that is used again.
    moves: Vec<Change>,
    /// How many wait, when the last of them was served or the first of them asked, and how long
    /// nobody may be served in the storm before that looks like for ever.
    waiting: u64,
    served_at: u64,
    storm_patience: u64,
    /// How long the calm may last.
    patience: u64,
    /// The longest time that a timer was ever set for: what got lost is not noticed before.
    longest_timer: u64,
    /// Links that are to go down and that the network needs, or what is known of it.
    held_up: Vec<(NodeId, NodeId)>,
    /// For each timer that is set, which setting of it counts.
    timers: BTreeMap<(NodeId, P::Timer), u64>,
    settings: u64,
    rules: Rules,
    monitor: Monitor,
    meter: Meter,
    /// The last scripted crash, loss or link change, where recovery is asked for.
    trouble: Option<Trouble>,
    metrics: Option<Metrics>,
    out: Out<P::Msg, P::Timer>,
    end: End,
    journal: Option<Journal<'w>>,
    scenario: &'w Scenario,
}

/// How a run went.
#[derive(Debug)]
pub struct Run {
    /// What was measured.
    pub metrics: Metrics,
    /// The first broken promise.
    pub violation: Option<Violation>,
    /// Steps of all processes, in storm and calm.
    pub steps: u64,
    /// When the last one was, in units.
    pub ended_at: f64,
    /// Whether the run was broken off from outside before its end.
    pub interrupted: bool,
    /// Why the journal could not be written.
    pub journal_error: Option<io::Error>,
}

/// How many events pass between two looks at whether the storm has stalled or to break off.
const EVENTS_BETWEEN_LOOKS: u64 = 1 << 14;

impl<'w, P: Simulated> World<'w, P> {
    /// Count bytes, and look at how the last trouble of a script ends. Both take time.
    #[must_use]
    pub fn in_detail(mut self) -> Self {
        self.meter.in_detail = true;
        self
    }

    /// Run to the end.
    pub fn run(self) -> Run {
        self.run_watched(&mut |_| ControlFlow::Continue(()))
    }

    /// Run to the end, or until `watch` breaks it off. Now and then `watch` is told how many
    /// entries there were.
    pub fn run_watched(mut self, watch: &mut dyn FnMut(u64) -> ControlFlow<()>) -> Run {
        let mut interrupted = false;
        for events in 1u64.. {
            if self.monitor.violation().is_some() || !self.next() {
                break;
            }
            if events % EVENTS_BETWEEN_LOOKS == 0 {
                self.end_stalled_storm();
                interrupted = watch(self.meter.entries()).is_break();
                if interrupted {
                    break;
                }
            }
        }
        self.end_storm();
        self.finish(interrupted)
    }

    fn finish(mut self, interrupted: bool) -> Run {
        let violation = self.monitor.violation().cloned();
        let footer = Footer {
            steps: self.monitor.steps(),
            ended_at: self.now,
            end: self.end,
            violation: violation.as_ref().map(Violation::to_string),
        };
        let journal_error = self.journal.take().and_then(|journal| match journal.error {
            Some(error) => Some(error),
            None => journal.writer.finish(&footer).err(),
        });
        let mut metrics = self.metrics.take().unwrap_or_default();
        if let Some(detail) = &mut metrics.detail {
            detail.recovery = self.trouble.as_ref().map(Trouble::recovery);
        }
        Run {
            metrics,
            violation,
            steps: self.monitor.steps(),
            ended_at: units(self.now),
            interrupted,
            journal_error,
        }
    }

    /// Let the next event happen. Returns whether there was one.
    #[inline]
    fn next(&mut self) -> bool {
        if self.sites.len() >= LARGE {
            self.look_ahead();
        }
        let Some((at, event)) = self.agenda.pop() else {
            self.end_storm();
            self.end = End::Silent;
            self.judge_calm(self.now, Calm::Silent);
            return false;
        };
        // A timer that was unset keeps nobody waiting.
        if let Event::Timer(node, timer, setting) = &event
            && !self.is_set(*node, timer, *setting)
        {
            return true;
        }
        if self.phase == Phase::Storm && at > self.deadline {
            self.now = self.deadline;
            self.end_storm();
        }
        if self.phase == Phase::Calm {
            if event.is_stormy() {
                return true;
            }
            if at > self.deadline || self.owes_nothing() {
                self.end = End::Restless;
                self.judge_calm(self.deadline.min(at), Calm::Restless);
                return false;
            }
        }
        self.now = at;
        match event {
            Event::Arrive(transit, msg) => self.arrive(transit, msg),
            Event::Hop(transit, packet) => self.hop(transit, packet),
            Event::Gone(packet) => self.lose(packet),
            Event::Request(node, resource) => self.request(node, resource),
            Event::Release(node, visit) => self.release(node, visit),
            Event::Change => self.change(),
            Event::ScriptedChange(change) => {
                self.trouble();
                self.follow(change);
            }
            Event::Traced => self.traced_change(),
            Event::Move(node) => self.travel(node),
            Event::Lose(kind) => self.cursed.push(kind),
            Event::Crash(node, once) => self.crash_once(node, once),
            Event::Timer(node, timer, _) => self.ring(node, timer),
        }
        if !self.doomed.is_empty() {
            self.crash_doomed();
        }
        true
    }

    /// Whether nothing is left to wait for in a calm: the protocol never falls silent, and nobody
    /// waits. Where the network has fallen apart, some still have to find out.
    fn owes_nothing(&mut self) -> bool {
        let together = !self.rules.partitions || self.is_local();
        let silent = self.rules.asks_for_silence(self.waiting > 0);
        !silent && together && (self.waiting == 0 || self.only_others_wait())
    }

    /// Whether only neighbors exclude each other, and a node that stops is missed by nobody.
    #[inline]
    fn is_local(&self) -> bool {
        self.rules.locality.is_some()
    }

    /// Whether the network may fall apart.
    fn apart(&self) -> bool {
        self.rules.partitions
    }

    /// If nobody was served for so long that it takes a calm to see whether anyone ever is, if
    /// nobody is left to ask, or if nothing is left to be done, the storm is over.
    fn end_stalled_storm(&mut self) {
        // A trace brings apart and together whom it wants, and has an end.
        if self.walk.is_some() {
            return;
        }
        let late = self.now > self.served_at.saturating_add(self.storm_patience);
        if self.waiting > 0 && late || self.nobody_asks() || self.goes_on_for_nobody() {
            self.end_storm();
        }
    }

    /// From here on nobody asks anew and links stay.
    fn end_storm(&mut self) {
        if self.phase != Phase::Storm {
            return;
        }
        let mut metrics = self.meter.finish(self.now);
        metrics.nodes = self.sites.len() as u32;
        if let Some(walk) = self.walk.as_mut().filter(|_| self.scenario.stays_together()) {
            walk.pass(self.now, self.held_up.len());
            metrics.held_up = Some(walk.share_held_up());
        }
        self.metrics = Some(metrics);
        self.phase = Phase::Calm;
        self.doomed.clear();
        self.cursed.clear();
        let patience = self.patience.saturating_add(self.longest_timer.saturating_mul(4));
        self.deadline = self.now.saturating_add(patience);
    }

    fn judge_calm(&mut self, at: u64, calm: Calm) {
        let processes = self.sites.iter().map(|site| &site.process);
        self.monitor.calm_ended(Ticks(at), calm, processes);
        let majority_left = self.majority_left();
        if let Some(metrics) = &mut self.metrics {
            metrics.majority_left = majority_left;
        }
        if self.is_local() && !self.crashed.is_empty() {
            let fates = self.fates();
            let aftermath = Some(self.aftermath(&fates));
            if let Some(metrics) = &mut self.metrics {
                (metrics.aftermath, metrics.fates) = (aftermath, fates);
            }
        }
    }

    /// One step of one process, under the eyes of the monitor.
    #[inline(always)]
    fn step(&mut self, node: NodeId, input: Input<P::Msg, P::Timer>) {
        // After a broken promise nothing is owed to anyone, and no process is asked anything.
        if self.monitor.violation().is_some() {
            return;
        }
        let process = &mut self.sites[node.index()].process;
        self.monitor.before(Ticks(self.now), node, process, &input);
        if let Some(journal) = &mut self.journal {
            journal.input = Some(Recorded::of(&input));
        }
        process.step(input, &mut self.out);
        self.monitor.after(node, process, self.out.as_slice());
        if self.journal.is_some() {
            self.write_down(node);
        }
        if self.sites.len() >= LARGE {
            self.look_along_links(node);
        }
        let mut out = std::mem::take(&mut self.out);
        for output in out.drain() {
            self.act(node, output);
        }
        self.out = out;
    }

    /// Do what a process has answered.
    #[inline(always)]
    fn act(&mut self, node: NodeId, output: Output<P::Msg, P::Timer>) {
        match output {
            Output::Send { to, msg } => self.send(node, to, msg),
            Output::EnterCs => self.enter(node),
            Output::Demote => self.demote(node),
            Output::SetTimer { timer, after } => self.set_timer(node, timer, after),
            Output::CancelTimer { timer } => drop(self.timers.remove(&(node, timer))),
            Output::Note(what) => self.meter.noted(what),
            Output::Undefined(_) => {}
        }
    }
}

impl<P: Protocol> Site<P> {
    fn new(process: P) -> Self {
        let wanted = ResourceId(0);
        Site { process, asked_at: 0, asked: 0, visits: 0, wanted, moved: false }
    }
}
