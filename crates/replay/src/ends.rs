//! Links whose ends are told of changes one by one: [`Ends`].

use std::collections::{BTreeMap, BTreeSet};

use driftlock_core::{Graph, LinkRole, NodeId};

use crate::stage::{Stage, other};
use crate::{Action, Replayable};

/// One end of a link: whose, and towards whom.
pub(crate) type End = (NodeId, NodeId);

/// What the ends of links were told.
#[derive(Default)]
pub(crate) struct Ends {
    /// Those that have had their `LinkUp` and no `LinkDown` since.
    open: BTreeSet<End>,
    /// Those of them that nothing reaches any more: the other end has taken back what was sent.
    frozen: BTreeSet<End>,
    /// Those that will have a `LinkUp`, and as what.
    due: BTreeMap<End, LinkRole>,
    /// The end that takes something back, and is told next that its link went down.
    pub(crate) returning: Option<End>,
}

/// The ends of the links between two nodes: of the first, and of the other.
pub(crate) fn ends_of(node: NodeId, peer: NodeId) -> [End; 2] {
    [(node, peer), (peer, node)]
}

impl Ends {
    /// All links of `graph` are up, and everyone knows.
    pub(crate) fn of(graph: &Graph) -> Self {
        let open = graph.links().flat_map(|(a, b)| [(a, b), (b, a)]).collect();
        Ends { open, ..Ends::default() }
    }

    pub(crate) fn is_open(&self, end: End) -> bool {
        self.open.contains(&end)
    }

    /// Whether messages reach this end.
    pub(crate) fn receives(&self, end: End) -> bool {
        self.is_open(end) && !self.frozen.contains(&end)
    }

    /// Whether nothing will reach this end any more.
    fn is_dead(&self, end: End) -> bool {
        !self.receives(end) && !self.due.contains_key(&end)
    }

    fn is_closed(&self, end: End) -> bool {
        !self.is_open(end) && !self.due.contains_key(&end)
    }

    /// To whom `node` has an open end.
    pub(crate) fn open_at(&self, node: NodeId) -> BTreeSet<NodeId> {
        let own = self.open.iter().filter(|(end, _)| *end == node);
        own.map(|&(_, peer)| peer).collect()
    }

    /// The end of a node that was killed: open if it was told so by what it woke up as, and nothing
    /// reaches it any more.
    pub(crate) fn wake(&mut self, end: End, open: bool) {
        self.open.remove(&end);
        self.frozen.remove(&end);
        if open {
            self.open.insert(end);
            self.frozen.insert(end);
        }
    }
}

impl<P: Replayable> Stage<P> {
    /// Whether `node` can be told that its link to `peer` came up, as what, or went down.
    pub(crate) fn may_be_told(&self, node: NodeId, peer: NodeId, role: Option<LinkRole>) -> bool {
        let n = self.processes.len();
        if !self.rules.settled || node == peer || node.index() >= n || peer.index() >= n {
            return false;
        }
        let (end, far) = ((node, peer), (peer, node));
        match role {
            Some(role) => match self.ends.due.get(&end) {
                Some(due) => *due == role,
                None => self.ends.is_closed(end) && self.ends.is_closed(far),
            },
            None => {
                let mut without = self.graph.clone();
                let breaks = without.unlink(node, peer);
                let joined = || without.distances(node)[peer.index()].is_some();
                self.ends.is_open(end) && (!breaks || self.rules.partitions || joined())
            }
        }
    }

    /// One end is told that its link came up. If it is the first, the other end will be.
    pub(crate) fn end_up(
        &mut self,
        node: NodeId,
        peer: NodeId,
        role: LinkRole,
    ) -> Result<(), String> {
        if !self.may_be_told(node, peer, Some(role)) {
            return Err(format!("the link {node}-{peer} does not come up for {node}"));
        }
        if self.ends.due.remove(&(node, peer)).is_none() {
            self.graph.link(node, peer);
            self.ends.due.insert((peer, node), other(role));
        }
        self.ends.open.insert((node, peer));
        self.monitor.end_told(node, peer, true);
        Ok(())
    }

    /// One end is told that its link went down. What is in transit towards it is lost, but for what
    /// would be missed.
    pub(crate) fn end_down(&mut self, node: NodeId, peer: NodeId) -> Result<(), String> {
        if !self.may_be_told(node, peer, None) {
            return Err(format!("the link {node}-{peer} does not go down for {node}"));
        }
        if self.comes_back(node, peer) {
            return Err(format!("something comes back to {node} first"));
        }
        self.cut(node, peer);
        self.ends.returning = None;
        self.ends.open.remove(&(node, peer));
        self.ends.frozen.remove(&(node, peer));
        self.naps.late.remove(&(node, peer));
        self.lose(peer, node);
        self.monitor.end_told(node, peer, false);
        Ok(())
    }

    /// Whether something would be missed that `node` has sent to `peer`.
    pub(crate) fn comes_back(&self, node: NodeId, peer: NodeId) -> bool {
        let sent = self.channels.get(&(node, peer)).into_iter().flatten();
        let late = self.naps.late.get(&(node, peer)).into_iter().flatten();
        sent.chain(late).any(is_kept::<P>)
    }

    /// The oldest message that comes back to `node` from its link to `peer`.
    pub(crate) fn give_back(&mut self, node: NodeId, peer: NodeId) -> Result<P::Msg, String> {
        if !self.may_be_told(node, peer, None) || !self.comes_back(node, peer) {
            return Err(format!("nothing comes back to {node} from {peer}"));
        }
        self.cut(node, peer);
        if self.ends.is_open((peer, node)) {
            self.ends.frozen.insert((peer, node));
        }
        self.lose(node, peer);
        self.ends.returning = Some((node, peer));
        let oldest = self.channels.get_mut(&(node, peer)).and_then(|sent| sent.pop_front());
        let late = self.naps.late.get_mut(&(node, peer));
        let oldest = oldest.or_else(|| late.and_then(|late| late.pop_front()));
        oldest.ok_or_else(|| format!("nothing comes back to {node} from {peer}"))
    }

    /// Whether a message that is sent now is lost at once.
    pub(crate) fn vanishes(&self, node: NodeId, to: NodeId, msg: &P::Msg) -> bool {
        let gone = self.ends.is_dead((to, node)) || self.naps.late.contains_key(&(node, to));
        self.rules.settled && gone && !is_kept::<P>(msg)
    }

    /// The notices that are bound to come. Who is at rest need not be told of a link that went
    /// down, and what comes back does so when there is a way to ask.
    pub(crate) fn notices(&self) -> Vec<Action<P::Timer>> {
        if !self.rules.settled {
            return Vec::new();
        }
        let due = self.ends.due.iter();
        let up = due.map(|(&(node, peer), &role)| Action::Tell { node, peer, role: Some(role) });
        let down = self.ends_to_close().filter(|&end| match self.is_in_doubt(end) {
            true => false,
            false => self.comes_back(end.0, end.1) || !self.processes[end.0.index()].is_at_rest(),
        });
        up.chain(down.map(|(node, peer)| Action::Tell { node, peer, role: None })).collect()
    }

    /// The ends of links that are down that were not told.
    fn ends_to_close(&self) -> impl Iterator<Item = End> {
        self.ends.open.iter().copied().filter(|&(node, peer)| !self.graph.has(node, peer))
    }

    /// Whether something would come back if there were a way to ask.
    fn is_in_doubt(&self, (node, peer): End) -> bool {
        self.comes_back(node, peer) && self.graph.distances(node)[peer.index()].is_none()
    }

    /// The monitor is told which links work, and who does not know.
    pub(crate) fn tell_monitor(&mut self) {
        let untold = self.ends_to_close().map(|(node, _)| node).collect();
        let in_doubt = self.ends_to_close().filter(|&end| self.is_in_doubt(end));
        let in_doubt = in_doubt.map(|(node, _)| node).collect();
        self.monitor.links_working(&self.graph, untold, in_doubt);
    }

    /// To whom what is in transit from `from` to `to` goes: back, if nothing reaches `to` any more.
    pub(crate) fn heading(&self, from: NodeId, to: NodeId) -> NodeId {
        let back = self.rules.settled && self.ends.is_dead((to, from));
        if back { from } else { to }
    }

    /// The link works no more. An end that was not told that it did is not told that it does not.
    pub(crate) fn cut(&mut self, node: NodeId, peer: NodeId) {
        self.graph.unlink(node, peer);
        for (i, j) in ends_of(node, peer) {
            if self.ends.due.remove(&(i, j)).is_some() {
                self.lose(j, i);
            }
        }
    }

    /// What is in transit is lost, but for what would be missed.
    pub(crate) fn lose(&mut self, from: NodeId, to: NodeId) {
        if let Some(sent) = self.channels.get_mut(&(from, to)) {
            sent.retain(is_kept::<P>);
        }
    }
}

/// Whether a message would be missed: it carries a token, or weight.
fn is_kept<P: Replayable>(msg: &P::Msg) -> bool {
    P::carried(msg) > 0 || P::weight_of(msg) != 0
}
