//! The answers of one step: [`Out`].

use alloc::vec::{Drain, Vec};

use crate::{NoTimer, NodeId, Output, Ticks};

/// The list of [`Output`]s of one step. The driver owns it, hands it to
/// [`Protocol::step`](crate::Protocol::step) empty, and drains it before the next step; its memory
/// is used again.
///
/// ```
/// use driftlock_core::{NodeId, NoTimer, Out, Output};
/// let mut out: Out<&str> = Out::new();
/// out.send(NodeId(3), "token");
/// assert_eq!(out.drain().next(), Some(Output::Send { to: NodeId(3), msg: "token" }));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Out<M, T = NoTimer>(Vec<Output<M, T>>);

impl<M, T> Out<M, T> {
    /// An empty list.
    pub const fn new() -> Self {
        Out(Vec::new())
    }

    /// Send `msg` to `to`.
    #[inline]
    pub fn send(&mut self, to: NodeId, msg: impl Into<M>) {
        let msg = msg.into();
        self.0.push(Output::Send { to, msg });
    }

    /// Let the application into the critical section.
    pub fn enter_cs(&mut self) {
        self.0.push(Output::EnterCs);
    }

    /// Send the application back to waiting.
    pub fn demote(&mut self) {
        self.0.push(Output::Demote);
    }

    /// Set `timer` to go off `after` from now.
    pub fn set_timer(&mut self, timer: T, after: Ticks) {
        self.0.push(Output::SetTimer { timer, after });
    }

    /// Unset `timer`.
    pub fn cancel_timer(&mut self, timer: T) {
        self.0.push(Output::CancelTimer { timer });
    }

    /// Say that a procedure of the paper was carried out.
    pub fn note(&mut self, procedure: &'static str) {
        self.0.push(Output::Note(procedure));
    }

    /// Say that the published text does not define this step.
    pub fn undefined(&mut self, what: &'static str) {
        self.0.push(Output::Undefined(what));
    }

    /// What was answered so far.
    #[inline]
    pub fn as_slice(&self) -> &[Output<M, T>] {
        &self.0
    }

    /// Take everything out, in order.
    #[inline]
    pub fn drain(&mut self) -> Drain<'_, Output<M, T>> {
        self.0.drain(..)
    }
}

impl<M, T> Default for Out<M, T> {
    fn default() -> Self {
        Out::new()
    }
}
