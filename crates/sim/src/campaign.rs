//! Scenarios drawn at random, to look for trouble: [`draw`].
//!
//! Most networks are small, because small ones have nearly all the trouble there is and are easy to
//! look at; runs are short, because there are many of them. Values come from short lists, so that
//! the line that runs a scenario again is short too.
//!
//! What only some protocols take, and the size of large networks, is drawn apart from the rest: a
//! scenario is otherwise the same for all of them.

use crate::dice::{Dice, Sequence, Stream};
use crate::network::{Network, Shape};
use crate::scenario::{
    ChangeModel, ConnectedBy, LinkChanges, Measure, Moment, Motion, MotionModel, Requests,
    Scenario, Scripted, Session, Speed,
};
use crate::span::Span;

/// What is not drawn but given.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// How many nodes.
    pub nodes: Option<usize>,
    /// The shape of the network.
    pub shape: Option<Shape>,
    /// How links change.
    pub model: Option<ChangeModel>,
    /// How often nodes ask.
    pub load: Option<f64>,
    /// What the protocol takes besides.
    pub takes: Takes,
}

/// What a protocol takes that not all do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Takes {
    /// Several tokens.
    pub tokens: bool,
    /// Several resources, and sessions of them.
    pub groups: bool,
    /// Networks that fall apart, and nodes that stop for good.
    pub partitions: bool,
    /// The same at all times, crashes that nobody is told of, and nodes that move.
    pub local: bool,
    /// A mesh of nodes that move.
    pub mesh: bool,
    /// A mesh that loses messages, and nodes, but fewer than half of them.
    pub faults: bool,
}

/// The random scenario with this seed. What else is needed for a run, the protocol and its medium,
/// is left open.
///
/// ```
/// use driftlock_sim::campaign::{Given, draw};
/// let given = Given { nodes: Some(5), ..Given::default() };
/// let scenario = draw(7, &given);
/// assert_eq!((scenario.seed, scenario.network.nodes), (7, 5));
/// assert_eq!(scenario, draw(7, &given));
/// ```
pub fn draw(seed: u64, given: &Given) -> Scenario {
    let mut die = Dice::new(seed).sequence(Stream::Scenario);
    let mut apart = Dice::new(seed).sequence_of(Stream::Scenario, 1);
    let large = draw_large(&mut apart).filter(|_| given.nodes.is_none());
    let given = &Given { nodes: given.nodes.or(large), ..given.clone() };
    let network = draw_network(&mut die, given);
    let rate = pick(&mut die, &[0.01, 0.1, 0.3, 1.0, 5.0]);
    let requests = Requests { rate: given.load.unwrap_or(rate), ..Requests::default() };
    let delay = pick(&mut die, &SPANS);
    let critical_section = pick(&mut die, &SPANS);
    let link_changes = draw_changes(&mut die, given, network.nodes, requests.rate);
    let entries = 50 + die.below(151);
    // In a large network everything takes longer.
    let entries = Some(if large.is_some() { entries / 4 } else { entries });
    let mut scenario = Scenario {
        seed,
        network,
        link_changes,
        delay,
        critical_section,
        requests,
        measure: Some(Measure { warmup: 0, entries, until: None }),
        ..Scenario::default()
    };
    draw_shares(&mut apart, given.takes, &mut scenario);
    draw_partitions(&mut apart, given.takes, &mut scenario);
    if given.takes.local {
        draw_local(&mut Dice::new(seed).sequence_of(Stream::Scenario, 2), given, &mut scenario);
    }
    if given.takes.mesh || given.takes.faults {
        draw_mesh(&mut Dice::new(seed).sequence_of(Stream::Scenario, 3), given, &mut scenario);
    }
    scenario
}

/// In one of eight, a size from 13 to 60.
fn draw_large(die: &mut Sequence) -> Option<usize> {
    let (large, more) = (die.below(8) == 0, die.below(48) as usize);
    large.then_some(13 + more)
}

/// Up to 4 tokens, or up to 4 resources, often with short sessions or with a popular one.
fn draw_shares(die: &mut Sequence, takes: Takes, scenario: &mut Scenario) {
    // How many nodes a file has is not known here, but that it has one.
    let is_file = scenario.network.shape == Shape::File;
    let most = if is_file { 1 } else { scenario.network.nodes.clamp(1, 4) };
    let tokens = 1 + die.below(most as u64) as u32;
    let resources = 1 + die.below(4) as u32;
    let most = |entries| Some(Session::AtMost(entries));
    let session = pick(die, &[None, Some(Session::Off), most(1), most(3), most(10)]);
    let popular = pick(die, &[None, None, Some(0.5), Some(0.9)]);
    if takes.tokens {
        scenario.tokens = Some(tokens);
    }
    if takes.groups {
        scenario.resources = Some(resources);
        scenario.session = session;
        scenario.requests.popular = popular.filter(|_| resources > 1);
    }
}

/// In half of all scenarios the network may fall apart, and in a third of these a node or two stop.
fn draw_partitions(die: &mut Sequence, takes: Takes, scenario: &mut Scenario) {
    if !takes.partitions || die.below(2) == 0 {
        return;
    }
    scenario.link_changes.connected_by = ConnectedBy::Partitions;
    let nodes = scenario.network.nodes as u64;
    // Someone is left.
    let crashes = pick(die, &[0, 0, 0, 0, 1, 2]).min(nodes.saturating_sub(1));
    let time = pick(die, &[10, 50, 200]);
    if scenario.network.shape == Shape::File {
        return;
    }
    let first = die.below(nodes.max(1));
    // Another than the first, if there is another.
    let others = [first, (first + 1 + die.below(nodes.max(2) - 1)) % nodes.max(1)];
    for &node in others.iter().take(crashes as usize) {
        let at = (1 + die.below(time)) as f64;
        scenario.script.push(Scripted { at, crash: Some(node as u32), ..Scripted::default() });
    }
}

/// In half of all scenarios nodes move, unless links are to change otherwise; and in a third of all
/// a node or two stop, at bad moments most of the time.
fn draw_local(die: &mut Sequence, given: &Given, scenario: &mut Scenario) {
    scenario.link_changes.connected_by = ConnectedBy::Partitions;
    let may_move = given.model.is_none() && given.shape.is_none_or(|s| s == Shape::Geometric);
    let (moves, motion) = (die.below(2) == 0, draw_motion(die));
    let degree = pick(die, &[2.0, 4.0, 6.0]);
    if may_move && moves {
        let network = Network { shape: Shape::Geometric, links: None, ..scenario.network.clone() };
        scenario.network = Network { degree: Some(degree), ..network };
        (scenario.link_changes.model, scenario.link_changes.rate) = (ChangeModel::None, 0.0);
        scenario.motion = Some(motion);
    }
    let nodes = scenario.network.nodes as u64;
    if scenario.network.shape == Shape::File || nodes < 2 {
        return;
    }
    let first = die.below(nodes);
    let others = [first, (first + 1 + die.below(nodes - 1)) % nodes];
    for &node in others.iter().take(pick(die, &[0, 0, 0, 0, 1, 2])) {
        let at = (1 + die.below(50)) as f64;
        let once = pick(die, &[None, Some(Moment::Waiting), Some(Moment::Inside)]);
        let crash = Some(node as u32);
        scenario.script.push(Scripted { at, crash, once, ..Scripted::default() });
    }
}

/// In a third of all scenarios nodes move, unless links are to change otherwise. Where there are
/// faults, messages get lost in half of them, in half of them nodes stop, but fewer than half, and
/// in half of them time-outs are wrong.
fn draw_mesh(die: &mut Sequence, given: &Given, scenario: &mut Scenario) {
    let may_move = given.model.is_none() && given.shape.is_none_or(|s| s == Shape::Geometric);
    let (moves, motion) = (die.below(3) == 0, draw_motion(die));
    if may_move && moves && given.takes.mesh {
        let network = Network { shape: Shape::Geometric, links: None, ..scenario.network.clone() };
        scenario.network = network;
        (scenario.link_changes.model, scenario.link_changes.rate) = (ChangeModel::None, 0.0);
        scenario.motion = Some(motion);
    }
    let loss = pick(die, &[0.0, 0.0, 0.01, 0.1]);
    let nodes = scenario.network.nodes as u64;
    if !given.takes.faults || scenario.network.shape == Shape::File || nodes < 2 {
        return;
    }
    scenario.loss = loss;
    scenario.timeout = pick(die, &[None, None, Some(1.5), Some(10.0)]);
    let crashes = pick(die, &[0, 0, 1, 2]).min((nodes - 1) / 2);
    let first = die.below(nodes);
    let others = [first, (first + 1 + die.below(nodes - 1)) % nodes];
    for &node in others.iter().take(crashes as usize) {
        let at = (1 + die.below(100)) as f64;
        let once = pick(die, &[None, Some(Moment::Waiting), Some(Moment::Inside)]);
        let crash = Some(node as u32);
        scenario.script.push(Scripted { at, crash, once, ..Scripted::default() });
    }
}

/// Slow and fast, all or some, alone or in groups of 2 or 3.
fn draw_motion(die: &mut Sequence) -> Motion {
    let model = pick(die, &[MotionModel::Waypoint, MotionModel::Waypoint, MotionModel::Convoy]);
    let speed = pick(die, &[0.01, 0.05, 0.2]);
    let pause = pick(die, &[Span::Constant(1.0), Span::Exponential(2.0), Span::Exponential(10.0)]);
    let moving = pick(die, &[1.0, 1.0, 0.5]);
    let group = pick(die, &[2, 3]);
    Motion {
        model,
        speed: Some(Speed::constant(speed)),
        pause,
        moving,
        group: (model == MotionModel::Convoy).then_some(group),
        ..Motion::default()
    }
}

/// From 2 to 12 nodes, fewer more often than more, unless it is a large network.
fn draw_network(die: &mut Sequence, given: &Given) -> Network {
    use Shape::{Clique, Geometric, Grid, Line, Random, Ring, Tree};
    let shapes = [Random, Random, Random, Geometric, Line, Ring, Grid, Tree, Clique];
    let shape = given.shape.unwrap_or(pick(die, &shapes));
    // There is no ring of two nodes.
    let least = if shape == Ring { 3 } else { 2 };
    let nodes = least + die.below(11).min(die.below(11)) as usize;
    let nodes = given.nodes.unwrap_or(nodes.min(12));
    let least = nodes.saturating_sub(1);
    let spare = nodes.saturating_mul(least) / 2 - least;
    let links = least + die.below(spare.min(4 * nodes) as u64 + 1) as usize;
    Network { shape, nodes, links: (shape == Random).then_some(links), ..Network::default() }
}

/// Short and long on average, alike and very different.
const SPANS: [Span; 9] = [
    Span::Constant(0.1),
    Span::Constant(1.0),
    Span::Constant(5.0),
    Span::Uniform(0.5, 1.5),
    Span::Uniform(0.1, 10.0),
    Span::Uniform(2.5, 7.5),
    Span::Exponential(0.1),
    Span::Exponential(1.0),
    Span::Exponential(5.0),
];

/// Changes come about as often as entries, or ten times less or more.
fn draw_changes(die: &mut Sequence, given: &Given, nodes: usize, load: f64) -> LinkChanges {
    use ChangeModel::{Literal, None, Toggle};
    let model = given.model.unwrap_or(pick(die, &[None, Literal, Toggle, Toggle]));
    let model = if nodes < 2 { None } else { model };
    let n = nodes as f64;
    let total = pick(die, &[0.1, 0.5, 2.0, 10.0]) * (n * load).min(1.0);
    let rate = match model {
        Literal => total,
        Toggle => total / (n * (n - 1.0) / 2.0),
        _ => 0.0,
    };
    use ConnectedBy::{Known, Physical};
    let connected_by = pick(die, &[Physical, Physical, Physical, Known]);
    // Four decimals can be typed.
    LinkChanges { model, rate: (rate * 1e4).ceil() / 1e4, connected_by }
}

fn pick<T: Copy>(die: &mut Sequence, list: &[T]) -> T {
    list[die.below(list.len() as u64) as usize]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::scenario::Medium;

    #[test]
    fn every_scenario_makes_sense_and_all_kinds_come_up() {
        let mut kinds = BTreeSet::new();
        let mut large = 0;
        for seed in 0..4000 {
            let scenario = draw(seed, &Given::default());
            large += usize::from(scenario.network.nodes > 12);
            scenario.check().unwrap();
            scenario.network.draw(&mut Dice::new(seed).sequence(Stream::Network)).unwrap();
            assert!((2..=60).contains(&scenario.network.nodes));
            kinds.insert(format!("{:?}", scenario.network.shape));
            kinds.insert(format!("{:?}", scenario.link_changes.model));
            kinds.insert(format!("{:?}", scenario.link_changes.connected_by));
            kinds.insert(format!("{} nodes", scenario.network.nodes));
        }
        assert_eq!(kinds.len(), 7 + 3 + 2 + 59, "{kinds:?}");
        assert!((400..600).contains(&large), "{large} of 4000 are large");
    }

    /// What not all protocols take is drawn apart, so that all the rest is the same for all.
    #[test]
    fn what_a_protocol_takes_shifts_nothing_else() {
        let mut kinds = BTreeSet::new();
        for seed in 0..1000 {
            let (tokens, groups, partitions) = (true, true, true);
            let takes = Takes { tokens, groups, partitions, ..Takes::default() };
            let mut all = draw(seed, &Given { takes, ..Given::default() });
            all.check().unwrap();
            let n = all.network.nodes;
            assert!((1..=n.min(4)).contains(&(all.tokens() as usize)));
            kinds.insert(format!("{} tokens", all.tokens()));
            kinds.insert(format!("{} resources", all.resources()));
            kinds.insert(format!("sessions of {:?}", all.session));
            kinds.insert(format!("popular {:?}", all.requests.popular));
            kinds.insert(format!("{:?}", all.link_changes.connected_by));
            kinds.insert(format!("{} crashes", all.script.len()));
            let plain = draw(seed, &Given::default());
            all.link_changes.connected_by = plain.link_changes.connected_by;
            (all.tokens, all.resources, all.session) = (None, None, None);
            all.requests.popular = None;
            all.script.clear();
            assert_eq!(all, plain);
        }
        assert_eq!(kinds.len(), 4 + 4 + 5 + 3 + 3 + 3, "{kinds:?}");
    }

    /// A local protocol faces all there is, and where nobody moves or stops the same as all.
    #[test]
    fn local_protocols_face_motion_and_crashes_at_bad_moments() {
        let mut kinds = BTreeSet::new();
        let (mut moving, mut crashing) = (0, 0);
        for seed in 0..1000 {
            let takes = Takes { local: true, ..Takes::default() };
            let mut local = draw(seed, &Given { takes, ..Given::default() });
            local.check().unwrap();
            crashing += usize::from(!local.script.is_empty());
            let moments = local.script.iter().map(|crash| format!("crash {:?}", crash.once));
            kinds.extend(moments);
            if let Some(motion) = &local.motion {
                moving += 1;
                kinds.insert(format!("{:?} {:?}", motion.model, motion.group));
                continue;
            }
            kinds.insert(format!("{:?}", local.network.shape));
            kinds.insert(format!("{:?}", local.link_changes.model));
            let plain = draw(seed, &Given::default());
            local.link_changes.connected_by = plain.link_changes.connected_by;
            local.script.clear();
            assert_eq!(local, plain);
        }
        assert_eq!(kinds.len(), 3 + 3 + 7 + 3, "{kinds:?}");
        assert!((420..580).contains(&moving) && (280..390).contains(&crashing));
    }

    /// Most of all nodes are left, and where nothing goes wrong all is the same as for all.
    #[test]
    fn a_mesh_faces_motion_and_faults() {
        let (mut kinds, mut calm) = (BTreeSet::new(), 0);
        for seed in 0..1000 {
            let takes = Takes { mesh: true, faults: true, ..Takes::default() };
            let mut mesh = draw(seed, &Given { takes, ..Given::default() });
            mesh.medium = Some(Medium::Mesh);
            mesh.check().unwrap();
            assert!(2 * mesh.script.len() < mesh.network.nodes);
            kinds.insert(format!("loss {}", mesh.loss));
            kinds.insert(format!("{} crashes", mesh.script.len()));
            kinds.insert(format!("moves {}", mesh.motion.is_some()));
            kinds.extend(mesh.script.iter().map(|crash| format!("crash {:?}", crash.once)));
            if !mesh.has_faults() && mesh.motion.is_none() {
                calm += 1;
                let plain = Scenario { medium: None, timeout: None, ..mesh };
                assert_eq!(plain, draw(seed, &Given::default()));
            }
        }
        assert_eq!(kinds.len(), 3 + 3 + 2 + 3, "{kinds:?}");
        assert!((100..300).contains(&calm), "{calm}");
    }

    #[test]
    fn what_is_given_is_not_drawn() {
        for seed in 0..50 {
            for (nodes, shape) in [(1, Shape::Line), (2, Shape::Random), (40, Shape::Ring)] {
                let (model, load) = (Some(ChangeModel::Literal), Some(0.25));
                let (nodes_too, shape_too) = (Some(nodes), Some(shape));
                let takes = Takes { partitions: true, tokens: true, ..Takes::default() };
                let given = Given { nodes: nodes_too, shape: shape_too, model, load, takes };
                let scenario = draw(seed, &given);
                scenario.check().unwrap();
                assert_eq!((scenario.network.nodes, scenario.network.shape), (nodes, shape));
                assert_eq!(scenario.requests.rate, 0.25);
            }
        }
    }
}
