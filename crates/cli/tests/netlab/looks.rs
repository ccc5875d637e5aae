//! What nodes say of whom they are linked with: [`Looks`].

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use driftlock_client::blocking::Client;
use driftlock_client::wire::{LinkState, Status};

use crate::bell::Bell;
use crate::map::Links;

/// How long to wait between two looks.
const PAUSE: Duration = Duration::from_millis(5);

/// A client of each node, to look with.
pub(crate) struct Looks {
    clients: Vec<(u32, Client)>,
    never: Bell,
}

/// The client of a node, once it serves; a node takes a moment to start.
pub(crate) fn connect(socket: &Path, within: Duration) -> Client {
    let (start, never) = (Instant::now(), Bell::default());
    loop {
        match Client::connect(socket) {
            Ok(client) => return client,
            Err(error) => assert!(start.elapsed() < within, "{error}"),
        }
        never.wait(PAUSE);
    }
}

impl Looks {
    pub(crate) fn new(clients: Vec<(u32, Client)>) -> Looks {
        Looks { clients, never: Bell::default() }
    }

    /// Wait until the links that are up are these, at both of their ends, and no others. Returns
    /// how long that took since `start`; or what is wrong after `within`.
    pub(crate) fn until(
        &self,
        links: &Links,
        start: Instant,
        within: Duration,
    ) -> Result<Duration, String> {
        loop {
            let wrong = self.wrong(links);
            let waited = start.elapsed();
            match wrong {
                None => return Ok(waited),
                Some(wrong) if within < waited => return Err(wrong),
                Some(_) => self.never.wait(PAUSE),
            };
        }
    }

    /// Wait until the status of a node is as it should be.
    pub(crate) fn until_status(
        &self,
        node: u32,
        within: Duration,
        is_right: impl Fn(&Status) -> bool,
    ) -> Status {
        let (_, client) = self.clients.iter().find(|(other, _)| *other == node).unwrap();
        let start = Instant::now();
        loop {
            let status = client.status().unwrap();
            if is_right(&status) {
                return status;
            }
            assert!(start.elapsed() < within, "{status:?}");
            self.never.wait(PAUSE);
        }
    }

    /// What is wrong with the links that are up, if anything is.
    pub(crate) fn wrong(&self, links: &Links) -> Option<String> {
        self.clients.iter().find_map(|(node, client)| {
            let neighbors = client.neighbors().unwrap();
            let is_up = |state| state == LinkState::Up;
            let up: BTreeSet<u32> =
                neighbors.iter().filter(|n| is_up(n.state)).map(|n| n.node).collect();
            let expected = ends(*node, links);
            (up != expected).then(|| {
                let states: Vec<_> = neighbors.iter().map(|n| (n.node, n.state)).collect();
                format!("node {node} is linked with {up:?}, not {expected:?}: {states:?}")
            })
        })
    }
}

/// The neighbors of a node.
fn ends(node: u32, links: &Links) -> BTreeSet<u32> {
    let end = |&(i, j): &(u32, u32)| match node {
        node if node == i => Some(j),
        node if node == j => Some(i),
        _ => None,
    };
    links.iter().filter_map(end).collect()
}
