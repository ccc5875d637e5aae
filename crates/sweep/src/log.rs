//! Finished cells on the disk: [`Log`].
//!
//! A log begins with [`MAGIC`] and goes on with records: a length and a check sum, 4 bytes each and
//! little endian, and as many bytes of postcard, which are a [`Key`] and an [`Outcome`]. Records
//! are added at the end and never altered. If a process is killed in the middle of one, what is
//! there of it is noticed and cut off; its cell is run again, and so is that of a damaged one.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::digest::Key;
use crate::outcome::Outcome;

/// What every log begins with.
pub const MAGIC: &[u8; 16] = b"driftlock cells\n";
/// What stands before each record: its length and its check sum.
const HEAD: usize = 8;

/// What is wrong with a log.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// It cannot be opened, read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// Where it is.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// Another process writes to it.
    #[error("{}: another sweep is at work here: wait for it, or take another folder", .0.display())]
    Busy(PathBuf),
    /// It is something else.
    #[error("{}: this is no log of cells: move it away", .0.display())]
    Foreign(PathBuf),
}

/// What is in a log.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Contents {
    /// The finished cells.
    pub cells: BTreeMap<Key, Outcome>,
    /// How many bytes there are up to the end of the last record that is whole.
    pub whole: usize,
    /// How many bytes are of no use, among them and behind them.
    pub torn: usize,
}

/// Understand a log, as far as it is whole: a record that is damaged is passed over. Nothing if it
/// is something else.
pub fn read(bytes: &[u8]) -> Option<Contents> {
    let Some(mut rest) = bytes.strip_prefix(MAGIC) else {
        let torn = bytes.len();
        return MAGIC.starts_with(bytes).then(|| Contents { torn, ..Contents::default() });
    };
    let mut cells = BTreeMap::new();
    let (mut whole, mut useful) = (MAGIC.len(), MAGIC.len());
    while let Some((cell, behind)) = record(rest) {
        if let Some((key, outcome)) = cell {
            cells.insert(key, outcome);
            whole = bytes.len() - behind.len();
            useful += rest.len() - behind.len();
        }
        rest = behind;
    }
    Some(Contents { cells, whole, torn: bytes.len() - useful })
}

/// A finished cell.
type Cell = (Key, Outcome);

/// The first record, if it is undamaged, and what is behind it.
fn record(bytes: &[u8]) -> Option<(Option<Cell>, &[u8])> {
    let (head, rest) = bytes.split_at_checked(HEAD)?;
    let number = |at: usize| head[at..at + 4].try_into().map(u32::from_le_bytes).ok();
    let (length, sum) = (number(0)?, number(4)?);
    let (record, behind) = rest.split_at_checked(length as usize)?;
    let cell = (check_sum(record) == sum).then(|| postcard::from_bytes(record).ok());
    Some((cell.flatten(), behind))
}

/// The check sum of an empty record is not 0: zeros on the disk are no record.
fn check_sum(record: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&(record.len() as u32).to_le_bytes());
    hasher.update(record);
    hasher.finalize()
}

/// The bytes of a record.
pub fn encode(key: &Key, outcome: &Outcome) -> Vec<u8> {
    let record = postcard::to_allocvec(&(key, outcome)).expect("an outcome can be written");
    let mut bytes = Vec::with_capacity(HEAD + record.len());
    bytes.extend((record.len() as u32).to_le_bytes());
    bytes.extend(check_sum(&record).to_le_bytes());
    bytes.extend(record);
    bytes
}

/// A log that this process, and no other, adds to.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    /// The file, and how long it is.
    file: Mutex<(File, u64)>,
}

impl Log {
    /// Open a log, or begin one, and read what is in it. What is torn is cut off.
    pub fn open(path: &Path) -> Result<(Self, Contents), LogError> {
        let failed = |error| LogError::Io { path: path.into(), error };
        let options = || OpenOptions::new().read(true).append(true).create(true).open(path);
        let mut file = options().map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LogError::Busy(path.into())),
            // Some file systems of clusters know no locks; parts have files of their own there.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let contents = read(&bytes).ok_or_else(|| LogError::Foreign(path.into()))?;
        let mut length = contents.whole as u64;
        if length < bytes.len() as u64 {
            file.set_len(length).map_err(failed)?;
        }
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        if length == 0 {
            file.write_all(MAGIC).map_err(failed)?;
            length = MAGIC.len() as u64;
        }
        Ok((Log { path: path.into(), file: Mutex::new((file, length)) }, contents))
    }

    /// Read a log that may be written to by others.
    pub fn look(path: &Path) -> Result<Contents, LogError> {
        let bytes =
            std::fs::read(path).map_err(|error| LogError::Io { path: path.into(), error })?;
        read(&bytes).ok_or_else(|| LogError::Foreign(path.into()))
    }

    /// Add a finished cell.
    pub fn add(&self, key: &Key, outcome: &Outcome) -> Result<(), LogError> {
        let bytes = encode(key, outcome);
        let mut guard = self.file.lock().expect("no thread panics while it writes");
        let (file, length) = &mut *guard;
        if let Err(error) = file.write_all(&bytes) {
            // What comes later must not stand behind a part of this.
            let _ = file.set_len(*length);
            return Err(LogError::Io { path: self.path.clone(), error });
        }
        *length += bytes.len() as u64;
        Ok(())
    }
}
