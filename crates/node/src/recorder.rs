//! What a node writes down of its locks: `Recorder`.
//!
//! A file of lines, each a JSON object: first who wrote it, then every step. `driftlock join` makes
//! a journal of the files of all nodes.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use driftlock_core::NodeId;
use driftlock_journal::Event;
use driftlock_locks::{Key, Step};
use serde::{Deserialize, Serialize};

/// The version of the file.
pub const VERSION: u32 = 1;

/// The first line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Title {
    /// The version of the file.
    pub driftlock_part: u32,
    /// Who wrote it.
    pub node: NodeId,
    /// Whether it founded the network.
    pub founder: bool,
}

/// Every other line: a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// When, in microseconds since the start of the node.
    pub at: u64,
    /// Of which lock.
    pub lock: Key,
    /// What happened.
    pub event: Event,
    /// The incarnation of the link that it happened on, if it did on one.
    pub epoch: u64,
    /// The check sum of what was answered.
    pub check: u32,
}

/// Writes down steps.
pub(crate) struct Recorder(BufWriter<File>);

impl Recorder {
    /// Begin a file. One that is there already is not touched.
    pub(crate) fn create(path: &Path, node: NodeId, founder: bool) -> io::Result<Recorder> {
        let file = File::create_new(path)?;
        let mut recorder = Recorder(BufWriter::new(file));
        recorder.write(&Title { driftlock_part: VERSION, node, founder })?;
        recorder.0.flush()?;
        Ok(recorder)
    }

    pub(crate) fn step(&mut self, at: u64, step: Step) -> io::Result<()> {
        let Step { key, event, epoch, check } = step;
        self.write(&Line { at, lock: key, event, epoch, check })
    }

    /// See that what was written is in the file.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }

    fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.0, line)?;
        self.0.write_all(b"\n")
    }
}
