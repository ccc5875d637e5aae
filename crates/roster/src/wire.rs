//! What nodes say to each other about the list: [`Message`], in parts that fit into a frame.

use serde::{Deserialize, Serialize};

use driftlock_core::NodeId;

use crate::ballot::{Block, Number};
use crate::pulse::Pulse;
use crate::roster::{Roster, Wish};

/// The most bytes of a message in one part.
const PART_MAX: usize = 1000;

/// The most bytes of a whole message.
const WHOLE_MAX: usize = 1 << 22;

/// Where a node stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Standing {
    pub(crate) charter: u64,
    pub(crate) version: u64,
    /// Whether the sender is on that list itself, or only passes on what others say.
    pub(crate) belongs: bool,
}

/// One message of a node to a neighbor.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Message {
    /// The first word on a link: which list the sender knows, if it knows one, and which lease it
    /// would have on it.
    Greeting(Option<Standing>, u64),
    /// The receiver is on the sender's list of this epoch, and may speak of locks.
    Ready(u64),
    /// Something to be passed on to everybody.
    Item(Item),
}

/// What is passed on from neighbor to neighbor. What has a version is about the list after it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Item {
    /// The list is this.
    Roster(Roster),
    /// Somebody wishes this.
    Wish(u64, Wish),
    /// A node hears the member that somebody wants to be struck off.
    Veto(u64, Wish, NodeId),
    /// Promises are asked for.
    Call(u64, Number),
    /// A list to vote for.
    Propose(u64, Number, Roster),
    /// What a voter has promised and accepted.
    Block(u64, NodeId, Block),
    /// What a member has given to, and got from, those who are not on the list of this version.
    Report(u64, NodeId, Vec<u8>),
    /// What a member says from time to time.
    Pulse(u64, NodeId, Pulse),
    /// What was lost up to this epoch is made anew.
    Recounted(u64),
}

impl Message {
    /// The message in parts, each with a mark whether more follow.
    pub(crate) fn to_parts(&self) -> Vec<Vec<u8>> {
        let whole = postcard::to_allocvec(self).expect("messages can be written down");
        let mut parts: Vec<Vec<u8>> =
            whole.chunks(PART_MAX).map(|chunk| [&[1], chunk].concat()).collect();
        parts.last_mut().expect("no message is empty")[0] = 0;
        parts
    }
}

/// The parts of a message that have come so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts(Vec<u8>);

impl Parts {
    /// Take in a part. If it was the last one, that is the message, or none if it is not one.
    pub(crate) fn take(&mut self, part: &[u8]) -> Option<Option<Message>> {
        let (more, bytes) = part.split_first()?;
        if WHOLE_MAX < self.0.len() + bytes.len() {
            self.0.clear();
            return Some(None);
        }
        self.0.extend_from_slice(bytes);
        if *more != 0 {
            return None;
        }
        let whole = core::mem::take(&mut self.0);
        match postcard::take_from_bytes(&whole) {
            Ok((message, [])) => Some(Some(message)),
            _ => Some(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_comes_in_parts() {
        let message = Message::Item(Item::Report(7, NodeId(3), vec![5; 12_345]));
        let parts = message.to_parts();
        assert_eq!(parts.len(), 13);
        let mut taken = Parts::default();
        for part in &parts[..12] {
            assert_eq!(taken.take(part), None);
        }
        assert_eq!(taken.take(&parts[12]), Some(Some(message)));
        assert_eq!(taken.take(&[0, 99]), Some(None), "it is no message");
        assert_eq!(taken.take(&[]), None);
    }
}
