//! Messages in order, each once: [`Arq`], the state of one incarnation at one end.
//!
//! A sliding window over numbered messages. An acknowledgment is cumulative and says beside it
//! which of the next 32 are here already, so that these are not sent again. What is acknowledged
//! was delivered; what waits for an earlier message was not.
//!
//! There is no time in here: when something is sent again is decided outside.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

/// How many messages may be under way. An acknowledgment has a bit for each.
pub const WINDOW_MAX: u64 = 32;

/// What one end has received.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Ack {
    /// Every message up to this number was delivered.
    pub received: u64,
    /// Bit `k` stands for message `received + 2 + k`, which is here, but not delivered.
    pub ahead: u32,
}

/// A message on its way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Item {
    message: Vec<u8>,
    keep: bool,
    /// Whether the other end has it, as far as known.
    there: bool,
}

/// The messages of one incarnation, at one end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Arq {
    /// Not acknowledged; the first has number `acked + 1`.
    items: VecDeque<Item>,
    acked: u64,
    /// The greatest number that was sent.
    sent: u64,
    received: u64,
    ahead: BTreeMap<u64, Vec<u8>>,
    /// Whether something came in since the last acknowledgment went out.
    owed: bool,
    /// Kept messages that came when nothing was sent any more. They have no numbers: after a
    /// restart it is not known which numbers have been used.
    late: Vec<Vec<u8>>,
}

impl Arq {
    /// What is left of an incarnation after a restart. The numbers have to grow.
    pub(crate) fn remembered(received: u64, kept: &[(u64, Vec<u8>)], late: &[Vec<u8>]) -> Self {
        let acked = kept.first().map_or(0, |(number, _)| number - 1);
        let late = late.to_vec();
        let mut arq = Arq { acked, sent: acked, received, late, ..Arq::default() };
        for (number, message) in kept {
            while arq.sent + 1 < *number {
                arq.push(&[], false);
                arq.sent += 1;
            }
            arq.push(message, true);
            arq.sent += 1;
        }
        arq
    }

    /// Put a message into the queue.
    pub(crate) fn push(&mut self, message: &[u8], keep: bool) {
        self.items.push_back(Item { message: message.into(), keep, there: false });
    }

    /// Take a message to be kept, and never to be sent.
    pub(crate) fn push_late(&mut self, message: &[u8]) {
        self.late.push(message.into());
    }

    /// The next message that was not sent yet, if the window has room for it.
    pub(crate) fn next(&mut self, window: u64) -> Option<(u64, Vec<u8>)> {
        if self.sent - self.acked >= window.min(WINDOW_MAX) {
            return None;
        }
        let item = self.items.get((self.sent - self.acked) as usize)?;
        self.sent += 1;
        Some((self.sent, item.message.clone()))
    }

    /// The oldest message that was sent and is not known to be there.
    pub(crate) fn again(&self) -> Option<(u64, Vec<u8>)> {
        let under_way = self.items.iter().take((self.sent - self.acked) as usize);
        let (k, item) = under_way.enumerate().find(|(_, item)| !item.there)?;
        Some((self.acked + 1 + k as u64, item.message.clone()))
    }

    /// The other end has received this. Returns how many messages are newly acknowledged.
    pub(crate) fn on_ack(&mut self, ack: Ack) -> u64 {
        if ack.received > self.sent {
            return 0;
        }
        let news = ack.received.saturating_sub(self.acked);
        self.items.drain(..news as usize);
        self.acked += news;
        if ack.received == self.acked {
            let under_way = (self.sent - self.acked) as usize;
            for (k, item) in self.items.iter_mut().take(under_way).skip(1).enumerate() {
                item.there |= k < 32 && ack.ahead >> k & 1 == 1;
            }
        }
        news
    }

    /// A message came in. Returns what is to be delivered now; none if it was here before or is
    /// too far ahead.
    pub(crate) fn on_message(&mut self, number: u64, message: Vec<u8>) -> Vec<Vec<u8>> {
        self.owed = true;
        let mut ready = Vec::new();
        if number <= self.received || number > self.received + WINDOW_MAX {
            return ready;
        }
        self.ahead.insert(number, message);
        while let Some(message) = self.ahead.remove(&(self.received + 1)) {
            self.received += 1;
            ready.push(message);
        }
        ready
    }

    /// The other end wants to hear something.
    pub(crate) fn owe(&mut self) {
        self.owed = true;
    }

    /// What to acknowledge.
    pub(crate) fn ack(&mut self) -> Ack {
        self.owed = false;
        let bits = self.ahead.keys().filter_map(|number| number.checked_sub(self.received + 2));
        let ahead = bits.fold(0, |ahead, bit| ahead | 1u32.checked_shl(bit as u32).unwrap_or(0));
        Ack { received: self.received, ahead }
    }

    /// Nothing more will be delivered, and nothing more sent. What is not kept is gone. The
    /// numbers of what is kept stay what they were.
    pub(crate) fn freeze(&mut self) {
        self.ahead.clear();
        self.owed = false;
        for item in self.items.iter_mut().filter(|item| !item.keep) {
            item.message = Vec::new();
        }
    }

    /// The kept messages that are not acknowledged, with their numbers, in order.
    pub fn kept_numbered(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let numbered = (self.acked + 1..).zip(&self.items);
        numbered.filter(|(_, item)| item.keep).map(|(number, item)| (number, &*item.message))
    }

    /// Kept messages that were never sent, and have no number.
    pub fn kept_late(&self) -> impl Iterator<Item = &[u8]> {
        self.late.iter().map(Vec::as_slice)
    }

    /// The kept messages after the first `received` of all, in order.
    pub fn kept_after(&self, received: u64) -> impl Iterator<Item = &[u8]> {
        let kept = self.kept_numbered().filter(move |(number, _)| *number > received);
        kept.map(|(_, message)| message).chain(self.kept_late())
    }

    /// How many messages were delivered here.
    pub fn received(&self) -> u64 {
        self.received
    }

    /// How many messages the other end is known to have delivered.
    pub fn acked(&self) -> u64 {
        self.acked
    }

    /// The number of the last message that was sent.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// Whether something came in since the last acknowledgment went out.
    pub fn owes(&self) -> bool {
        self.owed
    }

    /// How many messages are not acknowledged, sent or not.
    pub fn waiting(&self) -> usize {
        self.items.len() + self.late.len()
    }

    /// How many kept messages are not acknowledged.
    pub fn kept(&self) -> usize {
        self.items.iter().filter(|item| item.keep).count() + self.late.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;

    #[test]
    fn an_acknowledgment_says_what_is_ahead() {
        let mut arq = Arq::default();
        assert_eq!(arq.on_message(1, vec![1]), [vec![1]]);
        assert!(arq.on_message(3, vec![3]).is_empty());
        assert!(arq.on_message(5, vec![5]).is_empty());
        assert!(arq.owes());
        assert_eq!(arq.ack(), Ack { received: 1, ahead: 0b101 });
        assert!(!arq.owes());
        assert_eq!(arq.on_message(2, vec![2]), [vec![2], vec![3]]);
        assert!(arq.on_message(2, vec![2]).is_empty(), "it was here before");
        assert!(arq.on_message(3 + WINDOW_MAX + 1, vec![]).is_empty(), "too far ahead");
        assert_eq!(arq.ack(), Ack { received: 3, ahead: 1 });
    }

    #[test]
    fn numbers_that_were_used_before_a_restart_mean_nothing_for_what_comes_later() {
        let mut arq = Arq::remembered(7, &[(3, vec![3]), (5, vec![5])], &[vec![9]]);
        assert_eq!((arq.acked(), arq.received(), arq.kept()), (2, 7, 3));
        arq.push_late(&[10]);
        // Messages 6 to 8 were sent too, and are forgotten.
        assert_eq!(arq.kept_after(8).collect::<Vec<_>>(), [[9], [10]]);
        assert_eq!(arq.kept_after(4).collect::<Vec<_>>(), [[5], [9], [10]]);
    }

    #[test]
    fn what_is_there_is_not_sent_again() {
        let mut arq = Arq::default();
        (1..=5).for_each(|k| arq.push(&[k], k == 4));
        assert_eq!(std::iter::from_fn(|| arq.next(4)).count(), 4);
        assert_eq!(arq.again(), Some((1, vec![1])));
        assert_eq!(arq.on_ack(Ack { received: 1, ahead: 0b10 }), 1);
        assert_eq!(arq.again(), Some((2, vec![2])));
        assert_eq!(arq.on_ack(Ack { received: 3, ahead: 0 }), 2);
        assert_eq!(arq.again(), None, "the fourth is there");
        assert_eq!(arq.on_ack(Ack { received: 9, ahead: 0 }), 0, "that many were not sent");
        assert_eq!(arq.next(4), Some((5, vec![5])));
        assert_eq!((arq.kept(), arq.waiting()), (1, 2));
        arq.freeze();
        assert_eq!(arq.kept_after(3).collect::<Vec<_>>(), [[4]]);
        assert_eq!(arq.kept_after(4).count(), 0);
    }

    /// Frames between two ends that get lost, come twice, and overtake each other.
    #[test]
    fn whatever_the_air_does_messages_arrive_in_order_and_once() {
        for seed in 0..50 {
            let mut dice = Dice::new([seed; 32]);
            let (mut a, mut b) = (Arq::default(), Arq::default());
            (0..200).for_each(|k| a.push(&[k], false));
            let (mut data, mut acks, mut got) = (Vec::new(), Vec::new(), Vec::new());
            while a.waiting() > 0 {
                data.extend(a.next(1 + dice.below(40)));
                match dice.below(5) {
                    0 => data.extend(a.again()),
                    1 => acks.push(b.ack()),
                    2 if !acks.is_empty() => {
                        a.on_ack(acks[dice.below(acks.len() as u64) as usize]);
                    }
                    3 if !data.is_empty() => {
                        data.swap_remove(dice.below(data.len() as u64) as usize);
                    }
                    _ if !data.is_empty() => {
                        let k = dice.below(data.len() as u64) as usize;
                        let (number, message) = data[k].clone();
                        got.extend(b.on_message(number, message));
                    }
                    _ => {}
                }
            }
            assert!(got.iter().map(|message| message[0]).eq(0..200), "seed {seed}");
        }
    }
}
