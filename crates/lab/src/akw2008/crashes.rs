//! Nodes that stop for good, at bad moments: the trials, and who starves.

use driftlock_sim::dice::{Dice, Stream};
use driftlock_sim::metrics::Fate;
use driftlock_sim::{Measure, Metrics, Moment, Requests, Scenario, Scripted};

use super::grid::{Algorithm, DEGREE, Effort, Kind, local};
use crate::gathered::Gathered;
use crate::stats::Estimate;

/// Where a node stops: on which network of how many nodes.
pub type Place = (Kind, usize);

/// All places.
pub const PLACES: [Place; 7] = [
    (Kind::Path, 9),
    (Kind::Path, 17),
    (Kind::Path, 33),
    (Kind::Ring, 33),
    (Kind::Grid, 36),
    (Kind::Geometric(DEGREE), 64),
    (Kind::Moving(DEGREE), 64),
];

/// Trials of one algorithm in one place.
pub type Trial = (Algorithm, Place);

/// All trials, in order.
pub fn trials() -> Vec<Trial> {
    let at = |place: Place| place.0.algorithms().into_iter().map(move |who| (who, place));
    let mut trials: Vec<Trial> = PLACES.into_iter().flat_map(at).collect();
    trials.sort();
    trials
}

/// How often nodes become hungry where one stops.
const RATES: [f64; 3] = [0.3, 3.0, 100.0];

/// When everyone has been hungry after a crash who ever is, in units.
const UNTIL: f64 = 120.0;

impl Effort {
    /// How many crashes there are in each place.
    pub fn n_crashes(&self) -> u64 {
        self.repetitions * self.crashes
    }

    /// The scenario of crash `k`: a random node stops inside or while it waits, half of the time
    /// during the cold start. All algorithms have the same crash on the same network.
    pub fn crash(&self, (algorithm, (kind, nodes)): Trial, k: u64) -> Scenario {
        let seed = self.seed.wrapping_add(k);
        let mut die = Dice::new(seed).sequence_of(Stream::Scenario, nodes as u32);
        let node = die.below(nodes as u64) as u32;
        let once = if die.below(2) == 0 { Moment::Inside } else { Moment::Waiting };
        let early = die.below(2) == 0;
        let at = if early { 8.0 * die.unit() } else { 20.0 + 20.0 * die.unit() };
        let rate = RATES[die.below(RATES.len() as u64) as usize];
        let crash = Scripted { at, crash: Some(node), once: Some(once), ..Scripted::default() };
        Scenario {
            requests: Requests { rate, ..Requests::default() },
            measure: Some(Measure { warmup: 0, entries: None, until: Some(UNTIL) }),
            script: vec![crash],
            ..local(algorithm, kind, nodes, seed)
        }
    }

    /// All crashes.
    pub fn crash_jobs(&self) -> Vec<(Trial, Scenario)> {
        let all = |trial| (0..self.n_crashes()).map(move |k| (trial, self.crash(trial, k)));
        trials().into_iter().flat_map(all).collect()
    }
}

/// How far Table 1 lets others starve. The bound of Algorithm 1b is max(log* n, 4) + 2, and 2¹⁶
/// nodes have a log* of 4. None is the whole network.
pub fn bound(algorithm: Algorithm) -> Option<u32> {
    match algorithm {
        Algorithm::ChoySingh => Some(4),
        Algorithm::Linial => Some(6),
        Algorithm::Two | Algorithm::Quiet => Some(2),
        Algorithm::Greedy | Algorithm::ChandyMisra => None,
    }
}

/// The farthest that anybody starved, over all trials; 0 if nobody did.
pub fn reach(results: &Gathered<Trial>, trial: Trial) -> Option<u32> {
    let runs = results.runs.get(&trial)?;
    let of_run = |metrics: &Metrics| metrics.aftermath.and_then(|after| after.reach);
    Some(runs.iter().filter_map(|run| of_run(&run.metrics)).max().unwrap_or(0))
}

/// The farthest that anybody starved anywhere. None if a place has no run.
pub fn farthest(results: &Gathered<Trial>, algorithm: Algorithm) -> Option<u32> {
    let reaches = trials().into_iter().filter(|trial| trial.0 == algorithm);
    reaches.map(|trial| reach(results, trial)).collect::<Option<Vec<u32>>>()?.into_iter().max()
}

/// How many starve, on average over all crashes that happened.
pub fn starving(results: &Gathered<Trial>, trial: Trial) -> Option<Estimate> {
    let aftermaths = results.runs.get(&trial)?.iter().filter_map(|run| run.metrics.aftermath);
    Estimate::of(&aftermaths.map(|after| after.starving as f64).collect::<Vec<f64>>())
}

/// The share of the nodes at this distance that starve, on average over all crashes that have nodes
/// there.
pub fn share(results: &Gathered<Trial>, trial: Trial, distance: u32) -> Option<Estimate> {
    let of_run = |metrics: &Metrics| {
        let there = |fate: &&Fate| fate.distance == Some(distance);
        let there: Vec<&Fate> = metrics.fates.iter().filter(there).collect();
        let starving = there.iter().filter(|fate| fate.starves).count();
        (!there.is_empty()).then(|| starving as f64 / there.len() as f64)
    };
    let runs = results.runs.get(&trial)?;
    Estimate::of(&runs.iter().filter_map(|run| of_run(&run.metrics)).collect::<Vec<f64>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crashes_are_the_same_for_everyone_and_make_sense() {
        let effort = Effort::DEFAULT;
        for place in PLACES {
            for k in 0..effort.n_crashes() {
                let scenario = effort.crash((Algorithm::Two, place), k);
                scenario.check().unwrap();
                let other = effort.crash((Algorithm::Greedy, place), k);
                assert_eq!(other.script, scenario.script);
                assert!(scenario.script[0].crash < Some(place.1 as u32));
            }
        }
        assert_eq!(trials().len(), 6 * 6 + 4);
    }

    #[test]
    fn shares_are_of_those_at_a_distance() {
        let fate = |distance, starves| Fate { distance: Some(distance), starves };
        let fates = vec![fate(0, false), fate(1, true), fate(1, false), Fate::default()];
        let metrics = Metrics { fates, ..Metrics::default() };
        let trial = trials()[0];
        let run = crate::gathered::PointRun { seed: 1, metrics };
        let runs = [(trial, vec![run])].into_iter().collect();
        let results = Gathered { runs, failures: Vec::new(), planned: 1, finished: 1 };
        assert_eq!(share(&results, trial, 1).map(|share| share.mean), Some(0.5));
        assert_eq!(share(&results, trial, 2), None);
    }
}
