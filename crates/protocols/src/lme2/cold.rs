//! Nodes of LME-2 that start alone and meet one by one. There is nothing that only a founder has.

use alloc::vec::Vec;

use driftlock_core::{Cold, NodeId, Out, Status};

use super::{Config, Lme2, Msg};

impl Cold for Lme2 {
    type Settings = Config;

    fn cold(me: NodeId, _founder: bool, config: &Config) -> Self {
        Lme2::new(me, &[], *config)
    }

    fn is_idle(&self) -> bool {
        self.status == Status::Remainder
    }

    fn hand_on(&mut self, _to: NodeId, _out: &mut Out<Msg>) {}

    /// There is nothing to be lost: forks are made anew with each link.
    fn regenerate(&mut self, _tokens: u32, _weight: i64, _out: &mut Out<Msg>) {}

    fn asked_by(&self) -> Vec<NodeId> {
        self.link.iter().filter_map(|(j, link)| link.suspended.then_some(j)).collect()
    }
}
