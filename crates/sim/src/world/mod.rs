//! The loop: [`World`].
//!
//! What the loop does with an event is in the files beside this one: `application`, `messages`,
//! `mobility` and `crashes`.

mod application;
mod crashes;
mod messages;
mod mobility;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::ops::ControlFlow;

use driftlock_core::{
    Graph, Initial, Input, Inspect, NodeId, Out, Output, Protocol, ResourceId, Ticks, Tokens,
};
use driftlock_journal::{Digest, End, Event as Recorded, Footer, Record, Writer};
use driftlock_spec::exclusion::Exclusion;
use driftlock_spec::progress::Calm;
use driftlock_spec::{Monitor, Rules, Violation};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::agenda::Agenda;
use crate::changes::{Change, Changes};
use crate::dice::{Dice, Sequence, Stream};
use crate::links::{Links, Transit};
use crate::metrics::{Meter, Metrics, Shares};
use crate::routes::Routes;
use crate::scenario::{Medium, Scenario, ScenarioError, Undefined};
use crate::span::{Length, Span, TICKS_PER_UNIT, UNITS_MAX, ticks, units};

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
    /// A node asks, for this or for what is drawn.
    Request(NodeId, Option<ResourceId>),
    /// A node leaves the critical section, if it is still the visit it was when this was planned.
    Release(NodeId, u32),
    /// The next random link change is due.
    Change,
    /// The next change of the script is due.
    ScriptedChange(Change),
    /// A node stops for good.
    Crash(NodeId),
    /// A timer goes off, unless it was set anew or unset since.
    Timer(NodeId, T, u64),
}

impl<M, T> Event<M, T> {
    /// Whether this happens only in the storm.
    #[inline]
    fn is_stormy(&self) -> bool {
        use Event::{Change, Crash, Request, ScriptedChange};
        matches!(self, Request(..) | Change | ScriptedChange(_) | Crash(_))
    }
}

/// A node: its process and its application.
#[derive(Clone, Debug)]
struct Site<P> {
    process: P,
    /// When the application asked last.
    asked_at: u64,
    /// How often it asked.
    asked: u32,
    /// How often it got in.
    visits: u32,
    /// What it asked for last.
    wanted: ResourceId,
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
    links: Links,
    routes: Option<Routes<P::Msg>>,
    changes: Option<Changes>,
    /// How many wait, when the last of them was served or the first of them asked, and how long
    /// nobody may be served in the storm before that looks like for ever.
    waiting: u64,
    served_at: u64,
    storm_patience: u64,
    /// How long the calm may last.
    patience: u64,
    /// Links that are to go down and would disconnect what is known.
    held_up: Vec<(NodeId, NodeId)>,
    /// For each timer that is set, which setting of it counts.
    timers: BTreeMap<(NodeId, P::Timer), u64>,
    settings: u64,
    rules: Rules,
    monitor: Monitor,
    meter: Meter,
    metrics: Option<Metrics>,
    out: Out<P::Msg, P::Timer>,
    end: End,
    journal: Option<Journal<'w>>,
    scenario: &'w Scenario,
}

/// A journal being written. The first error ends the writing and is told at the end of the run.
struct Journal<'w> {
    writer: Writer<&'w mut dyn io::Write>,
    /// The input of the step that is being taken.
    input: Option<Recorded>,
    digest: Digest,
    error: Option<io::Error>,
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
    /// Set up a run of a protocol that promises what is usual: mutual exclusion, or as many inside
    /// as there are tokens.
    pub fn new(scenario: &'w Scenario, config: &P::Config) -> Result<Self, ScenarioError> {
        let exclusion = Exclusion::AtMost(scenario.tokens());
        World::under(scenario, config, Rules { exclusion, ..Rules::default() })
    }

    /// Set up a run of a protocol that promises what `rules` say. What they say of undefined steps
    /// and of networks that fall apart is up to the scenario.
    pub fn under(
        scenario: &'w Scenario,
        config: &P::Config,
        rules: Rules,
    ) -> Result<Self, ScenarioError> {
        scenario.check()?;
        let dice = Dice::new(scenario.seed);
        let graph = scenario.network.draw(&mut dice.sequence(Stream::Network))?;
        let processes = P::initial(set_up_on(scenario, &graph)?.as_ref(), config);
        let rules = Rules {
            undefined_stops: scenario.undefined == Undefined::Stop,
            partitions: scenario.may_fall_apart(),
            ..rules
        };
        let monitor = Monitor::new(&processes, rules).on(&processes, &graph);
        let shares = Shares { tokens: scenario.tokens(), resources: scenario.resources() };
        let n = graph.n_nodes();
        let askers = scenario.requests.nodes.as_ref().map_or(n, Vec::len);
        let (law, rate) = (&scenario.link_changes, scenario.requests.rate);
        let mut world = World {
            dice,
            delays: dice.sequence(Stream::Delay),
            delay: Length::of(scenario.delay),
            stay: Length::of(scenario.critical_section),
            pause: (rate > 0.0).then(|| Length::of(Span::Exponential(1.0 / rate))),
            now: 0,
            phase: Phase::Storm,
            deadline: scenario.measure().until.map_or(u64::MAX, ticks),
            agenda: Agenda::new(),
            sites: processes.into_iter().map(Site::new).collect(),
            backlog: BTreeMap::new(),
            crashed: BTreeSet::new(),
            links: Links::new(&graph),
            routes: (scenario.medium() == Medium::Routed).then(|| Routes::new(n)),
            changes: Changes::new(&graph, law, dice.sequence(Stream::Links))?,
            waiting: 0,
            served_at: 0,
            storm_patience: storm_patience(scenario, n),
            patience: patience(scenario, n),
            held_up: Vec::new(),
            timers: BTreeMap::new(),
            settings: 0,
            rules,
            monitor,
            meter: Meter::new(scenario.measure(), P::KINDS, n, askers, shares),
            metrics: None,
            out: Out::new(),
            end: End::BrokenOff,
            journal: None,
            scenario,
        };
        world.plan_ahead(&graph)?;
        Ok(world)
    }

    /// Write the run down.
    pub fn record(
        mut self,
        config: &P::Config,
        software: &str,
        to: &'w mut dyn io::Write,
    ) -> Result<Self, io::Error>
    where
        P::Config: Serialize,
    {
        let graph = self.scenario.network.draw(&mut self.dice.sequence(Stream::Network));
        let graph = graph.map_err(io::Error::other)?;
        let graph = set_up_on(self.scenario, &graph).map_err(io::Error::other)?;
        let header = driftlock_journal::Header {
            software: software.into(),
            protocol: self.scenario.protocol.clone(),
            config: serde_json::to_value(config)?,
            routed: self.routes.is_some(),
            undefined_stops: self.scenario.undefined == Undefined::Stop,
            n_nodes: NodeId::at(self.sites.len()).0,
            ticks_per_unit: TICKS_PER_UNIT,
            scenario: Some(self.scenario.to_toml()),
            rules: self.unusual_rules()?,
        };
        let writer = Writer::new(to, &header, graph.links())?;
        self.journal =
            Some(Journal { writer, input: None, digest: Digest::default(), error: None });
        Ok(self)
    }

    /// The rules, unless a journal need not tell them.
    fn unusual_rules(&self) -> Result<serde_json::Value, io::Error> {
        let undefined_stops = self.rules.undefined_stops;
        if self.rules == (Rules { undefined_stops, ..Rules::default() }) {
            return Ok(serde_json::Value::Null);
        }
        Ok(serde_json::to_value(self.rules)?)
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
        Run {
            metrics: self.metrics.take().unwrap_or_default(),
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
        let Some((at, event)) = self.agenda.pop() else {
            self.end_storm();
            self.end = End::Silent;
            self.judge_calm(self.now, Calm::Silent);
            return false;
        };
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
            Event::Request(node, resource) => self.request(node, resource),
            Event::Release(node, visit) => self.release(node, visit),
            Event::Change => self.change(),
            Event::ScriptedChange(change) => self.follow(change),
            Event::Crash(node) => self.crash(node),
            Event::Timer(node, timer, setting) => self.ring(node, timer, setting),
        }
        true
    }

    /// Whether nothing is left to wait for in a calm: the protocol never falls silent, and nobody
    /// waits. Where the network has fallen apart, some still have to find out.
    fn owes_nothing(&self) -> bool {
        !self.rules.silent && !self.rules.partitions && self.waiting == 0
    }

    /// Whether the network may fall apart.
    fn apart(&self) -> bool {
        self.rules.partitions
    }

    /// If nobody was served for so long that it takes a calm to see whether anyone ever is, or if
    /// nobody is left to ask, the storm is over.
    fn end_stalled_storm(&mut self) {
        let late = self.now > self.served_at.saturating_add(self.storm_patience);
        if self.waiting > 0 && late || self.nobody_asks() {
            self.end_storm();
        }
    }

    /// From here on nobody asks anew and links stay.
    fn end_storm(&mut self) {
        if self.phase != Phase::Storm {
            return;
        }
        self.metrics = Some(self.meter.finish(self.now));
        self.phase = Phase::Calm;
        self.deadline = self.now.saturating_add(self.patience);
    }

    fn judge_calm(&mut self, at: u64, calm: Calm) {
        let processes = self.sites.iter().map(|site| &site.process);
        self.monitor.calm_ended(Ticks(at), calm, processes);
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
            Output::Demote => {
                self.sites[node.index()].visits += 1;
                self.waiting += 1;
                self.meter.left(self.now);
            }
            Output::SetTimer { timer, after } => self.set_timer(node, timer, after),
            Output::CancelTimer { timer } => drop(self.timers.remove(&(node, timer))),
            Output::Note(what) => self.meter.noted(what),
            Output::Undefined(_) => {}
        }
    }

    #[cold]
    fn write_down(&mut self, node: NodeId) {
        let status = self.sites[node.index()].process.status();
        let Some(journal) = self.journal.as_mut().filter(|journal| journal.error.is_none()) else {
            return;
        };
        let check = journal.digest.of(self.out.as_slice(), status);
        if let Some(event) = journal.input.take() {
            let record = Record { at: self.now, node, event, check };
            journal.error = journal.writer.record(&record).err();
        }
    }

    /// Write down what is no step of any process.
    fn write_down_fault(&mut self, node: NodeId, event: Recorded) {
        if let Some(journal) = self.journal.as_mut().filter(|journal| journal.error.is_none()) {
            let record = Record { at: self.now, node, event, check: 0 };
            journal.error = journal.writer.record(&record).err();
        }
    }
}

impl<P: Protocol> Site<P> {
    fn new(process: P) -> Self {
        Site { process, asked_at: 0, asked: 0, visits: 0, wanted: ResourceId(0) }
    }
}

/// How long a calm may last: long enough for all nodes to be served one after the other, each over
/// the longest detour, after all heights have settled.
fn patience(scenario: &Scenario, n_nodes: usize) -> u64 {
    let rounds = 2.0 * n_nodes as f64 + 2.0;
    ticks(scenario.calm_limit.unwrap_or_else(|| rounds * round(scenario, n_nodes)))
}

/// How long nobody may be served in the storm. Where the network may fall apart, tokens may be gone
/// for good, so one detour is enough; whoever waits is owed the calm in any case.
fn storm_patience(scenario: &Scenario, n_nodes: usize) -> u64 {
    if scenario.may_fall_apart() && scenario.calm_limit.is_none() {
        return ticks(round(scenario, n_nodes));
    }
    patience(scenario, n_nodes)
}

/// Enough time, in units, for a node to be served over the longest detour.
fn round(scenario: &Scenario, n_nodes: usize) -> f64 {
    let detour = 4.0 * n_nodes as f64 * scenario.delay.longest();
    (detour + scenario.critical_section.longest()).min(UNITS_MAX)
}

/// The network the processes are set up on.
fn set_up_on<'g>(scenario: &Scenario, graph: &'g Graph) -> Result<Cow<'g, Graph>, ScenarioError> {
    match scenario.medium() {
        Medium::Links => Ok(Cow::Borrowed(graph)),
        Medium::Routed => {
            let mut die = Dice::new(scenario.seed).sequence(Stream::Tree);
            scenario.network.draw(&mut die).map(Cow::Owned)
        }
    }
}
