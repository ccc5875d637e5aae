//! The emulated radio: [`Hub`].
//!
//! Each node has a socket of the hub to talk to, so that the hub knows who sends without looking
//! into frames, which it could not read anyway. Nodes know each other by addresses that the hub
//! makes up. It has a thread of its own: what takes time elsewhere does not make the radio slow.

use std::cell::RefCell;
use std::net::{Ipv4Addr, SocketAddr};
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use anyhow::{Context, Result};
use driftlock_link::To;
use driftlock_node::radio::{envelope, unwrap_envelope};
use tokio::net::UdpSocket;
use tokio::sync::oneshot;
use tokio::task::LocalSet;

use super::dice::{Dice, Stream};
use super::locked;
use super::world::World;

/// Carries frames as long as it lives.
pub(super) struct Hub {
    /// Where which node finds it.
    pub(super) addresses: Vec<SocketAddr>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Hub {
    /// A radio for that many nodes, which loses frames with this probability.
    pub(super) fn start(
        world: Arc<Mutex<World>>,
        nodes: usize,
        loss: f64,
        seed: u64,
    ) -> Result<Hub> {
        let open = |_| -> std::io::Result<std::net::UdpSocket> {
            let socket = std::net::UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
            socket.set_nonblocking(true)?;
            Ok(socket)
        };
        let failed = "cannot open a socket on the loopback interface";
        let sockets: Vec<_> =
            (0..nodes).map(open).collect::<std::io::Result<_>>().context(failed)?;
        let addresses =
            sockets.iter().map(|socket| socket.local_addr()).collect::<std::io::Result<_>>()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let (stop, stopped) = oneshot::channel();
        let dice = Dice::new(seed, Stream::Loss, 0);
        let thread = std::thread::Builder::new().name("hub".into()).spawn(move || {
            let carried = carry_all(sockets, world, loss, dice, stopped);
            LocalSet::new().block_on(&runtime, carried);
        })?;
        Ok(Hub { addresses, stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // If it has panicked, that was told when it did.
            let _ = thread.join();
        }
    }
}

struct Air {
    sockets: Vec<UdpSocket>,
    /// Where nodes were heard last.
    nodes: RefCell<Vec<Option<SocketAddr>>>,
    world: Arc<Mutex<World>>,
    loss: f64,
    dice: RefCell<Dice>,
}

async fn carry_all(
    sockets: Vec<std::net::UdpSocket>,
    world: Arc<Mutex<World>>,
    loss: f64,
    dice: Dice,
    stopped: oneshot::Receiver<()>,
) {
    let adopt = |socket| UdpSocket::from_std(socket).expect("the socket does not block");
    let sockets: Vec<UdpSocket> = sockets.into_iter().map(adopt).collect();
    let nodes = RefCell::new(vec![None; sockets.len()]);
    let dice = RefCell::new(dice);
    let air = Rc::new(Air { sockets, nodes, world, loss, dice });
    for from in 0..air.sockets.len() {
        tokio::task::spawn_local(listen(air.clone(), from));
    }
    // Whoever drops the other end wants this one to end.
    let _ = stopped.await;
}

/// Take in what a node sends, for ever.
async fn listen(air: Rc<Air>, from: usize) {
    let mut buffer = [0; 2048];
    // Errors are about frames that were sent before, to a node that is not there yet or any more.
    loop {
        if let Ok((length, address)) = air.sockets[from].recv_from(&mut buffer).await {
            air.nodes.borrow_mut()[from] = Some(address);
            if let Some((to, frame)) = unwrap_envelope(&buffer[..length]) {
                air.carry(from, to, frame);
            }
        }
    }
}

impl Air {
    /// Pass a frame on to whom it is for, and who hears it.
    fn carry(&self, from: usize, to: SocketAddr, frame: &[u8]) {
        let bytes = envelope(To::One(made_up(from)), frame);
        let world = locked(&self.world);
        for (node, address) in self.nodes.borrow().iter().enumerate() {
            let is_meant = to.port() == 0 || to == made_up(node);
            let Some(address) = address.filter(|_| is_meant && world.in_range(from, node)) else {
                continue;
            };
            if self.loss < self.dice.borrow_mut().unit() {
                // What cannot be sent at once is lost, as on any radio.
                let _ = self.sockets[node].try_send_to(&bytes, address);
            }
        }
    }
}

/// The address by which others know a node.
fn made_up(node: usize) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, node as u8 + 1], 47474))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn node() -> std::net::UdpSocket {
        let socket = std::net::UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        socket
    }

    fn send(hub: &Hub, socket: &std::net::UdpSocket, node: usize, to: To, frame: &[u8]) {
        socket.send_to(&envelope(to, frame), hub.addresses[node]).unwrap();
    }

    /// The sender and the bytes of the next frame that is no knock.
    fn next(socket: &std::net::UdpSocket) -> (SocketAddr, Vec<u8>) {
        let mut buffer = [0; 100];
        loop {
            let length = socket.recv(&mut buffer).unwrap();
            let (from, frame) = unwrap_envelope(&buffer[..length]).unwrap();
            if frame != b"knock" {
                return (from, frame.to_vec());
            }
        }
    }

    /// What comes next shows what was not passed on: on loopback no frame overtakes another.
    #[test]
    fn frames_go_to_those_in_range_and_to_nobody_else() {
        let world = World::new(12, true, 1);
        let pairs = (1..12).flat_map(|near| (1..12).map(move |far| (near, far)));
        let is_chain = |&(near, far): &(usize, usize)| {
            world.in_range(0, near) && world.in_range(near, far) && !world.in_range(0, far)
        };
        let (near, far) = { pairs }.find(is_chain).unwrap();
        let hub = Hub::start(Arc::new(Mutex::new(world)), 12, 0.0, 1).unwrap();
        let [first, second, third] = [node(), node(), node()];
        // The hub can pass frames on to whom it has heard.
        for (socket, id) in [(&first, 0), (&third, far)] {
            socket.set_nonblocking(true).unwrap();
            while socket.recv(&mut [0; 100]).is_err() {
                send(&hub, socket, id, To::One(made_up(id)), b"");
                send(&hub, &second, near, To::One(made_up(id)), b"knock");
                std::thread::yield_now();
            }
            socket.set_nonblocking(false).unwrap();
        }
        send(&hub, &first, 0, To::All, b"to all");
        send(&hub, &first, 0, To::One(made_up(far)), b"too far");
        send(&hub, &first, 0, To::One(made_up(near)), b"to one");
        assert_eq!(next(&second), (made_up(0), b"to all".to_vec()));
        assert_eq!(next(&second), (made_up(0), b"to one".to_vec()));
        send(&hub, &second, near, To::One(made_up(far)), b"last");
        assert_eq!(next(&third), (made_up(near), b"last".to_vec()));
    }
}
