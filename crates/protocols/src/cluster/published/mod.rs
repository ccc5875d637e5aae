//! The cluster algorithm as it was published: section 4 to the letter, with the time-outs and the
//! second global token of section 8.
//!
//! # Reading of the published text
//!
//! * Who is in which cluster does not change; the paper leaves that to others. Clusters are those
//!   of the lowest identifier, and `N-LIST` has the heads of those that touch.
//! * `hungry` is set when a request comes, as 4.2.1 (6) has it and 4.2.2 forgets; and `NLQ` becomes
//!   `LQ` when the global token is sent on, as section 3.2 has it. Else nobody is ever served.
//! * `hold` is true while the global token is here, also if nobody wants it.
//! * "Execute steps 15-24" (line 8) is what happens when the critical section is left. A local
//!   token that comes while a node is inside (line 14) finds it there.
//! * The global token starts to go around when the first request comes. A head that was never
//!   visited says so to the one that has it.
//! * A head that is not hungry sends the global token on as in Case 3. What it is told to do, to
//!   send it to a neighbor that was not visited, cannot be done if there is none.
//! * Of several successors the one with the lowest identifier is taken, as section 4.2.2 says.
//! * A primary token is consumed for its round number (8.1) only where a new one was asked for and
//!   one of that round has come since. Else each head that passes it on twice in a round would
//!   destroy it.
//! * Who has used the primary waits for the secondary as who did not want it, where the text only
//!   says what happens if the secondary comes in the meantime (8.1).
//! * A secondary token that does not reach its destination is lost. That it comes to someone else
//!   who sends it back (8.2) is beyond what a medium can be asked for.
//! * Where the text does not say what to do, nothing is done, and that is said.

mod dual;
mod head;
mod member;
mod outside;

use alloc::vec::Vec;

use driftlock_core::{Fifo, Graph, Initial, Input, NodeId, Out, PeerMap, Protocol, Status, Ticks};

use super::Color;
use super::initial::{border, clusters};

/// `localtokenmsg`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Local {
    /// `localtoken`.
    pub queue: Fifo,
    /// `roundno`.
    pub roundno: i64,
}

/// The primary global token.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Global {
    /// `globalvalue`, the round number.
    pub globalvalue: i64,
    /// `color`, of each head.
    pub color: PeerMap<Color>,
}

/// The messages.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Msg {
    /// `msg_to_ch` of the type `req`.
    Req,
    /// `msg_to_ch` of the type `over`.
    Over,
    /// `msg_to_ch` of the type `over&out`.
    OverOut,
    /// `localtokenmsg`.
    Local(Local),
    /// The primary global token.
    Global(Global),
    /// The secondary global token, with its round number.
    Secondary(i64),
    /// "Generate a new primary."
    Generate,
    /// To the head that has the global token at the beginning: someone wants it.
    Start,
}

/// The timers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Timer {
    /// 4.2.2, Case 2: neither `over` nor `over&out` came.
    Over,
    /// 8.1: the secondary token is here and the primary is not.
    Primary,
    /// 8.1: the primary token has been here and the secondary has not.
    Secondary,
}

/// What there is to choose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "variant", rename = "published"))]
pub struct Config {
    /// How long a head waits for `over` or `over&out`.
    pub over: Ticks,
    /// `T`, how long one global token waits for the other.
    pub other: Ticks,
    /// Whether there is a secondary token at all (section 8).
    pub dual: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config { over: Ticks(100_000), other: Ticks(10_000), dual: true }
    }
}

/// The process of one node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Published {
    i: NodeId,
    config: Config,
    status: Status,
    co: NodeId,
    seqno: i64,
    /// `neighbor_i`.
    neighbor: PeerMap<()>,
    /// The local token that is here; `tokenvalue` is 1 if there is one.
    local: Option<Local>,
    n_list: Vec<NodeId>,
    /// All heads, with the color they have at the start of a round.
    heads: PeerMap<Color>,
    lq: Fifo,
    nlq: Fifo,
    hungry: bool,
    /// The global token, while it is here; `hold` is whether it is.
    global: Option<Global>,
    /// The `roundno` of this cluster's local token.
    roundno: i64,
    /// Whether the global token is known to go around.
    started: bool,
    dual: dual::Dual,
}

impl Protocol for Published {
    type Msg = Msg;
    type Timer = Timer;

    fn step(&mut self, input: Input<Msg, Timer>, out: &mut Out<Msg, Timer>) {
        match input {
            Input::RequestCs(_) => self.on_request_cs(out),
            Input::ReleaseCs => self.on_release_cs(out),
            Input::Recv { from: j, msg } => self.on_message(j, msg, out),
            Input::LinkUp { peer: j, .. } => drop(self.neighbor.insert(j, ())),
            Input::LinkDown { peer: j } => drop(self.neighbor.remove(j)),
            Input::Timer(Timer::Over) => self.on_over_late(out),
            Input::Timer(Timer::Primary) => self.on_primary_late(out),
            Input::Timer(Timer::Secondary) => self.on_secondary_late(out),
            Input::Returned { .. } => panic!("what is routed is not returned"),
        }
    }

    fn status(&self) -> Status {
        self.status
    }
}

impl Published {
    fn on_message(&mut self, j: NodeId, msg: Msg, out: &mut Out<Msg, Timer>) {
        match msg {
            Msg::Req => self.on_req(j, out),
            Msg::Over => self.on_over(j, out),
            Msg::OverOut => self.on_over_out(out),
            Msg::Local(token) => self.on_local(token, out),
            Msg::Global(token) => self.on_primary(token, out),
            Msg::Secondary(round) => self.on_secondary(j, round, out),
            Msg::Generate => self.on_generate(j, out),
            Msg::Start => self.start(out),
        }
    }

    /// Send `msg`, or take it at once if it is for this node.
    fn tell(&mut self, to: NodeId, msg: Msg, out: &mut Out<Msg, Timer>) {
        if to == self.i { self.on_message(to, msg, out) } else { out.send(to, msg) }
    }
}

/// The clusters of the lowest identifier. The global token is with node 0, which is always a head.
impl Initial for Published {
    type Config = Config;

    fn initial(graph: &Graph, config: &Config) -> Vec<Self> {
        let head = clusters(graph);
        let all = graph.nodes().filter(|i| head[i.index()] == *i);
        let heads: PeerMap<Color> = all.map(|i| (i, Color::W)).collect();
        let n_list = |i: NodeId| {
            let members = graph.nodes().filter(|j| head[j.index()] == i);
            let mut near: Vec<NodeId> = members.flat_map(|j| border(graph, &head, j)).collect();
            near.sort_unstable();
            near.dedup();
            near
        };
        let process = |i: NodeId| Published {
            i,
            config: *config,
            status: Status::Remainder,
            co: head[i.index()],
            seqno: 0,
            neighbor: graph.neighbors(i).iter().map(|&j| (j, ())).collect(),
            local: None,
            n_list: n_list(i),
            heads: heads.clone(),
            lq: Fifo::new(),
            nlq: Fifo::new(),
            hungry: false,
            global: (i == NodeId(0)).then(|| Global { globalvalue: 0, color: heads.clone() }),
            roundno: 0,
            started: false,
            dual: dual::Dual {
                secondary: (i == NodeId(0) && config.dual).then_some((i, 0)),
                ..dual::Dual::default()
            },
        };
        graph.nodes().map(process).collect()
    }
}
