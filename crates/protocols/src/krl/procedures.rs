//! The procedures and expressions of KRL.

use driftlock_core::{NodeId, Out, Status};

use super::forwarding::Freed;
use super::height::{Height, Level};
use super::parts::NO_TOKEN_REACHABLE;
use super::{Krl, Link, Msg, Said};
use crate::Variant;

/// Parts of the events.
impl Krl {
    /// Lines 1 to 6 of LinkInfo: what `j` says of itself is written down. Returns whether it has
    /// raised its height.
    pub(super) fn hear(
        &mut self,
        j: NodeId,
        h: Height,
        said: Said,
        ack: bool,
        out: &mut Out<Msg>,
    ) -> bool {
        let words = self.said(j);
        // A new record takes `h`, which line 5 would store anyway.
        let link = self.link.get_or_insert_with(j, || Link::new(h));
        link.in_n = true; //                                                            1
        let forming = self.forming.remove(j); //                                        4
        self.lowered &= forming.is_none(); // D6
        if forming.is_some_and(|form| form != (self.my_height, self.raises)) {
            //                                                                          2
            out.send(j, Msg::LinkInfo(self.my_height, words)); //                       3
        }
        link.holds = said.holds; // D6
        let raised = core::mem::replace(&mut link.raises, said.raises) != said.raises; // D4
        link.tokens_sent -= u32::from(ack); // D5
        if link.tokens_sent == 0 {
            link.set_height(h); //                                                      5
        } else if self.variant == Variant::Published && link.height(j) == h {
            link.tokens_sent = 0; //                                                    6
        }
        raised
    }

    /// Lines 5 to 7 of Token: take a place below `j`, which is at `h`.
    pub(super) fn come_below(&mut self, j: NodeId, h: Height, out: &mut Out<Msg>) {
        let before = core::mem::replace(&mut self.my_height, h.below(self.i)); //    6, 7
        self.asked &= self.next_is_below(); // D2
        let (words, keeps) = (self.saying(), self.keeps_what_is_told());
        for (k, link) in self.link.iter_mut().filter(|(k, link)| *k != j && link.in_n) {
            // Who misses the token may know this node as one of its own search, which it has given
            // up, and would not ask (D10).
            if link.height(k) < before || link.h.0.missing {
                out.send(k, Msg::LinkInfo(self.my_height, words.to(k))); //             5
                link.told = None;
            } else if keeps {
                link.told.get_or_insert(before); // D7
            }
        }
    }

    /// Lines 9 and 10 of Token.
    pub(super) fn use_token(&mut self, out: &mut Out<Msg>) {
        if !self.q.is_empty() {
            self.give_token_to_next(Freed::ByArrival, out); //                           9
        } else {
            self.point_to(self.i); //                                                  10
            self.pass_on_idle_token(out);
        }
    }

    /// Tell `j` where this node is, if `j`, which is at `h` now, takes it for higher; or if `j`
    /// misses the token, and may not know that this node does not (D7).
    pub(super) fn put_right(&mut self, j: NodeId, h: Height, out: &mut Out<Msg>) {
        let words = self.said(j);
        let link = &mut self.link[j];
        let mistaken = |told| told > h || h.level.missing;
        if link.told.is_some_and(mistaken) && self.my_height < h {
            out.send(j, Msg::LinkInfo(self.my_height, words));
            link.told = None;
        }
    }

    /// `N := N − {j}; receivedLI[j] := true`. The arrays of the paper outlive the link.
    pub(super) fn leave_n(&mut self, j: NodeId) {
        self.forming.remove(j);
        self.lowered = false; // D6
        self.asked &= self.next != Some(j); // D2
        match (self.variant, self.link.get_mut(j)) {
            (Variant::Published, Some(link)) => (link.in_n, link.tokens_sent) = (false, 0),
            (Variant::Repaired, Some(_)) => drop(self.link.remove(j)), // D2
            (_, None) => {}
        }
    }
}

/// The procedures.
impl Krl {
    /// Procedure ForwardRequest:
    pub(super) fn forward_request(&mut self, out: &mut Out<Msg>) {
        let lowest = self.n().min_by_key(|(_, height)| *height);
        match (lowest, self.variant) {
            (None, Variant::Published) => {
                out.undefined("ForwardRequest, line 1: the lowest neighbor where N is empty");
            }
            (Some((lowest, height)), variant)
                if variant == Variant::Published || height < self.my_height =>
            {
                self.next = Some(lowest); //                                            1
                self.send_request(lowest, out); //                                      2
            }
            _ => self.next = None, // D1
        }
    }

    /// `Send Request(myHeight) to j`.
    pub(super) fn send_request(&mut self, j: NodeId, out: &mut Out<Msg>) {
        self.asked = true; // D2
        let link = &mut self.link[j];
        link.told = None;
        out.send(j, Msg::Request(self.my_height, link.raises));
    }

    /// Procedure GiveTokenToNext, only called when `|Q| > 0`:
    pub(super) fn give_token_to_next(&mut self, freed: Freed, out: &mut Out<Msg>) {
        let next = self.q.dequeue().expect("only called when |Q| > 0"); //              1
        self.token_is_wanted(freed);
        if next != self.i {
            //                                                                          2
            self.pass_token(next, out);
            if self.num_tokens == 0 && self.must_ask(!self.q.is_empty()) {
                //                                                                      9
                self.send_request(next, out); //                                       10
            }
        } else {
            //                                                                         11
            self.point_to(self.i);
            self.status = Status::Critical; //                                         12
            out.enter_cs(); //                                                         13
        }
    }

    /// Lines 3 to 8 of GiveTokenToNext, lines 5 to 10 of PickLowest&ForwardToken.
    pub(super) fn pass_token(&mut self, next: NodeId, out: &mut Out<Msg>) {
        self.num_tokens -= 1; //                                                  3, 4, 5
        self.lowered = false; // D6
        let published = self.variant == Variant::Published;
        if published || self.num_tokens == 0 {
            self.point_to(next); // D3
        }
        let below = self.my_height.below(next);
        let link = &mut self.link[next];
        if published || link.height(next) > below {
            // D8
            link.set_height(below); //                                                  6
        }
        link.tokens_sent = if published { 1 } else { link.tokens_sent + 1 }; //         7
        link.told = None;
        let load = core::mem::take(&mut self.load);
        out.send(next, Msg::Token(self.my_height, load)); //                            8
    }

    /// Procedure RaiseHeight; `lost`: because a link failed.
    pub(super) fn raise_height(&mut self, lost: bool, out: &mut Out<Msg>) {
        let Some(lowest_h1) = self.n().map(|(_, height)| height.level.h1).min() else {
            return out.undefined("RaiseHeight, line 1: the minimum of h1 where N is empty");
        };
        out.note("RaiseHeight");
        if self.detects {
            self.my_height = self.searching_height(lost); // D10
        } else {
            let h1 = 1 + lowest_h1;
            self.my_height.level = Level::plain(h1); //                                 1
            let s = self.n().filter(|(_, height)| height.level.h1 == h1); //            2
            if let Some(lowest_h2) = s.map(|(_, height)| height.h2).min() {
                self.my_height.h2 = lowest_h2 - 1; //                                   3
            }
        }
        if self.my_height.level.missing {
            out.note(NO_TOKEN_REACHABLE);
        }
        self.asked = false; // D2
        if self.variant == Variant::Repaired {
            self.raises = self.raises.wrapping_add(1); // D4
        }
        self.tell_all(out);
        if self.must_ask(!self.q.is_empty()) {
            self.forward_request(out); //                                               7
        }
    }

    /// Lines 4 to 6 of RaiseHeight: who is below now has to ask elsewhere.
    pub(super) fn tell_all(&mut self, out: &mut Out<Msg>) {
        let words = self.saying();
        for (k, link) in self.link.iter_mut().filter(|(_, link)| link.in_n) {
            out.send(k, Msg::LinkInfo(self.my_height, words.to(k))); //                 4
            link.told = None;
            if self.my_height > link.height(k) {
                //                                                                      5
                self.q.delete(k); //                                                    6
            }
        }
    }

    /// Procedure LowerHeight:
    pub(super) fn lower_height(&mut self, out: &mut Out<Msg>) {
        let Some(highest_h1) = self.n().map(|(_, height)| height.level.h1).max() else {
            return out.undefined("LowerHeight, line 1: the maximum of h1 where N is empty");
        };
        out.note("LowerHeight");
        self.lowered = true; // D6
        let before = self.my_height;
        let h1 = highest_h1 - 1;
        self.my_height.level = Level::plain(h1); //                                     1
        let s = self.n().filter(|(_, height)| height.level.h1 == h1); //                2
        if let Some(highest_h2) = s.map(|(_, height)| height.h2).max() {
            self.my_height.h2 = highest_h2 + 1; //                                      3
        }
        self.asked &= self.next_is_below(); // D2
        let (words, keeps) = (self.saying(), self.keeps_what_is_told());
        for (k, link) in self.link.iter_mut().filter(|(_, link)| link.in_n) {
            if link.height(k) > self.my_height {
                out.send(k, Msg::LinkInfo(self.my_height, words.to(k))); //             4
                link.told = None;
            } else if keeps {
                link.told.get_or_insert(before); // D7
            }
        }
    }
}

/// What is said to one neighbor or another.
#[derive(Clone, Copy)]
struct Saying {
    words: Said,
    /// Who is counted on.
    asked: Option<NodeId>,
}

impl Saying {
    fn to(self, k: NodeId) -> Said {
        Said { asks: self.asked == Some(k), ..self.words }
    }
}

/// The expressions.
impl Krl {
    /// `tokenHolder`.
    #[inline]
    pub(super) fn is_holder(&self) -> bool {
        self.num_tokens > 0
    }

    /// Whether it matters what neighbors take this node's height to be (D7).
    fn keeps_what_is_told(&self) -> bool {
        self.variant == Variant::Repaired && (self.total_tokens > 1 || self.detects)
    }

    /// `N` with `height[k]` for each `k`.
    pub(super) fn n(&self) -> impl Iterator<Item = (NodeId, Height)> {
        self.link.iter().filter(|(_, link)| link.in_n).map(|(k, link)| (k, link.height(k)))
    }

    /// `myHeight < height[k], ∀k ∈ N`: a sink. In the paper this is true of `N = ∅`. Who misses the
    /// token is no sink, and next to one there is none: that one will join it (D10).
    pub(super) fn is_lowest(&self) -> bool {
        let mut empty = true;
        for (_, height) in self.n() {
            if self.my_height > height || height.level.missing {
                return false;
            }
            empty = false;
        }
        !self.my_height.level.missing && (!empty || self.variant == Variant::Published) // D1
    }

    /// `myHeight > height[k], ∀k ∈ N`: out of reach for requests. In the paper this is true of
    /// `N = ∅`, of nodes without a token and of neighbors that have one.
    pub(super) fn is_highest(&self) -> bool {
        let mut useful = !self.lowered;
        for (k, link) in self.link.iter().filter(|(_, link)| link.in_n) {
            if self.my_height < link.height(k) {
                return false;
            }
            useful |= !link.holds;
        }
        let known = self.link.iter().any(|(_, link)| link.in_n);
        self.variant == Variant::Published || (known && useful && self.is_holder()) // D1, D6
    }

    /// Whether a request has to be sent: as the paper has it in that place; or if somebody is on
    /// `Q`, none is under way, and there may be a token somewhere.
    pub(super) fn must_ask(&self, published: bool) -> bool {
        match self.variant {
            Variant::Published => published,
            Variant::Repaired => {
                !self.q.is_empty() && !self.asked && !self.my_height.level.missing // D2, D10
            }
        }
    }

    /// Whether a request of someone who knew of so many raises is void: the sender did not know of
    /// a raise before this node came down, and asks again when it hears of it (D4).
    pub(super) fn is_void(&self, known: u32) -> bool {
        let unknown = self.raises.wrapping_sub(known);
        let since_token = self.raises.wrapping_sub(self.raises_before);
        unknown > since_token
    }

    /// Whether the sender has no request with this node (D2).
    pub(super) fn is_not_counted_on(&self, said: Said) -> bool {
        self.variant == Variant::Repaired && !said.asks
    }

    /// `|Q| > 0 and myHeight < height[next]`: the request went where no token is any more.
    pub(super) fn must_reroute(&self) -> bool {
        let height = self.next.and_then(|next| self.link.get(next).map(|link| link.height(next)));
        !self.q.is_empty() && height.is_some_and(|height| self.my_height < height)
    }

    pub(super) fn next_is_in_n(&self) -> bool {
        self.next.and_then(|next| self.link.get(next)).is_some_and(|link| link.in_n)
    }

    /// `next := j`, unless a request is under way elsewhere (D2).
    pub(super) fn point_to(&mut self, j: NodeId) {
        if self.variant == Variant::Published || !self.asked {
            self.next = Some(j);
        }
    }

    /// What this node says of itself.
    fn saying(&self) -> Saying {
        let (raises, reach) = (self.raises, self.load.reach);
        if self.variant == Variant::Published {
            return Saying { words: Said { raises, ..Said::default() }, asked: None };
        }
        let words = Said { raises, asks: false, holds: self.is_holder(), reach };
        Saying { words, asked: self.next.filter(|_| self.asked) }
    }

    /// What this node says of itself to `j`.
    pub(super) fn said(&self, j: NodeId) -> Said {
        self.saying().to(j)
    }
}

impl Link {
    pub(super) fn new(height: Height) -> Self {
        Link {
            h: (height.level, height.h2),
            tokens_sent: 0,
            in_n: true,
            raises: 0,
            holds: false,
            told: None,
            visited: false,
        }
    }

    /// `height[j]`, where `j` is the neighbor this is the link to.
    #[inline]
    pub(super) fn height(&self, j: NodeId) -> Height {
        Height { level: self.h.0, h2: self.h.1, id: j }
    }

    #[inline]
    pub(super) fn set_height(&mut self, height: Height) {
        self.h = (height.level, height.h2);
    }
}
