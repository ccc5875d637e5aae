//! Nodes of KRL that start alone and meet one by one.
//!
//! A node alone has no token within reach and says so (D10), and that is how all but the founder
//! start. Whoever misses the token and hears of a neighbor that does not joins it from above, so
//! the network grows from the founder without a search, and nodes that meet before they meet it
//! are silent.

use alloc::vec::Vec;

use driftlock_core::{Cold, Fifo, Inspect, NodeId, Out, PeerMap, Status};

use super::height::Level;
use super::{Forwarding, Height, Krl, Load, Msg};
use crate::Variant;

/// What all nodes have to agree on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Settings {
    /// k: how many tokens there are. The founder starts with all of them.
    pub tokens: u32,
    /// What becomes of idle tokens.
    pub forwarding: Forwarding,
}

impl Cold for Krl {
    type Settings = Settings;

    /// Panics if there is no token.
    fn cold(me: NodeId, founder: bool, settings: &Settings) -> Self {
        assert!(settings.tokens > 0, "there is at least one token");
        let level =
            Level { missing: !founder, origin: (!founder).then_some(me), ..Level::plain(0) };
        Krl {
            i: me,
            variant: Variant::Repaired,
            forwarding: settings.forwarding,
            detects: true,
            status: Status::Remainder,
            total_tokens: settings.tokens,
            num_tokens: if founder { settings.tokens } else { 0 },
            my_height: Height { level, h2: 0, id: me },
            next: founder.then_some(me),
            q: Fifo::new(),
            link: PeerMap::new(),
            forming: PeerMap::new(),
            asked: false,
            raises: 0,
            raises_before: 0,
            lowered: false,
            clock: 0,
            load: Load::default(),
        }
    }

    fn is_idle(&self) -> bool {
        let wants_nothing = self.status == Status::Remainder && self.q.is_empty() && !self.asked;
        let confirmed = self.link.iter().all(|(_, link)| link.tokens_sent == 0);
        wants_nothing && confirmed && !self.no_token_reachable()
    }

    /// As idle tokens are passed on in KRLF, but all of them, and not far.
    fn hand_on(&mut self, to: NodeId, out: &mut Out<Msg>) {
        while self.knows(to) && self.is_holder() {
            self.load.reach = 0;
            self.pass_token(to, out);
        }
    }

    /// As if the tokens came back (D11), to a node that may have been anywhere: one that was
    /// searching, or missed the token, is below all who do from here on.
    fn regenerate(&mut self, tokens: u32, _weight: i64, out: &mut Out<Msg>) {
        if tokens == 0 {
            return;
        }
        self.num_tokens += tokens;
        self.lowered = false;
        self.asked = false;
        self.raises_before = self.raises;
        if self.my_height.level.origin.is_some() {
            let lowest = self.n().map(|(_, height)| height).filter(|h| h.level.origin.is_none());
            let place = lowest.min().unwrap_or(Height::new(0, 0, self.i));
            self.my_height = place.below(self.i);
        }
        self.tell_all(out);
        if self.q.is_empty() {
            self.use_token(out);
        }
        let spare = |krl: &Krl| krl.num_tokens > u32::from(krl.status == Status::Critical);
        while !self.q.is_empty() && spare(self) {
            self.use_token(out);
        }
        if self.is_highest() {
            self.lower_height(out);
        }
    }

    fn asked_by(&self) -> Vec<NodeId> {
        self.q.iter().filter(|&j| j != self.i).collect()
    }
}
