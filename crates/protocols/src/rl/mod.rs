//! RL, the Reverse Link algorithm: one token over links that come and go.
//!
//! J. E. Walter, J. L. Welch, N. H. Vaidya: *A Mutual Exclusion Algorithm for Ad Hoc Mobile
//! Networks*. Wireless Networks 7(6), 2001. The line numbers are those of section 4.3.
//!
//! # Idea
//!
//! Whoever has the token may enter. Every node has a height; a link leads from its higher to its
//! lower end, and the token's holder is the lowest node of all, so that going down leads to the
//! token. Requests go down and leave queue entries behind, and the token comes back up along them.
//! Taking the token lowers a node below the one it came from. A node that has lost its last way
//! down lifts itself just above its lowest neighbor (partial reversal) and tells its neighbors.
//!
//! # Model
//!
//! Links are bidirectional and FIFO; both ends learn at the same time that a link comes up or goes
//! down; nothing is in transit on a link that goes down; the network stays connected; nodes do not
//! fail (section 3). If link changes cease, every request is granted (Theorem 2).
//!
//! # Names
//!
//! | paper | here |
//! |---|---|
//! | `N` | the peers of `link` with `in_n` |
//! | `height[j]`, `receivedLI[j]` | `link[j].height`, `link[j].received_li` |
//! | `forming[j]` and `formHeight[j]` | `forming[j]`, which is there while `forming[j]` is true |
//! | `status`, `myHeight`, `tokenHolder`, `next`, `Q` | the same |
//!
//! # Reading of the published text
//!
//! The initial heights are left open in the paper; here `h2` is the distance from node 0. A height
//! that the holder reads of itself (LinkInfo, line 9, where `next = i`) is its own. Where a minimum
//! over an empty `N` is asked for, [`Variant::Published`] answers
//! [`Output::Undefined`](driftlock_core::Output::Undefined) and does nothing.
//!
//! # Where this departs from the paper
//!
//! * **D1.** A node with `N = ∅` is no sink and sends nothing. The paper has `j` join `N` only when
//!   its first LinkInfo arrives, so `N` can be empty although the network is connected; RaiseHeight
//!   and ForwardRequest then take a minimum over nothing. Shortest case, on the links 0-1 and 0-2:
//!   the link 1-2 comes up, 0-1 goes down.
//! * **D2.** A node keeps in mind whether a request of its own is under way (`asked`, as Raymond
//!   has it), and sends one whenever somebody is on `Q` and none is. The paper infers that from
//!   `|Q|` and from `height[next]`, which may belong to a link that has failed: a request that D1
//!   held back would never be sent, others would be sent twice. The record of a link goes with
//!   the link.
//! * **D3.** The holder of the token never reroutes on LinkInfo. Line 9 lacks the guard that line 8
//!   has, and reads `height[i]`, which is not defined; with the reading above nothing changes.
//! * **D4.** A request is void if its receiver has raised its height, unknown to the sender, and
//!   has taken the token since; and who hears that `next` has raised its height and is still below
//!   asks it once more. Raises are numbered for that. In the paper, a node that hears that `next`
//!   is above it now asks elsewhere; if its first request is still in transit, and `next` takes
//!   the token before it arrives, both requests count. The token then comes to a node that wants
//!   nothing while its other request is on the way, which makes that one a request nobody wants,
//!   and so on: in a clique of four nodes it takes one link that goes down, or with D2 one that
//!   goes down and comes back, for the token to be sent round for ever.
//! * **D5.** A token that did not arrive, on a link that is gone, is taken back by its sender,
//!   which is the lowest node still: nobody comes below it but by the token, and it has not raised
//!   itself, taking the receiver for lower. In the paper nothing is in transit on a link that goes
//!   down.
//! * **D6.** A node may start alone. It has no height and says nothing until a neighbor says what
//!   its own height is; then it takes one just above, and tells all neighbors. With a height from
//!   the start, nodes that meet each other before they meet the token would raise theirs for ever.

mod cold;
mod height;
mod initial;
mod outside;

use core::fmt;

use driftlock_core::{Fifo, Input, NoTimer, NodeId, Out, PeerMap, Protocol, Status};

pub use self::height::Height;
pub use self::initial::Config;
use crate::Variant;

/// The messages of section 4.2. Each has the sender's height when it was sent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Msg {
    /// The sender, or a node behind it, wants the token. The number is that of the receiver's last
    /// raise that the sender knows of (D4).
    Request(Height, u32),
    /// The token.
    Token(Height),
    /// The sender's height has changed, or a link has formed. The number is that of the sender's
    /// last raise (D4).
    LinkInfo(Height, u32),
}

/// What a node knows of the link to a neighbor `j`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Link {
    /// `h1` and `h2` of `height[j]`, the neighbor's height as far as known; the third is `j`.
    h: (i64, i64),
    /// `receivedLI[j]`: false from sending the token until its receipt is confirmed. Heights that
    /// arrive in between are older than the token.
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

    /// `height[j]`, where `j` is the neighbor this is the link to.
    #[inline]
    fn height(&self, j: NodeId) -> Height {
        Height::new(self.h.0, self.h.1, j)
    }

    #[inline]
    fn set_height(&mut self, height: Height) {
        self.h = (height.h1, height.h2);
    }
}

/// The process of one node: the data structures of section 4.1.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rl {
    i: NodeId,
    variant: Variant,
    status: Status,
    token_holder: bool,
    my_height: Height,
    next: Option<NodeId>,
    q: Fifo,
    link: PeerMap<Link>,
    forming: PeerMap<Height>,
    /// Whether a request of this node is under way: sent to `next`, neither answered nor void (D2).
    asked: bool,
    /// How often this node has raised its height, and how often when it last took the token (D4).
    raises: u32,
    raises_before: u32,
    /// Whether this node has not heard of the token yet, and has no height (D6).
    cold: bool,
}

impl Protocol for Rl {
    type Msg = Msg;
    type Timer = NoTimer;

    fn step(&mut self, input: Input<Msg>, out: &mut Out<Msg>) {
        match input {
            Input::RequestCs(_) => self.on_request_cs(out),
            Input::ReleaseCs => self.on_release_cs(out),
            Input::Recv { from: j, msg: Msg::Request(h, n) } => self.on_request(j, h, n, out),
            Input::Recv { from: j, msg: Msg::Token(h) } => self.on_token(j, h, out),
            Input::Recv { from: j, msg: Msg::LinkInfo(h, n) } => self.on_link_info(j, h, n, out),
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
impl Rl {
    /// When node `i` requests access to the CS:
    fn on_request_cs(&mut self, out: &mut Out<Msg>) {
        assert_eq!(self.status, Status::Remainder, "RequestCs only in the remainder section");
        self.status = Status::Waiting; //                                               1
        self.q.enqueue(self.i); //                                                      2
        if !self.token_holder {
            //                                                                          3
            if self.must_ask(self.q.is_just(self.i)) {
                self.forward_request(out); //                                           4
            }
        } else {
            self.give_token_to_next(out); //                                            5
        }
    }

    /// When node `i` releases the CS:
    fn on_release_cs(&mut self, out: &mut Out<Msg>) {
        assert_eq!(self.status, Status::Critical, "ReleaseCs only in the critical section");
        if !self.q.is_empty() {
            self.give_token_to_next(out); //                                            1
        }
        self.status = Status::Remainder; //                                             2
    }

    /// When `Request(h)` received at node `i` from node `j`:
    fn on_request(&mut self, j: NodeId, h: Height, known: u32, out: &mut Out<Msg>) {
        let link = &mut self.link[j];
        if !link.received_li {
            return; //                                                                  1
        }
        link.set_height(h); //                                                          2
        if self.my_height < h && !self.is_void(known) {
            self.q.enqueue(j); //                                                       3
        }
        if self.token_holder {
            //                                                                          4
            if self.status == Status::Remainder && !self.q.is_empty() {
                self.give_token_to_next(out); //                                        5
            }
        } else if self.is_lowest() {
            //                                                                          6
            self.raise_height(out); //                                                  7
        } else if self.must_ask(self.q.is_just(j) || self.must_reroute()) {
            //                                                                          8
            self.forward_request(out); //                                               9
        }
    }

    /// When `Token(h)` received at node `i` from node `j`:
    fn on_token(&mut self, j: NodeId, h: Height, out: &mut Out<Msg>) {
        assert!(!self.token_holder, "there is one token");
        self.token_holder = true; //                                                    1
        self.asked = false; // D2
        self.raises_before = self.raises; // D4
        self.link[j].set_height(h); //                                                  2
        let mine = h.below(self.i);
        for (k, link) in self.link.iter() {
            if k == j || (link.in_n && link.height(k) < self.my_height) {
                out.send(k, Msg::LinkInfo(mine, self.raises)); //                       3
            }
        }
        self.my_height = mine; //                                                    4, 5
        if !self.q.is_empty() {
            self.give_token_to_next(out); //                                            6
        } else {
            self.next = Some(self.i);
        }
    }

    /// When `LinkInfo(h)` received at node `i` from node `j`:
    fn on_link_info(&mut self, j: NodeId, h: Height, raises: u32, out: &mut Out<Msg>) {
        self.hear_first(h, out); // D6
        // A new record takes `h`, which line 5 would store anyway.
        let link = self.link.get_or_insert_with(j, || Link::new(h));
        link.in_n = true; //                                                            1
        let forming = self.forming.remove(j); //                                        4
        if forming.is_some_and(|form_height| form_height != self.my_height) {
            //                                                                          2
            out.send(j, Msg::LinkInfo(self.my_height, self.raises)); //                 3
        }
        let raised = core::mem::replace(&mut link.raises, raises) != raises; // D4
        if link.received_li {
            link.set_height(h); //                                                      5
        } else if link.height(j) == h {
            link.received_li = true; //                                                 6
        }
        let is_below = self.my_height > link.height(j);
        if is_below {
            self.q.delete(j); //                                                        7
        }
        self.asked &= is_below || self.next != Some(j); // D2
        if self.token_holder {
            return; // D3
        }
        if self.is_lowest() {
            self.raise_height(out); //                                                  8
        } else if self.must_ask(self.must_reroute()) {
            self.forward_request(out); //                                               9
        } else if raised && self.asked && self.next == Some(j) {
            self.send_request(j, out); // D4
        }
    }

    /// When failure of link to `j` detected at node `i`:
    fn on_link_failure(&mut self, j: NodeId, out: &mut Out<Msg>) {
        self.leave_n(j); //                                                          1, 3
        self.q.delete(j); //                                                            2
        if self.token_holder {
            return; //                                                                  4
        }
        if self.is_lowest() {
            self.raise_height(out); //                                                  5
        } else if self.must_ask(!self.q.is_empty() && !self.next_is_in_n()) {
            self.forward_request(out); //                                               6
        }
    }

    /// When formation of link to `j` detected at node `i`:
    fn on_link_formation(&mut self, j: NodeId, out: &mut Out<Msg>) {
        if !self.cold {
            // D6
            out.send(j, Msg::LinkInfo(self.my_height, self.raises)); //                 1
        }
        self.forming.insert(j, self.my_height); //                                   2, 3
    }

    /// When the token sent to `j` comes back, the link to which has failed:
    fn on_returned(&mut self, j: NodeId, msg: Msg, out: &mut Out<Msg>) {
        assert!(matches!(msg, Msg::Token(_)), "only the token comes back");
        assert!(!self.token_holder, "there is one token");
        if self.variant == Variant::Published {
            return out.undefined("a token that comes back");
        }
        self.token_holder = true; // D5
        self.leave_n(j);
        if !self.q.is_empty() {
            self.give_token_to_next(out);
        } else {
            self.next = Some(self.i);
        }
    }
}

/// The procedures.
impl Rl {
    /// Procedure ForwardRequest:
    fn forward_request(&mut self, out: &mut Out<Msg>) {
        let Some((lowest, _)) = self.n().min_by_key(|(_, height)| *height) else {
            return self.forward_to_nobody(out);
        };
        self.next = Some(lowest); //                                                    1
        self.send_request(lowest, out); //                                              2
    }

    /// `Send Request(myHeight) to j`.
    fn send_request(&mut self, j: NodeId, out: &mut Out<Msg>) {
        self.asked = true; // D2
        out.send(j, Msg::Request(self.my_height, self.link[j].raises));
    }

    /// ForwardRequest with `N = ∅`, which the paper leaves out.
    fn forward_to_nobody(&mut self, out: &mut Out<Msg>) {
        match self.variant {
            Variant::Published => {
                out.undefined("ForwardRequest, line 1: the lowest neighbor where N is empty");
            }
            Variant::Repaired => self.next = None, // D1
        }
    }

    /// Procedure GiveTokenToNext, only called when `|Q| > 0`:
    fn give_token_to_next(&mut self, out: &mut Out<Msg>) {
        let next = self.q.dequeue().expect("only called when |Q| > 0");
        self.next = Some(next); //                                                      1
        if next != self.i {
            //                                                                          2
            self.token_holder = false; //                                               3
            let link = &mut self.link[next];
            link.set_height(self.my_height.below(next)); //                             4
            link.received_li = false; //                                                5
            out.send(next, Msg::Token(self.my_height)); //                              6
            if !self.q.is_empty() {
                self.send_request(next, out); //                                        7
            }
        } else {
            //                                                                          8
            self.status = Status::Critical; //                                          9
            out.enter_cs(); //                                                         10
        }
    }

    /// Procedure RaiseHeight:
    fn raise_height(&mut self, out: &mut Out<Msg>) {
        let Some(lowest_h1) = self.n().map(|(_, height)| height.h1).min() else {
            return out.undefined("RaiseHeight, line 1: the minimum of h1 where N is empty");
        };
        out.note("RaiseHeight");
        self.my_height.h1 = 1 + lowest_h1; //                                           1
        self.asked = false; // D2
        if self.variant == Variant::Repaired {
            self.raises = self.raises.wrapping_add(1); // D4
        }
        let h1 = self.my_height.h1;
        let s = self.n().filter(|(_, height)| height.h1 == h1); //                      2
        if let Some(lowest_h2) = s.map(|(_, height)| height.h2).min() {
            self.my_height.h2 = lowest_h2 - 1; //                                       3
        }
        for (k, link) in self.link.iter().filter(|(_, link)| link.in_n) {
            out.send(k, Msg::LinkInfo(self.my_height, self.raises)); //                 4
            if self.my_height > link.height(k) {
                self.q.delete(k); //                                                    5
            }
        }
        if !self.q.is_empty() {
            self.forward_request(out); //                                               6
        }
    }

    /// `N := N − {j}; receivedLI[j] := true`. The arrays of the paper outlive the link.
    fn leave_n(&mut self, j: NodeId) {
        self.forming.remove(j);
        self.asked &= self.next != Some(j); // D2
        match (self.variant, self.link.get_mut(j)) {
            (Variant::Published, Some(link)) => (link.in_n, link.received_li) = (false, true),
            (Variant::Repaired, Some(_)) => drop(self.link.remove(j)), // D2
            (_, None) => {}
        }
    }
}

/// The expressions.
impl Rl {
    /// `N` with `height[k]` for each `k`.
    fn n(&self) -> impl Iterator<Item = (NodeId, Height)> {
        self.link.iter().filter(|(_, link)| link.in_n).map(|(k, link)| (k, link.height(k)))
    }

    /// `myHeight < height[k], ∀k ∈ N`: a sink. In the paper this is true of `N = ∅`.
    fn is_lowest(&self) -> bool {
        let mut empty = true;
        for (k, link) in self.link.iter().filter(|(_, link)| link.in_n) {
            if self.my_height > link.height(k) {
                return false;
            }
            empty = false;
        }
        !empty || self.variant == Variant::Published // D1
    }

    /// Whether a request has to be sent: as the paper has it in that place; or if somebody is on
    /// `Q` and none is under way.
    fn must_ask(&self, published: bool) -> bool {
        match self.variant {
            Variant::Published => published,
            Variant::Repaired => !self.q.is_empty() && !self.asked, // D2
        }
    }

    /// Whether a request of someone who knew of so many raises is void: the sender did not know of
    /// a raise before the token was here, and asks again when it hears of it (D4).
    fn is_void(&self, known: u32) -> bool {
        let unknown = self.raises.wrapping_sub(known);
        let since_token = self.raises.wrapping_sub(self.raises_before);
        unknown > since_token
    }

    /// `|Q| > 0 and myHeight < height[next]`: the request went where the token no longer is.
    fn must_reroute(&self) -> bool {
        let height = self.next.and_then(|next| self.link.get(next).map(|link| link.height(next)));
        !self.q.is_empty() && height.is_some_and(|height| self.my_height < height)
    }

    fn next_is_in_n(&self) -> bool {
        self.next.and_then(|next| self.link.get(next)).is_some_and(|link| link.in_n)
    }
}

impl fmt::Debug for Msg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Msg::Request(h, 0) => write!(f, "Request{h}"),
            Msg::LinkInfo(h, 0) => write!(f, "LinkInfo{h}"),
            Msg::Request(h, n) => write!(f, "Request{h}#{n}"),
            Msg::Token(h) => write!(f, "Token{h}"),
            Msg::LinkInfo(h, n) => write!(f, "LinkInfo{h}#{n}"),
        }
    }
}
