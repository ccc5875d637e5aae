//! What is promised, and how strictly: [`Rules`].

use crate::exclusion::Exclusion;

/// What a protocol promised, how strictly its text is taken, and what the world may do to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, rename_all = "kebab-case"))]
pub struct Rules {
    /// Who may be in the critical section together.
    pub exclusion: Exclusion,
    /// Whether a step that the published text does not define is a violation. If not, the process
    /// does nothing in such a step and the run goes on.
    pub undefined_stops: bool,
    /// Whether link changes may take the network apart.
    pub partitions: bool,
    /// Whether a link may go down with messages in transit, which are lost.
    pub lossy: bool,
    /// Whether nothing is sent any more once nobody wants anything.
    #[cfg_attr(feature = "serde", serde(default = "yes"))]
    pub silent: bool,
    /// If the protocol is local, how far from a node that has stopped for good others may starve
    /// (its failure locality, in links). Everyone else is owed progress, in whatever part of the
    /// network. A node that stops takes nothing with it: its links stay up, and nobody is told. And
    /// what is lost with a link, its fork say, is missing nowhere.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub locality: Option<u32>,
    /// Whether tokens are made anew, each generation with a later epoch, and what is guarded has a
    /// fence: only those inside under the same epoch exclude each other, and whoever is inside
    /// under an older one is deposed. A node that stops is inside no more.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_false"))]
    pub fenced: bool,
    /// Whether progress is owed to the living nodes of a part of the network that has more than
    /// half of all nodes, those that have stopped among them, and to nobody else. A node that stops
    /// is inside no more.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_false"))]
    pub quorum: bool,
    /// Whether links are settled, as the contract of [`Protocol`](driftlock_core::Protocol) has
    /// it: their ends are told of changes one by one, and what would be missed comes back. Two
    /// nodes are neighbors while both count on their link.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_false"))]
    pub settled: bool,
}

impl Rules {
    /// What a local protocol promises over links that come and go and take with them what is in
    /// transit: no two neighbors at a time, and progress farther than `locality` from every node
    /// that has stopped (Attiya, Kogan and Welch 2008, section 2).
    pub fn local(locality: u32) -> Self {
        Rules {
            exclusion: Exclusion::NoTwoNeighbors,
            partitions: true,
            lossy: true,
            locality: Some(locality),
            ..Rules::default()
        }
    }

    /// Whether nothing may be sent any more if nobody waits who is owed anything. Those in too
    /// small a part of the network may go on trying.
    pub fn asks_for_silence(self, anyone_waits: bool) -> bool {
        self.silent && !(self.quorum && anyone_waits)
    }

    /// Whether a node that stops inside is inside no more.
    pub fn frees_stopped(self) -> bool {
        self.fenced || self.quorum
    }
}

#[cfg(feature = "serde")]
fn yes() -> bool {
    true
}

#[cfg(feature = "serde")]
fn is_false(value: &bool) -> bool {
    !value
}

impl Default for Rules {
    /// Mutual exclusion, every step is defined, and links keep to section 3 of WWV 2001.
    fn default() -> Self {
        Rules {
            exclusion: Exclusion::AtMost(1),
            undefined_stops: true,
            partitions: false,
            lossy: false,
            silent: true,
            locality: None,
            fenced: false,
            quorum: false,
            settled: false,
        }
    }
}
