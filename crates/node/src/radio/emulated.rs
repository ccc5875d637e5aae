//! Frames over an emulated radio: a hub on this machine that knows who is in range of whom.
//!
//! Between a node and the hub a frame has an address before it: to the hub where it goes, from the
//! hub where it comes from. Six bytes, an IPv4 address and a port; all zero for everybody.

use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};

use driftlock_link::To;
use socket2::{Domain, Protocol, Socket, Type};

use super::{Radio, RadioError, Way, adopt};

/// How many bytes of address there are before a frame.
pub const HEADER: usize = 6;

pub(super) fn open(hub: SocketAddr) -> Result<Radio, RadioError> {
    let what = "the emulated radio";
    let failed = |source| RadioError::Socket { what: what.to_owned(), source };
    let own = Socket::new(Domain::IPV4, Type::DGRAM, Some(Protocol::UDP)).map_err(failed)?;
    own.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into()).map_err(failed)?;
    Ok(Radio { own: adopt(own, what)?, group: None, way: Way::Hub(hub) })
}

/// A frame with its address.
pub fn envelope(to: To, frame: &[u8]) -> Vec<u8> {
    let (ip, port) = match to {
        To::One(SocketAddr::V4(address)) => (address.ip().octets(), address.port()),
        To::One(SocketAddr::V6(_)) | To::All => ([0; 4], 0),
    };
    [&ip[..], &port.to_be_bytes(), frame].concat()
}

/// The address and the frame, if there are enough bytes for both.
pub fn unwrap_envelope(bytes: &[u8]) -> Option<(SocketAddr, &[u8])> {
    let (header, frame) = bytes.split_first_chunk::<HEADER>()?;
    let ip = Ipv4Addr::new(header[0], header[1], header[2], header[3]);
    let port = u16::from_be_bytes([header[4], header[5]]);
    Some((SocketAddrV4::new(ip, port).into(), frame))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_into_an_envelope_comes_out_of_it() {
        let address = SocketAddr::from(([127, 0, 0, 1], 4711));
        let bytes = envelope(To::One(address), b"frame");
        assert_eq!(unwrap_envelope(&bytes), Some((address, &b"frame"[..])));
        let everybody = SocketAddr::from(([0, 0, 0, 0], 0));
        assert_eq!(unwrap_envelope(&envelope(To::All, b"")), Some((everybody, &b""[..])));
        assert_eq!(unwrap_envelope(b"short"), None);
    }
}
