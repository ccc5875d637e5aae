//! Nodes of RL that start alone and meet one by one (D6).

use alloc::vec::Vec;

use driftlock_core::{Cold, Fifo, Inspect, NodeId, Out, PeerMap, Status};

use super::{Height, Msg, Rl};
use crate::Variant;

impl Cold for Rl {
    type Settings = ();

    fn cold(me: NodeId, founder: bool, (): &()) -> Self {
        Rl {
            i: me,
            variant: Variant::Repaired,
            status: Status::Remainder,
            token_holder: founder,
            my_height: Height::new(0, 0, me),
            next: founder.then_some(me),
            q: Fifo::new(),
            link: PeerMap::new(),
            forming: PeerMap::new(),
            asked: false,
            raises: 0,
            raises_before: 0,
            cold: !founder,
        }
    }

    fn is_idle(&self) -> bool {
        let confirmed = self.link.iter().all(|(_, link)| link.received_li);
        let placed = !self.cold && confirmed;
        self.status == Status::Remainder && self.q.is_empty() && !self.asked && placed
    }

    /// As if `to` had asked.
    fn hand_on(&mut self, to: NodeId, out: &mut Out<Msg>) {
        if self.knows(to) && self.token_holder {
            self.q.enqueue(to);
            self.give_token_to_next(out);
        }
    }

    /// As if the token came back.
    fn regenerate(&mut self, tokens: u32, _weight: i64, out: &mut Out<Msg>) {
        if tokens == 0 {
            return;
        }
        (self.token_holder, self.asked, self.raises_before) = (true, false, self.raises);
        self.be_somewhere(self.my_height, out);
        for (k, _) in self.link.iter().filter(|(_, link)| link.in_n) {
            out.send(k, Msg::LinkInfo(self.my_height, self.raises));
        }
        if self.q.is_empty() {
            self.next = Some(self.i);
        } else {
            self.give_token_to_next(out);
        }
    }

    fn asked_by(&self) -> Vec<NodeId> {
        self.q.iter().filter(|&j| j != self.i).collect()
    }
}

impl Rl {
    /// A neighbor is at `h`. A node without a height takes one above, and says so to all.
    pub(super) fn hear_first(&mut self, h: Height, out: &mut Out<Msg>) {
        if self.cold {
            self.be_somewhere(h.above(self.i), out);
        }
    }

    /// A node without a height takes this one.
    fn be_somewhere(&mut self, height: Height, out: &mut Out<Msg>) {
        if !core::mem::take(&mut self.cold) {
            return;
        }
        self.my_height = height;
        for (k, form_height) in self.forming.iter_mut() {
            *form_height = self.my_height;
            out.send(k, Msg::LinkInfo(self.my_height, self.raises));
        }
    }
}
