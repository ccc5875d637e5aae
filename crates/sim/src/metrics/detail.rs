//! What is measured only where it is asked for: bytes, and how long trouble lasts.

use std::collections::BTreeSet;

use driftlock_core::NodeId;
use postcard::ser_flavors::Size;
use serde::Serialize;

use crate::span::units;

/// What ordinary runs do not pay for.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Detail {
    /// Bytes sent per entry: the messages as they are encoded (postcard), and nothing that carries
    /// them; one over several links counts once for each.
    pub bytes_per_entry: f64,
    /// How the last trouble ended, if a script made any.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub recovery: Option<Recovery>,
}

/// How long it took from the last scripted trouble, in units: from the moment at which a node
/// stopped, the message was sent that got lost, or a link change was due. There is none as long as
/// the message or the moment has not come.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Recovery {
    /// Until someone entered; nothing if nobody ever did.
    pub next_entry: Option<f64>,
    /// Until the last one got in of those who waited then and have not stopped; nothing if one of
    /// them never did.
    pub backlog: Option<f64>,
}

/// The last scripted crash, loss or link change, and what came after.
#[derive(Clone, Debug)]
pub(crate) struct Trouble {
    at: u64,
    /// Who waited then and still does.
    waiting: BTreeSet<NodeId>,
    next_entry: Option<u64>,
    backlog: Option<u64>,
}

impl Trouble {
    /// Trouble at a time at which these waited.
    pub(crate) fn new(at: u64, waiting: BTreeSet<NodeId>) -> Self {
        let backlog = waiting.is_empty().then_some(0);
        Trouble { at, waiting, next_entry: None, backlog }
    }

    pub(crate) fn entered(&mut self, node: NodeId, now: u64) {
        let since = now - self.at;
        self.next_entry.get_or_insert(since);
        if self.waiting.remove(&node) && self.waiting.is_empty() {
            self.backlog = Some(since);
        }
    }

    pub(crate) fn recovery(&self) -> Recovery {
        Recovery { next_entry: self.next_entry.map(units), backlog: self.backlog.map(units) }
    }
}

/// How many bytes a message has.
pub(super) fn bytes_of(msg: &impl Serialize) -> u64 {
    let size = postcard::serialize_with_flavor(msg, Size::default());
    size.expect("a message can be serialized") as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_is_over_when_all_who_waited_then_are_served() {
        let mut trouble = Trouble::new(1000, BTreeSet::from([NodeId(1), NodeId(2)]));
        assert_eq!(trouble.recovery(), Recovery::default());
        trouble.entered(NodeId(7), 1500);
        trouble.entered(NodeId(2), 3000);
        assert_eq!(trouble.recovery(), Recovery { next_entry: Some(0.5), backlog: None });
        trouble.entered(NodeId(2), 4000);
        trouble.entered(NodeId(1), 6000);
        trouble.entered(NodeId(1), 9000);
        assert_eq!(trouble.recovery(), Recovery { next_entry: Some(0.5), backlog: Some(5.0) });
    }

    #[test]
    fn where_nobody_waits_nobody_is_held_up() {
        let recovery = Trouble::new(5, BTreeSet::new()).recovery();
        assert_eq!(recovery, Recovery { next_entry: None, backlog: Some(0.0) });
    }
}
