//! The local API (`docs/api.md`): sessions, and what programs ask for.

use std::rc::Rc;

use driftlock_client::frame::{self, Decoder, TooLong};
use driftlock_client::wire::{
    API, Acquire, Code, Done, Farewell, Greeting, Hello, Kind as Asked, Op, Refusal, Request,
};
use driftlock_core::ResourceId;
use driftlock_locks::{BadKey, Key, Kind, Refusal as Refused, Request as Wanted, Ticket, group};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Notify;

use crate::held::Owner;
use crate::shared::{Handle, SESSIONS_MAX, Session, Shared, Wish, refusal};
use crate::views;

/// Take in programs, for ever.
pub(crate) async fn serve(listener: UnixListener, shared: Handle) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::task::spawn_local(attend(stream, shared.clone()));
            }
            Err(error) => {
                // No file descriptors left, most likely; some will be free again.
                tracing::warn!(%error, "a program could not be let in");
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            }
        }
    }
}

/// One session, from the first frame to the last.
async fn attend(stream: UnixStream, shared: Handle) {
    let stream = Rc::new(stream);
    let wake = Rc::new(Notify::new());
    let id = match begin(&stream, &wake, &shared) {
        Ok(id) => id,
        Err(refusal) => {
            let farewell = frame::encode(&Farewell { error: refusal });
            if let Ok(bytes) = farewell {
                // The program may have gone: then nobody is there to be told.
                let _ = stream.try_write(&bytes);
            }
            return;
        }
    };
    let mut decoder = Decoder::default();
    let mut buffer = [0; 4096];
    loop {
        let waiting = match shared.borrow().sessions.get(&id) {
            Some(session) if !session.over => !session.backlog.is_empty(),
            _ => break,
        };
        tokio::select! {
            ready = stream.readable() => {
                if ready.is_err() || !hear(&stream, &mut buffer, &mut decoder, id, &shared) {
                    break;
                }
            }
            ready = stream.writable(), if waiting => {
                if ready.is_err() {
                    break;
                }
                if let Some(session) = shared.borrow_mut().sessions.get_mut(&id) {
                    session.flush();
                }
            }
            () = wake.notified() => {}
        }
    }
    shared.borrow_mut().end_session(id);
}

/// Let a program in, if it may come in.
fn begin(stream: &Rc<UnixStream>, wake: &Rc<Notify>, shared: &Handle) -> Result<u64, Refusal> {
    let mut shared = shared.borrow_mut();
    let credentials = stream
        .peer_cred()
        .map_err(|error| refusal(Code::Denied, format!("who you are cannot be seen: {error}")))?;
    let uid = credentials.uid();
    let own = nix::unistd::geteuid().as_raw();
    if uid != 0 && uid != own && !shared.config.allowed_users.contains(&uid) {
        let how = format!("start the node with --allow-uid {uid}, or ask as user {own}");
        return Err(refusal(Code::Denied, format!("user {uid} may not use this node: {how}")));
    }
    if SESSIONS_MAX <= shared.sessions.len() {
        let what = format!("{SESSIONS_MAX} programs are connected already");
        return Err(refusal(Code::TooMany, what));
    }
    let id = shared.number();
    let pid = credentials.pid().and_then(|pid| u32::try_from(pid).ok());
    let session = Session {
        stream: stream.clone(),
        uid,
        pid,
        owner: pid.map_or(Owner::NOBODY, Owner::of),
        backlog: Vec::new(),
        wake: wake.clone(),
        over: false,
    };
    shared.sessions.insert(id, session);
    let driftlock = Greeting {
        api: API,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        node: shared.config.id.0,
        network: shared.config.network.clone(),
    };
    shared.say(id, &Hello { driftlock });
    Ok(id)
}

/// Read what there is. Says whether the session goes on.
fn hear(
    stream: &UnixStream,
    buffer: &mut [u8],
    decoder: &mut Decoder,
    id: u64,
    shared: &Handle,
) -> bool {
    match stream.try_read(buffer) {
        Ok(0) => return false,
        Ok(length) => decoder.push(&buffer[..length]),
        Err(error) => return error.kind() == std::io::ErrorKind::WouldBlock,
    }
    loop {
        let mut shared = shared.borrow_mut();
        match decoder.next_frame() {
            Ok(None) => return true,
            Ok(Some(bytes)) => {
                if !shared.request(id, bytes) {
                    return false;
                }
            }
            Err(TooLong(length)) => {
                let what = format!("a frame of {length} bytes is longer than {}", frame::LONGEST);
                shared.say(id, &Farewell { error: refusal(Code::BadRequest, what) });
                return false;
            }
        }
    }
}

impl Shared {
    /// A frame of a program. Says whether the session goes on.
    fn request(&mut self, session: u64, bytes: &[u8]) -> bool {
        match Request::parse(bytes) {
            Ok(request) => self.serve(session, request),
            Err(bad) => match bad.id {
                Some(id) => self.answer::<Done>(session, id, Err(bad.refusal)),
                None => {
                    self.say(session, &Farewell { error: bad.refusal });
                    return false;
                }
            },
        }
        true
    }

    fn serve(&mut self, session: u64, Request { id, op }: Request) {
        match op {
            Op::Acquire(acquire) => self.acquire(session, id, acquire),
            Op::Cancel(request) => self.cancel(session, id, request),
            Op::Release(grant) => self.release(session, id, grant),
            Op::Status => self.answer(session, id, Ok(views::status(self))),
            Op::Neighbors => self.answer(session, id, Ok(views::neighbors(self))),
            Op::Locks(after) => self.answer(session, id, Ok(views::locks(self, after.as_deref()))),
            Op::Queue(name) => self.answer(session, id, views::queue(self, &name)),
            Op::Metrics => self.answer(session, id, Ok(crate::metrics::answer(self))),
            Op::Moving(on) => {
                self.moving = on;
                self.engine.links.set_moving(on);
                self.answer(session, id, Ok(Done {}));
            }
            Op::Members => self.answer(session, id, Ok(crate::members::members(self))),
            Op::Forget { node, stopped } => self.forget(session, id, node, stopped),
            Op::Leave => {
                self.strikes_off = true;
                self.farewells.push((session, id));
                self.act(|engine, now, effects| engine.leave(now, false, effects));
                self.rearm.notify_one();
            }
        }
    }

    fn acquire(&mut self, session: u64, request: u64, asked: Acquire) {
        let (key, resource, group) = match lock_of(&asked) {
            Ok(lock) => lock,
            Err(bad) => {
                let refusal = refusal(Code::BadRequest, bad.to_string());
                return self.answer::<Done>(session, request, Err(refusal));
            }
        };
        if let Some(trouble) = &self.stuck {
            let what = format!("the node cannot write its state, and stands still: {trouble}");
            return self.answer::<Done>(session, request, Err(refusal(Code::Unavailable, what)));
        }
        // Who asks again has noticed that its session was over, and has stopped.
        if let Some(pid) = self.sessions.get(&session).and_then(|session| session.pid) {
            self.bury(|owner, held| owner.pid() == pid && *held == key);
        }
        let ticket = Ticket(self.number());
        let Acquire { wait_ms, lease, keeper, .. } = asked;
        let wish = Wish {
            session,
            request,
            key: key.clone(),
            group,
            resource,
            wait_ms,
            lease,
            keeper,
            granted: false,
        };
        self.wishes.insert(ticket, wish);
        self.act(|engine, now, effects| {
            let deadline = wait_ms.map(|wait| now.saturating_add(wait.saturating_mul(1000)));
            let lease = lease.map(|lease| lease.told_after_ms() * 1000);
            engine.acquire(now, Wanted { ticket, key, resource, deadline, lease }, effects);
        });
    }

    fn cancel(&mut self, session: u64, id: u64, request: u64) {
        let is_meant =
            |wish: &Wish| wish.session == session && wish.request == request && !wish.granted;
        let found = self.wishes.iter().find(|(_, wish)| is_meant(wish)).map(|(&ticket, _)| ticket);
        if let Some(ticket) = found.filter(|&ticket| self.engine.withdraw(ticket)) {
            self.wishes.remove(&ticket);
            let why = refusal(Code::Cancelled, "the request was withdrawn");
            self.answer::<Done>(session, request, Err(why));
        }
        self.answer(session, id, Ok(Done {}));
    }

    fn release(&mut self, session: u64, id: u64, grant: u64) {
        let ticket = Ticket(grant);
        let is_held = self.wishes.get(&ticket).is_some_and(|w| w.session == session && w.granted);
        if !is_held {
            let what = format!("this session has no grant {grant}");
            return self.answer::<Done>(session, id, Err(refusal(Code::NotHeld, what)));
        }
        self.wishes.remove(&ticket);
        self.strike(ticket);
        // The answer first: whoever waits for it need not wait for what the network does next.
        self.answer(session, id, Ok(Done {}));
        self.give_back(ticket);
    }
}

/// Which lock is asked for, and of it what.
fn lock_of(asked: &Acquire) -> Result<(Key, ResourceId, Option<String>), BadKey> {
    let (kind, resource, name) = match &asked.kind {
        Asked::Exclusive => (Kind::Exclusive, ResourceId(0), None),
        Asked::Permits(k) => (Kind::Permits(*k), ResourceId(0), None),
        Asked::Group(name) => (Kind::Group, group(name)?, Some(name.clone())),
        Asked::Local => (Kind::Local, ResourceId(0), None),
    };
    Ok((Key::new(&asked.name, kind)?, resource, name))
}

/// A refusal in words.
pub(crate) fn explain(wish: &Wish, refused: &Refused) -> Refusal {
    let name = &wish.key.name;
    match refused {
        Refused::Kind(other) => refusal(
            Code::Kind,
            format!("{name} is in use as a lock of another kind: {other}, not {}", wish.key.kind),
        ),
        Refused::Busy => refusal(Code::Busy, format!("{name} is not free at this node")),
        Refused::Timeout => {
            let wait = wish.wait_ms.unwrap_or(0) as f64 / 1000.0;
            refusal(Code::Timeout, format!("{name} was not free within {wait} s"))
        }
        Refused::Leaving => refusal(Code::Leaving, "the node is leaving the network"),
        Refused::Struck => {
            let what = "the network has forgotten this node, which begins anew: ask again";
            refusal(Code::Unavailable, what)
        }
        Refused::TooMany => {
            refusal(Code::TooMany, "the node has as many locks or waiting programs as it takes on")
        }
    }
}

#[cfg(test)]
mod fuzz;
