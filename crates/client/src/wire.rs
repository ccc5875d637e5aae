//! What is said over the local API, as `docs/api.md` has it: requests, answers, events, views.
//!
//! Both sides use these types. Fields that are not known are ignored, and in views those that are
//! missing have a default, so that a newer node and an older program understand each other.

mod lease;
mod members;
mod views;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

pub use self::lease::{LONGEST_LEASE_MS, Lease};
pub use self::members::{Counting, Heard, Member, Members, Voting};
pub use self::views::{
    Holder, InDoubt, LinkRole, LinkState, LockState, LockView, Locks, LostToken, Metrics, Neighbor,
    Neighbors, Queue, Status, Waiter,
};

/// The version of the API.
pub const API: u32 = 1;

/// The most bytes in the name of a lock, and in that of a group.
pub const LONGEST_NAME: usize = 64;

/// The most permits that a lock may have.
pub const MOST_PERMITS: u32 = 1000;

/// The most entries in `holders` and in `here`.
pub const MOST_LISTED: usize = 64;

/// The first frame of a node that lets a program in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Hello {
    /// Who it is.
    pub driftlock: Greeting,
}

/// Who a node is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Greeting {
    /// The version of the API.
    pub api: u32,
    /// The version of the node.
    pub version: String,
    /// The node.
    pub node: u32,
    /// The network it is in.
    pub network: String,
}

/// What a program asks for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub struct Request {
    /// Unique among the requests of this session that are not answered.
    pub id: u64,
    /// What is to be done.
    pub op: Op,
}

/// What a node can be asked to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// Acquire a lock: [`Granted`].
    Acquire(Acquire),
    /// Withdraw the `acquire` with this id: [`Done`].
    Cancel(u64),
    /// Release a grant: [`Done`].
    Release(u64),
    /// [`Status`].
    Status,
    /// [`Neighbors`].
    Neighbors,
    /// [`Locks`]: those with names after this one.
    Locks(Option<String>),
    /// The [`Queue`] of the lock with this name.
    Queue(String),
    /// [`Metrics`].
    Metrics,
    /// Whether the node moves: [`Done`].
    Moving(bool),
    /// Leave the network: [`Done`].
    Leave,
    /// [`Members`].
    Members,
    /// Have the network forget a member that never comes back: [`Done`].
    Forget {
        /// Which.
        node: u32,
        /// Whether somebody has seen that it is off.
        stopped: bool,
    },
}

/// A lock, how long to wait for it, and how long to have it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Acquire {
    /// The name, of 1 to [`LONGEST_NAME`] bytes.
    pub name: String,
    /// Who excludes whom.
    pub kind: Kind,
    /// How long to wait, in milliseconds: 0 for not at all, `None` for ever.
    pub wait_ms: Option<u64>,
    /// How long to have it: as long as it takes, if nothing is said.
    pub lease: Option<Lease>,
    /// The number of the process whose end is the end of the work; of the one that is connected,
    /// if nothing is said. It matters if the node ends before the work does.
    pub keeper: Option<u32>,
}

/// Who excludes whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One holder in the network.
    Exclusive,
    /// So many holders, 1 to [`MOST_PERMITS`].
    Permits(u32),
    /// Holders of one group together, of 1 to [`LONGEST_NAME`] bytes.
    Group(String),
    /// One holder among neighbors.
    Local,
}

/// The name of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KindName {
    /// [`Kind::Exclusive`].
    #[default]
    Exclusive,
    /// [`Kind::Permits`].
    Permits,
    /// [`Kind::Group`].
    Group,
    /// [`Kind::Local`].
    Local,
    /// One that is not known here.
    #[serde(other)]
    Other,
}

impl Kind {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> KindName {
        match self {
            Kind::Exclusive => KindName::Exclusive,
            Kind::Permits(_) => KindName::Permits,
            Kind::Group(_) => KindName::Group,
            Kind::Local => KindName::Local,
        }
    }
}

/// A request as it is written. One record for all, so that reading takes one pass.
#[derive(Default, Serialize, Deserialize)]
struct Fields {
    id: u64,
    op: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<KindName>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    permits: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wait_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lease_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grace_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    keeper: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    request: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grant: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    on: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    node: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stopped: Option<bool>,
}

impl From<Request> for Fields {
    fn from(Request { id, op }: Request) -> Self {
        let fields = |op: &str| Fields { id, op: op.into(), ..Fields::default() };
        match op {
            Op::Acquire(acquire) => {
                let kind = Some(acquire.kind.name()).filter(|kind| *kind != KindName::Exclusive);
                let (permits, group) = match acquire.kind {
                    Kind::Permits(permits) => (Some(permits), None),
                    Kind::Group(group) => (None, Some(group)),
                    Kind::Exclusive | Kind::Local => (None, None),
                };
                let (name, wait_ms) = (Some(acquire.name), acquire.wait_ms);
                let lease_ms = acquire.lease.map(|lease| lease.ms);
                let grace_ms = acquire.lease.map(|lease| lease.grace_ms).filter(|grace| *grace > 0);
                let asked = Fields { name, kind, permits, group, wait_ms, ..fields("acquire") };
                Fields { lease_ms, grace_ms, keeper: acquire.keeper, ..asked }
            }
            Op::Cancel(request) => Fields { request: Some(request), ..fields("cancel") },
            Op::Release(grant) => Fields { grant: Some(grant), ..fields("release") },
            Op::Status => fields("status"),
            Op::Neighbors => fields("neighbors"),
            Op::Locks(after) => Fields { after, ..fields("locks") },
            Op::Queue(name) => Fields { name: Some(name), ..fields("queue") },
            Op::Metrics => fields("metrics"),
            Op::Moving(on) => Fields { on: Some(on), ..fields("moving") },
            Op::Leave => fields("leave"),
            Op::Members => fields("members"),
            Op::Forget { node, stopped } => {
                let stopped = stopped.then_some(true);
                Fields { node: Some(node), stopped, ..fields("forget") }
            }
        }
    }
}

impl TryFrom<Fields> for Request {
    type Error = String;

    fn try_from(fields: Fields) -> Result<Self, String> {
        let (id, op) = (fields.id, fields.op.as_str());
        let missing = |field: &str| format!("`{op}` needs the field `{field}`");
        let op = match op {
            "acquire" => Op::Acquire(acquire(fields)?),
            "cancel" => Op::Cancel(fields.request.ok_or_else(|| missing("request"))?),
            "release" => Op::Release(fields.grant.ok_or_else(|| missing("grant"))?),
            "status" => Op::Status,
            "neighbors" => Op::Neighbors,
            "locks" => Op::Locks(fields.after),
            "queue" => Op::Queue(fields.name.ok_or_else(|| missing("name"))?),
            "metrics" => Op::Metrics,
            "moving" => Op::Moving(fields.on.ok_or_else(|| missing("on"))?),
            "leave" => Op::Leave,
            "members" => Op::Members,
            "forget" => Op::Forget {
                node: fields.node.ok_or_else(|| missing("node"))?,
                stopped: fields.stopped.unwrap_or(false),
            },
            other => return Err(format!("there is no op `{other}`")),
        };
        Ok(Request { id, op })
    }
}

fn acquire(fields: Fields) -> Result<Acquire, String> {
    let missing = |field: &str| format!("`acquire` needs the field `{field}`");
    let name = fields.name.ok_or_else(|| missing("name"))?;
    check_length("name", &name)?;
    let kind = match fields.kind.unwrap_or_default() {
        KindName::Exclusive => Kind::Exclusive,
        KindName::Permits => match fields.permits.ok_or_else(|| missing("permits"))? {
            permits @ 1..=MOST_PERMITS => Kind::Permits(permits),
            other => return Err(format!("`permits` is {other}; 1 to {MOST_PERMITS} can be")),
        },
        KindName::Group => {
            let group = fields.group.ok_or_else(|| missing("group"))?;
            check_length("group", &group)?;
            Kind::Group(group)
        }
        KindName::Local => Kind::Local,
        KindName::Other => {
            return Err("`kind` is one of exclusive, permits, group, local".into());
        }
    };
    let lease = Lease::read(fields.lease_ms, fields.grace_ms)?;
    Ok(Acquire { name, kind, wait_ms: fields.wait_ms, lease, keeper: fields.keeper })
}

fn check_length(field: &str, text: &str) -> Result<(), String> {
    match text.len() {
        1..=LONGEST_NAME => Ok(()),
        other => Err(format!("`{field}` has {other} bytes; 1 to {LONGEST_NAME} can be")),
    }
}

/// A frame that is no request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoRequest {
    /// The id, if it has one: then it is answered. Otherwise the session is over.
    pub id: Option<u64>,
    /// `bad-request`, and why.
    pub refusal: Refusal,
}

impl Request {
    /// Read a frame.
    ///
    /// # Errors
    ///
    /// If it is no request: what to answer.
    pub fn parse(frame: &[u8]) -> Result<Request, NoRequest> {
        #[derive(Deserialize)]
        struct Id {
            id: u64,
        }
        serde_json::from_slice(frame).map_err(|error| NoRequest {
            id: serde_json::from_slice::<Id>(frame).ok().map(|id| id.id),
            refusal: Refusal { code: Code::BadRequest, message: error.to_string() },
        })
    }
}

/// The answer to a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer<T> {
    /// The id of the request.
    pub id: u64,
    /// What came of it.
    pub result: Result<T, Refusal>,
}

impl<T: Serialize> Serialize for Answer<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Answer", 2)?;
        fields.serialize_field("id", &self.id)?;
        match &self.result {
            Ok(ok) => fields.serialize_field("ok", ok)?,
            Err(error) => fields.serialize_field("error", error)?,
        }
        fields.end()
    }
}

/// Why a request was refused; as a frame of its own, `{"error": ..}`, why a session is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refusal {
    /// Why, for programs.
    pub code: Code,
    /// Why, for people.
    #[serde(default)]
    pub message: String,
}

/// The last frame of a session that the node ends, or does not begin.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Farewell {
    /// Why.
    pub error: Refusal,
}

/// Why a request was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// Not granted in time.
    Timeout,
    /// Not free at once.
    Busy,
    /// Withdrawn by `cancel`.
    Cancelled,
    /// The name is in use as a lock of another kind.
    Kind,
    /// No such grant, or not of this session.
    NotHeld,
    /// The node is leaving the network.
    Leaving,
    /// A field is missing or wrong.
    BadRequest,
    /// As many as the node can take are there.
    TooMany,
    /// The credentials of the program do not allow it.
    Denied,
    /// The node cannot do anything at the moment; the message says why.
    Unavailable,
    /// One that is not known here.
    #[serde(other)]
    Other,
}

/// What a node says without being asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A grant is lost: the work has to stop.
    Lost(Lost),
}

/// A grant that is lost.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Lost {
    /// Which.
    pub grant: u64,
    /// Why, for programs.
    pub reason: Reason,
    /// Why, for people.
    #[serde(default)]
    pub message: String,
}

/// Why a grant is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// A neighbor has this local lock.
    Demoted,
    /// The lease ends.
    Lease,
    /// The node is leaving the network.
    Leaving,
    /// The node was not heard by a majority of the network for too long.
    Alone,
    /// The network has forgotten the node, and may have given the lock to others.
    Forgotten,
    /// The session is over. No node says so; a client does, when it has lost the node.
    Disconnected,
    /// One that is not known here.
    #[serde(other)]
    Other,
}

/// The answer to `acquire`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Granted {
    /// The number of the grant.
    pub grant: u64,
    /// What grows from each grant of a lock to the next one that conflicts with it.
    pub fence: u64,
    /// How soon work under the lock has to have stopped when the grant is lost, whatever the
    /// reason: after that others may be let in. If nothing is said, they are not before it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alone_ms: Option<u64>,
}

/// The answer to what has nothing to say but that it is done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Done {}

/// What comes from a node.
#[derive(Debug)]
pub enum Incoming {
    /// The first frame.
    Hello(Greeting),
    /// An answer to the request with this id.
    Answer(u64, Result<Box<RawValue>, Refusal>),
    /// A grant is lost.
    Lost(Lost),
    /// The session is over.
    Farewell(Refusal),
    /// What is not known here, and to be ignored.
    Other,
}

impl Incoming {
    /// Read a frame.
    ///
    /// # Errors
    ///
    /// If it is no JSON object, or one of which no sense can be made.
    pub fn parse(frame: &[u8]) -> Result<Incoming, serde_json::Error> {
        #[derive(Deserialize)]
        struct Fields {
            id: Option<u64>,
            ok: Option<Box<RawValue>>,
            error: Option<Refusal>,
            event: Option<String>,
            driftlock: Option<Greeting>,
        }
        let fields: Fields = serde_json::from_slice(frame)?;
        Ok(match fields {
            Fields { id: Some(id), error: Some(error), .. } => Incoming::Answer(id, Err(error)),
            Fields { id: Some(id), ok: Some(ok), .. } => Incoming::Answer(id, Ok(ok)),
            Fields { id: None, error: Some(error), .. } => Incoming::Farewell(error),
            Fields { event: Some(event), .. } if event == "lost" => {
                Incoming::Lost(serde_json::from_slice(frame)?)
            }
            Fields { driftlock: Some(greeting), .. } => Incoming::Hello(greeting),
            _ => Incoming::Other,
        })
    }
}

#[cfg(test)]
mod tests;
