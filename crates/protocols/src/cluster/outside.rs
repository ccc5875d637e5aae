//! What may be seen of the cluster algorithm from outside, and what can be changed without it
//! noticing.

use alloc::vec::Vec;

use driftlock_core::{Canonical, Inspect, Level, NodeId, Tokens};

use super::{Cluster, Epoch, Msg};

/// What may be seen from outside.
impl Cluster {
    /// The head of this node's cluster.
    pub fn head(&self) -> NodeId {
        self.head
    }

    /// The heads of the clusters around, as far as this head knows.
    pub fn neighbors(&self) -> Vec<NodeId> {
        self.n_list()
    }

    /// The latest epoch that this node knows of.
    pub fn promised(&self) -> Epoch {
        self.promised
    }

    /// Whether the global token is here.
    pub fn has_global(&self) -> bool {
        self.global.is_some()
    }

    /// The epoch of the local token with which this node is in the critical section.
    pub fn inside_under(&self) -> Option<Epoch> {
        self.local.as_ref().map(|token| token.epoch)
    }
}

impl Inspect for Cluster {
    const KINDS: &'static [&'static str] = &[
        "Hello", "Beside", "Req", "Wake", "Over", "OverOut", "Local", "Global", "Inquire",
        "Inside", "Promise", "Begun",
    ];

    #[inline]
    fn kind(msg: &Msg) -> usize {
        match msg {
            Msg::Hello(_) => 0,
            Msg::Beside(_) => 1,
            Msg::Req => 2,
            Msg::Wake(..) => 3,
            Msg::Over(_) => 4,
            Msg::OverOut(_) => 5,
            Msg::Local(_) => 6,
            Msg::Global(_) => 7,
            Msg::Inquire(_) => 8,
            Msg::Inside(_) => 9,
            Msg::Promise(..) => 10,
            Msg::Begun(_) => 11,
        }
    }

    fn knows(&self, peer: NodeId) -> bool {
        self.peer.contains(peer)
    }
}

/// Tokens are given up and made anew, so their number promises nothing.
impl Tokens for Cluster {
    #[inline]
    fn held(&self) -> u32 {
        0
    }

    #[inline]
    fn carried(_: &Msg) -> u32 {
        0
    }

    #[inline]
    fn epoch(&self) -> u64 {
        self.inside_under().map_or(0, Epoch::packed)
    }

    const EPOCHS: bool = true;

    /// The global token; while a cluster is served, the local token that goes around in its place.
    fn epochs_held(&self) -> impl Iterator<Item = u64> {
        let global = self.global.as_ref().filter(|_| self.serving.is_none());
        let epochs = [global.map(|_| self.promised), self.inside_under()];
        epochs.into_iter().flatten().map(Epoch::packed)
    }

    fn epoch_carried(msg: &Msg) -> Option<u64> {
        match msg {
            Msg::Local(token) => Some(token.epoch.packed()),
            Msg::Global(token) => Some(token.epoch.packed()),
            // The global token may go on.
            Msg::OverOut(epoch) => Some(epoch.packed()),
            _ => None,
        }
    }
}

impl Epoch {
    fn packed(self) -> u64 {
        (u64::try_from(self.number).unwrap_or(0) << 32) | u64::from(self.by.0)
    }
}

/// Epochs are only compared, and a new one is one above the latest that is known. How often the
/// token was missed only makes time-outs longer.
impl Canonical for Cluster {
    fn levels(&mut self, each: &mut dyn FnMut(Level, &mut i64)) {
        each(Level::Shared(0), &mut self.promised.number);
        if let Some(token) = &mut self.local {
            each(Level::Shared(0), &mut token.epoch.number);
        }
    }

    fn levels_in(msg: &mut Msg, each: &mut dyn FnMut(Level, &mut i64)) {
        match msg {
            Msg::Over(epoch)
            | Msg::OverOut(epoch)
            | Msg::Inquire(epoch)
            | Msg::Inside(epoch)
            | Msg::Promise(epoch, _)
            | Msg::Begun(epoch) => each(Level::Shared(0), &mut epoch.number),
            Msg::Local(token) => each(Level::Shared(0), &mut token.epoch.number),
            Msg::Global(token) => each(Level::Shared(0), &mut token.epoch.number),
            Msg::Hello(_) | Msg::Beside(_) | Msg::Req | Msg::Wake(..) => {}
        }
    }

    fn forget_time(&mut self) {
        self.missed = 0;
    }
}
