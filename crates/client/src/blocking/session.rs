//! A connection, and the thread that reads from it.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use super::Guard;
use crate::ConnectError;
use crate::desk::{Desk, Failure, Reply, disconnected};
use crate::frame::Decoder;
use crate::welcome::{admitted, no_node};
use crate::wire::{Granted, Greeting, Incoming, Lost, Op};

/// Whoever waits for an answer.
struct Waiter {
    to: SyncSender<Answer>,
    /// Whether the answer is a grant.
    is_grant: bool,
}

enum Answer {
    Plain(Reply),
    /// The guard is made where the answer comes in, so that no loss of it is missed.
    Grant(Guard),
}

pub(super) struct Session {
    stream: UnixStream,
    /// One frame at a time. Not the desk's lock: what comes is read while this waits.
    writing: Mutex<()>,
    desk: Mutex<Desk<Waiter, Arc<Watch>>>,
    greeting: Greeting,
}

impl Session {
    pub(super) fn begin(path: &Path) -> Result<Arc<Self>, ConnectError> {
        let unreachable = |error| ConnectError::Unreachable { path: path.into(), error };
        let stream = UnixStream::connect(path).map_err(unreachable)?;
        let mut reader = stream.try_clone().map_err(unreachable)?;
        let mut decoder = Decoder::default();
        let greeting = loop {
            if let Some(frame) = decoder.next_frame().map_err(|error| no_node(path, error))? {
                let first = Incoming::parse(frame).map_err(|error| no_node(path, error))?;
                break admitted(path, first)?;
            }
            receive(&mut reader, &mut decoder).map_err(|why| no_node(path, why))?;
        };
        let session = Arc::new(Session {
            stream,
            writing: Mutex::default(),
            desk: Mutex::default(),
            greeting,
        });
        let weak = Arc::downgrade(&session);
        let thread = thread::Builder::new().name("driftlock-client".into());
        thread.spawn(move || keep_receiving(reader, decoder, &weak)).map_err(unreachable)?;
        Ok(session)
    }

    pub(super) fn share(&self) -> io::Result<OwnedFd> {
        Ok(self.stream.try_clone()?.into())
    }

    pub(super) fn greeting(&self) -> &Greeting {
        &self.greeting
    }

    pub(super) fn ask(&self, op: Op) -> Reply {
        match self.answer(op, false)? {
            Answer::Plain(reply) => reply,
            Answer::Grant(_) => unreachable!("nothing was acquired"),
        }
    }

    pub(super) fn acquire(&self, op: Op) -> Result<Guard, Failure> {
        match self.answer(op, true)? {
            Answer::Grant(guard) => Ok(guard),
            Answer::Plain(Err(failure)) => Err(failure),
            Answer::Plain(Ok(_)) => unreachable!("what is acquired is granted or refused"),
        }
    }

    pub(super) fn release(&self, grant: u64) -> Reply {
        self.desk().give_back(grant);
        self.ask(Op::Release(grant))
    }

    pub(super) fn release_unheard(&self, grant: u64) {
        let mut desk = self.desk();
        desk.give_back(grant);
        let frame = desk.ask(Op::Release(grant), None);
        drop(desk);
        if let Ok((_, frame)) = frame {
            self.send(&frame);
        }
    }

    fn answer(&self, op: Op, is_grant: bool) -> Result<Answer, Failure> {
        let (to, answer) = sync_channel(1);
        let (_, frame) = self.desk().ask(op, Some(Waiter { to, is_grant }))?;
        self.send(&frame);
        answer.recv().map_err(|_| Failure::Over("the session is over".into()))
    }

    /// Send bytes. That the socket is broken is seen where it is read.
    fn send(&self, bytes: &[u8]) {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = (&self.stream).write_all(bytes);
    }

    /// Act on a frame. Says why, if the session is over.
    fn arrived(self: &Arc<Self>, frame: &[u8]) -> Result<(), String> {
        match Incoming::parse(frame).map_err(|error| format!("the node is garbled: {error}"))? {
            Incoming::Answer(id, answer) => {
                let Some(waiter) = self.desk().answered(id) else { return Ok(()) };
                let answer = match answer {
                    Ok(answer) if waiter.is_grant => Answer::Grant(self.granted(answer.get())?),
                    answer => Answer::Plain(answer.map_err(Failure::Refused)),
                };
                // Whoever waits stays until there is an answer.
                let _ = waiter.to.send(answer);
            }
            Incoming::Lost(lost) => {
                let watch = self.desk().watcher(lost.grant).cloned();
                watch.iter().for_each(|watch| watch.tell(&lost));
            }
            Incoming::Farewell(refusal) => return Err(refusal.message),
            Incoming::Hello(_) | Incoming::Other => {}
        }
        Ok(())
    }

    fn granted(self: &Arc<Self>, answer: &str) -> Result<Guard, String> {
        let granted: Granted = serde_json::from_str(answer)
            .map_err(|error| format!("the node is garbled: {error}"))?;
        let watch = Arc::<Watch>::default();
        self.desk().hold(granted.grant, Arc::clone(&watch));
        Ok(Guard { session: Arc::clone(self), granted, watch, is_released: false })
    }

    fn end(&self, why: &str) {
        // A socket that is shut already is as good.
        let _ = self.stream.shutdown(Shutdown::Both);
        let (waiting, held) = self.desk().end(why);
        for waiter in waiting {
            let _ = waiter.to.send(Answer::Plain(Err(Failure::Over(why.into()))));
        }
        held.iter().for_each(|(grant, watch)| watch.tell(&disconnected(*grant, why)));
    }

    fn desk(&self) -> MutexGuard<'_, Desk<Waiter, Arc<Watch>>> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The thread that reads has the socket too, and ends with it.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("node", &self.greeting).finish_non_exhaustive()
    }
}

/// Act on all that comes, as long as somebody has the session.
fn keep_receiving(mut reader: UnixStream, mut decoder: Decoder, session: &Weak<Session>) {
    let why = loop {
        if let Err(why) = receive(&mut reader, &mut decoder) {
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

/// Wait for bytes, and hand them to the decoder. Says why, if there will be none.
fn receive(reader: &mut UnixStream, decoder: &mut Decoder) -> Result<(), String> {
    let mut bytes = [0; 8192];
    match reader.read(&mut bytes) {
        Ok(0) => return Err("the node has hung up".into()),
        Ok(length) => decoder.push(&bytes[..length]),
        Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
        Err(error) => return Err(format!("the node is gone: {error}")),
    }
    Ok(())
}

/// Called once a grant is lost.
type Tell = Box<dyn FnOnce(&Lost) + Send>;

/// Whether a grant is lost.
#[derive(Default)]
pub(super) struct Watch {
    state: Mutex<Watched>,
    told: Condvar,
}

#[derive(Default)]
struct Watched {
    lost: Option<Lost>,
    tell: Vec<Tell>,
}

impl Watch {
    pub(super) fn lost(&self) -> Option<Lost> {
        self.state().lost.clone()
    }

    pub(super) fn wait(&self, wait: Duration) -> Option<Lost> {
        let waited = self.told.wait_timeout_while(self.state(), wait, |state| state.lost.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.lost.clone()
    }

    pub(super) fn on_lost(&self, tell: Tell) {
        let mut state = self.state();
        match state.lost.clone() {
            None => state.tell.push(tell),
            Some(lost) => {
                drop(state);
                tell(&lost);
            }
        }
    }

    fn tell(&self, lost: &Lost) {
        let mut state = self.state();
        state.lost = Some(lost.clone());
        let all = std::mem::take(&mut state.tell);
        drop(state);
        self.told.notify_all();
        all.into_iter().for_each(|tell| tell(lost));
    }

    fn state(&self) -> MutexGuard<'_, Watched> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("lost", &self.lost()).finish_non_exhaustive()
    }
}
