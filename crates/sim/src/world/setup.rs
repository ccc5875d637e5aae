//! Before the first event.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use driftlock_core::{Graph, Out};
use driftlock_journal::End;
use driftlock_spec::exclusion::Exclusion;
use driftlock_spec::{Monitor, Rules};

use super::traced::Walk;
use super::{Phase, Simulated, Site, World};
use crate::agenda::Agenda;
use crate::changes::Changes;
use crate::dice::{Dice, Stream};
use crate::links::Links;
use crate::metrics::{Meter, Shares};
use crate::motion::{self, Movers, Place};
use crate::network::Shape;
use crate::routes::Routes;
use crate::scenario::{Medium, Scenario, ScenarioError, Undefined};
use crate::span::{Length, Span, UNITS_MAX, ticks, units};

impl<'w, P: Simulated> World<'w, P> {
    /// Set up a run of a protocol that promises what is usual: mutual exclusion, or as many inside
    /// as there are tokens.
    pub fn new(scenario: &'w Scenario, config: &P::Config) -> Result<Self, ScenarioError> {
        let exclusion = Exclusion::AtMost(scenario.tokens());
        World::under(scenario, config, Rules { exclusion, ..Rules::default() })
    }

    /// Set up a run of a protocol that promises what `rules` say. What they say of undefined steps
    /// and of networks that fall apart is up to the scenario; with a local protocol all may.
    pub fn under(
        scenario: &'w Scenario,
        config: &P::Config,
        rules: Rules,
    ) -> Result<Self, ScenarioError> {
        scenario.check()?;
        let dice = Dice::new(scenario.seed);
        let rules = Rules {
            undefined_stops: scenario.undefined == Undefined::Stop,
            partitions: scenario.may_fall_apart() || rules.locality.is_some(),
            ..rules
        };
        let Start { graph, movers, walk } = start_of(scenario, rules)?;
        let held_up = walk.iter().flat_map(Walk::joining).copied().collect();
        let processes = P::initial(set_up_on(scenario, &graph)?.as_ref(), config);
        let monitor = Monitor::new(&processes, rules).on(&processes, &graph);
        let shares = Shares {
            tokens: scenario.tokens(),
            resources: scenario.resources(),
            local: rules.locality.is_some(),
            faults: rules.fenced || scenario.has_faults(),
        };
        let n = graph.n_nodes();
        let askers = scenario.requests.nodes.as_ref().map_or(n, Vec::len);
        let (law, rate) = (&scenario.link_changes, scenario.requests.rate);
        let mut world = World {
            dice,
            delays: dice.sequence(Stream::Delay),
            delay: Length::of(scenario.delay),
            stay: Length::of(scenario.critical_section),
            pause: (rate > 0.0).then(|| Length::of(Span::Exponential(1.0 / rate))),
            now: 0,
            phase: Phase::Storm,
            deadline: deadline(scenario, walk.as_ref())?,
            agenda: Agenda::new(),
            sites: processes.into_iter().map(Site::new).collect(),
            backlog: BTreeMap::new(),
            crashed: BTreeSet::new(),
            quorum: None,
            doomed: Vec::new(),
            cursed: Vec::new(),
            links: Links::new(&graph),
            routes: scenario.medium().routes().then(|| Routes::new(n)),
            losses: dice.sequence(Stream::Loss),
            changes: Changes::new(&graph, law, dice.sequence(Stream::Links))?,
            roles: dice.sequence(Stream::Roles),
            movers,
            walk,
            moves: Vec::new(),
            waiting: 0,
            served_at: 0,
            storm_patience: storm_patience(scenario, n),
            patience: patience(scenario, n),
            longest_timer: 0,
            held_up,
            timers: BTreeMap::new(),
            settings: 0,
            rules,
            monitor,
            meter: Meter::new(scenario.measure(), P::KINDS, n, askers, shares),
            trouble: None,
            metrics: None,
            out: Out::new(),
            end: End::BrokenOff,
            journal: None,
            scenario,
        };
        world.plan_ahead(&graph)?;
        Ok(world)
    }
}

/// How long a calm may last: long enough for all nodes to be served one after the other, each over
/// the longest detour, after all heights have settled.
fn patience(scenario: &Scenario, n_nodes: usize) -> u64 {
    let rounds = 2.0 * n_nodes as f64 + 2.0;
    ticks(scenario.calm_limit.unwrap_or_else(|| rounds * round(scenario, n_nodes)))
}

/// How long nobody may be served in the storm. Where the network may fall apart, tokens may be gone
/// for good, so one detour is enough; whoever waits is owed the calm in any case.
fn storm_patience(scenario: &Scenario, n_nodes: usize) -> u64 {
    if scenario.may_fall_apart() && scenario.calm_limit.is_none() {
        return ticks(round(scenario, n_nodes));
    }
    patience(scenario, n_nodes)
}

/// Enough time, in units, for a node to be served over the longest detour.
fn round(scenario: &Scenario, n_nodes: usize) -> f64 {
    let detour = 4.0 * n_nodes as f64 * scenario.delay.longest();
    (detour + scenario.critical_section.longest()).min(UNITS_MAX)
}

/// When the storm is over at the latest. A trace has an end.
fn deadline(scenario: &Scenario, walk: Option<&Walk>) -> Result<u64, ScenarioError> {
    let until = scenario.measure().until.map(ticks);
    let Some(length) = walk.map(Walk::length) else { return Ok(until.unwrap_or(u64::MAX)) };
    if until.is_some_and(|until| until > length) {
        let what = format!("the trace is over after {} units of time", units(length));
        return Err(ScenarioError::value("measure.until", &what));
    }
    Ok(until.unwrap_or(length))
}

/// What a run starts with.
pub(super) struct Start {
    /// The initial network.
    pub(super) graph: Graph,
    /// Who moves in it.
    movers: Option<Movers>,
    /// What file its changes are from.
    walk: Option<Walk>,
}

/// The initial network, and how it changes, unless that is drawn. For a local protocol it need not
/// be connected. Other protocols start with a connected network, or each node alone: then what is
/// up at the start of a trace comes up first.
pub(super) fn start_of(scenario: &Scenario, rules: Rules) -> Result<Start, ScenarioError> {
    let plain = |graph| Start { graph, movers: None, walk: None };
    if let Some(plan) = scenario.plan()? {
        let graph = plan.start();
        let alone = rules.locality.is_none() && !graph.is_connected();
        let graph = if alone { Graph::new(graph.n_nodes()) } else { graph };
        return Ok(Start { walk: Some(Walk::new(plan, alone)), ..plain(graph) });
    }
    let mut die = Dice::new(scenario.seed).sequence(Stream::Network);
    let network = &scenario.network;
    if network.shape != Shape::Geometric {
        return network.draw(&mut die).map(plain);
    }
    let connected = rules.locality.is_none();
    let draws = Cell::new(0);
    let arrange = |places: &mut [Place]| {
        motion::gather(scenario, places, draws.get());
        draws.set(draws.get() + 1);
    };
    let (graph, places) = network.draw_places(&mut die, connected, arrange)?;
    let motion = scenario.motion.as_ref();
    let last = draws.get().saturating_sub(1);
    let movers = motion.map(|motion| Movers::new(scenario, motion, places, last));
    Ok(Start { movers, ..plain(graph) })
}

/// The network the processes are set up on.
pub(super) fn set_up_on<'g>(
    scenario: &Scenario,
    graph: &'g Graph,
) -> Result<Cow<'g, Graph>, ScenarioError> {
    match scenario.medium() {
        Medium::Links | Medium::Mesh => Ok(Cow::Borrowed(graph)),
        Medium::Routed if scenario.trace.is_some() => Ok(Cow::Borrowed(graph)),
        Medium::Routed => {
            let mut die = Dice::new(scenario.seed).sequence(Stream::Tree);
            scenario.network.draw(&mut die).map(Cow::Owned)
        }
    }
}
