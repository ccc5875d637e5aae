//! What a protocol is: [`Protocol`]; how it starts: [`Initial`] and [`Cold`]; what may be seen of
//! it from outside: [`Inspect`] and [`Tokens`]; what no process can notice: [`Canonical`].

use alloc::vec::Vec;
use core::fmt::Debug;
use core::hash::Hash;

use crate::{Graph, Input, NodeId, Out, Output, Status};

/// A process: the state of one node and its transition function.
///
/// # Contract with the driver
///
/// 1. One input at a time; `out` is drained completely before the next (the step law).
/// 2. `RequestCs` only in [`Status::Remainder`], `ReleaseCs` only in [`Status::Critical`].
/// 3. `LinkUp` reaches an end before anything is delivered there on the link. `LinkDown` reaches
///    both ends when nothing is in transit on it; or what is in transit is lost with the link; or
///    the links are settled, as below. Which of these is said by the model of the protocol.
/// 4. `Recv` only from a peer whose link is up (unless the medium routes).
/// 5. Setting a timer replaces it, cancelling is exact, both die with the process.
/// 6. `EnterCs` is acted on before any input that follows; `Demote` may follow it at once.
///
/// # Settled links
///
/// Where links are real, their two ends learn of changes at different times. Each has `LinkUp`,
/// then messages in order and once, then `LinkDown`; and both have had their `LinkDown` before
/// either has another `LinkUp`. Of what is in transit towards an end when it has its `LinkDown`,
/// messages that carry a token or weight ([`Tokens::carried`], [`Tokens::weight_of`]) come back to
/// their sender by `Returned`, in order and with nothing in between, right before its own
/// `LinkDown`; all others are lost. So it is with what is sent to an end that has had its
/// `LinkDown` by one that has not.
///
/// A process cannot fail. A driver that breaks the contract is told so by a panic.
pub trait Protocol: Clone + Eq + Hash + Debug {
    /// What processes send each other.
    type Msg: Clone + Eq + Ord + Hash + Debug;
    /// The names of the timers; [`NoTimer`](crate::NoTimer) if there are none.
    type Timer: Clone + Eq + Ord + Hash + Debug;

    /// Take `input`, change state, and put the answers into `out`.
    fn step(&mut self, input: Input<Self::Msg, Self::Timer>, out: &mut Out<Self::Msg, Self::Timer>);

    /// The section the process is in.
    fn status(&self) -> Status;
}

/// A protocol that can set up a whole network at once, the C0 of the papers.
///
/// A node that starts alone and meets its neighbors one by one is another way to begin, with
/// another proof; protocols that allow it are [`Cold`].
pub trait Initial: Protocol {
    /// What there is to choose: the variant, initial heights and the like.
    type Config: Clone + Debug;

    /// One process for each node of `graph`, in the order of their identifiers.
    fn initial(graph: &Graph, config: &Self::Config) -> Vec<Self>;
}

/// A protocol whose nodes can start alone, each without a neighbor, and meet by `LinkUp`.
pub trait Cold: Protocol {
    /// What all nodes have to agree on.
    type Settings: Clone + Debug;

    /// The process of a node that has met nobody yet. The founder has all tokens, and there is one
    /// founder; all others start without.
    fn cold(me: NodeId, founder: bool, settings: &Self::Settings) -> Self;

    /// Whether nothing that anybody waits for depends on this process hearing of a link change at
    /// once: it is in the remainder section, nobody is queued here, nothing is lent out, and it
    /// knows of a way to a token. Who drives it may keep `LinkUp` and `LinkDown` back until there
    /// is another input, and has to give them in order right before that one.
    fn is_idle(&self) -> bool;

    /// Give all tokens to the neighbor `to`, which has not asked, because this node is about to
    /// leave. Only when idle; nothing happens as long as `to` is not among the neighbors.
    fn hand_on(&mut self, to: NodeId, out: &mut Out<Self::Msg, Self::Timer>);

    /// Make anew what was lost with nodes that never come back: so many tokens, and so much weight
    /// (below nothing if some is out that belongs to a token made here). Whoever calls this knows
    /// that these are nowhere else.
    fn regenerate(&mut self, tokens: u32, weight: i64, out: &mut Out<Self::Msg, Self::Timer>);

    /// The neighbors that wait for something from this process.
    fn asked_by(&self) -> Vec<NodeId>;
}

/// What tools outside may see of a process and its messages.
pub trait Inspect: Protocol {
    /// The names of the kinds of messages, for counting.
    const KINDS: &'static [&'static str];

    /// The place in [`Inspect::KINDS`] of the kind of `msg`.
    fn kind(msg: &Self::Msg) -> usize;

    /// Whether the process counts `peer` among its neighbors. A link may be up before that.
    fn knows(&self, peer: NodeId) -> bool;

    /// Read what a step will need, so that a driver of many processes can have its memory fetched
    /// in time. The answer means nothing.
    fn glance(&self) -> u32 {
        u32::from(self.knows(NodeId(0)))
    }

    /// Where in the paper each output of a step is from, in words and in the order of the outputs;
    /// empty where that need not be said.
    fn lines(
        _input: &Input<Self::Msg, Self::Timer>,
        outputs: &[Output<Self::Msg, Self::Timer>],
    ) -> Vec<&'static str> {
        alloc::vec![""; outputs.len()]
    }
}

/// A protocol whose promise rests on things that are neither made nor lost: tokens of the whole
/// network, or one fork for each link.
pub trait Tokens: Protocol {
    /// How many tokens the process has.
    fn held(&self) -> u32;

    /// How many tokens `msg` carries.
    fn carried(msg: &Self::Msg) -> u32;

    /// Whether there is a fork for each link.
    const FORKS: bool = false;

    /// Whether the process has the fork of its link to `peer`.
    fn has_fork(&self, _peer: NodeId) -> bool {
        false
    }

    /// Whether `msg` carries the fork of the link it is on.
    fn carries_fork(_msg: &Self::Msg) -> bool {
        false
    }

    /// Whether processes have colors by which it is decided who goes first.
    const COLORS: bool = false;

    /// The color of the process while it competes with its neighbors. No neighbor that competes has
    /// the same.
    fn color(&self) -> Option<i64> {
        None
    }

    /// What the process has of a weight that was handed out, less what it handed out itself and
    /// has not got back. Over all processes and messages this adds up to nothing.
    fn weight(&self) -> i64 {
        0
    }

    /// The weight that `msg` carries.
    fn weight_of(_msg: &Self::Msg) -> i64 {
        0
    }

    /// Which generation of the token the process is in the critical section under. Where tokens
    /// are made anew, whoever is inside under an older one is deposed.
    fn epoch(&self) -> u64 {
        0
    }

    /// Whether tokens are made anew, so that their number promises nothing, and none is made twice.
    const EPOCHS: bool = false;

    /// Of which epochs the process has a token with which it, or whoever gets it, may enter.
    fn epochs_held(&self) -> impl Iterator<Item = u64> {
        core::iter::empty()
    }

    /// Of which epoch `msg` carries such a token.
    fn epoch_carried(_msg: &Self::Msg) -> Option<u64> {
        None
    }

    /// Whether the process says that no token can be reached from where it is.
    fn misses_token(&self) -> bool {
        false
    }

    /// Whether link changes may be kept from the process until its next input: [`Cold::is_idle`],
    /// where it is that.
    fn is_at_rest(&self) -> bool {
        false
    }

    /// Whether a node that is to outlive its own death has to write the process down after a step,
    /// before anything that follows from it leaves the node: a token, or a share of one, came,
    /// came back or went.
    fn is_written_down(
        input: &Input<Self::Msg, Self::Timer>,
        outputs: &[Output<Self::Msg, Self::Timer>],
    ) -> bool {
        let matters = |msg: &Self::Msg| 0 < Self::carried(msg) || Self::weight_of(msg) != 0;
        let came = match input {
            Input::Recv { msg, .. } | Input::Returned { msg, .. } => matters(msg),
            _ => false,
        };
        let went = |output: &Output<Self::Msg, Self::Timer>| match output {
            Output::Send { msg, .. } => matters(msg),
            _ => false,
        };
        came || outputs.iter().any(went)
    }
}

/// A kind of number of which only differences matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Numbers that all nodes compare with each other; there can be 4 kinds, named from 0 on.
    Shared(u8),
    /// Numbers about this node, which are compared with each other only. For processes.
    Of(NodeId),
    /// A number that numbers about this node are compared with, and which may as well be as high
    /// as the lowest of them if it is below all of them. For processes.
    Below(NodeId),
    /// Numbers about the sender. For messages.
    Sender,
    /// Numbers about the receiver. For messages.
    Receiver,
}

/// What can be done to a whole network without any of its processes noticing. The checker takes
/// situations for the same that differ in nothing else, and that makes many networks finite.
///
/// The default is to do nothing, which is right for every protocol.
pub trait Canonical: Protocol {
    /// Show all numbers of which only differences matter, each with its kind. Adding the same to
    /// all numbers of one kind, in all processes and messages, must change nothing but these
    /// numbers, now and in all steps to come.
    fn levels(&mut self, _each: &mut dyn FnMut(Level, &mut i64)) {}

    /// The same for a message.
    fn levels_in(_msg: &mut Self::Msg, _each: &mut dyn FnMut(Level, &mut i64)) {}

    /// Forget what is never read again.
    fn forget(&mut self) {}

    /// Forget what only says how long to wait, where timers go off at any time.
    fn forget_time(&mut self) {}
}
