//! The memory of a node on disk: [`Store`], a file that changes are appended to.
//!
//! A change counts once it is on disk as a whole; what was being written when the power failed
//! does not count, and nothing had come of it. The number of changes that count is written to the
//! head of the file after each of them, so that a file whose end is missing or damaged can be told
//! from one that ends in the midst of a change. Such a file is refused: to guess what a node has
//! held is to lose a token or to double it.
//!
//! When the file has grown to many times of what is in it, it is written anew beside the old one
//! and takes its place.

mod format;

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use driftlock_core::NodeId;

use self::format::{Entry, HEAD, Head};
use crate::memory::{Change, Memory};

/// The name of the file.
const FILE: &str = "state";
/// The name of the next one, until it takes its place.
const NEXT: &str = "state.new";
/// The name of the file that tells whether a node uses the folder.
const IN_USE: &str = "in-use";
/// A file is not written anew before it has so many bytes.
const ANEW: u64 = 1 << 20;

/// Why the memory cannot be used. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// Another node uses it.
    #[error("the state in {} is in use by another node", .0.display())]
    InUse(PathBuf),
    /// It is another node's.
    #[error(
        "{} is the state of node {} of network {network}; give the --state of this node",
        path.display(), id.0
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Whose it is.
        id: NodeId,
        /// The network of that one, or how its name is kept.
        network: String,
    },
    /// It is not as it was written.
    #[error(
        "{} is damaged: {what}. What this node held is not known. To begin anew, move the file \
         away; what it held is then missing in the network: see docs/guarantees.md",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The system refused.
    #[error("cannot use the state in {}: {source}", path.display())]
    System {
        /// The file or the folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// The memory of a node on disk.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    head: Head,
    file: File,
    /// Up to where the file counts, and how many entries that are.
    length: u64,
    entries: u64,
    /// How long it was when it was written anew.
    anew: u64,
    memory: Memory,
    /// Is locked as long as this node uses the folder.
    _in_use: File,
}

impl Store {
    /// Open the memory of a node of this network, or begin it.
    pub fn open(
        folder: &Path,
        id: NodeId,
        network: &str,
        begin: impl FnOnce() -> Memory,
    ) -> Result<Store, StateError> {
        let system = |source| StateError::System { path: folder.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(system)?;
        let in_use = claim(folder)?;
        let path = folder.join(FILE);
        let head = Head::new(id, network);
        match OpenOptions::new().read(true).write(true).open(&path) {
            Ok(file) => Store::read(folder, head, file, in_use),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let memory = begin();
                let (file, length) = write_anew(folder, &head, &memory).map_err(system)?;
                let folder = folder.to_owned();
                let (entries, anew, _in_use) = (1, length, in_use);
                Ok(Store { folder, head, file, length, entries, anew, memory, _in_use })
            }
            Err(source) => Err(StateError::System { path, source }),
        }
    }

    fn read(folder: &Path, head: Head, file: File, in_use: File) -> Result<Store, StateError> {
        let path = folder.join(FILE);
        let system = |source| StateError::System { path: path.clone(), source };
        let damaged = |what: String| StateError::Damaged { path: path.clone(), what };
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut &file, &mut bytes).map_err(system)?;
        let found = Head::read(&bytes).map_err(damaged)?;
        if !found.is_like(&head) {
            let (id, network) = (found.id, found.network(&head));
            return Err(StateError::Foreign { path, id, network });
        }
        let read = format::read(&bytes, found.entries).map_err(damaged)?;
        // What was being written when the node ended.
        file.set_len(read.length).map_err(system)?;
        Ok(Store {
            folder: folder.to_owned(),
            head,
            file,
            length: read.length,
            entries: read.entries,
            anew: read.length,
            memory: read.memory,
            _in_use: in_use,
        })
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What is remembered.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Write down a change. When this returns, it counts, even if the power fails; if it fails,
    /// the change does not count and may be tried again.
    pub fn save(&mut self, change: &Change) -> io::Result<()> {
        let bytes = Entry::of_change(change, self.entries);
        // A try before may have left something.
        self.file.set_len(self.length)?;
        self.file.write_all_at(&bytes, self.length)?;
        self.file.sync_data()?;
        (self.length, self.entries) = (self.length + bytes.len() as u64, self.entries + 1);
        self.memory.apply(change.clone());
        // Nothing depends on when this gets to the disk, or whether.
        let _ = self.file.write_all_at(&Head::count(self.entries), Head::COUNT);
        if self.length > ANEW.max(8 * self.anew) {
            // There is still the old one if this does not work.
            let _ = self.write_anew();
        }
        Ok(())
    }

    /// Forget everything, and begin with this. When this returns, it counts.
    pub fn begin_anew(&mut self, memory: Memory) -> io::Result<()> {
        let before = core::mem::replace(&mut self.memory, memory);
        self.write_anew().inspect_err(|_| self.memory = before)
    }

    fn write_anew(&mut self) -> io::Result<()> {
        let (file, length) = write_anew(&self.folder, &self.head, &self.memory)?;
        (self.file, self.length, self.entries, self.anew) = (file, length, 1, length);
        Ok(())
    }
}

/// See that no other node uses the folder.
fn claim(folder: &Path) -> Result<File, StateError> {
    let path = folder.join(IN_USE);
    let file = OpenOptions::new().create(true).write(true).truncate(false).open(&path);
    let file = file.map_err(|source| StateError::System { path: path.clone(), source })?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StateError::InUse(folder.to_owned())),
        Err(TryLockError::Error(source)) => Err(StateError::System { path, source }),
    }
}

/// A file with all of it, in place of the one there is.
fn write_anew(folder: &Path, head: &Head, memory: &Memory) -> io::Result<(File, u64)> {
    let next = folder.join(NEXT);
    let file = OpenOptions::new().create(true).read(true).write(true).truncate(true).open(&next)?;
    let first = Entry::of_memory(memory);
    file.write_all_at(&head.to_bytes(), 0)?;
    file.write_all_at(&Head::count(1), Head::COUNT)?;
    file.write_all_at(&first, HEAD as u64)?;
    file.sync_all()?;
    std::fs::rename(&next, folder.join(FILE))?;
    File::open(folder)?.sync_all()?;
    Ok((file, HEAD as u64 + first.len() as u64))
}

#[cfg(test)]
mod tests;
