//! RL over all small networks.
use driftlock_check::Setup;
use driftlock_protocols::Variant;
use driftlock_protocols::rl::{Config, Rl};
use driftlock_spec::Rules;

use crate::networks::{connected, explored};

#[test]
fn probe() {
    for n in [2, 3, 4] {
        for graph in connected(n) {
            for link_changes in 0..=(if n == 4 { 1 } else { 3 }) {
                for (variant, stops) in [(Variant::Repaired, true), (Variant::Published, true), (Variant::Published, false)] {
                    let links: Vec<_> = graph.links().map(|(a, b)| format!("{}{}", a.0, b.0)).collect();
                    let rules = Rules { undefined_stops: stops, ..Rules::default() };
                    let setup = Setup { link_changes, spread: Some(8), rules, ..Setup::new(graph.clone()) };
                    let t = std::time::Instant::now();
                    let r = explored::<Rl>(&setup, &Config::from(variant));
                    println!("{n} {links:?} {link_changes} {variant:?} {stops} states {} cut {} {:?} {:?} len {:?} {:.1}s", r.explored.states, r.cut, r.end,
                        r.counterexample.as_ref().map(|c| c.violation.what.clone()), r.counterexample.as_ref().map(|c| (c.schedule.len(), c.cycle)), t.elapsed().as_secs_f64());
                }
            }
        }
    }
}
