//! What is to be checked, from what was typed.

use anyhow::{Context, Result, anyhow, bail};
use driftlock_check::{Connectivity, Setup};
use driftlock_core::{Graph, NodeId};
use driftlock_sim::{Medium, Session, Undefined};
use driftlock_spec::Rules;

use crate::lab::args::{CheckArgs, EnvironmentArgs, TopologyArg};
use crate::lab::registry::{self, Choice, Entry};

/// How far apart heights may be, if nothing else is said, where there would be no end without.
pub(crate) const SPREAD: u32 = 12;

/// The bound that a setup needs, if it needs one. Heights climb for ever only where a node can be
/// without a neighbor it knows of, or without a token: it takes two link changes, or a fault.
pub(crate) fn bound(setup: &Setup) -> Option<u32> {
    let Setup { link_changes, losses, duplications, crashes, connectivity, rules, .. } = setup;
    let faults = losses + duplications + crashes > 0 || setup.restarts > 0 || rules.lossy;
    let apart = *connectivity == Connectivity::Partitions;
    let may_climb = *link_changes > 1 || faults || apart;
    // Local protocols have no heights.
    (may_climb && rules.locality.is_none()).then_some(SPREAD)
}

/// A check.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) entry: &'static Entry,
    pub(crate) variant: Option<String>,
    pub(crate) tokens: u32,
    pub(crate) session: Option<Session>,
    pub(crate) setup: Setup,
}

impl Plan {
    /// Understand what was asked for, and refuse it now or never.
    pub(crate) fn of(args: &CheckArgs) -> Result<Plan> {
        let entry = registry::find(args.protocol.as_deref().unwrap_or_default())?;
        registry::check_variant(entry, args.variant.as_deref()).map_err(as_flag)?;
        let graph = graph(args)?;
        let n = graph.n_nodes();
        let medium = args.network.medium.map(Medium::from);
        let medium = registry::medium(entry, medium).map_err(as_flag)?;
        let environment = &args.environment;
        let changes = entry.sees_link_changes(medium);
        if !changes {
            refuse_link_changes(entry.name, environment)?;
        }
        let link_changes = environment.link_changes.unwrap_or(u8::from(changes));
        let requests = match environment.requests.as_ref().map(|counts| &counts.0[..]) {
            None => vec![1; n],
            Some([one]) => vec![*one; n],
            Some(each) if each.len() == n => each.to_vec(),
            Some(each) => bail!("--requests: {} numbers for {n} nodes", each.len()),
        };
        let choice = choice(entry, args, n)?;
        let local = entry.local.is_some();
        let usual = if local { Connectivity::Partitions } else { Connectivity::Physical };
        let connectivity = environment.connectivity.map_or(usual, Into::into);
        let apart = connectivity == Connectivity::Partitions && !local;
        if apart {
            registry::check_partitions(entry, choice.variant).context("--connectivity")?;
        }
        let restarts = environment.restarts.unwrap_or(0);
        if restarts > 0 {
            registry::check_restarts(entry, choice.variant).context("--restarts")?;
            if !environment.settled_links {
                bail!("--restarts: only with --settled-links is it known what becomes of links");
            }
        }
        if environment.crashes.is_some_and(|crashes| crashes > 0) {
            registry::check_stops(entry, choice.variant).context("--crashes")?;
        }
        let undefined = environment.undefined.map_or(Undefined::Stop, Undefined::from);
        let setup = Setup {
            medium,
            requests,
            resources: environment.resources.unwrap_or(1),
            link_changes,
            timeouts: environment.timeouts.unwrap_or(0),
            losses: environment.losses.unwrap_or(0),
            duplications: environment.duplications.unwrap_or(0),
            crashes: environment.crashes.unwrap_or(0),
            restarts,
            connectivity,
            rules: Rules {
                undefined_stops: undefined == Undefined::Stop,
                lossy: environment.lossy_links || local,
                settled: environment.settled_links,
                ..entry.rules(&choice)
            },
            progress_despite_faults: environment.progress_despite_faults
                || (apart && only_crashes(environment))
                || (entry.faults && has_faults(environment)),
            ..Setup::new(graph)
        };
        let spread = environment.spread.or_else(|| bound(&setup));
        let setup = Setup { spread, ..setup };
        // Only links that were typed can still be wrong, or what goes over them.
        let flag = if environment.settled_links { "--settled-links" } else { "--links" };
        setup.check().context(flag)?;
        let Choice { tokens, session, .. } = choice;
        Ok(Plan { entry, variant: args.variant.clone(), tokens, session, setup })
    }

    /// What was chosen for the protocol.
    pub(crate) fn choice(&self) -> Choice<'_> {
        let Plan { variant, tokens, session, .. } = self;
        let (tokens, session) = (*tokens, *session);
        Choice { variant: variant.as_deref(), tokens, session, pace: None }
    }

    /// The protocol, with its variant if there are several.
    pub(crate) fn subject(&self) -> String {
        let Plan { entry, variant, .. } = self;
        match (variant, entry.variants) {
            (Some(variant), [_, _, ..]) => format!("{} {variant}", entry.name),
            (None, [first, _, ..]) => format!("{} {first}", entry.name),
            _ => entry.name.into(),
        }
    }

    /// The network, in a few words.
    pub(crate) fn network(&self) -> String {
        let links: Vec<String> =
            self.setup.graph.links().map(|(a, b)| format!("{}-{}", a.0, b.0)).collect();
        let n = self.setup.graph.n_nodes();
        let nodes = if n == 1 { "1 node".into() } else { format!("{n} nodes") };
        let links = if links.is_empty() { "no link".into() } else { links.join(" ") };
        let medium = match self.setup.medium {
            Medium::Links => "",
            Medium::Routed => ", routed",
            Medium::Mesh => ", mesh",
        };
        format!("{nodes}: {links}{medium}")
    }

    /// The environment, in a few words.
    pub(crate) fn environment(&self) -> String {
        let setup = &self.setup;
        let first = setup.requests.first().copied().unwrap_or(0);
        let requests = if setup.requests.iter().all(|&requests| requests == first) {
            format!("{first} each")
        } else {
            setup.requests.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
        };
        let mut words = vec![format!("requests {requests}")];
        let mut count = |number: u8, what: &str| {
            if number > 0 {
                let plural = if number == 1 { "" } else { "s" };
                words.push(format!("{number} {what}{plural}"));
            }
        };
        count(setup.link_changes, "link change");
        count(setup.timeouts, "early timer");
        count(setup.losses, "lost message");
        count(setup.duplications, "duplication");
        count(setup.crashes, "crashed node");
        count(setup.restarts, "restart");
        if self.tokens > 1 {
            words.push(format!("{} tokens", self.tokens));
        }
        if setup.resources > 1 {
            words.push(format!("{} resources", setup.resources));
        }
        match self.session {
            None => {}
            Some(Session::Off) => words.push("sessions of any length".into()),
            Some(Session::AtMost(session)) => words.push(format!("sessions of {session}")),
        }
        let local = setup.rules.locality.is_some();
        match setup.connectivity {
            Connectivity::Partitions if local => {}
            Connectivity::Physical => {}
            Connectivity::Known => words.push("connected by known links".into()),
            Connectivity::Partitions => words.push("partitions".into()),
        }
        if setup.rules.settled {
            words.push("settled links".into());
        } else if setup.rules.lossy && (!local || setup.link_changes > 0) {
            words.push("lossy links".into());
        }
        if setup.progress_despite_faults {
            words.push("progress despite faults".into());
        }
        if !setup.rules.undefined_stops {
            words.push("undefined steps skipped".into());
        }
        words.join(", ")
    }
}

/// What was typed for the protocol, unless it has no use for it.
fn choice<'a>(entry: &Entry, args: &'a CheckArgs, n: usize) -> Result<Choice<'a>> {
    let CheckArgs { variant, environment, .. } = args;
    let tokens = environment.tokens.unwrap_or(1);
    let (variant, session) = (variant.as_deref(), environment.session);
    let choice = Choice { variant, tokens, session, pace: None };
    let resources = environment.resources.unwrap_or(1);
    registry::check_sharing(entry, &choice, resources.into()).map_err(as_flag)?;
    if tokens as usize > n {
        bail!("--tokens: {tokens} tokens are more than there are nodes, which are {n}");
    }
    Ok(choice)
}

/// Whether nodes that stop are all that goes wrong. Who lives with a network that falls apart lives
/// with them, and promises progress where there is a token left.
fn only_crashes(environment: &EnvironmentArgs) -> bool {
    let EnvironmentArgs { losses, duplications, crashes, lossy_links, .. } = environment;
    let none = |number: &Option<u8>| number.is_none_or(|number| number == 0);
    !none(crashes) && none(losses) && none(duplications) && !lossy_links
}

/// Whether messages get lost or nodes stop, and that is all: who lives with faults promises
/// progress after them, but a mesh doubles nothing.
fn has_faults(environment: &EnvironmentArgs) -> bool {
    let EnvironmentArgs { losses, duplications, crashes, .. } = environment;
    let some = |number: &Option<u8>| number.is_some_and(|number| number > 0);
    (some(losses) || some(crashes)) && !some(duplications)
}

/// What is wrong with a value, under the name of its flag: it comes with its key in a scenario.
fn as_flag(error: anyhow::Error) -> anyhow::Error {
    anyhow!("--{error:#}")
}

/// Refuse what would be said of link changes if the protocol saw any.
fn refuse_link_changes(name: &str, environment: &EnvironmentArgs) -> Result<()> {
    let EnvironmentArgs { link_changes, connectivity, lossy_links, settled_links, .. } =
        environment;
    let flags = [
        ("--link-changes", link_changes.is_some_and(|number| number > 0)),
        ("--connectivity", connectivity.is_some()),
        ("--lossy-links", *lossy_links),
        ("--settled-links", *settled_links),
    ];
    match flags.iter().find(|(_, typed)| *typed) {
        Some((flag, _)) => bail!("{flag}: {name} does not see links change, so none do"),
        None => Ok(()),
    }
}

fn graph(args: &CheckArgs) -> Result<Graph> {
    if let Some(links) = &args.network.links {
        let n = links.0.iter().map(|&(a, b)| a.max(b) as usize + 1).max().unwrap_or(1);
        let is_linked = |node: &u32| links.0.iter().any(|&(a, b)| *node == a || *node == b);
        return match (0..n as u32).find(|node| !is_linked(node)) {
            Some(node) => bail!("--links: node {node} has no link, and nodes count from 0"),
            None => Ok(linked(n, &links.0)),
        };
    }
    let n = args.network.nodes.unwrap_or(3);
    Ok(shaped(args.network.topology.unwrap_or(TopologyArg::Ring), n as u32))
}

/// A network of a shape.
pub(crate) fn shaped(shape: TopologyArg, n: u32) -> Graph {
    let links: Vec<(u32, u32)> = match shape {
        TopologyArg::Line => (1..n).map(|k| (k - 1, k)).collect(),
        TopologyArg::Ring => (0..n).map(|k| (k, (k + 1) % n)).filter(|(a, b)| a != b).collect(),
        TopologyArg::Star => (1..n).map(|k| (0, k)).collect(),
        TopologyArg::Clique => (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect(),
    };
    linked(n as usize, &links)
}

/// A network with these links.
pub(crate) fn linked(n: usize, links: &[(u32, u32)]) -> Graph {
    let mut graph = Graph::new(n);
    for &(a, b) in links {
        graph.link(NodeId(a), NodeId(b));
    }
    graph
}
