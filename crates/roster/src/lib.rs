//! Who belongs to a network, and who does so no more: a list that a majority of those on it agrees
//! on, without a server and over links that come and go.
//!
//! Tokens are never made anew by a time-out. They are made anew when the node that had them was
//! struck off the list, and all who are left on it have said what they gave that node and what they
//! got from it. For this there has to be one list at a time ([`Roster`]), one next list, and a
//! majority of the last one behind it; that is what [`Council`] is about. It has neither sockets
//! nor a clock: links, messages and the time are given to it.
//!
//! ```
//! use driftlock_core::NodeId;
//! use driftlock_roster::{Council, Member, Memory, Output};
//!
//! let founder = Member { id: NodeId(1), memory: 11 };
//! let mut council = Council::new(founder, 0, Memory::found(founder, 0));
//! let mut out = Vec::new();
//! // A node that belongs to nobody is heard; alone on its list, the founder is a majority.
//! council.link_up(0, NodeId(2), 22, &mut out);
//! let greeting = out.iter().find_map(|output| match output {
//!     Output::Send(to, message) => Some((*to, message.clone())),
//!     _ => None,
//! });
//! assert_eq!(greeting.map(|(to, _)| to), Some(NodeId(2)));
//! ```

#![forbid(unsafe_code)]

mod ballot;
mod council;
mod count;
#[cfg(test)]
mod fuzz;
mod gossip;
mod pulse;
mod roster;
mod view;
mod wire;

pub use self::ballot::Memory;
pub use self::council::{Council, Output};
pub use self::roster::{Listed, Member, Roster, Wish};
pub use self::view::{Pending, View};
