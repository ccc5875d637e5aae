//! What nodes write down, joined into one journal and judged.

use std::collections::BTreeMap;

use driftlock_core::{Graph, Medium, NodeId};
use driftlock_locks::{Key, Kind};
use driftlock_protocols::Variant;
use driftlock_protocols::gme::{self, Gme};
use driftlock_protocols::krl::{self, Forwarding, Krl};
use driftlock_protocols::lme2::{self, Lme2};
use driftlock_replay::{JoinError, Joined, PartStep, Setting, join};
use driftlock_spec::Rules;
use driftlock_spec::exclusion::Exclusion;

use crate::network::Network;
use crate::storms::{keys, storm_in};

fn parts(network: &Network, key: &Key) -> BTreeMap<NodeId, Vec<PartStep>> {
    let mut parts = BTreeMap::<NodeId, Vec<PartStep>>::new();
    for (node, step) in network.steps.iter().filter(|(_, step)| step.key == *key) {
        let (event, epoch, check) = (step.event.clone(), step.epoch, step.check);
        parts.entry(NodeId::at(*node)).or_default().push(PartStep { event, epoch, check });
    }
    parts
}

fn joined(network: &Network, key: &Key) -> Result<Joined, JoinError> {
    let rules = match key.kind {
        Kind::Exclusive => Rules { exclusion: Exclusion::AtMost(1), ..Rules::default() },
        Kind::Permits(k) => Rules { exclusion: Exclusion::AtMost(k), ..Rules::default() },
        Kind::Group => Rules { exclusion: Exclusion::SameGroup, ..Rules::default() },
        Kind::Local => Rules::local(2),
    };
    let setting = Setting {
        protocol: String::new(),
        graph: Graph::new(network.nodes.len()),
        medium: Medium::Links,
        rules: Rules { settled: true, partitions: true, ..rules },
    };
    let krl = |k, forwarding| krl::Config::new(Variant::Repaired, k, forwarding);
    let parts = parts(network, key);
    match key.kind {
        Kind::Exclusive => join::<Krl>(&setting, &krl(1, Forwarding::Never), &parts),
        Kind::Permits(k) => join::<Krl>(&setting, &krl(k, Forwarding::Adaptive), &parts),
        Kind::Group => join::<Gme>(&setting, &gme::Config::default(), &parts),
        Kind::Local => join::<Lme2>(&setting, &lme2::Config::default(), &parts),
    }
}

fn recorded(seed: u64) -> Network {
    let mut network = Network::new(2 + seed as usize % 4);
    network.nodes.iter_mut().for_each(driftlock_locks::Locks::record);
    storm_in(network, seed)
}

#[test]
fn the_steps_of_all_nodes_make_a_run_that_keeps_its_promises() {
    let mut steps = 0;
    for seed in 0..200 {
        let network = recorded(seed);
        for key in keys() {
            let joined = joined(&network, &key);
            let joined = joined.unwrap_or_else(|error| panic!("seed {seed}, {key}: {error}"));
            assert_eq!(joined.violation, None, "seed {seed}, {key}");
            assert_eq!(joined.left, 0, "seed {seed}, {key}: steps without a place");
            steps += joined.records.len();
        }
    }
    assert!(20_000 < steps, "{steps}");
}

#[test]
fn a_step_that_is_not_as_it_was_is_found() {
    let key = &keys()[0];
    let mut network = recorded(2);
    assert!(joined(&network, key).is_ok());
    let of_key = network.steps.iter().position(|(_, step)| step.key == *key);
    let place = of_key.expect("the lock was used");
    network.steps[place].1.check ^= 1;
    let node = NodeId::at(network.steps[place].0);
    let found = joined(&network, key).err();
    assert_eq!(found, Some(JoinError::Differs { node, step: 1 }));
}

#[test]
fn where_a_part_is_missing_the_rest_stops() {
    let key = &keys()[0];
    let mut network = recorded(3);
    network.steps.retain(|(node, _)| *node != 0);
    let joined = joined(&network, key).expect("what is there fits");
    assert!(0 < joined.left);
}
