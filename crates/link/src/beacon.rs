//! The HELLO as bytes: [`Beacon`].
//!
//! An entry is `id 4 | number 4 | flags 1`, and, where each node has a key of its own, a tag of 8
//! bytes under the key of the two. There, a HELLO proves itself to those that it lists.

use driftlock_core::NodeId;

use crate::FRAME_MAX;
use crate::access::{Keys, is_tag, keyed_hash};
use crate::frame::{HEADER, Kind, header};

const TAG: usize = 16;
const ENTRY: usize = 9;
const ENTRY_TAG: usize = 8;
/// What comes before the entries.
const FIXED: usize = HEADER + 26;

/// A HELLO.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Beacon {
    /// The name of the node's memory, and its start: random numbers.
    pub(crate) life: (u64, u64),
    /// Counts the HELLOs of the node.
    pub(crate) number: u32,
    /// In microseconds. The next one comes after 0.9 to 1.1 of it.
    pub(crate) interval: u32,
    pub(crate) moving: bool,
    /// This is the last one.
    pub(crate) leaving: bool,
    /// Whether everybody who is heard is listed.
    pub(crate) complete: bool,
    pub(crate) entries: Vec<Entry>,
}

/// Somebody that is heard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) id: NodeId,
    /// Of the last HELLO heard of it.
    pub(crate) number: u32,
    /// It is not heard any more.
    pub(crate) lost: bool,
}

/// What a HELLO is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Proof {
    /// It is from a node that may join, with its entry for this node if there is one.
    Good(Beacon),
    /// It may be from the node that it says; nobody can tell.
    Hint(Beacon),
    /// It is not.
    Bad,
    /// It is no HELLO at all.
    Malformed,
}

/// How many entries a HELLO has room for.
pub(crate) fn entries_max(keys: &Keys) -> usize {
    (FRAME_MAX - FIXED - TAG) / entry_length(keys)
}

fn entry_length(keys: &Keys) -> usize {
    match keys {
        Keys::Network { .. } => ENTRY,
        Keys::Nodes { .. } => ENTRY + ENTRY_TAG,
    }
}

impl Beacon {
    /// The whole frame.
    pub(crate) fn to_frame(&self, me: NodeId, network: [u8; 4], keys: &Keys) -> Vec<u8> {
        let mut frame = header(Kind::Hello, network, me);
        frame.extend(self.life.0.to_le_bytes());
        frame.extend(self.life.1.to_le_bytes());
        frame.extend(self.number.to_le_bytes());
        frame.extend(self.interval.to_le_bytes());
        let flags = [self.moving, self.leaving, self.complete];
        frame.push((0..).zip(flags).map(|(k, flag)| u8::from(flag) << k).sum());
        frame.push(self.entries.len() as u8);
        for entry in &self.entries {
            let start = frame.len();
            frame.extend(entry.id.0.to_le_bytes());
            frame.extend(entry.number.to_le_bytes());
            frame.push(entry.lost.into());
            if let Keys::Nodes { peers, .. } = keys {
                let pair = peers.get(&entry.id);
                let tag = pair
                    .map(|pair| keyed_hash(&pair.hello, &[&frame[..FIXED - 1], &frame[start..]]));
                frame.extend(&tag.unwrap_or_default()[..ENTRY_TAG]);
            }
        }
        let tag = keyed_hash(keys.hello(), &[&frame]);
        frame.extend(&tag[..TAG]);
        frame
    }

    /// What a frame from `from` is worth to `me`.
    pub(crate) fn of_frame(frame: &[u8], from: NodeId, me: NodeId, keys: &Keys) -> Proof {
        let Some((body, tag)) = frame.split_last_chunk::<TAG>() else { return Proof::Malformed };
        let is_tagged = || is_tag(keys.hello(), &[body], tag);
        let pair = match keys {
            // Nothing is read before this.
            Keys::Network { .. } if !is_tagged() => return Proof::Bad,
            Keys::Nodes { .. } if from == me && !is_tagged() => return Proof::Bad,
            Keys::Network { .. } => None,
            Keys::Nodes { peers, .. } => peers.get(&from),
        };
        let length = entry_length(keys);
        let Some(beacon) = Self::parse(body, length) else { return Proof::Malformed };
        let Some(pair) = pair else { return Proof::Good(beacon) };
        let Some(k) = beacon.entries.iter().position(|entry| entry.id == me) else {
            return Proof::Hint(beacon);
        };
        let entry = &body[FIXED + k * length..][..length];
        let (entry, tag) = entry.split_at(ENTRY);
        match is_tag(&pair.hello, &[&body[..FIXED - 1], entry], tag) {
            true => Proof::Good(beacon),
            false => Proof::Bad,
        }
    }

    fn parse(body: &[u8], length: usize) -> Option<Self> {
        let (fixed, entries) = body.get(HEADER..)?.split_first_chunk::<26>()?;
        let (memory, rest) = fixed.split_first_chunk::<8>()?;
        let (start, rest) = rest.split_first_chunk::<8>()?;
        let (number, rest) = rest.split_first_chunk::<4>()?;
        let (interval, rest) = rest.split_first_chunk::<4>()?;
        let &[flags, n_entries] = rest else { return None };
        if entries.len() != usize::from(n_entries) * length {
            return None;
        }
        let entry = |bytes: &[u8]| {
            let (id, rest) = bytes.split_first_chunk::<4>()?;
            let (number, rest) = rest.split_first_chunk::<4>()?;
            let id = NodeId(u32::from_le_bytes(*id));
            Some(Entry { id, number: u32::from_le_bytes(*number), lost: *rest.first()? != 0 })
        };
        Some(Beacon {
            life: (u64::from_le_bytes(*memory), u64::from_le_bytes(*start)),
            number: u32::from_le_bytes(*number),
            interval: u32::from_le_bytes(*interval),
            moving: flags & 1 != 0,
            leaving: flags & 2 != 0,
            complete: flags & 4 != 0,
            entries: entries.chunks_exact(length).map(entry).collect::<Option<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::access::{Access, public_key};
    use crate::frame::mark;

    fn beacon(entries: &[u32]) -> Beacon {
        let entry = |&id| Entry { id: NodeId(id), number: id * 7, lost: id == 3 };
        let entries = entries.iter().map(entry).collect();
        let (life, number, interval) = ((9, 1 << 60), 77, 200_000);
        let (moving, leaving, complete) = (true, false, true);
        Beacon { life, number, interval, moving, leaving, complete, entries }
    }

    fn node_keys(own: u8) -> Keys {
        let keys = (1..=3).filter(|&id| id != own);
        let allowed: BTreeMap<_, _> =
            keys.map(|id| (NodeId(id.into()), public_key(&[id; 32]))).collect();
        Keys::new(&Access::NodeKeys { own: [own; 32], allowed }, "net")
    }

    #[test]
    fn with_the_key_of_the_network_it_is_good_for_everybody() {
        let keys = Keys::new(&Access::NetworkKey([1; 32]), "net");
        let beacon = beacon(&[2, 3, 9]);
        let frame = beacon.to_frame(NodeId(1), mark("net"), &keys);
        let worth = |frame: &[u8], keys| Beacon::of_frame(frame, NodeId(1), NodeId(5), keys);
        assert_eq!(worth(&frame, &keys), Proof::Good(beacon));
        for k in 0..frame.len() {
            let mut altered = frame.clone();
            altered[k] ^= 1;
            assert_eq!(worth(&altered, &keys), Proof::Bad);
            assert_ne!(worth(&frame[..k], &keys), worth(&frame, &keys));
        }
        let other = Keys::new(&Access::NetworkKey([2; 32]), "net");
        assert_eq!(worth(&frame, &other), Proof::Bad);
    }

    #[test]
    fn with_keys_of_nodes_it_is_good_for_those_it_lists() {
        let beacon = beacon(&[2, 3]);
        let frame = beacon.to_frame(NodeId(1), mark("net"), &node_keys(1));
        let worth = |frame: &[u8], me: u8| {
            Beacon::of_frame(frame, NodeId(1), NodeId(me.into()), &node_keys(me))
        };
        assert_eq!(worth(&frame, 2), Proof::Good(beacon.clone()));
        assert_eq!(worth(&frame, 3), Proof::Good(beacon.clone()));
        let unlisted = Beacon { entries: vec![beacon.entries[0]], ..beacon };
        let frame = unlisted.to_frame(NodeId(1), mark("net"), &node_keys(1));
        assert_eq!(worth(&frame, 3), Proof::Hint(unlisted.clone()));
        let forged = unlisted.to_frame(NodeId(1), mark("net"), &node_keys(3));
        assert_eq!(worth(&forged, 2), Proof::Bad);
        // Only this node's own key makes a twin.
        assert_eq!(worth(&forged, 1), Proof::Bad);
        assert_eq!(worth(&frame, 1), Proof::Good(unlisted));
    }

    #[test]
    fn the_longest_fits_into_a_frame() {
        for keys in [Keys::new(&Access::NetworkKey([1; 32]), "net"), node_keys(1)] {
            let ids: Vec<u32> = (0..entries_max(&keys) as u32).collect();
            let frame = beacon(&ids).to_frame(NodeId(1), mark("net"), &keys);
            assert!(frame.len() <= FRAME_MAX && frame.len() + 2 * ENTRY > FRAME_MAX);
            assert!(ids.len() < 256);
        }
    }
}
