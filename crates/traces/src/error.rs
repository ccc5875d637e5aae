//! Why a file is no trace: [`TraceError`].

use std::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::Format;

/// A place in a file, after decompression. Both count from 1; columns count bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The line.
    pub line: u64,
    /// The byte of the line.
    pub column: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Why a file cannot be read as a trace.
#[derive(Debug, Error)]
pub enum TraceError {
    /// The system could not read it.
    #[error("cannot be read")]
    Io(#[from] io::Error),
    /// An option makes no sense.
    #[error("cannot be read like this: {0}")]
    Options(String),
    /// Something else is wrong with this file.
    #[error("{}", .0.display())]
    File(PathBuf, #[source] Box<TraceError>),
    /// Nothing in it looks like a format that is known, or it looks like several.
    #[error("{place}: {what}; {advice}")]
    Unknown {
        /// Where that was found out.
        place: Place,
        /// What was seen instead.
        what: String,
        /// What to do.
        advice: String,
    },
    /// A line breaks the rules of its format.
    #[error("{place}: {what} ({format}); {advice}")]
    Malformed {
        /// The format that the file is in.
        format: Format,
        /// Where.
        place: Place,
        /// What is wrong.
        what: String,
        /// What to do.
        advice: String,
    },
    /// Compressed data is damaged, or ends in the middle.
    #[error("{place}: the compressed data {what}; {advice}")]
    Compressed {
        /// Where in what could be decompressed.
        place: Place,
        /// What is wrong.
        what: String,
        /// What to do.
        advice: &'static str,
    },
    /// There is more of something than [`Limits`](crate::Limits) allow.
    #[error(
        "{place}: more than {most} {what}; take a part of the file (programs may raise `Limits`)"
    )]
    TooMuch {
        /// Where it was too much.
        place: Place,
        /// Of what.
        what: &'static str,
        /// The limit.
        most: u64,
    },
}

impl TraceError {
    /// Where in the file, if it is about a place.
    pub fn place(&self) -> Option<Place> {
        match self {
            TraceError::Io(_) | TraceError::Options(_) => None,
            TraceError::File(_, error) => error.place(),
            TraceError::Unknown { place, .. }
            | TraceError::Malformed { place, .. }
            | TraceError::Compressed { place, .. }
            | TraceError::TooMuch { place, .. } => Some(*place),
        }
    }
}
