//! Frames over one network interface, by IPv6 link-local multicast.
//!
//! Nothing that comes from beyond the link is taken: frames are sent with the greatest hop limit
//! there is, 255, and one that arrives with less has passed a router (RFC 5082).

use std::io::{self, IoSliceMut};
use std::net::{Ipv6Addr, SocketAddr, SocketAddrV6};
use std::os::fd::AsRawFd;

use nix::net::if_::if_nametoindex;
use nix::sys::socket::{
    ControlMessageOwned, MsgFlags, SockaddrIn6, recvmsg, setsockopt, sockopt::Ipv6RecvHopLimit,
};
use socket2::{Domain, Protocol, Socket, Type};
use tokio::net::UdpSocket;

use super::{Radio, RadioError, Way, adopt};

/// The group of all driftlock nodes on a link: transient, link-local.
const GROUP: Ipv6Addr = Ipv6Addr::new(0xff12, 0, 0, 0, 0, 0, 0x6472, 0x6c6b);

const HOPS: u32 = 255;

pub(super) fn open(name: &str, port: u16) -> Result<Radio, RadioError> {
    let index = if_nametoindex(name).map_err(|_| RadioError::NoInterface(name.to_owned()))?;
    let failed = |source| RadioError::NotReady { name: name.to_owned(), source };
    let to = SocketAddrV6::new(GROUP, port, 0, index);
    let group = socket(index).map_err(failed)?;
    group.set_reuse_address(true).map_err(failed)?;
    group.bind(&SocketAddr::V6(to).into()).map_err(failed)?;
    group.join_multicast_v6(&GROUP, index).map_err(failed)?;
    let own = socket(index).map_err(failed)?;
    own.set_multicast_if_v6(index).map_err(failed)?;
    own.set_multicast_hops_v6(HOPS).map_err(failed)?;
    own.set_unicast_hops_v6(HOPS).map_err(failed)?;
    own.bind(&SocketAddr::from((Ipv6Addr::UNSPECIFIED, 0)).into()).map_err(failed)?;
    Ok(Radio {
        own: adopt(own, name)?,
        group: Some(adopt(group, name)?),
        way: Way::Group { to: to.into(), hops_checked: true },
    })
}

fn socket(index: u32) -> io::Result<Socket> {
    let socket = Socket::new(Domain::IPV6, Type::DGRAM, Some(Protocol::UDP))?;
    socket.set_only_v6(true)?;
    let index = std::num::NonZeroU32::new(index);
    socket.bind_device_by_index_v6(index)?;
    setsockopt(&socket, Ipv6RecvHopLimit, &true)?;
    Ok(socket)
}

/// The next frame, or nothing if it has passed a router.
pub(super) fn receive(
    socket: &UdpSocket,
    buffer: &mut [u8],
) -> io::Result<Option<(usize, SocketAddr)>> {
    let mut control = nix::cmsg_space!(i32);
    let mut parts = [IoSliceMut::new(buffer)];
    let flags = MsgFlags::MSG_DONTWAIT;
    let message =
        recvmsg::<SockaddrIn6>(socket.as_raw_fd(), &mut parts, Some(&mut control), flags)?;
    let hops = message.cmsgs()?.find_map(|control| match control {
        ControlMessageOwned::Ipv6HopLimit(hops) => Some(hops),
        _ => None,
    });
    let from = message.address.map(|address| SocketAddr::V6(address.into()));
    let near = hops == Some(HOPS as i32);
    Ok(from.filter(|_| near).map(|from| (message.bytes, from)))
}
