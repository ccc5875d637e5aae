//! A world from a file: [`Traced`].

use std::path::PathBuf;

use driftlock_traces::{Format, Radio, UnitDisk};
use serde::{Deserialize, Serialize};

use super::{ChangeModel, Network, Scenario, ScenarioError};
use crate::span::TICKS_PER_UNIT;

/// A world from a file that another tool has written: who is linked to whom when. What is left out
/// is as `driftlock_traces::Options` has it.
///
/// The initial network is what is up at the start. Nodes are those of the file that are there at
/// some time, in its order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Traced {
    /// Where it is.
    pub file: PathBuf,
    /// For movement: the radio range, in meters; the same as a `radio` that is a unit disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<f64>,
    /// For movement: what makes links of distances; a unit disk of 250 m if it is left out.
    #[serde(with = "text", skip_serializing_if = "Option::is_none")]
    pub radio: Option<Radio>,
    /// For movement: look at links every so many seconds, instead of at all times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// The format; recognized from the content if it is left out.
    #[serde(with = "key", skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// When it starts, in seconds of its own time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// When it ends, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
    /// For ns-2: SUMO's activity file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<PathBuf>,
    /// For Haggle: seconds by which each sighting lasts longer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pad: Option<f64>,
    /// For Haggle: there is a link only while both see each other.
    #[serde(skip_serializing_if = "super::is_false")]
    pub mutual: bool,
    /// For Haggle: ids above this one are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub internal: Option<u32>,
    /// For SocioPatterns: how many seconds a line stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<f64>,
    /// For FCD: x and y are longitude and latitude.
    #[serde(skip_serializing_if = "super::is_false")]
    pub degrees: bool,
    /// How many seconds a time unit is.
    #[serde(skip_serializing_if = "is_one")]
    pub unit: f64,
    /// Whether the network stays in one piece: a link that it needs is held up, whatever the file
    /// says, and parts that are not joined at the start are joined by the links that join them
    /// first. On a mesh it does in any case.
    #[serde(skip_serializing_if = "super::is_false")]
    pub together: bool,
}

impl Default for Traced {
    fn default() -> Self {
        Traced {
            file: PathBuf::new(),
            range: None,
            radio: None,
            step: None,
            format: None,
            start: None,
            end: None,
            activity: None,
            pad: None,
            mutual: false,
            internal: None,
            slot: None,
            degrees: false,
            unit: 1.0,
            together: false,
        }
    }
}

fn is_one(number: &f64) -> bool {
    *number == 1.0
}

/// The range of those who name no radio: most simulations of ad hoc networks are made for it.
const USUAL_RANGE: f64 = 250.0;

impl Traced {
    /// A trace of which nothing is said but where it is.
    pub fn of(file: impl Into<PathBuf>) -> Self {
        Traced { file: file.into(), ..Traced::default() }
    }

    /// What makes links of distances.
    pub fn radio(&self) -> Radio {
        let range = self.range.unwrap_or(USUAL_RANGE);
        self.radio.unwrap_or(Radio::UnitDisk(UnitDisk { range }))
    }

    /// The key of what was said about movement, if anything was.
    pub(crate) fn about_movement(&self) -> Option<&'static str> {
        let said = [
            ("trace.range", self.range.is_some()),
            ("trace.radio", self.radio.is_some()),
            ("trace.step", self.step.is_some()),
        ];
        said.into_iter().find(|&(_, is_said)| is_said).map(|(key, _)| key)
    }

    /// Say what is wrong with a value or with how it goes with the rest of the scenario.
    pub(super) fn check(&self, scenario: &Scenario) -> Result<(), ScenarioError> {
        let refuse =
            |key: &str, what: &str| Err(ScenarioError::value(&format!("trace{key}"), what));
        if self.file.as_os_str().is_empty() {
            return refuse(".file", "a trace needs the path of a file");
        }
        if scenario.network != Network::default() {
            let what = "the nodes and links of a trace are those of its file: give either `trace` \
                        or `network`, not both";
            return Err(ScenarioError::value("network", what));
        }
        if scenario.motion.is_some() {
            return refuse("", "nodes move as the file says: give either `trace` or `motion`");
        }
        if scenario.link_changes.model != ChangeModel::None {
            return refuse("", "links change as the file says, and by no other law");
        }
        if self.together && scenario.may_fall_apart() {
            let what = "link-changes.connected-by says that the network may fall apart";
            return refuse(".together", what);
        }
        if !scenario.may_fall_apart() && !scenario.stays_together() {
            let what = "a trace may take the network apart: link-changes.connected-by has to be \
                        `partitions`, or trace.together true";
            return refuse("", what);
        }
        self.check_numbers()
    }

    /// Say what is wrong with a number.
    pub(crate) fn check_numbers(&self) -> Result<(), ScenarioError> {
        let refuse =
            |key: &str, what: &str| Err(ScenarioError::value(&format!("trace.{key}"), what));
        if self.range.is_some() && self.radio.is_some() {
            return refuse("range", "give either a range or a radio, not both");
        }
        if let Err(what) = self.radio().check() {
            return refuse(if self.range.is_some() { "range" } else { "radio" }, &what);
        }
        if let Some(step) = self.step.filter(|step| !(1e-6..=1e10).contains(step)) {
            return refuse("step", &format!("a step is from 1e-6 to 1e10 seconds, not {step}"));
        }
        let unit = self.unit;
        if !(1e-6..=1e6).contains(&unit) {
            return refuse("unit", &format!("a unit is from 1e-6 to 1e6 seconds, not {unit}"));
        }
        Ok(())
    }

    /// How many ticks so many microseconds are, to the nearest.
    pub(crate) fn ticks(&self, micros: i64) -> u64 {
        (micros as f64 * (TICKS_PER_UNIT as f64 / (self.unit * 1e6))).round() as u64
    }
}

/// Values as they are typed.
mod text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<T: Display, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => serializer.collect_str(value),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, T: FromStr<Err = String>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Some).map_err(de::Error::custom)
    }
}

/// Formats by their keys.
mod key {
    use driftlock_traces::Format;
    use serde::{Deserializer, Serializer};

    pub(super) use super::text::deserialize as any;

    pub(super) fn serialize<S: Serializer>(
        format: &Option<Format>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        super::text::serialize(&format.map(Format::key), serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Format>, D::Error> {
        any(deserializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{ConnectedBy, Medium, Motion};

    #[test]
    fn traces_are_written_as_they_are_read() {
        let text = "protocol = 'krl'\n[trace]\nfile = 'a b.gz'\nradio = 'quasi:80..100'\n\
                    format = 'fcd'\nstart = 5\nend = 1e3\nstep = 0.5\nactivity = 'x.tcl'\n\
                    pad = 60\nmutual = true\ninternal = 41\nslot = 10\ndegrees = true\nunit = 20\n\
                    together = true\n";
        let scenario = Scenario::from_toml(text).unwrap();
        let trace = scenario.trace.as_ref().unwrap();
        assert_eq!((trace.format, trace.unit, trace.internal), (Some(Format::Fcd), 20.0, Some(41)));
        assert_eq!(trace.radio().to_string(), "quasi:80..100");
        assert_eq!(Scenario::from_toml(&scenario.to_toml()).as_ref(), Ok(&scenario));
        let plain = Scenario { trace: Some(Traced::of("a")), ..Scenario::default() };
        assert_eq!(Scenario::from_toml(&plain.to_toml()).as_ref(), Ok(&plain));
        for (line, part) in [
            ("radio = 'disk'", "expected a radio like unit-disk:250"),
            ("format = 'pcap'", "there is no format `pcap`; there are ns2, bonnmotion"),
            ("speed = 3", "unknown field `speed`"),
        ] {
            let error = Scenario::from_toml(&format!("[trace]\nfile = 'a'\n{line}\n")).unwrap_err();
            assert!(error.to_string().contains(part), "{error}");
        }
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        let told = |change: &dyn Fn(&mut Scenario, &mut Traced)| {
            let mut scenario = Scenario::default();
            scenario.link_changes.connected_by = ConnectedBy::Partitions;
            let mut trace = Traced::of("a");
            change(&mut scenario, &mut trace);
            scenario.trace = Some(trace);
            scenario.check().err().map(|error| error.to_string()).unwrap_or_default()
        };
        assert_eq!(told(&|_, _| {}), "");
        assert!(told(&|_, trace| trace.file = PathBuf::new()).contains("needs the path of a file"));
        let both = told(&|scenario, _| scenario.network.nodes = 7);
        assert!(both.starts_with("network: ") && both.contains("either `trace` or `network`"));
        let moves = told(&|scenario, _| scenario.motion = Some(Motion::default()));
        assert!(moves.contains("either `trace` or `motion`"), "{moves}");
        let law = told(&|scenario, _| scenario.link_changes.model = ChangeModel::Toggle);
        assert!(law.contains("by no other law"), "{law}");
        let both = told(&|_, trace| trace.together = true);
        assert!(both.starts_with("trace.together: link-changes.connected-by says"), "{both}");
        let neither =
            told(&|scenario, _| scenario.link_changes.connected_by = ConnectedBy::Physical);
        assert!(neither.contains("or trace.together true"), "{neither}");
        let mesh = told(&|scenario, _| {
            scenario.link_changes.connected_by = ConnectedBy::Physical;
            scenario.medium = Some(Medium::Mesh);
        });
        assert_eq!(mesh, "");
        assert!(told(&|_, trace| trace.range = Some(-1.0)).starts_with("trace.range: the range"));
        assert!(told(&|_, trace| trace.unit = 0.0).starts_with("trace.unit: a unit is from"));
        assert!(told(&|_, trace| trace.step = Some(0.0)).starts_with("trace.step: a step is"));
        let two = told(&|_, trace| {
            (trace.range, trace.radio) = (Some(1.0), "unit-disk:2".parse().ok());
        });
        assert!(two.contains("either a range or a radio"), "{two}");
    }
}
