//! Nodes that are killed and wake up as they were written down, at any moment.

use driftlock_check::{Checked, Connectivity, Setup};
use driftlock_protocols::Variant;
use driftlock_protocols::gme::{self, Gme};
use driftlock_protocols::krl::{self, Forwarding, Krl};
use driftlock_protocols::lme2::{self, Lme2};
use driftlock_spec::Rules;
use driftlock_spec::exclusion::Exclusion;

use crate::networks::explored;
use crate::settled::{cold, warm, LINE, TRIANGLE};

const PAIR: &[(u32, u32)] = &[(0, 1)];

fn show<P: Checked>(name: &str, setup: Setup, config: &P::Config) {
    let t = std::time::Instant::now();
    let report = explored::<P>(&setup, config);
    println!("{name}: {:?} {} states {} edges {} cut {:?}", report.end, report.explored.states, report.explored.edges, report.cut, t.elapsed());
    if let Some(found) = report.counterexample {
        println!("  {} {:?}", found.violation.what, found.cycle);
        let e = driftlock_replay::enact::<P>(&setup.setting(""), config, &found.schedule, found.calm, None).unwrap();
        for (k, a) in found.schedule.iter().enumerate() {
            println!("  {k} {a:?}");
            for st in e.steps.iter().filter(|s| s.action == k) {
                println!("       {} {:?}", st.node, st.input);
                for o in &st.outputs { println!("           {o:?}"); }
            }
        }
    }
}

fn krl(name: &str, tokens: u32, forwarding: Forwarding, setup: Setup) {
    let rules = Rules { exclusion: Exclusion::AtMost(tokens), ..setup.rules };
    let setup = Setup { rules, connectivity: Connectivity::Partitions, ..setup };
    let config = krl::Config::new(Variant::Repaired, tokens, forwarding);
    show::<Krl>(&format!("{name} {tokens} {forwarding:?}"), setup, &config);
}

#[test]
fn experiment() {
    let which = std::env::var("W").unwrap_or_default();
    let r = |setup: Setup, restarts| Setup { restarts, ..setup };
    let setups = [
        ("pair1", r(warm(PAIR, 0), 1)),
        ("pair2", r(warm(PAIR, 0), 2)),
        ("pair2cold", r(cold(PAIR, 0), 2)),
        ("pair2twice", r(Setup { requests: vec![2, 2], ..warm(PAIR, 0) }, 2)),
        ("pair2change", r(warm(PAIR, 2), 2)),
        ("line1", r(warm(LINE, 0), 1)),
        ("tri1", r(warm(TRIANGLE, 0), 1)),
        ("line1cold", r(cold(LINE, 0), 1)),
        ("tri1cold", r(cold(TRIANGLE, 0), 1)),
        ("line1change", r(warm(LINE, 1), 1)),
    ];
    for (name, setup) in setups {
        if !which.is_empty() && !which.split(',').any(|w| name == w) { continue; }
        let p = std::env::var("P").unwrap_or("krl".into());
        match &p[..] {
            "krl" => {
                krl(name, 1, Forwarding::Never, setup.clone());
            }
            "krl2" => {
                krl(name, 2, Forwarding::Never, setup.clone());
            }
            "krla" => {
                krl(name, 2, Forwarding::Adaptive, setup.clone());
            }
            "gme" => {
                let rules = Rules { exclusion: Exclusion::SameGroup, ..setup.rules };
                let setup = Setup { rules, resources: 2, spread: Some(4), ..setup };
                let config = gme::Config { session: Some(1), units: 2, ..gme::Config::default() };
                show::<Gme>(&format!("gme {name}"), setup, &config);
            }
            _ => {
                let rules = Rules { settled: true, ..Rules::local(2) };
                let setup = Setup { rules, connectivity: Connectivity::Partitions, ..setup };
                show::<Lme2>(&format!("lme2 {name}"), setup, &lme2::Config::default());
            }
        }
    }
}
