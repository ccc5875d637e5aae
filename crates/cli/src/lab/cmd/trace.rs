//! What is said of a world from a file.

use driftlock_lab::stats::Estimate;
use driftlock_sim::traced::Plan;
use driftlock_sim::{Scenario, Traced};

/// What is to be known about the world of one run.
pub(crate) fn of_run(scenario: &Scenario) -> Vec<String> {
    warnings(scenario, &format!("{} needs", scenario.protocol))
}

/// What is to be known about a trace that is held together; `who` says who needs that.
pub(super) fn warnings(scenario: &Scenario, who: &str) -> Vec<String> {
    let (Some(trace), Ok(Some(plan))) = (&scenario.trace, scenario.plan()) else {
        return Vec::new();
    };
    if !scenario.stays_together() {
        return Vec::new();
    }
    let radio = trace.radio.as_ref().map(|radio| format!(" ({radio})"));
    let radio = radio.or(trace.range.map(|range| format!(" (range {range} m)")));
    let file = trace.file.display().to_string() + &radio.unwrap_or_default();
    let mut warnings = held_up(&plan, who, &file);
    if !plan.left_out.is_empty() {
        const SHOWN: usize = 10;
        let names: Vec<&str> = plan.left_out.iter().take(SHOWN).map(|name| &**name).collect();
        let more = plan.left_out.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        warnings.push(format!(
            "no link of {file} ever joins these nodes to most of the others, so they are left out: \
             {}{more}",
            names.join(", ")
        ));
    }
    warnings
}

/// Why links are held up: because nodes that are there form several parts, or because some are not
/// there.
fn held_up(plan: &Plan, who: &str, file: &str) -> Vec<String> {
    let (apart, absent) = (1.0 - plan.share_connected, plan.share_absent);
    let mut warnings = Vec::new();
    if apart > 0.0 {
        warnings.push(format!(
            "{who} a network in one piece, and {file} is in parts for {} % of its time: links that \
             hold it together are held up",
            short(100.0 * apart)
        ));
    }
    if absent > 0.0 {
        warnings.push(format!(
            "{who} a network in one piece, and nodes of {file} are absent for {} % of the time: \
             they pass messages on all the same, by links that are held up",
            short(100.0 * absent)
        ));
    }
    if let (Some(first), n @ 1..) = (warnings.first_mut(), plan.n_joining()) {
        *first += &format!(", {n} of them from the start");
    }
    warnings
}

/// A trace and how many nodes it has, for a headline.
pub(super) fn in_short(trace: &Traced, n_nodes: usize) -> String {
    let together = if trace.together { " together" } else { "" };
    format!("trace={} n={n_nodes}{together}", trace.file.display())
}

/// A number with four digits.
fn short(number: f64) -> String {
    Estimate::of(&[number]).map_or_else(|| number.to_string(), |estimate| estimate.to_string())
}
