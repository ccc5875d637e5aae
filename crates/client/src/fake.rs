//! A node that is none, for tests: the API over a Unix socket, with locks of this process only.
//!
//! Two names make it misbehave, for clients that cannot call it: `fake-lost` is lost as soon as it
//! is granted, and who asks for `fake-hang-up` is hung up on.

mod books;

use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use self::books::Books;
pub use self::books::{HANG_UP, LOST, PAGE};
use crate::frame::{Decoder, encode};
use crate::wire::{API, Code, Farewell, Greeting, Hello, Lease, Op, Reason, Refusal, Request};

/// The node, until it is dropped.
#[derive(Debug)]
pub struct Fake {
    shared: Arc<Shared>,
    path: PathBuf,
}

#[derive(Debug)]
struct Shared {
    books: Mutex<Books>,
    changed: Condvar,
}

impl Fake {
    /// Begin to listen at a path.
    ///
    /// # Panics
    ///
    /// If that is not possible.
    #[must_use]
    pub fn start(path: impl AsRef<Path>) -> Self {
        let path = path.as_ref().to_owned();
        let listener = UnixListener::bind(&path).expect("tests listen where nobody does");
        let shared = Arc::new(Shared { books: Mutex::default(), changed: Condvar::new() });
        let listening = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if listening.books().is_over {
                    return;
                }
                let shared = Arc::clone(&listening);
                thread::spawn(move || shared.converse(stream));
            }
        });
        Fake { shared, path }
    }

    /// Where it listens.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The grants that are held, in order.
    #[must_use]
    pub fn held(&self) -> Vec<u64> {
        self.shared.books().held()
    }

    /// How many requests wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.shared.books().waiting()
    }

    /// Wait until so many grants are held, and so many requests wait.
    ///
    /// # Panics
    ///
    /// If that takes minutes.
    pub fn expect(&self, held: usize, waiting: usize) {
        let other = |books: &mut Books| (books.held().len(), books.waiting()) != (held, waiting);
        let long = Duration::from_mins(2);
        let waited = self.shared.changed.wait_timeout_while(self.shared.books(), long, other);
        let (mut books, _) = waited.unwrap_or_else(PoisonError::into_inner);
        assert!(!other(&mut books), "{held} held and {waiting} waiting never came: {books:?}");
    }

    /// Say that a grant is lost to a neighbor.
    pub fn lose(&self, grant: u64) {
        self.lose_by(grant, Reason::Demoted);
    }

    /// Say that a grant is lost for this reason.
    pub fn lose_by(&self, grant: u64, reason: Reason) {
        self.shared.books().lose(grant, reason);
    }

    /// Say nothing more, but go on.
    pub fn freeze(&self) {
        self.shared.books().freeze();
    }

    /// Say everything that was not said.
    pub fn thaw(&self) {
        self.shared.books().thaw();
    }

    /// Send bytes to everybody.
    pub fn babble(&self, bytes: &[u8]) {
        self.shared.books().babble(bytes);
    }

    /// End every session.
    pub fn hang_up(&self) {
        self.shared.books().hang_up();
    }

    /// Refuse whoever connects from now on, or greet them as a node of another version.
    pub fn refuse(&self, refusal: Refusal) {
        self.shared.books().refusal = Some(refusal);
    }

    /// Greet whoever connects from now on as a node with another version of the API.
    pub fn speak(&self, api: u32) {
        self.shared.books().api = api;
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        {
            let mut books = self.shared.books();
            books.is_over = true;
            books.hang_up();
        }
        // Wakes the one that listens.
        let _ = UnixStream::connect(&self.path);
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Shared {
    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Serve a session from its beginning to its end.
    fn converse(self: &Arc<Self>, stream: UnixStream) {
        use std::io::{Read, Write};
        let Ok(mut reader) = stream.try_clone() else { return };
        let mut books = self.books();
        if let Some(refusal) = books.refusal.clone() {
            let _ = reader.write_all(&frame(&Farewell { error: refusal }));
            return;
        }
        let (version, network) = ("0.1.0".into(), "fleet".into());
        let greeting = Greeting { api: books.api, version, node: 3, network };
        let _ = reader.write_all(&frame(&Hello { driftlock: greeting }));
        let session = books.begin(stream);
        drop(books);
        let (mut decoder, mut bytes) = (Decoder::default(), [0; 4096]);
        while let Ok(length @ 1..) = reader.read(&mut bytes) {
            decoder.push(&bytes[..length]);
            if let Err(refusal) = self.handle(session, &mut decoder) {
                self.books().say(session, &frame(&Farewell { error: refusal }));
                break;
            }
        }
        self.books().end(session);
        self.settle();
    }

    fn handle(self: &Arc<Self>, session: u64, decoder: &mut Decoder) -> Result<(), Refusal> {
        let too_long = |error: crate::frame::TooLong| bad(error.to_string());
        while let Some(bytes) = decoder.next_frame().map_err(too_long)? {
            match Request::parse(bytes) {
                Ok(request) => self.serve(session, request),
                Err(none) => {
                    let id = none.id.ok_or_else(|| none.refusal.clone())?;
                    self.books().refuse(session, id, none.refusal);
                }
            }
        }
        Ok(())
    }

    fn serve(self: &Arc<Self>, session: u64, request: Request) {
        let wait = match &request.op {
            Op::Acquire(acquire) => acquire.wait_ms.filter(|wait| *wait > 0),
            _ => None,
        };
        let id = request.id;
        let is_queued = {
            let mut books = self.books();
            books.serve(session, request);
            books.is_queued(session, id)
        };
        self.settle();
        if let Some(wait) = wait.filter(|_| is_queued) {
            let shared = Arc::clone(self);
            thread::spawn(move || shared.time_out(session, id, Duration::from_millis(wait)));
        }
    }

    fn time_out(self: &Arc<Self>, session: u64, id: u64, wait: Duration) {
        let queued = |books: &mut Books| books.is_queued(session, id);
        let waited = self.changed.wait_timeout_while(self.books(), wait, queued);
        let (mut books, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let message = format!("it was not free within {} ms", wait.as_millis());
        books.withdraw(session, id, Refusal { code: Code::Timeout, message });
        drop(books);
        self.settle();
    }

    /// Something has changed: whoever waits for that is woken, and leases begin.
    fn settle(self: &Arc<Self>) {
        self.changed.notify_all();
        let begun = self.books().begun();
        for (grant, lease) in begun {
            let shared = Arc::clone(self);
            thread::spawn(move || shared.end_lease(grant, lease));
        }
    }

    fn end_lease(&self, grant: u64, lease: Lease) {
        let held = |books: &mut Books| books.held().contains(&grant);
        let time = Duration::from_millis(lease.told_after_ms());
        let waited = self.changed.wait_timeout_while(self.books(), time, held);
        let (mut books, _) = waited.unwrap_or_else(PoisonError::into_inner);
        books.lose(grant, Reason::Lease);
    }
}

fn bad(message: String) -> Refusal {
    Refusal { code: Code::BadRequest, message }
}

fn frame(value: &impl serde::Serialize) -> Vec<u8> {
    encode(value).expect("it is short")
}

impl Default for Books {
    fn default() -> Self {
        Books::new(API)
    }
}
