//! What a journal is made of.

use driftlock_core::{Input, LinkRole, Medium, NodeId, Output, ResourceId, Status};
use serde::{Deserialize, Serialize};

/// What a run started from.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Who wrote the journal, with its version.
    pub software: String,
    /// The name of the protocol.
    pub protocol: String,
    /// How the processes were set up: the protocol's configuration.
    pub config: serde_json::Value,
    /// What carried messages.
    #[serde(rename = "routed", with = "medium")]
    pub medium: Medium,
    /// Whether a step that the published text does not define is a violation.
    pub undefined_stops: bool,
    /// How many nodes there are.
    pub n_nodes: u32,
    /// How many ticks make a unit of time.
    pub ticks_per_unit: u64,
    /// The scenario of a simulated run, as TOML.
    pub scenario: Option<String>,
    /// What was promised and what the world may do, where that is not as usual.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub rules: serde_json::Value,
}

/// In a journal a medium is whether it routes, or its name where that does not tell.
mod medium {
    use driftlock_core::Medium;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Written {
        Routed(bool),
        Name(Medium),
    }

    pub(super) fn serialize<S: Serializer>(medium: &Medium, to: S) -> Result<S::Ok, S::Error> {
        match medium {
            Medium::Links => Written::Routed(false),
            Medium::Routed => Written::Routed(true),
            Medium::Mesh => Written::Name(Medium::Mesh),
        }
        .serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Medium, D::Error> {
        Ok(match Written::deserialize(from)? {
            Written::Routed(false) => Medium::Links,
            Written::Routed(true) => Medium::Routed,
            Written::Name(medium) => medium,
        })
    }
}

/// One step of one process, or one fault.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// When, in ticks.
    pub at: u64,
    /// Whose step, or who was hit.
    pub node: NodeId,
    /// Its input.
    pub event: Event,
    /// A check sum of what it answered and of its status after that; see [`Digest`]. Where no
    /// process takes a step it is 0.
    pub check: u32,
}

/// An input, without the contents of messages; or a fault, which is no step of any process unless
/// it says so.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Event {
    /// The application asks.
    Request(ResourceId),
    /// The application leaves.
    Release,
    /// The oldest message in transit from this node.
    Recv(NodeId),
    /// The link to this node came up.
    LinkUp(NodeId, LinkRole),
    /// The link to this node went down.
    LinkDown(NodeId),
    /// This timer went off, as postcard.
    Timer(Vec<u8>),
    /// The oldest message in transit from this node is lost.
    Lose(NodeId),
    /// The oldest message in transit from this node is received, a step, and stays in transit too.
    Duplicate(NodeId),
    /// The node stops for good.
    Crash,
    /// The oldest message that this node has sent to that one and would be missed comes back.
    Returned(NodeId),
    /// What the node is now it wakes up as if it is killed; no step.
    Save,
    /// The node is killed and wakes up as it was saved, or knowing nothing. Whoever is still inside
    /// then, for what it says here, asks again at once, which is a step.
    Restart(Option<ResourceId>),
}

impl Event {
    /// The event of an input.
    pub fn of<M, T: Serialize>(input: &Input<M, T>) -> Self {
        match input {
            Input::RequestCs(resource) => Event::Request(*resource),
            Input::ReleaseCs => Event::Release,
            Input::Recv { from, .. } => Event::Recv(*from),
            Input::LinkUp { peer, role } => Event::LinkUp(*peer, *role),
            Input::LinkDown { peer } => Event::LinkDown(*peer),
            Input::Timer(timer) => {
                Event::Timer(postcard::to_allocvec(timer).expect("a timer can be serialized"))
            }
            Input::Returned { to, .. } => Event::Returned(*to),
        }
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Footer {
    /// How many steps there were.
    pub steps: u64,
    /// When it ended, in ticks.
    pub ended_at: u64,
    /// In which way.
    pub end: End,
    /// The broken promise, in one line.
    pub violation: Option<String>,
}

/// In which way a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// It was broken off, by a violation or from outside.
    #[default]
    BrokenOff,
    /// There was nothing left to happen.
    Silent,
    /// Something was still going on when there should have been nothing.
    Restless,
}

/// The check sum of what a step answered: a CRC-32 of the outputs and the status as postcard,
/// which has the same bytes on every machine.
#[derive(Clone, Debug, Default)]
pub struct Digest {
    bytes: Vec<u8>,
}

impl Digest {
    /// The check sum of one step.
    pub fn of<M: Serialize, T: Serialize>(
        &mut self,
        outputs: &[Output<M, T>],
        status: Status,
    ) -> u32 {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        bytes = postcard::to_extend(&(outputs, status), bytes).expect("outputs can be serialized");
        self.bytes = bytes;
        crc32fast::hash(&self.bytes)
    }
}
