//! All promises of a run under one roof: [`Monitor`].

mod around;
mod naps;
mod owed;
mod settled;

use std::collections::BTreeSet;

use driftlock_core::{Graph, Input, NodeId, Output, ResourceId, Status, Ticks, Tokens};

use crate::epochs::Epochs;
use crate::exclusion::{Exclusion, Insider};
use crate::links::{self, Delivery, Downfall};
use crate::neighbors::Neighbors;
use crate::progress::{self, Calm};
use crate::tokens::Conservation;
use crate::{Broken, Rules, Violation, application, epochs, steps};

/// Watches a run. The driver tells it every step, in order; it remembers the first broken promise.
///
/// ```
/// # use driftlock_core::{Input, NoTimer, NodeId, Out, Protocol, ResourceId, Status, Ticks};
/// # use driftlock_core::Tokens;
/// use driftlock_spec::{Monitor, Promise, Rules};
/// # #[derive(Clone, PartialEq, Eq, Hash, Debug)]
/// # struct Rude(Status);
/// # impl Protocol for Rude {
/// #     type Msg = ();
/// #     type Timer = NoTimer;
/// #     fn step(&mut self, _: Input<(), NoTimer>, out: &mut Out<(), NoTimer>) {
/// #         self.0 = Status::Critical;
/// #         out.enter_cs();
/// #     }
/// #     fn status(&self) -> Status { self.0 }
/// # }
/// # impl Tokens for Rude {
/// #     fn held(&self) -> u32 { 0 }
/// #     fn carried(_: &()) -> u32 { 0 }
/// # }
/// // `Rude` enters whenever anything happens, whoever else is inside.
/// let mut processes = vec![Rude(Status::Remainder), Rude(Status::Remainder)];
/// let mut monitor = Monitor::new(&processes, Rules::default());
/// let mut out = Out::new();
/// for node in [NodeId(0), NodeId(1)] {
///     let input = Input::RequestCs(ResourceId(0));
///     let process = &mut processes[node.index()];
///     monitor.before(Ticks(0), node, process, &input);
///     process.step(input, &mut out);
///     monitor.after(node, process, out.as_slice());
///     out.drain();
/// }
/// assert_eq!(monitor.violation().map(|violation| violation.promise), Some(Promise::Exclusion));
/// ```
#[derive(Clone, Debug)]
pub struct Monitor {
    rules: Rules,
    at: Ticks,
    step: u64,
    /// The section of each process, followed from its application events alone.
    sections: Vec<Status>,
    /// What each asked for last, where that matters.
    wanted: Vec<ResourceId>,
    /// How many are inside.
    inside: u32,
    /// Under which epoch each is inside, where there is a fence.
    epochs: Vec<u64>,
    /// The links and their forks, where there are forks, or neighbors exclude each other, or the
    /// network may fall apart.
    neighbors: Option<Neighbors>,
    /// The color with which each competes, where there are colors.
    colors: Vec<Option<i64>>,
    /// A link that came up, until both ends were told: one of them may leave for it.
    fresh: Option<(NodeId, NodeId)>,
    /// Whether a link changed and perhaps only one end was told: what is out of balance there, the
    /// other end may put right.
    half_told: bool,
    tokens: Conservation,
    /// The epochs of tokens, where these are made anew.
    begun: Epochs,
    /// Whether there is a fork for each link.
    has_forks: bool,
    /// Whether a message got lost or doubled, so that tokens and forks need not come out even.
    uneven: bool,
    /// Those who have stopped for good.
    crashed: BTreeSet<NodeId>,
    /// Those to whom a token is on its way at the end.
    arriving: BTreeSet<NodeId>,
    /// The links that work at the end, where they are settled.
    working: Option<Graph>,
    /// For each node, whether it need not know then whether there is a token, and whether it is
    /// owed nothing.
    excused: Vec<bool>,
    doubtful: Vec<bool>,
    violation: Option<Violation>,
}

impl Monitor {
    /// A monitor for a run that starts with `processes`.
    pub fn new<P: Tokens>(processes: &[P], rules: Rules) -> Self {
        let held = processes.iter().map(|process| u64::from(process.held())).sum();
        let weight = processes.iter().map(Tokens::weight).sum();
        let mut monitor = Monitor {
            rules,
            at: Ticks(0),
            step: 0,
            sections: vec![Status::Remainder; processes.len()],
            wanted: match rules.exclusion {
                Exclusion::SameGroup => vec![ResourceId(0); processes.len()],
                Exclusion::AtMost(_) | Exclusion::NoTwoNeighbors => Vec::new(),
            },
            inside: 0,
            epochs: if rules.fenced { vec![0; processes.len()] } else { Vec::new() },
            neighbors: None,
            colors: Vec::new(),
            fresh: None,
            half_told: false,
            tokens: Conservation::new(held, weight),
            begun: Epochs::new(processes.iter().flat_map(P::epochs_held)),
            has_forks: P::FORKS,
            uneven: false,
            crashed: BTreeSet::new(),
            arriving: BTreeSet::new(),
            working: None,
            excused: Vec::new(),
            doubtful: Vec::new(),
            violation: None,
        };
        monitor.judge(epochs::one_token_each(processes.iter().flat_map(P::epochs_held)));
        monitor
    }

    /// `processes` start on this network.
    pub fn on<P: Tokens>(mut self, processes: &[P], graph: &Graph) -> Self {
        let local = self.rules.exclusion == Exclusion::NoTwoNeighbors;
        let Rules { partitions, quorum, .. } = self.rules;
        if P::FORKS || P::COLORS || local || partitions || quorum {
            self.neighbors = Some(Neighbors::new(processes, graph));
        }
        if P::FORKS {
            graph.links().for_each(|(a, b)| self.judge_fork(a, b));
        }
        if P::COLORS {
            self.colors = processes.iter().map(Tokens::color).collect();
        }
        self
    }

    /// The first broken promise.
    #[inline]
    pub fn violation(&self) -> Option<&Violation> {
        self.violation.as_ref()
    }

    /// How many steps there were.
    #[inline]
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// The section `node` is in, judged by its application events.
    #[inline]
    pub fn section(&self, node: NodeId) -> Status {
        self.sections[node.index()]
    }

    /// Read what is known of `node`, so that a driver can have the memory fetched in time. The
    /// answer means nothing.
    #[inline]
    pub fn peek(&self, node: NodeId) -> usize {
        let color = self.colors.get(node.index()).copied().flatten().unwrap_or(0);
        self.section(node) as usize ^ color as usize ^ self.degree(node)
    }

    /// The same for what is known of its links.
    #[inline]
    pub fn glance(&self, node: NodeId) -> u32 {
        self.neighbors.as_ref().map_or(0, |neighbors| neighbors.glance(node))
    }

    /// How many links `node` has, where links are followed.
    #[inline]
    pub fn degree(&self, node: NodeId) -> usize {
        self.neighbors.as_ref().map_or(0, |neighbors| neighbors.degree(node))
    }

    /// `process` is about to take `input`.
    #[inline]
    pub fn before<P: Tokens>(
        &mut self,
        at: Ticks,
        node: NodeId,
        process: &P,
        input: &Input<P::Msg, P::Timer>,
    ) {
        self.at = at;
        self.step += 1;
        let (mut carried, mut weight) = (0, process.weight());
        match input {
            Input::RequestCs(resource) => {
                if let Some(wanted) = self.wanted.get_mut(node.index()) {
                    *wanted = *resource;
                }
                self.shift(node, application::request);
            }
            Input::ReleaseCs => {
                self.inside = self.inside.saturating_sub(1);
                self.shift(node, application::release);
            }
            Input::Recv { msg, .. } | Input::Returned { msg, .. } => {
                carried = P::carried(msg);
                weight += P::weight_of(msg);
            }
            Input::LinkUp { .. } | Input::LinkDown { .. } | Input::Timer(_) => {}
        }
        if self.fresh.is_some() && !matches!(input, Input::LinkUp { .. }) {
            self.judge_fresh_link();
        }
        if self.half_told && !matches!(input, Input::LinkUp { .. } | Input::LinkDown { .. }) {
            self.judge_weight();
        }
        if let Some(neighbors) = self.neighbors.as_mut().filter(|_| P::FORKS) {
            neighbors.before::<P>(node, input);
        }
        self.tokens.before(process.held(), carried);
        self.tokens.weigh(-weight);
        if P::EPOCHS {
            let brought = match input {
                Input::Recv { msg, .. } | Input::Returned { msg, .. } => P::epoch_carried(msg),
                _ => None,
            };
            self.begun.before(process.epochs_held(), brought);
        }
    }

    /// `process` has answered `outputs`.
    #[inline]
    pub fn after<P: Tokens>(
        &mut self,
        node: NodeId,
        process: &P,
        outputs: &[Output<P::Msg, P::Timer>],
    ) {
        let (mut carried, mut weight) = (0, process.weight());
        let moved = self.rules.fenced && self.set_epoch(node, process.epoch());
        for output in outputs {
            match output {
                Output::Send { msg, .. } => {
                    carried += P::carried(msg);
                    weight += P::weight_of(msg);
                }
                Output::EnterCs => self.enter(node),
                Output::Demote => {
                    self.inside = self.inside.saturating_sub(1);
                    self.shift(node, application::demote);
                }
                Output::Undefined(what) if self.rules.undefined_stops => {
                    self.remember(steps::undefined(node, what));
                }
                Output::Undefined(_) => {}
                Output::SetTimer { .. } | Output::CancelTimer { .. } | Output::Note(_) => {}
            }
        }
        if moved && self.section(node) == Status::Critical {
            self.judge_inside(self.everyone());
        }
        self.tokens.after(process.held(), carried);
        self.tokens.weigh(weight);
        if !self.uneven {
            self.judge(self.tokens.conserved());
        }
        if !self.half_told {
            self.judge_weight();
        }
        if P::FORKS {
            self.judge_forks(node, process, outputs);
        }
        if P::COLORS {
            self.judge_color(node, process.color());
        }
        if P::EPOCHS {
            self.judge_epochs(process, outputs);
        }
        self.judge(application::agree(node, self.section(node), process.status()));
    }

    /// A message arrives.
    #[inline]
    pub fn delivery(&mut self, from: NodeId, to: NodeId, delivery: Delivery) {
        self.judge(links::delivery(from, to, delivery));
    }

    /// A process found its contract broken and took the step with a panic.
    pub fn gave_up(&mut self, node: NodeId, complaint: &str) {
        self.remember(steps::gave_up(node, complaint));
    }

    /// A process sent a message to a node to which it has no link.
    pub fn stray_message(&mut self, from: NodeId, to: NodeId) {
        self.remember(steps::stray_message(from, to));
    }

    /// The link between `a` and `b` comes up.
    pub fn link_up(&mut self, a: NodeId, b: NodeId, was_up: bool) {
        self.judge_weight();
        self.half_told = true;
        self.judge(links::up(a, b, was_up));
        if let Some(neighbors) = &mut self.neighbors {
            neighbors.link_up(a, b);
            self.fresh = Some((a, b));
        }
    }

    /// Both ends of the link that changed last have been told.
    pub fn both_told(&mut self) {
        self.judge_weight();
        self.judge_fresh_link();
    }

    /// The link between `a` and `b` goes down.
    pub fn link_down(&mut self, a: NodeId, b: NodeId, fall: Downfall) {
        self.judge_weight();
        self.half_told = true;
        // What a node that has stopped takes with it, it takes in any case.
        let stopped = !self.crashed.is_empty() && [a, b].iter().any(|i| self.crashed.contains(i));
        let fall = Downfall { joined: fall.joined || stopped, ..fall };
        self.judge(links::down(a, b, fall, self.rules));
        // What was lost is missing nowhere if it went with the link.
        self.uneven |= fall.in_transit > 0 && self.rules.locality.is_none();
        if let Some(neighbors) = &mut self.neighbors {
            neighbors.link_down(a, b);
        }
    }

    /// A message got lost or came twice, by no fault of the protocol.
    pub fn miscarried(&mut self) {
        self.uneven = true;
    }

    /// `node` has stopped for good: what it waits for, nobody owes it any more.
    pub fn crashed(&mut self, node: NodeId) {
        self.uneven |= self.rules.locality.is_none();
        self.crashed.insert(node);
        let frees = self.rules.frees_stopped();
        let section = &mut self.sections[node.index()];
        match *section {
            Status::Waiting => *section = Status::Remainder,
            Status::Critical if frees => {
                *section = Status::Remainder;
                self.inside = self.inside.saturating_sub(1);
            }
            Status::Remainder | Status::Critical => {}
        }
    }

    /// The run ends with tokens on their way to these nodes.
    pub fn tokens_arriving(&mut self, to: impl IntoIterator<Item = NodeId>) {
        self.arriving = to.into_iter().collect();
    }

    /// The calm is over, and this is what the processes have become. If someone is inside and that
    /// is all that keeps it from going on, nothing is owed yet but that those get in who need not
    /// wait for that.
    pub fn calm_ended<'p, P: Tokens + 'p>(
        &mut self,
        at: Ticks,
        calm: Calm,
        processes: impl Iterator<Item = &'p P>,
    ) {
        self.at = at;
        self.judge_weight();
        self.judge_fresh_link();
        let partitions = self.rules.partitions;
        let (held, missing): (Vec<u32>, Vec<bool>) =
            processes.map(|process| (process.held(), process.misses_token())).unzip();
        let Some(within_reach) = self.owed(&held) else { return };
        let reach = |node: NodeId| within_reach[node.index()];
        let living = self.living();
        if calm == Calm::Silent && living.iter().any(|&i| self.section(i) == Status::Critical) {
            return self.judge_together(living, reach);
        }
        let anyone_waits = self.sections.contains(&Status::Waiting);
        let silent = self.rules.asks_for_silence(anyone_waits);
        self.judge(progress::settled(calm, &self.sections, reach, silent));
        // While tokens are on their way, a part is not without one.
        if partitions && self.tokens.exist() && calm == Calm::Silent {
            let asked: Vec<NodeId> =
                living.into_iter().filter(|&node| self.has_to_know(node)).collect();
            for node in asked {
                self.judge(progress::reported(node, reach(node), missing[node.index()]));
            }
        }
    }

    fn judge_epochs<P: Tokens>(&mut self, process: &P, outputs: &[Output<P::Msg, P::Timer>]) {
        let sent = outputs.iter().filter_map(|output| match output {
            Output::Send { msg, .. } => P::epoch_carried(msg),
            _ => None,
        });
        let verdict = self.begun.after(process.epochs_held().chain(sent));
        self.judge(verdict);
    }

    fn enter(&mut self, node: NodeId) {
        self.shift(node, application::enter);
        self.inside += 1;
        match self.rules.exclusion {
            Exclusion::AtMost(k) if self.inside <= k => {}
            Exclusion::SameGroup if self.inside <= 1 => {}
            Exclusion::AtMost(_) | Exclusion::SameGroup => self.judge_inside(self.everyone()),
            Exclusion::NoTwoNeighbors => {
                let inside = |peer: NodeId| self.section(peer) == Status::Critical;
                let neighbors = self.neighbors.as_ref();
                let near = neighbors.and_then(|all| {
                    all.around(node).find(|&peer| inside(peer) && all.linked(peer, node))
                });
                if let Some(peer) = near {
                    self.judge_inside(vec![node, peer]);
                }
            }
        }
    }

    /// `node` is inside under this epoch from now on, if it is inside. Returns whether that was
    /// another one before.
    fn set_epoch(&mut self, node: NodeId, epoch: u64) -> bool {
        std::mem::replace(&mut self.epochs[node.index()], epoch) != epoch
    }

    fn everyone(&self) -> Vec<NodeId> {
        (0..self.sections.len()).map(NodeId::at).collect()
    }

    /// All who have not stopped.
    fn living(&self) -> Vec<NodeId> {
        let mut nodes = self.everyone();
        nodes.retain(|node| !self.crashed.contains(node));
        nodes
    }

    #[inline]
    fn judge_weight(&mut self) {
        self.half_told = false;
        if !self.uneven {
            self.judge(self.tokens.balanced());
        }
    }

    /// Judge those of `nodes` that are inside.
    #[cold]
    fn judge_inside(&mut self, nodes: Vec<NodeId>) {
        let inside = nodes.into_iter().filter(|&node| self.section(node) == Status::Critical);
        let wanted = |node: NodeId| self.wanted.get(node.index()).copied().unwrap_or_default();
        let epoch = |node: NodeId| self.epochs.get(node.index()).copied().unwrap_or_default();
        let insider = |node| Insider { node, resource: wanted(node), epoch: epoch(node) };
        let inside: Vec<Insider> = inside.map(insider).collect();
        let linked = |a, b| self.neighbors.as_ref().is_some_and(|all| all.linked(a, b));
        self.judge(self.rules.judge_inside(&inside, linked));
    }

    #[inline]
    fn shift(
        &mut self,
        node: NodeId,
        event: impl FnOnce(NodeId, Status) -> Result<Status, Broken>,
    ) {
        match event(node, self.section(node)) {
            Ok(section) => self.sections[node.index()] = section,
            Err(broken) => self.remember(broken),
        }
    }

    #[inline]
    fn judge(&mut self, verdict: Result<(), Broken>) {
        if let Err(broken) = verdict {
            self.remember(broken);
        }
    }

    #[cold]
    fn remember(&mut self, broken: Broken) {
        let (at, step) = (self.at, self.step);
        self.violation.get_or_insert_with(|| broken.at(at, step));
    }
}

#[cfg(test)]
mod tests;
