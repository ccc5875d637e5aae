//! Deliberately broken protocols: every monitor is shown to fire.

use driftlock_core::{
    Graph, Initial, Input, Inspect, NoTimer, NodeId, Out, Protocol, Status, Ticks, Tokens,
};
use driftlock_sim::{Network, Scenario, Shape, World};
use driftlock_spec::{Promise, Rules};
use serde::{Deserialize, Serialize};

use crate::worlds::{cold, load};

/// What is wrong with a process. Node 0 starts with the token and everyone may ask it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub(crate) enum Flaw {
    /// Lets everyone in.
    Careless,
    /// Enters without having been asked to.
    Eager,
    /// Answers requests with a second token.
    Counterfeit,
    /// Keeps requests and does nothing.
    Lazy,
    /// Answers every message with a message.
    Restless,
    /// Sends to a node that is not its neighbor.
    Stray,
    /// Says it does not know what to do.
    Clueless,
    /// Is inside and says it is not.
    Liar,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Broken {
    flaw: Flaw,
    i: NodeId,
    n: u32,
    status: Status,
    held: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Msg {
    Ask,
    Token,
}

impl Broken {
    fn enter(&mut self, out: &mut Out<Msg>) {
        self.status = if self.flaw == Flaw::Liar { Status::Remainder } else { Status::Critical };
        out.enter_cs();
    }

    fn on_request(&mut self, out: &mut Out<Msg>) {
        self.status = Status::Waiting;
        let neighbor = NodeId(if self.i.0 == 0 { 1 } else { self.i.0 - 1 });
        match self.flaw {
            Flaw::Careless | Flaw::Liar => self.enter(out),
            Flaw::Stray => out.send(NodeId((self.i.0 + self.n / 2) % self.n), Msg::Ask),
            Flaw::Clueless => out.undefined("the margin, which is too narrow"),
            _ => out.send(neighbor, Msg::Ask),
        }
    }

    fn on_message(&mut self, from: NodeId, msg: Msg, out: &mut Out<Msg>) {
        match (self.flaw, msg) {
            (Flaw::Eager, _) if self.status == Status::Remainder => self.enter(out),
            (Flaw::Counterfeit, Msg::Ask) => out.send(from, Msg::Token),
            (Flaw::Restless, _) => out.send(from, Msg::Ask),
            _ => {}
        }
    }
}

impl Protocol for Broken {
    type Msg = Msg;
    type Timer = NoTimer;

    fn step(&mut self, input: Input<Msg>, out: &mut Out<Msg>) {
        match input {
            Input::RequestCs(_) => self.on_request(out),
            Input::ReleaseCs => self.status = Status::Remainder,
            Input::Recv { from, msg } => self.on_message(from, msg, out),
            Input::LinkUp { .. } | Input::LinkDown { .. } | Input::Returned { .. } => {}
            Input::Timer(never) => match never {},
        }
    }

    fn status(&self) -> Status {
        self.status
    }
}

impl Initial for Broken {
    type Config = Flaw;

    fn initial(graph: &Graph, &flaw: &Flaw) -> Vec<Self> {
        let n = graph.n_nodes() as u32;
        let status = Status::Remainder;
        graph.nodes().map(|i| Broken { flaw, i, n, status, held: u32::from(i.0 == 0) }).collect()
    }
}

impl Inspect for Broken {
    const KINDS: &'static [&'static str] = &["Ask", "Token"];

    fn kind(msg: &Msg) -> usize {
        *msg as usize
    }

    fn knows(&self, _: NodeId) -> bool {
        true
    }
}

impl Tokens for Broken {
    fn held(&self) -> u32 {
        self.held
    }

    fn carried(msg: &Msg) -> u32 {
        u32::from(*msg == Msg::Token)
    }
}

fn broken_promise(flaw: Flaw) -> Option<Promise> {
    let scenario = Scenario {
        network: Network { shape: Shape::Ring, nodes: 6, ..Network::default() },
        requests: load(0.2),
        measure: cold(100),
        ..Scenario::default()
    };
    let run = World::<Broken>::new(&scenario, &flaw).unwrap().run();
    run.violation.map(|violation| violation.promise)
}

#[test]
fn every_monitor_fires() {
    assert_eq!(broken_promise(Flaw::Careless), Some(Promise::Exclusion));
    assert_eq!(broken_promise(Flaw::Eager), Some(Promise::EntryOnRequest));
    assert_eq!(broken_promise(Flaw::Counterfeit), Some(Promise::Tokens));
    assert_eq!(broken_promise(Flaw::Lazy), Some(Promise::NoStarvation));
    assert_eq!(broken_promise(Flaw::Restless), Some(Promise::NoStarvation));
    assert_eq!(broken_promise(Flaw::Stray), Some(Promise::DefinedStep));
    assert_eq!(broken_promise(Flaw::Clueless), Some(Promise::DefinedStep));
    assert_eq!(broken_promise(Flaw::Liar), Some(Promise::EntryOnRequest));
}

/// Serves nobody but itself, and two timers that set each other for ever.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Ticking {
    status: Status,
    rings: u32,
    for_ever: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Timer {
    Tick,
    Cancelled,
}

impl Protocol for Ticking {
    type Msg = ();
    type Timer = Timer;

    fn step(&mut self, input: Input<(), Timer>, out: &mut Out<(), Timer>) {
        match input {
            Input::RequestCs(_) => {
                self.status = Status::Waiting;
                out.set_timer(Timer::Tick, Ticks(9_000));
                out.set_timer(Timer::Tick, Ticks(300));
                out.set_timer(Timer::Tick, Ticks(500));
                out.set_timer(Timer::Cancelled, Ticks(400));
                out.cancel_timer(Timer::Cancelled);
            }
            Input::ReleaseCs => self.status = Status::Remainder,
            Input::Timer(Timer::Cancelled) => unreachable!("it was cancelled"),
            Input::Timer(Timer::Tick) => self.on_tick(out),
            Input::Recv { .. } | Input::LinkUp { .. } | Input::LinkDown { .. } => {}
            Input::Returned { .. } => unreachable!("nothing is sent"),
        }
    }

    fn status(&self) -> Status {
        self.status
    }
}

impl Ticking {
    fn on_tick(&mut self, out: &mut Out<(), Timer>) {
        self.rings += 1;
        if self.status == Status::Waiting {
            self.status = Status::Critical;
            out.enter_cs();
            // Sent back to waiting at once, and in again by the next tick.
            if self.rings == 1 {
                self.status = Status::Waiting;
                out.demote();
                out.set_timer(Timer::Tick, Ticks(100));
            }
        }
        if self.for_ever {
            out.set_timer(Timer::Tick, Ticks(100));
        }
    }
}

impl Initial for Ticking {
    type Config = bool;

    fn initial(graph: &Graph, &for_ever: &bool) -> Vec<Self> {
        graph.nodes().map(|_| Ticking { status: Status::Remainder, rings: 0, for_ever }).collect()
    }
}

impl Inspect for Ticking {
    const KINDS: &'static [&'static str] = &["nothing"];

    fn kind(_: &()) -> usize {
        0
    }

    fn knows(&self, _: NodeId) -> bool {
        true
    }
}

impl Tokens for Ticking {
    fn held(&self) -> u32 {
        0
    }

    fn carried(_: &()) -> u32 {
        0
    }
}

fn one_node() -> Scenario {
    Scenario {
        network: Network { nodes: 1, ..Network::default() },
        measure: cold(5),
        ..Scenario::default()
    }
}

fn ticking(for_ever: bool) -> driftlock_sim::Run {
    World::<Ticking>::new(&one_node(), &for_ever).unwrap().run()
}

/// Setting replaces, cancelling is exact, and a demotion ends the stay.
#[test]
fn timers_and_demotions_are_kept_to() {
    let run = ticking(false);
    assert_eq!(run.violation, None);
    assert_eq!(run.metrics.entries, 5);
    let waits = run.metrics.waiting;
    assert_eq!((waits.max, waits.mean), (0.5, 0.42), "in after 0.5, out at once, in after 0.1");
}

#[test]
fn a_network_that_never_falls_silent_is_found_out() {
    let promise = ticking(true).violation.map(|violation| violation.promise);
    assert_eq!(promise, Some(Promise::Silence));
    let scenario = one_node();
    let rules = Rules { silent: false, ..Rules::default() };
    let run = World::<Ticking>::under(&scenario, &true, rules).unwrap().run();
    assert_eq!(run.violation, None, "unless nobody promised that");
    assert!(run.ended_at < 20.0, "and it ends once nobody waits: {}", run.ended_at);
}
