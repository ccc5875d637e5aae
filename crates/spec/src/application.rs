//! Entry only on request, and the application keeps to its turns.

use driftlock_core::{NodeId, Status};

use crate::Promise;
use crate::violation::Broken;

/// The section of each process, followed from its application events alone.
#[derive(Clone, Debug)]
pub(crate) struct Sections(Vec<Status>);

impl Sections {
    pub(crate) fn new(n_nodes: usize) -> Self {
        Sections(vec![Status::Remainder; n_nodes])
    }

    #[inline]
    pub(crate) fn of(&self, node: NodeId) -> Status {
        self.0[node.index()]
    }

    pub(crate) fn all(&self) -> &[Status] {
        &self.0
    }

    /// A request: the last application event, if any, was a release.
    pub(crate) fn request(&mut self, node: NodeId) -> Result<(), Broken> {
        self.shift(node, Status::Remainder, Status::Waiting, Promise::Application, "asked")
    }

    /// A release: the last application event was an entry.
    pub(crate) fn release(&mut self, node: NodeId) -> Result<(), Broken> {
        self.shift(node, Status::Critical, Status::Remainder, Promise::Application, "released")
    }

    /// An entry: the last application event was a request.
    pub(crate) fn enter(&mut self, node: NodeId) -> Result<(), Broken> {
        self.shift(node, Status::Waiting, Status::Critical, Promise::EntryOnRequest, "was let in")
    }

    /// A demotion: the process was in the critical section and waits again.
    pub(crate) fn demote(&mut self, node: NodeId) -> Result<(), Broken> {
        self.shift(node, Status::Critical, Status::Waiting, Promise::EntryOnRequest, "was demoted")
    }

    /// What the process says of itself has to agree.
    #[inline]
    pub(crate) fn agree(&self, node: NodeId, status: Status) -> Result<(), Broken> {
        if self.of(node) == status { Ok(()) } else { self.disagree(node, status) }
    }

    #[cold]
    fn disagree(&self, node: NodeId, status: Status) -> Result<(), Broken> {
        let known = self.of(node);
        let what = format!("{node} says it is {status:?}, its events say {known:?}");
        Err((Promise::EntryOnRequest, vec![node], what))
    }

    #[inline]
    fn shift(
        &mut self,
        node: NodeId,
        from: Status,
        to: Status,
        promise: Promise,
        verb: &str,
    ) -> Result<(), Broken> {
        let was = std::mem::replace(&mut self.0[node.index()], to);
        if was == from { Ok(()) } else { out_of_turn(node, was, promise, verb) }
    }
}

#[cold]
fn out_of_turn(node: NodeId, was: Status, promise: Promise, verb: &str) -> Result<(), Broken> {
    Err((promise, vec![node], format!("{node} {verb} in its {was:?} section")))
}
