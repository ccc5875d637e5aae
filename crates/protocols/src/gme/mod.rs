//! GME, group mutual exclusion: those who want the same resource may enter together, over links
//! that come and go.
//!
//! J.-R. Jiang: *A Group Mutual Exclusion Algorithm for Ad Hoc Mobile Networks*. The paper has
//! prose and no pseudocode; where the margin would have line numbers, functions name the paragraph
//! of its section 3.
//!
//! # Idea
//!
//! The token is that of RL ([`crate::rl`]), and so are heights, queues and reversals. Its holder,
//! the leader, enters and opens a session for its resource: it sends subtokens to whoever asks, and
//! these are passed on along the queues, so that all who want the same resource enter too. Each
//! subtoken has a weight, which is split where the subtoken is, and which comes back to the leader
//! when those who have it leave. When all weight is back the session is over, and the token moves.
//!
//! # Model
//!
//! That of RL: bidirectional FIFO links that go down idle, both ends are told at once, the network
//! stays connected, nodes do not fail.
//!
//! # Names
//!
//! | paper | here |
//! |---|---|
//! | `state`: NCS, ES, CS | `status`: remainder, waiting, critical |
//! | `N`, `hVector[j]`, `receivedLINK[j]` | `link[j].in_n`, `.height(j)`, `.received_li` |
//! | `forming[j]` and `formHeight[j]` | `forming[j]`, which is there while `forming[j]` is true |
//! | `weight` | `weight`: what the leader has out, below 0; what others hold, above 0 |
//! | `R` at the leader | `sess` |
//! | REQUEST, TOKEN, SUBTOKEN, RELEASE, LINK | [`Msg`], which has one more (D12) |
//!
//! # Reading of the published text
//!
//! A weight of 1 is [`Config::units`] units. A forwarded request asks for what the head of `Q`
//! wants. The holder leaves the critical section even if its `weight` is not 0, and who has sent
//! its weight away has none left. Heights attached to SUBTOKEN and RELEASE are never used and left
//! out. To dequeue from an empty queue, to split into no parts, and to take the lowest of no
//! neighbors is [`Output::Undefined`](driftlock_core::Output::Undefined), and nothing is done.
//!
//! # Where this departs from the paper
//!
//! * **D1.** As in RL: a node with `N = ∅` is no sink and sends nothing. Weight that it has to send
//!   back waits in `buffer` until there is a neighbor.
//! * **D2.** As in RL: whether a request is under way is state (`asked`), with what it was for. One
//!   is sent whenever somebody is on `Q` and none is under way, so also when a subtoken has
//!   answered the last one and requests for other resources remain, which the paper forgets.
//! * **D3.** The leader never asks or reroutes. In the paper `next` of a holder may be a neighbor.
//! * **D4.** As in RL: raises are numbered; a request that crossed with one, and then with the
//!   token, is void, and who hears that `next` has raised its height and is still below asks again.
//! * **D5.** A session is over when the leader is out and no weight is out, and nothing else ends
//!   it: the token does not move before, and nobody enters for another resource. The paper sets
//!   `weight` to 0 when the holder asks again, and sends the token away whenever a request finds
//!   the holder outside. Shortest cases: 6 and 8 actions without any link change.
//! * **D6.** A subtoken says which request it answers, if any, and requests that follow each other
//!   without an answer are numbered. A node has one request on a queue, and when nobody wants what
//!   it is for any more, it asks for something else in its place. Without the number, a request
//!   that was repeated (D4) while its answer was on the way counts twice, and concurrent entering
//!   does not hold: on a ring of four nodes with one link change, in 32 actions.
//! * **D7.** A subtoken is split among those who can use it. Weight that nobody can use goes back;
//!   so does what reaches the leader. In the paper a subtoken that finds `Q` empty is split into
//!   nothing, and the share of a node's own request for something else is lost; in both cases
//!   the token never moves again.
//! * **D8.** Weights are whole units. If there are more who could enter than units, some are left
//!   on `Q` and asked for anew, which brings a subtoken with all its units. Sums of fractions need
//!   not come out even, and whole numbers do.
//! * **D9.** Weight on its way to the leader does not touch `next`, which is about requests.
//! * **D10.** The leader answers as long as the session is on, not only while it is inside: with D5
//!   alone, concurrent entering would not hold once it has left. Each request for another resource
//!   is sent a subtoken once in a session, and such a subtoken is passed on to everyone, for there
//!   may be one behind who wants what the session is for. One that answers a request goes only to
//!   those who want that. The paper sends to everyone on every request.
//! * **D11.** Once the leader knows of a request for another resource it lets in, or sends
//!   subtokens to, at most [`Config::session`] more in that session. The paper has no such bound,
//!   and a popular resource may keep all others waiting for ever; so it is with `None`.
//! * **D12.** Who has asked, and has nobody on `Q` any more since a link failed, withdraws its
//!   request. In RL such a request at worst brings the token to where nobody wants it. Here it
//!   hides what is asked for behind it, and concurrent entering does not hold: on a ring of four
//!   nodes with one link change, in 23 actions.
//! * **D13.** What did not arrive, on a link that is gone, is taken back by its sender: the token,
//!   with which it leads again, being the lowest node still as in RL; or weight, which goes back to
//!   the leader. In the paper nothing is in transit on a link that goes down.
//! * **D14.** As in RL (D6): a node may start alone, and has no height until it hears one.
//! * **D15.** A sink rises to the level (`h1`) of its highest neighbor, if that is more than one
//!   above the lowest. Where levels are far apart, partial reversal takes as many raises as that
//!   (C. Busch, S. Surapaneni, S. Tirthapura: *Analysis of Link Reversal Routing Algorithms for
//!   Mobile Ad Hoc Networks*, 2003), and in a part without the token they rise for as long as it
//!   lasts. Any raise will do: a node next to one that rises no more is above it in the end.

mod cold;
mod initial;
mod outside;
mod published;
mod queue;
mod repaired;
mod weight;

use core::fmt;

use driftlock_core::{Input, NoTimer, NodeId, Out, PeerMap, Protocol, ResourceId, Status};

pub use self::initial::Config;
pub use self::queue::Entry;
use self::queue::Queue;
pub use self::weight::split;
use crate::Variant;
use crate::rl::Height;

/// The messages of section 3.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Msg {
    /// The sender, or a node behind it, wants to enter.
    Request {
        /// The sender's height.
        h: Height,
        /// What for.
        r: ResourceId,
        /// The number of the receiver's last raise that the sender knows of (D4).
        known: u32,
        /// How many requests before this one have no answer (D6).
        again: u32,
    },
    /// The token, and the sender's height.
    Token(Height),
    /// The receiver, and whoever is behind it, may enter for a resource.
    Sub {
        /// The resource.
        r: ResourceId,
        /// The weight, in units.
        w: u64,
        /// `again` of the request that this answers, if it answers one (D6).
        answers: Option<u32>,
    },
    /// Weight that goes back to the leader.
    Release(u64),
    /// The sender's height has changed, or a link has formed. The number is that of the sender's
    /// last raise (D4).
    Link(Height, u32),
    /// The sender does not want anything any more: its request is void (D12).
    Withdraw,
}

/// What a node knows of the link to a neighbor `j`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Link {
    /// `h1` and `h2` of `hVector[j]`, the neighbor's height as far as known; the third is `j`.
    h: (i64, i64),
    /// `receivedLINK[j]`: false from sending the token until its receipt is confirmed.
    received_li: bool,
    /// Whether `j ∈ N`.
    in_n: bool,
    /// The number of the last raise of `j` that is known (D4).
    raises: u32,
}

impl Link {
    fn new(height: Height) -> Self {
        Link { h: (height.h1, height.h2), received_li: true, in_n: true, raises: 0 }
    }

    /// `hVector[j]`, where `j` is the neighbor this is the link to.
    fn height(&self, j: NodeId) -> Height {
        Height::new(self.h.0, self.h.1, j)
    }

    fn set_height(&mut self, height: Height) {
        self.h = (height.h1, height.h2);
    }
}

/// A request under way: sent to `next`, neither answered nor void (D2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Ask {
    /// What for; none if it was withdrawn since (D12), which its answer may have crossed with.
    r: Option<ResourceId>,
    /// How many before it have no answer (D6).
    again: u32,
}

/// The process of one node: the variables of section 3.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Gme {
    i: NodeId,
    config: Config,
    status: Status,
    leader: bool,
    my_height: Height,
    next: Option<NodeId>,
    q: Queue,
    link: PeerMap<Link>,
    /// With the number of the last raise (D4).
    forming: PeerMap<(Height, u32)>,
    /// What this node holds of the leader's weight; at the leader, less than nothing if it has some
    /// out. Never both: while weight is out the token does not move (D5).
    weight: i64,
    /// Weight that waits for a neighbor to be sent to (D1).
    buffer: u64,
    /// The leader's session, or in the published text, what the holder is inside for.
    sess: Option<ResourceId>,
    /// How many more subtokens there are in the session, if others wait for its end (D11).
    left: u32,
    asked: Option<Ask>,
    /// How often this node has raised its height, and how often when it last took the token (D4).
    raises: u32,
    raises_before: u32,
    /// Whether this node has not heard of the token yet, and has no height (D14).
    cold: bool,
}

impl Protocol for Gme {
    type Msg = Msg;
    type Timer = NoTimer;

    fn step(&mut self, input: Input<Msg>, out: &mut Out<Msg>) {
        match input {
            Input::RequestCs(_) => {
                assert_eq!(self.status, Status::Remainder, "RequestCs only in the remainder");
            }
            Input::ReleaseCs => {
                assert_eq!(self.status, Status::Critical, "ReleaseCs only in the critical section");
            }
            _ => {}
        }
        match self.config.variant {
            Variant::Published => self.step_published(input, out),
            Variant::Repaired => self.step_repaired(input, out),
        }
    }

    fn status(&self) -> Status {
        self.status
    }
}

/// The events, as far as the variants agree: those of RL.
impl Gme {
    /// Link forming.
    fn on_link_forming(&mut self, j: NodeId, out: &mut Out<Msg>) {
        if !self.cold {
            out.send(j, Msg::Link(self.my_height, self.raises)); // D14
        }
        self.forming.insert(j, (self.my_height, self.raises));
    }

    /// Receiving a link information message, up to what follows from it. Says whether `j` has
    /// raised its height.
    fn hear_link(&mut self, j: NodeId, h: Height, raises: u32, out: &mut Out<Msg>) -> bool {
        self.hear_first(h, out); // D14
        let link = self.link.get_or_insert_with(j, || Link::new(h));
        link.in_n = true;
        let forming = self.forming.remove(j);
        if forming.is_some_and(|form| form != (self.my_height, self.raises)) {
            out.send(j, Msg::Link(self.my_height, self.raises));
        }
        let raised = core::mem::replace(&mut link.raises, raises) != raises;
        if link.received_li {
            link.set_height(h);
        } else if link.height(j) == h {
            link.received_li = true;
        }
        let is_below = self.my_height > link.height(j);
        if is_below {
            self.q.delete(j);
        } else if self.next == Some(j) {
            self.asked = None;
        }
        raised
    }

    /// Link failing, up to what follows from it. The arrays of the paper outlive the link.
    fn leave_n(&mut self, j: NodeId) {
        self.q.delete(j);
        self.forming.remove(j);
        if self.next == Some(j) {
            self.asked = None;
        }
        match (self.config.variant, self.link.get_mut(j)) {
            (Variant::Published, Some(link)) => (link.in_n, link.received_li) = (false, true),
            (Variant::Repaired, Some(_)) => drop(self.link.remove(j)), // D2
            (_, None) => {}
        }
    }

    /// Receiving the token message, up to what the new leader does with it.
    fn take_token(&mut self, j: NodeId, h: Height, out: &mut Out<Msg>) {
        assert!(!self.leader, "there is one token");
        self.leader = true;
        self.asked = None;
        self.raises_before = self.raises;
        self.link[j].set_height(h);
        self.my_height = below(h, self.i);
        for (k, link) in self.link.iter() {
            if k == j || link.in_n {
                out.send(k, Msg::Link(self.my_height, self.raises));
            }
        }
    }
}

/// The procedures.
impl Gme {
    /// The part of transmitToken() that lets another node have the token.
    fn pass_token(&mut self, next: NodeId, out: &mut Out<Msg>) {
        self.leader = false;
        self.next = Some(next);
        let link = &mut self.link[next];
        link.set_height(below(self.my_height, next));
        link.received_li = false;
        out.send(next, Msg::Token(self.my_height));
        if !self.q.is_empty() {
            self.send_request(next, out);
        }
    }

    /// The node enters.
    fn enter(&mut self, out: &mut Out<Msg>) {
        self.status = Status::Critical;
        out.enter_cs();
    }

    /// A subtoken with all its units.
    fn send_subtoken(
        &mut self,
        to: NodeId,
        r: ResourceId,
        answers: Option<u32>,
        out: &mut Out<Msg>,
    ) {
        let w = self.config.units;
        self.weight -= weight::signed(w);
        out.send(to, Msg::Sub { r, w, answers });
    }

    /// Procedure forwardRequest().
    fn forward_request(&mut self, out: &mut Out<Msg>) {
        match self.lowest() {
            Some(lowest) => {
                self.next = Some(lowest);
                self.send_request(lowest, out);
            }
            None if self.config.variant == Variant::Published => {
                out.undefined("forwardRequest: the lowest neighbor where N is empty");
            }
            None => self.next = None, // D1
        }
    }

    /// A request for what the head of `Q` wants, or the last one once more.
    fn send_request(&mut self, j: NodeId, out: &mut Out<Msg>) {
        let r = self.q.head().map(|head| head.r).or(self.asked.and_then(|ask| ask.r));
        let r = r.expect("somebody is on Q, or a request is under way");
        let again = match self.config.variant {
            Variant::Published => 0,
            Variant::Repaired => self.asked.map_or(0, |ask| ask.again.wrapping_add(1)), // D6
        };
        self.asked = Some(Ask { r: Some(r), again }); // D2
        let known = self.link[j].raises;
        out.send(j, Msg::Request { h: self.my_height, r, known, again });
    }

    /// Procedure raiseHeight(): the partial reversal of RL, if levels are not far apart (D15).
    fn raise_height(&mut self, out: &mut Out<Msg>) {
        let levels = || self.n().map(|(_, height)| height.h1);
        let (Some(lowest_h1), Some(highest_h1)) = (levels().min(), levels().max()) else {
            return out.undefined("raiseHeight: the lowest neighbor where N is empty");
        };
        out.note("raiseHeight");
        self.my_height.h1 = 1 + lowest_h1;
        self.asked = None;
        if self.config.variant == Variant::Repaired {
            self.raises = self.raises.wrapping_add(1); // D4
            self.my_height.h1 = self.my_height.h1.max(highest_h1); // D15
        }
        let h1 = self.my_height.h1;
        let same = self.n().filter(|(_, height)| height.h1 == h1);
        if let Some(lowest_h2) = same.map(|(_, height)| height.h2).min() {
            self.my_height.h2 = lowest_h2 - 1;
        }
        for (k, link) in self.link.iter().filter(|(_, link)| link.in_n) {
            out.send(k, Msg::Link(self.my_height, self.raises));
            if self.my_height > link.height(k) {
                self.q.delete(k);
            }
        }
        if !self.q.is_empty() {
            self.forward_request(out);
        }
    }
}

/// The expressions.
impl Gme {
    /// `N` with `hVector[k]` for each `k`.
    fn n(&self) -> impl Iterator<Item = (NodeId, Height)> {
        self.link.iter().filter(|(_, link)| link.in_n).map(|(k, link)| (k, link.height(k)))
    }

    /// The lowest neighbor.
    fn lowest(&self) -> Option<NodeId> {
        self.n().min_by_key(|(_, height)| *height).map(|(k, _)| k)
    }

    /// No outgoing link. In the paper this is true of `N = ∅`.
    fn is_sink(&self) -> bool {
        let empty = self.n().next().is_none();
        self.n().all(|(_, height)| self.my_height < height)
            && (!empty || self.config.variant == Variant::Published) // D1
    }
}

/// What the height of `id` becomes when it takes the token from the node at `h`.
fn below(h: Height, id: NodeId) -> Height {
    Height::new(h.h1, h.h2 - 1, id)
}

impl fmt::Debug for Msg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |f: &mut fmt::Formatter<'_>, mark: &str, n: u32| {
            if n == 0 { Ok(()) } else { write!(f, "{mark}{n}") }
        };
        match *self {
            Msg::Request { h, r, known, again } => {
                write!(f, "Request({r}){h}")?;
                number(f, "#", known)?;
                number(f, "+", again)
            }
            Msg::Withdraw => f.write_str("Withdraw"),
            Msg::Token(h) => write!(f, "Token{h}"),
            Msg::Sub { r, w, answers: None } => write!(f, "SubToken({r},{w})"),
            Msg::Sub { r, w, answers: Some(again) } => {
                write!(f, "SubToken({r},{w})!")?;
                number(f, "+", again)
            }
            Msg::Release(w) => write!(f, "Release({w})"),
            Msg::Link(h, raises) => {
                write!(f, "Link{h}")?;
                number(f, "#", raises)
            }
        }
    }
}
