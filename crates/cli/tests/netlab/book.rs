//! Who is inside which lock, as those who are inside say themselves: [`Book`].

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use driftlock_client::Lock;

use crate::map::Links;

/// How many may have the lock with permits.
const PERMITS: u32 = 3;

/// The four locks that nodes contend for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Name {
    Exclusive,
    Permits,
    Group,
    Local,
}

impl Name {
    pub(crate) const ALL: [Name; 4] = [Name::Exclusive, Name::Permits, Name::Group, Name::Local];

    /// What a node asks for.
    pub(crate) fn lock(self, node: u32) -> Lock {
        match self {
            Name::Exclusive => Lock::exclusive("pad"),
            Name::Permits => Lock::permits("camera", PERMITS),
            Name::Group => Lock::group("channel", group(node)),
            Name::Local => Lock::local("crossing"),
        }
    }
}

/// The group that a node is of.
fn group(node: u32) -> &'static str {
    if node.is_multiple_of(2) { "even" } else { "odd" }
}

/// Who is inside, and everything that was wrong.
#[derive(Default)]
pub(crate) struct Book(Mutex<Pages>);

#[derive(Default)]
struct Pages {
    inside: BTreeMap<Name, Vec<u32>>,
    entries: BTreeMap<(Name, u32), u64>,
    /// Of the exclusive lock, and of each group.
    fences: BTreeMap<&'static str, u64>,
    /// The links that have been up for a while at both ends, and stay.
    links: Links,
    wrong: Vec<String>,
}

/// What came of it all.
pub(crate) struct Summary {
    /// How often each lock was had by each node.
    pub(crate) entries: BTreeMap<(Name, u32), u64>,
    /// Overlaps, and fences that have not grown.
    pub(crate) wrong: Vec<String>,
}

impl Book {
    /// A node has a lock.
    pub(crate) fn enter(&self, name: Name, node: u32, fence: u64) {
        let mut pages = self.pages();
        let inside = pages.inside.entry(name).or_default().clone();
        let allowed = match name {
            Name::Exclusive => inside.is_empty(),
            Name::Permits => inside.len() < PERMITS as usize,
            Name::Group => inside.iter().all(|other| group(*other) == group(node)),
            Name::Local => !inside.iter().any(|j| pages.is_linked(node, *j)),
        };
        if !allowed {
            pages.wrong.push(format!("{name:?}: {node} came in with {inside:?} inside"));
        }
        pages.check_fence(name, node, fence);
        pages.inside.entry(name).or_default().push(node);
        *pages.entries.entry((name, node)).or_default() += 1;
    }

    /// A node is about to give a lock back.
    pub(crate) fn leave(&self, name: Name, node: u32) {
        self.pages().inside.entry(name).or_default().retain(|other| *other != node);
    }

    /// Something else is wrong.
    pub(crate) fn complain(&self, what: String) {
        self.pages().wrong.push(what);
    }

    /// These links have been up for a while, and stay until this is called again.
    pub(crate) fn set_links(&self, links: Links) {
        self.pages().links = links;
    }

    pub(crate) fn close(self) -> Summary {
        let pages = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        Summary { entries: pages.entries, wrong: pages.wrong }
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pages {
    fn is_linked(&self, i: u32, j: u32) -> bool {
        self.links.contains(&(i.min(j), i.max(j)))
    }

    /// A fence is greater than those of all grants before that exclude this one.
    fn check_fence(&mut self, name: Name, node: u32, fence: u64) {
        let own = match name {
            Name::Exclusive => "all",
            Name::Group => group(node),
            Name::Permits | Name::Local => return,
        };
        let others: &[&str] = match own {
            "all" => &["all"],
            "even" => &["odd"],
            _ => &["even"],
        };
        let last = others.iter().filter_map(|of| self.fences.get(of)).copied().max();
        if last.is_some_and(|last| fence <= last) {
            let last = last.unwrap_or_default();
            self.wrong.push(format!("{name:?}: the fence {fence} of {node} is not over {last}"));
        }
        let own = self.fences.entry(own).or_default();
        *own = fence.max(*own);
    }
}
