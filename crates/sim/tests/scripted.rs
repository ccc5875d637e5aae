//! What may happen in a script, and time-outs for a scenario.

use driftlock_core::Ticks;
use driftlock_protocols::cluster::Config;
use driftlock_sim::{Moment, Scenario, Scripted, ticks};

pub(crate) fn ask(at: f64, node: u32) -> Scripted {
    Scripted { at, request: Some(node), ..Scripted::default() }
}

pub(crate) fn lose(at: f64, kind: &str) -> Scripted {
    Scripted { at, lose: Some(kind.into()), ..Scripted::default() }
}

pub(crate) fn crash(at: f64, node: u32, once: Option<Moment>) -> Scripted {
    Scripted { at, crash: Some(node), once, ..Scripted::default() }
}

pub(crate) fn up(at: f64, a: u32, b: u32) -> Scripted {
    Scripted { at, up: Some([a, b]), ..Scripted::default() }
}

pub(crate) fn down(at: f64, a: u32, b: u32) -> Scripted {
    Scripted { at, down: Some([a, b]), ..Scripted::default() }
}

/// Time-outs that are never too short: a message passes all nodes at most, and in a round each of
/// them is inside once.
pub(crate) fn timely(scenario: &Scenario) -> Config {
    let (nodes, hop) = (scenario.n_nodes() as f64, scenario.delay.longest());
    let round = nodes * (scenario.critical_section.longest() + 2.0 * hop);
    Config::for_delays(Ticks(ticks(nodes * hop)), Ticks(ticks(round)))
}
