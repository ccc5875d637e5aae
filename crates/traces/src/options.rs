//! What is wanted of a file beyond what it says: [`Options`].

use crate::bonnmotion::Params;
use crate::ns2::Activity;
use crate::read::MOST_TIME;
use crate::{Format, TraceError};

/// How a file is to be read. The default recognizes the format and takes files as they are.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Options {
    /// The format, if it is not to be recognized from the content.
    pub format: Option<Format>,
    /// When the trace starts, in seconds, if not where the file does.
    pub start: Option<f64>,
    /// When the trace ends, in seconds. It goes on until then or is cut off there. Without it,
    /// movement ends where the file says so, or else with the last arrival; contacts with the last
    /// of them.
    pub end: Option<f64>,
    /// What stands in BonnMotion's `.params`.
    pub params: Option<Params>,
    /// When the nodes of an ns-2 file exist, from SUMO's activity file.
    pub activity: Option<Activity>,
    /// Whether x and y of FCD are longitude and latitude. Without it, SUMO's own comment at the
    /// head of the file decides.
    pub degrees: Option<bool>,
    /// How long a contact of SocioPatterns lasts.
    pub slot: Slot,
    /// What becomes of Haggle's sightings.
    pub haggle: Haggle,
    /// How much is read before giving up.
    pub limits: Limits,
}

impl Options {
    /// Whether its numbers make sense.
    pub(crate) fn check(&self) -> Result<(), TraceError> {
        let is_time = |t: f64| t.abs() <= MOST_TIME;
        let wrong = |what: String| Err(TraceError::Options(what));
        if let Some(end) = self.end.filter(|&end| !is_time(end)) {
            return wrong(format!("the end is {end} s, which is beyond ±{MOST_TIME:e}"));
        }
        if let Some(start) = self.start.filter(|&start| !is_time(start)) {
            return wrong(format!("the start is {start} s, which is beyond ±{MOST_TIME:e}"));
        }
        if !(self.slot.0 > 0.0 && is_time(self.slot.0)) {
            return wrong(format!("a slot of {} s is not a time", self.slot.0));
        }
        if !(self.haggle.pad >= 0.0 && is_time(self.haggle.pad)) {
            return wrong(format!("a pad of {} s is not a time", self.haggle.pad));
        }
        Ok(())
    }
}

/// How long a line of SocioPatterns stands for, in seconds: contact was in that time before it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Slot(pub f64);

impl Default for Slot {
    fn default() -> Self {
        Slot(20.0)
    }
}

/// What becomes of Haggle's sightings, each of which is of one device by another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Haggle {
    /// There is a link only while both see each other. Otherwise one is enough.
    pub mutual: bool,
    /// Ids above this one are other people's devices, and are left out.
    pub internal: Option<u64>,
    /// Seconds by which each sighting lasts longer. Half of them have no length: the device was
    /// seen in one scan. By default it is taken to be there until the next one, 120 seconds later.
    pub pad: f64,
}

impl Default for Haggle {
    fn default() -> Self {
        Haggle { mutual: false, internal: None, pad: 120.0 }
    }
}

/// How much is read before giving up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Nodes.
    pub nodes: u64,
    /// Waypoints, contacts, or whatever else a line is kept as.
    pub records: u64,
    /// Bytes of one line, or of one piece of XML.
    pub line: u64,
    /// Bytes after decompression.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { nodes: 1_000_000, records: 200_000_000, line: 16 << 20, bytes: 1 << 40 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_make_no_sense_are_refused() {
        let plain = Options::default();
        assert!(plain.check().is_ok());
        let pad = |pad: f64| Haggle { pad, ..Haggle::default() };
        let bad = [
            Options { end: Some(f64::NAN), ..plain.clone() },
            Options { end: Some(1e11), ..plain.clone() },
            Options { start: Some(f64::INFINITY), ..plain.clone() },
            Options { slot: Slot(0.0), ..plain.clone() },
            Options { slot: Slot(f64::INFINITY), ..plain.clone() },
            Options { haggle: pad(-1.0), ..plain.clone() },
            Options { haggle: pad(f64::NAN), ..plain.clone() },
        ];
        assert!(bad.iter().all(|options| options.check().is_err()));
    }
}
