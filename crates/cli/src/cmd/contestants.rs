//! Those who compete in `driftlock reproduce lme`, by the names that its scenarios have.
//!
//! They run without a bound on who may starve when a node stops, so that it is measured how far
//! that goes.

use std::ops::ControlFlow;

use anyhow::{Context, Result};
use driftlock_protocols::Variant;
use driftlock_protocols::chandy_misra::ChandyMisra;
use driftlock_protocols::lme1::{self, Coloring, Lme1};
use driftlock_protocols::lme2::{self, Lme2};
use driftlock_sim::{Run, Scenario, Simulated, World};
use driftlock_spec::Rules;

type Watch<'w> = &'w mut dyn FnMut(u64) -> ControlFlow<()>;

/// Run a scenario, if its protocol is one of them.
pub(super) fn run(scenario: &Scenario, watch: Watch<'_>) -> Option<Result<Run>> {
    let doors = |coloring| lme1::Config { variant: Variant::Repaired, coloring };
    let two = |notifies| lme2::Config { variant: Variant::Repaired, notifies };
    Some(match scenario.protocol.as_str() {
        "choy-singh" => world::<Lme1>(scenario, &doors(Coloring::Given), watch),
        "lme1a" => world::<Lme1>(scenario, &doors(Coloring::Greedy), watch),
        "lme1b" => {
            linial(scenario).and_then(|coloring| world::<Lme1>(scenario, &doors(coloring), watch))
        }
        "lme2" => world::<Lme2>(scenario, &two(true), watch),
        "lme2-quiet" => world::<Lme2>(scenario, &two(false), watch),
        "chandy-misra" => world::<ChandyMisra>(scenario, &(), watch),
        _ => return None,
    })
}

/// Linial's coloring for the number of nodes and the largest degree there is. Where nodes move they
/// may have twice as many neighbors as at first.
fn linial(scenario: &Scenario) -> Result<Coloring> {
    let (graph, _) = scenario.network.layout(scenario.seed).context("network")?;
    let degree = graph.nodes().map(|node| graph.neighbors(node).len()).max().unwrap_or(0) as u32;
    let degree = if scenario.motion.is_some() { 2 * degree } else { degree };
    Ok(Coloring::Linial { n: graph.n_nodes() as u32, degree: degree.max(1) })
}

fn world<P: Simulated>(scenario: &Scenario, config: &P::Config, watch: Watch<'_>) -> Result<Run> {
    let world = World::<P>::under(scenario, config, Rules::local(u32::MAX))?;
    Ok(world.run_watched(watch))
}
