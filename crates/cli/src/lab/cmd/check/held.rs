//! What is proved if nothing is found.

use driftlock_check::{Connectivity, Setup};
use driftlock_spec::Promise;

use super::Plan;

/// The promises that held: a line with those that were always judged, and one for each condition
/// under which others were. What was not judged at all is not claimed. If some states were `cut`
/// off, that is said as well.
pub(super) fn text(plan: &Plan, cut: bool) -> String {
    let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
    // Where states were cut off, someone may get in behind them.
    let told = |(promise, _): &(Promise, String)| !cut || *promise != Promise::Possible;
    for (promise, condition) in judged(plan).into_iter().filter(told) {
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

/// What is judged in a plan, and when. The checker judges no tokens after messages got lost or
/// doubled, and no progress after a fault, unless it is told to.
fn judged(plan: &Plan) -> Vec<(Promise, String)> {
    let Plan { entry, setup, .. } = plan;
    let Setup { losses, duplications, crashes, link_changes, restarts, .. } = *setup;
    let local = setup.rules.locality;
    let harm = crashes > 0 && local.is_none();
    let faults = losses > 0 || duplications > 0 || harm;
    let lossy = setup.rules.lossy && link_changes > 0 && local.is_none();
    let falls_apart = setup.connectivity == Connectivity::Partitions && local.is_none();
    let apart = falls_apart && (link_changes > 0 || crashes > 0 || restarts > 0);
    let whole = restarts > 0 && !falls_apart && local.is_none();
    let unharmed = ", before anything is lost, doubled or stopped";
    let only = |may: bool, condition: &str| if may { condition.to_owned() } else { String::new() };
    let even = only(faults || lossy, unharmed);
    let progress = only(faults && !setup.progress_despite_faults, unharmed)
        + &only(whole, ", while the network is in one piece");
    let far = match local.filter(|_| crashes > 0) {
        None => String::new(),
        Some(u32::MAX) => ", for whoever has no node in their part that stopped".into(),
        Some(most) => format!(", for whoever is more than {most} links away from one that stopped"),
    };
    let most =
        only(setup.rules.quorum && crashes > 0, ", for whoever has most nodes in their part");
    let token = only(apart && most.is_empty(), ", for whoever has a token in their part");
    let owed = progress.clone() + &token + &most + &far;
    let fenced = only(setup.rules.fenced, ", among those of one epoch");
    let at_rest = progress.clone() + ", once nothing happens any more";
    let always = String::new();
    let epochs = setup.duplications == 0 && entry.machine.has_epochs(plan.variant.as_deref());
    let promises = [
        (Promise::Exclusion, fenced, true),
        (Promise::EntryOnRequest, always.clone(), true),
        (Promise::Tokens, even.clone(), entry.counted),
        (Promise::Epochs, always.clone(), epochs),
        (Promise::Forks, even.clone(), entry.machine.has_forks()),
        (Promise::Colors, always.clone(), entry.machine.has_colors()),
        (Promise::Weights, even, entry.groups),
        (Promise::DefinedStep, always.clone(), setup.rules.undefined_stops),
        (Promise::NoStarvation, owed, true),
        (Promise::ConcurrentEntering, progress.clone(), entry.groups),
        // Who forwards tokens for ever never promised to be silent.
        (Promise::Silence, progress, setup.rules.silent),
        (Promise::Reachability, at_rest, apart),
        (Promise::Possible, always, true),
    ];
    promises
        .into_iter()
        .filter(|(.., judged)| *judged)
        .map(|(promise, condition, _)| (promise, condition))
        .collect()
}

#[cfg(test)]
mod tests {
    use driftlock_core::{Graph, Medium, NodeId};
    use driftlock_spec::Rules;

    use super::*;
    use crate::lab::registry::{Choice, find};

    fn pair() -> Setup {
        let mut graph = Graph::new(2);
        graph.link(NodeId(0), NodeId(1));
        Setup { link_changes: 1, ..Setup::new(graph) }
    }

    fn told(name: &str, setup: Setup) -> String {
        let entry = find(name).unwrap();
        text(&Plan { entry, variant: None, tokens: 1, session: None, setup }, false)
    }

    #[test]
    fn without_faults_everything_is_judged_always() {
        let all = "held: mutual exclusion, entry only on request, token conservation, every step \
                   is defined, no starvation, silence when nothing is wanted, everyone can get \
                   in\n";
        assert_eq!(told("rl", pair()), all);
        let entry = find("rl").unwrap();
        let plan = Plan { entry, variant: None, tokens: 1, session: None, setup: pair() };
        let bounded = text(&plan, true);
        assert!(bounded.starts_with("held up to there: mutual exclusion, "));
        assert!(!bounded.contains("everyone can get in"));
    }

    #[test]
    fn what_is_not_judged_is_not_claimed() {
        let rules = Rules { undefined_stops: false, ..Rules::default() };
        assert!(!told("rl", Setup { rules, ..pair() }).contains("defined"));
        let rules = Rules { silent: false, ..Rules::default() };
        assert!(!told("krlf", Setup { rules, ..pair() }).contains("silence"));
        let lost = told("rl", Setup { losses: 1, ..pair() });
        let unharmed = "held, before anything is lost, doubled or stopped: token conservation";
        assert!(lost.contains(&format!("{unharmed}, no starvation, silence")), "{lost}");
        let setup = Setup { crashes: 1, progress_despite_faults: true, ..pair() };
        assert!(told("rl", setup).contains(&format!("{unharmed}\n")));
        let lossy = Setup { rules: Rules { lossy: true, ..Rules::default() }, ..pair() };
        assert!(told("rl", lossy).contains(&format!("{unharmed}\n")));
    }

    #[test]
    fn what_a_protocol_promises_besides_is_claimed() {
        let group = told("gme", pair());
        let weights = "token conservation, weight conservation, every step is defined";
        let together = "no starvation, concurrent entering, silence when nothing is wanted";
        assert!(group.contains(&format!("{weights}, {together}, everyone can get in")), "{group}");
        let permission = told("raymond-k", Setup { link_changes: 0, ..pair() });
        assert!(!permission.contains("token"), "{permission}");
    }

    /// Behind a fence those of other epochs are no matter, and most of all nodes go on.
    #[test]
    fn on_a_mesh_with_faults_epochs_and_most_nodes_are_judged() {
        let entry = find("cluster").unwrap();
        let choice = Choice { variant: None, tokens: 1, session: None, pace: None };
        let rules = entry.rules(&choice);
        let setup = Setup { medium: Medium::Mesh, rules, crashes: 1, link_changes: 0, ..pair() };
        let parts = told("cluster", Setup { progress_despite_faults: true, ..setup });
        assert!(parts.contains("held, among those of one epoch: mutual exclusion\n"), "{parts}");
        let most = "held, for whoever has most nodes in their part: no starvation\n";
        assert!(parts.contains(most), "{parts}");
    }

    /// What has no epochs is judged without them, and that is what is claimed.
    #[test]
    fn without_epochs_none_are_told_of() {
        let entry = find("cluster").unwrap();
        let choice = |variant| Choice { variant, tokens: 1, session: None, pace: None };
        for variant in ["published", "patient"] {
            let rules = entry.rules(&choice(Some(variant)));
            let setup = Setup { medium: Medium::Mesh, rules, link_changes: 0, ..pair() };
            let parts = told("cluster", setup);
            assert!(parts.starts_with("held: mutual exclusion, entry only"), "{parts}");
        }
    }

    /// Who waits where there is no token is owed nothing but to know it.
    #[test]
    fn where_the_network_falls_apart_parts_are_judged() {
        let apart = Setup { connectivity: Connectivity::Partitions, ..pair() };
        let parts = told("krl", apart.clone());
        for line in [
            "is defined, silence when nothing is wanted, everyone can get in\n",
            "\nheld, for whoever has a token in their part: no starvation\n",
            "\nheld, once nothing happens any more: a token out of reach is reported\n",
        ] {
            assert!(parts.contains(line), "no `{line}` in {parts}");
        }
        let whole = told("krl", Setup { link_changes: 0, ..apart });
        assert!(!whole.contains("part") && !whole.contains("reach"), "{whole}");
    }
}
