//! Where protocols are compared, and who can take part there: [`Plan`].

use anyhow::{Result, anyhow, bail};
use clap::Parser;
use driftlock_lab::compare::{Case, Contest, Entrant, worlds};
use driftlock_sim::{ChangeModel, ConnectedBy, Medium, Scenario, ScenarioError, Shape, Traced};

use super::entrants::{Named, entrants, in_words};
use crate::lab::args::{CompareArgs, SweptArgs};
use crate::lab::cmd::sim::check_seeds;
use crate::lab::cmd::trace;
use crate::lab::origin::Origin;
use crate::lab::registry;
use crate::usage;

/// What is to be done.
pub(super) struct Plan<'a> {
    pub(super) origin: Origin<'a>,
    pub(super) contest: Contest,
}

impl<'a> Plan<'a> {
    /// Understand what was asked for, and refuse it now or never.
    pub(super) fn of(args: &'a CompareArgs) -> Result<Self> {
        if args.world.variant.is_some() {
            bail!("--variant: it goes with a protocol, like rl:published");
        }
        let origin = Origin::of(None, args.scenario.as_deref(), &args.world)?;
        let base = origin.scenario();
        check_seeds(base.seed, args.reps)?;
        let named = entrants(&names(args, &base), args.local, &base)?;
        let mut cases = cases(args, &base, &named)?;
        for case in &mut cases {
            settle(&mut case.scenario, &named);
            let checked = check(&case.scenario);
            checked.map_err(|error| origin.explain(&error.to_string()))?;
        }
        let join = |case: &Case, who: &Named| {
            let joined = joined(&case.scenario, who, &named);
            joined.map_err(|error| origin.explain(&format!("{error:#}")).to_string())
        };
        let row = |case: &Case| named.iter().map(|who| join(case, who)).collect();
        let scenarios: Vec<Vec<Result<Scenario, String>>> = cases.iter().map(row).collect();
        if let Some(Err(why)) = scenarios.iter().flatten().next()
            && scenarios.iter().flatten().all(Result::is_err)
        {
            bail!("nobody can take part: {why}");
        }
        let entrant =
            |who: &Named| Entrant { name: who.name(), promise: in_words(who.exclusion(&base)) };
        let mut warnings = Vec::new();
        for warning in cases.iter().flat_map(|case| trace::warnings(&case.scenario, "some need")) {
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        let contest = Contest {
            warnings,
            key: args.sweep.as_ref().map_or("load".into(), |sweep| sweep.key.clone()),
            cases,
            entrants: named.iter().map(entrant).collect(),
            scenarios,
            repetitions: args.reps,
            seed: base.seed,
        };
        Ok(Plan { origin, contest })
    }
}

/// Who is named: on the command line, or in the file.
fn names(args: &CompareArgs, base: &Scenario) -> Vec<String> {
    if !args.protocols.is_empty() || args.local || base.protocol.is_empty() {
        return args.protocols.clone();
    }
    let colon = base.variant.as_ref().map_or(String::new(), |variant| format!(":{variant}"));
    vec![format!("{}{colon}", base.protocol)]
}

/// The scenario that was asked for, as often as something is varied; or the worlds of the papers.
fn cases(args: &CompareArgs, base: &Scenario, named: &[Named]) -> Result<Vec<Case>> {
    let base = Scenario { protocol: String::new(), variant: None, ..base.clone() };
    if let Some(sweep) = &args.sweep {
        let title = title(&base, &sweep.key);
        let case = |value: &String| {
            let scenario = swept(&base, &sweep.key, value)?;
            Ok(case(title.clone(), value.clone(), scenario))
        };
        return sweep.values.iter().map(case).collect();
    }
    if args.scenario.is_some() || args.world.is_typed() {
        let value = base.requests.rate.to_string();
        return Ok(vec![case(title(&base, "load"), value, base)]);
    }
    let mut cases = Vec::new();
    if named.iter().any(|who| who.entry.local.is_none()) {
        cases.extend(worlds::global());
    }
    if named.iter().any(|who| who.entry.local.is_some()) {
        cases.extend(worlds::local());
    }
    cases.iter_mut().for_each(|case| case.scenario.seed = base.seed);
    Ok(cases)
}

fn case(title: String, value: String, scenario: Scenario) -> Case {
    Case { title, stem: String::new(), panel: String::new(), value, scenario }
}

/// What a scenario is about, but for what is varied.
fn title(scenario: &Scenario, key: &str) -> String {
    let Scenario { network, requests, link_changes, .. } = scenario;
    let file_name = |trace: &Traced| {
        let name = trace.file.file_name().unwrap_or_default().to_string_lossy();
        format!("{name}, {} nodes", scenario.n_nodes())
    };
    let nodes = match (&scenario.trace, &network.file) {
        (Some(trace), _) => file_name(trace),
        (None, Some(file)) => file.display().to_string(),
        (None, None) => format!("{} nodes", network.nodes),
    };
    let mobility = match link_changes.rate {
        0.0 => String::new(),
        rate => format!("mobility {rate}"),
    };
    let motion = if scenario.motion.is_some() { "nodes that move" } else { "" };
    let parts = [
        ("nodes", nodes),
        ("load", format!("load {}", requests.rate)),
        ("mobility", mobility),
        ("motion", motion.into()),
    ];
    let shown = parts.into_iter().filter(|(name, part)| *name != key && !part.is_empty());
    shown.map(|(_, part)| part).collect::<Vec<_>>().join(", ")
}

/// The scenario with a flag given.
fn swept(base: &Scenario, key: &str, value: &str) -> Result<Scenario> {
    if ["seed", "variant"].contains(&key) {
        bail!("--sweep: {key} is no part of the world: see --reps, and PROTOCOL:VARIANT");
    }
    let typed = SweptArgs::try_parse_from([format!("--{key}={value}")]);
    let typed = typed.map_err(|error| anyhow!("--sweep: {}", usage::complaint(&error)))?;
    let mut scenario = base.clone();
    typed.world.apply(&mut scenario);
    Ok(scenario)
}

/// Refuse a world that nobody can be in. Where no medium is typed each has its own, so what only
/// goes on a mesh is refused for those who are not on one.
fn check(world: &Scenario) -> Result<(), ScenarioError> {
    let on_mesh = || Scenario { medium: Some(Medium::Mesh), ..world.clone() }.check();
    match world.check() {
        Err(error) if world.medium.is_none() => on_mesh().map_err(|_| error),
        checked => checked,
    }
}

/// What is the same for all because of who takes part: among local protocols the network need not
/// be connected, and no motion leaves it so, unless the world or all of them ask for that. A trace
/// is held together if there is anybody who needs that.
fn settle(scenario: &mut Scenario, named: &[Named]) {
    let lives = |who: &Named| who.entry.may_fall_apart(who.variant.as_deref());
    let is_settled = scenario.may_fall_apart() || named.iter().all(lives);
    if let Some(trace) = scenario.trace.as_mut().filter(|_| !is_settled) {
        trace.together = true;
    }
    let on_mesh = |who: &Named| who.entry.carriers().next() == Some(Medium::Mesh);
    let together = scenario.stays_together() || named.iter().all(on_mesh);
    let moves_apart = (scenario.motion.is_some() || scenario.trace.is_some()) && !together;
    if moves_apart || named.iter().all(|who| who.entry.local.is_some()) {
        scenario.link_changes.connected_by = ConnectedBy::Partitions;
    }
}

/// The scenario with a protocol in it, if that can take part.
fn joined(world: &Scenario, who: &Named, all: &[Named]) -> Result<Scenario> {
    let mut scenario =
        Scenario { protocol: who.entry.name.into(), variant: who.variant.clone(), ..world.clone() };
    if lives_with_stops(world, who) {
        scenario.link_changes.connected_by = ConnectedBy::Partitions;
    }
    registry::complete(&mut scenario)?;
    check_same(world, who, all)?;
    registry::rehearse(&scenario)?;
    Ok(scenario)
}

/// Whether nodes stop here and the protocol lives with that where the network may fall apart. Then
/// that may be so for it alone, if links do not change in another way because of it.
fn lives_with_stops(world: &Scenario, who: &Named) -> bool {
    let stops = world.script.iter().any(|scripted| scripted.crash.is_some());
    let drawn = matches!(world.link_changes.model, ChangeModel::Literal | ChangeModel::Toggle);
    let moves = world.motion.is_some() || world.trace.is_some();
    let lives = who.entry.may_fall_apart(who.variant.as_deref());
    stops && lives && !drawn && !moves && world.medium() != Medium::Mesh
}

/// Refuse who would have another network than the others, or other changes of it.
fn check_same(world: &Scenario, who: &Named, all: &[Named]) -> Result<()> {
    let is_local = |named: &Named| named.entry.local.is_some();
    if all.iter().all(|other| is_local(other) == is_local(who)) {
        return Ok(());
    }
    let (name, apart) = (who.entry.name, world.may_fall_apart());
    let drawn = matches!(world.link_changes.model, ChangeModel::Literal | ChangeModel::Toggle);
    if is_local(who) && drawn && !apart {
        bail!(
            "{name} lives with a network that falls apart, so its links would change in another \
             way than those of the others; with --connected-by partitions they do not"
        );
    }
    if world.network.shape == Shape::Geometric && is_local(who) != apart {
        bail!(
            "local protocols take a geometric network as it is drawn, others only a connected one: \
             {name} would run in another one"
        );
    }
    Ok(())
}
