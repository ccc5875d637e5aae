//! The cluster algorithm: one at a time, by a token that goes from cluster to cluster and a token
//! that goes from node to node inside a cluster.
//!
//! B. Sharma, R. S. Bhatia, A. K. Singh: *A Token Based Protocol for Mutual Exclusion in Mobile Ad
//! Hoc Networks*. Journal of Information Processing Systems 10(1), 2014.
//!
//! # Idea
//!
//! Nodes are in clusters, each around a head that all its members hear. Who wants to enter asks its
//! head. A global token visits all heads, round after round. A head with requests keeps it, puts
//! them into a local token, and sends that to the first of them; each passes it on to the next and
//! tells the head that it is over. What is asked for meanwhile has to wait for the next visit, so
//! no cluster keeps the others from their turn.
//!
//! # Model
//!
//! Messages can be sent to any node; they arrive in the order they were sent, or get lost, and none
//! arrives twice. Links come and go, and both ends are told; they say who hears whom. Nodes may
//! stop for good, which their neighbors see as links that go down. Timers may go off at any time.
//! Everyone knows how many nodes there are, and their identifiers.
//!
//! **Safety.** Of those in the critical section, no two are there under the same epoch; and two are
//! there under different epochs only if one of them was written off: it did not answer for as long
//! as [`Config::patience`] says, though it had not stopped. It may have been inside then, or have
//! waited and got in later with a token of the old epoch that was still on its way. So there are
//! never two inside if nobody is written off who is alive. If that happens, what is shared has to
//! refuse those of the older epoch; they are sent out
//! ([`Output::Demote`](driftlock_core::Output::Demote)) as soon as they hear of the newer. With
//! `patience: None` nobody is ever written off, and there are never two inside at all.
//!
//! **Liveness.** Everyone gets in that is connected to more than half of all nodes, once messages
//! get through and nodes no longer stop. Time-outs that are too short grow until an epoch can begin
//! ([`lost`](field@Config::lost)). With `patience: None`, that is so as long as no node stops, and
//! all can be reached.
//!
//! # Names
//!
//! | paper | here |
//! |---|---|
//! | `try`, `In` | `Status::Waiting`, `Status::Critical` |
//! | `co` | `head`; in the local token `co` |
//! | `neighbor_i` | the peers of `peer` |
//! | `localtokenmsg⟨localtoken, roundno⟩` | `Local` with `queue`, `epoch` |
//! | `globaltoken⟨globalvalue, color⟩` | `Global` with `round.color`, `epoch` |
//! | `LQ`, `NLQ`, the copy of the local token | `lq`, `nlq`, `serving` |
//! | `N-LIST_i` | `n_list()` |
//! | `hold`, `hungry` | `global.is_some()`, `!lq.is_empty()` |
//! | `seqno`, `tokenvalue`, `tokenholder`, `globalno` | not needed |
//!
//! # Where this departs from the paper
//!
//! Numbers in the right margin are those of section 4.1.3. [`published`] has the text to the
//! letter, and the time-outs and the second token of section 8.
//!
//! * **D1.** `hungry` is never set in the text, and requests in `NLQ` never come to `LQ`, so that
//!   nobody is ever served. Here a head is hungry if `LQ` has a request, and `NLQ` becomes `LQ`
//!   when those before are served.
//! * **D2.** A head that has the local token back because the next node is out of range of the
//!   last sends it on; the text forgets that it may come back. The empty one need not come back:
//!   `over&out` says it.
//! * **D3.** The global token goes to any head that it has heard of in this round and not visited.
//!   In the text it wanders over heads that were visited, the lowest identifier first, and that can
//!   be back and forth between two of them for ever. A head without neighbors keeps it.
//! * **D4.** Colors are of heads that the token has heard of, from the heads that it has visited,
//!   and a round begins with those of the round before. Who is visited and no longer a head says so
//!   with a third color, and is left out of the next round. So heads may come and go, and nobody
//!   has to know them all. A head that no other knows of, because it is new or because a message
//!   got lost, is heard of when it calls for the token (D7), or promises an epoch (D6), and is
//!   visited from then on.
//! * **D5.** Clusters are made and mended here (`clustering`), which the paper leaves to others. A
//!   node moves from one to another with its request: the old head forgets a node that it no longer
//!   hears, and the node asks the new one. There are no round numbers, which are of a cluster in
//!   the paper and keep a node out that comes from one where they were higher.
//! * **D6.** What got lost with a message or with a node is made anew by all nodes together, in a
//!   new epoch (`recovery`). In section 8, whoever waits long enough makes a token of its own.
//! * **D7.** The global token rests after a round in which nobody wanted it. A head that is asked
//!   then sends a message after it, from head to head the way it went, which is kept where the
//!   token is sure to come by. In the text it goes around for ever, also when nobody wants
//!   anything.

mod clustering;
mod head;
mod initial;
mod member;
mod outside;
pub mod published;
mod recovery;

use alloc::vec::Vec;

use driftlock_core::{Fifo, Input, NodeId, Out, PeerMap, Protocol, Status};

pub use self::initial::Config;
pub use self::recovery::BEGIN_EPOCH;

/// Tokens of a later epoch replace all earlier ones (D6).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Epoch {
    /// The how-manieth it is, as far as the node knew that began it.
    pub number: i64,
    /// The node that began it.
    pub by: NodeId,
}

/// What the global token says of a head.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Color {
    /// It was not visited in this round.
    W,
    /// It was.
    R,
    /// It was, and is no head any more (D4).
    G,
}

/// The local token.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Local {
    /// The epoch of the global token that it was made for.
    pub epoch: Epoch,
    /// The head that made it.
    pub co: NodeId,
    /// Those it still has to visit.
    pub queue: Fifo,
}

/// Where the global token is on its way around.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Round {
    /// The heads that it has heard of.
    pub color: PeerMap<Color>,
    /// Whether anyone wanted it in this round (D7).
    pub used: bool,
}

/// The global token.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Global {
    /// Its epoch.
    pub epoch: Epoch,
    /// The round it is in.
    pub round: Round,
}

/// The messages.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Msg {
    /// To all neighbors: this is the sender's head.
    Hello(NodeId),
    /// From a member to its head: it hears nodes of these other clusters.
    Beside(Vec<NodeId>),
    /// From a member to its head: it wants to enter.
    Req,
    /// From a head, after the global token: this head wants it. It goes so many hops on: where the
    /// token got lost, its way may be a circle (D7).
    Wake(NodeId, u32),
    /// From a member to a head: it has passed the local token on.
    Over(Epoch),
    /// From a member to a head: it was the last.
    OverOut(Epoch),
    /// The local token.
    Local(Local),
    /// The global token.
    Global(Global),
    /// The sender wants to begin this epoch.
    Inquire(Epoch),
    /// The sender will promise that, but is in the critical section.
    Inside(Epoch),
    /// The sender is out of the critical section and takes no token of an earlier epoch. Whether it
    /// is a head that wants one of the new (D4).
    Promise(Epoch, bool),
    /// There is a token of this epoch.
    Begun(Epoch),
}

/// The timers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Timer {
    /// A request was not granted for long: perhaps it got lost.
    Again,
    /// Requests wait at a head, and nothing was heard of a token for long.
    Lost,
    /// An epoch is to begin, and answers are missing.
    Answers,
    /// Two heads are neighbors, and have been for a while.
    Contend,
}

/// What a node keeps of a neighbor.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Peer {
    /// Its head, if it has said.
    head: Option<NodeId>,
    /// The other clusters that it hears, as it has said when it was a member of this node.
    beside: Vec<NodeId>,
}

/// The process of one node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Cluster {
    i: NodeId,
    /// How many nodes there are.
    n: u32,
    config: Config,
    status: Status,
    /// The head of its cluster, which may be the node itself.
    head: NodeId,
    peer: PeerMap<Peer>,
    /// The local token, in the critical section.
    local: Option<Local>,
    lq: Fifo,
    nlq: Fifo,
    /// The round of the global token, while it is here.
    global: Option<Round>,
    /// Where the global token went from here, if it may rest somewhere before it comes again.
    toward: Option<NodeId>,
    /// Heads that want the global token, and that it may not have heard of. It comes by here.
    calls: Vec<NodeId>,
    /// Who is in the local token and has not said `over`, while that goes around.
    serving: Option<Fifo>,
    /// The latest epoch known. The node takes no token of an earlier one.
    promised: Epoch,
    /// Whether the promise was not given yet because the node is in the critical section.
    deferred: bool,
    /// Who has not promised the epoch that this node wants to begin, and how often it was asked
    /// in vain.
    inquiry: Option<PeerMap<u8>>,
    /// How often in a row the token was missed.
    missed: u8,
}

impl Protocol for Cluster {
    type Msg = Msg;
    type Timer = Timer;

    fn step(&mut self, input: Input<Msg, Timer>, out: &mut Out<Msg, Timer>) {
        match input {
            Input::RequestCs(_) => self.on_request_cs(out),
            Input::ReleaseCs => self.on_release_cs(out),
            Input::Recv { from: j, msg } => self.on_message(j, msg, out),
            Input::LinkUp { peer: j, .. } => self.on_link_up(j, out),
            Input::LinkDown { peer: j } => self.on_link_down(j, out),
            Input::Timer(Timer::Again) => self.ask(out),
            Input::Timer(Timer::Lost) => self.on_lost(out),
            Input::Timer(Timer::Answers) => self.on_answers_late(out),
            Input::Timer(Timer::Contend) => self.on_contend(out),
            Input::Returned { .. } => panic!("what is routed is not returned"),
        }
        self.use_global(out);
    }

    fn status(&self) -> Status {
        self.status
    }
}

impl Cluster {
    fn on_message(&mut self, j: NodeId, msg: Msg, out: &mut Out<Msg, Timer>) {
        match msg {
            Msg::Hello(head) => self.on_hello(j, head, out),
            Msg::Beside(heads) => self.on_beside(j, heads),
            Msg::Req => self.on_req(j, out),
            Msg::Wake(head, hops) => self.on_wake(head, hops, out),
            Msg::Over(epoch) => self.on_over(j, epoch, out),
            Msg::OverOut(epoch) => self.on_over_out(epoch, out),
            Msg::Local(token) => self.on_local(j, token, out),
            Msg::Global(token) => self.on_global(j, token, out),
            Msg::Inquire(epoch) => self.on_inquire(j, epoch, out),
            Msg::Inside(epoch) => self.on_inside(j, epoch, out),
            Msg::Promise(epoch, wants) => self.on_promise(j, epoch, wants, out),
            Msg::Begun(epoch) => self.learn(epoch, out),
        }
    }
}
