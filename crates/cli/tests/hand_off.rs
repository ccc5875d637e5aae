//! A token is handed over by real nodes on real sockets, and the link breaks at every frame of it.

use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use driftlock_client::Lock;
use driftlock_link::To;
use driftlock_node::radio::{envelope, unwrap_envelope};

use crate::daemon::{Daemon, PATIENCE, until};
use crate::place::Place;

/// The frames of a hand-off, there and back, and some more.
const FRAMES: i64 = 8;

/// Three nodes; the link between node 0 and node 2 is cut after so many more frames.
struct Hub {
    /// Where this hub hears each node.
    ears: Vec<UdpSocket>,
    /// Where each node is.
    nodes: Mutex<Vec<Option<SocketAddr>>>,
    frames_left: AtomicI64,
    over: AtomicBool,
}

impl Hub {
    fn start() -> Arc<Hub> {
        let ear = || {
            let ear = UdpSocket::bind(("127.0.0.1", 0)).unwrap();
            ear.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
            ear
        };
        let hub = Arc::new(Hub {
            ears: (0..3).map(|_| ear()).collect(),
            nodes: Mutex::new(vec![None; 3]),
            frames_left: AtomicI64::new(i64::MAX),
            over: AtomicBool::new(false),
        });
        for from in 0..3 {
            let hub = hub.clone();
            thread::spawn(move || hub.listen(from));
        }
        hub
    }

    fn listen(&self, from: usize) {
        let mut buffer = [0; 2048];
        while !self.over.load(Ordering::Relaxed) {
            let Ok((length, address)) = self.ears[from].recv_from(&mut buffer) else { continue };
            self.nodes.lock().unwrap()[from] = Some(address);
            let Some((to, frame)) = unwrap_envelope(&buffer[..length]) else { continue };
            let everybody = to.port() == 0;
            for node in (0..3).filter(|&node| node != from) {
                if (everybody || to == pretended(node)) && self.passes(from, node, everybody) {
                    self.pass_on(from, node, frame);
                }
            }
        }
    }

    /// Whether a frame gets through. HELLOs, which are for everybody, do not count as frames of
    /// the hand-off.
    fn passes(&self, from: usize, to: usize, is_hello: bool) -> bool {
        let counted = i64::from(!is_hello);
        from + to != 2 || 0 < self.frames_left.fetch_sub(counted, Ordering::SeqCst)
    }

    fn pass_on(&self, from: usize, to: usize, frame: &[u8]) {
        if let Some(address) = self.nodes.lock().unwrap()[to] {
            let bytes = envelope(To::One(pretended(from)), frame);
            self.ears[to].send_to(&bytes, address).unwrap();
        }
    }

    /// Let so many more frames through on the link that breaks.
    fn cut_after(&self, frames: i64) {
        self.frames_left.store(frames, Ordering::SeqCst);
    }
}

/// The address under which the others know a node.
fn pretended(node: usize) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, node as u8 + 1], 1))
}

fn linked(nodes: &[Daemon], up: bool) {
    let links = if up { [2, 2, 2] } else { [1, 2, 1] };
    nodes.iter().zip(links).for_each(|(node, links)| node.await_links(links));
}

#[test]
fn a_link_cut_at_any_frame_of_a_hand_off_loses_nothing_and_doubles_nothing() {
    let (place, hub) = (Place::new(), Hub::start());
    place.write("key", "5a".repeat(32));
    let node = |i: usize| {
        let radio = hub.ears[i].local_addr().unwrap();
        let found = if i == 0 { "--found" } else { "" };
        Daemon::start(
            &place,
            &format!("n{i}"),
            &format!("--id {i} --key key --radio {radio} {found}"),
        )
    };
    let nodes = [node(0), node(1), node(2)];
    linked(&nodes, true);
    let (near, far) = (nodes[0].client(), nodes[2].client());
    let lock = || Lock::exclusive("pad").wait(PATIENCE);
    let mut fence = 0;
    for frames in 0..FRAMES {
        let holder = near.acquire(lock()).unwrap();
        let granted = thread::scope(|scope| {
            let waiting = scope.spawn(|| far.acquire(lock()).unwrap());
            until("request", || (!near.queue("pad").unwrap().neighbors.is_empty()).then_some(()));
            hub.cut_after(frames);
            let before = holder.fence();
            assert!(fence < before, "cut after {frames} frames: {fence}, {before}");
            holder.release().unwrap();
            let granted = waiting.join().unwrap();
            assert!(before < granted.fence(), "cut after {frames} frames");
            granted
        });
        fence = granted.fence();
        let second = near.acquire(Lock::exclusive("pad").try_now()).err();
        assert!(second.is_some(), "cut after {frames} frames: two have it");
        granted.release().unwrap();
        // If the hand-off took fewer frames than that.
        hub.cut_after(0);
        linked(&nodes, false);
        hub.cut_after(i64::MAX);
        linked(&nodes, true);
    }
    hub.over.store(true, Ordering::Relaxed);
}
