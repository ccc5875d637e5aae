//! Who belongs to the network, as a node knows it.

use serde::{Deserialize, Serialize};

/// The answer to `members`.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Members {
    /// Which list this is: one more with every change; 0 if none is known.
    pub version: u64,
    /// How often members were struck off, or left. Fences of a later epoch are greater.
    pub epoch: u64,
    /// Whether this node is on the list.
    pub belongs: bool,
    /// Whether it is sure of that, and may use tokens.
    pub sure: bool,
    /// The list.
    pub members: Vec<Member>,
    /// A change that is being agreed on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voting: Option<Voting>,
    /// Tokens that are being counted, after members were struck off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counting: Option<Counting>,
    /// Members that were to be forgotten, and are heard.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub heard: Vec<Heard>,
    /// Neighbors that are on the list and have lost the memory with which they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub oblivious: Vec<u32>,
}

/// A member.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Member {
    /// Which node.
    pub node: u32,
    /// After how long without a majority it stops what holds locks; if nothing is said, never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alone_ms: Option<u64>,
    /// Which memory it has, as a number: another one after it has begun anew.
    pub memory: String,
}

/// A change of the list that is being agreed on.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Voting {
    /// Who is to be forgotten.
    pub forget: Vec<u32>,
    /// Who wants to leave.
    pub leave: Vec<u32>,
    /// Who wants to join.
    pub join: Vec<u32>,
    /// Whose votes this node has heard of.
    pub agreed: Vec<u32>,
}

/// Tokens that are being counted.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Counting {
    /// Who has not said what it has, as far as this node has heard.
    pub silent: Vec<u32>,
    /// How much longer those who were struck off may take to stop.
    pub wait_ms: u64,
}

/// A member that was to be forgotten.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Heard {
    /// Which node.
    pub node: u32,
    /// Who hears it.
    pub by: Vec<u32>,
}
