//! The bytes of a state file.
//!
//! ```text
//! head     magic 16 | version 4 | node 4 | network 8 | check 4 | entries 8 | check 4
//! entry..  length 4 | check 4 | postcard
//! ```
//!
//! The check of an entry is also about its number, so that none can be missing or come twice.

use driftlock_core::NodeId;
use serde::{Deserialize, Serialize};

use crate::memory::{Change, Memory};

const MAGIC: &[u8; 16] = b"driftlock state\n";
const VERSION: u32 = 1;
/// The length of the head.
pub(super) const HEAD: usize = 48;

/// What the file says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Head {
    pub(super) id: NodeId,
    network: [u8; 8],
    name: String,
    /// How many entries count at least.
    pub(super) entries: u64,
}

impl Head {
    /// Where the number of entries is.
    pub(super) const COUNT: u64 = 36;

    pub(super) fn new(id: NodeId, network: &str) -> Head {
        let one = crc32fast::hash(network.as_bytes());
        let other = crc32fast::hash(&[network.as_bytes(), b"\n"].concat());
        let mut digest = [0; 8];
        digest[..4].copy_from_slice(&one.to_le_bytes());
        digest[4..].copy_from_slice(&other.to_le_bytes());
        Head { id, network: digest, name: network.to_owned(), entries: 0 }
    }

    pub(super) fn is_like(&self, other: &Head) -> bool {
        (self.id, self.network) == (other.id, other.network)
    }

    /// What to call the network of this file: its name if it is that of the other.
    pub(super) fn network(&self, other: &Head) -> String {
        if self.network == other.network { other.name.clone() } else { "of another name".into() }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.id.0.to_le_bytes());
        bytes.extend(self.network);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The number of entries, as bytes.
    pub(super) fn count(entries: u64) -> [u8; 12] {
        let mut bytes = [0; 12];
        bytes[..8].copy_from_slice(&entries.to_le_bytes());
        let check = crc32fast::hash(&bytes[..8]);
        bytes[8..].copy_from_slice(&check.to_le_bytes());
        bytes
    }

    /// The head of a file, or what is wrong with it.
    pub(super) fn read(bytes: &[u8]) -> Result<Head, String> {
        let Some((head, _)) = bytes.split_first_chunk::<HEAD>() else {
            return Err("it is too short".into());
        };
        if !head.starts_with(MAGIC) {
            return Err("it is no state file".into());
        }
        let version = number(&head[16..20]);
        if version != VERSION {
            return Err(format!("it has version {version}, this program reads {VERSION}"));
        }
        let is_whole = number(&head[32..36]) == crc32fast::hash(&head[..32]);
        if !is_whole || number(&head[44..48]) != crc32fast::hash(&head[36..44]) {
            return Err("its head is not as it was written".into());
        }
        let (id, mut network, mut entries) = (NodeId(number(&head[20..24])), [0; 8], [0; 8]);
        network.copy_from_slice(&head[24..32]);
        entries.copy_from_slice(&head[36..44]);
        let entries = u64::from_le_bytes(entries);
        Ok(Head { id, network, name: String::new(), entries })
    }
}

/// One entry.
#[derive(Serialize, Deserialize)]
pub(super) enum Entry {
    /// Everything.
    All(Memory),
    /// What has changed.
    Change(Change),
}

impl Entry {
    /// The first entry of a file.
    pub(super) fn of_memory(memory: &Memory) -> Vec<u8> {
        Entry::All(memory.clone()).to_bytes(0)
    }

    /// A later one, with its number.
    pub(super) fn of_change(change: &Change, number: u64) -> Vec<u8> {
        Entry::Change(change.clone()).to_bytes(number)
    }

    fn to_bytes(&self, number: u64) -> Vec<u8> {
        let body = postcard::to_allocvec(self).expect("a memory can be written down");
        let mut bytes = (body.len() as u32).to_le_bytes().to_vec();
        bytes.extend(check(number, &body).to_le_bytes());
        bytes.extend(body);
        bytes
    }
}

/// What was read of a file.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) memory: Memory,
    pub(super) length: u64,
    pub(super) entries: u64,
}

/// Read the entries of a file, of which so many count at least.
pub(super) fn read(bytes: &[u8], at_least: u64) -> Result<Read, String> {
    let mut rest = bytes.get(HEAD..).unwrap_or_default();
    let (mut memory, mut entries) = (None, 0);
    while let Some((body, after)) = next(rest, entries) {
        let entry = postcard::take_from_bytes::<Entry>(body);
        match (entry, &mut memory) {
            (Ok((Entry::All(all), [])), None) => memory = Some(all),
            (Ok((Entry::Change(change), [])), Some(memory)) => memory.apply(change),
            _ => return Err(format!("entry {} cannot be read", entries + 1)),
        }
        (rest, entries) = (after, entries + 1);
    }
    let length = (bytes.len() - rest.len()) as u64;
    match memory {
        Some(memory) if at_least <= entries => Ok(Read { memory, length, entries }),
        _ => Err(format!("of {} entries only the first {entries} can be read", at_least.max(1))),
    }
}

/// The body of the next entry, if that is whole, and what is after it.
fn next(bytes: &[u8], number: u64) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let (expected, rest) = rest.split_first_chunk::<4>()?;
    let (body, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    (check(number, body) == u32::from_le_bytes(*expected)).then_some((body, rest))
}

fn check(number: u64, body: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&number.to_le_bytes());
    hasher.update(body);
    hasher.finalize()
}

/// Four bytes.
fn number(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

#[cfg(test)]
mod fuzz;
