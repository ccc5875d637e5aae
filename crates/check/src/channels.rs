//! Messages in transit: [`Channels`].

use crate::intern::{Map, Pool};
use crate::levels::{ChannelRange, ChannelShift, shift_number};
use crate::site::Checked;

/// The channel with nothing in it.
pub(crate) const EMPTY: u32 = 0;

/// No message: what is behind it in a channel was sent by a node that has woken up since, over a
/// link that is gone. It never arrives, and comes back if it would be missed.
pub(crate) const BAR: u32 = u32::MAX;

/// All messages, and all channel contents, that were ever seen.
///
/// A content is named by the content before its last message and that message, so that sending is
/// one look-up; and each knows its first message and the rest, so that receiving is none.
pub(crate) struct Channels<P: Checked> {
    messages: Pool<P::Msg>,
    of_message: Vec<Content>,
    contents: Vec<Content>,
    sent: Map<(u32, u32), u32>,
    shifted: Map<(u32, ChannelShift), u32>,
}

/// What is asked of a channel in every state.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    /// The oldest message.
    pub(crate) first: u32,
    /// The channel without it.
    pub(crate) rest: u32,
    /// How many tokens are in it.
    pub(crate) tokens: u32,
    /// How many of them are before a bar, if there is one.
    pub(crate) arriving: u32,
    /// Whether there is a bar in it.
    pub(crate) barred: bool,
    /// How much weight.
    pub(crate) weight: i64,
    /// How many forks.
    pub(crate) forks: u32,
    pub(crate) levels: ChannelRange,
}

impl<P: Checked> Channels<P> {
    pub(crate) fn new() -> Self {
        let levels = ChannelRange::EMPTY;
        let nothing = Content {
            first: 0,
            rest: EMPTY,
            tokens: 0,
            arriving: 0,
            barred: false,
            weight: 0,
            forks: 0,
            levels,
        };
        Channels {
            messages: Pool::new(),
            of_message: Vec::new(),
            contents: vec![nothing],
            sent: Map::default(),
            shifted: Map::default(),
        }
    }

    #[inline]
    pub(crate) fn get(&self, channel: u32) -> &Content {
        &self.contents[channel as usize]
    }

    pub(crate) fn message(&self, message: u32) -> &P::Msg {
        self.messages.get(message)
    }

    /// Whether a message would be missed: it carries a token, or weight.
    pub(crate) fn is_kept(&self, message: u32) -> bool {
        let Content { tokens, weight, .. } = *self.alone(message);
        tokens > 0 || weight != 0
    }

    /// A channel with nothing else in it, but for what is first.
    fn alone(&self, message: u32) -> &Content {
        if message == BAR { self.get(EMPTY) } else { &self.of_message[message as usize] }
    }

    /// The messages in a channel, the oldest first.
    pub(crate) fn messages(&self, channel: u32) -> impl Iterator<Item = u32> {
        let rest = |&channel: &u32| Some(self.get(channel).rest);
        let contents = std::iter::successors(Some(channel), rest);
        contents.take_while(|&rest| rest != EMPTY).map(|rest| self.get(rest).first)
    }

    /// How many messages are in a channel.
    pub(crate) fn length(&self, channel: u32) -> usize {
        self.messages(channel).count()
    }

    /// The number of a message.
    pub(crate) fn intern(&mut self, mut message: P::Msg) -> u32 {
        let mut levels = ChannelRange::EMPTY;
        P::levels_in(&mut message, &mut |level, number| levels.see(level, *number));
        let content = Content {
            first: 0,
            rest: EMPTY,
            tokens: P::carried(&message),
            arriving: 0,
            barred: false,
            weight: P::weight_of(&message),
            forks: u32::from(P::carries_fork(&message)),
            levels,
        };
        let (number, new) = self.messages.intern(message);
        if new {
            self.of_message.push(content);
        }
        number
    }

    /// The channel after `message` was sent on it, if that was ever asked before.
    #[inline]
    pub(crate) fn sent(&self, channel: u32, message: u32) -> Option<u32> {
        self.sent.get(&(channel, message)).copied()
    }

    /// The channel after `message` was sent on it.
    pub(crate) fn send(&mut self, channel: u32, message: u32) -> u32 {
        if let Some(known) = self.sent(channel, message) {
            return known;
        }
        let (first, rest) = if channel == EMPTY {
            (message, EMPTY)
        } else {
            let Content { first, rest, .. } = *self.get(channel);
            (first, self.send(rest, message))
        };
        let (before, last) = (self.get(channel), self.alone(message));
        let tokens = before.tokens + last.tokens;
        let barred = before.barred || message == BAR;
        let arriving = if barred { before.arriving } else { tokens };
        let weight = before.weight + last.weight;
        let forks = before.forks + last.forks;
        let mut levels = before.levels;
        levels.join(&last.levels);
        let number = u32::try_from(self.contents.len()).expect("fewer contents than numbers");
        let content = Content { first, rest, tokens, arriving, barred, weight, forks, levels };
        self.contents.push(content);
        self.sent.insert((channel, message), number);
        number
    }

    /// The channel with all levels shifted, if that was ever asked before.
    #[inline]
    pub(crate) fn shifted(&self, channel: u32, shift: ChannelShift) -> Option<u32> {
        if channel == EMPTY { Some(EMPTY) } else { self.shifted.get(&(channel, shift)).copied() }
    }

    /// The channel with all levels shifted.
    pub(crate) fn shift(&mut self, channel: u32, shift: ChannelShift) {
        let (mut left, mut done) = (channel, EMPTY);
        while left != EMPTY {
            let Content { first, rest, .. } = *self.get(left);
            let message = if first == BAR { BAR } else { self.shift_message(first, &shift) };
            (left, done) = (rest, self.send(done, message));
        }
        self.shifted.insert((channel, shift), done);
    }

    fn shift_message(&mut self, message: u32, shift: &ChannelShift) -> u32 {
        let mut message = self.message(message).clone();
        P::levels_in(&mut message, &mut |level, number| shift_number(level, number, shift));
        self.intern(message)
    }
}
