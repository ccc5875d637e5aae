//! Nodes of LME-2 that start alone and meet one by one. There is nothing that only a founder has.

use driftlock_core::{Cold, NodeId, Status};

use super::{Config, Lme2};

impl Cold for Lme2 {
    type Settings = Config;

    fn cold(me: NodeId, _founder: bool, config: &Config) -> Self {
        Lme2::new(me, &[], *config)
    }

    fn is_idle(&self) -> bool {
        self.status == Status::Remainder
    }
}
