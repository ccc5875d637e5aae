//! What a node shows of itself, as the local API has it.

use std::collections::BTreeSet;

use driftlock_client::wire::{
    Code, Holder, InDoubt, KindName, LinkRole, LinkState, LockState, LockView, Locks, LostToken,
    MOST_LISTED, Neighbor, Neighbors, Queue, Refusal, Status, Waiter,
};
use driftlock_core::LinkRole as Role;
use driftlock_link::{PeerState, PeerView};
use driftlock_locks::{Client, Kind, LockState as State, LockView as View};

use crate::shared::{Shared, refusal};

/// How many locks are listed at once; with the longest names and most holders they fit a frame.
const LOCKS_LISTED: usize = 100;

/// How long another node with this id is warned of, in milliseconds.
const CONFLICT_SHOWN: u64 = 60_000;

pub(crate) fn status(shared: &Shared) -> Status {
    let engine = &shared.engine;
    let peers: Vec<PeerView> = engine.links.peers().collect();
    let links = peers.iter().filter(|peer| peer.state == PeerState::Up).count();
    let in_doubt = peers.iter().filter(|peer| 0 < peer.in_doubt).map(|peer| InDoubt {
        peer: peer.id.0,
        messages: peer.in_doubt as u64,
        since_ms: since(shared, peer),
    });
    let lost = engine
        .missing
        .iter()
        .map(|missing| LostToken { peer: missing.peer.0, lock: missing.lock.clone() });
    Status {
        node: shared.config.id.0,
        network: shared.config.network.clone(),
        founder: engine.locks.is_founder(),
        moving: shared.moving,
        leaving: engine.locks.is_leaving(),
        uptime_ms: shared.now() / 1000,
        links: links as u64,
        locks: engine.locks.len() as u64,
        in_doubt: in_doubt.collect(),
        lost: lost.collect(),
        warnings: warnings(shared),
    }
}

fn warnings(shared: &Shared) -> Vec<String> {
    let mut warnings = Vec::new();
    let id = shared.config.id;
    if let Some((address, at)) = shared.conflict
        && shared.now() / 1000 < at + CONFLICT_SHOWN
    {
        let what = format!("another node has the id {id} of this one, at {address}");
        warnings.push(format!("{what}: neither is linked with; give one of them another --id"));
    }
    if let Some(trouble) = &shared.radio_trouble {
        warnings.push(format!("frames cannot be sent: {trouble}; it is tried again and again"));
    }
    if let Some(trouble) = &shared.stuck {
        let what = format!("the state cannot be written: {trouble}");
        warnings.push(format!("{what}; the node stands still until it can"));
    }
    for (owner, _) in shared.orphans.values() {
        let what = format!("process {} held a lock when the node ended", owner.pid());
        warnings.push(format!("{what}, and still runs; the lock stays its until it ends"));
    }
    for name in shared.engine.locks.disputed() {
        let what = format!("`{name}` is used as locks of two kinds in this network");
        warnings.push(format!("{what}, which do not exclude each other"));
    }
    warnings.extend(crate::members::warnings(shared));
    if shared.engine.locks.is_leaving() && shared.engine.links.peers().next().is_none() {
        warnings.push("there is nobody to hand the tokens on to".to_owned());
    }
    warnings
}

pub(crate) fn neighbors(shared: &Shared) -> Neighbors {
    let neighbor = |peer: PeerView| Neighbor {
        node: peer.id.0,
        state: match peer.state {
            PeerState::Silent => LinkState::Heard,
            PeerState::OneWay => LinkState::OneWay,
            PeerState::Handshake => LinkState::Handshake,
            PeerState::Up => LinkState::Up,
            PeerState::InDoubt => LinkState::InDoubt,
        },
        address: peer.address.map(|address| address.to_string()),
        epoch: peer.epoch,
        role: peer.role.map(|role| match role {
            Role::Static => LinkRole::Static,
            Role::Moving => LinkRole::Moving,
        }),
        rtt_us: peer.rtt,
        since_ms: since(shared, &peer),
        queued: peer.queued as u64,
        unacknowledged: peer.unacknowledged as u64,
    };
    Neighbors { neighbors: shared.engine.links.peers().map(neighbor).collect() }
}

/// Since when a neighbor is in its state.
fn since(shared: &Shared, peer: &PeerView) -> u64 {
    shared.since.get(&peer.id.0).map_or(0, |&(_, since)| since)
}

pub(crate) fn locks(shared: &Shared, after: Option<&str>) -> Locks {
    let in_doubt = shared.engine.in_doubt();
    let is_after = |view: &View<'_>| after.is_none_or(|after| after < view.key.name.as_str());
    let mut views = shared.engine.locks.views().filter(is_after);
    let locks: Vec<LockView> =
        views.by_ref().take(LOCKS_LISTED).map(|view| lock(shared, &in_doubt, &view)).collect();
    Locks { locks, more: views.next().is_some() }
}

fn lock(shared: &Shared, in_doubt: &BTreeSet<String>, view: &View<'_>) -> LockView {
    let stalled = view.state == State::Waiting && in_doubt.contains(&view.key.name);
    LockView {
        name: view.key.name.clone(),
        kind: kind(view.key.kind),
        permits: match view.key.kind {
            Kind::Permits(k) => Some(k),
            _ => None,
        },
        state: match view.state {
            State::Waiting if stalled => LockState::Stalled,
            State::Idle => LockState::Idle,
            State::Waiting => LockState::Waiting,
            State::Held => LockState::Held,
            State::Away => LockState::Away,
        },
        tokens: view.tokens,
        fence: view.fence,
        waiters: view.waiters.len() as u64,
        held: view.holders.len() as u64,
        holders: view.holders.iter().take(MOST_LISTED).map(|c| holder(shared, c)).collect(),
    }
}

fn holder(shared: &Shared, client: &Client) -> Holder {
    let (pid, uid, group) = who(shared, client);
    let (grant, fence, since_ms) = (client.ticket.0, client.fence, client.since / 1000);
    let lease = shared.wishes.get(&client.ticket).and_then(|wish| wish.lease);
    let until_ms = lease.map(|lease| since_ms + lease.ms);
    Holder { grant, pid, uid, since_ms, group, fence, until_ms }
}

fn waiter(shared: &Shared, client: &Client) -> Waiter {
    let (pid, uid, group) = who(shared, client);
    Waiter { pid, uid, since_ms: client.since / 1000, group }
}

fn who(shared: &Shared, client: &Client) -> (Option<u32>, u32, Option<String>) {
    let Some(wish) = shared.wishes.get(&client.ticket) else { return (None, 0, None) };
    let session = shared.sessions.get(&wish.session);
    let (pid, uid) = session.map_or((None, 0), |session| (session.pid, session.uid));
    (pid, uid, wish.group.clone())
}

fn kind(kind: Kind) -> KindName {
    match kind {
        Kind::Exclusive => KindName::Exclusive,
        Kind::Permits(_) => KindName::Permits,
        Kind::Group => KindName::Group,
        Kind::Local => KindName::Local,
    }
}

pub(crate) fn queue(shared: &Shared, name: &str) -> Result<Queue, Refusal> {
    let Some(view) = shared.engine.locks.named(name).next() else {
        return Err(refusal(Code::BadRequest, format!("no lock `{name}` is known here")));
    };
    Ok(Queue {
        name: name.to_owned(),
        kind: kind(view.key.kind),
        waiters: view.waiters.len() as u64,
        here: view.waiters.iter().take(MOST_LISTED).map(|c| waiter(shared, c)).collect(),
        neighbors: view.asked_by.iter().map(|node| node.0).collect(),
    })
}
