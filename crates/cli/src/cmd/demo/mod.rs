//! `driftlock demo`: real nodes on this machine, over an emulated radio, and programs that contend.
//!
//! This process is the radio, the programs and the judge; the nodes are processes of their own,
//! which know nothing of it.

mod book;
mod dice;
mod hub;
mod map;
mod nodes;
mod play;
mod scene;
mod screen;
mod summary;
mod watch;
mod world;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use driftlock_client::Client;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval};

use self::hub::Hub;
use self::nodes::Nodes;
use self::play::{LOCKS, Program};
use self::scene::{Rates, Scene};
use self::screen::Screen;
use self::summary::Summary;
use self::watch::Seen;
use self::world::World;
use crate::Verdict;
use crate::args::DemoArgs;
use crate::terminal::{say, say_line};

/// How often there is a new picture.
const FRAME: Duration = Duration::from_millis(125);
/// How often nodes move.
const STEP: Duration = Duration::from_millis(25);
/// How long nodes have to say what they have counted in the end.
const LAST_LOOK: Duration = Duration::from_secs(2);

pub(crate) fn run(args: &DemoArgs) -> Result<Verdict> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let summary = runtime.block_on(show(args))?;
    if args.json {
        say_line(&serde_json::to_string_pretty(&summary)?)?;
    } else {
        say(&format!("\n{}", summary.text()))?;
    }
    Ok(summary.verdict())
}

/// What is behind a lock. Whoever has panicked with it has told so, and the demo ends.
fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn show(args: &DemoArgs) -> Result<Summary> {
    let mut stops = Stops::listen().context("cannot listen for signals")?;
    let world = Arc::new(Mutex::new(World::new(args.nodes, args.still, args.seed)));
    let hub = Hub::start(world.clone(), args.nodes, args.loss, args.seed)?;
    let moves: Vec<bool> = (0..args.nodes).map(|node| locked(&world).moves(node)).collect();
    let mut nodes = tokio::select! {
        nodes = Nodes::start(&hub.addresses, |node| moves[node]) => nodes?,
        () = stops.next() => anyhow::bail!("stopped before the nodes were up"),
    };
    let stage = Stage {
        world,
        book: play::book(),
        seen: Arc::new(Mutex::new(Seen::new(args.nodes))),
        started: Instant::now(),
    };
    let mut tasks = JoinSet::new();
    let watchers = stage.begin(args.seed, &nodes, &mut tasks).await?;
    if !args.json {
        let what = "processes of their own, over an emulated radio";
        say_line(&format!("{} nodes, {what}; Ctrl-C ends it early", args.nodes))?;
    }
    let interrupted = stage.attend(args, &mut nodes, &mut tasks, &mut stops).await?;
    let played = stage.started.elapsed();
    // What nodes have counted in the end; whoever is inside still leaves later, and unseen.
    let look = watch::look(&watchers, &stage.seen);
    let _ = tokio::time::timeout(LAST_LOOK, look).await;
    tasks.shutdown().await;
    let (book, seen) = (locked(&stage.book), locked(&stage.seen));
    Ok(Summary::new(args, played, interrupted, &book, &seen))
}

/// What the tasks share.
struct Stage {
    world: Arc<Mutex<World>>,
    book: play::Shared,
    seen: Arc<Mutex<Seen>>,
    started: Instant,
}

impl Stage {
    /// Let the programs play, the nodes move, and somebody watch. Returns who watches.
    async fn begin(
        &self,
        seed: u64,
        nodes: &Nodes,
        tasks: &mut JoinSet<Result<()>>,
    ) -> Result<Vec<Client>> {
        let mut watchers = Vec::new();
        for node in 0..nodes.count() {
            let socket = nodes.socket(node);
            for lock in 0..LOCKS.len() {
                let client = Client::connect(&socket).await?;
                let program = Program { client, node, lock, book: self.book.clone() };
                tasks.spawn(program.run(seed));
            }
            watchers.push(Client::connect(&socket).await?);
        }
        let (clients, seen) = (watchers.clone(), self.seen.clone());
        tasks.spawn(async move {
            watch::watch(clients, seen).await;
            Ok(())
        });
        tasks.spawn(drift(self.world.clone()));
        Ok(watchers)
    }

    /// Show what happens until it is over. Says whether somebody wanted it to end early.
    async fn attend(
        &self,
        args: &DemoArgs,
        nodes: &mut Nodes,
        tasks: &mut JoinSet<Result<()>>,
        stops: &mut Stops,
    ) -> Result<bool> {
        let mut screen = Screen::open(args.json, args.seconds)?;
        let mut rates = Rates::default();
        let mut frames = interval(FRAME);
        frames.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let end = self.started + Duration::from_secs_f64(args.seconds);
        loop {
            tokio::select! {
                _ = frames.tick() => {
                    nodes.check()?;
                    let scene = self.scene(&mut rates);
                    screen.show(&scene)?;
                }
                () = tokio::time::sleep_until(end) => return Ok(false),
                () = stops.next() => return Ok(true),
                Some(ended) = tasks.join_next() => {
                    if let Err(error) = ended.context("a part of the demo has panicked")? {
                        // If its node has ended, that is the better explanation.
                        nodes.check_closely().await?;
                        return Err(error);
                    }
                }
            }
        }
    }

    fn scene(&self, rates: &mut Rates) -> Scene {
        let seconds = self.started.elapsed().as_secs_f64();
        let (world, book, seen) = (locked(&self.world), locked(&self.book), locked(&self.seen));
        Scene::take(seconds, &world, &book, &seen, rates)
    }
}

/// Let nodes move, for ever.
async fn drift(world: Arc<Mutex<World>>) -> Result<()> {
    let mut steps = interval(STEP);
    steps.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut last = Instant::now();
    loop {
        let now = steps.tick().await;
        locked(&world).advance((now - last).as_secs_f64());
        last = now;
    }
}

/// Whatever asks this process to stop.
struct Stops([Signal; 3]);

impl Stops {
    fn listen() -> std::io::Result<Stops> {
        let [interrupt, terminate, hangup] =
            [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()].map(signal);
        Ok(Stops([interrupt?, terminate?, hangup?]))
    }

    async fn next(&mut self) {
        let Stops([interrupt, terminate, hangup]) = self;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }
}
