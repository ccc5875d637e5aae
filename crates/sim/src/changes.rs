//! How links come and go.
//!
//! Changes are made to a *plan* of the network first, and the plan depends on the seed alone, so
//! that all protocols face the same changes. The links that are up follow the plan at once, with
//! one exception: a link goes down only when nothing is in transit on it (assumption 5 of Walter,
//! Welch and Vaidya 2001, section 3), so it may be up a little longer than planned. The plan is
//! always connected, hence so are the links that are up; unless the network may fall apart, then
//! every link may go.

use driftlock_core::graph::Search;
use driftlock_core::{Graph, NodeId, PeerMap};

use crate::dice::Sequence;
use crate::network::random_pair;
use crate::scenario::{ChangeModel, ConnectedBy, LinkChanges, ScenarioError, Scripted};
use crate::span::{TICKS_PER_UNIT, ticks};

/// One planned change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// Of the two ends the second has moved.
    Up(NodeId, NodeId),
    Down(NodeId, NodeId),
}

/// How often a link or pair is drawn at random before all are looked through.
const TRIES: usize = 64;

/// A million changes to a tick: beyond that, time stands still.
const RATE_MAX: f64 = 1e6 * TICKS_PER_UNIT as f64;

/// The random changes of one run.
#[derive(Clone, Debug)]
pub(crate) struct Changes {
    model: ChangeModel,
    /// Mean time between changes, in ticks.
    mean: f64,
    /// When the next change is due. Several changes may fall into one tick.
    due: f64,
    die: Sequence,
    plan: Plan,
}

impl Changes {
    /// Changes of `graph` by a law. Without a rate, or with a law that does not draw, there are
    /// none.
    pub(crate) fn new(
        graph: &Graph,
        law: &LinkChanges,
        die: Sequence,
    ) -> Result<Option<Self>, ScenarioError> {
        let LinkChanges { model, rate, connected_by } = *law;
        let rate = rate_of_all(model, rate, graph.n_nodes())?;
        Ok((rate > 0.0).then(|| {
            let mean = TICKS_PER_UNIT as f64 / rate;
            let plan = Plan::new(graph, connected_by == ConnectedBy::Partitions);
            let mut changes = Changes { model, mean, due: 0.0, die, plan };
            changes.advance();
            changes
        }))
    }

    /// When the next change is due, in ticks.
    pub(crate) fn due(&self) -> u64 {
        self.due as u64
    }

    /// Make the next change. Returns what it consists of, in order.
    pub(crate) fn make(&mut self) -> [Option<Change>; 2] {
        let made = match self.model {
            ChangeModel::Toggle => [self.toggle(), None],
            _ => self.replace(),
        };
        self.advance();
        made
    }

    fn advance(&mut self) {
        self.due += self.die.exponential(self.mean);
    }

    /// `literal`: one link goes, another comes. In a tree no link can go, so nothing changes.
    fn replace(&mut self) -> [Option<Change>; 2] {
        let Some((a, b)) = self.plan.random_dispensable(&mut self.die) else { return [None; 2] };
        self.plan.unlink(a, b);
        let (c, d) = self.plan.random_absent(&mut self.die);
        self.plan.link(c, d);
        [Some(Change::Down(a, b)), Some(Change::Up(c, d))]
    }

    /// `toggle`: a pair flips, unless that disconnects the network.
    fn toggle(&mut self) -> Option<Change> {
        let (a, b) = random_pair(self.plan.n_nodes(), &mut self.die);
        if !self.plan.has(a, b) {
            self.plan.link(a, b);
            Some(Change::Up(a, b))
        } else if self.plan.is_dispensable(a, b) {
            self.plan.unlink(a, b);
            Some(Change::Down(a, b))
        } else {
            None
        }
    }
}

/// How many changes a network of `n_nodes` sees in a unit of time.
pub(crate) fn rate_of_all(
    model: ChangeModel,
    rate: f64,
    n_nodes: usize,
) -> Result<f64, ScenarioError> {
    let n = n_nodes as f64;
    let rate = match model {
        ChangeModel::None | ChangeModel::Scripted => 0.0,
        ChangeModel::Literal => rate,
        ChangeModel::Toggle => rate * n * (n - 1.0) / 2.0,
    };
    if rate > RATE_MAX {
        let what = format!("{rate:e} link changes in a unit of time are too many to follow");
        return Err(ScenarioError::value("link-changes.rate", &what));
    }
    Ok(rate)
}

/// The links as planned, with a list to draw from.
#[derive(Clone, Debug)]
struct Plan {
    links: Vec<(NodeId, NodeId)>,
    /// For each node its neighbors, with the place of the link in the list.
    places: Vec<PeerMap<u32>>,
    search: Search,
    /// Whether the network may fall apart.
    apart: bool,
}

impl Plan {
    fn new(graph: &Graph, apart: bool) -> Self {
        let n = graph.n_nodes();
        let places = vec![PeerMap::new(); n];
        let mut plan = Plan { links: Vec::new(), places, search: Search::new(n), apart };
        graph.links().for_each(|(a, b)| plan.link(a, b));
        plan
    }

    fn n_nodes(&self) -> usize {
        self.places.len()
    }

    fn has(&self, a: NodeId, b: NodeId) -> bool {
        self.places[a.index()].contains(b)
    }

    fn link(&mut self, a: NodeId, b: NodeId) {
        self.set_place(a, b, self.links.len());
        self.links.push((a, b));
    }

    fn unlink(&mut self, a: NodeId, b: NodeId) {
        let place = self.places[a.index()].remove(b).expect("the link is planned") as usize;
        self.places[b.index()].remove(a);
        self.links.swap_remove(place);
        if let Some(&(c, d)) = self.links.get(place) {
            self.set_place(c, d, place);
        }
    }

    fn set_place(&mut self, a: NodeId, b: NodeId, place: usize) {
        let place = u32::try_from(place).expect("fewer than 2^32 links");
        self.places[a.index()].insert(b, place);
        self.places[b.index()].insert(a, place);
    }

    /// Whether the network stays connected without the link between `a` and `b`, or need not.
    fn is_dispensable(&mut self, a: NodeId, b: NodeId) -> bool {
        if self.apart {
            return true;
        }
        let places = &self.places;
        self.search.joined(a, b, |node, see| {
            let apart = |peer| (node, peer) == (a, b) || (node, peer) == (b, a);
            places[node.index()].keys().filter(|&peer| !apart(peer)).for_each(see);
        })
    }

    /// A random link that may go, each with the same probability.
    fn random_dispensable(&mut self, die: &mut Sequence) -> Option<(NodeId, NodeId)> {
        let needed = if self.apart { 1 } else { self.n_nodes() };
        if self.links.len() < needed {
            return None;
        }
        for _ in 0..TRIES {
            let (a, b) = self.links[die.below(self.links.len() as u64) as usize];
            if self.is_dispensable(a, b) {
                return Some((a, b));
            }
        }
        let mut may_go = self.links.clone();
        may_go.retain(|&(a, b)| self.is_dispensable(a, b));
        Some(may_go[die.below(may_go.len() as u64) as usize])
    }

    /// A random pair that is not linked, each with the same probability. There is one.
    fn random_absent(&self, die: &mut Sequence) -> (NodeId, NodeId) {
        for _ in 0..TRIES {
            let (a, b) = random_pair(self.n_nodes(), die);
            if !self.has(a, b) {
                return (a, b);
            }
        }
        let nodes = || (0..self.n_nodes()).map(NodeId::at);
        let absent: Vec<_> = nodes()
            .flat_map(|a| nodes().filter(move |&b| a < b).map(move |b| (a, b)))
            .filter(|&(a, b)| !self.has(a, b))
            .collect();
        absent[die.below(absent.len() as u64) as usize]
    }
}

/// The link changes of a script in the order of their times, with the entry each is from. They
/// have to make sense: only links that are there go, only others come, none disconnects unless the
/// network may fall apart, and nodes that have crashed have none. If crashes are silent, they keep
/// theirs and do not move.
pub(crate) fn scripted(
    graph: &Graph,
    script: &[Scripted],
    apart: bool,
    silent: bool,
) -> Result<Vec<(u64, Change)>, ScenarioError> {
    let is_change = |scripted: &&Scripted| scripted.up.or(scripted.down).is_some();
    let mut order: Vec<&Scripted> = script.iter().filter(is_change).collect();
    if order.is_empty() {
        return Ok(Vec::new());
    }
    let mut plan = Plan::new(graph, apart);
    let mut changes = Vec::new();
    let crashed = |node: NodeId, at: f64| {
        let is_over = |other: &Scripted| other.once.is_none() && ticks(other.at) <= ticks(at);
        script.iter().any(|other| other.crash == Some(node.0) && is_over(other))
    };
    order.sort_by_key(|scripted| ticks(scripted.at));
    for scripted in order {
        let (Some([a, b]), up) = (scripted.up.or(scripted.down), scripted.up.is_some()) else {
            continue;
        };
        let (a, b, at) = (NodeId(a.min(b)), NodeId(a.max(b)), scripted.at);
        let refuse = |what: String| {
            Err(ScenarioError::value("script", &format!("at {at} the link {a}-{b} {what}")))
        };
        let moving = scripted.moving.map(NodeId);
        let may_stay = |end: NodeId| silent && moving != Some(end);
        let stuck = |end: &NodeId| crashed(*end, at) && !may_stay(*end);
        if let Some(end) = [a, b].into_iter().find(stuck) {
            return refuse(format!("cannot change: {end} has crashed"));
        }
        if crashed(a, at) && crashed(b, at) {
            return refuse("cannot change: both ends have crashed".into());
        }
        if plan.has(a, b) == up {
            return refuse(format!("is {} already", if up { "up" } else { "down" }));
        }
        if !up && !plan.is_dispensable(a, b) {
            return refuse("cannot go down: that would disconnect the network".into());
        }
        if up {
            plan.link(a, b)
        } else {
            plan.unlink(a, b)
        }
        let change = match up {
            true if moving == Some(a) => Change::Up(b, a),
            true => Change::Up(a, b),
            false => Change::Down(a, b),
        };
        changes.push((ticks(at), change));
    }
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Dice, Stream};
    use crate::network::Network;

    fn drawn(model: ChangeModel, rate: f64, connectivity: f64) -> (Graph, Changes) {
        let network = Network { connectivity: Some(connectivity), ..Network::default() };
        let graph = network.draw(&mut Dice::new(5).sequence(Stream::Network)).unwrap();
        let die = Dice::new(5).sequence(Stream::Links);
        let law = LinkChanges { model, rate, ..LinkChanges::default() };
        let changes = Changes::new(&graph, &law, die).unwrap().unwrap();
        (graph, changes)
    }

    fn apply(graph: &mut Graph, made: [Option<Change>; 2]) {
        for change in made.into_iter().flatten() {
            assert!(match change {
                Change::Up(a, b) => graph.link(a, b),
                Change::Down(a, b) => graph.unlink(a, b),
            });
            assert!(graph.is_connected());
        }
    }

    #[test]
    fn literal_changes_keep_the_number_of_links_and_the_network_connected() {
        for connectivity in [7.0, 20.0, 100.0] {
            let (mut graph, mut changes) = drawn(ChangeModel::Literal, 0.1, connectivity);
            let links = graph.n_links();
            for _ in 0..500 {
                apply(&mut graph, changes.make());
                assert_eq!(graph.n_links(), links);
            }
            assert!(
                (3_000_000..7_000_000).contains(&changes.due()),
                "500 changes, one in 10 units"
            );
        }
    }

    #[test]
    fn toggling_tends_to_half_of_all_links() {
        let (mut graph, mut changes) = drawn(ChangeModel::Toggle, 0.1, 20.0);
        let mut sum = 0;
        for round in 0..20_000 {
            apply(&mut graph, changes.make());
            sum += if round < 4_000 { 0 } else { graph.n_links() };
        }
        let mean = sum as f64 / 16_000.0;
        assert!((mean - 217.5).abs() < 8.0, "{mean}");
    }

    #[test]
    fn no_link_of_a_tree_can_go() {
        let network = Network { links: Some(29), ..Network::default() };
        let graph = network.draw(&mut Dice::new(5).sequence(Stream::Network)).unwrap();
        let die = Dice::new(5).sequence(Stream::Links);
        let law = LinkChanges { model: ChangeModel::Literal, rate: 1.0, ..LinkChanges::default() };
        let mut changes = Changes::new(&graph, &law, die.clone()).unwrap().unwrap();
        assert_eq!(changes.make(), [None; 2]);
        let law = LinkChanges { connected_by: ConnectedBy::Partitions, ..law };
        let mut changes = Changes::new(&graph, &law, die).unwrap().unwrap();
        let mut apart = graph.clone();
        for change in changes.make().into_iter().flatten() {
            assert!(match change {
                Change::Up(a, b) => apart.link(a, b),
                Change::Down(a, b) => apart.unlink(a, b),
            });
        }
        assert_ne!(apart, graph, "any link may go where the network may fall apart");
    }

    #[test]
    fn networks_that_may_fall_apart_do() {
        for model in [ChangeModel::Literal, ChangeModel::Toggle] {
            let network = Network { nodes: 6, links: Some(6), ..Network::default() };
            let graph = network.draw(&mut Dice::new(5).sequence(Stream::Network)).unwrap();
            let law = LinkChanges { model, rate: 1.0, connected_by: ConnectedBy::Partitions };
            let die = Dice::new(5).sequence(Stream::Links);
            let mut changes = Changes::new(&graph, &law, die).unwrap().unwrap();
            let (mut graph, mut apart) = (graph, 0);
            for _ in 0..200 {
                for change in changes.make().into_iter().flatten() {
                    assert!(match change {
                        Change::Up(a, b) => graph.link(a, b),
                        Change::Down(a, b) => graph.unlink(a, b),
                    });
                }
                apart += usize::from(!graph.is_connected());
            }
            assert!((20..200).contains(&apart), "{model:?}: {apart} of 200");
        }
    }
}
