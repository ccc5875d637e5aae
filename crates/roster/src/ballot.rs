//! How the next list is agreed on: single-decree Paxos, one decree for each list, voted on by those
//! on the list before.
//!
//! L. Lamport: *Paxos Made Simple*, 2001. What a voter has promised and accepted is a [`Block`]
//! that only it writes and everybody may read, as on the disks of *Disk Paxos* (E. Gafni,
//! L. Lamport, 2003); here blocks are passed on from neighbor to neighbor instead. So nobody has to
//! be reached directly, and nothing has to be answered.

use std::collections::{BTreeMap, BTreeSet};

use driftlock_core::NodeId;
use serde::{Deserialize, Serialize};

use crate::roster::{Member, Roster};

/// The number of a ballot, and who calls it.
pub(crate) type Number = (u64, NodeId);

/// What one voter has promised and accepted, about one list.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Block {
    /// It takes part in no ballot with a lower number.
    pub(crate) promised: Option<Number>,
    /// The last list it voted for, and in which ballot.
    pub(crate) accepted: Option<(Number, Roster)>,
}

/// What a node has to remember over a restart.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Memory {
    /// The list, if the node was ever on one.
    pub roster: Option<Roster>,
    pub(crate) block: Block,
    /// What the node has said of its dealings with those who are gone, and of which epoch that is.
    pub(crate) report: Option<(u64, Vec<u8>)>,
    /// What was lost in all epochs up to this one is made anew.
    pub(crate) recounted: u64,
    /// How often the node was started.
    pub(crate) starts: u64,
}

impl Memory {
    /// Of a node that founds a network, with this lease.
    pub fn found(founder: Member, lease: u64) -> Memory {
        Memory { roster: Some(Roster::found(founder, lease)), ..Memory::default() }
    }
}

/// The ballots about one list, as far as this node knows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Ballots {
    /// The highest ballot that promises are asked for.
    pub(crate) called: Option<Number>,
    /// The list of the highest ballot that has got to one.
    pub(crate) proposed: Option<(Number, Roster)>,
    /// The block of each voter.
    pub(crate) blocks: BTreeMap<NodeId, Block>,
}

impl Ballots {
    /// What `me` votes, given what is called and proposed. Says whether its block has changed.
    pub(crate) fn vote(&mut self, me: NodeId) -> bool {
        let block = self.blocks.entry(me).or_default();
        let before = block.clone();
        block.promised = block.promised.max(self.called);
        if let Some((number, _)) = &self.proposed
            && block.promised <= Some(*number)
        {
            block.promised = Some(*number);
            block.accepted = self.proposed.clone();
        }
        *block != before
    }

    /// Call a ballot that is higher than all that are known.
    pub(crate) fn call(&mut self, me: NodeId) -> Number {
        let promised = self.blocks.values().filter_map(|block| block.promised);
        let highest = promised.chain(self.called).map(|(n, _)| n).max().unwrap_or(0);
        let number = (highest + 1, me);
        self.called = Some(number);
        number
    }

    /// What has to be proposed in this ballot, once enough have promised: what one of them has
    /// accepted last, or else what is wished for.
    pub(crate) fn to_propose(
        &self,
        number: Number,
        roster: &Roster,
        wished: Option<Roster>,
    ) -> Option<Roster> {
        let promised = self.blocks.iter().filter(|(_, block)| block.promised == Some(number));
        let voters: BTreeSet<NodeId> = promised.clone().map(|(id, _)| *id).collect();
        if !roster.is_quorum(&voters) {
            return None;
        }
        let accepted = promised
            .filter(|(id, _)| roster.members.contains_key(id))
            .filter_map(|(_, block)| block.accepted.as_ref());
        accepted.max_by_key(|(number, _)| *number).map(|(_, list)| list.clone()).or(wished)
    }

    /// The list that enough voters have accepted in one ballot.
    pub(crate) fn decided(&self, roster: &Roster) -> Option<Roster> {
        let accepted = self.blocks.values().filter_map(|block| block.accepted.as_ref());
        accepted.cloned().find_map(|(number, list)| {
            let has = |block: &Block| block.accepted.as_ref().is_some_and(|(n, _)| *n == number);
            let voters = self.blocks.iter().filter(|(_, block)| has(block)).map(|(id, _)| *id);
            roster.is_quorum(&voters.collect()).then_some(list)
        })
    }

    /// Take in what is known of a voter elsewhere. Says whether it was news.
    pub(crate) fn learn(&mut self, voter: NodeId, block: Block) -> bool {
        let accepted = |block: &Block| block.accepted.as_ref().map(|(number, _)| *number);
        let age = |block: &Block| (block.promised, accepted(block));
        let known = self.blocks.entry(voter).or_default();
        let is_news = age(known) < age(&block);
        if is_news {
            *known = block;
        }
        is_news
    }
}
