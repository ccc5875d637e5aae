//! What can be seen from outside: [`View`].

use driftlock_core::NodeId;

use crate::council::{Council, Neighbor};
use crate::roster::{Roster, Wish};

/// What is under way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pending {
    /// These are wished, and these members have voted for it so far; more have to.
    Vote {
        /// What is wished.
        wishes: Vec<Wish>,
        /// Who has voted.
        agreed: Vec<NodeId>,
    },
    /// What those had who were struck off is made anew when these have said what they know.
    Count {
        /// Who has not.
        silent: Vec<NodeId>,
        /// Until when those who were struck off may take to stop.
        until: Option<u64>,
    },
    /// Somebody was to be struck off, whom these hear.
    Heard(NodeId, Vec<NodeId>),
}

/// The list and what is under way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The list, if this node knows one.
    pub roster: Option<Roster>,
    /// Whether this node is on it.
    pub belongs: bool,
    /// Whether it is sure of that, and may use tokens.
    pub sure: bool,
    /// What is under way.
    pub pending: Vec<Pending>,
    /// Neighbors that are on the list and have lost the memory with which they are.
    pub oblivious: Vec<NodeId>,
}

impl Council {
    /// The list and what is under way.
    pub fn view(&self) -> View {
        let mut pending = Vec::new();
        if self.wished().is_some() {
            let list = self.roster();
            let votes = |id: &NodeId| {
                self.ballots.blocks.get(id).is_some_and(|block| block.promised.is_some())
            };
            let members = list.iter().flat_map(|list| list.members.keys());
            let agreed = members.filter(|id| votes(id)).copied().collect();
            pending.push(Pending::Vote { wishes: self.wishes.iter().copied().collect(), agreed });
        }
        if self.is_counting() {
            let members = self.roster().into_iter().flat_map(|list| list.members.keys());
            let silent = members.filter(|id| !self.reports.contains_key(id)).copied().collect();
            pending.push(Pending::Count { silent, until: self.count_at });
        }
        let is_open = |wish: &&Wish| match wish {
            Wish::Forget(member, number) => {
                !self.wishes.contains(&Wish::Forget(*member, *number + 1))
            }
            Wish::Leave(_) | Wish::Join(..) => false,
        };
        for wish in self.wishes.iter().filter(is_open) {
            let by = self.vetoes.iter().filter(|(vetoed, _)| vetoed == wish).map(|(_, by)| *by);
            let by: Vec<NodeId> = by.collect();
            if !by.is_empty() {
                pending.push(Pending::Heard(wish.member().id, by));
            }
        }
        let has_lost = |(peer, link): &(&NodeId, &Neighbor)| {
            let listed = self.roster().and_then(|list| list.members.get(*peer));
            link.is_new() && listed.is_some_and(|listed| listed.memory != link.memory)
        };
        let oblivious = self.links.iter().filter(has_lost).map(|(peer, _)| *peer).collect();
        View {
            roster: self.roster().cloned(),
            belongs: self.belongs(),
            sure: self.is_sure(),
            pending,
            oblivious,
        }
    }
}
