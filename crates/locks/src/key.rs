//! What a lock is called: [`Kind`] and [`Key`].

use core::fmt;

use driftlock_core::ResourceId;
use serde::{Deserialize, Serialize};

/// The longest name of a lock or a group, in bytes.
pub const NAME_MAX: usize = 64;

/// The most permits that a lock can have.
pub const PERMITS_MAX: u32 = 1000;

/// Who excludes whom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Kind {
    /// One at a time.
    Exclusive,
    /// So many at a time.
    Permits(u32),
    /// One group at a time, any number of its members.
    Group,
    /// No two neighbors at a time.
    Local,
}

impl Kind {
    /// The name to type.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Exclusive => "exclusive",
            Kind::Permits(_) => "permits",
            Kind::Group => "group",
            Kind::Local => "local",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Permits(k) => write!(f, "permits ({k})"),
            other => f.write_str(other.name()),
        }
    }
}

/// A lock. Locks of two kinds are two locks, whatever they are called; a node refuses to have both.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Key {
    /// What people call it.
    pub name: String,
    /// What it does.
    pub kind: Kind,
}

impl Key {
    /// The lock of this name and kind.
    ///
    /// ```
    /// use driftlock_locks::{Key, Kind};
    /// assert!(Key::new("pad-3", Kind::Exclusive).is_ok());
    /// assert!(Key::new("", Kind::Exclusive).is_err());
    /// ```
    pub fn new(name: &str, kind: Kind) -> Result<Key, BadKey> {
        check_name(name)?;
        match kind {
            Kind::Permits(k) if k == 0 || PERMITS_MAX < k => Err(BadKey::Permits(k)),
            _ => Ok(Key { name: name.to_owned(), kind }),
        }
    }

    /// Whether [`Key::new`] would take this: what comes over the network need not be a name.
    pub(crate) fn is_valid(&self) -> bool {
        Key::new(&self.name, self.kind).is_ok()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.kind)
    }
}

/// What is wrong with the name of a lock or a group. Nothing was changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadKey {
    /// It has no byte, or more than [`NAME_MAX`].
    Length(usize),
    /// It has a control character in it.
    Control,
    /// There are no permits, or more than [`PERMITS_MAX`].
    Permits(u32),
}

impl fmt::Display for BadKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadKey::Length(n) => write!(f, "a name has 1 to {NAME_MAX} bytes, this one has {n}"),
            BadKey::Control => f.write_str("a name cannot have control characters in it"),
            BadKey::Permits(k) => write!(f, "a lock has 1 to {PERMITS_MAX} permits, not {k}"),
        }
    }
}

impl core::error::Error for BadKey {}

/// The resource that a group stands for. Groups are compared by 64 bits of a hash of their names.
pub fn group(name: &str) -> Result<ResourceId, BadKey> {
    check_name(name)?;
    Ok(ResourceId(digest(name.as_bytes())))
}

fn check_name(name: &str) -> Result<(), BadKey> {
    if name.is_empty() || NAME_MAX < name.len() {
        return Err(BadKey::Length(name.len()));
    }
    if name.chars().any(char::is_control) {
        return Err(BadKey::Control);
    }
    Ok(())
}

/// FNV-1a: short, and the same everywhere and for ever, which is what matters here.
fn digest(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for &byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_told_apart_by_a_hash_that_stays_the_same() {
        assert_eq!(group("a"), Ok(ResourceId(0xaf63_dc4c_8601_ec8c)));
        assert_ne!(group("north"), group("south"));
    }

    #[test]
    fn names_that_nobody_could_type_are_refused() {
        assert_eq!(Key::new(&"x".repeat(65), Kind::Local), Err(BadKey::Length(65)));
        assert_eq!(Key::new("a\nb", Kind::Local), Err(BadKey::Control));
        assert_eq!(Key::new("a", Kind::Permits(0)), Err(BadKey::Permits(0)));
        assert_eq!(Key::new("a", Kind::Permits(1001)), Err(BadKey::Permits(1001)));
    }
}
