//! What happened: one file format for schedules and traces.
//!
//! A journal is the list of the inputs of a run, step by step, with a check sum of what each step
//! answered. By the step law that is the whole run: whoever has the protocol can run it again,
//! verify every step, and show every message. A message is not stored with its receipt, because it
//! is the oldest one its sender has sent and the receiver has not got yet.
//!
//! # Format, version 1
//!
//! The first line is `driftlock-journal 1`. Blocks follow, each with a letter for its kind, the
//! length of its contents and a CRC-32 of letter and contents (both as 32 bits, little-endian),
//! and its contents:
//!
//! * `H`, once, first: a [`Header`] as JSON.
//! * `N`, once, second: the links of the network the processes were set up on, as postcard.
//! * `S`, any number: [`Record`]s as postcard, each with the time since the one before.
//! * `E`, once, last: a [`Footer`] as JSON. A journal without it is cut off.
//!
//! ```
//! use driftlock_core::NodeId;
//! use driftlock_journal::{Event, Footer, Header, Reader, Record, Writer};
//!
//! let header = Header { protocol: "rl".into(), n_nodes: 2, ..Header::default() };
//! let mut writer = Writer::new(Vec::new(), &header, [(NodeId(0), NodeId(1))]).unwrap();
//! writer.record(&Record { at: 5, node: NodeId(1), event: Event::Release, check: 7 }).unwrap();
//! let bytes = writer.finish(&Footer::default()).unwrap();
//!
//! let mut reader = Reader::new(bytes.as_slice()).unwrap();
//! assert_eq!(reader.header().protocol, "rl");
//! assert_eq!(reader.next_record().unwrap().map(|record| record.at), Some(5));
//! assert_eq!(reader.next_record().unwrap(), None);
//! ```
#![forbid(unsafe_code)]

#[cfg(test)]
mod fuzz;
mod reader;
mod record;
pub mod text;
mod writer;

pub use reader::{JournalError, Reader};
pub use record::{Digest, End, Event, Footer, Header, Record};
pub use writer::Writer;

/// The version of the format that is written, and the only one that is read.
pub const VERSION: u32 = 1;

/// What the first line starts with.
const MAGIC: &str = "driftlock-journal ";

/// The kinds of blocks.
mod kind {
    pub(crate) const HEADER: u8 = b'H';
    pub(crate) const NETWORK: u8 = b'N';
    pub(crate) const STEPS: u8 = b'S';
    pub(crate) const END: u8 = b'E';
}

fn checksum(kind: u8, contents: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&[kind]);
    hasher.update(contents);
    hasher.finalize()
}
