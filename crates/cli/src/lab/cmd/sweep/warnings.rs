//! What is to be known about the traces of a sweep before anybody trusts its results.

use std::collections::{BTreeMap, BTreeSet};

use driftlock_sweep::Plan;

use crate::lab::cmd::trace;

/// Stands for those who need a network in one piece, as long as not all of them are known.
const WHO: &str = "{who}";

/// Each trace that is not in one piece all the time, though some need that; and which runs are not
/// in the same world though their trace is the same.
pub(super) fn of(plan: &Plan) -> Vec<String> {
    let can_run = plan.cells.iter().filter(|cell| cell.key.is_ok()).map(|cell| &cell.scenario);
    let mut about: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let mut worlds: BTreeMap<String, [BTreeSet<&str>; 2]> = BTreeMap::new();
    for scenario in can_run {
        for warning in trace::warnings(scenario, WHO) {
            about.entry(warning).or_default().insert(&scenario.protocol);
        }
        if let Some(trace) = &scenario.trace {
            let worlds = worlds.entry(trace.file.display().to_string()).or_default();
            worlds[usize::from(scenario.stays_together())].insert(&scenario.protocol);
        }
    }
    let warnings = about.into_iter().map(|(warning, who)| warning.replace(WHO, &need(&who)));
    warnings.chain(worlds.iter().filter_map(|(file, worlds)| two_worlds(file, worlds))).collect()
}

fn two_worlds(file: &str, [apart, together]: &[BTreeSet<&str>; 2]) -> Option<String> {
    (!apart.is_empty() && !together.is_empty()).then(|| {
        format!(
            "{file} is held together in runs of {}, and left as it is in runs of {}: these are not \
             to be compared (`trace.together = true` holds it together for all who let that be \
             done)",
            all_of(together),
            all_of(apart)
        )
    })
}

fn need(who: &BTreeSet<&str>) -> String {
    format!("{} {}", all_of(who), if who.len() == 1 { "needs" } else { "need" })
}

fn all_of(who: &BTreeSet<&str>) -> String {
    who.iter().copied().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_worlds_of_one_trace_are_told() {
        let who = |names: &[&'static str]| names.iter().copied().collect::<BTreeSet<&str>>();
        let told = two_worlds("a.gz", &[who(&["krl"]), who(&["raymond", "rl"])]).unwrap();
        assert!(
            told.starts_with("a.gz is held together in runs of raymond, rl, and left as it is")
        );
        assert_eq!(two_worlds("a.gz", &[who(&["krl"]), who(&[])]), None);
        assert_eq!(
            (need(&who(&["rl"])), need(&who(&["a", "b"]))),
            ("rl needs".into(), "a, b need".into())
        );
    }
}
