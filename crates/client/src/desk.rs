//! Who waits for which answer: [`Desk`].

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::frame::encode;
use crate::wire::{Code, Lost, Op, Reason, Refusal, Request};

/// Why a request came to nothing.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// The node has refused it.
    Refused(Refusal),
    /// The session is over.
    Over(String),
}

/// What came of a request.
pub(crate) type Reply = Result<Box<RawValue>, Failure>;

/// The books of a session, without the session: who waits for an answer (`W`), and who has to be
/// told when a grant is lost (`L`).
pub(crate) struct Desk<W, L> {
    next: u64,
    waiting: BTreeMap<u64, W>,
    held: BTreeMap<u64, L>,
    over: Option<String>,
}

impl<W, L> Default for Desk<W, L> {
    fn default() -> Self {
        Desk { next: 0, waiting: BTreeMap::new(), held: BTreeMap::new(), over: None }
    }
}

impl<W, L> Desk<W, L> {
    /// A request of `waiter`, and the frame for it. Without a waiter its answer is ignored.
    pub(crate) fn ask(&mut self, op: Op, waiter: Option<W>) -> Result<(u64, Vec<u8>), Failure> {
        if let Some(why) = &self.over {
            return Err(Failure::Over(why.clone()));
        }
        let id = self.next;
        let frame = encode(&Request { id, op }).map_err(|error| {
            Failure::Refused(Refusal { code: Code::BadRequest, message: error.to_string() })
        })?;
        self.next += 1;
        if let Some(waiter) = waiter {
            self.waiting.insert(id, waiter);
        }
        Ok((id, frame))
    }

    /// Whoever waits for the answer to this request.
    pub(crate) fn answered(&mut self, id: u64) -> Option<W> {
        self.waiting.remove(&id)
    }

    /// A grant is held from now on.
    pub(crate) fn hold(&mut self, grant: u64, watcher: L) {
        self.held.insert(grant, watcher);
    }

    /// A grant is being given back.
    pub(crate) fn give_back(&mut self, grant: u64) {
        self.held.remove(&grant);
    }

    /// Whoever has to be told that a grant is lost.
    pub(crate) fn watcher(&self, grant: u64) -> Option<&L> {
        self.held.get(&grant)
    }

    /// The session is over. Everybody that is left, to be told.
    pub(crate) fn end(&mut self, why: &str) -> (Vec<W>, Vec<(u64, L)>) {
        self.over.get_or_insert_with(|| why.into());
        let waiting = std::mem::take(&mut self.waiting).into_values().collect();
        (waiting, std::mem::take(&mut self.held).into_iter().collect())
    }
}

/// What is told to those who hold a grant when the session is over.
pub(crate) fn disconnected(grant: u64, why: &str) -> Lost {
    Lost { grant, reason: Reason::Disconnected, message: why.into() }
}
