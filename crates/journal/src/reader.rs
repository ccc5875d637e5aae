//! Reading a journal, trusting nothing.

use std::io::{self, BufRead, Read};

use driftlock_core::NodeId;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::{Event, Footer, Header, MAGIC, Record, VERSION, checksum, kind};

/// Why a journal cannot be read. Offsets are in bytes from the start of the file.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It could not be read at all, or not further.
    #[error("cannot be read")]
    Io(#[from] io::Error),
    /// The first line is something else.
    #[error("is not a journal: the first line should be `driftlock-journal {VERSION}`")]
    NotAJournal,
    /// It was written by another version.
    #[error("is a journal of format version {0}, this program reads version {VERSION}")]
    Version(String),
    /// It ends in the middle.
    #[error("is cut off at byte {at}: expected {expected}")]
    CutOff {
        /// Where it ends.
        at: u64,
        /// What should have come.
        expected: &'static str,
    },
    /// A check sum does not fit.
    #[error("was altered: the block at byte {at} does not fit its check sum")]
    Altered {
        /// Where the block starts.
        at: u64,
    },
    /// A block with a right check sum makes no sense.
    #[error("makes no sense in the block at byte {at}: {what}")]
    Malformed {
        /// Where the block starts.
        at: u64,
        /// What is wrong.
        what: String,
    },
}

/// Reads a journal, block by block.
#[derive(Debug)]
pub struct Reader<R> {
    from: R,
    offset: u64,
    header: Header,
    links: Vec<(NodeId, NodeId)>,
    block: Vec<u8>,
    block_at: u64,
    used: usize,
    last_at: u64,
    footer: Option<Footer>,
}

impl<R: BufRead> Reader<R> {
    /// Read the beginning of a journal.
    pub fn new(mut from: R) -> Result<Self, JournalError> {
        let offset = read_first_line(&mut from)?;
        let mut reader = Reader {
            from,
            offset,
            header: Header::default(),
            links: Vec::new(),
            block: Vec::new(),
            block_at: offset,
            used: 0,
            last_at: 0,
            footer: None,
        };
        reader.expect_block(kind::HEADER, "a header")?;
        reader.header = reader.json()?;
        reader.expect_block(kind::NETWORK, "the links of the network")?;
        let (links, used) = reader.postcard("the links of the network")?;
        (reader.links, reader.used) = (links, used);
        reader.check_links()?;
        Ok(reader)
    }

    /// What the run started from.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The links of the network the processes were set up on.
    pub fn links(&self) -> &[(NodeId, NodeId)] {
        &self.links
    }

    /// How the run ended; known once there is no further record.
    pub fn footer(&self) -> Option<&Footer> {
        self.footer.as_ref()
    }

    /// The next step, or nothing at the end of a complete journal.
    pub fn next_record(&mut self) -> Result<Option<Record>, JournalError> {
        while self.footer.is_none() && self.used == self.block.len() {
            match self.read_block("further steps or the end")? {
                kind::STEPS => {}
                kind::END => {
                    self.footer = Some(self.json()?);
                    self.expect_end()?;
                }
                other => return Err(self.unexpected(other)),
            }
        }
        if self.footer.is_some() {
            return Ok(None);
        }
        let ((since, node, event, check), used): ((u64, NodeId, Event, u32), usize) =
            self.postcard("a step")?;
        self.used += used;
        if node.0 >= self.header.n_nodes {
            return Err(self.malformed(format!("there is no node {node}")));
        }
        let at = self.last_at.checked_add(since);
        self.last_at = at.ok_or_else(|| self.malformed("time overflows".into()))?;
        Ok(Some(Record { at: self.last_at, node, event, check }))
    }

    fn check_links(&self) -> Result<(), JournalError> {
        let n = self.header.n_nodes;
        match self.links.iter().find(|(a, b)| a.0 >= n || b.0 >= n || a == b) {
            None => Ok(()),
            Some((a, b)) => Err(self.malformed(format!("there is no link {a}-{b} of {n} nodes"))),
        }?;
        if self.used < self.block.len() {
            return Err(self.malformed("something follows the links".into()));
        }
        Ok(())
    }

    /// Nothing comes after the end.
    fn expect_end(&mut self) -> Result<(), JournalError> {
        if self.from.fill_buf()?.is_empty() {
            return Ok(());
        }
        self.block_at = self.offset;
        Err(self.malformed("something follows the end".into()))
    }

    fn expect_block(&mut self, kind: u8, what: &'static str) -> Result<(), JournalError> {
        match self.read_block(what)? {
            found if found == kind => Ok(()),
            other => Err(self.unexpected(other)),
        }
    }

    /// Read a block into `self.block`. Returns its kind.
    fn read_block(&mut self, expected: &'static str) -> Result<u8, JournalError> {
        self.block_at = self.offset;
        let mut head = [0; 9];
        self.fill(&mut head, expected)?;
        let number =
            |k: usize| u32::from_le_bytes([head[k], head[k + 1], head[k + 2], head[k + 3]]);
        let (length, check) = (u64::from(number(1)), number(5));
        self.block.clear();
        self.used = 0;
        // `take` keeps a forged length from reserving memory that the file does not have.
        let read = (&mut self.from).take(length).read_to_end(&mut self.block)? as u64;
        self.offset += read;
        if read < length {
            return Err(JournalError::CutOff { at: self.offset, expected: "the rest of a block" });
        }
        if checksum(head[0], &self.block) != check {
            return Err(JournalError::Altered { at: self.block_at });
        }
        Ok(head[0])
    }

    fn fill(&mut self, bytes: &mut [u8], expected: &'static str) -> Result<(), JournalError> {
        let mut filled = 0;
        while filled < bytes.len() {
            let read = self.from.read(&mut bytes[filled..])?;
            self.offset += read as u64;
            if read == 0 {
                return Err(JournalError::CutOff { at: self.offset, expected });
            }
            filled += read;
        }
        Ok(())
    }

    fn json<T: DeserializeOwned>(&self) -> Result<T, JournalError> {
        serde_json::from_slice(&self.block).map_err(|error| self.malformed(error.to_string()))
    }

    /// The next value of the block, and how many bytes it takes.
    fn postcard<T: DeserializeOwned>(&self, what: &str) -> Result<(T, usize), JournalError> {
        let bytes = &self.block[self.used..];
        match postcard::take_from_bytes(bytes) {
            Ok((value, rest)) => Ok((value, bytes.len() - rest.len())),
            Err(_) => Err(self.malformed(format!("{what} cannot be decoded"))),
        }
    }

    fn malformed(&self, what: String) -> JournalError {
        JournalError::Malformed { at: self.block_at, what }
    }

    fn unexpected(&self, kind: u8) -> JournalError {
        self.malformed(format!("a block of kind {:?} has no place here", char::from(kind)))
    }
}

/// Check the first line. Returns its length.
fn read_first_line(from: &mut impl BufRead) -> Result<u64, JournalError> {
    let mut line = Vec::new();
    from.take(64).read_until(b'\n', &mut line)?;
    let text = String::from_utf8(line).map_err(|_| JournalError::NotAJournal)?;
    let version = text.strip_prefix(MAGIC).and_then(|rest| rest.strip_suffix('\n'));
    let version = version.ok_or(JournalError::NotAJournal)?;
    if version != VERSION.to_string() {
        return Err(JournalError::Version(version.into()));
    }
    Ok(text.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Writer;

    fn journal() -> Vec<u8> {
        let header = Header { protocol: "rl".into(), n_nodes: 3, ..Header::default() };
        let links = [(NodeId(0), NodeId(1)), (NodeId(1), NodeId(2))];
        let mut writer = Writer::new(Vec::new(), &header, links).unwrap();
        for k in 0..40_000 {
            let event = if k % 2 == 0 { Event::Recv(NodeId(1)) } else { Event::Release };
            writer.record(&Record { at: k * 3, node: NodeId(2), event, check: k as u32 }).unwrap();
        }
        writer.finish(&Footer { steps: 40_000, ..Footer::default() }).unwrap()
    }

    fn read(bytes: &[u8]) -> Result<u64, JournalError> {
        let mut reader = Reader::new(bytes)?;
        let mut steps = 0;
        while let Some(record) = reader.next_record()? {
            assert_eq!((record.at, record.check), (steps * 3, steps as u32));
            steps += 1;
        }
        Ok(steps)
    }

    #[test]
    fn what_was_written_is_read() {
        assert_eq!(read(&journal()).unwrap(), 40_000);
    }

    #[test]
    fn a_journal_cut_off_anywhere_is_refused() {
        let whole = journal();
        for length in (0..whole.len()).step_by(whole.len() / 300).chain([whole.len() - 1]) {
            let error = read(&whole[..length]).unwrap_err();
            let told = matches!(error, JournalError::CutOff { .. } | JournalError::NotAJournal);
            assert!(told, "{length}: {error}");
        }
    }

    #[test]
    fn an_altered_journal_is_refused() {
        let whole = journal();
        for place in (0..whole.len()).step_by(whole.len() / 300) {
            let mut bytes = whole.clone();
            bytes[place] ^= 0x10;
            assert!(read(&bytes).is_err(), "byte {place}");
        }
    }

    #[test]
    fn nothing_may_follow_the_end() {
        let mut bytes = journal();
        bytes.push(b'S');
        assert!(read(&bytes).unwrap_err().to_string().contains("follows the end"));
    }

    #[test]
    fn another_version_is_named() {
        let error = read(b"driftlock-journal 99\n").unwrap_err();
        assert!(error.to_string().contains("version 99"), "{error}");
    }

    #[test]
    fn a_forged_length_reserves_no_memory() {
        let mut bytes = b"driftlock-journal 1\nH".to_vec();
        bytes.extend([0xff; 8]);
        assert!(matches!(read(&bytes), Err(JournalError::CutOff { .. })));
    }
}
