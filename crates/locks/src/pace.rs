//! How fast a lock may talk without getting anywhere: [`Pace`].
//!
//! In a part of the network that its token is not in, GME raises heights for ever: its paper
//! assumes that the network is connected. Nothing is lost if that is slow. So a lock that has taken
//! in many messages, and neither passed on a token or a share of one nor let anybody in, takes in
//! the next ones one by one, with a pause before each, and longer pauses from one to the next. A
//! process may be as slow as it likes. What waits is lost if its link goes down, as if it were in
//! transit; what must not get lost does not wait.

use std::collections::VecDeque;

use driftlock_core::NodeId;

/// How many messages in vain are nothing to worry about.
const FREE: u32 = 500;

/// The pause before the first one after that, in microseconds.
const PAUSE: u64 = 50_000;

/// How much longer each pause is than the one before.
const LONGER: u64 = 1_000;

/// The longest pause. Once the parts have met again, it takes a dozen or two of them at each node
/// until all know the way to the token.
const LONGEST: u64 = 500_000;

/// A message that waits for its turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Late {
    pub(crate) from: NodeId,
    pub(crate) epoch: u64,
    pub(crate) body: Vec<u8>,
}

/// How fast a lock talks.
#[derive(Default)]
pub(crate) struct Pace {
    in_vain: u32,
    late: VecDeque<Late>,
    /// When the first of those has its turn.
    turn: u64,
}

impl Pace {
    /// The messages of a neighbor, which do not wait any more.
    pub(crate) fn all_from(&mut self, from: NodeId) -> Vec<Late> {
        let is_theirs = |late: &Late| late.from == from;
        let theirs = self.late.iter().filter(|late| is_theirs(late)).cloned().collect();
        self.late.retain(|late| !is_theirs(late));
        theirs
    }

    /// Something was achieved.
    pub(crate) fn progress(&mut self) {
        self.in_vain = 0;
    }

    /// A message is there: now, or with those that wait.
    pub(crate) fn admit(&mut self, now: u64, late: Late) -> Option<Late> {
        if self.late.is_empty() && self.in_vain < FREE {
            self.in_vain += 1;
            return Some(late);
        }
        if self.late.is_empty() {
            self.turn = now + self.pause();
        }
        self.late.push_back(late);
        None
    }

    /// Whether a message would have to wait.
    pub(crate) fn is_slow(&self) -> bool {
        !self.late.is_empty() || FREE <= self.in_vain
    }

    /// The next message that waits, if it is its turn.
    pub(crate) fn next(&mut self, now: u64) -> Option<Late> {
        if self.late.is_empty() || FREE <= self.in_vain && now < self.turn {
            return None;
        }
        self.in_vain = self.in_vain.saturating_add(1);
        self.turn = now + self.pause();
        self.late.pop_front()
    }

    /// How long the next message has to wait.
    fn pause(&self) -> u64 {
        let slow = u64::from(self.in_vain.saturating_sub(FREE));
        (PAUSE + slow * LONGER).min(LONGEST)
    }

    /// When the next message that waits has its turn.
    pub(crate) fn turn(&self) -> Option<u64> {
        (!self.late.is_empty()).then_some(self.turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn late(number: u8) -> Late {
        Late { from: NodeId(1), epoch: 1, body: vec![number] }
    }

    #[test]
    fn the_messages_of_a_neighbor_can_be_had_before_their_turn() {
        let other = Late { from: NodeId(2), ..late(5) };
        let waiting = [late(1), other.clone(), late(2)];
        let mut pace = Pace { late: waiting.into(), ..Pace::default() };
        assert_eq!(pace.all_from(NodeId(1)), [late(1), late(2)]);
        assert_eq!(pace.late, [other]);
    }

    #[test]
    fn talk_in_vain_slows_down_and_progress_speeds_up() {
        let mut pace = Pace::default();
        for _ in 0..FREE {
            assert_eq!(pace.admit(7, late(0)), Some(late(0)));
        }
        assert_eq!(pace.admit(7, late(1)), None);
        assert_eq!(pace.admit(7, late(2)), None);
        assert_eq!((pace.turn(), pace.next(7)), (Some(7 + PAUSE), None));
        assert_eq!(pace.next(7 + PAUSE), Some(late(1)), "in order");
        assert_eq!(pace.next(7 + PAUSE), None, "one at a time");
        pace.progress();
        assert_eq!(pace.next(7 + PAUSE), Some(late(2)));
        assert_eq!((pace.turn(), pace.admit(9, late(3))), (None, Some(late(3))));
    }

    #[test]
    fn pauses_get_longer_until_something_is_achieved() {
        let mut pace = Pace { in_vain: FREE, ..Pace::default() };
        let pause = |pace: &mut Pace| {
            assert_eq!(pace.admit(0, late(0)), None);
            let turn = pace.turn;
            assert_eq!((pace.next(turn - 1), pace.next(turn)), (None, Some(late(0))));
            turn
        };
        let pauses: Vec<u64> = (0..1000).map(|_| pause(&mut pace)).collect();
        assert_eq!(pauses[..3], [PAUSE, PAUSE + LONGER, PAUSE + 2 * LONGER]);
        assert!(pauses.is_sorted());
        assert_eq!(pauses[999], LONGEST);
        pace.progress();
        (0..FREE).for_each(|_| assert_eq!(pace.admit(0, late(0)), Some(late(0))));
        assert_eq!(pause(&mut pace), PAUSE);
    }
}
