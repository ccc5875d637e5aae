//! All protocols, those of other people included: [`protocols`], [`register`].

use std::sync::OnceLock;

use anyhow::{Result, bail};

use super::Entry;
use super::entries::PROTOCOLS;

/// What there is since [`register`] was called.
static ALL: OnceLock<Vec<Entry>> = OnceLock::new();

/// All protocols: those of the papers, then those that were registered.
pub fn protocols() -> &'static [Entry] {
    ALL.get().map_or(PROTOCOLS, Vec::as_slice)
}

/// Add protocols to those of the papers, once and before anything is done with one. A name that is
/// taken is refused, and then nothing is added.
pub fn register(others: impl IntoIterator<Item = Entry>) -> Result<()> {
    let all = with(others)?;
    if ALL.set(all).is_err() {
        bail!("protocols are registered once, all of them together");
    }
    Ok(())
}

/// The protocols of the papers and these.
fn with(others: impl IntoIterator<Item = Entry>) -> Result<Vec<Entry>> {
    let mut all = PROTOCOLS.to_vec();
    for entry in others {
        let names = || entry.aliases.iter().chain([&entry.name]);
        let has = |other: &Entry, name: &str| other.name == name || other.aliases.contains(&name);
        if let Some(name) = names().find(|name| name.is_empty() || name.contains([':', ',', ' '])) {
            bail!("a protocol cannot have the name `{name}`: letters, digits and dashes are fine");
        }
        if let Some(name) = names().find(|name| all.iter().any(|other| has(other, name))) {
            bail!("there is a protocol with the name `{name}` already: take another one");
        }
        all.push(entry);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use driftlock_protocols::raymond::Raymond;

    use super::super::Of;
    use super::*;

    const RAYMOND: &Of<Raymond> = &Of::new(|_| ());

    #[test]
    fn others_come_after_those_of_the_papers() {
        let mine = Entry::new("mine", "one at a time", RAYMOND).aliases(&["own"]);
        let all = with([mine]).unwrap();
        assert_eq!(all.len(), PROTOCOLS.len() + 1);
        assert_eq!(all.last().map(Entry::name), Some("mine"));
    }

    #[test]
    fn a_name_is_taken_once() {
        let named = |name| Entry::new(name, "one at a time", RAYMOND);
        for names in [["rl", "x"], ["x", "rr"], ["x", "x"], ["", "x"], ["a:b", "x"]] {
            let error = with(names.map(named)).unwrap_err().to_string();
            assert!(error.contains('`'), "{error}");
        }
    }
}
