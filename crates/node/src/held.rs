//! Who is inside, for the next start of the node: [`Held`].
//!
//! When a node is killed, the programs that hold its locks are not. They notice, and stop; until
//! then the locks are theirs, and a node that is started again must not give them to others. So
//! each grant is written to a file before the program hears of it. That the write got to the disk
//! is not waited for: if the power fails, the programs are gone as well, which the file tells by
//! the name of the system's start in its head.
//!
//! ```text
//! head    magic 16 | start of the system 36 | zeros
//! slot..  length 2, 0 if it is free | check 4 | postcard | zeros
//! ```

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use driftlock_core::ResourceId;
use driftlock_locks::{Key, Ticket};
use serde::{Deserialize, Serialize};

const MAGIC: &[u8; 16] = b"driftlock held 1";
const SLOT: u64 = 256;
/// The name of the file.
const FILE: &str = "held";

/// A process, told from later ones with the same number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Owner {
    pid: u32,
    /// When it was started, in ticks of the system; 0 if that cannot be known.
    started: u64,
}

/// A grant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Grant {
    pub(crate) ticket: u64,
    pub(crate) key: Key,
    pub(crate) resource: ResourceId,
    pub(crate) fence: u64,
    pub(crate) owner: Owner,
}

/// The grants of a node, in a file.
pub(crate) struct Held {
    file: File,
    slots: BTreeMap<Ticket, u64>,
    free: Vec<u64>,
    /// How many slots there are.
    length: u64,
}

impl Owner {
    pub(crate) fn of(pid: u32) -> Owner {
        Owner { pid, started: started(pid).unwrap_or(0) }
    }

    /// Whether it has not ended.
    pub(crate) fn is_alive(self) -> bool {
        started(self.pid) == Some(self.started)
    }

    pub(crate) fn pid(self) -> u32 {
        self.pid
    }
}

/// When the process with this number was started, if it has not ended.
fn started(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program comes before, and may have anything in it.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    // The third field of all is the first here, the twenty-second is the start.
    fields.nth(18)?.parse().ok().filter(|_| !["Z", "X"].contains(&state))
}

/// The name of this start of the system.
fn system() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    name.trim().to_owned()
}

impl Held {
    /// Begin a new file, and return the grants of the last one whose programs have not ended.
    pub(crate) fn open(folder: &Path) -> io::Result<(Held, Vec<Grant>)> {
        let path = folder.join(FILE);
        let before = match std::fs::read(&path) {
            Ok(bytes) => grants(&bytes, &system()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        let alive: Vec<Grant> = before.into_iter().filter(|grant| grant.owner.is_alive()).collect();
        // In one step: whoever is inside must be on record all the time.
        let next = folder.join("held.new");
        let file =
            OpenOptions::new().create(true).read(true).write(true).truncate(true).open(&next)?;
        let mut held = Held { file, slots: BTreeMap::new(), free: Vec::new(), length: 1 };
        let head = [MAGIC.as_slice(), system().as_bytes()].concat();
        held.file.write_all_at(&head, 0)?;
        for grant in &alive {
            held.put(grant)?;
        }
        std::fs::rename(&next, &path)?;
        Ok((held, alive))
    }

    /// Somebody is about to hear that it is inside.
    pub(crate) fn put(&mut self, grant: &Grant) -> io::Result<()> {
        let body = postcard::to_allocvec(grant).map_err(io::Error::other)?;
        let mut bytes = (body.len() as u16).to_le_bytes().to_vec();
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(body);
        let slot = self.free.pop().unwrap_or(self.length);
        self.file.write_all_at(&bytes, slot * SLOT)?;
        self.length = self.length.max(slot + 1);
        self.slots.insert(Ticket(grant.ticket), slot);
        Ok(())
    }

    /// Somebody has left.
    pub(crate) fn remove(&mut self, ticket: Ticket) {
        let Some(slot) = self.slots.remove(&ticket) else { return };
        // If this does not work, the next start finds a program that has ended, or waits for one
        // that has not: nothing is lost but time.
        if self.file.write_all_at(&[0; 2], slot * SLOT).is_ok() {
            self.free.push(slot);
        }
    }
}

/// The grants in a file of this start of the system.
fn grants(bytes: &[u8], system: &str) -> Vec<Grant> {
    let head = [MAGIC.as_slice(), system.as_bytes()].concat();
    if system.is_empty() || !bytes.starts_with(&head) {
        return Vec::new();
    }
    bytes.chunks(SLOT as usize).skip(1).filter_map(grant).collect()
}

fn grant(slot: &[u8]) -> Option<Grant> {
    let (length, rest) = slot.split_first_chunk::<2>()?;
    let (check, rest) = rest.split_first_chunk::<4>()?;
    let body = rest.get(..usize::from(u16::from_le_bytes(*length)))?;
    let is_whole = !body.is_empty() && crc32fast::hash(body) == u32::from_le_bytes(*check);
    postcard::from_bytes(body).ok().filter(|_| is_whole)
}

#[cfg(test)]
mod tests {
    use driftlock_locks::Kind;

    use super::*;

    fn grant(ticket: u64, owner: Owner) -> Grant {
        let key = Key::new(&"n".repeat(64), Kind::Permits(1000)).unwrap();
        Grant { ticket, key, resource: ResourceId(u64::MAX), fence: u64::MAX, owner }
    }

    #[test]
    fn the_living_are_found_and_the_dead_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let me = Owner::of(std::process::id());
        let mut child = std::process::Command::new("sleep").arg("100").spawn().unwrap();
        let other = Owner::of(child.id());
        assert!(me.is_alive() && other.is_alive());
        let (mut held, before) = Held::open(folder.path()).unwrap();
        assert!(before.is_empty());
        for (ticket, owner) in [(1, me), (2, other), (3, me), (4, Owner { started: 1, ..me })] {
            held.put(&grant(ticket, owner)).unwrap();
        }
        held.remove(Ticket(1));
        held.put(&grant(5, me)).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!other.is_alive());
        for _ in 0..2 {
            let (_, before) = Held::open(folder.path()).unwrap();
            let mut before: Vec<u64> = before.iter().map(|grant| grant.ticket).collect();
            before.sort_unstable();
            assert_eq!(before, [3, 5], "also the next time");
        }
    }

    #[test]
    fn another_start_of_the_system_has_other_processes() {
        let folder = tempfile::tempdir().unwrap();
        let me = Owner::of(std::process::id());
        Held::open(folder.path()).unwrap().0.put(&grant(1, me)).unwrap();
        let bytes = std::fs::read(folder.path().join(FILE)).unwrap();
        assert_eq!(grants(&bytes, &system()).len(), 1);
        assert_eq!(grants(&bytes, "another"), []);
    }
}
