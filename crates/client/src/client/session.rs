//! A connection, and the tasks that serve it.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use serde_json::value::RawValue;
use tokio::sync::{oneshot, watch};
use tokio::task::AbortHandle;

use super::Guard;
use crate::ConnectError;
use crate::desk::{Desk, Failure, Reply, disconnected};
use crate::frame::Decoder;
use crate::pipe::Pipe;
use crate::welcome::{admitted, no_node};
use crate::wire::{Code, Granted, Greeting, Incoming, Lost, Op, Refusal};

/// Whoever waits for an answer.
enum Waiter {
    Answer(oneshot::Sender<Reply>),
    /// The guard is made where the answer comes in: if nobody waits for it any more, it is dropped,
    /// and that releases the lock.
    Grant(oneshot::Sender<Result<Guard, Failure>>),
}

impl Waiter {
    fn fail(self, failure: Failure) {
        // Whoever has gone needs no answer.
        match self {
            Waiter::Answer(to) => drop(to.send(Err(failure))),
            Waiter::Grant(to) => drop(to.send(Err(failure))),
        }
    }
}

pub(super) struct Session {
    pipe: Arc<Pipe>,
    desk: Mutex<Desk<Waiter, watch::Sender<Option<Lost>>>>,
    greeting: Greeting,
    tasks: [AbortHandle; 2],
}

impl Session {
    pub(super) async fn begin(path: &Path) -> Result<Arc<Self>, ConnectError> {
        let unreachable = |error| ConnectError::Unreachable { path: path.into(), error };
        let pipe = Arc::new(Pipe::connect(path).await.map_err(unreachable)?);
        let mut decoder = Decoder::default();
        let greeting = loop {
            if let Some(frame) = decoder.next_frame().map_err(|error| no_node(path, error))? {
                let first = Incoming::parse(frame).map_err(|error| no_node(path, error))?;
                break admitted(path, first)?;
            }
            pipe.receive(&mut decoder).await.map_err(|why| no_node(path, why))?;
        };
        Ok(Arc::new_cyclic(|session| {
            let sender = Arc::clone(&pipe);
            let sending = tokio::spawn(async move { sender.keep_sending().await });
            let receiving = tokio::spawn(receive(Arc::clone(&pipe), decoder, session.clone()));
            let tasks = [sending.abort_handle(), receiving.abort_handle()];
            Session { pipe, desk: Mutex::default(), greeting, tasks }
        }))
    }

    pub(super) fn greeting(&self) -> &Greeting {
        &self.greeting
    }

    pub(super) async fn ask(&self, op: Op) -> Reply {
        let (to, answer) = oneshot::channel();
        self.send(op, Waiter::Answer(to))?;
        answer.await.unwrap_or_else(|_| Err(Failure::Over("the session is over".into())))
    }

    pub(super) async fn acquire(&self, op: Op) -> Result<Guard, Failure> {
        let (to, grant) = oneshot::channel();
        let request = self.send(op, Waiter::Grant(to))?;
        let mut withdrawal = Withdrawal { session: self, request: Some(request) };
        let grant = grant.await;
        withdrawal.request = None;
        grant.unwrap_or_else(|_| Err(Failure::Over("the session is over".into())))
    }

    pub(super) async fn release(&self, grant: u64) -> Reply {
        self.desk().give_back(grant);
        self.ask(Op::Release(grant)).await
    }

    pub(super) fn release_unheard(&self, grant: u64) {
        self.desk().give_back(grant);
        self.tell(Op::Release(grant));
    }

    /// Send a request. Requests go out in the order of their ids.
    fn send(&self, op: Op, waiter: Waiter) -> Result<u64, Failure> {
        if self.pipe.is_full() {
            let message = "the node does not take what is sent to it".into();
            return Err(Failure::Refused(Refusal { code: Code::TooMany, message }));
        }
        let mut desk = self.desk();
        let (id, frame) = desk.ask(op, Some(waiter))?;
        self.pipe.send(&frame);
        Ok(id)
    }

    /// Send a request whose answer does not matter.
    fn tell(&self, op: Op) {
        let mut desk = self.desk();
        if let Ok((_, frame)) = desk.ask(op, None) {
            self.pipe.send(&frame);
        }
    }

    /// Act on a frame. Says why, if the session is over.
    fn arrived(self: &Arc<Self>, frame: &[u8]) -> Result<(), String> {
        match Incoming::parse(frame).map_err(|error| format!("the node is garbled: {error}"))? {
            Incoming::Answer(id, answer) => {
                let waiter = self.desk().answered(id);
                match waiter {
                    Some(Waiter::Answer(to)) => drop(to.send(answer.map_err(Failure::Refused))),
                    Some(Waiter::Grant(to)) => drop(to.send(self.granted(answer)?)),
                    None => {}
                }
            }
            Incoming::Lost(lost) => {
                if let Some(watcher) = self.desk().watcher(lost.grant) {
                    watcher.send_replace(Some(lost));
                }
            }
            Incoming::Farewell(refusal) => return Err(refusal.message),
            Incoming::Hello(_) | Incoming::Other => {}
        }
        Ok(())
    }

    fn granted(
        self: &Arc<Self>,
        answer: Result<Box<RawValue>, Refusal>,
    ) -> Result<Result<Guard, Failure>, String> {
        let answer = match answer {
            Ok(answer) => answer,
            Err(refusal) => return Ok(Err(Failure::Refused(refusal))),
        };
        let granted: Granted = serde_json::from_str(answer.get())
            .map_err(|error| format!("the node is garbled: {error}"))?;
        let (watcher, lost) = watch::channel(None);
        self.desk().hold(granted.grant, watcher);
        Ok(Ok(Guard { session: Arc::clone(self), granted, lost, is_released: false }))
    }

    fn end(&self, why: &str) {
        self.pipe.shut();
        let (waiting, held) = self.desk().end(why);
        waiting.into_iter().for_each(|waiter| waiter.fail(Failure::Over(why.into())));
        for (grant, watcher) in held {
            watcher.send_replace(Some(disconnected(grant, why)));
        }
    }

    fn desk(&self) -> MutexGuard<'_, Desk<Waiter, watch::Sender<Option<Lost>>>> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("node", &self.greeting).finish_non_exhaustive()
    }
}

/// Takes a request back, unless it was answered.
struct Withdrawal<'a> {
    session: &'a Session,
    request: Option<u64>,
}

impl Drop for Withdrawal<'_> {
    fn drop(&mut self) {
        if let Some(request) = self.request {
            self.session.tell(Op::Cancel(request));
        }
    }
}

/// Act on all that comes, as long as somebody has the session.
async fn receive(pipe: Arc<Pipe>, mut decoder: Decoder, session: Weak<Session>) {
    let why = loop {
        if let Err(why) = pipe.receive(&mut decoder).await {
            break why;
        }
        let Some(session) = session.upgrade() else { return };
        if let Err(why) = handle(&session, &mut decoder) {
            break why;
        }
    };
    if let Some(session) = session.upgrade() {
        session.end(&why);
    }
}

fn handle(session: &Arc<Session>, decoder: &mut Decoder) -> Result<(), String> {
    while let Some(frame) = decoder.next_frame().map_err(|error| error.to_string())? {
        session.arrived(frame)?;
    }
    Ok(())
}
