//! Failing runs of the simulator, shrunk.

use driftlock_core::NoTimer;
use driftlock_journal::Reader;
use driftlock_protocols::Variant;
use driftlock_protocols::rl::{Config, Rl};
use driftlock_replay::{Action, Replayable, Setting, Shrunk, enact, replay, schedule_of, shrink};
use driftlock_sim::{ChangeModel, Network, Scenario, Span, Undefined};
use driftlock_spec::progress::Calm;
use driftlock_spec::{Promise, Violation};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::broken::{Broken, Flaw, Ticking};
use crate::worlds::{changes, cold, load, recorded, routed};

fn published() -> Config {
    Config::from(Variant::Published)
}

/// Runs of the published text that break a promise, with their journals.
fn failing(undefined: Undefined) -> impl Iterator<Item = (Violation, Vec<u8>)> {
    (0..).filter_map(move |seed| {
        let nodes = 4 + (seed % 5) as usize;
        let network = Network { nodes, connectivity: Some(60.0), ..Network::default() };
        let scenario = Scenario {
            seed,
            network,
            link_changes: changes(ChangeModel::Toggle, 0.1),
            delay: Span::Exponential(1.0),
            requests: load(0.3),
            measure: cold(100),
            undefined,
            ..Scenario::default()
        };
        let (run, journal) = recorded::<Rl>(&scenario, &published());
        run.violation.map(|violation| (violation, journal))
    })
}

fn schedule<T: DeserializeOwned>(journal: &[u8]) -> (Setting, Vec<Action<T>>) {
    schedule_of(&mut Reader::new(journal).unwrap()).unwrap()
}

/// Shrink a run, run what came of it, and verify its journal.
fn shrunk<P: Replayable<Config: Serialize>>(
    journal: &[u8],
    config: &P::Config,
    promise: Promise,
) -> Shrunk<P::Timer> {
    let (setting, schedule) = schedule(journal);
    let shrunk = shrink::<P>(&setting, config, &schedule, promise).unwrap();
    let mut journal = Vec::new();
    let to = Some(("test", &mut journal as &mut dyn std::io::Write));
    let Shrunk { setting, schedule, calm } = &shrunk;
    let enacted = enact::<P>(setting, config, schedule, *calm, to).unwrap();
    assert_eq!(enacted.skipped, 0, "{schedule:?}");
    let mut reader = Reader::new(journal.as_slice()).unwrap();
    let replayed = replay::<P, _>(&mut reader, config, &mut |_, _, _, _| {}).unwrap();
    assert_eq!(replayed.violation, enacted.violation);
    assert_eq!(enacted.violation.unwrap().promise, promise);
    shrunk
}

#[test]
fn the_schedule_of_a_journal_is_its_run() {
    for (violation, journal) in failing(Undefined::Stop).take(20) {
        let (setting, schedule) = schedule(&journal);
        let enacted = enact::<Rl>(&setting, &published(), &schedule, None, None).unwrap();
        assert_eq!(enacted.skipped, 0);
        let found = enacted.violation.unwrap();
        assert_eq!((found.what, found.step), (violation.what, violation.step));
    }
}

#[test]
fn an_undefined_step_shrinks_to_a_few_actions_of_which_none_can_go() {
    let mut short = 0;
    for (violation, journal) in failing(Undefined::Stop).take(60) {
        assert_eq!(violation.promise, Promise::DefinedStep);
        let Shrunk { setting, schedule, .. } =
            shrunk::<Rl>(&journal, &published(), violation.promise);
        short += usize::from(schedule.len() <= 4);
        assert!(schedule.len() <= 8, "{schedule:?}");
        for k in 0..schedule.len() {
            let mut without = schedule.clone();
            without.remove(k);
            let enacted = enact::<Rl>(&setting, &published(), &without, None, None).unwrap();
            assert_eq!(enacted.violation, None, "without {k}: {schedule:?}");
        }
    }
    assert!(short >= 50, "{short}");
}

#[test]
fn starvation_shrinks_with_the_calm_that_shows_it() {
    let lengths = failing(Undefined::Skip).take(16).map(|(violation, journal)| {
        assert_eq!(violation.promise, Promise::NoStarvation);
        shrunk::<Rl>(&journal, &published(), violation.promise).schedule.len()
    });
    let mut lengths: Vec<usize> = lengths.collect();
    lengths.sort_unstable();
    assert!(lengths[0] <= 9 && lengths[7] <= 12, "{lengths:?}");
}

/// Two ask, and both are let in: that is all there is to it, on routes as on links.
#[test]
fn a_routed_run_shrinks_too() {
    let scenario = Scenario { requests: load(0.3), measure: cold(50), ..Scenario::default() };
    for scenario in [routed(&scenario), scenario] {
        let (run, journal) = recorded::<Broken>(&scenario, &Flaw::Careless);
        let promise = run.violation.unwrap().promise;
        let Shrunk { setting, schedule, .. } = shrunk::<Broken>(&journal, &Flaw::Careless, promise);
        assert!(matches!(schedule[..], [Action::Request(..), Action::Request(..)]));
        assert_eq!(setting.graph.n_links(), 29, "a tree is enough");
    }
}

/// The calm of a network that never falls silent is cut off.
#[test]
fn restlessness_shrinks_to_what_sets_it_off() {
    let network = Network { nodes: 1, ..Network::default() };
    let scenario = Scenario { network, measure: cold(5), ..Scenario::default() };
    let (run, journal) = recorded::<Ticking>(&scenario, &true);
    let promise = run.violation.unwrap().promise;
    let Shrunk { schedule, calm, .. } = shrunk::<Ticking>(&journal, &true, promise);
    assert_eq!((promise, calm), (Promise::Silence, Some(Calm::Restless)));
    let asked = schedule.iter().filter(|action| matches!(action, Action::Request(..)));
    assert_eq!(asked.count(), 1);
}

#[test]
fn a_promise_that_is_kept_does_not_shrink() {
    let (_, journal) = failing(Undefined::Stop).next().unwrap();
    let (setting, schedule) = schedule::<NoTimer>(&journal);
    let repaired = Config::default();
    assert_eq!(shrink::<Rl>(&setting, &repaired, &schedule, Promise::DefinedStep), None);
    assert_eq!(shrink::<Rl>(&setting, &published(), &schedule, Promise::Exclusion), None);
}
