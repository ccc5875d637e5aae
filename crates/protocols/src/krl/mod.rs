//! KRL, k tokens over links that come and go; KRLF, in which idle tokens move on; and KRLA, in
//! which they do so as long as there is something to do.
//!
//! J. E. Walter, G. Cao, M. Mohanty: *A k-Mutual Exclusion Algorithm for Wireless Ad Hoc
//! Networks*. Workshop on Principles of Mobile Computing, 2001. The line numbers are those of the
//! appendix.
//!
//! # Idea
//!
//! Whoever has one of the k tokens may enter. As in RL, every node has a height, links lead down,
//! requests go down and leave queue entries behind, and a token comes back up along them. With
//! several tokens there are several low places. A node that has no token and no way down raises
//! itself; one that has a token and nobody above it lowers itself, so that requests can reach it.
//! A token that nobody asks for stays where it is (KRL), is passed on to the lowest neighbor that
//! it was not passed to lately (KRLF), or is passed on as far as the load around calls for (KRLA).
//!
//! # Model
//!
//! As RL: bidirectional FIFO links, both ends are told of changes, nothing is in transit on a link
//! that goes down. The network may fall apart, and nodes may fail, as long as there is a token
//! left (section 3): a part with a token works on with the tokens it has; a part without one
//! waits, is silent, and each of its nodes knows it (D10).
//!
//! # Names
//!
//! | paper | here |
//! |---|---|
//! | `N` | the peers of `link` with `in_n` |
//! | `height[j]`, `visited[j]` | `link[j].height`, `link[j].visited` |
//! | `receivedLI[j]` | `link[j].tokens_sent == 0` |
//! | `forming[j]` and `formHeight[j]` | `forming[j]`, which is there while `forming[j]` is true |
//! | `tokenHolder` | `num_tokens > 0` |
//! | `numTokens`, `totalTokens` | `num_tokens`, `total_tokens` |
//! | `status`, `myHeight`, `next`, `Q` | the same |
//!
//! # Where this departs from the paper
//!
//! With one token and without D10 this is RL with its repairs, state for state; D1, D2 and D4 have
//! the numbers they have there.
//!
//! * **D1.** A node with `N = ∅` is neither lowest nor highest and sends nothing. The paper takes
//!   minima and maxima over nothing in RaiseHeight, LowerHeight and ForwardRequest.
//! * **D2.** A node keeps in mind whether a request of its own is under way (`asked`), and says in
//!   every LinkInfo whether it counts on the receiver; who is not counted on drops the sender from
//!   `Q`. A token from elsewhere does not answer a request.
//! * **D3.** Who has a token does not ask. In the paper a holder may have `next` point to a
//!   neighbor and reroutes requests on LinkInfo (line 13), which brings it a second token.
//! * **D4.** Raises are numbered, and a request is void if its receiver has raised its height,
//!   unknown to the sender, and has come down since; who hears of the raise asks again, even if it
//!   has got a token from elsewhere in the meantime.
//! * **D5.** The receipt of a token is confirmed by a message of its own, which has the true
//!   height of its sender, and confirmations are counted. In the paper the confirmation is a
//!   LinkInfo with a height that may not be anybody's (line 8), recognized by being equal to what
//!   is expected; if two tokens cross on a link, neither is, and both ends ignore each other for
//!   ever.
//! * **D6.** Only holders lower themselves. In the paper a node that has just given its last token
//!   away does so too (Release, line 3), which makes it a low place without a token, and it
//!   starves. And who has done so does it again only if a neighbor is no holder as far as is
//!   known, or if there was a token, a request or a change of links since: two holders alone
//!   would lower themselves in turn for ever.
//! * **D7.** Who lowers itself tells only those whose link turns, as in the paper; but whoever
//!   hears then that a neighbor has come down to between what that neighbor was told and the truth
//!   tells it. Otherwise a link can lead up at both ends, and a token behind it is out of reach.
//!   With one token that does no harm, and nothing is told, unless a neighbor says that it misses
//!   the token (D10).
//! * **D8.** The height expected of the receiver of a token is the lower one of what it was and
//!   just below the sender's. The paper puts it just below the sender's even if it was lower.
//! * **D9.** A token is kept where `N = ∅`, and passed on when there is a neighbor again. Line 3
//!   of PickLowest&ForwardToken is read as the lowest of those not visited.
//! * **D10.** Heights have reference levels as in TORA, by which a node learns that there is no
//!   token in its part of the network; see [`parts`]. The paper has such nodes raise their heights
//!   for ever.
//! * **D11.** A token that did not arrive, on a link that is gone, is taken back by its sender. In
//!   the paper nothing is in transit on a link that goes down.

mod cold;
mod forwarding;
mod height;
mod initial;
mod outside;
pub mod parts;
mod procedures;

use core::fmt;

use driftlock_core::{Fifo, Input, NoTimer, NodeId, Out, PeerMap, Protocol, Status};

pub use self::cold::Settings;
use self::forwarding::Freed;
pub use self::forwarding::Load;
pub use self::height::{Height, Level};
pub use self::initial::{Config, Forwarding};
use crate::Variant;

/// The messages of section 4.1. Each has the sender's height when it was sent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Msg {
    /// The sender, or a node behind it, wants a token. The number is that of the receiver's last
    /// raise that the sender knows of (D4).
    Request(Height, u32),
    /// A token, with what it has seen of the load (KRLA).
    Token(Height, Load),
    /// The sender's height has changed, or a link has formed.
    LinkInfo(Height, Said),
    /// A token has arrived (D5).
    Ack(Height, Said),
}

/// What a node says of itself besides its height.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Said {
    /// The number of its last raise (D4).
    pub raises: u32,
    /// Whether a request of it is with the receiver (D2).
    pub asks: bool,
    /// Whether it has a token (D6).
    pub holds: bool,
    /// How far the token it has may be passed on unasked (KRLA).
    pub reach: u8,
}

/// What a node knows of the link to a neighbor `j`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Link {
    /// `height[j]` without `j`, the neighbor's height as far as known.
    h: (Level, i64),
    /// Tokens sent whose receipt is not confirmed. What arrives in between is older than the last
    /// of them. Published, this is 1 while `receivedLI[j]` is false.
    tokens_sent: u32,
    /// Whether `j ∈ N`.
    in_n: bool,
    /// The number of the last raise of `j` that is known (D4).
    raises: u32,
    /// Whether `j` has a token, as far as known (D6).
    holds: bool,
    /// What `j` was told last of this node's height, if that is not what it is now and it may
    /// matter (D7).
    told: Option<Height>,
    /// `visited[j]`.
    visited: bool,
}

/// The process of one node: the data structures of the appendix.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Krl {
    i: NodeId,
    variant: Variant,
    forwarding: Forwarding,
    /// Whether heights have reference levels (D10).
    detects: bool,
    status: Status,
    total_tokens: u32,
    num_tokens: u32,
    my_height: Height,
    next: Option<NodeId>,
    q: Fifo,
    link: PeerMap<Link>,
    /// With the number of the last raise (D4).
    forming: PeerMap<(Height, u32)>,
    /// Whether a request of this node is under way: sent to `next`, neither answered nor void (D2).
    asked: bool,
    /// How often this node has raised its height, and how often when it last came down (D4).
    raises: u32,
    raises_before: u32,
    /// Whether this node has lowered itself and nothing has happened since (D6).
    lowered: bool,
    /// The logical clock (D10).
    clock: i64,
    /// What the token here has seen of the load (KRLA).
    load: Load,
}

impl Protocol for Krl {
    type Msg = Msg;
    type Timer = NoTimer;

    fn step(&mut self, input: Input<Msg>, out: &mut Out<Msg>) {
        match input {
            Input::RequestCs(_) => self.on_request_cs(out),
            Input::ReleaseCs => self.on_release_cs(out),
            Input::Recv { from: j, msg: Msg::Request(h, n) } => self.on_request(j, h, n, out),
            Input::Recv { from: j, msg: Msg::Token(h, load) } => self.on_token(j, h, load, out),
            Input::Recv { from: j, msg: Msg::LinkInfo(h, said) } => {
                self.on_link_info(j, h, said, false, out);
            }
            Input::Recv { from: j, msg: Msg::Ack(h, said) } => {
                self.on_link_info(j, h, said, true, out);
            }
            Input::LinkDown { peer: j } => self.on_link_failure(j, out),
            Input::LinkUp { peer: j, role: _ } => self.on_link_formation(j, out),
            Input::Timer(never) => match never {},
            Input::Returned { to: j, msg } => self.on_returned(j, msg, out),
        }
    }

    fn status(&self) -> Status {
        self.status
    }
}

/// The events.
impl Krl {
    /// When node `i` requests access to the CS:
    fn on_request_cs(&mut self, out: &mut Out<Msg>) {
        assert_eq!(self.status, Status::Remainder, "RequestCs only in the remainder section");
        self.status = Status::Waiting; //                                               1
        self.q.enqueue(self.i); //                                                      2
        if !self.is_holder() {
            //                                                                          3
            if self.must_ask(self.q.is_just(self.i)) {
                self.forward_request(out); //                                           4
            }
        } else {
            self.give_token_to_next(Freed::Before, out); //                              5
        }
    }

    /// When node `i` releases the CS:
    fn on_release_cs(&mut self, out: &mut Out<Msg>) {
        assert_eq!(self.status, Status::Critical, "ReleaseCs only in the critical section");
        self.status = Status::Remainder; //                                             2
        if !self.q.is_empty() {
            self.give_token_to_next(Freed::ByRelease, out); //                           1
        } else {
            self.pass_on_idle_token(out);
        }
        if self.is_highest() {
            //                                                                          3
            self.lower_height(out); //                                                  4
        }
    }

    /// When `Request(h)` received at node `i` from node `j`:
    fn on_request(&mut self, j: NodeId, h: Height, known: u32, out: &mut Out<Msg>) {
        let link = &mut self.link[j];
        if link.tokens_sent > 0 {
            return; //                                                                  1
        }
        link.set_height(h); //                                                          2
        link.holds = false; // D6
        self.lowered = false; // D6
        self.see(h); // D10
        if self.my_height < h && !self.is_void(known) {
            self.q.enqueue(j); //                                                       3
        }
        if self.is_holder() {
            //                                                                          4
            let spare = self.status == Status::Remainder
                || (self.status == Status::Critical && self.num_tokens > 1);
            if !self.q.is_empty() && spare {
                //                                                                      5
                self.give_token_to_next(Freed::Before, out); //                          6
            }
        } else if self.follow_part(out) {
            // D10
        } else if self.is_lowest() {
            //                                                                       7, 8
            self.raise_height(false, out); //                                           9
        } else if self.must_ask(self.q.is_just(j) || self.must_reroute()) {
            //                                                                         10
            self.forward_request(out); //                                              11
        }
    }

    /// When `Token(h)` received at node `i` from node `j`:
    fn on_token(&mut self, j: NodeId, h: Height, load: Load, out: &mut Out<Msg>) {
        self.num_tokens += 1; //                                                     1, 2
        self.load = load;
        self.lowered = false; // D6
        self.raises_before = self.raises; // D4
        self.asked &= self.next != Some(j); // D2
        self.see(h); // D10
        let published = self.variant == Variant::Published;
        let link = &mut self.link[j];
        link.visited = self.forwarding != Forwarding::Never; // KRLF: 1
        link.holds = false; // D6
        if published || link.tokens_sent == 0 {
            link.set_height(h); //                                                      3
        }
        if self.my_height > h {
            //                                                                          4
            self.come_below(j, h, out);
        }
        if published {
            out.send(j, Msg::LinkInfo(h.below(self.i), self.said(j))); //               8
        } else {
            out.send(j, Msg::Ack(self.my_height, self.said(j))); // D5
            self.link[j].told = None;
        }
        self.use_token(out);
    }

    /// When `LinkInfo(h)` received at node `i` from node `j`, or the receipt of a token confirmed:
    fn on_link_info(&mut self, j: NodeId, h: Height, said: Said, ack: bool, out: &mut Out<Msg>) {
        let raised = self.hear(j, h, said, ack, out);
        self.see(h); // D10
        let is_below = self.height_of(j).is_some_and(|height| self.my_height > height);
        if is_below || self.is_not_counted_on(said) {
            self.q.delete(j); //                                                        7
        }
        self.asked &= is_below || self.next != Some(j); // D2
        self.put_right(j, h, out); // D7
        if self.is_holder() && self.is_highest() {
            //                                                                       8, 9
            self.lower_height(out); //                                                 10
        }
        let ask_again = raised && self.asked() == Some(j);
        if self.is_holder() && self.variant == Variant::Repaired {
            self.wake_idle_token(said.reach, out); // D3
        } else if self.follow_part(out) {
            // D10
        } else if !self.is_holder() && self.is_lowest() {
            //                                                                         11
            return self.raise_height(false, out); //                                   12
        } else if self.must_ask(self.must_reroute()) {
            //                                                                         13
            self.forward_request(out); //                                              14
        }
        if ask_again && self.asked() == Some(j) {
            self.send_request(j, out); // D4
        }
    }

    /// When failure of link to `j` detected at node `i`:
    fn on_link_failure(&mut self, j: NodeId, out: &mut Out<Msg>) {
        self.leave_n(j); //                                                          1, 3
        self.q.delete(j); //                                                            2
        if self.is_holder() {
            //                                                                          4
            if self.is_highest() {
                //                                                                      9
                self.lower_height(out); //                                             10
            }
        } else if self.follow_part(out) {
            // D10
        } else if self.is_lowest() {
            //                                                                          5
            self.raise_height(true, out); //                                            6
        } else if self.must_ask(!self.q.is_empty() && !self.next_is_in_n()) {
            //                                                                          7
            self.forward_request(out); //                                               8
        }
    }

    /// When formation of link to `j` detected at node `i`:
    fn on_link_formation(&mut self, j: NodeId, out: &mut Out<Msg>) {
        out.send(j, Msg::LinkInfo(self.my_height, self.said(j))); //                    1
        self.forming.insert(j, (self.my_height, self.raises)); //                    2, 3
        if let Some(link) = self.link.get_mut(j) {
            link.visited = false; // KRLF: 4
        }
    }

    /// When a token sent to `j` comes back, the link to which has failed:
    fn on_returned(&mut self, j: NodeId, msg: Msg, out: &mut Out<Msg>) {
        let Msg::Token(_, load) = msg else { panic!("only tokens come back") };
        if self.variant == Variant::Published {
            return out.undefined("a token that comes back");
        }
        self.num_tokens += 1; // D11
        self.load = load;
        self.leave_n(j);
        self.use_token(out);
    }
}

impl fmt::Debug for Msg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = |f: &mut fmt::Formatter<'_>, said: &Said| {
            let Said { raises, asks, holds, reach } = *said;
            write!(f, "{}{}", if asks { "?" } else { "" }, if holds { "*" } else { "" })?;
            let numbers = [("#", raises), ("~", u32::from(reach))];
            let mut shown = numbers.into_iter().filter(|(_, number)| *number > 0);
            shown.try_for_each(|(sign, number)| write!(f, "{sign}{number}"))
        };
        match self {
            Msg::Request(h, 0) => write!(f, "Request{h}"),
            Msg::Request(h, n) => write!(f, "Request{h}#{n}"),
            Msg::Token(h, Load { level: 0, .. }) => write!(f, "Token{h}"),
            Msg::Token(h, load) => write!(f, "Token{h}~{}/{}", load.reach, load.level),
            Msg::LinkInfo(h, words) => write!(f, "LinkInfo{h}").and_then(|()| said(f, words)),
            Msg::Ack(h, words) => write!(f, "Ack{h}").and_then(|()| said(f, words)),
        }
    }
}
