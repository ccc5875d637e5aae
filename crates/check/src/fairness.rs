//! Runs that never end although everyone does their part: [`fair_cycle`].
//!
//! Weak fairness: a channel that always has something in it delivers in the end, whoever is in the
//! critical section leaves it in the end, and so it is with what the end of a link has to be told.
//! And strong fairness for timers: one that could go off
//! again and again, and is not unset or set anew, goes off.
//! A cycle of calm edges is fair if each of these demands is met somewhere on it: the thing is
//! done, or there was a state in which it could not be. A strongly connected component has a fair
//! cycle if and only if the component as a whole meets every demand: if it does, walk all of it; if
//! it does not, no part of it does, but for parts in which a timer that has to go off cannot.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::RwLock;

use driftlock_core::Status;

use crate::batch::{Batch, Fate, Move};
use crate::channels::EMPTY;
use crate::components::{components, restless};
use crate::expand::{expand_all, read};
use crate::memo::{Key, Memo};
use crate::site::Checked;
use crate::store::Store;

/// A way into a cycle, and the cycle.
pub(crate) struct Lasso {
    /// Where the cycle starts.
    pub(crate) state: u32,
    /// Once round it.
    pub(crate) cycle: Vec<Move>,
}

/// Something that has to be done in the end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Demand {
    Deliver {
        from: u8,
        to: u8,
    },
    Release(u8),
    /// This node is told of its link with this one.
    Tell(u8, u8),
    /// This timer of this node goes off.
    Due(u8, u32),
    /// Not fairness: a cycle is not silent only if something is delivered on it.
    Any,
}

/// The fair cycle that is found soonest in which someone waits all the time who has to get in, or,
/// where silence is promised, in which messages go round though nobody does.
pub(crate) fn fair_cycle<P: Checked>(memo: &RwLock<Memo<P>>, store: &Store) -> Option<Lasso> {
    let states = restless(store);
    if states.is_empty() {
        return None;
    }
    let judge = Judge { memo, store };
    let (n, silent) = (read(memo).layout.n as u8, read(memo).setup.rules.silent);
    let mut best: Option<(Vec<u32>, bool)> = None;
    for waiter in (0..n).map(Some).chain(silent.then_some(None)) {
        let mut parts = components(store, &states, |state| judge.concerns(state, waiter));
        while let Some(part) = parts.pop() {
            if best.as_ref().is_some_and(|(best, _)| part[0] >= best[0]) {
                continue;
            }
            match judge.unfair_in(&part, waiter.is_none()) {
                Some(unfair) if unfair.is_empty() => best = Some((part, waiter.is_none())),
                Some(unfair) => parts.extend(components(store, &part, |state| {
                    judge.concerns(state, waiter) && unfair.binary_search(&state).is_err()
                })),
                None => {}
            }
        }
    }
    best.map(|(component, silence)| judge.lasso(&component, silence))
}

struct Judge<'j, P: Checked> {
    memo: &'j RwLock<Memo<P>>,
    store: &'j Store,
}

/// The calm edges within a component.
type Edges = BTreeMap<u32, Vec<(Move, u32)>>;

impl<P: Checked> Judge<'_, P> {
    /// Whether `waiter` waits in `state` and has to get in; if it is none, whether nobody does and
    /// nothing may be sent any more.
    fn concerns(&self, state: u32, waiter: Option<u8>) -> bool {
        let memo = read(self.memo);
        let row = self.store.row(state);
        let Some(owed) = memo.owed(&row) else { return false };
        let waits = |i: u8| {
            let facts = memo.site(row[1 + usize::from(i)]);
            facts.section == Status::Waiting && !facts.crashed
        };
        let starves = |i: u8| waits(i) && owed & (1 << i) != 0;
        let mut nodes = 0..memo.layout.n as u8;
        let silent = memo.setup.rules.asks_for_silence(nodes.clone().any(waits));
        waiter.map_or_else(|| silent && !nodes.any(starves), starves)
    }

    /// The states of a component in which a timer could go off that has to and does not. None of
    /// them are left if it meets every demand, and nothing if there is another that it does not.
    fn unfair_in(&self, component: &[u32], silence: bool) -> Option<Vec<u32>> {
        let edges = self.edges(component);
        let moves = edges.iter().flat_map(|(state, to)| to.iter().map(|(by, _)| (*state, *by)));
        let mut met: BTreeSet<Demand> =
            moves.flat_map(|(state, by)| self.met_by(state, by)).collect();
        for &state in component {
            met.extend(self.idle_in(state));
        }
        let unmet: BTreeSet<Demand> =
            self.demands(silence).filter(|demand| !met.contains(demand)).collect();
        let timers_alone = unmet.iter().all(|demand| matches!(demand, Demand::Due(..)));
        let late = |state: &&u32| self.due_in(**state).iter().any(|due| unmet.contains(due));
        timers_alone.then(|| component.iter().filter(late).copied().collect())
    }

    /// The timers that can go off in a state: all that are set, if nothing else can happen.
    fn due_in(&self, state: u32) -> Vec<Demand> {
        let memo = read(self.memo);
        let row = self.store.row(state);
        let sites = || (0..).zip(row[1..=memo.layout.n].iter().map(|&site| memo.site(site)));
        let sites = || sites().filter(|(_, facts)| !facts.crashed);
        let busy = row[memo.layout.left()..].iter().any(|&channel| channel != EMPTY);
        if busy || sites().any(|(_, facts)| facts.section == Status::Critical) {
            return Vec::new();
        }
        let timers = |set: u64| (0..memo.n_timers()).filter(move |timer| set & (1 << timer) != 0);
        sites().flat_map(|(i, facts)| timers(facts.set).map(move |t| Demand::Due(i, t))).collect()
    }

    fn demands(&self, silence: bool) -> impl Iterator<Item = Demand> + use<P> {
        let memo = read(self.memo);
        let (layout, timers) = (memo.layout.clone(), memo.n_timers());
        let n = layout.n as u8;
        let ends = layout.channels.clone().into_iter().map(|(i, j)| Demand::Tell(i, j));
        let channels = layout.channels.into_iter().map(|(from, to)| Demand::Deliver { from, to });
        let channels = channels.chain(ends);
        let due = (0..n).flat_map(move |i| (0..timers).map(move |timer| Demand::Due(i, timer)));
        let nodes = (0..n).map(Demand::Release).chain(due);
        channels.chain(nodes).chain(silence.then_some(Demand::Any))
    }

    /// What a move does in a state. A timer that is set anew need not go off.
    fn met_by(&self, state: u32, by: Move) -> Vec<Demand> {
        let memo = read(self.memo);
        let row = self.store.row(state);
        let site = |i: u8| row[1 + usize::from(i)];
        let (mut met, i, key) = match by {
            Move::Deliver { from, to } => {
                let channel = row[memo.layout.channel(from.into(), to.into())];
                let message = memo.channels.get(channel).first;
                let met = vec![Demand::Deliver { from, to }, Demand::Any];
                (met, to, Key::Recv { from, message })
            }
            Move::Release(i) => (vec![Demand::Release(i)], i, Key::Release),
            Move::Due { node: i, timer } => {
                let fired = memo.timer_bit(site(i), timer).trailing_zeros();
                (vec![Demand::Due(i, fired)], i, Key::Timer(timer))
            }
            _ => return Vec::new(),
        };
        let set = memo.step(site(i), key).map_or(0, |effect| effect.set);
        let anew = (0..memo.n_timers()).filter(|timer| set & (1 << timer) != 0);
        met.extend(anew.map(|timer| Demand::Due(i, timer)));
        met
    }

    /// What cannot be done in a state.
    fn idle_in(&self, state: u32) -> Vec<Demand> {
        let memo = read(self.memo);
        let row = self.store.row(state);
        let layout = &memo.layout;
        let channel = |from: u8, to: u8| row[layout.channel(from.into(), to.into())];
        let idle = layout
            .channels
            .iter()
            .filter(|&&(from, to)| channel(from, to) == EMPTY || !memo.arrives(&row, from, to));
        let mut idle: Vec<Demand> = idle.map(|&(from, to)| Demand::Deliver { from, to }).collect();
        let told = layout.channels.iter().filter(|&&(i, j)| !memo.must_tell(&row, i, j));
        idle.extend(told.map(|&(i, j)| Demand::Tell(i, j)));
        for (i, facts) in (0..).zip(row[1..=layout.n].iter().map(|&site| memo.site(site))) {
            if facts.section != Status::Critical || facts.crashed {
                idle.push(Demand::Release(i));
            }
            let set = if facts.crashed { 0 } else { facts.set };
            let unset = (0..memo.n_timers()).filter(|timer| set & (1 << timer) == 0);
            idle.extend(unset.map(|timer| Demand::Due(i, timer)));
        }
        idle
    }

    fn edges(&self, component: &[u32]) -> Edges {
        let width = self.store.row(component[0]).len();
        let mut batch = Batch::default();
        let calm = |&state: &u32| {
            expand_all(self.memo, &self.store.row(state), &mut batch);
            let rows = batch.rows.chunks_exact(width);
            let found = batch.successors.iter().zip(rows).filter_map(|(successor, row)| {
                let calm = successor.by.is_calm() && successor.fate == Fate::Kept;
                let next = self.store.find(row, successor.hash).filter(|_| calm)?;
                component.binary_search(&next).is_ok().then_some((successor.by, next))
            });
            (state, found.collect())
        };
        component.iter().map(calm).collect()
    }

    /// A walk through a fair component that meets every demand and comes back.
    fn lasso(&self, component: &[u32], silence: bool) -> Lasso {
        let edges = self.edges(component);
        let start = component[0];
        let (mut at, mut cycle) = (start, Vec::new());
        let mut met: BTreeSet<Demand> = self.idle_in(start).into_iter().collect();
        for demand in self.demands(silence) {
            if met.contains(&demand) {
                continue;
            }
            let walk = nearest(&edges, at, |from, by, state| {
                self.met_by(from, by).contains(&demand) || self.idle_in(state).contains(&demand)
            });
            for (by, state) in walk {
                met.extend(self.met_by(at, by));
                met.extend(self.idle_in(state));
                cycle.push(by);
                at = state;
            }
        }
        if at != start || cycle.is_empty() {
            let back = nearest(&edges, at, |_, _, state| state == start);
            cycle.extend(back.into_iter().map(|(by, _)| by));
        }
        Lasso { state: start, cycle }
    }
}

/// The shortest walk from `start` whose last step is as wanted.
fn nearest(edges: &Edges, start: u32, wanted: impl Fn(u32, Move, u32) -> bool) -> Vec<(Move, u32)> {
    let mut queue = VecDeque::from([(start, Vec::new())]);
    let mut seen = BTreeSet::new();
    while let Some((state, walk)) = queue.pop_front() {
        for &(by, next) in edges.get(&state).into_iter().flatten() {
            let mut longer = walk.clone();
            longer.push((by, next));
            if wanted(state, by, next) {
                return longer;
            }
            if seen.insert(next) {
                queue.push_back((next, longer));
            }
        }
    }
    Vec::new()
}
