//! What nodes say of themselves: [`Seen`].

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use driftlock_client::wire::LinkState;
use driftlock_client::{Client, LookError};
use tokio::time::{MissedTickBehavior, interval};

use super::locked;
use super::play::LOCKS;

/// How often nodes are asked.
const ASK_EVERY: Duration = Duration::from_millis(150);

/// What nodes said last.
#[derive(Clone, Default, Debug)]
pub(super) struct Seen {
    /// By node, whom it has a link with.
    pub(super) links: Vec<BTreeSet<usize>>,
    /// By lock, the nodes that have a token.
    pub(super) tokens: [BTreeSet<usize>; LOCKS.len()],
    /// By node, what it has counted.
    pub(super) counts: Vec<Counts>,
    /// How many tokens are in doubt.
    pub(super) in_doubt: u64,
}

/// What a node has counted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Counts {
    pub(super) ups: u64,
    pub(super) downs: u64,
    pub(super) returned: u64,
    pub(super) retransmissions: u64,
    pub(super) frames: u64,
}

impl Seen {
    pub(super) fn new(nodes: usize) -> Self {
        let links = vec![BTreeSet::new(); nodes];
        Seen { links, counts: vec![Counts::default(); nodes], ..Seen::default() }
    }

    /// Links that both ends report.
    pub(super) fn links(&self) -> Vec<(usize, usize)> {
        let mut links = Vec::new();
        for (a, peers) in self.links.iter().enumerate() {
            let both = peers.iter().filter(|&&b| a < b && self.links[b].contains(&a));
            links.extend(both.map(|&b| (a, b)));
        }
        links
    }

    /// How many pieces the network is in, by its links.
    pub(super) fn pieces(&self) -> usize {
        let mut piece: Vec<usize> = (0..self.links.len()).collect();
        for (a, b) in self.links() {
            let (from, to) = (piece[a], piece[b]);
            piece.iter_mut().filter(|piece| **piece == from).for_each(|piece| *piece = to);
        }
        piece.into_iter().collect::<BTreeSet<_>>().len()
    }

    /// What all nodes have counted. Both ends of a link count its ups and downs.
    pub(super) fn total(&self) -> Counts {
        let sum = |of: fn(&Counts) -> u64| self.counts.iter().map(of).sum::<u64>();
        Counts {
            ups: sum(|counts| counts.ups) / 2,
            downs: sum(|counts| counts.downs) / 2,
            returned: sum(|counts| counts.returned),
            retransmissions: sum(|counts| counts.retransmissions),
            frames: sum(|counts| counts.frames),
        }
    }
}

/// Ask all nodes, again and again.
pub(super) async fn watch(clients: Vec<Client>, seen: Arc<Mutex<Seen>>) {
    let mut rounds = interval(ASK_EVERY);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        rounds.tick().await;
        look(&clients, &seen).await;
    }
}

/// Ask all nodes once.
pub(super) async fn look(clients: &[Client], seen: &Mutex<Seen>) {
    let mut in_doubt = 0;
    for (node, client) in clients.iter().enumerate() {
        // A node that does not answer is noticed elsewhere.
        in_doubt += ask(node, client, seen).await.unwrap_or(0);
    }
    locked(seen).in_doubt = in_doubt;
}

/// Ask a node how it is. Returns how many tokens are in doubt there.
async fn ask(node: usize, client: &Client, seen: &Mutex<Seen>) -> Result<u64, LookError> {
    let neighbors = client.neighbors().await?;
    let locks = client.locks().await?;
    let counts = counts(&client.metrics().await?);
    let status = client.status().await?;
    let mut seen = locked(seen);
    let up = neighbors.iter().filter(|peer| peer.state == LinkState::Up);
    seen.links[node] = up.map(|peer| peer.node as usize).collect();
    seen.counts[node] = counts;
    for (played, tokens) in LOCKS.iter().zip(&mut seen.tokens) {
        if locks.iter().any(|lock| lock.name == played.name && 0 < lock.tokens) {
            tokens.insert(node);
        } else {
            tokens.remove(&node);
        }
    }
    Ok(status.in_doubt.iter().map(|doubt| doubt.messages).sum())
}

fn counts(page: &str) -> Counts {
    let value = |name: &str| {
        let rest = |line: &'_ str| -> Option<u64> {
            line.strip_prefix("driftlock_")?.strip_prefix(name)?.trim().parse().ok()
        };
        page.lines().find_map(rest).unwrap_or(0)
    };
    Counts {
        ups: value("link_ups_total "),
        downs: value("link_downs_total "),
        returned: value("returned_total "),
        retransmissions: value("retransmissions_total "),
        frames: value("frames_sent_total "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_one_if_both_ends_say_so() {
        let mut seen = Seen::new(4);
        seen.links = [&[1, 2][..], &[0], &[], &[]].map(|to| to.iter().copied().collect()).into();
        assert_eq!((seen.links(), seen.pieces()), (vec![(0, 1)], 3));
        seen.links[2] = [0, 3].into();
        seen.links[3] = [2].into();
        assert_eq!((seen.links(), seen.pieces()), (vec![(0, 1), (0, 2), (2, 3)], 1));
    }

    #[test]
    fn counts_are_read_off_the_page() {
        let page = "# HELP driftlock_link_ups_total Links that came up.\n\
                    driftlock_link_ups_total 7\ndriftlock_returned_total 2\n";
        let counts = counts(page);
        assert_eq!((counts.ups, counts.returned, counts.downs), (7, 2, 0));
    }
}
