//! The kinds of locks of a real node: which protocol each of them is.

use driftlock_core::NodeId;
use driftlock_locks::{Kind, Of, Process};
use driftlock_protocols::gme::{self, Gme};
use driftlock_protocols::krl::{Forwarding, Krl, Settings};
use driftlock_protocols::lme2::{self, Lme2};

/// The process of a lock of this kind.
///
/// An exclusive lock is RL with the partition detection that its section 7 proposes, which is KRL
/// with one token: a real network falls apart, and RL would raise heights for ever.
pub(crate) fn make(kind: Kind, me: NodeId, founder: bool) -> Box<dyn Process> {
    let krl = |tokens, forwarding| Of::<Krl>::cold(me, founder, &Settings { tokens, forwarding });
    match kind {
        Kind::Exclusive => krl(1, Forwarding::Never),
        Kind::Permits(k) => krl(k, Forwarding::Adaptive),
        Kind::Group => Of::<Gme>::cold(me, founder, &gme::Config::default()),
        Kind::Local => Of::<Lme2>::cold(me, founder, &lme2::Config::default()),
    }
}
