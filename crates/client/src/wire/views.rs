//! What a node shows of itself.

use serde::{Deserialize, Serialize};

use super::KindName;

/// The answer to `status`.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Status {
    /// The node.
    pub node: u32,
    /// The network it is in.
    pub network: String,
    /// Whether it made the network's tokens.
    pub founder: bool,
    /// Whether it moves.
    pub moving: bool,
    /// Whether it is leaving.
    pub leaving: bool,
    /// How long it has run.
    pub uptime_ms: u64,
    /// How many links are up.
    pub links: u64,
    /// How many locks it knows.
    pub locks: u64,
    /// Links that are broken, with a token on them of which it is not known who has it.
    pub in_doubt: Vec<InDoubt>,
    /// Tokens that went to a node that cannot be asked any more.
    pub lost: Vec<LostToken>,
    /// What people should know.
    pub warnings: Vec<String>,
}

/// A broken link with a token on it.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct InDoubt {
    /// The node at the other end.
    pub peer: u32,
    /// How many messages wait to be settled.
    pub messages: u64,
    /// Since when.
    pub since_ms: u64,
}

/// A token that is gone.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct LostToken {
    /// The node that it went to.
    pub peer: u32,
    /// The name of its lock.
    pub lock: String,
}

/// The answer to `neighbors`.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Neighbors {
    /// Nodes that were heard.
    pub neighbors: Vec<Neighbor>,
}

/// A node that was heard.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Neighbor {
    /// Which.
    pub node: u32,
    /// How far the link has come.
    pub state: LinkState,
    /// Where it was heard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The incarnation of the link.
    pub epoch: u64,
    /// Which end has moved when the link came up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<LinkRole>,
    /// How long a message takes there and back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rtt_us: Option<u64>,
    /// Since when it is in this state.
    pub since_ms: u64,
    /// How many messages wait to be sent.
    pub queued: u64,
    /// How many are sent and not acknowledged.
    pub unacknowledged: u64,
}

/// How far a link has come.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkState {
    /// Something was heard.
    #[default]
    Heard,
    /// It does not hear this node.
    OneWay,
    /// Both hear each other and agree on keys.
    Handshake,
    /// Messages go.
    Up,
    /// The link is broken, with a token on it.
    InDoubt,
    /// One that is not known here.
    #[serde(other)]
    Other,
}

/// What this node was when a link came up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkRole {
    /// The other has moved.
    Static,
    /// This node has moved.
    Moving,
    /// One that is not known here.
    #[serde(other)]
    Other,
}

/// The answer to `locks`.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Locks {
    /// In the order of their names.
    pub locks: Vec<LockView>,
    /// Whether there are others, after the last of these.
    pub more: bool,
}

/// A lock as one node sees it.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct LockView {
    /// Its name.
    pub name: String,
    /// Who excludes whom.
    pub kind: KindName,
    /// How many permits it has, if that is its kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permits: Option<u32>,
    /// How it is.
    pub state: LockState,
    /// How many tokens are at this node.
    pub tokens: u32,
    /// The greatest fence that was seen.
    pub fence: u64,
    /// How many programs wait at this node.
    pub waiters: u64,
    /// How many hold it at this node.
    pub held: u64,
    /// The first of those.
    pub holders: Vec<Holder>,
}

/// How a lock is at a node.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LockState {
    /// Nobody here wants it.
    #[default]
    Idle,
    /// A program waits.
    Waiting,
    /// A program holds it.
    Held,
    /// The token cannot be reached.
    Away,
    /// A token is in doubt.
    Stalled,
    /// One that is not known here.
    #[serde(other)]
    Other,
}

/// A program that holds a lock.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Holder {
    /// The number of its grant.
    pub grant: u64,
    /// The process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// Its user.
    pub uid: u32,
    /// Since when.
    pub since_ms: u64,
    /// Its group, if that is the kind of the lock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The fence of its grant.
    pub fence: u64,
    /// When its lease ends, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<u64>,
}

/// The answer to `queue`.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Queue {
    /// The name of the lock.
    pub name: String,
    /// Who excludes whom.
    pub kind: KindName,
    /// How many programs wait at this node.
    pub waiters: u64,
    /// The first of those, in order.
    pub here: Vec<Waiter>,
    /// Neighbors that ask through this node.
    pub neighbors: Vec<u32>,
}

/// A program that waits for a lock.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Waiter {
    /// The process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// Its user.
    pub uid: u32,
    /// Since when.
    pub since_ms: u64,
    /// The group that it wants, if that is the kind of the lock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

/// The answer to `metrics`.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Metrics {
    /// In the text format of Prometheus.
    pub text: String,
}
