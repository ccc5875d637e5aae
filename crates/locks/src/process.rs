//! The process of a lock at one node, with its messages as bytes: [`Process`].
//!
//! Locks of different kinds are processes of different protocols; behind this trait they are all
//! alike, and nothing else here knows protocols or their messages.

use driftlock_core::{
    Cold, Input, Inspect, LinkRole, NoTimer, NodeId, Out, Output, ResourceId, Status, Tokens,
};
use driftlock_journal::Digest;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::ledger::Amount;

/// What happens to a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<'a> {
    /// Somebody at this node asks.
    Request(ResourceId),
    /// Nobody at this node is in the critical section any more.
    Release,
    /// A neighbor has sent this.
    Recv(NodeId, &'a [u8]),
    /// What was sent to a neighbor did not arrive and never will.
    Returned(NodeId, &'a [u8]),
    /// There is a link to this neighbor.
    LinkUp(NodeId, LinkRole),
    /// There is none any more.
    LinkDown(NodeId),
}

/// What a process answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A message for a neighbor.
    Send {
        /// The neighbor.
        to: NodeId,
        /// The message.
        body: Vec<u8>,
        /// Whether it must not get lost: it carries a token, or a share of one.
        keep: bool,
    },
    /// Somebody at this node may enter.
    Enter,
}

/// The bytes are no message of this protocol. The process has not been touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Garbled;

/// The process of a lock at one node.
pub trait Process: Send {
    /// Take a step, and add what comes of it to `answers`. Says whether the process has to be
    /// written down: a token, or a share of one, came, went or came back.
    fn step(&mut self, event: Event<'_>, answers: &mut Vec<Answer>) -> Result<bool, Garbled>;

    /// The process as bytes.
    fn save(&self) -> Vec<u8>;

    /// Become the process that was saved.
    fn restore(&mut self, saved: &[u8]) -> Result<(), Garbled>;

    /// Keep a record of every step from now on.
    fn keep_records(&mut self);

    /// The record of the last step, if one is kept: what happened, and the check sum of what was
    /// answered.
    fn record(&mut self) -> Option<(driftlock_journal::Event, u32)>;

    /// Whether these bytes are a message that must not get lost: it carries a token, or a share.
    fn would_be_missed(&self, body: &[u8]) -> bool;

    /// Whether a request would be granted within the same step.
    fn would_enter(&self, resource: ResourceId) -> bool;

    /// How much of what must not get lost these bytes carry.
    fn amount(&self, body: &[u8]) -> Amount;

    /// Make anew what was lost: see [`Cold::regenerate`].
    fn regenerate(&mut self, tokens: u32, weight: i64, answers: &mut Vec<Answer>);

    /// Give all tokens to a neighbor unasked, before this node leaves. Only when idle.
    fn hand_on(&mut self, to: NodeId, answers: &mut Vec<Answer>);

    /// The section the process is in.
    fn status(&self) -> Status;

    /// How many tokens are here.
    fn tokens(&self) -> u32;

    /// Whether no token can be reached, as far as the process can tell.
    fn misses_token(&self) -> bool;

    /// Whether news of links can wait until something else happens.
    fn is_idle(&self) -> bool;

    /// Neighbors that ask through this node.
    fn asked_by(&self) -> Vec<NodeId>;
}

/// A process of the protocol `P`.
#[derive(Clone, Debug)]
pub struct Of<P: Cold> {
    process: P,
    digest: Option<Digest>,
    record: Option<(driftlock_journal::Event, u32)>,
}

impl<P> Of<P>
where
    P: Cold<Timer = NoTimer> + Inspect + Tokens + Serialize + DeserializeOwned + Send + 'static,
    P::Msg: Serialize + DeserializeOwned + Send,
{
    /// The process of node `me`, alone; with the token if `me` is the founder.
    pub fn cold(me: NodeId, founder: bool, settings: &P::Settings) -> Box<dyn Process> {
        let process = P::cold(me, founder, settings);
        Box::new(Of { process, digest: None, record: None })
    }

    /// Says whether a token went.
    fn answer(mut out: Out<P::Msg>, answers: &mut Vec<Answer>) -> bool {
        let mut went = false;
        for output in out.drain() {
            match output {
                Output::Send { to, msg } => {
                    let keep = matters::<P>(&msg);
                    went |= keep;
                    let body = postcard::to_allocvec(&msg).expect("messages can be written down");
                    answers.push(Answer::Send { to, body, keep });
                }
                Output::EnterCs => answers.push(Answer::Enter),
                Output::Demote => panic!("nobody is inside when a local lock is told of a link"),
                Output::SetTimer { timer, .. } | Output::CancelTimer { timer } => match timer {},
                Output::Note(_) => {}
                Output::Undefined(what) => panic!("repaired protocols define every step: {what}"),
            }
        }
        went
    }
}

/// Whether a message has a token in it, or a share of one.
fn matters<P: Tokens>(msg: &P::Msg) -> bool {
    0 < P::carried(msg) || P::weight_of(msg) != 0
}

impl<P> Process for Of<P>
where
    P: Cold<Timer = NoTimer> + Inspect + Tokens + Serialize + DeserializeOwned + Send + 'static,
    P::Msg: Serialize + DeserializeOwned + Send,
{
    fn step(&mut self, event: Event<'_>, answers: &mut Vec<Answer>) -> Result<bool, Garbled> {
        let input = match event {
            Event::Request(resource) => Input::RequestCs(resource),
            Event::Release => Input::ReleaseCs,
            Event::Recv(from, body) => Input::Recv { from, msg: read(body)? },
            Event::Returned(to, body) => Input::Returned { to, msg: read(body)? },
            Event::LinkUp(peer, role) => Input::LinkUp { peer, role },
            Event::LinkDown(peer) => Input::LinkDown { peer },
        };
        let came = match &input {
            Input::Recv { msg, .. } | Input::Returned { msg, .. } => matters::<P>(msg),
            _ => false,
        };
        let happened = self.digest.is_some().then(|| driftlock_journal::Event::of(&input));
        let mut out = Out::new();
        self.process.step(input, &mut out);
        if let (Some(digest), Some(event)) = (&mut self.digest, happened) {
            let check = digest.of(out.as_slice(), self.process.status());
            self.record = Some((event, check));
        }
        let went = Self::answer(out, answers);
        Ok(came || went)
    }

    fn save(&self) -> Vec<u8> {
        postcard::to_allocvec(&self.process).expect("processes can be written down")
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), Garbled> {
        let read = postcard::take_from_bytes::<P>(saved).map_err(|_| Garbled)?;
        let (process, []) = read else { return Err(Garbled) };
        self.process = process;
        Ok(())
    }

    fn keep_records(&mut self) {
        self.digest = Some(Digest::default());
    }

    fn record(&mut self) -> Option<(driftlock_journal::Event, u32)> {
        self.record.take()
    }

    fn would_be_missed(&self, body: &[u8]) -> bool {
        read::<P::Msg>(body).is_ok_and(|msg| matters::<P>(&msg))
    }

    fn would_enter(&self, resource: ResourceId) -> bool {
        if self.process.status() != Status::Remainder {
            return false;
        }
        let mut trial = self.process.clone();
        let mut out = Out::new();
        trial.step(Input::RequestCs(resource), &mut out);
        out.as_slice().contains(&Output::EnterCs)
    }

    fn amount(&self, body: &[u8]) -> Amount {
        let amount = |msg: P::Msg| {
            let (tokens, weight) = (i64::from(P::carried(&msg)), P::weight_of(&msg));
            Amount { tokens, weight }
        };
        read::<P::Msg>(body).map_or(Amount::NOTHING, amount)
    }

    fn regenerate(&mut self, tokens: u32, weight: i64, answers: &mut Vec<Answer>) {
        let mut out = Out::new();
        self.process.regenerate(tokens, weight, &mut out);
        Self::answer(out, answers);
    }

    fn hand_on(&mut self, to: NodeId, answers: &mut Vec<Answer>) {
        let mut out = Out::new();
        self.process.hand_on(to, &mut out);
        Self::answer(out, answers);
    }

    fn status(&self) -> Status {
        self.process.status()
    }

    fn tokens(&self) -> u32 {
        self.process.held()
    }

    fn misses_token(&self) -> bool {
        self.process.misses_token()
    }

    fn is_idle(&self) -> bool {
        self.process.is_idle()
    }

    fn asked_by(&self) -> Vec<NodeId> {
        self.process.asked_by()
    }
}

/// The message that these bytes are, and nothing else.
fn read<M: DeserializeOwned>(body: &[u8]) -> Result<M, Garbled> {
    match postcard::take_from_bytes(body) {
        Ok((message, [])) => Ok(message),
        _ => Err(Garbled),
    }
}
