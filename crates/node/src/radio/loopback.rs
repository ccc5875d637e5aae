//! Frames between programs on this machine, by IPv4 multicast on the loopback interface.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};

use socket2::{Domain, Protocol, Socket, Type};

use super::{Radio, RadioError, Way, adopt};

/// A group for use within a site (RFC 2365); it does not leave the machine here.
const GROUP: Ipv4Addr = Ipv4Addr::new(239, 255, 100, 114);

pub(super) fn open(port: u16) -> Result<Radio, RadioError> {
    let what = "multicast on the loopback interface";
    let failed = |source| RadioError::Socket { what: what.to_owned(), source };
    let to = SocketAddr::from(SocketAddrV4::new(GROUP, port));
    let (group, own) = sockets(to).map_err(failed)?;
    Ok(Radio {
        own: adopt(own, what)?,
        group: Some(adopt(group, what)?),
        way: Way::Group { to, hops_checked: false },
    })
}

fn sockets(to: SocketAddr) -> io::Result<(Socket, Socket)> {
    let group = Socket::new(Domain::IPV4, Type::DGRAM, Some(Protocol::UDP))?;
    group.set_reuse_address(true)?;
    group.bind(&to.into())?;
    group.join_multicast_v4(&GROUP, &Ipv4Addr::LOCALHOST)?;
    let own = Socket::new(Domain::IPV4, Type::DGRAM, Some(Protocol::UDP))?;
    own.set_multicast_if_v4(&Ipv4Addr::LOCALHOST)?;
    own.set_multicast_loop_v4(true)?;
    own.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into())?;
    Ok((group, own))
}
