//! LME-1 in random schedules, over links that come and go and take what is in transit with them:
//! what is promised, and what the proof rests on, after every step.

use driftlock_core::{NodeId, Protocol, Status, Tokens};
use driftlock_protocols::lme1::doorway::Doorway;
use driftlock_protocols::lme1::{Coloring, Config, Lme1};

use crate::lme2_storms::judge_forks;
use crate::storms::{Storm, Weather};

const SCHEDULES: u64 = 300;

const CALM: Weather = Weather { requests: 14, resources: 1, changes: 0, overtaking: false };
const ROUGH: Weather = Weather { changes: 10, ..CALM };

/// Lemma 3 and what else is said of a state: competing neighbors have different colors; who eats is
/// behind the doorways, and so is who keeps others waiting; inner doorways are within outer ones.
fn judge(storm: &Storm<Lme1>) {
    judge_forks(storm);
    let processes = &storm.stage.processes;
    for (a, b) in storm.links.links() {
        let colors = [a, b].map(|i| Tokens::color(&processes[i.index()]));
        let same = colors[0].is_some() && colors[0] == colors[1];
        assert!(!same, "{a} and {b}\n{}", storm.stage.story);
    }
    for (k, process) in processes.iter().enumerate() {
        let doors = process.doors();
        let within = |inner, outer| !doors.contains(inner) || doors.contains(outer);
        assert!(within(Doorway::SdF, Doorway::AdF) && within(Doorway::SdR, Doorway::AdR));
        let competes = doors.contains(Doorway::SdF);
        assert!(process.status() != Status::Critical || competes, "{k} eats outside");
        for &j in storm.links.neighbors(NodeId::at(k)) {
            assert!(!process.suspends(j) || (competes && process.has_fork(j)), "{k} keeps {j}");
        }
        let recolored = process.color().is_some_and(|color| color < 0);
        assert!(!recolored || process.status() != Status::Remainder || process.has_to_recolor());
    }
}

#[test]
fn lme1_serves_everyone_in_any_schedule() {
    let colorings = [
        Coloring::Greedy,
        Coloring::Linial { n: 6, degree: 5 },
        Coloring::Linial { n: 1000, degree: 2 },
    ];
    for (coloring, weather) in colorings.into_iter().flat_map(|c| [(c, CALM), (c, ROUGH)]) {
        let config = Config { coloring, ..Config::default() };
        for (n, seed) in (2..=6).flat_map(|n| (0..SCHEDULES).map(move |seed| (n, seed))) {
            let mut storm: Storm<Lme1> = Storm::new(n, seed, &config);
            storm.rough = true;
            let waiting = storm.run(weather, &judge);
            assert!(waiting.is_empty(), "n={n} seed={seed} {waiting:?}\n{}", storm.stage.story);
        }
    }
}

#[test]
fn a_given_coloring_serves_everyone_in_any_schedule() {
    let config = Config { coloring: Coloring::Given, ..Config::default() };
    for (n, seed) in (2..=6).flat_map(|n| (0..SCHEDULES).map(move |seed| (n, seed))) {
        let mut storm: Storm<Lme1> = Storm::new(n, seed, &config);
        let waiting = storm.run(CALM, &judge);
        assert!(waiting.is_empty(), "n={n} seed={seed} {waiting:?}\n{}", storm.stage.story);
    }
}
