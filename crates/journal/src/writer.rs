//! Writing a journal.

use std::io::{self, Write};

use driftlock_core::NodeId;

use crate::{Footer, Header, MAGIC, Record, VERSION, checksum, kind};

/// Steps are written in blocks of about this many bytes.
const BLOCK: usize = 64 * 1024;

/// Writes a journal, block by block.
#[derive(Debug)]
pub struct Writer<W> {
    to: W,
    block: Vec<u8>,
    last_at: u64,
}

impl<W: Write> Writer<W> {
    /// Start a journal of a run on the network with these links.
    pub fn new(
        mut to: W,
        header: &Header,
        links: impl IntoIterator<Item = (NodeId, NodeId)>,
    ) -> io::Result<Self> {
        writeln!(to, "{MAGIC}{VERSION}")?;
        let mut writer = Writer { to, block: Vec::new(), last_at: 0 };
        writer.write(kind::HEADER, &serde_json::to_vec(header)?)?;
        let links: Vec<(NodeId, NodeId)> = links.into_iter().collect();
        let links = postcard::to_allocvec(&links).expect("links can be serialized");
        writer.write(kind::NETWORK, &links)?;
        Ok(writer)
    }

    /// Write down a step. Times do not run backwards.
    pub fn record(&mut self, record: &Record) -> io::Result<()> {
        let since = record.at.checked_sub(self.last_at).expect("time does not run backwards");
        self.last_at = record.at;
        let block = std::mem::take(&mut self.block);
        let parts = (since, record.node, &record.event, record.check);
        self.block = postcard::to_extend(&parts, block).expect("a record can be serialized");
        if self.block.len() >= BLOCK { self.flush() } else { Ok(()) }
    }

    /// End the journal. Returns what it was written to.
    pub fn finish(mut self, footer: &Footer) -> io::Result<W> {
        self.flush()?;
        self.write(kind::END, &serde_json::to_vec(footer)?)?;
        self.to.flush()?;
        Ok(self.to)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.block.is_empty() {
            return Ok(());
        }
        let mut block = std::mem::take(&mut self.block);
        self.write(kind::STEPS, &block)?;
        block.clear();
        self.block = block;
        Ok(())
    }

    fn write(&mut self, kind: u8, contents: &[u8]) -> io::Result<()> {
        let length = u32::try_from(contents.len())
            .map_err(|_| io::Error::other("a block of a journal is at most 4 GiB long"))?;
        self.to.write_all(&[kind])?;
        self.to.write_all(&length.to_le_bytes())?;
        self.to.write_all(&checksum(kind, contents).to_le_bytes())?;
        self.to.write_all(contents)
    }
}
