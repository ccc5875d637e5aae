//! What an end remembers of a link, and wakes up with.

use driftlock_core::NodeId;

use super::{Life, Link};
use crate::arq::Arq;
use crate::memory::Remembered;

impl Link {
    /// What is left of a link after a restart of this end.
    pub(crate) fn remembered(
        me: (NodeId, u64),
        peer: NodeId,
        start: u64,
        memory: &Remembered,
    ) -> Self {
        let received = memory.received.unwrap_or(0);
        let arq = || Arq::remembered(received, &memory.kept, &memory.late);
        Link {
            life: match memory.kept.is_empty() && memory.late.is_empty() {
                true => Life::Down(memory.received),
                false => Life::Doubt(arq()),
            },
            epoch: memory.epoch,
            known: memory.epoch,
            role: memory.role,
            ..Link::new(me, (peer, memory.memory), start, 0)
        }
    }

    /// What has to be remembered of it.
    pub(crate) fn to_remember(&self) -> Remembered {
        let kept = self.arq().into_iter().flat_map(Arq::kept_numbered);
        let late = self.arq().into_iter().flat_map(Arq::kept_late);
        Remembered {
            memory: self.peer.1,
            epoch: self.epoch,
            role: self.role,
            received: self.statement().received,
            kept: kept.map(|(number, message)| (number, message.to_vec())).collect(),
            late: late.map(<[u8]>::to_vec).collect(),
        }
    }

    /// Whether what has to be remembered has changed since this was asked last.
    pub(crate) fn take_changed(&mut self) -> bool {
        core::mem::take(&mut self.changed)
    }
}
