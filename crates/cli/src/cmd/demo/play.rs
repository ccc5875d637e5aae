//! The programs: what they want, how long they hold it, and what they do when they lose it.

use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use anyhow::{Context, Result};
use driftlock_client::wire::{LinkState, Neighbor};
use driftlock_client::{Client, Guard, Lock};
use tokio::time::{Instant, sleep, sleep_until};

use super::book::{Book, Inside, Rule};
use super::dice::{Dice, Stream};
use super::locked;

/// A lock that is played for.
pub(super) struct Played {
    pub(super) name: &'static str,
    pub(super) kind: &'static str,
    pub(super) rule: Rule,
    /// How long it is held, in milliseconds: from, to.
    hold: [u64; 2],
    /// How long a program does without it, in milliseconds: from, to.
    think: [u64; 2],
}

/// One of each kind.
pub(super) const LOCKS: [Played; 4] = [
    Played {
        name: "pad-1",
        kind: "exclusive",
        rule: Rule::Exclusive,
        hold: [10, 30],
        think: [100, 400],
    },
    Played {
        name: "channel",
        kind: "2 permits",
        rule: Rule::Permits(2),
        hold: [20, 60],
        think: [100, 400],
    },
    Played { name: "survey", kind: "group", rule: Rule::Group, hold: [20, 60], think: [100, 300] },
    Played { name: "crossing", kind: "local", rule: Rule::Local, hold: [20, 60], think: [50, 200] },
];

const GROUPS: [&str; 2] = ["north", "south"];

/// What can be asked about a program that is inside.
pub(super) struct Witness {
    client: Client,
    guard: Weak<Guard>,
}

pub(super) type Shared = Arc<Mutex<Book<Witness>>>;

/// A book for all locks.
pub(super) fn book() -> Shared {
    Arc::new(Mutex::new(Book::new(LOCKS.iter().map(|lock| lock.rule))))
}

/// A program at a node, which wants one lock again and again.
pub(super) struct Program {
    pub(super) client: Client,
    pub(super) node: usize,
    /// Its place in [`LOCKS`].
    pub(super) lock: usize,
    pub(super) book: Shared,
}

impl Program {
    /// Play until something goes wrong, or for ever.
    pub(super) async fn run(self, seed: u64) -> Result<()> {
        let subject = self.node * LOCKS.len() + self.lock;
        let mut dice = Dice::new(seed, Stream::Requests, subject);
        let played = &LOCKS[self.lock];
        loop {
            sleep(between(&mut dice, played.think)).await;
            let group = (played.rule == Rule::Group).then(|| GROUPS[dice.below(2) as usize]);
            let hold = between(&mut dice, played.hold);
            self.play(group, hold)
                .await
                .with_context(|| format!("a program at node {} has lost its node", self.node))?;
        }
    }

    /// Acquire, hold, release.
    async fn play(&self, group: Option<&'static str>, hold: Duration) -> Result<()> {
        let asked = Instant::now();
        locked(&self.book).ask(self.lock, self.node);
        let guard = Arc::new(self.client.acquire(wanted(&LOCKS[self.lock], group)).await?);
        let held = Instant::now();
        let witness = Witness { client: self.client.clone(), guard: Arc::downgrade(&guard) };
        let who = Inside { node: self.node, group, witness };
        let grant = locked(&self.book).enter(self.lock, who, guard.fence(), held - asked);
        let is_lost = tokio::select! {
            () = self.work(grant, held + hold) => guard.is_lost(),
            _ = guard.lost() => true,
        };
        locked(&self.book).leave(self.lock, grant, is_lost);
        // Witnesses never keep a guard while they wait, so this is the last of it.
        if let Some(guard) = Arc::into_inner(guard) {
            guard.release().await?;
        }
        Ok(())
    }

    /// What is done inside: look who else is, first and last.
    async fn work(&self, grant: u64, until: Instant) {
        self.look_around(grant).await;
        sleep_until(until).await;
        self.look_around(grant).await;
    }

    /// Find out whether somebody else inside is a neighbor. Both nodes are asked, in the sessions
    /// in which they would have told the programs to stop: that would have come before the answer.
    async fn look_around(&self, grant: u64) {
        if LOCKS[self.lock].rule != Rule::Local {
            return;
        }
        let others = locked(&self.book).others(self.lock, grant);
        for other in others {
            let found = locked(&self.book)
                .inside(self.lock, other)
                .map(|who| (who.node, who.witness.client.clone()));
            let Some((node, client)) = found else { continue };
            if self.is_linked_with(node, &client).await {
                let is_lost = |witness: &Witness| match witness.guard.upgrade() {
                    Some(guard) => guard.is_lost(),
                    None => true,
                };
                locked(&self.book).are_neighbors(self.lock, [grant, other], is_lost);
            }
        }
    }

    /// Whether both ends report the link between them at once: this end before and after the other.
    async fn is_linked_with(&self, node: usize, other: &Client) -> bool {
        let before = link(&self.client, node).await;
        let there = link(other, self.node).await;
        let after = link(&self.client, node).await;
        before.is_some() && before == there && before == after
    }
}

/// The epoch of the link from a node to another, if it is up.
async fn link(from: &Client, to: usize) -> Option<u64> {
    let is_meant = |peer: &Neighbor| peer.node as usize == to && peer.state == LinkState::Up;
    // A node that does not answer is noticed elsewhere.
    let neighbors = from.neighbors().await.unwrap_or_default();
    neighbors.into_iter().find(is_meant).map(|peer| peer.epoch)
}

fn wanted(played: &Played, group: Option<&str>) -> Lock {
    match (played.rule, group) {
        (Rule::Exclusive, _) => Lock::exclusive(played.name),
        (Rule::Permits(most), _) => Lock::permits(played.name, most as u32),
        (Rule::Group, group) => Lock::group(played.name, group.unwrap_or(GROUPS[0])),
        (Rule::Local, _) => Lock::local(played.name),
    }
}

fn between(dice: &mut Dice, [least, most]: [u64; 2]) -> Duration {
    Duration::from_micros(1000 * least + dice.below(1000 * (most - least)))
}

/// Nodes that are none know of no others, so that programs at two of them are inside together. They
/// all say that node 5 is a neighbor, and that node 9 is none.
#[cfg(test)]
mod tests {
    use driftlock_client::fake::Fake;

    use super::*;

    const CROSSING: usize = 3;

    async fn program(fake: &Fake, node: usize, book: &Shared) -> Program {
        let client = Client::connect(fake.path()).await.unwrap();
        Program { client, node, lock: CROSSING, book: book.clone() }
    }

    /// What is in the book when one enters while another is inside, at these nodes.
    async fn meeting(nodes: [usize; 2]) -> u64 {
        let folder = tempfile::tempdir().unwrap();
        let fakes = ["a", "b"].map(|name| Fake::start(folder.path().join(name)));
        let book = book();
        let first = program(&fakes[0], nodes[0], &book).await;
        let staying = tokio::spawn(async move { first.play(None, Duration::from_hours(1)).await });
        while locked(&book).others(CROSSING, 0).is_empty() {
            tokio::task::yield_now().await;
        }
        let second = program(&fakes[1], nodes[1], &book).await;
        second.play(None, Duration::ZERO).await.unwrap();
        staying.abort();
        locked(&book).overlaps()
    }

    #[tokio::test]
    async fn neighbors_inside_together_are_found() {
        assert_eq!(meeting([5, 5]).await, 1);
    }

    #[tokio::test]
    async fn those_of_whom_one_end_says_that_they_are_none_are_not() {
        assert_eq!([meeting([5, 9]).await, meeting([9, 5]).await], [0, 0]);
    }

    #[tokio::test]
    async fn whoever_is_told_to_stop_does_so_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let fake = Fake::start(folder.path().join("a"));
        let book = book();
        let program = program(&fake, 5, &book).await;
        let playing =
            tokio::spawn(async move { program.play(None, Duration::from_hours(1)).await });
        while locked(&book).others(CROSSING, 0).is_empty() {
            tokio::task::yield_now().await;
        }
        fake.lose(fake.held()[0]);
        playing.await.unwrap().unwrap();
        assert!(locked(&book).others(CROSSING, 0).is_empty() && fake.held().is_empty());
        assert_eq!(locked(&book).pages[CROSSING].lost, 1);
    }
}
