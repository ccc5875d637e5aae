//! One run, fully described: [`Scenario`].

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::changes::rate_of_all;
use crate::network::{Network, Shape};
use crate::span::{Span, UNITS_MAX};

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
    /// The seed of all dice.
    pub seed: u64,
    /// What carries messages; links if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub medium: Option<Medium>,
    /// The initial network.
    pub network: Network,
    /// How links change.
    pub link_changes: LinkChanges,
    /// How long a message takes over a link.
    pub delay: Span,
    /// How long a critical section takes.
    pub critical_section: Span,
    /// Who asks when.
    pub requests: Requests,
    /// What is measured, and so when the storm ends. If it is left out, as many entries as make
    /// a steady state, or everything where only a script asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure: Option<Measure>,
    /// What an undefined step of a published text does to the run.
    pub undefined: Undefined,
    /// How long the calm may last, in units, and how long nobody may be served in the storm before
    /// the calm begins. By default long enough for everyone to be served one after the other.
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
            seed: 1,
            medium: None,
            network: Network::default(),
            link_changes: LinkChanges::default(),
            delay: Span::Constant(1.0),
            critical_section: Span::Constant(1.0),
            requests: Requests::default(),
            measure: None,
            undefined: Undefined::default(),
            calm_limit: None,
            script: Vec::new(),
        }
    }
}

/// What carries messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Medium {
    /// Each message goes over one link, to a neighbor. Processes are told of link changes.
    #[default]
    Links,
    /// Each message is routed to any node along the shortest path there is, one message and one
    /// delay per link, planned anew when links change, at no cost. Processes see no links. They
    /// are set up on a network of their own, an independent draw of the same description, as in
    /// section 6 of Walter, Welch and Vaidya (2001).
    Routed,
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
}

impl Default for Requests {
    fn default() -> Self {
        Requests { rate: 1.0, nodes: None }
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
    /// The link between these two comes up.
    #[serde(deserialize_with = "two_ends", skip_serializing_if = "Option::is_none")]
    pub up: Option<[u32; 2]>,
    /// The link between these two goes down, as soon as nothing is in transit on it.
    #[serde(deserialize_with = "two_ends", skip_serializing_if = "Option::is_none")]
    pub down: Option<[u32; 2]>,
}

impl Scenario {
    /// What carries messages.
    pub fn medium(&self) -> Medium {
        self.medium.unwrap_or_default()
    }

    /// What is measured.
    pub fn measure(&self) -> Measure {
        let asking = self.requests.rate > 0.0;
        self.measure.unwrap_or(if asking { Measure::STEADY } else { Measure::default() })
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

    /// Say what is wrong with a value or with how values go together.
    pub fn check(&self) -> Result<(), ScenarioError> {
        self.network.check()?;
        check_rate("requests.rate", self.requests.rate)?;
        check_rate("link-changes.rate", self.link_changes.rate)?;
        self.check_link_changes()?;
        self.check_measure()?;
        if let Some(limit) = self.calm_limit {
            check_time("calm-limit", limit)?;
        }
        let mut seen = BTreeSet::new();
        if let Some(twice) = self.requests.nodes.iter().flatten().find(|&node| !seen.insert(node)) {
            let what = format!("node {twice} is named twice");
            return Err(ScenarioError::value("requests.nodes", &what));
        }
        for (k, scripted) in self.script.iter().enumerate() {
            self.check_scripted(scripted).map_err(|what| {
                ScenarioError::value("script", &format!("entry {}: {what}", k + 1))
            })?;
        }
        // How many nodes a file has is known only once it is read.
        if self.network.shape == Shape::File {
            Ok(())
        } else {
            self.check_nodes(self.network.nodes)
        }
    }

    /// Say which node is named that is none of `n`.
    pub(crate) fn check_nodes(&self, n: usize) -> Result<(), ScenarioError> {
        let ends = |scripted: &Scripted| {
            scripted
                .request
                .into_iter()
                .chain(scripted.up.into_iter().flatten())
                .chain(scripted.down.into_iter().flatten())
                .collect::<Vec<u32>>()
        };
        let asking = self.requests.nodes.iter().flatten().map(|&node| ("requests.nodes", node));
        let scripted = self.script.iter().flat_map(ends).map(|node| ("script", node));
        match asking.chain(scripted).find(|&(_, node)| node as usize >= n) {
            None => Ok(()),
            Some((key, node)) => {
                let what = format!("there is no node {node}, the last of {n} is {}", n - 1);
                Err(ScenarioError::value(key, &what))
            }
        }
    }

    fn check_link_changes(&self) -> Result<(), ScenarioError> {
        let LinkChanges { model, rate, .. } = self.link_changes;
        let drawn = matches!(model, ChangeModel::Literal | ChangeModel::Toggle);
        if rate > 0.0 && !drawn {
            let what = "a rate of link changes needs the model `literal` or `toggle`";
            return Err(ScenarioError::value("link-changes.rate", what));
        }
        // How many nodes a file has is known only once it is read.
        if self.network.shape == Shape::File {
            return Ok(());
        }
        if drawn && self.network.nodes < 2 {
            let what = "a network of one node has no links to change";
            return Err(ScenarioError::value("link-changes.model", what));
        }
        rate_of_all(model, rate, self.network.nodes).map(drop)
    }

    fn check_measure(&self) -> Result<(), ScenarioError> {
        let Measure { warmup, entries, until } = self.measure();
        for (key, count) in [("measure.warmup", Some(warmup)), ("measure.entries", entries)] {
            if count.is_some_and(|count| count > ENTRIES_MAX) {
                let what = format!("more than {ENTRIES_MAX} entries would never end");
                return Err(ScenarioError::value(key, &what));
            }
        }
        if entries == Some(0) {
            return Err(ScenarioError::value("measure.entries", "measure at least 1 entry"));
        }
        if let Some(until) = until {
            check_time("measure.until", until)?;
            if entries.is_some() {
                let what = "give either a number of entries or a time, not both";
                return Err(ScenarioError::value("measure.until", what));
            }
        }
        let endless = entries.is_none() && until.is_none();
        if endless && self.requests.rate > 0.0 {
            let what = "requests never end, so the measuring needs `entries` or `until`";
            return Err(ScenarioError::value("measure", what));
        }
        let drawn = matches!(self.link_changes.model, ChangeModel::Literal | ChangeModel::Toggle);
        if self.requests.rate == 0.0 && drawn && until.is_none() {
            let what = "links never cease to change and only a script asks: give a time to end at";
            return Err(ScenarioError::value("measure.until", what));
        }
        let no_requests = self.requests.rate == 0.0 || self.requests.nodes == Some(Vec::new());
        if no_requests && until.is_none() && self.script.is_empty() {
            let what = "nobody ever asks: give a rate, a script, or a time to measure until";
            return Err(ScenarioError::value("requests.rate", what));
        }
        Ok(())
    }

    fn check_scripted(&self, scripted: &Scripted) -> Result<(), String> {
        if !(scripted.at.is_finite() && (0.0..=UNITS_MAX).contains(&scripted.at)) {
            return Err(format!("a time is a number of units from 0 on, not {}", scripted.at));
        }
        let ends = match (scripted.request, scripted.up, scripted.down) {
            (Some(_), None, None) => return Ok(()),
            (None, Some(ends), None) | (None, None, Some(ends)) => ends,
            _ => return Err("it has to have exactly one of `request`, `up` and `down`".into()),
        };
        if self.link_changes.model != ChangeModel::Scripted {
            return Err("links change by script only if link-changes.model is `scripted`".into());
        }
        if ends[0] == ends[1] {
            return Err("a node has no link to itself".into());
        }
        Ok(())
    }
}

/// More entries than this take years.
const ENTRIES_MAX: u64 = 1_000_000_000_000;

fn check_rate(key: &str, rate: f64) -> Result<(), ScenarioError> {
    if rate == 0.0 || (rate.is_finite() && (1e-9..=1e9).contains(&rate)) {
        return Ok(());
    }
    let what = format!("a rate is 0 or a number from 1e-9 to 1e9, not {rate}");
    Err(ScenarioError::value(key, &what))
}

/// Two ends and no more, which an array of the language would let pass.
fn two_ends<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<[u32; 2]>, D::Error> {
    let ends = Vec::<u32>::deserialize(deserializer)?;
    let ends = <[u32; 2]>::try_from(ends.as_slice());
    ends.map(Some).map_err(|_| de::Error::custom("a link has two ends, like [0, 3]"))
}

fn check_time(key: &str, time: f64) -> Result<(), ScenarioError> {
    if time.is_finite() && time > 0.0 && time <= UNITS_MAX {
        return Ok(());
    }
    let what = format!("a time is a positive number of units up to {UNITS_MAX:e}, not {time}");
    Err(ScenarioError::value(key, &what))
}

/// What is wrong with a scenario. Nothing was run and nothing was written.
#[derive(Clone, PartialEq, Debug)]
pub struct ScenarioError {
    place: Place,
    what: String,
}

#[derive(Clone, PartialEq, Debug)]
enum Place {
    Value(String),
    File(PathBuf),
    Line(PathBuf, usize),
    Text(Option<usize>),
}

impl ScenarioError {
    pub(crate) fn value(key: &str, what: &str) -> Self {
        ScenarioError { place: Place::Value(key.into()), what: what.into() }
    }

    pub(crate) fn file(path: &Path, what: &str) -> Self {
        ScenarioError { place: Place::File(path.into()), what: what.into() }
    }

    pub(crate) fn line(path: &Path, line: usize, what: &str) -> Self {
        ScenarioError { place: Place::Line(path.into(), line), what: what.into() }
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Value(key) => write!(f, "{key}: ")?,
            Place::File(path) => write!(f, "{}: ", path.display())?,
            Place::Line(path, line) => write!(f, "{}, line {line}: ", path.display())?,
            Place::Text(Some(line)) => write!(f, "line {line}: ")?,
            Place::Text(None) => {}
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for ScenarioError {}
