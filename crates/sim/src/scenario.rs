//! One run, fully described: [`Scenario`].

mod check;
mod error;
mod motion;
mod session;
mod trace;

use std::fmt;
use std::path::{Path, PathBuf};

pub use driftlock_core::Medium;
use serde::{Deserialize, Deserializer, Serialize, de};

use self::error::Place;
pub use self::error::ScenarioError;
pub use self::motion::{Motion, MotionModel, MotionStart, Speed};
pub use self::session::Session;
pub use self::trace::Traced;
use crate::network::Network;
use crate::span::Span;

/// Everything a run depends on. The same scenario gives the same bytes, on any machine.
///
/// In TOML, with all that can be left out left out:
///
/// ```
/// use driftlock_sim::Scenario;
/// let scenario = Scenario::from_toml(r#"
///     protocol = "rl"
///     seed = 7
///     network = { nodes = 30, connectivity = 20 }
///     link-changes = { model = "toggle", rate = 0.1 }
///     requests = { rate = 1 }
/// "#).unwrap();
/// assert_eq!(scenario.network.nodes, 30);
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Scenario {
    /// The name of the protocol. The simulator does not know protocols; whoever calls it does.
    pub protocol: String,
    /// The variant of the protocol; its default one if none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// How many tokens there are, where a protocol has several; 1 if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u32>,
    /// How many resources there are to ask for; 1 if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources: Option<u32>,
    /// How many entries a session of one resource has at most while others wait, where a protocol
    /// has sessions, or that there is no bound; what the protocol has anyway if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<Session>,
    /// The seed of all dice.
    pub seed: u64,
    /// What carries messages; links if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub medium: Option<Medium>,
    /// The initial network.
    pub network: Network,
    /// How links change.
    pub link_changes: LinkChanges,
    /// How nodes move, if they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
    /// The file that the network and its changes are from, if they are from one. Then `network` is
    /// not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Traced>,
    /// How long a message takes over a link.
    pub delay: Span,
    /// How likely a message is lost on each link it crosses, on a mesh.
    #[serde(skip_serializing_if = "is_zero")]
    pub loss: f64,
    /// How long a message may take to any node before a protocol with time-outs takes it for lost;
    /// as long as it can take if it is left out. Too short a time makes for time-outs that are
    /// wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<f64>,
    /// How long a critical section takes.
    pub critical_section: Span,
    /// Who asks when.
    pub requests: Requests,
    /// What is measured, and so when the storm ends. If it is left out, as many entries as make
    /// a steady state, or everything where only a script asks or links are from a trace. With a
    /// trace the storm ends at the latest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure: Option<Measure>,
    /// What an undefined step of a published text does to the run.
    pub undefined: Undefined,
    /// How long the calm may last, in units, and how long nobody may be served in the storm before
    /// the calm begins. By default long enough for everyone to be served one after the other; in a
    /// storm that may take the network apart, long enough for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calm_limit: Option<f64>,
    /// Events at given times, besides the drawn ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub script: Vec<Scripted>,
}

impl Default for Scenario {
    fn default() -> Self {
        Scenario {
            protocol: String::new(),
            variant: None,
            tokens: None,
            resources: None,
            session: None,
            seed: 1,
            medium: None,
            network: Network::default(),
            link_changes: LinkChanges::default(),
            motion: None,
            trace: None,
            delay: Span::Constant(1.0),
            loss: 0.0,
            timeout: None,
            critical_section: Span::Constant(1.0),
            requests: Requests::default(),
            measure: None,
            undefined: Undefined::default(),
            calm_limit: None,
            script: Vec::new(),
        }
    }
}

/// How links change.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct LinkChanges {
    /// By which law.
    pub model: ChangeModel,
    /// Its rate per unit of time.
    pub rate: f64,
    /// On which links it is judged whether the network stays connected.
    pub connected_by: ConnectedBy,
}

/// A law of link changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeModel {
    /// Links stay.
    #[default]
    None,
    /// One Poisson process for the whole network: each change takes a random link away whose loss
    /// does not disconnect the network, and forms a random one that is not there. This is what the
    /// text of Walter, Welch and Vaidya (2001, section 6) says.
    Literal,
    /// Every pair of nodes flips between linked and not linked at the given rate, except where
    /// that would disconnect the network.
    Toggle,
    /// As the script says.
    Scripted,
}

/// On which links it is judged whether a link may go down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConnectedBy {
    /// On all links that are up: the condition as the paper has it. The default.
    #[default]
    Physical,
    /// On the links that both ends already count among their neighbors: kinder to a protocol
    /// that takes a message to do so.
    Known,
    /// On none: the network may fall apart, and nodes may stop for good.
    Partitions,
}

/// Who asks for the critical section when.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Requests {
    /// λ_req: a node asks again an exponential time of mean 1/rate after it left; 0 is never.
    pub rate: f64,
    /// Who asks; everyone if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Vec<u32>>,
    /// The share of requests that are for resource 0; the others are for the other resources, each
    /// with the same probability. All resources are alike if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub popular: Option<f64>,
}

impl Default for Requests {
    fn default() -> Self {
        Requests { rate: 1.0, nodes: None, popular: None }
    }
}

/// What is measured. The storm ends with the measuring.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Measure {
    /// Entries that are passed over first. 0 is a cold start: measuring begins at time 0.
    pub warmup: u64,
    /// Entries that are measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<u64>,
    /// Measure until this time, in units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
}

impl Measure {
    /// What is measured where nothing is said: enough entries to forget the start, and ten times as
    /// many to measure.
    pub const STEADY: Measure = Measure { warmup: 500, entries: Some(5000), until: None };
}

/// What an undefined step of a published text does to the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Undefined {
    /// It is a violation and ends the run.
    #[default]
    Stop,
    /// The process does nothing in it and the run goes on.
    Skip,
}

/// An event at a given time.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Scripted {
    /// When, in units.
    pub at: f64,
    /// This node asks, or asks again once it has left the critical section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<u32>,
    /// What it asks for; drawn like any other request if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<u32>,
    /// On a mesh: the next message of this kind that is sent from then on is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lose: Option<String>,
    /// This node stops for good. All its links go down, unless the protocol is local: then nobody
    /// is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crash: Option<u32>,
    /// It stops at the first moment from then on at which it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub once: Option<Moment>,
    /// The link between these two comes up.
    #[serde(deserialize_with = "two_ends", skip_serializing_if = "Option::is_none")]
    pub up: Option<[u32; 2]>,
    /// Which of the two has moved; the larger one if it is left out.
    #[serde(deserialize_with = "one_end", skip_serializing_if = "Option::is_none")]
    pub moving: Option<u32>,
    /// The link between these two goes down: as soon as nothing is in transit on it, or at once if
    /// the protocol lives with what is lost.
    #[serde(deserialize_with = "two_ends", skip_serializing_if = "Option::is_none")]
    pub down: Option<[u32; 2]>,
}

/// A moment of a node's life.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Moment {
    /// It waits for the critical section.
    Waiting,
    /// It is in the critical section.
    Inside,
}

impl Scenario {
    /// What carries messages.
    pub fn medium(&self) -> Medium {
        self.medium.unwrap_or_default()
    }

    /// How many tokens there are.
    pub fn tokens(&self) -> u32 {
        self.tokens.unwrap_or(1)
    }

    /// How many resources there are to ask for.
    pub fn resources(&self) -> u32 {
        self.resources.unwrap_or(1)
    }

    /// Whether the network may fall apart.
    pub fn may_fall_apart(&self) -> bool {
        self.link_changes.connected_by == ConnectedBy::Partitions
    }

    /// Whether links that the network needs are held up where nodes move away or crash.
    pub fn stays_together(&self) -> bool {
        let moves = self.motion.as_ref().is_some_and(|motion| motion.together);
        let traced = self.trace.as_ref().is_some_and(|trace| trace.together);
        self.medium() == Medium::Mesh || moves || traced
    }

    /// Whether anything goes wrong on a mesh: messages get lost, or nodes stop.
    pub fn has_faults(&self) -> bool {
        let fault = |scripted: &Scripted| scripted.crash.is_some() || scripted.lose.is_some();
        self.medium() == Medium::Mesh && (self.loss > 0.0 || self.script.iter().any(fault))
    }

    /// The files that a run depends on; some may not be there.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::from_iter(self.network.file.clone());
        if let Some(traced) = &self.trace {
            files.push(traced.file.clone());
            files.extend(traced.activity.clone());
            files.extend(driftlock_traces::companions(&traced.file));
        }
        files
    }

    /// What is measured.
    pub fn measure(&self) -> Measure {
        let steady = self.requests.rate > 0.0 && self.trace.is_none();
        self.measure.unwrap_or(if steady { Measure::STEADY } else { Measure::default() })
    }

    /// Read a scenario. [`Scenario::check`] tells whether it makes sense.
    pub fn from_toml(text: &str) -> Result<Self, ScenarioError> {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| text[..span.start].matches('\n').count() + 1);
            let what = error.message().trim().replace('\n', " ");
            ScenarioError { place: Place::Text(line), what }
        })
    }

    /// Read a scenario from a file.
    pub fn from_file(path: &Path) -> Result<Self, ScenarioError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| ScenarioError::file(path, &format!("cannot be read: {error}")))?;
        Scenario::from_toml(&text).map_err(|error| match error.place {
            Place::Text(Some(line)) => ScenarioError::line(path, line, &error.what),
            _ => ScenarioError::file(path, &error.what),
        })
    }

    /// The scenario as TOML.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a scenario has nothing that TOML cannot say")
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// Two ends and no more, which an array of the language would let pass.
fn two_ends<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<[u32; 2]>, D::Error> {
    let ends = Vec::<u32>::deserialize(deserializer)?;
    let ends = <[u32; 2]>::try_from(ends.as_slice());
    ends.map(Some).map_err(|_| de::Error::custom("a link has two ends, like [0, 3]"))
}

/// One end of a new link, and not both.
fn one_end<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    struct Visitor;
    impl<'de> de::Visitor<'de> for Visitor {
        type Value = u32;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the end that moved, like 3: of a new link one end moves")
        }
        fn visit_i64<E: de::Error>(self, end: i64) -> Result<u32, E> {
            u32::try_from(end).map_err(|_| E::custom(format!("there is no node {end}")))
        }
    }
    deserializer.deserialize_any(Visitor).map(Some)
}
