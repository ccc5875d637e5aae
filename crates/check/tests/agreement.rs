//! The checker finds as many states as the plainest search there is.

use std::collections::VecDeque;

use driftlock_check::{Checked, Setup};
use driftlock_core::{Graph, Status};
use driftlock_protocols::Variant;
use driftlock_protocols::raymond::Raymond;
use driftlock_protocols::rl::{Config, Rl};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::line::{Line, Slip};
use crate::networks::{connected, explored, graph};
use crate::parts::apart;
use crate::plain::{Happens, Plain};

/// How many states there are, how many edges, and how far away the last one is.
fn count<P: Checked>(initial: Plain<P>) -> (u64, u64, u32) {
    let mut seen: HashMap<Plain<P>, u32, FxBuildHasher> = HashMap::default();
    seen.insert(initial.clone(), 0);
    let mut queue = VecDeque::from([initial]);
    let (mut edges, mut depth) = (0, 0);
    while let Some(state) = queue.pop_front() {
        depth = depth.max(seen[&state]);
        for happens in state.possible() {
            edges += 1;
            let next = state.after(happens);
            if !seen.contains_key(&next) {
                seen.insert(next.clone(), seen[&state] + 1);
                queue.push_back(next);
            }
        }
    }
    (seen.len() as u64, edges, depth)
}

fn agree<P: Checked>(graph: Graph, config: &P::Config, requests: u8, link_changes: u8) {
    let plain = count(Plain::<P>::new(&graph, config, requests, link_changes));
    let requests = vec![requests; graph.n_nodes()];
    let report = explored::<P>(&Setup { requests, link_changes, ..Setup::new(graph) }, config);
    let found = report.explored;
    assert!(report.held());
    assert_eq!((found.states, found.edges, found.depth), plain);
}

#[test]
fn rl_without_link_changes() {
    for network in connected(3) {
        agree::<Rl>(network, &Config::default(), 2, 0);
    }
}

#[test]
fn rl_with_link_changes() {
    for variant in [Variant::Published, Variant::Repaired] {
        for network in connected(3) {
            agree::<Rl>(network, &Config::from(variant), 1, 1);
        }
    }
    agree::<Rl>(graph(3, &[(0, 1), (0, 2), (1, 2)]), &Config::default(), 1, 2);
}

#[test]
fn raymond_on_trees() {
    agree::<Raymond>(graph(4, &[(0, 1), (1, 2), (1, 3)]), &(), 2, 0);
    agree::<Raymond>(graph(5, &[(0, 1), (1, 2), (2, 3), (2, 4)]), &(), 1, 0);
}

/// For each node, whether a token is in its part: held, or in transit on one of its links.
fn with_token<P: Checked>(state: &Plain<P>) -> Vec<bool> {
    let n = state.processes.len();
    let carried = |a: usize, b: usize| state.channels[a][b].iter().any(|msg| P::carried(msg) > 0);
    let mut with: Vec<bool> = (0..n)
        .map(|a| state.processes[a].held() > 0 || (0..n).any(|b| carried(a, b) || carried(b, a)))
        .collect();
    for _ in 0..n {
        for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))) {
            with[a] |= state.links[a][b] && with[b];
        }
    }
    with
}

/// Whether nothing happens any more, and yet someone waits where there is a token, or someone says
/// of the token what is not so.
fn is_wrong_at_rest<P: Checked>(state: &Plain<P>) -> bool {
    let moves = |happens: &Happens| matches!(happens, Happens::Deliver(..) | Happens::Release(_));
    let with = with_token(state);
    let wrong = |(process, with): (&P, &bool)| {
        process.misses_token() == *with || (*with && process.status() == Status::Waiting)
    };
    !state.possible().iter().any(moves) && state.processes.iter().zip(&with).any(wrong)
}

/// How far away the first state is that is wrong at rest.
fn first_wrong<P: Checked>(initial: Plain<P>) -> Option<usize> {
    let mut seen: HashMap<Plain<P>, usize, FxBuildHasher> = HashMap::default();
    seen.insert(initial.clone(), 0);
    let mut queue = VecDeque::from([initial]);
    while let Some(state) = queue.pop_front() {
        let depth = seen[&state];
        if is_wrong_at_rest(&state) {
            return Some(depth);
        }
        for happens in state.possible() {
            let next = state.after(happens);
            if !seen.contains_key(&next) {
                seen.insert(next.clone(), depth + 1);
                queue.push_back(next);
            }
        }
    }
    None
}

/// The same states and the same shortest ways, whatever is wrong with the toy.
#[test]
fn networks_that_fall_apart() {
    use Slip::{Forgetful, Mute, None, Stale, Sulks};
    for (n, link_changes) in [(2, 3), (3, 1), (3, 2)] {
        for slip in [None, Mute, Stale, Forgetful, Sulks] {
            let setup = apart(n, link_changes);
            let mut plain = Plain::<Line>::new(&setup.graph, &slip, 1, link_changes);
            (plain.apart, plain.requests) = (true, setup.requests.clone());
            let report = explored::<Line>(&setup, &slip);
            let way = report.counterexample.map(|found| found.schedule.len());
            assert_eq!(way, first_wrong(plain.clone()), "{slip:?} {n} {link_changes}");
            if way.is_none() {
                let found = report.explored;
                assert_eq!((found.states, found.edges, found.depth), count(plain));
            }
        }
    }
}
