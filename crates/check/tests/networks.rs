//! Small networks, and how they are checked.

use std::ops::ControlFlow;

use driftlock_check::{Checked, Limits, Report, Setup, check};
use driftlock_core::{Graph, NodeId};
use driftlock_journal::Reader;
use driftlock_replay::{enact, replay};
use driftlock_spec::Promise;

/// A network of `n` nodes with these links.
pub(crate) fn graph(n: usize, links: &[(u32, u32)]) -> Graph {
    let mut graph = Graph::new(n);
    for &(a, b) in links {
        graph.link(NodeId(a), NodeId(b));
    }
    graph
}

/// All connected networks of `n` nodes, node 0 having the token and the others being told apart
/// only by their numbers.
pub(crate) fn connected(n: usize) -> Vec<Graph> {
    let pairs: Vec<(u32, u32)> =
        (0..n as u32).flat_map(|a| (a + 1..n as u32).map(move |b| (a, b))).collect();
    let some = |choice: u32| {
        let chosen = (0..pairs.len()).filter(|k| choice & (1 << k) != 0).map(|k| pairs[k]);
        graph(n, &chosen.collect::<Vec<_>>())
    };
    (0..1 << pairs.len()).map(some).filter(Graph::is_connected).collect()
}

/// Explore a setup to the end, on two threads. What is broken has to be broken again by the journal
/// of the counterexample.
pub(crate) fn explored<P: Checked>(setup: &Setup, config: &P::Config) -> Report<P::Timer> {
    let limits = Limits { threads: 2, ..Limits::default() };
    let report = check::<P>(setup, config, &limits, &mut |_| ControlFlow::Continue(())).unwrap();
    let found = report.counterexample.as_ref();
    if let Some(found) = found.filter(|found| found.violation.promise != Promise::Possible) {
        let mut journal = Vec::new();
        let to = Some(("test", &mut journal as &mut dyn std::io::Write));
        let setting = setup.setting("a test");
        let enacted = enact::<P>(&setting, config, &found.schedule, found.calm, to).unwrap();
        assert_eq!((enacted.skipped, enacted.happened), (0, found.schedule.len()));
        let mut reader = Reader::new(journal.as_slice()).unwrap();
        let again = replay::<P, _>(&mut reader, config, &mut |_, _, _, _| {}).unwrap();
        assert_eq!(again.violation.as_ref(), Some(&found.violation));
    }
    report
}
