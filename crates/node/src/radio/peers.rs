//! Frames to a list of addresses, where there is no multicast.

use std::io;
use std::net::SocketAddr;

use socket2::{Domain, Protocol, Socket, Type};

use super::{Radio, RadioError, Way, adopt};

pub(super) fn open(listen: SocketAddr, peers: Vec<SocketAddr>) -> Result<Radio, RadioError> {
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::AddrInUse => RadioError::InUse(listen),
        _ => RadioError::Socket { what: listen.to_string(), source },
    };
    let domain = Domain::for_address(listen);
    let own = Socket::new(domain, Type::DGRAM, Some(Protocol::UDP)).map_err(failed)?;
    own.bind(&listen.into()).map_err(failed)?;
    Ok(Radio { own: adopt(own, "peers")?, group: None, way: Way::Peers(peers) })
}
