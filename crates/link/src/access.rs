//! Who may join: [`Access`], and the keys that are made of it.

use std::collections::BTreeMap;

use blake2::Blake2sMac256;
use blake2::digest::{FixedOutput, KeyInit, Mac};
use driftlock_core::NodeId;
use snow::params::DHChoice;
use snow::resolvers::{CryptoResolver, DefaultResolver};

/// What a node shows to be let in, and whom it lets in.
#[derive(Clone, PartialEq, Eq)]
pub enum Access {
    /// Whoever has the key of the network.
    NetworkKey([u8; 32]),
    /// Whoever is on the list and has the key that goes with its id.
    NodeKeys {
        /// The secret X25519 key of this node.
        own: [u8; 32],
        /// The public X25519 keys of the others.
        allowed: BTreeMap<NodeId, [u8; 32]>,
    },
}

/// The public X25519 key that goes with a secret one.
pub fn public_key(secret: &[u8; 32]) -> [u8; 32] {
    let mut base = [0; 32];
    base[0] = 9;
    shared(secret, &base)
}

/// X25519.
fn shared(secret: &[u8; 32], public: &[u8; 32]) -> [u8; 32] {
    let mut shared = [0; 32];
    let dh = DefaultResolver.resolve_dh(&DHChoice::Curve25519);
    let mut dh = dh.expect("the feature of snow is on");
    dh.set(secret);
    dh.dh(public, &mut shared).expect("X25519 cannot fail");
    shared
}

/// A hash under a key.
pub(crate) fn keyed_hash(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    mac(key, parts).finalize_fixed().into()
}

fn mac(key: &[u8; 32], parts: &[&[u8]]) -> Blake2sMac256 {
    let mut mac = <Blake2sMac256 as KeyInit>::new(key.into());
    for part in parts {
        Mac::update(&mut mac, part);
    }
    mac
}

/// Whether `tag` is the start of the hash under a key. Takes the same time whatever differs.
pub(crate) fn is_tag(key: &[u8; 32], parts: &[&[u8]], tag: &[u8]) -> bool {
    mac(key, parts).verify_truncated_left(tag).is_ok()
}

/// What the keys of a network are made of.
pub(crate) enum Keys {
    Network {
        /// Of HELLOs.
        hello: [u8; 32],
        /// Of handshakes.
        psk: [u8; 32],
    },
    Nodes {
        own: [u8; 32],
        /// Of this node's HELLOs, for itself: it knows its twin by it.
        hello: [u8; 32],
        peers: BTreeMap<NodeId, Pair>,
    },
}

/// What this node shares with another.
pub(crate) struct Pair {
    pub(crate) public: [u8; 32],
    /// Of HELLOs from one to the other.
    pub(crate) hello: [u8; 32],
}

impl Keys {
    pub(crate) fn new(access: &Access, network: &str) -> Self {
        let network = network.as_bytes();
        match access {
            Access::NetworkKey(key) => Keys::Network {
                hello: keyed_hash(key, &[b"driftlock hello ", network]),
                psk: keyed_hash(key, &[b"driftlock psk ", network]),
            },
            Access::NodeKeys { own, allowed } => {
                let pair = |public: &[u8; 32]| {
                    let shared = shared(own, public);
                    let hello = keyed_hash(&shared, &[b"driftlock hello ", network]);
                    Pair { public: *public, hello }
                };
                let hello = keyed_hash(own, &[b"driftlock hello ", network]);
                let peers = allowed.iter().map(|(id, public)| (*id, pair(public))).collect();
                Keys::Nodes { own: *own, hello, peers }
            }
        }
    }

    /// Whether a node may link with this one, if it has the key.
    pub(crate) fn admit(&self, id: NodeId) -> bool {
        match self {
            Keys::Network { .. } => true,
            Keys::Nodes { peers, .. } => peers.contains_key(&id),
        }
    }

    /// Of the tag at the end of a HELLO of this node.
    pub(crate) fn hello(&self) -> &[u8; 32] {
        match self {
            Keys::Network { hello, .. } | Keys::Nodes { hello, .. } => hello,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_keys_are_those_of_rfc_7748() {
        let secret = "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a";
        let public = "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a";
        let bytes = |hex: &str| {
            let byte = |k: usize| u8::from_str_radix(&hex[2 * k..2 * k + 2], 16).unwrap();
            core::array::from_fn::<u8, 32, _>(byte)
        };
        assert_eq!(public_key(&bytes(secret)), bytes(public));
    }

    #[test]
    fn two_nodes_share_a_key_and_a_third_does_not_know_it() {
        let access = |own: u8, others: &[u8]| {
            let allowed = others.iter().map(|&o| (NodeId(o.into()), public_key(&[o; 32])));
            Keys::new(&Access::NodeKeys { own: [own; 32], allowed: allowed.collect() }, "net")
        };
        let hello = |keys: &Keys, with: u32| match keys {
            Keys::Nodes { peers, .. } => peers[&NodeId(with)].hello,
            Keys::Network { .. } => panic!("keys of nodes"),
        };
        let (a, b, c) = (access(1, &[2]), access(2, &[1]), access(3, &[1, 2]));
        assert_eq!(hello(&a, 2), hello(&b, 1));
        assert_ne!(hello(&c, 2), hello(&b, 1));
        assert!(a.admit(NodeId(2)) && !a.admit(NodeId(3)));
    }

    #[test]
    fn keys_depend_on_the_name_of_the_network() {
        let keys = |name| *Keys::new(&Access::NetworkKey([5; 32]), name).hello();
        assert_ne!(keys("a"), keys("b"));
        assert!(is_tag(&[1; 32], &[b"a", b"b"], &keyed_hash(&[1; 32], &[b"ab"])[..16]));
        assert!(!is_tag(&[1; 32], &[b"a", b"c"], &keyed_hash(&[1; 32], &[b"ab"])[..16]));
    }
}
