//! What is proved if nothing is found.

use driftlock_check::{Connectivity, Setup};
use driftlock_spec::Promise;

/// The promises that held: a line with those that were always judged, and one for each condition
/// under which others were. What was not judged at all is not claimed. If some states were `cut`
/// off, that is said as well.
pub(super) fn text(setup: &Setup, cut: bool) -> String {
    let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
    // Where states were cut off, someone may get in behind them.
    let told = |(promise, _): &(Promise, String)| !cut || *promise != Promise::Possible;
    for (promise, condition) in judged(setup).into_iter().filter(told) {
        match lines.iter_mut().find(|(other, _)| *other == condition) {
            Some((_, promises)) => promises.push(promise.name()),
            None => lines.push((condition, vec![promise.name()])),
        }
    }
    let bound = if cut { " up to there" } else { "" };
    let line = |(condition, promises): &(String, Vec<&str>)| {
        format!("held{bound}{condition}: {}\n", promises.join(", "))
    };
    lines.iter().map(line).collect()
}

/// What is judged in a setup, and when. The checker judges no tokens after messages got lost or
/// doubled, and no progress after a fault or in a network that fell apart.
fn judged(setup: &Setup) -> Vec<(Promise, String)> {
    let Setup { losses, duplications, crashes, link_changes, .. } = *setup;
    let faults = losses > 0 || duplications > 0 || crashes > 0;
    let lossy = setup.rules.lossy && link_changes > 0;
    let partitions = setup.connectivity == Connectivity::Partitions && link_changes > 0;
    let unharmed = ", before anything is lost, doubled or stopped";
    let unless =
        |may: bool, condition: &str| if may { condition.to_owned() } else { String::new() };
    let tokens = unless(faults || lossy, unharmed);
    let progress = unless(faults && !setup.progress_despite_faults, unharmed)
        + &unless(partitions, ", while the network is in one piece");
    let mut judged = vec![
        (Promise::Exclusion, String::new()),
        (Promise::EntryOnRequest, String::new()),
        (Promise::Tokens, tokens),
    ];
    if setup.rules.undefined_stops {
        judged.push((Promise::DefinedStep, String::new()));
    }
    judged.extend([
        (Promise::NoStarvation, progress.clone()),
        (Promise::Silence, progress),
        (Promise::Possible, String::new()),
    ]);
    // Who forwards tokens for ever never promised to be silent.
    judged.retain(|(promise, _)| setup.rules.silent || *promise != Promise::Silence);
    judged
}

#[cfg(test)]
mod tests {
    use driftlock_core::{Graph, NodeId};
    use driftlock_spec::Rules;

    use super::*;

    fn pair() -> Setup {
        let mut graph = Graph::new(2);
        graph.link(NodeId(0), NodeId(1));
        Setup { link_changes: 1, ..Setup::new(graph) }
    }

    #[test]
    fn without_faults_everything_is_judged_always() {
        let all = "held: mutual exclusion, entry only on request, token conservation, every step \
                   is defined, no starvation, silence when nothing is wanted, everyone can get \
                   in\n";
        assert_eq!(text(&pair(), false), all);
        let bounded = text(&pair(), true);
        assert!(bounded.starts_with("held up to there: mutual exclusion, "));
        assert!(!bounded.contains("everyone can get in"));
    }

    #[test]
    fn what_is_not_judged_is_not_claimed() {
        let rules = Rules { undefined_stops: false, ..Rules::default() };
        assert!(!text(&Setup { rules, ..pair() }, false).contains("defined"));
        let rules = Rules { silent: false, ..Rules::default() };
        assert!(!text(&Setup { rules, ..pair() }, false).contains("silence"));
        let lost = text(&Setup { losses: 1, ..pair() }, false);
        let unharmed = "held, before anything is lost, doubled or stopped: token conservation";
        assert!(lost.contains(&format!("{unharmed}, no starvation, silence")), "{lost}");
        let setup = Setup { crashes: 1, progress_despite_faults: true, ..pair() };
        assert!(text(&setup, false).contains(&format!("{unharmed}\n")));
        let lossy = Setup { rules: Rules { lossy: true, ..Rules::default() }, ..pair() };
        assert!(text(&lossy, false).contains(&format!("{unharmed}\n")));
        let apart = text(&Setup { connectivity: Connectivity::Partitions, ..pair() }, false);
        assert!(apart.contains("held, while the network is in one piece: no starvation"));
    }
}
