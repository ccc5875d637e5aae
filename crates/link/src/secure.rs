//! The sessions with one peer: [`Secure`].
//!
//! At most three at a time: the one in use, the one before it, and one that this end has agreed to
//! and that the other has not used yet.

use crate::clear::Offer;
use crate::frame::Hand;
use crate::session::{Broken, Handshake, Party, Session};

/// A handshake that this end has begun.
struct Begun {
    handshake: Handshake,
    said: Hand,
    message: Vec<u8>,
}

/// A handshake that this end has answered.
struct Answered {
    session: Session,
    /// The first half, to know it again.
    first: Vec<u8>,
    second: Vec<u8>,
    renews: bool,
}

/// What came out of a sealed frame.
pub(crate) struct Opened {
    pub(crate) clear: Vec<u8>,
    pub(crate) epoch: u64,
    /// Whether it is the first one with new keys.
    pub(crate) is_first: bool,
}

/// The sessions with one peer.
#[derive(Default)]
pub(crate) struct Secure {
    begun: Option<Begun>,
    answered: Option<Answered>,
    pub(crate) current: Option<Session>,
    previous: Option<Session>,
}

impl Secure {
    /// The first half of a handshake; the same bytes as before, if the same is to be said.
    pub(crate) fn begin(&mut self, party: &Party<'_>, seed: [u8; 32], said: Hand) -> Option<&[u8]> {
        if self.begun.as_ref().is_none_or(|begun| begun.said != said) {
            let (handshake, message) = party.begin(seed, &said.to_bytes())?;
            self.begun = Some(Begun { handshake, said, message });
        }
        self.begun.as_ref().map(|begun| &*begun.message)
    }

    /// The second half that was the answer to these bytes already.
    pub(crate) fn answer_to(&self, first: &[u8]) -> Option<(&[u8], bool)> {
        let answered = self.answered.as_ref().filter(|answered| answered.first == first)?;
        Some((&answered.second, answered.renews))
    }

    /// Answer with the second half.
    pub(crate) fn answer(
        &mut self,
        (handshake, first): (Handshake, Vec<u8>),
        said: Hand,
        epoch: u64,
        now: u64,
    ) -> Option<&[u8]> {
        let (session, second) = handshake.finish(&said.to_bytes(), epoch, now)?;
        let renews = matches!(said, Hand::Renew(_));
        Some(&self.answered.insert(Answered { session, first, second, renews }).second)
    }

    /// The second half came in: use the new keys from now on. Returns what it says, to an offer
    /// or to the wish for new keys.
    pub(crate) fn finish(&mut self, message: &[u8], now: u64) -> Option<(Offer, u64)> {
        let said = self.begun.as_mut()?.handshake.read(message)?;
        let Begun { handshake, said: mine, .. } = self.begun.take()?;
        let (answer, epoch) = match (mine, Hand::of_bytes(&said)?) {
            (Hand::Open(_), Hand::Agree(answer, epoch)) => (Some(answer), epoch),
            (Hand::Renew(mine), Hand::Renew(epoch)) if mine == epoch => (None, epoch),
            _ => return None,
        };
        let session = handshake.session(epoch, now)?;
        self.previous = self.current.replace(session);
        answer.map(|answer| (answer, epoch))
    }

    /// Open a sealed frame. The other end uses new keys only once it has them, and then so does
    /// this end. None if no session has that tag.
    pub(crate) fn open(
        &mut self,
        tag: [u8; 4],
        nonce: u64,
        sealed: &[u8],
        is_pending: bool,
    ) -> Option<Result<Opened, Broken>> {
        let is_new = |answered: &&mut Answered| {
            answered.session.tag == tag && (answered.renews || is_pending)
        };
        if let Some(answered) = self.answered.as_mut().filter(is_new) {
            let opened = opened(&mut answered.session, nonce, sealed, true);
            if opened.is_ok()
                && let Some(answered) = self.answered.take()
            {
                self.previous = self.current.replace(answered.session);
            }
            return Some(opened);
        }
        let sessions = [self.current.as_mut(), self.previous.as_mut()];
        let session = sessions.into_iter().flatten().find(|session| session.tag == tag)?;
        Some(opened(session, nonce, sealed, false))
    }
}

fn opened(
    session: &mut Session,
    nonce: u64,
    sealed: &[u8],
    is_first: bool,
) -> Result<Opened, Broken> {
    let epoch = session.epoch;
    session.open(nonce, sealed).map(|clear| Opened { clear, epoch, is_first })
}
