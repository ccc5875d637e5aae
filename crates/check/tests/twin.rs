//! KRL with one token is RL: both run side by side through every schedule, and have to agree after
//! every step.

use driftlock_check::Setup;
use driftlock_core::{
    Canonical, Graph, Initial, Input, Inspect, Level, NoTimer, NodeId, Out, Output, Protocol,
    Status, Tokens,
};
use driftlock_protocols::Variant;
use driftlock_protocols::krl::{self, Forwarding, Krl};
use driftlock_protocols::rl::{self, Rl};

use crate::networks::{connected, explored, graph};

/// A node of both.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Twin {
    rl: Rl,
    krl: Krl,
}

/// What both send at the same time.
type Pair = (rl::Msg, krl::Msg);

impl Protocol for Twin {
    type Msg = Pair;
    type Timer = NoTimer;

    fn step(&mut self, input: Input<Pair>, out: &mut Out<Pair>) {
        let (mut first, mut second) = (Out::new(), Out::new());
        self.rl.step(part(&input, |pair| pair.0), &mut first);
        self.krl.step(part(&input, |pair| pair.1), &mut second);
        let mut sent: Vec<(NodeId, krl::Msg)> = Vec::new();
        let mut others = Vec::new();
        for output in second.drain() {
            match output {
                Output::Send { to, msg } => sent.push((to, msg)),
                other => others.push(format!("{other:?}")),
            }
        }
        for output in first.drain() {
            match output {
                Output::Send { to, msg } => {
                    let place = sent.iter().position(|(peer, _)| *peer == to);
                    let (_, other) = sent.remove(place.expect("KRL sends what RL sends"));
                    assert_eq!(text(&msg), plain(&other), "the same message");
                    out.send(to, (msg, other));
                }
                other => {
                    assert!(others.contains(&format!("{other:?}")), "{other:?}, {others:?}");
                    match other {
                        Output::EnterCs => out.enter_cs(),
                        Output::Undefined(what) => out.undefined(what),
                        _ => {}
                    }
                }
            }
        }
        assert!(sent.is_empty(), "RL sends what KRL sends: {sent:?}");
        self.agree(&input);
    }

    fn status(&self) -> Status {
        self.rl.status()
    }
}

impl Twin {
    fn agree(&self, input: &Input<Pair>) {
        let Twin { rl, krl } = self;
        assert_eq!(rl.status(), krl.status(), "{input:?}");
        assert_eq!(rl.held(), krl.held(), "{input:?}");
        assert_eq!(rl.my_height().to_string(), krl.my_height().to_string(), "{input:?}");
        assert_eq!((rl.next(), rl.q()), (krl.next(), krl.q()), "{input:?}");
        for j in (0..4).map(NodeId) {
            let heights =
                (rl.height_of(j).map(|h| h.to_string()), krl.height_of(j).map(|h| h.to_string()));
            assert_eq!(heights.0, heights.1, "{input:?}");
        }
    }
}

/// One half of an input.
fn part<M>(input: &Input<Pair>, half: impl Fn(&Pair) -> M) -> Input<M> {
    match input {
        Input::RequestCs(resource) => Input::RequestCs(*resource),
        Input::ReleaseCs => Input::ReleaseCs,
        Input::Recv { from, msg } => Input::Recv { from: *from, msg: half(msg) },
        Input::LinkUp { peer, role } => Input::LinkUp { peer: *peer, role: *role },
        Input::LinkDown { peer } => Input::LinkDown { peer: *peer },
        Input::Timer(never) => match *never {},
        Input::Returned { to, msg } => Input::Returned { to: *to, msg: half(msg) },
    }
}

fn text(msg: &rl::Msg) -> String {
    format!("{msg:?}")
}

/// A message of KRL in the words of RL, which confirms the token with a LinkInfo.
fn plain(msg: &krl::Msg) -> String {
    match *msg {
        krl::Msg::LinkInfo(h, said) | krl::Msg::Ack(h, said) => {
            let number = if said.raises > 0 { format!("#{}", said.raises) } else { String::new() };
            format!("LinkInfo{h}{number}")
        }
        krl::Msg::Request(..) | krl::Msg::Token(..) => format!("{msg:?}"),
    }
}

impl Initial for Twin {
    type Config = Variant;

    fn initial(graph: &Graph, variant: &Variant) -> Vec<Self> {
        let config =
            krl::Config { detects: false, ..krl::Config::new(*variant, 1, Forwarding::Never) };
        let both = Rl::initial(graph, &(*variant).into());
        both.into_iter()
            .zip(Krl::initial(graph, &config))
            .map(|(rl, krl)| Twin { rl, krl })
            .collect()
    }
}

impl Inspect for Twin {
    const KINDS: &'static [&'static str] = Rl::KINDS;

    fn kind(msg: &Pair) -> usize {
        Rl::kind(&msg.0)
    }

    fn knows(&self, peer: NodeId) -> bool {
        self.rl.knows(peer)
    }
}

impl Tokens for Twin {
    fn held(&self) -> u32 {
        self.rl.held()
    }

    fn carried(msg: &Pair) -> u32 {
        Rl::carried(&msg.0)
    }
}

impl Canonical for Twin {
    fn levels(&mut self, each: &mut dyn FnMut(Level, &mut i64)) {
        self.rl.levels(each);
        self.krl.levels(each);
    }

    fn levels_in(msg: &mut Pair, each: &mut dyn FnMut(Level, &mut i64)) {
        Rl::levels_in(&mut msg.0, each);
        Krl::levels_in(&mut msg.1, each);
    }

    fn forget(&mut self) {
        self.rl.forget();
        self.krl.forget();
    }
}

fn agree(graphs: Vec<Graph>, link_changes: u8) {
    for graph in graphs {
        let setup = Setup { link_changes, spread: Some(8), ..Setup::new(graph) };
        let report = explored::<Twin>(&setup, &Variant::Repaired);
        assert!(report.held(), "{:?}", report.counterexample);
    }
}

#[test]
fn with_one_token_krl_is_rl_in_every_schedule() {
    agree(connected(2), 3);
    agree(connected(3), 2);
    let line = graph(4, &[(0, 1), (1, 2), (2, 3)]);
    let star = graph(4, &[(0, 1), (1, 2), (1, 3)]);
    let ring = graph(4, &[(0, 1), (1, 2), (2, 3), (0, 3)]);
    agree(vec![line, star, ring], 1);
}

/// Published it is not: who has given its token away lowers itself once more.
#[test]
fn published_with_one_token_krl_is_not_rl() {
    let report = explored::<Twin>(&Setup::new(graph(2, &[(0, 1)])), &Variant::Published);
    let found = report.counterexample.unwrap();
    let what = "n0 gave up: RL sends what KRL sends: [(NodeId(1), LinkInfo(-1,0,0))]";
    assert_eq!((found.violation.what.as_str(), found.schedule.len()), (what, 4));
}
