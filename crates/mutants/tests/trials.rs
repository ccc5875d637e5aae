//! What mutants are tried on: small networks explored to the end, random schedules of small
//! networks, and short simulated runs.

use std::fmt;
use std::ops::ControlFlow;

use driftlock_check::{Checked, End, Limits, Setup, check};
use driftlock_core::{Graph, Initial, NodeId};
use driftlock_replay::attempt;
use driftlock_sim::campaign::{Given, Takes, draw};
use driftlock_sim::{
    ChangeModel, LinkChanges, Measure, Medium, Network, Requests, Run, Scenario, Shape, Simulated,
    World,
};
use driftlock_spec::{Promise, Rules};

use crate::walks::{Start, Walks};

/// Something to try a mutant on.
pub(crate) struct Trial<P: Mutated> {
    pub(crate) name: &'static str,
    config: P::Config,
    what: What,
}

enum What {
    /// Every schedule of a small network, which has no more than so many states.
    Check(Box<Setup>, u64),
    /// Random scenarios with these seeds, and what is not random.
    Storms(Vec<u64>, Given),
    /// Random schedules of small networks.
    Walks(Walks),
    /// Everyone asks all the time, in a network of this shape.
    Crowd(Shape),
}

/// How a mutant was killed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Kill {
    pub(crate) trial: &'static str,
    pub(crate) cause: Cause,
    /// How long the run is that shows it.
    pub(crate) steps: u64,
}

/// Why a mutant was killed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// It broke this promise.
    Promise(Promise),
    /// A process found that it was in a state that cannot be.
    GaveUp,
    /// Some got in far more often than others.
    Unfair,
}

/// What broke, in how many steps, if something did; or why there was no end to it.
type Found = Result<Option<(Cause, u64)>, String>;

/// More states than any trial has for the algorithm as it is. Some mutants never come to rest.
const STATES_MAX: u64 = 310_000;

/// The same for trials that are said to take long.
const STATES_MAX_LONG: u64 = 8_000_000;

/// Of memory, for each trial. Some mutants send without end. At most four trials run at a time.
const BYTES_MAX: u64 = 1 << 29;

/// Levels farther apart than this are cut off, or networks with link changes would not be finite.
const SPREAD: u32 = 6;

/// Units of time after which nobody who still waits is only slow.
const CALM: f64 = 20_000.0;

/// A simulated run is broken off when it was looked at so often, after a million events: some
/// mutants send more and more. Of a mutant, such a run counts as one in which nothing was found.
/// The algorithm as it is has none.
const LOOKS_MAX: u32 = 61;

/// How many nodes there are in a line of simulated runs.
const LINE: usize = 12;

/// Of Jain's index of the entries of each node.
const FAIRNESS_MIN: f64 = 0.95;

/// The same where neighbors alone exclude each other, and who has fewer of them gets in more often.
const FAIRNESS_MIN_LOCAL: f64 = 0.82;

/// What it takes to be tried.
pub(crate) trait Mutated: Checked + Simulated + Initial<Config: Sync> {
    /// The folder of the protocol.
    const NAME: &'static str;

    /// Over what its messages go when links change.
    const MEDIUM: Medium;

    /// What scenarios it takes.
    const TAKES: Takes = Takes {
        tokens: false,
        groups: false,
        partitions: false,
        local: false,
        mesh: false,
        faults: false,
    };

    /// The configuration, if a trial does not say otherwise.
    fn config() -> Self::Config;

    /// Where a configuration has the number of the mutant.
    fn mutant(config: &mut Self::Config) -> &mut u32;

    /// What is promised.
    fn rules(_: &Self::Config) -> Rules {
        Rules::default()
    }

    /// Follow what a scenario says.
    fn follow(_: &mut Self::Config, _: &Scenario) {}
}

/// A network in which each node asks so many times and links change so many times.
pub(crate) fn network<P: Mutated>(
    name: &'static str,
    requests: &[u8],
    links: &[(u32, u32)],
    link_changes: u8,
) -> Trial<P> {
    let mut graph = Graph::new(requests.len());
    for &(a, b) in links {
        graph.link(NodeId(a), NodeId(b));
    }
    let (requests, spread) = (requests.to_vec(), Some(SPREAD));
    let setup = Setup { requests, link_changes, spread, ..Setup::new(graph) };
    Trial { name, config: P::config(), what: What::Check(Box::new(setup), STATES_MAX) }
}

/// The same for a network that takes long.
pub(crate) fn large<P: Mutated>(
    name: &'static str,
    requests: &[u8],
    links: &[(u32, u32)],
    link_changes: u8,
) -> Trial<P> {
    let mut trial = network(name, requests, links, link_changes);
    if let What::Check(_, states) = &mut trial.what {
        *states = STATES_MAX_LONG;
    }
    trial
}

/// Random scenarios, with link changes and without.
pub(crate) fn storms<P: Mutated>(
    name: &'static str,
    seeds: impl IntoIterator<Item = u64>,
) -> Trial<P> {
    let given = Given { takes: P::TAKES, ..Given::default() };
    let what = What::Storms(seeds.into_iter().collect(), given);
    Trial { name, config: P::config(), what }
}

/// Random schedules of small networks.
pub(crate) fn walks<P: Mutated>(
    name: &'static str,
    seeds: impl IntoIterator<Item = u64>,
) -> Trial<P> {
    let (start, still) = (Start::Random, false);
    let walks = Walks { seeds: seeds.into_iter().collect(), takes: P::TAKES, start, still };
    Trial { name, config: P::config(), what: What::Walks(walks) }
}

/// Five nodes in a line, all of which ask again at once when they have left. What is promised says
/// nothing of how often one may be overtaken as long as others ask, so this is measured.
pub(crate) fn crowd<P: Mutated>() -> Trial<P> {
    Trial { name: "crowd", config: P::config(), what: What::Crowd(Shape::Line) }
}

impl<P: Mutated> Trial<P> {
    /// The same with another configuration.
    pub(crate) fn of(self, config: P::Config) -> Self {
        Trial { config, ..self }
    }

    /// The same network, set up otherwise.
    pub(crate) fn but(mut self, change: impl FnOnce(&mut Setup)) -> Self {
        if let What::Check(setup, _) = &mut self.what {
            change(setup);
        }
        self
    }

    /// The same network over real links.
    pub(crate) fn settled(self) -> Self {
        self.but(|setup| setup.rules.settled = true)
    }

    /// The same network over real links that come up one by one, everyone starting alone.
    pub(crate) fn cold(self) -> Self {
        self.settled().but(|setup| {
            setup.coming = setup.graph.links().collect();
            setup.graph = Graph::new(setup.requests.len());
        })
    }

    /// The same seeds, drawn for a protocol that takes this.
    pub(crate) fn taking(mut self, taken: Takes) -> Self {
        match &mut self.what {
            What::Storms(_, Given { takes, .. }) | What::Walks(Walks { takes, .. }) => {
                *takes = taken;
            }
            What::Check(..) | What::Crowd(_) => {}
        }
        self
    }

    /// Walks that start in a clique of 4.
    pub(crate) fn in_a_clique(mut self) -> Self {
        if let What::Walks(walks) = &mut self.what {
            walks.start = Start::Clique;
        }
        self
    }

    /// The same in a line that is long enough for some to be far from who stops.
    pub(crate) fn in_a_line(mut self) -> Self {
        match &mut self.what {
            What::Storms(_, given) => {
                (given.nodes, given.shape) = (Some(LINE), Some(Shape::Line));
            }
            What::Walks(walks) => walks.start = Start::Line,
            What::Check(..) | What::Crowd(_) => {}
        }
        self
    }

    /// The same over links that stay as they are.
    pub(crate) fn still(mut self) -> Self {
        match &mut self.what {
            What::Storms(_, given) => given.model = Some(ChangeModel::None),
            What::Walks(walks) => walks.still = true,
            What::Check(..) | What::Crowd(_) => {}
        }
        self
    }

    /// The same where everyone has two neighbors.
    pub(crate) fn in_a_ring(mut self) -> Self {
        if let What::Crowd(shape) = &mut self.what {
            *shape = Shape::Ring;
        }
        self
    }

    /// How the mutant with this number is killed, if it is. The algorithm as it is, number 0, has
    /// to be explored and to run to the end.
    pub(crate) fn kill(&self, mutant: u32) -> Option<Kill> {
        let mut config = self.config.clone();
        *P::mutant(&mut config) = mutant;
        let to_the_end = |found: Found| {
            assert!(found.is_ok() || mutant > 0, "{}: not to the end: {found:?}", self.name);
            found.unwrap_or_default()
        };
        let found = match &self.what {
            What::Check(setup, states) => to_the_end(checked::<P>(setup, &config, *states)),
            What::Storms(seeds, given) => {
                seeds.iter().find_map(|&seed| to_the_end(simulated::<P>(seed, given, &config)))
            }
            What::Walks(walks) => {
                walks.seeds.iter().find_map(|&seed| walked::<P>(walks, seed, &config))
            }
            What::Crowd(shape) => to_the_end(unfair::<P>(*shape, &config)),
        };
        found.map(|(cause, steps)| Kill { trial: self.name, cause, steps })
    }
}

/// Explore; if there are more than so many states and nothing was found among them, that is an
/// error.
fn checked<P: Mutated>(setup: &Setup, config: &P::Config, states: u64) -> Found {
    let limits = Limits { states, bytes: BYTES_MAX, ..Limits::default() };
    let watch = &mut |_: &_| ControlFlow::Continue(());
    let rules = Rules { settled: setup.rules.settled, ..P::rules(config) };
    let setup = Setup { rules, ..setup.clone() };
    let report = check::<P>(&setup, config, &limits, watch).expect("the setup makes sense");
    match report.counterexample {
        Some(found) => {
            let promise = found.violation.promise;
            Ok(Some((Cause::Promise(promise), found.schedule.len() as u64)))
        }
        None if report.end == End::Complete => Ok(None),
        None => Err(format!("{:?}", report.end)),
    }
}

fn walked<P: Mutated>(walks: &Walks, seed: u64, config: &P::Config) -> Option<(Cause, u64)> {
    let mut found = None;
    match attempt(|| found = walks.walk::<P>(seed, config)) {
        Ok(()) => found.map(|(promise, steps)| (Cause::Promise(promise), steps)),
        Err(_) => Some((Cause::GaveUp, 0)),
    }
}

fn simulated<P: Mutated>(seed: u64, given: &Given, config: &P::Config) -> Found {
    let scenario =
        Scenario { medium: Some(P::MEDIUM), calm_limit: Some(CALM), ..draw(seed, given) };
    let mut config = config.clone();
    P::follow(&mut config, &scenario);
    run::<P>(&scenario, &config, |_| None)
}

fn unfair<P: Mutated>(shape: Shape, config: &P::Config) -> Found {
    let scenario = Scenario {
        network: Network { shape, nodes: 5, ..Network::default() },
        link_changes: LinkChanges { model: ChangeModel::None, ..LinkChanges::default() },
        medium: Some(P::MEDIUM),
        requests: Requests { rate: 100.0, ..Requests::default() },
        measure: Some(Measure { warmup: 0, entries: Some(200), until: None }),
        calm_limit: Some(CALM),
        ..Scenario::default()
    };
    let least = if P::TAKES.local { FAIRNESS_MIN_LOCAL } else { FAIRNESS_MIN };
    let judge = |run: &Run| (run.metrics.fairness < least).then_some(Cause::Unfair);
    run::<P>(&scenario, config, judge)
}

/// Run; if no promise is broken and the run comes to its end, `judge` has a look at it.
fn run<P: Mutated>(
    scenario: &Scenario,
    config: &P::Config,
    judge: impl FnOnce(&Run) -> Option<Cause>,
) -> Found {
    let world = World::<P>::under(scenario, config, P::rules(config));
    let world = world.expect("the scenario makes sense");
    let mut ended = None;
    let mut looks = 0;
    let watch = &mut |_| {
        looks += 1;
        if looks < LOOKS_MAX { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let done = attempt(|| ended = Some(world.run_watched(watch)));
    match ended.filter(|_| done.is_ok()) {
        None => Ok(Some((Cause::GaveUp, 0))),
        Some(Run { violation: Some(violation), .. }) => {
            Ok(Some((Cause::Promise(violation.promise), violation.step)))
        }
        Some(run) if run.interrupted => Err(format!("broken off, {} steps", run.steps)),
        Some(run) => Ok(judge(&run).map(|cause| (cause, run.steps))),
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Promise(promise) => promise.fmt(f),
            Cause::GaveUp => f.write_str("a process gave up"),
            Cause::Unfair => f.write_str("some are overtaken"),
        }
    }
}
