//! Random schedules of small networks: [`Walks`].
//!
//! A simulated run has delays, and all links have the same. Here a message may take as long as it
//! likes, some links are far slower than others, and nobody has to leave before nothing else is
//! left to happen. So a walk gets where a storm hardly ever does, and it takes far less time than
//! exploring everything.

use std::collections::VecDeque;

use driftlock_core::{Graph, Input, LinkRole, NodeId, Out, Output, ResourceId, Status};
use driftlock_sim::campaign::Takes;
use driftlock_sim::{Scenario, Session};
use driftlock_spec::exclusion::Exclusion;
use driftlock_spec::{Promise, Rules, progress};

use crate::trials::Mutated;

/// Which ones.
#[derive(Clone, Debug)]
pub(crate) struct Walks {
    pub(crate) seeds: Vec<u64>,
    pub(crate) takes: Takes,
    pub(crate) start: Start,
    /// Whether links stay as they are.
    pub(crate) still: bool,
}

/// What the network is at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Start {
    /// Up to 6 nodes.
    Random,
    /// A clique of 4, where requests can go round.
    Clique,
    /// A line of 7 to 10, on which somebody stops: some are far from there.
    Line,
}

/// Steps after which a network that nobody touches is not silent. The algorithms as they are come
/// to rest before.
const RESTLESS: u64 = 20_000;

/// A network on its way.
struct Walk<P: Mutated> {
    processes: Vec<P>,
    links: Graph,
    /// What is in transit from `a` to `b`, at `a * n + b`, with the step it was sent in.
    channels: Vec<VecDeque<(u64, P::Msg)>>,
    /// How often the next message of a channel is the next to arrive, the same way.
    speeds: Vec<u64>,
    wanted: Vec<ResourceId>,
    dice: Dice,
    steps: u64,
    /// Whether messages arrive in the order they were sent in once the environment keeps still.
    /// What goes round for ever does so then.
    orderly: bool,
    broken: Option<Promise>,
    /// What the environment may still do.
    requests: u32,
    changes: u32,
    crashes: u32,
    /// How often somebody leaves, or asks.
    eager: [u64; 2],
    /// Who has stopped for good, which nobody is told.
    crashed: Vec<NodeId>,
    judged: Judged,
}

/// What there is, and what is promised.
struct Judged {
    start: Start,
    still: bool,
    resources: u32,
    /// Whether the network may fall apart.
    apart: bool,
    rules: Rules,
}

/// Something that can happen.
#[derive(Clone, Copy)]
enum Next {
    Deliver(usize),
    Release(usize),
    Request(usize),
    Change,
    Crash,
}

/// A small generator: variety will do.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) % n
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}

impl Walks {
    /// What the walk with this seed breaks, and in how many steps.
    pub(crate) fn walk<P: Mutated>(&self, seed: u64, config: &P::Config) -> Option<(Promise, u64)> {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        dice.below(2);
        let n = match self.start {
            Start::Random => dice.pick(&[3, 4, 4, 5, 6]),
            Start::Clique => 4,
            Start::Line => dice.pick(&[7, 8, 9, 10]),
        };
        let scenario = Scenario {
            tokens: self.takes.tokens.then_some(1 + dice.below(3) as u32),
            session: Some(dice.pick(&[Session::Off, Session::AtMost(1), Session::AtMost(10)])),
            ..Scenario::default()
        };
        let mut config = config.clone();
        P::follow(&mut config, &scenario);
        let judged = Judged {
            start: self.start,
            still: self.still,
            resources: if self.takes.groups { 2 } else { 1 },
            apart: self.takes.local || self.takes.partitions && dice.below(2) > 0,
            rules: P::rules(&config),
        };
        let mut walk = Walk::<P>::new(n, dice, &config, judged);
        walk.orderly = seed % 2 == 1;
        walk.run();
        walk.broken.map(|promise| (promise, walk.steps))
    }
}

impl<P: Mutated> Walk<P> {
    fn new(n: usize, mut dice: Dice, config: &P::Config, judged: Judged) -> Self {
        let mut links = Graph::new(n);
        for k in 1..n {
            let before = dice.below(k as u64) as usize;
            let before = if judged.start == Start::Line { k - 1 } else { before };
            links.link(NodeId::at(before), NodeId::at(k));
        }
        match judged.start {
            Start::Random => {
                for _ in 0..dice.below((n * n / 2) as u64) {
                    let [a, b] = [0; 2].map(|_| NodeId::at(dice.below(n as u64) as usize));
                    if a != b {
                        links.link(a, b);
                    }
                }
            }
            Start::Clique => {
                for (a, b) in (0..n).flat_map(|a| (0..a).map(move |b| (a, b))) {
                    links.link(NodeId::at(a), NodeId::at(b));
                }
            }
            Start::Line => {}
        }
        let speeds = (0..n * n).map(|_| dice.pick(&[4, 4, 16, 120])).collect();
        let crashes = match (judged.rules.locality, judged.start) {
            (None, _) => 0,
            (Some(_), Start::Line) => 1,
            (Some(_), _) => dice.pick(&[0, 0, 1, 2]),
        };
        Walk {
            processes: P::initial(&links, config),
            links,
            channels: (0..n * n).map(|_| VecDeque::new()).collect(),
            speeds,
            wanted: vec![ResourceId(0); n],
            requests: dice.pick(&[3, 6, 12, 40]),
            changes: if judged.still { 0 } else { dice.pick(&[1, 4, 12, 40]) },
            crashes,
            eager: [dice.pick(&[0, 2, 12]), dice.pick(&[1, 8])],
            dice,
            steps: 0,
            orderly: false,
            broken: None,
            crashed: Vec::new(),
            judged,
        }
    }

    /// Walk until nothing is left to happen or something breaks.
    fn run(&mut self) {
        let mut untouched = 0;
        while self.broken.is_none() {
            let at_rest = self.channels.iter().all(VecDeque::is_empty);
            if at_rest {
                self.broken = self.judge_rest();
            } else if untouched > RESTLESS {
                self.broken = self.judge_restless();
                return;
            }
            let orderly = self.orderly && self.requests == 0 && self.changes == 0;
            let next = if orderly { self.first() } else { self.draw(at_rest) };
            let Some(next) = next.filter(|_| self.broken.is_none()) else { return };
            untouched = if matches!(next, Next::Deliver(_)) { untouched + 1 } else { 0 };
            self.steps += 1;
            self.act(next);
        }
    }

    /// What happens next in good order: the message that was sent first arrives. Who is inside
    /// leaves at once, or when nothing else is left.
    fn first(&self) -> Option<Next> {
        let inside = self.living().find(|(_, process)| process.status() == Status::Critical);
        let inside = inside.map(|(node, _)| node.index());
        let sent = |k: &usize| self.channels[*k].front().map(|&(step, _)| step);
        let arriving = (0..self.channels.len()).filter(|k| sent(k).is_some()).min_by_key(sent);
        let (leaves, arrives) = (inside.map(Next::Release), arriving.map(Next::Deliver));
        if self.eager[0] > 0 { leaves.or(arrives) } else { arrives.or(leaves) }
    }

    /// What happens next, if there is anything.
    fn draw(&mut self, at_rest: bool) -> Option<Next> {
        let mut choices: Vec<(u64, Next)> = Vec::new();
        for (k, _) in self.channels.iter().enumerate().filter(|(_, msgs)| !msgs.is_empty()) {
            choices.push((self.speeds[k], Next::Deliver(k)));
        }
        let [leaving, asking] = self.eager;
        for (node, process) in self.living() {
            let k = node.index();
            match process.status() {
                Status::Critical if at_rest => choices.push((leaving.max(1), Next::Release(k))),
                Status::Critical if leaving > 0 => choices.push((leaving, Next::Release(k))),
                Status::Remainder if self.requests > 0 => choices.push((asking, Next::Request(k))),
                _ => {}
            }
        }
        if self.changes > 0 {
            choices.push((8, Next::Change));
        }
        if self.crashes > 0 {
            choices.push((2, Next::Crash));
        }
        let total: u64 = choices.iter().map(|(weight, _)| weight).sum();
        let mut pick = self.dice.below(total.max(1));
        choices.into_iter().find_map(|(weight, next)| match pick.checked_sub(weight) {
            None => Some(next),
            Some(rest) => {
                pick = rest;
                None
            }
        })
    }

    fn act(&mut self, next: Next) {
        let n = self.processes.len();
        match next {
            Next::Deliver(k) => {
                let (_, msg) = self.channels[k].pop_front().expect("something is in transit");
                self.step(k % n, Input::Recv { from: NodeId::at(k / n), msg });
            }
            Next::Release(k) => self.step(k, Input::ReleaseCs),
            Next::Request(k) => {
                self.requests -= 1;
                self.wanted[k] = ResourceId(self.dice.below(self.judged.resources.into()));
                self.step(k, Input::RequestCs(self.wanted[k]));
            }
            Next::Change => {
                self.changes -= 1;
                self.change();
            }
            Next::Crash => {
                self.crashes -= 1;
                self.crashed.push(NodeId::at(self.dice.below(n as u64) as usize));
            }
        }
    }

    fn step(&mut self, k: usize, input: Input<P::Msg, P::Timer>) {
        if self.crashed.contains(&NodeId::at(k)) {
            return;
        }
        let mut out = Out::new();
        self.processes[k].step(input, &mut out);
        for output in out.drain() {
            match output {
                Output::Send { to, msg } => {
                    self.channels[k * self.processes.len() + to.index()]
                        .push_back((self.steps, msg));
                }
                Output::EnterCs => self.judge_entry(),
                Output::Undefined(_) => self.broken = Some(Promise::DefinedStep),
                _ => {}
            }
        }
    }

    /// A random pair flips, if the model allows it.
    fn change(&mut self) {
        let n = self.processes.len();
        let [a, b] = [0; 2].map(|_| self.dice.below(n as u64) as usize);
        let (x, y) = (NodeId::at(a), NodeId::at(b));
        // Who has stopped does not move.
        if a == b || self.crashed.contains(&y) {
            return;
        }
        if !self.links.has(x, y) {
            self.links.link(x, y);
            self.step(a, Input::LinkUp { peer: y, role: LinkRole::Static });
            self.step(b, Input::LinkUp { peer: x, role: LinkRole::Moving });
            return self.judge_entry();
        }
        let channels = [a * n + b, b * n + a];
        if self.judged.rules.lossy {
            channels.into_iter().for_each(|k| self.channels[k].clear());
        }
        if channels.into_iter().any(|k| !self.channels[k].is_empty()) {
            return;
        }
        self.links.unlink(x, y);
        if !self.judged.apart && !self.links.is_connected() {
            self.links.link(x, y);
            return;
        }
        self.step(a, Input::LinkDown { peer: y });
        self.step(b, Input::LinkDown { peer: x });
    }

    fn nodes(&self) -> impl Iterator<Item = (NodeId, &P)> + Clone {
        self.processes.iter().enumerate().map(|(k, process)| (NodeId::at(k), process))
    }

    /// Those that have not stopped.
    fn living(&self) -> impl Iterator<Item = (NodeId, &P)> + Clone {
        self.nodes().filter(|(node, _)| !self.crashed.contains(node))
    }

    /// Whether there is a token in the part of a node. If the protocol is local, whether the node
    /// is far enough from all that have stopped.
    fn is_within_reach(&self, node: NodeId) -> bool {
        if let Some(locality) = self.judged.rules.locality {
            let far = |&stopped: &NodeId| {
                self.links.distances(stopped)[node.index()].is_none_or(|links| links > locality)
            };
            return self.crashed.iter().all(far);
        }
        let part = self.processes.iter().zip(self.links.distances(node));
        part.filter(|(_, distance)| distance.is_some()).any(|(process, _)| process.held() > 0)
    }

    fn judge_entry(&mut self) {
        let inside = self.nodes().filter(|(_, process)| process.status() == Status::Critical);
        let inside: Vec<(NodeId, ResourceId)> =
            inside.map(|(node, _)| (node, self.wanted[node.index()])).collect();
        let judged = self.judged.rules.exclusion.judge(&inside, |a, b| self.links.has(a, b));
        self.broken = self.broken.or(judged.err().map(|broken| broken.promise));
    }

    /// What is broken when nothing is in transit.
    fn judge_rest(&self) -> Option<Promise> {
        let interested = self
            .living()
            .map(|(node, process)| (node, process.status(), self.wanted[node.index()]))
            .filter(|&(_, status, _)| status != Status::Remainder);
        if interested.clone().all(|(_, status, _)| status == Status::Waiting) {
            if interested.clone().any(|(node, ..)| self.is_within_reach(node)) {
                return Some(Promise::NoStarvation);
            }
        } else if self.judged.rules.exclusion == Exclusion::SameGroup {
            let together = progress::entered_together(interested, |j| self.is_within_reach(j));
            return together.err().map(|broken| broken.promise);
        }
        let wrong = |(node, process): (NodeId, &P)| {
            progress::reported(node, self.is_within_reach(node), process.misses_token()).is_err()
        };
        let tells = self.judged.apart && self.judged.rules.locality.is_none();
        (tells && self.nodes().any(wrong)).then_some(Promise::Reachability)
    }

    /// What is broken when messages have gone round for long.
    fn judge_restless(&self) -> Option<Promise> {
        let waits = |(node, process): (NodeId, &P)| {
            process.status() == Status::Waiting && self.is_within_reach(node)
        };
        let silence = self.judged.rules.silent.then_some(Promise::Silence);
        if self.living().any(waits) { Some(Promise::NoStarvation) } else { silence }
    }
}
