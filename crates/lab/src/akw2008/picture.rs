//! One network, one node that stops, and who starves with which algorithm.

use driftlock_sim::metrics::Fate;
use driftlock_sim::{Measure, Moment, Requests, Scenario, Scripted};

use super::grid::{Algorithm, Kind, local};
use crate::figure::{Chart, Map, Mark};
use crate::gathered::Gathered;

/// Who is drawn.
pub const DRAWN: [Algorithm; 3] = [Algorithm::ChandyMisra, Algorithm::Linial, Algorithm::Two];

const NODES: usize = 160;
const KIND: Kind = Kind::Geometric(7);

/// The runs that are drawn: the node next to the middle stops the next time that it is inside,
/// while everyone is hungry again at once.
pub fn jobs(seed: u64) -> Vec<(Algorithm, Scenario)> {
    DRAWN.map(|algorithm| (algorithm, scenario(algorithm, seed))).to_vec()
}

fn scenario(algorithm: Algorithm, seed: u64) -> Scenario {
    let (crash, once) = (middle(seed), Some(Moment::Inside));
    let script = vec![Scripted { at: 30.0, crash, once, ..Scripted::default() }];
    Scenario {
        requests: Requests { rate: 100.0, ..Requests::default() },
        measure: Some(Measure { warmup: 0, entries: None, until: Some(300.0) }),
        script,
        ..local(algorithm, KIND, NODES, seed)
    }
}

/// The node next to the middle.
fn middle(seed: u64) -> Option<u32> {
    let (_, places) = KIND.network(NODES).layout(seed).ok()?;
    let off = |&(x, y): &(f64, f64)| (x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5);
    let nodes = places.iter().map(off).enumerate();
    nodes.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(node, _)| node as u32)
}

/// The picture. What was not run is left out.
pub fn map(results: &Gathered<Algorithm>) -> Map {
    let chart = |&algorithm: &Algorithm| {
        let run = results.runs.get(&algorithm)?.first()?;
        let (graph, places) = KIND.network(NODES).layout(run.seed).ok()?;
        let links = graph.links().map(|(a, b)| (a.index(), b.index())).collect();
        let fates = &run.metrics.fates;
        let starving = fates.iter().filter(|fate| fate.starves).count();
        let title = format!("{}: {starving} starve", title(algorithm));
        Some(Chart { title, places, links, marks: fates.iter().map(mark).collect() })
    };
    Map {
        title: "One node stops, and nobody is told: who starves?".into(),
        charts: DRAWN.iter().filter_map(chart).collect(),
        note: format!(
            "The same {NODES} nodes, all of them hungry again as soon as they have eaten, and the \
             same node that stops for good inside. No two linked nodes may be inside together. \
             Stated bounds on how far others may starve: all of the network for Chandy and Misra, \
             6 links for Algorithm 1b, 2 for Algorithm 2."
        ),
    }
}

fn title(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::ChandyMisra => "Chandy-Misra (1984)",
        Algorithm::Linial => "Algorithm 1b (2008)",
        _ => "Algorithm 2 (2008)",
    }
}

fn mark(fate: &Fate) -> Mark {
    match fate {
        Fate { distance: Some(0), .. } => Mark::Stopped,
        // A node that nothing joins with the one that stopped is as far as can be.
        Fate { starves: true, distance } => Mark::Starves(distance.unwrap_or(u32::MAX)),
        Fate { starves: false, .. } => Mark::Fine,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_have_the_same_network_and_the_same_crash() {
        let jobs = jobs(1);
        for (algorithm, scenario) in &jobs {
            scenario.check().unwrap();
            let other = Scenario { protocol: algorithm.protocol().into(), ..jobs[0].1.clone() };
            assert_eq!(*scenario, other);
        }
        assert!(jobs[0].1.script[0].crash.is_some_and(|node| (node as usize) < NODES));
    }

    #[test]
    fn marks_are_fates() {
        let fate = |distance, starves| mark(&Fate { distance, starves });
        assert_eq!(fate(Some(0), false), Mark::Stopped);
        assert_eq!(fate(Some(2), true), Mark::Starves(2));
        assert_eq!(fate(Some(2), false), Mark::Fine);
        assert_eq!(fate(None, false), Mark::Fine);
    }
}
