//! The worlds of the papers, as their own experiments have them, and some with trouble.

use driftlock_sim::{ConnectedBy, Measure, Scenario};

use super::{Case, trouble};
use crate::{akw2008, jiang, sbs2014, wcm2001, wwv2001};

/// The loads that all papers on one lock have in common.
pub(super) const LOADS: [f64; 4] = [1e-3, 1e-2, 1e-1, 1.0];

/// Worlds for one lock: those of Walter, Welch and Vaidya (2001), of Walter, Cao and Mohanty (2001)
/// with one token, of Jiang with one resource, of Attiya, Kogan and Welch (2008) where the network
/// is in one piece, and of Sharma, Bhatia and Singh (2014). No paper has trouble whose end could be
/// measured: such worlds are at the end.
pub fn global() -> Vec<Case> {
    let mut cases = Vec::new();
    for connectivity in [20, 80] {
        wwv2001(connectivity, &mut cases);
    }
    for connectivity in wcm2001::grid::TWO {
        wcm2001(connectivity, &mut cases);
    }
    jiang(&mut cases);
    akw2008(&mut cases);
    sbs2014(&mut cases);
    cases.extend(trouble::cases());
    cases
}

/// In the steady state, with links that stay, that change as the text has it, and that change much
/// more often.
fn wwv2001(connectivity: u32, cases: &mut Vec<Case>) {
    use wwv2001::grid::{Algorithm, Effort, Mobility, Model, Point, RATES, Rule};
    let effort = Effort { steady_entries: 1_000, steps: 2e5, ..Effort::DEFAULT };
    let set = Set {
        title: format!("WWV 2001: {connectivity} % of all links"),
        stem: format!("wwv2001-{connectivity}"),
    };
    for (mobility, model, name) in [
        (Mobility::Zero, Model::Literal, "no changes"),
        (Mobility::High, Model::Literal, "high mobility (literal)"),
        (Mobility::High, Model::Toggle, "high mobility (toggle)"),
    ] {
        for rate_index in places(&RATES, &LOADS) {
            let (algorithm, reading) = (Algorithm::Rl, (Rule::Steady, model));
            let point = Point { algorithm, reading, mobility, connectivity, rate_index };
            cases.push(set.case(name, effort.scenario(point, 0)));
        }
    }
}

/// From a cold start.
fn wcm2001(connectivity: u32, cases: &mut Vec<Case>) {
    use wcm2001::grid::{Algorithm, Effort, Mobility, Point, RATES};
    let effort = Effort { entries: 1_000, ..Effort::DEFAULT };
    let set = Set {
        title: format!("WCM 2001: {connectivity} % of all links"),
        stem: format!("wcm2001-{connectivity}"),
    };
    for mobility in Mobility::ALL {
        for rate_index in places(&RATES, &LOADS) {
            let point = Point { algorithm: Algorithm::Krl, mobility, connectivity, rate_index };
            cases.push(set.case(mobility.name(), effort.scenario(point, 0)));
        }
    }
}

/// Where critical sections are long.
fn jiang(cases: &mut Vec<Case>) {
    use jiang::grid::{CHANGES, Effort, LENGTHS, Point, RATES, Who};
    let effort = Effort { entries: 1_000, ..Effort::DEFAULT };
    let [_, long] = LENGTHS;
    let title = format!("Jiang: critical sections of {long}");
    let set = Set { title, stem: "jiang".into() };
    for (changes, name) in [(0, "no changes"), (CHANGES.len() - 1, "a change in each unit")] {
        for k in places(&RATES, &LOADS) {
            let point = Point::usual(Who::Rl, long).at_load(k).moving(changes);
            cases.push(set.case(name, effort.scenario(point, 0)));
        }
    }
}

/// With nodes that stand still, and with nodes that move, alone and in groups, and leave the
/// network in one piece on whatever medium a protocol has.
fn sbs2014(cases: &mut Vec<Case>) {
    use sbs2014::grid::{Effort, LOADS, Mobility, NODES, Point, Who};
    let effort = Effort { seconds: 60.0, ..Effort::DEFAULT };
    let set = Set { title: format!("SBS 2014: {NODES} nodes"), stem: "sbs2014".into() };
    for mobility in [Mobility::Still, Mobility::Usual, Mobility::Groups] {
        for load in places(&LOADS, &[0.01, 0.1, 1.0, 10.0]) {
            let point = Point::usual(Who::Cluster, load).moving(mobility);
            let mut case = set.case(mobility.name(), effort.scenario(point, 0));
            case.scenario.motion.iter_mut().for_each(|motion| motion.together = true);
            cases.push(case);
        }
    }
}

/// Those of the local protocols for one lock that all nodes share: the network has to be connected
/// then, and stays in one piece where nodes move. All wait for each other, so fewer entries are
/// measured.
fn akw2008(cases: &mut Vec<Case>) {
    use akw2008::grid::NODES;
    let title = format!("AKW 2008: {NODES} nodes, one lock");
    for mut case in of_akw2008(&Set { title, stem: "akw2008-one-lock".into() }) {
        case.scenario.link_changes.connected_by = ConnectedBy::Physical;
        case.scenario.motion.iter_mut().for_each(|motion| motion.together = true);
        case.scenario.measure = Some(Measure { warmup: 100, entries: Some(500), until: None });
        cases.push(case);
    }
}

/// Worlds for local protocols: those of the experiments with Attiya, Kogan and Welch (2008).
pub fn local() -> Vec<Case> {
    use akw2008::grid::NODES;
    of_akw2008(&Set { title: format!("AKW 2008: {NODES} nodes"), stem: "akw2008".into() })
}

fn of_akw2008(set: &Set) -> Vec<Case> {
    use akw2008::grid::{Algorithm, DEGREE, Effort, Kind, Load, NODES, Point, RATES};
    let loads = [0.01, 0.1, 1.0, 100.0];
    let mut cases = Vec::new();
    for kind in [Kind::Grid, Kind::Geometric(DEGREE), Kind::Moving(DEGREE)] {
        for k in places(&RATES, &loads) {
            let (algorithm, load) = (Algorithm::Two, Load::Rate(k));
            let point = Point { algorithm, kind, nodes: NODES, load };
            cases.push(set.case(kind.name(), Effort::DEFAULT.scenario(point, 0)));
        }
    }
    cases
}

/// The cases of one figure.
pub(super) struct Set {
    pub(super) title: String,
    pub(super) stem: String,
}

impl Set {
    pub(super) fn case(&self, name: &str, scenario: Scenario) -> Case {
        let Set { title, stem } = self;
        Case {
            title: title.clone(),
            stem: stem.clone(),
            panel: name.into(),
            value: scenario.requests.rate.to_string(),
            scenario: anybody(scenario),
        }
    }
}

/// A scenario without what its protocol decides.
fn anybody(scenario: Scenario) -> Scenario {
    Scenario {
        protocol: String::new(),
        variant: None,
        tokens: None,
        resources: None,
        session: None,
        medium: None,
        ..scenario
    }
}

/// The places of some values in a list.
fn places(list: &[f64], values: &[f64]) -> Vec<usize> {
    (0..list.len()).filter(|&k| values.contains(&list[k])).collect()
}
