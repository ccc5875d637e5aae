//! Nodes that move: [`Movers`].
//!
//! A node goes from place to place in straight lines, and may stand still between them. Where it
//! is, is looked at in steps, and whoever is within range of it then is its neighbor: links come up
//! and go down only when an end has made a step. Then it counts where both are at that moment: two
//! who go side by side are never seen with one of them a step ahead. A step costs as much as there
//! are nodes nearby.
//!
//! Ways depend on the seed and on who goes, and on nothing else, so that all protocols face the
//! same motion. The first node of a group leads it; the others keep their places beside it, or
//! wander around it.
//!
//! | file | law |
//! |---|---|
//! | `way` | waypoints and convoys |
//! | `stationary` | waypoints as they are after a long time |
//! | `walk` | random walks |
//! | `gauss_markov` | velocities that are remembered |
//! | `manhattan` | streets |
//! | `rpgm` | groups whose members wander |

mod gauss_markov;
#[cfg(test)]
mod laws;
mod manhattan;
mod place;
mod rpgm;
mod stationary;
mod walk;
mod way;

use std::collections::BTreeSet;
use std::mem::take;

use driftlock_core::NodeId;

pub(crate) use self::place::{Cells, Place};
use self::rpgm::Wander;
use self::way::{Law, Way};
use crate::changes::Change;
use crate::dice::Dice;
use crate::scenario::{Motion, MotionModel, MotionStart, Scenario};
use crate::span::units;

/// Where all nodes are, and where they go.
#[derive(Clone, Debug)]
pub(crate) struct Movers {
    law: Law,
    cells: Cells,
    ways: Vec<Way>,
    /// Where nodes are, seen from the reference points of their groups, if they wander there.
    wanders: Vec<Wander>,
    /// Those who have stopped for ever.
    halted: BTreeSet<NodeId>,
    /// How fast anybody has been so far, in each unit of time.
    fastest: f64,
    /// Those within range of a node, and those it is linked to: memory that is used again.
    near: Vec<NodeId>,
    linked: Vec<NodeId>,
}

/// Put nodes where their law has them at the start: the members of groups beside those who lead
/// them, others on streets, or in the middle of their ways. It is the draw of this number.
pub(crate) fn gather(scenario: &Scenario, places: &mut [Place], draw: u64) {
    let Some(motion) = &scenario.motion else { return };
    let law = Law::new(&scenario.network, motion, Dice::new(scenario.seed));
    for k in 0..places.len() {
        let node = NodeId::at(k);
        let leader = places[law.leader(node).index()];
        places[k] = match motion.model {
            _ if is_stationary(motion, &law, node) => law.stationary(node, draw).from,
            MotionModel::Manhattan => law.on_street(node, places[k]),
            MotionModel::Rpgm => law.around(leader, law.first_aside(node)),
            _ => law.beside(node, leader),
        };
    }
}

/// Whether `node` starts in the middle of its way.
fn is_stationary(motion: &Motion, law: &Law, node: NodeId) -> bool {
    motion.start == MotionStart::Stationary && law.moves(node)
}

impl Movers {
    /// All nodes at the places that [`gather`] has given them in the draw of this number, before
    /// their first way or in the middle of it.
    pub(crate) fn new(scenario: &Scenario, motion: &Motion, places: Vec<Place>, draw: u64) -> Self {
        let network = &scenario.network;
        let law = Law::new(network, motion, Dice::new(scenario.seed));
        let leader = |node: NodeId| places[law.leader(node).index()];
        let n = places.len();
        let nodes = || (0..n).map(NodeId::at);
        let first = |node: NodeId| {
            let mut way = match motion.model {
                _ if is_stationary(motion, &law, node) => law.stationary(node, draw),
                MotionModel::Rpgm => Way::before_first(leader(node), leader(node)),
                _ => Way::before_first(places[node.index()], leader(node)),
            };
            if motion.model == MotionModel::Rpgm {
                way.end = law.first_pause(node);
            } else if !motion.model.pauses() && law.moves(node) {
                law.begin(node, &mut way, 0);
            }
            way
        };
        let ways = nodes().map(first).collect();
        let wanders = match motion.model {
            MotionModel::Rpgm => nodes().map(|node| law.first_wander(node)).collect(),
            _ => Vec::new(),
        };
        let cells = Cells::new(places, network.area(), network.radio_range());
        let (near, linked, halted) = (Vec::new(), Vec::new(), BTreeSet::new());
        let mut movers = Movers { law, cells, ways, wanders, halted, fastest: 0.0, near, linked };
        nodes().for_each(|node| movers.note_speed(node));
        movers
    }

    /// `node` may be on another way than before.
    fn note_speed(&mut self, node: NodeId) {
        let wander = self.wanders.get(node.index()).map_or(0.0, Wander::speed);
        self.fastest = self.fastest.max(self.ways[node.index()].speed() + wander);
    }

    /// Where `node` is now, which was last seen at this place.
    fn place(&self, node: NodeId, seen: Place, now: u64) -> Place {
        let way = self.ways[node.index()];
        match self.wanders.get(node.index()) {
            _ if self.halted.contains(&node) || !self.law.moves(node) => seen,
            Some(wander) => self.law.wander(node, &mut way.clone(), &mut wander.clone(), now).0,
            None if way.is_under_way => self.law.place(&way, now),
            None => seen,
        }
    }

    /// When `node` sets out for the first time or is looked at, if it ever moves.
    pub(crate) fn first(&self, node: NodeId) -> Option<u64> {
        let way = &self.ways[node.index()];
        let first = match self.law.model {
            MotionModel::Rpgm => self.law.step,
            _ if way.is_under_way => way.next_look(0, &self.law),
            // Until then it stands still.
            _ if way.end > 0 => way.end,
            _ => self.law.first_pause(node),
        };
        self.law.moves(node).then_some(first)
    }

    /// `node` sets out, or has gone on for a while. Returns whether it is elsewhere now, and when
    /// it makes its next step.
    pub(crate) fn step(&mut self, node: NodeId, now: u64) -> (bool, u64) {
        let step = self.make_step(node, now);
        self.note_speed(node);
        step
    }

    fn make_step(&mut self, node: NodeId, now: u64) -> (bool, u64) {
        let way = &mut self.ways[node.index()];
        if let Some(wander) = self.wanders.get_mut(node.index()) {
            let (place, next) = self.law.wander(node, way, wander, now);
            self.cells.shift(node, place);
            return (true, next);
        }
        if !way.is_under_way {
            self.law.begin(node, way, now);
            return (false, way.next_look(now, &self.law));
        }
        self.cells.shift(node, self.law.place(way, now));
        if now < way.end {
            return (true, way.next_look(now, &self.law));
        }
        if !self.law.model.pauses() {
            self.law.begin(node, way, now);
            return (true, way.next_look(now, &self.law));
        }
        way.is_under_way = false;
        (true, now.saturating_add(self.law.pause(node, way.number)))
    }

    /// Read where `node` is and goes. The answer means nothing.
    pub(crate) fn glance(&self, node: NodeId) -> usize {
        (self.ways[node.index()].end ^ self.cells.place(node).x.to_bits()) as usize
    }

    /// `node` stays where it is for ever.
    pub(crate) fn halt(&mut self, node: NodeId) {
        self.ways[node.index()].is_under_way = false;
        self.halted.insert(node);
    }

    /// Find who is within range of `node`, which has just moved.
    fn look_around(&mut self, node: NodeId, now: u64) {
        let (mut cells, mut near) = (take(&mut self.cells), take(&mut self.near));
        // Who goes is looked at after a step at the latest.
        let drift = self.fastest * units(self.law.step);
        cells.near(node, drift, |peer, seen| self.place(peer, seen, now), &mut near);
        (self.cells, self.near) = (cells, near);
    }

    /// Add what has to change for `node`, which has just moved, to be linked to those within
    /// range: first what goes, then what comes, in the order of the neighbors.
    pub(crate) fn changes(
        &mut self,
        node: NodeId,
        now: u64,
        linked: impl Iterator<Item = NodeId>,
        changes: &mut Vec<Change>,
    ) {
        self.look_around(node, now);
        self.linked.clear();
        self.linked.extend(linked);
        let gone = self.linked.iter().filter(|peer| self.near.binary_search(peer).is_err());
        changes.extend(gone.map(|&peer| Change::Down(node, peer)));
        let come = self.near.iter().filter(|peer| self.linked.binary_search(peer).is_err());
        changes.extend(come.map(|&peer| {
            let [still, moving] = self.roles(node, peer);
            Change::Up(still, moving)
        }));
    }

    /// Which end of a new link of `node`, which has just moved, counts as standing still. If both
    /// move, that is the smaller one.
    fn roles(&self, node: NodeId, peer: NodeId) -> [NodeId; 2] {
        let wanders = !self.wanders.is_empty() && self.law.moves(peer);
        let both_move = wanders || self.ways[peer.index()].is_under_way;
        if both_move && node < peer { [node, peer] } else { [peer, node] }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use driftlock_core::Graph;

    use super::*;
    use crate::agenda::Agenda;
    use crate::dice::Stream;
    use crate::network::geometric::unit_disk;
    use crate::network::{Network, Shape};
    use crate::scenario::{MotionModel, Speed};
    use crate::span::Span;

    fn scenario(motion: Motion) -> Scenario {
        let (degree, area) = (Some(6.0), Some(10.0));
        let network =
            Network { shape: Shape::Geometric, nodes: 60, degree, area, ..Network::default() };
        Scenario { network, motion: Some(motion), ..Scenario::default() }
    }

    fn start(scenario: &Scenario) -> (Vec<Place>, Movers) {
        let mut die = Dice::new(scenario.seed).sequence(Stream::Network);
        let mut places = scenario.network.places(&mut die);
        gather(scenario, &mut places, 0);
        let movers = Movers::new(scenario, scenario.motion.as_ref().unwrap(), places.clone(), 0);
        (places, movers)
    }

    /// Who is shown every step, and what changed.
    type Seen<'s> = dyn FnMut(&Movers, &Graph, (NodeId, u64), &[Change]) + 's;

    /// Let all nodes move until a time.
    fn travel(scenario: &Scenario, until: u64, seen: &mut Seen<'_>) {
        let (places, mut movers) = start(scenario);
        let Network { area, .. } = scenario.network;
        let range = scenario.network.radio_range();
        let mut graph = unit_disk(places, area.unwrap(), range);
        let mut agenda = Agenda::new();
        for node in graph.nodes() {
            movers.first(node).into_iter().for_each(|at| agenda.schedule(at, node));
        }
        let mut changes = Vec::new();
        while let Some((at, node)) = agenda.pop().filter(|(at, _)| *at < until) {
            let (moved, next) = movers.step(node, at);
            assert!(next > at, "time goes on");
            agenda.schedule(next, node);
            if moved {
                movers.changes(node, at, graph.neighbors(node).iter().copied(), &mut changes);
                for change in &changes {
                    assert!(match *change {
                        Change::Up(a, b) => graph.link(a, b),
                        Change::Down(a, b) => graph.unlink(a, b),
                    });
                }
                seen(&movers, &graph, (node, at), &changes);
                changes.clear();
            }
        }
    }

    fn brisk(model: MotionModel) -> Motion {
        let speed = Some(Speed::uniform(0.5, 2.0));
        Motion { model, speed, pause: Span::Exponential(2.0), ..Motion::default() }
    }

    /// The links of whoever has moved are to those within range at that moment, found by looking at
    /// all others.
    #[test]
    fn links_follow_the_places() {
        for model in MotionModel::ALL {
            let scenario = scenario(brisk(model));
            let (mut steps, mut changed) = (0, 0);
            let range = scenario.network.radio_range();
            travel(&scenario, 20_000, &mut |movers, graph, (node, at), changes| {
                (steps, changed) = (steps + 1, changed + changes.len());
                let place = |peer: NodeId| movers.place(peer, movers.cells.place(peer), at);
                let reached =
                    |&peer: &NodeId| peer != node && place(node).reaches(place(peer), range);
                let near: Vec<NodeId> = graph.nodes().filter(reached).collect();
                assert_eq!(graph.neighbors(node), near);
            });
            assert!(steps > 2_000 && changed > 200, "{model:?}: {steps} steps, {changed} changes");
        }
    }

    /// Nobody sees links change that do not: there are as many changes as when all nodes are looked
    /// at in the same moments.
    #[test]
    fn links_change_as_often_as_they_do() {
        for model in MotionModel::ALL {
            let scenario = scenario(brisk(model));
            let range = scenario.network.radio_range();
            let (mut changed, mut truly, mut next) = (0, 0, 0);
            let mut before: Option<Graph> = None;
            travel(&scenario, 20_000, &mut |movers, graph, (_, at), changes| {
                changed += changes.len();
                if at < next {
                    return;
                }
                next = at + 50;
                let place = |node| movers.place(node, movers.cells.place(node), at);
                let now = unit_disk(graph.nodes().map(place).collect(), 10.0, range);
                let both =
                    |a: NodeId| [before.as_ref().unwrap_or(&now).neighbors(a), now.neighbors(a)];
                let differ = |a: NodeId| {
                    let [old, new] = both(a);
                    let gone = old.iter().filter(|peer| !new.contains(peer)).count();
                    gone + new.iter().filter(|peer| !old.contains(peer)).count()
                };
                truly += graph.nodes().map(differ).sum::<usize>();
                before = Some(now);
            });
            let ratio = changed as f64 / (truly as f64 / 2.0);
            assert!((0.93..1.07).contains(&ratio), "{model:?}: {changed} changes, {ratio}");
        }
    }

    /// Who stands still when its mover comes is static; of two movers the smaller is.
    #[test]
    fn one_end_of_a_new_link_moves() {
        let motion = Motion { moving: 0.5, ..brisk(MotionModel::Waypoint) };
        let (mut one, mut both) = (0, 0);
        travel(&scenario(motion), 30_000, &mut |movers, _, (node, _), changes| {
            for change in changes {
                let Change::Up(still, moving) = *change else { continue };
                let peer = if still == node { moving } else { still };
                if movers.ways[peer.index()].is_under_way {
                    assert!(still < moving);
                    both += 1;
                } else {
                    assert_eq!((still, moving), (peer, node));
                    one += 1;
                }
            }
        });
        assert!(one > 20 && both > 20, "{one} {both}");
    }

    #[test]
    fn those_who_do_not_move_stay_and_the_others_do_not_leave() {
        let motion = Motion { moving: 0.3, ..brisk(MotionModel::Waypoint) };
        let scenario = scenario(motion);
        let (places, movers) = start(&scenario);
        let movable = (0..60).filter(|&k| movers.first(NodeId(k)).is_some()).count();
        assert!((8..30).contains(&movable), "{movable}");
        let mut fastest: BTreeMap<NodeId, f64> = BTreeMap::new();
        travel(&scenario, 50_000, &mut |movers, _, (node, _), _| {
            assert!(movers.first(node).is_some());
            let place = movers.cells.place(node);
            assert_eq!(place, place.within(10.0));
            let speed = movers.ways[node.index()].speed();
            let most = fastest.entry(node).or_default();
            *most = most.max(speed);
        });
        assert_eq!(fastest.len(), movable);
        assert!(fastest.values().all(|&speed| speed < 2.01), "{fastest:?}");
        assert_eq!(places.len(), 60);
    }

    /// Members are within the spread of their leader all the way, and stop when it does.
    #[test]
    fn convoys_stay_together() {
        let motion = Motion { group: Some(6), spread: Some(0.8), ..brisk(MotionModel::Convoy) };
        let mut steps = 0;
        travel(&scenario(motion), 20_000, &mut |movers, _, (node, _), _| {
            let leader = NodeId(node.0 - node.0 % 6);
            let (mine, its) = (movers.ways[node.index()], movers.ways[leader.index()]);
            assert_eq!((mine.start, mine.end), (its.start, its.end));
            let (a, b) = (mine.place(mine.end), its.place(its.end));
            assert!((a.x - b.x).abs() <= 0.8 && (a.y - b.y).abs() <= 0.8, "{a:?} {b:?}");
            steps += 1;
        });
        assert!(steps > 1_000);
    }

    /// Far from the borders a convoy is rigid, and so are its links.
    #[test]
    fn in_a_convoy_no_link_changes() {
        let (area, range) = (Some(1e6), Some(100.0));
        let network =
            Network { shape: Shape::Geometric, nodes: 10, area, range, ..Network::default() };
        let motion = Motion { group: Some(10), spread: Some(60.0), ..brisk(MotionModel::Convoy) };
        for seed in 1..6 {
            let (network, motion) = (network.clone(), Some(motion.clone()));
            let mut steps = 0;
            let scenario = Scenario { seed, network, motion, ..Scenario::default() };
            travel(&scenario, 50_000, &mut |_, _, _, changes| {
                steps += 1;
                assert_eq!(changes, []);
            });
            assert!(steps > 50, "{steps}");
        }
    }

    #[test]
    fn who_halts_sets_out_no_more_by_itself() {
        let (_, mut movers) = start(&scenario(brisk(MotionModel::Waypoint)));
        let node = NodeId(3);
        let at = movers.first(node).unwrap();
        assert!(!movers.step(node, at).0 && movers.ways[3].is_under_way);
        movers.halt(node);
        assert!(!movers.ways[3].is_under_way);
    }
}
