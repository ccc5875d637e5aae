//! What commands have written down is what those who had locks would have: [`judge`].

use std::fs;
use std::path::Path;

use driftlock_faults::{Ask, Kind, LOCKS, Lock};

use super::outcome::Outcome;

/// Somebody who was inside, as they have said themselves.
#[derive(Clone, PartialEq, Debug)]
struct Entry {
    number: usize,
    fence: u64,
    /// When, in seconds since the machine was started.
    at: f64,
    /// The number that was read.
    count: u64,
    whose: u64,
    has_ended: bool,
}

/// See that nobody was inside who must not be, that what was counted is right, and that fences
/// grow. Everything else is told as what is wrong.
pub(crate) fn judge(folder: &Path, outcome: &mut Outcome) {
    let overlaps = fs::read_to_string(folder.join("overlaps")).unwrap_or_default();
    outcome.overlaps += overlaps.lines().count() as u64;
    outcome.wrong.extend(overlaps.lines().map(Into::into));
    for lock in LOCKS {
        let Ok(entries) = entries(folder, lock) else {
            outcome.wrong.push(format!("the log of {} is not one", lock.name));
            continue;
        };
        outcome.entries += entries.len() as u64;
        match lock.kind {
            Kind::Exclusive => {
                let path = folder.join(format!("{}.count", lock.name));
                let count = fs::read_to_string(path).unwrap();
                judge_count(lock, &entries, count.trim().parse().unwrap(), outcome);
                judge_fences(lock, &entries, |_, _| true, outcome);
            }
            Kind::Group => judge_fences(lock, &entries, |a, b| a.whose != b.whose, outcome),
            Kind::Permits(_) | Kind::Local => {}
        }
    }
}

/// When this program began to be inside, if it did.
pub(crate) fn begun(folder: &Path, ask: &Ask, number: usize) -> Option<f64> {
    let entries = entries(folder, ask.lock).ok()?;
    entries.iter().find(|entry| entry.number == number).map(|entry| entry.at)
}

/// Who was inside, in order; or a line that is none of a log.
fn entries(folder: &Path, lock: Lock) -> Result<Vec<Entry>, String> {
    let text = fs::read_to_string(folder.join(format!("{}.log", lock.name))).unwrap_or_default();
    let mut entries: Vec<Entry> = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let number = words[0].parse().map_err(|_| line)?;
        let known = entries.iter_mut().find(|entry| entry.number == number);
        match (&words[1..], known) {
            (["begins", rest @ ..], None) => {
                entries.push(begin(number, rest).ok_or(line)?);
            }
            (["ends"], Some(entry)) if !entry.has_ended => entry.has_ended = true,
            _ => return Err(line.into()),
        }
    }
    Ok(entries)
}

fn begin(number: usize, words: &[&str]) -> Option<Entry> {
    let [fence, at, count, whose] = words else { return None };
    let (fence, at) = (fence.parse().ok()?, at.parse().ok()?);
    let (count, whose) = (count.parse().ok()?, whose.parse().ok()?);
    Some(Entry { number, fence, at, count, whose, has_ended: false })
}

/// Each who begins has read what the one before has written; or, if that one did not come to its
/// end, what it has read or would have written.
fn judge_count(lock: Lock, entries: &[Entry], last: u64, outcome: &mut Outcome) {
    let read = entries.iter().map(|entry| entry.count).chain([last]);
    let mut allowed = 0..=0;
    for (k, count) in read.enumerate() {
        if !allowed.contains(&count) {
            let who = entries.get(k).map_or("the end".into(), |entry| entry.number.to_string());
            let what = format!("{}: {who} found {count} and not {allowed:?}", lock.name);
            outcome.lost_updates += 1;
            outcome.wrong.push(what);
        }
        if let Some(entry) = entries.get(k) {
            allowed = count + u64::from(entry.has_ended)..=count + 1;
        }
    }
}

/// The fence of each is greater than those of all before that it excludes.
fn judge_fences(
    lock: Lock,
    entries: &[Entry],
    excludes: impl Fn(&Entry, &Entry) -> bool,
    outcome: &mut Outcome,
) {
    for (k, entry) in entries.iter().enumerate() {
        let before = entries[..k].iter().filter(|before| excludes(before, entry));
        if let Some(before) = before.filter(|before| entry.fence <= before.fence).last() {
            let (name, fence, number) = (lock.name, entry.fence, entry.number);
            let what = format!("{name}: the fence {fence} of {number} is not over {before:?}");
            outcome.wrong.push(what);
        }
    }
}
