//! The cluster algorithm in random schedules: messages get lost, nodes stop, links come and go,
//! timers go off too early. Judged after every step; and in the end everyone is served who can be.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write;

use driftlock_core::{
    Canonical, Graph, Initial, Input, NodeId, Out, Output, Protocol, ResourceId, Status,
};
use driftlock_journal::text;
use driftlock_protocols::cluster::{Cluster, Config, Epoch, Msg, Timer};

use crate::schedules::Lcg;

/// What can happen in a storm, and how often.
#[derive(Clone, Copy, Default)]
struct Weather {
    requests: usize,
    changes: usize,
    losses: usize,
    crashes: usize,
    timeouts: usize,
}

/// A network in a storm. Every node can send to every other.
struct Storm {
    processes: Vec<Cluster>,
    channels: Vec<VecDeque<Msg>>,
    timers: Vec<BTreeSet<Timer>>,
    links: Graph,
    crashed: Vec<bool>,
    speeds: Vec<usize>,
    dice: Lcg,
    /// Whether processes forget how often they missed the token.
    forgetful: bool,
    /// What happened, if it is to be told.
    story: Option<String>,
    /// What was broken.
    broken: Option<&'static str>,
    /// How often someone was inside while someone with a later epoch was.
    deposed: usize,
}

#[derive(Clone, Copy)]
enum Act {
    Deliver(usize),
    Release(usize),
    Request(usize),
    Ring(usize, Timer),
    Change,
    Lose(usize),
    Crash,
}

impl Storm {
    fn new(n: usize, seed: u64, config: &Config, story: Option<String>) -> Self {
        let mut dice = Lcg(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let mut links = Graph::new(n);
        for k in 1..n {
            links.link(NodeId::at(dice.below(k)), NodeId::at(k));
        }
        for _ in 0..dice.below(n) {
            let (a, b) = (dice.below(n), dice.below(n));
            if a != b {
                links.link(NodeId::at(a), NodeId::at(b));
            }
        }
        Storm {
            processes: Cluster::initial(&links, config),
            channels: vec![VecDeque::new(); n * n],
            timers: vec![BTreeSet::new(); n],
            links,
            crashed: vec![false; n],
            speeds: (0..n * n).map(|_| [1, 1, 4, 30][dice.below(4)]).collect(),
            dice,
            forgetful: false,
            story,
            broken: None,
            deposed: 0,
        }
    }

    fn n(&self) -> usize {
        self.processes.len()
    }

    fn step(&mut self, i: usize, input: Input<Msg, Timer>) {
        if self.crashed[i] {
            return;
        }
        let (mut out, n) = (Out::new(), self.n());
        self.tell(|| format!("{i} {}", text::input(&input)));
        self.processes[i].step(input, &mut out);
        if self.forgetful {
            self.processes[i].forget_time();
        }
        for output in out.drain() {
            self.tell(|| format!("    {}", text::output(NodeId::at(i), &output)));
            match output {
                Output::Send { to, msg } if !self.crashed[to.index()] => {
                    assert_ne!(to.index(), i, "a message to itself");
                    self.channels[i * n + to.index()].push_back(msg);
                }
                Output::SetTimer { timer, .. } => drop(self.timers[i].insert(timer)),
                Output::CancelTimer { timer } => drop(self.timers[i].remove(&timer)),
                _ => {}
            }
        }
        self.judge();
    }

    fn tell(&mut self, what: impl FnOnce() -> String) {
        if let Some(story) = &mut self.story {
            let _ = writeln!(story, "{}", what());
        }
    }

    /// No two are inside under the same epoch, and no epoch has two global tokens.
    fn judge(&mut self) {
        let living = || self.processes.iter().zip(&self.crashed).filter(|(_, gone)| !**gone);
        let inside: Vec<Epoch> = living().filter_map(|(p, _)| p.inside_under()).collect();
        let epochs: BTreeSet<Epoch> = inside.iter().copied().collect();
        if epochs.len() < inside.len() {
            self.broken = Some("two inside");
        }
        self.deposed += usize::from(inside.len() > 1);
        let held = living().filter(|(p, _)| p.has_global()).map(|(p, _)| p.promised());
        let on_the_way = self.channels.iter().flatten().filter_map(|msg| match msg {
            Msg::Global(token) => Some(token.epoch),
            _ => None,
        });
        let tokens: Vec<Epoch> = held.chain(on_the_way).collect();
        let epochs: BTreeSet<Epoch> = tokens.iter().copied().collect();
        if epochs.len() < tokens.len() {
            self.broken = Some("two tokens");
        }
    }

    /// Storm, then calm. Returns who waits for ever.
    fn run(&mut self, mut left: Weather) -> Vec<usize> {
        for _ in 0..60_000 {
            let storms = left.requests + left.changes + left.losses + left.crashes > 0;
            if self.broken.is_some() || (!storms && self.owed().is_empty()) {
                break;
            }
            let Some(act) = self.pick(left) else { break };
            self.act(act, &mut left);
        }
        self.owed()
    }

    /// Those who wait, are alive, and are connected to more than half of all nodes.
    fn owed(&self) -> Vec<usize> {
        let n = self.n();
        let waits = |i: &usize| self.processes[*i].status() == Status::Waiting && !self.crashed[*i];
        let reach = |i: usize| self.links.distances(NodeId::at(i)).iter().flatten().count();
        (0..n).filter(waits).filter(|&i| 2 * reach(i) > n).collect()
    }

    fn pick(&mut self, left: Weather) -> Option<Act> {
        let mut choices: Vec<(usize, Act)> = Vec::new();
        let busy = (0..self.channels.len()).filter(|&c| !self.channels[c].is_empty());
        choices.extend(busy.clone().map(|c| (self.speeds[c], Act::Deliver(c))));
        if left.losses > 0 {
            choices.extend(busy.map(|c| (1, Act::Lose(c))));
        }
        for i in (0..self.n()).filter(|&i| !self.crashed[i]) {
            match self.processes[i].status() {
                Status::Critical => choices.push((3, Act::Release(i))),
                Status::Remainder if left.requests > 0 => choices.push((2, Act::Request(i))),
                _ => {}
            }
        }
        choices.extend((left.changes > 0).then_some((4, Act::Change)));
        choices.extend((left.crashes > 0).then_some((1, Act::Crash)));
        let (late, hurry) = (choices.is_empty(), 1 + left.timeouts / 10);
        let rings = self.timers.iter().enumerate().filter(|_| late || left.timeouts > 0);
        choices
            .extend(rings.flat_map(|(i, set)| set.iter().map(move |t| (hurry, Act::Ring(i, *t)))));
        let total: usize = choices.iter().map(|choice| choice.0).sum();
        let mut pick = self.dice.below(total.max(1));
        choices.into_iter().find_map(|(weight, act)| {
            let hit = pick < weight;
            pick = pick.saturating_sub(weight);
            hit.then_some(act)
        })
    }

    fn act(&mut self, act: Act, left: &mut Weather) {
        let n = self.n();
        match act {
            Act::Deliver(c) => {
                let msg = self.channels[c].pop_front().unwrap();
                self.step(c % n, Input::Recv { from: NodeId::at(c / n), msg });
            }
            Act::Release(i) => self.step(i, Input::ReleaseCs),
            Act::Request(i) => {
                left.requests -= 1;
                self.step(i, Input::RequestCs(ResourceId(0)));
            }
            Act::Ring(i, timer) => {
                left.timeouts = left.timeouts.saturating_sub(1);
                self.timers[i].remove(&timer);
                self.step(i, Input::Timer(timer));
            }
            Act::Change => {
                left.changes -= 1;
                self.change();
            }
            Act::Lose(c) => {
                left.losses -= 1;
                self.tell(|| format!("lost from {} to {}", c / n, c % n));
                self.channels[c].pop_front();
            }
            Act::Crash => {
                left.crashes -= 1;
                let gone = self.dice.below(n);
                self.crash(gone);
            }
        }
    }

    fn change(&mut self) {
        let n = self.n();
        let (a, b) = (self.dice.below(n), self.dice.below(n));
        if a == b || self.crashed[a] || self.crashed[b] {
            return;
        }
        let (x, y) = (NodeId::at(a), NodeId::at(b));
        if self.links.link(x, y) {
            let role = driftlock_core::LinkRole::Static;
            self.step(a, Input::LinkUp { peer: y, role });
            self.step(b, Input::LinkUp { peer: x, role: driftlock_core::LinkRole::Moving });
            return;
        }
        let reach = |links: &Graph| links.distances(x).iter().flatten().count();
        let before = reach(&self.links);
        self.links.unlink(x, y);
        if reach(&self.links) < before {
            self.links.link(x, y);
        } else {
            self.step(a, Input::LinkDown { peer: y });
            self.step(b, Input::LinkDown { peer: x });
        }
    }

    fn crash(&mut self, gone: usize) {
        let (n, node) = (self.n(), NodeId::at(gone));
        if std::mem::replace(&mut self.crashed[gone], true) {
            return;
        }
        self.tell(|| format!("{gone} stops"));
        self.timers[gone].clear();
        (0..n).for_each(|from| self.channels[from * n + gone].clear());
        for &peer in &self.links.neighbors(node).to_vec() {
            self.links.unlink(node, peer);
            self.step(peer.index(), Input::LinkDown { peer: node });
        }
    }
}

const SCHEDULES: u64 = 100;

fn storms(config: Config, weather: Weather) -> usize {
    let mut deposed = 0;
    for (n, seed) in (1..=8).flat_map(|n| (0..SCHEDULES).map(move |seed| (n, seed))) {
        let mut storm = Storm::new(n, seed, &config, None);
        let waiting = storm.run(weather);
        if !waiting.is_empty() || storm.broken.is_some() {
            let broken = storm.broken;
            storm = Storm::new(n, seed, &config, Some(String::new()));
            storm.run(weather);
            panic!("n={n} seed={seed} {broken:?} {waiting:?}\n{}", storm.story.unwrap_or_default());
        }
        deposed += storm.deposed;
    }
    deposed
}

const CALM: Weather = Weather { requests: 20, changes: 0, losses: 0, crashes: 0, timeouts: 0 };

#[test]
fn everyone_is_served_in_any_schedule() {
    assert_eq!(storms(Config::default(), CALM), 0);
    assert_eq!(storms(Config::default(), Weather { changes: 15, ..CALM }), 0);
}

/// Nobody stops, nobody is written off, and there are never two inside, whenever timers go off.
#[test]
fn without_write_offs_there_are_never_two_inside() {
    let config = Config { patience: None, ..Config::default() };
    let rough = Weather { changes: 8, losses: 6, timeouts: 20, ..CALM };
    assert_eq!(storms(config, rough), 0);
}

/// Nodes stop, messages get lost, and time-outs are right: everyone is served, one at a time.
#[test]
fn faults_are_recovered_from() {
    let rough = Weather { changes: 8, losses: 6, crashes: 2, ..CALM };
    assert_eq!(storms(Config::default(), rough), 0);
}

/// Time-outs are wrong: those who are written off and live are deposed, and no epoch has two
/// inside.
#[test]
fn an_epoch_never_has_two_inside() {
    let config = Config { patience: Some(0), ..Config::default() };
    let rough = Weather { changes: 8, losses: 6, crashes: 2, timeouts: 200, ..CALM };
    assert!(storms(config, rough) > 0, "the storm was too mild to depose anyone");
}

/// What is said to go unnoticed does: that all epochs are later ones, and how often the token was
/// missed.
#[test]
fn a_shift_and_forgetting_go_unnoticed() {
    let shift = |process: &mut Cluster| process.levels(&mut |_, number| *number += 1000);
    let config = Config { patience: Some(0), ..Config::default() };
    let rough = Weather { changes: 8, losses: 6, crashes: 2, timeouts: 40, ..CALM };
    let mut epochs = 0;
    for (n, seed) in (2..=6).flat_map(|n| (0..SCHEDULES).map(move |seed| (n, seed))) {
        let mut plain = Storm::new(n, seed, &config, None);
        let mut other = Storm { forgetful: true, ..Storm::new(n, seed, &config, None) };
        other.processes.iter_mut().for_each(shift);
        assert_eq!(plain.run(rough), other.run(rough), "n={n} seed={seed}");
        epochs += plain.processes.iter().map(|p| p.promised().number).max().unwrap();
        plain.processes.iter_mut().for_each(|process| {
            shift(process);
            process.forget_time();
        });
        assert_eq!(plain.processes, other.processes, "n={n} seed={seed}");
    }
    assert!(epochs > 500, "{epochs}");
}
