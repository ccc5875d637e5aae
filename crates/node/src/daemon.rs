//! The loop of a daemon: [`run`].

use std::cell::RefCell;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use driftlock_client::wire::Done;
use driftlock_link::{Config as LinkConfig, Links, PeerState};
use driftlock_locks::{Locks, Ticket};
use driftlock_roster::Council;
use tokio::net::{TcpListener, UnixListener};
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::LocalSet;
use tokio::time::{Instant, sleep_until};

use crate::config::Config;
use crate::engine::Engine;
use crate::held::{Grant, Held};
use crate::memory::Memory;
use crate::radio::{Radio, RadioError};
use crate::recorder::Recorder;
use crate::shared::{Handle, Shared};
use crate::store::{StateError, Store};
use crate::{api, http};

/// How many frames are taken in before others have their turn.
const FRAMES_AT_ONCE: usize = 64;

/// How often a radio that does not work is opened again, and the watchdog is told.
const CARE_EVERY: Duration = Duration::from_secs(1);

/// How long to wait for the last goodbyes.
const GOODBYE: Duration = Duration::from_millis(500);

/// How long to wait for those who stay to strike this node off, when it goes for good.
const PARTING: Duration = Duration::from_secs(3);

/// How often to look whether programs from before have ended.
const WATCH_EVERY: Duration = Duration::from_millis(50);

/// Why a node did not start. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// No radio.
    #[error(transparent)]
    Radio(#[from] RadioError),
    /// Another node serves programs there.
    #[error("a node is running already at {}; stop it, or choose another --socket", .0.display())]
    Running(PathBuf),
    /// Something else is there.
    #[error("{} is not a socket; choose another --socket, or remove it", .0.display())]
    NotASocket(PathBuf),
    /// The socket for programs could not be opened.
    #[error("cannot open the socket {}: {source}", path.display())]
    Socket {
        /// Where.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Metrics cannot be served.
    #[error("cannot serve metrics at {address}: {source}")]
    Metrics {
        /// Where.
        address: std::net::SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// The journal cannot be written.
    #[error("cannot begin the journal {}: {source}", path.display())]
    Journal {
        /// Where.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The memory cannot be used.
    #[error(transparent)]
    State(#[from] StateError),
    /// The memory can be read, and means nothing to this program.
    #[error("{0}: is the state from another version of this program?")]
    Memory(#[from] driftlock_locks::BadMemory),
    /// A program is inside of a lock that the memory does not have here.
    #[error(
        "process {pid} has {lock}, which this node does not remember; stop it, and start again"
    )]
    Inside {
        /// The lock.
        lock: String,
        /// The program.
        pid: u32,
    },
    /// The system refused something else.
    #[error("cannot start: {0}")]
    System(#[from] io::Error),
}

/// Run a node until it has left the network, by a signal or because it was asked to.
pub fn run(config: Config) -> Result<(), StartError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    LocalSet::new().block_on(&runtime, serve(config))
}

async fn serve(config: Config) -> Result<(), StartError> {
    let radio = Radio::open(&config.air)?;
    let listener = listen(&config.socket, config.socket_mode).await?;
    let _removal = Removal(config.socket.clone());
    let metrics = match config.metrics {
        Some(address) => Some(
            TcpListener::bind(address)
                .await
                .map_err(|source| StartError::Metrics { address, source })?,
        ),
        None => None,
    };
    let seed = crate::new_key()?;
    let memory = begin(&config)?;
    let store = store(&config, &memory)?;
    let memory = store.as_ref().map_or(&memory, Store::memory);
    let engine = engine(&config, seed, memory, 0)?;
    let id = config.id;
    let recorder = recorder(&config)?;
    let shared = Rc::new(RefCell::new(Shared::new(config, engine, radio)));
    match store {
        Some(store) => {
            wake(&mut shared.borrow_mut(), store)?;
            tokio::task::spawn_local(watch(shared.clone()));
        }
        None => shared.borrow_mut().act(|engine, now, effects| engine.wake(now, effects)),
    }
    if recorder.is_some() {
        let mut shared = shared.borrow_mut();
        shared.engine.locks.record();
        shared.recorder = recorder;
    }
    tokio::task::spawn_local(api::serve(listener, shared.clone()));
    if let Some(listener) = metrics {
        tokio::task::spawn_local(http::serve(listener, shared.clone()));
    }
    tracing::info!(%id, "the node is up");
    notify(&[sd_notify::NotifyState::Ready]);
    attend(&shared).await?;
    notify(&[sd_notify::NotifyState::Stopping]);
    Ok(())
}

/// The memory of a node that begins.
fn begin(config: &Config) -> io::Result<Memory> {
    // It is no secret, as the seed of the keys is.
    let name = u64::from_le_bytes(crate::new_key()?.first_chunk().copied().unwrap_or_default());
    Ok(Memory::new(config.id, name, config.founder, config.lease()))
}

/// What is remembered, unless everything is to be forgotten.
fn store(config: &Config, new: &Memory) -> Result<Option<Store>, StartError> {
    let Some(folder) = &config.state else { return Ok(None) };
    let store = Store::open(folder, config.id, &config.network, || new.clone())?;
    if config.founder && !store.memory().locks.founder {
        tracing::info!("the state says that another node is the founder by now");
    }
    Ok(Some(store))
}

/// Go on where the node ended, with those who are still inside.
fn wake(shared: &mut Shared, store: Store) -> Result<(), StartError> {
    let system = |source| StateError::System { path: store.folder().to_owned(), source };
    let (held, before) = Held::open(store.folder()).map_err(system)?;
    for Grant { ticket, key, resource, fence, owner } in before {
        let ticket = Ticket(ticket);
        if !shared.engine.locks.hold(0, ticket, &key, resource, fence) {
            return Err(StartError::Inside { lock: key.name, pid: owner.pid() });
        }
        tracing::warn!(lock = %key, pid = owner.pid(), "a program is still inside");
        shared.count_from(ticket.0);
        shared.orphans.insert(ticket, (owner, key));
    }
    (shared.held, shared.store) = (Some(held), Some(store));
    shared.engine.remember();
    shared.act(|engine, now, effects| engine.wake(now, effects));
    Ok(())
}

/// See when those who are still inside have ended.
async fn watch(shared: Handle) {
    while !shared.borrow().orphans.is_empty() {
        tokio::time::sleep(WATCH_EVERY).await;
        shared.borrow_mut().bury(|owner, _| !owner.is_alive());
    }
}

fn engine(
    config: &Config,
    seed: [u8; 32],
    memory: &Memory,
    now: u64,
) -> Result<Engine, StartError> {
    let links = LinkConfig {
        hello_every: u64::try_from(config.hello.as_micros()).unwrap_or(u64::MAX),
        moving: config.moving,
        ..LinkConfig::new(&config.network)
    };
    let (id, access, make, limits) = (config.id, config.access.clone(), config.make, config.limits);
    let links = Links::awake(id, links, access, seed, now, &memory.links);
    let locks = Locks::awake(id, make, limits, &memory.locks)?;
    let mut council = Council::new(memory.member(id), config.lease(), memory.roster.clone());
    council.detect(config.forget_after());
    Ok(Engine::new(links, locks, council))
}

fn recorder(config: &Config) -> Result<Option<Recorder>, StartError> {
    let Some(path) = &config.journal else { return Ok(None) };
    let recorder = Recorder::create(path, config.id, config.founder)
        .map_err(|source| StartError::Journal { path: path.clone(), source })?;
    Ok(Some(recorder))
}

/// What the system's supervisor is told, if there is one.
fn notify(state: &[sd_notify::NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(false, state) {
        tracing::debug!(%error, "the supervisor was not told");
    }
}

/// The main loop: frames, time, signals.
async fn attend(shared: &Handle) -> Result<(), StartError> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    // A file that may not grow any more is an error of the write, as a disk that is full.
    let _too_large = signal(SignalKind::from_raw(nix::sys::signal::Signal::SIGXFSZ as i32))?;
    let rearm = shared.borrow().rearm.clone();
    let mut give_up: Option<Instant> = None;
    let mut care_at = Instant::now() + CARE_EVERY;
    loop {
        if shared.borrow().engine.is_void() && !shared.borrow().engine.locks.is_leaving() {
            begin_anew(&mut shared.borrow_mut())?;
        }
        if has_left(shared) || give_up.is_some_and(|at| at <= Instant::now()) {
            return say_goodbye(shared).await;
        }
        let radio = shared.borrow().radio.clone();
        let is_stuck = shared.borrow().stuck.is_some();
        let due = if is_stuck { care_at } else { arm(shared) };
        tokio::select! {
            ready = radio.ready(), if !is_stuck => {
                if ready.is_ok() {
                    take_in(&radio, shared);
                }
                tokio::task::yield_now().await;
            }
            () = sleep_until(due.min(care_at)) => {
                if !is_stuck {
                    shared.borrow_mut().act(|engine, now, effects| engine.tick(now, effects));
                }
                if care_at <= Instant::now() {
                    care(shared);
                    care_at = Instant::now() + CARE_EVERY;
                    if give_up.is_some() && is_alone(shared) {
                        give_up = Some(Instant::now());
                    }
                }
            }
            () = rearm.notified() => {}
            _ = terminate.recv() => give_up = Some(leave(shared)),
            _ = interrupt.recv() => give_up = Some(leave(shared)),
        }
    }
}

/// When the engine is due.
fn arm(shared: &Handle) -> Instant {
    let mut shared = shared.borrow_mut();
    shared.armed = shared.engine.wake_at();
    // A day is as good as never, and there are times that cannot be told.
    let micros = shared.armed.saturating_sub(shared.now()).min(86_400_000_000);
    Instant::now() + Duration::from_micros(micros)
}

fn take_in(radio: &Radio, shared: &Handle) {
    let mut buffer = [0; 2048];
    for _ in 0..FRAMES_AT_ONCE {
        let Some((from, frame)) = radio.receive(&mut buffer) else { return };
        let mut shared = shared.borrow_mut();
        shared.act(|engine, now, effects| engine.frame(now, from, frame, effects));
    }
}

/// What has to be looked after from time to time.
fn care(shared: &Handle) {
    notify(&[sd_notify::NotifyState::Watchdog]);
    let mut shared = shared.borrow_mut();
    let now_ms = shared.now() / 1000;
    shared.go_on();
    shared.note_states(now_ms);
    shared.flush_record();
    if shared.radio_trouble.is_some()
        && let Ok(radio) = Radio::open(&shared.config.air)
    {
        tracing::info!("the radio was opened again");
        shared.radio = Rc::new(radio);
        shared.radio_trouble = None;
    }
}

/// Begin to leave, told so by a signal. Returns when to go whatever happens.
fn leave(shared: &Handle) -> Instant {
    let mut shared = shared.borrow_mut();
    tracing::info!("leaving the network");
    shared.act(|engine, now, effects| engine.leave(now, true, effects));
    Instant::now() + shared.config.leave_within
}

/// Whether there is nobody to hand anything on to, and nobody here who has to stop first.
fn is_alone(shared: &Handle) -> bool {
    let shared = shared.borrow();
    let mut peers = shared.engine.links.peers();
    shared.wishes.is_empty() && peers.all(|peer| peer.state != PeerState::Up)
}

fn has_left(shared: &Handle) -> bool {
    let mut shared = shared.borrow_mut();
    if !shared.engine.locks.is_leaving() || !shared.engine.is_clear() {
        return false;
    }
    // Whoever goes for good is struck off by those who stay, if they can agree.
    let strikes_off = shared.strikes_off && shared.engine.council.belongs();
    if strikes_off && !shared.engine.council.is_alone() {
        let begun = shared.parting.is_some();
        let until = *shared.parting.get_or_insert(Instant::now() + PARTING);
        if !begun {
            shared.act(|engine, now, effects| engine.part(now, effects));
        }
        return until <= Instant::now();
    }
    true
}

/// The network has struck off this node, and nobody is inside here any more: it is a new one.
fn begin_anew(shared: &mut Shared) -> Result<(), StartError> {
    let config = Config { founder: false, ..shared.config.clone() };
    let mut memory = begin(&config)?;
    // Its local locks had neighbors, whose fences are not to go back.
    memory.locks.ceiling = shared.engine.locks.ceiling();
    if let Some(store) = &mut shared.store
        && let Err(error) = store.begin_anew(memory.clone())
    {
        tracing::error!(%error, "the state cannot be written anew");
        return Ok(());
    }
    tracing::warn!("this node begins anew, and joins the network as a new member");
    let now = shared.now();
    shared.engine = engine(&config, crate::new_key()?, &memory, now)?;
    if shared.store.is_some() {
        shared.engine.remember();
    }
    if shared.recorder.take().is_some() {
        tracing::warn!("the journal ends here");
    }
    shared.act(|engine, now, effects| engine.wake(now, effects));
    Ok(())
}

/// Close all links, and tell whoever wanted to know.
async fn say_goodbye(shared: &Handle) -> Result<(), StartError> {
    {
        let mut shared = shared.borrow_mut();
        if !shared.engine.is_clear() {
            let tokens = shared.engine.locks.views().filter(|view| 0 < view.tokens).count();
            match shared.store {
                Some(_) => tracing::warn!(tokens, "nobody took the tokens: this node keeps them"),
                None => tracing::warn!(tokens, "nobody took the tokens: they are gone"),
            }
        }
        shared.act(|engine, now, effects| engine.close(now, effects));
    }
    let until = Instant::now() + GOODBYE;
    while Instant::now() < until && !shared.borrow().engine.links.is_settled() {
        let radio = shared.borrow().radio.clone();
        let due = arm(shared);
        tokio::select! {
            _ = radio.ready() => take_in(&radio, shared),
            () = sleep_until(due.min(until)) => {
                shared.borrow_mut().act(|engine, now, effects| engine.tick(now, effects));
            }
        }
    }
    shared.borrow_mut().flush_record();
    let farewells = core::mem::take(&mut shared.borrow_mut().farewells);
    for (session, request) in farewells {
        shared.borrow_mut().answer(session, request, Ok(Done {}));
    }
    Ok(())
}

/// The socket for programs.
async fn listen(path: &Path, mode: u32) -> Result<UnixListener, StartError> {
    let failed = |source| StartError::Socket { path: path.to_owned(), source };
    if let Ok(there) = std::fs::symlink_metadata(path) {
        use std::os::unix::fs::FileTypeExt;
        if !there.file_type().is_socket() {
            return Err(StartError::NotASocket(path.to_owned()));
        }
        if tokio::net::UnixStream::connect(path).await.is_ok() {
            return Err(StartError::Running(path.to_owned()));
        }
        std::fs::remove_file(path).map_err(failed)?;
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let listener = UnixListener::bind(path).map_err(failed)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).map_err(failed)?;
    Ok(listener)
}

/// Removes the socket when the node ends.
struct Removal(PathBuf);

impl Drop for Removal {
    fn drop(&mut self) {
        // Somebody else may have removed it: then it is gone, as it should be.
        let _ = std::fs::remove_file(&self.0);
    }
}
