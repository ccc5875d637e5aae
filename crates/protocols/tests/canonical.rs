//! What is said to go unnoticed does: a network whose numbers are shifted, or whose processes
//! forget, takes the same steps.

use driftlock_core::{
    Canonical, Graph, Initial, Input, Level, NoTimer, NodeId, Out, Protocol, Status, Tokens,
};
use driftlock_protocols::Variant;
use driftlock_protocols::rl::{Config, Msg, Rl};

use crate::schedules::{Bounds, Schedule};

/// How much each kind of number is shifted: enough to tell them all apart.
fn shift(process: &mut Rl) {
    process.levels(&mut |level, number| {
        *number += match level {
            Level::Shared(kind) => 1000 + 100 * i64::from(kind),
            Level::Of(node) | Level::Below(node) => 10 + i64::from(node.0),
            Level::Sender | Level::Receiver => unreachable!("a process is neither"),
        };
    });
}

/// RL, shifted before it begins, and forgetful.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Other(Rl);

impl Protocol for Other {
    type Msg = Msg;
    type Timer = NoTimer;

    fn step(&mut self, input: Input<Msg>, out: &mut Out<Msg>) {
        self.0.step(input, out);
        self.0.forget();
    }

    fn status(&self) -> Status {
        self.0.status()
    }
}

impl Initial for Other {
    type Config = Config;

    fn initial(graph: &Graph, config: &Config) -> Vec<Self> {
        let mut processes = Rl::initial(graph, config);
        processes.iter_mut().for_each(shift);
        processes.into_iter().map(Other).collect()
    }
}

impl Tokens for Other {
    fn held(&self) -> u32 {
        self.0.held()
    }

    fn carried(msg: &Msg) -> u32 {
        Rl::carried(msg)
    }
}

#[test]
fn a_shift_and_forgetting_go_unnoticed() {
    for variant in [Variant::Published, Variant::Repaired] {
        let config = Config::from(variant);
        for seed in 0..600 {
            let bounds = Bounds { requests: 8, changes: 8 };
            let mut plain: Schedule<Rl> = Schedule::new(4, seed, &config);
            let mut other: Schedule<Other> = Schedule::new(4, seed, &config);
            assert_eq!(plain.run(bounds, &|_| {}), other.run(bounds, &|_| {}), "seed {seed}");
            let lines = |story: &str| story.lines().count();
            assert_eq!(lines(&plain.stage.story), lines(&other.stage.story));
            for (process, other) in plain.stage.processes.iter_mut().zip(&other.stage.processes) {
                shift(process);
                process.forget();
                assert_eq!(*process, other.0, "seed {seed}");
            }
        }
    }
}

/// Whoever has no numbers of that kind has none to show.
#[test]
fn all_heights_are_shown() {
    let mut line = Graph::new(2);
    line.link(NodeId(0), NodeId(1));
    let mut shown = 0;
    Rl::initial(&line, &Config::default())[0].levels(&mut |_, _| shown += 1);
    assert_eq!(shown, 7, "h1 and h2 of both nodes, and three numbers of raises");
}
