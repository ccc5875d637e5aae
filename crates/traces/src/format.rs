//! The formats that are read: [`Format`].

use std::fmt;
use std::str::FromStr;

/// What a file is written in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Format {
    /// `$ns_ at 2.0 "$node_(1) setdest 10 20 5"`: setdest, BonnMotion's NSFile, SUMO's
    /// traceExporter, the ONE's MovementNs2Report.
    Ns2,
    /// One line for each node, `t x y t x y ...`: BonnMotion's own `.movements`.
    BonnMotion,
    /// `node t x y`: BonnMotion's CSVFile.
    BonnMotionCsv,
    /// `i j start-stop start-stop ...`: what BonnMotion's LinkDump prints.
    LinkDump,
    /// `<fcd-export>`: SUMO's `--fcd-output`.
    Fcd,
    /// `minT maxT minX maxX minY maxY`, then `t id x y`: the ONE's ExternalMovement.
    OneMovement,
    /// `t CONN a b up`: the ONE's StandardEventsReader and ConnectivityONEReport.
    OneConnectivity,
    /// `@t pA <-> pB up`: the ONE's ConnectivityDtnsim2Report.
    Dtnsim2,
    /// `t i j`: contacts of 20 seconds each, by SocioPatterns.
    SocioPatterns,
    /// `i j start end k gap`: sightings, by Haggle, as CRAWDAD has them.
    Haggle,
    /// `start,end,a,b`.
    Csv,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 11] = [
        Format::Ns2,
        Format::BonnMotion,
        Format::BonnMotionCsv,
        Format::LinkDump,
        Format::Fcd,
        Format::OneMovement,
        Format::OneConnectivity,
        Format::Dtnsim2,
        Format::SocioPatterns,
        Format::Haggle,
        Format::Csv,
    ];

    /// The name to type.
    pub const fn key(self) -> &'static str {
        match self {
            Format::Ns2 => "ns2",
            Format::BonnMotion => "bonnmotion",
            Format::BonnMotionCsv => "bonnmotion-csv",
            Format::LinkDump => "linkdump",
            Format::Fcd => "fcd",
            Format::OneMovement => "one-movement",
            Format::OneConnectivity => "one-connectivity",
            Format::Dtnsim2 => "dtnsim2",
            Format::SocioPatterns => "sociopatterns",
            Format::Haggle => "haggle",
            Format::Csv => "csv",
        }
    }

    /// What people call it.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Ns2 => "ns-2 movement",
            Format::BonnMotion => "BonnMotion movements",
            Format::BonnMotionCsv => "BonnMotion CSV",
            Format::LinkDump => "BonnMotion LinkDump",
            Format::Fcd => "SUMO FCD",
            Format::OneMovement => "ONE movement",
            Format::OneConnectivity => "ONE connectivity",
            Format::Dtnsim2 => "dtnsim2 connectivity",
            Format::SocioPatterns => "SocioPatterns contacts",
            Format::Haggle => "Haggle contacts",
            Format::Csv => "contacts as CSV",
        }
    }

    /// Whether there is more in it than columns of numbers.
    pub(crate) const fn has_words(self) -> bool {
        use Format::{BonnMotion, BonnMotionCsv, Haggle, OneMovement, SocioPatterns};
        !matches!(self, BonnMotion | BonnMotionCsv | OneMovement | SocioPatterns | Haggle)
    }

    /// What a line of it looks like.
    pub const fn example(self) -> &'static str {
        match self {
            Format::Ns2 => "$ns_ at 2.0 \"$node_(1) setdest 10 20 5\"",
            Format::BonnMotion => "0.0 20.5 10.5 30.0 20.5 15.5",
            Format::BonnMotionCsv => "1 0.0 10.5 20.5",
            Format::LinkDump => "0 1 2.5-7.25 9.5-30.0",
            Format::Fcd => "<vehicle id=\"a\" x=\"10.5\" y=\"20.5\"/>",
            Format::OneMovement => "2.0 1 10.5 20.5",
            Format::OneConnectivity => "2.0 CONN 0 1 up",
            Format::Dtnsim2 => "@2.0 p0 <-> p1 up",
            Format::SocioPatterns => "40 492 938",
            Format::Haggle => "1 2 100 220 1 0",
            Format::Csv => "100,220,a,b",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    /// A format by its [key](Format::key).
    fn from_str(text: &str) -> Result<Self, String> {
        let keys = || Format::ALL.map(Format::key).join(", ");
        let found = Format::ALL.into_iter().find(|format| format.key() == text);
        found.ok_or_else(|| format!("there is no format `{text}`; there are {}", keys()))
    }
}
