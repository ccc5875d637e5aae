//! Programs that want locks: [`contend`].

use std::path::Path;
use std::time::Duration;

use driftlock_client::blocking::Client;
use driftlock_sim::dice::{Dice, Stream};

use crate::bell::Bell;
use crate::book::{Book, Name};

/// How long a program waits for a lock before it complains.
const PATIENCE: Duration = Duration::from_secs(20);

/// One program at `node`: think, take the lock, hold it, give it back, until the bell rings; and
/// then once more, so that everyone is served at the end.
pub(crate) fn contend(node: u32, socket: &Path, name: Name, think: f64, book: &Book, end: &Bell) {
    let client = Client::connect(socket).unwrap();
    let mut dice = Dice::new(u64::from(node)).sequence_of(Stream::Requests, name as u32);
    let mut is_last = false;
    while !is_last {
        is_last = end.wait(Duration::from_secs_f64(dice.exponential(think)));
        let guard = match client.acquire(name.lock(node).wait(PATIENCE)) {
            Ok(guard) => guard,
            Err(error) => {
                return book.complain(format!("{name:?}: {node} was not served: {error}"));
            }
        };
        book.enter(name, node, guard.fence());
        // A local lock is lost when another holder comes near; the others never are.
        let lost = guard.wait_lost(Duration::from_micros(500 + dice.below(2000)));
        book.leave(name, node);
        if let Some(lost) = lost.filter(|_| name != Name::Local) {
            book.complain(format!("{name:?}: {node} has lost it: {lost:?}"));
        }
        if let Err(error) = guard.release() {
            book.complain(format!("{name:?}: {node} could not give it back: {error}"));
        }
    }
}
