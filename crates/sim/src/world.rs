//! The loop: [`World`].

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;

use driftlock_core::{
    Graph, Initial, Input, Inspect, LinkRole, NodeId, Out, Output, Protocol, ResourceId, Status,
    Ticks, Tokens,
};
use driftlock_journal::{Digest, End, Event as Recorded, Footer, Record, Writer};
use driftlock_spec::links::Downfall;
use driftlock_spec::progress::Calm;
use driftlock_spec::{Monitor, Rules, Violation};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::agenda::Agenda;
use crate::changes::{self, Change, Changes};
use crate::dice::{Dice, Sequence, Stream};
use crate::links::{Links, Transit};
use crate::metrics::{Meter, Metrics};
use crate::routes::Routes;
use crate::scenario::{ConnectedBy, Medium, Scenario, ScenarioError, Undefined};
use crate::span::{Length, Span, TICKS_PER_UNIT, ticks, units};

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
    /// A node asks.
    Request(NodeId),
    /// A node leaves the critical section, if it is still the visit it was when this was planned.
    Release(NodeId, u32),
    /// The next random link change is due.
    Change,
    /// The next change of the script is due.
    ScriptedChange(Change),
    /// A timer goes off, unless it was set anew or unset since.
    Timer(NodeId, T, u64),
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
    /// Scripted requests that came while it waited or was inside.
    backlog: u32,
}

/// Where a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Nodes ask and links change.
    Storm,
    /// Both have ceased. The calm has to end by this time.
    Calm(u64),
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
    agenda: Agenda<Event<P::Msg, P::Timer>>,
    sites: Vec<Site<P>>,
    links: Links,
    routes: Option<Routes<P::Msg>>,
    changes: Option<Changes>,
    /// Links that are to go down and would disconnect what is known.
    held_up: Vec<(NodeId, NodeId)>,
    /// For each timer that is set, which setting of it counts.
    timers: BTreeMap<(NodeId, P::Timer), u64>,
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

/// How many events pass between two looks at whether to break off.
const PATIENCE: u64 = 1 << 14;

impl<'w, P: Simulated> World<'w, P> {
    /// Set up a run.
    pub fn new(scenario: &'w Scenario, config: &P::Config) -> Result<Self, ScenarioError> {
        scenario.check()?;
        let dice = Dice::new(scenario.seed);
        let graph = scenario.network.draw(&mut dice.sequence(Stream::Network))?;
        let processes = P::initial(&set_up_on(scenario, &graph)?, config);
        let rules =
            Rules { undefined_stops: scenario.undefined == Undefined::Stop, ..Rules::default() };
        let monitor = Monitor::new(&processes, rules);
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
            agenda: Agenda::new(),
            sites: processes.into_iter().map(Site::new).collect(),
            links: Links::new(&graph),
            routes: (scenario.medium() == Medium::Routed).then(|| Routes::new(n)),
            changes: Changes::new(&graph, law.model, law.rate, dice.sequence(Stream::Links)),
            held_up: Vec::new(),
            timers: BTreeMap::new(),
            monitor,
            meter: Meter::new(scenario.measure, P::KINDS, n, askers),
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
        let graph = graph.and_then(|graph| set_up_on(self.scenario, &graph));
        let graph = graph.map_err(io::Error::other)?;
        let header = driftlock_journal::Header {
            software: software.into(),
            protocol: self.scenario.protocol.clone(),
            config: serde_json::to_value(config)?,
            routed: self.routes.is_some(),
            undefined_stops: self.scenario.undefined == Undefined::Stop,
            n_nodes: NodeId::at(self.sites.len()).0,
            ticks_per_unit: TICKS_PER_UNIT,
            scenario: Some(self.scenario.to_toml()),
        };
        let writer = Writer::new(to, &header, graph.links())?;
        self.journal = Some(Journal { writer, digest: Digest::default(), error: None });
        Ok(self)
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
            if events % PATIENCE == 0 && watch(self.meter.entries()).is_break() {
                interrupted = true;
                break;
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
            self.monitor.calm_ended(Ticks(self.now), Calm::Silent);
            return false;
        };
        match self.phase {
            Phase::Storm if at > self.meter.until() => {
                self.now = self.meter.until();
                self.end_storm();
            }
            Phase::Calm(limit) if at > limit => {
                self.end = End::Restless;
                self.monitor.calm_ended(Ticks(limit), Calm::Restless);
                return false;
            }
            _ => {}
        }
        self.now = at;
        match event {
            Event::Arrive(transit, msg) => self.arrive(transit, msg),
            Event::Hop(transit, packet) => self.hop(transit, packet),
            Event::Request(node) => self.request(node),
            Event::Release(node, visit) => self.release(node, visit),
            Event::Change => self.change(),
            Event::ScriptedChange(change) => self.follow(change),
            Event::Timer(node, timer, setting) => self.ring(node, timer, setting),
        }
        true
    }

    /// From here on nobody asks anew and links stay.
    fn end_storm(&mut self) {
        if self.phase != Phase::Storm {
            return;
        }
        self.metrics = Some(self.meter.finish(self.now));
        let limit = self.scenario.calm_limit.unwrap_or_else(|| self.long_enough());
        self.phase = Phase::Calm(self.now.saturating_add(ticks(limit.min(1e15))));
    }

    /// Enough time for everyone who waits to be served one after the other, each over the longest
    /// detour, after all heights have settled.
    fn long_enough(&self) -> f64 {
        let n = self.sites.len() as f64;
        let inside = |site: &&Site<P>| site.process.status() != Status::Remainder;
        let waiting = self.sites.iter().filter(inside).count() as f64;
        let hop = self.scenario.delay.longest();
        let round = 4.0 * n * hop + self.scenario.critical_section.longest();
        (waiting + n + 2.0) * round
    }

    /// One step of one process, under the eyes of the monitor.
    #[inline(always)]
    fn step(&mut self, node: NodeId, input: Input<P::Msg, P::Timer>) {
        let process = &mut self.sites[node.index()].process;
        self.monitor.before(Ticks(self.now), node, process, &input);
        let recorded = self.journal.is_some().then(|| Recorded::of(&input));
        process.step(input, &mut self.out);
        self.monitor.after(node, process, self.out.as_slice());
        if let Some(event) = recorded {
            self.write_down(node, event);
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
            Output::Demote => self.sites[node.index()].visits += 1,
            Output::SetTimer { timer, after } => self.set_timer(node, timer, after),
            Output::CancelTimer { timer } => drop(self.timers.remove(&(node, timer))),
            Output::Note(what) => self.meter.noted(what),
            Output::Undefined(_) => {}
        }
    }

    #[cold]
    fn write_down(&mut self, node: NodeId, event: Recorded) {
        let status = self.sites[node.index()].process.status();
        let Some(journal) = self.journal.as_mut().filter(|journal| journal.error.is_none()) else {
            return;
        };
        let check = journal.digest.of(self.out.as_slice(), status);
        let record = Record { at: self.now, node, event, check };
        journal.error = journal.writer.record(&record).err();
    }
}

/// The application.
impl<P: Simulated> World<'_, P> {
    /// Put the first request of every node, the first link change and the script on the agenda.
    fn plan_ahead(&mut self, graph: &Graph) -> Result<(), ScenarioError> {
        let n = graph.n_nodes();
        let asks = &self.scenario.requests;
        match &asks.nodes {
            Some(nodes) => nodes.iter().for_each(|&node| self.think(NodeId(node))),
            None => graph.nodes().for_each(|node| self.think(node)),
        }
        for scripted in &self.scenario.script {
            if let Some(node) = scripted.request {
                self.check_node(node, n)?;
                self.agenda.schedule(ticks(scripted.at), Event::Request(NodeId(node)));
            }
            for node in scripted.up.into_iter().chain(scripted.down).flatten() {
                self.check_node(node, n)?;
            }
        }
        for (at, change) in changes::scripted(graph, &self.scenario.script)? {
            self.agenda.schedule(at, Event::ScriptedChange(change));
        }
        if let Some(changes) = &self.changes {
            self.agenda.schedule(changes.due(), Event::Change);
        }
        Ok(())
    }

    fn check_node(&self, node: u32, n: usize) -> Result<(), ScenarioError> {
        if (node as usize) < n {
            return Ok(());
        }
        let what = format!("there is no node {node}, the last of {n} is {}", n - 1);
        Err(ScenarioError::value("script", &what))
    }

    /// Draw how long `node` thinks before it asks.
    fn think(&mut self, node: NodeId) {
        if let Some(pause) = self.pause {
            let index = u64::from(self.sites[node.index()].asked);
            let pause = pause.draw(|| self.dice.draw(Stream::Requests, node.0, index));
            self.agenda.schedule(self.now + pause, Event::Request(node));
        }
    }

    fn request(&mut self, node: NodeId) {
        if self.phase != Phase::Storm {
            return;
        }
        let site = &mut self.sites[node.index()];
        if site.process.status() != Status::Remainder {
            site.backlog += 1;
            return;
        }
        site.asked_at = self.now;
        site.asked += 1;
        self.step(node, Input::RequestCs(ResourceId(0)));
    }

    fn enter(&mut self, node: NodeId) {
        let site = &mut self.sites[node.index()];
        site.visits += 1;
        let (wait, visit) = (self.now - site.asked_at, site.visits);
        let index = u64::from(visit);
        let stay = self.stay.draw(|| self.dice.draw(Stream::Critical, node.0, index));
        self.agenda.schedule(self.now + stay, Event::Release(node, visit));
        if self.phase == Phase::Storm && self.meter.entered(node, self.now, wait) {
            self.end_storm();
        }
    }

    fn release(&mut self, node: NodeId, visit: u32) {
        if self.sites[node.index()].visits != visit {
            return;
        }
        self.step(node, Input::ReleaseCs);
        let backlog = &mut self.sites[node.index()].backlog;
        if *backlog > 0 {
            *backlog -= 1;
            self.agenda.schedule(self.now, Event::Request(node));
        } else if self.phase == Phase::Storm {
            self.think(node);
        }
    }
}

/// Messages and timers.
impl<P: Simulated> World<'_, P> {
    #[inline(always)]
    fn send(&mut self, from: NodeId, to: NodeId, msg: P::Msg) {
        self.meter.sent();
        if let Some(routes) = &mut self.routes {
            let packet = routes.accept(from, to, msg);
            return self.forward(from, packet);
        }
        let kind = P::kind(&msg);
        if let Some((arrival, transit)) = self.transmit(from, to, kind) {
            self.agenda.schedule(arrival, Event::Arrive(transit, msg));
        }
    }

    /// Put a message on a link. Returns when it arrives, or nothing if there is no such link.
    #[inline(always)]
    fn transmit(&mut self, from: NodeId, to: NodeId, kind: usize) -> Option<(u64, Transit)> {
        let delay = self.delay.draw(|| self.delays.draw());
        let sent = self.links.send(from, to, self.now, delay);
        match sent {
            Some(_) => self.meter.transmitted(kind),
            None => self.monitor.stray_message(from, to),
        }
        sent
    }

    #[inline(always)]
    fn arrive(&mut self, transit: Transit, msg: P::Msg) {
        let (delivery, leaving) = self.links.arrive(transit);
        let Transit { from, to, .. } = transit;
        self.monitor.delivery(from, to, delivery);
        self.step(to, Input::Recv { from, msg });
        if self.scenario.link_changes.connected_by == ConnectedBy::Known {
            self.learn(to, from);
        }
        if leaving {
            self.let_go(from, to);
        }
    }

    /// A packet has crossed a link.
    fn hop(&mut self, transit: Transit, packet: u32) {
        let (delivery, leaving) = self.links.arrive(transit);
        let Transit { from, to: at, .. } = transit;
        self.monitor.delivery(from, at, delivery);
        let routes = self.routes.as_mut().expect("only a routed medium has packets");
        if routes.packet(packet).to == at {
            let (sender, receiver) = routes.arrived(packet);
            while let Some(msg) =
                self.routes.as_mut().and_then(|routes| routes.next_due(sender, receiver))
            {
                self.step(receiver, Input::Recv { from: sender, msg });
            }
        } else {
            self.forward(at, packet);
        }
        if leaving {
            self.let_go(from, at);
        }
    }

    /// Send a packet on to the next node on its way.
    fn forward(&mut self, at: NodeId, packet: u32) {
        let routes = self.routes.as_mut().expect("only a routed medium has packets");
        let (to, kind) = (routes.packet(packet).to, P::kind(&routes.packet(packet).msg));
        let next = routes.next_hop(at, to, &self.links);
        if let Some((arrival, transit)) = self.transmit(at, next, kind) {
            self.agenda.schedule(arrival, Event::Hop(transit, packet));
        }
    }

    fn set_timer(&mut self, node: NodeId, timer: P::Timer, after: Ticks) {
        let setting = self.monitor.steps();
        self.timers.insert((node, timer.clone()), setting);
        self.agenda.schedule(self.now + after.0, Event::Timer(node, timer, setting));
    }

    fn ring(&mut self, node: NodeId, timer: P::Timer, setting: u64) {
        let name = (node, timer);
        if self.timers.get(&name) == Some(&setting) {
            self.timers.remove(&name);
            self.step(node, Input::Timer(name.1));
        }
    }
}

/// Link changes.
impl<P: Simulated> World<'_, P> {
    fn change(&mut self) {
        if self.phase != Phase::Storm {
            return;
        }
        let mut made = Vec::new();
        let changes = self.changes.as_mut().expect("changes are due only where there are any");
        changes.make(&mut made);
        let due = changes.due().max(self.now);
        self.agenda.schedule(due, Event::Change);
        made.into_iter().for_each(|change| self.follow(change));
    }

    /// Do as planned.
    fn follow(&mut self, change: Change) {
        if self.phase != Phase::Storm {
            return;
        }
        match change {
            Change::Up(a, b) if self.links.is_up(a, b) => self.links.set_leaving(a, b, false),
            Change::Up(a, b) => self.link_up(a, b),
            Change::Down(a, b) => {
                self.links.set_leaving(a, b, true);
                self.let_go(a, b);
            }
        }
    }

    fn link_up(&mut self, a: NodeId, b: NodeId) {
        self.monitor.link_up(a, b, self.links.is_up(a, b));
        self.links.raise(a, b);
        self.meter.link_changed();
        if self.routes.is_none() {
            let (peer, role) = (b, LinkRole::Static);
            self.step(a, Input::LinkUp { peer, role });
            let (peer, role) = (a, LinkRole::Moving);
            self.step(b, Input::LinkUp { peer, role });
        }
    }

    /// Take a link down that is to go down, unless something is in transit on it or it is needed.
    fn let_go(&mut self, a: NodeId, b: NodeId) {
        if self.phase != Phase::Storm || !self.links.may_leave(a, b) {
            return;
        }
        let by_known = self.scenario.link_changes.connected_by == ConnectedBy::Known;
        let needed = by_known && self.routes.is_none() && self.links.is_known(a, b);
        if needed && !self.links.joined_without(a, b, true) {
            self.held_up.push((a, b));
            return;
        }
        self.link_down(a, b);
    }

    fn link_down(&mut self, a: NodeId, b: NodeId) {
        let in_transit = self.links.in_transit(a, b);
        let joined = self.links.joined_without(a, b, false);
        self.monitor.link_down(a, b, Downfall { in_transit, joined });
        self.links.fell(a, b);
        self.meter.link_changed();
        if self.routes.is_none() {
            self.step(a, Input::LinkDown { peer: b });
            self.step(b, Input::LinkDown { peer: a });
        }
    }

    /// `node` may have come to know `peer`; then links that were needed so far may go.
    fn learn(&mut self, node: NodeId, peer: NodeId) {
        let known = self.sites[node.index()].process.knows(peer);
        if self.links.set_known(node, peer, known) {
            for (a, b) in std::mem::take(&mut self.held_up) {
                self.let_go(a, b);
            }
        }
    }
}

impl<P: Protocol> Site<P> {
    fn new(process: P) -> Self {
        Site { process, asked_at: 0, asked: 0, visits: 0, backlog: 0 }
    }
}

/// The network the processes are set up on.
fn set_up_on(scenario: &Scenario, graph: &Graph) -> Result<Graph, ScenarioError> {
    match scenario.medium() {
        Medium::Links => Ok(graph.clone()),
        Medium::Routed => {
            scenario.network.draw(&mut Dice::new(scenario.seed).sequence(Stream::Tree))
        }
    }
}
