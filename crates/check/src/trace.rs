//! From states back to what happened: the schedules that lead to them.

use std::sync::RwLock;

use driftlock_core::LinkRole;
use driftlock_replay::Action;

use crate::batch::{Batch, Fate, Move};
use crate::expand::{expand_all, read};
use crate::layout::node;
use crate::memo::Memo;
use crate::site::Checked;
use crate::store::Store;

/// Writes down what happens along a way through the states.
pub(crate) struct Trace<'t, P: Checked> {
    memo: &'t RwLock<Memo<P>>,
    /// The row of the state the trace has come to.
    row: Vec<u32>,
    pub(crate) schedule: Vec<Action<P::Timer>>,
}

impl<'t, P: Checked> Trace<'t, P> {
    /// The shortest way to `state`.
    pub(crate) fn to(memo: &'t RwLock<Memo<P>>, store: &Store, state: u32) -> Self {
        let path = store.path(state);
        let mut trace = Trace { memo, row: store.row(path[0]), schedule: Vec::new() };
        for &next in &path[1..] {
            let next = store.row(next);
            let by = trace.successors().find(|(_, row)| *row == next).map(|(by, _)| by);
            trace.go(by.expect("a state is found from the one before it"));
        }
        trace
    }

    /// Go on with a move.
    pub(crate) fn go(&mut self, by: Move) {
        self.schedule.push(self.action(by));
        self.schedule.extend(self.aftermath(by));
        let next = self.successors().find(|(other, _)| *other == by);
        self.row = next.map_or_else(|| self.row.clone(), |(_, row)| row);
    }

    /// Where the trace could go on to; the last move may break a promise, and leads nowhere.
    fn successors(&self) -> impl Iterator<Item = (Move, Vec<u32>)> + use<P> {
        let mut batch = Batch::default();
        expand_all(self.memo, &self.row, &mut batch);
        let width = self.row.len();
        let Batch { rows, successors, .. } = batch;
        successors
            .into_iter()
            .enumerate()
            .filter(|(_, next)| next.fate == Fate::Kept)
            .map(move |(k, next)| (next.by, rows[k * width..(k + 1) * width].to_vec()))
    }

    /// What comes of a node that stops: the links that go down with it, each after what that node
    /// had sent on it is lost.
    fn aftermath(&self, by: Move) -> Vec<Action<P::Timer>> {
        let memo = read(self.memo);
        let Move::Crash(i) = by else { return Vec::new() };
        let links = memo.environment(self.row[0]).links;
        let linked = |&j: &u8| j != i && links & memo.layout.link(i.into(), j.into()) != 0;
        let peers = (0..memo.layout.n as u8).filter(|_| memo.setup.cuts_off()).filter(linked);
        let carried = !memo.setup.medium.routes();
        let fall = |j: u8| {
            let channel = self.row[memo.layout.channel(i.into(), j.into())];
            let lost = if carried { memo.channels.length(channel) } else { 0 };
            let lost = (0..lost).map(move |_| (i, j));
            let lost = lost.map(|(i, j)| Action::Lose { from: node(i), to: node(j) });
            lost.chain([Action::LinkDown { a: node(j), b: node(i) }])
        };
        peers.flat_map(fall).collect()
    }

    fn action(&self, by: Move) -> Action<P::Timer> {
        use driftlock_core::ResourceId;
        match by {
            Move::Deliver { from, to } => Action::Deliver { from: node(from), to: node(to) },
            Move::Release(i) => Action::Release(node(i)),
            Move::Request { node: i, resource } => {
                Action::Request(node(i), ResourceId(resource.into()))
            }
            Move::LinkUp { a, b, moving } => {
                Action::LinkUp { a: node(a), b: node(b), moving: node(moving) }
            }
            Move::LinkDown { a, b } => Action::LinkDown { a: node(a), b: node(b) },
            Move::Due { node: i, timer } | Move::Timeout { node: i, timer } => {
                let site = self.row[1 + usize::from(i)];
                Action::Timer(node(i), read(self.memo).timer(site, timer))
            }
            Move::Lose { from, to } => Action::Lose { from: node(from), to: node(to) },
            Move::Duplicate { from, to } => Action::Duplicate { from: node(from), to: node(to) },
            Move::Crash(i) => Action::Crash(node(i)),
            Move::Meet { node: i, peer, moved } => {
                Action::Tell { node: node(i), peer: node(peer), role: Some(role_of(moved)) }
            }
            Move::Part { node: i, peer } | Move::Tell { node: i, peer } => {
                let memo = read(self.memo);
                let (told, end) = (memo.environment(self.row[0]).told, memo.layout.end(i, peer));
                let role = (told.due & end != 0).then(|| role_of(told.moved & end != 0));
                Action::Tell { node: node(i), peer: node(peer), role }
            }
            Move::Save(i) => Action::Save(node(i)),
            Move::Restart { node: i, inside } => {
                let wanted = read(self.memo).site(self.row[1 + usize::from(i)]).wanted;
                Action::Restart { node: node(i), inside: inside.then_some(wanted) }
            }
        }
    }
}

fn role_of(moved: bool) -> LinkRole {
    if moved { LinkRole::Moving } else { LinkRole::Static }
}
