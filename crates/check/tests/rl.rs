//! RL over all small networks.
use driftlock_check::Setup;
use driftlock_protocols::Variant;
use driftlock_protocols::rl::{Config, Rl};

use crate::networks::{explored, graph};

#[test]
fn probe() {
    let req: Vec<u8> = std::env::var("REQ")
        .map_or(vec![1; 4], |s| s.split(',').map(|x| x.parse().unwrap()).collect());
    let spread: u32 = std::env::var("SPREAD").map_or(8, |s| s.parse().unwrap());
    let changes: u8 = std::env::var("CH").map_or(1, |s| s.parse().unwrap());
    let links: Vec<(u32, u32)> = std::env::var("LINKS")
        .unwrap_or("0-1,0-2,0-3,1-2,1-3,2-3".into())
        .split(',')
        .map(|e| {
            let (a, b) = e.split_once('-').unwrap();
            (a.parse().unwrap(), b.parse().unwrap())
        })
        .collect();
    let setup = Setup {
        link_changes: changes,
        requests: req.clone(),
        spread: Some(spread),
        ..Setup::new(graph(req.len(), &links))
    };
    let r = explored::<Rl>(&setup, &Config::from(Variant::Repaired));
    println!("{:?} cut {} {:?}", r.explored, r.cut, r.end);
    if let Some(c) = r.counterexample {
        println!("{} cycle {:?}", c.violation, c.cycle);
        let e = driftlock_replay::enact::<Rl>(
            &setup.setting("rl"),
            &Config::default(),
            &c.schedule,
            c.calm,
            None,
        )
        .unwrap();
        for s in e.steps {
            print!(
                "{}{}",
                if Some(s.action) == c.cycle { "---\n" } else { "" },
                driftlock_journal::text::step(&s.action.to_string(), s.node, &s.input, &s.outputs)
            );
        }
        for p in e.processes {
            println!("{p:?}");
        }
    }
}
