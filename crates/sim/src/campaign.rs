//! Scenarios drawn at random, to look for trouble: [`draw`].
//!
//! Networks are small, because small ones have all the trouble there is and are easy to look at;
//! runs are short, because there are many of them. Values come from short lists, so that the line
//! that runs a scenario again is short too.

use crate::dice::{Dice, Sequence, Stream};
use crate::network::{Network, Shape};
use crate::scenario::{ChangeModel, ConnectedBy, LinkChanges, Measure, Requests, Scenario};
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
    let network = draw_network(&mut die, given);
    let rate = pick(&mut die, &[0.01, 0.1, 0.3, 1.0, 5.0]);
    let requests = Requests { rate: given.load.unwrap_or(rate), ..Requests::default() };
    let delay = pick(&mut die, &SPANS);
    let critical_section = pick(&mut die, &SPANS);
    let link_changes = draw_changes(&mut die, given, network.nodes, requests.rate);
    let entries = Some(50 + die.below(151));
    Scenario {
        seed,
        network,
        link_changes,
        delay,
        critical_section,
        requests,
        measure: Some(Measure { warmup: 0, entries, until: None }),
        ..Scenario::default()
    }
}

/// From 2 to 12 nodes, fewer more often than more.
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

    #[test]
    fn every_scenario_makes_sense_and_all_kinds_come_up() {
        let mut kinds = BTreeSet::new();
        for seed in 0..2000 {
            let scenario = draw(seed, &Given::default());
            scenario.check().unwrap();
            scenario.network.draw(&mut Dice::new(seed).sequence(Stream::Network)).unwrap();
            assert!((2..=12).contains(&scenario.network.nodes));
            kinds.insert(format!("{:?}", scenario.network.shape));
            kinds.insert(format!("{:?}", scenario.link_changes.model));
            kinds.insert(format!("{:?}", scenario.link_changes.connected_by));
            kinds.insert(format!("{} nodes", scenario.network.nodes));
        }
        assert_eq!(kinds.len(), 7 + 3 + 2 + 11, "{kinds:?}");
    }

    #[test]
    fn what_is_given_is_not_drawn() {
        for seed in 0..50 {
            for (nodes, shape) in [(1, Shape::Line), (2, Shape::Random), (40, Shape::Ring)] {
                let (model, load) = (Some(ChangeModel::Literal), Some(0.25));
                let given = Given { nodes: Some(nodes), shape: Some(shape), model, load };
                let scenario = draw(seed, &given);
                scenario.check().unwrap();
                assert_eq!((scenario.network.nodes, scenario.network.shape), (nodes, shape));
                assert_eq!(scenario.requests.rate, 0.25);
            }
        }
    }
}
