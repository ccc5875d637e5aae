//! What happens next: [`Agenda`], a timing wheel ordered by (time, sequence).
//!
//! The queue of events is what a simulator spends its time on. A binary heap costs `log n` cache
//! misses for an event; here an event costs one append and one take, whatever the number of events.
//!
//! The next 4096 ticks have a list each. What lies beyond is kept in coarser lists: one per 4096
//! ticks, then one per 64 times as many, and so on. When the wheel reaches a coarse list, its
//! events are dealt out to finer ones.
//!
//! **Why events of one tick come out in the order they were put in.** Which list an event goes to
//! depends on the highest bit in which its time differs from that of the wheel. The wheel opens a
//! coarse list in the moment it enters its stretch of time, before anything else can be put into
//! the finer lists of that stretch; and lists are dealt out from front to back.
//!
//! Lists are chains of small chunks out of one pool, so that memory is used again and neighboring
//! events are neighbors in memory.

/// Ticks with a list of their own, as a power of two.
const NEAR_BITS: u32 = 12;
const NEAR: usize = 1 << NEAR_BITS;
/// Lists of a coarser level, as a power of two.
const FAR_BITS: u32 = 6;
const FAR: usize = 1 << FAR_BITS;
/// So many coarser levels cover 64 bits.
const LEVELS: usize = (64 - NEAR_BITS).div_ceil(FAR_BITS) as usize;
/// Events of a chunk. With nine of 56 bytes, as RL's are, a chunk fills 8 cache lines, and the
/// first event shares its line with the head.
const CHUNK: usize = 9;
const NONE: u32 = u32::MAX;

/// Events to come. Times never run backwards: nothing can be scheduled before the last event taken.
///
/// ```
/// use driftlock_sim::Agenda;
/// let mut agenda = Agenda::new();
/// agenda.schedule(30, "late");
/// agenda.schedule(10, "early");
/// agenda.schedule(10, "early too");
/// assert_eq!(agenda.pop(), Some((10, "early")));
/// assert_eq!(agenda.pop(), Some((10, "early too")));
/// assert_eq!(agenda.pop(), Some((30, "late")));
/// assert_eq!(agenda.pop(), None);
/// ```
#[derive(Clone, Debug)]
pub struct Agenda<E> {
    /// Where the wheel stands: not after any event, not before the last one taken.
    now: u64,
    len: usize,
    near: Box<[List]>,
    /// A bit for each near list that is not empty, and a bit for each such word of bits.
    near_filled: [u64; NEAR / 64],
    near_words: u64,
    far: Box<[List]>,
    far_filled: [u64; LEVELS],
    chunks: Vec<Chunk<E>>,
    free: u32,
}

/// A list, by its last chunk: the chunks are linked in a ring, so the first one follows it.
type List = u32;

#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Chunk<E> {
    next: u32,
    first: u16,
    end: u16,
    items: [Option<(u64, E)>; CHUNK],
}

impl<E> Agenda<E> {
    /// Nothing to happen, at time 0.
    pub fn new() -> Self {
        Agenda {
            now: 0,
            len: 0,
            near: vec![NONE; NEAR].into(),
            near_filled: [0; NEAR / 64],
            near_words: 0,
            far: vec![NONE; LEVELS * FAR].into(),
            far_filled: [0; LEVELS],
            chunks: Vec::new(),
            free: NONE,
        }
    }

    /// How many events are to come.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is to come.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Put `event` on the agenda.
    ///
    /// Panics if `at` lies before the last event taken.
    #[inline(always)]
    pub fn schedule(&mut self, at: u64, event: E) {
        assert!(at >= self.now, "time does not run backwards");
        self.len += 1;
        self.place(at, event);
    }

    /// Take the next event: the earliest, and of those the one scheduled first.
    #[inline]
    pub fn pop(&mut self) -> Option<(u64, E)> {
        loop {
            if let Some(slot) = self.first_near() {
                let item = self.take(slot);
                self.now = item.0;
                self.len -= 1;
                return Some(item);
            }
            if !self.open_far() {
                return None;
            }
        }
    }

    /// The events that come next and lie together, if none of these was taken yet: now is the time
    /// to look at what they will need.
    #[inline]
    pub(crate) fn batch(&self) -> impl Iterator<Item = &E> + Clone {
        let head = self.first_near().map(|slot| self.chunks[self.near[slot] as usize].next);
        let chunk = head.map(|head| &self.chunks[head as usize]).filter(|chunk| chunk.first == 0);
        let items = chunk.map_or(&[][..], |chunk| &chunk.items[..usize::from(chunk.end)]);
        items.iter().flatten().map(|(_, event)| event)
    }

    #[inline(always)]
    fn place(&mut self, at: u64, event: E) {
        let apart = at ^ self.now;
        if apart < NEAR as u64 {
            let slot = at as usize % NEAR;
            self.near_filled[slot / 64] |= 1 << (slot % 64);
            self.near_words |= 1 << (slot / 64);
            self.near[slot] = append(&mut self.chunks, &mut self.free, self.near[slot], at, event);
        } else {
            let level = ((apart.ilog2() - NEAR_BITS) / FAR_BITS) as usize;
            let slot = (at >> shift(level)) as usize % FAR;
            self.far_filled[level] |= 1 << slot;
            let list = &mut self.far[level * FAR + slot];
            *list = append(&mut self.chunks, &mut self.free, *list, at, event);
        }
    }

    /// The first near list, from where the wheel stands, that is not empty.
    #[inline]
    fn first_near(&self) -> Option<usize> {
        let stand = self.now as usize % NEAR;
        let word = stand / 64;
        let bits = self.near_filled[word] & (!0 << (stand % 64));
        if bits != 0 {
            return Some(word * 64 + bits.trailing_zeros() as usize);
        }
        let words = self.near_words & (!0 << word) & !(1 << word);
        if words == 0 {
            return None;
        }
        let word = words.trailing_zeros() as usize;
        Some(word * 64 + self.near_filled[word].trailing_zeros() as usize)
    }

    /// Take the front event of a near list.
    #[inline]
    fn take(&mut self, slot: usize) -> (u64, E) {
        let tail = self.near[slot];
        let head = self.chunks[tail as usize].next;
        let chunk = &mut self.chunks[head as usize];
        let item = chunk.items[usize::from(chunk.first)].take().expect("a chunk in use has items");
        chunk.first += 1;
        if chunk.first == chunk.end {
            let next = std::mem::replace(&mut chunk.next, self.free);
            self.free = head;
            if head == tail {
                self.empty_near(slot);
            } else {
                self.chunks[tail as usize].next = next;
            }
        }
        item
    }

    #[inline]
    fn empty_near(&mut self, slot: usize) {
        self.near[slot] = NONE;
        self.near_filled[slot / 64] &= !(1 << (slot % 64));
        if self.near_filled[slot / 64] == 0 {
            self.near_words &= !(1 << (slot / 64));
        }
    }

    /// Move the wheel to the first coarse list that is not empty, and deal it out. Returns whether
    /// there was one.
    #[cold]
    fn open_far(&mut self) -> bool {
        let Some(level) = (0..LEVELS).find(|&level| self.far_filled[level] != 0) else {
            return false;
        };
        let slot = self.far_filled[level].trailing_zeros() as usize;
        self.far_filled[level] &= !(1 << slot);
        let tail = std::mem::replace(&mut self.far[level * FAR + slot], NONE);
        let stretch = shift(level);
        let above = self.now.checked_shr(stretch + FAR_BITS).unwrap_or(0);
        let above = above.checked_shl(stretch + FAR_BITS).unwrap_or(0);
        self.now = above | (slot as u64) << stretch;
        let mut link = self.chunks[tail as usize].next;
        while link != tail {
            link = self.deal(link);
        }
        self.deal(tail);
        true
    }

    /// Put the events of a chunk into finer lists, and the chunk back into the pool. Returns the
    /// chunk that follows.
    fn deal(&mut self, link: u32) -> u32 {
        let Chunk { next, first, end, .. } = self.chunks[link as usize];
        for k in first..end {
            let item = self.chunks[link as usize].items[usize::from(k)].take();
            let (at, event) = item.expect("a chunk in use has items");
            self.place(at, event);
        }
        self.chunks[link as usize].next = self.free;
        self.free = link;
        next
    }
}

impl<E> Default for Agenda<E> {
    fn default() -> Self {
        Agenda::new()
    }
}

/// How many ticks a list of this coarse level stands for, as a power of two.
#[inline]
fn shift(level: usize) -> u32 {
    NEAR_BITS + FAR_BITS * level as u32
}

/// Append an event to a list, with a chunk out of the pool if need be. Returns the list.
#[inline(always)]
fn append<E>(chunks: &mut Vec<Chunk<E>>, free: &mut u32, list: List, at: u64, event: E) -> List {
    if list != NONE {
        let tail = &mut chunks[list as usize];
        if usize::from(tail.end) < CHUNK {
            tail.items[usize::from(tail.end)] = Some((at, event));
            tail.end += 1;
            return list;
        }
    }
    let fresh = fresh_chunk(chunks, free);
    let head = match list {
        NONE => fresh,
        tail => std::mem::replace(&mut chunks[tail as usize].next, fresh),
    };
    let chunk = &mut chunks[fresh as usize];
    (chunk.next, chunk.first, chunk.end) = (head, 0, 1);
    chunk.items[0] = Some((at, event));
    fresh
}

#[inline]
fn fresh_chunk<E>(chunks: &mut Vec<Chunk<E>>, free: &mut u32) -> u32 {
    if *free != NONE {
        let fresh = *free;
        *free = chunks[fresh as usize].next;
        return fresh;
    }
    let items = [const { None }; CHUNK];
    chunks.push(Chunk { next: NONE, first: 0, end: 0, items });
    u32::try_from(chunks.len() - 1).expect("fewer than 2^32 chunks")
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    use super::*;
    use crate::dice::{Dice, Stream};

    /// Against a heap of (time, sequence), with gaps of every size and many equal times.
    #[test]
    fn the_order_is_that_of_a_heap_of_time_and_sequence() {
        let mut die = Dice::new(11).sequence(Stream::Delay);
        for reach in [1, 3, 60, 5_000, 300_000, 1 << 40] {
            let mut agenda = Agenda::new();
            let mut heap = BinaryHeap::new();
            let (mut now, mut number) = (0, 0u64);
            for _ in 0..20_000 {
                if die.below(5) < 3 {
                    let at = now + die.below(reach) * die.below(3);
                    agenda.schedule(at, number);
                    heap.push(Reverse((at, number)));
                    number += 1;
                } else {
                    let next = heap.pop().map(|Reverse(item)| item);
                    assert_eq!(agenda.pop(), next, "reach {reach}");
                    now = next.map_or(now, |(at, _)| at);
                }
                assert_eq!(agenda.len(), heap.len());
            }
            while let Some(Reverse(item)) = heap.pop() {
                assert_eq!(agenda.pop(), Some(item));
            }
            assert_eq!(agenda.pop(), None);
        }
    }

    #[test]
    fn a_batch_is_what_comes_next_and_is_told_once() {
        let mut agenda = Agenda::new();
        (0..20).for_each(|k| agenda.schedule(5, k));
        agenda.schedule(6, 20);
        let mut told = Vec::new();
        for _ in 0..21 {
            told.extend(agenda.batch().copied());
            agenda.pop();
        }
        assert_eq!(told, (0..21).collect::<Vec<_>>());
    }

    #[test]
    fn the_end_of_time_can_be_scheduled() {
        let mut agenda = Agenda::new();
        agenda.schedule(u64::MAX, 'z');
        agenda.schedule(5, 'a');
        assert_eq!(agenda.pop(), Some((5, 'a')));
        assert_eq!(agenda.pop(), Some((u64::MAX, 'z')));
    }

    #[test]
    fn memory_is_used_again() {
        let mut agenda = Agenda::new();
        for round in 0..1_000 {
            for k in 0..100 {
                agenda.schedule(round * 7_000 + k * 61, k);
            }
            while agenda.pop().is_some() {}
        }
        assert!(agenda.chunks.len() <= 200, "{} chunks", agenda.chunks.len());
    }
}
