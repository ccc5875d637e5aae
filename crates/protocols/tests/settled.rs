//! A network of real links, as the contract of `Protocol` has them: its ends are told of changes
//! one by one, what would be missed comes back, and everyone starts alone.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write;

use driftlock_core::{
    Cold, Graph, Input, LinkRole, NodeId, Out, Output, ResourceId, Status, Tokens,
};
use driftlock_journal::text;

use crate::schedules::Lcg;

/// One end of a link: whose, and towards whom.
type End = (NodeId, NodeId);

/// Processes that started alone, and the links between them.
pub(crate) struct Settled<P: Cold + Tokens> {
    pub(crate) processes: Vec<P>,
    channels: BTreeMap<End, VecDeque<P::Msg>>,
    /// The links that work.
    pub(crate) up: Graph,
    /// The ends that have had their `LinkUp`, and no `LinkDown` since.
    open: BTreeSet<End>,
    /// Those of them that nothing reaches any more: the other end has taken back what was sent.
    frozen: BTreeSet<End>,
    /// The ends that will have a `LinkUp`, and as what.
    due: BTreeMap<End, LinkRole>,
    /// Whether who is idle is told of a change only before its next input.
    late: bool,
    pub(crate) returned: usize,
    pub(crate) story: String,
}

/// What can happen next.
#[derive(Clone, Copy, Debug)]
enum Act {
    Deliver(NodeId, NodeId),
    Release(NodeId),
    Request(NodeId),
    Tell(End),
    Change,
}

/// What there is of a storm.
#[derive(Clone, Copy)]
pub(crate) struct Storm {
    pub(crate) requests: usize,
    pub(crate) resources: usize,
    pub(crate) changes: usize,
    /// Whether the network may fall apart again.
    pub(crate) apart: bool,
}

impl<P: Cold + Tokens> Settled<P> {
    /// Node 0 is the founder.
    pub(crate) fn new(n: usize, settings: &P::Settings, late: bool) -> Self {
        let process = |k: usize| P::cold(NodeId::at(k), k == 0, settings);
        Settled {
            processes: (0..n).map(process).collect(),
            channels: BTreeMap::new(),
            up: Graph::new(n),
            open: BTreeSet::new(),
            frozen: BTreeSet::new(),
            due: BTreeMap::new(),
            late,
            returned: 0,
            story: String::new(),
        }
    }

    pub(crate) fn step(&mut self, i: NodeId, input: Input<P::Msg, P::Timer>) {
        let mut out = Out::new();
        let _ = writeln!(self.story, "{i} {}", text::input(&input));
        self.processes[i.index()].step(input, &mut out);
        for output in out.drain() {
            let _ = writeln!(self.story, "    {}", text::output(i, &output));
            let Output::Send { to, msg } = output else { continue };
            assert!(self.open.contains(&(i, to)), "{i} has no link to {to}\n{}", self.story);
            if is_kept::<P>(&msg) || !self.is_dead((to, i)) {
                self.channels.entry((i, to)).or_default().push_back(msg);
            }
        }
    }

    /// Whether nothing will reach this end any more.
    fn is_dead(&self, end: End) -> bool {
        !self.receives(end) && !self.due.contains_key(&end)
    }

    fn receives(&self, end: End) -> bool {
        self.open.contains(&end) && !self.frozen.contains(&end)
    }

    fn is_closed(&self, end: End) -> bool {
        !self.open.contains(&end) && !self.due.contains_key(&end)
    }

    pub(crate) fn link(&mut self, still: NodeId, moving: NodeId) {
        self.up.link(still, moving);
        self.due.insert((still, moving), LinkRole::Static);
        self.due.insert((moving, still), LinkRole::Moving);
    }

    /// The link works no more. An end that was not told that it did is not told that it does not.
    pub(crate) fn cut(&mut self, a: NodeId, b: NodeId) {
        let _ = writeln!(self.story, "{a}-{b} breaks");
        self.up.unlink(a, b);
        for (i, j) in [(a, b), (b, a)] {
            if self.due.remove(&(i, j)).is_some() {
                self.drop_towards((i, j));
            }
        }
    }

    /// What is in transit towards an end that is closed is lost, but for what is kept.
    fn drop_towards(&mut self, (i, j): End) {
        if let Some(channel) = self.channels.get_mut(&(j, i)) {
            channel.retain(|msg| is_kept::<P>(msg));
        }
    }

    /// Whether this end can be told of something.
    fn may_tell(&self, (i, j): End) -> bool {
        let down = self.open.contains(&(i, j)) && !self.up.has(i, j);
        self.due.contains_key(&(i, j)) || down
    }

    pub(crate) fn tell(&mut self, (i, j): End) {
        if let Some(role) = self.due.remove(&(i, j)) {
            self.open.insert((i, j));
            return self.step(i, Input::LinkUp { peer: j, role });
        }
        while let Some(msg) = self.take_back((i, j)) {
            self.returned += 1;
            self.step(i, Input::Returned { to: j, msg });
        }
        self.open.remove(&(i, j));
        self.frozen.remove(&(i, j));
        self.drop_towards((i, j));
        self.step(i, Input::LinkDown { peer: j });
    }

    /// The oldest message that this end gets back. After that nothing reaches the other.
    fn take_back(&mut self, (i, j): End) -> Option<P::Msg> {
        let kept = self.channels.get(&(i, j))?.iter().position(|msg| is_kept::<P>(msg))?;
        if self.open.contains(&(j, i)) {
            self.frozen.insert((j, i));
        }
        let msg = self.channels.get_mut(&(i, j))?.remove(kept);
        self.drop_towards((j, i));
        msg
    }

    /// Whether this end is told by itself. Who is idle is told if something comes back, or if the
    /// other end has had its `LinkUp`, and says so.
    fn will_be_told(&self, (i, j): End) -> bool {
        let idle = self.late && self.processes[i.index()].is_idle();
        let sent = self.channels.get(&(i, j));
        let comes_back = sent.is_some_and(|sent| sent.iter().any(|msg| is_kept::<P>(msg)));
        let is_opened = self.due.contains_key(&(i, j)) && self.open.contains(&(j, i));
        self.may_tell((i, j)) && (!idle || comes_back || is_opened)
    }

    /// Who is idle is told of all changes before anything else reaches it.
    fn catch_up(&mut self, i: NodeId) {
        if !(self.late && self.processes[i.index()].is_idle()) {
            return;
        }
        let ends = (0..self.processes.len()).map(NodeId::at).filter(|&j| j != i);
        for j in ends.collect::<Vec<_>>() {
            if self.may_tell((i, j)) {
                self.tell((i, j));
            }
        }
    }

    pub(crate) fn deliver(&mut self, from: NodeId, to: NodeId) {
        let msg = self.channels.get_mut(&(from, to)).and_then(VecDeque::pop_front).unwrap();
        self.step(to, Input::Recv { from, msg });
    }

    pub(crate) fn request(&mut self, i: NodeId, resource: u32) {
        self.catch_up(i);
        self.step(i, Input::RequestCs(ResourceId(resource.into())));
    }

    fn acts(&self, left: Storm) -> Vec<Act> {
        let busy = self.channels.iter().filter(|(_, msgs)| !msgs.is_empty()).map(|(&end, _)| end);
        let arriving = busy.filter(|&(from, to)| self.receives((to, from)));
        let mut acts: Vec<Act> = arriving.map(|(from, to)| Act::Deliver(from, to)).collect();
        for (k, process) in self.processes.iter().enumerate() {
            match process.status() {
                Status::Critical => acts.push(Act::Release(NodeId::at(k))),
                Status::Remainder if left.requests > 0 => acts.push(Act::Request(NodeId::at(k))),
                _ => {}
            }
        }
        let ends = self.open.iter().copied().chain(self.due.keys().copied());
        acts.extend(ends.filter(|&end| self.will_be_told(end)).map(Act::Tell));
        if left.changes > 0 {
            acts.extend([Act::Change, Act::Change]);
        }
        acts
    }

    /// Storm, then calm, until nothing can happen. `judge` is asked after every step.
    pub(crate) fn run(&mut self, mut left: Storm, dice: &mut Lcg, judge: &dyn Fn(&Self)) {
        for _ in 0..50_000 {
            let acts = self.acts(left);
            if acts.is_empty() {
                return;
            }
            match acts[dice.below(acts.len())] {
                Act::Deliver(from, to) => {
                    self.catch_up(to);
                    // The link may have gone down by that.
                    if self.channels.get(&(from, to)).is_some_and(|msgs| !msgs.is_empty())
                        && self.receives((to, from))
                    {
                        self.deliver(from, to);
                    }
                }
                Act::Release(i) => self.step(i, Input::ReleaseCs),
                Act::Request(i) => {
                    left.requests -= 1;
                    self.request(i, dice.below(left.resources) as u32);
                }
                Act::Tell(end) => self.tell(end),
                Act::Change => {
                    left.changes -= 1;
                    self.change(left.apart, dice);
                }
            }
            judge(self);
        }
        panic!("the network never falls silent\n{}", self.story)
    }

    /// A random link comes up or breaks, if the model allows it.
    fn change(&mut self, apart: bool, dice: &mut Lcg) {
        let n = self.processes.len();
        let (a, b) = (NodeId::at(dice.below(n)), NodeId::at(dice.below(n)));
        if a == b {
            return;
        }
        if self.up.has(a, b) {
            let mut without = self.up.clone();
            without.unlink(a, b);
            if apart || without.distances(a)[b.index()].is_some() {
                self.cut(a, b);
            }
        } else if self.is_closed((a, b)) && self.is_closed((b, a)) {
            self.link(a, b);
        }
    }

    /// Everyone is told of everything.
    pub(crate) fn tell_all(&mut self) {
        let ends = |net: &Self| net.open.iter().chain(net.due.keys()).copied().collect::<Vec<_>>();
        while let Some(end) = ends(self).into_iter().find(|&end| self.may_tell(end)) {
            self.tell(end);
        }
    }

    /// These links come up that are not, and everyone is told.
    pub(crate) fn connect(&mut self, links: impl IntoIterator<Item = (NodeId, NodeId)>) {
        self.tell_all();
        for (a, b) in links {
            if !self.up.has(a, b) {
                self.link(a, b);
            }
        }
        self.tell_all();
    }

    /// All messages arrive.
    pub(crate) fn deliver_all(&mut self) {
        let first = |net: &Self| {
            net.channels.iter().find(|(_, msgs)| !msgs.is_empty()).map(|(&end, _)| end)
        };
        while let Some((from, to)) = first(self) {
            self.deliver(from, to);
        }
    }

    /// How many messages are in transit from `from` to `to`.
    pub(crate) fn in_transit(&self, from: NodeId, to: NodeId) -> usize {
        self.channels.get(&(from, to)).map_or(0, VecDeque::len)
    }

    /// Tokens held and in transit, and weight.
    pub(crate) fn sums(&self) -> (u32, i64) {
        let messages = || self.channels.values().flatten();
        let held: u32 = self.processes.iter().map(Tokens::held).sum();
        let weight: i64 = self.processes.iter().map(Tokens::weight).sum();
        let carried: u32 = messages().map(P::carried).sum();
        (held + carried, weight + messages().map(P::weight_of).sum::<i64>())
    }

    pub(crate) fn waiting(&self) -> Vec<usize> {
        let waits = |k: &usize| self.processes[*k].status() == Status::Waiting;
        (0..self.processes.len()).filter(waits).collect()
    }

    /// Whether both ends count on their link.
    pub(crate) fn both_open(&self, a: NodeId, b: NodeId) -> bool {
        self.open.contains(&(a, b)) && self.open.contains(&(b, a))
    }
}

fn is_kept<P: Tokens>(msg: &P::Msg) -> bool {
    P::carried(msg) > 0 || P::weight_of(msg) != 0
}
