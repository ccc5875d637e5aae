//! Weights that both ends of a link write off when it goes down.

use driftlock_check::{Connectivity, Setup};
use driftlock_core::{
    Canonical, Graph, Initial, Input, Inspect, NoTimer, NodeId, Out, Protocol, ResourceId, Status,
    Tokens,
};
use driftlock_replay::{Action, enact};
use driftlock_spec::Promise;

use crate::networks::{explored, graph};

/// Node 0 hands out a weight to 1 whenever it asks, and lets itself in.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Credit {
    status: Status,
    linked: bool,
    weight: i64,
    /// Whether it writes off what is on the other side of a link that is gone.
    writes_off: bool,
}

impl Protocol for Credit {
    type Msg = u8;
    type Timer = NoTimer;

    fn step(&mut self, input: Input<u8, NoTimer>, out: &mut Out<u8, NoTimer>) {
        match input {
            Input::RequestCs(_) => {
                self.status = Status::Critical;
                out.enter_cs();
                if self.linked {
                    self.weight -= 1;
                    out.send(NodeId(1), 1);
                }
            }
            Input::ReleaseCs => self.status = Status::Remainder,
            Input::Recv { msg, .. } => self.weight += i64::from(msg),
            Input::LinkDown { .. } => {
                self.linked = false;
                self.weight = if self.writes_off { 0 } else { self.weight };
            }
            Input::LinkUp { .. } | Input::Timer(_) | Input::Returned { .. } => {}
        }
    }

    fn status(&self) -> Status {
        self.status
    }
}

impl Initial for Credit {
    /// Which nodes write off.
    type Config = [bool; 2];

    fn initial(graph: &Graph, writes_off: &[bool; 2]) -> Vec<Self> {
        let node = |i: NodeId| Credit {
            status: Status::Remainder,
            linked: true,
            weight: 0,
            writes_off: writes_off[i.index()],
        };
        graph.nodes().map(node).collect()
    }
}

impl Inspect for Credit {
    const KINDS: &'static [&'static str] = &["Weight"];

    fn kind(_: &u8) -> usize {
        0
    }

    fn knows(&self, _: NodeId) -> bool {
        true
    }
}

impl Tokens for Credit {
    fn held(&self) -> u32 {
        0
    }

    fn carried(_: &u8) -> u32 {
        0
    }

    fn weight(&self) -> i64 {
        self.weight
    }

    fn weight_of(msg: &u8) -> i64 {
        i64::from(*msg)
    }
}

impl Canonical for Credit {}

#[test]
fn both_ends_of_a_link_settle_together() {
    let connectivity = Connectivity::Partitions;
    let pair = Setup::new(graph(2, &[(0, 1)]));
    let pair = Setup { connectivity, link_changes: 1, requests: vec![1, 0], ..pair };
    assert!(explored::<Credit>(&pair, &[true, true]).held());
    let [zero, one] = [0, 1].map(NodeId);
    let schedule = [
        Action::Request(zero, ResourceId(0)),
        Action::Deliver { from: zero, to: one },
        Action::LinkDown { a: zero, b: one },
    ];
    let settled = enact::<Credit>(&pair.setting(""), &[true, true], &schedule, None, None).unwrap();
    assert_eq!((settled.violation, settled.skipped), (None, 0));
    for (writes_off, what) in [
        ([true, false], "there is 1 more of the weight than was handed out"),
        ([false, true], "1 of the weight that was handed out is gone"),
    ] {
        let found = explored::<Credit>(&pair, &writes_off).counterexample.unwrap();
        assert_eq!(
            (found.violation.promise, &found.schedule[..]),
            (Promise::Weights, &schedule[..])
        );
        assert_eq!(found.violation.what, what);
    }
}
