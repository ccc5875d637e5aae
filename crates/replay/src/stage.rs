//! Processes, channels, links and timers, and what can happen to them: [`Stage`].

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use driftlock_core::{
    Graph, Input, LinkRole, Medium, NodeId, Out, Output, Protocol, Status, Ticks,
};
use driftlock_journal::{Digest, End, Event, text};
use driftlock_spec::links::Downfall;
use driftlock_spec::progress::Calm;
use driftlock_spec::{Monitor, Rules, Violation};

use crate::ends::Ends;
use crate::naps::Naps;
use crate::{Action, Replayable, Setting, attempt};

/// What happened to a node.
#[derive(Debug)]
pub enum Happening<'a, P: Protocol> {
    /// It took this input.
    Input(&'a Input<P::Msg, P::Timer>),
    /// It took this message, which is still in transit as well.
    Copy(&'a Input<P::Msg, P::Timer>),
    /// A message to it from this node was lost.
    Lost(NodeId),
    /// It stopped for good.
    Crash,
    /// It wakes up as it is now if it is killed.
    Save,
    /// It was killed and woke up.
    Restart,
    /// So it did, and whoever is still inside asks again.
    Outlived(&'a Input<P::Msg, P::Timer>),
}

impl<P: Protocol> Happening<'_, P> {
    /// The same, for people.
    pub fn in_words(&self) -> String {
        match self {
            Happening::Input(input) => text::input(input),
            Happening::Copy(input) => format!("{} (a copy)", text::input(input)),
            Happening::Lost(from) => format!("never gets the next message from {from}"),
            Happening::Crash => "crashes".into(),
            Happening::Save => "is written down".into(),
            Happening::Restart => "is killed and wakes up".into(),
            Happening::Outlived(input) => {
                format!("is killed and wakes up, {} for who is inside", text::input(input))
            }
        }
    }
}

/// Everything a schedule acts on.
pub(crate) struct Stage<P: Replayable> {
    medium: Medium,
    pub(crate) rules: Rules,
    /// The links that are up.
    pub(crate) graph: Graph,
    pub(crate) processes: Vec<P>,
    pub(crate) channels: BTreeMap<(NodeId, NodeId), VecDeque<P::Msg>>,
    timers: BTreeSet<(NodeId, P::Timer)>,
    crashed: BTreeSet<NodeId>,
    /// A link of which one end was told that it changed, and as what the other comes up.
    half_told: Option<(NodeId, NodeId, Option<LinkRole>)>,
    /// What the ends of links were told, where they are settled.
    pub(crate) ends: Ends,
    pub(crate) naps: Naps<P>,
    pub(crate) monitor: Monitor,
    digest: Digest,
    pub(crate) out: Out<P::Msg, P::Timer>,
}

/// The input of a step, if there is one.
pub(crate) type Taken<P> = Option<Input<<P as Protocol>::Msg, <P as Protocol>::Timer>>;

/// What a step answered.
pub(crate) type Outputs<P> = [Output<<P as Protocol>::Msg, <P as Protocol>::Timer>];

/// Who is told what happened, and what was answered.
type Told<'t, P> = dyn FnMut(Happening<'_, P>, &Outputs<P>) + 't;

impl<P: Replayable> Stage<P> {
    /// Nothing has happened yet. Nothing is returned for a network that is not connected, unless
    /// the protocol is local, or each node starts alone and can.
    pub(crate) fn new(setting: &Setting, config: &P::Config) -> Option<Self> {
        let Setting { graph, medium, rules, .. } = setting;
        let cold = (rules.settled || rules.partitions) && graph.n_links() == 0;
        let fits = graph.is_connected() || rules.locality.is_some() || cold;
        if graph.n_nodes() == 0 || !fits {
            return None;
        }
        let mut processes = Vec::new();
        match cold {
            true => attempt(|| processes = P::initial(graph, config)).ok()?,
            false => processes = P::initial(graph, config),
        }
        let monitor = Monitor::new(&processes, *rules).on(&processes, graph);
        Some(Stage {
            medium: *medium,
            rules: *rules,
            graph: graph.clone(),
            processes,
            channels: BTreeMap::new(),
            timers: BTreeSet::new(),
            crashed: BTreeSet::new(),
            half_told: None,
            ends: Ends::of(graph),
            naps: Naps::new(config),
            monitor,
            digest: Digest::default(),
            out: Out::new(),
        })
    }

    pub(crate) fn steps(&self) -> u64 {
        self.monitor.steps()
    }

    pub(crate) fn violation(&self) -> Option<&Violation> {
        self.monitor.violation()
    }

    /// Whether nothing more can happen, because a promise is broken.
    pub(crate) fn is_over(&self) -> bool {
        self.violation().is_some()
    }

    pub(crate) fn into_processes(self) -> Vec<P> {
        self.processes
    }

    pub(crate) fn medium(&self) -> Medium {
        self.medium
    }

    pub(crate) fn has_crashed(&self, node: NodeId) -> bool {
        self.crashed.contains(&node)
    }

    /// Whether a link is up whose end has crashed.
    pub(crate) fn has_loose_end(&self) -> bool {
        self.crashed.iter().any(|&node| !self.graph.neighbors(node).is_empty())
    }

    /// Let something happen at `node`. Returns the check sum of what was answered, or why it
    /// cannot happen, and then it has not.
    pub(crate) fn take(
        &mut self,
        at: u64,
        node: NodeId,
        event: &Event,
        told: &mut Told<'_, P>,
    ) -> Result<u32, String> {
        self.check_unbroken()?;
        self.check_both_told(node, event)?;
        self.check_alive(node)?;
        let input = self.input(at, node, event)?;
        let happening = match (&input, event) {
            (Some(input), Event::Duplicate(_)) => Happening::Copy(input),
            (Some(input), Event::Restart(_)) => Happening::Outlived(input),
            (Some(input), _) => Happening::Input(input),
            (None, Event::Lose(from)) => Happening::Lost(*from),
            (None, Event::Save) => Happening::Save,
            (None, Event::Restart(_)) => Happening::Restart,
            (None, _) => Happening::Crash,
        };
        let Some(input) = &input else {
            told(happening, &[]);
            return Ok(0);
        };
        let process = &mut self.processes[node.index()];
        self.monitor.before(Ticks(at), node, process, input);
        match attempt(|| process.step(input.clone(), &mut self.out)) {
            Ok(()) => self.monitor.after(node, process, self.out.as_slice()),
            Err(complaint) => self.monitor.gave_up(node, &complaint),
        }
        told(happening, self.out.as_slice());
        let check = self.digest.of(self.out.as_slice(), process.status());
        self.outdate(node, input);
        let mut out = std::mem::take(&mut self.out);
        out.drain().for_each(|output| self.act(node, output));
        self.out = out;
        if self.half_told.is_none() {
            self.monitor.both_told();
        }
        Ok(check)
    }

    /// The run ends. A calm that is said to be silent and is not, is not.
    pub(crate) fn end(&mut self, at: u64, end: End) {
        let calm = match end {
            End::BrokenOff => return,
            End::Silent if self.is_silent() => Calm::Silent,
            End::Silent | End::Restless => Calm::Restless,
        };
        let with_token = self
            .channels
            .iter()
            .filter(|(_, messages)| messages.iter().any(|message| P::carried(message) > 0));
        let arriving = with_token.map(|(&(from, to), _)| self.heading(from, to));
        let arriving = arriving.chain(self.late_tokens());
        self.monitor.tokens_arriving(arriving.collect::<Vec<_>>());
        if self.rules.settled {
            self.tell_monitor();
        }
        self.monitor.calm_ended(Ticks(at), calm, self.processes.iter());
    }

    fn is_silent(&self) -> bool {
        self.timers.is_empty() && self.arrivals().next().is_none() && self.notices().is_empty()
    }

    /// The channels with something in them that can arrive.
    fn arrivals(&self) -> impl Iterator<Item = (NodeId, NodeId)> {
        let busy = self.channels.iter().filter(|(_, messages)| !messages.is_empty());
        busy.map(|(&ends, _)| ends).filter(|&(from, to)| {
            self.medium.routes() || !self.rules.settled || self.arrives(from, to)
        })
    }

    /// Everything that is bound to happen if nothing comes from outside: the oldest message of
    /// each channel arrives, and whoever is inside leaves; and when there is nothing of that,
    /// timers go off, for they are long.
    pub(crate) fn pending(&self) -> Vec<Action<P::Timer>> {
        let arrivals = self.arrivals().map(|(from, to)| Action::Deliver { from, to });
        let arrivals = arrivals.chain(self.notices());
        let nodes = (0..self.processes.len()).map(NodeId::at).filter(|&k| !self.has_crashed(k));
        let inside = nodes.filter(|k| self.processes[k.index()].status() == Status::Critical);
        let soon: Vec<_> = arrivals.chain(inside.map(Action::Release)).collect();
        let timers = self.timers.iter().map(|(node, timer)| Action::Timer(*node, timer.clone()));
        if soon.is_empty() { timers.collect() } else { soon }
    }

    /// What goes with the link between `a` and `b`, if it is up.
    fn downfall(&self, a: NodeId, b: NodeId) -> Option<Downfall> {
        if !self.is_linked(a, b) {
            return None;
        }
        // What is routed goes another way.
        let on_links = !self.medium.routes();
        let channel = |a, b| self.channels.get(&(a, b)).filter(|_| on_links);
        let in_transit = |a, b| channel(a, b).map_or(0, VecDeque::len) as u32;
        let mut without = self.graph.clone();
        without.unlink(a, b);
        let joined = without.distances(a)[b.index()].is_some();
        Some(Downfall { in_transit: in_transit(a, b) + in_transit(b, a), joined })
    }

    /// Whether the link between `a` and `b` may go down by the rules of the model.
    pub(crate) fn may_fall(&self, a: NodeId, b: NodeId) -> bool {
        let Rules { lossy, partitions, .. } = self.rules;
        // On a mesh a node that stops takes its links with it.
        let stopped = self.has_crashed(a) || self.has_crashed(b);
        let apart = partitions || (stopped && self.medium == Medium::Mesh);
        self.downfall(a, b)
            .is_some_and(|fall| (fall.in_transit == 0 || lossy) && (fall.joined || apart))
    }

    pub(crate) fn is_linked(&self, a: NodeId, b: NodeId) -> bool {
        let n = self.processes.len();
        a.index() < n && b.index() < n && self.graph.has(a, b)
    }

    /// Whether a message can go from `node` to `to`.
    fn can_reach(&self, node: NodeId, to: NodeId) -> bool {
        let any = self.medium.routes() && node != to && to.index() < self.processes.len();
        any || match self.rules.settled {
            true => self.ends.is_open((node, to)),
            false => self.is_linked(node, to),
        }
    }

    /// Whether what is in transit from `from` to `to` can arrive.
    fn arrives(&self, from: NodeId, to: NodeId) -> bool {
        match self.rules.settled {
            true => self.ends.receives((to, from)),
            false => self.is_linked(from, to),
        }
    }

    /// A run ends with the first broken promise: what comes after it could break the contract with
    /// the processes.
    fn check_unbroken(&self) -> Result<(), String> {
        match self.violation() {
            Some(violation) => Err(format!("the run ended before it, by a violation: {violation}")),
            None => Ok(()),
        }
    }

    /// Both ends of a link are told of a change one right after the other.
    fn check_both_told(&self, node: NodeId, event: &Event) -> Result<(), String> {
        if let Some((i, j)) = self.ends.returning
            && !(i == node && [Event::Returned(j), Event::LinkDown(j)].contains(event))
        {
            return Err(format!("the link {i}-{j} went down, and {i} was not told"));
        }
        let told = match event {
            Event::LinkUp(peer, role) => Some((*peer, node, Some(*role))),
            Event::LinkDown(peer) => Some((*peer, node, None)),
            _ => None,
        };
        match self.half_told {
            Some((a, b, _)) if self.half_told != told => {
                Err(format!("{a} was told that the link {a}-{b} changed, and {b} was not"))
            }
            _ => Ok(()),
        }
    }

    fn check_alive(&self, node: NodeId) -> Result<(), String> {
        if node.index() >= self.processes.len() {
            return Err(format!("there is no node {node}"));
        }
        if self.has_crashed(node) { Err(format!("{node} has crashed")) } else { Ok(()) }
    }

    /// The input of a step, or nothing if what happens is no step; or why a process cannot take
    /// it, which would make it panic.
    fn input(&mut self, at: u64, node: NodeId, event: &Event) -> Result<Taken<P>, String> {
        let status = self.processes[node.index()].status();
        let out_of_turn = || Err(format!("{node} is {status:?}"));
        match event {
            Event::Request(_) if status != Status::Remainder => return out_of_turn(),
            Event::Request(resource) => Ok(Input::RequestCs(*resource)),
            Event::Release if status != Status::Critical => return out_of_turn(),
            Event::Release => Ok(Input::ReleaseCs),
            Event::Recv(from) => {
                let msg = self.oldest(*from, node)?;
                self.pop(*from, node);
                Ok(Input::Recv { from: *from, msg })
            }
            Event::LinkUp(peer, role) => {
                match self.rules.settled {
                    true => self.end_up(node, *peer, *role)?,
                    false => self.link_changed(node, *peer, Some(*role))?,
                }
                Ok(Input::LinkUp { peer: *peer, role: *role })
            }
            Event::LinkDown(peer) => {
                match self.rules.settled {
                    true => self.end_down(node, *peer)?,
                    false => self.link_changed(node, *peer, None)?,
                }
                Ok(Input::LinkDown { peer: *peer })
            }
            Event::Timer(bytes) => self.ring(node, bytes).map(Input::Timer),
            Event::Lose(from) => {
                self.oldest(*from, node)?;
                self.pop(*from, node);
                self.monitor.miscarried();
                return Ok(None);
            }
            Event::Duplicate(from) => {
                let msg = self.oldest(*from, node)?;
                self.monitor.miscarried();
                Ok(Input::Recv { from: *from, msg })
            }
            Event::Crash => {
                self.crash(node);
                return Ok(None);
            }
            Event::Returned(to) => Ok(Input::Returned { to: *to, msg: self.give_back(node, *to)? }),
            Event::Save => {
                self.save(node)?;
                return Ok(None);
            }
            Event::Restart(inside) => return self.restart(at, node, *inside),
        }
        .map(Some)
    }

    fn oldest(&self, from: NodeId, to: NodeId) -> Result<P::Msg, String> {
        if !self.medium.routes() && !self.arrives(from, to) {
            return Err(format!("there is no link from {from} to {to}"));
        }
        let oldest = self.channels.get(&(from, to)).and_then(VecDeque::front);
        oldest.cloned().ok_or_else(|| format!("nothing is in transit from {from} to {to}"))
    }

    fn pop(&mut self, from: NodeId, to: NodeId) {
        self.channels.get_mut(&(from, to)).and_then(VecDeque::pop_front);
    }

    fn ring(&mut self, node: NodeId, timer: &[u8]) -> Result<P::Timer, String> {
        let timer: P::Timer =
            postcard::from_bytes(timer).map_err(|_| "its timer cannot be decoded")?;
        let name = (node, timer);
        if self.timers.remove(&name) {
            Ok(name.1)
        } else {
            Err(format!("the timer {:?} of {node} is not set", name.1))
        }
    }

    /// What was sent to a node that has crashed never arrives, and its timers are gone.
    fn crash(&mut self, node: NodeId) {
        self.crashed.insert(node);
        self.monitor.crashed(node);
        self.timers.retain(|(of, _)| *of != node);
        self.channels.retain(|(_, to), _| *to != node);
    }

    /// One end of a link is told of a change; the other end has to be told next, if there is
    /// anyone to be told.
    fn link_changed(
        &mut self,
        node: NodeId,
        peer: NodeId,
        role: Option<LinkRole>,
    ) -> Result<(), String> {
        if self.half_told.take().is_some() {
            return Ok(());
        }
        let n = self.processes.len();
        if peer == node || peer.index() >= n || !self.medium.shows_links() {
            return Err(format!("there is no link {node}-{peer} that {node} could be told of"));
        }
        match role {
            Some(_) => {
                let was_up = !self.graph.link(node, peer);
                self.monitor.link_up(node, peer, was_up);
            }
            None => {
                let fall = self.downfall(node, peer);
                let fall = fall.ok_or_else(|| format!("the link {node}-{peer} is down already"))?;
                self.monitor.link_down(node, peer, fall);
                self.graph.unlink(node, peer);
                if !self.medium.routes() {
                    self.channels.remove(&(node, peer));
                    self.channels.remove(&(peer, node));
                }
            }
        }
        if !self.has_crashed(peer) {
            self.half_told = Some((node, peer, role.map(other)));
        }
        Ok(())
    }

    /// Do what a process has answered.
    fn act(&mut self, node: NodeId, output: Output<P::Msg, P::Timer>) {
        match output {
            Output::Send { to, .. } if !self.can_reach(node, to) => {
                self.monitor.stray_message(node, to);
            }
            Output::Send { to, .. } if self.has_crashed(to) => {}
            Output::Send { to, ref msg } if self.vanishes(node, to, msg) => {}
            Output::Send { to, msg } => match self.naps.late.get_mut(&(node, to)) {
                Some(late) => late.push_back(msg),
                None => self.channels.entry((node, to)).or_default().push_back(msg),
            },
            Output::SetTimer { timer, .. } => drop(self.timers.insert((node, timer))),
            Output::CancelTimer { timer } => drop(self.timers.remove(&(node, timer))),
            Output::EnterCs | Output::Demote | Output::Note(_) | Output::Undefined(_) => {}
        }
    }
}

pub(crate) fn other(role: LinkRole) -> LinkRole {
    match role {
        LinkRole::Static => LinkRole::Moving,
        LinkRole::Moving => LinkRole::Static,
    }
}
