//! Nodes that move and leave the network in one piece: a link that it needs is held up, whoever
//! moves away. So protocols move that need all their messages and all nodes.

use driftlock_journal::Reader;
use driftlock_protocols::Variant;
use driftlock_protocols::krl::{self, Forwarding, Krl};
use driftlock_protocols::raymond::Raymond;
use driftlock_protocols::rl::{self, Rl};
use driftlock_replay::replay;
use driftlock_sim::{
    ConnectedBy, LinkChanges, Motion, MotionModel, MotionStart, Network, Scenario, Shape,
    Simulated, Span, Speed,
};
use serde::Serialize;

use crate::worlds::{cold, load, recorded, routed};

/// Fast enough for more link changes than entries, in a network of few links.
fn moving(seed: u64, model: MotionModel) -> Scenario {
    let network =
        Network { shape: Shape::Geometric, nodes: 20, degree: Some(5.0), ..Network::default() };
    let motion = Motion {
        model,
        speed: Some(Speed::uniform(0.02, 0.1)),
        pause: match model {
            MotionModel::Waypoint | MotionModel::Convoy => Span::Constant(1.0),
            _ => Motion::default().pause,
        },
        group: (model == MotionModel::Convoy).then_some(4),
        together: true,
        ..Motion::default()
    };
    Scenario {
        seed,
        network,
        motion: Some(motion),
        delay: Span::Uniform(0.5, 1.5),
        requests: load(0.1),
        measure: cold(200),
        ..Scenario::default()
    }
}

/// All promises hold, the network stays in one piece, and the run is the same every time.
fn holds<P: Simulated<Config: Serialize>>(scenario: &Scenario, config: &P::Config) {
    let (run, journal) = recorded::<P>(scenario, config);
    let told = format!("seed {}, {:?}", scenario.seed, scenario.motion);
    assert_eq!((run.violation, run.metrics.entries), (None, 200), "{told}");
    assert!(run.metrics.link_changes > 500, "{} {told}", run.metrics.link_changes);
    assert_eq!(recorded::<P>(scenario, config).1, journal, "{told}");
    let mut reader = Reader::new(journal.as_slice()).unwrap();
    let replayed = replay::<P, _>(&mut reader, config, &mut |_, _, _, _| {}).unwrap();
    assert_eq!((replayed.steps, replayed.violation), (run.steps, None), "{told}");
}

fn worlds() -> impl Iterator<Item = Scenario> {
    let models = [MotionModel::Waypoint, MotionModel::Convoy];
    models.into_iter().flat_map(|model| (1..=8).map(move |seed| moving(seed, model)))
}

/// Every law of motion, with and without routing.
#[test]
fn all_laws_move() {
    for model in MotionModel::ALL {
        for seed in 1..=3 {
            let scenario = moving(seed, model);
            holds::<Rl>(&scenario, &rl::Config::from(Variant::Repaired));
            holds::<Raymond>(&routed(&scenario), &());
        }
    }
    let mut scenario = moving(1, MotionModel::Waypoint);
    scenario.motion.iter_mut().for_each(|motion| motion.start = MotionStart::Stationary);
    holds::<Rl>(&scenario, &rl::Config::from(Variant::Repaired));
}

#[test]
fn rl_moves() {
    worlds().for_each(|scenario| holds::<Rl>(&scenario, &rl::Config::from(Variant::Repaired)));
}

#[test]
fn krl_moves_with_one_token_and_with_three() {
    for scenario in worlds() {
        for tokens in [1, 3] {
            let scenario = Scenario { tokens: Some(tokens), ..scenario.clone() };
            let config = krl::Config::new(Variant::Repaired, tokens, Forwarding::Never);
            holds::<Krl>(&scenario, &config);
        }
    }
}

#[test]
fn messages_of_raymond_are_routed_over_the_links_of_the_moment() {
    worlds().for_each(|scenario| holds::<Raymond>(&routed(&scenario), &()));
}

/// Links stay up until there is a way of links that both their ends know.
#[test]
fn what_is_known_is_held_up_too() {
    let connected_by = ConnectedBy::Known;
    for scenario in worlds() {
        let link_changes = LinkChanges { connected_by, ..LinkChanges::default() };
        let scenario = Scenario { link_changes, ..scenario };
        holds::<Rl>(&scenario, &rl::Config::from(Variant::Repaired));
    }
}

#[test]
fn a_network_stays_in_one_piece_or_may_fall_apart() {
    let refused = |together: bool, connected_by: ConnectedBy| {
        let mut scenario = moving(1, MotionModel::Waypoint);
        scenario.link_changes.connected_by = connected_by;
        scenario.motion.iter_mut().for_each(|motion| motion.together = together);
        scenario.check().err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(refused(true, ConnectedBy::Physical), "");
    assert_eq!(refused(false, ConnectedBy::Partitions), "");
    let both = refused(true, ConnectedBy::Partitions);
    assert!(both.contains("motion.together: link-changes.connected-by says"), "{both}");
    let neither = refused(false, ConnectedBy::Physical);
    assert!(neither.contains("has to be `partitions`, or motion.together true"), "{neither}");
}
