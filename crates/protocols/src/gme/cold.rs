//! Nodes of GME that start alone and meet one by one (D14).

use alloc::vec::Vec;

use driftlock_core::{Cold, Inspect, NodeId, Out, PeerMap, ResourceId, Status};

use super::weight::signed;
use super::{Config, Gme, Msg, Queue};
use crate::Variant;
use crate::rl::Height;

/// What a session is for that nobody can join.
const NO_MORE: ResourceId = ResourceId(u64::MAX);

impl Cold for Gme {
    type Settings = Config;

    /// Panics if the text is the published one, or if there are too few or too many units.
    fn cold(me: NodeId, founder: bool, config: &Config) -> Self {
        assert_eq!(config.variant, Variant::Repaired, "the published text does not start cold");
        config.check();
        Gme {
            i: me,
            config: config.clone(),
            status: Status::Remainder,
            leader: founder,
            my_height: Height::new(0, 0, me),
            next: founder.then_some(me),
            q: Queue::default(),
            link: PeerMap::new(),
            forming: PeerMap::new(),
            weight: 0,
            buffer: 0,
            sess: None,
            left: 0,
            asked: None,
            raises: 0,
            raises_before: 0,
            cold: !founder,
        }
    }

    fn is_idle(&self) -> bool {
        let wants_nothing = self.status == Status::Remainder && self.q.is_empty();
        let lent_nothing = self.weight == 0 && self.buffer == 0;
        let confirmed = self.link.iter().all(|(_, link)| link.received_li);
        let placed = !self.cold && confirmed;
        wants_nothing && lent_nothing && placed && self.asked.is_none()
    }

    fn hand_on(&mut self, to: NodeId, out: &mut Out<Msg>) {
        if self.knows(to) && self.leader {
            self.pass_token(to, out);
        }
    }

    /// A token made anew leads whoever is still inside of the last session, and nobody else gets in
    /// until all their weight is back. Weight that comes back is as if it was released.
    fn regenerate(&mut self, tokens: u32, weight: i64, out: &mut Out<Msg>) {
        if 0 < tokens {
            assert!(!self.leader, "there is one token");
            self.leader = true;
            self.asked = None;
            self.raises_before = self.raises;
            self.weight += signed(core::mem::take(&mut self.buffer));
            let is_open = self.status == Status::Critical || self.weight + weight != 0;
            self.sess = is_open.then_some(NO_MORE);
            self.left = 0;
            self.be_somewhere(self.my_height, out);
            for (k, _) in self.link.iter().filter(|(_, link)| link.in_n) {
                out.send(k, Msg::Link(self.my_height, self.raises));
            }
        }
        if self.leader {
            self.weight += weight;
        } else {
            self.buffer += u64::try_from(weight).expect("a node without the token owes nothing");
        }
        self.go_on(out);
    }

    fn asked_by(&self) -> Vec<NodeId> {
        let entries = self.q.entries().iter().map(|entry| entry.j);
        entries.filter(|&j| j != self.i).collect()
    }
}

impl Gme {
    /// A neighbor is at `h`. A node without a height takes one above, and says so to all.
    pub(super) fn hear_first(&mut self, h: Height, out: &mut Out<Msg>) {
        if self.cold {
            self.be_somewhere(Height::new(h.h1, h.h2 + 1, self.i), out);
        }
    }

    /// A node without a height takes this one.
    fn be_somewhere(&mut self, height: Height, out: &mut Out<Msg>) {
        if !core::mem::take(&mut self.cold) {
            return;
        }
        self.my_height = height;
        for (k, form) in self.forming.iter_mut() {
            *form = (self.my_height, self.raises);
            out.send(k, Msg::Link(self.my_height, self.raises));
        }
    }
}
