//! What nodes say to each other about locks: [`Message`].
//!
//! The layout is postcard's; `tests/wire.rs` pins it.

use serde::{Deserialize, Serialize};

use crate::key::{Key, Kind};

/// The most bytes that names may take in one message.
const NAMES_BYTES: usize = 800;

/// One message of a node to a neighbor.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Message {
    /// The sender's process of this lock knows of the link to the receiver. The first word about
    /// a lock on a link.
    Open(Key),
    /// The sender, which stood still, waits for the receiver's `Open` (local locks).
    Wake(Key),
    /// A message of the lock's protocol, with the sender's clock.
    Step {
        /// The lock.
        key: Key,
        /// The sender's clock, from which fences come.
        clock: u64,
        /// The protocol's message.
        body: Vec<u8>,
    },
    /// The sender, the founder, is leaving and these are locks whose tokens it has made. The last
    /// of these messages says so, and has to be answered by [`Message::Known`].
    Heir(Vec<Key>, bool),
    /// These are locks that the sender knows and that the founder has not named. The last of these
    /// messages says so, and is answered by [`Message::Found`].
    Known(Vec<Key>, bool),
    /// The receiver is the founder from here on.
    Found,
    /// The sender's fences of this local lock may become as great as this. Answered by
    /// [`Message::Noted`].
    Note(Key, u64),
    /// The sender has noted that the receiver's fences may.
    Noted(Key, u64),
}

impl Message {
    /// The lock that it is about, if it is about one.
    pub(crate) fn lock(&self) -> Option<&Key> {
        match self {
            Message::Open(key) | Message::Wake(key) | Message::Step { key, .. } => Some(key),
            Message::Note(key, _) | Message::Noted(key, _) => Some(key),
            Message::Heir(..) | Message::Known(..) | Message::Found => None,
        }
    }

    /// Whether it is about a local lock.
    pub(crate) fn is_local(&self) -> bool {
        self.lock().is_some_and(|key| key.kind == Kind::Local)
    }

    /// The message as bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("messages can be written down")
    }

    /// The message that these bytes are, if they are one.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Message> {
        let (message, rest) = postcard::take_from_bytes::<Message>(bytes).ok()?;
        let keys_are_valid = match &message {
            Message::Heir(keys, _) | Message::Known(keys, _) => keys.iter().all(Key::is_valid),
            Message::Note(key, _) | Message::Noted(key, _) => {
                key.kind == Kind::Local && key.is_valid()
            }
            message => message.lock().is_none_or(Key::is_valid),
        };
        (rest.is_empty() && keys_are_valid).then_some(message)
    }
}

/// The names in parts that each fit into one message, at least one part, the last one marked.
pub(crate) fn in_parts<'a>(keys: impl Iterator<Item = &'a Key>) -> Vec<(Vec<Key>, bool)> {
    let mut parts = vec![(Vec::new(), false)];
    let mut bytes = 0;
    for key in keys {
        // The kind takes a byte, permits up to three more, and the length of the name one.
        let more = key.name.len() + 5;
        if NAMES_BYTES < bytes + more {
            parts.push((Vec::new(), false));
            bytes = 0;
        }
        bytes += more;
        parts.last_mut().expect("there is a part").0.push(key.clone());
    }
    parts.last_mut().expect("there is a part").1 = true;
    parts
}
