//! What carries frames: [`Radio`], one of four.
//!
//! | | frames to all | frames to one |
//! |---|---|---|
//! | an interface | IPv6 link-local multicast | IPv6 link-local |
//! | loopback | IPv4 multicast on this machine | IPv4 on this machine |
//! | a list of peers | a copy to each | UDP |
//! | an emulated radio | to its hub, which knows who is in range | to its hub |

mod emulated;
mod interface;
mod loopback;
mod peers;

use std::io;
use std::net::{IpAddr, SocketAddr};

use driftlock_link::To;
use tokio::io::Interest;
use tokio::net::UdpSocket;

pub use self::emulated::{HEADER, envelope, unwrap_envelope};

/// The UDP port of groups.
pub const PORT: u16 = 47474;

/// Where frames go and come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Air {
    /// A network interface, by name.
    Interface {
        /// Its name.
        name: String,
        /// The port of the group.
        port: u16,
    },
    /// Programs on this machine.
    Loopback {
        /// The port of the group.
        port: u16,
    },
    /// These addresses.
    Peers {
        /// Where this node listens.
        listen: SocketAddr,
        /// The others.
        peers: Vec<SocketAddr>,
    },
    /// The hub of an emulated radio.
    Emulated {
        /// Where it listens.
        hub: SocketAddr,
    },
}

/// Why there is no radio. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum RadioError {
    /// There is no such interface.
    #[error("there is no network interface `{0}`; `ip link` lists those that there are")]
    NoInterface(String),
    /// The interface has no link-local address.
    #[error("interface `{name}` has no IPv6 link-local address, or is down ({source})")]
    NotReady {
        /// Its name.
        name: String,
        /// What the system said.
        source: io::Error,
    },
    /// Somebody else listens there.
    #[error("{0} is in use; is another node running? Choose another with --listen or --port")]
    InUse(SocketAddr),
    /// Anything else.
    #[error("cannot open a socket for {what}: {source}")]
    Socket {
        /// What for.
        what: String,
        /// What the system said.
        source: io::Error,
    },
}

/// Sends and receives frames.
pub struct Radio {
    /// Frames to this node, and all that it sends.
    own: UdpSocket,
    /// Frames to all, where that is another socket.
    group: Option<UdpSocket>,
    way: Way,
}

enum Way {
    Group { to: SocketAddr, hops_checked: bool },
    Peers(Vec<SocketAddr>),
    Hub(SocketAddr),
}

impl Radio {
    /// Open the sockets.
    pub fn open(air: &Air) -> Result<Radio, RadioError> {
        match air {
            Air::Interface { name, port } => interface::open(name, *port),
            Air::Loopback { port } => loopback::open(*port),
            Air::Peers { listen, peers } => peers::open(*listen, peers.clone()),
            Air::Emulated { hub } => emulated::open(*hub),
        }
    }

    /// Where this node can be reached.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.own.local_addr()
    }

    /// Wait until there is something to receive.
    pub async fn ready(&self) -> io::Result<()> {
        match &self.group {
            None => self.own.readable().await,
            Some(group) => tokio::select! {
                ready = self.own.readable() => ready,
                ready = group.readable() => ready,
            },
        }
    }

    /// The next frame, if there is one.
    pub fn receive<'a>(&self, buffer: &'a mut [u8]) -> Option<(SocketAddr, &'a [u8])> {
        let sockets = [Some(&self.own), self.group.as_ref()];
        for socket in sockets.into_iter().flatten() {
            if let Some((length, from)) = self.receive_on(socket, buffer) {
                return match self.way {
                    Way::Hub(_) => unwrap_envelope(&buffer[..length]),
                    _ => Some((from, &buffer[..length])),
                };
            }
        }
        None
    }

    /// The next frame on one of the sockets. What is from a stranger or from far away is passed
    /// over, and so are errors, which are about frames that were sent before.
    fn receive_on(&self, socket: &UdpSocket, buffer: &mut [u8]) -> Option<(usize, SocketAddr)> {
        loop {
            let received = match self.way {
                Way::Group { hops_checked: true, .. } => {
                    socket.try_io(Interest::READABLE, || interface::receive(socket, buffer))
                }
                _ => socket.try_recv_from(buffer).map(Some),
            };
            match received {
                Ok(Some((length, from))) if self.is_from_here(from) => return Some((length, from)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return None,
                Ok(_) | Err(_) => {}
            }
        }
    }

    /// Send a frame. What cannot be sent at once is lost, as on any radio.
    pub fn send(&self, to: To, frame: &[u8]) -> io::Result<()> {
        let sent = match (&self.way, to) {
            (Way::Group { to, .. }, To::All) => self.own.try_send_to(frame, *to),
            (Way::Peers(peers), To::All) => {
                // A peer that cannot be reached does not keep the frame from the others.
                let sent: Vec<_> =
                    peers.iter().map(|peer| self.own.try_send_to(frame, *peer)).collect();
                sent.into_iter().find(Result::is_err).unwrap_or(Ok(0))
            }
            (Way::Hub(hub), to) => self.own.try_send_to(&envelope(to, frame), *hub),
            (_, To::One(address)) => self.own.try_send_to(frame, address),
        };
        match sent {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(()),
            sent => sent.map(|_| ()),
        }
    }

    /// Whether the sender can be a neighbor.
    fn is_from_here(&self, from: SocketAddr) -> bool {
        match (&self.way, from.ip()) {
            (Way::Group { hops_checked: true, .. }, IpAddr::V6(ip)) => ip.is_unicast_link_local(),
            (Way::Group { .. }, ip) => ip.is_loopback(),
            (Way::Hub(hub), _) => from == *hub,
            (Way::Peers(_), _) => true,
        }
    }
}

/// Whether an error is about the interface, which may come back.
pub fn is_about_interface(error: &io::Error) -> bool {
    use io::ErrorKind::{AddrNotAvailable, HostUnreachable, NetworkDown, NetworkUnreachable};
    let kinds = [NetworkDown, NetworkUnreachable, HostUnreachable, AddrNotAvailable];
    kinds.contains(&error.kind()) || matches!(error.raw_os_error(), Some(6 | 19))
}

/// A socket for tokio.
fn adopt(socket: socket2::Socket, what: &str) -> Result<UdpSocket, RadioError> {
    let failed = |source| RadioError::Socket { what: what.to_owned(), source };
    socket.set_nonblocking(true).map_err(failed)?;
    UdpSocket::from_std(socket.into()).map_err(failed)
}
